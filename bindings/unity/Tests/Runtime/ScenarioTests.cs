// Every function called with values that differ from one another, and what comes back read.

using System.Collections.Generic;
using NUnit.Framework;
using static Evenmatch.Tests.Support;

namespace Evenmatch.Tests
{
    [TestFixture]
    public class ScenarioTests
    {
        [Test]
        public void TheLibrarySaysWhichItIs()
        {
            Assert.AreEqual(Library.AbiVersion, Library.LoadedAbiVersion);
            Is(Status.Ok, Library.CheckAbi());
            StringAssert.StartsWith("evenmatch " + Library.Version + ", abi " + Library.AbiVersion, Library.Build);
            Assert.AreEqual("QUEUE_FULL", Library.Text(Status.QueueFull));
            Assert.AreEqual("UNKNOWN", Library.Text((Status)1));
            Assert.AreEqual("TIMED_OUT", Library.Text(EndReason.TimedOut));
            Assert.AreEqual("NO_REGION", Library.Text(UnmatchableReason.NoRegion));
        }

        // Two parties of two, one with a list, a text and a kept attribute; joined, matched, requeued,
        // updated, cancelled.
        [Test]
        public void AMatchFromSubmitToRequeue()
        {
            using (var engine = NewEngine(1000))
            {
                var queue = engine.AddQueue(Ranked);
                Symbol skill = engine.Resolve("skill"), mode = engine.Resolve("mode"), maps = engine.Resolve("maps");
                Symbol eu = engine.Resolve("eu"), us = engine.Resolve("us"), koth = engine.Resolve("koth");
                Symbol dust = engine.Resolve("dust"), nuke = engine.Resolve("nuke"), clan = engine.Resolve("clan");
                Assert.IsTrue(engine.Resolve("skill") == skill && skill != mode && eu != us);
                Assert.AreEqual("koth", engine.Name(koth));
                Assert.AreSame(engine.Name(koth), engine.Name(koth));
                Assert.IsNull(engine.Name(default));
                Is(Status.Ok, engine.TryFindQueue("ranked", out var foundQueue));
                Assert.AreEqual(queue, foundQueue);
                var queues = new List<QueueId>();
                Is(Status.Ok, engine.TryListQueues(queues));
                Assert.AreEqual(new[] { queue }, queues.ToArray());

                var lists = new[] { dust, nuke };
                var batch = new TicketBatch();
                batch.Add(queue, 71)
                    .Player(new PlayerId(9, 41)).Number(skill, 1500.25).Value(mode, koth)
                    .Player(new PlayerId(9, 42)).Number(skill, 1500.25).Value(mode, koth)
                    .Ping(eu, 20.5).Ping(us, 21.5);
                batch.Add(queue, 72).Region(eu).Timeout(90000).Enqueued(3000).MaxPing(55)
                    .Limit(skill, 1400, 1600).Await(new PlayerId(9, 44))
                    .Player(new PlayerId(9, 43)).Number(skill, 1510).Text(mode, "koth").Json(clan, "[1,2]")
                    .List(maps, lists).Ping(eu, 22.5);
                var results = new SubmitResults();
                Assert.AreEqual(2, engine.Submit(5000, batch, results));
                TicketId first = results[0].Ticket, second = results[1].Ticket;
                Assert.IsTrue(results.Count == 2 && !first.IsNone && first != second && results[0].Other.IsNone);
                Is(Status.Ok, results[1].Status);
                Assert.AreEqual("", results.Detail(0));

                var state = new TicketState();
                engine.ReadTicket(second, state);
                Assert.AreEqual(TicketPhase.Forming, state.Phase);
                Assert.AreEqual(WaitingFor.Members, state.WaitingFor);
                Assert.AreEqual(72, state.UserData);
                Assert.AreEqual(88000, state.TimeoutLeftMs);
                var joining = new TicketBatch().Player(new PlayerId(9, 44))
                    .Number(skill, 1510).Text(mode, "koth").Json(clan, "[1,2]").List(maps, lists).PlayerPing(eu, 22.5);
                Assert.AreEqual(0, engine.Join(6000, second, joining));

                engine.ReadTicket(first, state);
                Assert.AreEqual(TicketPhase.Queued, state.Phase);
                Assert.AreEqual(WaitingFor.Tick, state.WaitingFor);
                Assert.AreEqual(queue, state.Queue);
                Assert.AreEqual(1000, state.AgeMs);
                Assert.AreEqual(99000, state.TimeoutLeftMs);
                Assert.AreEqual(0, state.PreferFullLeftMs);
                Assert.AreEqual(4, state.WindowCount);
                Assert.AreEqual("skill", engine.Name(state.WindowAt(0).Rule));
                Assert.AreEqual(WindowKind.Limit, state.WindowAt(0).Kind);
                Assert.AreEqual(50.0, state.WindowAt(0).Greatest);
                Assert.IsNull(state.WindowAt(0).Least);
                Assert.AreEqual(WindowKind.Enforced, state.WindowAt(1).Kind);
                Assert.AreEqual(2, state.RegionCount);
                Assert.IsTrue(state.RegionAt(0).Region == eu && state.RegionAt(0).RoundTripMs == 20.5);
                Assert.IsTrue(state.RegionAt(1).Region == us && state.RegionAt(1).RoundTripMs == 21.5);
                Assert.AreEqual(6001, engine.NextDue());
                Is(Status.Ok, engine.TryFindTicket(new PlayerId(9, 44), out var found));
                Assert.AreEqual(second, found);

                var report = engine.Tick(7000);
                Assert.IsTrue(report.AtMs == 7000 && report.Matches == 1 && report.Ended == 0 && report.IsComplete);
                Assert.Greater(report.Steps, 0);
                var events = new EventBuffer(1);
                Assert.AreEqual(1, engine.Poll(events));
                TheMatch(engine, events[0], queue, first, second, eu);
                var match = events[0].Match;
                Assert.AreEqual(0, engine.Poll(events));

                engine.ReadTicket(first, state);
                Assert.AreEqual(TicketPhase.Matched, state.Phase);
                Assert.AreEqual(match, state.Match);
                Assert.AreEqual(0, state.WindowCount);
                Is(Status.AlreadyMatched, engine.TryCancel(7500, first, out var inMatch));
                Assert.AreEqual(match, inMatch);

                var pair = new[] { first, second };
                Assert.AreEqual(2, engine.Requeue(8000, match, pair, results));
                TicketId again = results[0].Ticket, other = results[1].Ticket;
                Assert.AreNotEqual(first, again);
                Assert.AreEqual(0, engine.Requeue(8000, match, new[] { first }, results));
                Is(Status.Superseded, results[0].Status);
                Assert.AreEqual(again, results[0].Other);
                Assert.IsTrue(results.Detail(0).Length > 0);

                // Too far apart now.
                var change = new TicketBatch().AddUpdate().Timeout(50000)
                    .Player(new PlayerId(9, 41)).Number(skill, 1900)
                    .Player(new PlayerId(9, 42)).Number(skill, 1900).Ping(eu, 19);
                engine.Update(8500, again, UpdateFields.Attributes | UpdateFields.Pings | UpdateFields.Timeout, change);
                Assert.AreEqual(0, engine.Tick(9000).Matches);
                engine.ReadTicket(again, state);
                Assert.AreEqual(1, state.Attempts);
                Assert.AreEqual(4000, state.AgeMs);
                Assert.AreEqual(46000, state.TimeoutLeftMs);
                Assert.AreEqual(WaitingFor.Partners, state.WaitingFor);
                Assert.AreEqual(1, state.RegionCount);
                engine.Cancel(9100, again);
                Assert.AreEqual(other, engine.Leave(9200, new PlayerId(9, 43)));
                Assert.AreEqual(1, engine.Poll(events));
                Assert.IsTrue(!events[0].IsMatch && events[0].Match.IsNone && events[0].Ticket == again);
                Assert.AreEqual(EndReason.Cancelled, events[0].Reason);
                Assert.IsTrue(events[0].UserData == 71 && events[0].AtMs == 9100 && !events[0].UpdateLost);
                Assert.AreEqual(1, engine.Poll(events));
                Assert.AreEqual(EndReason.PartyMemberLeft, events[0].Reason);
                Assert.AreEqual(72, events[0].UserData);
            }
        }

