// The core of the Unreal plugin, compiled and run without Unreal, and under the macros that Unreal defines.
#define check(x) no_check(x)
#define verify(x) no_verify(x)
#define ensure(x) no_ensure(x)
#define TEXT(x) L##x
#define None 0
#include "EvenmatchCore.h"
#undef None

#include "expect.hpp"

using Evenmatch::FCore;
using Evenmatch::FEstimate;
using Evenmatch::FEvent;
using Evenmatch::FPlayer;
using Evenmatch::FPlayerId;
using Evenmatch::FTicket;

static FTicket ticket(const char* queue, std::uint64_t player, double skill) {
  FPlayer one;
  one.Id = FPlayerId(player);
  one.Numbers.emplace_back("skill", skill);
  FTicket made;
  made.Queue = queue;
  made.Players.push_back(one);
  made.UserData = player + 100;
  return made;
}

// A ticket as it stands in texts of the engine.
static std::string text_of(std::uint64_t id) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "\"%016llx\"", static_cast<unsigned long long>(id));
  return digits;
}

// What needs an engine says so before there is one and after it has gone.
static void not_running() {
  FCore core;
  std::string error;
  std::uint64_t id = 0;
  std::vector<FEvent> events(3);
  EXPECT(!core.IsRunning() && !core.AddQueues(duel_json, error) && !error.empty());
  EXPECT(!core.Submit(1, ticket("duel", 1, 1500), id, error) && !core.Cancel(1, 1, error) && id == 0);
  EXPECT(!core.Leave(1, FPlayerId(1), error) && !core.SubmitJson(1, "{}", id, error));
  EXPECT(!core.SetRegion(1, "eu", true, error) && !core.Suspend(1, "duel", error));
  std::string text = "as it was";
  FEstimate estimate;
  EXPECT(!core.Explain(1, 1, 5, text, error) && !core.ExplainPair(1, 1, 2, text, error) && text == "as it was");
  EXPECT(!core.Estimate("duel", {}, {}, estimate, error) && !core.TakeRecord(text, error));
  EXPECT(text.empty() && !core.Note(1, "{}", error));
  EXPECT(core.Tick([] { return 1.0; }, 1, error) && core.Poll(events, error) && events.empty());
  EXPECT(core.Stats().submitted == 0);
  EXPECT(core.Start(10, {100}, error) && core.IsRunning());
  core.Stop();
  core.Stop();
  EXPECT(!core.IsRunning() && !core.AddQueues(duel_json, error));
  EXPECT(!core.Start(10, {0xffffffffu}, error) && error.rfind("OUT_OF_RANGE", 0) == 0 && !core.IsRunning());
}

