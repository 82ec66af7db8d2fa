//! The best stretch of values around an anchor: the quick search for team games and free-for-alls in crowded pools.
//!
//! Called by `anchor` once more candidates are there than a pool that is searched whole has. What a match costs is how far
//! apart its values lie and what its pings come to; so for each of the anchor's regions, and each stretch of values that has
//! the anchor within, the tickets of least ping who fit are taken: by parties' seats, totals, windows and own limits.
//! Stretches are looked at in the order of their ends, as bit masks over the tickets in the order of ping, and left out
//! where spread alone costs too much or where an end would not be taken. The cheapest sets are judged as every match is.
//! Invariant: what is proposed is legal, its oldest ticket is the anchor, and nothing is proposed that costs more than its
//! stretch by what only the judge sees (preferences, splits): then `gather` searches on from there.
//!
//! Where every match needs those who bring some of a total, the search goes by the nearest of them too, need by need: the
//! nearest hundred of a crowd of healers have no tank among them. Too few of them in each of the anchor's regions is a
//! proof that there is no match.
//!
//! Measured (`evenmatch bench`, 500 a tick, royale 2,000, `oldest_first`, one thread, one binary after the other): squads 22.1
//! us a ticket with branch and bound alone and 5.9 so, roles 52.2 and 9.8 (mean gap 96.5 and 98.0), royale 34.9 and 14.7; squads
//! with 10,000 a tick 5,100 tickets/s and 61,900, the second on a busy machine. Mean gaps of squads 58.3 and 58.4. Going by
//! those who are needed took the mean gap of roles to 94.5.

use super::amounts::{Amounts, Tally};
use super::proposal::Proposal;
use super::quality::{judge_set, regions_of};
use super::scene::Scene;
use super::seats::Seats;
use super::stretch_line::{End, Line};
use super::teams::{Goal, Splitter};
use crate::rules::compile::{Kind, NO_VALUE};
use crate::rules::spec::WindowAge;

/// Sets that are kept for the judge, the cheapest first: chosen.
const KEPT: usize = 4;
/// Sets that one search puts together, at most: chosen, a few tenths of a millisecond.
const SETS_MAX: u32 = 600;

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// The proposal stands.
    Found,
    /// No match of the candidates is legal.
    Impossible,
    /// A slower search has to tell; the proposal, if there is one, is legal.
    Open,
}

/// A candidate, or the anchor.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) row: u32,
    pub(super) size: u32,
    /// That of the leading difference; the anchor's for one without a value.
    pub(super) value: i64,
    /// How far from it others may be.
    window: i64,
    /// Where it could be matched as far as it alone can tell.
    pub(super) regions: u64,
    /// Members of one class have as many players and bring as much of every total.
    pub(super) class: u16,
}

/// A set that was put together.
#[derive(Default)]
struct Kept {
    rows: Vec<u32>,
    players: u32,
    score: i128,
}

/// What a queue's matches cost as far as stretches tell.
#[derive(Clone, Copy, Default)]
struct Terms {
    /// The leading difference: its rule and the slot of its values.
    lead: Option<(usize, usize)>,
    weight: i128,
    ping_weight: i128,
    /// Whether pairs are kept apart by more than the leading difference and regions.
    has_more: bool,
}

/// The search; keeps its memory between calls.
#[derive(Default)]
pub(super) struct Stretch {
    terms: Terms,
    /// The anchor, then the candidates, nearest first.
    members: Vec<Member>,
    amounts: Amounts,
    tally: Tally,
    seats: Seats,
    small: Line<1>,
    middle: Line<4>,
    large: Line<8>,
    /// The set that is being put together.
    chosen: Vec<u16>,
    kept: [Kept; KEPT],
    sets_left: u32,
    rows: Vec<u32>,
    numbers: Vec<u64>,
    regions: Vec<(i64, u32)>,
}

/// How many candidates a search for matches of so many players wants, at most.
pub(super) fn wanted(full: u32) -> usize {
    match full {
        ..=16 => 112,
        17..=48 => 256,
        _ => 512,
    }
}

impl Stretch {
    /// Whether the search serves a queue: what it costs is at most one difference and pings.
    pub(super) fn serves(scene: &Scene<'_>) -> bool {
        let weighs = |kind: &Kind, weight: i64| matches!(kind, Kind::Difference(..)) && weight > 0;
        scene.queue.rules.iter().filter(|rule| weighs(&rule.kind, rule.weight)).count() <= 1
    }

