// The counts of an engine and of a queue. EngineStats is a copy; QueueStats is made by the host and filled
// again.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>Counts of an engine, since it was made and now.</summary>
    public readonly struct EngineStats
    {
        private readonly evenmatch_stats raw;

        internal EngineStats(in evenmatch_stats raw) { this.raw = raw; }

        /// <summary>Tickets that may live, or wait to be polled, at once.</summary>
        public ulong Capacity => raw.capacity;

        /// <summary>Ended tickets that are kept after the poll, at most.</summary>
        public ulong RetainedMax => raw.retained_max;

        /// <summary>Tickets accepted by submit and requeue.</summary>
        public ulong Submitted => raw.submitted;

        /// <summary>Tickets that the engine refused.</summary>
        public ulong Refused => raw.refused;

        /// <summary>Tickets that went into a match.</summary>
        public ulong Matched => raw.matched;

        /// <summary>Tickets that ended without one.</summary>
        public ulong Ended => raw.ended;

        /// <summary>Tickets that wait now, forming ones included.</summary>
        public ulong Waiting => raw.waiting;

        /// <summary>Tickets that wait for members to join.</summary>
        public ulong Forming => raw.forming;

        /// <summary>Tickets whose event has not been polled.</summary>
        public ulong Unpolled => raw.unpolled;

        /// <summary>Matches made.</summary>
        public ulong Matches => raw.matches;

        /// <summary>Tickets that timed out and had no legal partner at any visit.</summary>
        public ulong Starved => raw.starved;

        /// <summary>Searches that ended at their node limit.</summary>
        public ulong SearchesCutOff => raw.searches_cut_off;

        /// <summary>Candidates looked at.</summary>
        public ulong Steps => raw.steps;

        /// <summary>Ticks.</summary>
        public ulong Ticks => raw.ticks;

        /// <summary>Queues.</summary>
        public ulong QueueCount => raw.queue_count;

        /// <summary>Symbols given out.</summary>
        public ulong SymbolCount => raw.symbol_count;

        /// <summary>Of those that ended the ones that their host cancelled.</summary>
        public ulong EndedCancelled => raw.ended_cancelled;

        /// <summary>Those that a member left.</summary>
        public ulong EndedMemberLeft => raw.ended_member_left;

        /// <summary>Those that timed out.</summary>
        public ulong EndedTimedOut => raw.ended_timed_out;

        /// <summary>Those that ended with their queue.</summary>
        public ulong EndedQueueRemoved => raw.ended_queue_removed;

        /// <summary>Those that ended with the engine.</summary>
        public ulong EndedEngineClosed => raw.ended_engine_closed;

        /// <summary>Those of whom a player was matched through another queue.</summary>
        public ulong EndedMatchedElsewhere => raw.ended_matched_elsewhere;

        /// <summary>Engine time, in ms.</summary>
        public ulong NowMs => raw.now_ms;

        /// <summary>Nodes that one search visits at most.</summary>
        public ulong SearchNodes => raw.search_nodes;

        /// <summary>
        /// Slots that are used up for good, since each number of a ticket is given out once.
        /// </summary>
        public ulong RetiredSlots => raw.retired_slots;

        /// <summary>The length of the sliding window, in ms.</summary>
        public ulong WindowMs => raw.window_ms;

        /// <summary>Its slices.</summary>
        public ulong WindowSlices => raw.window_slices;

        /// <summary>Ticks within the window.</summary>
        public ulong WindowTicks => raw.window_ticks;

        /// <summary>Candidates that the last tick looked at.</summary>
        public ulong LastTickSteps => raw.last_tick_steps;

        /// <summary>The mean of the ticks within the window, rounded down.</summary>
        public ulong TickStepsMean => raw.tick_steps_mean;

        /// <summary>Ninety-nine in a hundred of them looked at no more, within 1/32.</summary>
        public ulong TickStepsP99 => raw.tick_steps_p99;
    }

    /// <summary>One region of a queue.</summary>
    public readonly struct RegionStats
    {
        /// <summary>Its name.</summary>
        public readonly Symbol Region;

        /// <summary>Tickets that are acceptable there now.</summary>
        public readonly ulong Tickets;

        /// <summary>Their players.</summary>
        public readonly ulong Players;

        internal RegionStats(in evenmatch_region_stats raw)
        {
            Region = new Symbol(raw.region);
            Tickets = raw.tickets;
            Players = raw.players;
        }
    }

    /// <summary>Counts of a queue at the time of the read. One thread at a time.</summary>
    public sealed unsafe class QueueStats
    {
        private evenmatch_region_stats[] regions = new evenmatch_region_stats[16];
        private evenmatch_queue_stats raw;

        /// <summary>Whether it is suspended.</summary>
        public bool IsSuspended => raw.is_suspended != 0;

        /// <summary>Its name.</summary>
        public Symbol Name => new Symbol(raw.name);

        /// <summary>The index that serves it.</summary>
        public Symbol IndexName => new Symbol(raw.index_name);

        /// <summary>Why that index.</summary>
        public Symbol IndexWhy => new Symbol(raw.index_why);

        /// <summary>Tickets that wait, forming ones included.</summary>
        public ulong Tickets => raw.tickets;

        /// <summary>Players that wait, in tickets that are not forming.</summary>
        public ulong Players => raw.players;

        /// <summary>The age in ms of the oldest ticket that waits; 0 if none does.</summary>
        public ulong OldestAgeMs => raw.oldest_age_ms;

        /// <summary>Matches made.</summary>
        public ulong Matches => raw.matches;

        /// <summary>Regions that there are.</summary>
        public int RegionCount => (int)raw.region_count;

        /// <summary>A region.</summary>
        public RegionStats RegionAt(int index)
        {
            if (index < 0 || index >= RegionCount)
            {
                throw new ArgumentOutOfRangeException(nameof(index));
            }
            return new RegionStats(regions[index]);
        }

        internal Status Read(ulong engine, ulong queue)
        {
            while (true)
            {
                var read = new evenmatch_queue_stats { struct_size = (uint)sizeof(evenmatch_queue_stats) };
                regions[0].struct_size = (uint)sizeof(evenmatch_region_stats);
                Status status;
                fixed (evenmatch_region_stats* start = regions)
                {
                    read.regions = start;
                    read.region_capacity = (ulong)regions.Length;
                    status = (Status)Native.evenmatch_queue_stats_read(engine, queue, &read);
                }
                if (status != Status.BufferTooSmall)
                {
                    raw = status == Status.Ok ? read : default;
                    raw.regions = null;
                    return status;
                }
                Grow.To(ref regions, read.region_count);
            }
        }
    }
}
