// What the assembly lets others see: the tests read the raw layer.

using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Evenmatch.Tests")]
[assembly: InternalsVisibleTo("Evenmatch.Outside")]
