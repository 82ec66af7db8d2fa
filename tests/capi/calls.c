/* Every function called with values that differ from one another, and what comes back read. */
#include "expect.h"

static const char RANKED[] =
    "{ \"name\": \"ranked\", \"timeout_s\": 100, \"undeclared\": \"keep\", \"echo\": {\"map\": 7},"
    "  \"teams\": [{ \"name\": \"red\", \"players\": 2 }, { \"name\": \"blue\", \"players\": 2 }],"
    "  \"attributes\": { \"skill\": { \"type\": \"number\" }, \"mode\": { \"type\": \"string\" },"
    "                  \"maps\": { \"type\": \"string_list\" } },"
    "  \"rules\": ["
    "    { \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"skill\", \"max\": 50 },"
    "    { \"name\": \"mode\", \"type\": \"equality\", \"attribute\": \"mode\", \"missing\": \"any\" },"
    "    { \"name\": \"maps\", \"type\": \"intersection\", \"attribute\": \"maps\", \"min\": 1, \"missing\": \"any\" },"
    "    { \"name\": \"ping\", \"type\": \"region\", \"max_ms\": 60 } ] }";

static room events;

static void versions(void) {
  char buffer[32768];
  uint64_t bytes = 0;
  EXPECT(evenmatch_abi_version() == EVENMATCH_ABI_VERSION);
  EXPECT_OK(evenmatch_abi_check());
  EXPECT_STATUS(evenmatch_abi_accepts(EVENMATCH_ABI_VERSION + 1), EVENMATCH_ABI_MISMATCH);
  EXPECT(strcmp(evenmatch_version_text(), "0.1.0") == 0);
  EXPECT(strncmp(evenmatch_build_text(), "evenmatch 0.1.0, abi 1, ", 24) == 0);
  EXPECT(strcmp(evenmatch_status_text(EVENMATCH_QUEUE_FULL), "QUEUE_FULL") == 0);
  EXPECT(strcmp(evenmatch_status_text(1), "UNKNOWN") == 0);
  EXPECT(strcmp(evenmatch_end_reason_text(EVENMATCH_ENDED_TIMED_OUT), "TIMED_OUT") == 0);
  EXPECT(strcmp(evenmatch_unmatchable_text(EVENMATCH_UNMATCHABLE_NO_REGION), "NO_REGION") == 0);
  EXPECT_OK(evenmatch_layout_read(buffer, sizeof buffer, &bytes));
  EXPECT(bytes == strlen(buffer) && strstr(buffer, "evenmatch_ticket.queue 8 8\n") != NULL);
  EXPECT_OK(evenmatch_last_error(buffer, sizeof buffer, &bytes));
  EXPECT(strcmp(buffer, "the caller has version 2, this library 1") == 0);
}

