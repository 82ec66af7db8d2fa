// The lists of values that calls take and hand out, beside Status.
// Written by tests/unity/raw.py from include/evenmatch.h; change it there.

using System;

namespace Evenmatch
{
    /// <summary>Why a ticket ended without a match.</summary>
    public enum EndReason
    {
        /// <summary>None.</summary>
        None = 0,

        /// <summary>The host cancelled the ticket.</summary>
        Cancelled = 1,

        /// <summary>A member of the party left.</summary>
        PartyMemberLeft = 2,

        /// <summary>It reached its timeout.</summary>
        TimedOut = 3,

        /// <summary>Its queue was removed.</summary>
        QueueRemoved = 4,

        /// <summary>The engine was closed.</summary>
        EngineClosed = 5,

        /// <summary>A player of it was matched through another queue.</summary>
        MatchedElsewhere = 6,
    }

    /// <summary>Why a ticket could never be matched.</summary>
    public enum UnmatchableReason
    {
        /// <summary>None.</summary>
        None = 0,

        /// <summary>
        /// No region lies within its list, its own limit and the region rule's greatest window.
        /// </summary>
        NoRegion = 1,

        /// <summary>It is larger than every team, or than the match.</summary>
        TooLarge = 2,

        /// <summary>Its own total is above the greatest maximum of a total that never loosens away.</summary>
        TotalTooHigh = 3,

        /// <summary>Its members disagree in an equality.</summary>
        MembersDisagree = 4,

        /// <summary>It is a full match alone where the queue asks for more tickets.</summary>
        FullAlone = 5,
    }

    /// <summary>An instruction set of the searches' inner loops.</summary>
    public enum Simd
    {
        /// <summary>The widest that the processor has.</summary>
        Auto = 0,

        /// <summary>None beyond what the library was compiled for.</summary>
        Scalar = 1,

        /// <summary>AVX2, with BMI1, BMI2 and LZCNT.</summary>
        Avx2 = 2,

        /// <summary>AVX-512 F, BW, DQ and VL.</summary>
        Avx512 = 3,

        /// <summary>NEON.</summary>
        Neon = 4,
    }

    /// <summary>The format of a text of queues.</summary>
    public enum QueueFormat
    {
        /// <summary>Told by the content.</summary>
        Auto = 0,

        /// <summary>The native format.</summary>
        Native = 1,

        /// <summary>PlayFab's, in its documentation's form, its API's, or a mix of both.</summary>
        Playfab = 2,
    }

    /// <summary>Whose age drives the expansions of a PlayFab file.</summary>
    public enum AgeOf
    {
        /// <summary>
        /// As the format says: in PlayFab files every ticket's own age, and for totals that of the oldest.
        /// </summary>
        Default = 0,

        /// <summary>Every ticket's own age.</summary>
        Mutual = 1,

        /// <summary>The age of the oldest ticket of the match, for all.</summary>
        Oldest = 2,

        /// <summary>The age of the newest ticket of the match, for all.</summary>
        Newest = 3,
    }

    /// <summary>What the Delta of a PlayFab intersection rule does.</summary>
    public enum IntersectionDelta
    {
        /// <summary>
        /// The Delta of a linear expansion is subtracted from a MinIntersectionSize: the rule loosens.
        /// </summary>
        Subtracted = 0,

        /// <summary>It is added, as the API specification says literally: the rule tightens.</summary>
        Added = 1,
    }

    /// <summary>What an update replaces.</summary>
    [Flags]
    public enum UpdateFields
    {
        /// <summary>None.</summary>
        None = 0,

        /// <summary>For each player of the ticket's range, his attributes replace all that he had.</summary>
        Attributes = 1,

        /// <summary>The ticket's pings replace those of the ticket and of all its players.</summary>
        Pings = 2,

        /// <summary>For each player of the ticket's range, his pings replace his own.</summary>
        PlayerPings = 4,

        /// <summary>The ticket's limits and max_ping_ms replace the old ones.</summary>
        Limits = 8,

        /// <summary>The ticket's regions replace the old ones; without regions: all.</summary>
        Regions = 16,

        /// <summary>timeout_ms replaces the old one; 0: the queue's.</summary>
        Timeout = 32,
    }

    /// <summary>How a player's name in JSON text becomes an id when the table does not have it.</summary>
    public enum NamesAs
    {
        /// <summary>Only the table gives names an id.</summary>
        Table = 0,

        /// <summary>
        /// A name that is not in the table is read as 1 to 32 hexadecimal digits; dashes are left out, so
        /// UUIDs are read too.
        /// </summary>
        Hex = 1,

        /// <summary>A name that is not in the table is read as a decimal number below 2^128.</summary>
        Decimal = 2,
    }

    /// <summary>Where a ticket stands in its life.</summary>
    public enum TicketPhase
    {
        /// <summary>None.</summary>
        None = 0,

        /// <summary>Members are still to join.</summary>
        Forming = 1,

        /// <summary>It waits.</summary>
        Queued = 2,

        /// <summary>It is in a match.</summary>
        Matched = 3,

        /// <summary>It ended without one.</summary>
        Ended = 4,
    }

    /// <summary>What a ticket waits for.</summary>
    public enum WaitingFor
    {
        /// <summary>It no longer waits.</summary>
        Nothing = 0,

        /// <summary>The members who are still to join.</summary>
        Members = 1,

        /// <summary>The tick that takes it in.</summary>
        Tick = 2,

        /// <summary>Its queue is suspended.</summary>
        Queue = 3,

        /// <summary>Only a full match is legal until its preference ends.</summary>
        FullMatch = 4,

        /// <summary>Every region within its windows is down.</summary>
        Region = 5,

        /// <summary>No region is within its ping window yet.</summary>
        PingWindow = 6,

        /// <summary>Other tickets that fit.</summary>
        Partners = 7,
    }

    /// <summary>What a rule asks of a ticket now.</summary>
    public enum WindowKind
    {
        /// <summary>None.</summary>
        None = 0,

        /// <summary>Switched off at this age.</summary>
        Off = 1,

        /// <summary>A preference only; greatest is the window that it would have.</summary>
        Optional = 2,

        /// <summary>
        /// At most greatest (difference, team difference, region in ms, team size), or at least that many
        /// (intersection).
        /// </summary>
        Limit = 3,

        /// <summary>A sum from least to greatest.</summary>
        Between = 4,

        /// <summary>A condition without a number (equality, premade balance).</summary>
        Enforced = 5,
    }
}
