//! One simulated run: draws what the hosts do, calls the engine, and checks every answer against the world.
//!
//! Used by the tests of `main.rs`. With a shadow a second engine gets the same calls, and between them ticks at
//! times before `next_due`, which must change nothing at all. Invariant: a run is a function of its seed.

use super::dice::Dice;
use super::field::{self, KINDS, Kind, REGIONS};
use super::world::{Door, Held, State, World};
use evenmatch::Simd;
use evenmatch::assemble::{exhaustive, pairs};
use evenmatch::engine::Engine;
use evenmatch::model::attribute::AttributeValue;
use evenmatch::model::codes::{Code, EndReason, Refusal};
use evenmatch::model::event::Event;
use evenmatch::model::ids::{MatchId, Millis, PlayerId, TicketId};
use evenmatch::model::limits::TIME_MS_MAX;
use evenmatch::model::request::{TicketRequest, TicketUpdate};
use evenmatch::model::status::{TickReport, TicketState};
use evenmatch::rules::check::{Judge, JudgedTicket};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// What a run is about.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    pub steps: u32,
    /// How many players there are; few: many are queued already.
    pub players: u64,
    pub capacity: u32,
    pub retained: u32,
    /// Whether ticks have step budgets.
    pub budgets: bool,
    /// Whether a second engine ticks in between.
    pub shadow: bool,
    /// The kinds of queues, one queue each.
    pub kinds: Vec<Kind>,
}

impl Plan {
    /// A run over some of the kinds, drawn from the seed.
    pub fn new(seed: u64, steps: u32) -> Plan {
        let mut dice = Dice::new(seed ^ 0xfee1);
        let mut kinds: Vec<Kind> = KINDS.into_iter().filter(|_| dice.once_in(2)).collect();
        if kinds.is_empty() {
            kinds.push(*dice.one(&KINDS));
        }
        Plan {
            seed,
            steps,
            players: dice.between(100, 600),
            capacity: 2000,
            retained: dice.between(0, 200) as u32,
            budgets: false,
            shadow: false,
            kinds,
        }
    }
}

/// Runs a plan and returns everything that the engine said, line by line.
pub fn run(plan: &Plan) -> Vec<String> {
    let mut run = Run::new(plan.clone());
    run.open_queues();
    for _ in 0..run.plan.steps {
        run.step();
    }
    run.close();
    run.said
}

struct Run {
    plan: Plan,
    dice: Dice,
    engine: Engine,
    shadow: Option<Engine>,
    world: World,
    said: Vec<String>,
    user_data: u64,
    /// Steps for which the host does not poll.
    asleep: u32,
    /// Tickets that the run may still ask about, newest last.
    known: Vec<TicketId>,
    cut_off: u64,
}

impl Run {
    fn new(plan: Plan) -> Run {
        let build = |threads, simd| {
            let builder = Engine::builder().capacity(plan.capacity).retained(plan.retained);
            builder.check_matches(true).threads(threads).disturb(None, plan.seed).simd(simd).build().unwrap()
        };
        Run {
            dice: Dice::new(plan.seed),
            engine: build(1 + plan.seed as usize % 3, Simd::Auto),
            shadow: plan.shadow.then(|| build(1, Simd::Scalar)),
            world: World::new(plan.capacity, plan.retained),
            said: Vec::new(),
            user_data: 0,
            asleep: 0,
            known: Vec::new(),
            cut_off: 0,
            plan,
        }
    }

    /// Calls both engines; they must answer the same.
    fn call<T: PartialEq + Debug>(&mut self, what: &str, call: impl Fn(&Engine) -> T) -> T {
        let answer = call(&self.engine);
        if let Some(shadow) = &self.shadow {
            assert_eq!(call(shadow), answer, "{what}: the shadow, and the engine");
        }
        self.said.push(format!("{} {what}: {answer:?}", self.world.clock.0));
        answer
    }

    fn open_queues(&mut self) {
        for (index, kind) in self.plan.kinds.clone().into_iter().enumerate() {
            self.add_queue(kind, &format!("{kind:?}-{index}"));
        }
    }

