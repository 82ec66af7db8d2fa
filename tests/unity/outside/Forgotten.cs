// A program that ends without disposing its engines, which have tickets that wait and events that nobody polled: the
// process must end well and in silence. Its first argument says how it ends: return or exit.
// Its threads have ended before: Mono 6.8 itself aborts in some runs if a thread is in any native call at the end (10 of 80
// with getppid alone); tests/capi/threads.c has an end of the process under calls.

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
            var threads = new Thread[3];
            for (ulong number = 0; number < 3; number++)
            {
                var mine = number;
                threads[mine] = new Thread(() =>
                {
                    var batch = new TicketBatch();
                    var events = new EventBuffer();
                    for (ulong i = 0; i < 1000; i++)
                    {
                        batch.Clear().Add(queue).Player(new PlayerId(mine, i));
                        var status = mine == 0 ? kept.TryTick(i, 0, out _)
                            : mine == 1 ? kept.TryPoll(events) : kept.TrySubmit(i, batch, out TicketId ticket);
                        if (status != Status.Ok)
                        {
                            Console.WriteLine(status);
                        }
                    }
                });
                threads[mine].Start();
            }
            foreach (var thread in threads)
            {
                thread.Join();
            }
            for (var i = 0; i < 10; i++)
            {
                var dropped = new Engine();
                var other = dropped.AddQueue("{ \"name\": \"all\", \"players\": 2 }");
                dropped.Submit(1, new TicketBatch().Add(other).Player(new PlayerId(1)));
            }
            if (arguments[0] == "exit")
            {
                Environment.Exit(0);
            }
        }
    }
}
