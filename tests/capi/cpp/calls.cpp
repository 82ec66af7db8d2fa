// Every call of the C++ layer with values that differ from one another, and what comes back read: the
// scenarios of calls.c, in the words of evenmatch.hpp.
#include "expect.hpp"

#include <type_traits>
#include <unordered_set>

using evenmatch::player_id;
using evenmatch::queue_id;
using evenmatch::symbol;
using evenmatch::ticket_id;

static_assert(!std::is_copy_constructible_v<evenmatch::engine> && std::is_nothrow_move_constructible_v<evenmatch::engine>);
static_assert(!std::is_convertible_v<queue_id, ticket_id> && !std::is_convertible_v<std::uint64_t, ticket_id>);
static_assert(std::is_trivially_copyable_v<evenmatch::error> && std::is_trivially_copyable_v<evenmatch::event>);

static void versions() {
  EXPECT_OK(evenmatch::abi_fits());
  EXPECT(evenmatch::abi_version() == EVENMATCH_ABI_VERSION);
  EXPECT_CODE(evenmatch::abi_accepts(EVENMATCH_ABI_VERSION + 1), EVENMATCH_ABI_MISMATCH);
  EXPECT(evenmatch::last_error() == "the caller has version 2, this library 1");
  EXPECT(std::string(evenmatch::build()).find(evenmatch::version()) != std::string::npos);
  EXPECT(std::string(evenmatch::status_text(EVENMATCH_QUEUE_FULL)) == "QUEUE_FULL");
  EXPECT(std::string(evenmatch::status_text(1)) == "UNKNOWN");
  EXPECT(std::string(evenmatch::end_reason_text(EVENMATCH_ENDED_TIMED_OUT)) == "TIMED_OUT");
  EXPECT(std::string(evenmatch::unmatchable_text(EVENMATCH_UNMATCHABLE_NO_REGION)) == "NO_REGION");
  EXPECT(std::unordered_set<player_id>({player_id(1), player_id(1), player_id(1, 0)}).size() == 2);
  EXPECT(player_id(7) == player_id(0, 7) && player_id(7) != player_id(7, 0) && player_id(9) < player_id(1, 0));
}