        private static void TheMatch(
            Engine engine, EngineEvent found, QueueId queue, TicketId first, TicketId second, Symbol eu)
        {
            Assert.IsTrue(found.IsMatch && found.AtMs == 7000 && found.Queue == queue && found.Ticket.IsNone);
            Assert.AreEqual(EndReason.None, found.Reason);
            Assert.IsTrue(found.Region == eu && found.Attempts == 0 && found.Cost > 0 && found.UserData == 0);
            Assert.IsTrue(found.IsExhaustive && !found.UpdateLost);
            Assert.AreEqual(9.75, found.SkillSpread);
            Assert.AreEqual(9.75, found.TeamDifference);
            Assert.AreEqual(22.5, found.PingWorstMs);
            Assert.AreEqual(21.5, found.PingMeanMs);
            Assert.AreEqual(2000, found.OldestWaitMs);
            Assert.AreEqual("{\"map\":7}", found.Echo());
            Assert.AreEqual(2, found.KeptCount);
            Assert.AreEqual("clan", found.KeptAt(0).Name);
            Assert.AreEqual("[1,2]", found.KeptAt(1).Json);
            Assert.IsTrue(found.KeptAt(0).Player.Hi == 9 && found.KeptAt(0).Player.Lo >= 43);
            Assert.AreEqual(1, found.Regions.Length);
            Assert.AreEqual(eu, found.Regions[0]);
            Assert.AreEqual(4, found.Players.Length);
            Assert.IsTrue(found.TeamCount == 2 && found.TicketCount == 2);
            for (var i = 0; i < 2; i++)
            {
                var team = found.Team(i);
                var ticket = team.TicketAt(0);
                var isFirst = ticket.Id == first;
                Assert.IsTrue(isFirst || ticket.Id == second);
                Assert.AreEqual(i == 0 ? "red" : "blue", engine.Name(team.Name));
                Assert.IsTrue(team.TicketCount == 1 && ticket.Team == i && ticket.Attempts == 0 && !ticket.UpdateLost);
                Assert.AreEqual(isFirst ? 71 : 72, ticket.UserData);
                Assert.AreEqual(isFirst ? 20.5 : 22.5, ticket.PingMs);
                Assert.AreEqual(isFirst ? 2000 : 1000, ticket.WaitMs);
                Assert.AreEqual(ticket.Id, found.TicketAt(i).Id);
                Assert.AreEqual(new PlayerId(9, isFirst ? 41u : 43u), team.Players[0]);
                Assert.AreEqual(new PlayerId(9, isFirst ? 42u : 44u), team.Players[1]);
            }
        }