static void two_players() {
  FCore core;
  std::string error;
  double now = 500.5;
  const auto clock = [&now] { return now; };
  EXPECT(core.Start(now, {100}, error));
  EXPECT(!core.AddQueues("{ \"name\": \"x\",\n \"playerz\": 2 }", error) && error.find("2:2: ") != std::string::npos);
  EXPECT(core.AddQueues(ranked_json, error) && core.AddQueues(duel_json, error));
  EXPECT(!core.AddQueues(duel_json, error) && error.rfind("QUEUE_EXISTS", 0) == 0);

  FTicket party = ticket("ranked", 1, 1500), other = ticket("ranked", 3, 1510);
  party.Players.push_back(party.Players[0]);
  party.Players[1].Id = FPlayerId(2);
  party.Players[0].Strings.emplace_back("mode", "koth");
  party.Players[0].Lists.emplace_back("maps", std::vector<std::string>{"dust", "nuke"});
  party.Players[1].Lists = party.Players[0].Lists;
  party.Pings = {{"eu", 20.5}, {"us", 30.5}};
  other.Players.push_back(other.Players[0]);
  other.Players[1].Id = FPlayerId(4);
  other.Pings = {{"eu", 25}};
  other.TimeoutSeconds = 7;
  std::uint64_t first = 0, second = 0, third = 0;
  EXPECT(core.Submit(now, party, first, error) && first != 0);
  now += 2;
  EXPECT(core.Submit(now, other, second, error) && second != first);
  EXPECT(!core.Submit(now, other, third, error) && error.rfind("PLAYER_ALREADY_QUEUED: ", 0) == 0 && third == 0);
  EXPECT(!core.Submit(now, ticket("nowhere", 9, 1), third, error) && error.rfind("UNKNOWN_QUEUE", 0) == 0);
  std::int32_t state = 0;
  double wait = 0;
  EXPECT(core.Read(first, state, wait, error) && state == EVENMATCH_STATE_QUEUED);
  now += 0.5;
  EXPECT(core.Tick(clock, 0.5, error));
  std::vector<FEvent> events;
  EXPECT(core.Poll(events, error) && events.size() == 1 && events[0].bIsMatch);
  const Evenmatch::FMatch& match = events[0].Match;
  EXPECT(match.Id == first && match.Queue == "ranked" && match.Region == "eu" && match.Cost > 0);
  EXPECT(match.Teams.size() == 2 && match.Teams[0].Name == "red" && match.Teams[1].Name == "blue");
  EXPECT(match.Teams[0].Tickets.size() == 1 && match.Teams[0].Players.size() == 2);
  for (const Evenmatch::FTeam& team : match.Teams) {
    const bool is_first = team.Tickets[0].Ticket == first;
    EXPECT(team.Tickets[0].UserData == (is_first ? 101u : 103u));
    EXPECT(team.Tickets[0].PingMs == (is_first ? 20.5 : 25) && team.Tickets[0].WaitSeconds == (is_first ? 2.5 : 0.5));
    EXPECT(team.Players[1] == FPlayerId(is_first ? 2 : 4));
  }
  EXPECT(!core.Cancel(now, first, error) && error.rfind("ALREADY_MATCHED", 0) == 0);

  // Ends: one cancelled, one whose player left, one timed out, one whose queue was removed, in the order of
  // the calls.
  EXPECT(core.Submit(now, ticket("duel", 11, 1000), first, error) && core.Cancel(now, first, error));
  EXPECT(core.Submit(now, ticket("duel", 12, 1000), second, error) && core.Leave(now, FPlayerId(12), error));
  FTicket brief = ticket("duel", 13, 1000);
  brief.TimeoutSeconds = 3;
  EXPECT(core.Submit(now, brief, third, error) && core.Tick(clock, 0, error));
  now += 3;
  EXPECT(core.Tick(clock, 0, error) && core.Poll(events, error) && events.size() == 3);
  EXPECT(!events[0].bIsMatch && events[0].Ended.Reason == EVENMATCH_ENDED_CANCELLED && events[0].Ended.Ticket == first);
  EXPECT(events[0].Ended.UserData == 111 && events[0].Ended.Queue == "duel");
  EXPECT(events[1].Ended.Reason == EVENMATCH_ENDED_CANCELLED && events[1].Ended.Ticket == second);
  EXPECT(events[2].Ended.Reason == EVENMATCH_ENDED_TIMED_OUT && events[2].Ended.Ticket == third);
  EXPECT(core.Suspend(now, "duel", error));
  EXPECT(!core.Submit(now, ticket("duel", 14, 1), first, error) && error.rfind("QUEUE_SUSPENDED", 0) == 0);
  EXPECT(core.Resume(now, "duel", error) && core.Submit(now, ticket("duel", 14, 1), first, error));
  EXPECT(core.SetRegion(now, "eu", false, error) && core.Remove(now, "duel", error));
  EXPECT(!core.Suspend(now, "duel", error));
  now += 1;
  EXPECT(core.Tick(clock, 1, error) && core.Poll(events, error) && events.size() == 1);
  EXPECT(events[0].Ended.Reason == EVENMATCH_ENDED_QUEUE_REMOVED && events[0].Ended.Queue == "duel");
  EXPECT(core.Stats().submitted == 6 && core.Stats().waiting == 0);

  // With nothing to come the matchmaker is not even asked.
  const std::uint64_t ticks = core.Stats().ticks;
  now += 100;
  EXPECT(core.Tick(clock, 1, error) && core.Stats().ticks == ticks);
}

// A ticket as text, and an engine that echoes.
static void echo() {
  FCore core;
  std::string error;
  std::uint64_t id = 0;
  std::vector<FEvent> events;
  EXPECT(core.Start(0, {100, true}, error) && core.AddQueues(duel_json, error));
  EXPECT(core.SubmitJson(1, R"({ "queue": "duel", "players": [{ "id": "00000000-0000-0007-0000-000000000009" }] })", id, error));
  EXPECT(core.Poll(events, error) && events.size() == 1 && events[0].Match.Id == id);
  EXPECT(events[0].Match.Teams[0].Players[0] == FPlayerId(7, 9) && events[0].Match.Teams[0].Name == "all");
  EXPECT(!core.SubmitJson(1, "{", id, error) && error.rfind("INVALID_FORMAT", 0) == 0);
}

