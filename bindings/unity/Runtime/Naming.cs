// What tickets, matches and players are called in texts that the engine writes. Handed to explanations and to
// the record. Invariant: all texts stand in one array.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>
    /// Names for texts of the engine. What has none is written as the digits of its id. One thread at a time.
    /// </summary>
    public sealed unsafe class Naming
    {
        private evenmatch_ticket_name[] tickets = new evenmatch_ticket_name[0];
        private evenmatch_ticket_name[] matches = new evenmatch_ticket_name[0];
        private evenmatch_player_name[] players = new evenmatch_player_name[0];
        private int[] ticketPlaces = new int[0], matchPlaces = new int[0], playerPlaces = new int[0];
        private byte[] texts = new byte[0];
        private int ticketCount, matchCount, playerCount, textBytes;

        /// <summary>How players without a name are written: NamesAs.Decimal, else hexadecimal.</summary>
        public NamesAs PlayersAs { get; set; }

        /// <summary>Names a ticket. Throws ArgumentException: no UTF-16.</summary>
        public Naming Ticket(TicketId id, string name)
        {
            Grow.To(ref tickets, ticketCount + 1);
            Grow.To(ref ticketPlaces, ticketCount + 1);
            ticketPlaces[ticketCount] = textBytes;
            tickets[ticketCount] = Named(id.Value, name);
            ticketCount++;
            return this;
        }

        /// <summary>Names a match. Throws ArgumentException: no UTF-16.</summary>
        public Naming Match(MatchId id, string name)
        {
            Grow.To(ref matches, matchCount + 1);
            Grow.To(ref matchPlaces, matchCount + 1);
            matchPlaces[matchCount] = textBytes;
            matches[matchCount] = Named(id.Value, name);
            matchCount++;
            return this;
        }

        /// <summary>Names a player. Throws ArgumentException: no UTF-16.</summary>
        public Naming Player(PlayerId id, string name)
        {
            Grow.To(ref players, playerCount + 1);
            Grow.To(ref playerPlaces, playerCount + 1);
            playerPlaces[playerCount] = textBytes;
            players[playerCount] = new evenmatch_player_name
            {
                struct_size = (uint)sizeof(evenmatch_player_name),
                id = new evenmatch_player_id { hi = id.Hi, lo = id.Lo },
                text_bytes = Append(name),
            };
            playerCount++;
            return this;
        }

        /// <summary>Forgets all names.</summary>
        public Naming Clear()
        {
            ticketCount = matchCount = playerCount = textBytes = 0;
            return this;
        }

        private evenmatch_ticket_name Named(ulong id, string name)
        {
            return new evenmatch_ticket_name
            {
                struct_size = (uint)sizeof(evenmatch_ticket_name),
                id = id,
                text_bytes = Append(name),
            };
        }

        private ulong Append(string name)
        {
            if (!Utf8.TryAppend(ref texts, textBytes, name, out var length))
            {
                throw new ArgumentException("the name has half a surrogate pair", nameof(name));
            }
            textBytes += length;
            return (ulong)length;
        }

        // What a call of the library is, with the struct that stands for the names.
        internal enum Call { Explain, ExplainPair, Record }

        // Makes the call; `naming` may be null. Names get their addresses here, where the texts are pinned.
        internal static Status Make(
            Naming naming, Call call, ulong engine, ulong a, ulong b, byte[] into, out ulong bytes)
        {
            naming = naming ?? new Naming();
            return naming.Make(call, engine, a, b, into, out bytes);
        }

        private Status Make(Call call, ulong engine, ulong a, ulong b, byte[] into, out ulong bytes)
        {
            ulong length = 0;
            int status;
            fixed (evenmatch_ticket_name* ticketRows = tickets)
            fixed (evenmatch_ticket_name* matchRows = matches)
            fixed (evenmatch_player_name* playerRows = players)
            fixed (byte* text = texts)
            fixed (byte* buffer = into)
            {
                for (var i = 0; i < ticketCount; i++)
                {
                    ticketRows[i].text = text + ticketPlaces[i];
                }
                for (var i = 0; i < matchCount; i++)
                {
                    matchRows[i].text = text + matchPlaces[i];
                }
                for (var i = 0; i < playerCount; i++)
                {
                    playerRows[i].text = text + playerPlaces[i];
                }
                var raw = new evenmatch_naming
                {
                    struct_size = (uint)sizeof(evenmatch_naming),
                    players_as = (int)PlayersAs,
                    ticket_count = (ulong)ticketCount,
                    match_count = (ulong)matchCount,
                    player_count = (ulong)playerCount,
                    tickets = ticketRows,
                    matches = matchRows,
                    players = playerRows,
                };
                var room = (ulong)into.Length;
                switch (call)
                {
                    case Call.Explain:
                        status = Native.evenmatch_ticket_explain(engine, a, (uint)b, &raw, buffer, room, &length);
                        break;
                    case Call.ExplainPair:
                        status = Native.evenmatch_pair_explain(engine, a, b, &raw, buffer, room, &length);
                        break;
                    default:
                        status = Native.evenmatch_record_poll(engine, &raw, buffer, room, &length, null);
                        break;
                }
            }
            bytes = length;
            return (Status)status;
        }
    }
}
