// The plugin without Unreal: what a game's matchmaking needs, over evenmatch.hpp, in the standard library's
// types.
//
// Called by EvenmatchSubsystem.cpp, which only translates; compiled and run by the tests of this repository
// outside Unreal. Invariant: no call reaches the library before Start has succeeded nor after Stop; nothing
// here throws, prints, reads a clock or starts a thread. One thread at a time: the game thread. Long for one
// file, so that there is one file to take along.
#pragma once

#include <evenmatch.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace Evenmatch
{
	using FPlayerId = evenmatch::player_id;

	/** A player as he is submitted. Names are case-sensitive. */
	struct FPlayer
	{
		FPlayerId Id;
		std::vector<std::pair<std::string, double>> Numbers;
		std::vector<std::pair<std::string, std::string>> Strings;
		std::vector<std::pair<std::string, std::vector<std::string>>> Lists;
	};

	/** A ticket as it is submitted: one player, or a party that stays together. */
	struct FTicket
	{
		std::string Queue;
		std::vector<FPlayer> Players;
		/** Round-trip times in ms, by region. */
		std::vector<std::pair<std::string, double>> Pings;
		/** 0: the queue's. */
		double TimeoutSeconds = 0;
		/** Comes back with every event of the ticket. */
		std::uint64_t UserData = 0;
	};

	/** One ticket of a match. */
	struct FMatchedTicket
	{
		std::uint64_t Ticket = 0;
		std::uint64_t UserData = 0;
		double WaitSeconds = 0;
		/** Negative: a queue without a region rule. */
		double PingMs = -1;
	};

	/** One team of a match. */
	struct FTeam
	{
		std::string Name;
		std::vector<FMatchedTicket> Tickets;
		std::vector<FPlayerId> Players;
	};

	/** A match. */
	struct FMatch
	{
		std::uint64_t Id = 0;
		std::string Queue;
		/** Empty in a queue without a region rule. */
		std::string Region;
		std::vector<FTeam> Teams;
		double Cost = 0;
	};

	/** A ticket that ended without a match. */
	struct FEnded
	{
		std::uint64_t Ticket = 0;
		std::uint64_t UserData = 0;
		std::string Queue;
		/** EVENMATCH_ENDED_TIMED_OUT and so on. */
		std::int32_t Reason = 0;
	};

	/** What a poll brought, in the order of events: exactly one of the two is meant. */
	struct FEvent
	{
		bool bIsMatch = false;
		FMatch Match;
		FEnded Ended;
	};

	/** How an engine is made. */
	struct FSettings
	{
		/** Tickets that may live at once; 0: 1,000,000. */
		std::uint32_t Capacity = 0;
		/** Matches every ticket by itself, for tests. */
		bool bEcho = false;
		/** Keeps a record of all calls and ticks until TakeRecord takes it. */
		bool bRecord = false;
		/** EVENMATCH_SIMD_..; one that the processor lacks is refused. Matches and events are the same for any. */
		std::uint32_t Simd = EVENMATCH_SIMD_AUTO;
	};

	/** How long a ticket can expect to wait. */
	struct FEstimate
	{
		/** There were enough tickets to say anything. */
		bool bIsKnown = false;
		/** Too few tickets share a region with the asked ones, so those of every region count. */
		bool bIsOfEveryRegion = false;
		/** Half of such tickets wait no longer. Negative: unknown, or longer than any was seen to wait. */
		double MedianSeconds = -1;
		/** Nine in ten wait no longer. Negative: as above. */
		double NinetiethSeconds = -1;
		/** The longest wait seen. */
		double SeenUpToSeconds = 0;
		/** Tickets that it rests on: matched, ended and still waiting ones. */
		std::uint64_t Samples = 0;
		/** Of those the ones that were matched. */
		std::uint64_t Matched = 0;
		/** Their skill lies within so much of the asked one. Negative: of every skill. */
		double Band = -1;
	};

	/**
	 * Turns milliseconds of a frame into the engine's steps. A budget in steps ends a tick at the same place on every
	 * machine; how many fit into a millisecond is measured as the game runs.
	 */
	class FFrameBudget
	{
	public:
		/** Steps for so many ms; 0 (no limit) if BudgetMs is not above 0. */
		std::uint64_t Steps(double BudgetMs) const
		{
			if (!(BudgetMs > 0))
			{
				return 0;
			}
			const double Wanted = BudgetMs * StepsPerMs;
			const std::uint64_t Whole = static_cast<std::uint64_t>(Wanted < StepsMost ? Wanted : StepsMost);
			return Whole < StepsLeast ? StepsLeast : Whole;
		}

		/** Takes a tick into account. Short ones tell nothing. */
		void Measured(std::uint64_t StepsDone, double SpentMs)
		{
			if (StepsDone >= StepsLeast && SpentMs > 0.01)
			{
				const double Found = static_cast<double>(StepsDone) / SpentMs;
				StepsPerMs += (Found - StepsPerMs) / 4;
			}
		}

	private:
		/** Fewer steps would cost more in calls than they spare. */
		static constexpr std::uint64_t StepsLeast = 256;
		/** A double holds it exactly. */
		static constexpr double StepsMost = 1e15;
		/** Low at first, so that the first frames are not late. */
		double StepsPerMs = 2000;
	};

	/** An engine, its names and its clock. */
	class FCore
	{
	public:
		/** Makes the engine. NowSeconds is the host's clock, here and below. */
		bool Start(double NowSeconds, const FSettings& Settings, std::string& Error)
		{
			Stop();
			evenmatch_engine_config Config = EVENMATCH_ENGINE_CONFIG_INIT;
			Config.capacity = Settings.Capacity;
			Config.flags = (Settings.bEcho ? EVENMATCH_ENGINE_ECHO : 0u) | (Settings.bRecord ? EVENMATCH_ENGINE_RECORD : 0u);
			Config.simd = Settings.Simd;
			auto Made = evenmatch::engine::make(Config);
			if (!Made)
			{
				return Refused(Made.error(), Error);
			}
			Engine = std::make_unique<evenmatch::engine>(*std::move(Made));
			StartSeconds = NowSeconds;
			return true;
		}

		/** Frees the engine; tickets that wait are gone. Waits for callers that are inside. */
		void Stop()
		{
			Engine.reset();
			Symbols.clear();
			Queues.clear();
			QueueNames.clear();
		}

		bool IsRunning() const
		{
			return Engine != nullptr;
		}

		/** Adds the queues of a JSON text. Error has a line for each fault, with its place. */
		bool AddQueues(const std::string& Json, std::string& Error)
		{
			if (!Available(Error))
			{
				return false;
			}
			evenmatch::queue_report Report;
			auto Added = Engine->add_queues(Json, &Report);
			if (!Added)
			{
				Refused(Added.error(), Error);
				Error = Report.text.empty() ? Error : Report.text;
				return false;
			}
			for (evenmatch::queue_id Queue : *Added)
			{
				auto Stats = Engine->stats(Queue);
				auto Name = Stats ? Engine->text(evenmatch::symbol{Stats->now.name})
								  : evenmatch::result<std::string>(Stats.error());
				if (!Name)
				{
					return Refused(Name.error(), Error);
				}
				Queues[*Name] = Queue;
				QueueNames[raw(Queue)] = *Name;
			}
			return true;
		}

		bool Suspend(double NowSeconds, const std::string& Queue, std::string& Error)
		{
			return OnQueue(Queue, Error, [&](evenmatch::queue_id Id) { return Engine->suspend(Now(NowSeconds), Id); });
		}

		bool Resume(double NowSeconds, const std::string& Queue, std::string& Error)
		{
			return OnQueue(Queue, Error, [&](evenmatch::queue_id Id) { return Engine->resume(Now(NowSeconds), Id); });
		}

		bool Remove(double NowSeconds, const std::string& Queue, std::string& Error)
		{
			const bool bDone =
				OnQueue(Queue, Error, [&](evenmatch::queue_id Id) { return Engine->remove(Now(NowSeconds), Id); });
			if (bDone)
			{
				// Its events still come, so its name stays among QueueNames.
				Queues.erase(Queue);
			}
			return bDone;
		}

		bool SetRegion(double NowSeconds, const std::string& Region, bool bIsUp, std::string& Error)
		{
			evenmatch::symbol Symbol{};
			return Available(Error) && Resolve(Region, Symbol, Error)
				&& Done(Engine->set_region(Now(NowSeconds), Symbol, bIsUp), Error);
		}

		/** Submits a ticket; the next tick takes it in. */
		bool Submit(double NowSeconds, const FTicket& Ticket, std::uint64_t& TicketOut, std::string& Error)
		{
			const auto Queue = Queues.find(Ticket.Queue);
			if (!Available(Error))
			{
				return false;
			}
			if (Queue == Queues.end())
			{
				Error = "UNKNOWN_QUEUE: no queue is named " + Ticket.Queue;
				return false;
			}
			Batch.clear();
			Batch.ticket(Queue->second, Ticket.UserData);
			if (Ticket.TimeoutSeconds > 0)
			{
				// Beyond 2^52 ms is for ever.
				const double Ms = Ticket.TimeoutSeconds * 1000;
				const std::uint64_t Whole = Ms < 4503599627370496.0 ? static_cast<std::uint64_t>(Ms) : 0;
				Batch.timeout_ms(Ms < 1 ? 1 : Whole);
			}
			evenmatch::symbol Symbol{};
			for (const auto& Ping : Ticket.Pings)
			{
				if (!Resolve(Ping.first, Symbol, Error))
				{
					return false;
				}
				Batch.ping(Symbol, Ping.second);
			}
			for (const FPlayer& Player : Ticket.Players)
			{
				Batch.player(Player.Id);
				if (!PutAttributes(Player, Error))
				{
					return false;
				}
			}
			return Submitted(Engine->submit_one(Now(NowSeconds), Batch), TicketOut, Error);
		}

		/** Submits a ticket that is JSON text, native or PlayFab's; players' names are UUIDs or hexadecimal numbers. */
		bool SubmitJson(double NowSeconds, const std::string& Json, std::uint64_t& TicketOut, std::string& Error)
		{
			if (!Available(Error))
			{
				return false;
			}
			const evenmatch::json_request Request(Json, EVENMATCH_NAMES_HEX);
			return Submitted(Engine->submit(Now(NowSeconds), Request), TicketOut, Error);
		}

		/** Takes a ticket out; its event follows. False if it was matched before, or is not there. */
		bool Cancel(double NowSeconds, std::uint64_t Ticket, std::string& Error)
		{
			return Available(Error) && Done(Engine->cancel(Now(NowSeconds), evenmatch::ticket_id{Ticket}), Error);
		}

		/** Takes the player's whole ticket out. */
		bool Leave(double NowSeconds, const FPlayerId& Player, std::string& Error)
		{
			return Available(Error) && Done(Engine->leave(Now(NowSeconds), Player), Error);
		}

		/** How long a ticket has waited, and EVENMATCH_STATE_.. */
		bool Read(std::uint64_t Ticket, std::int32_t& State, double& WaitSeconds, std::string& Error)
		{
			if (!Available(Error))
			{
				return false;
			}
			auto Found = Engine->read(evenmatch::ticket_id{Ticket});
			if (!Found)
			{
				return Refused(Found.error(), Error);
			}
			State = Found->now.state;
			WaitSeconds = static_cast<double>(Found->now.age_ms) / 1000;
			return true;
		}

		/**
		 * Why a ticket is not matched at this moment, as one line of JSON, with so many of the nearest candidates; tickets
		 * stand in it as 16 hexadecimal digits, as in the record. Costs as much as a look at every ticket of the queue: for
		 * people who support players, not for every frame.
		 */
		bool Explain(double NowSeconds, std::uint64_t Ticket, std::uint32_t Nearest, std::string& JsonOut, std::string& Error)
		{
			return Advanced(NowSeconds, Error)
				&& Taken(Engine->explain(evenmatch::ticket_id{Ticket}, Nearest), JsonOut, Error);
		}

		/** What is between two tickets at this moment, and when they become a legal pair, as one line of JSON. */
		bool ExplainPair(
			double NowSeconds, std::uint64_t Ticket, std::uint64_t Other, std::string& JsonOut, std::string& Error)
		{
			return Advanced(NowSeconds, Error)
				&& Taken(Engine->explain_pair(evenmatch::ticket_id{Ticket}, evenmatch::ticket_id{Other}), JsonOut, Error);
		}

		/** How long a ticket can expect to wait. Without a skill: of any; without regions: in any. */
		bool Estimate(const std::string& Queue, std::optional<double> Skill, const std::vector<std::string>& Regions,
			FEstimate& Out, std::string& Error)
		{
			return OnQueue(Queue, Error, [&](evenmatch::queue_id Id) -> evenmatch::outcome {
				std::vector<evenmatch::symbol> Asked;
				for (const std::string& Region : Regions)
				{
					auto Symbol = Resolved(Region);
					if (!Symbol)
					{
						return Symbol.error();
					}
					Asked.push_back(*Symbol);
				}
				auto Found = Engine->estimate(Id, Skill, Asked);
				if (!Found)
				{
					return Found.error();
				}
				Out = Copied(*Found);
				return evenmatch::outcome();
			});
		}

		/**
		 * Takes the lines of the record since the last call, each with its line feed; a call stands in it once a tick has
		 * taken it in. Empty without FSettings::bRecord. Lines are kept until they are taken, so take them now and then.
		 */
		bool TakeRecord(std::string& LinesOut, std::string& Error)
		{
			LinesOut.clear();
			return Available(Error) && Done(Engine->record(LinesOut), Error);
		}

		/** Puts a note, the text of a JSON object, into the record. Without FSettings::bRecord it goes nowhere. */
		bool Note(double NowSeconds, const std::string& Json, std::string& Error)
		{
			return Available(Error) && Done(Engine->note(Now(NowSeconds), Json), Error);
		}

		/** The instruction set that the searches use; EVENMATCH_SIMD_AUTO only if it is not running. */
		std::uint32_t Simd() const
		{
			return IsRunning() ? Engine->simd().value_or(EVENMATCH_SIMD_AUTO) : EVENMATCH_SIMD_AUTO;
		}

		/** Counts since the start; all 0 if it is not running. */
		evenmatch_stats Stats() const
		{
			const evenmatch_stats Zero = EVENMATCH_STATS_INIT;
			return IsRunning() ? Engine->stats().value_or(Zero) : Zero;
		}

		/**
		 * Matches, within about BudgetMs (0: no limit), if there is anything to do. Clock returns seconds; it is asked before
		 * and after, to learn how fast this machine is. False: the engine is of no use any more, and Error says why.
		 */
		template <class FClock>
		bool Tick(FClock&& Clock, double BudgetMs, std::string& Error)
		{
			if (!IsRunning())
			{
				return true;
			}
			const double Before = Clock();
			const std::uint64_t NowMs = Now(Before);
			auto Due = Engine->next_due();
			// A call of this very millisecond is due in the next one; a host that calls in every frame would wait for ever.
			if (Due && (*Due == EVENMATCH_NEVER || *Due > NowMs + 1))
			{
				return true;
			}
			auto Report = Engine->tick(NowMs, Budget.Steps(BudgetMs));
			if (!Report)
			{
				return Refused(Report.error(), Error);
			}
			Budget.Measured(Report->steps, (Clock() - Before) * 1000);
			return true;
		}

		/**
		 * Takes all events out. They are copies: whoever handles them may call the core again, and may stop it. False: the
		 * engine is of no use any more, and Error says why.
		 */
		bool Poll(std::vector<FEvent>& Out, std::string& Error)
		{
			Out.clear();
			if (!IsRunning())
			{
				return true;
			}
			do
			{
				const evenmatch::outcome Polled = Engine->poll(Events);
				if (!Polled)
				{
					return Refused(Polled.error(), Error);
				}
				for (evenmatch::event Event : Events)
				{
					Out.push_back(Copied(Event));
				}
			} while (!Events.empty());
			return true;
		}

	private:
		/** Engine time: ms since the start, never below 0. */
		std::uint64_t Now(double NowSeconds) const
		{
			const double Ms = (NowSeconds - StartSeconds) * 1000;
			return Ms > 0 ? static_cast<std::uint64_t>(Ms) : 0;
		}

		static bool Refused(const evenmatch::error& Why, std::string& Error)
		{
			Error = evenmatch::sentence(Why);
			return false;
		}

		template <class T>
		static bool Done(const evenmatch::result<T>& Answer, std::string& Error)
		{
			return Answer ? true : Refused(Answer.error(), Error);
		}

		static bool Submitted(const evenmatch::result<evenmatch::ticket_id>& Answer, std::uint64_t& Out, std::string& Error)
		{
			if (!Answer)
			{
				return Refused(Answer.error(), Error);
			}
			Out = raw(*Answer);
			return true;
		}

		bool Available(std::string& Error) const
		{
			if (!IsRunning())
			{
				Error = "the matchmaking engine is not running";
			}
			return IsRunning();
		}

		/** Moves engine time on, so that an answer is about this moment and not about the last tick. */
		bool Advanced(double NowSeconds, std::string& Error)
		{
			return Available(Error) && Done(Engine->advance(Now(NowSeconds)), Error);
		}

		static bool Taken(evenmatch::result<std::string> Answer, std::string& Out, std::string& Error)
		{
			if (!Answer)
			{
				return Refused(Answer.error(), Error);
			}
			Out = *std::move(Answer);
			return true;
		}

		template <class FCall>
		bool OnQueue(const std::string& Name, std::string& Error, FCall&& Call)
		{
			if (!Available(Error))
			{
				return false;
			}
			const auto Queue = Queues.find(Name);
			if (Queue == Queues.end())
			{
				Error = "UNKNOWN_QUEUE: no queue is named " + Name;
				return false;
			}
			return Done(Call(Queue->second), Error);
		}

		/** The symbol of an attribute or a region, asked for once. */
		evenmatch::result<evenmatch::symbol> Resolved(const std::string& Name)
		{
			const auto Known = Symbols.find(Name);
			if (Known != Symbols.end())
			{
				return Known->second;
			}
			auto Found = Engine->resolve(Name);
			if (Found)
			{
				Symbols.emplace(Name, *Found);
			}
			return Found;
		}

		bool Resolve(const std::string& Name, evenmatch::symbol& Out, std::string& Error)
		{
			auto Found = Resolved(Name);
			if (!Found)
			{
				return Refused(Found.error(), Error);
			}
			Out = *Found;
			return true;
		}

		bool PutAttributes(const FPlayer& Player, std::string& Error)
		{
			evenmatch::symbol Symbol{};
			for (const auto& Number : Player.Numbers)
			{
				if (!Resolve(Number.first, Symbol, Error))
				{
					return false;
				}
				Batch.number(Symbol, Number.second);
			}
			for (const auto& String : Player.Strings)
			{
				if (!Resolve(String.first, Symbol, Error))
				{
					return false;
				}
				Batch.string(Symbol, std::string_view(String.second));
			}
			for (const auto& List : Player.Lists)
			{
				std::vector<evenmatch::symbol> Values;
				for (const std::string& Value : List.second)
				{
					if (!Resolve(Value, Symbol, Error))
					{
						return false;
					}
					Values.push_back(Symbol);
				}
				if (!Resolve(List.first, Symbol, Error))
				{
					return false;
				}
				Batch.list(Symbol, Values.data(), Values.size());
			}
			return true;
		}

		std::string QueueName(evenmatch::queue_id Queue) const
		{
			const auto Found = QueueNames.find(raw(Queue));
			return Found == QueueNames.end() ? std::string() : Found->second;
		}

		std::string Name(evenmatch::symbol Symbol) const
		{
			return Symbol == evenmatch::symbol{} ? std::string() : Engine->text(Symbol).value_or(std::string());
		}

		static FEstimate Copied(const evenmatch_estimate& Found)
		{
			const auto Seconds = [](std::uint64_t Ms) {
				return Ms == EVENMATCH_NEVER ? -1 : static_cast<double>(Ms) / 1000;
			};
			FEstimate Out;
			Out.bIsKnown = (Found.flags & EVENMATCH_ESTIMATE_KNOWN) != 0;
			Out.bIsOfEveryRegion = (Found.flags & EVENMATCH_ESTIMATE_EVERY_REGION) != 0;
			Out.MedianSeconds = Seconds(Found.p50_ms);
			Out.NinetiethSeconds = Seconds(Found.p90_ms);
			Out.SeenUpToSeconds = Seconds(Found.seen_up_to_ms);
			Out.Samples = Found.samples;
			Out.Matched = Found.matched;
			Out.Band = (Found.flags & EVENMATCH_ESTIMATE_HAS_BAND) != 0 ? Found.band : -1;
			return Out;
		}

		FEvent Copied(const evenmatch::event& Event) const
		{
			FEvent Out;
			Out.bIsMatch = Event.is_match();
			if (!Out.bIsMatch)
			{
				Out.Ended.Ticket = raw(Event.id());
				Out.Ended.UserData = Event.user_data();
				Out.Ended.Queue = QueueName(Event.queue());
				Out.Ended.Reason = Event.reason();
				return Out;
			}
			Out.Match.Id = raw(Event.id());
			Out.Match.Queue = QueueName(Event.queue());
			Out.Match.Region = Name(Event.region());
			Out.Match.Cost = Event.cost();
			for (evenmatch::team Team : Event.teams())
			{
				FTeam Copy;
				Copy.Name = Name(Team.name());
				for (evenmatch::matched Ticket : Team.tickets())
				{
					FMatchedTicket One;
					One.Ticket = raw(Ticket.ticket());
					One.UserData = Ticket.user_data();
					One.WaitSeconds = static_cast<double>(Ticket.wait_ms()) / 1000;
					One.PingMs = Ticket.ping_ms().value_or(-1);
					Copy.Tickets.push_back(One);
				}
				for (FPlayerId Player : Team.players())
				{
					Copy.Players.push_back(Player);
				}
				Out.Match.Teams.push_back(std::move(Copy));
			}
			return Out;
		}

		std::unique_ptr<evenmatch::engine> Engine;
		std::unordered_map<std::string, evenmatch::symbol> Symbols;
		std::unordered_map<std::string, evenmatch::queue_id> Queues;
		std::unordered_map<std::uint64_t, std::string> QueueNames;
		evenmatch::batch Batch;
		evenmatch::events Events;
		FFrameBudget Budget;
		double StartSeconds = 0;
	};
}
