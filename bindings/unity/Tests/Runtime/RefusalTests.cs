// Every status that C# can provoke, by the mistake that it names; the mistakes that only C can make, through
// the raw layer.

using System;
using Evenmatch.Raw;
using NUnit.Framework;
using static Evenmatch.Tests.Support;

namespace Evenmatch.Tests
{
    [TestFixture]
    public unsafe class RefusalTests
    {
        private Engine engine;
        private QueueId queue;
        private Symbol skill, mode, maps, eu, asia;

        [SetUp]
        public void MakeAnEngine()
        {
            engine = NewEngine(3);
            queue = engine.AddQueue(Full);
            skill = engine.Resolve("skill");
            mode = engine.Resolve("mode");
            maps = engine.Resolve("maps");
            eu = engine.Resolve("eu");
            asia = engine.Resolve("asia");
        }

        [TearDown]
        public void DisposeIt()
        {
            engine.Dispose();
        }

        // A ticket that would be accepted, but for what is added to it.
        private TicketBatch Whole(ulong player = 500)
        {
            return new TicketBatch().Add(queue).Ping(eu, 20).Player(new PlayerId(player)).Number(skill, 1500);
        }

        // A ticket with a ping, whose player is still without attributes.
        private TicketBatch Bare(double ping = 20)
        {
            return new TicketBatch().Add(queue).Ping(eu, ping).Player(new PlayerId(500));
        }

        private void Refused(Status wanted, TicketBatch batch)
        {
            Is(wanted, engine.TrySubmit(1, batch, out TicketId ticket));
            Assert.IsTrue(ticket.IsNone);
            var thrown = Assert.Throws<EvenmatchException>(() => engine.Submit(1, batch));
            Assert.AreEqual(wanted, thrown.Status);
            StringAssert.StartsWith(Library.Text(wanted), thrown.Message);
        }

        [Test]
        public void TicketsThatAreRefused()
        {
            Refused(Status.NoPlayers, new TicketBatch().Add(queue));
            Refused(Status.NotFound, new TicketBatch().Add(default).Player(new PlayerId(1)));
            Refused(Status.NotFound, new TicketBatch().Add(new QueueId(ulong.MaxValue)).Player(new PlayerId(1)));
            Refused(Status.UnknownAttribute, Bare().Number(asia, 1));
            Refused(Status.UnknownSymbol, Bare().Number(default, 1));
            Refused(Status.UnknownSymbol, Bare().Value(mode, new Symbol(999999)));
            Refused(Status.UnknownSymbol, Whole().Limit(new Symbol(999999), 1, 2));
            Refused(Status.WrongType, Bare().Number(mode, 1));
            Refused(Status.OutOfRange, Bare().Number(skill, 5001));
            Refused(Status.OutOfRange, Bare().Number(skill, double.NaN));
            Refused(Status.MissingAttribute, Bare());
            Refused(Status.DuplicateName, Whole().Number(skill, 1500));
            Refused(Status.DuplicateName, Whole().Ping(eu, 21));
            Refused(Status.UnknownRegion, Whole().Ping(asia, 21));
            Refused(Status.MissingLatency, new TicketBatch().Add(queue).Player(new PlayerId(1)).Number(skill, 1));
            Refused(Status.Unmatchable, Bare(61).Number(skill, 1500));
            Refused(Status.DuplicatePlayer, Whole().Player(new PlayerId(500)).Number(skill, 1500));
            Refused(Status.InvalidTime, Whole().Enqueued(ulong.MaxValue));
            Refused(Status.TooManyBytes, Whole().Text(mode, new string('x', 257)));
            var values = new Symbol[65];
            for (var i = 0; i < values.Length; i++)
            {
                values[i] = mode;
            }
            Refused(Status.TooManyValues, Whole().List(maps, values));
            var party = Whole();
            for (ulong i = 0; i < 3; i++)
            {
                party.Player(new PlayerId(600 + i)).Number(skill, 1500);
            }
            Refused(Status.PartyTooLarge, party);
            for (ulong i = 0; i < 61; i++)
            {
                party.Player(new PlayerId(700 + i)).Number(skill, 1500);
            }
            Refused(Status.TooManyPlayers, party);
            var attributes = Whole();
            for (var i = 0; i < 128; i++)
            {
                attributes.Number(skill, i);
            }
            Refused(Status.TooManyAttributes, attributes);

            var results = new SubmitResults();
            Assert.AreEqual(0, engine.Submit(1, Bare(61).Number(skill, 1500), results));
            Assert.AreEqual(UnmatchableReason.NoRegion, results[0].Reason);
            Assert.IsTrue(results.Detail(0).Length > 0);
            Assert.AreEqual(0, engine.Submit(1, Bare(61).Number(skill, 1500), new SubmitResults(0)));
        }

