// One ticket as it is now. Made by the host, filled by Engine.TryReadTicket, and filled again: once warmed it
// allocates nothing.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>One rule's window for a ticket.</summary>
    public readonly struct RuleWindow
    {
        /// <summary>The rule's name.</summary>
        public readonly Symbol Rule;

        /// <summary>What the rule asks.</summary>
        public readonly WindowKind Kind;

        /// <summary>The least that is allowed; null: no bound.</summary>
        public readonly double? Least;

        /// <summary>The greatest that is allowed; null: no bound.</summary>
        public readonly double? Greatest;

        internal RuleWindow(in evenmatch_window raw)
        {
            Rule = new Symbol(raw.rule);
            Kind = (WindowKind)raw.kind;
            Least = (raw.flags & Constants.EVENMATCH_LIMIT_HAS_LEAST) != 0 ? raw.least : (double?)null;
            Greatest = (raw.flags & Constants.EVENMATCH_LIMIT_HAS_GREATEST) != 0 ? raw.greatest : (double?)null;
        }
    }

    /// <summary>A region and the round trip to it.</summary>
    public readonly struct RegionPing
    {
        /// <summary>The region.</summary>
        public readonly Symbol Region;

        /// <summary>The round trip, in ms.</summary>
        public readonly double RoundTripMs;

        internal RegionPing(in evenmatch_ping raw)
        {
            Region = new Symbol(raw.region);
            RoundTripMs = raw.round_trip_ms;
        }
    }

    /// <summary>
    /// One ticket, live or retained, at the engine's time of the read. One thread at a time.
    /// </summary>
    public sealed unsafe class TicketState
    {
        private evenmatch_window[] windows = new evenmatch_window[8];
        private evenmatch_ping[] regions = new evenmatch_ping[8];
        private evenmatch_ticket_state raw;

        /// <summary>Forming, queued, matched or ended.</summary>
        public TicketPhase Phase => (TicketPhase)raw.state;

        /// <summary>Why it ended.</summary>
        public EndReason Reason => (EndReason)raw.reason;

        /// <summary>What it waits for.</summary>
        public WaitingFor WaitingFor => (WaitingFor)raw.waiting_for;

        /// <summary>Earlier matches that it was in.</summary>
        public int Attempts => (int)raw.attempts;

        /// <summary>In which queue.</summary>
        public QueueId Queue => new QueueId(raw.queue);

        /// <summary>The host's word.</summary>
        public ulong UserData => raw.user_data;

        /// <summary>The match that it is in; none if it is in none.</summary>
        public MatchId Match => new MatchId(raw.in_match);

        /// <summary>How long it has waited, or did wait, in ms.</summary>
        public ulong AgeMs => raw.age_ms;

        /// <summary>How long only a full match is legal for it still, in ms.</summary>
        public ulong PreferFullLeftMs => raw.prefer_full_left_ms;

        /// <summary>How long until it times out, in ms; null: never.</summary>
        public ulong? TimeoutLeftMs =>
            raw.timeout_left_ms == Constants.EVENMATCH_NEVER ? (ulong?)null : raw.timeout_left_ms;

        /// <summary>Windows: one of each rule while it waits, else none.</summary>
        public int WindowCount => (int)raw.window_count;

        /// <summary>A window, in the order of the rules.</summary>
        public RuleWindow WindowAt(int index)
        {
            return new RuleWindow(windows[Checked(index, WindowCount)]);
        }

        /// <summary>Regions that it could be matched in now.</summary>
        public int RegionCount => (int)raw.region_count;

        /// <summary>A region, best first.</summary>
        public RegionPing RegionAt(int index)
        {
            return new RegionPing(regions[Checked(index, RegionCount)]);
        }

        internal Status Read(ulong engine, ulong ticket)
        {
            while (true)
            {
                var read = new evenmatch_ticket_state { struct_size = (uint)sizeof(evenmatch_ticket_state) };
                windows[0].struct_size = (uint)sizeof(evenmatch_window);
                regions[0].struct_size = (uint)sizeof(evenmatch_ping);
                Status status;
                fixed (evenmatch_window* windowStart = windows)
                fixed (evenmatch_ping* regionStart = regions)
                {
                    read.windows = windowStart;
                    read.window_capacity = (ulong)windows.Length;
                    read.regions = regionStart;
                    read.region_capacity = (ulong)regions.Length;
                    status = (Status)Native.evenmatch_ticket_read(engine, ticket, &read);
                }
                if (status != Status.BufferTooSmall)
                {
                    raw = status == Status.Ok ? read : default;
                    raw.windows = null;
                    raw.regions = null;
                    return status;
                }
                Grow.To(ref windows, read.window_count);
                Grow.To(ref regions, read.region_count);
            }
        }

        private static int Checked(int index, int count)
        {
            if (index < 0 || index >= count)
            {
                throw new ArgumentOutOfRangeException(nameof(index));
            }
            return index;
        }
    }
}
