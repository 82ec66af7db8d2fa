// What the engine says when asked: why a ticket waits, how long one can expect to, what was asked of it, and all
// counts as text. For tools and logs, not for every frame: texts are strings, made anew by each call.

using System;
using System.Text;
using Evenmatch.Raw;

namespace Evenmatch
{
    public sealed unsafe partial class Engine
    {
        /// <summary>
        /// Lends the calling thread to a tick that runs in another; `did`: there was something to do. Any thread.
        /// </summary>
        public Status TryHelp(out bool did)
        {
            uint found = 0;
            var status = Native.evenmatch_engine_help(Handle, &found);
            GC.KeepAlive(this);
            did = found != 0;
            return (Status)status;
        }

        /// <summary>Moves engine time on, if that is later, and does nothing else.</summary>
        public Status TryAdvance(ulong nowMs)
        {
            var status = Native.evenmatch_engine_advance(Handle, nowMs);
            GC.KeepAlive(this);
            return (Status)status;
        }

        /// <summary>
        /// Why a ticket is not matched, as JSON text, with so many of the nearest candidates. One thread at a
        /// time, with Tick: else Busy. `naming` may be null.
        /// </summary>
        public Status TryExplain(TicketId ticket, uint nearest, Naming naming, out string json)
        {
            return TryText(naming, Naming.Call.Explain, ticket.Value, nearest, out json);
        }

        /// <summary>As TryExplain, with the five nearest candidates.</summary>
        public string Explain(TicketId ticket, Naming naming = null)
        {
            Check(TryExplain(ticket, 5, naming, out var json));
            return json;
        }

        /// <summary>What is between two tickets, as JSON text. Otherwise as TryExplain.</summary>
        public Status TryExplainPair(TicketId ticket, TicketId other, Naming naming, out string json)
        {
            return TryText(naming, Naming.Call.ExplainPair, ticket.Value, other.Value, out json);
        }

        /// <summary>As TryExplainPair.</summary>
        public string ExplainPair(TicketId ticket, TicketId other, Naming naming = null)
        {
            Check(TryExplainPair(ticket, other, naming, out var json));
            return json;
        }

        /// <summary>
        /// Takes the next lines of the record, each with its line feed; empty: there are no more now. Only an
        /// engine with EngineOptions.Record has any. One thread at a time: else Busy. `naming` may be null.
        /// </summary>
        public Status TryReadRecord(Naming naming, out string lines)
        {
            return TryText(naming, Naming.Call.Record, 0, 0, out lines);
        }

        /// <summary>As TryReadRecord.</summary>
        public string ReadRecord(Naming naming = null)
        {
            Check(TryReadRecord(naming, out var lines));
            return lines;
        }

        /// <summary>Puts a note, the text of a JSON object, into the record. Any thread.</summary>
        public Status TryNote(ulong nowMs, string json)
        {
            var text = new byte[0];
            if (!Utf8.TryAppend(ref text, 0, json, out var length))
            {
                return Status.InvalidUtf8;
            }
            int status;
            fixed (byte* start = text)
            {
                status = Native.evenmatch_record_note(Handle, nowMs, start, (ulong)length);
            }
            GC.KeepAlive(this);
            return (Status)status;
        }

        /// <summary>
        /// How long a ticket of that skill can expect to wait if it can be matched in those regions; null and
        /// none: any. Any thread, also once closed.
        /// </summary>
        public Status TryEstimate(QueueId queue, double? skill, ReadOnlySpan<Symbol> regions, out WaitEstimate estimate)
        {
            var raw = new evenmatch_estimate { struct_size = (uint)sizeof(evenmatch_estimate) };
            int status;
            fixed (Symbol* start = &System.Runtime.InteropServices.MemoryMarshal.GetReference(regions))
            {
                var question = new evenmatch_question
                {
                    struct_size = (uint)sizeof(evenmatch_question),
                    flags = skill.HasValue ? (uint)Constants.EVENMATCH_QUESTION_HAS_SKILL : 0u,
                    skill = skill ?? 0,
                    region_count = (ulong)regions.Length,
                    regions = (uint*)start,
                };
                status = Native.evenmatch_queue_estimate(Handle, queue.Value, &question, &raw);
            }
            GC.KeepAlive(this);
            estimate = new WaitEstimate(raw);
            return (Status)status;
        }

        /// <summary>All counts as text for Prometheus. Any thread, also once closed.</summary>
        public Status TryReadPrometheus(out string text)
        {
            var bytes = new byte[16384];
            while (true)
            {
                ulong length = 0;
                Status status;
                fixed (byte* start = bytes)
                {
                    status = (Status)Native.evenmatch_stats_prometheus(Handle, start, (ulong)bytes.Length, &length);
                }
                GC.KeepAlive(this);
                if (status != Status.BufferTooSmall)
                {
                    text = status == Status.Ok ? Encoding.UTF8.GetString(bytes, 0, (int)length) : "";
                    return status;
                }
                Grow.To(ref bytes, length);
            }
        }

        /// <summary>What became of a queue's tickets. Any thread, also once closed.</summary>
        public Status TryReadActivity(QueueId queue, QueueActivity activity)
        {
            var status = activity.Read(Handle, queue.Value);
            GC.KeepAlive(this);
            return status;
        }

        private Status TryText(Naming naming, Naming.Call call, ulong a, ulong b, out string text)
        {
            var bytes = new byte[16384];
            while (true)
            {
                var status = Naming.Make(naming, call, Handle, a, b, bytes, out var length);
                GC.KeepAlive(this);
                if (status != Status.BufferTooSmall)
                {
                    text = status == Status.Ok ? Encoding.UTF8.GetString(bytes, 0, (int)length) : "";
                    return status;
                }
                Grow.To(ref bytes, length);
            }
        }
    }

    /// <summary>How long a ticket can expect to wait, as far as the sliding window tells.</summary>
    public readonly struct WaitEstimate
    {
        private readonly evenmatch_estimate raw;

        internal WaitEstimate(in evenmatch_estimate raw) { this.raw = raw; }

        /// <summary>There were enough tickets to say anything.</summary>
        public bool IsKnown => (raw.flags & Constants.EVENMATCH_ESTIMATE_KNOWN) != 0;

        /// <summary>Too few tickets share a region with the asked ones, so all regions count.</summary>
        public bool IsOfEveryRegion => (raw.flags & Constants.EVENMATCH_ESTIMATE_EVERY_REGION) != 0;

        /// <summary>Band counts; else it rests on tickets of every skill.</summary>
        public bool HasBand => (raw.flags & Constants.EVENMATCH_ESTIMATE_HAS_BAND) != 0;

        /// <summary>
        /// Half of such tickets wait no longer, in ms; ulong.MaxValue: unknown, or longer than any was seen
        /// to wait.
        /// </summary>
        public ulong P50Ms => raw.p50_ms;

        /// <summary>Nine in ten wait no longer, in ms; ulong.MaxValue as above.</summary>
        public ulong P90Ms => raw.p90_ms;

        /// <summary>Tickets that it rests on: matched, ended and still waiting ones.</summary>
        public ulong Samples => raw.samples;

        /// <summary>Of those the ones that were matched.</summary>
        public ulong Matched => raw.matched;

        /// <summary>The longest wait seen among them, in ms.</summary>
        public ulong SeenUpToMs => raw.seen_up_to_ms;

        /// <summary>Their skill lies within so much of the asked one. With HasBand.</summary>
        public double Band => raw.band;
    }
}
