/* Every status provoked, by the mistake that it names. The library is built with the entries for tests. */
#include "evenmatch_debug.h"
#include "expect.h"

#define BIG ((uint64_t)1 << 32)

static room events;

/* A batch of one ticket whose parts a test then spoils. */
typedef struct one {
  evenmatch_ticket ticket;
  evenmatch_player player[65];
  evenmatch_attribute attribute[2];
  evenmatch_ping ping[2];
  evenmatch_limit limit;
  evenmatch_batch batch;
  evenmatch_submitted result;
} one;

static void fill(one *one, evenmatch_engine engine, evenmatch_queue queue) {
  const evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
  const evenmatch_player player = EVENMATCH_PLAYER_INIT;
  const evenmatch_attribute attribute = EVENMATCH_ATTRIBUTE_INIT;
  const evenmatch_ping ping = EVENMATCH_PING_INIT;
  const evenmatch_limit limit = EVENMATCH_LIMIT_INIT;
  const evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  const evenmatch_submitted submitted = EVENMATCH_SUBMITTED_INIT;
  uint32_t i;
  one->ticket = ticket;
  one->ticket.queue = queue;
  one->ticket.player_count = 1;
  one->ticket.ping_count = 1;
  for (i = 0; i < 65; i++) {
    one->player[i] = player;
    one->player[i].id.lo = 500 + i;
  }
  one->player[0].attribute_count = 1;
  one->attribute[0] = attribute;
  one->attribute[0].name = symbol(engine, "skill");
  one->attribute[0].kind = EVENMATCH_ATTRIBUTE_NUMBER;
  one->attribute[0].number = 1500;
  one->attribute[1] = one->attribute[0];
  one->ping[0] = ping;
  one->ping[0].region = symbol(engine, "eu");
  one->ping[0].round_trip_ms = 20;
  one->ping[1] = one->ping[0];
  one->limit = limit;
  one->limit.attribute = one->attribute[0].name;
  one->batch = batch;
  one->batch.tickets = &one->ticket;
  one->batch.ticket_count = 1;
  one->batch.players = one->player;
  one->batch.player_count = 65;
  one->batch.attributes = one->attribute;
  one->batch.attribute_count = 2;
  one->batch.pings = one->ping;
  one->batch.ping_count = 2;
  one->batch.limits = &one->limit;
  one->batch.limit_count = 1;
  one->result = submitted;
}

/* How the whole call is answered. */
static evenmatch_status call(evenmatch_engine engine, one *one) {
  return evenmatch_ticket_submit(engine, 1, &one->batch, &one->result, 1, NULL, 0, NULL);
}

/* How its ticket is. */
static evenmatch_status ticket(evenmatch_engine engine, one *one) {
  EXPECT_OK(call(engine, one));
  EXPECT((one->result.status == EVENMATCH_OK) == (one->result.ticket != 0));
  return one->result.status;
}

static const char FULL[] =
    "{ \"name\": \"full\", \"players\": { \"min\": 2, \"max\": 4 }, \"party\": { \"max\": 3 }, \"regions\": [\"eu\", \"us\"],"
    "  \"attributes\": { \"skill\": { \"type\": \"number\", \"min\": 0, \"max\": 5000 },"
    "                  \"mode\": { \"type\": \"string\", \"default\": \"any\" },"
    "                  \"maps\": { \"type\": \"string_list\" } },"
    "  \"rules\": [{ \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"skill\", \"max\": 50 },"
    "            { \"name\": \"ping\", \"type\": \"region\", \"max_ms\": 60 }], \"timeout_s\": 60 }";

#define SPOIL(change, wanted)                                                                      \
  do {                                                                                             \
    one spoilt;                                                                                    \
    fill(&spoilt, engine, queue);                                                                  \
    change;                                                                                        \
    EXPECT_STATUS(ticket(engine, &spoilt), wanted);                                                \
  } while (0)

#define SPOIL_CALL(change, wanted)                                                                 \
  do {                                                                                             \
    one spoilt;                                                                                    \
    fill(&spoilt, engine, queue);                                                                  \
    change;                                                                                        \
    EXPECT_STATUS(call(engine, &spoilt), wanted);                                                  \
    EXPECT(spoilt.result.ticket == 0);                                                             \
  } while (0)

