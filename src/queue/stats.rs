//! The accounts of an engine: what became of its tickets within a sliding window and since the start, by queue and
//! region, and how long a ticket can expect to wait.
//!
//! Fed once at the end of each tick from its outcome, read by `stats` and `estimate`. Time is engine time. The
//! window is cut into slices; a slice is one place of a ring, emptied when its turn comes again, so an idle tick
//! costs next to nothing and the window spans between all but one of its slices and all. Once every queue, region
//! and slice has been seen, nothing is allocated. Invariant: a region keeps its row while a ticket counts on it.

use super::estimate::{Spell, ages_matched};
use super::histogram::bucket_of;
use super::ledger::{LeftAlike, Page};
use super::lives::{Life, Lives};
use super::outcome::{Outcome, Tally};
use super::regions::RegionOrder;
use super::ring::Ring;
use crate::base::fixed::Fixed;
use crate::model::ids::{Millis, QueueId};
use crate::model::limits::REGIONS_MAX;
use crate::model::status::{
    Estimate, QueueActivity, RegionStats, Stats, StepStats, WAIT_CLASSES_S, WindowStats,
};
use crate::rules::compile::NO_VALUE;
use std::sync::Arc;

/// Regions of one queue that the accounts tell apart, those included that nobody counts on any more.
const ROWS_MAX: usize = 2 * REGIONS_MAX;
/// A region that no ticket has named yet.
const NO_ROW: u8 = u8::MAX;
/// Tickets that an estimate rests on, at least: chosen, as below thirty a median says little.
const ENOUGH: u64 = 30;

/// The names of every queue's regions, by queue.
pub trait Orders<'a>: Iterator<Item = (QueueId, &'a Arc<RegionOrder>)> + Clone {}

impl<'a, I: Iterator<Item = (QueueId, &'a Arc<RegionOrder>)> + Clone> Orders<'a> for I {}

/// The accounts.
#[derive(Clone)]
pub struct Accounts {
    slice: Millis,
    slices: usize,
    now: Millis,
    /// By id.
    queues: Vec<QueueAccount>,
    ticks: Ring,
    last_steps: u64,
}

/// What an estimate is asked for.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// In which queue.
    pub queue: QueueId,
    /// The ticket's skill in units of 0.000001; `None`: any.
    pub skill: Option<i64>,
    /// The half-widths of the narrowest and of the widest band of skill; without the latter a band may grow until
    /// it holds every ticket.
    pub band: (i64, Option<i64>),
    /// The regions that it can be matched in, as compared; empty: any.
    pub regions: &'a [String],
    /// How a region's name compares.
    pub compared: fn(&str) -> std::borrow::Cow<'_, str>,
}

/// One queue.
#[derive(Clone)]
struct QueueAccount {
    id: QueueId,
    whole: Ring,
    regions: Vec<RegionAccount>,
    order: Arc<RegionOrder>,
    /// The place in `regions` of each region by number.
    rows: [u8; REGIONS_MAX],
    /// The slices' numbers and counts of searches.
    tallies: Vec<(u64, Tally)>,
    wait_classes: [u64; WAIT_CLASSES_S.len() + 1],
    waited: Millis,
    tree: (u64, u64),
    lives: Lives,
}

#[derive(Clone)]
struct RegionAccount {
    name: Arc<str>,
    row: Ring,
    /// The slice in which a ticket with it last left.
    last: u64,
}

impl Accounts {
    /// Empty accounts of a window of that length in so many slices, each at least 1 ms long.
    pub fn new(window: Millis, slices: u32) -> Accounts {
        let slices = slices.max(1);
        Accounts {
            slice: Millis((window.0 / u64::from(slices)).max(1)),
            slices: slices as usize,
            now: Millis(0),
            queues: Vec::new(),
            ticks: Ring::new(slices as usize),
            last_steps: 0,
        }
    }

    /// Takes what a tick has brought about. `orders`: the regions' names of every queue.
    pub fn take<'a>(&mut self, outcome: &Outcome, orders: impl Orders<'a>, now: Millis) {
        let last = self.now;
        self.now = last.max(now);
        let number = self.number(self.now);
        let since = self.since(self.now);
        for (id, order) in orders.clone() {
            if let Ok(at) = self.queues.binary_search_by_key(&id, |queue| queue.id) {
                self.queues[at].name_regions(order, self.slices, number);
            }
        }
        for alike in outcome.came.chunk_by(|one, other| one.queue == other.queue) {
            let queue = self.queue(alike[0].queue, orders.clone(), number);
            for came in alike {
                if !queue.lives.draws(u32::from(came.zeros)) {
                    continue;
                }
                let regions = queue.rows_of(came.regions);
                // One whose wait began since the last tick is known from its beginning on, whenever that tick was; of a
                // wait that was brought over only what is left of it.
                let enqueued = came.seniority.enqueued;
                let from = if enqueued >= last { enqueued } else { now };
                queue.lives.enter(came.id, came.seniority, from, came.skill, regions, since);
            }
        }
        for page in outcome.ledger.pages() {
            self.queue(page.queue, orders.clone(), number).take(page, number);
        }
        for tally in &outcome.tallies {
            self.queue(tally.queue, orders.clone(), number).tally(tally, number);
        }
        // Last: what the tick tells of a queue that it has removed would open its account again.
        self.queues.retain(|queue| !outcome.gone.contains(&queue.id));
        self.ticks.sample(number, bucket_of(outcome.steps), 1, outcome.steps);
        self.last_steps = outcome.steps;
    }

    /// Tickets of a queue need be told of only if the mixed bits of their submit number end in so many zeros: the others are
    /// in no sample. One less than the sample asks for, as that may be what it asks for next.
    pub fn drawn_from(&self, queue: QueueId) -> u32 {
        let found = self.queues.binary_search_by_key(&queue, |queue| queue.id);
        found.map_or(0, |at| self.queues[at].lives.asked().saturating_sub(1))
    }

    /// Adds to statistics what the accounts know, at the time that they say. The waiting tickets are there already,
    /// by queue and region.
    pub fn fill(&self, stats: &mut Stats) {
        stats.window = Millis(self.slice.0 * self.slices as u64);
        stats.window_slices = self.slices as u32;
        let number = self.number(stats.now.max(self.now));
        let first = self.first(number);
        let (ticks, sum, histogram) = self.ticks.within(first);
        stats.steps_per_tick = StepStats {
            ticks: ticks.samples,
            last: self.last_steps,
            mean: sum.checked_div(ticks.samples).unwrap_or(0),
            p99: histogram.percentile(99).unwrap_or(0),
        };
        for told in &mut stats.queues {
            let Ok(at) = self.queues.binary_search_by_key(&told.queue, |queue| queue.id) else { continue };
            let queue = &self.queues[at];
            queue.fill(&mut told.activity, first);
            for region in &queue.regions {
                let window = region.row.window(first);
                let place = told.by_region.iter().position(|other| other.name == region.name);
                let Some(place) = place.or_else(|| {
                    (window != WindowStats::default()).then(|| {
                        let name = Arc::clone(&region.name);
                        told.by_region.push(RegionStats { name, ..RegionStats::default() });
                        told.by_region.len() - 1
                    })
                }) else {
                    continue;
                };
                told.by_region[place].total = region.row.total;
                told.by_region[place].window = window;
            }
            told.by_region.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }

    /// How long a ticket can expect to wait, as far as the window tells at `now`.
    ///
    /// The tickets that share a region with it are looked at first, then those of every region. Of each the narrowest
    /// band of skill counts in which enough tickets have left; bands double from the narrowest to the widest.
    pub fn estimate(&self, asked: &Asked<'_>, now: Millis) -> Estimate {
        let now = now.max(self.now);
        let Ok(at) = self.queues.binary_search_by_key(&asked.queue, |queue| queue.id) else {
            return Estimate::default();
        };
        let queue = &self.queues[at];
        let mut regions = 0_u128;
        for (row, region) in queue.regions.iter().enumerate() {
            let key = (asked.compared)(&region.name);
            regions |= u128::from(asked.regions.iter().any(|name| *name == *key)) << row;
        }
        let since = self.since(now);
        let mut widest = Estimate::default();
        let near = (!asked.regions.is_empty()).then_some(regions);
        for among in near.into_iter().chain([u128::MAX]) {
            let is_among = |life: &&Life| among == u128::MAX || life.regions & among != 0;
            let lives: Vec<&Life> = queue.lives.since(since).filter(is_among).collect();
            let found = estimate_among(&lives, asked, since, now);
            widest = Estimate { every_region: among == u128::MAX && near.is_some(), ..found };
            if found.is_known {
                break;
            }
        }
        widest
    }

    /// The slice of engine time that an instant lies in, from 1.
    fn number(&self, at: Millis) -> u64 {
        at.0 / self.slice.0 + 1
    }

    /// The first slice of the window that ends with `number`.
    fn first(&self, number: u64) -> u64 {
        number.saturating_sub(self.slices as u64 - 1).max(1)
    }

    /// When the window that ends at `now` began.
    fn since(&self, now: Millis) -> Millis {
        Millis((self.first(self.number(now)) - 1) * self.slice.0)
    }

    fn queue<'a>(&mut self, id: QueueId, mut orders: impl Orders<'a>, number: u64) -> &mut QueueAccount {
        let at = match self.queues.binary_search_by_key(&id, |queue| queue.id) {
            Ok(at) => at,
            Err(at) => {
                let mut queue = QueueAccount::new(id, self.slices);
                if let Some((_, order)) = orders.find(|(other, _)| *other == id) {
                    queue.name_regions(order, self.slices, number);
                }
                self.queues.insert(at, queue);
                at
            }
        };
        &mut self.queues[at]
    }
}

/// The estimate from tickets that are alike in their regions.
fn estimate_among(lives: &[&Life], asked: &Asked<'_>, since: Millis, now: Millis) -> Estimate {
    let of = |band: Option<i64>| {
        let within = |life: &&&Life| match (asked.skill, band) {
            (Some(skill), Some(band)) => life.skill != NO_VALUE && (life.skill - skill).abs() <= band,
            _ => true,
        };
        let lives = || lives.iter().filter(within);
        let left = lives().filter(|life| life.left.is_some()).count() as u64;
        let mut estimate = Estimate {
            samples: lives().count() as u64,
            matched: lives().filter(|life| life.matched).count() as u64,
            band: band.filter(|_| asked.skill.is_some()).map(Fixed::from_micros),
            is_known: left >= ENOUGH,
            ..Estimate::default()
        };
        if estimate.is_known {
            let mut spells: Vec<Spell> = lives().map(|life| spell(life, since, now)).collect();
            estimate.seen_up_to = spells.iter().map(|spell| spell.to).max().unwrap_or_default();
            [estimate.p50, estimate.p90] = ages_matched(&mut spells, [50, 90]);
        }
        estimate
    };
    let (Some(skill), (narrowest, widest)) = (asked.skill, asked.band) else { return of(None) };
    // A band that holds everyone need not be doubled.
    let furthest = lives.iter().filter(|life| life.skill != NO_VALUE).map(|life| (life.skill - skill).abs());
    let most = widest.or_else(|| furthest.max()).unwrap_or(0);
    let mut band = narrowest.max(1).min(most);
    loop {
        let found = of(Some(band));
        if found.is_known {
            return found;
        }
        if band >= most {
            return if widest.is_none() { of(None) } else { found };
        }
        band = band.saturating_mul(2).min(most);
    }
}

/// What the window saw of a ticket.
fn spell(life: &Life, since: Millis, now: Millis) -> Spell {
    let to = life.left.unwrap_or(now).since(life.enqueued);
    let from = life.came.max(since).since(life.enqueued).min(to);
    Spell { from, to, matched: life.matched, weight: 1 << life.zeros.min(32) }
}

impl QueueAccount {
    fn new(id: QueueId, slices: usize) -> QueueAccount {
        QueueAccount {
            id,
            whole: Ring::new(slices),
            regions: Vec::new(),
            order: Arc::default(),
            rows: [NO_ROW; REGIONS_MAX],
            tallies: vec![(0, Tally::new(id)); slices],
            wait_classes: [0; WAIT_CLASSES_S.len() + 1],
            waited: Millis(0),
            tree: (0, 0),
            lives: Lives::default(),
        }
    }