// Two parties of two, one with a list, a text and a kept attribute; matched, requeued, updated, cancelled.
static void one_match() {
  evenmatch::engine engine = new_engine(EVENMATCH_ENGINE_CHECK_MATCHES, 1000);
  const queue_id queue = taken(engine.add_queue(ranked_json));
  const symbol skill = taken(engine.resolve("skill")), mode = taken(engine.resolve("mode"));
  const symbol maps = taken(engine.resolve("maps")), clan = taken(engine.resolve("clan"));
  const symbol eu = taken(engine.resolve("eu")), us = taken(engine.resolve("us"));
  const symbol koth = taken(engine.resolve("koth")), dust = taken(engine.resolve("dust"));
  const symbol nuke = taken(engine.resolve("nuke"));
  EXPECT(skill != mode && eu != us && taken(engine.resolve("skill")) == skill && taken(engine.text(koth)) == "koth");
  EXPECT(taken(engine.find_queue("ranked")) == queue && taken(engine.queues()) == std::vector<queue_id>{queue});

  evenmatch::batch batch;
  batch.ticket(queue, 71).ping(eu, 20.5).ping(us, 21.5);
  batch.player(player_id(9, 41)).number(skill, 1500.25).string(mode, koth).list(maps, {dust, nuke});
  batch.player(player_id(9, 42)).number(skill, 1500.25).list(maps, {dust, nuke});
  batch.ticket(queue, 72).timeout_ms(90000).enqueued_ms(3000).max_ping_ms(55.5).accept_regions({eu});
  batch.limit(skill, 1400, 1600).await_player(player_id(9, 44));
  batch.player(player_id(9, 43)).ping(eu, 22.5).number(skill, 1510).string(mode, "koth").json(clan, "[1,2]");
  EXPECT(batch.size() == 2 && batch.is_sound());
  evenmatch::receipts receipts;
  EXPECT_OK(engine.submit(5000, batch, receipts));
  EXPECT(receipts.size() == 2 && receipts.accepted() == 2 && receipts[0] && receipts[1]);
  const ticket_id first = receipts[0].ticket(), second = receipts[1].ticket();
  EXPECT(first != second && first != ticket_id{} && receipts[0].error().other == ticket_id{});

  // The second one still lacks a member.
  EXPECT(taken(engine.read(second)).now.state == EVENMATCH_STATE_FORMING);
  evenmatch::batch joining;
  joining.player(player_id(9, 44)).ping(eu, 19.5).number(skill, 1510).json(clan, "[1,2]");
  EXPECT(joining.empty());
  EXPECT(taken(engine.join(6000, second, joining)) == 0);
  {
    const evenmatch::ticket_state state = taken(engine.read(first));
    EXPECT(state.now.state == EVENMATCH_STATE_QUEUED && state.now.age_ms == 1000 && state.queue() == queue);
    EXPECT(state.windows.size() == 4 && taken(engine.text(symbol{state.windows[0].rule})) == "skill");
    EXPECT(state.windows[0].greatest == 50 && state.match() == ticket_id{});
    EXPECT(state.regions.size() == 2 && state.regions[1].region == raw(us) && state.regions[1].round_trip_ms == 21.5);
  }
  EXPECT(taken(engine.next_due()) == 6001);
  EXPECT(taken(engine.find(player_id(9, 44))) == second);

  const evenmatch_tick_report report = taken(engine.tick(7000));
  EXPECT(report.at_ms == 7000 && report.matches == 1 && report.is_complete == 1);
  // Room for one event of one player: the memory grows to what the match needs.
  evenmatch::events events(1, 1);
  EXPECT_OK(engine.poll(events));
  EXPECT(events.size() == 1);
  const evenmatch::event match = events[0];
  EXPECT(match.is_match() && !match.is_end() && match.at_ms() == 7000 && match.queue() == queue && match.region() == eu);
  EXPECT(match.reason() == 0 && match.attempts() == 0 && match.is_exhaustive() && match.cost() > 0);
  EXPECT(match.skill_spread() == 9.75 && match.team_difference() == 9.75);
  EXPECT(match.ping_worst_ms() == 22.5 && match.ping_mean_ms() == 21.5 && !match.is_update_lost());
  EXPECT(match.tickets().size() == 2 && match.players().size() == 4 && match.echo() == R"({"map":7})");
  EXPECT(match.regions().size() == 1 && match.regions()[0] == eu);
  EXPECT(match.attributes().size() == 2);
  for (evenmatch::kept kept : match.attributes()) {
    EXPECT(kept.name() == "clan" && kept.json() == "[1,2]" && kept.player().lo >= 43);
  }
  std::size_t teams = 0, players = 0;
  for (evenmatch::team team : match.teams()) {
    EXPECT(taken(engine.text(team.name())) == (teams == 0 ? "red" : "blue"));
    EXPECT(team.tickets().size() == 1);
    const evenmatch::matched ticket = team.tickets()[0];
    const bool is_first = ticket.ticket() == first;
    EXPECT(ticket.user_data() == (is_first ? 71u : 72u) && ticket.ping_ms() == (is_first ? 20.5 : 22.5));
    EXPECT(ticket.team() == teams && ticket.attempts() == 0 && !ticket.is_update_lost());
    std::uint64_t expected = is_first ? 41 : 43;
    for (player_id player : team.players()) {
      EXPECT(player == player_id(9, expected++));
      players++;
    }
    teams++;
  }
  EXPECT(teams == 2 && players == 4);
  EXPECT(taken(engine.read(first)).match() == match.id());

  // The match came to nothing: both go back; the first party is superseded after that.
  EXPECT_OK(engine.requeue(8000, match.id(), {first, second}, receipts));
  EXPECT(receipts.accepted() == 2 && receipts[0].ticket() != first);
  const ticket_id again = receipts[0].ticket(), other = receipts[1].ticket();
  EXPECT_OK(engine.requeue(8000, match.id(), {first}, receipts));
  EXPECT(receipts.accepted() == 0 && receipts[0].code() == EVENMATCH_SUPERSEDED && !receipts[0]);
  EXPECT(receipts[0].error().other == again && !receipts[0].detail().empty());

  // Too far apart now.
  evenmatch::batch change;
  change.ticket(queue).ping(eu, 20).player(player_id(9, 41)).number(skill, 1900);
  EXPECT_OK(engine.update(8500, again, EVENMATCH_UPDATE_ATTRIBUTES | EVENMATCH_UPDATE_PINGS, change));
  EXPECT(taken(engine.tick(9000)).matches == 0);
  EXPECT_OK(engine.cancel(9100, again));
  EXPECT(taken(engine.leave(9200, player_id(9, 43))) == other);
  evenmatch::events rest;
  EXPECT_OK(engine.poll(rest));
  EXPECT(rest.size() == 2 && rest[0].is_end() && rest[0].reason() == EVENMATCH_ENDED_CANCELLED);
  EXPECT(rest[0].user_data() == 71 && rest[0].id() == again && rest[0].at_ms() == 9100);
  EXPECT(std::string(rest[1].reason_text()) == "PARTY_MEMBER_LEFT" && rest[1].user_data() == 72);
  EXPECT_OK(engine.poll(rest));
  EXPECT(rest.empty() && rest.begin() == rest.end());
}

