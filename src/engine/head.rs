//! What a match is, beside its tickets: kept with its oldest ticket until that is forgotten.
//!
//! Written by the tick that makes the match, read by polls. Invariant: what was put is what is read; a match has a
//! run of words of its own.

use crate::base::cells::{CellLot, Cells, Run};
use crate::base::fixed::Fixed;
use crate::model::event::{Micros, Quality};
use crate::model::ids::{Millis, TicketId};
use crate::model::limits::REGIONS_MAX;

/// Words before the regions.
const FIXED_WORDS: usize = 9;
/// Words of a match with every region.
const WORDS_MAX: usize = FIXED_WORDS + REGIONS_MAX / 8;
/// Cells of a match with every region.
pub(super) const HEAD_CELLS: u32 = WORDS_MAX.div_ceil(crate::base::cells::CELL_WORDS) as u32;
/// Stands for no number, which no [`Fixed`] is.
const NO_NUMBER: i64 = i64::MIN;

/// What a match is, beside its tickets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct MatchHead {
    /// How good it is.
    pub quality: Quality,
    /// Its ticket with the least submit number, which leads to the others.
    pub first: TicketId,
    /// Its legal regions by number, best first.
    pub regions: [u8; REGIONS_MAX],
    /// How many these are.
    pub region_count: u8,
}

impl MatchHead {
    /// Its legal regions by number, best first.
    pub(super) fn regions(&self) -> &[u8] {
        &self.regions[..usize::from(self.region_count)]
    }

    /// Keeps the head of a match whose ticket with the least submit number is `first`, and its legal regions by number,
    /// best first. There is room for every match.
    pub(super) fn put(
        cells: &mut CellLot<'_>,
        quality: &Quality,
        first: TicketId,
        regions: &[u8],
    ) -> Option<Run> {
        let Quality { cost, skill_spread, team_difference, ping_worst_ms, ping_mean_ms, .. } = *quality;
        let number = |number: Option<Fixed>| number.map_or(NO_NUMBER, Fixed::micros) as u64;
        let mut words = [0; WORDS_MAX];
        words[..FIXED_WORDS].copy_from_slice(&[
            cost.0 as u64,
            (cost.0 >> 64) as u64,
            number(skill_spread),
            number(team_difference),
            number(ping_worst_ms),
            number(ping_mean_ms),
            quality.oldest_wait.0,
            first.0,
            (regions.len() as u64) << 1 | u64::from(quality.exhaustive),
        ]);
        for (word, regions) in words[FIXED_WORDS..].iter_mut().zip(regions.chunks(8)) {
            let mut bytes = [0; 8];
            bytes[..regions.len()].copy_from_slice(regions);
            *word = u64::from_le_bytes(bytes);
        }
        cells.put(&words[..FIXED_WORDS + regions.len().div_ceil(8)])
    }

    /// Reads it; `None` if there is none.
    pub(super) fn read(cells: &Cells, run: Run) -> Option<MatchHead> {
        if run == Run::NONE {
            return None;
        }
        let mut words = [0; WORDS_MAX];
        cells.read(run, &mut words);
        let number = |at: usize| {
            let micros = words[at] as i64;
            (micros != NO_NUMBER).then(|| Fixed::from_micros(micros))
        };
        let mut head = MatchHead {
            quality: Quality {
                cost: Micros((i128::from(words[1] as i64) << 64) | i128::from(words[0])),
                skill_spread: number(2),
                team_difference: number(3),
                ping_worst_ms: number(4),
                ping_mean_ms: number(5),
                oldest_wait: Millis(words[6]),
                exhaustive: words[8] & 1 == 1,
            },
            first: TicketId(words[7]),
            regions: [0; REGIONS_MAX],
            region_count: (words[8] >> 1) as u8,
        };
        for (regions, word) in head.regions.chunks_mut(8).zip(&words[FIXED_WORDS..]) {
            regions.copy_from_slice(&word.to_le_bytes());
        }
        // What is behind the last region of its word is of another match.
        head.regions[usize::from(head.region_count)..].fill(0);
        Some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_what_is_read() {
        let cells = Cells::new(HEAD_CELLS);
        assert_eq!(MatchHead::read(&cells, Run::NONE), None);
        for region_count in [0, 1, 7, 8, 9, 64] {
            for (cost, number) in [(0, None), (-5, Some(-7)), (1 << 90, Some(8)), (i128::MIN, Some(0))] {
                let number = number.map(Fixed::from_micros);
                let quality = Quality {
                    cost: Micros(cost),
                    skill_spread: number,
                    team_difference: None,
                    ping_worst_ms: number,
                    ping_mean_ms: None,
                    oldest_wait: Millis(77),
                    exhaustive: cost == 0,
                };
                let mut regions = [0; REGIONS_MAX];
                (0..region_count).for_each(|at| regions[at] = 63 - at as u8);
                let head =
                    MatchHead { quality, first: TicketId(9), regions, region_count: region_count as u8 };
                let run = MatchHead::put(&mut cells.lot(0), &quality, TicketId(9), head.regions()).unwrap();
                assert_eq!(MatchHead::read(&cells, run), Some(head));
                cells.give(run);
            }
        }
    }
}
