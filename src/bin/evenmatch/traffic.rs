//! Generated traffic: who comes when, with whom, from where, and who gives up.
//!
//! Used by `generate`; knows no file. Tickets arrive as a Poisson process whose intensity follows the local
//! hour of every city (Lewis and Shedler's thinning, 1979). Invariants: instants never decrease, names are
//! unique, a player is in one ticket at a time, and the same plan gives the same traffic on every machine.

use crate::cities::{CITIES, City, DATA_CENTRES, backbone_ms};
use crate::dice::Dice;
use crate::fillings::{Fillings, SkillShape};
use evenmatch::base::fixed::Decimal;
use evenmatch::config::trace::{TraceAction, TraceLine, TracePlayer, TraceSubmit};
use evenmatch::model::ids::Millis;
use evenmatch::model::limits::TICKET_PLAYERS_MAX;
use evenmatch::rules::spec::{QueueSpec, RuleKind};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How the traffic is to look.
#[derive(Clone)]
pub(crate) struct TrafficPlan {
    /// The same seed gives the same traffic.
    pub(crate) seed: u64,
    /// How long people arrive.
    pub(crate) duration_ms: u64,
    /// Tickets a second, in the mean over the duration.
    pub(crate) rate: f64,
    /// The hour of the day (UTC) at which the trace begins.
    pub(crate) start_hour: f64,
    /// The local hour at which most people play.
    pub(crate) peak_hour: f64,
    /// How many times busier the peak is than the quietest hour, 1 and up.
    pub(crate) peak_factor: f64,
    /// Sizes of parties and how frequent they are.
    pub(crate) party_mix: Vec<(u32, f64)>,
    /// The share of tickets that give up when they have waited for a while.
    pub(crate) cancel_rate: f64,
    /// The share of tickets of which a player goes away.
    pub(crate) leave_rate: f64,
    /// How long those who give up have waited, in the mean.
    pub(crate) patience_s: f64,
    /// The ratings.
    pub(crate) skill: SkillShape,
    /// A data centre further away is left out of a ticket's list.
    pub(crate) ping_max_ms: f64,
    /// So many of the nearest data centres stand in a ticket's list.
    pub(crate) regions_max: usize,
}

/// The traffic, in order: an iterator over the lines of a trace.
pub(crate) struct Traffic {
    /// The queue's name.
    queue: String,
    plan: TrafficPlan,
    dice: Dice,
    fillings: Fillings,
    /// Names of the regions, by data centre; those that the queue does not know have none.
    regions: Vec<Option<String>>,
    /// Sizes that the queue takes.
    party_mix: Vec<(u32, f64)>,
    has_region_rule: bool,
    /// The greatest intensity of all cities together, in units of weight, and the rate that one unit means.
    intensity_max: f64,
    rate_per_unit: f64,
    now_ms: f64,
    next_ticket: u64,
    next_player: u64,
    /// Arrivals and departures that are still to come: instant, number in the order of planning.
    pending: BinaryHeap<Reverse<(u64, u64, Departure)>>,
    arrival: Option<f64>,
}

/// Who goes away, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Departure {
    Ticket(u64),
    Player(u64),
}

/// Nobody gives up sooner than this.
const PATIENCE_LEAST_S: f64 = 3.0;
/// Kinds of last mile: how frequent, and the least and the mean milliseconds it adds: fibre, cable, radio.
const LAST_MILES: [(f64, f64, f64); 3] = [(0.45, 2.0, 4.0), (0.35, 6.0, 12.0), (0.2, 14.0, 28.0)];
/// How far a round trip to one data centre strays from the model, as a share.
const ROUTE_STRAY: f64 = 0.06;

impl Traffic {
    /// Plans traffic for `spec`. Errors: a sentence that says which part of the plan fits no ticket of the
    /// queue.
    pub(crate) fn new(spec: &QueueSpec, plan: TrafficPlan) -> Result<Traffic, String> {
        let party_max = party_max(spec);
        let party_mix: Vec<(u32, f64)> = plan
            .party_mix
            .iter()
            .copied()
            .filter(|&(size, share)| size <= party_max && share > 0.0)
            .collect();
        if party_mix.is_empty() {
            return Err(format!(
                "no size of the party mix fits the queue: it takes parties of 1 to {party_max}"
            ));
        }
        let minutes = (plan.duration_ms / 60_000).max(1);
        let sample = |minute: u64| intensity(&plan, (minute as f64 + 0.5) * 60_000.0);
        let mean = (0..minutes).map(sample).sum::<f64>() / minutes as f64;
        let intensity_max = (0..minutes).map(sample).fold(0.0, f64::max) * 1.01;
        let mut traffic = Traffic {
            queue: spec.name.clone(),
            dice: Dice::new(plan.seed),
            fillings: Fillings::new(spec, plan.skill),
            regions: region_names(spec),
            party_mix,
            has_region_rule: spec.rules.iter().any(|rule| matches!(rule.kind, RuleKind::Region { .. })),
            intensity_max,
            rate_per_unit: plan.rate / mean,
            now_ms: 0.0,
            next_ticket: 1,
            next_player: 1,
            pending: BinaryHeap::new(),
            arrival: None,
            plan,
        };
        traffic.arrival = traffic.draw_arrival();
        Ok(traffic)
    }

