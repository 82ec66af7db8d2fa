//! What a host must believe about its engine: every ticket, every player, every queue, and the events to come.
//!
//! Used by the run, which asks it before each call what may be answered, and after each call whether it was.
//! It shares nothing with the engine but the judge and the plain definitions. Invariant: every accepted ticket
//! is in exactly one of waiting, matched and ended, and has exactly one terminal event, polled once.

use super::field::{self, Kind};
use evenmatch::assemble::chosen::ChosenMatch;
use evenmatch::assemble::{exhaustive, pairs};
use evenmatch::model::codes::{Code, EndReason, Refusal};
use evenmatch::model::event::{Event, MatchRecord};
use evenmatch::model::ids::{MatchId, Millis, PlayerId, QueueId, Seniority, TicketId};
use evenmatch::model::request::{TicketRequest, TicketUpdate};
use evenmatch::rules::check::{Judge, JudgedTicket};
use evenmatch::rules::spec::{RuleKind, Selection};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Pools of duels up to this size are matched by the plain definition at every tick.
const PAIRS_POOL_MAX: usize = 80;

/// Where a ticket is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Waiting,
    Matched(MatchId),
    Ended(EndReason),
}

/// One accepted ticket.
pub struct Held {
    pub request: TicketRequest,
    pub seniority: Seniority,
    pub queue: usize,
    pub state: State,
    pub attempts: u32,
    /// Its place in the order of polled tickets.
    pub polled: Option<usize>,
    /// It went back into the queue as another ticket.
    pub requeued: bool,
    /// Changes that the next tick takes in.
    changes: Vec<TicketUpdate>,
}

/// Whether a queue takes and matches tickets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Door {
    Open,
    Suspended,
    Removed,
}

/// One queue that was ever added.
pub struct Queue {
    pub id: QueueId,
    pub kind: Kind,
    pub door: Door,
    /// Opened again since the last tick, so that a submit may still be told to come later.
    just_resumed: bool,
    pub judge: Judge,
    removal_pending: bool,
}

/// A terminal event that must come.
enum Coming {
    Ended {
        ticket: TicketId,
        at: Millis,
        reason: EndReason,
    },
    /// Ends whose order among themselves nothing states.
    Group {
        tickets: BTreeSet<TicketId>,
        at: Millis,
        reason: EndReason,
    },
    Match {
        id: MatchId,
        tickets: BTreeSet<TicketId>,
        at: Millis,
        down: Vec<String>,
        lineup: Option<Foreseen>,
    },
}

/// A match that a plain definition foresaw: each ticket's team, and the region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foreseen {
    teams: BTreeMap<TicketId, String>,
    region: Option<String>,
}

/// What the plain definitions foresee of a tick, by queue: `None` where the pool is too large for them.
pub type Forecast = BTreeMap<usize, Option<Vec<Foreseen>>>;

/// The whole belief.
pub struct World {
    pub clock: Millis,
    pub capacity: u32,
    pub retained: u32,
    pub queues: Vec<Queue>,
    pub tickets: BTreeMap<TicketId, Held>,
    pub waiting: BTreeSet<TicketId>,
    pub players: BTreeMap<PlayerId, TicketId>,
    pub down: BTreeSet<String>,
    pub matches: BTreeMap<MatchId, BTreeSet<TicketId>>,
    pub submitted: u64,
    pub refused: u64,
    pub polled: usize,
    pub unpolled: u32,
    next_number: u64,
    coming: VecDeque<Coming>,
}

impl World {
    pub fn new(capacity: u32, retained: u32) -> World {
        World {
            clock: Millis(0),
            capacity,
            retained,
            queues: Vec::new(),
            tickets: BTreeMap::new(),
            waiting: BTreeSet::new(),
            players: BTreeMap::new(),
            down: BTreeSet::new(),
            matches: BTreeMap::new(),
            submitted: 0,
            refused: 0,
            polled: 0,
            unpolled: 0,
            next_number: 0,
            coming: VecDeque::new(),
        }
    }

    /// Every call that carries a time passes here first: time never runs back.
    pub fn at(&mut self, now: Millis) -> Millis {
        self.clock = self.clock.max(now);
        self.clock
    }

    pub fn add_queue(&mut self, id: QueueId, kind: Kind, judge: Judge) {
        assert!(self.queues.iter().all(|queue| queue.id < id), "queue ids grow and are never used again");
        self.queues.push(Queue {
            id,
            kind,
            door: Door::Open,
            just_resumed: false,
            judge,
            removal_pending: false,
        });
    }

