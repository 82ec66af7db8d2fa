#!/usr/bin/env bash
# The bindings, tested as their users meet them: the C++ layer, the packages, the Unreal plugin, the Python example.
#
#   bash tests/bindings.sh                 everything
#   bash tests/bindings.sh archive FILE    only a packed C archive, used by a CMake project
#
# Needs g++, cmake, make, pkg-config, valgrind, python3, zip and unzip; as root on Debian it installs what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
work=$target/bindings
mkdir -p "$work"
work=$(cd "$work" && pwd)
root=$PWD
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
include=(-Iinclude -Ibindings/cpp/include)
module=bindings/unreal/Evenmatch/Source/EvenmatchRuntime

say() {
  printf -- '-- %s\n' "$*"
}

fail() {
  echo "failed: $*" >&2
  return 1
}

need() {
  local tool missing=()
  for tool in g++ cmake make pkg-config valgrind python3 zip unzip; do
    command -v "$tool" > /dev/null || missing+=("$tool")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null; then
    apt-get update -qq
    apt-get install -y --no-install-recommends "${missing[@]}"
  else
    fail "please install: ${missing[*]}"
  fi
}

# silent COMMAND..: runs it; nothing may be written to stdout or stderr.
silent() {
  local said
  said=$("$@" 2>&1) || fail "$*: $said"
  [ -z "$said" ] || fail "wrote something: $*: $said"
}

# run_consumer NAME OPTIONS..: the project in tests/capi/consumer, configured, built and run.
run_consumer() {
  local build=$work/$1
  shift
  rm -rf "$build"
  cmake -S tests/capi/consumer -B "$build" -DCMAKE_BUILD_TYPE=Release "$@" > "$build.log" ||
    fail "cmake: $(cat "$build.log")"
  cmake --build "$build" --config Release >> "$build.log" 2>&1 || fail "build: $(cat "$build.log")"
  (cd "$build" && ctest -C Release --output-on-failure >> "$build.log" 2>&1) || fail "ctest: $(cat "$build.log")"
}

# unpack FILE: a C archive, to a place with a space in its path; sets `prefix`.
unpack() {
  rm -rf "$work/un packed"
  mkdir -p "$work/un packed"
  tar -xzf "$1" -C "$work/un packed"
  prefix="$work/un packed/$(basename "$1" .tar.gz)"
}

if [ "${1:-}" = archive ]; then
  unpack "${2:?which archive}"
  say "a project by find_package"
  run_consumer find_package "-DCMAKE_PREFIX_PATH=$prefix"
  exit 0
fi

need

say "packages of this host"
packages=$work/package
rm -rf "$packages"
bash bindings/package.sh --out "$packages" > "$work/made"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
platform=$(basename "$(head -n 1 "$work/made")")
library=$packages/library/$platform
while IFS= read -r path; do
  [ -e "$path" ] || fail "package.sh names $path, which is not there"
done < "$work/made"
readelf -d "$library/libevenmatch.so" | grep -q 'SONAME.*\[libevenmatch.so\]' || fail "the library has no soname"

# holds LISTING PATH..: each path is in the listing; a path that ends in a slash has to have something in it.
holds() {
  local listing=$1 path
  shift
  for path in "$@"; do
    grep -qE "(^| )$path" "$listing" || fail "$path is missing: $(cat "$listing")"
  done
}

say "what is in them"
archive=$packages/evenmatch-$version-$platform.tar.gz
name=evenmatch-$version-$platform
tar -tzf "$archive" > "$work/listing"
holds "$work/listing" "$name/include/evenmatch.h$" "$name/include/evenmatch.hpp$" "$name/include/evenmatch/engine.hpp$" \
  "$name/lib/libevenmatch.so$" "$name/lib/libevenmatch.a$" "$name/lib/cmake/evenmatch/evenmatch-config.cmake$" \
  "$name/lib/cmake/evenmatch/evenmatch-config-version.cmake$" "$name/lib/pkgconfig/evenmatch.pc$" \
  "$name/share/doc/evenmatch/LICENSE-MIT$" "$name/share/doc/evenmatch/BINDINGS.md$"