// Suspend, resume, remove, regions, stats, timeouts, close.
static void queues() {
  evenmatch::engine engine = new_engine(0, 100);
  const queue_id duel = taken(engine.add_queue(duel_json)), ranked = taken(engine.add_queue(ranked_json));
  EXPECT(duel != ranked && taken(engine.queues()).size() == 2);
  EXPECT_OK(engine.suspend(10, duel));
  EXPECT_CODE(engine.submit_one(10, one_player(duel, 1)), EVENMATCH_QUEUE_SUSPENDED);
  EXPECT_OK(engine.resume(20, duel));
  const ticket_id ticket = taken(engine.submit_one(20, one_player(duel, 1)));
  EXPECT(engine.submit_one(30, one_player(duel, 1)).error().other == ticket);
  EXPECT_OK(engine.tick(40, 1));
  EXPECT(taken(engine.next_due()) == 60020);
  const evenmatch_stats stats = taken(engine.stats());
  EXPECT(stats.capacity == 100 && stats.submitted == 1 && stats.refused == 2 && stats.waiting == 1);
  const evenmatch::queue_stats of_duel = taken(engine.stats(duel));
  EXPECT(of_duel.now.tickets == 1 && of_duel.now.oldest_age_ms == 20 && of_duel.regions.empty());
  EXPECT(taken(engine.text(symbol{of_duel.now.name})) == "duel");
  const symbol eu = taken(engine.resolve("eu"));
  EXPECT_OK(engine.set_region(50, eu, false));
  EXPECT_OK(engine.set_region(50, eu, true));
  EXPECT_OK(engine.tick(60020));
  evenmatch::events events;
  EXPECT_OK(engine.poll(events));
  EXPECT(events.size() == 1 && events[0].reason() == EVENMATCH_ENDED_TIMED_OUT && events[0].user_data() == 1001);
  EXPECT(taken(engine.next_due()) == EVENMATCH_NEVER);

  EXPECT_OK(engine.submit_one(60030, one_player(duel, 2)));
  EXPECT_OK(engine.remove(60040, duel));
  EXPECT_CODE(engine.find_queue("duel"), EVENMATCH_UNKNOWN_QUEUE);
  EXPECT_CODE(engine.submit_one(60050, one_player(duel, 3)), EVENMATCH_NOT_FOUND);
  EXPECT_OK(engine.tick(60060));
  EXPECT_OK(engine.poll(events));
  EXPECT(events.size() == 1 && events[0].reason() == EVENMATCH_ENDED_QUEUE_REMOVED && events[0].queue() == duel);

  EXPECT_OK(engine.close(60070));
  EXPECT_CODE(engine.tick(60080), EVENMATCH_ENGINE_CLOSED);
  EXPECT(taken(engine.stats()).ended == 2);
}

// Arrays of the host's own, and an engine that echoes.
static void echo() {
  evenmatch::engine engine = new_engine(EVENMATCH_ENGINE_ECHO, 100);
  const queue_id duel = taken(engine.add_queue(duel_json));
  evenmatch_player player = EVENMATCH_PLAYER_INIT;
  evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
  evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  player.id.lo = 31;
  ticket.queue = raw(duel);
  ticket.player_count = 1;
  batch.players = &player;
  batch.player_count = 1;
  batch.tickets = &ticket;
  batch.ticket_count = 1;
  evenmatch::receipts receipts(0);
  EXPECT_OK(engine.submit(5, batch, receipts));
  EXPECT(receipts.size() == 1);
  for (evenmatch::receipt receipt : receipts) {
    EXPECT(receipt && receipt.code() == EVENMATCH_OK && receipt.detail().empty());
  }
  evenmatch::events events;
  EXPECT_OK(engine.poll(events));
  EXPECT(events.size() == 1 && events[0].id() == receipts[0].ticket());
  EXPECT(events[0].players()[0] == player_id(31) && events[0].region() == symbol{} && !events[0].ping_mean_ms());
}

