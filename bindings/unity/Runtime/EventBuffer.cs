// The host's memory for events, filled by Engine.Poll and read as EngineEvent. It grows to what the largest
// event needed and allocates nothing after that. Invariant: a poll makes every earlier EngineEvent of the
// buffer stale, which its reader is told.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>Events of one poll. Make one for each engine and keep it. One thread at a time.</summary>
    public sealed unsafe class EventBuffer
    {
        internal evenmatch_event[] Events;
        internal evenmatch_team[] Teams;
        internal evenmatch_matched[] Tickets;
        internal PlayerId[] Players;
        internal Symbol[] Regions;
        internal evenmatch_kept[] Kept;
        internal byte[] Text;
        internal int Version;

        /// <summary>A buffer for so many events at a time; the rest of it grows as matches need.</summary>
        public EventBuffer(int events = 64)
        {
            if (events < 1)
            {
                throw new ArgumentOutOfRangeException(nameof(events));
            }
            Events = new evenmatch_event[events];
            Teams = new evenmatch_team[2 * events];
            Tickets = new evenmatch_matched[4 * events];
            Players = new PlayerId[4 * events];
            Regions = new Symbol[4 * events];
            Kept = new evenmatch_kept[1];
            Text = new byte[256];
        }

        /// <summary>Events of the last poll.</summary>
        public int Count { get; private set; }

        /// <summary>An event of the last poll; valid until the next one.</summary>
        public EngineEvent this[int index]
        {
            get
            {
                if (index < 0 || index >= Count)
                {
                    throw new ArgumentOutOfRangeException(nameof(index));
                }
                return new EngineEvent(this, index, Version);
            }
        }

        // Polls, and once more with more room if the first event does not fit; nothing is consumed in
        // between.
        internal Status Poll(ulong engine)
        {
            Count = 0;
            Version++;
            while (true)
            {
                var status = PollOnce(engine, out var raw);
                if (status != Status.BufferTooSmall)
                {
                    Count = status == Status.Ok ? (int)raw.event_count : 0;
                    return status;
                }
                Grow.To(ref Teams, raw.team_count);
                Grow.To(ref Tickets, raw.ticket_count);
                Grow.To(ref Players, raw.player_count);
                Grow.To(ref Regions, raw.region_count);
                Grow.To(ref Kept, raw.kept_count);
                Grow.To(ref Text, raw.text_bytes);
            }
        }

        private Status PollOnce(ulong engine, out evenmatch_event_buffers raw)
        {
            Events[0].struct_size = (uint)sizeof(evenmatch_event);
            Teams[0].struct_size = (uint)sizeof(evenmatch_team);
            Tickets[0].struct_size = (uint)sizeof(evenmatch_matched);
            Kept[0].struct_size = (uint)sizeof(evenmatch_kept);
            fixed (evenmatch_event* events = Events)
            fixed (evenmatch_team* teams = Teams)
            fixed (evenmatch_matched* tickets = Tickets)
            fixed (PlayerId* players = Players)
            fixed (Symbol* regions = Regions)
            fixed (evenmatch_kept* kept = Kept)
            fixed (byte* text = Text)
            {
                var buffers = new evenmatch_event_buffers
                {
                    struct_size = (uint)sizeof(evenmatch_event_buffers),
                    event_capacity = (ulong)Events.Length,
                    team_capacity = (ulong)Teams.Length,
                    ticket_capacity = (ulong)Tickets.Length,
                    player_capacity = (ulong)Players.Length,
                    region_capacity = (ulong)Regions.Length,
                    kept_capacity = (ulong)Kept.Length,
                    text_capacity = (ulong)Text.Length,
                    events = events,
                    teams = teams,
                    tickets = tickets,
                    players = (evenmatch_player_id*)players,
                    regions = (uint*)regions,
                    kept = kept,
                    text = text,
                };
                var status = (Status)Native.evenmatch_event_poll(engine, &buffers);
                raw = buffers;
                return status;
            }
        }
    }
}
