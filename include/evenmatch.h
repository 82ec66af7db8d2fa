/*
 * evenmatch: an embeddable matchmaking engine for games. The C interface.
 *
 * Made from src/ffi by cbindgen; change it there. Sections: status, versions, engine, symbol, queue, ticket, JSON, event,
 * state, stats, naming, estimate, record, layout.
 *
 * A host makes an engine, adds queues as JSON text, submits tickets, ticks with its own clock, and polls events into its
 * own memory. The library reads no clock, no file and no environment, prints nothing, installs no signal handler, never
 * calls back, and starts no thread unless the config asks for some.
 *
 * THE CHARTER
 *
 * Ownership. Everything is a handle (a uint64_t with a generation; 0 is never valid), and all memory is the caller's.
 * Inputs are borrowed for the call. Outputs are written into the caller's memory; there is nothing to free but engines.
 * A handle that is stale, forged or of another engine is answered with EVENMATCH_NOT_FOUND, also after a free. The few
 * static texts (evenmatch_status_text, ..) are gone with the library.
 *
 * Errors. Every function that can fail returns an evenmatch_status: EVENMATCH_OK (0) or a negative number. A refused call
 * has changed nothing, and has written none of its outputs unless its text says so. evenmatch_last_error has the sentence
 * for people. A fault of the library is EVENMATCH_PANIC: its engine then answers EVENMATCH_POISONED and can only be freed;
 * nothing aborts and nothing is thrown.
 *
 * Threads. "Any thread": from any thread at any time, also while others are in a call; nobody waits for a tick. "One
 * thread at a time per engine": a second caller is answered EVENMATCH_BUSY. Within a call the caller's memory must not be
 * changed by others.
 *
 * Structs. The first field is struct_size: initialise with EVENMATCH_..._INIT, which also zeroes the rest. Structs only
 * grow at their end; a program that was compiled with an older header goes on working, and one compiled with a newer
 * header works as long as it does not set what this library does not know (EVENMATCH_STRUCT_TAIL). In arrays of structs
 * all elements have the same size, which is the stride. Reserved fields are 0. There is no bool, no enum and no size_t in
 * a struct: fixed widths only.
 *
 * Texts are UTF-8 with their length in bytes; inputs need no NUL. A text that is put into a buffer gets a NUL if there is
 * room for it; its length never counts it. A capacity of 0 asks for the length: EVENMATCH_BUFFER_TOO_SMALL, and the length.
 *
 * Times are milliseconds of the host's choosing, at most 2^52. Engine time never runs back: a smaller time is read as the
 * last one. The same calls give the same matches on every machine.
 *
 * Numbers are doubles, read as their shortest decimal form and held exactly to 0.000001, up to 10^9.
 *
 * Versions. Call evenmatch_abi_check() once; it hands this header's EVENMATCH_ABI_VERSION to the library.
 */
#ifndef EVENMATCH_H
#define EVENMATCH_H

#include <stdint.h>

/* Define EVENMATCH_SHARED before the include to link against the DLL on Windows. */
#ifndef EVENMATCH_API
#if defined(_WIN32) && defined(EVENMATCH_SHARED)
#define EVENMATCH_API __declspec(dllimport)
#else
#define EVENMATCH_API
#endif
#endif

/* What the EVENMATCH_..._INIT lines stand for. */
#ifdef __cplusplus
template <class T> inline T evenmatch_init_() {
  T value = T();
  value.struct_size = static_cast<uint32_t>(sizeof(T));
  return value;
}
#define EVENMATCH_INIT_(type) evenmatch_init_<type>()
#else
#define EVENMATCH_INIT_(type) { .struct_size = (uint32_t)sizeof(type) }
#endif

