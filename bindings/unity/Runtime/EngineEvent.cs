// An event of a poll and its parts, read in place. Handed out by EventBuffer. Invariant: nothing is copied,
// so an event that outlives the next poll of its buffer would read another's numbers; it throws
// InvalidOperationException instead.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>
    /// A match, or the end of a ticket without one. Valid until the next poll into its buffer.
    /// </summary>
    public readonly struct EngineEvent
    {
        private readonly EventBuffer buffer;
        private readonly int index;
        private readonly int version;

        internal EngineEvent(EventBuffer buffer, int index, int version)
        {
            this.buffer = buffer;
            this.index = index;
            this.version = version;
        }

        private ref evenmatch_event Raw
        {
            get
            {
                if (buffer == null || version != buffer.Version)
                {
                    throw new InvalidOperationException("the buffer has been polled into since");
                }
                return ref buffer.Events[index];
            }
        }

        /// <summary>Whether tickets were matched; if not, one ticket ended without a match.</summary>
        public bool IsMatch => Raw.kind == Constants.EVENMATCH_EVENT_MATCH;

        /// <summary>When, in ms: the call's time for a cancel, else the tick's.</summary>
        public ulong AtMs => Raw.at_ms;

        /// <summary>In which queue, also if it has been removed since.</summary>
        public QueueId Queue => new QueueId(Raw.queue);

        /// <summary>The match; none if a ticket ended.</summary>
        public MatchId Match => new MatchId(IsMatch ? Raw.id : 0);

        /// <summary>The ticket that ended; none for a match.</summary>
        public TicketId Ticket => new TicketId(IsMatch ? 0 : Raw.id);

        /// <summary>The host's word of the ticket that ended; 0 for a match.</summary>
        public ulong UserData => Raw.user_data;

        /// <summary>Why the ticket ended.</summary>
        public EndReason Reason => (EndReason)Raw.reason;

        /// <summary>Whether an update of the ticket came too late to have an effect.</summary>
        public bool UpdateLost => Has(Constants.EVENMATCH_EVENT_UPDATE_LOST);

        /// <summary>Whether no search that led to the match was cut off.</summary>
        public bool IsExhaustive => Has(Constants.EVENMATCH_EVENT_EXHAUSTIVE);

        /// <summary>The greatest count of earlier matches that a ticket of the match was in.</summary>
        public int Attempts => (int)Raw.attempts;

        /// <summary>Where the match is played; none in a queue without a region rule.</summary>
        public Symbol Region => new Symbol(Raw.region);

        /// <summary>The sum of the rules' weighted terms.</summary>
        public double Cost => Raw.cost;

        /// <summary>
        /// Greatest minus least merged value of the attribute of the first difference rule.
        /// </summary>
        public double? SkillSpread => Number(Constants.EVENMATCH_EVENT_HAS_SKILL_SPREAD, Raw.skill_spread);

        /// <summary>Greatest minus least team average of the attribute that balances the teams.</summary>
        public double? TeamDifference => Number(Constants.EVENMATCH_EVENT_HAS_TEAM_DIFFERENCE, Raw.team_difference);

        /// <summary>The worst ticket's round trip in ms in the match's region.</summary>
        public double? PingWorstMs => Number(Constants.EVENMATCH_EVENT_HAS_PING, Raw.ping_worst_ms);

        /// <summary>The players' mean of their tickets' round trips in ms there.</summary>
        public double? PingMeanMs => Number(Constants.EVENMATCH_EVENT_HAS_PING, Raw.ping_mean_ms);

        /// <summary>The wait of the oldest ticket, in ms.</summary>
        public ulong OldestWaitMs => Raw.oldest_wait_ms;

        /// <summary>Teams that stand.</summary>
        public int TeamCount => (int)Raw.team_count;

        /// <summary>A team, as declared in the queue.</summary>
        public MatchTeam Team(int number)
        {
            ref var raw = ref Raw;
            return new MatchTeam(this, buffer, (int)raw.team_first + Checked(number, raw.team_count));
        }

        /// <summary>Tickets of the match.</summary>
        public int TicketCount => (int)Raw.ticket_count;

        /// <summary>A ticket of the match, team by team.</summary>
        public MatchTicket TicketAt(int number)
        {
            ref var raw = ref Raw;
            return new MatchTicket(buffer.Tickets[(int)raw.ticket_first + Checked(number, raw.ticket_count)]);
        }

        /// <summary>All players, team by team.</summary>
        public ReadOnlySpan<PlayerId> Players
        {
            get
            {
                ref var raw = ref Raw;
                return new ReadOnlySpan<PlayerId>(buffer.Players, (int)raw.player_first, (int)raw.player_count);
            }
        }

        /// <summary>All legal regions, best first.</summary>
        public ReadOnlySpan<Symbol> Regions
        {
            get
            {
                ref var raw = ref Raw;
                return new ReadOnlySpan<Symbol>(buffer.Regions, (int)raw.region_first, (int)raw.region_count);
            }
        }

        /// <summary>Undeclared attributes that the queue keeps.</summary>
        public int KeptCount => (int)Raw.kept_count;

        /// <summary>An undeclared attribute of a player. Allocates its texts.</summary>
        public KeptAttribute KeptAt(int number)
        {
            ref var raw = ref Raw;
            ref var kept = ref buffer.Kept[(int)raw.kept_first + Checked(number, raw.kept_count)];
            return new KeptAttribute(new PlayerId(kept.player.hi, kept.player.lo),
                Utf8.Text(buffer.Text, kept.name_first, kept.name_bytes),
                Utf8.Text(buffer.Text, kept.json_first, kept.json_bytes));
        }

        /// <summary>The queue's echo as JSON text; empty if it has none. Allocates it.</summary>
        public string Echo()
        {
            ref var raw = ref Raw;
            return Utf8.Text(buffer.Text, raw.echo_first, raw.echo_bytes);
        }

        // Throws if the event is stale.
        internal void Touch()
        {
            _ = Raw.kind;
        }

        private bool Has(int flag)
        {
            return (Raw.flags & (uint)flag) != 0;
        }

        private double? Number(int flag, double value)
        {
            return Has(flag) ? value : (double?)null;
        }

        private static int Checked(int number, uint count)
        {
            if (number < 0 || number >= count)
            {
                throw new ArgumentOutOfRangeException(nameof(number));
            }
            return number;
        }
    }

    /// <summary>One team of a match. Valid as long as its event is.</summary>
    public readonly struct MatchTeam
    {
        private readonly EngineEvent owner;
        private readonly EventBuffer buffer;
        private readonly int index;

        internal MatchTeam(EngineEvent owner, EventBuffer buffer, int index)
        {
            this.owner = owner;
            this.buffer = buffer;
            this.index = index;
        }

        private ref evenmatch_team Raw
        {
            get
            {
                owner.Touch();
                return ref buffer.Teams[index];
            }
        }

        /// <summary>Its name; "all" in a queue without teams.</summary>
        public Symbol Name => new Symbol(Raw.name);

        /// <summary>How many tickets it has.</summary>
        public int TicketCount => (int)Raw.ticket_count;

        /// <summary>A ticket of the team, in the order of submit numbers.</summary>
        public MatchTicket TicketAt(int number)
        {
            ref var raw = ref Raw;
            if (number < 0 || number >= raw.ticket_count)
            {
                throw new ArgumentOutOfRangeException(nameof(number));
            }
            return new MatchTicket(buffer.Tickets[(int)raw.ticket_first + number]);
        }

        /// <summary>Its players, those of each ticket as they were submitted.</summary>
        public ReadOnlySpan<PlayerId> Players
        {
            get
            {
                ref var raw = ref Raw;
                return new ReadOnlySpan<PlayerId>(buffer.Players, (int)raw.player_first, (int)raw.player_count);
            }
        }
    }

    /// <summary>One ticket of a match; a copy.</summary>
    public readonly struct MatchTicket
    {
        /// <summary>Which ticket.</summary>
        public readonly TicketId Id;

        /// <summary>The host's word.</summary>
        public readonly ulong UserData;

        /// <summary>Its team, counted from the match's first.</summary>
        public readonly int Team;

        /// <summary>Earlier matches that it was in.</summary>
        public readonly int Attempts;

        /// <summary>Its round trip in ms in the match's region.</summary>
        public readonly double? PingMs;

        /// <summary>How long it waited, in ms.</summary>
        public readonly ulong WaitMs;

        /// <summary>Whether an update of it came too late to have an effect.</summary>
        public readonly bool UpdateLost;

        internal MatchTicket(in evenmatch_matched raw)
        {
            Id = new TicketId(raw.id);
            UserData = raw.user_data;
            Team = (int)raw.team;
            Attempts = (int)raw.attempts;
            PingMs = (raw.flags & Constants.EVENMATCH_MATCHED_HAS_PING) != 0 ? raw.ping_ms : (double?)null;
            WaitMs = raw.wait_ms;
            UpdateLost = (raw.flags & Constants.EVENMATCH_MATCHED_UPDATE_LOST) != 0;
        }
    }

    /// <summary>An attribute that the queue does not declare but keeps; a copy.</summary>
    public readonly struct KeptAttribute
    {
        /// <summary>Whose it is.</summary>
        public readonly PlayerId Player;

        /// <summary>Its name.</summary>
        public readonly string Name;

        /// <summary>Its value as JSON text.</summary>
        public readonly string Json;

        internal KeptAttribute(PlayerId player, string name, string json)
        {
            Player = player;
            Name = name;
            Json = json;
        }
    }
}
