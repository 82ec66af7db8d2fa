#ifndef EVENMATCH_DEBUG_H
#define EVENMATCH_DEBUG_H

#include "evenmatch.h"

#ifdef __cplusplus
extern "C" {
#endif


/* ==== Debug: entries for tests only, which no shipped library has. ==== */

/** Panics inside the engine. Any thread. Errors: PANIC, NOT_FOUND, POISONED. */
EVENMATCH_API evenmatch_status evenmatch_debug_panic(evenmatch_engine engine);

/** Stays inside the engine for so many milliseconds. Any thread. Errors: NOT_FOUND, ENGINE_CLOSED. */
EVENMATCH_API evenmatch_status evenmatch_debug_stay(evenmatch_engine engine, uint32_t span_ms);

#ifdef __cplusplus
}
#endif

#endif