        // What belongs to one ticket or player comes in turns with the others', and is one range all the same.
        [Test]
        public void WhatIsAddedInTurnsStaysTogether()
        {
            using (var engine = NewEngine())
            {
                var queue = engine.AddQueue(Ranked);
                Symbol skill = engine.Resolve("skill"), maps = engine.Resolve("maps"), dust = engine.Resolve("dust");
                Symbol eu = engine.Resolve("eu"), us = engine.Resolve("us"), asia = engine.Resolve("asia");
                var batch = new TicketBatch().Add(queue)
                    .Region(eu).Ping(eu, 10)
                    .Player(new PlayerId(1)).Number(skill, 1500).List(maps, new[] { dust, eu, us })
                    .PlayerPing(eu, 20).Ping(us, 30).Region(us).PlayerPing(us, 25).Ping(asia, 15).PlayerPing(asia, 5)
                    .Player(new PlayerId(2)).Number(skill, 1500).List(maps, new[] { dust });
                var ticket = engine.Submit(1, batch);
                engine.Tick(2);
                var state = new TicketState();
                engine.ReadTicket(ticket, state);
                // Of each region the worse of the two players'; asia is not accepted.
                Assert.AreEqual(2, state.RegionCount);
                Assert.IsTrue(state.RegionAt(0).Region == eu && state.RegionAt(0).RoundTripMs == 20);
                Assert.IsTrue(state.RegionAt(1).Region == us && state.RegionAt(1).RoundTripMs == 30);
            }
        }

