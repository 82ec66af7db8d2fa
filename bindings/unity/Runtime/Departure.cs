// A cancel or a leave that met a tick, for the replay of a record. Made by the host, answered by
// Engine.TickMeeting. It is nothing but the raw struct, so an array of them goes to the library as it is.

using System.Runtime.InteropServices;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>A cancel or a leave that meets a tick behind as many of its claims as it says.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Departure
    {
        private evenmatch_departure raw;

        /// <summary>
        /// A ticket is taken out. `atMs` and `claims`: "at", in ms, and "in_tick" of its line.
        /// </summary>
        public static Departure OfTicket(ulong atMs, ulong claims, TicketId ticket)
        {
            var made = new Departure();
            made.raw.struct_size = (uint)sizeof(evenmatch_departure);
            made.raw.at_ms = atMs;
            made.raw.claims = claims;
            made.raw.ticket = ticket.Value;
            return made;
        }

        /// <summary>A player leaves with that ticket, or with all of his tickets if it is none.</summary>
        public static Departure OfPlayer(ulong atMs, ulong claims, PlayerId player, TicketId ticket = default)
        {
            var made = OfTicket(atMs, claims, ticket);
            made.raw.flags = Constants.EVENMATCH_DEPARTURE_OF_PLAYER;
            made.raw.player = new evenmatch_player_id { hi = player.Hi, lo = player.Lo };
            return made;
        }

        /// <summary>What the call was answered, once the tick has been run.</summary>
        public Status Status => (Status)raw.status;
    }
}
