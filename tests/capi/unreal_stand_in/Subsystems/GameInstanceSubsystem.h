// A stand-in, not Unreal: the base class, with nothing behind it.
#pragma once

#include "CoreMinimal.h"

class FSubsystemCollectionBase {};

class UGameInstanceSubsystem : public UObject {
public:
  virtual void Initialize(FSubsystemCollectionBase &) {}
  virtual void Deinitialize() {}
};
