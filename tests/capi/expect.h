/* What the programs of this folder share: an assertion that says where it failed, and short ways to make a batch. */
#ifndef EXPECT_H
#define EXPECT_H

#include "evenmatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define EXPECT_STATUS(call, wanted)                                                                \
  do {                                                                                             \
    evenmatch_status expect_found_ = (call);                                                       \
    if (expect_found_ != (wanted)) {                                                               \
      char expect_text_[1024] = "";                                                                \
      uint64_t expect_bytes_ = 0;                                                                  \
      evenmatch_last_error(expect_text_, sizeof expect_text_ - 1, &expect_bytes_);                 \
      fprintf(stderr, "%s:%d: %s is %s, not %s: %s\n", __FILE__, __LINE__, #call,                  \
              evenmatch_status_text(expect_found_), evenmatch_status_text(wanted), expect_text_);  \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define EXPECT_OK(call) EXPECT_STATUS(call, EVENMATCH_OK)

/* Not every program uses all of these. */
#if defined(__GNUC__)
#define EXPECT_UNUSED __attribute__((unused))
#else
#define EXPECT_UNUSED
#endif

static const char DUEL[] = "{ \"name\": \"duel\", \"players\": 2, \"timeout_s\": 60,"
                           "  \"attributes\": { \"skill\": { \"type\": \"number\", \"default\": 1500 } },"
                           "  \"rules\": [{ \"name\": \"skill\", \"type\": \"difference\","
                           "               \"attribute\": \"skill\", \"max\": 50 }] }";

EXPECT_UNUSED static evenmatch_engine new_engine(uint32_t flags, uint32_t capacity) {
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  evenmatch_engine engine = 0;
  config.flags = flags;
  config.capacity = capacity;
  EXPECT_OK(evenmatch_engine_new(&config, &engine));
  EXPECT(engine != 0);
  return engine;
}

EXPECT_UNUSED static evenmatch_queue add_queue(evenmatch_engine engine, const char *json) {
  evenmatch_queue_source source = EVENMATCH_QUEUE_SOURCE_INIT;
  evenmatch_queue queue = 0;
  uint64_t count = 0;
  source.json = json;
  source.json_bytes = strlen(json);
  EXPECT_OK(evenmatch_queue_add(engine, &source, &queue, 1, &count));
  EXPECT(count == 1 && queue != 0);
  return queue;
}

EXPECT_UNUSED static evenmatch_symbol symbol(evenmatch_engine engine, const char *text) {
  evenmatch_symbol found = 0;
  EXPECT_OK(evenmatch_symbol_resolve(engine, text, strlen(text), &found));
  EXPECT(found != 0);
  return found;
}

/* Submits one player without attributes. */
EXPECT_UNUSED static evenmatch_submitted submit_one(
    evenmatch_engine engine, uint64_t now_ms, evenmatch_queue queue, uint64_t player_lo) {
  evenmatch_player player = EVENMATCH_PLAYER_INIT;
  evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
  evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  evenmatch_submitted result = EVENMATCH_SUBMITTED_INIT;
  player.id.lo = player_lo;
  ticket.queue = queue;
  ticket.player_count = 1;
  ticket.user_data = player_lo + 1000;
  batch.tickets = &ticket;
  batch.ticket_count = 1;
  batch.players = &player;
  batch.player_count = 1;
  EXPECT_OK(evenmatch_ticket_submit(engine, now_ms, &batch, &result, 1, NULL, 0, NULL));
  return result;
}

/* Room for events. */
typedef struct room {
  evenmatch_event events[64];
  evenmatch_team teams[128];
  evenmatch_matched tickets[256];
  evenmatch_player_id players[512];
  evenmatch_symbol regions[512];
  evenmatch_kept kept[64];
  char text[4096];
  evenmatch_event_buffers buffers;
} room;

EXPECT_UNUSED static void clear_room(room *room) {
  const evenmatch_event event = EVENMATCH_EVENT_INIT;
  const evenmatch_team team = EVENMATCH_TEAM_INIT;
  const evenmatch_matched ticket = EVENMATCH_MATCHED_INIT;
  const evenmatch_kept kept = EVENMATCH_KEPT_INIT;
  const evenmatch_event_buffers buffers = EVENMATCH_EVENT_BUFFERS_INIT;
  memset(room, 0, sizeof *room);
  room->events[0] = event;
  room->teams[0] = team;
  room->tickets[0] = ticket;
  room->kept[0] = kept;
  room->buffers = buffers;
  room->buffers.events = room->events;
  room->buffers.event_capacity = 64;
  room->buffers.teams = room->teams;
  room->buffers.team_capacity = 128;
  room->buffers.tickets = room->tickets;
  room->buffers.ticket_capacity = 256;
  room->buffers.players = room->players;
  room->buffers.player_capacity = 512;
  room->buffers.regions = room->regions;
  room->buffers.region_capacity = 512;
  room->buffers.kept = room->kept;
  room->buffers.kept_capacity = 64;
  room->buffers.text = room->text;
  room->buffers.text_capacity = sizeof room->text;
}

EXPECT_UNUSED static uint64_t poll_all(evenmatch_engine engine, room *room) {
  clear_room(room);
  EXPECT_OK(evenmatch_event_poll(engine, &room->buffers));
  return room->buffers.event_count;
}

EXPECT_UNUSED static int is_text(evenmatch_engine engine, evenmatch_symbol symbol, const char *text) {
  char buffer[257] = "";
  uint64_t bytes = 0;
  EXPECT_OK(evenmatch_symbol_read(engine, symbol, buffer, sizeof buffer, &bytes));
  EXPECT(bytes == strlen(buffer));
  return strcmp(buffer, text) == 0;
}

#endif
