// The engine's life in managed hands: disposed, disposed twice, used after, never disposed, disposed under a
// call.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using NUnit.Framework;
using static Evenmatch.Tests.Support;

namespace Evenmatch.Tests
{
    [TestFixture]
    public class LifeTests
    {
        // As many engines as one process may have.
        private const int EngineMax = 64;

        [Test]
        public void UseAfterDispose()
        {
            var engine = NewEngine();
            var queue = engine.AddQueue(Duel);
            var ticket = SubmitOne(engine, 1, queue, 1);
            Assert.AreEqual("duel", engine.Name(engine.Resolve("duel")));
            var symbol = engine.Resolve("duel");
            engine.Dispose();
            engine.Dispose();
            Assert.IsTrue(engine.IsDisposed);
            var batch = new TicketBatch().Add(queue).Player(new PlayerId(2));
            Is(Status.NotFound, engine.TryTick(1, 0, out _));
            Is(Status.NotFound, engine.TryClose(1));
            Is(Status.NotFound, engine.TryNextDue(out _));
            Is(Status.NotFound, engine.TryResolve("x", out _));
            Is(Status.NotFound, engine.TryName(symbol, out _));
            Is(Status.NotFound, engine.TryAddQueues(Duel, null, out _));
            Is(Status.NotFound, engine.TryFindQueue("duel", out _));
            Is(Status.NotFound, engine.TryListQueues(new List<QueueId>()));
            Is(Status.NotFound, engine.TrySuspend(1, queue));
            Is(Status.NotFound, engine.TryResume(1, queue));
            Is(Status.NotFound, engine.TryRemove(1, queue));
            Is(Status.NotFound, engine.TrySetRegion(1, symbol, true));
            Is(Status.NotFound, engine.TrySubmit(1, batch, new SubmitResults()));
            Is(Status.NotFound, engine.TrySubmit(1, batch, out TicketId ignored));
            Is(Status.NotFound, engine.TryJoin(1, ticket, new TicketBatch().Player(new PlayerId(2)), out _));
            Is(Status.NotFound, engine.TryCancel(1, ticket, out _));
            Is(Status.NotFound, engine.TryLeave(1, new PlayerId(1), out _));
            Is(Status.NotFound, engine.TryFindTicket(new PlayerId(1), out _));
            Is(Status.NotFound,
                engine.TryUpdate(1, ticket, UpdateFields.Timeout, new TicketBatch().AddUpdate(), out _));
            Is(Status.NotFound, engine.TryRequeue(1, default, new TicketId[1], new SubmitResults()));
            Is(Status.NotFound, engine.TrySubmitJson(1, new TicketJson("{}"), new SubmitResults()));
            Is(Status.NotFound, engine.TryJoinJson(1, ticket, new TicketJson("{}"), out _));
            Is(Status.NotFound, engine.TryPoll(new EventBuffer()));
            Is(Status.NotFound, engine.TryReadTicket(ticket, new TicketState()));
            Is(Status.NotFound, engine.TryReadStats(out _));
            Is(Status.NotFound, engine.TryReadQueueStats(queue, new QueueStats()));
            Assert.Throws<ObjectDisposedException>(() => engine.Tick(1));
            Assert.Throws<ObjectDisposedException>(() => engine.Submit(1, batch));
            Assert.Throws<ObjectDisposedException>(() => engine.AddQueue(Duel));
            Assert.Throws<ObjectDisposedException>(() => engine.Poll(new EventBuffer()));
        }

        [Test]
        public void TheProcessTakesSoManyEnginesAndThenSaysSo()
        {
            Collect();
            var engines = new List<Engine>();
            try
            {
                var thrown = Assert.Throws<EvenmatchException>(() =>
                {
                    for (var i = 0; i <= EngineMax; i++)
                    {
                        engines.Add(new Engine());
                    }
                });
                Is(Status.TooManyEngines, thrown.Status);
            }
            finally
            {
                engines.ForEach(engine => engine.Dispose());
            }
            using (var engine = NewEngine())
            {
                engine.AddQueue(Duel);
            }
        }

        // Engines that nobody disposes are freed when they are collected; else the second round would find no
        // room.
        [Test]
        public void EnginesThatAreNeverDisposedAreCollected()
        {
            for (var round = 0; round < 4; round++)
            {
                DropEngines(EngineMax / 2);
                Collect();
            }
        }

