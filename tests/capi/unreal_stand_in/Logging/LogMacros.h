// A stand-in, not Unreal: logs into a list that the test reads.
#pragma once

#include "CoreMinimal.h"

namespace StandIn {

struct LogLine {
  std::string Verbosity;
  std::string Text;
};

inline std::vector<LogLine> &LogLines() {
  static std::vector<LogLine> lines;
  return lines;
}

inline void Log(const char *verbosity, const TCHAR *format, const TCHAR *argument = TEXT("")) {
  std::string text = Utf8(format);
  const std::size_t place = text.find("%s");
  if (place != std::string::npos) {
    text.replace(place, 2, Utf8(argument));
  }
  LogLines().push_back(LogLine{verbosity, text});
}

} // namespace StandIn

#define DECLARE_LOG_CATEGORY_EXTERN(Name, Default, Most) extern int StandIn##Name
#define DEFINE_LOG_CATEGORY(Name) int StandIn##Name = 0
#define UE_LOG(Name, Verbosity, ...) ((void)StandIn##Name, StandIn::Log(#Verbosity, __VA_ARGS__))