    fn add_queue(&mut self, kind: Kind, name: &str) {
        let spec = field::queue(&mut self.dice, kind, name);
        let answer = self.call("add_queue", |engine| engine.add_queue(spec.clone()));
        match answer {
            Ok(id) => self.world.add_queue(id, kind, Judge::new(&spec)),
            Err(refusal) => panic!("{refusal}: {spec:#?}"),
        }
        let again = self.call("add_queue again", |engine| engine.add_queue(spec.clone()));
        assert_eq!(again.unwrap_err().code, Code::QueueExists);
    }

    fn step(&mut self) {
        let before = self.world.clock;
        let ahead = match self.dice.below(20) {
            0 => 0,
            1..=9 => self.dice.between(1, 100),
            10..=17 => self.dice.between(100, 3000),
            18 => self.dice.between(3000, 30_000),
            _ => self.dice.between(30_000, 200_000),
        };
        let ahead = self.way_to_a_border(before).unwrap_or(ahead);
        let next = Millis(before.0 + ahead);
        self.idle_ticks(next);
        // A clock that steps back is read as the last time; the shadow's last time is another one.
        let steps_back = !self.plan.shadow && self.dice.once_in(10);
        let told = if steps_back { Millis(before.0 / 2) } else { next };
        self.world.at(told);
        let bursts = if self.dice.once_in(12) { 60 } else { self.dice.below(8) };
        for _ in 0..bursts {
            self.input(told);
        }
        self.tick(told);
        self.check_totals();
        if self.asleep > 0 {
            self.asleep -= 1;
        } else if self.dice.once_in(15) {
            self.asleep = self.dice.between(1, 12) as u32;
        } else {
            self.poll();
        }
        self.check_some_tickets();
    }

    /// Now and then the way to the very ms of a deadline, of the end of a preference or of `next_due`, or to
    /// the ms before it: mistakes of one are made there.
    fn way_to_a_border(&mut self, now: Millis) -> Option<u64> {
        if !self.dice.once_in(3) {
            return None;
        }
        let border = match self.dice.below(3) {
            0 => self.engine.next_due(),
            which => {
                let waiting: Vec<TicketId> = self.world.waiting.iter().copied().collect();
                let held = &self.world.tickets[self.dice.maybe(&waiting)?];
                let preference = self.world.queues[held.queue].judge.spec().prefer_full_for;
                match which {
                    1 => self.world.deadline(held),
                    _ => Some(held.seniority.enqueued.after(preference)),
                }
            }
        }?;
        let early = self.dice.below(2);
        border.0.checked_sub(now.0 + early)
    }

    /// Ticks before `next_due`, without input: none of them may change anything.
    fn idle_ticks(&mut self, until: Millis) {
        let now = self.world.clock;
        let due = self.engine.next_due();
        assert!(due.is_none_or(|due| due > now), "next_due is {due:?} at {} ms", now.0);
        if self.plan.budgets {
            return;
        }
        let end = due.unwrap_or(until).min(until).0;
        if end <= now.0 + 1 {
            return;
        }
        let mut times: Vec<u64> = if end - now.0 <= 40 {
            (now.0 + 1..end).collect()
        } else {
            let mut some: Vec<u64> = (0..4).map(|_| self.dice.between(now.0 + 1, end - 1)).collect();
            some.push(end - 1);
            some
        };
        times.sort_unstable();
        let ticks_both = self.shadow.is_none() && self.dice.once_in(3);
        let Some(ticked) = self.shadow.as_ref().or(ticks_both.then_some(&self.engine)) else { return };
        for time in times {
            let report = ticked.tick(Millis(time), 0).unwrap();
            assert_eq!(
                (report.matches, report.ended),
                (0, 0),
                "a tick at {time} ms changed something, but next_due said {due:?} at {} ms",
                now.0
            );
            if ticks_both {
                self.world.clock = Millis(time);
            }
        }
    }

