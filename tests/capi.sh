#!/usr/bin/env bash
# The C ABI, tested from outside: C11 and C++ programs against the built library, as a host meets it.
#
#   bash tests/capi.sh
#
# Needs gcc, g++, binutils and valgrind; as root on Debian it installs what is missing. CAPI_PROFILE=dev builds the
# shipped lines without optimisation, for a quick look.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
profile=${CAPI_PROFILE:-release}
work=$target/capi
strict_c=(-std=c11 -pedantic -Wall -Wextra -Werror -g -O1 -Iinclude -Itests/capi)
strict_cpp=(-pedantic -Wall -Wextra -Werror -g -O1 -Iinclude -Itests/capi)
mkdir -p "$work"
work=$(cd "$work" && pwd)

say() {
  printf -- '-- %s\n' "$*"
}

need() {
  local missing=()
  command -v gcc > /dev/null || missing+=(gcc)
  command -v g++ > /dev/null || missing+=(g++)
  command -v readelf > /dev/null || missing+=(binutils)
  command -v valgrind > /dev/null || missing+=(valgrind)
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null; then
    apt-get install -y --no-install-recommends "${missing[@]}"
  else
    echo "please install: ${missing[*]}" >&2
    return 1
  fi
}

# build PROFILE FEATURES TYPES FOLDER: the library as it ships, or with other features.
build() {
  local out=$work/$4
  cargo rustc --profile "$1" --lib --no-default-features --features "$2" --crate-type "$3" \
    --target-dir "$target" --quiet
  local folder=$target/$1
  [ "$1" = dev ] && folder=$target/debug
  mkdir -p "$out"
  rm -f "$out"/libevenmatch.*
  cp "$folder/libevenmatch.so" "$out/"
  if [[ $3 == *staticlib* ]]; then
    cp "$folder/libevenmatch.a" "$out/"
  fi
}

# c PROGRAM FOLDER [FLAGS..]: compiles and links a C program of this folder against a built library.
c() {
  local program=$1 folder=$work/$2
  shift 2
  gcc "${strict_c[@]}" "tests/capi/$program.c" "$@" -o "$folder/$program" \
    -L"$folder" -levenmatch -lpthread -ldl -Wl,-rpath,"$folder"
}

# silent COMMAND..: runs it; nothing may be written to stdout or stderr.
silent() {
  local said
  if ! said=$("$@" 2>&1); then
    echo "failed: $*: $said" >&2
    return 1
  fi
  if [ -n "$said" ]; then
    echo "wrote something: $*: $said" >&2
    return 1
  fi
}

header_functions() {
  sed -n 's/^EVENMATCH_API [^(]*[ *]\(evenmatch_[a-z_]*\)(.*/\1/p' "$@" | sort
}

need

say "the header is what cbindgen makes"
cargo run --quiet --manifest-path tests/capi/header/Cargo.toml --target-dir "$target/header" -- --check

say "the lines of the README and of the packages build"
build "$profile" capi,kdtree cdylib,staticlib shipped
build dev capi-test,kdtree cdylib tests
build dev capi cdylib plain
shipped=$work/shipped/libevenmatch.so

say "exported symbols and functions of the header are the same"
diff <(nm -D --defined-only "$shipped" | awk '{ print $3 }' | sort) <(header_functions include/evenmatch.h)
diff <(nm -D --defined-only "$work/tests/libevenmatch.so" | awk '{ print $3 }' | sort) \
  <(header_functions include/evenmatch.h tests/capi/evenmatch_debug.h)

say "no static TLS, no signal handler; no thread, which a program sees below, unless it is asked for"
if readelf -d "$shipped" | grep -q STATIC_TLS; then
  echo "the library has the STATIC_TLS flag" >&2
  exit 1
fi
if nm -D --undefined-only "$shipped" | awk '{ print $2 }' | grep -Ex '(signal|sigaction)(@.*)?' \
  > "$work/imports"; then
  echo "the library imports $(tr '\n' ' ' < "$work/imports")" >&2
  exit 1
fi

say "layout: the library's numbers in C and in C++, in every set of features, and no field left out"
cat > "$work/layout.c" << 'C'
#include "expect.h"
int main(void) {
  static char text[65536];
  uint64_t bytes = 0;
  EXPECT_OK(evenmatch_layout_read(text, sizeof text, &bytes));
  fwrite(text, 1, bytes, stdout);
  return 0;
}
C
for folder in shipped tests plain; do
  gcc "${strict_c[@]}" "$work/layout.c" -o "$work/$folder/layout" -L"$work/$folder" -levenmatch \
    -Wl,-rpath,"$work/$folder"
  "$work/$folder/layout" > "$work/$folder/layout.txt"
  cmp "$work/shipped/layout.txt" "$work/$folder/layout.txt"
