// The engine's tickets: submitted, joined, cancelled, left, updated, requeued; as batches or as JSON text.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    public sealed unsafe partial class Engine
    {
        /// <summary>
        /// Submits the tickets of a batch in order; each is accepted or refused by itself, as `results` says.
        /// Ok if every ticket got a result. Any thread.
        /// </summary>
        public Status TrySubmit(ulong nowMs, TicketBatch batch, SubmitResults results)
        {
            results.Prepare(batch.Count);
            ulong accepted = 0;
            Status status;
            fixed (evenmatch_submitted* raw = results.Raw)
            fixed (byte* details = results.Details)
            {
                status = batch.Submit(Handle, nowMs, raw, details, (ulong)results.Details.Length, &accepted);
            }
            GC.KeepAlive(this);
            if (status == Status.Ok)
            {
                results.Count = batch.Count;
                results.Accepted = (int)accepted;
            }
            return status;
        }

        /// <summary>
        /// As TrySubmit; answers how many tickets were accepted. A refused ticket does not throw.
        /// </summary>
        public int Submit(ulong nowMs, TicketBatch batch, SubmitResults results)
        {
            Check(TrySubmit(nowMs, batch, results));
            return results.Accepted;
        }

        /// <summary>
        /// Submits a batch of exactly one ticket (else InvalidArgument) and answers what came of the ticket.
        /// </summary>
        public Status TrySubmit(ulong nowMs, TicketBatch batch, out TicketId ticket)
        {
            ticket = default;
            if (batch.Count != 1)
            {
                return Status.InvalidArgument;
            }
            var result = new evenmatch_submitted { struct_size = (uint)sizeof(evenmatch_submitted) };
            var status = batch.Submit(Handle, nowMs, &result, null, 0, null);
            GC.KeepAlive(this);
            ticket = new TicketId(result.ticket);
            return status == Status.Ok ? (Status)result.status : status;
        }

        /// <summary>Submits a batch of exactly one ticket; throws if it is refused.</summary>
        public TicketId Submit(ulong nowMs, TicketBatch batch)
        {
            Check(TrySubmit(nowMs, batch, out TicketId ticket));
            return ticket;
        }

        /// <summary>
        /// Lets the one player of `batch` join a forming ticket; `missing`: how many are still to join.
        /// </summary>
        public Status TryJoin(ulong nowMs, TicketId ticket, TicketBatch batch, out int missing)
        {
            ulong count = 0;
            var status = batch.Join(Handle, nowMs, ticket.Value, &count);
            GC.KeepAlive(this);
            missing = (int)count;
            return status;
        }

        /// <summary>As TryJoin.</summary>
        public int Join(ulong nowMs, TicketId ticket, TicketBatch batch)
        {
            Check(TryJoin(nowMs, ticket, batch, out var missing));
            return missing;
        }

        /// <summary>
        /// Takes a ticket out: Ok, or AlreadyMatched with the match, or NotFound (also: ended before). Any
        /// thread, also while a tick looks at the ticket: then one of the two is first.
        /// </summary>
        public Status TryCancel(ulong nowMs, TicketId ticket, out MatchId match)
        {
            ulong found = 0;
            var status = Native.evenmatch_ticket_cancel(Handle, nowMs, ticket.Value, &found);
            GC.KeepAlive(this);
            match = new MatchId(found);
            return (Status)status;
        }

        /// <summary>As TryCancel.</summary>
        public void Cancel(ulong nowMs, TicketId ticket)
        {
            Check(TryCancel(nowMs, ticket, out _));
        }

        /// <summary>Takes the player's ticket out whole.</summary>
        public Status TryLeave(ulong nowMs, PlayerId player, out TicketId ticket)
        {
            ulong found = 0;
            var raw = new evenmatch_player_id { hi = player.Hi, lo = player.Lo };
            var status = Native.evenmatch_player_leave(Handle, nowMs, &raw, &found);
            GC.KeepAlive(this);
            ticket = new TicketId(found);
            return (Status)status;
        }

        /// <summary>As TryLeave.</summary>
        public TicketId Leave(ulong nowMs, PlayerId player)
        {
            Check(TryLeave(nowMs, player, out var ticket));
            return ticket;
        }

        /// <summary>Takes one ticket of the player out whole.</summary>
        public Status TryLeave(ulong nowMs, PlayerId player, TicketId ticket)
        {
            var raw = new evenmatch_player_id { hi = player.Hi, lo = player.Lo };
            var status = Native.evenmatch_ticket_leave(Handle, nowMs, ticket.Value, &raw);
            GC.KeepAlive(this);
            return (Status)status;
        }

        /// <summary>
        /// The live tickets of a player, the oldest first, into `tickets`; `count`: how many there are, also
        /// with BufferTooSmall.
        /// </summary>
        public Status TryFindTickets(PlayerId player, Span<TicketId> tickets, out int count)
        {
            ulong found = 0;
            int status;
            var raw = new evenmatch_player_id { hi = player.Hi, lo = player.Lo };
            fixed (TicketId* start = &System.Runtime.InteropServices.MemoryMarshal.GetReference(tickets))
            {
                var room = (ulong)tickets.Length;
                status = Native.evenmatch_player_list(Handle, &raw, (ulong*)start, room, &found);
            }
            GC.KeepAlive(this);
            count = (int)found;
            return (Status)status;
        }

        /// <summary>The live ticket of a player, the oldest of several; NotFound: he is in none.</summary>
        public Status TryFindTicket(PlayerId player, out TicketId ticket)
        {
            ulong found = 0;
            var raw = new evenmatch_player_id { hi = player.Hi, lo = player.Lo };
            var status = Native.evenmatch_player_find(Handle, &raw, &found);
            GC.KeepAlive(this);
            ticket = new TicketId(found);
            return (Status)status;
        }

        /// <summary>
        /// Changes a waiting ticket from the next tick on: what `fields` names is replaced whole by what the
        /// one ticket of `batch` has. `match` with AlreadyMatched only.
        /// </summary>
        public Status TryUpdate(ulong nowMs, TicketId ticket, UpdateFields fields, TicketBatch batch, out MatchId match)
        {
            ulong found = 0;
            var status = batch.Update(Handle, nowMs, ticket.Value, (uint)fields, &found);
            GC.KeepAlive(this);
            match = new MatchId(found);
            return status;
        }

        /// <summary>As TryUpdate.</summary>
        public void Update(ulong nowMs, TicketId ticket, UpdateFields fields, TicketBatch batch)
        {
            Check(TryUpdate(nowMs, ticket, fields, batch, out _));
        }

        /// <summary>
        /// Puts tickets of a match that came to nothing back, as new tickets with their old wait; each is
        /// accepted or refused by itself, as `results` says.
        /// </summary>
        public Status TryRequeue(ulong nowMs, MatchId match, ReadOnlySpan<TicketId> tickets, SubmitResults results)
        {
            results.Prepare(tickets.Length);
            ulong accepted = 0;
            Status status;
            fixed (TicketId* ids = &System.Runtime.InteropServices.MemoryMarshal.GetReference(tickets))
            fixed (evenmatch_submitted* raw = results.Raw)
            fixed (byte* details = results.Details)
            {
                var count = (ulong)tickets.Length;
                status = (Status)Native.evenmatch_match_requeue(Handle, nowMs, match.Value, (ulong*)ids, count,
                    raw, count, details, (ulong)results.Details.Length, &accepted);
            }
            GC.KeepAlive(this);
            if (status == Status.Ok)
            {
                results.Count = tickets.Length;
                results.Accepted = (int)accepted;
            }
            return status;
        }

        /// <summary>As TryRequeue; answers how many tickets were accepted.</summary>
        public int Requeue(ulong nowMs, MatchId match, ReadOnlySpan<TicketId> tickets, SubmitResults results)
        {
            Check(TryRequeue(nowMs, match, tickets, results));
            return results.Accepted;
        }

        /// <summary>
        /// Submits one ticket that is JSON text, native or PlayFab's. `results` gets the one result.
        /// </summary>
        public Status TrySubmitJson(ulong nowMs, TicketJson json, SubmitResults results)
        {
            results.Prepare(1);
            Status status;
            fixed (evenmatch_submitted* raw = results.Raw)
            fixed (byte* details = results.Details)
            {
                status = json.Submit(Handle, nowMs, raw, details, (ulong)results.Details.Length);
            }
            GC.KeepAlive(this);
            if (status == Status.Ok)
            {
                results.Count = 1;
                results.Accepted = results.Raw[0].status == Constants.EVENMATCH_OK ? 1 : 0;
            }
            return status;
        }

        /// <summary>Submits one ticket that is JSON text; throws if it is refused.</summary>
        public TicketId SubmitJson(ulong nowMs, TicketJson json)
        {
            var result = new evenmatch_submitted { struct_size = (uint)sizeof(evenmatch_submitted) };
            var status = json.Submit(Handle, nowMs, &result, null, 0);
            GC.KeepAlive(this);
            Check(status == Status.Ok ? (Status)result.status : status);
            return new TicketId(result.ticket);
        }

        /// <summary>Lets a player join who is JSON text; otherwise as TryJoin.</summary>
        public Status TryJoinJson(ulong nowMs, TicketId ticket, TicketJson json, out int missing)
        {
            ulong count = 0;
            var status = json.Join(Handle, nowMs, ticket.Value, &count);
            GC.KeepAlive(this);
            missing = (int)count;
            return status;
        }
    }
}