if tar -tzf "$archive" | grep -vq "^$name/"; then
  fail "the archive has more than its one folder"
fi
zip=$packages/Evenmatch-$version-unreal.zip
unzip -l "$zip" > "$work/listing"
holds "$work/listing" Evenmatch/Evenmatch.uplugin$ Evenmatch/LICENSE-MIT$ \
  Evenmatch/Source/EvenmatchRuntime/Public/EvenmatchSubsystem.h$ \
  Evenmatch/Source/ThirdParty/EvenmatchLibrary/EvenmatchLibrary.Build.cs$ \
  Evenmatch/Source/ThirdParty/EvenmatchLibrary/include/evenmatch.h$ \
  Evenmatch/Source/ThirdParty/EvenmatchLibrary/include/evenmatch/engine.hpp$ \
  Evenmatch/Binaries/ThirdParty/EvenmatchLibrary/Linux/libevenmatch.so$
for file in "$packages"/*.tgz; do
  [ -e "$file" ] || continue
  tar -tzf "$file" > "$work/listing"
  holds "$work/listing" package/package.json$ 'package/.*/libevenmatch.so$' 'package/.*/libevenmatch.so.meta$'
  if grep -vq ^package/ "$work/listing"; then
    fail "$file has more than the folder package"
  fi
  # No import settings without their asset.
  while IFS= read -r settings; do
    grep -qE "^${settings%.meta}/?$" "$work/listing" || fail "$settings has no asset"
  done < <(grep '\.meta$' "$work/listing")
done
# A megabyte of library and little else: something large has slipped in, or the library is missing, outside of these.
for file in "$library/libevenmatch.so" "$zip"; do
  size=$(wc -c < "$file")
  [ "$size" -gt 300000 ] && [ "$size" -lt 16000000 ] || fail "$file has $size bytes"
done

say "no C or C++ is compiled in, and no C runtime is chosen"
# The one package that could compile anything does so for PowerPC only.
compilers=$(cargo tree --no-default-features --features capi,kdtree -e normal,build --invert cc --depth 1 --prefix none |
  awk '!/^\[/ && $1 != "cc" { print $1 }')
[ "$compilers" = generator ] || [ -z "$compilers" ] || fail "these may compile C: $compilers"
if find "$target"/release/build/generator-* -name '*.a' 2> /dev/null | grep -q .; then
  fail "generator has compiled something"
fi
if grep -rn crt-static Cargo.toml bindings .github .cargo 2> /dev/null | grep -v README; then
  fail "a C runtime is chosen"
fi

say "the C++ layer calls every function of the header"
sed -n 's/^EVENMATCH_API [^(]*[ *]\(evenmatch_[a-z_]*\)(.*/\1/p' include/evenmatch.h | sort > "$work/functions"
[ "$(wc -l < "$work/functions")" -gt 30 ] || fail "hardly any function was found in the header"
while IFS= read -r function; do
  # evenmatch_abi_check is inline in the header and calls evenmatch_abi_accepts.
  grep -rqE "[^_a-z]$function\(" bindings/cpp/include || fail "bindings/cpp/include never calls $function"
done < "$work/functions"

say "each header by itself, under macros that hosts define, without exceptions and RTTI"
for header in bindings/cpp/include/evenmatch.hpp bindings/cpp/include/evenmatch/*.hpp; do
  flags=(-fno-exceptions -fno-rtti)
  [[ $header == */exceptions.hpp ]] && flags=()
  {
    # The standard library does not bear min and max as macros in all of its headers, so it comes before them.
    for standard in algorithm array functional iostream memory optional stdexcept string string_view variant vector; do
      echo "#include <$standard>"
    done
    for macro in 'check(x) no' 'verify(x) no' 'ensure(x) no' 'min(a,b) no' 'max(a,b) no' 'None 0' 'ERROR 0' 'Status int'; do
      echo "#define $macro"
    done
    echo "#include \"$root/$header\""
  } > "$work/alone.cpp"
  g++ -std=c++17 "${warnings[@]}" "${flags[@]+"${flags[@]}"}" "${include[@]}" -fsyntax-only "$work/alone.cpp"
  # Without any other header before it.
  g++ -std=c++17 "${warnings[@]}" "${include[@]}" -fsyntax-only -x c++ -include "$root/$header" /dev/null
