/* The smallest C program that uses the engine. */
#include <evenmatch.h>

#include <stdio.h>

int main(void) {
  evenmatch_engine engine = 0;
  if (evenmatch_abi_check() != EVENMATCH_OK || evenmatch_engine_new(NULL, &engine) != EVENMATCH_OK) {
    return 1;
  }
  printf("%s\n", evenmatch_build_text());
  return evenmatch_engine_free(engine);
}
