// A text of queues, and what came of reading it. Handed to Engine.TryAddQueues, which fills in the outcome.

namespace Evenmatch
{
    /// <summary>How a text of queues is to be read, and after the call what was found in it.</summary>
    public sealed class QueueSource
    {
        /// <summary>The format; Auto: told by the content.</summary>
        public QueueFormat Format { get; set; }

        /// <summary>Whose age drives the expansions of a PlayFab file.</summary>
        public AgeOf Windows { get; set; }

        /// <summary>Whose age drives its MatchTotalRules that have an expansion.</summary>
        public AgeOf TotalWindows { get; set; }

        /// <summary>What the Delta of its intersection rules does.</summary>
        public IntersectionDelta IntersectionDelta { get; set; }

        /// <summary>The line of the first error, else of the first warning, from 1; 0: no place.</summary>
        public int Line { get; internal set; }

        /// <summary>Its column in characters, from 1.</summary>
        public int Column { get; internal set; }

        /// <summary>How many errors.</summary>
        public int ErrorCount { get; internal set; }

        /// <summary>How much is legal but hardly meant.</summary>
        public int WarningCount { get; internal set; }

        /// <summary>
        /// All errors, else all warnings, one on each line as LINE:COLUMN: PATH: found .., ..
        /// </summary>
        public string Text { get; internal set; } = "";
    }
}