// Tickets as text, and texts of queues with their faults.
static void json() {
  evenmatch::engine engine = new_engine(0, 100);
  EXPECT_OK(engine.add_queue(R"({ "name": "duel", "players": { "min": 2, "max": 3 }, "party": { "max": 2 },
      "attributes": { "skill": { "type": "number" } }, "timeout_s": 60,
      "rules": [{ "name": "skill", "type": "difference", "attribute": "skill", "max": 50 }] })"));
  evenmatch::json_request native(R"({ "queue": "duel", "players": [{ "id": "ann", "attributes": { "skill": 1510 } }] })");
  EXPECT_CODE(engine.submit(1, native), EVENMATCH_UNKNOWN_SYMBOL);
  const ticket_id ann = taken(engine.submit(1, native.name("ann", player_id(3, 4))));
  EXPECT(taken(engine.find(player_id(3, 4))) == ann);
  const evenmatch::json_request playfab(
      R"({ "QueueName": "duel", "GiveUpAfterSeconds": 30, "Creator": { "Entity": { "Id": "AB01",
           "Type": "title_player_account" }, "Attributes": { "DataObject": { "skill": 1520 } } },
           "MembersToMatchWith": [{ "Id": "AB02", "Type": "title_player_account" }] })",
      EVENMATCH_NAMES_HEX);
  const ticket_id party = taken(engine.submit(2, playfab));
  const evenmatch::json_request joining(R"({ "id": "AB02", "attributes": { "skill": 1500 } })", EVENMATCH_NAMES_HEX);
  EXPECT(taken(engine.join(3, party, joining)) == 0);
  EXPECT(taken(engine.tick(4)).matches == 1);
  EXPECT_CODE(engine.submit(5, evenmatch::json_request(R"({ "queue": 7 })")), EVENMATCH_INVALID_FORMAT);

  evenmatch::queue_report report;
  const char wrong[] = "{ \"name\": \"x\",\n  \"players\": 2,\n  \"rulez\": [], \"timeout_s\": \"soon\" }";
  EXPECT_CODE(engine.add_queue(wrong, &report), EVENMATCH_INVALID_QUEUE);
  EXPECT(report.error_count == 2 && report.line == 3 && report.column == 3 && report.warning_count == 0);
  EXPECT(report.text.rfind("3:3: rulez: found ", 0) == 0);
  const char playfab_queues[] =
      R"([ { "MatchmakingQueue": { "Name": "one", "MinMatchSize": 2, "MaxMatchSize": 2, "Rules": [] } },
           { "MatchmakingQueue": { "Name": "two", "MinMatchSize": 2, "MaxMatchSize": 4, "Rules": [] } } ])";
  evenmatch::queue_options options;
  options.total_windows = EVENMATCH_AGE_NEWEST;
  EXPECT_CODE(engine.add_queue(playfab_queues, &report, options), EVENMATCH_BUFFER_TOO_SMALL);
  EXPECT(taken(engine.add_queues(playfab_queues, &report, options)).size() == 2);
  EXPECT_CODE(engine.add_queues(playfab_queues), EVENMATCH_QUEUE_EXISTS);
  options.format = EVENMATCH_FORMAT_NATIVE;
  EXPECT_CODE(engine.add_queues(playfab_queues, nullptr, options), EVENMATCH_INVALID_QUEUE);
}