#ifdef __cplusplus
extern "C" {
#endif


/* ==== Status: what every call answers, and the sentence that goes with it. ==== */

/** The ticket named no reason. */
#define EVENMATCH_REASON_NONE 0
/** No region lies within its list, its own limit and the region rule's greatest window. */
#define EVENMATCH_UNMATCHABLE_NO_REGION 1
/** It is larger than every team, or than the match. */
#define EVENMATCH_UNMATCHABLE_TOO_LARGE 2
/** Its own total is above the greatest maximum of a total that never loosens away. */
#define EVENMATCH_UNMATCHABLE_TOTAL_TOO_HIGH 3
/** Its members disagree in an equality. */
#define EVENMATCH_UNMATCHABLE_MEMBERS_DISAGREE 4
/** It is a full match alone where the queue asks for more tickets. */
#define EVENMATCH_UNMATCHABLE_FULL_ALONE 5
/** The host cancelled the ticket. */
#define EVENMATCH_ENDED_CANCELLED 1
/** A member of the party left. */
#define EVENMATCH_ENDED_PARTY_MEMBER_LEFT 2
/** It reached its timeout. */
#define EVENMATCH_ENDED_TIMED_OUT 3
/** Its queue was removed. */
#define EVENMATCH_ENDED_QUEUE_REMOVED 4
/** The engine was closed. */
#define EVENMATCH_ENDED_ENGINE_CLOSED 5
/** A player of it was matched through another queue. */
#define EVENMATCH_ENDED_MATCHED_ELSEWHERE 6

/**
 * What a call answers: EVENMATCH_OK, or a negative number that says why it was refused. A refused call has changed
 * nothing and written none of its outputs, unless the function says otherwise.
 */
typedef int32_t evenmatch_status;

/** Done. */
#define EVENMATCH_OK 0
/** An argument makes no sense: a reserved field or an unknown flag is set, a pointer is not aligned for its type. */
#define EVENMATCH_INVALID_ARGUMENT -1
/** A pointer is NULL that must not be, or is NULL beside a count above 0. */
#define EVENMATCH_NULL_POINTER -2

/**
 * A `struct_size` is not that of this type in any version: initialise with EVENMATCH_..._INIT. In an array all
 * elements have the same.
 */
#define EVENMATCH_STRUCT_SIZE -3
/** A field is set that this library is too old to know. */
#define EVENMATCH_STRUCT_TAIL -4
/** An enumerated value is none of its list. */
#define EVENMATCH_UNKNOWN_ENUM -5
/** A text is not UTF-8. */
#define EVENMATCH_INVALID_UTF8 -6
/** A count or a length is beyond any that this library takes. */
#define EVENMATCH_TOO_LARGE -7
/** The result does not fit; the counts that are needed have been written, and nothing was consumed. */
#define EVENMATCH_BUFFER_TOO_SMALL -8
/** A range (`_first`, `_count`) reaches beyond its array. */
#define EVENMATCH_INVALID_RANGE -9
/** No such engine, queue, ticket, player or match now: a handle that is 0, stale, forged or of another engine. */
#define EVENMATCH_NOT_FOUND -10
/** No such symbol in this engine, or the text is not one that the call knows. */
#define EVENMATCH_UNKNOWN_SYMBOL -11
/** The engine has as many symbols as its config allows. */
#define EVENMATCH_TOO_MANY_SYMBOLS -12
/** Another thread is in a call of which there is one at a time; nobody waits. */
#define EVENMATCH_BUSY -13
/** The time is beyond 2^52 ms. */
#define EVENMATCH_INVALID_TIME -14
/** The header and the library do not belong together. */
#define EVENMATCH_ABI_MISMATCH -15
/** A fault of the library: the call panicked, and its engine is poisoned. Free it and make a new one. */
#define EVENMATCH_PANIC -16
/** An earlier call panicked; evenmatch_last_error has its message. Only evenmatch_engine_free is of use. */
#define EVENMATCH_POISONED -17
/** The engine has been closed, or is being freed. */
#define EVENMATCH_ENGINE_CLOSED -100
/** As many engines as one process may have exist. */
#define EVENMATCH_TOO_MANY_ENGINES -101
/** The queue definition is not legal. */
#define EVENMATCH_INVALID_QUEUE -200
/** The text is not of the format. */
#define EVENMATCH_INVALID_FORMAT -201
/** A queue of that name exists already. */
#define EVENMATCH_QUEUE_EXISTS -202
/** No queue of that name. */
#define EVENMATCH_UNKNOWN_QUEUE -203
/** The queue takes no tickets now; try again later. */
#define EVENMATCH_QUEUE_SUSPENDED -204
/** As many tickets as may live, or wait to be polled, do; poll, or try again later. */
#define EVENMATCH_QUEUE_FULL -205
/** More queues than an engine may have. */
#define EVENMATCH_TOO_MANY_QUEUES -206
/** The ticket is in a match already. */
#define EVENMATCH_ALREADY_MATCHED -300
/** The player has another live ticket by now, which stays. */
#define EVENMATCH_SUPERSEDED -301
/** The ticket could never be matched; the reason says why. */
#define EVENMATCH_UNMATCHABLE -302
/** The ticket has no player. */
#define EVENMATCH_NO_PLAYERS -303
/** More players than a ticket may have. */
#define EVENMATCH_TOO_MANY_PLAYERS -304
/** A player stands twice in the ticket. */
#define EVENMATCH_DUPLICATE_PLAYER -305
/** A player of the ticket is in a live ticket already. */
#define EVENMATCH_PLAYER_ALREADY_QUEUED -306
/** More players than the queue's `party` allows. */
#define EVENMATCH_PARTY_TOO_LARGE -307
/** The queue declares no such attribute. */
#define EVENMATCH_UNKNOWN_ATTRIBUTE -400
/** The value is not of the attribute's type. */
#define EVENMATCH_WRONG_TYPE -401
/** The number is not finite, or outside its range. */
#define EVENMATCH_OUT_OF_RANGE -402
/** A rule needs a value that no member has and nothing fills in. */
#define EVENMATCH_MISSING_ATTRIBUTE -403
/** More attributes than a player may carry. */
#define EVENMATCH_TOO_MANY_ATTRIBUTES -404
/** More values than a list may have. */
#define EVENMATCH_TOO_MANY_VALUES -405
/** More bytes than a string may have. */
#define EVENMATCH_TOO_MANY_BYTES -406
/** The same attribute or region stands twice. */
#define EVENMATCH_DUPLICATE_NAME -407
/** The queue has a region rule and a player has no latency. */
#define EVENMATCH_MISSING_LATENCY -500
/** The queue lists its regions and this is none of them. */
#define EVENMATCH_UNKNOWN_REGION -501
/** More regions than a queue may know at once. */
#define EVENMATCH_TOO_MANY_REGIONS -502

/**
 * The stable word of a status ("QUEUE_FULL"), terminated by a NUL; "UNKNOWN" for a number that is none. Static, not
 * to be freed, gone with the library.
 *
 * Any thread.
 */
EVENMATCH_API const char *evenmatch_status_text(evenmatch_status status);

/**
 * The stable word of a reason for which a ticket ended ("TIMED_OUT"), terminated by a NUL; "UNKNOWN" for a number
 * that is none. Static, not to be freed, gone with the library.
 *
 * Any thread.
 */
EVENMATCH_API const char *evenmatch_end_reason_text(int32_t reason);

/**
 * The stable word of a reason for which a ticket can never be matched ("NO_REGION"), terminated by a NUL; "UNKNOWN"
 * for a number that is none. Static, not to be freed, gone with the library.
 *
 * Any thread.
 */
EVENMATCH_API const char *evenmatch_unmatchable_text(int32_t reason);

/**
 * The sentence that goes with the last refusal that a call on this thread answered, at most 1,023 bytes of UTF-8 for
 * people and logs; empty if there was none. A call that succeeds leaves it as it is, and so does this one.
 *
 * `buffer` takes `capacity` bytes and a NUL if there is room for it; `bytes_out` gets the length without the NUL.
 * Any thread; each has its own. Errors: BUFFER_TOO_SMALL (with `bytes_out`), NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_last_error(char *buffer, uint64_t capacity, uint64_t *bytes_out);


/* ==== Versions: which library this is, and whether a header belongs to it. ==== */

/**
 * The version of the binary interface. It goes up when a function or a field changes its meaning or goes away; what
 * is only added leaves it as it is.
 */
#define EVENMATCH_ABI_VERSION 1
/** Stands for "never" and for "none" in fields of times. */
#define EVENMATCH_NEVER 18446744073709551615ull

/**
 * The version of the binary interface that this library has. Call evenmatch_abi_check, which compares it with that
 * of the header.
 *
 * Any thread.
 */
EVENMATCH_API uint32_t evenmatch_abi_version(void);

/**
 * Whether this library bears a caller that was compiled with `abi_version`.
 *
 * Any thread. Errors: ABI_MISMATCH.
 */
EVENMATCH_API evenmatch_status evenmatch_abi_accepts(uint32_t abi_version);

/**
 * The version of the library ("0.1.0"), terminated by a NUL. Static, not to be freed, gone with the library.
 *
 * Any thread.
 */
EVENMATCH_API const char *evenmatch_version_text(void);

/**
 * How the library was built, for bug reports: "evenmatch 0.1.0, abi 1, kdtree, 64 bit, release", terminated by a
 * NUL. Static, not to be freed, gone with the library.
 *
 * Any thread.
 */
EVENMATCH_API const char *evenmatch_build_text(void);


/* ==== Engine: made with its limits, ticked, and freed. ==== */

/**
 * Every match is judged a second time by an independent reading of the rules before it is handed out; one that is
 * refused is a fault of the library and answers PANIC. Costs time; for tests.
 */
#define EVENMATCH_ENGINE_CHECK_MATCHES 1

/**
 * Every ticket is matched by itself as soon as it is submitted, in the region with its least ping: for testing a
 * binding or a game without other players. Everything else is as ever: names, types, ranges, ids, events.
 */
#define EVENMATCH_ENGINE_ECHO 2
/** `retained` counts, also if it is 0. */
#define EVENMATCH_ENGINE_HAS_RETAINED 4

/**
 * All calls and ticks are recorded, for evenmatch_record_poll. While a record is kept, calls that change anything wait
 * for one another; lines are kept until they are polled.
 */
#define EVENMATCH_ENGINE_RECORD 8

/**
 * A player may stand in several queues at once, with one live ticket in each. When one of them is matched the others end
 * with EVENMATCH_ENDED_MATCHED_ELSEWHERE in the same step, those of his parties whole.
 */
#define EVENMATCH_ENGINE_MANY_QUEUES 16
/** The widest that the processor has. */
#define EVENMATCH_SIMD_AUTO 0
/** None beyond what the library was compiled for. */
#define EVENMATCH_SIMD_SCALAR 1
/** AVX2, with BMI1, BMI2 and LZCNT. */
#define EVENMATCH_SIMD_AVX2 2
/** AVX-512 F, BW, DQ and VL. */
#define EVENMATCH_SIMD_AVX512 3
/** NEON. */
#define EVENMATCH_SIMD_NEON 4

/** How large an engine may grow, and how it behaves. */
typedef struct evenmatch_engine_config {
  /** EVENMATCH_ENGINE_CONFIG_INIT sets it. */
  uint32_t struct_size;
  /** EVENMATCH_ENGINE_..., or-ed. */
  uint32_t flags;
  /**
   * Tickets that may live, or wait to be polled, at once; with `retained` at most 2^26. 0: 1,000,000. Memory is
   * taken as tickets come.
   */
  uint32_t capacity;
  /**
   * Ended tickets that are kept after they have been polled, for evenmatch_ticket_read and evenmatch_match_requeue.
   * Without EVENMATCH_ENGINE_HAS_RETAINED: a quarter of the capacity.
   */
  uint32_t retained;
  /**
   * Nodes that one search visits at most, 2,048 and up: a count, so that the stop is the same on every machine.
   * 0: the default.
   */
  uint32_t search_nodes;
  /** Symbols at most, up to 2^24. 0: 16,384. */
  uint32_t symbols;
  /**
   * Threads that search at a tick, the one that ticks included: 1 to 57; 0: 1. With more than 1 the engine starts the
   * others; they sleep between ticks and are joined by evenmatch_engine_close and evenmatch_engine_free. Matches and
   * events are the same for any number. A host with threads of its own lends them by evenmatch_engine_help instead.
   * A library that is loaded at run time and has started threads may stay in memory until the thread that made the
   * engine has ended.
   */
  uint32_t threads;
  /** Slices in which the sliding window moves on, 1 to 60; 0: 10. */
  uint32_t stats_slices;
  /**
   * The sliding window of statistics and estimates, in ms of engine time; 0: 600,000. Memory: 1.6 kB for each queue
   * and region, and slice.
   */
  uint32_t stats_window_ms;
  /**
   * The instruction set of its searches' inner loops, EVENMATCH_SIMD_...; one that the processor lacks is refused
   * with OUT_OF_RANGE. Matches and events are the same for any.
   */
  uint32_t simd;
} evenmatch_engine_config;
#define EVENMATCH_ENGINE_CONFIG_INIT EVENMATCH_INIT_(evenmatch_engine_config)

/** An engine: a handle, never 0, never given out twice. */
typedef uint64_t evenmatch_engine;

/** What one tick did. */
typedef struct evenmatch_tick_report {
  /** EVENMATCH_TICK_REPORT_INIT sets it. */
  uint32_t struct_size;
  /** 1: every due ticket was visited; 0: the budget ended the pass, and the next tick goes on. */
  uint32_t is_complete;
  /** The time it was for, in ms: never earlier than the last one's. */
  uint64_t at_ms;
  /** Candidates looked at. */
  uint64_t steps;
  /** Matches made. */
  uint64_t matches;
  /** Tickets that ended without one. */
  uint64_t ended;
} evenmatch_tick_report;
#define EVENMATCH_TICK_REPORT_INIT EVENMATCH_INIT_(evenmatch_tick_report)

/**
 * Makes an engine. `config` may be NULL: all defaults.
 *
 * Any thread. Errors: OUT_OF_RANGE (capacity, search nodes, symbols, threads, window, slices, an instruction set that the
 * processor lacks), TOO_MANY_ENGINES (64 in a process), INVALID_ARGUMENT (an unknown flag or instruction set),
 * NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL.
 */
EVENMATCH_API evenmatch_status evenmatch_engine_new(
    const struct evenmatch_engine_config *config,
    evenmatch_engine *engine_out);

/**
 * The instruction set that an engine's searches use, never EVENMATCH_SIMD_AUTO.
 *
 * Any thread. Errors: NOT_FOUND, NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_engine_simd(evenmatch_engine engine, uint32_t *simd_out);

/**
 * Frees an engine: calls that begin later are refused, this one waits for those inside (a tick may take long) and
 * then gives everything back. Tickets that wait are gone without events; evenmatch_engine_close before it lets the
 * host poll them. Never call it from a signal handler.
 *
 * Any thread. Errors: NOT_FOUND (also: freed before), ENGINE_CLOSED (another thread is freeing it).
 */
EVENMATCH_API evenmatch_status evenmatch_engine_free(evenmatch_engine engine);

/**
 * Ends every ticket with EVENMATCH_ENDED_ENGINE_CLOSED. From then on events can be polled, tickets and stats read,
 * and all else is refused with ENGINE_CLOSED. Waits for the end of a running tick, whose matches stand.
 *
 * Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED (closed before).
 */
EVENMATCH_API evenmatch_status evenmatch_engine_close(evenmatch_engine engine, uint64_t now_ms);

/**
 * Takes all inputs in, ends what has timed out, and runs one matching pass for `now_ms`. `budget`: steps (candidates
 * looked at) after which the pass stops, to go on at the next tick; 0: no limit. `report_out` may be NULL.
 *
 * One thread at a time per engine: a second one is refused with BUSY and does not wait. All other calls but close and
 * free go on meanwhile. Errors: NOT_FOUND, BUSY, INVALID_TIME, ENGINE_CLOSED, STRUCT_SIZE.
 */
EVENMATCH_API evenmatch_status evenmatch_engine_tick(
    evenmatch_engine engine,
    uint64_t now_ms,
    uint64_t budget,
    struct evenmatch_tick_report *report_out);

/**
 * Lends the calling thread to the tick that runs in another: it searches until that tick has no more to search.
 * `did_out`, which may be NULL, gets 1 if there was something to do; at once and 0 where no tick is searching.
 *
 * Any thread, any number of them; up to 56 take part. The tick waits for none that has not begun a search. What comes out
 * is the same with and without help. Errors: NOT_FOUND.
 */
EVENMATCH_API evenmatch_status evenmatch_engine_help(evenmatch_engine engine, uint32_t *did_out);

/**
 * Moves engine time on to `now_ms`, if that is later, and does nothing else: for a host that wants to ask
 * (evenmatch_ticket_read, evenmatch_ticket_explain) about a moment at which it does not tick.
 *
 * Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED.
 */
EVENMATCH_API evenmatch_status evenmatch_engine_advance(evenmatch_engine engine, uint64_t now_ms);

/**
 * The earliest time in ms at which a tick could change anything without new input, always after the engine's current
 * time; EVENMATCH_NEVER: none. A host may sleep until then. Input that no tick has taken in is due 1 ms after the
 * current time.
 *
 * Any thread; while a tick runs the answer is that of the tick before. Errors: NOT_FOUND, NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_engine_next_due(evenmatch_engine engine, uint64_t *due_ms_out);


/* ==== Symbol: a name of an engine (attribute, region, value, team, rule) as a small number, resolved once. ==== */

/**
 * A name in one engine: 1 and up, in the order in which names were first seen; 0 is no name. Symbols are small
 * integers, not handles: that of another engine means another name, or none.
 */
typedef uint32_t evenmatch_symbol;

/**
 * The symbol of a name: an attribute, a region, or a value of a string attribute that stands again and again. It is
 * the same for the same text, and stays as long as the engine. Values that are different for every player (a build
 * id, a token) go into tickets as text instead (EVENMATCH_ATTRIBUTE_TEXT), since symbols are never forgotten.
 *
 * Any thread. Errors: NOT_FOUND, TOO_MANY_BYTES (256), TOO_MANY_SYMBOLS, INVALID_UTF8, NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_symbol_resolve(
    evenmatch_engine engine,
    const char *text,
    uint64_t text_bytes,
    evenmatch_symbol *symbol_out);

/**
 * The text of a symbol, at most 256 bytes of UTF-8. `buffer` takes `capacity` bytes and a NUL if there is room for
 * it; `bytes_out` gets the length without the NUL.
 *
 * Any thread. Errors: NOT_FOUND, UNKNOWN_SYMBOL, BUFFER_TOO_SMALL (with `bytes_out`), NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_symbol_read(
    evenmatch_engine engine,
    evenmatch_symbol symbol,
    char *buffer,
    uint64_t capacity,
    uint64_t *bytes_out);


/* ==== Queue: added from JSON text, suspended, resumed, removed; and the regions, which are up or down for all queues. ==== */

/** Told by the content. */
#define EVENMATCH_FORMAT_AUTO 0
/** The native format. */
#define EVENMATCH_FORMAT_NATIVE 1
/** PlayFab's, in its documentation's form, its API's, or a mix of both. */
#define EVENMATCH_FORMAT_PLAYFAB 2
/** As the format says: in PlayFab files every ticket's own age, and for totals that of the oldest. */
#define EVENMATCH_AGE_DEFAULT 0
/** Every ticket's own age. */
#define EVENMATCH_AGE_MUTUAL 1
/** The age of the oldest ticket of the match, for all. */
#define EVENMATCH_AGE_OLDEST 2
/** The age of the newest ticket of the match, for all. */
#define EVENMATCH_AGE_NEWEST 3
/** The `Delta` of a linear expansion is subtracted from a `MinIntersectionSize`: the rule loosens. */
#define EVENMATCH_DELTA_SUBTRACTED 0
/** It is added, as the API specification says literally: the rule tightens. */
#define EVENMATCH_DELTA_ADDED 1

/** A text of queues, and what came of reading it. */
typedef struct evenmatch_queue_source {
  /** EVENMATCH_QUEUE_SOURCE_INIT sets it. */
  uint32_t struct_size;
  /** In: EVENMATCH_FORMAT_... */
  int32_t format;
  /** In: EVENMATCH_AGE_...: whose age drives the expansions of a PlayFab file. */
  int32_t windows;
  /** In: EVENMATCH_AGE_...: whose age drives its `MatchTotalRule`s that have an expansion. */
  int32_t total_windows;
  /** In: EVENMATCH_DELTA_... */
  int32_t intersection_delta;
  /** Out: the line of the first error, else of the first warning, from 1; 0: no place. */
  uint32_t line;
  /** Out: its column in characters, from 1. */
  uint32_t column;
  /** Out: errors. Written also if the call fails. */
  uint32_t error_count;
  /** Out: what is legal but hardly meant. */
  uint32_t warning_count;
  /** To be 0. */
  uint32_t reserved;
  /** In: bytes of `json`. */
  uint64_t json_bytes;
  /** In: bytes of `text`; 0: no text is wanted. */
  uint64_t text_capacity;
  /**
   * Out: bytes that all errors (else all warnings) have, one on each line as LINE:COLUMN: PATH: found .., ..; more
   * than `text_capacity` if the text was cut off.
   */
  uint64_t text_bytes;
  /** In: the queues, UTF-8. */
  const char *json;
  /** In: where the text goes; without a NUL. */
  char *text;
} evenmatch_queue_source;
#define EVENMATCH_QUEUE_SOURCE_INIT EVENMATCH_INIT_(evenmatch_queue_source)

/** A queue of one engine: a handle, never 0. */
typedef uint64_t evenmatch_queue;

/**
 * Adds the queues of a JSON text, which take tickets at once; all of them or, with an error, none. A native text has
 * one queue, a PlayFab text may have several.
 *
 * `queues_out` takes `capacity` handles, in the order of the text. The out fields of `source` are written also if the
 * text is refused. Any thread. Errors: INVALID_QUEUE (with text and place), QUEUE_EXISTS, TOO_MANY_QUEUES (256 at a
 * time), BUFFER_TOO_SMALL (with `count_out`), UNKNOWN_ENUM, NOT_FOUND, ENGINE_CLOSED, TOO_LARGE, NULL_POINTER,
 * STRUCT_SIZE, STRUCT_TAIL.
 */
EVENMATCH_API evenmatch_status evenmatch_queue_add(
    evenmatch_engine engine,
    struct evenmatch_queue_source *source,
    evenmatch_queue *queues_out,
    uint64_t capacity,
    uint64_t *count_out);

/**
 * The queue of a name.
 *
 * Any thread. Errors: UNKNOWN_QUEUE, NOT_FOUND (the engine), INVALID_UTF8, NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_queue_find(
    evenmatch_engine engine,
    const char *name,
    uint64_t name_bytes,
    evenmatch_queue *queue_out);

/**
 * All queues of the engine, in the order in which they were added.
 *
 * Any thread. Errors: BUFFER_TOO_SMALL (with `count_out`; 256 are always enough), NOT_FOUND, NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_queue_list(
    evenmatch_engine engine,
    evenmatch_queue *queues_out,
    uint64_t capacity,
    uint64_t *count_out);

/**
 * Stops a queue: submits are refused at once; from the next tick on its tickets stay, age and expire, but are not
 * matched.
 *
 * Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED.
 */
EVENMATCH_API evenmatch_status evenmatch_queue_suspend(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_queue queue);

/**
 * Opens a suspended queue again: submits are accepted at once, matches are made from the next tick on.
 *
 * Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED.
 */
EVENMATCH_API evenmatch_status evenmatch_queue_resume(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_queue queue);

/**
 * Removes a queue: its tickets end with EVENMATCH_ENDED_QUEUE_REMOVED at the next tick. Its name is free at once, and
 * its handle names nothing any more; events still carry it.
 *
 * Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED.
 */
EVENMATCH_API evenmatch_status evenmatch_queue_remove(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_queue queue);

/**
 * Says that a region is up (1) or down (0), for all queues, from the next tick on. Down ends nobody: its tickets
 * wait. Regions that were never named are up.
 *
 * Any thread. Errors: NOT_FOUND, UNKNOWN_SYMBOL, UNKNOWN_ENUM (neither 0 nor 1), TOO_MANY_REGIONS (down at once),
 * INVALID_TIME, ENGINE_CLOSED.
 */
EVENMATCH_API evenmatch_status evenmatch_region_set(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_symbol region,
    int32_t is_up);


/* ==== Ticket: one player, or a party that is never split, as flat arrays of structs. ==== */

/** `enqueued_ms` counts. */
#define EVENMATCH_TICKET_HAS_ENQUEUED 1
/** `max_ping_ms` counts. */
#define EVENMATCH_TICKET_HAS_MAX_PING 2
/** The ticket accepts the regions of its range only, none if that is empty. Without it: all that it has pings for. */
#define EVENMATCH_TICKET_HAS_REGIONS 4
/** The value is `number`. */
#define EVENMATCH_ATTRIBUTE_NUMBER 1
/** The value is the text of `symbol`. */
#define EVENMATCH_ATTRIBUTE_SYMBOL 2
/** The value is a text: the range of `text`, in bytes. */
#define EVENMATCH_ATTRIBUTE_TEXT 3
/** The value is a list of strings: the range of `symbols`. */
#define EVENMATCH_ATTRIBUTE_LIST 4

/**
 * The value is JSON text: the range of `text`, in bytes. Only for attributes that the queue keeps and does not
 * declare.
 */
#define EVENMATCH_ATTRIBUTE_JSON 5
/** `least` counts. */
#define EVENMATCH_LIMIT_HAS_LEAST 1
/** `greatest` counts. */
#define EVENMATCH_LIMIT_HAS_GREATEST 2
/** For each player of the ticket's range, his attributes replace all that he had. */
#define EVENMATCH_UPDATE_ATTRIBUTES 1
/** The ticket's pings replace those of the ticket and of all its players. */
#define EVENMATCH_UPDATE_PINGS 2
/** For each player of the ticket's range, his pings replace his own. */
#define EVENMATCH_UPDATE_PLAYER_PINGS 4
/** The ticket's limits and `max_ping_ms` replace the old ones. */
#define EVENMATCH_UPDATE_LIMITS 8
/** The ticket's regions replace the old ones; without EVENMATCH_TICKET_HAS_REGIONS: all. */
#define EVENMATCH_UPDATE_REGIONS 16
/** `timeout_ms` replaces the old one; 0: the queue's. */
#define EVENMATCH_UPDATE_TIMEOUT 32

/**
 * A ticket to submit. Its players, pings, .. are ranges of the arrays of the batch: `first` and how many. Ranges may
 * overlap, so two tickets may share the same pings.
 */
typedef struct evenmatch_ticket {
  /** EVENMATCH_TICKET_INIT sets it. */
  uint32_t struct_size;
  /** EVENMATCH_TICKET_HAS_..., or-ed. */
  uint32_t flags;
  /** Where it searches. */
  evenmatch_queue queue;
  /** A word of the host's, echoed in every event of the ticket. */
  uint64_t user_data;
  /** Ends the ticket at this age in ms if the queue does not do so sooner; 0: the queue's timeout. */
  uint64_t timeout_ms;
  /** When the wait began, if that was before the submit. With EVENMATCH_TICKET_HAS_ENQUEUED. */
  uint64_t enqueued_ms;
  /**
   * The greatest round-trip time in ms of the ticket itself in the match's region, for ever. With
   * EVENMATCH_TICKET_HAS_MAX_PING.
   */
  double max_ping_ms;
  /** Who searches together, 1 to 64, in `players`. */
  uint32_t player_first;
  /** How many. */
  uint32_t player_count;
  /**
   * Players who are still to join, in `awaited`. While there are any the ticket is forming: it is in no match, and
   * its wait begins when the last of them has joined.
   */
  uint32_t awaited_first;
  /** How many. */
  uint32_t awaited_count;
  /** Round-trip times for the players that bring none of their own, in `pings`. */
  uint32_t ping_first;
  /** How many. */
  uint32_t ping_count;
  /** The ticket's own limits, in `limits`. */
  uint32_t limit_first;
  /** How many. */
  uint32_t limit_count;
  /** The regions that it accepts, in `symbols`. With EVENMATCH_TICKET_HAS_REGIONS. */
  uint32_t region_first;
  /** How many. */
  uint32_t region_count;
} evenmatch_ticket;
#define EVENMATCH_TICKET_INIT EVENMATCH_INIT_(evenmatch_ticket)

/** One person: 128 bits of the host's choosing (a UUID, a platform id), compared only. */
typedef struct evenmatch_player_id {
  /** The upper 64 bits. */
  uint64_t hi;
  /** The lower 64 bits. */
  uint64_t lo;
} evenmatch_player_id;

/** One player of a ticket. */
typedef struct evenmatch_player {
  /** EVENMATCH_PLAYER_INIT sets it. */
  uint32_t struct_size;
  /** To be 0. */
  uint32_t reserved;
  /** Who it is. */
  struct evenmatch_player_id id;
  /** What he brings, in `attributes`. */
  uint32_t attribute_first;
  /** How many. */
  uint32_t attribute_count;
  /** His own round-trip times, in `pings`; none: those of the ticket. */
  uint32_t ping_first;
  /** How many. */
  uint32_t ping_count;
} evenmatch_player;
#define EVENMATCH_PLAYER_INIT EVENMATCH_INIT_(evenmatch_player)

/** One value of a player. */
typedef struct evenmatch_attribute {
  /** EVENMATCH_ATTRIBUTE_INIT sets it. */
  uint32_t struct_size;
  /** The attribute. */
  evenmatch_symbol name;
  /** EVENMATCH_ATTRIBUTE_...: what the value is. */
  int32_t kind;
  /** With EVENMATCH_ATTRIBUTE_SYMBOL. */
  evenmatch_symbol symbol;
  /** With EVENMATCH_ATTRIBUTE_NUMBER; read as its shortest decimal form, so that 0.3 is three tenths. */
  double number;
  /** With EVENMATCH_ATTRIBUTE_LIST a range of `symbols`, with _TEXT and _JSON one of `text`. */
  uint32_t first;
  /** How many symbols, or bytes. */
  uint32_t count;
} evenmatch_attribute;
#define EVENMATCH_ATTRIBUTE_INIT EVENMATCH_INIT_(evenmatch_attribute)

/** A round-trip time to a region. */
typedef struct evenmatch_ping {
  /** EVENMATCH_PING_INIT sets it. */
  uint32_t struct_size;
  /** The region. */
  evenmatch_symbol region;
  /** In milliseconds. */
  double round_trip_ms;
} evenmatch_ping;
#define EVENMATCH_PING_INIT EVENMATCH_INIT_(evenmatch_ping)

/** A ticket's own limit for the value that every player of the other tickets has; no expansion ever widens it. */
typedef struct evenmatch_limit {
  /** EVENMATCH_LIMIT_INIT sets it. */
  uint32_t struct_size;
  /** The attribute, a number. */
  evenmatch_symbol attribute;
  /** EVENMATCH_LIMIT_HAS_..., or-ed. */
  uint32_t flags;
  /** To be 0. */
  uint32_t reserved;
  /** At least. */
  double least;
  /** At most. */
  double greatest;
} evenmatch_limit;
#define EVENMATCH_LIMIT_INIT EVENMATCH_INIT_(evenmatch_limit)

/**
 * Tickets with all that they bring. The arrays are the caller's, borrowed for the call; an array of which nothing is
 * used may be NULL with a count of 0. In an array of structs all have the same `struct_size`.
 */
typedef struct evenmatch_batch {
  /** EVENMATCH_BATCH_INIT sets it. */
  uint32_t struct_size;
  /** To be 0. */
  uint32_t reserved;
  /** How many `tickets`. */
  uint64_t ticket_count;
  /** How many `players`. */
  uint64_t player_count;
  /** How many `attributes`. */
  uint64_t attribute_count;
  /** How many `pings`. */
  uint64_t ping_count;
  /** How many `limits`. */
  uint64_t limit_count;
  /** How many `symbols`. */
  uint64_t symbol_count;
  /** How many `awaited`. */
  uint64_t awaited_count;
  /** How many bytes of `text`. */
  uint64_t text_bytes;
  /** The tickets. */
  const struct evenmatch_ticket *tickets;
  /** Their players. */
  const struct evenmatch_player *players;
  /** Their values. */
  const struct evenmatch_attribute *attributes;
  /** Their round-trip times. */
  const struct evenmatch_ping *pings;
  /** The tickets' own limits. */
  const struct evenmatch_limit *limits;
  /** Lists of values, and the regions that tickets accept. */
  const evenmatch_symbol *symbols;
  /** Players who are still to join. */
  const struct evenmatch_player_id *awaited;
  /** Values that are no symbols, UTF-8. */
  const char *text;
} evenmatch_batch;
#define EVENMATCH_BATCH_INIT EVENMATCH_INIT_(evenmatch_batch)

/** A ticket of one engine: a handle, never 0, never given out twice. The id of a match is that of its oldest ticket. */
typedef uint64_t evenmatch_ticket_id;

/** What came of one ticket of a batch. */
typedef struct evenmatch_submitted {
  /** EVENMATCH_SUBMITTED_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** OK, or why this ticket was refused. */
  evenmatch_status status;
  /** The new ticket; 0: refused. */
  evenmatch_ticket_id ticket;
  /** With PLAYER_ALREADY_QUEUED and SUPERSEDED: the ticket that the player is in. */
  evenmatch_ticket_id other;
  /** With UNMATCHABLE: EVENMATCH_UNMATCHABLE_... */
  int32_t reason;
  /** Bytes of the sentence that says more; 0: none, or no room for it. */
  uint32_t detail_bytes;
  /** Where it begins in `details_out`. */
  uint64_t detail_first;
} evenmatch_submitted;
#define EVENMATCH_SUBMITTED_INIT EVENMATCH_INIT_(evenmatch_submitted)

/**
 * Submits the tickets of a batch in order; each is accepted or refused by itself, and the next tick takes in those
 * that were accepted. `results_out` has room for `ticket_count` of them and its first element is initialised.
 * `details_out` (may be NULL with 0) takes the sentences of refused tickets, one after the other; the first of them is
 * also what evenmatch_last_error answers. `accepted_out` may be NULL.
 *
 * Answers OK if every ticket got a result. Any thread; tickets of one batch come in together. Cost: linear in what the
 * tickets bring. Errors of the call: NOT_FOUND (the engine), NULL_POINTER, STRUCT_SIZE, TOO_LARGE, BUFFER_TOO_SMALL
 * (fewer results than tickets). Of a ticket: NOT_FOUND (the queue), INVALID_RANGE, INVALID_ARGUMENT, STRUCT_SIZE,
 * STRUCT_TAIL, UNKNOWN_SYMBOL, UNKNOWN_ENUM, INVALID_UTF8; QUEUE_SUSPENDED, QUEUE_FULL, NO_PLAYERS, TOO_MANY_PLAYERS,
 * DUPLICATE_PLAYER, PARTY_TOO_LARGE, TOO_MANY_ATTRIBUTES, DUPLICATE_NAME, UNKNOWN_ATTRIBUTE, WRONG_TYPE, OUT_OF_RANGE,
 * TOO_MANY_VALUES, TOO_MANY_BYTES, INVALID_TIME, UNKNOWN_REGION, TOO_MANY_REGIONS, MISSING_LATENCY, MISSING_ATTRIBUTE,
 * UNMATCHABLE (with `reason`), PLAYER_ALREADY_QUEUED (with `other`), ENGINE_CLOSED.
 */
EVENMATCH_API evenmatch_status evenmatch_ticket_submit(
    evenmatch_engine engine,
    uint64_t now_ms,
    const struct evenmatch_batch *batch,
    struct evenmatch_submitted *results_out,
    uint64_t result_capacity,
    char *details_out,
    uint64_t details_capacity,
    uint64_t *accepted_out);

/**
 * Lets a player join a forming ticket that awaits him: the one player of `batch`, which has no ticket. `missing_out`
 * (may be NULL) gets how many are still to join. With the last one the ticket's wait begins.
 *
 * Any thread. Errors: NOT_FOUND (no such ticket is forming, or it does not await the player), ALREADY_MATCHED,
 * INVALID_ARGUMENT (not exactly one player), and as evenmatch_ticket_submit for what the player brings; a refused call
 * changes nothing, and the player may join again.
 */
EVENMATCH_API evenmatch_status evenmatch_ticket_join(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_ticket_id ticket,
    const struct evenmatch_batch *batch,
    uint64_t *missing_out);

/**
 * Takes a ticket out: it ends with EVENMATCH_ENDED_CANCELLED at this call's time. `match_out` (may be NULL) is written
 * with ALREADY_MATCHED, and only then.
 *
 * Any thread, also while a tick looks at the ticket: then one of the two is first. Errors: ALREADY_MATCHED, NOT_FOUND
 * (also: ended before), INVALID_TIME, ENGINE_CLOSED.
 */
EVENMATCH_API evenmatch_status evenmatch_ticket_cancel(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_ticket_id ticket,
    evenmatch_ticket_id *match_out);

/**
 * Changes a waiting ticket from the next tick on: what `fields` (EVENMATCH_UPDATE_..., or-ed) names is replaced whole
 * by what the one ticket of `batch` has; its queue, players, enqueue time and user data never change. If a running tick
 * takes the ticket first, the match stands and its event says EVENMATCH_EVENT_UPDATE_LOST. `match_out` (may be NULL) is
 * written with ALREADY_MATCHED, and only then.
 *
 * Any thread. Errors: NOT_FOUND (no such ticket waits, or a player is not in it), ALREADY_MATCHED, INVALID_ARGUMENT
 * (not exactly one ticket, an unknown field), and as evenmatch_ticket_submit from the attributes on.
 */
EVENMATCH_API evenmatch_status evenmatch_ticket_update(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_ticket_id ticket,
    uint32_t fields,
    const struct evenmatch_batch *batch,
    evenmatch_ticket_id *match_out);

/**
 * Puts tickets of a match that came to nothing back, as new tickets with their old enqueue times, submit numbers and
 * user data, and one attempt more. `results_out`, `details_out` and `accepted_out` as in evenmatch_ticket_submit.
 *
 * Any thread. The match is retained as long as its oldest ticket is. Errors of the call: NOT_FOUND (the match is not
 * retained), BUFFER_TOO_SMALL (fewer results than tickets), INVALID_TIME, ENGINE_CLOSED, NULL_POINTER, STRUCT_SIZE. Of
 * a ticket: SUPERSEDED (with `other`), NOT_FOUND (not of the match, or no longer retained), or as
 * evenmatch_ticket_submit.
 */
EVENMATCH_API evenmatch_status evenmatch_match_requeue(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_ticket_id of_match,
    const evenmatch_ticket_id *tickets,
    uint64_t ticket_count,
    struct evenmatch_submitted *results_out,
    uint64_t result_capacity,
    char *details_out,
    uint64_t details_capacity,
    uint64_t *accepted_out);

/**
 * Takes the player's ticket out whole: it ends with EVENMATCH_ENDED_PARTY_MEMBER_LEFT, or with
 * EVENMATCH_ENDED_CANCELLED if he is alone. `ticket_out` may be NULL.
 *
 * Any thread. Errors: NOT_FOUND (the player is in no live ticket), ALREADY_MATCHED (by a tick that still runs),
 * INVALID_TIME, ENGINE_CLOSED, NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_player_leave(
    evenmatch_engine engine,
    uint64_t now_ms,
    const struct evenmatch_player_id *player,
    evenmatch_ticket_id *ticket_out);

/**
 * Takes one ticket of the player out whole, as evenmatch_player_leave does with all of them where a player may stand in
 * several queues.
 *
 * Any thread. Errors: NOT_FOUND (also: the player is not in that ticket), ALREADY_MATCHED, INVALID_TIME, ENGINE_CLOSED,
 * NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_ticket_leave(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_ticket_id ticket,
    const struct evenmatch_player_id *player);

/**
 * The live tickets of a player, the oldest first: at most one, or with EVENMATCH_ENGINE_MANY_QUEUES one in each queue.
 * `count_out` gets how many there are; none is OK and 0.
 *
 * Any thread. Errors: NOT_FOUND (the engine), BUFFER_TOO_SMALL (with `count_out`), NULL_POINTER, TOO_LARGE.
 */
EVENMATCH_API evenmatch_status evenmatch_player_list(
    evenmatch_engine engine,
    const struct evenmatch_player_id *player,
    evenmatch_ticket_id *tickets,
    uint64_t capacity,
    uint64_t *count_out);

/**
 * The live ticket of a player; of several, in several queues, the oldest.
 *
 * Any thread. Errors: NOT_FOUND (he is in none), NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_player_find(
    evenmatch_engine engine,
    const struct evenmatch_player_id *player,
    evenmatch_ticket_id *ticket_out);


/* ==== Tickets as JSON text, native or PlayFab's, for hosts that hand requests on as they come. ==== */

/** Only the table gives names an id. */
#define EVENMATCH_NAMES_TABLE 0
/** A name that is not in the table is read as 1 to 32 hexadecimal digits; dashes are left out, so UUIDs are read too. */
#define EVENMATCH_NAMES_HEX 1
/** A name that is not in the table is read as a decimal number below 2^128. */
#define EVENMATCH_NAMES_DECIMAL 2

/** A player's name in JSON texts, and who is meant. */
typedef struct evenmatch_player_name {
  /** EVENMATCH_PLAYER_NAME_INIT sets it. */
  uint32_t struct_size;
  /** To be 0. */
  uint32_t reserved;
  /** Who is meant. */
  evenmatch_player_id id;
  /** Bytes of `text`. */
  uint64_t text_bytes;
  /** The name, UTF-8. */
  const char *text;
} evenmatch_player_name;
#define EVENMATCH_PLAYER_NAME_INIT EVENMATCH_INIT_(evenmatch_player_name)

/** A ticket, or a player who joins, as JSON text. */
typedef struct evenmatch_json {
  /** EVENMATCH_JSON_INIT sets it. */
  uint32_t struct_size;
  /** EVENMATCH_NAMES_...: how a name becomes an id that is not in the table. */
  int32_t names_as;
  /** Bytes of `json`. */
  uint64_t json_bytes;
  /** How many `names`. */
  uint64_t name_count;
  /** The text, UTF-8. */
  const char *json;
  /** The table; may be NULL with a count of 0. */
  const struct evenmatch_player_name *names;
} evenmatch_json;
#define EVENMATCH_JSON_INIT EVENMATCH_INIT_(evenmatch_json)

/**
 * Submits one ticket that is JSON text: the `submit` of a trace line ({"queue", "players", ..}; its name may be
 * missing), or a PlayFab request ({"QueueName", "Creator" or "Members", ..}, or {"playfab": {..}, "entities": {..}}).
 * `details_out` (may be NULL with 0) takes the sentence of a refusal.
 *
 * Answers OK if the ticket got a result, as in evenmatch_ticket_submit. Any thread. Errors: INVALID_FORMAT (with every
 * error in evenmatch_last_error), UNKNOWN_SYMBOL (a player without an id), UNKNOWN_QUEUE, UNKNOWN_ENUM, WRONG_TYPE,
 * NOT_FOUND (the engine), NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, TOO_LARGE, INVALID_UTF8.
 */
EVENMATCH_API evenmatch_status evenmatch_json_submit(
    evenmatch_engine engine,
    uint64_t now_ms,
    const struct evenmatch_json *json,
    evenmatch_submitted *result_out,
    char *details_out,
    uint64_t details_capacity);

/**
 * Lets a player join who is JSON text: the `player` of a trace line ({"id", "attributes", "latency"}), or a PlayFab
 * request to join, whose TicketId is not looked at. Otherwise as evenmatch_ticket_join.
 *
 * Any thread. Errors: INVALID_FORMAT, UNKNOWN_SYMBOL (a player without an id), and as evenmatch_ticket_join.
 */
EVENMATCH_API evenmatch_status evenmatch_json_join(
    evenmatch_engine engine,
    uint64_t now_ms,
    evenmatch_ticket_id ticket,
    const struct evenmatch_json *json,
    uint64_t *missing_out);


/* ==== Event: what every ticket ends in, once: a match, or an end without one. ==== */

/** Tickets were matched. */
#define EVENMATCH_EVENT_MATCH 1
/** A ticket ended without a match. */
#define EVENMATCH_EVENT_ENDED 2
/** An update of the ticket came too late to have an effect. */
#define EVENMATCH_EVENT_UPDATE_LOST 1
/** No search that led to the match was cut off. */
#define EVENMATCH_EVENT_EXHAUSTIVE 2
/** `skill_spread` counts. */
#define EVENMATCH_EVENT_HAS_SKILL_SPREAD 4
/** `team_difference` counts. */
#define EVENMATCH_EVENT_HAS_TEAM_DIFFERENCE 8
/** `ping_worst_ms` and `ping_mean_ms` count. */
#define EVENMATCH_EVENT_HAS_PING 16
/** An update of the ticket came too late to have an effect. */
#define EVENMATCH_MATCHED_UPDATE_LOST 1
/** `ping_ms` counts. */
#define EVENMATCH_MATCHED_HAS_PING 2

/** A match, or the end of a ticket. The teams, tickets, .. of a match are ranges of the arrays of the buffers. */
typedef struct evenmatch_event {
  /** EVENMATCH_EVENT_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** EVENMATCH_EVENT_MATCH or EVENMATCH_EVENT_ENDED. */
  int32_t kind;
  /** When, in ms: the call's time for a cancel, else the tick's. */
  uint64_t at_ms;
  /** In which queue; its handle, also if it has been removed since. */
  evenmatch_queue queue;
  /** The match, whose id is that of its oldest ticket; or the ticket that ended. */
  evenmatch_ticket_id id;
  /** The host's word of the ticket that ended; 0 for a match. */
  uint64_t user_data;
  /** EVENMATCH_ENDED_..., of a ticket that ended; 0 for a match. */
  int32_t reason;
  /** EVENMATCH_EVENT_UPDATE_LOST, .., or-ed. */
  uint32_t flags;
  /** The greatest count of earlier matches that a ticket of the match was in. */
  uint32_t attempts;
  /** Where the match is played; 0: a queue without a region rule, or one whose name found no room among the symbols. */
  evenmatch_symbol region;
  /** The sum of the rules' weighted terms. */
  double cost;
  /** Greatest minus least merged value of the attribute of the first `difference` rule. */
  double skill_spread;
  /** Greatest minus least team average of the attribute of the first `team_difference` rule. */
  double team_difference;
  /** The worst ticket's round-trip time in the match's region. */
  double ping_worst_ms;
  /** The players' mean of their tickets' round-trip times there. */
  double ping_mean_ms;
  /** The wait of the oldest ticket, in ms. */
  uint64_t oldest_wait_ms;
  /** The teams that stand, as declared, in `teams`. */
  uint32_t team_first;
  /** How many. */
  uint32_t team_count;
  /** Its tickets, team by team, in `tickets`. */
  uint32_t ticket_first;
  /** How many. */
  uint32_t ticket_count;
  /** Its players, team by team, in `players`. */
  uint32_t player_first;
  /** How many. */
  uint32_t player_count;
  /** All legal regions, best first, in `regions`. */
  uint32_t region_first;
  /** How many. */
  uint32_t region_count;
  /** Undeclared attributes that the queue keeps, in `kept`. */
  uint32_t kept_first;
  /** How many. */
  uint32_t kept_count;
  /** The queue's `echo`, JSON text, in `text`. */
  uint32_t echo_first;
  /** Its bytes; 0: none. */
  uint32_t echo_bytes;
} evenmatch_event;
#define EVENMATCH_EVENT_INIT EVENMATCH_INIT_(evenmatch_event)

/** One team of a match. */
typedef struct evenmatch_team {
  /** EVENMATCH_TEAM_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** Its name; "all" in a queue without teams. */
  evenmatch_symbol name;
  /** Its tickets in the order of submit numbers, in `tickets`. */
  uint32_t ticket_first;
  /** How many. */
  uint32_t ticket_count;
  /** Its players, those of each ticket as they were submitted, in `players`. */
  uint32_t player_first;
  /** How many. */
  uint32_t player_count;
} evenmatch_team;
#define EVENMATCH_TEAM_INIT EVENMATCH_INIT_(evenmatch_team)

/** One ticket of a match. */
typedef struct evenmatch_matched {
  /** EVENMATCH_MATCHED_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** Its team, counted from the match's first. */
  uint32_t team;
  /** EVENMATCH_MATCHED_..., or-ed. */
  uint32_t flags;
  /** Earlier matches that it was in. */
  uint32_t attempts;
  /** Which ticket. */
  evenmatch_ticket_id id;
  /** The host's word. */
  uint64_t user_data;
  /** Its round-trip time in the match's region, in ms. With EVENMATCH_MATCHED_HAS_PING. */
  double ping_ms;
  /** How long it waited, in ms. */
  uint64_t wait_ms;
} evenmatch_matched;
#define EVENMATCH_MATCHED_INIT EVENMATCH_INIT_(evenmatch_matched)

/** An attribute that the queue does not declare but keeps. */
typedef struct evenmatch_kept {
  /** EVENMATCH_KEPT_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** 0. */
  uint32_t reserved;
  /** Whose it is. */
  evenmatch_player_id player;
  /** Its name, in `text`. */
  uint32_t name_first;
  /** Bytes of it. */
  uint32_t name_bytes;
  /** Its value, JSON text, in `text`. */
  uint32_t json_first;
  /** Bytes of it. */
  uint32_t json_bytes;
} evenmatch_kept;
#define EVENMATCH_KEPT_INIT EVENMATCH_INIT_(evenmatch_kept)

/**
 * The caller's memory for events. The counts are written by evenmatch_event_poll: what was filled, or with
 * BUFFER_TOO_SMALL what the first event needs. An array that is not wanted is no choice: a match needs room for its
 * teams, tickets, players and regions, and those that are never used may be NULL with 0.
 */
typedef struct evenmatch_event_buffers {
  /** EVENMATCH_EVENT_BUFFERS_INIT sets it. */
  uint32_t struct_size;
  /** To be 0. */
  uint32_t reserved;
  /** In: room in `events`. */
  uint64_t event_capacity;
  /** In: room in `teams`. */
  uint64_t team_capacity;
  /** In: room in `tickets`. */
  uint64_t ticket_capacity;
  /** In: room in `players`. */
  uint64_t player_capacity;
  /** In: room in `regions`. */
  uint64_t region_capacity;
  /** In: room in `kept`. */
  uint64_t kept_capacity;
  /** In: bytes of `text`. */
  uint64_t text_capacity;
  /** Out: events. */
  uint64_t event_count;
  /** Out: teams of them. */
  uint64_t team_count;
  /** Out: tickets of them. */
  uint64_t ticket_count;
  /** Out: players of them. */
  uint64_t player_count;
  /** Out: regions of them. */
  uint64_t region_count;
  /** Out: kept attributes of them. */
  uint64_t kept_count;
  /** Out: bytes of text of them. */
  uint64_t text_bytes;
  /** The events, in order. */
  struct evenmatch_event *events;
  /** Their teams. */
  struct evenmatch_team *teams;
  /** Their tickets. */
  struct evenmatch_matched *tickets;
  /** Their players. */
  evenmatch_player_id *players;
  /** Their regions. */
  evenmatch_symbol *regions;
  /** Their kept attributes. */
  struct evenmatch_kept *kept;
  /** Names and values of these, and echoes; UTF-8. */
  char *text;
} evenmatch_event_buffers;
#define EVENMATCH_EVENT_BUFFERS_INIT EVENMATCH_INIT_(evenmatch_event_buffers)

/**
 * Moves as many events as fit into the caller's memory, in order. An event that does not fit ends the batch; if it is
 * the first one, nothing is consumed and the counts say what it needs. No event: OK with an `event_count` of 0. A
 * ticket whose event has been polled is retained for evenmatch_ticket_read and evenmatch_match_requeue; the slot of
 * the oldest retained one is free again when they are too many.
 *
 * One thread at a time per engine: a second one is refused with BUSY and does not wait. Also once closed. Cost: linear
 * in the events and in what they carry. Errors: BUFFER_TOO_SMALL (with the counts), BUSY, NOT_FOUND, NULL_POINTER,
 * STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT, TOO_LARGE.
 */
EVENMATCH_API evenmatch_status evenmatch_event_poll(
    evenmatch_engine engine,
    struct evenmatch_event_buffers *buffers);


/* ==== State: one ticket as it is now. ==== */

/** Members are still to join. */
#define EVENMATCH_STATE_FORMING 1
/** It waits. */
#define EVENMATCH_STATE_QUEUED 2
/** It is in a match. */
#define EVENMATCH_STATE_MATCHED 3
/** It ended without one. */
#define EVENMATCH_STATE_ENDED 4
/** It no longer waits. */
#define EVENMATCH_WAITING_FOR_NOTHING 0
/** The members who are still to join. */
#define EVENMATCH_WAITING_FOR_MEMBERS 1
/** The tick that takes it in. */
#define EVENMATCH_WAITING_FOR_TICK 2
/** Its queue is suspended. */
#define EVENMATCH_WAITING_FOR_QUEUE 3
/** Only a full match is legal until its preference ends. */
#define EVENMATCH_WAITING_FOR_FULL_MATCH 4
/** Every region within its windows is down. */
#define EVENMATCH_WAITING_FOR_REGION 5
/** No region is within its ping window yet. */
#define EVENMATCH_WAITING_FOR_PING_WINDOW 6
/** Other tickets that fit. */
#define EVENMATCH_WAITING_FOR_PARTNERS 7
/** Switched off at this age. */
#define EVENMATCH_WINDOW_OFF 1
/** A preference only; `greatest` is the window that it would have. */
#define EVENMATCH_WINDOW_OPTIONAL 2
/** At most `greatest` (difference, team difference, region in ms, team size), or at least that many (intersection). */
#define EVENMATCH_WINDOW_LIMIT 3
/** A sum from `least` to `greatest`. */
#define EVENMATCH_WINDOW_BETWEEN 4
/** A condition without a number (equality, premade balance). */
#define EVENMATCH_WINDOW_ENFORCED 5

/** One rule's window for a ticket, now. */
typedef struct evenmatch_window {
  /** EVENMATCH_WINDOW_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** The rule's name. */
  evenmatch_symbol rule;
  /** EVENMATCH_WINDOW_... */
  int32_t kind;
  /** EVENMATCH_LIMIT_HAS_..., or-ed: which of the two bounds count. */
  uint32_t flags;
  /** The least that is allowed. */
  double least;
  /** The greatest that is allowed. */
  double greatest;
} evenmatch_window;
#define EVENMATCH_WINDOW_INIT EVENMATCH_INIT_(evenmatch_window)

/** One ticket as it is now. */
typedef struct evenmatch_ticket_state {
  /** EVENMATCH_TICKET_STATE_INIT sets it. */
  uint32_t struct_size;
  /** Out: EVENMATCH_STATE_... */
  int32_t state;
  /** Out: EVENMATCH_ENDED_..., if it ended. */
  int32_t reason;
  /** Out: EVENMATCH_WAITING_FOR_... */
  int32_t waiting_for;
  /** Out: earlier matches that it was in. */
  uint32_t attempts;
  /** To be 0. */
  uint32_t reserved;
  /** Out: in which queue. */
  evenmatch_queue queue;
  /** Out: the host's word. */
  uint64_t user_data;
  /** Out: the match that it is in; 0: none. */
  evenmatch_ticket_id in_match;
  /** Out: how long it has waited, or did wait, in ms. */
  uint64_t age_ms;
  /** Out: how long only a full match is legal for it still, in ms. */
  uint64_t prefer_full_left_ms;
  /** Out: how long until it times out, in ms; EVENMATCH_NEVER. */
  uint64_t timeout_left_ms;
  /** In: room in `windows`; 0: not wanted. */
  uint64_t window_capacity;
  /** Out: windows that there are: of each rule while it waits, else none. */
  uint64_t window_count;
  /** In: room in `regions`; 0: not wanted. */
  uint64_t region_capacity;
  /** Out: regions that it could be matched in now. */
  uint64_t region_count;
  /** In: where the windows go, in the order of the rules. */
  struct evenmatch_window *windows;
  /** In: where the regions go, best first. */
  evenmatch_ping *regions;
} evenmatch_ticket_state;
#define EVENMATCH_TICKET_STATE_INIT EVENMATCH_INIT_(evenmatch_ticket_state)

/**
 * One ticket, live or retained, at the engine's current time.
 *
 * Any thread, also once closed. Errors: NOT_FOUND, BUFFER_TOO_SMALL (a list that is wanted does not fit; the counts
 * are written), NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT.
 */
EVENMATCH_API evenmatch_status evenmatch_ticket_read(
    evenmatch_engine engine,
    evenmatch_ticket_id ticket,
    struct evenmatch_ticket_state *state_out);


/* ==== Stats: counts since the engine was made, and now. ==== */

/** Counts of an engine. */
typedef struct evenmatch_stats {
  /** EVENMATCH_STATS_INIT sets it. */
  uint32_t struct_size;
  /** 0. */
  uint32_t reserved;
  /** The config's capacity. */
  uint64_t capacity;
  /** The config's count of retained tickets. */
  uint64_t retained_max;
  /** Tickets accepted by submit and requeue. */
  uint64_t submitted;
  /** Tickets that the engine refused. */
  uint64_t refused;
  /** Tickets that went into a match. */
  uint64_t matched;
  /** Tickets that ended without one. */
  uint64_t ended;
  /** Tickets that wait now, forming ones included. */
  uint64_t waiting;
  /** Tickets that wait for members to join. */
  uint64_t forming;
  /** Tickets whose event has not been polled. */
  uint64_t unpolled;
  /** Matches made. */
  uint64_t matches;
  /**
   * Tickets that timed out and had no legal partner at any visit. In queues of two players one that was only passed over
   * for a better partner of another counts too.
   */
  uint64_t starved;
  /** Searches that ended at their node limit. */
  uint64_t searches_cut_off;
  /** Candidates looked at. */
  uint64_t steps;
  /** Ticks. */
  uint64_t ticks;
  /** Queues. */
  uint64_t queue_count;
  /** Symbols given out. */
  uint64_t symbol_count;
  /** Of those that ended the ones that their host cancelled. */
  uint64_t ended_cancelled;
  /** Those that a member left. */
  uint64_t ended_member_left;
  /** Those that timed out. */
  uint64_t ended_timed_out;
  /** Those that ended with their queue. */
  uint64_t ended_queue_removed;
  /** Those that ended with the engine. */
  uint64_t ended_engine_closed;
  /** Those of whom a player was matched through another queue. */
  uint64_t ended_matched_elsewhere;
  /** Engine time, in ms. */
  uint64_t now_ms;
  /** Nodes that one search visits at most. */
  uint64_t search_nodes;
  /** Slots that are used up for good, since each number of a ticket is given out once. */
  uint64_t retired_slots;
  /** The length of the sliding window, in ms. */
  uint64_t window_ms;
  /** Its slices. */
  uint64_t window_slices;
  /** Ticks within the window. */
  uint64_t window_ticks;
  /** Candidates that the last tick looked at. */
  uint64_t last_tick_steps;
  /** The mean of the ticks within the window, rounded down. */
  uint64_t tick_steps_mean;
  /** Ninety-nine in a hundred of them looked at no more, within 1/32. */
  uint64_t tick_steps_p99;
} evenmatch_stats;
#define EVENMATCH_STATS_INIT EVENMATCH_INIT_(evenmatch_stats)

/** One region of a queue. */
typedef struct evenmatch_region_stats {
  /** EVENMATCH_REGION_STATS_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** Its name. */
  evenmatch_symbol region;
  /** Tickets that are acceptable there now. */
  uint64_t tickets;
  /** Their players. */
  uint64_t players;
} evenmatch_region_stats;
#define EVENMATCH_REGION_STATS_INIT EVENMATCH_INIT_(evenmatch_region_stats)

/** Counts of a queue. */
typedef struct evenmatch_queue_stats {
  /** EVENMATCH_QUEUE_STATS_INIT sets it. */
  uint32_t struct_size;
  /** Out: 1: it is suspended. */
  uint32_t is_suspended;
  /** Out: its name. */
  evenmatch_symbol name;
  /** Out: the index that serves it: "sorted", "kdtree" or "linear". */
  evenmatch_symbol index_name;
  /** Out: why that index. */
  evenmatch_symbol index_why;
  /** To be 0. */
  uint32_t reserved;
  /** Out: tickets that wait, forming ones included. */
  uint64_t tickets;
  /** Out: players that wait, in tickets that are not forming. */
  uint64_t players;
  /** Out: the age in ms of the oldest one that waits; 0 if none does. */
  uint64_t oldest_age_ms;
  /** Out: matches made. */
  uint64_t matches;
  /** In: room in `regions`; 0: not wanted. */
  uint64_t region_capacity;
  /** Out: regions that there are. */
  uint64_t region_count;
  /** In: where the regions go. */
  struct evenmatch_region_stats *regions;
} evenmatch_queue_stats;
#define EVENMATCH_QUEUE_STATS_INIT EVENMATCH_INIT_(evenmatch_queue_stats)

/**
 * What became of the tickets of a queue, or of one region of it. A ticket counts once for its queue and once for each
 * region that it could be matched in, so that regions add up to more than the queue; a match counts in the region where
 * it is played.
 */
typedef struct evenmatch_activity {
  /** EVENMATCH_ACTIVITY_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** Which region; 0: the queue as a whole. */
  evenmatch_symbol region;
  /** Tickets that wait now. */
  uint64_t tickets;
  /** Their players. */
  uint64_t players;
  /** The age in ms of the oldest of them; 0 if there is none. */
  uint64_t oldest_age_ms;
  /**
   * Matches made since the queue was added, as all up to `starved`; of a region since it came up again after a time
   * without any ticket.
   */
  uint64_t matches;
  /** Tickets that went into a match. */
  uint64_t matched;
  /** Their players. */
  uint64_t matched_players;
  /** Tickets that their host cancelled. */
  uint64_t cancelled;
  /** Tickets that a member left. */
  uint64_t member_left;
  /** Tickets that timed out. */
  uint64_t timed_out;
  /** Tickets that ended with their queue. */
  uint64_t queue_removed;
  /** Tickets that ended with the engine. */
  uint64_t engine_closed;
  /** Tickets of whom a player was matched through another queue. */
  uint64_t matched_elsewhere;
  /** Of those that timed out the ones that had no legal partner at any visit; see `starved` of evenmatch_stats. */
  uint64_t starved;
  /** The same within the sliding window, as all that follow: matches made. */
  uint64_t window_matches;
  /** Tickets that went into a match. */
  uint64_t window_matched;
  /** Their players. */
  uint64_t window_matched_players;
  /** Tickets that their host cancelled. */
  uint64_t window_cancelled;
  /** Tickets that a member left. */
  uint64_t window_member_left;
  /** Tickets that timed out. */
  uint64_t window_timed_out;
  /** Tickets that ended with their queue. */
  uint64_t window_queue_removed;
  /** Tickets that ended with the engine. */
  uint64_t window_engine_closed;
  /** Tickets of whom a player was matched through another queue. */
  uint64_t window_matched_elsewhere;
  /** Of those that timed out the ones that had no legal partner at any visit; see `starved` of evenmatch_stats. */
  uint64_t window_starved;
  /** Tickets that the waits rest on: the matched ones. */
  uint64_t wait_samples;
  /** Their mean wait in ms, exact; EVENMATCH_NEVER without a sample, as the percentiles. */
  uint64_t wait_mean_ms;
  /** Half of them waited no longer, within 1/32. */
  uint64_t wait_p50_ms;
  /** Nine in ten waited no longer, within 1/32. */
  uint64_t wait_p90_ms;
  /** Ninety-nine in a hundred waited no longer, within 1/32. */
  uint64_t wait_p99_ms;
} evenmatch_activity;
#define EVENMATCH_ACTIVITY_INIT EVENMATCH_INIT_(evenmatch_activity)

/** How often a rule, as the first, kept two tickets from standing in one match. */
typedef struct evenmatch_rule_activity {
  /** EVENMATCH_RULE_ACTIVITY_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** Its name; 0: the limits that tickets set themselves. */
  evenmatch_symbol rule;
  /** Pairs within the sliding window that it kept apart. Rules that judge whole matches only have 0. */
  uint64_t excluded;
  /** Pairs that were looked at: a sample of at most 64 a tick. */
  uint64_t pairs;
} evenmatch_rule_activity;
#define EVENMATCH_RULE_ACTIVITY_INIT EVENMATCH_INIT_(evenmatch_rule_activity)

/**
 * The counts of an engine.
 *
 * Any thread, also once closed. Cost: every slot is looked at. Errors: NOT_FOUND, NULL_POINTER, STRUCT_SIZE.
 */
EVENMATCH_API evenmatch_status evenmatch_stats_read(
    evenmatch_engine engine,
    struct evenmatch_stats *stats_out);

/**
 * All counts, of queues and regions too, as text of Prometheus's exposition format, to be served as
 * `text/plain; version=0.0.4; charset=utf-8`. Names begin with `evenmatch_`. `buffer` takes `capacity` bytes and a NUL if
 * there is room for it; `bytes_out` gets the length without the NUL. The text is made anew by every call and may have
 * grown since one that asked for the length; 3 kB, and 6 kB for each queue, are enough for most.
 *
 * Any thread, also once closed. Cost: every slot is looked at, and that of the text. Errors: NOT_FOUND,
 * BUFFER_TOO_SMALL (with `bytes_out`), NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_stats_prometheus(
    evenmatch_engine engine,
    char *buffer,
    uint64_t capacity,
    uint64_t *bytes_out);

/**
 * The counts of a queue.
 *
 * Any thread, also once closed. Cost: every slot is looked at. Errors: NOT_FOUND, BUFFER_TOO_SMALL (the regions are
 * wanted and do not fit; `region_count` is written), NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT.
 */
EVENMATCH_API evenmatch_status evenmatch_queue_stats_read(
    evenmatch_engine engine,
    evenmatch_queue queue,
    struct evenmatch_queue_stats *stats_out);

/**
 * What became of the tickets of a queue: the first element is the queue as a whole, then each region in the order of
 * names. `count_out` gets how many there are.
 *
 * Any thread, also once closed. Cost: every slot is looked at. Errors: NOT_FOUND, BUFFER_TOO_SMALL (with `count_out`),
 * NULL_POINTER, STRUCT_SIZE, TOO_LARGE.
 */
EVENMATCH_API evenmatch_status evenmatch_activity_read(
    evenmatch_engine engine,
    evenmatch_queue queue,
    struct evenmatch_activity *activity,
    uint64_t capacity,
    uint64_t *count_out);

/**
 * Which rules of a queue keep tickets apart: each rule in the order of the file, then the limits that tickets set
 * themselves. `count_out` gets how many there are.
 *
 * Any thread, also once closed. Cost: every slot is looked at. Errors: NOT_FOUND, BUFFER_TOO_SMALL (with `count_out`),
 * NULL_POINTER, STRUCT_SIZE, TOO_LARGE.
 */
EVENMATCH_API evenmatch_status evenmatch_rule_activity_read(
    evenmatch_engine engine,
    evenmatch_queue queue,
    struct evenmatch_rule_activity *activity,
    uint64_t capacity,
    uint64_t *count_out);


/* ==== Naming: how tickets, matches and players are called in texts that the library writes. ==== */

/** A ticket or a match, and what the host calls it. */
typedef struct evenmatch_ticket_name {
  /** EVENMATCH_TICKET_NAME_INIT sets it. */
  uint32_t struct_size;
  /** To be 0. */
  uint32_t reserved;
  /** Which one. */
  evenmatch_ticket_id id;
  /** Bytes of `text`. */
  uint64_t text_bytes;
  /** The name, UTF-8. */
  const char *text;
} evenmatch_ticket_name;
#define EVENMATCH_TICKET_NAME_INIT EVENMATCH_INIT_(evenmatch_ticket_name)

/**
 * What things are called in a text that the library writes. A ticket or a match that is in no table is written as the
 * 16 hexadecimal digits of its handle; a player as the 32 of his id, or as a decimal number. NULL in place of this
 * struct stands for one without tables.
 */
typedef struct evenmatch_naming {
  /** EVENMATCH_NAMING_INIT sets it. */
  uint32_t struct_size;
  /** How players are written that are not in the table: EVENMATCH_NAMES_DECIMAL, else (0 or EVENMATCH_NAMES_HEX) hex. */
  int32_t players_as;
  /** How many `tickets`. */
  uint64_t ticket_count;
  /** How many `matches`. */
  uint64_t match_count;
  /** How many `players`. */
  uint64_t player_count;
  /** Names of tickets; may be NULL with a count of 0, as the other two. */
  const struct evenmatch_ticket_name *tickets;
  /** Names of matches. */
  const struct evenmatch_ticket_name *matches;
  /** Names of players. */
  const evenmatch_player_name *players;
} evenmatch_naming;
#define EVENMATCH_NAMING_INIT EVENMATCH_INIT_(evenmatch_naming)

/**
 * Why a ticket is not matched, as one line of JSON, `{"at":..,"explanation":{..}}`: what keeps the others of its queue
 * out, who is nearest and when they become legal, what a whole match lacks. `nearest`: how many of the nearest candidates
 * are told of; 0: none. `naming` may be NULL. `buffer` takes `capacity` bytes and a NUL if there is room for it;
 * `bytes_out` gets the length without the NUL. The text is made anew by every call, so one that asks for the length costs
 * as much as another: 64 kB are enough for most.
 *
 * At the engine's current time (evenmatch_engine_advance moves it), over the tickets as the last tick left them. Cost:
 * linear in the tickets of the queue, and one search; meanwhile no tick can run. One thread at a time per engine, with
 * tick: a second one is refused with BUSY and does not wait. Errors: BUSY, NOT_FOUND, BUFFER_TOO_SMALL (with
 * `bytes_out`), ENGINE_CLOSED, UNKNOWN_ENUM, INVALID_UTF8, NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT,
 * TOO_LARGE.
 */
EVENMATCH_API evenmatch_status evenmatch_ticket_explain(
    evenmatch_engine engine,
    evenmatch_ticket_id ticket,
    uint32_t nearest,
    const struct evenmatch_naming *naming,
    char *buffer,
    uint64_t capacity,
    uint64_t *bytes_out);

/**
 * What is between two tickets, as one line of JSON, `{"at":..,"pair":{..}}`: every barrier with both values and limits,
 * and when they become a legal pair. All else as evenmatch_ticket_explain.
 *
 * One thread at a time per engine, with tick: a second one is refused with BUSY and does not wait. Errors: as
 * evenmatch_ticket_explain, for either ticket.
 */
EVENMATCH_API evenmatch_status evenmatch_pair_explain(
    evenmatch_engine engine,
    evenmatch_ticket_id ticket,
    evenmatch_ticket_id other,
    const struct evenmatch_naming *naming,
    char *buffer,
    uint64_t capacity,
    uint64_t *bytes_out);


/* ==== Estimate: how long a ticket can expect to wait. ==== */

/** `skill` counts. */
#define EVENMATCH_QUESTION_HAS_SKILL 1
/** There were enough tickets to say anything: else the percentiles are unknown. */
#define EVENMATCH_ESTIMATE_KNOWN 1
/** Too few tickets share a region with the asked ones, so those of every region count. */
#define EVENMATCH_ESTIMATE_EVERY_REGION 2
/** `band` counts; else it rests on tickets of every skill. */
#define EVENMATCH_ESTIMATE_HAS_BAND 4

/** Which tickets an estimate is for. */
typedef struct evenmatch_question {
  /** EVENMATCH_QUESTION_INIT sets it. */
  uint32_t struct_size;
  /** EVENMATCH_QUESTION_..., or-ed. */
  uint32_t flags;
  /**
   * Their skill: of the attribute of the queue's first `difference` rule, else of the first `team_difference`. With
   * EVENMATCH_QUESTION_HAS_SKILL.
   */
  double skill;
  /** How many `regions`; 0: any. */
  uint64_t region_count;
  /** Where they can be matched. */
  const evenmatch_symbol *regions;
} evenmatch_question;
#define EVENMATCH_QUESTION_INIT EVENMATCH_INIT_(evenmatch_question)

/**
 * How long a ticket can expect to wait, as far as the sliding window tells. Tickets that left without a match count as
 * waits of at least so long, never as matches.
 */
typedef struct evenmatch_estimate {
  /** EVENMATCH_ESTIMATE_INIT sets it. */
  uint32_t struct_size;
  /** EVENMATCH_ESTIMATE_..., or-ed. */
  uint32_t flags;
  /** Half of such tickets wait no longer, in ms; EVENMATCH_NEVER: unknown, or longer than any was seen to wait. */
  uint64_t p50_ms;
  /** Nine in ten wait no longer, in ms; EVENMATCH_NEVER as above. */
  uint64_t p90_ms;
  /** Tickets that it rests on: matched, ended and still waiting ones. */
  uint64_t samples;
  /** Of those the ones that were matched. */
  uint64_t matched;
  /** The longest wait seen among them, in ms. */
  uint64_t seen_up_to_ms;
  /** Their skill lies within so much of the asked one. With EVENMATCH_ESTIMATE_HAS_BAND. */
  double band;
} evenmatch_estimate;
#define EVENMATCH_ESTIMATE_INIT EVENMATCH_INIT_(evenmatch_estimate)

/**
 * How long a ticket can expect to wait in a queue. `question` may be NULL: a ticket of any skill in any region.
 *
 * Alike are the tickets that share a region with it and whose skill lies within the rule's window at age 0; until 30 of
 * them have left within the sliding window, the band is doubled up to the rule's greatest window, and at last every
 * region counts. If that is not enough the estimate is unknown.
 *
 * Any thread, also once closed. Cost: that of sorting at most 4,096 tickets, up to a millisecond. Errors: NOT_FOUND (the
 * queue), UNKNOWN_SYMBOL, UNKNOWN_REGION (the queue lists its regions), OUT_OF_RANGE (a skill that the queue would
 * refuse), NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT (an unknown flag), TOO_LARGE.
 */
EVENMATCH_API evenmatch_status evenmatch_queue_estimate(
    evenmatch_engine engine,
    evenmatch_queue queue,
    const struct evenmatch_question *question,
    struct evenmatch_estimate *estimate_out);


/* ==== Record: all calls and ticks as lines of a trace, which a replay turns into the same events again. ==== */

/** It is `player` who leaves, with `ticket`, or with all of his tickets if that is 0. */
#define EVENMATCH_DEPARTURE_OF_PLAYER 1

/** A cancel or a leave that meets a tick. */
typedef struct evenmatch_departure {
  /** EVENMATCH_DEPARTURE_INIT sets it; of an array only that of the first element is read. */
  uint32_t struct_size;
  /** EVENMATCH_DEPARTURE_... */
  uint32_t flags;
  /** When the call was made, in ms: "at" of its line. */
  uint64_t at_ms;
  /** Behind so many claims of the tick: "in_tick" of its line. */
  uint64_t claims;
  /** The ticket that is taken out. */
  evenmatch_ticket_id ticket;
  /** The player who leaves. */
  evenmatch_player_id player;
  /** Out: what the call was answered. */
  evenmatch_status status;
  /** To be 0. */
  uint32_t reserved;
} evenmatch_departure;
#define EVENMATCH_DEPARTURE_INIT EVENMATCH_INIT_(evenmatch_departure)

/**
 * Moves as many whole lines of the record as fit into the caller's memory, in order, each with its line feed. A line that
 * does not fit ends the batch; if it is the first one, nothing is consumed and `bytes_out` says what it needs. No line:
 * OK with 0 bytes. Nothing is recorded without EVENMATCH_ENGINE_RECORD.
 *
 * `buffer` takes `capacity` bytes and a NUL if there is room for it; `lines_out` may be NULL. `naming` may be NULL; it
 * counts for the lines that this call is the first to look at, also if they do not fit yet. A ticket that was put back
 * keeps the name of the first one. The command line's replay calls matches m1, m2, .. in the order of events: a host that
 * puts tickets back names its matches so.
 *
 * A replay brings about the same events (but an update that the tick was too late for is told as lost in the first run
 * only). A call stands in the record once a tick has taken it in. Calls that were refused are left out; queues are not
 * recorded and are given to the replay at its start. One thread at a time per engine: a second one is refused with BUSY
 * and does not wait. Also once closed. Errors: BUFFER_TOO_SMALL (with `bytes_out`), BUSY, NOT_FOUND, UNKNOWN_ENUM,
 * INVALID_UTF8, NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT, TOO_LARGE.
 */
EVENMATCH_API evenmatch_status evenmatch_record_poll(
    evenmatch_engine engine,
    const evenmatch_naming *naming,
    char *buffer,
    uint64_t capacity,
    uint64_t *bytes_out,
    uint64_t *lines_out);

/**
 * Puts a note of the host's into the record, as a line of its own behind the calls before: a JSON object, which a replay
 * passes over. Without EVENMATCH_ENGINE_RECORD it goes nowhere.
 *
 * Any thread. Errors: NOT_FOUND, INVALID_FORMAT (no JSON object), INVALID_TIME, ENGINE_CLOSED, INVALID_UTF8,
 * NULL_POINTER, TOO_LARGE.
 */
EVENMATCH_API evenmatch_status evenmatch_record_note(
    evenmatch_engine engine,
    uint64_t now_ms,
    const char *json,
    uint64_t json_bytes);

/**
 * As evenmatch_engine_tick, for the replay of a record: `departures`, in the order of their lines, are the cancels and
 * leaves whose lines say "in_tick" and stand before that of the tick. Each is made in the middle of the tick, once that
 * has made as many claims (matches that are to be made, tickets whose time is up) as `claims` says, and behind the last
 * claim if it makes fewer: so it meets the tick where it met the recorded one. `status` of each is written; a departure
 * that is refused refuses nothing else.
 *
 * One thread at a time per engine, as evenmatch_engine_tick. Errors: those of evenmatch_engine_tick, and NULL_POINTER,
 * STRUCT_TAIL, INVALID_ARGUMENT, TOO_LARGE; then nothing has been done.
 */
EVENMATCH_API evenmatch_status evenmatch_engine_tick_meeting(
    evenmatch_engine engine,
    uint64_t now_ms,
    uint64_t budget,
    struct evenmatch_departure *departures,
    uint64_t departure_count,
    evenmatch_tick_report *report_out);


/* ==== Layout: the size of every struct and the place of every field, as this library sees them. ==== */

/**
 * The layout of every struct, for the tests of bindings: a line "evenmatch_ticket 88" for each struct with its size,
 * followed by a line "evenmatch_ticket.queue 8 8" for each field with its offset and its size, in bytes. `buffer`
 * takes `capacity` bytes and a NUL if there is room for it; `bytes_out` gets the length without the NUL.
 *
 * Any thread. Errors: BUFFER_TOO_SMALL (with `bytes_out`), NULL_POINTER.
 */
EVENMATCH_API evenmatch_status evenmatch_layout_read(char *buffer, uint64_t capacity, uint64_t *bytes_out);

/* ==== Whether header and library belong together ==== */

/**
 * Whether the library that is loaded bears a program compiled with this header: EVENMATCH_OK or EVENMATCH_ABI_MISMATCH.
 * Call it once, before anything else.
 *
 * Any thread.
 */
static inline evenmatch_status evenmatch_abi_check(void) {
  return evenmatch_abi_accepts(EVENMATCH_ABI_VERSION);
}

#ifdef __cplusplus
}
#endif

#endif
