// Who a player is: 128 bits of the host's choosing. Handed to batches, found in events; the engine only
// compares them.

using System;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Evenmatch
{
    /// <summary>One person: 128 bits of the host's choosing (a UUID, a platform id), compared only.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct PlayerId : IEquatable<PlayerId>
    {
        /// <summary>The upper 64 bits.</summary>
        public readonly ulong Hi;

        /// <summary>The lower 64 bits.</summary>
        public readonly ulong Lo;

        /// <summary>The id with these halves.</summary>
        public PlayerId(ulong hi, ulong lo)
        {
            Hi = hi;
            Lo = lo;
        }

        /// <summary>The id of a number, such as a Steam id.</summary>
        public PlayerId(ulong lo) : this(0, lo) { }

        /// <summary>
        /// The id of a UUID, the digits in their written order: the same bits that NamesAs.Hex reads from its
        /// text. It allocates; keep the id.
        /// </summary>
        public static PlayerId FromGuid(Guid guid)
        {
            return Parse(guid.ToString("N"));
        }

        /// <summary>
        /// The id that 1 to 32 hexadecimal digits mean; dashes are left out. Throws FormatException.
        /// </summary>
        public static PlayerId Parse(string hex)
        {
            if (!TryParse(hex, out var id))
            {
                throw new FormatException("not 1 to 32 hexadecimal digits: " + hex);
            }
            return id;
        }

        /// <summary>
        /// Whether the text is 1 to 32 hexadecimal digits (dashes are left out), and the id.
        /// </summary>
        public static bool TryParse(string hex, out PlayerId id)
        {
            ulong hi = 0, lo = 0;
            var digits = 0;
            id = default;
            foreach (var c in hex ?? "")
            {
                if (c == '-')
                {
                    continue;
                }
                var digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
                if (digit < 0 || ++digits > 32)
                {
                    return false;
                }
                hi = hi << 4 | lo >> 60;
                lo = lo << 4 | (uint)digit;
            }
            id = new PlayerId(hi, lo);
            return digits > 0;
        }

        /// <summary>Whether both are the same bits.</summary>
        public bool Equals(PlayerId other) { return Hi == other.Hi && Lo == other.Lo; }

        /// <inheritdoc/>
        public override bool Equals(object other) { return other is PlayerId id && Equals(id); }

        /// <inheritdoc/>
        public override int GetHashCode() { return (Hi * 0x9E3779B97F4A7C15UL ^ Lo).GetHashCode(); }

        /// <summary>The 32 hexadecimal digits.</summary>
        public override string ToString()
        {
            return Hi.ToString("x16", CultureInfo.InvariantCulture) + Lo.ToString("x16", CultureInfo.InvariantCulture);
        }

        /// <summary>Whether both are the same bits.</summary>
        public static bool operator ==(PlayerId left, PlayerId right) { return left.Equals(right); }

        /// <summary>Whether they are different bits.</summary>
        public static bool operator !=(PlayerId left, PlayerId right) { return !left.Equals(right); }
    }
}