        [Test]
        public void FullQueuesAndStaleTickets()
        {
            var first = engine.Submit(1, Whole());
            Refused(Status.PlayerAlreadyQueued, Whole());
            engine.Submit(1, Whole(501));
            engine.Submit(1, Whole(502));
            Refused(Status.QueueFull, Whole(503));
            Is(Status.NotFound, engine.TryCancel(2, default, out _));
            Is(Status.NotFound, engine.TryCancel(2, new TicketId(ulong.MaxValue), out _));
            Is(Status.NotFound, engine.TryCancel(2, new TicketId(first.Value + (1UL << 32)), out _));
            Is(Status.InvalidTime, engine.TryCancel(ulong.MaxValue, first, out _));
            using (var other = NewEngine())
            {
                Is(Status.NotFound, other.TryCancel(2, first, out _));
            }
            engine.Cancel(2, first);
            Is(Status.NotFound, engine.TryCancel(2, first, out _));
            Is(Status.NotFound, engine.TryLeave(2, new PlayerId(500), out _));
            Is(Status.NotFound, engine.TryFindTicket(new PlayerId(500), out _));
            Is(Status.NotFound, engine.TryUpdate(2, first, UpdateFields.Timeout, new TicketBatch().AddUpdate(), out _));
            Is(Status.NotFound, engine.TryReadTicket(new TicketId(77), new TicketState()));
            Is(Status.InvalidArgument, engine.TryJoin(2, first, new TicketBatch(), out _));
            Is(Status.InvalidArgument, engine.TrySubmit(2, new TicketBatch(), out TicketId ignored));
            Is(Status.Ok, engine.TrySubmit(2, new TicketBatch(), new SubmitResults()));
            Is(Status.NotFound, engine.TryRequeue(2, new MatchId(first.Value), new[] { first }, new SubmitResults()));
            Is(Status.NotFound, engine.TryRequeue(2, default, new TicketId[0], new SubmitResults()));
        }

        [Test]
        public void NamesQueuesTimesAndLimits()
        {
            Is(Status.TooManyBytes, engine.TryResolve(new string('x', 257), out _));
            Is(Status.TooManyBytes, engine.TryResolve(new string('\u20ac', 86), out _));
            Is(Status.InvalidUtf8, engine.TryResolve("half \ud800", out _));
            Is(Status.InvalidUtf8, engine.TryFindQueue("\udc00", out _));
            Is(Status.InvalidUtf8, engine.TryAddQueues("\udc00", null, out _));
            Assert.Throws<ArgumentException>(() => Whole().Text(mode, "\udc00"));
            Assert.AreEqual("\u20ac\ud83d\ude00", engine.Name(engine.Resolve("\u20ac\ud83d\ude00")));
            Is(Status.UnknownSymbol, engine.TryName(new Symbol(999999), out _));
            Is(Status.UnknownSymbol, engine.TrySetRegion(1, default, false));
            Is(Status.QueueExists, engine.TryAddQueues(Full, null, out _));
            Is(Status.InvalidQueue, engine.TryAddQueues(Full, new QueueSource { Format = QueueFormat.Playfab }, out _));
            Is(Status.UnknownEnum, engine.TryAddQueues(Duel, new QueueSource { Format = (QueueFormat)9 }, out _));
            Is(Status.UnknownEnum, engine.TryAddQueues(Duel, new QueueSource { Windows = (AgeOf)(-1) }, out _));
            Is(Status.UnknownEnum,
                engine.TryAddQueues(Duel, new QueueSource { IntersectionDelta = (IntersectionDelta)2 }, out _));
            Is(Status.UnknownEnum, engine.TrySubmitJson(1, new TicketJson("{}", (NamesAs)9), new SubmitResults()));
            Is(Status.NotFound, engine.TrySuspend(1, default));
            Is(Status.NotFound, engine.TryReadQueueStats(default, new QueueStats()));
            Is(Status.InvalidTime, engine.TryResume(ulong.MaxValue, queue));
            Is(Status.InvalidTime, engine.TryTick(ulong.MaxValue, 0, out _));
            Assert.AreEqual(Status.OutOfRange, Assert.Throws<EvenmatchException>(
                () => new Engine(new EngineOptions { SearchNodes = 1 })).Status);
            using (var small = new Engine(new EngineOptions { Symbols = 1 }))
            {
                small.Resolve("one");
                Is(Status.TooManySymbols, small.TryResolve("two", out _));
            }
            var ticket = new TicketBatch().Add(queue).Ping(eu, 20).Await(new PlayerId(2)).Player(new PlayerId(1))
                .Number(skill, 1);
            var forming = engine.Submit(1, ticket);
            Is(Status.InvalidArgument,
                engine.TryUpdate(1, forming, (UpdateFields)(1 << 20), new TicketBatch().AddUpdate(), out _));
            for (var i = 2; i <= 256; i++)
            {
                engine.AddQueue("{ \"name\": \"q" + i + "\", \"players\": 2 }");
            }
            Is(Status.TooManyQueues, engine.TryAddQueues(Duel, null, out _));
        }