        [Test]
        public void QueuesAreSuspendedResumedRemovedAndTheEngineCloses()
        {
            using (var engine = NewEngine())
            {
                QueueId queue = engine.AddQueue(Duel), ranked = engine.AddQueue(Ranked);
                engine.Suspend(10, queue);
                Is(Status.QueueSuspended, SubmitOne(engine, 10, queue, 1, out _));
                engine.Resume(20, queue);
                var waiting = SubmitOne(engine, 20, queue, 1);
                var batch = new TicketBatch().Add(queue).Player(new PlayerId(1));
                var results = new SubmitResults();
                Assert.AreEqual(0, engine.Submit(30, batch, results));
                Is(Status.PlayerAlreadyQueued, results[0].Status);
                Assert.AreEqual(waiting, results[0].Other);
                engine.Tick(40);
                Assert.AreEqual(60020, engine.NextDue());
                var stats = engine.ReadStats();
                Assert.IsTrue(stats.Capacity == 100 && stats.RetainedMax == 25 && stats.Submitted == 1);
                Assert.IsTrue(stats.Refused == 2 && stats.Waiting == 1 && stats.Ticks == 1 && stats.QueueCount == 2);
                var queueStats = new QueueStats();
                engine.ReadQueueStats(queue, queueStats);
                Assert.IsTrue(queueStats.Tickets == 1 && queueStats.Players == 1 && queueStats.OldestAgeMs == 20);
                Assert.AreEqual("duel", engine.Name(queueStats.Name));
                Assert.AreEqual("sorted", engine.Name(queueStats.IndexName));
                Assert.IsTrue(!queueStats.IsSuspended && queueStats.RegionCount == 0 && queueStats.Matches == 0);
                Assert.IsTrue(engine.Name(queueStats.IndexWhy).Length > 0);
                engine.Tick(60020);
                var events = new EventBuffer();
                Assert.AreEqual(1, engine.Poll(events));
                Assert.AreEqual(EndReason.TimedOut, events[0].Reason);
                Assert.IsTrue(events[0].AtMs == 60020 && events[0].UserData == 1001);
                Assert.AreEqual(ulong.MaxValue, engine.NextDue());

                SubmitOne(engine, 60030, queue, 2);
                engine.Remove(60040, queue);
                Is(Status.UnknownQueue, engine.TryFindQueue("duel", out _));
                var later = engine.AddQueue(Duel);
                Assert.IsTrue(later != queue && later != ranked);
                Is(Status.NotFound, SubmitOne(engine, 60050, queue, 3, out _));
                SubmitOne(engine, 60050, later, 3);
                engine.Tick(60060);
                Assert.AreEqual(1, engine.Poll(events));
                Assert.AreEqual(EndReason.QueueRemoved, events[0].Reason);
                Assert.AreEqual(queue, events[0].Queue);

                engine.Close(60070);
                Assert.AreEqual(1, engine.Poll(events));
                Assert.AreEqual(EndReason.EngineClosed, events[0].Reason);
                Is(Status.EngineClosed, SubmitOne(engine, 60080, later, 4, out _));
                Is(Status.EngineClosed, engine.TryTick(60080, 0, out _));
                Assert.AreEqual(3, engine.ReadStats().Ended);
            }
        }

        [Test]
        public void ARegionThatIsDownEndsNobody()
        {
            using (var engine = NewEngine())
            {
                var queue = engine.AddQueue(Ranked);
                Symbol eu = engine.Resolve("eu"), skill = engine.Resolve("skill");
                var batch = new TicketBatch();
                for (var i = 0; i < 4; i++)
                {
                    batch.Add(queue, (ulong)i).Player(new PlayerId((ulong)i)).Number(skill, 1500).Ping(eu, 30);
                }
                Assert.AreEqual(4, engine.Submit(1, batch, new SubmitResults()));
                engine.SetRegion(2, eu, false);
                Assert.AreEqual(0, engine.Tick(3).Matches);
                var stats = new QueueStats();
                engine.ReadQueueStats(queue, stats);
                Assert.AreEqual(4, stats.Tickets);
                engine.SetRegion(4, eu, true);
                Assert.AreEqual(1, engine.Tick(5).Matches);
                var events = new EventBuffer();
                Assert.AreEqual(1, engine.Poll(events));
                Assert.AreEqual(2, events[0].Team(1).TicketCount);
                Assert.AreEqual(4, events[0].TicketCount);
            }
        }

