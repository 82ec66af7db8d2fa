#!/usr/bin/env bash
# Runs every check of the project, one section after the other, and goes on after a section that failed.
#
#   bash tests/all.sh             all sections
#   bash tests/all.sh tests docs  only the named ones
#
# Ends with the count of sections that passed and failed; the exit code is 0 only if none failed.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}
target=${CARGO_TARGET_DIR:-target}

passed=0
failed=0
skipped=0
failures=()

heading() {
  printf '\n==== %s\n' "$*"
}

# section NAME TITLE COMMAND...: runs the command unless other sections were asked for by name.
section() {
  local name=$1 title=$2
  shift 2
  if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then
    return 0
  fi
  heading "$name: $title"
  local status=0
  # `|| status=$?` would switch `set -e` off inside the function, so it runs in a shell of its own.
  set +e
  (set -euo pipefail; "$@")
  status=$?
  set -e
  case $status in
    0) passed=$((passed + 1)) ;;
    77)
      skipped=$((skipped + 1))
      echo "skipped: $name"
      ;;
    *)
      failed=$((failed + 1))
      failures+=("$name")
      echo "failed: $name (exit $status)"
      ;;
  esac
}

format() {
  cargo fmt --all -- --check
  local package
  for package in tests/fuzz tests/capi/header benches/peers; do
    cargo fmt --manifest-path "$package/Cargo.toml" -- --check
  done
}

lints() {
  echo "-- default features"
  cargo clippy --all-targets -- -D warnings
  echo "-- no default features"
  cargo clippy --no-default-features --all-targets -- -D warnings
  echo "-- the command line without the KD-tree"
  cargo clippy --no-default-features --features cli --all-targets -- -D warnings
  echo "-- what a plugin ships"
  cargo clippy --no-default-features --features capi,kdtree --lib -- -D warnings
}

tests() {
  cargo test --all-features
}

tests_without_kdtree() {
  cargo test --no-default-features --lib
}

docs() {
  RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --all-features
}

# The models run with optimisation: loom walks every interleaving.
loom() {
  RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR="$target/loom" \
    cargo test --no-default-features --test loom
}

# Each bench once, with its own assertions; the figures mean nothing here, so they are built as the tests are.
benches() {
  local bench
  for bench in benches/*.rs; do
    cargo bench --profile dev --all-features --bench "$(basename "$bench" .rs)" -- --test
  done
}

# The package of peers: its tests, in which best fit is an oracle of oldest_first, and a small run judged by the judge.
# The peer that needs node takes part where its package has been installed.
peers() {
  local manifest=benches/peers/Cargo.toml
  export CARGO_TARGET_DIR="$target/peers"
  cargo clippy --locked --manifest-path "$manifest" --all-targets -- -D warnings
  cargo test --locked --manifest-path "$manifest"
  cargo run --locked --manifest-path "$manifest" -- 300 --repeat 1
}

# Fuzz targets need a nightly compiler; compiling them shows that they still fit the library.
fuzz() {
  if ! rustup run nightly rustc --version; then
    echo "no nightly compiler on this machine: the fuzz targets were not compiled"
    return 77
  fi
  CARGO_TARGET_DIR="$target/fuzz" rustup run nightly cargo check --manifest-path tests/fuzz/Cargo.toml
}

# The line of the README that begins with these words.
readme_line() {
  if ! grep -m 1 "^$1 " README.md; then
    echo "README.md shows no line that starts with: $1" >&2
    return 1
  fi
}

# The first command that the README shows is the main job; it must work as it is written there, and match somebody. What
# it shows of an explanation is what its command prints.
readme() {
  local run explain
  run=$(readme_line "cargo run --release -- run")
  explain=$(readme_line "cargo run --release -- explain")
  folder=$(mktemp -d)
  # Runs at the end of the section's own shell, where a local variable would be gone.
  trap 'rm -rf "$folder"' EXIT
  run="$run --out $folder/matches.jsonl --summary json"
  echo "\$ $run"
  bash -c "$run" | tee "$folder/summary"
  grep -Eq '"matches": *[1-9]' "$folder/summary"
  echo "\$ $explain"
  bash -c "$explain" > "$folder/explained"
  sed -n '/^```text$/,/^```$/p' README.md | sed '1d;$d' | diff - "$folder/explained"
}

# The pages with charts in a headless browser; without one the section is skipped.
pages() {
  bash tests/pages.sh
}

capi() {
  bash tests/capi.sh
}

unity() {
  bash tests/unity.sh
}

bindings() {
  bash tests/bindings.sh
}

# The stress test under ThreadSanitizer, which only a nightly compiler has. `-Zbuild-std` would instrument the standard
# library too, but needs its source; without that its own accesses are not watched, ours are. valgrind's drd and
# helgrind are no way out: they do not know atomics. Built by itself, as the other tests' libraries are not needed.
races() {
  if ! rustup run nightly rustc --version; then
    echo "no nightly compiler on this machine: the stress test did not run under ThreadSanitizer"
    return 77
  fi
  local host flags="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer"
  host=$(rustup run nightly rustc --print host-tuple)
  RUSTFLAGS="$flags" CARGO_TARGET_DIR="$target/races" \
    rustup run nightly cargo rustc --lib --no-default-features --target "$host"
  local built="$target/races/$host/debug"
  # shellcheck disable=SC2086 # The flags are words.
  rustup run nightly rustc --edition 2024 --test tests/stress.rs $flags --target "$host" -C opt-level=1 -C debuginfo=1 \
    --extern evenmatch="$built/libevenmatch.rlib" -L dependency="$built/deps" -o "$target/races/stress"
  # The shipped standard library orders the last drop of an `Arc` by a fence, and joins threads, where the sanitizer
  # does not look: what it says of these is left out.
  printf 'race:%s\n' 'drop_slow' 'alloc::sync::Arc<*Drop>::drop' 'std::thread::lifecycle::Packet' \
    'test::event::CompletedTest' > "$target/races/suppressions"
  TSAN_OPTIONS="suppressions=$target/races/suppressions" \
    EVENMATCH_STRESS_ROUNDS=${EVENMATCH_STRESS_ROUNDS:-300} "$target/races/stress" --test-threads 1
}

wanted=("$@")
known="format lints tests tests-without-kdtree docs loom races benches peers fuzz readme pages capi bindings unity"
for name in "${wanted[@]+"${wanted[@]}"}"; do
  if [[ " $known " != *" $name "* ]]; then
    echo "no section is named $name; there are: $known" >&2
    exit 2
  fi
done

section format "rustfmt" format
section lints "clippy, warnings are errors" lints
section tests "all features" tests
section tests-without-kdtree "unit tests, no default features" tests_without_kdtree
section docs "rustdoc, warnings are errors" docs
section loom "every interleaving of the protocols" loom
section races "threads under ThreadSanitizer" races
section benches "each bench once" benches
section peers "other ways to match, on one trace" peers
section fuzz "the fuzz targets compile" fuzz
section readme "the README's run and explain commands" readme
section pages "pages in a browser" pages
section capi "the C ABI from C and C++" capi
section bindings "C++, packages, Unreal, Python" bindings
section unity "the Unity package under Mono" unity

heading "sections"
if [ "$failed" -gt 0 ]; then
  echo "failed: ${failures[*]}"
fi
if [ "$skipped" -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