done
{
  echo '#include "evenmatch.h"'
  echo '#include <stddef.h>'
  awk 'NF == 2 { printf "STATE(sizeof(%s) == %s, \"%s\");\n", $1, $2, $1 }
       NF == 3 { split($1, part, "."); printf "STATE(offsetof(%s, %s) == %s, \"%s\");\n", part[1], part[2], $2, $1
                 printf "STATE(sizeof(((%s *)0)->%s) == %s, \"%s\");\n", part[1], part[2], $3, $1 }' \
    "$work/shipped/layout.txt"
} > "$work/layout_states.c"
cp "$work/layout_states.c" "$work/layout_states.cpp"
gcc "${strict_c[@]}" -DSTATE=_Static_assert -c "$work/layout_states.c" -o "$work/layout_states.o"
g++ -std=c++17 "${strict_cpp[@]}" -DSTATE=static_assert -c "$work/layout_states.cpp" -o "$work/layout_states.o"
diff <(awk '/^typedef struct .* \{$/ { name = $3; print name } /^}/ { name = "" }
            name != "" && /^  [a-z].*;$/ { field = $NF; gsub(/[*;]/, "", field); print name "." field }' \
  include/evenmatch.h | sort) <(awk '{ print $1 }' "$work/shipped/layout.txt" | sort)

say "every function, every status"
status_count=$(($(grep -c '^#define EVENMATCH_[A-Z0-9_]* -[0-9]*$' include/evenmatch.h) + 1))
for folder in shipped tests plain; do
  c calls "$folder"
  silent "$work/$folder/calls"
done
c refusals tests "-DSTATUS_COUNT=$status_count"
silent "$work/tests/refusals"
unused=$(header_functions include/evenmatch.h | while read -r name; do
  grep -q "\b$name\b" tests/capi/calls.c tests/capi/expect.h || echo "$name"
done)
if [ -n "$unused" ]; then
  echo "no test calls: $unused" >&2
  exit 1
fi
# Every status is provoked by name, but for those that no call from outside can bring about.
for status in $(sed -n 's/^#define \(EVENMATCH_[A-Z0-9_]*\) -[0-9]*$/\1/p' include/evenmatch.h); do
  if ! grep -q "\b$status\b" tests/capi/calls.c tests/capi/refusals.c tests/capi/threads.c; then
    echo "no test provokes $status" >&2
    exit 1
  fi
done

say "C++17 and C++20, two translation units, hostile macros"
for standard in c++17 c++20; do
  g++ "-std=$standard" "${strict_cpp[@]}" tests/capi/first.cpp tests/capi/second.cpp -o "$work/shipped/$standard" \
    -L"$work/shipped" -levenmatch -Wl,-rpath,"$work/shipped"
  silent "$work/shipped/$standard"
done

say "the quickstart of the README, against the shared and the static library"
awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md > "$work/quickstart.c"
[ -s "$work/quickstart.c" ]
gcc -std=c11 -pedantic -Wall -Wextra -Werror "$work/quickstart.c" -Iinclude -o "$work/quickstart" \
  -L"$work/shipped" -levenmatch -Wl,-rpath,"$work/shipped"
"$work/quickstart" | tee "$work/quickstart.txt"
gcc -std=c11 -pedantic -Wall -Wextra -Werror "$work/quickstart.c" -Iinclude -o "$work/quickstart_static" \
  "$work/shipped/libevenmatch.a" -lpthread -ldl -lm
"$work/quickstart_static" | cmp - "$work/quickstart.txt"
grep -q 'match' "$work/quickstart.txt"

say "two Rust static libraries, one of them with LTO: the limit that the README states"
printf '#[unsafe(no_mangle)]\npub extern "C" fn other() -> i32 {\n    7\n}\n' > "$work/other.rs"
rustc --edition 2024 -O -C lto=fat --crate-type staticlib "$work/other.rs" -o "$work/libother.a"
printf '#include "evenmatch.h"\nint other(void);\nint main(void) { return other() + evenmatch_abi_check(); }\n' \
  > "$work/two.c"
if gcc "$work/two.c" -Iinclude -o "$work/two" "$work/libother.a" "$work/shipped/libevenmatch.a" -lpthread -ldl -lm \
  2> "$work/two.txt"; then
  echo "they link now: take the limit out of the README" >&2
  exit 1
fi
grep -q 'multiple definition' "$work/two.txt"

say "threads: free while others call, free waits, threads of an engine, a second one is refused, exit without a free"
c threads tests
for part in free wait crew busy exit; do
  silent "$work/tests/threads" "$part"
done

say "loading: 120 copies in one process; 200 rounds of open, use, close"
gcc "${strict_c[@]}" tests/capi/load.c -o "$work/load" -lpthread -ldl
rm -rf "$work/copies"
mkdir "$work/copies"
strip -o "$work/copies/stripped" "$shipped"
for number in $(seq 120); do
  cp "$work/copies/stripped" "$work/copies/copy_$number.so"
done
silent "$work/load" copies "$work"/copies/copy_*.so
GLIBC_TUNABLES=glibc.malloc.tcache_count=0 silent "$work/load" rounds "$work/copies/copy_1.so" 200
silent "$work/load" queue "$work/copies/copy_1.so" '{ "name": "tree", "players": 2, "index": "kdtree",
  "timeout_s": 60, "attributes": { "a": { "type": "number", "default": 1 }, "b": { "type": "number", "default": 1 } },
  "rules": [ { "name": "a", "type": "difference", "attribute": "a", "max": 50 },
             { "name": "b", "type": "difference", "attribute": "b", "max": 50 } ] }'
rm -rf "$work/copies"

say "valgrind: a full life in C, and the C++ program"
c life tests
silent "$work/tests/life" 50000
valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
  "$work/tests/life" 50000
valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
  "$work/tests/refusals"
valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
  "$work/shipped/c++17"

say "all of the C ABI passed"
