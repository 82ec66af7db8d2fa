// Texts on their way to the library and back. Called by the classes of this package only.
// Strict: a half surrogate is refused as Status.InvalidUtf8 and never replaced in silence.

using System;
using System.Text;

namespace Evenmatch
{
    internal static unsafe class Utf8
    {
        // Immutable, so that it may outlive a play session without harm.
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        // Appends the bytes of `text` at `at`, growing the array; false: not well formed.
        internal static bool TryAppend(ref byte[] bytes, int at, string text, out int length)
        {
            length = 0;
            if (string.IsNullOrEmpty(text))
            {
                return true;
            }
            try
            {
                Grow.To(ref bytes, checked(at + Strict.GetByteCount(text)));
                length = Strict.GetBytes(text, 0, text.Length, bytes, at);
                return true;
            }
            catch (EncoderFallbackException)
            {
                return false;
            }
        }

        // Writes the bytes of `text` into `buffer`; false: not well formed. A text that is too long for a
        // name gets one byte more than a name may have, so that the library refuses it.
        internal static bool TryEncodeName(string text, byte* buffer, out int length)
        {
            length = 0;
            if (string.IsNullOrEmpty(text))
            {
                return true;
            }
            try
            {
                fixed (char* chars = text)
                {
                    if (text.Length > NameBytes || Strict.GetByteCount(chars, text.Length) > NameBytes)
                    {
                        for (var i = 0; i <= NameBytes; i++)
                        {
                            buffer[i] = (byte)'x';
                        }
                        length = NameBytes + 1;
                        return true;
                    }
                    length = Strict.GetBytes(chars, text.Length, buffer, NameBytes);
                    return true;
                }
            }
            catch (EncoderFallbackException)
            {
                return false;
            }
        }

        // What a name may have at most, in bytes.
        internal const int NameBytes = 256;

        // Room that TryEncodeName needs.
        internal const int NameRoom = NameBytes + 1;

        internal static string Text(byte[] bytes, uint first, uint count)
        {
            return count == 0 ? "" : Encoding.UTF8.GetString(bytes, (int)first, (int)count);
        }

        // A static text of the library, which ends with a NUL; copied, so that nothing of it is kept.
        internal static string Text(byte* terminated)
        {
            var length = 0;
            while (terminated[length] != 0)
            {
                length++;
            }
            return length == 0 ? "" : Encoding.UTF8.GetString(terminated, length);
        }
    }

    internal static class Grow
    {
        // Makes room for `needed` elements, at least doubling, so that a warmed array is never made anew.
        internal static void To<T>(ref T[] array, int needed) where T : struct
        {
            if (needed > array.Length)
            {
                Array.Resize(ref array, Math.Max(needed, array.Length * 2));
            }
        }

        internal static void To<T>(ref T[] array, ulong needed) where T : struct
        {
            To(ref array, checked((int)needed));
        }
    }
}
