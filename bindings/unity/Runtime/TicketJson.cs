// A ticket, or a player who joins, as JSON text, with a table of whom its names mean. Handed to
// Engine.TrySubmitJson and TryJoinJson, for hosts that hand requests on as they come. Invariant: all texts of
// the table stand in one array.

using System;
using Evenmatch.Raw;

namespace Evenmatch
{
    /// <summary>JSON text of one ticket or player, native or PlayFab's. One thread at a time.</summary>
    public sealed unsafe class TicketJson
    {
        private evenmatch_player_name[] names = new evenmatch_player_name[0];
        private byte[] nameText = new byte[0];
        private byte[] json = new byte[0];
        private int nameCount, nameBytes, jsonBytes;

        /// <summary>How a name becomes an id that the table does not have.</summary>
        public NamesAs NamesAs { get; set; }

        /// <summary>Text with no names in its table.</summary>
        public TicketJson(string json = "", NamesAs namesAs = NamesAs.Table)
        {
            Set(json);
            NamesAs = namesAs;
        }

        /// <summary>Takes another text. Throws ArgumentException: no UTF-16.</summary>
        public TicketJson Set(string text)
        {
            if (!Utf8.TryAppend(ref json, 0, text, out jsonBytes))
            {
                throw new ArgumentException("the text has half a surrogate pair", nameof(text));
            }
            return this;
        }

        /// <summary>Says whom a name means. Throws ArgumentException: no UTF-16.</summary>
        public TicketJson Name(string name, PlayerId id)
        {
            if (!Utf8.TryAppend(ref nameText, nameBytes, name, out var length))
            {
                throw new ArgumentException("the name has half a surrogate pair", nameof(name));
            }
            Grow.To(ref names, nameCount + 1);
            names[nameCount++] = new evenmatch_player_name
            {
                struct_size = (uint)sizeof(evenmatch_player_name),
                id = new evenmatch_player_id { hi = id.Hi, lo = id.Lo },
                text_bytes = (ulong)length,
            };
            nameBytes += length;
            return this;
        }

        /// <summary>Empties the table.</summary>
        public TicketJson ClearNames()
        {
            nameCount = nameBytes = 0;
            return this;
        }

        internal Status Submit(ulong engine, ulong nowMs, evenmatch_submitted* result, byte* details, ulong room)
        {
            return Send(engine, nowMs, 0, result, details, room, null);
        }

        internal Status Join(ulong engine, ulong nowMs, ulong ticket, ulong* missing)
        {
            return Send(engine, nowMs, ticket, null, null, 0, missing);
        }

        private Status Send(ulong engine, ulong nowMs, ulong ticket, evenmatch_submitted* result, byte* details,
            ulong room, ulong* missing)
        {
            byte none;
            fixed (byte* jsonStart = json)
            fixed (byte* textStart = nameText)
            fixed (evenmatch_player_name* nameStart = names)
            {
                // The pointers hold for this call only, while the texts are pinned.
                var at = textStart;
                for (var i = 0; i < nameCount; i++)
                {
                    nameStart[i].text = at == null ? &none : at;
                    at += nameStart[i].text_bytes;
                }
                var raw = new evenmatch_json
                {
                    struct_size = (uint)sizeof(evenmatch_json),
                    names_as = (int)NamesAs,
                    json_bytes = (ulong)jsonBytes,
                    name_count = (ulong)nameCount,
                    json = jsonStart == null ? &none : jsonStart,
                    names = nameStart,
                };
                return (Status)(result != null
                    ? Native.evenmatch_json_submit(engine, nowMs, &raw, result, details, room)
                    : Native.evenmatch_json_join(engine, nowMs, ticket, &raw, missing));
            }
        }
    }
}
