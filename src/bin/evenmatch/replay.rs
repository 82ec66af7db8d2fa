//! The replay of a trace: lines in, calls of the engine, lines out.
//!
//! Driven by `run`, which owns the files; nothing here reads or writes one. The engine's time is that of the
//! trace. At a tick for T the inputs with `at <= T` have been given, in the order of their lines; after every
//! input the events that it caused are written, so refused lines, cancels and matches stand in the order in
//! which they happened. Invariant: the output is a function of the lines and the options alone. Ticks at
//! which nothing can happen (`next_due`) are left out, which nobody can see.

mod departure;
mod entry;
mod follow;
mod record;

use follow::Followed;

use self::departure::{Departure, Held};
use crate::failure::Failure;
use crate::names::Names;
use crate::summary::Summary;
use crate::watch::Watch;
use evenmatch::config::trace::{QueueState, TraceAction, TraceLine};
use evenmatch::config::write::{Subject, write_event, write_refused};
use evenmatch::config::{ConfigError, TEXT_BYTES_MAX, read_trace_line};
use evenmatch::engine::Engine;
use evenmatch::model::codes::{Code, Refusal};
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, PlayerId, TicketId};
use evenmatch::model::limits::TIME_MS_MAX;
use std::time::Instant;

/// When the engine looks for matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ticking {
    /// At 0 and every so many milliseconds.
    Every(u64),
    /// Once at each instant with inputs, after all of them, and whenever something is due.
    Events,
    /// At the ticks that the trace has recorded, with their budgets.
    Recorded,
}

/// How a trace is replayed.
#[derive(Clone, Debug)]
pub(crate) struct ReplayOptions {
    /// The trace's name, for messages.
    pub(crate) file: String,
    /// When the engine looks for matches.
    pub(crate) ticking: Ticking,
    /// The last instant; `None`: until nothing is due.
    pub(crate) until: Option<Millis>,
    /// Whether a line that is not right ends the replay.
    pub(crate) strict: bool,
}

/// Takes each line of the output.
type Output<'a> = &'a mut dyn FnMut(&str) -> Result<(), Failure>;

/// A running replay.
pub(crate) struct Replay<'a> {
    engine: &'a Engine,
    options: ReplayOptions,
    output: Output<'a>,
    watch: Option<&'a mut dyn Watch>,
    names: Names,
    summary: Summary,
    /// The number of the last line read.
    line: u64,
    /// The time of the last line that was right.
    now: Millis,
    /// The next tick of the grid.
    next_tick: Millis,
    /// Whether there are inputs that no tick has seen yet.
    unticked: bool,
    events: Vec<Event>,
    followed: Followed,
    /// Takes each line of the record, if one is kept.
    record: Option<Output<'a>>,
    /// What the trace says met the tick that comes next.
    held: Vec<Held>,
}

/// Events are fetched so many at a time.
const POLL_BATCH: usize = 4096;

