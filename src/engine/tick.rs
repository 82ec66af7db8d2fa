//! One tick: calls are taken in, the matcher runs, the results are handed over.
//!
//! One thread at a time; no other call waits for it. Invariant: the events of a tick are queued together when it has
//! ended, in their order, with no other event in between.

use super::door::{Door, id_of};
use super::down::DownRegions;
use super::elsewhere::Known;
use super::finishing::{Finishing, Looks};
use super::head::MatchHead;
use super::intake::Intake;
use super::log::ClaimTurns;
use super::ticket::{End, Seat};
use crate::base::board::{Board, Helper};
use crate::base::cells::Run;
use crate::base::crew::Crew;
use crate::base::mirror::Mirror;
use crate::base::sync::Ordering;
use crate::claim::commit::EndOutcome;
use crate::model::codes::{EndReason, Refusal};
use crate::model::ids::{Millis, Seniority, TicketId};
use crate::model::status::TickReport;
use crate::queue::elsewhere::{Commits, Elsewhere};
use crate::queue::matcher::Matcher;
use crate::queue::outcome::{Expired, MatchFound, Placement};
use crate::queue::stats::Accounts;
use std::ops::Range;

/// What a tick holds: the matcher, what it knows of the tickets, and its buffers.
#[derive(Default)]
pub(super) struct TickState {
    pub matcher: Matcher,
    board: Board,
    crew: Crew,
    pub intake: Intake,
    /// The events of the tick, in their order.
    events: Vec<u64>,
}

impl TickState {
    /// A state without queues, whose searches visit at most so many nodes each.
    pub(super) fn new(search_nodes: u32) -> TickState {
        TickState { matcher: Matcher::new(search_nodes), ..TickState::default() }
    }

    /// Starts so many threads that help at each tick. Error: the system gives no more.
    pub(super) fn start_threads(&mut self, count: usize) -> std::io::Result<()> {
        self.crew = Crew::start(count, &mut self.board)?;
        Ok(())
    }

    /// Where threads help.
    pub(super) fn helper(&self) -> Helper {
        self.board.helper()
    }

    /// Searches in rounds of a fixed size, deals them in an order of its own, and lets threads yield between them.
    pub(super) fn disturb(&mut self, anchors: Option<usize>, seed: u64) {
        self.board.disturb(seed);
        if let Some(anchors) = anchors {
            self.matcher.fix_rounds(anchors);
        }
    }

