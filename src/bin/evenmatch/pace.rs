//! How fast a replay's engine looks for matches, and when it stops.
//!
//! Flattened into the arguments of the commands that replay a trace, so that `run` and `compare` mean the same
//! by the same options.

use crate::replay::Ticking;
use crate::spans::{Span, parse_span};
use clap::Args;
use evenmatch::model::ids::Millis;

/// When to tick, and until when.
#[derive(Args)]
pub(crate) struct PaceArguments {
    /// How often the engine looks for matches: a span; `event` for once after each instant with inputs and
    /// whenever a window or a timeout is due; or `recorded` for the ticks that stand in the trace, if it is a record.
    #[arg(long, value_name = "SPAN|event|recorded", default_value = "100ms", value_parser = parse_tick)]
    tick: Ticking,
    /// Stop after this time of the trace. Default: when the inputs are used up and nothing is due any more.
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    until: Option<Span>,
}

impl PaceArguments {
    /// When the engine looks for matches.
    pub(crate) const fn ticking(&self) -> Ticking {
        self.tick
    }

    /// The last instant, if one was asked for.
    pub(crate) fn until(&self) -> Option<Millis> {
        self.until.map(|span| Millis(span.ms))
    }
}

/// Reads `100ms`, `event` or `recorded`.
pub(crate) fn parse_tick(text: &str) -> Result<Ticking, String> {
    if text == "event" {
        return Ok(Ticking::Events);
    }
    if text == "recorded" {
        return Ok(Ticking::Recorded);
    }
    match parse_span(text) {
        Ok(Span { ms: 0 }) => Err("a tick must be at least 1ms, or say event or recorded".to_owned()),
        Ok(Span { ms }) => Ok(Ticking::Every(ms)),
        Err(what) => Err(format!("{what}; or say event or recorded")),
    }
}