// Why tickets wait, now and not at the last tick; how long others had to.
static void questions() {
  FCore core;
  std::string error, text;
  double now = 10;
  const auto clock = [&now] { return now; };
  std::uint64_t first = 0, second = 0;
  std::vector<FEvent> events;
  EXPECT(core.Start(now, {100}, error) && core.AddQueues(R"({ "name": "listed", "players": 2, "timeout_s": 100,
    "attributes": { "skill": { "type": "number" } }, "regions": ["eu", "us"], "rules": [
    { "name": "skill", "type": "difference", "attribute": "skill", "max": 50,
      "expand": { "linear": { "add": 10, "every_s": 1 } } },
    { "name": "ping", "type": "region", "max_ms": 60 }] })", error));
  FTicket low = ticket("listed", 1, 1500), high = ticket("listed", 2, 1600);
  low.Pings = {{"eu", 20}};
  high.Pings = {{"eu", 30}};
  EXPECT(core.Submit(now, low, first, error) && core.Submit(now, high, second, error));
  EXPECT(core.Tick(clock, 0, error) && core.Poll(events, error) && events.empty());
  now += 2.5;
  EXPECT(core.Explain(now, first, 5, text, error) && text.rfind("{\"at\":2.5,\"explanation\":{", 0) == 0);
  EXPECT(text.find("{\"ticket\":" + text_of(second)) != std::string::npos);
  EXPECT(core.Explain(now, first, 0, text, error) && text.find(text_of(second)) == std::string::npos);
  now += 0.5;
  EXPECT(core.ExplainPair(now, first, second, text, error) && text.rfind("{\"at\":3,\"pair\":{", 0) == 0);
  EXPECT(!core.Explain(now, first + 1000, 5, text, error) && error.rfind("NOT_FOUND", 0) == 0);
  EXPECT(!core.ExplainPair(now, first, 0, text, error) && error.rfind("NOT_FOUND", 0) == 0);
  now += 2;
  EXPECT(core.Tick(clock, 0, error) && core.Poll(events, error) && events.size() == 1 && events[0].bIsMatch);

  FEstimate estimate;
  EXPECT(core.Estimate("listed", {}, {}, estimate, error) && !estimate.bIsKnown && estimate.Samples == 2);
  EXPECT(estimate.MedianSeconds < 0 && estimate.NinetiethSeconds < 0 && estimate.Band < 0);
  // Twenty pairs, of which the one waits four seconds, or two, and the other not at all.
  for (std::uint64_t pair = 0; pair < 20; pair++) {
    low.Players[0].Id = FPlayerId(10 + 2 * pair);
    EXPECT(core.Submit(now, low, first, error) && core.Tick(clock, 0, error));
    now += pair < 5 ? 4 : 2;
    low.Players[0].Id = FPlayerId(11 + 2 * pair);
    EXPECT(core.Submit(now, low, first, error) && core.Tick(clock, 0, error));
    EXPECT(core.Poll(events, error) && events.size() == 1 && events[0].bIsMatch);
  }
  EXPECT(core.Estimate("listed", 1500, {"eu"}, estimate, error) && estimate.bIsKnown && !estimate.bIsOfEveryRegion);
  EXPECT(estimate.Samples == 41 && estimate.Matched == 41 && estimate.Band == 50 && estimate.SeenUpToSeconds == 5);
  EXPECT(estimate.MedianSeconds == 2 && estimate.NinetiethSeconds == 4);
  EXPECT(core.Estimate("listed", 1500, {"us"}, estimate, error) && estimate.bIsKnown && estimate.bIsOfEveryRegion);
  EXPECT(!core.Estimate("listed", {}, {"eu", "mars"}, estimate, error) && error.rfind("UNKNOWN_REGION", 0) == 0);
  EXPECT(!core.Estimate("listed", 1e300, {}, estimate, error) && error.rfind("OUT_OF_RANGE", 0) == 0);
  EXPECT(!core.Estimate("nowhere", {}, {}, estimate, error) && error.rfind("UNKNOWN_QUEUE", 0) == 0);
}