static void tickets(void) {
  evenmatch_engine engine = new_engine(0, 3), other = new_engine(0, 10);
  evenmatch_queue queue = add_queue(engine, FULL), foreign = add_queue(other, FULL);
  evenmatch_symbol mode = symbol(engine, "mode"), maps = symbol(engine, "maps"), asia = symbol(engine, "asia");
  evenmatch_symbol many[65];
  evenmatch_attribute lots[129];
  char text[300];
  int i;
  for (i = 0; i < 65; i++) {
    many[i] = mode;
  }
  memset(text, 'x', sizeof text);

  /* Of the call. */
  SPOIL_CALL(spoilt.batch.tickets = NULL, EVENMATCH_NULL_POINTER);
  SPOIL_CALL(spoilt.batch.players = NULL, EVENMATCH_NULL_POINTER);
  SPOIL_CALL(spoilt.batch.attributes = NULL, EVENMATCH_NULL_POINTER);
  SPOIL_CALL(spoilt.batch.pings = NULL, EVENMATCH_NULL_POINTER);
  SPOIL_CALL(spoilt.batch.limits = NULL, EVENMATCH_NULL_POINTER);
  SPOIL_CALL(spoilt.batch.symbol_count = 1, EVENMATCH_NULL_POINTER);
  SPOIL_CALL(spoilt.batch.awaited_count = 1, EVENMATCH_NULL_POINTER);
  SPOIL_CALL(spoilt.batch.text_bytes = 1, EVENMATCH_NULL_POINTER);
  SPOIL_CALL(spoilt.batch.ticket_count = BIG, EVENMATCH_TOO_LARGE);
  SPOIL_CALL(spoilt.batch.player_count = BIG, EVENMATCH_TOO_LARGE);
  SPOIL_CALL(spoilt.batch.attribute_count = BIG, EVENMATCH_TOO_LARGE);
  SPOIL_CALL(spoilt.batch.ping_count = UINT64_MAX, EVENMATCH_TOO_LARGE);
  SPOIL_CALL(spoilt.batch.limit_count = BIG, EVENMATCH_TOO_LARGE);
  SPOIL_CALL((spoilt.batch.symbols = many, spoilt.batch.symbol_count = BIG), EVENMATCH_TOO_LARGE);
  SPOIL_CALL((spoilt.batch.text = text, spoilt.batch.text_bytes = BIG), EVENMATCH_TOO_LARGE);
  SPOIL_CALL(spoilt.batch.struct_size = 0, EVENMATCH_STRUCT_SIZE);
  SPOIL_CALL(spoilt.batch.struct_size -= 8, EVENMATCH_STRUCT_SIZE);
  SPOIL_CALL(spoilt.batch.struct_size = 0xffffffffu, EVENMATCH_STRUCT_SIZE);
  SPOIL_CALL(spoilt.ticket.struct_size = 7, EVENMATCH_STRUCT_SIZE);
  SPOIL_CALL(spoilt.player[0].struct_size = 0, EVENMATCH_STRUCT_SIZE);
  SPOIL_CALL(spoilt.result.struct_size = 3, EVENMATCH_STRUCT_SIZE);
  SPOIL_CALL(spoilt.batch.reserved = 1, EVENMATCH_INVALID_ARGUMENT);
  SPOIL_CALL(spoilt.batch.players = (const evenmatch_player *)((const char *)spoilt.player + 1), EVENMATCH_INVALID_ARGUMENT);
  {
    one spoilt;
    fill(&spoilt, engine, queue);
    EXPECT_STATUS(evenmatch_ticket_submit(engine, 1, NULL, &spoilt.result, 1, NULL, 0, NULL), EVENMATCH_NULL_POINTER);
    EXPECT_STATUS(evenmatch_ticket_submit(engine, 1, &spoilt.batch, NULL, 1, NULL, 0, NULL), EVENMATCH_NULL_POINTER);
    EXPECT_STATUS(evenmatch_ticket_submit(engine, 1, &spoilt.batch, &spoilt.result, 0, NULL, 0, NULL), EVENMATCH_BUFFER_TOO_SMALL);
    EXPECT_STATUS(evenmatch_ticket_submit(engine, 1, &spoilt.batch, &spoilt.result, 1, NULL, 9, NULL), EVENMATCH_NULL_POINTER);
    EXPECT_STATUS(evenmatch_ticket_submit(0, 1, &spoilt.batch, &spoilt.result, 1, NULL, 0, NULL), EVENMATCH_NOT_FOUND);
  }

  /* Of a ticket: the shape. */
  SPOIL(spoilt.ticket.queue = foreign, EVENMATCH_NOT_FOUND);
  SPOIL(spoilt.ticket.queue = 0, EVENMATCH_NOT_FOUND);
  SPOIL(spoilt.ticket.queue = queue + 1, EVENMATCH_NOT_FOUND);
  SPOIL(spoilt.ticket.queue = UINT64_MAX, EVENMATCH_NOT_FOUND);
  SPOIL(spoilt.ticket.flags = 1u << 31, EVENMATCH_INVALID_ARGUMENT);
  SPOIL(spoilt.ticket.player_first = 65, EVENMATCH_INVALID_RANGE);
  SPOIL(spoilt.ticket.player_count = 0xffffffffu, EVENMATCH_INVALID_RANGE);
  SPOIL(spoilt.ticket.ping_first = 0xffffffffu, EVENMATCH_INVALID_RANGE);
  SPOIL(spoilt.ticket.awaited_count = 1, EVENMATCH_INVALID_RANGE);
  SPOIL(spoilt.ticket.limit_count = 2, EVENMATCH_INVALID_RANGE);
  SPOIL((spoilt.ticket.flags = EVENMATCH_TICKET_HAS_REGIONS, spoilt.ticket.region_count = 1), EVENMATCH_INVALID_RANGE);
  SPOIL(spoilt.player[0].attribute_count = 3, EVENMATCH_INVALID_RANGE);
  SPOIL(spoilt.player[0].reserved = 1, EVENMATCH_INVALID_ARGUMENT);
  SPOIL((spoilt.ticket.player_count = 2, spoilt.player[1].struct_size = 0), EVENMATCH_STRUCT_SIZE);
  SPOIL((spoilt.ticket.player_count = 2, spoilt.player[1].struct_size += 8), EVENMATCH_STRUCT_SIZE);
  SPOIL((spoilt.ticket.limit_count = 1, spoilt.limit.flags = 4), EVENMATCH_INVALID_ARGUMENT);
  SPOIL((spoilt.ticket.limit_count = 1, spoilt.limit.reserved = 4), EVENMATCH_INVALID_ARGUMENT);
  SPOIL((spoilt.ticket.limit_count = 1, spoilt.limit.attribute = 999), EVENMATCH_UNKNOWN_SYMBOL);
  SPOIL(spoilt.attribute[0].kind = 99, EVENMATCH_UNKNOWN_ENUM);
  SPOIL(spoilt.attribute[0].kind = 0, EVENMATCH_UNKNOWN_ENUM);
  SPOIL(spoilt.attribute[0].name = 0, EVENMATCH_UNKNOWN_SYMBOL);
  SPOIL(spoilt.attribute[0].name = 0xffffffffu, EVENMATCH_UNKNOWN_SYMBOL);
  SPOIL((spoilt.attribute[0].name = mode, spoilt.attribute[0].kind = EVENMATCH_ATTRIBUTE_SYMBOL), EVENMATCH_UNKNOWN_SYMBOL);
  SPOIL(spoilt.ping[0].region = 0, EVENMATCH_UNKNOWN_SYMBOL);
  SPOIL((spoilt.attribute[0].name = mode, spoilt.attribute[0].kind = EVENMATCH_ATTRIBUTE_TEXT, spoilt.attribute[0].count = 2,
         spoilt.batch.text = "\xff\xfe", spoilt.batch.text_bytes = 2),
        EVENMATCH_INVALID_UTF8);

  /* Of a ticket: what the engine refuses. */
  SPOIL(spoilt.ticket.player_count = 0, EVENMATCH_NO_PLAYERS);
  SPOIL(spoilt.ticket.player_count = 65, EVENMATCH_TOO_MANY_PLAYERS);
  SPOIL((spoilt.ticket.player_count = 2, spoilt.player[1].id = spoilt.player[0].id), EVENMATCH_DUPLICATE_PLAYER);
  SPOIL(spoilt.ticket.player_count = 4, EVENMATCH_PARTY_TOO_LARGE);
  SPOIL(spoilt.attribute[0].name = asia, EVENMATCH_UNKNOWN_ATTRIBUTE);
  SPOIL(spoilt.attribute[0].name = mode, EVENMATCH_WRONG_TYPE);
  SPOIL(spoilt.attribute[0].number = 5001, EVENMATCH_OUT_OF_RANGE);
  SPOIL(spoilt.attribute[0].number = 0.0 / (spoilt.attribute[0].number - 1500.0), EVENMATCH_OUT_OF_RANGE);
  SPOIL(spoilt.player[0].attribute_count = 0, EVENMATCH_MISSING_ATTRIBUTE);
  SPOIL(spoilt.player[0].attribute_count = 2, EVENMATCH_DUPLICATE_NAME);
  SPOIL(spoilt.ticket.ping_count = 2, EVENMATCH_DUPLICATE_NAME);
  SPOIL(spoilt.ticket.ping_count = 0, EVENMATCH_MISSING_LATENCY);
  SPOIL(spoilt.ping[0].region = asia, EVENMATCH_UNKNOWN_REGION);
  SPOIL(spoilt.ping[0].round_trip_ms = 61, EVENMATCH_UNMATCHABLE);
  SPOIL((spoilt.ticket.flags = EVENMATCH_TICKET_HAS_ENQUEUED, spoilt.ticket.enqueued_ms = UINT64_MAX), EVENMATCH_INVALID_TIME);
  SPOIL((spoilt.attribute[1].name = maps, spoilt.attribute[1].kind = EVENMATCH_ATTRIBUTE_LIST, spoilt.attribute[1].count = 65,
         spoilt.player[0].attribute_count = 2, spoilt.batch.symbols = many, spoilt.batch.symbol_count = 65),
        EVENMATCH_TOO_MANY_VALUES);
  SPOIL((spoilt.attribute[1].name = mode, spoilt.attribute[1].kind = EVENMATCH_ATTRIBUTE_TEXT, spoilt.attribute[1].count = 257,
         spoilt.player[0].attribute_count = 2, spoilt.batch.text = text, spoilt.batch.text_bytes = 300),
        EVENMATCH_TOO_MANY_BYTES);
  {
    one spoilt;
    fill(&spoilt, engine, queue);
    for (i = 0; i < 129; i++) {
      lots[i] = spoilt.attribute[0];
    }
    spoilt.batch.attributes = lots;
    spoilt.batch.attribute_count = 129;
    spoilt.player[0].attribute_count = 129;
    EXPECT_STATUS(ticket(engine, &spoilt), EVENMATCH_TOO_MANY_ATTRIBUTES);
    /* The reason, and the sentence in the caller's buffer and of the thread. */
    fill(&spoilt, engine, queue);
    spoilt.ping[0].round_trip_ms = 61;
    EXPECT_OK(evenmatch_ticket_submit(engine, 1, &spoilt.batch, &spoilt.result, 1, text, sizeof text, NULL));
    EXPECT(spoilt.result.reason == EVENMATCH_UNMATCHABLE_NO_REGION && spoilt.result.detail_bytes > 0);
  }
  {
    one first, second;
    fill(&first, engine, queue);
    EXPECT_OK(ticket(engine, &first));
    fill(&second, engine, queue);
    EXPECT_STATUS(ticket(engine, &second), EVENMATCH_PLAYER_ALREADY_QUEUED);
    EXPECT(second.result.other == first.result.ticket);
    /* As many as the engine may have. */
    for (i = 1; i < 3; i++) {
      second.player[0].id.lo = 1000 + (uint64_t)i;
      EXPECT_OK(ticket(engine, &second));
    }
    second.player[0].id.lo = 2000;
    EXPECT_STATUS(ticket(engine, &second), EVENMATCH_QUEUE_FULL);
    /* Stale, foreign and forged tickets. */
    EXPECT_STATUS(evenmatch_ticket_cancel(engine, 2, 0, NULL), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_ticket_cancel(engine, 2, UINT64_MAX, NULL), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_ticket_cancel(other, 2, first.result.ticket, NULL), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_ticket_cancel(engine, 2, first.result.ticket + ((uint64_t)1 << 32), NULL), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_ticket_cancel(engine, UINT64_MAX, first.result.ticket, NULL), EVENMATCH_INVALID_TIME);
    EXPECT_OK(evenmatch_ticket_cancel(engine, 2, first.result.ticket, NULL));
    EXPECT_STATUS(evenmatch_ticket_cancel(engine, 2, first.result.ticket, NULL), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_ticket_update(engine, 2, first.result.ticket, 1, &first.batch, NULL), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_ticket_update(engine, 2, second.result.other, 64, &first.batch, NULL), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_ticket_join(engine, 2, first.result.ticket, &first.batch, NULL), EVENMATCH_INVALID_ARGUMENT);
    EXPECT_STATUS(evenmatch_player_leave(engine, 2, NULL, NULL), EVENMATCH_NULL_POINTER);
    first.player[0].id.lo = 77;
    EXPECT_STATUS(evenmatch_player_leave(engine, 2, &first.player[0].id, NULL), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_player_find(engine, &first.player[0].id, &first.ticket.queue), EVENMATCH_NOT_FOUND);
    EXPECT_STATUS(evenmatch_player_find(engine, &first.player[0].id, NULL), EVENMATCH_NULL_POINTER);
  }
  EXPECT_OK(evenmatch_engine_free(engine));
  EXPECT_OK(evenmatch_engine_free(other));
}