/* Two parties of two, one with a list, a text and a kept attribute; matched, requeued, updated, cancelled. */
static void one_match(void) {
  evenmatch_engine engine = new_engine(EVENMATCH_ENGINE_CHECK_MATCHES, 1000);
  evenmatch_queue queue = add_queue(engine, RANKED), found_queue = 0, queues[2] = {0, 0};
  uint64_t count = 0, accepted = 0, due = 0, missing = 0;
  evenmatch_symbol skill = symbol(engine, "skill"), mode = symbol(engine, "mode"), maps = symbol(engine, "maps");
  evenmatch_symbol eu = symbol(engine, "eu"), us = symbol(engine, "us"), koth = symbol(engine, "koth");
  evenmatch_symbol lists[3], clan = symbol(engine, "clan");
  evenmatch_attribute attributes[6];
  evenmatch_ping pings[3];
  evenmatch_player players[4];
  evenmatch_player_id awaited[1] = {{9, 44}};
  evenmatch_ticket tickets[2];
  evenmatch_submitted results[2];
  evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  evenmatch_tick_report report = EVENMATCH_TICK_REPORT_INIT;
  evenmatch_ticket_id found = 0, pair[2], match;
  evenmatch_limit limit = EVENMATCH_LIMIT_INIT;
  const evenmatch_attribute attribute = EVENMATCH_ATTRIBUTE_INIT;
  const evenmatch_player player = EVENMATCH_PLAYER_INIT;
  const evenmatch_ping ping = EVENMATCH_PING_INIT;
  const evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
  const evenmatch_submitted submitted = EVENMATCH_SUBMITTED_INIT;
  const char text[] = "koth[1,2]";
  const evenmatch_event *event;
  int i;

  EXPECT(skill != mode && mode != maps && eu != us && symbol(engine, "skill") == skill);
  EXPECT(is_text(engine, koth, "koth"));
  EXPECT_OK(evenmatch_queue_find(engine, "ranked", 6, &found_queue));
  EXPECT(found_queue == queue);
  EXPECT_OK(evenmatch_queue_list(engine, queues, 2, &count));
  EXPECT(count == 1 && queues[0] == queue);

  lists[0] = symbol(engine, "dust");
  lists[1] = symbol(engine, "nuke");
  lists[2] = eu;
  for (i = 0; i < 6; i++) {
    attributes[i] = attribute;
    attributes[i].name = skill;
    attributes[i].kind = EVENMATCH_ATTRIBUTE_NUMBER;
  }
  attributes[0].number = 1500.25;
  attributes[1].name = mode;
  attributes[1].kind = EVENMATCH_ATTRIBUTE_SYMBOL;
  attributes[1].symbol = koth;
  attributes[2].number = 1510;
  attributes[3].name = mode;
  attributes[3].kind = EVENMATCH_ATTRIBUTE_TEXT;
  attributes[3].first = 0;
  attributes[3].count = 4;
  attributes[4].name = clan;
  attributes[4].kind = EVENMATCH_ATTRIBUTE_JSON;
  attributes[4].first = 4;
  attributes[4].count = 5;
  attributes[5].name = maps;
  attributes[5].kind = EVENMATCH_ATTRIBUTE_LIST;
  attributes[5].first = 0;
  attributes[5].count = 2;
  for (i = 0; i < 3; i++) {
    pings[i] = ping;
    pings[i].region = i == 1 ? us : eu;
    pings[i].round_trip_ms = 20.5 + i;
  }
  for (i = 0; i < 4; i++) {
    players[i] = player;
    players[i].id.hi = 9;
    players[i].id.lo = (uint64_t)(41 + i);
    players[i].attribute_first = i < 2 ? 0 : 2;
    players[i].attribute_count = i < 2 ? 2 : 4;
  }
  tickets[0] = ticket;
  tickets[0].queue = queue;
  tickets[0].user_data = 71;
  tickets[0].player_count = 2;
  tickets[0].ping_count = 2;
  tickets[1] = ticket;
  tickets[1].queue = queue;
  tickets[1].user_data = 72;
  tickets[1].timeout_ms = 90000;
  tickets[1].flags = EVENMATCH_TICKET_HAS_ENQUEUED | EVENMATCH_TICKET_HAS_MAX_PING | EVENMATCH_TICKET_HAS_REGIONS;
  tickets[1].enqueued_ms = 3000;
  tickets[1].max_ping_ms = 55;
  tickets[1].player_first = 2;
  tickets[1].player_count = 1;
  tickets[1].awaited_count = 1;
  tickets[1].ping_first = 2;
  tickets[1].ping_count = 1;
  tickets[1].limit_count = 1;
  tickets[1].region_first = 2;
  tickets[1].region_count = 1;
  limit.attribute = skill;
  limit.flags = EVENMATCH_LIMIT_HAS_LEAST | EVENMATCH_LIMIT_HAS_GREATEST;
  limit.least = 1400;
  limit.greatest = 1600;
  results[0] = submitted;
  results[1] = submitted;
  batch.tickets = tickets;
  batch.ticket_count = 2;
  batch.players = players;
  batch.player_count = 3;
  batch.attributes = attributes;
  batch.attribute_count = 6;
  batch.pings = pings;
  batch.ping_count = 3;
  batch.limits = &limit;
  batch.limit_count = 1;
  batch.symbols = lists;
  batch.symbol_count = 3;
  batch.awaited = awaited;
  batch.awaited_count = 1;
  batch.text = text;
  batch.text_bytes = 9;
  EXPECT_OK(evenmatch_ticket_submit(engine, 5000, &batch, results, 2, NULL, 0, &accepted));
  EXPECT(accepted == 2 && results[0].status == EVENMATCH_OK && results[1].status == EVENMATCH_OK);
  EXPECT(results[0].ticket != 0 && results[0].ticket != results[1].ticket && results[0].other == 0);

  { /* The second one still lacks a member. */
    evenmatch_ticket_state state = EVENMATCH_TICKET_STATE_INIT;
    EXPECT_OK(evenmatch_ticket_read(engine, results[1].ticket, &state));
    EXPECT(state.state == EVENMATCH_STATE_FORMING && state.waiting_for == EVENMATCH_WAITING_FOR_MEMBERS);
    EXPECT(state.user_data == 72 && state.timeout_left_ms == 88000);
  }
  { /* He joins: a batch of one player. */
    evenmatch_batch joining = batch;
    joining.tickets = NULL;
    joining.ticket_count = 0;
    joining.players = &players[3];
    joining.player_count = 1;
    EXPECT_OK(evenmatch_ticket_join(engine, 6000, results[1].ticket, &joining, &missing));
    EXPECT(missing == 0);
  }
  { /* Windows and regions while it waits. */
    evenmatch_ticket_state state = EVENMATCH_TICKET_STATE_INIT;
    const evenmatch_window window = EVENMATCH_WINDOW_INIT;
    evenmatch_window windows[4];
    evenmatch_ping regions[2];
    windows[0] = window;
    regions[0] = ping;
    state.windows = windows;
    state.window_capacity = 4;
    state.regions = regions;
    state.region_capacity = 2;
    EXPECT_OK(evenmatch_ticket_read(engine, results[0].ticket, &state));
    EXPECT(state.state == EVENMATCH_STATE_QUEUED && state.age_ms == 1000 && state.queue == queue);
    EXPECT(state.timeout_left_ms == 99000 && state.waiting_for == EVENMATCH_WAITING_FOR_TICK);
    EXPECT(state.window_count == 4 && is_text(engine, windows[0].rule, "skill"));
    EXPECT(windows[0].kind == EVENMATCH_WINDOW_LIMIT && windows[0].greatest == 50);
    EXPECT(windows[0].flags == EVENMATCH_LIMIT_HAS_GREATEST && windows[1].kind == EVENMATCH_WINDOW_ENFORCED);
    EXPECT(state.region_count == 2 && regions[0].region == eu && regions[0].round_trip_ms == 20.5);
    EXPECT(regions[1].region == us && regions[1].round_trip_ms == 21.5);
  }
  EXPECT_OK(evenmatch_engine_next_due(engine, &due));
  EXPECT(due == 6001);
  EXPECT_OK(evenmatch_player_find(engine, &players[3].id, &found));
  EXPECT(found == results[1].ticket);

  EXPECT_OK(evenmatch_engine_tick(engine, 7000, 0, &report));
  EXPECT(report.at_ms == 7000 && report.matches == 1 && report.ended == 0 && report.is_complete == 1 && report.steps > 0);
  EXPECT(poll_all(engine, &events) == 1);
  event = &events.events[0];
  EXPECT(event->kind == EVENMATCH_EVENT_MATCH && event->at_ms == 7000 && event->queue == queue && event->reason == 0);
  EXPECT(event->region == eu && event->attempts == 0 && event->cost > 0);
  EXPECT(event->flags == (EVENMATCH_EVENT_EXHAUSTIVE | EVENMATCH_EVENT_HAS_SKILL_SPREAD |
                          EVENMATCH_EVENT_HAS_TEAM_DIFFERENCE | EVENMATCH_EVENT_HAS_PING));
  EXPECT(event->skill_spread == 9.75 && event->team_difference == 9.75);
  EXPECT(event->ping_worst_ms == 22.5 && event->ping_mean_ms == 21.5 && event->oldest_wait_ms == 2000);
  EXPECT(event->team_count == 2 && event->ticket_count == 2 && event->player_count == 4 && event->region_count == 1);
  EXPECT(events.regions[event->region_first] == eu);
  EXPECT(event->echo_bytes == 9 && memcmp(events.text + event->echo_first, "{\"map\":7}", 9) == 0);
  EXPECT(event->kept_count == 2); /* Both players of the second party bring it. */
  {
    const evenmatch_kept *kept = &events.kept[event->kept_first];
    EXPECT(kept->name_bytes == 4 && memcmp(events.text + kept->name_first, "clan", 4) == 0);
    EXPECT(kept->json_bytes == 5 && memcmp(events.text + kept->json_first, "[1,2]", 5) == 0);
    EXPECT(kept->player.hi == 9 && kept->player.lo >= 43);
  }
  for (i = 0; i < 2; i++) {
    const evenmatch_team *team = &events.teams[event->team_first + (uint32_t)i];
    const evenmatch_matched *matched = &events.tickets[team->ticket_first];
    int is_first = matched->id == results[0].ticket;
    EXPECT(is_text(engine, team->name, i == 0 ? "red" : "blue"));
    EXPECT(team->ticket_count == 1 && team->player_count == 2 && matched->team == (uint32_t)i);
    EXPECT(matched->user_data == (is_first ? 71u : 72u) && matched->flags == EVENMATCH_MATCHED_HAS_PING);
    EXPECT(matched->ping_ms == (is_first ? 20.5 : 22.5) && matched->attempts == 0);
    EXPECT(events.players[team->player_first].hi == 9);
    EXPECT(events.players[team->player_first].lo == (is_first ? 41u : 43u));
    EXPECT(events.players[team->player_first + 1].lo == (is_first ? 42u : 44u));
  }
  match = event->id;

  { /* Retained: its state says which match. */
    evenmatch_ticket_state state = EVENMATCH_TICKET_STATE_INIT;
    EXPECT_OK(evenmatch_ticket_read(engine, results[0].ticket, &state));
    EXPECT(state.state == EVENMATCH_STATE_MATCHED && state.in_match == match && state.window_count == 0);
  }
  /* The match came to nothing: both go back; the second player of the first party is superseded after that. */
  pair[0] = results[0].ticket;
  pair[1] = results[1].ticket;
  results[0] = submitted;
  results[1] = submitted;
  EXPECT_OK(evenmatch_match_requeue(engine, 8000, match, pair, 2, results, 2, NULL, 0, &accepted));
  EXPECT(accepted == 2 && results[0].ticket != pair[0]);
  {
    evenmatch_submitted again = EVENMATCH_SUBMITTED_INIT;
    char details[128] = "";
    EXPECT_OK(evenmatch_match_requeue(engine, 8000, match, pair, 1, &again, 1, details, 128, &accepted));
    EXPECT(accepted == 0 && again.status == EVENMATCH_SUPERSEDED && again.other == results[0].ticket);
    EXPECT(again.detail_first == 0 && again.detail_bytes == strlen(details) && again.detail_bytes > 0);
  }
  { /* Too far apart now: no match, until the update is undone by a cancel. */
    evenmatch_batch change = batch;
    evenmatch_ticket changed = tickets[0];
    attributes[0].number = 1900;
    change.tickets = &changed;
    change.ticket_count = 1;
    EXPECT_OK(evenmatch_ticket_update(engine, 8500, results[0].ticket,
                                      EVENMATCH_UPDATE_ATTRIBUTES | EVENMATCH_UPDATE_PINGS | EVENMATCH_UPDATE_TIMEOUT,
                                      &change, NULL));
  }
  EXPECT_OK(evenmatch_engine_tick(engine, 9000, 0, &report));
  EXPECT(report.matches == 0);
  {
    evenmatch_ticket_state state = EVENMATCH_TICKET_STATE_INIT;
    EXPECT_OK(evenmatch_ticket_read(engine, results[0].ticket, &state));
    EXPECT(state.attempts == 1 && state.age_ms == 4000 && state.waiting_for == EVENMATCH_WAITING_FOR_PARTNERS);
  }
  EXPECT_OK(evenmatch_ticket_cancel(engine, 9100, results[0].ticket, NULL));
  EXPECT_OK(evenmatch_player_leave(engine, 9200, &players[2].id, &found));
  EXPECT(found == results[1].ticket);
  EXPECT(poll_all(engine, &events) == 2);
  EXPECT(events.events[0].reason == EVENMATCH_ENDED_CANCELLED && events.events[0].user_data == 71);
  EXPECT(events.events[0].at_ms == 9100 && events.events[0].id == results[0].ticket);
  EXPECT(events.events[1].reason == EVENMATCH_ENDED_PARTY_MEMBER_LEFT && events.events[1].user_data == 72);
  EXPECT_OK(evenmatch_engine_free(engine));
}

