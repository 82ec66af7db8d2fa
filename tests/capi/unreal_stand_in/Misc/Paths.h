// A stand-in, not Unreal: paths joined with slashes.
#pragma once

#include "CoreMinimal.h"

class FPaths {
public:
  static FString Combine(const FString &a, const TCHAR *b, const TCHAR *c) {
    return FString(a.StandInText() + TEXT("/") + b + TEXT("/") + c);
  }
};
