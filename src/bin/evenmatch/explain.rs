//! `evenmatch explain`: replays a trace up to a moment and says why a ticket waits.
//!
//! This file has the options and the replays; the words for people are in `why`. Invariant: up to the moment asked
//! about, the engine has seen what a run with the same ticks has seen.

use crate::failure::Failure;
use crate::format::FormatArguments;
use crate::names::Names;
use crate::pace::parse_tick;
use crate::queues;
use crate::replay::{Replay, ReplayOptions, Ticking};
use crate::run;
use crate::sink::{self, Sink};
use crate::spans::{Span, parse_span};
use crate::terminal::harmless;
use crate::why;
use clap::Args;
use evenmatch::config::write::{write_explanation, write_pair_answer};
use evenmatch::engine::Engine;
use evenmatch::model::codes::Refusal;
use evenmatch::model::explanation::NEAREST;
use evenmatch::model::ids::{Millis, TicketId};
use evenmatch::rules::spec::QueueSpec;

/// Say why a ticket of a trace is not matched: what keeps the others out, who is nearest and when they become legal.
///
/// Replays the trace up to a moment, ticking as `run` does, and asks the engine. Names are those of the trace.
#[derive(Args)]
#[command(after_help = "Example: evenmatch explain --queue duel.json evening.jsonl --ticket t17 --at 30s")]
pub(crate) struct ExplainArguments {
    /// A queue file; give the option again for more queues.
    #[arg(long, value_name = "FILE", required = true)]
    queue: Vec<String>,
    /// The trace, one JSON object a line; `-` is the standard input.
    #[arg(value_name = "TRACE")]
    trace: String,
    /// The ticket that waits.
    #[arg(long, value_name = "NAME")]
    ticket: String,
    /// Another ticket: say what is between the two.
    #[arg(long, value_name = "NAME")]
    with: Option<String>,
    /// The moment, after the inputs and the tick of that time. Default: the last one at which the ticket waits.
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    at: Option<Span>,
    /// How many of the nearest candidates to show.
    #[arg(long, value_name = "COUNT", default_value_t = NEAREST)]
    nearest: usize,
    /// Print one JSON object instead of text for people.
    #[arg(long)]
    json: bool,
    /// How often the engine looks for matches: a span, or `event`, as in `run`.
    #[arg(long, value_name = "SPAN|event", default_value = "100ms", value_parser = parse_tick)]
    tick: Ticking,
    #[command(flatten)]
    format: FormatArguments,
}

/// Explains a ticket.
pub(crate) fn explain(arguments: &ExplainArguments) -> Result<(), Failure> {
    let specs = queues::read_all(&arguments.queue, &arguments.format)?;
    let lines = read_lines(&arguments.trace)?;
    let played = Played { arguments, specs: &specs, lines: &lines };
    let at = match arguments.at {
        Some(at) => Millis(at.ms),
        None => played.last_moment()?,
    };
    let text = played.answer(at)?;
    let mut sink = Sink::open("-")?;
    sink.text(&text)?;
    sink.finish()
}

/// All lines of the trace, which may be replayed twice.
fn read_lines(path: &str) -> Result<Vec<Vec<u8>>, Failure> {
    let (mut trace, _) = sink::open_input(path)?;
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    while run::read_line(&mut trace, &mut line, path)? {
        lines.push(line.clone());
    }
    Ok(lines)
}

struct Played<'a> {
    arguments: &'a ExplainArguments,
    specs: &'a [(QueueSpec, &'a str)],
    lines: &'a [Vec<u8>],
}

