// Status: what every call answers. Handed out by every class of this package.
// Written by tests/unity/raw.py from include/evenmatch.h; change it there.

namespace Evenmatch
{
    /// <summary>What a call answers: Ok, or why it was refused. A refused call has changed nothing.</summary>
    public enum Status
    {
        /// <summary>Done.</summary>
        Ok = 0,

        /// <summary>
        /// An argument makes no sense: a reserved field or an unknown flag is set, a pointer is not aligned
        /// for its type.
        /// </summary>
        InvalidArgument = -1,

        /// <summary>A pointer is NULL that must not be, or is NULL beside a count above 0.</summary>
        NullPointer = -2,

        /// <summary>
        /// A struct_size is not that of this type in any version: initialise with EVENMATCH_..._INIT. In an
        /// array all elements have the same.
        /// </summary>
        StructSize = -3,

        /// <summary>A field is set that this library is too old to know.</summary>
        StructTail = -4,

        /// <summary>An enumerated value is none of its list.</summary>
        UnknownEnum = -5,

        /// <summary>A text is not UTF-8.</summary>
        InvalidUtf8 = -6,

        /// <summary>A count or a length is beyond any that this library takes.</summary>
        TooLarge = -7,

        /// <summary>
        /// The result does not fit; the counts that are needed have been written, and nothing was consumed.
        /// </summary>
        BufferTooSmall = -8,

        /// <summary>A range (_first, _count) reaches beyond its array.</summary>
        InvalidRange = -9,

        /// <summary>
        /// No such engine, queue, ticket, player or match now: a handle that is 0, stale, forged or of
        /// another engine.
        /// </summary>
        NotFound = -10,

        /// <summary>No such symbol in this engine, or the text is not one that the call knows.</summary>
        UnknownSymbol = -11,

        /// <summary>The engine has as many symbols as its config allows.</summary>
        TooManySymbols = -12,

        /// <summary>Another thread is in a call of which there is one at a time; nobody waits.</summary>
        Busy = -13,

        /// <summary>The time is beyond 2^52 ms.</summary>
        InvalidTime = -14,

        /// <summary>The header and the library do not belong together.</summary>
        AbiMismatch = -15,

        /// <summary>
        /// A fault of the library: the call panicked, and its engine is poisoned. Free it and make a new one.
        /// </summary>
        Panic = -16,

        /// <summary>
        /// An earlier call panicked; Library.LastError has its message. Only Engine.Dispose is of use.
        /// </summary>
        Poisoned = -17,

        /// <summary>The engine has been closed, or is being freed.</summary>
        EngineClosed = -100,

        /// <summary>As many engines as one process may have exist.</summary>
        TooManyEngines = -101,

        /// <summary>The queue definition is not legal.</summary>
        InvalidQueue = -200,

        /// <summary>The text is not of the format.</summary>
        InvalidFormat = -201,

        /// <summary>A queue of that name exists already.</summary>
        QueueExists = -202,

        /// <summary>No queue of that name.</summary>
        UnknownQueue = -203,

        /// <summary>The queue takes no tickets now; try again later.</summary>
        QueueSuspended = -204,

        /// <summary>
        /// As many tickets as may live, or wait to be polled, do; poll, or try again later.
        /// </summary>
        QueueFull = -205,

        /// <summary>More queues than an engine may have.</summary>
        TooManyQueues = -206,

        /// <summary>The ticket is in a match already.</summary>
        AlreadyMatched = -300,

        /// <summary>The player has another live ticket by now, which stays.</summary>
        Superseded = -301,

        /// <summary>The ticket could never be matched; the reason says why.</summary>
        Unmatchable = -302,

        /// <summary>The ticket has no player.</summary>
        NoPlayers = -303,

        /// <summary>More players than a ticket may have.</summary>
        TooManyPlayers = -304,

        /// <summary>A player stands twice in the ticket.</summary>
        DuplicatePlayer = -305,

        /// <summary>A player of the ticket is in a live ticket already.</summary>
        PlayerAlreadyQueued = -306,

        /// <summary>More players than the queue's party allows.</summary>
        PartyTooLarge = -307,

        /// <summary>The queue declares no such attribute.</summary>
        UnknownAttribute = -400,

        /// <summary>The value is not of the attribute's type.</summary>
        WrongType = -401,

        /// <summary>The number is not finite, or outside its range.</summary>
        OutOfRange = -402,

        /// <summary>A rule needs a value that no member has and nothing fills in.</summary>
        MissingAttribute = -403,

        /// <summary>More attributes than a player may carry.</summary>
        TooManyAttributes = -404,

        /// <summary>More values than a list may have.</summary>
        TooManyValues = -405,

        /// <summary>More bytes than a string may have.</summary>
        TooManyBytes = -406,

        /// <summary>The same attribute or region stands twice.</summary>
        DuplicateName = -407,

        /// <summary>The queue has a region rule and a player has no latency.</summary>
        MissingLatency = -500,

        /// <summary>The queue lists its regions and this is none of them.</summary>
        UnknownRegion = -501,

        /// <summary>More regions than a queue may know at once.</summary>
        TooManyRegions = -502,
    }
}
