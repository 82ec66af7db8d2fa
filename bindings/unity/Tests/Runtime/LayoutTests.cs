// The structs of the raw layer are those of the library: sizes, offsets, and no field more or less.

using Evenmatch.Raw;
using NUnit.Framework;

namespace Evenmatch.Tests
{
    [TestFixture]
    public unsafe class LayoutTests
    {
        [Test]
        public void EveryStructHasTheLibrarysSizesAndOffsets()
        {
            var ours = LayoutTable.Text().Split('\n');
            var theirs = Library.Layout.Split('\n');
            System.Array.Sort(ours, string.CompareOrdinal);
            System.Array.Sort(theirs, string.CompareOrdinal);
            Assert.AreEqual(string.Join("\n", theirs), string.Join("\n", ours));
            Assert.Greater(ours.Length, 200);
        }

        [Test]
        public void TheHandlesThatCrossInArraysAreAsWideAsTheLibrarys()
        {
            Assert.AreEqual(sizeof(evenmatch_player_id), sizeof(PlayerId));
            Assert.AreEqual(sizeof(uint), sizeof(Symbol));
            Assert.AreEqual(sizeof(ulong), sizeof(TicketId));
            var id = new PlayerId(1, 2);
            Assert.AreEqual(1, ((evenmatch_player_id*)&id)->hi);
            Assert.AreEqual(2, ((evenmatch_player_id*)&id)->lo);
        }

        [Test]
        public void PlayerIdsFromTextAndGuid()
        {
            var id = PlayerId.Parse("00112233-4455-6677-8899-aAbBcCdDeEfF");
            Assert.AreEqual(0x0011223344556677UL, id.Hi);
            Assert.AreEqual(0x8899aabbccddeeffUL, id.Lo);
            Assert.AreEqual("00112233445566778899aabbccddeeff", id.ToString());
            Assert.AreEqual(id, PlayerId.FromGuid(new System.Guid("00112233-4455-6677-8899-aabbccddeeff")));
            Assert.AreEqual(new PlayerId(0xab01), PlayerId.Parse("ab01"));
            Assert.IsFalse(PlayerId.TryParse("", out _) || PlayerId.TryParse("-", out _));
            Assert.IsFalse(PlayerId.TryParse(null, out _));
            Assert.IsFalse(PlayerId.TryParse("xy", out _) || PlayerId.TryParse(new string('1', 33), out _));
        }
    }
}
