// What can be tested under Mono but not inside a Unity project: the assembly read by reflection, domains that come and go,
// the process's threads, copies of the library, and a fault of the library, which only a library built for tests has.

using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;
using NUnit.Framework;

namespace Evenmatch.Outside
{
    [TestFixture]
    public class OutsideTests
    {
        private const string Duel = "{ \"name\": \"duel\", \"players\": 2, \"timeout_s\": 60 }";

        [DllImport("evenmatch", CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        private static extern int evenmatch_debug_panic(ulong engine);

        [DllImport("libdl.so.2")]
        private static extern IntPtr dlopen([MarshalAs(UnmanagedType.LPStr)] string path, int flags);

        [DllImport("libdl.so.2")]
        private static extern IntPtr dlsym(IntPtr library, [MarshalAs(UnmanagedType.LPStr)] string name);

        private const BindingFlags Everything = BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public
            | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

        private static Type[] Types => typeof(Engine).Assembly.GetTypes();

        // Whether a value of the type crosses the border as it stands, with the same width on both sides.
        private static bool IsPlain(Type type)
        {
            return type.IsPointer || type == typeof(void) || new[] { typeof(byte), typeof(int), typeof(uint), typeof(ulong),
                typeof(double) }.Contains(type) || type.Namespace == "Evenmatch.Raw" && type.IsValueType;
        }

        [Test]
        public void EveryStructAndEveryImportIsPlain()
        {
            var structs = Types.Where(t => t.Namespace == "Evenmatch.Raw" && t.IsValueType).ToArray();
            Assert.Greater(structs.Length, 20);
            foreach (var field in structs.SelectMany(t => t.GetFields(Everything)))
            {
                Assert.IsTrue(IsPlain(field.FieldType), field.DeclaringType + "." + field.Name);
            }
            var imports = Types.SelectMany(t => t.GetMethods(Everything))
                .Where(m => (m.Attributes & MethodAttributes.PinvokeImpl) != 0).ToArray();
            Assert.Greater(imports.Length, 30);
            foreach (var method in imports)
            {
                Assert.AreEqual("Evenmatch.Raw", method.DeclaringType.Namespace, method.Name);
                Assert.IsTrue(IsPlain(method.ReturnType), method.Name);
                foreach (var parameter in method.GetParameters())
                {
                    Assert.IsTrue(IsPlain(parameter.ParameterType), method.Name + ": " + parameter.Name);
                }
            }
            Assert.IsFalse(Types.Any(t => typeof(Delegate).IsAssignableFrom(t)));
        }

        // With a domain reload statics begin anew, without one they stay: neither matters if none can be written.
        [Test]
        public void NoStaticOfThePackageCanBeWritten()
        {
            foreach (var field in Types.SelectMany(t => t.GetFields(Everything)).Where(f => f.IsStatic))
            {
                Assert.IsTrue(field.IsLiteral || field.IsInitOnly, field.DeclaringType + "." + field.Name);
            }
        }

        // Runs in another domain: an engine with a ticket that waits and an event that nobody polled, left as it is.
        private static void LeaveAnEngine()
        {
            var engine = new Engine();
            var queue = engine.AddQueue(Duel);
            engine.Submit(1, new TicketBatch().Add(queue).Player(new PlayerId(1)));
            engine.Cancel(2, engine.Submit(1, new TicketBatch().Add(queue).Player(new PlayerId(2))));
            engine.Tick(3);
            AppDomain.CurrentDomain.SetData("engine", engine);
        }

        // Unity unloads the scripts' domain and makes a new one; a process has 64 engines, so a leak would show.
        [Test]
        public void DomainsThatAreUnloadedTakeTheirEnginesWithThem()
        {
            for (var round = 0; round < 70; round++)
            {
                var setup = new AppDomainSetup { ApplicationBase = AppDomain.CurrentDomain.BaseDirectory };
                var domain = AppDomain.CreateDomain("scripts " + round, null, setup);
                domain.DoCallBack(LeaveAnEngine);
                AppDomain.Unload(domain);
            }
            using (var engine = new Engine())
            {
                Assert.AreEqual(0, engine.ReadStats().Submitted);
            }
        }

        // Runs in another domain: as above, with a thread that is in one call after the other when the domain goes.
        private static void LeaveAnEngineAndAThread()
        {
            LeaveAnEngine();
            var engine = (Engine)AppDomain.CurrentDomain.GetData("engine");
            var started = new ManualResetEvent(false);
            var thread = new Thread(() =>
            {
                for (ulong now = 10; ; now++)
                {
                    engine.TryTick(now, 0, out _);
                    started.Set();
                }
            });
            thread.IsBackground = true;
            thread.Start();
            started.WaitOne();
        }

        [Test]
        public void ADomainIsUnloadedUnderAThreadThatCalls()
        {
            for (var round = 0; round < 5; round++)
            {
                var setup = new AppDomainSetup { ApplicationBase = AppDomain.CurrentDomain.BaseDirectory };
                var domain = AppDomain.CreateDomain("scripts with a thread " + round, null, setup);
                domain.DoCallBack(LeaveAnEngineAndAThread);
                AppDomain.Unload(domain);
            }
        }

        // No thread of the library's, before or after Dispose: nothing could call managed code later.
        [Test]
        public void TheLibraryStartsNoThread()
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            int before, during;
            var engine = new Engine();
            before = ThreadNames();
            var queue = engine.AddQueue(Duel);
            for (ulong i = 0; i < 100; i++)
            {
                engine.Submit(i, new TicketBatch().Add(queue).Player(new PlayerId(i)));
                engine.Tick(i);
            }
            during = ThreadNames();
            engine.Dispose();
            Assert.AreEqual(before, during);
            Assert.AreEqual(before, ThreadNames());
        }

        // Threads of this process that are not Mono's own pool, which comes and goes.
        private static int ThreadNames()
        {
            return Directory.GetDirectories("/proc/self/task")
                .Select(task => { try { return File.ReadAllText(task + "/comm").Trim(); } catch (IOException) { return ""; } })
                .Count(name => name != "" && !name.StartsWith("Thread Pool") && !name.StartsWith("Timer"));
        }

        // Tools that reload a plugin copy it under another name each time.
        [Test]
        public void TwentyCopiesLoadBesideEachOther()
        {
            var folder = Path.Combine(Path.GetTempPath(), "evenmatch-copies-" + Guid.NewGuid().ToString("N"));
            Directory.CreateDirectory(folder);
            try
            {
                var library = Environment.GetEnvironmentVariable("EVENMATCH_LIBRARY");
                for (var i = 0; i < 20; i++)
                {
                    var copy = Path.Combine(folder, "libcopy" + i + ".so");
                    File.Copy(library, copy);
                    var handle = dlopen(copy, 2);
                    Assert.AreNotEqual(IntPtr.Zero, handle, copy);
                    Assert.AreNotEqual(IntPtr.Zero, dlsym(handle, "evenmatch_engine_new"));
                }
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        [Test]
        public void AFaultOfTheLibraryIsAStatusAndTheOthersGoOn()
        {
            using (Engine engine = new Engine(), other = new Engine())
            {
                Assert.AreEqual(Status.Panic, (Status)evenmatch_debug_panic(engine.Handle));
                StringAssert.Contains("asked to panic", Library.LastError);
                Assert.AreEqual(Status.Poisoned, engine.TryTick(1, 0, out _));
                Assert.AreEqual(Status.Poisoned, Assert.Throws<EvenmatchException>(() => engine.Poll(new EventBuffer())).Status);
                StringAssert.Contains("asked to panic", Library.LastError);
                other.Tick(1);
                engine.Dispose();
                Assert.AreEqual(Status.NotFound, engine.TryTick(1, 0, out _));
            }
        }

        // Every status that the package has, but for those that no call from C# can bring about, stands in a test.
        [Test]
        public void EveryStatusHasItsWord()
        {
            foreach (Status status in Enum.GetValues(typeof(Status)))
            {
                var word = Library.Text(status).ToLowerInvariant().Replace("_", "");
                Assert.AreEqual(status.ToString().ToLowerInvariant(), word);
            }
            foreach (EndReason reason in Enum.GetValues(typeof(EndReason)))
            {
                var word = reason == EndReason.None ? "none" : Library.Text(reason).ToLowerInvariant().Replace("_", "");
                Assert.AreEqual(reason.ToString().ToLowerInvariant(), word);
            }
        }
    }
}