    fn input(&mut self, now: Millis) {
        match self.dice.below(100) {
            0..=54 => self.submit(now),
            55..=59 => self.submit_batch(now),
            60..=69 => self.cancel(now),
            70..=74 => self.leave(now),
            75..=82 => self.update(now),
            83..=88 => self.requeue(now),
            89..=91 => self.set_region(now),
            92..=94 => self.change_queue(now),
            _ => self.forge(now),
        }
    }

    fn request(&mut self, now: Millis) -> TicketRequest {
        let index = self.dice.below(self.world.queues.len() as u64) as usize;
        let kind = self.world.queues[index].kind;
        let name = self.world.queues[index].judge.spec().name.clone();
        let size = field::party_size(&mut self.dice, kind);
        let mut players: Vec<PlayerId> = Vec::new();
        while (players.len() as u64) < size {
            let player = PlayerId(u128::from(self.dice.below(self.plan.players)) << 70 | 1);
            if !players.contains(&player) || self.dice.once_in(20) {
                players.push(player);
            }
        }
        self.user_data += 1;
        field::ticket(&mut self.dice, kind, &name, &players, now).user_data(self.user_data)
    }

    fn submit(&mut self, now: Millis) {
        let request = self.request(now);
        let answer = self.call("submit", |engine| engine.submit(now, request.clone()));
        self.submitted(&request, &answer);
    }

    fn submit_batch(&mut self, now: Millis) {
        let requests: Vec<TicketRequest> = (0..self.dice.between(0, 6)).map(|_| self.request(now)).collect();
        let answers = self.call("submit_batch", |engine| engine.submit_batch(now, requests.clone()));
        assert_eq!(answers.len(), requests.len());
        for (request, answer) in requests.iter().zip(&answers) {
            self.submitted(request, answer);
        }
    }

    fn submitted(&mut self, request: &TicketRequest, answer: &Result<TicketId, Refusal>) {
        self.world.submitted(request, answer);
        self.known.extend(answer.as_ref().ok());
    }

    /// A ticket that was once accepted: more often one that waits.
    fn any_ticket(&mut self) -> Option<TicketId> {
        if self.dice.once_in(3) && !self.known.is_empty() {
            let recent = self.known.len().saturating_sub(200);
            return Some(*self.dice.one(&self.known[recent..]));
        }
        let waiting: Vec<TicketId> = self.world.waiting.iter().copied().collect();
        (!waiting.is_empty()).then(|| *self.dice.one(&waiting))
    }

    fn cancel(&mut self, now: Millis) {
        let Some(id) = self.any_ticket() else { return };
        let answer = self.call("cancel", |engine| engine.cancel(now, id));
        if self.over(id, answer) {
            self.world.end(id, EndReason::Cancelled);
        }
    }

    /// Whether a call on a ticket took effect; if not, its code must say what became of the ticket.
    fn over(&self, id: TicketId, answer: Result<(), Refusal>) -> bool {
        let state = self.world.tickets[&id].state;
        let code = answer.as_ref().err().map(|refusal| refusal.code);
        match (state, self.world.is_kept(id)) {
            (State::Waiting, _) => {
                assert_eq!(code, None, "{id:?} waits: {answer:?}");
                return true;
            }
            (State::Matched(of), Some(true)) => {
                assert_eq!(code, Some(Code::AlreadyMatched), "{id:?} is in {of:?}");
                assert_eq!(answer.unwrap_err().in_match, Some(of));
            }
            (State::Matched(_), None) => {
                assert!(matches!(code, Some(Code::AlreadyMatched | Code::NotFound)), "{id:?}: {answer:?}");
            }
            (State::Matched(_), Some(false)) | (State::Ended(_), _) => {
                assert_eq!(code, Some(Code::NotFound), "{id:?} is over: {answer:?}");
            }
        }
        false
    }

