// Tickets to submit, with all that they bring, as the flat arrays that the C interface takes. Filled by the
// host, handed to Engine.TrySubmit, TryJoin and TryUpdate, cleared and filled again: once warmed it allocates
// nothing. Invariant: what belongs to one ticket or player is one range of its array.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>
    /// A batch of tickets. Add begins a ticket and what follows belongs to it; Player begins a player, whose
    /// attributes follow. For a join: players without a ticket. One thread at a time.
    /// </summary>
    public sealed unsafe class TicketBatch
    {
        private evenmatch_ticket[] tickets = new evenmatch_ticket[4];
        private evenmatch_player[] players = new evenmatch_player[4];
        private evenmatch_attribute[] attributes = new evenmatch_attribute[8];
        private evenmatch_ping[] pings = new evenmatch_ping[8];
        private evenmatch_limit[] limits = new evenmatch_limit[0];
        private uint[] symbols = new uint[0];
        private PlayerId[] awaited = new PlayerId[0];
        private byte[] text = new byte[0];
        private int playerCount, attributeCount, pingCount, limitCount, symbolCount, awaitedCount, textBytes;

        /// <summary>Tickets in the batch.</summary>
        public int Count { get; private set; }

        /// <summary>Empties the batch; its memory stays.</summary>
        public TicketBatch Clear()
        {
            Count = playerCount = attributeCount = pingCount = limitCount = symbolCount = awaitedCount = textBytes = 0;
            return this;
        }

        /// <summary>
        /// Begins a ticket in a queue. `userData` is the host's own word, echoed in every event of the
        /// ticket.
        /// </summary>
        public TicketBatch Add(QueueId queue, ulong userData = 0)
        {
            Grow.To(ref tickets, Count + 1);
            tickets[Count++] = new evenmatch_ticket
            {
                struct_size = (uint)sizeof(evenmatch_ticket),
                queue = queue.Value,
                user_data = userData,
            };
            return this;
        }

        /// <summary>Begins the ticket of an update, whose queue and user data are never looked at.</summary>
        public TicketBatch AddUpdate()
        {
            return Add(default);
        }

        /// <summary>
        /// Ends the ticket at this age in ms if the queue does not do so sooner; 0: the queue's timeout.
        /// </summary>
        public TicketBatch Timeout(ulong timeoutMs)
        {
            Ticket().timeout_ms = timeoutMs;
            return this;
        }

        /// <summary>When the ticket's wait began, in ms, if that was before the submit.</summary>
        public TicketBatch Enqueued(ulong enqueuedMs)
        {
            ref var ticket = ref Ticket();
            ticket.enqueued_ms = enqueuedMs;
            ticket.flags |= Constants.EVENMATCH_TICKET_HAS_ENQUEUED;
            return this;
        }

        /// <summary>
        /// The greatest round trip in ms of the ticket itself in the match's region, for ever.
        /// </summary>
        public TicketBatch MaxPing(double maxPingMs)
        {
            ref var ticket = ref Ticket();
            ticket.max_ping_ms = maxPingMs;
            ticket.flags |= Constants.EVENMATCH_TICKET_HAS_MAX_PING;
            return this;
        }

        /// <summary>
        /// The ticket's own limit for a number of every player of the other tickets; null: no bound.
        /// </summary>
        public TicketBatch Limit(Symbol attribute, double? least, double? greatest)
        {
            ref var ticket = ref Ticket();
            Append(ref ticket.limit_first, ref ticket.limit_count, ref limits, ref limitCount, new evenmatch_limit
            {
                struct_size = (uint)sizeof(evenmatch_limit),
                attribute = attribute.Value,
                flags = (least.HasValue ? Constants.EVENMATCH_LIMIT_HAS_LEAST : 0u)
                    | (greatest.HasValue ? Constants.EVENMATCH_LIMIT_HAS_GREATEST : 0u),
                least = least ?? 0,
                greatest = greatest ?? 0,
            });
            return this;
        }

        /// <summary>
        /// A region that the ticket accepts; without any it accepts all that it has pings for.
        /// </summary>
        public TicketBatch Region(Symbol region)
        {
            ref var ticket = ref Ticket();
            ticket.flags |= Constants.EVENMATCH_TICKET_HAS_REGIONS;
            Append(ref ticket.region_first, ref ticket.region_count, ref symbols, ref symbolCount, region.Value);
            return this;
        }

        /// <summary>
        /// A round trip in ms to a region, for the players of the ticket that bring none of their own.
        /// </summary>
        public TicketBatch Ping(Symbol region, double roundTripMs)
        {
            ref var ticket = ref Ticket();
            var ping = NewPing(region, roundTripMs);
            Append(ref ticket.ping_first, ref ticket.ping_count, ref pings, ref pingCount, ping);
            return this;
        }

        /// <summary>
        /// A player who is still to join; until then the ticket is forming and in no match.
        /// </summary>
        public TicketBatch Await(PlayerId player)
        {
            ref var ticket = ref Ticket();
            Append(ref ticket.awaited_first, ref ticket.awaited_count, ref awaited, ref awaitedCount, player);
            return this;
        }

        /// <summary>
        /// Begins a player of the ticket; in a batch without a ticket, the player who joins.
        /// </summary>
        public TicketBatch Player(PlayerId id)
        {
            var player = new evenmatch_player { struct_size = (uint)sizeof(evenmatch_player) };
            player.id = new evenmatch_player_id { hi = id.Hi, lo = id.Lo };
            if (Count > 0)
            {
                ref var ticket = ref Ticket();
                Append(ref ticket.player_first, ref ticket.player_count, ref players, ref playerCount, player);
            }
            else
            {
                uint first = 0, count = (uint)playerCount;
                Append(ref first, ref count, ref players, ref playerCount, player);
            }
            return this;
        }

        /// <summary>A round trip in ms of the player's own to a region, instead of the ticket's.</summary>
        public TicketBatch PlayerPing(Symbol region, double roundTripMs)
        {
            ref var player = ref LastPlayer();
            var ping = NewPing(region, roundTripMs);
            Append(ref player.ping_first, ref player.ping_count, ref pings, ref pingCount, ping);
            return this;
        }

        /// <summary>A number of the player's, exact to 0.000001.</summary>
        public TicketBatch Number(Symbol attribute, double value)
        {
            var raw = NewAttribute(attribute, Constants.EVENMATCH_ATTRIBUTE_NUMBER);
            raw.number = value;
            return Attribute(raw);
        }

        /// <summary>
        /// A string of the player's that stands again and again (a game mode), resolved once.
        /// </summary>
        public TicketBatch Value(Symbol attribute, Symbol value)
        {
            var raw = NewAttribute(attribute, Constants.EVENMATCH_ATTRIBUTE_SYMBOL);
            raw.symbol = value.Value;
            return Attribute(raw);
        }

        /// <summary>
        /// A string of the player's that differs from player to player. Throws ArgumentException: no UTF-16.
        /// </summary>
        public TicketBatch Text(Symbol attribute, string value)
        {
            return Bytes(NewAttribute(attribute, Constants.EVENMATCH_ATTRIBUTE_TEXT), value);
        }

        /// <summary>A value that the queue keeps and does not declare, as JSON text.</summary>
        public TicketBatch Json(Symbol attribute, string json)
        {
            return Bytes(NewAttribute(attribute, Constants.EVENMATCH_ATTRIBUTE_JSON), json);
        }

        /// <summary>A list of strings of the player's.</summary>
        public TicketBatch List(Symbol attribute, ReadOnlySpan<Symbol> values)
        {
            var raw = NewAttribute(attribute, Constants.EVENMATCH_ATTRIBUTE_LIST);
            raw.first = (uint)symbolCount;
            raw.count = (uint)values.Length;
            Grow.To(ref symbols, symbolCount + values.Length);
            foreach (var value in values)
            {
                symbols[symbolCount++] = value.Value;
            }
            return Attribute(raw);
        }

        private TicketBatch Bytes(evenmatch_attribute raw, string value)
        {
            if (!Utf8.TryAppend(ref text, textBytes, value, out var length))
            {
                throw new ArgumentException("the text has half a surrogate pair", nameof(value));
            }
            raw.first = (uint)textBytes;
            raw.count = (uint)length;
            textBytes += length;
            return Attribute(raw);
        }

        private TicketBatch Attribute(evenmatch_attribute raw)
        {
            ref var player = ref LastPlayer();
            Append(ref player.attribute_first, ref player.attribute_count, ref attributes, ref attributeCount, raw);
            return this;
        }

        private static evenmatch_attribute NewAttribute(Symbol name, int kind)
        {
            return new evenmatch_attribute
            {
                struct_size = (uint)sizeof(evenmatch_attribute),
                name = name.Value,
                kind = kind,
            };
        }

        private static evenmatch_ping NewPing(Symbol region, double roundTripMs)
        {
            return new evenmatch_ping
            {
                struct_size = (uint)sizeof(evenmatch_ping),
                region = region.Value,
                round_trip_ms = roundTripMs,
            };
        }

        private ref evenmatch_ticket Ticket()
        {
            if (Count == 0)
            {
                throw new InvalidOperationException("Add begins a ticket");
            }
            return ref tickets[Count - 1];
        }

        private ref evenmatch_player LastPlayer()
        {
            if (playerCount == 0 || Count > 0 && tickets[Count - 1].player_count == 0)
            {
                throw new InvalidOperationException("Player begins a player");
            }
            return ref players[playerCount - 1];
        }

        // Appends to the range [first, first + length) of an array; if others stand behind it, moves it to
        // the end first.
        private static void Append<T>(ref uint first, ref uint length, ref T[] array, ref int count, T value)
            where T : struct
        {
            if (length == 0)
            {
                first = (uint)count;
            }
            else if (first + length != count)
            {
                Grow.To(ref array, count + (int)length);
                Array.Copy(array, (int)first, array, count, (int)length);
                first = (uint)count;
                count += (int)length;
            }
            Grow.To(ref array, count + 1);
            array[count++] = value;
            length++;
        }

        // Calls the library with everything pinned for the call; which call, `Call` says, since a delegate
        // would allocate.
        internal Status Submit(ulong engine, ulong nowMs, evenmatch_submitted* results, byte* details, ulong room,
            ulong* accepted)
        {
            return Send(Call.Submit, engine, nowMs, 0, 0, results, details, room, accepted);
        }

        internal Status Join(ulong engine, ulong nowMs, ulong ticket, ulong* missing)
        {
            return Send(Call.Join, engine, nowMs, ticket, 0, null, null, 0, missing);
        }

        internal Status Update(ulong engine, ulong nowMs, ulong ticket, uint fields, ulong* match)
        {
            return Send(Call.Update, engine, nowMs, ticket, fields, null, null, 0, match);
        }

        private enum Call
        {
            Submit,
            Join,
            Update,
        }

        private Status Send(Call call, ulong engine, ulong nowMs, ulong ticket, uint fields,
            evenmatch_submitted* results, byte* details, ulong room, ulong* word)
        {
            fixed (evenmatch_ticket* ticketStart = tickets)
            fixed (evenmatch_player* playerStart = players)
            fixed (evenmatch_attribute* attributeStart = attributes)
            fixed (evenmatch_ping* pingStart = pings)
            fixed (evenmatch_limit* limitStart = limits)
            fixed (uint* symbolStart = symbols)
            fixed (PlayerId* awaitedStart = awaited)
            fixed (byte* textStart = text)
            {
                var batch = new evenmatch_batch
                {
                    struct_size = (uint)sizeof(evenmatch_batch),
                    ticket_count = (ulong)Count,
                    player_count = (ulong)playerCount,
                    attribute_count = (ulong)attributeCount,
                    ping_count = (ulong)pingCount,
                    limit_count = (ulong)limitCount,
                    symbol_count = (ulong)symbolCount,
                    awaited_count = (ulong)awaitedCount,
                    text_bytes = (ulong)textBytes,
                    tickets = ticketStart,
                    players = playerStart,
                    attributes = attributeStart,
                    pings = pingStart,
                    limits = limitStart,
                    symbols = symbolStart,
                    awaited = (evenmatch_player_id*)awaitedStart,
                    text = textStart,
                };
                switch (call)
                {
                    case Call.Submit:
                        return (Status)Native.evenmatch_ticket_submit(
                            engine, nowMs, &batch, results, (ulong)Count, details, room, word);
                    case Call.Join:
                        return (Status)Native.evenmatch_ticket_join(engine, nowMs, ticket, &batch, word);
                    default:
                        return (Status)Native.evenmatch_ticket_update(engine, nowMs, ticket, fields, &batch, word);
                }
            }
        }
    }
}