// What the engine says when asked: why, how long, what became of tickets, and what was asked of it.
static void questions() {
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  config.flags = EVENMATCH_ENGINE_RECORD;
  config.capacity = 100;
  config.threads = 2;
  config.stats_window_ms = 60000;
  config.stats_slices = 3;
  config.simd = EVENMATCH_SIMD_SCALAR;
  evenmatch::engine engine = taken(evenmatch::engine::make(config));
  EXPECT(taken(engine.simd()) == EVENMATCH_SIMD_SCALAR);
  const queue_id queue = taken(engine.add_queue(duel_json));
  const symbol skill = taken(engine.resolve("skill")), eu = taken(engine.resolve("eu"));
  evenmatch::batch batch;
  batch.ticket(queue, 1).player(player_id(41)).number(skill, 1500);
  batch.ticket(queue, 2).player(player_id(42)).number(skill, 1700);
  batch.ticket(queue, 3).player(player_id(43)).number(skill, 1510);
  evenmatch::receipts receipts;
  EXPECT_OK(engine.submit(1000, batch, receipts));
  EXPECT_OK(engine.note(1500, R"({"build": 7})"));
  EXPECT_CODE(engine.note(1500, "7"), EVENMATCH_INVALID_FORMAT);
  EXPECT_OK(engine.tick(2000));
  EXPECT(!taken(engine.help()));
  EXPECT_OK(engine.advance(2500));
  const ticket_id ann = receipts[0].ticket(), bob = receipts[1].ticket();
  evenmatch::naming names;
  names.ticket(ann, "ann's").ticket(bob, "bob's").match(ann, "m1").player(player_id(41), "ann");
  names.players_as(EVENMATCH_NAMES_DECIMAL);
  EXPECT(taken(engine.explain(bob)).rfind("{\"at\":2.5,\"explanation\":", 0) == 0);
  EXPECT(taken(engine.explain(bob, 3, names)).find("\"ticket\":\"bob's\"") != std::string::npos);
  EXPECT(taken(engine.explain_pair(ann, bob, names)).rfind("{\"at\":2.5,\"pair\":", 0) == 0);
  EXPECT_CODE(engine.explain(ticket_id{}), EVENMATCH_NOT_FOUND);
  EXPECT_CODE(engine.explain_pair(ann, ticket_id{}), EVENMATCH_NOT_FOUND);
  EXPECT(taken(engine.estimate(queue)).samples == 3);
  EXPECT(taken(engine.estimate(queue, 1500, {eu})).p50_ms == EVENMATCH_NEVER);
  EXPECT_CODE(engine.estimate(queue_id{}), EVENMATCH_NOT_FOUND);
  const auto activity = taken(engine.activity(queue));
  EXPECT(activity.size() == 1 && activity[0].matched == 2 && activity[0].tickets == 1 && activity[0].wait_mean_ms == 1000);
  const auto rules = taken(engine.rule_activity(queue));
  EXPECT(rules.size() == 2 && taken(engine.text(symbol{rules[0].rule})) == "skill" && rules[1].rule == 0);
  EXPECT_CODE(engine.activity(queue_id{}), EVENMATCH_NOT_FOUND);
  EXPECT_CODE(engine.rule_activity(queue_id{}), EVENMATCH_NOT_FOUND);
  EXPECT(taken(engine.stats()).now_ms == 2500 && taken(engine.stats()).window_slices == 3);
  EXPECT(taken(engine.prometheus()).find("\nevenmatch_matches_total 1\n") != std::string::npos);
  std::string lines = "kept\n";
  EXPECT(taken(engine.record(lines, names)) == 5 && taken(engine.record(lines)) == 0);
  EXPECT(lines.rfind("kept\n{\"at\":1,\"submit\":", 0) == 0 && lines.find("\"ann\"") != std::string::npos);
  EXPECT(lines.find("{\"at\":1.5,\"note\":{\"build\":7}}\n") != std::string::npos);
  EXPECT(taken(engine.tickets_of(player_id(42))) == std::vector<ticket_id>{bob});
  EXPECT_OK(engine.leave(3000, player_id(42), bob));
  EXPECT_CODE(engine.leave(3000, player_id(42), bob), EVENMATCH_NOT_FOUND);
  EXPECT(taken(engine.tickets_of(player_id(42))).empty());
  names.players_as(9);
  EXPECT_CODE(engine.record(lines, names), EVENMATCH_UNKNOWN_ENUM);
}

// A departure that meets a tick behind its first match, and one that comes too late.
static void meeting() {
  evenmatch::engine engine = new_engine(0, 10);
  const queue_id queue = taken(engine.add_queue("{ \"name\": \"duel\", \"players\": 2, \"timeout_s\": 60 }"));
  std::vector<ticket_id> tickets;
  for (std::uint64_t player = 1; player <= 4; player++) {
    evenmatch::batch batch;
    batch.ticket(queue).player(player_id(player));
    tickets.push_back(taken(engine.submit_one(1, batch)));
  }
  std::vector<evenmatch_departure> departures(2, EVENMATCH_DEPARTURE_INIT);
  for (std::size_t at = 0; at < 2; at++) {
    departures[at].at_ms = 5;
    departures[at].claims = 1;
    departures[at].ticket = raw(tickets[3 * at]);
  }
  const evenmatch_tick_report report = taken(engine.tick_meeting(5, departures));
  EXPECT(report.matches == 1 && departures[0].status == EVENMATCH_ALREADY_MATCHED);
  EXPECT(departures[1].status == EVENMATCH_OK);
  departures[0].reserved = 1;
  EXPECT_CODE(engine.tick_meeting(6, departures), EVENMATCH_INVALID_ARGUMENT);
}

int main() {
  versions();
  one_match();
  queues();
  echo();
  json();
  questions();
  meeting();
  const std::string layout = taken(evenmatch::layout());
  EXPECT(layout.find("evenmatch_ticket.queue 8 8\n") != std::string::npos);
  return 0;
}