done

# cpp STANDARD SOURCE PROGRAM [FLAGS..]: compiles a program against the shared library.
cpp() {
  local standard=$1 source=$2 program=$3
  shift 3
  g++ -std="$standard" -g -O1 "${warnings[@]}" "$@" "${include[@]}" "$source" -o "$work/$program" \
    -L"$library" -levenmatch -pthread -ldl -Wl,-rpath,"$library"
}

for standard in c++17 c++20; do
  say "scenarios in $standard"
  for program in calls mistakes life; do
    cpp "$standard" "tests/capi/cpp/$program.cpp" "$program"
    silent "$work/$program"
  done
done

say "the headers in two translation units"
printf '#include <evenmatch.hpp>\n#include <evenmatch/exceptions.hpp>\nint other() { return evenmatch::abi_fits() ? 0 : 1; }\n' > "$work/second.cpp"
cpp c++17 tests/capi/consumer/consumer.cpp two_units "$work/second.cpp"
silent "$work/two_units"

say "address and undefined-behaviour sanitizers"
for program in calls mistakes; do
  cpp c++20 "tests/capi/cpp/$program.cpp" "${program}_sanitized" -fsanitize=address,undefined -fno-sanitize-recover=all
  silent "$work/${program}_sanitized"
done

say "valgrind over a life in C++"
silent valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible --error-exitcode=9 "$work/life" 50000
silent valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible --error-exitcode=9 "$work/calls"

say "the sample main loop"
cpp c++17 bindings/cpp/samples/main_loop.cpp main_loop
"$work/main_loop" 60 > "$work/said"
# Far fewer ticks than milliseconds: it slept.
grep -qE '^[0-9]+ matches and [0-9]+ ends in [0-9]{1,3} ticks$' "$work/said" || fail "main_loop: $(cat "$work/said")"

