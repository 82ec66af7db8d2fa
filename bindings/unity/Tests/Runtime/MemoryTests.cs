// The collector at work between calls and in the middle of polls; frames that allocate nothing.

using System;
using System.Threading;
using NUnit.Framework;
using static Evenmatch.Tests.Support;

namespace Evenmatch.Tests
{
    [TestFixture]
    public class MemoryTests
    {
        [Test]
        public void CollectionsBetweenCallsChangeNothing()
        {
            using (var engine = NewEngine(64))
            {
                var queue = engine.AddQueue(Duel);
                var events = new EventBuffer(1);
                for (ulong round = 0; round < 20; round++)
                {
                    var batch = new TicketBatch();
                    var skill = engine.Resolve("skill");
                    batch.Add(queue, 2 * round).Player(new PlayerId(round, 1)).Number(skill, 1500);
                    batch.Add(queue, 2 * round + 1).Player(new PlayerId(round, 2)).Number(skill, 1510);
                    var results = new SubmitResults();
                    Collect();
                    Assert.AreEqual(2, engine.Submit(round * 10, batch, results));
                    Collect();
                    Assert.AreEqual(1, engine.Tick(round * 10 + 1).Matches);
                    Collect();
                    Assert.AreEqual(1, engine.Poll(events));
                    var found = events[0];
                    Collect();
                    Assert.AreEqual(new PlayerId(round, 1), found.Players[0]);
                    Assert.AreEqual(2 * round + 1, found.TicketAt(1).UserData);
                    Assert.AreEqual(results[0].Ticket.Value, found.Match.Value);
                }
            }
        }

        // A thread that allocates and collects without a pause while this one submits, ticks and polls.
        [Test]
        public void CollectionsInTheMiddleOfCallsChangeNothing()
        {
            var stop = new ManualResetEvent(false);
            var rubbish = new byte[64][];
            var collector = new Thread(() =>
            {
                for (var i = 0; !stop.WaitOne(0); i++)
                {
                    rubbish[i % 64] = new byte[1 + i % 4096];
                    if (i % 16 == 0)
                    {
                        GC.Collect();
                    }
                }
            });
            collector.Start();
            try
            {
                using (var engine = NewEngine(4096))
                {
                    var queue = engine.AddQueue(Duel);
                    var batch = new TicketBatch();
                    var results = new SubmitResults();
                    ulong seen = 0, sum = 0;
                    for (ulong round = 0; round < 200; round++)
                    {
                        batch.Clear();
                        for (ulong i = 0; i < 20; i++)
                        {
                            batch.Add(queue, round).Player(new PlayerId(round, i));
                        }
                        Assert.AreEqual(20, engine.Submit(round, batch, results));
                        engine.Tick(round + 1);
                        // A new one each time, which grows while it is pinned and unpinned.
                        var events = new EventBuffer(3);
                        while (engine.Poll(events) > 0)
                        {
                            for (var i = 0; i < events.Count; i++)
                            {
                                foreach (var player in events[i].Players)
                                {
                                    Assert.AreEqual(round, player.Hi);
                                    sum += player.Lo;
                                    seen++;
                                }
                            }
                        }
                    }
                    Assert.AreEqual(4000, seen);
                    Assert.AreEqual(200 * 190, sum);
                }
            }
            finally
            {
                stop.Set();
                collector.Join();
            }
        }

        // If a frame allocated even one object of 16 bytes, so many of them would make the collector run, where its
        // nursery is smaller than a megabyte (tests/unity.sh sets it). In an editor another thread that allocates at
        // the same time can do so too; it is worth a second try there.
        [Test]
        public void WarmedFramesAllocateNothing()
        {
            using (var engine = NewEngine(64))
            {
                var queue = engine.AddQueue(Ranked);
                Symbol skill = engine.Resolve("skill"), eu = engine.Resolve("eu"), mode = engine.Resolve("mode");
                var batch = new TicketBatch();
                var results = new SubmitResults();
                var events = new EventBuffer(8);
                var state = new TicketState();
                ulong now = 0, matches = 0;
                for (var round = 0; round < 2; round++)
                {
                    GC.Collect();
                    var before = GC.CollectionCount(0);
                    for (var frame = 0; frame < (round == 0 ? 100 : 60000); frame++)
                    {
                        now++;
                        batch.Clear();
                        for (ulong i = 0; i < 4; i++)
                        {
                            batch.Add(queue, i).Player(new PlayerId(now, i)).Number(skill, 1500).Text(mode, "koth")
                                .Ping(eu, 20).Region(eu).Limit(skill, 1400, null);
                        }
                        engine.Submit(now, batch, results);
                        engine.ReadTicket(results[3].Ticket, state);
                        engine.Tick(now, 10000);
                        while (engine.Poll(events) > 0)
                        {
                            for (var i = 0; i < events.Count; i++)
                            {
                                matches += events[i].IsMatch && engine.Name(events[i].Region) == "eu" ? 1u : 0u;
                                matches += events[i].Team(1).TicketAt(1).PingMs == 20 ? 0u : 1u;
                                matches += events[i].Players.Length == 4 ? 0u : 1u;
                            }
                        }
                    }
                    Assert.AreEqual(round == 0 ? 100 : 60100, matches);
                    if (round == 1)
                    {
                        Assert.AreEqual(before, GC.CollectionCount(0), "collections during the frames");
                    }
                }
            }
        }
    }
}
