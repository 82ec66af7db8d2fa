// A stand-in, not Unreal: one module, which the test starts and shuts down.
#pragma once

#include "CoreMinimal.h"

class IModuleInterface {
public:
  virtual ~IModuleInterface() = default;
  virtual void StartupModule() {}
  virtual void ShutdownModule() {}
};

namespace StandIn {

/// Defined by IMPLEMENT_MODULE.
std::unique_ptr<IModuleInterface> MakeModule();

/// The module while it is loaded.
inline std::unique_ptr<IModuleInterface> &Module() {
  static std::unique_ptr<IModuleInterface> module;
  return module;
}

} // namespace StandIn

class FModuleManager {
public:
  template <class T> static T *GetModulePtr(const TCHAR *) { return static_cast<T *>(StandIn::Module().get()); }
};

#define IMPLEMENT_MODULE(Class, Name)                                                              \
  std::unique_ptr<IModuleInterface> StandIn::MakeModule() { return std::make_unique<Class>(); }
