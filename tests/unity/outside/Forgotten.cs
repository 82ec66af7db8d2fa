// A program that ends without disposing its engines, one of them in the middle of ticks and polls on other threads: the
// process must end at once and in silence. Its first argument says how it ends: return or exit.

using System;
using System.Threading;

namespace Evenmatch.Outside
{
    internal static class Forgotten
    {
        private static Engine kept;

        private static void Main(string[] arguments)
        {
            kept = new Engine();
            var queue = kept.AddQueue("{ \"name\": \"all\", \"players\": 2 }");
            var started = new CountdownEvent(3);
            for (ulong number = 0; number < 3; number++)
            {
                var mine = number;
                var thread = new Thread(() =>
                {
                    var batch = new TicketBatch();
                    var events = new EventBuffer();
                    for (ulong i = 0; ; i++)
                    {
                        batch.Clear().Add(queue).Player(new PlayerId(mine, i));
                        var status = mine == 0 ? kept.TryTick(i, 0, out _)
                            : mine == 1 ? kept.TryPoll(events) : kept.TrySubmit(i, batch, out TicketId ticket);
                        if (status == Status.NotFound)
                        {
                            Console.WriteLine("the engine was freed under a call");
                        }
                        if (i == 100)
                        {
                            started.Signal();
                        }
                    }
                });
                thread.IsBackground = true;
                thread.Start();
            }
            started.Wait();
            for (var i = 0; i < 10; i++)
            {
                new Engine().AddQueue("{ \"name\": \"all\", \"players\": 2 }");
            }
            if (arguments[0] == "exit")
            {
                Environment.Exit(0);
            }
        }
    }
}