    /// Proposes a match of the anchor and some of the candidates. `is_all`: there are no more; else there may be, but for
    /// those who bring some of the numbers of `known` slots.
    pub(super) fn search(
        &mut self,
        scene: &Scene<'_>,
        anchor: u32,
        candidates: &[u32],
        (is_all, known): (bool, &[usize]),
        splitter: &mut Splitter,
        (best, steps): (&mut Proposal, &mut u64),
    ) -> Outcome {
        let shape = &scene.queue.shape;
        let regions = scene.regions_alone(anchor, anchor);
        let most = self.load(scene, anchor, regions, candidates);
        // An anchor may reach all 64 regions: the mask alone does not tell whether a rule asks for one.
        let has_regions = scene.queue.region_rule.is_some();
        let asked = has_regions.then_some(regions);
        if self.amounts.lacks_everywhere(asked, known, |at| self.members[at].regions) {
            return Outcome::Impossible;
        }
        let reachable = shape.greatest_total_up_to(most);
        let is_short = reachable.is_none_or(|total| scene.needs_full_match(anchor) && total < shape.full);
        let target = reachable.filter(|&total| is_all || total == shape.full);
        let Some(target) = target.filter(|_| !is_short) else {
            return if is_all { Outcome::Impossible } else { Outcome::Open };
        };
        self.sets_left = SETS_MAX;
        self.kept.iter_mut().for_each(|kept| kept.players = 0);
        self.order_regions(scene, anchor, regions);
        let all = std::mem::take(&mut self.regions);
        for &(_, region) in &all {
            let region = has_regions.then_some(region);
            if self.members.len() <= 1 + 64 || shape.full <= 16 && self.amounts.totals() == 0 {
                let mut line = std::mem::take(&mut self.small);
                self.search_line(scene, &mut line, region, target);
                self.small = line;
            } else if self.members.len() <= 1 + 256 {
                let mut line = std::mem::take(&mut self.middle);
                self.search_line(scene, &mut line, region, target);
                self.middle = line;
            } else {
                let mut line = std::mem::take(&mut self.large);
                self.search_line(scene, &mut line, region, target);
                self.large = line;
            }
        }
        self.regions = all;
        *steps += u64::from(SETS_MAX - self.sets_left);
        self.judge(scene, target, splitter, best)
    }

    /// Reads the anchor and its candidates; returns the players of the region that has most.
    fn load(&mut self, scene: &Scene<'_>, anchor: u32, regions: u64, candidates: &[u32]) -> u32 {
        self.terms = terms(scene);
        self.put_in_order(scene, anchor, candidates);
        self.members.clear();
        let rows = std::mem::take(&mut self.rows);
        self.amounts.begin(scene, anchor, &rows);
        let mut own_value = 0;
        let mut players = [0_u32; 64];
        for (at, &row) in [anchor].iter().chain(&rows).enumerate() {
            let (mut value, mut window) = (own_value, i64::MAX);
            if let Some((rule, slot)) = self.terms.lead {
                let number = scene.tickets.number(slot, row);
                if number != NO_VALUE {
                    value = number;
                    let compiled = &scene.queue.rules[rule];
                    let state = scene.deciding(compiled.age, row, anchor, row);
                    if compiled.age != WindowAge::Newest && state.binds(rule) {
                        window = state.numbers[compiled.state];
                    }
                }
            }
            if at == 0 {
                own_value = value;
            }
            self.terms.has_more |= scene.tickets.has_limits(row);
            let size = scene.tickets.size(row);
            let common = scene.regions_alone(row, anchor) & regions;
            match scene.queue.region_rule {
                None => players[0] += size,
                Some(_) => regions_of(common).for_each(|region| players[region as usize] += size),
            }
            let class = self.amounts.class(at, size);
            self.members.push(Member { row, size, value, window, regions: common, class });
        }
        self.rows = rows;
        players.into_iter().max().unwrap_or(0)
    }

    /// The candidates by their distance under the leading difference: an index that goes by pings too gives another order.
    fn put_in_order(&mut self, scene: &Scene<'_>, anchor: u32, candidates: &[u32]) {
        self.rows.clear();
        self.rows.extend_from_slice(candidates);
        let Some((_, slot)) = self.terms.lead else { return };
        let own = scene.tickets.number(slot, anchor);
        let distance = |&row: &u32| match scene.tickets.number(slot, row) {
            NO_VALUE => 0,
            value if own == NO_VALUE => value.abs_diff(0),
            value => value.abs_diff(own),
        };
        if !self.rows.is_sorted_by_key(distance) {
            self.rows.sort_by_key(distance);
        }
    }

