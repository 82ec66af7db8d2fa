// The handles of an engine as values of their own types, so that a ticket is never taken for a queue.
// Each is one integer wide and compares by value; the default of each names nothing.

using System;
using System.Runtime.InteropServices;

namespace Evenmatch
{
    /// <summary>
    /// A name in one engine (attribute, region, value, team, rule) as a small number, resolved once.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Symbol : IEquatable<Symbol>
    {
        /// <summary>1 and up; 0 is no name.</summary>
        public readonly uint Value;

        /// <summary>The symbol with this number.</summary>
        public Symbol(uint value) { Value = value; }

        /// <summary>Whether it names nothing.</summary>
        public bool IsNone => Value == 0;

        /// <summary>Whether both are the same number.</summary>
        public bool Equals(Symbol other) { return Value == other.Value; }

        /// <inheritdoc/>
        public override bool Equals(object other) { return other is Symbol symbol && Equals(symbol); }

        /// <inheritdoc/>
        public override int GetHashCode() { return Value.GetHashCode(); }

        /// <inheritdoc/>
        public override string ToString() { return "symbol " + Value; }

        /// <summary>Whether both are the same number.</summary>
        public static bool operator ==(Symbol left, Symbol right) { return left.Value == right.Value; }

        /// <summary>Whether they are different numbers.</summary>
        public static bool operator !=(Symbol left, Symbol right) { return left.Value != right.Value; }
    }

    /// <summary>A queue of one engine.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct QueueId : IEquatable<QueueId>
    {
        /// <summary>The handle of the C interface; 0 names nothing.</summary>
        public readonly ulong Value;

        /// <summary>The queue with this handle.</summary>
        public QueueId(ulong value) { Value = value; }

        /// <summary>Whether it names nothing.</summary>
        public bool IsNone => Value == 0;

        /// <summary>Whether both are the same handle.</summary>
        public bool Equals(QueueId other) { return Value == other.Value; }

        /// <inheritdoc/>
        public override bool Equals(object other) { return other is QueueId id && Equals(id); }

        /// <inheritdoc/>
        public override int GetHashCode() { return Value.GetHashCode(); }

        /// <inheritdoc/>
        public override string ToString() { return "queue " + Value.ToString("x16"); }

        /// <summary>Whether both are the same handle.</summary>
        public static bool operator ==(QueueId left, QueueId right) { return left.Value == right.Value; }

        /// <summary>Whether they are different handles.</summary>
        public static bool operator !=(QueueId left, QueueId right) { return left.Value != right.Value; }
    }

    /// <summary>A ticket of one engine, never given out twice.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct TicketId : IEquatable<TicketId>
    {
        /// <summary>The handle of the C interface; 0 names nothing.</summary>
        public readonly ulong Value;

        /// <summary>The ticket with this handle.</summary>
        public TicketId(ulong value) { Value = value; }

        /// <summary>Whether it names nothing.</summary>
        public bool IsNone => Value == 0;

        /// <summary>Whether both are the same handle.</summary>
        public bool Equals(TicketId other) { return Value == other.Value; }

        /// <inheritdoc/>
        public override bool Equals(object other) { return other is TicketId id && Equals(id); }

        /// <inheritdoc/>
        public override int GetHashCode() { return Value.GetHashCode(); }

        /// <inheritdoc/>
        public override string ToString() { return "ticket " + Value.ToString("x16"); }

        /// <summary>Whether both are the same handle.</summary>
        public static bool operator ==(TicketId left, TicketId right) { return left.Value == right.Value; }

        /// <summary>Whether they are different handles.</summary>
        public static bool operator !=(TicketId left, TicketId right) { return left.Value != right.Value; }
    }

    /// <summary>A match of one engine: the number is that of its oldest ticket.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct MatchId : IEquatable<MatchId>
    {
        /// <summary>The handle of the C interface; 0 names nothing.</summary>
        public readonly ulong Value;

        /// <summary>The match with this handle.</summary>
        public MatchId(ulong value) { Value = value; }

        /// <summary>Whether it names nothing.</summary>
        public bool IsNone => Value == 0;

        /// <summary>Whether both are the same handle.</summary>
        public bool Equals(MatchId other) { return Value == other.Value; }

        /// <inheritdoc/>
        public override bool Equals(object other) { return other is MatchId id && Equals(id); }

        /// <inheritdoc/>
        public override int GetHashCode() { return Value.GetHashCode(); }

        /// <inheritdoc/>
        public override string ToString() { return "match " + Value.ToString("x16"); }

        /// <summary>Whether both are the same handle.</summary>
        public static bool operator ==(MatchId left, MatchId right) { return left.Value == right.Value; }

        /// <summary>Whether they are different handles.</summary>
        public static bool operator !=(MatchId left, MatchId right) { return left.Value != right.Value; }
    }
}