/* More regions than a queue may know. */
static void regions(void) {
  evenmatch_engine engine = new_engine(0, 10);
  evenmatch_queue queue = add_queue(engine, "{ \"name\": \"r\", \"players\": 2, \"timeout_s\": 9,"
                                            "  \"rules\": [{ \"name\": \"p\", \"type\": \"region\", \"max_ms\": 60 }] }");
  evenmatch_ping pings[65];
  one spoilt;
  int i;
  char name[8];
  fill(&spoilt, engine, queue);
  for (i = 0; i < 65; i++) {
    snprintf(name, sizeof name, "r%d", i);
    pings[i] = spoilt.ping[0];
    pings[i].region = symbol(engine, name);
  }
  spoilt.player[0].attribute_count = 0;
  spoilt.batch.pings = pings;
  spoilt.batch.ping_count = 65;
  spoilt.ticket.ping_count = 65;
  EXPECT_STATUS(ticket(engine, &spoilt), EVENMATCH_TOO_MANY_REGIONS);
  EXPECT_STATUS(evenmatch_region_set(engine, 1, 0, 1), EVENMATCH_UNKNOWN_SYMBOL);
  EXPECT_STATUS(evenmatch_region_set(engine, 1, pings[0].region, 2), EVENMATCH_UNKNOWN_ENUM);
  EXPECT_OK(evenmatch_engine_free(engine));
}