    fn leave(&mut self, now: Millis) {
        let player = PlayerId(u128::from(self.dice.below(self.plan.players)) << 70 | 1);
        let answer = self.call("leave", |engine| engine.leave(now, player));
        match self.world.players.get(&player).copied() {
            Some(id) => {
                assert_eq!(answer, Ok(id));
                let is_party = self.world.tickets[&id].request.players.len() > 1;
                let reason = if is_party { EndReason::PartyMemberLeft } else { EndReason::Cancelled };
                self.world.end(id, reason);
            }
            None => {
                let code = answer.unwrap_err().code;
                assert!(matches!(code, Code::NotFound | Code::AlreadyMatched), "{code}");
            }
        }
    }

    fn update(&mut self, now: Millis) {
        let Some(id) = self.any_ticket() else { return };
        let held = &self.world.tickets[&id];
        let is_open = self.world.queues[held.queue].door == Door::Open;
        let request = held.request.clone();
        if held.state == State::Waiting && !is_open {
            return;
        }
        if self.dice.once_in(6) {
            let bad = vec![("skill".to_owned(), AttributeValue::Number(f64::INFINITY.into()))];
            let update = TicketUpdate {
                attributes: Some(vec![(request.players[0].id, bad)]),
                timeout: Some(Some(Millis(1))),
                ..TicketUpdate::default()
            };
            let answer = self.call("bad update", |engine| engine.update(now, id, update.clone()));
            let refusal = answer.unwrap_err();
            if self.world.tickets[&id].state == State::Waiting {
                assert_eq!(refusal.code, Code::OutOfRange);
            }
            return;
        }
        let update = field::update(&mut self.dice, &request);
        let answer = self.call("update", |engine| engine.update(now, id, update.clone()));
        let in_time = self.world.tickets[&id].state == State::Waiting;
        if let (true, Err(refusal)) = (in_time, &answer) {
            let mut changed = request;
            field::apply(&mut changed, update.clone());
            let is_foreseen = refusal.code == Code::Unmatchable && self.world.may_be_out_of_reach(&changed);
            assert!(is_foreseen, "{refusal}: {update:?} makes {changed:?}");
            return;
        }
        if self.over(id, answer) {
            self.world.change(id, update);
        }
    }

    fn requeue(&mut self, now: Millis) {
        let recent: Vec<MatchId> = self.world.matches.keys().rev().take(30).copied().collect();
        if recent.is_empty() {
            return;
        }
        let of = *self.dice.one(&recent);
        let members: Vec<TicketId> = self.world.matches[&of].iter().copied().collect();
        let kept: Vec<Option<bool>> = members.iter().map(|id| self.world.is_kept(*id)).collect();
        let is_polled = members.iter().all(|id| self.world.tickets[id].polled.is_some());
        if kept.iter().all(|kept| *kept == Some(false)) {
            let answer = self.call("requeue of old", |engine| engine.requeue(now, of, &[]));
            assert_eq!(answer.unwrap_err().code, Code::NotFound, "{of:?} is no longer kept");
            return;
        }
        if !is_polled || kept.iter().any(|kept| *kept != Some(true)) {
            return;
        }
        // Whether a ticket may come back twice is its own affair; here it does so only while it is superseded.
        let mut asked: Vec<TicketId> = Vec::new();
        for id in members {
            let held = &self.world.tickets[&id];
            let is_superseded = held.request.players.iter().any(|p| self.world.players.contains_key(&p.id));
            let is_same_queue = self.world.named(&held.request.queue).is_none_or(|queue| queue == held.queue);
            if (!held.requeued || is_superseded) && is_same_queue && !self.dice.once_in(4) {
                asked.push(id);
            }
        }
        if let Some(stranger) = self.any_ticket().filter(|_| self.dice.once_in(5))
            && self.world.tickets[&stranger].state != State::Matched(of)
        {
            asked.push(stranger);
        }
        let answers = self.call("requeue", |engine| engine.requeue(now, of, &asked));
        let answers = answers.unwrap_or_else(|refusal| panic!("{refusal}: {of:?} is kept"));
        assert_eq!(answers.len(), asked.len());
        for (id, answer) in asked.iter().zip(&answers) {
            self.world.requeued(*id, of, answer);
            self.known.extend(answer.as_ref().ok());
        }
    }