impl Played<'_> {
    /// Replays up to and including `until`, then lets `then` look at the replay. The last line about a refusal of the
    /// ticket comes along.
    fn replay<T>(
        &self,
        until: Option<Millis>,
        then: impl FnOnce(&Engine, &Replay<'_>) -> Result<T, Failure>,
    ) -> Result<(T, Option<String>), Failure> {
        let engine = run::engine(self.specs, false)?;
        let ticket = &self.arguments.ticket;
        let mut refused = None;
        let about_it = format!("\"refused\":{{\"ticket\":{},", quoted(ticket));
        let mut output = |line: &str| {
            if line.contains(&about_it) {
                refused = Some(line.to_owned());
            }
            Ok(())
        };
        let options = ReplayOptions {
            file: self.arguments.trace.clone(),
            ticking: self.arguments.tick,
            until,
            strict: false,
        };
        let answer = {
            let mut replay = Replay::new(&engine, options, &mut output);
            replay.follow(ticket);
            for line in self.lines {
                if !replay.line(line)? {
                    break;
                }
            }
            replay.settle()?;
            then(&engine, &replay)?
        };
        Ok((answer, refused))
    }

    /// The last moment at which the ticket waits: the millisecond before its end or its timeout, which a tick sees
    /// later, or the end of the replay. One that is matched in the instant in which it comes is looked at then.
    fn last_moment(&self) -> Result<Millis, Failure> {
        let (moment, refused) = self.replay(None, |_, replay| Ok(replay.followed()))?;
        let last = match moment {
            Some((_, None, now)) => now,
            Some((since, Some(end), _)) if end > since => Millis(end.0 - 1),
            Some((_, Some(end), _)) => end,
            None => return Err(no_ticket(&self.arguments.ticket, refused.as_deref())),
        };
        let (deadline, _) = self.replay(Some(last), |engine, replay| {
            let ticket = replay.names().ticket(&self.arguments.ticket);
            let explained = ticket.and_then(|ticket| engine.explain_nearest(ticket.id, 0).ok());
            Ok(explained.and_then(|explained| explained.deadline))
        })?;
        Ok(deadline.map_or(last, |deadline| last.min(Millis(deadline.0.saturating_sub(1)))))
    }

    fn answer(&self, at: Millis) -> Result<String, Failure> {
        let arguments = self.arguments;
        let (answer, refused) = self.replay(Some(at), |engine, replay| {
            let refusal = |refusal: Refusal| Failure::input(format!("at {at} s: {refusal}"));
            engine.advance(at).map_err(refusal)?;
            let names = replay.names();
            let id = |name: &str| names.ticket(name).map(|ticket| ticket.id);
            let Some(ticket) = id(&arguments.ticket) else { return Ok(None) };
            let text = match &arguments.with {
                None => self.of_one(engine, names, ticket),
                Some(name) => {
                    let other = id(name).ok_or_else(|| no_ticket(name, None))?;
                    self.of_two(engine, names, ticket, other)
                }
            };
            text.map(Some).map_err(refusal)
        })?;
        answer.ok_or_else(|| no_ticket(&arguments.ticket, refused.as_deref()))
    }

    fn of_one(&self, engine: &Engine, names: &Names, ticket: TicketId) -> Result<String, Refusal> {
        let explanation = engine.explain_nearest(ticket, self.arguments.nearest)?;
        Ok(match self.arguments.json {
            true => format!("{}\n", write_explanation(&explanation, names)),
            false => harmless(&why::ticket(&explanation, names)).into_owned(),
        })
    }

    fn of_two(
        &self,
        engine: &Engine,
        names: &Names,
        ticket: TicketId,
        other: TicketId,
    ) -> Result<String, Refusal> {
        let answer = engine.explain_pair(ticket, other)?;
        Ok(match self.arguments.json {
            true => format!("{}\n", write_pair_answer(&answer, names)),
            false => harmless(&why::pair(&answer, names)).into_owned(),
        })
    }
}

fn quoted(name: &str) -> String {
    let mut out = evenmatch::config::write::JsonWriter::compact();
    out.string(name);
    out.finish()
}

fn no_ticket(name: &str, refused: Option<&str>) -> Failure {
    let what = format!("there is no ticket {name:?} in the trace up to then");
    Failure::input(match refused {
        Some(line) => format!("{what}; it was refused: {line}"),
        None => format!("{what}; `run --out -` lists what was refused"),
    })
}
