#!/usr/bin/env bash
# The Unity package outside Unity: its sources compiled and tested under Mono against the built library, from the tree
# and from the packed file.
#
#   bash tests/unity.sh
#
# Needs mono, NUnit, python3 and binutils; as root on Debian it installs what is missing. EVENMATCH_LIBRARY and
# EVENMATCH_TEST_LIBRARY name built libraries (the shipped one; one with the feature capi-test) instead of building them.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
work=$target/unity
nunit=/usr/lib/cli/nunit.framework-2.6.3/nunit.framework.dll
mkdir -p "$work"
work=$(cd "$work" && pwd)
sample=$PWD/bindings/unity/Samples~/Duel

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

# build PROFILE FEATURES TYPES FOLDER GIVEN: a library as libevenmatch.so in a folder of its own. The lines are those of
# tests/capi.sh, so that what it has built is not built again.
build() {
  local given=${5:-} built=$1
  [ "$1" = dev ] && built=debug
  mkdir -p "$work/$4"
  if [ -z "$given" ]; then
    cargo rustc --profile "$1" --lib --no-default-features --features "$2" --crate-type "$3" --target-dir "$target" --quiet
    given=$target/$built/libevenmatch.so
  fi
  cp "$given" "$work/$4/libevenmatch.so"
}

# C# 7.2 is what Mono's compiler and Unity 2021.3 (C# 9) share.
compile() {
  mcs -langversion:7.2 -warn:4 -warnaserror -nologo -debug "$@"
}

# package FOLDER OUT: the package, its tests and its sample as assemblies.
package() {
  local from=$1 out=$2
  rm -rf "$out"
  mkdir -p "$out"
  cp "$nunit" "$out/"
  compile -unsafe -target:library -out:"$out/Evenmatch.dll" "$from"/Runtime/*.cs "$from"/Runtime/Raw/*.cs
  compile -unsafe -target:library -out:"$out/Evenmatch.Tests.dll" -r:"$out/Evenmatch.dll" -r:"$nunit" \
    "$from"/Tests/Runtime/*.cs
  compile -target:library -out:"$out/Standins.dll" tests/unity/outside/UnityEngine.cs
  compile -target:library -out:"$out/Evenmatch.Samples.Duel.dll" -r:"$out/Evenmatch.dll" -r:"$out/Standins.dll" \
    "$from"/Samples~/Duel/*.cs
}

# tests OUT ASSEMBLY LIBRARIES [OPTIONS..]: the tests of an assembly; one that was left out is a failure. The nursery is so
# small that an object a frame would make the collector run in the test that forbids it.
tests() {
  local said=$work/tests.txt
  (cd "$1" && MONO_GC_PARAMS=nursery-size=512k LD_LIBRARY_PATH=$3 \
    EVENMATCH_LIBRARY=$3/libevenmatch.so EVENMATCH_SAMPLE_QUEUE=$sample/duel.json \
    nunit-console -nologo -noxml "${@:4}" "$2") > "$said" 2>&1 || true
  if ! grep -Eq '^Tests run: [1-9][0-9]*, Errors: 0, Failures: 0, Inconclusive: 0' "$said" ||
    ! grep -q 'Not run: 0, Invalid: 0, Ignored: 0, Skipped: 0' "$said"; then
    cat "$said" >&2
    return 1
  fi
  grep '^Tests run' "$said"
}

# quickstart FILE NAME: the first C# block of a Markdown file, in a method that has what the block does not make itself.
quickstart() {
  local block
  block=$(awk '/^```csharp$/ { inside = 1; next } /^```/ { if (inside) exit } inside' "$1")
  [ -n "$block" ]
  {
    grep '^using ' <<< "$block"
    echo "using UnityEngine;"
    echo "static class $2 {"
    echo "  static void Run(TextAsset queueFile, ulong steamId, ulong nowMs) {"
    grep -v '^using ' <<< "$block"
    echo "    if (ticket.IsNone) throw new System.Exception(\"no ticket\");"
    echo "    engine.Dispose();"
    echo "  }"
    echo "  static void Main(string[] files) {"
    echo "    Run(new TextAsset { text = System.IO.File.ReadAllText(files[0]) }, 76561197960287930, 1);"
    echo "  }"
    echo "}"
  } > "$work/$2.cs"
  compile -target:exe -out:"$work/out/$2.exe" -r:"$work/out/Evenmatch.dll" -r:"$work/out/Standins.dll" "$work/$2.cs"
  (cd "$work" && LD_LIBRARY_PATH=$work/shipped mono "out/$2.exe" "$sample/duel.json")
}

# forgotten WAY: a process that ends so must end well and in silence.
forgotten() {
  local said=$work/forgotten.txt
  if ! (cd "$work" && LD_LIBRARY_PATH=$work/shipped mono out/Forgotten.exe "$1") > "$said" 2>&1 || [ -s "$said" ]; then
    echo "$1: the process ended badly, or wrote something" >&2
    cat "$said" >&2
    return 1
  fi
}

# packed: the file that is handed out, unpacked and used with the library that is inside.
packed() {
  local folder=$work/packed
  rm -rf "$folder"
  mkdir -p "$folder/library/linux-x86_64"
  cp "$work/shipped/libevenmatch.so" "$folder/library/linux-x86_64/"
  bash bindings/package.sh --out "$folder" plugins > "$folder/made"
  tar -xzf "$folder"/com.evenmatch.engine-*.tgz -C "$folder"
  package "$folder/package" "$folder/out"
  tests "$folder/out" Evenmatch.Tests.dll "$folder/package/Plugins/Linux/x86_64"
}

need

say "the libraries"
build release capi,kdtree cdylib,staticlib shipped "${EVENMATCH_LIBRARY:-}"
build dev capi-test,kdtree cdylib tests "${EVENMATCH_TEST_LIBRARY:-}"

say "the raw layer is what the header says; every asset has its .meta file"
python3 tests/unity/raw.py --check
python3 tests/unity/meta.py --check

say "header, imports and symbols are the same; what IL2CPP and the marshaller ask for"
python3 tests/unity/rules.py "$work/shipped/libevenmatch.so"

say "the package, its tests and its sample compile without a warning"
package bindings/unity "$work/out"
compile -unsafe -target:library -out:"$work/out/Evenmatch.Outside.dll" -r:"$work/out/Evenmatch.dll" \
  -r:"$work/out/Standins.dll" -r:"$work/out/Evenmatch.Samples.Duel.dll" -r:System.Core.dll -r:"$nunit" \
  tests/unity/outside/*Tests.cs
compile -target:exe -out:"$work/out/Forgotten.exe" -r:"$work/out/Evenmatch.dll" tests/unity/outside/Forgotten.cs

say "the quickstarts of both READMEs"
quickstart README.md Quickstart
quickstart bindings/unity/README.md PackageQuickstart

say "the package's own tests, against the library as it ships"
tests "$work/out" Evenmatch.Tests.dll "$work/shipped"

say "the scenarios again, with a collection before every allocation"
MONO_GC_DEBUG=collect-before-allocs tests "$work/out" Evenmatch.Tests.dll "$work/shipped" \
  -run:Evenmatch.Tests.ScenarioTests

say "domains, threads, copies, faults, the sample"
tests "$work/out" Evenmatch.Outside.dll "$work/tests"

say "processes that end without disposing their engines"
for way in return exit; do
  for _ in 1 2 3 4 5; do
    forgotten "$way"
  done
done

if [ -f bindings/package.sh ]; then
  say "the packed file"
  packed
else
  say "bindings/package.sh is not there: the packed file was not tested"
fi
