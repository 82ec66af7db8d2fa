// A stand-in, not Unreal: a clock that the test sets.
#pragma once

#include "CoreMinimal.h"

namespace StandIn {

inline double &Seconds() {
  static double seconds = 1000;
  return seconds;
}

} // namespace StandIn

class FPlatformTime {
public:
  static double Seconds() { return StandIn::Seconds(); }
};
