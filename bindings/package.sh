#!/usr/bin/env bash
# Builds the libraries for this host and packs what is handed out: a C archive, a Unity package, an Unreal
# plugin.
#
#   bash bindings/package.sh                    everything, into target/package
#   bash bindings/package.sh --out DIR library  builds the libraries of this host into DIR/library/PLATFORM
#   bash bindings/package.sh --out DIR c        packs the C archive of this host from there
#   bash bindings/package.sh --out DIR plugins  packs Unity's .tgz and Unreal's .zip, with every platform that lies there
#
# The last three are the parts of the first; a release runs them on several machines and brings the folders
# together before the plugins are packed. PLATFORM is linux, macos or windows and the processor, for example
# linux-x86_64. Prints the path of each file that it made.
set -euo pipefail
cd "$(dirname "$0")/.."

out=target/package
if [ "${1:-}" = --out ]; then
  out=${2:?--out needs a folder}
  shift 2
fi
wanted=${1:-all}
case $wanted in
  all | library | c | plugins) ;;
  *)
    echo "package.sh: there is no part named $wanted; there are: library, c, plugins" >&2
    exit 2
    ;;
esac
mkdir -p "$out"
out=$(cd "$out" && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
target=${CARGO_TARGET_DIR:-target}

system=$(uname -s)
processor=$(uname -m)
[ "$processor" = arm64 ] && processor=aarch64
link=()
case $system in
  Linux)
    platform=linux-$processor
    shared=libevenmatch.so
    static=libevenmatch.a
    link=(-C link-arg=-Wl,-soname,libevenmatch.so)
    static_libs="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"
    ;;
  Darwin)
    platform=macos-$processor
    shared=libevenmatch.dylib
    static=libevenmatch.a
    link=(-C link-arg=-Wl,-install_name,@rpath/libevenmatch.dylib)
    static_libs="-liconv -lSystem -lc -lm"
    ;;
  MINGW* | MSYS* | CYGWIN*)
    platform=windows-$processor
    shared=evenmatch.dll
    static=evenmatch.lib
    static_libs="-lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp"
    ;;
  *)
    echo "package.sh: no package is made for $system" >&2
    exit 1
    ;;
esac

# The libraries of this host, as they ship.
library() {
  local into=$out/library/$platform
  cargo rustc --release --lib --no-default-features --features capi,kdtree --crate-type cdylib,staticlib \
    --target-dir "$target" -- ${link[@]+"${link[@]}"}
  rm -rf "$into"
  mkdir -p "$into"
  cp "$target/release/$shared" "$target/release/$static" "$into/"
  if [ "$shared" = evenmatch.dll ]; then
    cp "$target/release/evenmatch.dll.lib" "$into/"
  fi
  echo "$into"
}

# The headers, C and C++.
headers() {
  mkdir -p "$1"
  cp include/evenmatch.h "$1/"
  cp -R bindings/cpp/include/. "$1/"
}

# Headers, libraries, CMake package and pkg-config file: the tree that a prefix such as /usr/local has.
c_archive() {
  local from=$out/library/$platform name=evenmatch-$version-$platform
  local root=$out/stage/$name
  rm -rf "$root"
  mkdir -p "$root/lib/cmake/evenmatch" "$root/lib/pkgconfig" "$root/share/doc/evenmatch/samples"
  headers "$root/include"
  cp "$from/$static" "$root/lib/"
  if [ "$shared" = evenmatch.dll ]; then
    mkdir -p "$root/bin"
    cp "$from/evenmatch.dll" "$root/bin/"
    cp "$from/evenmatch.dll.lib" "$root/lib/"
  else
    cp "$from/$shared" "$root/lib/"
  fi
  cp bindings/cpp/cmake/evenmatch-config.cmake bindings/cpp/cmake/evenmatch-targets.cmake "$root/lib/cmake/evenmatch/"
  sed "s/@VERSION@/$version/" bindings/cpp/cmake/evenmatch-config-version.cmake.in \
    > "$root/lib/cmake/evenmatch/evenmatch-config-version.cmake"
  sed -e "s/@VERSION@/$version/" -e "s/@STATIC_LIBS@/$static_libs/" bindings/cpp/evenmatch.pc.in \
    > "$root/lib/pkgconfig/evenmatch.pc"
  cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$root/share/doc/evenmatch/"
  cp bindings/README.md "$root/share/doc/evenmatch/BINDINGS.md"
  cp bindings/cpp/samples/main_loop.cpp "$root/share/doc/evenmatch/samples/"
  tar -czf "$out/$name.tar.gz" -C "$out/stage" "$name"
  echo "$out/$name.tar.gz"
}