    fn set_region(&mut self, now: Millis) {
        let region = *self.dice.one(&REGIONS);
        let up = self.world.down.contains(region) || !self.dice.once_in(2);
        let answer = self.call("set_region", |engine| engine.set_region(now, region, up));
        answer.unwrap();
        match up {
            true => self.world.down.remove(region),
            false => self.world.down.insert(region.to_owned()),
        };
    }

    fn change_queue(&mut self, now: Millis) {
        let index = self.dice.below(self.world.queues.len() as u64) as usize;
        let (id, kind) = (self.world.queues[index].id, self.world.queues[index].kind);
        let name = self.world.queues[index].judge.spec().name.clone();
        match self.world.queues[index].door {
            Door::Suspended => {
                self.call("resume_queue", |engine| engine.resume_queue(now, id)).unwrap();
                self.world.set_door(index, Door::Open);
            }
            Door::Open if self.dice.once_in(4) => {
                self.call("remove_queue", |engine| engine.remove_queue(now, id)).unwrap();
                self.world.set_door(index, Door::Removed);
                assert_eq!(self.engine.queue(&name), None, "its name is free at once");
            }
            Door::Open => {
                self.call("suspend_queue", |engine| engine.suspend_queue(now, id)).unwrap();
                self.world.set_door(index, Door::Suspended);
            }
            Door::Removed => {
                let answer = self.call("suspend removed", |engine| engine.suspend_queue(now, id));
                assert_eq!(answer.unwrap_err().code, Code::UnknownQueue);
                if self.world.named(&name).is_none() {
                    self.add_queue(kind, &name);
                }
            }
        }
    }

    /// Handles that the engine never gave out, and times that are none.
    fn forge(&mut self, now: Millis) {
        let base = self.any_ticket().map_or(1 << 32, |id| id.0);
        let forged = match self.dice.below(5) {
            0 => 0,
            1 => self.dice.next(),
            2 => base ^ (1 << (32 + self.dice.below(32))),
            3 => base ^ (1 << (26 + self.dice.below(6))),
            _ => base ^ (1 << self.dice.below(26)),
        };
        let id = TicketId(forged);
        if self.world.tickets.contains_key(&id) {
            return;
        }
        let answer = self.call("cancel forged", |engine| engine.cancel(now, id));
        assert_eq!(answer.unwrap_err().code, Code::NotFound);
        let answer = self.call("update forged", |engine| engine.update(now, id, TicketUpdate::default()));
        assert_eq!(answer.unwrap_err().code, Code::NotFound);
        let answer = self.call("ticket forged", |engine| engine.ticket(id));
        assert_eq!(answer.unwrap_err().code, Code::NotFound);
        let answer = self.call("requeue forged", |engine| engine.requeue(now, MatchId(id), &[]));
        assert_eq!(answer.unwrap_err().code, Code::NotFound);
        let beyond = Millis(self.dice.between(TIME_MS_MAX + 1, u64::MAX));
        let answer = self.call("tick beyond", |engine| engine.tick(beyond, 0));
        assert_eq!(answer.unwrap_err().code, Code::InvalidTime);
    }

