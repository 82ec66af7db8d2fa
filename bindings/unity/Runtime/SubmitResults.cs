// What came of each ticket of a submit or a requeue. Made by the host, filled by Engine, and filled again:
// once warmed it allocates nothing, but for the sentences that are asked for.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>What came of one ticket.</summary>
    public readonly struct SubmitResult
    {
        /// <summary>Ok, or why the ticket was refused.</summary>
        public readonly Status Status;

        /// <summary>With Status.Unmatchable: why.</summary>
        public readonly UnmatchableReason Reason;

        /// <summary>The new ticket; none if it was refused.</summary>
        public readonly TicketId Ticket;

        /// <summary>With PlayerAlreadyQueued and Superseded: the ticket that the player is in.</summary>
        public readonly TicketId Other;

        internal SubmitResult(in evenmatch_submitted raw)
        {
            Status = (Status)raw.status;
            Reason = (UnmatchableReason)raw.reason;
            Ticket = new TicketId(raw.ticket);
            Other = new TicketId(raw.other);
        }
    }

    /// <summary>The results of a batch, in its order. One thread at a time.</summary>
    public sealed unsafe class SubmitResults
    {
        internal evenmatch_submitted[] Raw = new evenmatch_submitted[1];
        internal byte[] Details;

        /// <summary>
        /// Results with room for so many bytes of sentences; those that find no room are left out.
        /// </summary>
        public SubmitResults(int detailBytes = 4096)
        {
            Details = new byte[detailBytes];
        }

        /// <summary>Tickets of the last batch.</summary>
        public int Count { get; internal set; }

        /// <summary>How many of them were accepted.</summary>
        public int Accepted { get; internal set; }

        /// <summary>What came of a ticket.</summary>
        public SubmitResult this[int index] => new SubmitResult(Raw[Checked(index)]);

        /// <summary>
        /// The sentence that says why a ticket was refused; empty if there is none. Allocates it.
        /// </summary>
        public string Detail(int index)
        {
            ref var raw = ref Raw[Checked(index)];
            return Utf8.Text(Details, (uint)raw.detail_first, raw.detail_bytes);
        }

        // Makes room for the results of a call.
        internal void Prepare(int count)
        {
            Count = Accepted = 0;
            Grow.To(ref Raw, count);
            Raw[0] = new evenmatch_submitted { struct_size = (uint)sizeof(evenmatch_submitted) };
        }

        private int Checked(int index)
        {
            if (index < 0 || index >= Count)
            {
                throw new ArgumentOutOfRangeException(nameof(index));
            }
            return index;
        }
    }
}
