// The module: loads the library when it starts, frees it when it ends.
//
// Made by Unreal's module manager, asked by the subsystem. Invariant: no function of the library is called
// before its version has been checked, nor after it has been freed; every engine is stopped before that.
#pragma once

#include "CoreMinimal.h"
#include "Modules/ModuleManager.h"

namespace Evenmatch
{
	class FCore;
}

class FEvenmatchRuntimeModule : public IModuleInterface
{
public:
	virtual void StartupModule() override;
	virtual void ShutdownModule() override;

	/** The module, if it has been loaded. */
	static FEvenmatchRuntimeModule* Get();

	/** A core, not started; null if there is no library that fits. */
	TSharedPtr<Evenmatch::FCore> MakeCore();

private:
	/** The path of the library on this platform. */
	static FString LibraryPath();

	void* Library = nullptr;
	TArray<TWeakPtr<Evenmatch::FCore>> Cores;
};
