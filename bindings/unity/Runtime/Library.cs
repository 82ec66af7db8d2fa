// The library itself: which one is loaded, and its words. Called by hosts for bug reports, by Engine before
// it starts. No static of this package can be written, so neither a domain reload nor the lack of one leaves
// anything behind.

using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>The native library that is loaded. Any thread.</summary>
    public static unsafe class Library
    {
        /// <summary>The version of the binary interface that this package was written for.</summary>
        public const int AbiVersion = Constants.EVENMATCH_ABI_VERSION;

        /// <summary>The version of the binary interface that the loaded library has.</summary>
        public static int LoadedAbiVersion => (int)Native.evenmatch_abi_version();

        /// <summary>The version of the loaded library ("0.1.0").</summary>
        public static string Version => Utf8.Text(Native.evenmatch_version_text());

        /// <summary>How the loaded library was built, for bug reports.</summary>
        public static string Build => Utf8.Text(Native.evenmatch_build_text());

        /// <summary>Whether the loaded library bears this package: Ok or AbiMismatch.</summary>
        public static Status CheckAbi()
        {
            return (Status)Native.evenmatch_abi_accepts(Constants.EVENMATCH_ABI_VERSION);
        }

        /// <summary>
        /// The stable word of a status ("QUEUE_FULL"); "UNKNOWN" for a number that is none.
        /// </summary>
        public static string Text(Status status)
        {
            return Utf8.Text(Native.evenmatch_status_text((int)status));
        }

        /// <summary>The stable word of the reason for which a ticket ended ("TIMED_OUT").</summary>
        public static string Text(EndReason reason)
        {
            return Utf8.Text(Native.evenmatch_end_reason_text((int)reason));
        }

        /// <summary>
        /// The stable word of the reason for which a ticket can never be matched ("NO_REGION").
        /// </summary>
        public static string Text(UnmatchableReason reason)
        {
            return Utf8.Text(Native.evenmatch_unmatchable_text((int)reason));
        }

        /// <summary>
        /// The sentence that goes with the last refusal on this thread, for people and logs.
        /// </summary>
        public static string LastError
        {
            get
            {
                const int room = 1024;
                var buffer = stackalloc byte[room];
                ulong bytes;
                var status = Native.evenmatch_last_error(buffer, room, &bytes);
                return status == Constants.EVENMATCH_OK && bytes > 0
                    ? System.Text.Encoding.UTF8.GetString(buffer, (int)bytes) : "";
            }
        }

        /// <summary>
        /// The size of every struct and the place of every field, as the library sees them.
        /// </summary>
        public static string Layout
        {
            get
            {
                ulong bytes;
                var status = (Status)Native.evenmatch_layout_read(null, 0, &bytes);
                if (status != Status.BufferTooSmall)
                {
                    throw new EvenmatchException(status, LastError);
                }
                var text = new byte[(int)bytes];
                fixed (byte* start = text)
                {
                    status = (Status)Native.evenmatch_layout_read(start, bytes, &bytes);
                }
                if (status != Status.Ok)
                {
                    throw new EvenmatchException(status, LastError);
                }
                return Utf8.Text(text, 0, (uint)text.Length);
            }
        }
    }
}