    fn tick(&mut self, now: Millis) {
        let ending = self.world.start_tick();
        let budget = match self.plan.budgets {
            true => self.dice.between(1, 300),
            false => 0,
        };
        let forecast = (budget == 0).then(|| self.world.forecast());
        let report: TickReport = {
            let report = self.engine.tick(now, budget).unwrap();
            if let Some(shadow) = &self.shadow {
                let other = shadow.tick(now, budget).unwrap();
                assert_eq!(
                    (other.at, other.matches, other.ended, other.complete),
                    (report.at, report.matches, report.ended, report.complete)
                );
            }
            report
        };
        self.said.push(format!("tick: {report:?}"));
        assert_eq!((report.at, report.ended), (self.world.clock, ending));
        assert!(report.complete || budget > 0, "a tick without a budget visits every due ticket");
        let mut made: BTreeMap<MatchId, BTreeSet<TicketId>> = BTreeMap::new();
        for &id in &self.world.waiting {
            let status = self.engine.ticket(id).unwrap();
            match status.state {
                TicketState::Queued | TicketState::Forming => {
                    let held = &self.world.tickets[&id];
                    assert_eq!(status.age, self.world.clock.since(held.seniority.enqueued));
                    assert_eq!(status.user_data, held.request.user_data);
                    assert!(status.waiting_for.is_some());
                }
                TicketState::Matched(of) => drop(made.entry(of).or_default().insert(id)),
                TicketState::Ended(reason) => panic!("{id:?} ended with {reason}, and nothing ended it"),
            }
        }
        assert_eq!(report.matches, made.len() as u64);
        let cut_off = self.engine.stats().searches_cut_off;
        let is_exact = forecast.is_some() && cut_off == self.cut_off;
        self.world.matched(made.into_iter().collect(), forecast.filter(|_| is_exact));
        if budget == 0 && cut_off == 0 {
            self.nobody_is_passed_over();
        }
        self.cut_off = cut_off;
    }

    /// After a tick without a budget no legal match is left: among pairs none at all; elsewhere none among the
    /// oldest and some others, as far as the plain definition can look.
    fn nobody_is_passed_over(&mut self) {
        let down: Vec<&str> = self.world.down.iter().map(String::as_str).collect();
        for (index, queue) in self.world.queues.iter().enumerate() {
            let judge = &queue.judge;
            let mut pool = self.world.pool(index);
            pool.sort_by_key(|id| self.world.tickets[id].seniority);
            let is_duel = judge.full_size() == Some(2);
            let most = match is_duel {
                true => 60,
                false => {
                    (1..=12).rev().find(|n| exhaustive::is_enumerable(judge.team_count(), *n)).unwrap_or(1)
                }
            };
            // The oldest half stays; of the others some are drawn.
            let mut some: Vec<TicketId> = pool.iter().take(most / 2).copied().collect();
            let mut others: Vec<TicketId> = pool.iter().skip(most / 2).copied().collect();
            while some.len() < most && !others.is_empty() {
                let drawn = self.dice.below(others.len() as u64) as usize;
                some.push(others.swap_remove(drawn));
            }
            let judged: Vec<JudgedTicket<'_>> = some.iter().map(|id| self.world.judged(*id)).collect();
            let left = match is_duel {
                true => pairs::pairs(judge, &judged, self.world.clock, &down).unwrap().into_iter().next(),
                false => exhaustive::best_match(judge, &judged, self.world.clock, &down).unwrap(),
            };
            if let Some(left) = left {
                let tickets: Vec<TicketId> = left.tickets.iter().map(|ticket| some[*ticket]).collect();
                panic!("{:?} leaves {tickets:?} waiting at {} ms", queue.kind, self.world.clock.0);
            }
        }
    }

    fn poll(&mut self) {
        let most = if self.dice.once_in(2) { 10_000 } else { self.dice.between(1, 20) as usize };
        let rounds = if self.dice.once_in(3) { 1 } else { 10_000 };
        for _ in 0..rounds {
            let mut events = Vec::new();
            let count = self.engine.poll(&mut events, most);
            assert!(count == events.len() && count <= most);
            if let Some(shadow) = &self.shadow {
                let mut others = Vec::new();
                shadow.poll(&mut others, most);
                assert_eq!(plain(&others), plain(&events), "the shadow's events, and the engine's");
            }
            for event in &events {
                self.said.push(format!("{event:?}"));
                self.world.event(event);
            }
            if count == 0 {
                assert!(!self.world.expects_events(), "polled dry, and events are still to come");
                break;
            }
        }
    }

