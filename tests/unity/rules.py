#!/usr/bin/env python3
"""Is the Unity package what the header, Unity and IL2CPP ask for? What can be read off its files, without an editor.

    python3 tests/unity/rules.py LIBRARY

LIBRARY is the built library, whose symbols are the third list beside the header's functions and the C# imports.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings" / "unity"
HEADER = (ROOT / "include" / "evenmatch.h").read_text()

# What must not stand in the package: the words, and why.
FORBIDDEN = [
    (r"\bdelegate\b|GetFunctionPointerForDelegate|MonoPInvokeCallback", "a delegate could be handed to native code"),
    (r"\bMarshalAs\b|\bStringBuilder\b|\bCharSet\b|\bSafeHandle\b", "the marshaller has nothing to do here"),
    (r"Marshal\.(Alloc|Free)", "memory of one side is never freed by the other"),
    (r"\busing System\.Reflection|\bGetMethod\(|\bActivator\b|\bdynamic\b|Expression<", "IL2CPP cannot do it"),
    (r"\bfixed\s*\(\s*char\*.*\bDllImport\b|\bGCHandle\b", "nothing stays pinned between calls"),
]
FORBIDDEN_RAW = [(r"\bbool\b|\bstring\b|\benum\b|\bchar\b|\bdecimal\b|\[\]", "not blittable, or of unsure width")]

faults = []


def strip(source):
    """Source without comments and without the texts of strings."""
    source = re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.S)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', source)


def three_lists():
    """The functions of the header, the imports of C# and the symbols of the library are the same."""
    header = set(re.findall(r"^EVENMATCH_API [^;(]*?(evenmatch_\w+)\(", HEADER, re.M))
    native = (PACKAGE / "Runtime/Raw/Native.cs").read_text()
    imports = re.findall(r"static extern [\w*]+ (evenmatch_\w+)\(", native)
    if len(imports) != len(set(imports)) or len(imports) != native.count("[DllImport(Library, "):
        faults.append("Native.cs: an import stands twice, or has no DllImport line of the common form")
    symbols = subprocess.run(["nm", "-D", "--defined-only", sys.argv[1]], capture_output=True, text=True, check=True)
    exported = {line.split()[-1] for line in symbols.stdout.splitlines()}
    exported -= {name for name in exported if name.startswith("evenmatch_debug_")}
    for name in sorted(header | set(imports) | exported):
        homes = [name in header, name in imports, name in exported]
        if not all(homes):
            faults.append(f"{name}: in the header {homes[0]}, imported {homes[1]}, exported {homes[2]}")
    rest = "".join(strip(path.read_text()) for path in (PACKAGE / "Runtime").glob("*.cs"))
    for name in sorted(imports):
        if f"Native.{name}(" not in rest:
            faults.append(f"{name}: imported, but no class of the package calls it")


def statuses():
    """Every status stands in a test, by its name here or in the header."""
    tests = "".join(
        path.read_text()
        for folder in (PACKAGE / "Tests/Runtime", ROOT / "tests/unity/outside")
        for path in folder.glob("*Tests.cs")
    )
    for name in re.findall(r"^#define (EVENMATCH_[A-Z0-9_]+) -\d+$", HEADER, re.M):
        here = "".join(part.capitalize() for part in name.split("_")[1:])
        if not re.search(rf"\bStatus\.{here}\b|\b{name}\b", tests):
            faults.append(f"{name}: no test of the package provokes it")


def sources():
    """Words that must not stand, lines that are too long, files that are."""
    for path in sorted(PACKAGE.rglob("*.cs")):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text()
        rules = [] if "/Tests/" in name else FORBIDDEN + (FORBIDDEN_RAW if "/Raw/" in name else [])
        for pattern, why in rules:
            for match in re.finditer(pattern, strip(text).replace("const string Library", "")):
                faults.append(f"{name}: {match.group(0)}: {why}")
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > 120 or line.endswith(" ") or "\t" in line:
                faults.append(f"{name}:{number}: too long, or with blanks at its end, or with a tab")
        # The table of layouts is written by raw.py and is as long as the header has structs.
        lines_max = 1000 if name.endswith("LayoutTable.cs") else 500
        if not text.startswith("// ") or len(text.splitlines()) > lines_max:
            faults.append(f"{name}: opens with no sentence of what it is, or has more than {lines_max} lines")


def manifest():
    """package.json and the assembly definitions name what is there."""
    package = json.loads((PACKAGE / "package.json").read_text())
    cargo = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
    if package["version"] != cargo:
        faults.append(f"package.json has version {package['version']}, Cargo.toml {cargo}")
    if not re.fullmatch(r"com(\.[a-z0-9-]+){2,}", package["name"]) or package["unity"] != "2021.3":
        faults.append("package.json: the name is not of Unity's form, or the editor's version is another")
    for sample in package["samples"]:
        if not (PACKAGE / sample["path"]).is_dir():
            faults.append(f"package.json: there is no {sample['path']}")
    for path in PACKAGE.rglob("*.asmdef"):
        if json.loads(path.read_text())["name"] != path.stem:
            faults.append(f"{path.name}: is named otherwise inside")
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        if (PACKAGE / name).read_bytes() != (ROOT / name).read_bytes():
            faults.append(f"bindings/unity/{name}: not that of the top level")


def main():
    three_lists()
    statuses()
    sources()
    manifest()
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
