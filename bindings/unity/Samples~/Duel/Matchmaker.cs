// A component that owns an engine, ticks it within a budget of milliseconds a frame, and says on the main
// thread who was matched. Put it on one object of a scene, give it the queue file (a TextAsset), subscribe to
// Matched and Ended. It keeps nothing in a static field: with a domain reload and without one, each OnEnable
// starts with a new engine.

using System;
using System.Diagnostics;
using UnityEngine;
using Debug = UnityEngine.Debug;

namespace Evenmatch.Samples
{
    /// <summary>Runs one queue on the main thread.</summary>
    public sealed class Matchmaker : MonoBehaviour
    {
        [SerializeField] private TextAsset queueFile = null;

        [Tooltip("What a frame may spend on matching, in milliseconds.")]
        [SerializeField] private float budgetMs = 1f;

        [Tooltip("How often a new matching pass begins, in milliseconds.")]
        [SerializeField] private int passEveryMs = 100;

        private readonly TicketBatch batch = new TicketBatch();
        private readonly EventBuffer events = new EventBuffer();
        private readonly Stopwatch watch = new Stopwatch();
        private Engine engine;
        private QueueId queue;
        private Symbol skill;
        private ulong nextPassMs;
        private bool isPassOpen;
        private double stepsPerMs;

        /// <summary>A match. Read it in the handler: it is gone after it.</summary>
        public event Action<EngineEvent> Matched;

        /// <summary>A ticket that ended without a match.</summary>
        public event Action<TicketId, EndReason> Ended;

        /// <summary>
        /// The engine, for what this component has no method for; null while it is disabled.
        /// </summary>
        public Engine Engine => engine;

        /// <summary>The engine's time: whole milliseconds since the start of the game.</summary>
        public static ulong NowMs => (ulong)(Time.realtimeSinceStartupAsDouble * 1000.0);

        /// <summary>Lets a player search. Anything but Ok is a refusal; Library.LastError says why.</summary>
        public Status Search(PlayerId player, double rating, Symbol region, double pingMs, out TicketId ticket)
        {
            ticket = default;
            if (engine == null)
            {
                return Status.NotFound;
            }
            batch.Clear().Add(queue).Ping(region, pingMs).Player(player).Number(skill, rating);
            return engine.TrySubmit(NowMs, batch, out ticket);
        }

        /// <summary>Stops a search. Ok: it is over; AlreadyMatched: a match came first.</summary>
        public Status Cancel(TicketId ticket)
        {
            return engine == null ? Status.NotFound : engine.TryCancel(NowMs, ticket, out _);
        }

        private void OnEnable()
        {
            try
            {
                engine = new Engine(new EngineOptions { Capacity = 10000 });
                queue = engine.AddQueue(queueFile.text);
                skill = engine.Resolve("skill");
            }
            catch (Exception exception)
            {
                // No native library for this platform, or a queue file with errors: the game goes on without
                // matches.
                Debug.LogException(exception, this);
                OnDisable();
                enabled = false;
                return;
            }
            nextPassMs = 0;
            isPassOpen = false;
            // A first guess; every tick corrects it.
            stepsPerMs = 10000;
        }

        private void OnDisable()
        {
            engine?.Dispose();
            engine = null;
        }

        private void Update()
        {
            if (engine == null)
            {
                return;
            }
            Advance(NowMs);
            Deliver();
        }

        // Begins a pass if it is time and anything could change, or goes on with one that a budget ended.
        private void Advance(ulong nowMs)
        {
            // What came in this very millisecond is due in the next one; whoever searches in every frame would
            // put the pass off for ever.
            if (!isPassOpen
                && (nowMs < nextPassMs || engine.TryNextDue(out var dueMs) != Status.Ok || nowMs + 1 < dueMs))
            {
                return;
            }
            // The budget counts steps, so that the same calls give the same matches on every machine.
            var steps = (ulong)Math.Max(1.0, budgetMs * stepsPerMs);
            watch.Restart();
            var status = engine.TryTick(nowMs, steps, out var report);
            var spentMs = watch.Elapsed.TotalMilliseconds;
            if (status != Status.Ok)
            {
                Debug.LogError("evenmatch: " + Library.LastError, this);
                enabled = false;
                return;
            }
            if (report.Steps >= 1000 && spentMs > 0)
            {
                stepsPerMs = 0.75 * stepsPerMs + 0.25 * (report.Steps / spentMs);
            }
            isPassOpen = !report.IsComplete;
            if (report.IsComplete)
            {
                nextPassMs = nowMs + (ulong)passEveryMs;
            }
        }

        // Hands out what has happened. Handlers run here, on the main thread, and may call the engine, or
        // disable this.
        private void Deliver()
        {
            while (engine != null && engine.TryPoll(events) == Status.Ok && events.Count > 0)
            {
                for (var i = 0; i < events.Count; i++)
                {
                    Deliver(events[i]);
                }
            }
        }

        // A handler that throws costs nobody else his event.
        private void Deliver(EngineEvent found)
        {
            try
            {
                if (found.IsMatch)
                {
                    Matched?.Invoke(found);
                }
                else
                {
                    Ended?.Invoke(found.Ticket, found.Reason);
                }
            }
            catch (Exception exception)
            {
                Debug.LogException(exception, this);
            }
        }
    }
}
