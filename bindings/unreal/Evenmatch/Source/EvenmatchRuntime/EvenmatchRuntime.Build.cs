// The runtime module: loads the library and offers the subsystem.
//
// It is not called Evenmatch, because UnrealBuildTool would then define EVENMATCH_API, which evenmatch.h has
// for itself.

using UnrealBuildTool;

public class EvenmatchRuntime : ModuleRules
{
	public EvenmatchRuntime(ReadOnlyTargetRules Target) : base(Target)
	{
		PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine" });
		PrivateDependencyModuleNames.AddRange(new string[] { "Projects", "EvenmatchLibrary" });
	}
}
