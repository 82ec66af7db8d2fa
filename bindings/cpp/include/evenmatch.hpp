// evenmatch for C++17 and later: a thin layer over evenmatch.h, in headers only.
//
// Included by hosts. An engine is an object that frees itself; events are views into memory that the host
// reuses; a refused call is a value. It compiles without exceptions and without RTTI. Who wants exceptions
// includes evenmatch/exceptions.hpp and wraps calls in or_throw(..). The engine never calls back, so no
// exception of the host's can cross the border, and none comes out of the engine. All that may throw here is
// std::bad_alloc of the host's own containers, and never while the engine is inside a call.
//
// Everything of the C interface has its place here; its units, limits, errors and threads are those of
// evenmatch.h. Plain structs (evenmatch_engine_config, evenmatch_tick_report, evenmatch_stats, ..) are used
// as they are.
#ifndef EVENMATCH_HPP
#define EVENMATCH_HPP

#include "evenmatch.h"

#include "evenmatch/batch.hpp"
#include "evenmatch/engine.hpp"
#include "evenmatch/events.hpp"
#include "evenmatch/ids.hpp"
#include "evenmatch/json.hpp"
#include "evenmatch/library.hpp"
#include "evenmatch/naming.hpp"
#include "evenmatch/receipts.hpp"
#include "evenmatch/result.hpp"
#include "evenmatch/state.hpp"

#endif