    /// The next instant at which somebody comes, if that is within the duration.
    fn draw_arrival(&mut self) -> Option<f64> {
        let mean_gap_ms = 1000.0 / (self.intensity_max * self.rate_per_unit);
        loop {
            self.now_ms += self.dice.exponential(mean_gap_ms);
            if self.now_ms >= self.plan.duration_ms as f64 {
                return None;
            }
            if self.dice.chance(intensity(&self.plan, self.now_ms) / self.intensity_max) {
                return Some(self.now_ms);
            }
        }
    }

    /// Makes the ticket that comes at `at_ms`, and plans when it gives up.
    fn submit(&mut self, at_ms: u64) -> TraceAction {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let city = self.draw_city(at_ms as f64);
        let size = self.party_mix[self.dice.weighted(self.party_mix.iter().map(|&(_, share)| share))].0;
        let mut mood = self.fillings.mood(&mut self.dice);
        let first_player = self.next_player;
        let players = (0..size).map(|_| {
            let name = format!("p{}", self.next_player);
            self.next_player += 1;
            let attributes = self.fillings.player(&mut mood, &mut self.dice);
            TracePlayer { id: name, attributes, latency: Vec::new() }
        });
        let players: Vec<TracePlayer> = players.collect();
        let latency = if self.has_region_rule { self.latency(city) } else { Vec::new() };
        let wait_s =
            PATIENCE_LEAST_S + self.dice.exponential((self.plan.patience_s - PATIENCE_LEAST_S).max(0.1));
        let gone_ms = at_ms + (wait_s * 1000.0) as u64;
        let fate = self.dice.unit();
        let leaver = first_player + self.dice.below(size as usize) as u64;
        if fate < self.plan.cancel_rate {
            self.pending.push(Reverse((gone_ms, ticket, Departure::Ticket(ticket))));
        } else if fate < self.plan.cancel_rate + self.plan.leave_rate {
            self.pending.push(Reverse((gone_ms, ticket, Departure::Player(leaver))));
        }
        let (ticket, queue) = (format!("t{ticket}"), self.queue.clone());
        TraceAction::Submit(Box::new(TraceSubmit {
            ticket,
            queue,
            players,
            latency,
            ..TraceSubmit::default()
        }))
    }

    /// Where the ticket comes from: big cities, and those where it is evening, more often.
    fn draw_city(&mut self, at_ms: f64) -> &'static City {
        let plan = &self.plan;
        let weights = CITIES.iter().map(|city| city.weight * activity(plan, city, at_ms));
        &CITIES[self.dice.weighted(weights)]
    }

    /// The ticket's round trips, the nearest data centre first.
    fn latency(&mut self, city: &City) -> Vec<(String, Decimal)> {
        let kind = LAST_MILES[self.dice.weighted(LAST_MILES.iter().map(|&(share, ..)| share))];
        let last_mile = kind.1 + self.dice.exponential(kind.2 - kind.1);
        let mut list = Vec::new();
        for (centre, name) in DATA_CENTRES.iter().zip(&self.regions) {
            let stray = 1.0 + ROUTE_STRAY * self.dice.normal();
            let Some(name) = name else { continue };
            let ms = backbone_ms(&city.place, &centre.place) * stray.max(0.8) + last_mile;
            list.push((ms, name.clone()));
        }
        list.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        let near = list.iter().filter(|(ms, _)| *ms <= self.plan.ping_max_ms).count();
        // Nobody is without any region: the nearest one stays.
        list.truncate(near.clamp(1, self.plan.regions_max.max(1)));
        list.into_iter().map(|(ms, name)| (name, Decimal::from_int((ms + 0.5) as i64))).collect()
    }
}

impl Iterator for Traffic {
    type Item = TraceLine;

    fn next(&mut self) -> Option<TraceLine> {
        let departs_ms = self.pending.peek().map(|Reverse((at_ms, ..))| *at_ms);
        let arrives_ms = self.arrival.map(|at_ms| at_ms as u64);
        match (arrives_ms, departs_ms) {
            (Some(arrives), departs) if departs.is_none_or(|departs| arrives <= departs) => {
                let action = self.submit(arrives);
                self.arrival = self.draw_arrival();
                Some(TraceLine { at: Millis(arrives), action })
            }
            (_, Some(departs)) => {
                let Reverse((_, _, departure)) = self.pending.pop()?;
                let action = match departure {
                    Departure::Ticket(number) => {
                        TraceAction::Cancel { ticket: format!("t{number}"), in_tick: None }
                    }
                    Departure::Player(number) => {
                        TraceAction::Leave { player: format!("p{number}"), ticket: None, in_tick: None }
                    }
                };
                Some(TraceLine { at: Millis(departs), action })
            }
            _ => None,
        }
    }
}