        [Test]
        public void MoreRegionsThanAQueueMayKnow()
        {
            var learning = engine.AddQueue("{ \"name\": \"r\", \"players\": 2, \"timeout_s\": 9,"
                + " \"rules\": [{ \"name\": \"p\", \"type\": \"region\", \"max_ms\": 60 }] }");
            var batch = new TicketBatch().Add(learning).Player(new PlayerId(1));
            for (var i = 0; i < 65; i++)
            {
                batch.Ping(engine.Resolve("r" + i), 20);
            }
            Refused(Status.TooManyRegions, batch);
        }

        [Test]
        public void MisuseOfTheClassesThrowsInCSharp()
        {
            Assert.Throws<InvalidOperationException>(() => new TicketBatch().Ping(eu, 1));
            Assert.Throws<InvalidOperationException>(() => new TicketBatch().Add(queue).Number(skill, 1));
            Assert.Throws<ArgumentOutOfRangeException>(() => { var _ = new SubmitResults()[0]; });
            Assert.Throws<ArgumentOutOfRangeException>(() => { var _ = new EventBuffer()[0]; });
            Assert.Throws<ArgumentOutOfRangeException>(() => new EventBuffer(0));
            Assert.Throws<ArgumentOutOfRangeException>(() => new TicketState().WindowAt(0));
            Assert.Throws<InvalidOperationException>(() => { var _ = default(EngineEvent).IsMatch; });
            var events = new EventBuffer();
            var ticket = engine.Submit(1, Whole());
            engine.Cancel(1, ticket);
            engine.Tick(2);
            engine.Poll(events);
            var kept = events[0];
            Assert.AreEqual(ticket, kept.Ticket);
            Assert.Throws<ArgumentOutOfRangeException>(() => kept.Team(0));
            engine.Poll(events);
            Assert.Throws<InvalidOperationException>(() => { var _ = kept.Ticket; });
        }

        [Test]
        public void WhatOnlyCCanGetWrong()
        {
            var handle = engine.Handle;
            evenmatch_submitted result;
            var ticket = new evenmatch_ticket { struct_size = (uint)sizeof(evenmatch_ticket) };
            var batch = new evenmatch_batch { struct_size = (uint)sizeof(evenmatch_batch), ticket_count = 1 };
            result.struct_size = (uint)sizeof(evenmatch_submitted);
            Assert.AreEqual(Constants.EVENMATCH_NULL_POINTER,
                Native.evenmatch_ticket_submit(handle, 1, &batch, &result, 1, null, 0, null));
            batch.tickets = &ticket;
            Assert.AreEqual(Constants.EVENMATCH_BUFFER_TOO_SMALL,
                Native.evenmatch_ticket_submit(handle, 1, &batch, &result, 0, null, 0, null));
            batch.ticket_count = 1UL << 32;
            Assert.AreEqual(Constants.EVENMATCH_TOO_LARGE,
                Native.evenmatch_ticket_submit(handle, 1, &batch, &result, 1, null, 0, null));
            batch.ticket_count = 1;
            batch.struct_size = 3;
            Assert.AreEqual(Constants.EVENMATCH_STRUCT_SIZE,
                Native.evenmatch_ticket_submit(handle, 1, &batch, &result, 1, null, 0, null));
            batch.struct_size = (uint)sizeof(evenmatch_batch);
            ticket.queue = queue.Value;
            ticket.player_count = 1;
            Assert.AreEqual(Constants.EVENMATCH_OK,
                Native.evenmatch_ticket_submit(handle, 1, &batch, &result, 1, null, 0, null));
            Assert.AreEqual(Constants.EVENMATCH_INVALID_RANGE, result.status);
            var longer = stackalloc byte[sizeof(evenmatch_engine_config) + 8];
            for (var i = 0; i < sizeof(evenmatch_engine_config) + 8; i++)
            {
                longer[i] = 0;
            }
            longer[0] = (byte)(sizeof(evenmatch_engine_config) + 8);
            longer[sizeof(evenmatch_engine_config)] = 1;
            ulong made;
            Assert.AreEqual(Constants.EVENMATCH_STRUCT_TAIL,
                Native.evenmatch_engine_new((evenmatch_engine_config*)longer, &made));
            Assert.AreEqual(Constants.EVENMATCH_ABI_MISMATCH,
                Native.evenmatch_abi_accepts(Constants.EVENMATCH_ABI_VERSION + 1));
        }
    }
}
