// The files of the plugin that face Unreal, run against the stand-in headers: the module loads and checks the
// library, the subsystem submits, ticks and broadcasts on the game thread, and all is let go in order.
//
//   unreal_plugin FOLDER    the plugin's folder, with the library in it
#include "EvenmatchModule.h"
#include "EvenmatchSubsystem.h"

#include "HAL/PlatformProcess.h"
#include "HAL/PlatformTime.h"
#include "Interfaces/IPluginManager.h"
#include "Logging/LogMacros.h"

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                 \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

// A call that has to be done; prints the sentence if it is not.
#define EXPECT_DONE(call)                                                                          \
  do {                                                                                             \
    if (!(call)) {                                                                                 \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, StandIn::Utf8(*error).c_str()); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

static const TCHAR* const Duel = TEXT("{ \"name\": \"duel\", \"players\": 2, \"timeout_s\": 60, \"attributes\": {"
                                      " \"Stärke\": { \"type\": \"number\" }, \"mode\": { \"type\": \"string\" },"
                                      " \"maps\": { \"type\": \"string_list\" } }, \"rules\": ["
                                      " { \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"Stärke\", \"max\": 50 },"
                                      " { \"name\": \"ping\", \"type\": \"region\", \"max_ms\": 60 } ] }");

static void load(const char* folder) {
  IPlugin::StandInBaseDir() = FString(StandIn::Utf16(folder));
  StandIn::Module() = StandIn::MakeModule();
  StandIn::Module()->StartupModule();
}

static void unload() {
  StandIn::Module()->ShutdownModule();
  StandIn::Module().reset();
}

static std::size_t errors() {
  std::size_t count = 0;
  for (const StandIn::LogLine& line : StandIn::LogLines()) {
    count += line.Verbosity == "Error" ? 1 : 0;
  }
  StandIn::LogLines().clear();
  return count;
}

static FEvenmatchTicketRequest request(uint32 player, double skill) {
  FEvenmatchPlayer one;
  one.Id = FGuid(1, 2, 3, player);
  one.Numbers.Add(TEXT("Stärke"), skill);
  one.Strings.Add(TEXT("mode"), TEXT("koth"));
  FEvenmatchStrings maps;
  maps.Values.Add(TEXT("dust"));
  one.Lists.Add(TEXT("maps"), maps);
  FEvenmatchTicketRequest made;
  made.Queue = TEXT("duel");
  made.Players.Add(one);
  made.Pings.Add(TEXT("eu"), 20);
  made.UserData = -static_cast<int64>(player);
  return made;
}

static std::size_t frame(double seconds) {
  StandIn::Seconds() += seconds;
  return FTSTicker::GetCoreTicker().StandInFrame(static_cast<float>(seconds));
}

// Without a library, or with a folder that has none, everything is refused with a sentence.
static void without_library() {
  for (const char* folder : {"", "/nowhere"}) {
    load(folder);
    EXPECT(errors() == 1 && StandIn::OpenLibraries() == 0);
    UEvenmatchSubsystem subsystem;
    FSubsystemCollectionBase collection;
    subsystem.Initialize(collection);
    FString error;
    FEvenmatchTicketId ticket;
    EXPECT(!subsystem.IsAvailable() && !subsystem.AddQueues(Duel, error) && error.Contains(TEXT("not loaded")));
    EXPECT(!subsystem.Submit(request(1, 1500), ticket, error) && !subsystem.Cancel(ticket, error));
    FString json;
    FEvenmatchEstimate estimate;
    EXPECT(!subsystem.Explain(ticket, 5, json, error) && !subsystem.ExplainPair(ticket, ticket, json, error));
    EXPECT(!subsystem.EstimateWait(FEvenmatchQuestion(), estimate, error) && !estimate.bIsKnown);
    EXPECT(!subsystem.TakeRecord(json, error) && !subsystem.AddNote(TEXT("{}"), error) && json.IsEmpty());
    EXPECT(error.Contains(TEXT("not loaded")));
    EXPECT(subsystem.GetWaitingCount() == 0 && frame(1) == 0);
    subsystem.Deinitialize();
    unload();
  }
}

static void with_library(const char* folder) {
  load(folder);
  EXPECT(errors() == 0 && StandIn::OpenLibraries() == 1);
  UEvenmatchSubsystem subsystem;
  FSubsystemCollectionBase collection;
  FString error;
  FEvenmatchTicketId first, second, third;
  // Before Initialize nothing reaches the library.
  EXPECT(!subsystem.IsAvailable() && !subsystem.AddQueues(Duel, error));
  subsystem.Initialize(collection);
  EXPECT(subsystem.IsAvailable() && errors() == 0);
  EXPECT(!subsystem.AddQueues(TEXT("{ \"name\": 7 }"), error) && error.Contains(TEXT("1:11: name")));
  EXPECT_DONE(subsystem.AddQueues(Duel, error));
  EXPECT(error.IsEmpty());

  std::vector<FEvenmatchMatch> matches;
  std::vector<FEvenmatchEnded> ends;
  subsystem.OnMatch.Add([&](const FEvenmatchMatch& match) {
    EXPECT(IsInGameThread());
    matches.push_back(match);
    // A handler may call back.
    EXPECT(subsystem.Submit(request(3, 900), third, error) && third.IsValid());
  });
  subsystem.OnEnded.Add([&](const FEvenmatchEnded& ended) {
    EXPECT(IsInGameThread());
    ends.push_back(ended);
  });
  EXPECT(subsystem.Submit(request(1, 1500), first, error) && subsystem.Submit(request(2, 1530), second, error));
  EXPECT(first.IsValid() && !(first == second) && subsystem.GetWaitingCount() == 2);
  EXPECT(!subsystem.Submit(request(1, 1500), third, error) && error.Contains(TEXT("PLAYER_ALREADY_QUEUED")));
  EEvenmatchState state = EEvenmatchState::Unknown;
  double wait = 0;
  EXPECT(subsystem.GetTicket(first, state, wait, error) && state == EEvenmatchState::Queued);
  EXPECT(frame(0.5) == 1 && matches.size() == 1 && ends.empty());
  EXPECT(matches[0].Id == first && matches[0].Queue == FString(TEXT("duel")) && matches[0].Region == FString(TEXT("eu")));
  EXPECT(matches[0].Teams.Num() == 1 && matches[0].Teams[0].Name == FString(TEXT("all")));
  EXPECT(matches[0].Teams[0].Players[1] == FGuid(1, 2, 3, 2) && matches[0].Teams[0].Tickets[1].UserData == -2);
  EXPECT(matches[0].Teams[0].Tickets[0].PingMs == 20 && matches[0].Teams[0].Tickets[0].WaitSeconds == 0.5);
  EXPECT(subsystem.GetTicket(first, state, wait, error) && state == EEvenmatchState::Matched);
  EXPECT(!subsystem.Cancel(first, error) && error.Contains(TEXT("ALREADY_MATCHED")));
  EXPECT(subsystem.Cancel(third, error) && frame(0.016) == 1 && ends.size() == 1);
  EXPECT(ends[0].Ticket == third && ends[0].UserData == -3 && ends[0].Reason == EEvenmatchEndReason::Cancelled);
  EXPECT(subsystem.SubmitJson(TEXT("{ \"queue\": \"duel\", \"players\": [{ \"id\": \"c0ffee\", \"attributes\": "
                                   "{ \"Stärke\": 1 }, \"latency\": { \"eu\": 5 } }] }"), third, error));
  EXPECT(subsystem.Leave(FGuid(0, 0, 0, 0xc0ffee), error) && subsystem.SetRegion(TEXT("eu"), false, error));
  EXPECT(subsystem.SuspendQueue(TEXT("duel"), error) && !subsystem.Submit(request(5, 1), third, error));
  EXPECT(subsystem.ResumeQueue(TEXT("duel"), error) && subsystem.Submit(request(5, 1), third, error));
  EXPECT(subsystem.RemoveQueue(TEXT("duel"), error) && frame(0.016) == 1 && ends.size() == 3);
  EXPECT(ends[2].Reason == EEvenmatchEndReason::QueueRemoved && ends[2].Queue == FString(TEXT("duel")));

  // A handler that ends the game instance.
  EXPECT(subsystem.AddQueues(Duel, error) && subsystem.Submit(request(1, 1500), first, error));
  EXPECT(subsystem.SetRegion(TEXT("eu"), true, error) && subsystem.Submit(request(2, 1500), second, error));
  subsystem.OnEnded.Add([&](const FEvenmatchEnded&) { subsystem.Deinitialize(); });
  EXPECT(subsystem.Cancel(first, error));
  frame(0.016);
  EXPECT(frame(0.016) == 0 && !subsystem.IsAvailable() && !subsystem.Cancel(second, error));
  EXPECT(errors() == 0);

  // A module that goes before its subsystem: the engine is stopped first, and nothing is called after.
  UEvenmatchSubsystem late;
  late.Initialize(collection);
  EXPECT(late.IsAvailable() && late.AddQueues(Duel, error) && late.Submit(request(8, 5), first, error));
  unload();
  EXPECT(StandIn::OpenLibraries() == 0 && !late.IsAvailable() && !late.Submit(request(9, 5), second, error));
  EXPECT(error.Contains(TEXT("not running")) && late.GetWaitingCount() == 0);
  EXPECT(frame(1) == 1);
  late.Deinitialize();
  EXPECT(frame(1) == 0 && errors() == 0);
}

// Why tickets wait, how long they can expect to, and what was asked.
static void questions(const char* folder) {
  load(folder);
  UEvenmatchSubsystem subsystem;
  FSubsystemCollectionBase collection;
  FString error, text;
  FEvenmatchTicketId first, second;
  subsystem.bRecord = true;
  StandIn::Seconds() = 100000;
  subsystem.Initialize(collection);
  EXPECT_DONE(subsystem.AddQueues(Duel, error));
  EXPECT(subsystem.Submit(request(1, 1500), first, error) && subsystem.Submit(request(2, 1600), second, error));
  EXPECT(frame(0.5) == 1);
  StandIn::Seconds() += 1;
  EXPECT_DONE(subsystem.Explain(first, 5, text, error));
  EXPECT(text.Contains(TEXT("{\"at\":1.5,\"explanation\":{")) && text.Contains(TEXT("Stärke")));
  EXPECT(text.Contains(TEXT("\"when\":")));
  EXPECT_DONE(subsystem.Explain(first, -1, text, error));
  EXPECT_DONE(subsystem.ExplainPair(first, second, text, error));
  EXPECT(text.Contains(TEXT("{\"at\":1.5,\"pair\":{")));
  EXPECT(!subsystem.Explain(FEvenmatchTicketId(), 5, text, error) && error.Contains(TEXT("NOT_FOUND")) && text.IsEmpty());

  FEvenmatchQuestion question;
  FEvenmatchEstimate estimate;
  question.Queue = TEXT("duel");
  question.bHasSkill = true;
  question.Skill = 1500;
  question.Regions.Add(TEXT("eu"));
  EXPECT_DONE(subsystem.EstimateWait(question, estimate, error));
  EXPECT(!estimate.bIsKnown && estimate.MedianSeconds < 0 && estimate.NinetiethSeconds < 0);
  EXPECT(subsystem.Cancel(first, error) && subsystem.Cancel(second, error));
  for (uint32 pair = 0; pair < 20; pair++) {
    EXPECT(subsystem.Submit(request(10 + 2 * pair, 1500), first, error) && frame(2) == 1);
    EXPECT(subsystem.Submit(request(11 + 2 * pair, 1500), first, error) && frame(0.016) == 1);
  }
  EXPECT_DONE(subsystem.EstimateWait(question, estimate, error));
  EXPECT(estimate.bIsKnown && !estimate.bIsOfEveryRegion && estimate.Band == 50);
  EXPECT(estimate.Samples == 41 && estimate.Matched == 40 && estimate.SeenUpToSeconds >= 2);
  EXPECT(estimate.MedianSeconds >= 0 && estimate.NinetiethSeconds >= 2 && estimate.NinetiethSeconds < 3);
  question.Skill = 1e300;
  EXPECT(!subsystem.EstimateWait(question, estimate, error) && error.Contains(TEXT("OUT_OF_RANGE")));
  EXPECT(!estimate.bIsKnown);

  EXPECT_DONE(subsystem.AddNote(TEXT("{ \"map\": \"Köln\" }"), error));
  EXPECT(!subsystem.AddNote(TEXT("7"), error) && error.Contains(TEXT("INVALID_FORMAT")));
  EXPECT(frame(0.016) == 1);
  EXPECT_DONE(subsystem.TakeRecord(text, error));
  EXPECT(text.Contains(TEXT("\"map\":\"Köln\"")) && text.Contains(TEXT("Stärke")) && text.Contains(TEXT("}\n{")));
  EXPECT_DONE(subsystem.TakeRecord(text, error));
  EXPECT(text.IsEmpty());
  subsystem.Deinitialize();
  EXPECT(!subsystem.Explain(second, 5, text, error) && errors() == 0);
  unload();
}

// The instruction set as a setting: the widest of itself, a forced one, one that no processor of this kind has.
static void simd(const char* folder) {
  load(folder);
  FSubsystemCollectionBase collection;
  UEvenmatchSubsystem widest, forced, lacking;
  EXPECT(widest.GetSimd() == EEvenmatchSimd::Auto);
  widest.Initialize(collection);
  EXPECT(widest.IsAvailable() && widest.GetSimd() != EEvenmatchSimd::Auto);
  forced.Simd = EEvenmatchSimd::Scalar;
  forced.Initialize(collection);
  EXPECT(forced.IsAvailable() && forced.GetSimd() == EEvenmatchSimd::Scalar && errors() == 0);
  lacking.Simd = widest.GetSimd() == EEvenmatchSimd::Neon ? EEvenmatchSimd::Avx2 : EEvenmatchSimd::Neon;
  lacking.Initialize(collection);
  EXPECT(!lacking.IsAvailable() && lacking.GetSimd() == EEvenmatchSimd::Auto && errors() == 1);
  for (UEvenmatchSubsystem* subsystem : {&widest, &forced, &lacking}) {
    subsystem->Deinitialize();
  }
  unload();
}

int main(int count, char** arguments) {
  EXPECT(count == 2 && IsInGameThread());
  without_library();
  with_library(arguments[1]);
  questions(arguments[1]);
  simd(arguments[1]);
  return 0;
}