    /// The queue that bears the name now.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.queues.iter().position(|queue| queue.door != Door::Removed && queue.judge.spec().name == name)
    }

    pub fn set_door(&mut self, queue: usize, door: Door) {
        let queue = &mut self.queues[queue];
        queue.just_resumed = queue.door == Door::Suspended && door == Door::Open;
        queue.removal_pending = door == Door::Removed;
        queue.door = door;
    }

    /// The codes of which one must be answered (none: accepted), and those that may be answered besides.
    pub fn refusals(&self, request: &TicketRequest) -> (Vec<Code>, Vec<Code>) {
        let (mut must, mut may) = (Vec::new(), Vec::new());
        match self.named(&request.queue) {
            None => must.push(Code::UnknownQueue),
            Some(queue) if self.queues[queue].door == Door::Suspended => must.push(Code::QueueSuspended),
            Some(queue) if self.queues[queue].just_resumed => may.push(Code::QueueSuspended),
            Some(_) => {}
        }
        let distinct: BTreeSet<PlayerId> = request.players.iter().map(|player| player.id).collect();
        if distinct.len() < request.players.len() {
            must.push(Code::DuplicatePlayer);
        }
        if distinct.iter().any(|player| self.players.contains_key(player)) {
            must.push(Code::PlayerAlreadyQueued);
        }
        if self.waiting.len() as u32 + self.unpolled >= self.capacity {
            must.push(Code::QueueFull);
        }
        if self.may_be_out_of_reach(request) {
            may.push(Code::Unmatchable);
        }
        (must, may)
    }

    /// Whether no region ever comes within the ticket's ping window before it times out.
    pub fn may_be_out_of_reach(&self, request: &TicketRequest) -> bool {
        let Some(queue) = self.named(&request.queue) else { return false };
        let judge = &self.queues[queue].judge;
        let spec = judge.spec();
        let Some(rule) = spec.rules.iter().position(|rule| matches!(rule.kind, RuleKind::Region { .. }))
        else {
            return false;
        };
        // An update may shorten the wait, so the last ms before the sooner timeout counts.
        let Some(end) = [spec.timeout, request.timeout].into_iter().flatten().min() else { return false };
        let last = Millis(end.0.saturating_sub(1));
        let Ok(facts) = judge.read(&JudgedTicket { seniority: Seniority::default(), request }, last) else {
            return false;
        };
        let best = facts.pings().values().min().copied();
        facts.window(rule).is_some_and(|window| best.is_none_or(|best| best > window))
    }

    /// Takes in the answer to a submit.
    pub fn submitted(&mut self, request: &TicketRequest, answer: &Result<TicketId, Refusal>) {
        let (must, may) = self.refusals(request);
        match answer {
            Err(refusal) => {
                assert!(
                    must.contains(&refusal.code) || may.contains(&refusal.code),
                    "refused with {refusal}, foreseen were {must:?}: {request:?}"
                );
                if refusal.code == Code::PlayerAlreadyQueued {
                    let named = refusal.ticket.expect("names the ticket");
                    assert!(
                        request.players.iter().any(|player| self.players.get(&player.id) == Some(&named))
                    );
                }
                self.refused += 1;
            }
            Ok(id) => {
                assert!(must.is_empty(), "accepted {request:?} in spite of {must:?}");
                let enqueued = request.enqueued.map_or(self.clock, |enqueued| enqueued.min(self.clock));
                let number = self.next_number;
                self.next_number += 1;
                let seniority = Seniority { enqueued, submit_number: number };
                self.hold(*id, request.clone(), seniority, 0);
            }
        }
    }

    fn hold(&mut self, id: TicketId, request: TicketRequest, seniority: Seniority, attempts: u32) {
        assert_ne!(id.0, 0);
        let queue = self.named(&request.queue).expect("accepted for a queue");
        for player in &request.players {
            assert_eq!(self.players.insert(player.id, id), None, "a player in two live tickets");
        }
        let held = Held {
            request,
            seniority,
            queue,
            state: State::Waiting,
            attempts,
            polled: None,
            requeued: false,
            changes: Vec::new(),
        };
        assert!(self.tickets.insert(id, held).is_none(), "id {id:?} was given out twice");
        self.waiting.insert(id);
        self.submitted += 1;
    }

    /// What requeue must answer for a ticket of a match that is certainly retained.
    pub fn requeue_refusals(&self, ticket: TicketId, of: MatchId) -> Vec<Code> {
        let held = &self.tickets[&ticket];
        if held.state != State::Matched(of) {
            return vec![Code::NotFound];
        }
        let (mut codes, may) = self.refusals(&held.request);
        codes.extend(may);
        for code in codes.iter_mut().filter(|code| **code == Code::PlayerAlreadyQueued) {
            *code = Code::Superseded;
        }
        codes
    }

    /// Takes in the answer to the requeue of one ticket.
    pub fn requeued(&mut self, ticket: TicketId, of: MatchId, answer: &Result<TicketId, Refusal>) {
        let codes = self.requeue_refusals(ticket, of);
        match answer {
            Err(refusal) => {
                assert!(codes.contains(&refusal.code), "requeue refused with {refusal}, foreseen {codes:?}");
                if refusal.code == Code::Superseded {
                    let named = refusal.ticket.expect("names the ticket");
                    let players = &self.tickets[&ticket].request.players;
                    assert!(players.iter().any(|player| self.players.get(&player.id) == Some(&named)));
                }
                // A ticket that is not there is nobody who is refused.
                self.refused += u64::from(refusal.code != Code::NotFound);
            }
            Ok(id) => {
                assert!(
                    codes.iter().all(|code| matches!(code, Code::QueueSuspended | Code::Unmatchable)),
                    "requeued in spite of {codes:?}"
                );
                let held = self.tickets.get_mut(&ticket).expect("known");
                held.requeued = true;
                let (request, seniority, attempts) =
                    (held.request.clone(), held.seniority, held.attempts + 1);
                self.hold(*id, request, seniority, attempts);
            }
        }
    }

    pub fn change(&mut self, ticket: TicketId, update: TicketUpdate) {
        self.tickets.get_mut(&ticket).expect("known").changes.push(update);
    }

    /// A waiting ticket ends by a call.
    pub fn end(&mut self, ticket: TicketId, reason: EndReason) {
        self.close_ticket(ticket, State::Ended(reason));
        self.coming.push_back(Coming::Ended { ticket, at: self.clock, reason });
    }

    fn close_ticket(&mut self, ticket: TicketId, state: State) {
        assert!(self.waiting.remove(&ticket), "{ticket:?} does not wait");
        let held = self.tickets.get_mut(&ticket).expect("known");
        held.state = state;
        for player in &held.request.players {
            assert_eq!(self.players.remove(&player.id), Some(ticket));
        }
        self.unpolled += 1;
    }

    fn end_group(&mut self, tickets: BTreeSet<TicketId>, reason: EndReason) {
        if tickets.is_empty() {
            return;
        }
        for ticket in &tickets {
            self.close_ticket(*ticket, State::Ended(reason));
        }
        self.coming.push_back(Coming::Group { tickets, at: self.clock, reason });
    }

    /// Everything that a tick at the clock's time does before it matches: changes, removals, expiries.
    /// Returns how many tickets end.
    pub fn start_tick(&mut self) -> u64 {
        let before = self.waiting.len();
        for held in self.tickets.values_mut() {
            for update in std::mem::take(&mut held.changes) {
                field::apply(&mut held.request, update);
            }
        }
        for queue in &mut self.queues {
            queue.just_resumed = false;
        }
        let mut removed: BTreeSet<usize> = BTreeSet::new();
        for (index, queue) in self.queues.iter_mut().enumerate() {
            if std::mem::take(&mut queue.removal_pending) {
                removed.insert(index);
            }
        }
        let of_removed = self.waiting.iter().copied().filter(|id| removed.contains(&self.tickets[id].queue));
        let of_removed: BTreeSet<TicketId> = of_removed.collect();
        self.end_group(of_removed, EndReason::QueueRemoved);
        let mut expired: Vec<(Millis, u64, TicketId)> = Vec::new();
        for &id in &self.waiting {
            let held = &self.tickets[&id];
            if let Some(deadline) = self.deadline(held).filter(|deadline| *deadline <= self.clock) {
                expired.push((deadline, held.seniority.submit_number, id));
            }
        }
        expired.sort();
        for (_, _, id) in expired {
            self.end(id, EndReason::TimedOut);
        }
        (before - self.waiting.len()) as u64
    }

    pub fn deadline(&self, held: &Held) -> Option<Millis> {
        let queues = self.queues[held.queue].judge.spec().timeout;
        let least = [queues, held.request.timeout].into_iter().flatten().min()?;
        Some(held.seniority.enqueued.after(least))
    }

    /// The tickets that a tick may match in a queue.
    pub fn pool(&self, queue: usize) -> Vec<TicketId> {
        if self.queues[queue].door != Door::Open {
            return Vec::new();
        }
        self.waiting.iter().copied().filter(|id| self.tickets[id].queue == queue).collect()
    }

    pub fn judged(&self, id: TicketId) -> JudgedTicket<'_> {
        let held = &self.tickets[&id];
        JudgedTicket { seniority: held.seniority, request: &held.request }
    }

    /// What the plain definition of `oldest_first` makes of a pool; `None`: it is too large.
    fn definition(
        &self,
        judge: &Judge,
        pool: &[JudgedTicket<'_>],
        down: &[&str],
    ) -> Option<Vec<ChosenMatch>> {
        if judge.full_size() == Some(2) && pool.len() <= PAIRS_POOL_MAX {
            Some(pairs::pairs(judge, pool, self.clock, down).unwrap())
        } else if exhaustive::is_enumerable(judge.team_count(), pool.len()) {
            Some(exhaustive::all_matches(judge, pool, self.clock, down).unwrap())
        } else {
            None
        }
    }

    /// A whole tick of a queue that selects by least cost leaves no legal match behind.
    fn nothing_is_left(&self) {
        let down: Vec<&str> = self.down.iter().map(String::as_str).collect();
        for (index, queue) in self.queues.iter().enumerate() {
            if queue.judge.spec().selection == Selection::LeastCost {
                let pool: Vec<JudgedTicket<'_>> =
                    self.pool(index).iter().map(|id| self.judged(*id)).collect();
                let left = self.definition(&queue.judge, &pool, &down).unwrap_or_default();
                assert!(left.is_empty(), "queue {index} ({:?}) at {} ms: {left:?}", queue.kind, self.clock.0);
            }
        }
    }

    /// What the plain definitions say about the tick that starts now.
    pub fn forecast(&self) -> Forecast {
        let down: Vec<&str> = self.down.iter().map(String::as_str).collect();
        let mut forecast = Forecast::new();
        for (index, queue) in self.queues.iter().enumerate() {
            let pool = self.pool(index);
            let judged: Vec<JudgedTicket<'_>> = pool.iter().map(|id| self.judged(*id)).collect();
            let judge = &queue.judge;
            let is_oldest_first = judge.spec().selection == Selection::OldestFirst;
            let chosen = self.definition(judge, &judged, &down).filter(|_| is_oldest_first);
            let names = judge.team_names();
            let foreseen = chosen.map(|matches| {
                let each = matches.into_iter().map(|chosen| Foreseen {
                    teams: chosen
                        .tickets
                        .iter()
                        .zip(&chosen.teams)
                        .map(|(ticket, team)| (pool[*ticket], names[*team].to_owned()))
                        .collect(),
                    region: chosen.region.as_deref().map(str::to_owned),
                });
                each.collect()
            });
            forecast.insert(index, foreseen);
        }
        forecast
    }

    /// Takes in the matches of a tick, each the set of its tickets. With a forecast they must be those.
    pub fn matched(&mut self, mut made: Vec<(MatchId, BTreeSet<TicketId>)>, forecast: Option<Forecast>) {
        let oldest = |world: &World, tickets: &BTreeSet<TicketId>| {
            tickets.iter().map(|id| (world.tickets[id].seniority, *id)).min().expect("a match has tickets")
        };
        made.sort_by_key(|(_, tickets)| {
            let (seniority, id) = oldest(self, tickets);
            (self.tickets[&id].queue, seniority)
        });
        if let Some(forecast) = &forecast {
            for (queue, foreseen) in forecast {
                let Some(foreseen) = foreseen else { continue };
                let sets: Vec<BTreeSet<TicketId>> =
                    foreseen.iter().map(|one| one.teams.keys().copied().collect()).collect();
                let own: Vec<BTreeSet<TicketId>> = made
                    .iter()
                    .filter(|(_, tickets)| tickets.iter().all(|id| self.tickets[id].queue == *queue))
                    .map(|(_, tickets)| tickets.clone())
                    .collect();
                let kind = self.queues[*queue].kind;
                assert_eq!(own, sets, "queue {queue} ({kind:?}) at {} ms: made, and foreseen", self.clock.0);
            }
        }
        for (id, tickets) in made {
            let (_, first) = oldest(self, &tickets);
            assert_eq!(id.0, first, "a match bears the id of its oldest ticket");
            let queue = self.tickets[&first].queue;
            assert_eq!(self.queues[queue].door, Door::Open, "matched in a queue that is not open");
            let lineup = forecast.as_ref().and_then(|forecast| forecast.get(&queue)).and_then(|foreseen| {
                foreseen.as_ref()?.iter().find(|one| one.teams.contains_key(&first)).cloned()
            });
            for ticket in &tickets {
                self.close_ticket(*ticket, State::Matched(id));
            }
            assert!(self.matches.insert(id, tickets.clone()).is_none(), "match {id:?} was made twice");
            self.coming.push_back(Coming::Match {
                id,
                tickets,
                at: self.clock,
                down: self.down.iter().cloned().collect(),
                lineup,
            });
        }
        if forecast.is_some() {
            self.nothing_is_left();
        }
    }

    /// Ends everything that waits, as `close` does.
    pub fn close(&mut self) {
        self.end_group(self.waiting.clone(), EndReason::EngineClosed);
    }

    /// Takes in one polled event, which must be the next one.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Ended(ended) => {
                let held = &self.tickets[&ended.ticket];
                assert_eq!(ended.user_data, held.request.user_data);
                assert_eq!(ended.queue, self.queues[held.queue].id);
                let mut front = self.coming.pop_front().expect("no event is to come");
                match &mut front {
                    Coming::Ended { ticket, at, reason } => {
                        assert_eq!((ended.ticket, ended.at, ended.reason), (*ticket, *at, *reason));
                    }
                    Coming::Group { tickets, at, reason } => {
                        assert_eq!((ended.at, ended.reason), (*at, *reason));
                        assert!(tickets.remove(&ended.ticket), "{ended:?} is not among {tickets:?}");
                        if !tickets.is_empty() {
                            self.coming.push_front(front);
                        }
                    }
                    Coming::Match { id, .. } => panic!("{ended:?} before match {id:?}"),
                }
                self.mark_polled(ended.ticket);
            }
            Event::Match(record) => self.match_event(record),
        }
    }

    fn match_event(&mut self, record: &MatchRecord) {
        let front = self.coming.pop_front().expect("no event is to come");
        let Coming::Match { id, tickets, at, down, lineup } = front else {
            panic!("match {:?} before an end that must come first", record.id)
        };
        assert_eq!((record.id, record.at), (id, at));
        let own: BTreeSet<TicketId> = record.tickets.iter().map(|ticket| ticket.id).collect();
        assert_eq!(own, tickets);
        let queue = &self.queues[self.tickets[&id.0].queue];
        assert_eq!(record.queue, queue.id);
        let down: Vec<&str> = down.iter().map(String::as_str).collect();
        let lookup = |id: TicketId| self.tickets.get(&id).map(|held| (held.seniority, &held.request));
        if let Err(violation) = queue.judge.match_record(record, lookup, &down) {
            panic!("the judge refuses {record:#?}: {violation}");
        }
        let teams: BTreeMap<TicketId, String> = record
            .tickets
            .iter()
            .map(|ticket| (ticket.id, record.teams[ticket.team as usize].name.to_string()))
            .collect();
        if let Some(foreseen) = lineup {
            let made = Foreseen { teams, region: record.region.as_deref().map(str::to_owned) };
            assert_eq!(made, foreseen, "queue {:?}: made, and foreseen", queue.kind);
        }
        for ticket in &record.tickets {
            let held = &self.tickets[&ticket.id];
            assert_eq!((ticket.attempts, ticket.user_data), (held.attempts, held.request.user_data));
            assert!(!ticket.update_lost, "every update came before the tick");
        }
        for ticket in record.tickets.iter().map(|ticket| ticket.id).collect::<Vec<TicketId>>() {
            self.mark_polled(ticket);
        }
    }

    fn mark_polled(&mut self, ticket: TicketId) {
        let held = self.tickets.get_mut(&ticket).expect("known");
        assert_eq!(held.polled.replace(self.polled), None, "two terminal events for {ticket:?}");
        self.polled += 1;
        self.unpolled -= 1;
    }

    /// Whether an event is still to come.
    pub fn expects_events(&self) -> bool {
        !self.coming.is_empty()
    }

    /// Whether a ticket that is over is kept: surely, surely not, or (`None`) either, since the tickets of one
    /// match are polled together.
    pub fn is_kept(&self, ticket: TicketId) -> Option<bool> {
        let held = &self.tickets[&ticket];
        let Some(place) = held.polled else { return Some(true) };
        let group = match held.state {
            State::Matched(of) => self.matches[&of].len(),
            _ => 1,
        };
        let newer = self.polled - 1 - place;
        let retained = self.retained as usize;
        if newer + group <= retained {
            Some(true)
        } else if newer >= retained + group {
            Some(false)
        } else {
            None
        }
    }
}