    /// Nobody is lost, nobody is counted twice.
    fn check_totals(&self) {
        let stats = self.engine.stats();
        let world = &self.world;
        assert_eq!(
            stats.submitted,
            stats.waiting + stats.matched + stats.ended,
            "submitted = live + matched + ended"
        );
        assert_eq!(stats.submitted, world.submitted);
        assert_eq!(stats.refused, world.refused);
        assert_eq!(stats.waiting, world.waiting.len() as u64);
        assert_eq!(stats.unpolled, u64::from(world.unpolled));
        assert_eq!(stats.matches, world.matches.len() as u64);
        assert_eq!(stats.matched, world.matches.values().map(|tickets| tickets.len() as u64).sum::<u64>());
        assert_eq!((stats.capacity, stats.retained_max), (world.capacity, world.retained));
        for (index, queue) in world.queues.iter().enumerate().filter(|(_, queue)| queue.door != Door::Removed)
        {
            let own =
                stats.queues.iter().find(|own| own.queue == queue.id).expect("an added queue has figures");
            let waiting: Vec<&Held> = world
                .waiting
                .iter()
                .map(|id| &world.tickets[id])
                .filter(|held| held.queue == index)
                .collect();
            let players: usize = waiting.iter().map(|held| held.request.players.len()).sum();
            assert_eq!((own.tickets, own.players), (waiting.len() as u64, players as u64));
            assert_eq!(own.suspended, queue.door == Door::Suspended);
            let oldest = waiting.iter().map(|held| held.seniority.enqueued).min();
            assert_eq!(own.oldest_age, oldest.map_or(Millis(0), |oldest| world.clock.since(oldest)));
        }
    }

    /// Asks about some tickets and some players.
    fn check_some_tickets(&mut self) {
        for _ in 0..4 {
            let player = PlayerId(u128::from(self.dice.below(self.plan.players)) << 70 | 1);
            let own = self.world.players.get(&player).copied();
            assert_eq!(self.engine.ticket_of(player), own, "where {player:?} is");
            let Some(id) = self.any_ticket() else { continue };
            let status = self.engine.ticket(id);
            let state = match self.world.tickets[&id].state {
                State::Waiting => TicketState::Queued,
                State::Matched(of) => TicketState::Matched(of),
                State::Ended(reason) => TicketState::Ended(reason),
            };
            let kept = if state == TicketState::Queued { Some(true) } else { self.world.is_kept(id) };
            match (kept, status) {
                (Some(true) | None, Ok(status)) => assert_eq!((status.id, status.state), (id, state)),
                (Some(false) | None, Err(refusal)) => assert_eq!(refusal.code, Code::NotFound),
                (kept, status) => panic!("{id:?} is {state:?}, kept {kept:?}: {status:?}"),
            }
        }
    }

    fn close(&mut self) {
        let now = Millis(self.world.clock.0 + 1);
        self.call("close", |engine| engine.close(now)).unwrap();
        self.world.at(now);
        self.world.close();
        self.asleep = 0;
        while self.world.expects_events() {
            self.poll();
        }
        self.check_totals();
        assert_eq!(self.engine.stats().waiting, 0);
        assert_eq!(self.engine.stats().unpolled, 0);
        let request = self.request(now);
        let answer = self.call("submit after close", |engine| engine.submit(now, request.clone()));
        assert_eq!(answer.unwrap_err().code, Code::EngineClosed);
        let answer = self.call("tick after close", |engine| engine.tick(now, 0).map(|report| report.matches));
        assert_eq!(answer.unwrap_err().code, Code::EngineClosed);
        for (id, held) in &self.world.tickets {
            assert_ne!(held.state, State::Waiting, "{id:?} waits for ever");
            assert!(held.polled.is_some(), "{id:?} had no terminal event");
        }
        for player in 0..self.plan.players {
            assert_eq!(self.engine.ticket_of(PlayerId(u128::from(player) << 70 | 1)), None);
        }
    }
}

/// Events as text: what a host can tell apart.
fn plain(events: &[Event]) -> Vec<String> {
    events.iter().map(|event| format!("{event:?}")).collect()
}