// What was asked, as lines, each of them once; nothing without a record.
static void record() {
  FCore core;
  std::string error, lines;
  double now = 0;
  std::uint64_t id = 0;
  EXPECT(core.Start(now, {100, false, true}, error) && core.AddQueues(duel_json, error));
  EXPECT(core.Submit(1, ticket("duel", 255, 1500), id, error) && core.Note(2, "{ \"build\": 7 }", error));
  EXPECT(!core.Note(2, "7", error) && error.rfind("INVALID_FORMAT", 0) == 0);
  EXPECT(core.TakeRecord(lines, error) && lines.empty());
  now = 3;
  EXPECT(core.Tick([&now] { return now; }, 0, error) && core.TakeRecord(lines, error));
  EXPECT(lines.rfind("{\"at\":1,", 0) == 0 && lines.back() == '\n');
  EXPECT(lines.find(text_of(id)) != std::string::npos && lines.find("\"build\":7") != std::string::npos);
  EXPECT(lines.find("0000000000000000ff") != std::string::npos);
  EXPECT(core.TakeRecord(lines, error) && lines.empty());

  EXPECT(core.Start(0, {100}, error) && core.AddQueues(duel_json, error) && core.Note(1, "{}", error));
  EXPECT(core.Tick([] { return 2.0; }, 0, error) && core.TakeRecord(lines, error) && lines.empty());
}

// The instruction set can be forced and asked; one that the processor lacks is refused.
static void simd() {
  FCore core;
  std::string error;
  EXPECT(core.Simd() == EVENMATCH_SIMD_AUTO && core.Start(0, {100}, error));
  const std::uint32_t widest = core.Simd();
  EXPECT(widest != EVENMATCH_SIMD_AUTO);
  Evenmatch::FSettings settings;
  settings.Capacity = 100;
  for (settings.Simd = EVENMATCH_SIMD_SCALAR; settings.Simd <= EVENMATCH_SIMD_NEON + 1; settings.Simd++) {
    if (core.Start(0, settings, error)) {
      EXPECT(core.Simd() == settings.Simd);
    } else {
      EXPECT(settings.Simd != EVENMATCH_SIMD_SCALAR && settings.Simd != widest && !core.IsRunning() && !error.empty());
    }
  }
  EXPECT(!core.IsRunning());
}

// A host that calls just before every frame's tick, in the same millisecond, is served all the same.
static void same_millisecond() {
  FCore core;
  std::string error;
  double now = 0;
  std::uint64_t id = 0;
  std::vector<FEvent> events;
  std::size_t matches = 0;
  EXPECT(core.Start(now, {100}, error) && core.AddQueues(duel_json, error));
  for (std::uint64_t player = 1; player <= 20; player++) {
    now += 0.016;
    EXPECT(core.Submit(now, ticket("duel", player, 1500), id, error));
    EXPECT(core.Tick([&now] { return now; }, 0, error) && core.Poll(events, error));
    matches += events.size();
  }
  EXPECT(matches == 10);
}

// The budget learns how fast the machine is, and never falls to no limit.
static void budget() {
  Evenmatch::FFrameBudget made;
  EXPECT(made.Steps(0) == 0 && made.Steps(-1) == 0 && made.Steps(1e-9) == 256 && made.Steps(1) == 2000);
  EXPECT(made.Steps(1e300) == 1000000000000000u);
  for (int at = 0; at < 100; at++) {
    made.Measured(100000, 10);
  }
  EXPECT(made.Steps(2) > 19000 && made.Steps(2) <= 20000);
  made.Measured(10, 1000);
  made.Measured(100000, 0);
  EXPECT(made.Steps(2) > 19000);

  // A crowd under a small budget: no tick looks at many more candidates than it may, and all are matched in
  // the end.
  FCore core;
  std::string error;
  double now = 0;
  std::uint64_t id = 0;
  EXPECT(core.Start(now, {5000}, error) && core.AddQueues(duel_json, error));
  for (std::uint64_t player = 1; player <= 2000; player++) {
    EXPECT(core.Submit(now, ticket("duel", player, 1500 + static_cast<double>(player % 100)), id, error));
  }
  std::size_t matched = 0, frames = 0;
  while (matched < 2000 && frames < 5000) {
    now += 0.016;
    // A clock that stands still during a call teaches nothing.
    EXPECT(core.Tick([&now] { return now; }, 0.05, error));
    std::vector<FEvent> events;
    EXPECT(core.Poll(events, error));
    for (const FEvent& event : events) {
      EXPECT(event.bIsMatch);
      matched += 2;
    }
    frames++;
  }
  EXPECT(matched == 2000 && frames > 1);
}

int main() {
  not_running();
  two_players();
  echo();
  questions();
  record();
  simd();
  same_millisecond();
  budget();
  return 0;
}