        // The collector reads the stack without knowing what is a reference, so the engines are made on one
        // of their own.
        [MethodImpl(MethodImplOptions.NoInlining)]
        private static void DropEngines(int count)
        {
            var thread = new Thread(() =>
            {
                for (var i = 0; i < count; i++)
                {
                    var engine = NewEngine();
                    SubmitOne(engine, 1, engine.AddQueue(Duel), 7);
                }
            });
            thread.Start();
            thread.Join();
        }

        // Dispose while other threads are in calls and the collector runs: each call is answered, none of
        // them late.
        [Test]
        public void DisposeWhileOthersCall()
        {
            for (var round = 0; round < 20; round++)
            {
                var engine = NewEngine(10000);
                var queue = engine.AddQueue(Duel);
                var threads = new Thread[3];
                var faults = new List<string>();
                for (var number = 0; number < threads.Length; number++)
                {
                    var hi = (ulong)number;
                    threads[number] = new Thread(() =>
                    {
                        var batch = new TicketBatch();
                        var events = new EventBuffer(2);
                        for (ulong i = 0; ; i++)
                        {
                            batch.Clear().Add(queue).Player(new PlayerId(hi, i));
                            var status = hi == 0 ? engine.TryTick(i, 0, out _)
                                : hi == 1 ? engine.TryPoll(events) : engine.TrySubmit(i, batch, out TicketId ignored);
                            if (status == Status.NotFound || status == Status.EngineClosed)
                            {
                                return;
                            }
                            if (status != Status.Ok && status != Status.QueueFull)
                            {
                                lock (faults)
                                {
                                    faults.Add(status.ToString());
                                }
                                return;
                            }
                        }
                    });
                    threads[number].Start();
                }
                SubmitOne(engine, 1, queue, ulong.MaxValue);
                GC.Collect();
                engine.Dispose();
                foreach (var thread in threads)
                {
                    thread.Join();
                }
                Assert.AreEqual("", string.Join(", ", faults.ToArray()));
            }
        }

        // One tick at a time: a second thread is answered at once, and comes in when the first is out.
        [Test]
        public void ASecondTickIsAnsweredBusy()
        {
            using (var engine = NewEngine(20000))
            {
                var queue = engine.AddQueue(Duel);
                var stop = new ManualResetEvent(false);
                var ticking = new Thread(() =>
                {
                    var batch = new TicketBatch();
                    var results = new SubmitResults();
                    var events = new EventBuffer(256);
                    for (ulong round = 0; !stop.WaitOne(0); round++)
                    {
                        batch.Clear();
                        for (ulong i = 0; i < 1000; i++)
                        {
                            batch.Add(queue).Player(new PlayerId(round, i));
                        }
                        engine.TrySubmit(round, batch, results);
                        engine.TryTick(round, 0, out _);
                        while (engine.TryPoll(events) == Status.Ok && events.Count > 0)
                        {
                        }
                    }
                });
                ticking.Start();
                Status status;
                do
                {
                    status = engine.TryTick(0, 0, out _);
                    Thread.Yield();
                }
                while (status == Status.Ok);
                stop.Set();
                ticking.Join();
                Is(Status.Busy, status);
                Is(Status.Ok, engine.TryTick(0, 0, out _));
            }
        }

        // One tick at a time, one poll at a time; everything else goes on from any thread.
        [Test]
        public void CallsFromManyThreads()
        {
            using (var engine = NewEngine(1000))
            {
                var queue = engine.AddQueue(Duel);
                var threads = new Thread[2];
                for (var number = 0; number < threads.Length; number++)
                {
                    var hi = (ulong)number;
                    threads[number] = new Thread(() =>
                    {
                        for (ulong i = 0; i < 200; i++)
                        {
                            SubmitOne(engine, i, queue, hi * 1000 + i);
                        }
                    });
                    threads[number].Start();
                }
                var events = new EventBuffer();
                var matched = 0;
                for (ulong now = 1; matched < 400; now++)
                {
                    engine.Tick(Math.Min(now, 1000));
                    while (engine.Poll(events) > 0)
                    {
                        for (var i = 0; i < events.Count; i++)
                        {
                            matched += events[i].TicketCount;
                        }
                    }
                }
                foreach (var thread in threads)
                {
                    thread.Join();
                }
                Assert.AreEqual(400, engine.ReadStats().Submitted);
            }
        }
    }
}