# Unity: an npm tarball, whose one folder is `package`. A library goes beside the import settings that bear
# its name.
unity() {
  if [ ! -f bindings/unity/package.json ]; then
    echo "package.sh: bindings/unity has no package.json; no Unity package was made" >&2
    return 0
  fi
  local root=$out/stage/unity/package name
  rm -rf "$out/stage/unity"
  mkdir -p "$root"
  cp -R bindings/unity/. "$root/"
  for name in bin obj; do
    rm -rf "${root:?}/$name"
  done
  each_library place_in_unity "$root"
  drop_settings_without_library "$root"
  name=$(sed -n 's/^ *"name": *"\([^"]*\)".*/\1/p' "$root/package.json" | head -n 1)
  local unity_version
  unity_version=$(sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' "$root/package.json" | head -n 1)
  if [ "$unity_version" != "$version" ]; then
    echo "package.sh: bindings/unity/package.json says $unity_version, Cargo.toml $version" >&2
    return 1
  fi
  tar -czf "$out/$name-$version.tgz" -C "$out/stage/unity" package
  echo "$out/$name-$version.tgz"
}

# each_library CALL ROOT: CALL ROOT PLATFORM FILE for each shared library that has been built.
each_library() {
  local folder file count=0
  for folder in "$out"/library/*; do
    for file in libevenmatch.so libevenmatch.dylib evenmatch.dll; do
      if [ -f "$folder/$file" ]; then
        "$1" "$2" "$(basename "$folder")" "$folder/$file"
        count=$((count + 1))
      fi
    done
  done
  if [ "$count" -eq 0 ]; then
    echo "package.sh: no library lies in $out/library; build it first" >&2
    return 1
  fi
}

# Unity complains of import settings whose asset is not there: those of platforms that were not built, and of the folders
# that have become empty.
drop_settings_without_library() {
  local meta
  while IFS= read -r meta; do
    [ -e "${meta%.meta}" ] || rm "$meta"
  done < <(find "$1" -name '*.so.meta' -o -name '*.dylib.meta' -o -name '*.dll.meta')
  while IFS= read -r meta; do
    rm -f "$meta.meta"
    rmdir "$meta"
    # Its parent may be empty now.
    drop_settings_without_library "$1"
    return
  done < <(find "$1/Plugins" -type d -empty 2> /dev/null)
}

place_in_unity() {
  local root=$1 on=$2 file=$3 meta best= cpu=${2#*-}
  while IFS= read -r meta; do
    # Settings that lie in a folder named after a processor are for that one.
    case $meta in
      */x86_64/*) [ "$cpu" = x86_64 ] || continue ;;
      */arm64/* | */aarch64/* | */ARM64/*) [ "$cpu" = aarch64 ] || continue ;;
    esac
    best=$meta
  done < <(cd "$root" && find . -name "$(basename "$file").meta" | sort)
  if [ -z "$best" ]; then
    echo "package.sh: the Unity package has no place for $on; left out" >&2
    return 0
  fi
  cp "$file" "$root/$(dirname "$best")/"
}

# Unreal: the plugin's folder, to be unpacked into a project's Plugins.
unreal() {
  local root=$out/stage/Evenmatch name=Evenmatch-$version-unreal.zip
  rm -rf "$root"
  mkdir -p "$root"
  cp -R bindings/unreal/Evenmatch/. "$root/"
  cp LICENSE-MIT LICENSE-APACHE "$root/"
  headers "$root/Source/ThirdParty/EvenmatchLibrary/include"
  each_library place_in_unreal "$root"
  local named
  named=$(sed -n 's/^ *"VersionName": *"\([^"]*\)".*/\1/p' "$root/Evenmatch.uplugin")
  if [ "$named" != "$version" ]; then
    echo "package.sh: Evenmatch.uplugin says $named, Cargo.toml $version" >&2
    return 1
  fi
  rm -f "$out/$name"
  if command -v zip > /dev/null; then
    (cd "$out/stage" && zip -qrX "$out/$name" Evenmatch)
  else
    (cd "$out/stage" && python3 -m zipfile -c "$out/$name" Evenmatch)
  fi
  echo "$out/$name"
}

place_in_unreal() {
  local root=$1 on=$2 file=$3 folder
  case $on in
    linux-x86_64) folder=Linux ;;
    windows-x86_64) folder=Win64 ;;
    macos*) folder=Mac ;;
    *)
      echo "package.sh: the Unreal plugin has no place for $on; left out" >&2
      return 0
      ;;
  esac
  mkdir -p "$root/Binaries/ThirdParty/EvenmatchLibrary/$folder"
  cp "$file" "$root/Binaries/ThirdParty/EvenmatchLibrary/$folder/"
  if [ "$folder" = Win64 ]; then
    mkdir -p "$root/Source/ThirdParty/EvenmatchLibrary/lib/Win64"
    cp "$(dirname "$file")/evenmatch.dll.lib" "$root/Source/ThirdParty/EvenmatchLibrary/lib/Win64/"
  fi
}

if [ "$wanted" = all ] || [ "$wanted" = library ]; then
  library
fi
if [ "$wanted" = all ] || [ "$wanted" = c ]; then
  c_archive
fi
if [ "$wanted" = all ] || [ "$wanted" = plugins ]; then
  unity
  unreal
fi
rm -rf "$out/stage"
