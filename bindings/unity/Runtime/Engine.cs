// The engine: made, ticked, closed, disposed; and the names it knows. The other parts of this class stand in
// EngineQueues.cs, EngineTickets.cs and EngineReads.cs. Invariant: the handle is read once a call and is 0
// once disposed, and the library answers a handle that is 0, stale or busy with a status; so no order of
// calls, disposals and collections on any threads can bring the process down.

using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>What one tick did.</summary>
    public readonly struct TickReport
    {
        /// <summary>
        /// Whether every due ticket was visited; if not, the budget ended the pass and the next tick goes on.
        /// </summary>
        public readonly bool IsComplete;

        /// <summary>The time it was for, in ms: never earlier than the last one's.</summary>
        public readonly ulong AtMs;

        /// <summary>Candidates looked at.</summary>
        public readonly ulong Steps;

        /// <summary>Matches made.</summary>
        public readonly ulong Matches;

        /// <summary>Tickets that ended without one.</summary>
        public readonly ulong Ended;

        internal TickReport(in evenmatch_tick_report raw)
        {
            IsComplete = raw.is_complete != 0;
            AtMs = raw.at_ms;
            Steps = raw.steps;
            Matches = raw.matches;
            Ended = raw.ended;
        }
    }

    /// <summary>
    /// A matchmaking engine. Calls may come from any thread while a tick runs, with two exceptions: one Tick
    /// at a time and one Poll at a time, else Status.Busy. Batches, buffers and results belong to one thread
    /// at a time. Times are milliseconds of the host's choosing that never run back, at most 2^52.
    ///
    /// A method with a Status answers every refusal and throws nothing for it; its twin without Try throws
    /// EvenmatchException, or ObjectDisposedException once disposed.
    /// </summary>
    public sealed unsafe partial class Engine : IDisposable
    {
        private long handle;
        private readonly Dictionary<uint, string> names = new Dictionary<uint, string>();

        /// <summary>
        /// Makes an engine. Throws EvenmatchException: AbiMismatch, OutOfRange, TooManyEngines (64 in a
        /// process); and DllNotFoundException if the native library is not there.
        /// </summary>
        public Engine(EngineOptions options = null)
        {
            Throw(Library.CheckAbi());
            var config = new evenmatch_engine_config { struct_size = (uint)sizeof(evenmatch_engine_config) };
            if (options != null)
            {
                config.capacity = options.Capacity;
                config.retained = options.Retained ?? 0;
                config.search_nodes = options.SearchNodes;
                config.symbols = options.Symbols;
                config.threads = options.Threads;
                config.stats_window_ms = options.StatsWindowMs;
                config.stats_slices = options.StatsSlices;
                config.simd = (uint)options.Simd;
                config.flags = (options.Retained.HasValue ? Constants.EVENMATCH_ENGINE_HAS_RETAINED : 0u)
                    | (options.CheckMatches ? Constants.EVENMATCH_ENGINE_CHECK_MATCHES : 0u)
                    | (options.Echo ? Constants.EVENMATCH_ENGINE_ECHO : 0u)
                    | (options.Record ? Constants.EVENMATCH_ENGINE_RECORD : 0u)
                    | (options.ManyQueues ? Constants.EVENMATCH_ENGINE_MANY_QUEUES : 0u);
            }
            ulong made;
            Throw((Status)Native.evenmatch_engine_new(&config, &made));
            handle = (long)made;
        }

        /// <summary>
        /// An engine that nobody disposed is freed when it is collected, or when its domain is unloaded.
        /// </summary>
        ~Engine()
        {
            if (!IsProcessEnding)
            {
                Free();
            }
        }

        // At the end of the process everything goes by itself, and a thread that has been stopped inside a call would
        // be waited for in vain. HasShutdownStarted is true as well when only a domain is unloaded, after its threads.
        private static bool IsProcessEnding
        {
            get
            {
#if ENABLE_IL2CPP && !UNITY_EDITOR
                return Environment.HasShutdownStarted;
#else
                return Environment.HasShutdownStarted && !AppDomain.CurrentDomain.IsFinalizingForUnload();
#endif
            }
        }

        /// <summary>
        /// Frees the engine; waits for calls that are inside on other threads. Tickets that wait are gone
        /// without events; TryClose before it lets the host poll them. The second time does nothing.
        /// </summary>
        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        private void Free()
        {
            var freed = Interlocked.Exchange(ref handle, 0);
            if (freed != 0)
            {
                Native.evenmatch_engine_free((ulong)freed);
            }
        }

        /// <summary>Whether Dispose has been called.</summary>
        public bool IsDisposed => Handle == 0;

        // The handle of the C interface.
        internal ulong Handle => (ulong)Interlocked.Read(ref handle);

        /// <summary>
        /// Ends every ticket with EndReason.EngineClosed. From then on only events, tickets and stats can be
        /// had. Waits for a running tick.
        /// </summary>
        public Status TryClose(ulong nowMs)
        {
            var status = Native.evenmatch_engine_close(Handle, nowMs);
            GC.KeepAlive(this);
            return (Status)status;
        }

        /// <summary>As TryClose.</summary>
        public void Close(ulong nowMs)
        {
            Check(TryClose(nowMs));
        }

        /// <summary>
        /// Takes all inputs in, ends what has timed out, and runs one matching pass. `budget`: steps
        /// (candidates looked at) after which the pass stops, to go on at the next tick; 0: no limit. One
        /// thread at a time: a second one is answered Busy.
        /// </summary>
        public Status TryTick(ulong nowMs, ulong budget, out TickReport report)
        {
            var raw = new evenmatch_tick_report { struct_size = (uint)sizeof(evenmatch_tick_report) };
            var status = Native.evenmatch_engine_tick(Handle, nowMs, budget, &raw);
            GC.KeepAlive(this);
            report = new TickReport(raw);
            return (Status)status;
        }

        /// <summary>As TryTick.</summary>
        public TickReport Tick(ulong nowMs, ulong budget = 0)
        {
            Check(TryTick(nowMs, budget, out var report));
            return report;
        }

        /// <summary>
        /// As TryTick, for the replay of a record: each of the departures is made behind as many claims of the tick
        /// as it says, and gets its status. The array goes to the library as it is.
        /// </summary>
        public Status TryTickMeeting(ulong nowMs, Departure[] departures, ulong budget, out TickReport report)
        {
            var raw = new evenmatch_tick_report { struct_size = (uint)sizeof(evenmatch_tick_report) };
            var count = departures == null ? 0UL : (ulong)departures.Length;
            int status;
            fixed (Departure* first = departures)
            {
                status = Native.evenmatch_engine_tick_meeting(
                    Handle, nowMs, budget, (evenmatch_departure*)first, count, &raw);
            }
            GC.KeepAlive(this);
            report = new TickReport(raw);
            return (Status)status;
        }

        /// <summary>As TryTickMeeting.</summary>
        public TickReport TickMeeting(ulong nowMs, Departure[] departures, ulong budget = 0)
        {
            Check(TryTickMeeting(nowMs, departures, budget, out var report));
            return report;
        }

        /// <summary>
        /// The earliest time in ms at which a tick could change anything without new input; ulong.MaxValue:
        /// none.
        /// </summary>
        public Status TryNextDue(out ulong dueMs)
        {
            ulong due = Constants.EVENMATCH_NEVER;
            var status = Native.evenmatch_engine_next_due(Handle, &due);
            GC.KeepAlive(this);
            dueMs = due;
            return (Status)status;
        }

        /// <summary>As TryNextDue.</summary>
        public ulong NextDue()
        {
            Check(TryNextDue(out var dueMs));
            return dueMs;
        }

        /// <summary>The instruction set that the searches use; never Auto.</summary>
        public Status TryGetSimd(out Simd simd)
        {
            uint taken = 0;
            var status = Native.evenmatch_engine_simd(Handle, &taken);
            GC.KeepAlive(this);
            simd = (Simd)taken;
            return (Status)status;
        }

        /// <summary>
        /// The symbol of a name: an attribute, a region, or a value that stands again and again. Resolve once
        /// and keep it.
        /// </summary>
        public Status TryResolve(string name, out Symbol symbol)
        {
            symbol = default;
            var buffer = stackalloc byte[Utf8.NameRoom];
            if (!Utf8.TryEncodeName(name, buffer, out var length))
            {
                return Status.InvalidUtf8;
            }
            uint found = 0;
            var status = Native.evenmatch_symbol_resolve(Handle, buffer, (ulong)length, &found);
            GC.KeepAlive(this);
            symbol = new Symbol(found);
            return (Status)status;
        }

        /// <summary>As TryResolve.</summary>
        public Symbol Resolve(string name)
        {
            Check(TryResolve(name, out var symbol));
            return symbol;
        }

        /// <summary>
        /// The text of a symbol, made once and kept, so that asking again allocates nothing.
        /// </summary>
        public Status TryName(Symbol symbol, out string name)
        {
            lock (names)
            {
                if (!IsDisposed && names.TryGetValue(symbol.Value, out name))
                {
                    return Status.Ok;
                }
            }
            name = null;
            var buffer = stackalloc byte[Utf8.NameRoom];
            ulong bytes;
            var status = Native.evenmatch_symbol_read(Handle, symbol.Value, buffer, Utf8.NameRoom, &bytes);
            GC.KeepAlive(this);
            if (status == Constants.EVENMATCH_OK)
            {
                name = bytes == 0 ? "" : Encoding.UTF8.GetString(buffer, (int)bytes);
                lock (names)
                {
                    names[symbol.Value] = name;
                }
            }
            return (Status)status;
        }

        /// <summary>As TryName; null for the symbol that names nothing.</summary>
        public string Name(Symbol symbol)
        {
            if (symbol.IsNone)
            {
                return null;
            }
            Check(TryName(symbol, out var name));
            return name;
        }

        private void Check(Status status)
        {
            if (status != Status.Ok)
            {
                if (IsDisposed)
                {
                    throw new ObjectDisposedException(nameof(Engine));
                }
                Throw(status);
            }
        }

        private static void Throw(Status status)
        {
            if (status != Status.Ok)
            {
                throw new EvenmatchException(status, Library.LastError);
            }
        }
    }
}
