//! How long tickets wait to be matched, when many of them leave before they are.
//!
//! The product-limit estimator (E. L. Kaplan and P. Meier, "Nonparametric estimation from incomplete observations",
//! JASA 53, 1958): a ticket that was cancelled, timed out or still waits says that its wait would have been longer,
//! and nothing else. A ticket counts from the age at which it was first watched (delayed entry: J. P. Klein and
//! M. L. Moeschberger, "Survival Analysis", 2nd ed., section 4.6), so what is told is what the window has seen of
//! every age, and a queue in which waits have become long says so at once. Called by `stats`; knows no queue.

use crate::model::ids::Millis;

/// What was seen of one ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spell {
    /// The age at which it was first watched.
    pub(super) from: Millis,
    /// The age at which it was last.
    pub(super) to: Millis,
    /// It was matched then; else it left otherwise, or still waits.
    pub(super) matched: bool,
    /// So many tickets it stands for.
    pub(super) weight: u64,
}

/// The least age at which at most `1 - percent / 100` of all tickets are still to be matched, for each percent;
/// `None`: more of them wait at every age that was seen. Cost: that of sorting the spells.
pub(super) fn ages_matched<const N: usize>(spells: &mut [Spell], percents: [u32; N]) -> [Option<Millis>; N] {
    let mut answers = [None; N];
    let mut starts: Vec<(Millis, u64)> = spells.iter().map(|spell| (spell.from, spell.weight)).collect();
    starts.sort_unstable();
    spells.sort_unstable_by_key(|spell| spell.to);
    let (mut started, mut at_risk) = (0, 0_u64);
    let mut share_waiting = 1.0_f64;
    let mut at = 0;
    while at < spells.len() {
        let age = spells[at].to;
        while started < starts.len() && starts[started].0 <= age {
            at_risk += starts[started].1;
            started += 1;
        }
        let (mut matched, mut left) = (0, 0);
        while at < spells.len() && spells[at].to == age {
            let spell = spells[at];
            matched += if spell.matched { spell.weight } else { 0 };
            left += spell.weight;
            at += 1;
        }
        if matched > 0 {
            share_waiting *= (at_risk - matched) as f64 / at_risk as f64;
            for (answer, percent) in answers.iter_mut().zip(percents) {
                // A share that is exact on paper may be off in the last bit.
                let is_reached = share_waiting <= 1.0 - f64::from(percent) / 100.0 + 1e-9;
                if answer.is_none() && is_reached {
                    *answer = Some(age);
                }
            }
        }
        at_risk -= left;
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spell(from: u64, to: u64, matched: bool) -> Spell {
        Spell { from: Millis(from), to: Millis(to), matched, weight: 1 }
    }

    /// The example of Kaplan and Meier's paper: matched at 0.8, 3.1, 5.4 and 9.2, lost at 1.0, 2.7, 7.0 and 12.1.
    #[test]
    fn the_published_example() {
        let matched = [800, 3100, 5400, 9200].map(|age| spell(0, age, true));
        let lost = [1000, 2700, 7000, 12_100].map(|age| spell(0, age, false));
        let mut spells: Vec<Spell> = matched.into_iter().chain(lost).collect();
        // The published shares: 7/8, then 7/10, 21/40 and 21/80.
        let ages = ages_matched(&mut spells, [12, 13, 30, 31, 47, 48, 73, 74]);
        let expected = [800, 3100, 3100, 5400, 5400, 9200, 9200];
        assert_eq!(ages[..7], expected.map(|age| Some(Millis(age))));
        assert_eq!(ages[7], None);
    }

    #[test]
    fn without_losses_it_is_the_plain_percentile() {
        let mut spells: Vec<Spell> = (1..=100).map(|age| spell(0, age, true)).collect();
        let ages = ages_matched(&mut spells, [1, 50, 90, 99, 100]);
        assert_eq!(ages, [1, 50, 90, 99, 100].map(|age| Some(Millis(age))));
        assert_eq!(ages_matched(&mut [], [50]), [None]);
    }

    #[test]
    fn tickets_that_were_watched_late_count_from_then_on() {
        // Five are matched at once; five that had waited 100 before are matched at 200.
        let early = (0..5).map(|_| spell(0, 0, true));
        let late = (0..5).map(|_| spell(100, 200, true));
        let stuck = (0..5).map(|_| spell(0, 100, false));
        let mut spells: Vec<Spell> = early.chain(late).chain(stuck).collect();
        assert_eq!(ages_matched(&mut spells, [50, 90]), [Some(Millis(0)), Some(Millis(200))]);
    }

    #[test]
    fn a_ticket_that_stands_for_many_weighs_as_many() {
        let heavy = Spell { weight: 3, ..spell(0, 10, true) };
        let mut spells = vec![heavy, spell(0, 20, true)];
        assert_eq!(ages_matched(&mut spells, [75, 76]), [Some(Millis(10)), Some(Millis(20))]);
    }
}
