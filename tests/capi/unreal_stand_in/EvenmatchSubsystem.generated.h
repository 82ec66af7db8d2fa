// A stand-in for what Unreal's header tool would generate: the name of the base class.
#pragma once

#undef GENERATED_BODY
#define GENERATED_BODY()                                                                           \
public:                                                                                            \
  using Super = UGameInstanceSubsystem;                                                            \
                                                                                                   \
private:
