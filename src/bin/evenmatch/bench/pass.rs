//! One pass of a row: an engine is filled, then fed, ticked and polled, and every call is timed or counted.
//!
//! Used by `row`, which takes several passes. A round is: submit the tickets of one tick as a batch, cancel some of
//! them, tick, poll all events and drop them. Making tickets and hashing events lie outside of all laps. Invariant: what
//! the engine is asked, and when in its own time, is a function of the plan and the seed; the clock only ends a pass
//! early, and then the pass says so.

use super::allocator::{Counted, count, counted};
use super::crowd::{Crowd, Kind, Party};
use super::digest::Digest;
use super::door::{Door, DoorKind, Fetched, Made};
use super::hosts::{Answers, Hosts, POLL_BATCH, parts};
use super::plan::{Plan, TICK_MS};
use super::stopwatch::{Lap, Stopwatch};
use crate::failure::Failure;
use crate::measure::Measure;
use evenmatch::config::read_queue;
use evenmatch::model::codes::Refusal;
use evenmatch::{Engine, Millis, TicketId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Groups of calls.
pub(super) const CALLS: [&str; 4] = ["submit", "cancel", "tick", "poll"];
const SUBMIT: usize = 0;
const CANCEL: usize = 1;
const TICK: usize = 2;
const POLL: usize = 3;

/// The word of tickets that waited from the start.
const STANDING: u64 = u64::MAX;
/// Tickets that are submitted at once while the engine is filled.
const FILL_BATCH: usize = 10_000;
/// Tickets that are made at once for rounds of one.
const MADE_AHEAD: usize = 4096;

/// How the engine is built, and when a pass stops.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) seed: u64,
    pub(super) threads: usize,
    /// Threads of the host, which submit, cancel and poll.
    pub(super) hosts: usize,
    pub(super) door: DoorKind,
    /// The word of the index of every queue; plans have it in their queues.
    pub(super) index: &'static str,
    /// Ended tickets that the engine keeps, unless the plan says otherwise.
    pub(super) retained: usize,
    /// A pass that has taken longer than this ends with its round.
    pub(super) longest: Duration,
    /// Whether allocations are counted instead of times.
    pub(super) counts: bool,
}

/// Tickets decided in one fetch of events.
#[derive(Clone, Copy)]
pub(super) struct Decided {
    /// The round in which they came.
    pub(super) sent: usize,
    /// The round in which they were decided.
    pub(super) round: usize,
    /// From the round's beginning, in time of the engine's calls.
    pub(super) offset_ns: u64,
    pub(super) count: u64,
}

/// What a pass came to.
#[derive(Default)]
pub(super) struct Pass {
    /// Rounds that were measured.
    pub(super) rounds: usize,
    /// Whether those are all that were planned.
    pub(super) is_complete: bool,
    /// Tickets that came in them.
    pub(super) tickets: u64,
    /// Of them, of those before and of those who waited from the start, in measured rounds.
    pub(super) matched: u64,
    pub(super) matches: u64,
    pub(super) cancelled: u64,
    pub(super) steps: u64,
    pub(super) waiting_end: u64,
    /// The mean spread of skill of matches.
    pub(super) gap: Option<f64>,
    /// Nanoseconds in each group of calls.
    pub(super) ns: [u64; 4],
    /// Of all laps, what went elsewhere.
    pub(super) elsewhere_ns: u64,
    /// In microseconds.
    pub(super) tick_us: Measure,
    pub(super) round_us: Measure,
    /// Nanoseconds of each round.
    pub(super) service_ns: Vec<u64>,
    pub(super) decided: Vec<Decided>,
    /// Of all events from the first tick on; `None` if the pass was ended early, or if several threads of the host have
    /// made the order of calls a matter of chance.
    pub(super) digest: Option<u64>,
    /// Bytes of the engine with all standing tickets taken in; counted passes only.
    pub(super) standing_bytes: Option<i64>,
    /// Allocations in each group of calls.
    pub(super) allocations: [u64; 4],
    /// Allocations in the rounds before, with the engine's growth, and their tickets.
    pub(super) warm_allocations: u64,
    pub(super) warm_tickets: u64,
}