/* A call that comes after the match. */
static void too_late(void) {
  evenmatch_engine engine = new_engine(0, 10);
  evenmatch_queue queue = add_queue(engine, DUEL);
  evenmatch_submitted a = submit_one(engine, 1, queue, 1), b = submit_one(engine, 1, queue, 2), c;
  evenmatch_ticket_id match = 0, ticket_ids[2];
  evenmatch_submitted results[2];
  EXPECT_OK(evenmatch_engine_tick(engine, 2, 0, NULL));
  EXPECT_STATUS(evenmatch_ticket_cancel(engine, 3, b.ticket, &match), EVENMATCH_ALREADY_MATCHED);
  EXPECT(match == a.ticket);
  EXPECT(poll_all(engine, &events) == 1 && events.events[0].id == match);
  c = submit_one(engine, 4, queue, 1);
  ticket_ids[0] = a.ticket;
  ticket_ids[1] = 12345;
  results[0] = c;
  EXPECT_STATUS(evenmatch_match_requeue(engine, 5, match, ticket_ids, 2, results, 1, NULL, 0, NULL), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT_STATUS(evenmatch_match_requeue(engine, 5, c.ticket, ticket_ids, 2, results, 2, NULL, 0, NULL), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_match_requeue(engine, 5, match, NULL, 2, results, 2, NULL, 0, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_OK(evenmatch_match_requeue(engine, 5, match, ticket_ids, 2, results, 2, NULL, 0, NULL));
  EXPECT(results[0].status == EVENMATCH_SUPERSEDED && results[0].other == c.ticket);
  EXPECT(results[1].status == EVENMATCH_NOT_FOUND);
  EXPECT_OK(evenmatch_engine_free(engine));
}

/* Structs of a later version: what is not set is not missed, what is set is refused. */
static void later_versions(void) {
  struct {
    evenmatch_engine_config known;
    uint32_t unknown[2];
  } config;
  struct {
    evenmatch_tick_report known;
    uint64_t unknown;
  } report;
  evenmatch_engine engine = 0;
  memset(&config, 0, sizeof config);
  config.known.struct_size = sizeof config;
  config.known.capacity = 10;
  EXPECT_OK(evenmatch_engine_new(&config.known, &engine));
  memset(&report, 0x5a, sizeof report);
  report.known.struct_size = sizeof report;
  EXPECT_OK(evenmatch_engine_tick(engine, 3, 0, &report.known));
  EXPECT(report.known.at_ms == 3 && report.known.struct_size == sizeof report);
  EXPECT(report.unknown == 0x5a5a5a5a5a5a5a5aull);
  EXPECT_OK(evenmatch_engine_free(engine));
  config.unknown[1] = 1;
  EXPECT_STATUS(evenmatch_engine_new(&config.known, &engine), EVENMATCH_STRUCT_TAIL);
}

static void engines(void) {
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  evenmatch_engine engine = 0, all[64];
  evenmatch_queue queue = 0;
  evenmatch_symbol found = 0;
  uint64_t bytes = 0, count = 0, due = 0;
  char buffer[4];
  int i;
  EXPECT_STATUS(evenmatch_engine_new(&config, NULL), EVENMATCH_NULL_POINTER);
  config.struct_size = 4;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_STRUCT_SIZE);
  config.struct_size = sizeof config;
  config.flags = 64;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_INVALID_ARGUMENT);
  config.flags = 0;
  config.search_nodes = 1;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_OUT_OF_RANGE);
  config.search_nodes = 0;
  config.capacity = 0xffffffffu;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_OUT_OF_RANGE);
  config.capacity = 10;
  config.symbols = 0xffffffffu;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_OUT_OF_RANGE);
  EXPECT(engine == 0);
  config.symbols = 2;
  EXPECT_OK(evenmatch_engine_new(&config, &engine));
  EXPECT_STATUS(evenmatch_symbol_resolve(engine, "a", 1, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_symbol_resolve(engine, NULL, 1, &found), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_symbol_resolve(engine, "a", BIG, &found), EVENMATCH_TOO_LARGE);
  EXPECT_STATUS(evenmatch_symbol_resolve(engine, "\xc3", 1, &found), EVENMATCH_INVALID_UTF8);
  EXPECT_OK(evenmatch_symbol_resolve(engine, NULL, 0, &found)); /* The empty name. */
  EXPECT_OK(evenmatch_symbol_resolve(engine, "long", 4, &found));
  EXPECT_STATUS(evenmatch_symbol_resolve(engine, "third", 5, &found), EVENMATCH_TOO_MANY_SYMBOLS);
  EXPECT_STATUS(evenmatch_symbol_read(engine, 3, buffer, 4, &bytes), EVENMATCH_UNKNOWN_SYMBOL);
  EXPECT_STATUS(evenmatch_symbol_read(engine, 2, buffer, 3, &bytes), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(bytes == 4);
  EXPECT_STATUS(evenmatch_symbol_read(engine, 2, NULL, 0, &bytes), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT_STATUS(evenmatch_symbol_read(engine, 2, NULL, 4, &bytes), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_symbol_read(engine, 2, buffer, 4, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_OK(evenmatch_symbol_read(engine, 2, buffer, 4, &bytes));
  EXPECT(memcmp(buffer, "long", 4) == 0);
  EXPECT_STATUS(evenmatch_engine_next_due(engine, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_engine_tick(engine, UINT64_MAX, 0, NULL), EVENMATCH_INVALID_TIME);
  {
    evenmatch_queue_source source = EVENMATCH_QUEUE_SOURCE_INIT;
    EXPECT_STATUS(evenmatch_queue_add(engine, NULL, &queue, 1, &count), EVENMATCH_NULL_POINTER);
    source.json_bytes = 5;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_NULL_POINTER);
    source.json = DUEL;
    source.json_bytes = BIG;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_TOO_LARGE);
    source.json_bytes = strlen(DUEL);
    source.format = 9;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_UNKNOWN_ENUM);
    source.format = EVENMATCH_FORMAT_PLAYFAB;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_INVALID_QUEUE);
    source.format = 0;
    source.windows = -1;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_UNKNOWN_ENUM);
    source.windows = 0;
    source.intersection_delta = 2;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_UNKNOWN_ENUM);
    source.intersection_delta = 0;
    source.reserved = 1;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_INVALID_ARGUMENT);
    source.reserved = 0;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, NULL), EVENMATCH_NULL_POINTER);
    source.json = "\xff";
    source.json_bytes = 1;
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_INVALID_QUEUE);
  }
  queue = add_queue(engine, DUEL);
  EXPECT_STATUS(evenmatch_queue_suspend(engine, 1, queue + 1), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_queue_resume(engine, UINT64_MAX, queue), EVENMATCH_INVALID_TIME);
  EXPECT_STATUS(evenmatch_queue_remove(engine, 1, 0), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_queue_list(engine, NULL, 0, &count), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(count == 1);
  {
    /* More queues than an engine may have. */
    char json[64];
    evenmatch_queue_source source = EVENMATCH_QUEUE_SOURCE_INIT;
    for (i = 1; i < 256; i++) {
      snprintf(json, sizeof json, "{ \"name\": \"q%d\", \"players\": 2 }", i);
      add_queue(engine, json);
    }
    source.json = "{ \"name\": \"one more\", \"players\": 2 }";
    source.json_bytes = strlen(source.json);
    EXPECT_STATUS(evenmatch_queue_add(engine, &source, &queue, 1, &count), EVENMATCH_TOO_MANY_QUEUES);
  }
  EXPECT_OK(evenmatch_engine_free(engine));
  /* Freed twice, used after the free. */
  EXPECT_STATUS(evenmatch_engine_free(engine), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_engine_free(0), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_engine_free(UINT64_MAX), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_engine_tick(engine, 1, 0, NULL), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_engine_close(engine, 1), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_engine_next_due(engine, &due), EVENMATCH_NOT_FOUND);

  config.symbols = 0;
  for (i = 0; i < 64; i++) {
    EXPECT_OK(evenmatch_engine_new(&config, &all[i]));
  }
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_TOO_MANY_ENGINES);
  for (i = 0; i < 64; i++) {
    EXPECT_OK(evenmatch_engine_free(all[i]));
  }
}

