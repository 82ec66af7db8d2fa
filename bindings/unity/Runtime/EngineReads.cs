// What the engine hands out: events, the state of a ticket, counts.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    public sealed unsafe partial class Engine
    {
        /// <summary>
        /// Moves as many events as fit into the buffer, in order; the buffer grows if the first does not fit.
        /// Every ticket ends in exactly one event. Events come only here, on the thread that calls it:
        /// nothing calls back. One thread at a time: a second one is answered Busy.
        /// </summary>
        public Status TryPoll(EventBuffer events)
        {
            var status = events.Poll(Handle);
            GC.KeepAlive(this);
            return status;
        }

        /// <summary>
        /// As TryPoll; answers how many events the buffer has now. Poll again until it is 0.
        /// </summary>
        public int Poll(EventBuffer events)
        {
            Check(TryPoll(events));
            return events.Count;
        }

        /// <summary>One ticket as it is now, live or retained. Any thread, also once closed.</summary>
        public Status TryReadTicket(TicketId ticket, TicketState state)
        {
            var status = state.Read(Handle, ticket.Value);
            GC.KeepAlive(this);
            return status;
        }

        /// <summary>As TryReadTicket.</summary>
        public void ReadTicket(TicketId ticket, TicketState state)
        {
            Check(TryReadTicket(ticket, state));
        }

        /// <summary>
        /// The counts of the engine. Any thread, also once closed. Cost: every slot is looked at.
        /// </summary>
        public Status TryReadStats(out EngineStats stats)
        {
            var raw = new evenmatch_stats { struct_size = (uint)sizeof(evenmatch_stats) };
            var status = Native.evenmatch_stats_read(Handle, &raw);
            GC.KeepAlive(this);
            stats = new EngineStats(raw);
            return (Status)status;
        }

        /// <summary>As TryReadStats.</summary>
        public EngineStats ReadStats()
        {
            Check(TryReadStats(out var stats));
            return stats;
        }

        /// <summary>
        /// The counts of a queue. Any thread, also once closed. Cost: every slot is looked at.
        /// </summary>
        public Status TryReadQueueStats(QueueId queue, QueueStats stats)
        {
            var status = stats.Read(Handle, queue.Value);
            GC.KeepAlive(this);
            return status;
        }

        /// <summary>As TryReadQueueStats.</summary>
        public void ReadQueueStats(QueueId queue, QueueStats stats)
        {
            Check(TryReadQueueStats(queue, stats));
        }
    }
}