impl Pass {
    /// Of the tickets that came in measured rounds, those that were matched in them.
    pub(super) fn matched_of_sent(&self) -> u64 {
        self.decided.iter().map(|decided| decided.count).sum()
    }

    /// Nanoseconds in all calls.
    pub(super) fn total_ns(&self) -> u64 {
        self.ns.iter().sum()
    }
}

/// Runs a pass.
pub(super) fn run(plan: &Plan, settings: Settings) -> Result<Pass, Failure> {
    count(settings.counts);
    let outcome = Running::new(plan, settings).and_then(Running::run);
    count(false);
    outcome
}

/// A pass that runs.
struct Running<'a> {
    plan: &'a Plan,
    settings: Settings,
    door: Arc<Door>,
    hosts: Hosts,
    /// Counted before the engine was built.
    before: Counted,
    watch: Stopwatch,
    flow: Crowd,
    ahead: std::vec::IntoIter<Party>,
    /// Memory for the answers to each thread of the host, and for its events.
    answers: Vec<Answers>,
    events: Vec<Fetched>,
    decided: Vec<(u64, u64)>,
    digest: Digest,
    gaps: (f64, u64),
    pass: Pass,
}

/// A refusal that the load does not expect.
fn refused(plan: &Plan, refusal: &Refusal) -> Failure {
    Failure::input(format!("{}: the engine refused a call: {refusal}", plan.name))
}

