#include "EvenmatchSubsystem.h"

#include "EvenmatchCore.h"
#include "EvenmatchLog.h"
#include "EvenmatchModule.h"
#include "HAL/PlatformTime.h"

namespace
{
	/** The enums of Blueprint have the numbers of the library. */
	template <class T>
	constexpr bool IsNumber(T Value, int32 Number)
	{
		return static_cast<int32>(Value) == Number;
	}

	static_assert(IsNumber(EEvenmatchEndReason::Cancelled, EVENMATCH_ENDED_CANCELLED), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchEndReason::PartyMemberLeft, EVENMATCH_ENDED_PARTY_MEMBER_LEFT), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchEndReason::TimedOut, EVENMATCH_ENDED_TIMED_OUT), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchEndReason::QueueRemoved, EVENMATCH_ENDED_QUEUE_REMOVED), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchEndReason::EngineClosed, EVENMATCH_ENDED_ENGINE_CLOSED), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchEndReason::MatchedElsewhere, EVENMATCH_ENDED_MATCHED_ELSEWHERE), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchState::Forming, EVENMATCH_STATE_FORMING), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchState::Queued, EVENMATCH_STATE_QUEUED), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchState::Matched, EVENMATCH_STATE_MATCHED), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchState::Ended, EVENMATCH_STATE_ENDED), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchSimd::Auto, EVENMATCH_SIMD_AUTO), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchSimd::Scalar, EVENMATCH_SIMD_SCALAR), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchSimd::Avx2, EVENMATCH_SIMD_AVX2), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchSimd::Avx512, EVENMATCH_SIMD_AVX512), "as in evenmatch.h");
	static_assert(IsNumber(EEvenmatchSimd::Neon, EVENMATCH_SIMD_NEON), "as in evenmatch.h");

	std::string ToText(const FString& Text)
	{
		const FTCHARToUTF8 Utf8(*Text);
		return std::string(Utf8.Get(), static_cast<size_t>(Utf8.Length()));
	}

	FString FromText(const std::string& Text)
	{
		return FString(UTF8_TO_TCHAR(Text.c_str()));
	}

	Evenmatch::FPlayerId ToId(const FGuid& Guid)
	{
		return Evenmatch::FPlayerId(static_cast<uint64>(Guid.A) << 32 | Guid.B, static_cast<uint64>(Guid.C) << 32 | Guid.D);
	}

	FGuid FromId(const Evenmatch::FPlayerId& Id)
	{
		return FGuid(static_cast<uint32>(Id.hi >> 32), static_cast<uint32>(Id.hi), static_cast<uint32>(Id.lo >> 32),
			static_cast<uint32>(Id.lo));
	}

	Evenmatch::FPlayer ToPlayer(const FEvenmatchPlayer& Player)
	{
		Evenmatch::FPlayer Out;
		Out.Id = ToId(Player.Id);
		for (const auto& Number : Player.Numbers)
		{
			Out.Numbers.emplace_back(ToText(Number.Key), Number.Value);
		}
		for (const auto& String : Player.Strings)
		{
			Out.Strings.emplace_back(ToText(String.Key), ToText(String.Value));
		}
		for (const auto& List : Player.Lists)
		{
			std::vector<std::string> Values;
			for (const FString& Value : List.Value.Values)
			{
				Values.push_back(ToText(Value));
			}
			Out.Lists.emplace_back(ToText(List.Key), std::move(Values));
		}
		return Out;
	}

	FEvenmatchTicketId ToTicket(std::uint64_t Id)
	{
		FEvenmatchTicketId Out;
		Out.Value = static_cast<int64>(Id);
		return Out;
	}

	FEvenmatchMatch FromMatch(const Evenmatch::FMatch& Match)
	{
		FEvenmatchMatch Out;
		Out.Id = ToTicket(Match.Id);
		Out.Queue = FromText(Match.Queue);
		Out.Region = FromText(Match.Region);
		Out.Cost = Match.Cost;
		for (const Evenmatch::FTeam& Team : Match.Teams)
		{
			FEvenmatchTeam Copy;
			Copy.Name = FromText(Team.Name);
			for (const Evenmatch::FMatchedTicket& Ticket : Team.Tickets)
			{
				FEvenmatchMatchedTicket One;
				One.Ticket = ToTicket(Ticket.Ticket);
				One.UserData = static_cast<int64>(Ticket.UserData);
				One.WaitSeconds = Ticket.WaitSeconds;
				One.PingMs = Ticket.PingMs;
				Copy.Tickets.Add(One);
			}
			for (const Evenmatch::FPlayerId& Player : Team.Players)
			{
				Copy.Players.Add(FromId(Player));
			}
			Out.Teams.Add(Copy);
		}
		return Out;
	}

	FEvenmatchEnded FromEnded(const Evenmatch::FEnded& Ended)
	{
		FEvenmatchEnded Out;
		Out.Ticket = ToTicket(Ended.Ticket);
		Out.UserData = static_cast<int64>(Ended.UserData);
		Out.Queue = FromText(Ended.Queue);
		const int32 Last = static_cast<int32>(EEvenmatchEndReason::MatchedElsewhere);
		const bool bKnown = Ended.Reason >= 1 && Ended.Reason <= Last;
		Out.Reason = bKnown ? static_cast<EEvenmatchEndReason>(Ended.Reason) : EEvenmatchEndReason::Unknown;
		return Out;
	}

	FEvenmatchEstimate FromEstimate(const Evenmatch::FEstimate& Found)
	{
		FEvenmatchEstimate Out;
		Out.bIsKnown = Found.bIsKnown;
		Out.bIsOfEveryRegion = Found.bIsOfEveryRegion;
		Out.MedianSeconds = Found.MedianSeconds;
		Out.NinetiethSeconds = Found.NinetiethSeconds;
		Out.SeenUpToSeconds = Found.SeenUpToSeconds;
		Out.Samples = static_cast<int64>(Found.Samples);
		Out.Matched = static_cast<int64>(Found.Matched);
		Out.Band = Found.Band;
		return Out;
	}

	/** Calls the core, or says why that cannot be. */
	template <class FCall>
	bool Called(const TSharedPtr<Evenmatch::FCore>& Core, FString& Error, FCall&& Call)
	{
		check(IsInGameThread());
		std::string Why;
		const bool bDone = Core.IsValid() && Call(*Core, Why);
		Error = bDone ? FString() : FromText(Core.IsValid() ? Why : std::string("the matchmaking library is not loaded"));
		return bDone;
	}
}

void UEvenmatchSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	FEvenmatchRuntimeModule* const Module = FEvenmatchRuntimeModule::Get();
	Core = Module != nullptr ? Module->MakeCore() : nullptr;
	if (!Core.IsValid())
	{
		UE_LOG(LogEvenmatch, Warning, TEXT("Matchmaking is off: the library is not loaded."));
		return;
	}
	Evenmatch::FSettings Settings;
	Settings.Capacity = static_cast<uint32>(Capacity < 0 ? 0 : Capacity);
	Settings.bEcho = bEcho;
	Settings.bRecord = bRecord;
	Settings.Simd = static_cast<uint32>(Simd);
	std::string Error;
	if (!Core->Start(FPlatformTime::Seconds(), Settings, Error))
	{
		UE_LOG(LogEvenmatch, Error, TEXT("Matchmaking is off: %s"), *FromText(Error));
		return;
	}
	Ticker = FTSTicker::GetCoreTicker().AddTicker(
		FTickerDelegate::CreateUObject(this, &UEvenmatchSubsystem::HandleTicker));
}

void UEvenmatchSubsystem::Deinitialize()
{
	FTSTicker::GetCoreTicker().RemoveTicker(Ticker);
	Ticker.Reset();
	if (Core.IsValid())
	{
		Core->Stop();
		Core.Reset();
	}
	Super::Deinitialize();
}

bool UEvenmatchSubsystem::IsAvailable() const
{
	return Core.IsValid() && Core->IsRunning();
}

bool UEvenmatchSubsystem::AddQueues(const FString& Json, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) { return On.AddQueues(ToText(Json), Why); });
}

bool UEvenmatchSubsystem::SuspendQueue(const FString& Queue, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		return On.Suspend(FPlatformTime::Seconds(), ToText(Queue), Why);
	});
}

bool UEvenmatchSubsystem::ResumeQueue(const FString& Queue, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		return On.Resume(FPlatformTime::Seconds(), ToText(Queue), Why);
	});
}

bool UEvenmatchSubsystem::RemoveQueue(const FString& Queue, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		return On.Remove(FPlatformTime::Seconds(), ToText(Queue), Why);
	});
}

bool UEvenmatchSubsystem::SetRegion(const FString& Region, bool bIsUp, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		return On.SetRegion(FPlatformTime::Seconds(), ToText(Region), bIsUp, Why);
	});
}

bool UEvenmatchSubsystem::Submit(const FEvenmatchTicketRequest& Request, FEvenmatchTicketId& Ticket, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		Evenmatch::FTicket Out;
		Out.Queue = ToText(Request.Queue);
		Out.TimeoutSeconds = Request.TimeoutSeconds;
		Out.UserData = static_cast<uint64>(Request.UserData);
		for (const FEvenmatchPlayer& Player : Request.Players)
		{
			Out.Players.push_back(ToPlayer(Player));
		}
		for (const auto& Ping : Request.Pings)
		{
			Out.Pings.emplace_back(ToText(Ping.Key), Ping.Value);
		}
		std::uint64_t Id = 0;
		const bool bDone = On.Submit(FPlatformTime::Seconds(), Out, Id, Why);
		Ticket = ToTicket(Id);
		return bDone;
	});
}

