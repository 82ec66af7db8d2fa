// What Blueprint and C++ see: tickets, matches and ends, as plain structs.
//
// Used by EvenmatchSubsystem.h. Invariant: nothing of the library's own header is needed to use them. Names
// of queues, attributes and regions are strings, because the engine tells upper case from lower case and
// FName does not; do not use two names in one map that differ only in case.
#pragma once

#include "CoreMinimal.h"

#include "EvenmatchTypes.generated.h"

/** A ticket, or a match, which has the id of its oldest ticket. 0 is none. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchTicketId
{
	GENERATED_BODY()

	/** The library's 64 bits. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	int64 Value = 0;

	bool IsValid() const
	{
		return Value != 0;
	}
	bool operator==(const FEvenmatchTicketId& Other) const
	{
		return Value == Other.Value;
	}
};

/** A list of strings. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchStrings
{
	GENERATED_BODY()

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	TArray<FString> Values;
};

/** A player as he is submitted. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchPlayer
{
	GENERATED_BODY()

	/** Any 128 bits that mean this person. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	FGuid Id;

	/** Numbers and integers of the queue's attributes. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	TMap<FString, double> Numbers;

	/** Strings. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	TMap<FString, FString> Strings;

	/** Lists of strings. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	TMap<FString, FEvenmatchStrings> Lists;
};

/** A ticket as it is submitted: one player, or a party that stays together. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchTicketRequest
{
	GENERATED_BODY()

	/** The name of the queue. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	FString Queue;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	TArray<FEvenmatchPlayer> Players;

	/** Round-trip times in ms, by region. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	TMap<FString, double> Pings;

	/** 0: the queue's. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	double TimeoutSeconds = 0;

	/** Comes back with every event of the ticket. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	int64 UserData = 0;
};

/** One ticket of a match. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchMatchedTicket
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	FEvenmatchTicketId Ticket;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	int64 UserData = 0;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	double WaitSeconds = 0;

	/** In the match's region; negative in a queue without a region rule. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	double PingMs = -1;
};

/** One team of a match. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchTeam
{
	GENERATED_BODY()

	/** "all" in a queue without teams. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	FString Name;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	TArray<FEvenmatchMatchedTicket> Tickets;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	TArray<FGuid> Players;
};

/** A match. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchMatch
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	FEvenmatchTicketId Id;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	FString Queue;

	/** Empty in a queue without a region rule. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	FString Region;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	TArray<FEvenmatchTeam> Teams;

	/** The sum of the rules' weighted terms; less is better. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	double Cost = 0;
};

/** Why a ticket ended without a match. The numbers are the library's. */
UENUM(BlueprintType)
enum class EEvenmatchEndReason : uint8
{
	Unknown = 0,
	Cancelled = 1,
	PartyMemberLeft = 2,
	TimedOut = 3,
	QueueRemoved = 4,
	EngineClosed = 5,
	MatchedElsewhere = 6
};

/** A ticket that ended without a match. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchEnded
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	FEvenmatchTicketId Ticket;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	int64 UserData = 0;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	FString Queue;

	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	EEvenmatchEndReason Reason = EEvenmatchEndReason::Unknown;
};

/** Which tickets an estimate is for. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchQuestion
{
	GENERATED_BODY()

	/** The name of the queue. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	FString Queue;

	/** Does Skill count? Else they are of any. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	bool bHasSkill = false;

	/** Their skill: of the attribute of the queue's first difference rule, else of its first team_difference. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	double Skill = 0;

	/** Where they can be matched; none: anywhere. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenmatch")
	TArray<FString> Regions;
};

/** How long a ticket can expect to wait, by what others waited of late. */
USTRUCT(BlueprintType)
struct EVENMATCHRUNTIME_API FEvenmatchEstimate
{
	GENERATED_BODY()

	/** There were enough tickets to say anything. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	bool bIsKnown = false;

	/** Too few tickets share a region with the asked ones, so those of every region count. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	bool bIsOfEveryRegion = false;

	/** Half of such tickets wait no longer. Negative: unknown, or longer than any was seen to wait. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	double MedianSeconds = -1;

	/** Nine in ten wait no longer. Negative: as above. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	double NinetiethSeconds = -1;

	/** The longest wait seen. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	double SeenUpToSeconds = 0;

	/** Tickets that it rests on: matched, ended and still waiting ones. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	int64 Samples = 0;

	/** Of those the ones that were matched. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	int64 Matched = 0;

	/** Their skill lies within so much of the asked one. Negative: of every skill. */
	UPROPERTY(BlueprintReadOnly, Category = "Evenmatch")
	double Band = -1;
};

/** The instruction set of the searches' inner loops. The numbers are the library's. */
UENUM(BlueprintType)
enum class EEvenmatchSimd : uint8
{
	/** The widest that the processor has. */
	Auto = 0,
	/** None beyond what the library was compiled for. */
	Scalar = 1,
	Avx2 = 2,
	Avx512 = 3,
	Neon = 4
};

/** Where a ticket stands. The numbers are the library's. */
UENUM(BlueprintType)
enum class EEvenmatchState : uint8
{
	Unknown = 0,
	Forming = 1,
	Queued = 2,
	Matched = 3,
	Ended = 4
};
