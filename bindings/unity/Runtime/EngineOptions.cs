// How large an engine may grow and how it behaves. Handed to the constructor of Engine, which copies it.

namespace Evenmatch
{
    /// <summary>The limits of an engine; what is left at its default is the library's default.</summary>
    public sealed class EngineOptions
    {
        /// <summary>
        /// Tickets that may live, or wait to be polled, at once. 0: 1,000,000. Memory comes with tickets.
        /// </summary>
        public uint Capacity { get; set; }

        /// <summary>
        /// Ended tickets that are kept after the poll, for reading and requeue. Null: a quarter of the
        /// capacity.
        /// </summary>
        public uint? Retained { get; set; }

        /// <summary>Nodes that one search visits at most, 2,048 and up. 0: the default.</summary>
        public uint SearchNodes { get; set; }

        /// <summary>Symbols at most. 0: 16,384.</summary>
        public uint Symbols { get; set; }

        /// <summary>
        /// Judges every match a second time before it is handed out. Costs time; for tests.
        /// </summary>
        public bool CheckMatches { get; set; }

        /// <summary>
        /// Matches every ticket by itself as soon as it is submitted: for a game without other players.
        /// </summary>
        public bool Echo { get; set; }

        /// <summary>
        /// Records all calls and ticks, for TryReadRecord; calls that change anything then wait for one
        /// another.
        /// </summary>
        public bool Record { get; set; }

        /// <summary>
        /// Lets a player stand in several queues at once; once he is matched in one, his other tickets end
        /// with EndReason.MatchedElsewhere.
        /// </summary>
        public bool ManyQueues { get; set; }

        /// <summary>
        /// Threads that search at a tick, the one that ticks included: 1 to 57. 0: 1. The engine starts the
        /// others, and joins them when it is closed or disposed. Where there are none leave it, and lend
        /// workers by TryHelp.
        /// </summary>
        public uint Threads { get; set; }

        /// <summary>The sliding window of statistics and estimates, in ms. 0: 600,000.</summary>
        public uint StatsWindowMs { get; set; }

        /// <summary>Slices in which the window moves on, 1 to 60. 0: 10.</summary>
        public uint StatsSlices { get; set; }

        /// <summary>
        /// The instruction set of the searches' inner loops; matches are the same for any. One that the processor
        /// lacks is refused with Status.OutOfRange.
        /// </summary>
        public Simd Simd { get; set; }
    }
}