bool UEvenmatchSubsystem::SubmitJson(const FString& Json, FEvenmatchTicketId& Ticket, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		std::uint64_t Id = 0;
		const bool bDone = On.SubmitJson(FPlatformTime::Seconds(), ToText(Json), Id, Why);
		Ticket = ToTicket(Id);
		return bDone;
	});
}

bool UEvenmatchSubsystem::Cancel(FEvenmatchTicketId Ticket, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		return On.Cancel(FPlatformTime::Seconds(), static_cast<uint64>(Ticket.Value), Why);
	});
}

bool UEvenmatchSubsystem::Leave(const FGuid& Player, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		return On.Leave(FPlatformTime::Seconds(), ToId(Player), Why);
	});
}

bool UEvenmatchSubsystem::GetTicket(FEvenmatchTicketId Ticket, EEvenmatchState& State, double& WaitSeconds, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		std::int32_t Number = 0;
		const bool bDone = On.Read(static_cast<uint64>(Ticket.Value), Number, WaitSeconds, Why);
		State = bDone && Number >= 1 && Number <= static_cast<int32>(EEvenmatchState::Ended)
			? static_cast<EEvenmatchState>(Number)
			: EEvenmatchState::Unknown;
		return bDone;
	});
}

bool UEvenmatchSubsystem::Explain(FEvenmatchTicketId Ticket, int32 Nearest, FString& Json, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		std::string Text;
		const uint32 Count = static_cast<uint32>(Nearest < 0 ? 0 : Nearest);
		const bool bDone = On.Explain(FPlatformTime::Seconds(), static_cast<uint64>(Ticket.Value), Count, Text, Why);
		Json = FromText(Text);
		return bDone;
	});
}

bool UEvenmatchSubsystem::ExplainPair(FEvenmatchTicketId Ticket, FEvenmatchTicketId Other, FString& Json, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		std::string Text;
		const bool bDone = On.ExplainPair(FPlatformTime::Seconds(), static_cast<uint64>(Ticket.Value),
			static_cast<uint64>(Other.Value), Text, Why);
		Json = FromText(Text);
		return bDone;
	});
}

bool UEvenmatchSubsystem::EstimateWait(const FEvenmatchQuestion& Question, FEvenmatchEstimate& Estimate, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		std::vector<std::string> Regions;
		for (const FString& Region : Question.Regions)
		{
			Regions.push_back(ToText(Region));
		}
		const std::optional<double> Skill = Question.bHasSkill ? std::optional<double>(Question.Skill) : std::nullopt;
		Evenmatch::FEstimate Found;
		const bool bDone = On.Estimate(ToText(Question.Queue), Skill, Regions, Found, Why);
		Estimate = FromEstimate(Found);
		return bDone;
	});
}

bool UEvenmatchSubsystem::TakeRecord(FString& Lines, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		std::string Text;
		const bool bDone = On.TakeRecord(Text, Why);
		Lines = FromText(Text);
		return bDone;
	});
}

bool UEvenmatchSubsystem::AddNote(const FString& Json, FString& Error)
{
	return Called(Core, Error, [&](Evenmatch::FCore& On, std::string& Why) {
		return On.Note(FPlatformTime::Seconds(), ToText(Json), Why);
	});
}

EEvenmatchSimd UEvenmatchSubsystem::GetSimd() const
{
	// A later library may know more of them than this enum has.
	const uint32 Number = Core.IsValid() ? Core->Simd() : EVENMATCH_SIMD_AUTO;
	return Number <= EVENMATCH_SIMD_NEON ? static_cast<EEvenmatchSimd>(Number) : EEvenmatchSimd::Auto;
}

int64 UEvenmatchSubsystem::GetWaitingCount() const
{
	return Core.IsValid() ? static_cast<int64>(Core->Stats().waiting) : 0;
}

bool UEvenmatchSubsystem::HandleTicker(float)
{
	check(IsInGameThread());
	std::string Error;
	if (!Core.IsValid() || !Core->Tick([] { return FPlatformTime::Seconds(); }, FrameBudgetMs, Error))
	{
		if (Core.IsValid())
		{
			UE_LOG(LogEvenmatch, Error, TEXT("Matchmaking stops: %s"), *FromText(Error));
			Core->Stop();
		}
		return false;
	}
	Broadcast();
	return true;
}

void UEvenmatchSubsystem::Broadcast()
{
	// Copies, and a hold on the core: a handler may submit, and may end the game instance.
	const TSharedPtr<Evenmatch::FCore> Held = Core;
	std::vector<Evenmatch::FEvent> Events;
	std::string Error;
	if (!Held->Poll(Events, Error))
	{
		UE_LOG(LogEvenmatch, Error, TEXT("No events could be taken: %s"), *FromText(Error));
		return;
	}
	for (const Evenmatch::FEvent& Event : Events)
	{
		if (Event.bIsMatch)
		{
			OnMatch.Broadcast(FromMatch(Event.Match));
		}
		else
		{
			OnEnded.Broadcast(FromEnded(Event.Ended));
		}
	}
}