    /// Runs one tick.
    pub(super) fn run<'a>(
        &mut self,
        door: &'a Door,
        accounts: &Mirror<Accounts>,
        now: Millis,
        budget: u64,
        meet: Option<&'a mut dyn FnMut(u64)>,
    ) -> Result<TickReport, Refusal> {
        let now = self.begin(door, now)?;
        self.matcher.outcome.clear();
        let claim_turns = ClaimTurns::new(door, meet);
        let commits = Commits { turns: claim_turns.kept(), ..Commits::from(&*door.claims) };
        self.intake.take_calls(door, &mut self.matcher, commits, now);
        let known = Known { door, intake: &self.intake, now };
        let elsewhere = door.many_queues.then_some(&known as &dyn Elsewhere);
        let commits = Commits { elsewhere, ..commits };
        let complete = self.matcher.tick(now, budget, commits, &mut self.board.jobs());
        let due = self.matcher.next_due(now);
        claim_turns.let_in(u64::MAX);
        let turn = door.tick_turn();
        let ended = self.end_forming(door, now) + self.matcher.outcome.elsewhere.len() as u64;
        // From here on every ticket of the outcome is ended or matched.
        let mut finishing = door.finishing();
        self.hand_over_ends(&mut finishing, door, now);
        self.hand_over_matches(&mut finishing, door, now);
        drop(finishing);
        self.intake.close_record(door, now, budget, &mut self.events);
        door.events.push_chain(self.events.drain(..));
        door.running.store(u64::MAX, Ordering::Release);
        drop(turn);
        let outcome = &self.matcher.outcome;
        let matches = outcome.matches.len() as u64;
        let counts = &door.counts;
        counts.ticks.fetch_add(1, Ordering::Relaxed);
        counts.steps.fetch_add(outcome.steps, Ordering::Relaxed);
        counts.searches_cut_off.fetch_add(outcome.searches_cut_off, Ordering::Relaxed);
        counts.matches.fetch_add(matches, Ordering::Relaxed);
        // What has been taken but not looked at is to be looked at soon.
        let soon = self.intake.has_calls().then(|| now.after(Millis(1)));
        let due = [due, soon, self.intake.forming.next_deadline()].into_iter().flatten().min();
        door.due.store(due.map_or(u64::MAX, |due| due.0), Ordering::Relaxed);
        let steps = outcome.steps;
        accounts.change(|accounts| accounts.take(outcome, self.intake.orders(), now));
        if !outcome.came.is_empty() {
            accounts.read(|accounts| self.matcher.draw_from(|queue| accounts.drawn_from(queue)));
        }
        self.matcher.outcome.rest();
        Ok(TickReport { at: now, steps, matches, ended, complete })
    }

    /// From here on calls are for the next tick.
    fn begin(&mut self, door: &Door, now: Millis) -> Result<Millis, Refusal> {
        let _turn = door.tick_turn();
        let now = door.enter(now)?;
        // Release pairs with the acquire in `Door::end`.
        door.running.store(now.0, Ordering::Release);
        door.record.iter().for_each(|record| record.set_claims_made(0));
        self.intake.fetch_calls(door);
        Ok(now)
    }

    /// Ends every ticket, and the engine's threads: the door has been closed.
    pub(super) fn close(&mut self, door: &Door, now: Millis) {
        // So that every ticket has its number.
        self.intake.fetch_calls(door);
        self.intake.take_calls(door, &mut self.matcher, Commits::from(&*door.claims), now);
        let mut live: Vec<(u64, TicketId)> = (0..door.tickets.len())
            .filter_map(|slot| door.tickets.any(slot))
            .filter(|ticket| !ticket.is_over())
            .map(|ticket| (ticket.submit_number(), id_of(&ticket)))
            .collect();
        live.sort_unstable();
        for (_, id) in live {
            // One whose submit is still under way ends itself, as that finds the door closed.
            let _ = door.end(id, EndReason::EngineClosed, now);
        }
        self.matcher.clear();
        (self.intake, self.crew) = (Intake::default(), Crew::default());
        // The ends were pushed as calls, which no tick will take.
        door.ingress.take(&mut Vec::new());
    }

    /// Says of the tickets that the tick ends that are in no search that they end; returns how many end in all.
    ///
    /// Forming tickets end here, as no search knows them: behind the others of removed queues, and among the
    /// others in the order of deadlines.
    fn end_forming(&mut self, door: &Door, now: Millis) -> u64 {
        let outcome = &mut self.matcher.outcome;
        let claims = &door.claims;
        let removed = self.intake.forming.take_removed();
        outcome.removed.extend(removed.into_iter().filter(|&(_, id)| claims.end(id) == EndOutcome::Ended));
        let forming = self.intake.forming.take_due(now);
        if !forming.is_empty() {
            let ended = forming.into_iter().filter(|&(_, _, id)| claims.end(id) == EndOutcome::Ended);
            let expired = ended.map(|(deadline, submit_number, id)| Expired {
                deadline,
                submit_number,
                id,
                starved: false,
            });
            outcome.expired.extend(expired);
            outcome.expired.sort_unstable();
        }
        (outcome.removed.len() + outcome.expired.len()) as u64
    }

    /// Writes the ends that the tick brought about.
    fn hand_over_ends(&mut self, finishing: &mut Finishing<'_>, door: &Door, now: Millis) {
        let outcome = &self.matcher.outcome;
        for &(_, id) in &outcome.removed {
            let end = End::Ended(EndReason::QueueRemoved);
            self.intake.let_go(id, |took| finishing.finish(id, end, now, took));
            self.events.push(id.0);
        }
        for &Expired { id, starved, .. } in &outcome.expired {
            door.counts.starved.fetch_add(u64::from(starved), Ordering::Relaxed);
            self.intake.let_go(id, |took| finishing.finish(id, End::Ended(EndReason::TimedOut), now, took));
            self.events.push(id.0);
        }
    }

    fn hand_over_matches(&mut self, finishing: &mut Finishing<'_>, door: &Door, now: Millis) {
        let (mut placement, mut region, mut other) = (0, 0, 0);
        let mut looks = Looks::new(door);
        for at in 0..self.matcher.outcome.matches.len() {
            let found = &self.matcher.outcome.matches[at];
            let tickets = placement..placement + found.ticket_count as usize;
            let regions = region..region + found.region_count as usize;
            (placement, region) = (tickets.end, regions.end);
            let found = *found;
            self.hand_over_match((finishing, &mut looks), door, now, &found, tickets, regions);
            let others = other..other + found.elsewhere_count as usize;
            other = others.end;
            self.hand_over_others(finishing, now, others);
        }
    }

    /// Ends the tickets that the players of a match had in other queues, forming ones among them.
    fn hand_over_others(&mut self, finishing: &mut Finishing<'_>, now: Millis, others: Range<usize>) {
        let end = End::Ended(EndReason::MatchedElsewhere);
        for &id in &self.matcher.outcome.elsewhere[others] {
            self.intake.forming.remove(id);
            self.intake.let_go(id, |took| finishing.finish(id, end, now, took));
            self.events.push(id.0);
        }
    }

    fn hand_over_match(
        &mut self,
        (finishing, looks): (&mut Finishing<'_>, &mut Looks<'_>),
        door: &Door,
        now: Millis,
        found: &MatchFound,
        tickets: Range<usize>,
        regions: Range<usize>,
    ) {
        let rest = &self.matcher.outcome.placements[tickets.start..];
        let placements = &rest[..tickets.len()];
        let numbers = &self.matcher.outcome.regions[regions];
        for (at, placed) in placements.iter().enumerate() {
            let to_come = rest[at..].iter().map(|placed| placed.id);
            let Some((ticket, heads)) = looks.next(finishing, to_come) else {
                debug_assert!(false, "a ticket stays until its event has been polled");
                continue;
            };
            if placed.id == found.oldest {
                let first = placements[0].id;
                let run = MatchHead::put(heads, &found.quality, first, numbers);
                debug_assert!(run.is_some(), "there is room for every match");
                ticket.set_head(run.unwrap_or(Run::NONE));
                if let Some(rare) = ticket.rare.get() {
                    let first = rare.order.set(self.intake.order(found.queue));
                    debug_assert!(first.is_ok(), "a ticket is the oldest of one match");
                }
            }
            let next = placements.get(at + 1).map(|next| next.id);
            let end = End::Matched(Seat { position: placed.position, next });
            self.intake.let_go(placed.id, |took| {
                finishing.finish_ticket(ticket, end, now, took);
            });
        }
        finishing.count_match();
        if door.check_matches {
            check(door, found.oldest, &self.matcher.outcome.placements[tickets], &self.intake.down);
        }
        self.events.push(found.oldest.0);
    }
}

/// Has the independent judge look at a match before it is released.
fn check(door: &Door, oldest: TicketId, placements: &[Placement], down: &DownRegions) {
    let Some(ticket) = door.ticket(oldest) else { return };
    let Some(judge) = &ticket.queue.judge else { return };
    let Some(terminal) = ticket.terminal() else { return };
    let Some(record) = door.match_record(&ticket, terminal.at) else { return };
    let tickets: Vec<_> = placements.iter().filter_map(|placed| door.ticket(placed.id)).collect();
    let requests: Vec<_> = tickets
        .iter()
        .map(|ticket| {
            let told = door.told_last(ticket);
            let seniority = Seniority { enqueued: told.enqueued(), submit_number: ticket.submit_number() };
            (id_of(ticket), seniority, told.request().into_owned())
        })
        .collect();
    let lookup = |id| {
        let found = requests.iter().find(|&&(other, ..)| other == id);
        found.map(|(_, seniority, request)| (*seniority, request))
    };
    let down: Vec<&str> = down.names(ticket.queue.regions.how()).iter().map(String::as_str).collect();
    let verdict = judge.match_record(&record, lookup, &down);
    assert!(verdict.is_ok(), "the engine made a match that is not legal: {verdict:?} {record:?}");
}
