// The engine's queues and regions: added from JSON text, found, suspended, resumed, removed; up or down.

using System;
using System.Collections.Generic;
using Evenmatch.Raw;

namespace Evenmatch
{
    public sealed unsafe partial class Engine
    {
        // As many queues as an engine may have at a time.
        private const int QueueMax = 256;

        /// <summary>
        /// Adds the queues of a JSON text, native or PlayFab's: all of them or, with an error, none. `source`
        /// says how to read it and gets places and sentences; it may be null.
        /// </summary>
        public Status TryAddQueues(string json, QueueSource source, out QueueId[] queues)
        {
            queues = new QueueId[0];
            source = source ?? new QueueSource();
            var bytes = new byte[0];
            if (!Utf8.TryAppend(ref bytes, 0, json, out var length))
            {
                return Status.InvalidUtf8;
            }
            var text = new byte[16384];
            var found = stackalloc ulong[QueueMax];
            ulong count = 0;
            evenmatch_queue_source raw;
            Status status;
            do
            {
                raw = new evenmatch_queue_source
                {
                    struct_size = (uint)sizeof(evenmatch_queue_source),
                    format = (int)source.Format,
                    windows = (int)source.Windows,
                    total_windows = (int)source.TotalWindows,
                    intersection_delta = (int)source.IntersectionDelta,
                    json_bytes = (ulong)length,
                    text_capacity = (ulong)text.Length,
                };
                fixed (byte* start = bytes)
                fixed (byte* sentences = text)
                {
                    byte none;
                    raw.json = length == 0 ? &none : start;
                    raw.text = sentences;
                    status = (Status)Native.evenmatch_queue_add(Handle, &raw, found, QueueMax, &count);
                }
                // A refused text can be read again, so that no sentence is cut off; an accepted one cannot.
            }
            while (status == Status.InvalidQueue && raw.text_bytes > (ulong)text.Length && Enlarged(ref text));
            GC.KeepAlive(this);
            source.Line = (int)raw.line;
            source.Column = (int)raw.column;
            source.ErrorCount = (int)raw.error_count;
            source.WarningCount = (int)raw.warning_count;
            source.Text = Utf8.Text(text, 0, (uint)Math.Min(raw.text_bytes, (ulong)text.Length));
            if (status == Status.Ok)
            {
                queues = Queues(found, count);
            }
            return status;
        }

        private static bool Enlarged(ref byte[] text)
        {
            if (text.Length >= 1 << 22)
            {
                return false;
            }
            text = new byte[text.Length * 4];
            return true;
        }

        private static QueueId[] Queues(ulong* found, ulong count)
        {
            var queues = new QueueId[count];
            for (var i = 0; i < queues.Length; i++)
            {
                queues[i] = new QueueId(found[i]);
            }
            return queues;
        }

        /// <summary>As TryAddQueues; throws QueueException with the place if the text is not legal.</summary>
        public QueueId[] AddQueues(string json, QueueSource source = null)
        {
            source = source ?? new QueueSource();
            var status = TryAddQueues(json, source, out var queues);
            if (status == Status.InvalidQueue)
            {
                throw new QueueException(status, source.Line, source.Column, source.Text);
            }
            Check(status);
            return queues;
        }

        /// <summary>
        /// Adds the one queue of a text; as AddQueues. Throws ArgumentException if there are several.
        /// </summary>
        public QueueId AddQueue(string json)
        {
            var queues = AddQueues(json);
            return queues.Length == 1 ? queues[0] : throw new ArgumentException("the text has several queues");
        }

        /// <summary>The queue of a name.</summary>
        public Status TryFindQueue(string name, out QueueId queue)
        {
            queue = default;
            var buffer = stackalloc byte[Utf8.NameRoom];
            if (!Utf8.TryEncodeName(name, buffer, out var length))
            {
                return Status.InvalidUtf8;
            }
            ulong found = 0;
            var status = Native.evenmatch_queue_find(Handle, buffer, (ulong)length, &found);
            GC.KeepAlive(this);
            queue = new QueueId(found);
            return (Status)status;
        }

        /// <summary>All queues, in the order in which they were added.</summary>
        public Status TryListQueues(List<QueueId> queues)
        {
            queues.Clear();
            var found = stackalloc ulong[QueueMax];
            ulong count = 0;
            var status = (Status)Native.evenmatch_queue_list(Handle, found, QueueMax, &count);
            GC.KeepAlive(this);
            for (ulong i = 0; status == Status.Ok && i < count; i++)
            {
                queues.Add(new QueueId(found[i]));
            }
            return status;
        }

        /// <summary>
        /// Stops a queue: submits are refused at once, its tickets stay, age and expire, but are not matched.
        /// </summary>
        public Status TrySuspend(ulong nowMs, QueueId queue)
        {
            var status = Native.evenmatch_queue_suspend(Handle, nowMs, queue.Value);
            GC.KeepAlive(this);
            return (Status)status;
        }

        /// <summary>As TrySuspend.</summary>
        public void Suspend(ulong nowMs, QueueId queue)
        {
            Check(TrySuspend(nowMs, queue));
        }

        /// <summary>Opens a suspended queue again.</summary>
        public Status TryResume(ulong nowMs, QueueId queue)
        {
            var status = Native.evenmatch_queue_resume(Handle, nowMs, queue.Value);
            GC.KeepAlive(this);
            return (Status)status;
        }

        /// <summary>As TryResume.</summary>
        public void Resume(ulong nowMs, QueueId queue)
        {
            Check(TryResume(nowMs, queue));
        }

        /// <summary>Removes a queue: its tickets end with EndReason.QueueRemoved at the next tick.</summary>
        public Status TryRemove(ulong nowMs, QueueId queue)
        {
            var status = Native.evenmatch_queue_remove(Handle, nowMs, queue.Value);
            GC.KeepAlive(this);
            return (Status)status;
        }

        /// <summary>As TryRemove.</summary>
        public void Remove(ulong nowMs, QueueId queue)
        {
            Check(TryRemove(nowMs, queue));
        }

        /// <summary>
        /// Says that a region is up or down, for all queues, from the next tick on. Down ends nobody.
        /// </summary>
        public Status TrySetRegion(ulong nowMs, Symbol region, bool isUp)
        {
            var status = Native.evenmatch_region_set(Handle, nowMs, region.Value, isUp ? 1 : 0);
            GC.KeepAlive(this);
            return (Status)status;
        }

        /// <summary>As TrySetRegion.</summary>
        public void SetRegion(ulong nowMs, Symbol region, bool isUp)
        {
            Check(TrySetRegion(nowMs, region, isUp));
        }
    }
}