/* Suspend, resume, remove, regions, stats, timeouts. */
static void queues(void) {
  evenmatch_engine engine = new_engine(0, 100);
  evenmatch_queue queue = add_queue(engine, DUEL), ranked = add_queue(engine, RANKED), found = 0;
  evenmatch_stats stats = EVENMATCH_STATS_INIT;
  evenmatch_queue_stats queue_stats = EVENMATCH_QUEUE_STATS_INIT;
  evenmatch_submitted result;
  uint64_t due = 0;
  EXPECT_OK(evenmatch_queue_suspend(engine, 10, queue));
  EXPECT(submit_one(engine, 10, queue, 1).status == EVENMATCH_QUEUE_SUSPENDED);
  EXPECT_OK(evenmatch_queue_resume(engine, 20, queue));
  result = submit_one(engine, 20, queue, 1);
  EXPECT(result.status == EVENMATCH_OK);
  EXPECT(submit_one(engine, 30, queue, 1).other == result.ticket);
  EXPECT_OK(evenmatch_engine_tick(engine, 40, 0, NULL));
  EXPECT_OK(evenmatch_engine_next_due(engine, &due));
  EXPECT(due == 60020);
  EXPECT_OK(evenmatch_stats_read(engine, &stats));
  EXPECT(stats.capacity == 100 && stats.retained_max == 25 && stats.submitted == 1 && stats.refused == 2);
  EXPECT(stats.waiting == 1 && stats.ticks == 1 && stats.queue_count == 2 && stats.unpolled == 0);
  EXPECT_OK(evenmatch_queue_stats_read(engine, queue, &queue_stats));
  EXPECT(queue_stats.tickets == 1 && queue_stats.players == 1 && queue_stats.oldest_age_ms == 20);
  EXPECT(is_text(engine, queue_stats.name, "duel") && is_text(engine, queue_stats.index_name, "sorted"));
  EXPECT(queue_stats.is_suspended == 0 && queue_stats.region_count == 0 && queue_stats.matches == 0);
  EXPECT_OK(evenmatch_region_set(engine, 50, symbol(engine, "eu"), 0));
  EXPECT_OK(evenmatch_region_set(engine, 50, symbol(engine, "eu"), 1));
  EXPECT_OK(evenmatch_engine_tick(engine, due, 0, NULL));
  EXPECT(poll_all(engine, &events) == 1 && events.events[0].reason == EVENMATCH_ENDED_TIMED_OUT);
  EXPECT(events.events[0].at_ms == 60020 && events.events[0].user_data == 1001);
  EXPECT_OK(evenmatch_engine_next_due(engine, &due));
  EXPECT(due == EVENMATCH_NEVER);

  EXPECT(submit_one(engine, 60030, queue, 2).status == EVENMATCH_OK);
  EXPECT_OK(evenmatch_queue_remove(engine, 60040, queue));
  EXPECT_STATUS(evenmatch_queue_find(engine, "duel", 4, &found), EVENMATCH_UNKNOWN_QUEUE);
  EXPECT(submit_one(engine, 60050, queue, 3).status == EVENMATCH_NOT_FOUND);
  /* Its name is free; the old handle does not name the new queue. */
  found = add_queue(engine, DUEL);
  EXPECT(found != queue && found != ranked);
  EXPECT(submit_one(engine, 60050, queue, 3).status == EVENMATCH_NOT_FOUND);
  EXPECT(submit_one(engine, 60050, found, 3).status == EVENMATCH_OK);
  EXPECT_OK(evenmatch_engine_tick(engine, 60060, 0, NULL));
  EXPECT(poll_all(engine, &events) == 1 && events.events[0].reason == EVENMATCH_ENDED_QUEUE_REMOVED);
  EXPECT(events.events[0].queue == queue);

  /* Closed: what waits ends, events and states can still be had. */
  EXPECT_OK(evenmatch_engine_close(engine, 60070));
  EXPECT(poll_all(engine, &events) == 1 && events.events[0].reason == EVENMATCH_ENDED_ENGINE_CLOSED);
  EXPECT(submit_one(engine, 60080, found, 4).status == EVENMATCH_ENGINE_CLOSED);
  EXPECT_STATUS(evenmatch_engine_tick(engine, 60080, 0, NULL), EVENMATCH_ENGINE_CLOSED);
  EXPECT_OK(evenmatch_stats_read(engine, &stats));
  EXPECT(stats.ended == 3 && stats.submitted == 3);
  EXPECT_OK(evenmatch_engine_free(engine));
}

/* An engine that echoes: a match for every ticket, with the real names and the real checks. */
static void echo(void) {
  evenmatch_engine engine = new_engine(EVENMATCH_ENGINE_ECHO, 100);
  evenmatch_queue queue = add_queue(engine, DUEL);
  evenmatch_submitted one = submit_one(engine, 5, queue, 31), two = submit_one(engine, 6, queue, 32);
  EXPECT(one.status == EVENMATCH_OK && two.status == EVENMATCH_OK);
  EXPECT(poll_all(engine, &events) == 2);
  EXPECT(events.events[0].id == one.ticket && events.events[0].kind == EVENMATCH_EVENT_MATCH);
  EXPECT(events.events[0].at_ms == 5 && events.events[1].id == two.ticket && events.events[1].ticket_count == 1);
  EXPECT(events.players[events.events[1].player_first].lo == 32 && is_text(engine, events.teams[1].name, "all"));
  EXPECT(submit_one(engine, 7, queue, 31).status == EVENMATCH_OK);
  EXPECT_OK(evenmatch_engine_free(engine));
}

