// The second translation unit of the C++ program: the header once more, and an engine made here.
#define check(x) no_check(x)
#define verify(x) no_verify(x)
#define None 0
#define ERROR 0
#include "evenmatch.h"

evenmatch_engine made_elsewhere() {
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  config.flags = EVENMATCH_ENGINE_ECHO;
  evenmatch_engine engine = 0;
  return evenmatch_engine_new(&config, &engine) == EVENMATCH_OK ? engine : 0;
}