        [Test]
        public void AnEchoingEngineMatchesEveryTicketByItself()
        {
            using (var engine = new Engine(new EngineOptions { Echo = true, Capacity = 100, Retained = 0 }))
            {
                Assert.AreEqual(0, engine.ReadStats().RetainedMax);
                var queue = engine.AddQueue(Duel);
                TicketId one = SubmitOne(engine, 5, queue, 31), two = SubmitOne(engine, 6, queue, 32);
                var events = new EventBuffer();
                Assert.AreEqual(2, engine.Poll(events));
                Assert.AreEqual(one.Value, events[0].Match.Value);
                Assert.AreEqual(two, events[1].TicketAt(0).Id);
                Assert.AreEqual(32, events[1].Players[0].Lo);
                Assert.AreEqual("all", engine.Name(events[1].Team(0).Name));
                Assert.IsNull(events[1].TicketAt(0).PingMs);
            }
        }

        [Test]
        public void TicketsAsJsonText()
        {
            using (var engine = NewEngine())
            {
                engine.AddQueue("{ \"name\": \"duel\", \"players\": { \"min\": 2, \"max\": 3 },"
                    + " \"party\": { \"max\": 2 },"
                    + " \"attributes\": { \"skill\": { \"type\": \"number\" } }, \"timeout_s\": 60, \"rules\":"
                    + " [{ \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"skill\", \"max\": 50 }] }");
                var json = new TicketJson("{ \"queue\": \"duel\", \"players\":"
                    + " [{ \"id\": \"ann\", \"attributes\": { \"skill\": 1510 } }] }");
                json.Name("bob", new PlayerId(5, 6)).Name("ann", new PlayerId(3, 4));
                var ticket = engine.SubmitJson(1, json);
                Is(Status.Ok, engine.TryFindTicket(new PlayerId(3, 4), out var found));
                Assert.AreEqual(ticket, found);
                // Names that are hexadecimal numbers need no table.
                json.ClearNames().Set("{ \"QueueName\": \"duel\", \"GiveUpAfterSeconds\": 30, \"Creator\":"
                    + " { \"Entity\": { \"Id\": \"AB01\", \"Type\": \"title_player_account\" },"
                    + "   \"Attributes\": { \"DataObject\": { \"skill\": 1520 } } },"
                    + " \"MembersToMatchWith\": [{ \"Id\": \"AB02\", \"Type\": \"title_player_account\" }] }");
                var results = new SubmitResults();
                Is(Status.UnknownSymbol, engine.TrySubmitJson(2, json, results));
                json.NamesAs = NamesAs.Hex;
                Is(Status.Ok, engine.TrySubmitJson(2, json, results));
                Assert.AreEqual(1, results.Accepted);
                Is(Status.Ok, engine.TryFindTicket(PlayerId.Parse("AB01"), out found));
                Assert.AreEqual(results[0].Ticket, found);
                json.Set("{ \"id\": \"AB02\", \"attributes\": { \"skill\": 1500 } }");
                Is(Status.Ok, engine.TryJoinJson(3, found, json, out var missing));
                Assert.AreEqual(0, missing);
                engine.Tick(4);
                var events = new EventBuffer();
                Assert.AreEqual(1, engine.Poll(events));
                Assert.AreEqual(3, events[0].Players.Length);
                Is(Status.InvalidFormat, engine.TrySubmitJson(5, json.Set("{ \"queue\": 7 }"), results));
                Assert.AreEqual(0, results.Count);
            }
        }

