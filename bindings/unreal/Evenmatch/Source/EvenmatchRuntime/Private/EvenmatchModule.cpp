#include "EvenmatchModule.h"

#include "EvenmatchCore.h"
#include "EvenmatchLog.h"
#include "HAL/PlatformProcess.h"
#include "Interfaces/IPluginManager.h"
#include "Misc/Paths.h"

DEFINE_LOG_CATEGORY(LogEvenmatch);

namespace
{
	const TCHAR* const ModuleName = TEXT("EvenmatchRuntime");
}

void FEvenmatchRuntimeModule::StartupModule()
{
	const FString Path = LibraryPath();
	Library = Path.IsEmpty() ? nullptr : FPlatformProcess::GetDllHandle(*Path);
	if (Library == nullptr)
	{
		UE_LOG(LogEvenmatch, Error, TEXT("The matchmaking library was not found; matchmaking is off. Path: %s"), *Path);
		return;
	}
	// Asked by name: a library that is too old to have the function must not bring the game down.
	using FAccepts = evenmatch_status (*)(uint32_t);
	const FAccepts Accepts =
		reinterpret_cast<FAccepts>(FPlatformProcess::GetDllExport(Library, TEXT("evenmatch_abi_accepts")));
	if (Accepts == nullptr || Accepts(EVENMATCH_ABI_VERSION) != EVENMATCH_OK)
	{
		UE_LOG(LogEvenmatch, Error, TEXT("The matchmaking library is of another version; matchmaking is off. Path: %s"), *Path);
		FPlatformProcess::FreeDllHandle(Library);
		Library = nullptr;
	}
}

void FEvenmatchRuntimeModule::ShutdownModule()
{
	for (const TWeakPtr<Evenmatch::FCore>& Weak : Cores)
	{
		if (const TSharedPtr<Evenmatch::FCore> Core = Weak.Pin())
		{
			Core->Stop();
		}
	}
	Cores.Empty();
	if (Library != nullptr)
	{
		FPlatformProcess::FreeDllHandle(Library);
		Library = nullptr;
	}
}

FEvenmatchRuntimeModule* FEvenmatchRuntimeModule::Get()
{
	return FModuleManager::GetModulePtr<FEvenmatchRuntimeModule>(ModuleName);
}

TSharedPtr<Evenmatch::FCore> FEvenmatchRuntimeModule::MakeCore()
{
	if (Library == nullptr)
	{
		return nullptr;
	}
	Cores.RemoveAll([](const TWeakPtr<Evenmatch::FCore>& Weak) { return !Weak.IsValid(); });
	const TSharedPtr<Evenmatch::FCore> Core = MakeShared<Evenmatch::FCore>();
	Cores.Add(Core);
	return Core;
}

FString FEvenmatchRuntimeModule::LibraryPath()
{
	const TSharedPtr<IPlugin> Plugin = IPluginManager::Get().FindPlugin(TEXT("Evenmatch"));
	if (!Plugin.IsValid())
	{
		return FString();
	}
#if PLATFORM_WINDOWS
	const TCHAR* const Place = TEXT("Win64/evenmatch.dll");
#elif PLATFORM_MAC
	const TCHAR* const Place = TEXT("Mac/libevenmatch.dylib");
#else
	const TCHAR* const Place = TEXT("Linux/libevenmatch.so");
#endif
	return FPaths::Combine(Plugin->GetBaseDir(), TEXT("Binaries/ThirdParty/EvenmatchLibrary"), Place);
}

IMPLEMENT_MODULE(FEvenmatchRuntimeModule, EvenmatchRuntime)
