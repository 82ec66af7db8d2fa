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
    }
}