/* The tickets of an engine that is gone name nothing in the one that has its place. */
static void same_place(void) {
  evenmatch_engine first = new_engine(0, 10), second;
  evenmatch_queue queue = add_queue(first, DUEL), later;
  evenmatch_submitted old = submit_one(first, 1, queue, 1), new;
  EXPECT_OK(evenmatch_engine_free(first));
  second = new_engine(0, 10);
  EXPECT((uint32_t)first == (uint32_t)second && first != second);
  later = add_queue(second, DUEL);
  new = submit_one(second, 1, later, 1);
  EXPECT(later != queue && new.ticket != old.ticket);
  EXPECT_STATUS(evenmatch_ticket_cancel(second, 2, old.ticket, NULL), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_queue_suspend(second, 2, queue), EVENMATCH_NOT_FOUND);
  EXPECT_OK(evenmatch_ticket_cancel(second, 2, new.ticket, NULL));
  EXPECT_OK(evenmatch_engine_free(second));
}

/* Memory that is too small: nothing is consumed, and the counts say what is needed. */
static void small_buffers(void) {
  evenmatch_engine engine = new_engine(0, 10);
  evenmatch_queue queue = add_queue(engine, DUEL);
  evenmatch_ticket_id id;
  evenmatch_ticket_state state = EVENMATCH_TICKET_STATE_INIT;
  evenmatch_window window = EVENMATCH_WINDOW_INIT;
  evenmatch_queue_stats stats = EVENMATCH_QUEUE_STATS_INIT;
  int i;
  for (i = 1; i <= 4; i++) {
    id = submit_one(engine, 1, queue, (uint64_t)i).ticket;
  }
  EXPECT_OK(evenmatch_engine_tick(engine, 2, 0, NULL));
  id = submit_one(engine, 3, queue, 7).ticket;
  EXPECT_OK(evenmatch_ticket_cancel(engine, 4, id, NULL));
  clear_room(&events);
  events.buffers.player_capacity = 1;
  EXPECT_STATUS(evenmatch_event_poll(engine, &events.buffers), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(events.buffers.event_count == 1 && events.buffers.team_count == 1 && events.buffers.ticket_count == 2);
  EXPECT(events.buffers.player_count == 2 && events.buffers.region_count == 0 && events.buffers.text_bytes == 0);
  {
    evenmatch_stats all = EVENMATCH_STATS_INIT;
    EXPECT_OK(evenmatch_stats_read(engine, &all));
    EXPECT(all.unpolled == 5);
  }
  events.buffers.player_capacity = 3;
  EXPECT_OK(evenmatch_event_poll(engine, &events.buffers));
  EXPECT(events.buffers.event_count == 1 && events.buffers.player_count == 2);
  EXPECT_OK(evenmatch_event_poll(engine, &events.buffers));
  EXPECT(events.buffers.event_count == 2 && events.events[1].reason == EVENMATCH_ENDED_CANCELLED);
  EXPECT_OK(evenmatch_event_poll(engine, &events.buffers));
  EXPECT(events.buffers.event_count == 0);
  events.buffers.reserved = 3;
  EXPECT_STATUS(evenmatch_event_poll(engine, &events.buffers), EVENMATCH_INVALID_ARGUMENT);
  clear_room(&events);
  events.buffers.teams = NULL;
  EXPECT_STATUS(evenmatch_event_poll(engine, &events.buffers), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_event_poll(engine, NULL), EVENMATCH_NULL_POINTER);
  clear_room(&events);
  events.events[0].struct_size = 0;
  EXPECT_STATUS(evenmatch_event_poll(engine, &events.buffers), EVENMATCH_STRUCT_SIZE);

  queue = add_queue(engine, "{ \"name\": \"two\", \"players\": 2, \"timeout_s\": 60,"
                            "  \"attributes\": { \"s\": { \"type\": \"number\", \"default\": 1 } }, \"rules\": ["
                            "  { \"name\": \"a\", \"type\": \"difference\", \"attribute\": \"s\", \"max\": 5 },"
                            "  { \"name\": \"b\", \"type\": \"difference\", \"attribute\": \"s\", \"max\": 6 }] }");
  id = submit_one(engine, 5, queue, 8).ticket;
  state.windows = &window;
  state.window_capacity = 1;
  EXPECT_STATUS(evenmatch_ticket_read(engine, id, &state), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(state.window_count == 2 && window.rule == 0);
  EXPECT_STATUS(evenmatch_ticket_read(engine, id, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_ticket_read(engine, 77, &state), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_queue_stats_read(engine, 77, &stats), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_stats_read(engine, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_OK(evenmatch_engine_free(engine));
}

/* A panic is a status, the engine says so from then on, and others do not notice. */
static void panics(void) {
  evenmatch_engine engine = new_engine(0, 10), other = new_engine(0, 10);
  char text[1024] = "";
  uint64_t bytes = 0, due = 0;
  EXPECT_STATUS(evenmatch_debug_panic(engine), EVENMATCH_PANIC);
  EXPECT_OK(evenmatch_last_error(text, sizeof text, &bytes));
  EXPECT(strstr(text, "asked to panic") != NULL);
  EXPECT_STATUS(evenmatch_engine_next_due(engine, &due), EVENMATCH_POISONED);
  EXPECT_STATUS(evenmatch_engine_tick(engine, 1, 0, NULL), EVENMATCH_POISONED);
  memset(text, 0, sizeof text);
  EXPECT_OK(evenmatch_last_error(text, sizeof text, &bytes));
  EXPECT(strstr(text, "asked to panic") != NULL && bytes == strlen(text));
  EXPECT_STATUS(evenmatch_debug_panic(0), EVENMATCH_NOT_FOUND);
  EXPECT_OK(evenmatch_engine_next_due(other, &due));
  EXPECT_OK(evenmatch_engine_free(engine));
  EXPECT_OK(evenmatch_engine_free(other));
}

/* Every status that the header has, and its word. */
static void words(void) {
  evenmatch_status status;
  int known = 0;
  for (status = -1000; status <= 0; status++) {
    known += strcmp(evenmatch_status_text(status), "UNKNOWN") != 0;
  }
  EXPECT(known == STATUS_COUNT);
}

int main(void) {
  char text[4];
  EXPECT_STATUS(evenmatch_last_error(text, 4, NULL), EVENMATCH_NULL_POINTER);
  words();
  tickets();
  regions();
  too_late();
  later_versions();
  engines();
  same_place();
  small_buffers();
  panics();
  return 0;
}
