// What became of the tickets of a queue, by region and by reason, and which rules keep tickets apart.
// QueueActivity is made by the host and filled again.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>
    /// What became of the tickets of a queue, or of one region of it. A ticket counts once in each of its
    /// regions.
    /// </summary>
    public readonly struct TicketActivity
    {
        private readonly evenmatch_activity raw;

        internal TicketActivity(in evenmatch_activity raw) { this.raw = raw; }

        /// <summary>Which region; 0: the queue as a whole.</summary>
        public Symbol Region => new Symbol(raw.region);

        /// <summary>Tickets that wait now.</summary>
        public ulong Tickets => raw.tickets;

        /// <summary>Their players.</summary>
        public ulong Players => raw.players;

        /// <summary>The age in ms of the oldest of them; 0 if there is none.</summary>
        public ulong OldestAgeMs => raw.oldest_age_ms;

        /// <summary>
        /// Matches made since the queue was added, as all up to starved; of a region since it came up again
        /// after a time without any ticket.
        /// </summary>
        public ulong Matches => raw.matches;

        /// <summary>Tickets that went into a match.</summary>
        public ulong Matched => raw.matched;

        /// <summary>Their players.</summary>
        public ulong MatchedPlayers => raw.matched_players;

        /// <summary>Tickets that their host cancelled.</summary>
        public ulong Cancelled => raw.cancelled;

        /// <summary>Tickets that a member left.</summary>
        public ulong MemberLeft => raw.member_left;

        /// <summary>Tickets that timed out.</summary>
        public ulong TimedOut => raw.timed_out;

        /// <summary>Tickets that ended with their queue.</summary>
        public ulong QueueRemoved => raw.queue_removed;

        /// <summary>Tickets that ended with the engine.</summary>
        public ulong EngineClosed => raw.engine_closed;

        /// <summary>Tickets of whom a player was matched through another queue.</summary>
        public ulong MatchedElsewhere => raw.matched_elsewhere;

        /// <summary>Of those that timed out the ones that had no legal partner at any visit.</summary>
        public ulong Starved => raw.starved;

        /// <summary>The same within the sliding window, as all that follow: matches made.</summary>
        public ulong WindowMatches => raw.window_matches;

        /// <summary>Tickets that went into a match.</summary>
        public ulong WindowMatched => raw.window_matched;

        /// <summary>Their players.</summary>
        public ulong WindowMatchedPlayers => raw.window_matched_players;

        /// <summary>Tickets that their host cancelled.</summary>
        public ulong WindowCancelled => raw.window_cancelled;

        /// <summary>Tickets that a member left.</summary>
        public ulong WindowMemberLeft => raw.window_member_left;

        /// <summary>Tickets that timed out.</summary>
        public ulong WindowTimedOut => raw.window_timed_out;

        /// <summary>Tickets that ended with their queue.</summary>
        public ulong WindowQueueRemoved => raw.window_queue_removed;

        /// <summary>Tickets that ended with the engine.</summary>
        public ulong WindowEngineClosed => raw.window_engine_closed;

        /// <summary>Tickets of whom a player was matched through another queue.</summary>
        public ulong WindowMatchedElsewhere => raw.window_matched_elsewhere;

        /// <summary>Of those that timed out the ones that had no legal partner at any visit.</summary>
        public ulong WindowStarved => raw.window_starved;

        /// <summary>Tickets that the waits rest on: the matched ones.</summary>
        public ulong WaitSamples => raw.wait_samples;

        /// <summary>
        /// Their mean wait in ms, exact; ulong.MaxValue without a sample, as the percentiles.
        /// </summary>
        public ulong WaitMeanMs => raw.wait_mean_ms;

        /// <summary>Half of them waited no longer, within 1/32.</summary>
        public ulong WaitP50Ms => raw.wait_p50_ms;

        /// <summary>Nine in ten waited no longer, within 1/32.</summary>
        public ulong WaitP90Ms => raw.wait_p90_ms;

        /// <summary>Ninety-nine in a hundred waited no longer, within 1/32.</summary>
        public ulong WaitP99Ms => raw.wait_p99_ms;
    }

    /// <summary>How often a rule, as the first, kept two tickets from standing in one match.</summary>
    public readonly struct RuleActivity
    {
        private readonly evenmatch_rule_activity raw;

        internal RuleActivity(in evenmatch_rule_activity raw) { this.raw = raw; }

        /// <summary>Its name; 0: the limits that tickets set themselves.</summary>
        public Symbol Rule => new Symbol(raw.rule);

        /// <summary>
        /// Pairs within the sliding window that it kept apart. Rules that judge whole matches only have 0.
        /// </summary>
        public ulong Excluded => raw.excluded;

        /// <summary>Pairs that were looked at: a sample of at most 64 a tick.</summary>
        public ulong Pairs => raw.pairs;
    }

    /// <summary>What became of a queue's tickets, at the time of the read. One thread at a time.</summary>
    public sealed unsafe class QueueActivity
    {
        private evenmatch_activity[] rows = new evenmatch_activity[17];
        private evenmatch_rule_activity[] rules = new evenmatch_rule_activity[21];
        private int rowCount, ruleCount;

        /// <summary>Regions that there are.</summary>
        public int RegionCount => Math.Max(rowCount - 1, 0);

        /// <summary>Rules that there are, and one for the limits that tickets set themselves.</summary>
        public int RuleCount => ruleCount;

        /// <summary>The queue as a whole.</summary>
        public TicketActivity Whole => new TicketActivity(rows[0]);

        /// <summary>A region, in the order of names.</summary>
        public TicketActivity RegionAt(int index)
        {
            Within(index, RegionCount);
            return new TicketActivity(rows[index + 1]);
        }

        /// <summary>A rule, in the order of the file; the last one are the limits of tickets.</summary>
        public RuleActivity RuleAt(int index)
        {
            Within(index, ruleCount);
            return new RuleActivity(rules[index]);
        }

        private static void Within(int index, int count)
        {
            if (index < 0 || index >= count)
            {
                throw new ArgumentOutOfRangeException(nameof(index));
            }
        }

        internal Status Read(ulong engine, ulong queue)
        {
            while (true)
            {
                rows[0] = new evenmatch_activity { struct_size = (uint)sizeof(evenmatch_activity) };
                rules[0] = new evenmatch_rule_activity { struct_size = (uint)sizeof(evenmatch_rule_activity) };
                ulong rowsFound = 0, rulesFound = 0;
                Status status;
                fixed (evenmatch_activity* start = rows)
                {
                    status = (Status)Native.evenmatch_activity_read(
                        engine, queue, start, (ulong)rows.Length, &rowsFound);
                }
                if (status == Status.Ok)
                {
                    fixed (evenmatch_rule_activity* start = rules)
                    {
                        status = (Status)Native.evenmatch_rule_activity_read(
                            engine, queue, start, (ulong)rules.Length, &rulesFound);
                    }
                }
                if (status != Status.BufferTooSmall)
                {
                    var isOk = status == Status.Ok;
                    rowCount = isOk ? (int)rowsFound : 0;
                    ruleCount = isOk ? (int)rulesFound : 0;
                    return status;
                }
                Grow.To(ref rows, rowsFound);
                Grow.To(ref rules, rulesFound);
            }
        }
    }
}