        [Test]
        public void QueueTextsWithSeveralQueuesAndWithErrors()
        {
            using (var engine = NewEngine())
            {
                const string playfab =
                    "[ { \"MatchmakingQueue\":"
                    + " { \"Name\": \"one\", \"MinMatchSize\": 2, \"MaxMatchSize\": 2, \"Rules\": [] } },"
                    + " { \"MatchmakingQueue\":"
                    + " { \"Name\": \"two\", \"MinMatchSize\": 2, \"MaxMatchSize\": 4, \"Rules\": [] } } ]";
                var source = new QueueSource { Format = QueueFormat.Playfab, TotalWindows = AgeOf.Newest };
                var queues = engine.AddQueues(playfab, source);
                Assert.IsTrue(queues.Length == 2 && queues[0] != queues[1] && source.ErrorCount == 0);
                Is(Status.QueueExists, engine.TryAddQueues(playfab, source, out _));
                var wrong = Assert.Throws<QueueException>(() => engine.AddQueues(
                    "{ \"name\": \"x\",\n  \"players\": 2,\n  \"rulez\": [], \"timeout_s\": \"soon\" }"));
                Is(Status.InvalidQueue, wrong.Status);
                Assert.IsTrue(wrong.Line == 3 && wrong.Column == 3);
                StringAssert.StartsWith("3:3: rulez: found ", wrong.Errors);
                StringAssert.StartsWith("INVALID_QUEUE: ", wrong.Message);
                // Sentences are not cut off, however many.
                var many = new System.Text.StringBuilder("{ \"name\": \"x\", \"players\": 2");
                source = new QueueSource();
                for (var i = 0; i < 400; i++)
                {
                    many.Append(", \"unknown_").Append(i).Append("\": 1");
                }
                Is(Status.InvalidQueue, engine.TryAddQueues(many.Append(" }").ToString(), source, out _));
                Assert.AreEqual(400, source.ErrorCount);
                StringAssert.Contains("unknown_399", source.Text);
                Is(Status.InvalidQueue, engine.TryAddQueues("", source, out _));
                Is(Status.InvalidQueue, engine.TryAddQueues(null, source, out _));
            }
        }