    /// The anchor's regions, the one with its least ping first.
    fn order_regions(&mut self, scene: &Scene<'_>, anchor: u32, regions: u64) {
        self.regions.clear();
        match scene.queue.region_rule {
            None => self.regions.push((0, 0)),
            Some(_) => self.regions.extend(regions_of(regions).map(|r| (scene.tickets.ping(anchor, r), r))),
        }
        self.regions.sort_unstable();
    }

    /// Looks at the stretches of one region.
    fn search_line<const W: usize>(
        &mut self,
        scene: &Scene<'_>,
        line: &mut Line<W>,
        region: Option<u32>,
        target: u32,
    ) {
        let pings = self.terms.ping_weight > 0;
        let ping_of = |member: &Member| match region {
            Some(region) if pings => scene.tickets.ping(member.row, region),
            _ => 0,
        };
        line.fill(&self.members, &self.amounts, region, ping_of);
        let pings_least = line.pings_least(&self.members, target);
        let mut spread_most = self.spread_most(pings_least, target);
        for (below, above) in line.starts(target) {
            if self.try_stretch(scene, line, below, above, target) {
                spread_most = self.spread_most(pings_least, target);
            }
        }
        let step = line.step();
        for below in (0..line.below.len()).step_by(step) {
            let low = line.below[below].value;
            // A longer stretch with the same end costs as much.
            if line.below.get(below + 1).is_some_and(|next| next.value == low) && step == 1 {
                continue;
            }
            for above in (0..line.above.len()).step_by(step) {
                let high = line.above[above].value;
                if high.saturating_sub(low) > spread_most || self.sets_left == 0 {
                    break;
                }
                let is_same = line.above.get(above + 1).is_some_and(|next| next.value == high);
                if step == 1 && (is_same || !line.takes_ends(below, above, target, &self.amounts)) {
                    continue;
                }
                if self.try_stretch(scene, line, below, above, target) {
                    spread_most = self.spread_most(pings_least, target);
                }
            }
        }
    }

    /// How far apart the ends of a stretch may be that could be better than the best set so far.
    fn spread_most(&self, pings_least: i128, target: u32) -> i64 {
        let best = &self.kept[0];
        if best.players < target || self.terms.weight == 0 {
            return i64::MAX;
        }
        let left = best.score - self.terms.ping_weight * pings_least;
        i64::try_from(left / (self.terms.weight * i128::from(target))).unwrap_or(i64::MAX)
    }

    /// Puts a set together from one stretch; whether it is the best so far.
    fn try_stretch<const W: usize>(
        &mut self,
        scene: &Scene<'_>,
        line: &Line<W>,
        below: usize,
        above: usize,
        target: u32,
    ) -> bool {
        let (low, high) = (&line.below[below], &line.above[above]);
        if low.players + high.players + self.members[0].size < target || self.sets_left == 0 {
            return false;
        }
        self.sets_left -= 1;
        let players = self.put_together(scene, line, low, high);
        if players < target {
            return false;
        }
        let values = || self.chosen.iter().map(|&at| self.members[usize::from(at)].value);
        let spread = values().max().unwrap_or(0) - values().min().unwrap_or(0);
        let pings: i128 = self.chosen.iter().map(|&at| i128::from(line.pings[usize::from(at)])).sum();
        let score =
            self.terms.weight * i128::from(spread) * i128::from(players) + self.terms.ping_weight * pings;
        let Some(place) = self.kept.iter().position(|kept| kept.players == 0 || score < kept.score) else {
            return false;
        };
        self.kept[place..].rotate_right(1);
        let kept = &mut self.kept[place];
        (kept.players, kept.score) = (players, score);
        kept.rows.clear();
        kept.rows.extend(self.chosen.iter().map(|&at| self.members[usize::from(at)].row));
        place == 0
    }

