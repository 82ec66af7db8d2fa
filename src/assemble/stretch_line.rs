//! The candidates of one region, by ping and by value: what `stretch` reads of them.
//!
//! A ticket is a bit, in the order of ping; a stretch of values is a mask of bits, made of two that are kept, one for what
//! lies below the anchor and one for what lies above. So the tickets of a stretch come out in the order of ping, and how
//! many cheaper ones of its kind a ticket has before it is a count of bits. Invariant: the masks of one side grow, each by
//! the ticket at its end.

use super::amounts::{Amounts, CLASSES_MAX};
use super::stretch::Member;

/// Up to so many candidates each is an end that is looked at: chosen.
const EACH_MAX: usize = 96;

/// How far a stretch goes on one side.
#[derive(Clone, Copy)]
pub(super) struct End<const W: usize> {
    /// The value of the last ticket; the anchor's if there is none.
    pub(super) value: i64,
    /// The players on this side.
    pub(super) players: u32,
    /// The tickets on this side.
    pub(super) mask: [u64; W],
    /// The last ticket's bit and class.
    last: Option<(u16, u16)>,
    /// Its distance from the anchor, for the tickets of both sides in one order.
    distance: i64,
}

/// The candidates of one region.
#[derive(Default)]
pub(super) struct Line<const W: usize> {
    /// The members by ping.
    pub(super) order: Vec<u16>,
    /// Ping times players, by member.
    pub(super) pings: Vec<i64>,
    /// Ends below the anchor, the nearest first; the first has nobody.
    pub(super) below: Vec<End<W>>,
    pub(super) above: Vec<End<W>>,
    /// Bits by class.
    classes: Vec<[u64; W]>,
    /// Who brings some of each total.
    bringers: Vec<[u64; W]>,
    by_ping: Vec<(i64, u16)>,
    bit_of: Vec<u16>,
}

fn set<const W: usize>(mask: &mut [u64; W], bit: u16) {
    mask[usize::from(bit) / 64] |= 1 << (bit % 64);
}

impl<const W: usize> Line<W> {
    /// Takes the nearest members of a region, as many as there are bits; all without one. The first is the anchor.
    pub(super) fn fill(
        &mut self,
        members: &[Member],
        amounts: &Amounts,
        region: Option<u32>,
        ping_of: impl Fn(&Member) -> i64,
    ) {
        self.by_ping.clear();
        self.pings.clear();
        self.pings.resize(members.len(), 0);
        self.bit_of.clear();
        self.bit_of.resize(members.len(), u16::MAX);
        self.pings[0] = ping_of(&members[0]) * i64::from(members[0].size);
        for (at, member) in members.iter().enumerate().skip(1) {
            if region.is_some_and(|region| member.regions >> region & 1 == 0) {
                continue;
            }
            let ping = ping_of(member);
            self.pings[at] = ping * i64::from(member.size);
            self.by_ping.push((ping, at as u16));
            if self.by_ping.len() == 64 * W {
                break;
            }
        }
        self.by_ping.sort_unstable();
        self.order.clear();
        self.order.extend(self.by_ping.iter().map(|&(_, at)| at));
        for (bit, &at) in self.order.iter().enumerate() {
            self.bit_of[usize::from(at)] = bit as u16;
        }
        self.classes.clear();
        self.classes.resize(amounts.classes(), [0; W]);
        self.bringers.clear();
        self.bringers.resize(amounts.totals(), [0; W]);
        let own = members[0].value;
        let nobody = End { value: own, players: 0, mask: [0; W], last: None, distance: 0 };
        self.below.clear();
        self.below.push(nobody);
        self.above.clear();
        self.above.push(nobody);
        for (at, member) in members.iter().enumerate().skip(1) {
            let bit = self.bit_of[at];
            if bit == u16::MAX {
                continue;
            }
            if let Some(class) = self.classes.get_mut(usize::from(member.class)) {
                set(class, bit);
            }
            for (total, bringers) in self.bringers.iter_mut().enumerate() {
                if amounts.of(at, total) > 0 {
                    set(bringers, bit);
                }
            }
            let side = if member.value < own { &mut self.below } else { &mut self.above };
            let before = side[side.len() - 1];
            let mut mask = before.mask;
            set(&mut mask, bit);
            side.push(End {
                // Whoever comes nearest first comes in the order of values; those without one stand at the anchor's.
                value: if member.value < own { member.value } else { member.value.max(before.value) },
                players: before.players + member.size,
                mask,
                last: Some((bit, member.class)),
                distance: member.value.abs_diff(own).min(i64::MAX as u64) as i64,
            });
        }
    }

    /// Who brings some of a total.
    pub(super) fn bringers(&self, total: usize) -> &[u64; W] {
        &self.bringers[total]
    }

    /// What the pings of so many players with the anchor come to at least.
    pub(super) fn pings_least(&self, members: &[Member], players: u32) -> i128 {
        let mut missing = players.saturating_sub(members[0].size);
        let mut sum = i128::from(self.pings[0]);
        for &(ping, at) in &self.by_ping {
            let of = members[usize::from(at)].size.min(missing);
            sum += i128::from(ping) * i128::from(of);
            missing -= of;
            if missing == 0 {
                break;
            }
        }
        sum
    }

    /// A few stretches to begin with, about the anchor: as many tickets as a match takes, and some times as many.
    pub(super) fn starts(&self, target: u32) -> impl Iterator<Item = (usize, usize)> + use<W> {
        let mut starts = [(0, 0); 3];
        for (start, times) in starts.iter_mut().zip([2, 3, 5]) {
            let (mut below, mut above) = (0, 0);
            while self.below[below].players + self.above[above].players < target * times / 2 {
                let next = [self.below.get(below + 1), self.above.get(above + 1)];
                match next.map(|end| end.map(|end| end.distance)) {
                    [Some(left), Some(right)] if left < right => below += 1,
                    [_, Some(_)] => above += 1,
                    [Some(_), None] => below += 1,
                    [None, None] => break,
                }
            }
            *start = (below, above);
        }
        starts.into_iter()
    }

    /// Ends that are looked at: each where there are few, else every so many.
    pub(super) fn step(&self) -> usize {
        match self.order.len() {
            0..=EACH_MAX => 1,
            count => count / 32,
        }
    }

    /// Whether the tickets at both ends of a stretch could be taken: so few of their kind come before them.
    pub(super) fn takes_ends(&self, below: usize, above: usize, target: u32, amounts: &Amounts) -> bool {
        let (low, high) = (&self.below[below], &self.above[above]);
        let takes = |last: Option<(u16, u16)>| {
            let Some((bit, class)) = last else { return true };
            let Some(of) = self.classes.get(usize::from(class)).filter(|_| class < CLASSES_MAX) else {
                return true;
            };
            let (word, most) = (usize::from(bit) / 64, amounts.most_of(class, target));
            let of_kind = |at: usize| (low.mask[at] | high.mask[at]) & of[at];
            let before: u32 = (0..word).map(|at| of_kind(at).count_ones()).sum();
            before + (of_kind(word) & ((1 << (bit % 64)) - 1)).count_ones() < most
        };
        takes(low.last) && takes(high.last)
    }
}
