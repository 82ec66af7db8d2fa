// The sample's component, driven as an editor would drive it, over the stand-ins for UnityEngine.

using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Threading;
using Evenmatch.Samples;
using NUnit.Framework;
using UnityEngine;

namespace Evenmatch.Outside
{
    [TestFixture]
    public class SampleTests
    {
        private const BindingFlags Own = BindingFlags.Instance | BindingFlags.NonPublic;

        private static void Call(Matchmaker component, string message)
        {
            typeof(Matchmaker).GetMethod(message, Own, null, Type.EmptyTypes, null).Invoke(component, null);
        }

        private static void Set(Matchmaker component, string field, object value)
        {
            typeof(Matchmaker).GetField(field, Own).SetValue(component, value);
        }

        private static Matchmaker NewComponent(string queue)
        {
            Time.realtimeSinceStartupAsDouble = 0;
            Debug.Lines.Clear();
            var component = new Matchmaker();
            Set(component, "queueFile", new TextAsset { text = queue });
            Call(component, "OnEnable");
            return component;
        }

        private static string QueueFile => File.ReadAllText(Environment.GetEnvironmentVariable("EVENMATCH_SAMPLE_QUEUE"));

        [Test]
        public void PlayersWhoSearchAreMatchedOnTheThreadThatUpdates()
        {
            var component = NewComponent(QueueFile);
            var eu = component.Engine.Resolve("eu");
            var matches = new List<string>();
            var ends = new List<EndReason>();
            var threads = new HashSet<int>();
            component.Matched += found =>
            {
                threads.Add(Thread.CurrentThread.ManagedThreadId);
                matches.Add(found.Players[0].Lo + "-" + found.Players[1].Lo + " " + component.Engine.Name(found.Region));
            };
            component.Ended += (ended, reason) => ends.Add(reason);
            Assert.AreEqual(Status.Ok, component.Search(new PlayerId(1), 1500, eu, 20, out _));
            Assert.AreEqual(Status.Ok, component.Search(new PlayerId(2), 1540, eu, 30, out _));
            Assert.AreEqual(Status.Ok, component.Search(new PlayerId(3), 4000, eu, 30, out var third));
            Assert.AreEqual(Status.PlayerAlreadyQueued, component.Search(new PlayerId(3), 4000, eu, 30, out _));
            for (var frame = 0; frame < 120; frame++)
            {
                Time.realtimeSinceStartupAsDouble += 1.0 / 60;
                Call(component, "Update");
            }
            Assert.AreEqual(new[] { "1-2 eu" }, matches.ToArray());
            Assert.AreEqual(new[] { Thread.CurrentThread.ManagedThreadId }, new List<int>(threads).ToArray());
            // A pass each 100 ms at most, and none when nothing can change.
            Assert.LessOrEqual(component.Engine.ReadStats().Ticks, 21);
            Assert.AreEqual(Status.Ok, component.Cancel(third));
            Call(component, "Update");
            Assert.AreEqual(new[] { EndReason.Cancelled }, ends.ToArray());
            Call(component, "OnDisable");
            Assert.IsNull(component.Engine);
            Assert.AreEqual(Status.NotFound, component.Search(new PlayerId(9), 1, eu, 1, out _));
            Call(component, "Update");
            Assert.AreEqual(0, Debug.Lines.Count, string.Join("; ", Debug.Lines.ToArray()));
        }

        // In the very millisecond of every pass, for which the engine is due only one later.
        [Test]
        public void ASearchInEveryFrameDoesNotPutPassesOff()
        {
            var component = NewComponent(QueueFile);
            var eu = component.Engine.Resolve("eu");
            var matched = 0;
            component.Matched += found => matched += found.TicketCount;
            for (ulong i = 0; i < 20; i++)
            {
                Time.realtimeSinceStartupAsDouble += 0.25;
                Assert.AreEqual(Status.Ok, component.Search(new PlayerId(i), 1500, eu, 20, out _));
                Call(component, "Update");
            }
            Assert.AreEqual(20, matched);
            Call(component, "OnDisable");
        }

        // The smallest budget: many frames for one pass, and yet everybody is matched.
        [Test]
        public void ASmallBudgetSpreadsAPassOverFrames()
        {
            var component = NewComponent(QueueFile);
            Set(component, "budgetMs", 0.000001f);
            var eu = component.Engine.Resolve("eu");
            var matched = 0;
            component.Matched += found => matched += found.TicketCount;
            for (ulong i = 0; i < 200; i++)
            {
                Assert.AreEqual(Status.Ok, component.Search(new PlayerId(i), 1500, eu, 20, out _));
            }
            var frames = 0;
            while (matched < 200)
            {
                Time.realtimeSinceStartupAsDouble += 1.0 / 60;
                Call(component, "Update");
                frames++;
                Assert.Less(frames, 10000);
            }
            Assert.Greater(frames, 1);
            Call(component, "OnDisable");
        }

        [Test]
        public void AHandlerMayThrowOrDisableTheComponent()
        {
            var component = NewComponent(QueueFile);
            var eu = component.Engine.Resolve("eu");
            var seen = 0;
            component.Matched += found =>
            {
                seen++;
                if (seen == 2)
                {
                    Call(component, "OnDisable");
                }
                throw new InvalidOperationException("the handler's own fault");
            };
            for (ulong i = 0; i < 6; i++)
            {
                component.Search(new PlayerId(i), 1500, eu, 20, out _);
            }
            Time.realtimeSinceStartupAsDouble = 1;
            Call(component, "Update");
            Assert.AreEqual(3, seen);
            Assert.AreEqual(3, Debug.Lines.Count);
            Assert.IsNull(component.Engine);
            // Enabled again: a new engine, with nothing of the old one.
            Call(component, "OnEnable");
            Assert.AreEqual(0, component.Engine.ReadStats().Submitted);
            Call(component, "OnDisable");
        }

        [Test]
        public void AQueueFileWithAnErrorDisablesTheComponentAndSaysWhere()
        {
            var component = NewComponent("{ \"name\": \"duel\", \"playerz\": 2 }");
            Assert.IsFalse(component.enabled);
            Assert.IsNull(component.Engine);
            StringAssert.Contains("1:19: playerz: found ", Debug.Lines[0]);
        }
    }
}
