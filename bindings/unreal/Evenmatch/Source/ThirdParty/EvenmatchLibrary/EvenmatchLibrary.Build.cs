// The engine's library for UnrealBuildTool: headers, import library, and the file that has to travel with the
// game.
//
// bindings/package.sh puts the headers into `include` beside this file, and the libraries into `lib` (import
// library) and into the plugin's Binaries/ThirdParty/EvenmatchLibrary (what is loaded). Used by
// EvenmatchRuntime only.
//
// The library is loaded by EvenmatchRuntime's StartupModule from where it lies; delay-loading lets a game
// start that does not have it. Only the shared library is used: it brings no C++ runtime and no allocator, so
// that nothing can disagree with Unreal's own (/MD on Windows).

using System.IO;
using UnrealBuildTool;

public class EvenmatchLibrary : ModuleRules
{
	public EvenmatchLibrary(ReadOnlyTargetRules Target) : base(Target)
	{
		Type = ModuleType.External;
		PublicSystemIncludePaths.Add(Path.Combine(ModuleDirectory, "include"));

		if (Target.Platform == UnrealTargetPlatform.Win64)
		{
			PublicDefinitions.Add("EVENMATCH_SHARED=1");
			PublicAdditionalLibraries.Add(Path.Combine(ModuleDirectory, "lib", "Win64", "evenmatch.dll.lib"));
			PublicDelayLoadDLLs.Add("evenmatch.dll");
			RuntimeDependencies.Add(Loaded("Win64", "evenmatch.dll"));
		}
		else if (Target.Platform == UnrealTargetPlatform.Mac)
		{
			PublicAdditionalLibraries.Add(Loaded("Mac", "libevenmatch.dylib"));
			PublicDelayLoadDLLs.Add(Loaded("Mac", "libevenmatch.dylib"));
			RuntimeDependencies.Add(Loaded("Mac", "libevenmatch.dylib"));
		}
		else if (Target.Platform == UnrealTargetPlatform.Linux)
		{
			PublicAdditionalLibraries.Add(Loaded("Linux", "libevenmatch.so"));
			PublicDelayLoadDLLs.Add(Loaded("Linux", "libevenmatch.so"));
			// The rpath of whatever links it, in the editor and in a packaged game.
			PublicRuntimeLibraryPaths.Add(Path.Combine("$(PluginDir)", "Binaries", "ThirdParty", "EvenmatchLibrary", "Linux"));
			RuntimeDependencies.Add(Loaded("Linux", "libevenmatch.so"));
		}
	}

	// Where a library is loaded from, in the editor and in a packaged game.
	private static string Loaded(string Platform, string File)
	{
		return Path.Combine("$(PluginDir)", "Binaries", "ThirdParty", "EvenmatchLibrary", Platform, File);
	}
}
