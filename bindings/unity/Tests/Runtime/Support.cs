// What the tests share: two queues and short ways to fill a batch.

using System;
using NUnit.Framework;

namespace Evenmatch.Tests
{
    internal static class Support
    {
        internal const string Duel =
            "{ \"name\": \"duel\", \"players\": 2, \"timeout_s\": 60,"
            + "  \"attributes\": { \"skill\": { \"type\": \"number\", \"default\": 1500 } },"
            + "  \"rules\": [{ \"name\": \"skill\", \"type\": \"difference\","
            + "               \"attribute\": \"skill\", \"max\": 50 }] }";

        internal const string Ranked =
            "{ \"name\": \"ranked\", \"timeout_s\": 100, \"undeclared\": \"keep\", \"echo\": {\"map\": 7},"
            + "  \"teams\": [{ \"name\": \"red\", \"players\": 2 }, { \"name\": \"blue\", \"players\": 2 }],"
            + "  \"attributes\": { \"skill\": { \"type\": \"number\" }, \"mode\": { \"type\": \"string\" },"
            + "                  \"maps\": { \"type\": \"string_list\" } },"
            + "  \"rules\": ["
            + "    { \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"skill\", \"max\": 50 },"
            + "    { \"name\": \"mode\", \"type\": \"equality\", \"attribute\": \"mode\", \"missing\": \"any\" },"
            + "    { \"name\": \"maps\", \"type\": \"intersection\", \"attribute\": \"maps\", \"min\": 1,"
            + "      \"missing\": \"any\" },"
            + "    { \"name\": \"ping\", \"type\": \"region\", \"max_ms\": 60 } ] }";

        internal const string Full =
            "{ \"name\": \"full\", \"players\": { \"min\": 2, \"max\": 4 }, \"party\": { \"max\": 3 },"
            + "  \"regions\": [\"eu\", \"us\"],"
            + "  \"attributes\": { \"skill\": { \"type\": \"number\", \"min\": 0, \"max\": 5000 },"
            + "                  \"mode\": { \"type\": \"string\", \"default\": \"any\" },"
            + "                  \"maps\": { \"type\": \"string_list\" } },"
            + "  \"rules\": [{ \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"skill\", \"max\": 50 },"
            + "            { \"name\": \"ping\", \"type\": \"region\", \"max_ms\": 60 }], \"timeout_s\": 60 }";

        internal static Engine NewEngine(uint capacity = 100)
        {
            return new Engine(new EngineOptions { Capacity = capacity, CheckMatches = true });
        }

        // Submits one player without attributes, whose user data is 1,000 more than his id.
        internal static Status SubmitOne(Engine engine, ulong nowMs, QueueId queue, ulong player, out TicketId ticket)
        {
            var batch = new TicketBatch().Add(queue, player + 1000).Player(new PlayerId(player));
            return engine.TrySubmit(nowMs, batch, out ticket);
        }

        internal static TicketId SubmitOne(Engine engine, ulong nowMs, QueueId queue, ulong player)
        {
            Is(Status.Ok, SubmitOne(engine, nowMs, queue, player, out var ticket));
            return ticket;
        }

        internal static void Is(Status wanted, Status found)
        {
            Assert.AreEqual(wanted, found, found == wanted ? "" : Library.LastError);
        }

        // Collects whatever nobody holds, twice, so that what finalizers let go goes as well.
        internal static void Collect()
        {
            for (var i = 0; i < 2; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
    }
}