impl<'a> Replay<'a> {
    /// A replay onto an engine that has its queues and no tickets.
    pub(crate) fn new(engine: &'a Engine, options: ReplayOptions, output: Output<'a>) -> Replay<'a> {
        let mut names = Names::default();
        for queue in &engine.stats().queues {
            names.add_queue(queue.queue, &queue.name);
        }
        Replay {
            engine,
            options,
            output,
            watch: None,
            names,
            summary: Summary::default(),
            line: 0,
            now: Millis(0),
            next_tick: Millis(0),
            unticked: false,
            events: Vec::new(),
            followed: Followed::default(),
            record: None,
            held: Vec::new(),
        }
    }

    /// The names so far.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The same replay, which also tells `watch` what becomes of each ticket.
    pub(crate) fn watched(self, watch: &'a mut dyn Watch) -> Replay<'a> {
        Replay { watch: Some(watch), ..self }
    }

    /// Takes the next line of the trace, with or without its line feed. False: it lies beyond `until`, and so
    /// will all others.
    ///
    /// Errors: with `strict` a line that is not right; whatever the output says.
    pub(crate) fn line(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        self.line += 1;
        // A line that is too long is given to the reader whole, which refuses it, whatever it holds.
        let is_legal_length = bytes.len() <= TEXT_BYTES_MAX;
        let text = if is_legal_length { bytes.trim_ascii_end() } else { bytes };
        if is_legal_length && (text.is_empty() || text.trim_ascii_start().starts_with(b"//")) {
            return Ok(true);
        }
        let number = u32::try_from(self.line).unwrap_or(u32::MAX);
        let line = match read_trace_line(number, text) {
            Ok(line) if line.at < self.now => return self.bad_line(&[self.too_early(&line)]),
            Ok(line) => line,
            Err(errors) => return self.bad_line(&errors),
        };
        self.take(line)
    }

    /// Takes a line that has been read and is not before the last one. False: it lies beyond `until`.
    pub(crate) fn take(&mut self, line: TraceLine) -> Result<bool, Failure> {
        if self.options.until.is_some_and(|until| line.at > until) {
            return Ok(false);
        }
        self.advance(line.at)?;
        self.now = line.at;
        self.unticked = true;
        self.apply(line)?;
        Ok(true)
    }

    /// Ticks until nothing is due any more, or until the end that was asked for, and gives the summary.
    pub(crate) fn finish(mut self) -> Result<Summary, Failure> {
        self.settle()?;
        let stats = self.engine.stats();
        (self.summary.searches_cut_off, self.summary.starved) = (stats.searches_cut_off, stats.starved);
        self.summary.ended_at_ms = self.now.0;
        Ok(self.summary)
    }

    /// Ticks until nothing is due any more, or until the end that was asked for.
    pub(crate) fn settle(&mut self) -> Result<(), Failure> {
        match self.options.until {
            Some(until) => {
                // One millisecond on, so that the tick at the end itself is among those before.
                self.advance(until.after(Millis(1)))?;
                self.now = until;
            }
            None => self.advance(Millis(u64::MAX))?,
        }
        Ok(())
    }

    /// Runs every tick before `at`.
    fn advance(&mut self, at: Millis) -> Result<(), Failure> {
        match self.options.ticking {
            Ticking::Every(period) => self.advance_grid(at, period),
            Ticking::Events => self.advance_events(at),
            Ticking::Recorded => Ok(()),
        }
    }

    /// Runs the ticks of the grid before `at`, leaving out those at which nothing is due.
    fn advance_grid(&mut self, at: Millis, period: u64) -> Result<(), Failure> {
        let on_grid = |time: Millis| Millis(time.0.div_ceil(period).saturating_mul(period));
        while self.next_tick < at {
            // Inputs are due at the next tick, even at one for their very time: `next_due` says "after now".
            let due = if self.unticked { Some(self.next_tick) } else { self.next_due() };
            let Some(tick) = due.map(|due| self.next_tick.max(on_grid(due))) else {
                break;
            };
            // The grid ends with the greatest time that there is.
            if tick >= at || tick.0 > TIME_MS_MAX {
                break;
            }
            self.tick(tick, 0)?;
            self.next_tick = tick.after(Millis(period));
        }
        self.next_tick = self.next_tick.max(on_grid(at));
        Ok(())
    }

    /// Ticks for the inputs of the last instant, then whenever something is due before `at`.
    fn advance_events(&mut self, at: Millis) -> Result<(), Failure> {
        if self.unticked && self.now < at {
            self.tick(self.now, 0)?;
        }
        while let Some(due) = self.next_due().filter(|&due| due < at && !self.unticked) {
            self.tick(due, 0)?;
        }
        Ok(())
    }

    fn next_due(&mut self) -> Option<Millis> {
        self.timed(Engine::next_due)
    }

    fn tick(&mut self, at: Millis, budget: u64) -> Result<(), Failure> {
        self.tick_with_held(at, budget)?;
        self.now = self.now.max(at);
        self.unticked = false;
        self.write_events()?;
        self.write_record()
    }

    /// Calls the engine and counts the time that it takes.
    fn timed<T>(&mut self, call: impl FnOnce(&Engine) -> T) -> T {
        let start = Instant::now();
        let answer = call(self.engine);
        self.summary.engine += start.elapsed();
        answer
    }

    /// Gives one line to the engine and writes what comes of it.
    fn apply(&mut self, line: TraceLine) -> Result<(), Failure> {
        let at = line.at;
        let is_recorded = self.options.ticking == Ticking::Recorded;
        match line.action {
            TraceAction::Submit(submit) => self.submit(at, &submit)?,
            TraceAction::SubmitPlayfab(ticket) => self.submit_playfab(at, &ticket)?,
            TraceAction::Join(join) => self.join(at, &join)?,
            TraceAction::JoinPlayfab(join) => self.join_playfab(at, &join)?,
            TraceAction::Cancel { ticket, in_tick } => {
                self.depart(at, Departure::Ticket(ticket), in_tick.filter(|_| is_recorded))?;
            }
            TraceAction::Leave { player, ticket, in_tick } => {
                self.depart(at, Departure::Player(player, ticket), in_tick.filter(|_| is_recorded))?;
            }
            TraceAction::Update(update) => match self.names.ticket(&update.ticket) {
                Some(it) => {
                    let names = &mut self.names;
                    let change = update.update(|name| names.player(name));
                    let done = self.timed(|engine| engine.update(at, it.id, change));
                    self.answer(Subject::Ticket(&update.ticket), done)?;
                }
                None => self.refuse(Subject::Ticket(&update.ticket), unknown("ticket", &update.ticket))?,
            },
            TraceAction::Requeue { match_name, tickets } => self.requeue(at, &match_name, &tickets)?,
            TraceAction::Region { name, up } => {
                let done = self.timed(|engine| engine.set_region(at, &name, up));
                self.answer(Subject::Region(&name), done)?;
            }
            TraceAction::Queue { name, state } => self.change_queue(at, &name, state)?,
            TraceAction::Tick { budget } => {
                if is_recorded {
                    self.tick(at, budget)?;
                }
            }
            TraceAction::Note { json } => {
                if is_recorded {
                    self.repeat(at, &json)?;
                }
            }
        }
        self.write_events()
    }

    /// Puts the tickets back that are known; each gets an answer of its own.
    fn requeue(&mut self, at: Millis, match_name: &str, tickets: &[String]) -> Result<(), Failure> {
        let Some(id) = self.names.known_match(match_name) else {
            return self.refuse(Subject::Match(match_name), unknown("match", match_name));
        };
        let mut known = Vec::new();
        let mut ids: Vec<TicketId> = Vec::new();
        for name in tickets {
            match self.names.ticket(name) {
                Some(it) => {
                    known.push((name, it.number));
                    ids.push(it.id);
                }
                None => self.refuse(Subject::Ticket(name), unknown("ticket", name))?,
            }
        }
        match self.timed(|engine| engine.requeue(at, id, &ids)) {
            Err(refusal) => {
                let refusal = self.in_names(refusal, &[]);
                self.refuse(Subject::Match(match_name), refusal)
            }
            Ok(answers) => {
                for ((name, number), answer) in known.into_iter().zip(answers) {
                    match answer {
                        Ok(id) => {
                            self.names.set_ticket(number, id);
                            self.came_in(name);
                            self.accepted(number, self.names.ticket_players(number));
                            self.summary.requeued += 1;
                        }
                        Err(refusal) => {
                            let refusal = self.in_names(refusal, &[]);
                            self.refuse(Subject::Ticket(name), refusal)?;
                        }
                    }
                }
                Ok(())
            }
        }
    }

    fn change_queue(&mut self, at: Millis, name: &str, state: QueueState) -> Result<(), Failure> {
        let Some(queue) = self.engine.queue(name) else {
            let refusal = Refusal::new(Code::UnknownQueue, format!("there is no queue {name:?} now"));
            return self.refuse(Subject::Queue(name), refusal);
        };
        let done = self.timed(|engine| match state {
            QueueState::Open => engine.resume_queue(at, queue),
            QueueState::Suspended => engine.suspend_queue(at, queue),
            QueueState::Removed => engine.remove_queue(at, queue),
        });
        self.answer(Subject::Queue(name), done)
    }

    /// Writes the refusal, if the call was refused.
    fn answer(&mut self, subject: Subject<'_>, done: Result<(), Refusal>) -> Result<(), Failure> {
        match done {
            Ok(()) => Ok(()),
            Err(refusal) => {
                let refusal = self.in_names(refusal, &[]);
                self.refuse(subject, refusal)
            }
        }
    }

    /// The refusal with the names of the trace in its detail, where the engine could only give its own
    /// numbers.
    fn in_names(&self, refusal: Refusal, players: &[PlayerId]) -> Refusal {
        let ticket = refusal.ticket.map(|id| self.names.ticket_name(id).to_owned());
        let detail = match (refusal.code, ticket, refusal.in_match) {
            (Code::PlayerAlreadyQueued | Code::Superseded, Some(ticket), _) => {
                let of_ticket = |id: &&PlayerId| {
                    let named = refusal.ticket.as_ref();
                    named.is_some_and(|named| self.engine.tickets_of(**id).contains(named))
                };
                match players.iter().find(of_ticket) {
                    Some(&id) => format!("player {} is in ticket {ticket}", self.names.player_name(id)),
                    None => format!("a player of it is in ticket {ticket}"),
                }
            }
            (Code::DuplicatePlayer, ..) => {
                let twice = players.iter().enumerate().find(|(n, id)| players[..*n].contains(id));
                twice.map_or(refusal.detail.clone(), |(_, &id)| {
                    format!("player {} stands twice in the ticket", self.names.player_name(id))
                })
            }
            (Code::AlreadyMatched, _, Some(id)) => match self.names.known_match_name(id) {
                Some(name) => format!("it is in match {name} already"),
                None => "it is in a match already".to_owned(),
            },
            (Code::NotFound, ..) => "it does not wait, and is not known any more".to_owned(),
            _ => return refusal,
        };
        Refusal { detail, ..refusal }
    }

    /// Writes a refused line.
    fn refuse(&mut self, subject: Subject<'_>, refusal: Refusal) -> Result<(), Failure> {
        self.summary.refused(refusal.code);
        let line = write_refused(self.now, subject, &refusal);
        self.note(&line)?;
        (self.output)(&line)
    }

    /// A line that is no line of a trace: the end under `strict`, else a refused line.
    fn bad_line(&mut self, errors: &[ConfigError]) -> Result<bool, Failure> {
        if self.options.strict {
            let file = &self.options.file;
            let list: Vec<String> =
                errors.iter().map(|error| error.clone().in_file(file).to_string()).collect();
            return Err(Failure::input(list.join("\n")));
        }
        let what = errors.iter().map(|error| match error.path.as_str() {
            "" => format!("found {}, {}", error.found, error.remedy),
            path => format!("{path}: found {}, {}", error.found, error.remedy),
        });
        let detail = what.collect::<Vec<String>>().join("; ");
        self.refuse(Subject::Line(self.line), Refusal::new(Code::InvalidFormat, detail))?;
        Ok(true)
    }

    /// What is wrong with a line whose time lies before that of an earlier one.
    fn too_early(&self, line: &TraceLine) -> ConfigError {
        ConfigError {
            file: String::new(),
            line: u32::try_from(self.line).unwrap_or(u32::MAX),
            column: 1,
            path: "at".to_owned(),
            found: line.at.to_string(),
            remedy: format!("an earlier line has {}: times never decrease", self.now),
        }
    }

    /// Fetches all events and writes them.
    fn write_events(&mut self) -> Result<(), Failure> {
        let mut events = std::mem::take(&mut self.events);
        loop {
            events.clear();
            if self.timed(|engine| engine.poll(&mut events, POLL_BATCH)) == 0 {
                break;
            }
            for event in &events {
                self.take_event(event);
                (self.output)(&write_event(event, &self.names))?;
            }
        }
        self.events = events;
        Ok(())
    }

    /// Counts a ticket that was accepted.
    fn accepted(&mut self, number: u64, players: usize) {
        self.summary.accepted(players);
        if let Some(watch) = &mut self.watch {
            watch.accepted(number);
        }
    }

    /// Names a match and counts the event.
    fn take_event(&mut self, event: &Event) {
        match event {
            Event::Match(record) => {
                self.names.new_match(record.id);
                record.tickets.iter().for_each(|ticket| self.left(ticket.id, record.at));
                let players = record.tickets.iter().map(|ticket| self.names.ticket_players(ticket.user_data));
                let players: Vec<usize> = players.collect();
                self.summary.matched(record, &players);
                self.tell(event, &players);
            }
            Event::Ended(record) => {
                self.left(record.ticket, record.at);
                self.summary.ended(record.reason);
                self.tell(event, &[]);
            }
        }
    }

    fn tell(&mut self, event: &Event, players_of: &[usize]) {
        if let Some(watch) = &mut self.watch {
            watch.event(event, players_of);
        }
    }
}

/// A name that the trace has not used before.
fn unknown(what: &str, name: &str) -> Refusal {
    Refusal::new(
        Code::NotFound,
        format!("there is no {what} {name:?} in the trace so far, or it was refused"),
    )
}
