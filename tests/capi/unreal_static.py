"""What a packaged Unreal game needs of the plugin, looked for in its files.

    python3 tests/capi/unreal_static.py bindings/unreal/Evenmatch

Called by tests/bindings.sh. Invariant: it first shows that each check fails on a plugin that lacks what it looks for.
"""

import json
import re
import sys
from pathlib import Path

RUNTIME = "Source/EvenmatchRuntime"
LIBRARY = "Source/ThirdParty/EvenmatchLibrary/EvenmatchLibrary.Build.cs"


def code_of(text):
    """The text without comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def read(plugin):
    """The files of the plugin, by path."""
    ends = {".cs", ".h", ".cpp", ".uplugin"}
    return {str(path.relative_to(plugin)): path.read_text() for path in sorted(plugin.rglob("*")) if path.suffix in ends}


def platforms(build):
    """What Build.cs says for each platform."""
    parts = re.split(r"UnrealTargetPlatform\.(\w+)\)", build)
    return dict(zip(parts[1::2], parts[2::2]))


def body_of(source, name):
    """The body of a function, to the next one that begins at the left."""
    found = re.search(re.escape(name) + r"\(\)\n\{\n(.*?)\n\}\n", source, flags=re.S)
    return found.group(1) if found else ""


def faults(files):
    """Everything that is wrong, as sentences."""
    wrong = []

    def expect(condition, sentence):
        if not condition:
            wrong.append(sentence)

    build = code_of(files.get(LIBRARY, ""))
    expect("ModuleType.External" in build, "the library's module is not external")
    expect(re.search(r"Public(System)?IncludePaths\.Add", build), "no include path")
    for platform in ("Win64", "Mac", "Linux"):
        part = platforms(build).get(platform, "")
        expect("PublicAdditionalLibraries.Add" in part, f"{platform}: no import library")
        expect("RuntimeDependencies.Add" in part, f"{platform}: RuntimeDependencies lacks the library, packages will too")
        expect("PublicDelayLoadDLLs.Add" in part, f"{platform}: the library is not delay-loaded")
    expect("PublicRuntimeLibraryPaths.Add" in platforms(build).get("Linux", ""), "Linux: no rpath")
    expect("EVENMATCH_SHARED" in platforms(build).get("Win64", ""), "Win64: EVENMATCH_SHARED is not defined")

    plugin = json.loads(files.get("Evenmatch.uplugin", "{}"))
    modules = [module["Name"] for module in plugin.get("Modules", [])]
    expect(modules == ["EvenmatchRuntime"], f"modules of the .uplugin: {modules}")
    expect("Evenmatch" not in modules, "a module named Evenmatch would define EVENMATCH_API, which the header has")
    for platform in plugin.get("SupportedTargetPlatforms", []):
        expect(platform in platforms(build), f"{platform} is supported by the .uplugin and unknown to Build.cs")
    runtime = code_of(files.get(f"{RUNTIME}/EvenmatchRuntime.Build.cs", ""))
    expect('"EvenmatchLibrary"' in runtime and '"Projects"' in runtime, "the runtime module lacks a dependency")
    expect("bEnableExceptions" not in runtime, "exceptions are not needed")

    module = code_of(files.get(f"{RUNTIME}/Private/EvenmatchModule.cpp", ""))
    start, stop = body_of(module, "StartupModule"), body_of(module, "ShutdownModule")
    loads, checks = start.find("GetDllHandle"), start.find("evenmatch_abi_accepts")
    expect(loads >= 0, "StartupModule does not load the library")
    expect(0 <= loads < checks, "StartupModule does not check the version right after loading")
    expect("GetDllExport" in start, "the version function is not asked by name")
    expect(re.search(r"UE_LOG\(LogEvenmatch, Error", start), "a failed load is not logged as an error")
    expect("FreeDllHandle" in stop, "ShutdownModule does not free the library")
    expect(0 <= stop.find("Stop()") < stop.find("FreeDllHandle"), "engines are not stopped before the library is freed")
    for file in ("Win64/evenmatch.dll", "Mac/libevenmatch.dylib", "Linux/libevenmatch.so"):
        expect(file in module, f"the module does not load {file}")

    for path, text in files.items():
        text = code_of(text)
        if not path.startswith(RUNTIME) or path.endswith(("EvenmatchCore.h", ".cs")):
            continue
        made = re.findall(r"\b(?:U|F)Evenmatch\w*\s*\([^;{]*\)\s*(?::[^;{]*)?\{", text)
        expect(not made, f"{path}: a constructor with a body: {made}")
        calls = [call for call in re.findall(r"\b(evenmatch_[a-z_]+)\s*\(", text) if call != "evenmatch_status"]
        expect(not calls, f"{path}: calls {calls} past the core")
        if "/Public/" in path:
            expect("evenmatch.h" not in text, f"{path}: a public header needs the library's")
        if path.endswith("Subsystem.h"):
            expect("UGameInstanceSubsystem" in text, "no UGameInstanceSubsystem")
            expect(text.count("BlueprintAssignable") == 2, "the two delegates are not assignable in Blueprint")
            for word in ("AddQueues", "Submit", "Cancel"):
                expect(re.search(r"BlueprintCallable[^\n]*\n\s*bool " + word + r"\(", text), f"{word} is not callable")
    core = code_of(files.get(f"{RUNTIME}/Private/EvenmatchCore.h", ""))
    includes = re.findall(r"#include\s+[<\"]([^>\"]+)", core)
    expect(all(name == "evenmatch.hpp" or "." not in name for name in includes), f"the core includes {includes}")
    return wrong


def main():
    files = read(Path(sys.argv[1]))
    # Each of these spoils one thing, and has to be found.
    module = f"{RUNTIME}/Private/EvenmatchModule.cpp"
    for path, old, new in (
        (LIBRARY, "RuntimeDependencies.Add", "Dependencies.Add"),
        (LIBRARY, "PublicDelayLoadDLLs.Add", "Dlls.Add"),
        (LIBRARY, "PublicRuntimeLibraryPaths", "Paths"),
        (module, "GetDllHandle", "Get"),
        (module, "FreeDllHandle", "Free"),
        (module, "\tCores.Empty();\n", "\tevenmatch_engine_free(1);\n"),
        ("Evenmatch.uplugin", '"EvenmatchRuntime"', '"Evenmatch"'),
        (f"{RUNTIME}/Private/EvenmatchSubsystem.cpp", "void UEvenmatchSubsystem::Initialize(",
         "UEvenmatchSubsystem::UEvenmatchSubsystem()\n{\n}\n\nvoid UEvenmatchSubsystem::Initialize("),
    ):
        spoilt = {**files, path: files[path].replace(old, new)}
        if spoilt == files or not faults(spoilt):
            sys.exit(f"the check does not see that {path} lacks {old!r}")
    wrong = faults(files)
    if wrong:
        sys.exit("\n".join(wrong))


main()
