#!/usr/bin/env python3
"""Writes the .meta files that Unity would make for the package, where one is missing.

    python3 tests/unity/meta.py           writes what is missing
    python3 tests/unity/meta.py --check   fails if one is missing, stands without its asset, or shares its GUID

A GUID is made of the path once and never changes after that: scenes and assemblies refer to it. The native libraries
are not in the tree, but their import settings are; the packing puts both together and leaves out what it does not have.
"""

import hashlib
import pathlib
import re
import sys

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "bindings" / "unity"

# The native libraries: path, name of the player's platform, its CPU, the editor's system and CPU.
LIBRARIES = [
    ("Plugins/Windows/x86_64/evenmatch.dll", "Win64", "x86_64", "Windows", "x86_64"),
    ("Plugins/Linux/x86_64/libevenmatch.so", "Linux64", "x86_64", "Linux", "x86_64"),
    ("Plugins/macOS/libevenmatch.dylib", "OSXUniversal", "AnyCPU", "OSX", "AnyCPU"),
]
EXCLUDABLE = ["Linux64", "OSXUniversal", "Win", "Win64"]

TAIL = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"


def importer(path, is_folder):
    """The settings of an asset."""
    if is_folder:
        return "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n" + TAIL
    if path.endswith(".cs"):
        return (
            "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n"
            "  executionOrder: 0\n  icon: {instanceID: 0}\n" + TAIL
        )
    if path.endswith(".asmdef"):
        return "AssemblyDefinitionImporter:\n  externalObjects: {}\n" + TAIL
    if path == "package.json":
        return "PackageManifestImporter:\n  externalObjects: {}\n" + TAIL
    if path.endswith((".md", ".json")):
        return "TextScriptImporter:\n  externalObjects: {}\n" + TAIL
    return "DefaultImporter:\n  externalObjects: {}\n" + TAIL


def library_importer(player, cpu, system, editor_cpu):
    """The settings of a native library: the editor of one system and the player of one platform, nothing else."""
    excluded = "".join(f"        Exclude {name}: {int(name != player)}\n" for name in EXCLUDABLE)
    others = "".join(
        f"  - first:\n      Standalone: {name}\n    second:\n      enabled: 0\n      settings:\n        CPU: None\n"
        for name in EXCLUDABLE
        if name != player
    )
    return (
        "PluginImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  iconMap: {}\n  executionOrder: {}\n"
        "  defineConstraints: []\n  isPreloaded: 0\n  isOverridable: 0\n  isExplicitlyReferenced: 0\n"
        "  validateReferences: 1\n  platformData:\n"
        "  - first:\n      : Any\n    second:\n      enabled: 0\n      settings:\n        Exclude Editor: 0\n"
        f"{excluded}"
        "  - first:\n      Any: \n    second:\n      enabled: 0\n      settings: {}\n"
        f"  - first:\n      Editor: Editor\n    second:\n      enabled: 1\n      settings:\n        CPU: {editor_cpu}\n"
        f"        DefaultValueInitialized: true\n        OS: {system}\n"
        f"{others}"
        f"  - first:\n      Standalone: {player}\n    second:\n      enabled: 1\n      settings:\n        CPU: {cpu}\n"
        f"{TAIL}"
    )


def assets():
    """Every path that Unity imports, and its settings. Folders whose name ends in ~ it does not see; what stands in a
    sample is imported when a host takes the sample, so it has its settings with it."""
    found = {path: library_importer(*rest) for path, *rest in LIBRARIES}
    folders = {str(parent) for path in found for parent in pathlib.PurePosixPath(path).parents if str(parent) != "."}
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        parts = name.split("/")
        if path.suffix == ".meta" or any(part.startswith(".") for part in parts) or name in found:
            continue
        if path.is_dir():
            folders.add(name)
        else:
            found[name] = importer(name, False)
    for name in folders:
        found[name] = importer(name, True)

    def is_seen(name):
        parts = name.split("/")
        return parts[0] != "Documentation~" and not parts[-1].endswith("~") and name != "Samples~/" + parts[-1]

    return {name: settings for name, settings in found.items() if is_seen(name)}


def main():
    check = "--check" in sys.argv
    wanted, faults, guids = assets(), [], {}
    for name, settings in sorted(wanted.items()):
        meta = PACKAGE / (name + ".meta")
        if not meta.exists() and not check:
            guid = hashlib.md5(f"com.evenmatch.engine/{name}".encode()).hexdigest()
            meta.parent.mkdir(parents=True, exist_ok=True)
            meta.write_text(f"fileFormatVersion: 2\nguid: {guid}\n{settings}")
        if not meta.exists():
            faults.append(f"{name} has no .meta file: python3 tests/unity/meta.py")
            continue
        head = re.match(r"fileFormatVersion: 2\nguid: ([0-9a-f]{32})\n", meta.read_text())
        if not head:
            faults.append(f"{name}.meta has no GUID")
        elif head.group(1) in guids:
            faults.append(f"{name}.meta has the GUID of {guids[head.group(1)]}")
        else:
            guids[head.group(1)] = name
            if meta.read_text()[head.end():] != settings:
                faults.append(f"{name}.meta has other settings than this file says")
    for meta in PACKAGE.rglob("*.meta"):
        name = meta.relative_to(PACKAGE).as_posix()[: -len(".meta")]
        if name not in wanted:
            faults.append(f"{name}.meta stands without its asset")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