        // Why, how long, what became of tickets, and what was asked.
        [Test]
        public void TheEngineSaysWhyHowLongAndWhatWasAsked()
        {
            var options = new EngineOptions
            {
                Capacity = 100, Record = true, Threads = 2, StatsWindowMs = 60000, StatsSlices = 3,
                Simd = Simd.Scalar,
            };
            using (var engine = new Engine(options))
            {
                var queue = engine.AddQueue(Duel);
                Symbol skill = engine.Resolve("skill"), eu = engine.Resolve("eu");
                var results = new SubmitResults();
                var batch = new TicketBatch();
                batch.Add(queue, 1).Player(new PlayerId(41)).Number(skill, 1500);
                batch.Add(queue, 2).Player(new PlayerId(42)).Number(skill, 1700);
                batch.Add(queue, 3).Player(new PlayerId(43)).Number(skill, 1510);
                Assert.AreEqual(3, engine.Submit(1000, batch, results));
                Is(Status.Ok, engine.TryNote(1500, "{\"build\": 7}"));
                Is(Status.InvalidFormat, engine.TryNote(1500, "7"));
                Assert.AreEqual(Status.InvalidUtf8, engine.TryNote(1500, "\ud800"));
                engine.Tick(2000);
                Is(Status.Ok, engine.TryGetSimd(out var simd));
                Assert.AreEqual(Simd.Scalar, simd);
                Is(Status.Ok, engine.TryHelp(out var did));
                Assert.IsFalse(did);
                Is(Status.Ok, engine.TryAdvance(2500));
                Is(Status.InvalidTime, engine.TryAdvance(ulong.MaxValue));

                TicketId ann = results[0].Ticket, bob = results[1].Ticket;
                var names = new Naming { PlayersAs = NamesAs.Decimal };
                names.Ticket(ann, "änn").Player(new PlayerId(41), "ann").Ticket(bob, "bob's");
                names.Match(new MatchId(ann.Value), "m1");
                StringAssert.StartsWith("{\"at\":2.5,\"explanation\":", engine.Explain(bob));
                StringAssert.Contains("\"ticket\":\"bob's\"", engine.Explain(bob, names));
                StringAssert.Contains(bob.Value.ToString("x16"), engine.Explain(bob));
                var pair = engine.ExplainPair(ann, bob, names);
                StringAssert.StartsWith("{\"at\":2.5,\"pair\":", pair);
                StringAssert.Contains("änn", pair);
                Is(Status.NotFound, engine.TryExplain(default, 1, null, out var nothing));
                Assert.AreEqual("", nothing);
                Is(Status.NotFound, engine.TryExplainPair(ann, default, null, out nothing));

                Is(Status.Ok, engine.TryEstimate(queue, null, default, out var estimate));
                Assert.AreEqual(3UL, estimate.Samples);
                Is(Status.Ok, engine.TryEstimate(queue, 1500, new[] { eu }, out estimate));
                Assert.AreEqual(ulong.MaxValue, estimate.P50Ms);
                Assert.IsFalse(estimate.IsKnown);
                Is(Status.NotFound, engine.TryEstimate(default, null, default, out estimate));

                var activity = new QueueActivity();
                Is(Status.Ok, engine.TryReadActivity(queue, activity));
                Assert.AreEqual(0, activity.RegionCount);
                Assert.AreEqual(2UL, activity.Whole.Matched);
                Assert.AreEqual(1UL, activity.Whole.Tickets);
                Assert.AreEqual(1000UL, activity.Whole.WaitMeanMs);
                Assert.AreEqual(2, activity.RuleCount);
                Assert.AreEqual("skill", engine.Name(activity.RuleAt(0).Rule));
                Assert.AreEqual(default(Symbol), activity.RuleAt(1).Rule);
                Assert.Throws<System.ArgumentOutOfRangeException>(() => activity.RegionAt(0));
                Is(Status.NotFound, engine.TryReadActivity(default, activity));

                var stats = engine.ReadStats();
                Assert.AreEqual(2500UL, stats.NowMs);
                Assert.AreEqual(60000UL, stats.WindowMs);
                Assert.AreEqual(3UL, stats.WindowSlices);
                Is(Status.Ok, engine.TryReadPrometheus(out var text));
                StringAssert.Contains("\nevenmatch_matches_total 1\n", text);

                var found = new TicketId[2];
                Is(Status.Ok, engine.TryFindTickets(new PlayerId(42), found, out var count));
                Assert.AreEqual(1, count);
                Assert.AreEqual(bob, found[0]);
                Is(Status.BufferTooSmall, engine.TryFindTickets(new PlayerId(42), default, out count));
                Assert.AreEqual(1, count);

                var lines = engine.ReadRecord(names);
                Assert.AreEqual(5, lines.Split('\n').Length - 1);
                StringAssert.StartsWith("{\"at\":1,\"submit\":", lines);
                StringAssert.Contains("{\"at\":1.5,\"note\":{\"build\":7}}\n", lines);
                StringAssert.Contains("\"ann\"", lines);
                StringAssert.Contains("\"43\"", lines);
                Assert.AreEqual("", engine.ReadRecord());
                Is(Status.Ok, engine.TryLeave(3000, new PlayerId(42), bob));
                Is(Status.NotFound, engine.TryLeave(3000, new PlayerId(42), bob));
                names.PlayersAs = (NamesAs)9;
                Is(Status.UnknownEnum, engine.TryReadRecord(names, out lines));
            }
        }

        [Test]
        public void ADepartureMeetsATick()
        {
            using (var engine = NewEngine())
            {
                var queue = engine.AddQueue("{ \"name\": \"duel\", \"players\": 2, \"timeout_s\": 60 }");
                var tickets = new TicketId[4];
                for (var at = 0; at < 4; at++)
                {
                    tickets[at] = SubmitOne(engine, 1, queue, (ulong)at + 1);
                }
                var departures = new[]
                {
                    Departure.OfTicket(5, 1, tickets[0]),
                    Departure.OfPlayer(5, 1, new PlayerId(4)),
                };
                Assert.AreEqual(1UL, engine.TickMeeting(5, departures).Matches);
                Is(Status.AlreadyMatched, departures[0].Status);
                Is(Status.Ok, departures[1].Status);
                Is(Status.Ok, engine.TryTickMeeting(6, null, 0, out _));
            }
        }
    }
}