/* Tickets as text. */
static void json(void) {
  evenmatch_engine engine = new_engine(0, 100);
  evenmatch_json text = EVENMATCH_JSON_INIT;
  evenmatch_player_name names[2];
  const evenmatch_player_name name = EVENMATCH_PLAYER_NAME_INIT;
  evenmatch_submitted result = EVENMATCH_SUBMITTED_INIT;
  evenmatch_player_id id = {0, 0};
  evenmatch_ticket_id found = 0;
  uint64_t missing = 9;
  const char native[] = "{ \"queue\": \"duel\", \"players\": [{ \"id\": \"ann\", \"attributes\": { \"skill\": 1510 } }] }";
  const char playfab[] =
      "{ \"QueueName\": \"duel\", \"GiveUpAfterSeconds\": 30, \"Creator\": { \"Entity\": { \"Id\": \"AB01\","
      "  \"Type\": \"title_player_account\" }, \"Attributes\": { \"DataObject\": { \"skill\": 1520 } } },"
      "  \"MembersToMatchWith\": [{ \"Id\": \"AB02\", \"Type\": \"title_player_account\" }] }";
  const char joining[] = "{ \"id\": \"AB02\", \"attributes\": { \"skill\": 1500 } }";
  add_queue(engine, "{ \"name\": \"duel\", \"players\": { \"min\": 2, \"max\": 3 }, \"party\": { \"max\": 2 },"
                    "  \"attributes\": { \"skill\": { \"type\": \"number\" } }, \"timeout_s\": 60,"
                    "  \"rules\": [{ \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"skill\", \"max\": 50 }] }");
  names[0] = name;
  names[0].text = "ann";
  names[0].text_bytes = 3;
  names[0].id.hi = 3;
  names[0].id.lo = 4;
  names[1] = name;
  names[1].text = "bob";
  names[1].text_bytes = 3;
  text.names = names;
  text.name_count = 2;
  text.json = native;
  text.json_bytes = strlen(native);
  EXPECT_OK(evenmatch_json_submit(engine, 1, &text, &result, NULL, 0));
  EXPECT(result.status == EVENMATCH_OK && result.ticket != 0);
  EXPECT_OK(evenmatch_player_find(engine, &names[0].id, &found));
  EXPECT(found == result.ticket);
  /* Names that are hexadecimal numbers need no table. */
  text.names = NULL;
  text.name_count = 0;
  text.json = playfab;
  text.json_bytes = strlen(playfab);
  EXPECT_STATUS(evenmatch_json_submit(engine, 2, &text, &result, NULL, 0), EVENMATCH_UNKNOWN_SYMBOL);
  text.names_as = EVENMATCH_NAMES_HEX;
  EXPECT_OK(evenmatch_json_submit(engine, 2, &text, &result, NULL, 0));
  EXPECT(result.status == EVENMATCH_OK);
  id.lo = 0xAB01;
  EXPECT_OK(evenmatch_player_find(engine, &id, &found));
  EXPECT(found == result.ticket);
  text.json = joining;
  text.json_bytes = strlen(joining);
  EXPECT_OK(evenmatch_json_join(engine, 3, result.ticket, &text, &missing));
  EXPECT(missing == 0);
  EXPECT_OK(evenmatch_engine_tick(engine, 4, 0, NULL));
  EXPECT(poll_all(engine, &events) == 1 && events.events[0].player_count == 3);
  text.json = "{ \"queue\": 7 }";
  text.json_bytes = 14;
  EXPECT_STATUS(evenmatch_json_submit(engine, 5, &text, &result, NULL, 0), EVENMATCH_INVALID_FORMAT);
  EXPECT_OK(evenmatch_engine_free(engine));
}

