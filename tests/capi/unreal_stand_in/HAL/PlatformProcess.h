// A stand-in, not Unreal: libraries by dlopen, as Unreal does it on Linux.
#pragma once

#include "CoreMinimal.h"

#include <dlfcn.h>

namespace StandIn {

/// Libraries that have been opened and not yet closed.
inline int &OpenLibraries() {
  static int count = 0;
  return count;
}

} // namespace StandIn

class FPlatformProcess {
public:
  static void *GetDllHandle(const TCHAR *path) {
    void *handle = dlopen(StandIn::Utf8(path).c_str(), RTLD_LAZY | RTLD_LOCAL);
    StandIn::OpenLibraries() += handle != nullptr ? 1 : 0;
    return handle;
  }
  static void *GetDllExport(void *handle, const TCHAR *name) {
    return dlsym(handle, StandIn::Utf8(name).c_str());
  }
  static void FreeDllHandle(void *handle) {
    dlclose(handle);
    StandIn::OpenLibraries()--;
  }
};