/// How busy a city is at that instant: 1 at the peak, `1 / peak_factor` twelve hours from it.
fn activity(plan: &TrafficPlan, city: &City, at_ms: f64) -> f64 {
    let local_hour = plan.start_hour + at_ms / 3_600_000.0 + city.utc_offset_hours;
    let turn = (local_hour - plan.peak_hour) / 24.0 * std::f64::consts::TAU;
    // Cubed: evenings are narrow, nights are long.
    let evening = libm::pow((1.0 + libm::cos(turn)) / 2.0, 3.0);
    let least = 1.0 / plan.peak_factor.max(1.0);
    least + (1.0 - least) * evening
}

/// The intensity of all cities together.
fn intensity(plan: &TrafficPlan, at_ms: f64) -> f64 {
    CITIES.iter().map(|city| city.weight * activity(plan, city, at_ms)).sum()
}

/// The largest party that the queue could ever match.
fn party_max(spec: &QueueSpec) -> u32 {
    let team = spec.teams.iter().map(|team| team.players_max).max().or(spec.players.max).unwrap_or(1);
    team.min(spec.party_max.unwrap_or(u32::MAX)).min(TICKET_PLAYERS_MAX as u32)
}

/// The queue's name for each data centre: its own list first by equal names, the rest in order.
fn region_names(spec: &QueueSpec) -> Vec<Option<String>> {
    let Some(listed) = &spec.regions else {
        return DATA_CENTRES.iter().map(|centre| Some(centre.name.to_owned())).collect();
    };
    let same = |listed: &str, name: &str| listed.to_lowercase() == name;
    let known = |listed: &str| DATA_CENTRES.iter().any(|centre| same(listed, centre.name));
    let mut others = listed.iter().filter(|&name| !known(name));
    let mut names: Vec<Option<String>> = Vec::new();
    for centre in &DATA_CENTRES {
        let own = listed.iter().find(|name| same(name, centre.name));
        names.push(own.cloned());
    }
    for name in &mut names {
        if name.is_none() {
            *name = others.next().cloned();
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn plan(seed: u64) -> TrafficPlan {
        TrafficPlan {
            seed,
            duration_ms: 1_200_000,
            rate: 1.0,
            start_hour: 18.0,
            peak_hour: 20.5,
            peak_factor: 8.0,
            party_mix: vec![(1, 60.0), (3, 40.0), (9, 50.0)],
            cancel_rate: 0.2,
            leave_rate: 0.1,
            patience_s: 30.0,
            skill: SkillShape::default(),
            ping_max_ms: 150.0,
            regions_max: 3,
        }
    }

    fn preset(name: &str) -> QueueSpec {
        let preset = crate::init::PRESETS.iter().find(|preset| preset.name == name).unwrap();
        evenmatch::config::read_queue(preset.text).unwrap()
    }

    #[test]
    fn traffic_is_in_order_and_within_its_plan() {
        let lines: Vec<TraceLine> = Traffic::new(&preset("coop_roles"), plan(3)).unwrap().collect();
        assert!(lines.iter().map(|line| line.at).is_sorted());
        let (mut tickets, mut players, mut parties, mut gone) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
        for line in &lines {
            let TraceAction::Submit(submit) = &line.action else {
                gone += 1;
                continue;
            };
            assert!(line.at < Millis(1_200_000) && tickets.insert(submit.ticket.clone()));
            assert!(submit.players.iter().all(|player| players.insert(player.id.clone())));
            assert!([1, 3].contains(&submit.players.len()), "nine are too many for the queue");
            parties += usize::from(submit.players.len() == 3);
            assert!((1..=3).contains(&submit.latency.len()));
            let tanks = submit
                .players
                .iter()
                .filter(|player| player.attributes.iter().any(|(name, _)| name == "tank"));
            assert!(tanks.count() <= 1, "a second tank could never be matched");
        }
        assert!((1_050..1_350).contains(&tickets.len()), "{}", tickets.len());
        let share = |part: usize| part as f64 / tickets.len() as f64;
        assert!((0.35..0.45).contains(&share(parties)), "{}", share(parties));
        assert!((0.25..0.35).contains(&share(gone)), "{}", share(gone));
    }

    #[test]
    fn a_listed_region_gets_the_data_centre_of_its_name() {
        let mut spec = preset("hybrid_duel");
        spec.regions = Some(vec!["north".to_owned(), "FRA".to_owned()]);
        let names = region_names(&spec);
        assert_eq!((names[0].as_deref(), names[1].as_deref()), (Some("FRA"), Some("north")));
        assert_eq!(names.iter().flatten().count(), 2);
        assert_eq!(region_names(&preset("hybrid_duel"))[0].as_deref(), Some("fra"));
    }
}