impl<'a> Running<'a> {
    fn new(plan: &'a Plan, settings: Settings) -> Result<Running<'a>, Failure> {
        let watch = Stopwatch::new(plan.is_fine());
        let mut pass = Pass::default();
        pass.service_ns.reserve(plan.ticks);
        pass.decided.reserve(plan.ticks + 16);
        let before = counted();
        let spec = read_queue(&plan.queue)
            .map_err(|errors| Failure::input(errors.first().map_or(String::new(), ToString::to_string)))?;
        let has_attribute = |name: &str| spec.attributes.iter().any(|attribute| attribute.name == name);
        let (has_modes, has_roles) = (has_attribute("mode"), has_attribute("healer"));
        let refused = |refusal| refused(plan, &refusal);
        let engine = Engine::builder()
            .capacity(plan.capacity().max(1) as u32)
            .retained(plan.retained as u32)
            .threads(settings.threads)
            .build();
        let engine = Arc::new(engine.map_err(refused)?);
        engine.add_queue(spec).map_err(refused)?;
        let door = Door::new(engine, settings.door, has_modes, has_roles, plan.regions);
        let door = Arc::new(door.map_err(refused)?);
        let share = plan.per_tick / settings.hosts + 1;
        Ok(Running {
            flow: Crowd::new(plan.flow, plan.regions, settings.seed, 1),
            plan,
            settings,
            hosts: Hosts::new(Arc::clone(&door), settings.hosts),
            before,
            watch,
            ahead: Vec::new().into_iter(),
            answers: (0..settings.hosts).map(|_| Vec::with_capacity(share)).collect(),
            events: (0..settings.hosts).map(|_| door.memory(POLL_BATCH)).collect(),
            decided: Vec::with_capacity(64),
            digest: Digest::new(),
            gaps: (0.0, 0),
            pass,
            door,
        })
    }

    fn run(mut self) -> Result<Pass, Failure> {
        self.fill()?;
        let begun = Instant::now();
        let (warm, mut is_whole) = (self.plan.warm_ticks, true);
        let mut round = 0;
        while round < warm + self.plan.ticks {
            if round < warm && begun.elapsed() > self.settings.longest / 2 {
                (round, is_whole) = (warm, false);
            }
            if begun.elapsed() > self.settings.longest && self.pass.rounds > 0 {
                break;
            }
            self.round(round, round >= warm)?;
            round += 1;
        }
        self.pass.is_complete = is_whole && self.pass.rounds == self.plan.ticks;
        let is_told = self.pass.is_complete && self.settings.hosts == 1;
        self.pass.digest = is_told.then_some(self.digest.0);
        self.pass.gap = (self.gaps.1 > 0).then(|| self.gaps.0 / self.gaps.1 as f64);
        self.pass.waiting_end = self.door.engine().stats().queues.iter().map(|queue| queue.tickets).sum();
        Ok(self.pass)
    }

    /// Submits those who wait from the start, and lets one tick take them in.
    fn fill(&mut self) -> Result<(), Failure> {
        let (kind, count) = self.plan.standing;
        let mut crowd = Crowd::new(kind, self.plan.regions, self.settings.seed, 2);
        let mut left = count;
        let mut answers = Vec::new();
        while left > 0 {
            let parties = crowd.by_ref().take(left.min(FILL_BATCH));
            // An engine has numbers for fewer texts than there are odd modes.
            let is_odd = kind == Kind::OddModes;
            let made = if is_odd {
                self.door.requests(parties, STANDING)
            } else {
                self.door.make(parties, STANDING)
            };
            left -= made.len();
            self.door.submit(Millis(0), made, &mut answers);
            for answer in answers.drain(..) {
                answer.map_err(|refusal| refused(self.plan, &refusal))?;
            }
        }
        drop(answers);
        if count > 0 {
            self.door.engine().tick(Millis(0), 0).map_err(|refusal| refused(self.plan, &refusal))?;
            if self.settings.counts {
                self.pass.standing_bytes = Some(counted().bytes - self.before.bytes);
            }
        }
        Ok(())
    }

    /// One round; `is_measured`: it counts.
    fn round(&mut self, round: usize, is_measured: bool) -> Result<(), Failure> {
        let plan = self.plan;
        let refused = |refusal| refused(plan, &refusal);
        let now = Millis((round as u64 + 1) * TICK_MS);
        let (mut laps, mut calls) = ([Lap::default(); 4], [0; 4]);
        let batch = self.batch(round);
        let submitted: usize = batch.iter().map(Made::len).sum();
        let mut victims = Vec::with_capacity(submitted / plan.cancel_every.max(1) + 1);
        if submitted > 0 {
            let memory = std::mem::take(&mut self.answers);
            let (before, start) = (counted().calls, self.watch.start());
            self.answers = self.submit(now, batch, memory);
            laps[SUBMIT] = self.watch.lap(start);
            calls[SUBMIT] = counted().calls - before;
            for (place, answer) in self.answers.iter_mut().flat_map(|answers| answers.drain(..)).enumerate() {
                let ticket = answer.map_err(refused)?;
                if plan.cancel_every > 0 && place % plan.cancel_every == plan.cancel_every - 1 {
                    victims.push(ticket);
                }
            }
        }
        let cancelled = victims.len() as u64;
        if cancelled > 0 {
            let victims = parts(victims, self.hosts.threads());
            let (before, start) = (counted().calls, self.watch.start());
            self.cancel(now, victims).map_err(refused)?;
            laps[CANCEL] = self.watch.lap(start);
            calls[CANCEL] = counted().calls - before;
        }
        let (before, start) = (counted().calls, self.watch.start());
        let report = self.door.engine().tick(now, 0).map_err(refused)?;
        laps[TICK] = self.watch.lap(start);
        calls[TICK] = counted().calls - before;
        self.poll(round, is_measured, &mut laps, &mut calls);
        let pass = &mut self.pass;
        if !is_measured {
            pass.warm_allocations += calls.iter().sum::<u64>();
            pass.warm_tickets += submitted as u64;
            return Ok(());
        }
        pass.rounds += 1;
        pass.tickets += submitted as u64;
        pass.cancelled += cancelled;
        pass.matches += report.matches;
        pass.steps += report.steps;
        for call in 0..CALLS.len() {
            pass.ns[call] += laps[call].ns;
            pass.elsewhere_ns += laps[call].elsewhere_ns;
            pass.allocations[call] += calls[call];
        }
        let total_ns: u64 = laps.iter().map(|lap| lap.ns).sum();
        pass.service_ns.push(total_ns);
        // A measure keeps a millionth of its unit, here a microsecond.
        pass.tick_us.record(i128::from(laps[TICK].ns) * 1000, 1);
        pass.round_us.record(i128::from(total_ns) * 1000, 1);
        Ok(())
    }

    /// The tickets of a round, a part for each thread of the host.
    fn batch(&mut self, round: usize) -> Vec<Made> {
        let (per_tick, threads, word) = (self.plan.per_tick, self.hosts.threads(), round as u64);
        if !self.plan.is_fine() {
            let share = |part: usize| per_tick * (part + 1) / threads - per_tick * part / threads;
            return (0..threads)
                .map(|part| self.door.make(self.flow.by_ref().take(share(part)), word))
                .collect();
        }
        if self.ahead.len() == 0 {
            self.ahead = self.flow.by_ref().take(MADE_AHEAD).collect::<Vec<Party>>().into_iter();
        }
        vec![self.door.make(self.ahead.by_ref().take(1), word)]
    }

    /// Submits a round's tickets; with one thread nothing but the engine's own work is in it.
    fn submit(&self, now: Millis, mut batch: Vec<Made>, mut memory: Vec<Answers>) -> Vec<Answers> {
        match memory.as_mut_slice() {
            [own] => {
                batch.drain(..).for_each(|made| self.door.submit(now, made, own));
                memory
            }
            _ => self.hosts.submit(now, batch, memory),
        }
    }

    /// Cancels tickets, likewise.
    fn cancel(&self, now: Millis, victims: Vec<Vec<TicketId>>) -> Result<(), Refusal> {
        match victims.as_slice() {
            [own] => own.iter().try_for_each(|&ticket| self.door.engine().cancel(now, ticket)),
            _ => self.hosts.cancel(now, victims),
        }
    }

    /// Fetches and drops all events.
    fn poll(&mut self, round: usize, is_measured: bool, laps: &mut [Lap; 4], calls: &mut [u64; 4]) {
        let warm = self.plan.warm_ticks;
        let mut offset_ns = laps.iter().map(|lap| lap.ns).sum::<u64>();
        loop {
            let mut events = std::mem::take(&mut self.events);
            let (before, start) = (counted().calls, self.watch.start());
            // Several threads fetch all that there is; one takes parts, so that their memory stays in the caches.
            match events.as_mut_slice() {
                [events] => {
                    self.door.poll(events, POLL_BATCH);
                }
                _ => events = self.hosts.poll(events),
            }
            let lap = self.watch.lap(start);
            calls[POLL] += counted().calls - before;
            offset_ns += lap.ns;
            let is_over = events.len() > 1 || events.iter().all(|events| events.len() < POLL_BATCH);
            events.iter().for_each(|events| self.look(events, is_measured));
            for (sent, count) in self.decided.drain(..) {
                let (sent, round) = (sent as usize - warm, round - warm);
                self.pass.decided.push(Decided { sent, round, offset_ns, count });
            }
            let start = self.watch.start();
            self.events = match events.as_mut_slice() {
                [own] => {
                    own.clear();
                    events
                }
                _ => self.hosts.clear(events),
            };
            let dropped = self.watch.lap(start);
            offset_ns += dropped.ns;
            laps[POLL].ns += lap.ns + dropped.ns;
            laps[POLL].elsewhere_ns += lap.elsewhere_ns + dropped.elsewhere_ns;
            if is_over {
                return;
            }
        }
    }

    /// Hashes the events that were fetched, and counts who was matched, by the round in which they came.
    fn look(&mut self, fetched: &Fetched, is_measured: bool) {
        let first = self.plan.warm_ticks as u64;
        let (pass, gaps, decided) = (&mut self.pass, &mut self.gaps, &mut self.decided);
        self.digest.take(fetched, |spread, words| {
            if !is_measured {
                return;
            }
            if let Some(spread) = spread {
                *gaps = (gaps.0 + spread.micros() as f64 / 1e6, gaps.1 + 1);
            }
            for word in words {
                pass.matched += 1;
                // Those who waited from the start, or came before the measured rounds, are nobody's delay.
                if word == STANDING || word < first {
                    continue;
                }
                match decided.iter_mut().find(|(sent, _)| *sent == word) {
                    Some((_, count)) => *count += 1,
                    None => decided.push((word, 1)),
                }
            }
        });
    }
}
