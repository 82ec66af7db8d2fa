// What the calls throw that have no status to answer. Every one of them has a Try twin that throws nothing.

using System;

namespace Evenmatch
{
    /// <summary>A call that the library refused; nothing was changed by it.</summary>
    public class EvenmatchException : Exception
    {
        /// <summary>Why.</summary>
        public Status Status { get; }

        /// <summary>An exception for a status, with the library's sentence.</summary>
        public EvenmatchException(Status status, string sentence)
            : base(Library.Text(status) + (string.IsNullOrEmpty(sentence) ? "" : ": " + sentence))
        {
            Status = status;
        }
    }

    /// <summary>A text of queues that the library refused, with the place.</summary>
    public sealed class QueueException : EvenmatchException
    {
        /// <summary>The line of the first error, from 1; 0: no place.</summary>
        public int Line { get; }

        /// <summary>Its column in characters, from 1.</summary>
        public int Column { get; }

        /// <summary>Every error, one on each line as LINE:COLUMN: PATH: found .., ..</summary>
        public string Errors { get; }

        /// <summary>An exception for a refused text.</summary>
        public QueueException(Status status, int line, int column, string errors)
            : base(status, errors)
        {
            Line = line;
            Column = column;
            Errors = errors;
        }
    }
}