    /// The regions have other names: each finds its row again, or gets one.
    fn name_regions(&mut self, order: &Arc<RegionOrder>, slices: usize, number: u64) {
        if Arc::ptr_eq(&self.order, order) {
            return;
        }
        for (region, name) in order.names.iter().enumerate() {
            self.rows[region] = match name {
                None => NO_ROW,
                Some(name) => match self.regions.iter().position(|other| other.name == *name) {
                    Some(row) => row as u8,
                    None => self.open_row(name, order, slices, number),
                },
            };
        }
        self.order = Arc::clone(order);
    }

    /// A row for a new name: that of the region that has been idle for the longest, if its window has passed or
    /// there are too many.
    fn open_row(&mut self, name: &Arc<str>, order: &RegionOrder, slices: usize, number: u64) -> u8 {
        let is_named =
            |region: &RegionAccount| order.names.iter().flatten().any(|other| *other == region.name);
        let idle = self.regions.iter().enumerate().filter(|(_, region)| !is_named(region));
        let idlest = idle.min_by_key(|(_, region)| region.last).map(|(row, region)| (row, region.last));
        let is_full = self.regions.len() == ROWS_MAX;
        let row = match idlest.filter(|(_, last)| is_full || last + slices as u64 <= number) {
            Some((row, _)) => row,
            None => {
                let row = Ring::new(slices);
                self.regions.push(RegionAccount { name: Arc::clone(name), row, last: 0 });
                self.regions.len() - 1
            }
        };
        let region = &mut self.regions[row];
        region.name = Arc::clone(name);
        region.last = number;
        region.row.clear();
        row as u8
    }

    /// The rows of regions, as bits.
    fn rows_of(&self, mut regions: u64) -> u128 {
        let mut rows = 0;
        while regions != 0 {
            let row = self.rows[regions.trailing_zeros() as usize];
            rows |= if row == NO_ROW { 0 } else { 1 << row };
            regions &= regions - 1;
        }
        rows
    }

    fn take(&mut self, page: &Page, number: u64) {
        for gone in &page.gone {
            if self.lives.draws(u32::from(gone.zeros)) {
                self.lives.leave(gone.id, gone.at, gone.matched);
            }
        }
        for left in &page.left {
            self.leave(left, number);
        }
        for (region, count) in page.made() {
            self.whole.count(number, |counts| counts.matches += u64::from(count));
            let row = region.map_or(NO_ROW, |region| self.rows[region as usize]);
            if let Some(region) = self.regions.get_mut(row as usize) {
                region.row.count(number, |counts| counts.matches += u64::from(count));
            }
        }
    }

    fn leave(&mut self, left: &LeftAlike, number: u64) {
        self.whole.leave(left, number);
        let mut rows = self.rows_of(left.regions);
        while rows != 0 {
            let region = &mut self.regions[rows.trailing_zeros() as usize];
            region.row.leave(left, number);
            region.last = number;
            rows &= rows - 1;
        }
        if left.reason.is_none() {
            self.wait_classes[left.class as usize] += u64::from(left.tickets);
            self.waited = self.waited.after(Millis(left.waited));
        }
    }

    fn tally(&mut self, tally: &Tally, number: u64) {
        let place = number as usize % self.tallies.len();
        let (of, sum) = &mut self.tallies[place];
        if std::mem::replace(of, number) != number {
            *sum = Tally::new(self.id);
        }
        sum.add(tally);
        self.tree = (tally.tree_rebuilds, tally.tree_overlay);
    }

    fn fill(&self, activity: &mut QueueActivity, first: u64) {
        activity.total = self.whole.total;
        activity.wait_classes = self.wait_classes;
        activity.waited = self.waited;
        activity.window = self.whole.window(first);
        let mut sum = Tally::new(self.id);
        self.tallies.iter().filter(|(number, _)| *number >= first).for_each(|(_, tally)| sum.add(tally));
        activity.pairs = sum.pairs;
        activity.excluded.iter_mut().zip(sum.excluded).for_each(|((_, told), count)| *told = count);
        activity.excluded_by_limits = sum.excluded_by_limits;
        activity.searches_cut_off = sum.searches_cut_off;
        activity.steps = sum.steps;
        (activity.tree_rebuilds, activity.tree_overlay) = self.tree;
    }
}
