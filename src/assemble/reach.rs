//! How many players a growing set could still come to, region by region.
//!
//! Part of `gather`. A match is played in one region, so what counts is who is left in each region by itself: a region
//! in which too few are left, or too few of those who bring what is lacking, is given up, and with it everybody who is
//! left in no other: the players of all regions together would let a search go on that no region could fill. Invariant:
//! a set that is better than the best one loses neither a member nor a region.

use super::bits::{Bits, and, count, or, set};
use super::quality::regions_of;
use super::sums::Sums;
use crate::rules::shape::Shape;

/// Who is in which region, and of which size.
#[derive(Default)]
pub(super) struct Regional {
    /// The mask of each of the anchor's regions, and who is there; in a queue without regions there is one of all bits.
    regions: Vec<(u64, Bits)>,
    /// Who has so many players.
    sizes: Vec<(u32, Bits)>,
}

impl Regional {
    /// Begins anew. `alone`: the anchor's regions; `candidates`: the players and regions of each.
    pub(super) fn begin(&mut self, alone: u64, candidates: impl Iterator<Item = (u32, u64)>) {
        self.regions.clear();
        self.sizes.clear();
        match alone {
            u64::MAX => self.regions.push((u64::MAX, Bits::default())),
            _ => self.regions.extend(regions_of(alone).map(|region| (1 << region, Bits::default()))),
        }
        for (at, (size, regions)) in candidates.enumerate() {
            for (mask, bits) in &mut self.regions {
                if regions & *mask != 0 {
                    set(bits, at);
                }
            }
            match self.sizes.iter_mut().find(|(other, _)| *other == size) {
                Some((_, bits)) => set(bits, at),
                None => {
                    let mut bits = Bits::default();
                    set(&mut bits, at);
                    self.sizes.push((size, bits));
                }
            }
        }
    }

    /// The players of a set of candidates.
    pub(super) fn players(&self, bits: &Bits) -> u32 {
        self.sizes.iter().map(|(size, of)| size * count(&and(bits, of))).sum()
    }

    /// Narrows the regions and the candidates that are left for a set of `players` players to those in which it could
    /// still come to `target` (0: to any legal total); returns the most players that it could gain in one of them.
    pub(super) fn narrow(
        &self,
        shape: &Shape,
        sums: &Sums,
        depth: usize,
        (players, target): (u32, u32),
        regions: &mut u64,
        left: &mut Bits,
    ) -> u32 {
        let (mut alive, mut alive_regions, mut most) = (Bits::default(), 0, 0);
        for (mask, there) in &self.regions {
            if *regions & mask == 0 {
                continue;
            }
            let there = and(left, there);
            let Some(gain) = sums.most_players(depth, &there, |bits| self.players(bits)) else { continue };
            if shape.greatest_total_up_to(players + gain).is_none_or(|total| total < target) {
                continue;
            }
            alive = or(&alive, &there);
            alive_regions |= mask;
            most = most.max(gain);
        }
        *regions &= alive_regions;
        *left = and(left, &alive);
        most
    }
}