/* Several queues in one PlayFab text; errors with their places. */
static void sources(void) {
  evenmatch_engine engine = new_engine(0, 100);
  evenmatch_queue_source source = EVENMATCH_QUEUE_SOURCE_INIT;
  evenmatch_queue added[2] = {0, 0};
  uint64_t count = 77;
  char text[512];
  const char playfab[] =
      "[ { \"MatchmakingQueue\": { \"Name\": \"one\", \"MinMatchSize\": 2, \"MaxMatchSize\": 2, \"Rules\": [] } },"
      "  { \"MatchmakingQueue\": { \"Name\": \"two\", \"MinMatchSize\": 2, \"MaxMatchSize\": 4, \"Rules\": [] } } ]";
  const char wrong[] = "{ \"name\": \"x\",\n  \"players\": 2,\n  \"rulez\": [], \"timeout_s\": \"soon\" }";
  source.json = playfab;
  source.json_bytes = strlen(playfab);
  source.total_windows = EVENMATCH_AGE_NEWEST;
  EXPECT_STATUS(evenmatch_queue_add(engine, &source, added, 1, &count), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(count == 2 && added[0] == 0);
  EXPECT_OK(evenmatch_queue_add(engine, &source, added, 2, &count));
  EXPECT(count == 2 && added[0] != 0 && added[1] != added[0] && source.error_count == 0);
  /* All or none: "one" is there already. */
  EXPECT_STATUS(evenmatch_queue_add(engine, &source, added, 2, &count), EVENMATCH_QUEUE_EXISTS);
  source.json = wrong;
  source.json_bytes = strlen(wrong);
  source.text = text;
  source.text_capacity = sizeof text;
  EXPECT_STATUS(evenmatch_queue_add(engine, &source, added, 2, &count), EVENMATCH_INVALID_QUEUE);
  EXPECT(source.error_count == 2 && source.line == 3 && source.column == 3 && source.warning_count == 0);
  EXPECT(source.text_bytes < sizeof text && memcmp(text, "3:3: rulez: found ", 18) == 0);
  EXPECT(memchr(text, '\n', source.text_bytes) != NULL);
  source.text_capacity = 5;
  EXPECT_STATUS(evenmatch_queue_add(engine, &source, added, 2, &count), EVENMATCH_INVALID_QUEUE);
  EXPECT(source.text_bytes > 5);
  EXPECT_OK(evenmatch_engine_free(engine));
}

static evenmatch_ticket_name ticket_name(evenmatch_ticket_id id, const char *text) {
  evenmatch_ticket_name name = EVENMATCH_TICKET_NAME_INIT;
  name.id = id;
  name.text = text;
  name.text_bytes = strlen(text);
  return name;
}

/* One ticket of one player of a skill, with one ping. */
static evenmatch_ticket_id submit_skill(
    evenmatch_engine engine, uint64_t now_ms, evenmatch_queue queue, uint64_t player_lo, double skill, const char *region) {
  evenmatch_player player = EVENMATCH_PLAYER_INIT;
  evenmatch_attribute attribute = EVENMATCH_ATTRIBUTE_INIT;
  evenmatch_ping ping = EVENMATCH_PING_INIT;
  evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
  evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  evenmatch_submitted result = EVENMATCH_SUBMITTED_INIT;
  player.id.lo = player_lo;
  player.attribute_count = 1;
  attribute.name = symbol(engine, "skill");
  attribute.kind = EVENMATCH_ATTRIBUTE_NUMBER;
  attribute.number = skill;
  ping.region = symbol(engine, region);
  ping.round_trip_ms = 30;
  ticket.queue = queue;
  ticket.player_count = 1;
  ticket.ping_count = 1;
  batch.tickets = &ticket;
  batch.ticket_count = 1;
  batch.players = &player;
  batch.player_count = 1;
  batch.attributes = &attribute;
  batch.attribute_count = 1;
  batch.pings = &ping;
  batch.ping_count = 1;
  EXPECT_OK(evenmatch_ticket_submit(engine, now_ms, &batch, &result, 1, NULL, 0, NULL));
  EXPECT(result.status == EVENMATCH_OK);
  return result.ticket;
}

static const char PINGED[] =
    "{ \"name\": \"pinged\", \"players\": 2, \"timeout_s\": 60,"
    "  \"attributes\": { \"skill\": { \"type\": \"number\" } }, \"rules\": ["
    "  { \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"skill\", \"max\": 50,"
    "    \"expand\": { \"linear\": { \"add\": 10, \"every_s\": 1 } } },"
    "  { \"name\": \"ping\", \"type\": \"region\", \"max_ms\": 60 }] }";

/* Why tickets wait: a ticket, a pair; names by hex, by number and by table; the moment moved by advance. */
static void explain(void) {
  evenmatch_engine engine = new_engine(0, 100);
  evenmatch_queue queue = add_queue(engine, PINGED);
  evenmatch_ticket_id a = submit_skill(engine, 0, queue, 21, 1500, "eu");
  evenmatch_ticket_id b = submit_skill(engine, 0, queue, 22, 1700, "eu");
  evenmatch_naming naming = EVENMATCH_NAMING_INIT;
  evenmatch_ticket_name names[2];
  char text[16384], hex[24];
  uint64_t bytes = 0, same = 0;
  names[0] = ticket_name(a, "ann's");
  names[1] = ticket_name(b, "bob's");
  naming.tickets = names;
  naming.ticket_count = 2;
  EXPECT_OK(evenmatch_engine_tick(engine, 1000, 0, NULL));
  EXPECT_OK(evenmatch_ticket_explain(engine, a, 3, NULL, text, sizeof text, &bytes));
  EXPECT(bytes == strlen(text) && strncmp(text, "{\"at\":1,\"explanation\":{\"ticket\":\"", 33) == 0);
  snprintf(hex, sizeof hex, "\"%016llx\"", (unsigned long long)a);
  EXPECT(strstr(text, hex) != NULL);
  snprintf(hex, sizeof hex, "\"%016llx\"", (unsigned long long)b);
  EXPECT(strstr(text, hex) != NULL && strstr(text, "\"queue\":\"pinged\"") != NULL);
  EXPECT_OK(evenmatch_ticket_explain(engine, a, 0, NULL, text, sizeof text, &bytes));
  EXPECT(strstr(text, hex) == NULL);
  EXPECT_OK(evenmatch_ticket_explain(engine, a, 3, &naming, text, sizeof text, &bytes));
  EXPECT(strstr(text, "\"ticket\":\"ann's\"") != NULL && strstr(text, "bob's") != NULL && strstr(text, hex) == NULL);
  EXPECT_STATUS(evenmatch_ticket_explain(engine, a, 3, &naming, text, bytes - 1, &same), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(same == bytes);
  EXPECT_STATUS(evenmatch_ticket_explain(engine, a, 3, &naming, NULL, 0, &same), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT_OK(evenmatch_engine_advance(engine, 2500));
  EXPECT_OK(evenmatch_pair_explain(engine, a, b, &naming, text, sizeof text, &bytes));
  EXPECT(bytes == strlen(text) && strncmp(text, "{\"at\":2.5,\"pair\":{\"ticket\":{\"ticket\":\"ann's\"", 44) == 0);
  EXPECT(strstr(text, "\"other\":{\"ticket\":\"bob's\"") != NULL && strstr(text, "\"between\":\"pair\"") != NULL);
  /* 200 apart, 50 and 10 a second more: at 15 s. */
  EXPECT(strstr(text, "\"skill\"") != NULL && strstr(text, "15") != NULL);

  EXPECT_STATUS(evenmatch_ticket_explain(engine, a + 1000, 3, NULL, text, sizeof text, &bytes), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_ticket_explain(engine, 0, 3, NULL, text, sizeof text, &bytes), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_pair_explain(engine, a, 0, NULL, text, sizeof text, &bytes), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_ticket_explain(engine, a, 3, NULL, text, sizeof text, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_ticket_explain(engine, a, 3, NULL, NULL, 9999, &bytes), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_pair_explain(engine, a, b, NULL, text, sizeof text, NULL), EVENMATCH_NULL_POINTER);
  naming.players_as = 9;
  EXPECT_STATUS(evenmatch_ticket_explain(engine, a, 3, &naming, text, sizeof text, &bytes), EVENMATCH_UNKNOWN_ENUM);
  naming.players_as = 0;
  naming.match_count = 1;
  EXPECT_STATUS(evenmatch_ticket_explain(engine, a, 3, &naming, text, sizeof text, &bytes), EVENMATCH_NULL_POINTER);
  naming.match_count = 0;
  names[1].reserved = 1;
  EXPECT_STATUS(evenmatch_pair_explain(engine, a, b, &naming, text, sizeof text, &bytes), EVENMATCH_INVALID_ARGUMENT);
  names[1].reserved = 0;
  names[1].text = "\xff";
  EXPECT_STATUS(evenmatch_pair_explain(engine, a, b, &naming, text, sizeof text, &bytes), EVENMATCH_INVALID_UTF8);
  naming.ticket_count = (uint64_t)1 << 32;
  EXPECT_STATUS(evenmatch_pair_explain(engine, a, b, &naming, text, sizeof text, &bytes), EVENMATCH_TOO_LARGE);
  naming.struct_size = 4;
  EXPECT_STATUS(evenmatch_pair_explain(engine, a, b, &naming, text, sizeof text, &bytes), EVENMATCH_STRUCT_SIZE);
  EXPECT_STATUS(evenmatch_engine_advance(engine, UINT64_MAX), EVENMATCH_INVALID_TIME);
  EXPECT_OK(evenmatch_engine_close(engine, 3000));
  EXPECT_STATUS(evenmatch_engine_advance(engine, 4000), EVENMATCH_ENGINE_CLOSED);
  EXPECT_OK(evenmatch_engine_free(engine));
}

static const char LISTED[] =
    "{ \"name\": \"listed\", \"players\": 2, \"timeout_s\": 60, \"regions\": [\"eu\", \"us\"],"
    "  \"rules\": [{ \"name\": \"ping\", \"type\": \"region\", \"max_ms\": 60 }] }";

/* 40 pairs that wait 2 s each, one starved ticket, one cancelled: the estimate, the activity, the counts, the text. */
static void counts(void) {
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  evenmatch_engine engine = 0;
  evenmatch_queue queue, listed;
  evenmatch_question question = EVENMATCH_QUESTION_INIT;
  evenmatch_estimate estimate = EVENMATCH_ESTIMATE_INIT;
  evenmatch_stats stats = EVENMATCH_STATS_INIT;
  evenmatch_activity activity[4] = {EVENMATCH_ACTIVITY_INIT};
  evenmatch_rule_activity rules[4] = {EVENMATCH_RULE_ACTIVITY_INIT};
  evenmatch_symbol regions[1];
  evenmatch_ticket_id id;
  uint64_t now = 0, count = 0, bytes = 0;
  uint32_t did = 7;
  static char text[65536];
  int i;
  config.capacity = 200;
  config.search_nodes = 3000;
  config.threads = 3;
  config.stats_slices = 6;
  config.stats_window_ms = 120000;
  EXPECT_OK(evenmatch_engine_new(&config, &engine));
  queue = add_queue(engine, PINGED);
  EXPECT_OK(evenmatch_queue_estimate(engine, queue, NULL, &estimate));
  EXPECT(estimate.flags == EVENMATCH_ESTIMATE_EVERY_REGION || estimate.flags == 0);
  EXPECT(estimate.p50_ms == EVENMATCH_NEVER && estimate.p90_ms == EVENMATCH_NEVER && estimate.samples == 0);
  submit_skill(engine, now, queue, 1, 9000, "us");
  id = submit_skill(engine, now, queue, 2, 5000, "us");
  for (i = 0; i < 40; i++) {
    submit_skill(engine, now, queue, (uint64_t)(100 + 2 * i), 1500 + i, "eu");
    EXPECT_OK(evenmatch_engine_tick(engine, now, 0, NULL));
    if (i == 0) {
      EXPECT_OK(evenmatch_ticket_cancel(engine, 1500, id, NULL));
    }
    submit_skill(engine, now + 1900, queue, (uint64_t)(101 + 2 * i), 1501 + i, "eu");
    now += 2000;
    EXPECT_OK(evenmatch_engine_tick(engine, now, 0, NULL));
  }
  EXPECT_OK(evenmatch_engine_help(engine, &did));
  EXPECT(did == 0);
  EXPECT_OK(evenmatch_engine_help(engine, NULL));

  EXPECT_OK(evenmatch_stats_read(engine, &stats));
  EXPECT(stats.submitted == 82 && stats.matched == 80 && stats.ended == 2 && stats.matches == 40);
  EXPECT(stats.ended_cancelled == 1 && stats.ended_timed_out == 1 && stats.ended_member_left == 0);
  EXPECT(stats.ended_queue_removed == 0 && stats.ended_engine_closed == 0 && stats.ended_matched_elsewhere == 0);
  EXPECT(stats.now_ms == 80000 && stats.search_nodes == 3000 && stats.retired_slots == 0);
  EXPECT(stats.window_ms == 120000 && stats.window_slices == 6 && stats.window_ticks == 80);
  EXPECT(stats.tick_steps_p99 >= stats.tick_steps_mean && stats.tick_steps_p99 > 0 && stats.last_tick_steps > 0);

  EXPECT_STATUS(evenmatch_activity_read(engine, queue, NULL, 0, &count), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(count == 3);
  EXPECT_OK(evenmatch_activity_read(engine, queue, activity, 4, &count));
  EXPECT(count == 3 && activity[0].region == 0 && is_text(engine, activity[1].region, "eu"));
  EXPECT(is_text(engine, activity[2].region, "us"));
  EXPECT(activity[0].tickets == 0 && activity[0].players == 0 && activity[0].oldest_age_ms == 0);
  EXPECT(activity[0].matches == 40 && activity[0].matched == 80 && activity[0].matched_players == 80);
  EXPECT(activity[0].cancelled == 1 && activity[0].timed_out == 1 && activity[0].starved == 1);
  EXPECT(activity[0].member_left == 0 && activity[0].queue_removed == 0 && activity[0].engine_closed == 0);
  EXPECT(activity[0].matched_elsewhere == 0 && activity[0].window_matched_elsewhere == 0);
  EXPECT(activity[0].window_matches == 40 && activity[0].window_matched == 80 && activity[0].window_matched_players == 80);
  EXPECT(activity[0].window_cancelled == 1 && activity[0].window_timed_out == 1 && activity[0].window_starved == 1);
  EXPECT(activity[0].window_member_left == 0 && activity[0].window_queue_removed == 0);
  EXPECT(activity[0].window_engine_closed == 0 && activity[0].wait_samples == 80 && activity[0].wait_mean_ms == 1050);
  EXPECT(activity[0].wait_p50_ms < 110 && activity[0].wait_p90_ms > 1900 && activity[0].wait_p99_ms > 1900);
  EXPECT(activity[1].matches == 40 && activity[1].timed_out == 0);
  EXPECT(activity[2].matches == 0 && activity[2].timed_out == 1 && activity[2].wait_mean_ms == EVENMATCH_NEVER);
  EXPECT_OK(evenmatch_rule_activity_read(engine, queue, rules, 4, &count));
  EXPECT(count == 3 && is_text(engine, rules[0].rule, "skill") && is_text(engine, rules[1].rule, "ping"));
  EXPECT(rules[2].rule == 0 && rules[2].excluded == 0 && rules[0].excluded > 0 && rules[0].pairs >= rules[0].excluded);
  EXPECT_STATUS(evenmatch_rule_activity_read(engine, queue, rules, 2, &count), EVENMATCH_BUFFER_TOO_SMALL);

  regions[0] = symbol(engine, "eu");
  question.flags = EVENMATCH_QUESTION_HAS_SKILL;
  question.skill = 1520;
  question.regions = regions;
  question.region_count = 1;
  EXPECT_OK(evenmatch_queue_estimate(engine, queue, &question, &estimate));
  EXPECT(estimate.flags == (EVENMATCH_ESTIMATE_KNOWN | EVENMATCH_ESTIMATE_HAS_BAND) && estimate.band == 50);
  EXPECT(estimate.samples == 80 && estimate.matched == 80 && estimate.seen_up_to_ms == 2000);
  EXPECT(estimate.p50_ms == 100 && estimate.p90_ms == 2000);

  EXPECT_OK(evenmatch_stats_prometheus(engine, text, sizeof text, &bytes));
  EXPECT(bytes == strlen(text) && strstr(text, "\nevenmatch_matched_tickets_total 80\n") != NULL);
  /* Nothing has been polled. */
  EXPECT(strstr(text, "\nevenmatch_unpolled_tickets 82\n") != NULL);
  EXPECT_STATUS(evenmatch_stats_prometheus(engine, text, 100, &bytes), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(bytes > 1000);

  EXPECT_STATUS(evenmatch_stats_prometheus(engine, text, 100, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_stats_prometheus(engine, NULL, sizeof text, &bytes), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_activity_read(engine, 0, activity, 4, &count), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_activity_read(engine, queue, activity, 4, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_activity_read(engine, queue, NULL, 4, &count), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_rule_activity_read(engine, 0, rules, 4, &count), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_rule_activity_read(engine, queue, rules, 4, NULL), EVENMATCH_NULL_POINTER);
  rules[0].struct_size = 3;
  EXPECT_STATUS(evenmatch_rule_activity_read(engine, queue, rules, 4, &count), EVENMATCH_STRUCT_SIZE);
  EXPECT_STATUS(evenmatch_queue_estimate(engine, 0, NULL, &estimate), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_queue_estimate(engine, queue, NULL, NULL), EVENMATCH_NULL_POINTER);
  question.skill = 1e300;
  EXPECT_STATUS(evenmatch_queue_estimate(engine, queue, &question, &estimate), EVENMATCH_OUT_OF_RANGE);
  question.flags = 2;
  EXPECT_STATUS(evenmatch_queue_estimate(engine, queue, &question, &estimate), EVENMATCH_INVALID_ARGUMENT);
  question.flags = 0;
  regions[0] = 9999;
  EXPECT_STATUS(evenmatch_queue_estimate(engine, queue, &question, &estimate), EVENMATCH_UNKNOWN_SYMBOL);
  /* A queue that lists its regions has no others; one that does not takes any. */
  regions[0] = symbol(engine, "mars");
  EXPECT_OK(evenmatch_queue_estimate(engine, queue, &question, &estimate));
  listed = add_queue(engine, LISTED);
  EXPECT_STATUS(evenmatch_queue_estimate(engine, listed, &question, &estimate), EVENMATCH_UNKNOWN_REGION);
  regions[0] = symbol(engine, "us");
  EXPECT_OK(evenmatch_queue_estimate(engine, listed, &question, &estimate));
  EXPECT(estimate.samples == 0 && (estimate.flags & EVENMATCH_ESTIMATE_KNOWN) == 0);
  question.regions = NULL;
  EXPECT_STATUS(evenmatch_queue_estimate(engine, queue, &question, &estimate), EVENMATCH_NULL_POINTER);
  EXPECT_OK(evenmatch_engine_free(engine));
  EXPECT_STATUS(evenmatch_engine_help(engine, &did), EVENMATCH_NOT_FOUND);

  /* A program of the first header: its shorter config does not have what follows. */
  config.struct_size = 24;
  config.threads = 58;
  EXPECT_OK(evenmatch_engine_new(&config, &engine));
  EXPECT_OK(evenmatch_engine_free(engine));
  config.struct_size = sizeof config;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_OUT_OF_RANGE);
  config.threads = 0;
  config.stats_slices = 61;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_OUT_OF_RANGE);
  config.stats_slices = 0;
  config.stats_window_ms = 9;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_OUT_OF_RANGE);
}

/* Each instruction set is taken as forced, or refused where the processor lacks it. */
static void instruction_sets(void) {
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  evenmatch_engine engine = 0;
  evenmatch_status status;
  uint32_t taken = 99, widest = 99;
  int available = 0;
  EXPECT_OK(evenmatch_engine_new(&config, &engine));
  EXPECT_OK(evenmatch_engine_simd(engine, &widest));
  EXPECT(widest != EVENMATCH_SIMD_AUTO && widest <= EVENMATCH_SIMD_NEON);
  EXPECT_STATUS(evenmatch_engine_simd(engine, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_OK(evenmatch_engine_free(engine));
  EXPECT_STATUS(evenmatch_engine_simd(engine, &taken), EVENMATCH_NOT_FOUND);
  EXPECT(taken == 99);
  for (config.simd = EVENMATCH_SIMD_SCALAR; config.simd <= EVENMATCH_SIMD_NEON; config.simd++) {
    status = evenmatch_engine_new(&config, &engine);
    if (status == EVENMATCH_OK) {
      EXPECT_OK(evenmatch_engine_simd(engine, &taken));
      EXPECT(taken == config.simd);
      EXPECT_OK(evenmatch_engine_free(engine));
      available++;
    } else {
      EXPECT(status == EVENMATCH_OUT_OF_RANGE);
      EXPECT(config.simd != EVENMATCH_SIMD_SCALAR && config.simd != widest);
    }
  }
  EXPECT(available >= 1);
  config.simd = EVENMATCH_SIMD_NEON + 1;
  EXPECT_STATUS(evenmatch_engine_new(&config, &engine), EVENMATCH_INVALID_ARGUMENT);
}

/* What was asked, as lines of a trace: whole lines only, none lost in small memory. */
static void record(void) {
  evenmatch_engine engine = new_engine(EVENMATCH_ENGINE_RECORD, 100), other = new_engine(0, 100);
  evenmatch_queue queue = add_queue(engine, PINGED);
  evenmatch_ticket_id a, ids[1];
  evenmatch_submitted again = EVENMATCH_SUBMITTED_INIT;
  evenmatch_naming naming = EVENMATCH_NAMING_INIT;
  evenmatch_ticket_name tickets[1], matches[1];
  evenmatch_player_name player = EVENMATCH_PLAYER_NAME_INIT;
  char text[8192], whole[8192] = "", *line;
  uint64_t bytes = 0, lines = 0, all = 0, used = 0, needed;
  a = submit_skill(engine, 1000, queue, 255, 1500, "eu");
  submit_skill(engine, 2000, queue, 17, 1510, "eu");
  EXPECT_OK(evenmatch_record_note(engine, 2500, "{\n\"build\": [7, 8] }", 19));
  EXPECT_STATUS(evenmatch_record_note(engine, 2500, "[1]", 3), EVENMATCH_INVALID_FORMAT);
  EXPECT_STATUS(evenmatch_record_note(engine, 2500, "{}, \"x\": 1", 10), EVENMATCH_INVALID_FORMAT);
  EXPECT_STATUS(evenmatch_record_note(engine, 2500, "{}}", 3), EVENMATCH_INVALID_FORMAT);
  EXPECT_STATUS(evenmatch_record_note(engine, 2500, NULL, 3), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_record_note(engine, 2500, "\xff", 1), EVENMATCH_INVALID_UTF8);
  EXPECT_STATUS(evenmatch_record_note(engine, UINT64_MAX, "{}", 2), EVENMATCH_INVALID_TIME);
  EXPECT_OK(evenmatch_engine_tick(engine, 3000, 77, NULL));
  EXPECT(poll_all(engine, &events) == 1 && events.events[0].id == a);
  ids[0] = a;
  EXPECT_OK(evenmatch_match_requeue(engine, 4000, a, ids, 1, &again, 1, NULL, 0, NULL));
  EXPECT_OK(evenmatch_ticket_cancel(engine, 5000, again.ticket, NULL));
  EXPECT_OK(evenmatch_engine_tick(engine, 6000, 0, NULL));

  tickets[0] = ticket_name(a, "ann's");
  matches[0] = ticket_name(a, "m1");
  player.id.lo = 255;
  player.text = "ann";
  player.text_bytes = 3;
  naming.tickets = tickets;
  naming.ticket_count = 1;
  naming.matches = matches;
  naming.match_count = 1;
  naming.players = &player;
  naming.player_count = 1;
  naming.players_as = EVENMATCH_NAMES_DECIMAL;
  EXPECT_STATUS(evenmatch_record_poll(engine, &naming, text, sizeof text, NULL, &lines), EVENMATCH_NULL_POINTER);
  naming.players_as = 3;
  EXPECT_STATUS(evenmatch_record_poll(engine, &naming, text, sizeof text, &bytes, &lines), EVENMATCH_UNKNOWN_ENUM);
  naming.players_as = EVENMATCH_NAMES_DECIMAL;
  /* Each time with the room that the first line needs, and no more. */
  for (;;) {
    evenmatch_status status = evenmatch_record_poll(engine, &naming, NULL, 0, &needed, &lines);
    if (status == EVENMATCH_OK) {
      EXPECT(needed == 0 && lines == 0);
      break;
    }
    EXPECT(status == EVENMATCH_BUFFER_TOO_SMALL && needed > 0);
    EXPECT_STATUS(evenmatch_record_poll(engine, &naming, text, needed - 1, &bytes, &lines), EVENMATCH_BUFFER_TOO_SMALL);
    EXPECT_STATUS(evenmatch_record_poll(engine, &naming, NULL, needed, &bytes, &lines), EVENMATCH_NULL_POINTER);
    EXPECT_OK(evenmatch_record_poll(engine, &naming, text, needed, &bytes, &lines));
    EXPECT(bytes == needed && lines == 1 && text[bytes - 1] == '\n');
    memcpy(whole + used, text, bytes);
    used += bytes;
    all++;
  }
  EXPECT(all == 7);
  line = strstr(whole, "{\"at\":1,\"submit\":");
  EXPECT(line == whole && strstr(line, "\"ann's\"") != NULL && strstr(line, "\"ann\"") != NULL && strstr(line, "\"17\"") != NULL);
  EXPECT(strstr(whole, "{\"at\":2.5,\"note\":{\"build\":[7,8]}}\n") != NULL);
  EXPECT(strstr(whole, "{\"at\":3,\"tick\":") != NULL && strstr(whole, "77") != NULL);
  EXPECT(strstr(whole, "{\"at\":4,\"requeue\":") != NULL && strstr(whole, "\"m1\"") != NULL);
  EXPECT(strstr(whole, "{\"at\":5,\"cancel\":") != NULL);

  submit_skill(engine, 7000, queue, 0xabcdef, 1500, "eu");
  EXPECT_OK(evenmatch_engine_tick(engine, 8000, 0, NULL));
  EXPECT_OK(evenmatch_record_poll(engine, NULL, text, sizeof text, &bytes, NULL));
  EXPECT(bytes == strlen(text) && strstr(text, "\"00000000000000000000000000abcdef\"") != NULL);
  EXPECT_OK(evenmatch_record_note(other, 1, "{}", 2));
  EXPECT_OK(evenmatch_engine_tick(other, 2, 0, NULL));
  EXPECT_OK(evenmatch_record_poll(other, NULL, text, sizeof text, &bytes, &lines));
  EXPECT(bytes == 0 && lines == 0);
  EXPECT_OK(evenmatch_engine_close(engine, 9000));
  EXPECT_STATUS(evenmatch_record_note(engine, 9000, "{}", 2), EVENMATCH_ENGINE_CLOSED);
  EXPECT_OK(evenmatch_record_poll(engine, NULL, text, sizeof text, &bytes, NULL));
  EXPECT_OK(evenmatch_engine_free(engine));
  EXPECT_OK(evenmatch_engine_free(other));
  EXPECT_STATUS(evenmatch_record_poll(engine, NULL, text, sizeof text, &bytes, NULL), EVENMATCH_NOT_FOUND);
}

/* Departures that meet a tick: each behind as many claims as it says, with an answer of its own. */
static void meeting(void) {
  evenmatch_engine engine = new_engine(EVENMATCH_ENGINE_CHECK_MATCHES, 100), gone;
  evenmatch_queue duel = add_queue(engine, "{ \"name\": \"duel\", \"players\": 2, \"timeout_s\": 60 }");
  evenmatch_departure all[6];
  const evenmatch_departure departure = EVENMATCH_DEPARTURE_INIT;
  evenmatch_tick_report report = EVENMATCH_TICK_REPORT_INIT;
  evenmatch_ticket_id tickets[8];
  int i;
  for (i = 0; i < 8; i++) {
    tickets[i] = submit_one(engine, 1, duel, (uint64_t)i + 1).ticket;
  }
  for (i = 0; i < 6; i++) {
    all[i] = departure;
    all[i].at_ms = 5;
    all[i].claims = 1;
    all[i].status = 77;
  }
  /* Of the match that has been made; of the one that is about to be; a player with his ticket, and with all of them; one who
   * is not in that ticket; and one behind the last claim. */
  all[0].ticket = tickets[0];
  all[1].ticket = tickets[2];
  all[2].flags = EVENMATCH_DEPARTURE_OF_PLAYER;
  all[2].ticket = tickets[3];
  all[2].player.lo = 4;
  all[3].flags = EVENMATCH_DEPARTURE_OF_PLAYER;
  all[3].player.lo = 6;
  all[4].flags = EVENMATCH_DEPARTURE_OF_PLAYER;
  all[4].ticket = tickets[6];
  all[4].player.lo = 5;
  all[5].claims = 1000;
  all[5].ticket = tickets[7];

  all[5].reserved = 1;
  EXPECT_STATUS(evenmatch_engine_tick_meeting(engine, 5, 0, all, 6, &report), EVENMATCH_INVALID_ARGUMENT);
  all[5].reserved = 0;
  all[5].flags = 2;
  EXPECT_STATUS(evenmatch_engine_tick_meeting(engine, 5, 0, all, 6, &report), EVENMATCH_INVALID_ARGUMENT);
  all[5].flags = 0;
  all[5].struct_size += 8;
  EXPECT_STATUS(evenmatch_engine_tick_meeting(engine, 5, 0, all, 6, &report), EVENMATCH_STRUCT_SIZE);
  all[5].struct_size -= 8;
  EXPECT_STATUS(evenmatch_engine_tick_meeting(engine, 5, 0, NULL, 6, &report), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_engine_tick_meeting(engine, 5, 0, all, UINT64_MAX, &report), EVENMATCH_TOO_LARGE);
  EXPECT_STATUS(evenmatch_engine_tick_meeting(engine, UINT64_MAX, 0, all, 6, &report), EVENMATCH_INVALID_TIME);
  EXPECT(all[0].status == 77 && all[5].status == 77 && report.matches == 0);

  /* 1-2 are a match; 3, 4 and 6 leave; 5-7 are the next; 8 leaves when all is done. */
  EXPECT_OK(evenmatch_engine_tick_meeting(engine, 5, 0, all, 6, &report));
  EXPECT(report.at_ms == 5 && report.matches == 2);
  EXPECT(all[0].status == EVENMATCH_ALREADY_MATCHED && all[1].status == EVENMATCH_OK && all[2].status == EVENMATCH_OK);
  EXPECT(all[3].status == EVENMATCH_OK && all[4].status == EVENMATCH_NOT_FOUND && all[5].status == EVENMATCH_OK);
  EXPECT_STATUS(evenmatch_ticket_cancel(engine, 6, tickets[4], NULL), EVENMATCH_ALREADY_MATCHED);
  EXPECT_STATUS(evenmatch_ticket_cancel(engine, 6, tickets[7], NULL), EVENMATCH_NOT_FOUND);
  EXPECT_OK(evenmatch_engine_tick_meeting(engine, 7, 0, NULL, 0, NULL));
  gone = engine;
  EXPECT_OK(evenmatch_engine_free(engine));
  EXPECT_STATUS(evenmatch_engine_tick_meeting(gone, 8, 0, all, 6, &report), EVENMATCH_NOT_FOUND);
}

/* A player in two queues: listed, left in one, matched in the other. */
static void many_queues(void) {
  evenmatch_engine engine = new_engine(EVENMATCH_ENGINE_MANY_QUEUES | EVENMATCH_ENGINE_CHECK_MATCHES, 100);
  evenmatch_queue duel = add_queue(engine, DUEL), third = 0;
  evenmatch_queue trio = add_queue(engine, "{ \"name\": \"trio\", \"players\": 3, \"timeout_s\": 60 }");
  evenmatch_player_id player = {0, 7};
  evenmatch_ticket_id found[4] = {0, 0, 0, 0}, a, b, c;
  uint64_t count = 9;
  EXPECT_OK(evenmatch_player_list(engine, &player, NULL, 0, &count));
  EXPECT(count == 0);
  third = add_queue(engine, "{ \"name\": \"third\", \"players\": 3, \"timeout_s\": 60 }");
  a = submit_one(engine, 1, trio, 7).ticket;
  b = submit_one(engine, 2, duel, 7).ticket;
  c = submit_one(engine, 3, third, 7).ticket;
  EXPECT(a != 0 && b != 0 && c != 0 && submit_one(engine, 3, duel, 7).status == EVENMATCH_PLAYER_ALREADY_QUEUED);
  EXPECT_STATUS(evenmatch_player_list(engine, &player, found, 2, &count), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(count == 3 && found[0] == 0);
  EXPECT_OK(evenmatch_player_list(engine, &player, found, 4, &count));
  EXPECT(count == 3 && found[0] == a && found[1] == b && found[2] == c);
  EXPECT_STATUS(evenmatch_player_list(engine, NULL, found, 4, &count), EVENMATCH_NULL_POINTER);
  EXPECT_STATUS(evenmatch_player_list(engine, &player, found, 4, NULL), EVENMATCH_NULL_POINTER);
  EXPECT_OK(evenmatch_ticket_leave(engine, 4, c, &player));
  EXPECT_STATUS(evenmatch_ticket_leave(engine, 4, c, &player), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_ticket_leave(engine, 4, 0, &player), EVENMATCH_NOT_FOUND);
  EXPECT_STATUS(evenmatch_ticket_leave(engine, 4, a, NULL), EVENMATCH_NULL_POINTER);
  EXPECT(submit_one(engine, 5, duel, 8).status == EVENMATCH_OK);
  EXPECT_OK(evenmatch_engine_tick(engine, 6, 0, NULL));
  EXPECT(poll_all(engine, &events) == 3);
  EXPECT(events.events[0].id == c && events.events[0].reason == EVENMATCH_ENDED_CANCELLED);
  EXPECT(events.events[1].kind == EVENMATCH_EVENT_MATCH && events.events[1].id == b);
  EXPECT(events.events[2].id == a && events.events[2].reason == EVENMATCH_ENDED_MATCHED_ELSEWHERE);
  EXPECT_OK(evenmatch_engine_free(engine));
}

int main(void) {
  versions();
  one_match();
  queues();
  echo();
  json();
  sources();
  explain();
  counts();
  instruction_sets();
  record();
  meeting();
  many_queues();
  return 0;
}
