#!/usr/bin/env bash
# The Unity package outside Unity: its sources compiled and tested under Mono against the built library.
#
#   bash tests/unity.sh
#
# Needs mono, NUnit, python3 and binutils; as root on Debian it installs what is missing. EVENMATCH_LIBRARY and
# EVENMATCH_TEST_LIBRARY name built libraries (the shipped one; one with the feature capi-test) instead of building them.
# EVENMATCH_UNITY_PACKAGE names a package to test instead of the tree's, for example an unpacked tarball.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
work=$target/unity
package=${EVENMATCH_UNITY_PACKAGE:-bindings/unity}
nunit=/usr/lib/cli/nunit.framework-2.6.3/nunit.framework.dll
mkdir -p "$work"
work=$(cd "$work" && pwd)

say() {
  printf -- '-- %s\n' "$*"
}

need() {
  local missing=()
  command -v mono > /dev/null || missing+=(mono-runtime)
  command -v mcs > /dev/null || missing+=(mono-mcs)
  [ -f "$nunit" ] || missing+=(libnunit-framework2.6.3-cil)
  command -v nunit-console > /dev/null || missing+=(nunit-console)
  command -v python3 > /dev/null || missing+=(python3)
  command -v nm > /dev/null || missing+=(binutils)
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
  else
    echo "please install: ${missing[*]}" >&2
    return 1
  fi
}

# build FEATURES FOLDER GIVEN: a library as libevenmatch.so in a folder of its own.
build() {
  local given=${3:-}
  mkdir -p "$work/$2"
  if [ -z "$given" ]; then
    cargo rustc --release --lib --no-default-features --features "$1" --crate-type cdylib --target-dir "$target" --quiet
    given=$target/release/libevenmatch.so
  fi
  cp "$given" "$work/$2/libevenmatch.so"
}

# C# 7.2 is what Mono's compiler and Unity 2021.3 (C# 9) share.
compile() {
  local out=$1
  shift
  mcs -langversion:7.2 -warn:4 -warnaserror -nologo -debug "-out:$work/out/$out" "$@"
}

# tests LIBRARY ASSEMBLY: every test of an assembly; a test that was left out is a failure.
tests() {
  local said=$work/$2.txt
  (cd "$work/out" && LD_LIBRARY_PATH="$work/$1" EVENMATCH_LIBRARY="$work/$1/libevenmatch.so" \
    EVENMATCH_SAMPLE_QUEUE="$sample/duel.json" nunit-console -nologo -noxml "$2") > "$said" 2>&1 || true
  if ! grep -Eq '^Tests run: [1-9][0-9]*, Errors: 0, Failures: 0, Inconclusive: 0' "$said" ||
    ! grep -q 'Not run: 0, Invalid: 0, Ignored: 0, Skipped: 0' "$said"; then
    cat "$said" >&2
    return 1
  fi
  grep '^Tests run' "$said"
}

need
sample=$(cd "$package/Samples~/Duel" && pwd)
rm -rf "$work/out"
mkdir -p "$work/out"

say "the libraries"
build capi,kdtree shipped "${EVENMATCH_LIBRARY:-}"
build capi-test,kdtree tests "${EVENMATCH_TEST_LIBRARY:-}"

if [ "$package" = bindings/unity ]; then
  say "the raw layer is what the header says; every asset has its .meta file"
  python3 tests/unity/raw.py --check
  python3 tests/unity/meta.py --check
  say "header, imports and symbols are the same; what IL2CPP and the marshaller ask for"
  python3 tests/unity/rules.py "$work/shipped/libevenmatch.so"
fi

say "the package, its tests and its sample compile without a warning"
compile Evenmatch.dll -unsafe -target:library "$package"/Runtime/*.cs "$package"/Runtime/Raw/*.cs
compile Evenmatch.Tests.dll -unsafe -target:library -r:"$work/out/Evenmatch.dll" -r:"$nunit" "$package"/Tests/Runtime/*.cs
compile Standins.dll -target:library tests/unity/outside/UnityEngine.cs
compile Evenmatch.Samples.Duel.dll -target:library -r:"$work/out/Evenmatch.dll" -r:"$work/out/Standins.dll" \
  "$package"/Samples~/Duel/*.cs
compile Evenmatch.Outside.dll -unsafe -target:library -r:"$work/out/Evenmatch.dll" -r:"$work/out/Standins.dll" \
  -r:"$work/out/Evenmatch.Samples.Duel.dll" -r:System.Core.dll -r:"$nunit" tests/unity/outside/*Tests.cs
compile Forgotten.exe -target:exe -r:"$work/out/Evenmatch.dll" tests/unity/outside/Forgotten.cs
cp "$nunit" "$work/out/"

say "the package's own tests, against the library as it ships"
tests shipped Evenmatch.Tests.dll

say "domains, threads, copies, faults, the sample"
tests tests Evenmatch.Outside.dll

# forgotten WAY: a process that ends so must end well and in silence.
forgotten() {
  local said=$work/forgotten.txt
  if ! LD_LIBRARY_PATH="$work/shipped" mono "$work/out/Forgotten.exe" "$1" > "$said" 2>&1 || [ -s "$said" ]; then
    echo "$1: the process ended badly, or wrote something" >&2
    cat "$said" >&2
    return 1
  fi
}

say "processes that end without disposing their engines"
for way in return exit; do
  for _ in 1 2 3 4 5; do
    forgotten "$way"
  done
done
