// Matchmaking for a game instance, in Blueprint and C++: submit tickets, bind OnMatch and OnEnded.
//
// Made by the engine with the game instance. It ticks the matchmaker on the game thread within FrameBudgetMs
// of each frame and broadcasts what came of it there. Invariant: only the game thread calls it; without the
// library it is there, refuses everything with a sentence, and nothing crashes.
#pragma once

#include "CoreMinimal.h"
#include "Containers/Ticker.h"
#include "EvenmatchTypes.h"
#include "Subsystems/GameInstanceSubsystem.h"

#include "EvenmatchSubsystem.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FEvenmatchOnMatch, const FEvenmatchMatch&, Match);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FEvenmatchOnEnded, const FEvenmatchEnded&, Ended);

namespace Evenmatch
{
	class FCore;
}

UCLASS(Config = Game)
class EVENMATCHRUNTIME_API UEvenmatchSubsystem : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** Was the library found, and is the matchmaker running? */
	UFUNCTION(BlueprintPure, Category = "Evenmatch")
	bool IsAvailable() const;

	/** Adds the queues of a JSON text, native or PlayFab's. Error has a line for each fault, with its place. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool AddQueues(const FString& Json, FString& Error);

	/** Stops a queue: submits are refused, its tickets stay. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool SuspendQueue(const FString& Queue, FString& Error);

	/** Opens it again. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool ResumeQueue(const FString& Queue, FString& Error);

	/** Removes a queue: its tickets end. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool RemoveQueue(const FString& Queue, FString& Error);

	/** Says whether a region can be played in. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool SetRegion(const FString& Region, bool bIsUp, FString& Error);

	/** Submits a ticket. Its end comes as OnMatch or OnEnded, exactly once. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool Submit(const FEvenmatchTicketRequest& Request, FEvenmatchTicketId& Ticket, FString& Error);

	/** Submits a ticket that is JSON text, native or PlayFab's; players' ids are UUIDs or hexadecimal numbers. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool SubmitJson(const FString& Json, FEvenmatchTicketId& Ticket, FString& Error);

	/** Takes a ticket out; OnEnded follows. False if it was matched before, or is not there. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool Cancel(FEvenmatchTicketId Ticket, FString& Error);

	/** Takes the player's whole ticket out. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool Leave(const FGuid& Player, FString& Error);

	/** Where a ticket stands, and how long it has waited. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool GetTicket(FEvenmatchTicketId Ticket, EEvenmatchState& State, double& WaitSeconds, FString& Error);

	/**
	 * Why a ticket is not matched at this moment, as JSON text, with so many of the nearest candidates. Tickets stand in
	 * it as 16 hexadecimal digits, as in the record. Looks at every ticket of the queue: for support and for whoever
	 * writes queues, not for every frame.
	 */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool Explain(FEvenmatchTicketId Ticket, int32 Nearest, FString& Json, FString& Error);

	/** What is between two tickets at this moment, and when they become a legal pair, as JSON text. Costs as much. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool ExplainPair(FEvenmatchTicketId Ticket, FEvenmatchTicketId Other, FString& Json, FString& Error);

	/** How long a ticket can expect to wait. Too little to go by is no error: bIsKnown tells. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool EstimateWait(const FEvenmatchQuestion& Question, FEvenmatchEstimate& Estimate, FString& Error);

	/**
	 * Takes the lines of the record since the last call, each with its line feed: all calls and ticks, which the command
	 * line replays. Empty without bRecord. Take them now and then, and before the game instance ends.
	 */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool TakeRecord(FString& Lines, FString& Error);

	/** Puts a note, the text of a JSON object, into the record. Without bRecord it goes nowhere. */
	UFUNCTION(BlueprintCallable, Category = "Evenmatch")
	bool AddNote(const FString& Json, FString& Error);

	/** The instruction set that the searches use; Auto only without a matchmaker. */
	UFUNCTION(BlueprintPure, Category = "Evenmatch")
	EEvenmatchSimd GetSimd() const;

	/** How many tickets wait. */
	UFUNCTION(BlueprintPure, Category = "Evenmatch")
	int64 GetWaitingCount() const;

	/** A match was made. On the game thread. */
	UPROPERTY(BlueprintAssignable, Category = "Evenmatch")
	FEvenmatchOnMatch OnMatch;

	/** A ticket ended without a match. On the game thread. */
	UPROPERTY(BlueprintAssignable, Category = "Evenmatch")
	FEvenmatchOnEnded OnEnded;

	/** About how many ms of a frame the matchmaker may take; 0: no limit. */
	UPROPERTY(Config, EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	double FrameBudgetMs = 0.5;

	/** Tickets that may live at once. Read when the game instance starts. */
	UPROPERTY(Config, EditAnywhere, Category = "Evenmatch")
	int32 Capacity = 100000;

	/** Matches every ticket by itself, for testing without other players. Read when the game instance starts. */
	UPROPERTY(Config, EditAnywhere, Category = "Evenmatch")
	bool bEcho = false;

	/** Keeps a record of all calls and ticks, in memory until TakeRecord takes it. Read when the game instance starts. */
	UPROPERTY(Config, EditAnywhere, Category = "Evenmatch")
	bool bRecord = false;

	/**
	 * The instruction set to search with; the same matches for any. One that the processor lacks turns matchmaking off, with
	 * an error in the log: force one to compare, not to ship. Read when the game instance starts.
	 */
	UPROPERTY(Config, EditAnywhere, Category = "Evenmatch")
	EEvenmatchSimd Simd = EEvenmatchSimd::Auto;

private:
	bool HandleTicker(float DeltaSeconds);
	void Broadcast();

	TSharedPtr<Evenmatch::FCore> Core;
	FTSTicker::FDelegateHandle Ticker;
};
