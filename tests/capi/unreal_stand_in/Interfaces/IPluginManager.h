// A stand-in, not Unreal: one plugin, whose folder the test says.
#pragma once

#include "CoreMinimal.h"

class IPlugin {
public:
  FString GetBaseDir() const { return StandInBaseDir(); }
  static FString &StandInBaseDir() {
    static FString folder;
    return folder;
  }
};

class IPluginManager {
public:
  static IPluginManager &Get() {
    static IPluginManager manager;
    return manager;
  }
  TSharedPtr<IPlugin> FindPlugin(const TCHAR *) {
    return IPlugin::StandInBaseDir().IsEmpty() ? TSharedPtr<IPlugin>() : MakeShared<IPlugin>();
  }
};