# block FILE LANGUAGE NUMBER: a code block of a Markdown file.
block() {
  awk -v language="$2" -v number="$3" '
    $0 == "```" language { count++; inside = (count == number); next }
    /^```/ { inside = 0 }
    inside { print }' "$1"
}

say "the quickstart of the README in C++"
block README.md cpp 1 > "$work/quickstart.cpp"
[ -s "$work/quickstart.cpp" ] || fail "README.md has no C++ quickstart"
cpp c++17 "$work/quickstart.cpp" quickstart
"$work/quickstart" > "$work/said"
grep -q '^a match of 2 players' "$work/said" || fail "the quickstart: $(cat "$work/said")"

say "the example in Python"
block bindings/README.md python 1 > "$work/example.py"
[ -s "$work/example.py" ] || fail "bindings/README.md has no example in Python"
[ "$(wc -l < "$work/example.py")" -le 30 ] || fail "the example in Python has more than its 30 lines"
python3 -W error "$work/example.py" "$library/libevenmatch.so" > "$work/said"
[ "$(grep -c '^a match of 2 players at 1 ms$' "$work/said")" -eq 2 ] || fail "the example: $(cat "$work/said")"

unpack "$archive"
say "a project by find_package"
run_consumer find_package "-DCMAKE_PREFIX_PATH=$prefix"
# Its program finds the packed library, and the static one needs none.
readelf -d "$work/find_package/consumer_cpp_evenmatch" | grep -q 'NEEDED.*\[libevenmatch.so\]' || fail "not linked by its soname"
if readelf -d "$work/find_package/consumer_cpp_static" | grep -q libevenmatch; then
  fail "the static program needs the shared library"
fi

say "a project by add_subdirectory, and what it installs"
run_consumer add_subdirectory -DEVENMATCH_SOURCE="$root/bindings/cpp" -DEVENMATCH_TARGET_DIR="$(cd "$target" && pwd)"
rm -rf "$work/installed"
cmake --install "$work/add_subdirectory" --prefix "$work/installed" > "$work/add_subdirectory.log"
# The same files as the archive has, but for the documents.
(cd "$work/installed" && find . -type f | sort) > "$work/of_cmake"
(cd "$prefix" && find . -type f -not -path './share/*' | sort) > "$work/of_archive"
diff "$work/of_cmake" "$work/of_archive" || fail "CMake installs other files than the archive has"
for file in lib/pkgconfig/evenmatch.pc lib/cmake/evenmatch/evenmatch-config-version.cmake; do
  diff "$work/installed/$file" "$prefix/$file" || fail "CMake installs another $file than the archive has"
done

say "a project by pkg-config"
export PKG_CONFIG_PATH="$work/installed/lib/pkgconfig"
[ "$(pkg-config --modversion evenmatch)" = "$version" ] || fail "pkg-config: another version"
# shellcheck disable=SC2046
g++ -std=c++17 tests/capi/consumer/consumer.cpp $(pkg-config --cflags --libs evenmatch) -o "$work/by_pkg_config"
silent env LD_LIBRARY_PATH="$(pkg-config --variable=libdir evenmatch)" "$work/by_pkg_config"
mv "$work/installed/lib/libevenmatch.so" "$work/installed/"
# shellcheck disable=SC2046
g++ -std=c++17 tests/capi/consumer/consumer.cpp $(pkg-config --cflags --libs --static evenmatch) -o "$work/by_pkg_config"
silent "$work/by_pkg_config"
unset PKG_CONFIG_PATH

say "the core of the Unreal plugin"
cpp c++17 tests/capi/cpp/unreal_core.cpp unreal_core -I"$module/Private" -fno-exceptions -fno-rtti
silent "$work/unreal_core"

say "the files of the plugin that face Unreal, against stand-in headers, from the packed plugin"
rm -rf "$work/unreal"
unzip -q "$zip" -d "$work/unreal"
plugin=$work/unreal/Evenmatch
source=$plugin/Source/EvenmatchRuntime
for standard in c++17 c++20; do
  g++ -std="$standard" -g "${warnings[@]}" -fno-exceptions -fno-rtti -DEVENMATCHRUNTIME_API= -Itests/capi/unreal_stand_in \
    -I"$source/Public" -I"$source/Private" -I"$plugin/Source/ThirdParty/EvenmatchLibrary/include" \
    "$source"/Private/*.cpp tests/capi/cpp/unreal_plugin.cpp -o "$work/unreal_plugin" \
    -L"$plugin/Binaries/ThirdParty/EvenmatchLibrary/Linux" -levenmatch -ldl -pthread \
    -Wl,-rpath,"$plugin/Binaries/ThirdParty/EvenmatchLibrary/Linux"
  silent "$work/unreal_plugin" "$plugin"
done
silent valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible --error-exitcode=9 \
  "$work/unreal_plugin" "$plugin"

say "its build files"
python3 tests/capi/unreal_static.py bindings/unreal/Evenmatch

say "cargo-c"
if cargo cinstall --version > /dev/null 2>&1; then
  rm -rf "$work/cargo_c"
  cargo cinstall --debug --no-default-features --features kdtree --prefix "$work/cargo_c" --libdir lib \
    --target-dir "$target/cargo_c" --quiet
  cmp include/evenmatch.h "$work/cargo_c/include/evenmatch.h" || fail "cargo-c installs another header"
  # shellcheck disable=SC2046
  g++ -std=c++17 tests/capi/consumer/consumer.cpp \
    $(PKG_CONFIG_PATH="$work/cargo_c/lib/pkgconfig" pkg-config --cflags --libs evenmatch) -o "$work/by_cargo_c"
  silent env LD_LIBRARY_PATH="$work/cargo_c/lib" "$work/by_cargo_c"
else
  # It is large to build, so it is not installed for this; its settings are read instead.
  echo "   not installed here (cargo install cargo-c): only its settings are looked at"
  python3 tests/capi/cargo_c_static.py Cargo.toml
fi

say "all of it holds"