    /// Takes the tickets of least ping who fit, those first who bring what is lacking; returns how many players.
    fn put_together<const W: usize>(
        &mut self,
        scene: &Scene<'_>,
        line: &Line<W>,
        low: &End<W>,
        high: &End<W>,
    ) -> u32 {
        let shape = &scene.queue.shape;
        self.seats.reset(shape);
        self.seats.add(self.members[0].size);
        self.chosen.clear();
        self.chosen.push(0);
        self.tally.begin(&self.amounts);
        let mut players = self.members[0].size;
        let mut left: [u64; W] = std::array::from_fn(|word| low.mask[word] | high.mask[word]);
        let mut lacking = self.tally.next_lack(0);
        loop {
            for (word, left) in left.iter_mut().enumerate() {
                let is_met = |tally: &Tally| lacking.is_some_and(|total| !tally.lacks(total));
                let mut rest = *left & lacking.map_or(u64::MAX, |total| line.bringers(total)[word]);
                while rest != 0 && players < shape.full && !is_met(&self.tally) {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let at = line.order[word * 64 + bit];
                    if self.takes(scene, at, (low.value, high.value), players) {
                        *left &= !(1 << bit);
                        players += self.members[usize::from(at)].size;
                    }
                }
            }
            let Some(total) = lacking else { break };
            if self.tally.lacks(total) {
                return 0;
            }
            lacking = self.tally.next_lack(total + 1);
        }
        // Whoever came last may have raised what is needed.
        if self.tally.next_lack(0).is_some() { 0 } else { players }
    }

    /// Takes a member into the set if it fits.
    fn takes(&mut self, scene: &Scene<'_>, at: u16, (low, high): (i64, i64), players: u32) -> bool {
        let member = self.members[usize::from(at)];
        let shape = &scene.queue.shape;
        if players + member.size > shape.full
            || high.saturating_sub(member.value).max(member.value.saturating_sub(low)) > member.window
            || !self.tally.fits(&self.amounts, usize::from(at))
        {
            return false;
        }
        if self.terms.has_more {
            let oldest = self.members[0].row;
            let others = self.chosen[1..].iter().map(|&other| self.members[usize::from(other)].row);
            for other in others {
                if !scene.may_stand_but_for_regions(member.row, other, oldest) {
                    return false;
                }
            }
        }
        self.seats.add(member.size);
        if member.size > 1 && !self.seats.fit(shape) {
            self.seats.remove(member.size);
            return false;
        }
        self.tally.add(&self.amounts, usize::from(at));
        self.chosen.push(at);
        true
    }

    /// Judges the sets that were kept, and proposes the cheapest that is legal.
    fn judge(
        &mut self,
        scene: &Scene<'_>,
        target: u32,
        splitter: &mut Splitter,
        best: &mut Proposal,
    ) -> Outcome {
        let mut outcome = Outcome::Open;
        let least = self.kept[0].score;
        for kept in self.kept.iter().filter(|kept| kept.players >= target.max(1)) {
            // Pings are those of the best region, so a set may cost less than its stretch; seldom, and then the better.
            if best.is_some() && best.players >= kept.players && best.cost <= kept.score {
                continue;
            }
            if !scene.queue.shape.enough_tickets(kept.rows.len(), kept.players) {
                continue;
            }
            self.rows.clear();
            self.rows.extend_from_slice(&kept.rows);
            self.rows.sort_unstable_by_key(|&row| scene.tickets.seniority(row));
            let Some(terms) = judge_set(scene, &self.rows) else { continue };
            let Some(split) = splitter.split(scene, &self.rows, &terms, Goal::Cheapest).0 else { continue };
            let cost = terms.cost + split.cost;
            self.numbers.clear();
            self.numbers.extend(self.rows.iter().map(|&row| scene.tickets.submit_number(row)));
            self.numbers.sort_unstable();
            if best.is_beaten_by(terms.players, cost, &self.numbers) {
                best.replace(&self.rows, &self.numbers, terms.players, cost);
                // What only the judge sees may cost one part in fifty.
                if cost * 50 <= least * 51 {
                    outcome = Outcome::Found;
                }
            }
        }
        outcome
    }
}

/// What matches of a queue cost as far as stretches tell.
fn terms(scene: &Scene<'_>) -> Terms {
    let mut terms = Terms::default();
    for (index, rule) in scene.queue.rules.iter().enumerate() {
        match &rule.kind {
            Kind::Difference(slot, _) => {
                let is_better = rule.weight > 0 && terms.weight == 0;
                terms.has_more |= terms.lead.is_some() || rule.age == WindowAge::Newest;
                if terms.lead.is_none() || is_better {
                    terms.lead = Some((index, *slot));
                    terms.weight = i128::from(rule.weight);
                }
            }
            Kind::Equality(_, switch) => terms.has_more |= !(rule.needs_value && switch.always(None)),
            Kind::Intersection(..) => terms.has_more = true,
            Kind::Region(_) => terms.ping_weight = i128::from(rule.weight),
            Kind::Total(..) | Kind::TeamDifference(..) | Kind::TeamSize(_) | Kind::PremadeBalance(_) => {}
        }
    }
    terms
}
