//! `evenmatch generate`: writes a trace of made-up but lifelike traffic for a queue.
//!
//! The traffic itself comes from `traffic`; this file has the options and the writing. Invariant: the same
//! options give the same bytes on every machine.

use crate::failure::Failure;
use crate::fillings::SkillShape;
use crate::format::FormatArguments;
use crate::queues;
use crate::sink::Sink;
use crate::spans::{Span, parse_span};
use crate::targets::{self, Output};
use crate::traffic::{Traffic, TrafficPlan};
use clap::Args;
use evenmatch::config::write::write_trace_line;
use evenmatch::model::ids::Millis;

/// The share of tickets that are cancelled, and that of those of which a player goes away, unless the command line says
/// otherwise. Chosen: few enough that most of an evening is matched.
const CANCEL_RATE: f64 = 0.03;
const LEAVE_RATE: f64 = 0.01;

/// Make a trace of lifelike traffic for a queue.
///
/// Players live in 32 cities and measure their round trips to 12 data centres (great-circle distance over the
/// speed of light in fibre, a factor for the route, a last mile). They come at random, more of them in their
/// evening, alone or in parties, with ratings around the queue's default. The same options give the same
/// file.
#[derive(Args)]
#[command(
    after_help = "Example: evenmatch generate --queue duel.json --out evening.jsonl --duration 2h --rate 0.5"
)]
pub(crate) struct GenerateArguments {
    /// The queue that the traffic is for.
    #[arg(long, value_name = "FILE")]
    queue: String,
    /// Where to write the trace; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Another number gives other traffic of the same kind.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long people arrive: `90s`, `30m`, `2h`.
    #[arg(long, value_name = "SPAN", default_value = "2h", value_parser = parse_span)]
    duration: Span,
    /// Tickets a second, in the mean over the whole trace.
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0)]
    rate: f64,
    /// The hour of the day (UTC) at which the trace begins.
    #[arg(long, value_name = "HOUR", default_value_t = 18.0)]
    start_hour: f64,
    /// The local hour at which most people play.
    #[arg(long, value_name = "HOUR", default_value_t = 20.5)]
    peak: f64,
    /// How many times busier that hour is than the quietest one.
    #[arg(long, value_name = "FACTOR", default_value_t = 8.0)]
    peak_factor: f64,
    /// Sizes of parties and how frequent each is; those that the queue does not take are left out.
    #[arg(long, value_name = "SIZE:SHARE,..", default_value = "1:70,2:18,3:7,4:3,5:2", value_parser = parse_mix)]
    party_mix: PartyMix,
    /// The share of tickets that are cancelled after a wait.
    #[arg(long, value_name = "SHARE", default_value_t = CANCEL_RATE)]
    cancel_rate: f64,
    /// The share of tickets of which a player goes away after a wait.
    #[arg(long, value_name = "SHARE", default_value_t = LEAVE_RATE)]
    leave_rate: f64,
    /// How long those have waited, in the mean: `45s`.
    #[arg(long, value_name = "SPAN", default_value = "45s", value_parser = parse_span)]
    patience: Span,
    /// The mean of the ratings. Default: the attribute's default.
    #[arg(long, value_name = "NUMBER")]
    skill_mean: Option<f64>,
    /// Their standard deviation. Default: a fourteenth of the attribute's range.
    #[arg(long, value_name = "NUMBER")]
    skill_deviation: Option<f64>,
    /// The share of players who are new and have the default rating.
    #[arg(long, value_name = "SHARE", default_value_t = 0.12)]
    newcomers: f64,
    /// Data centres further away than this are left out of a ticket.
    #[arg(long, value_name = "MS", default_value_t = 200.0)]
    max_ping: f64,
    /// So many of the nearest data centres stand in a ticket.
    #[arg(long, value_name = "COUNT", default_value_t = 4)]
    regions: usize,
}

/// Sizes of parties with their shares.
type PartyMix = std::sync::Arc<[(u32, f64)]>;

/// Writes the trace.
pub(crate) fn generate(arguments: &GenerateArguments) -> Result<(), Failure> {
    targets::keep_apart([&arguments.queue], &[Output { option: "--out", path: &arguments.out }])?;
    let plan = plan(arguments)?;
    let paths = std::slice::from_ref(&arguments.queue);
    let format = FormatArguments::default();
    let Some((spec, _)) = queues::read_all(paths, &format)?.pop() else { return Ok(()) };
    let traffic = Traffic::new(&spec, plan).map_err(|what| Failure::input(format!("--party-mix: {what}")))?;
    let mut traffic = traffic.peekable();
    if traffic.peek().is_none() {
        return Err(Failure::input(format!(
            "nobody comes within a --duration of {} s at a --rate of {}; ask for more of one of them",
            Millis(arguments.duration.ms),
            arguments.rate
        )));
    }
    let mut sink = Sink::open(&arguments.out)?;
    for line in traffic {
        sink.line(&write_trace_line(&line))?;
    }
    sink.finish()
}

/// The plan that the options ask for; numbers that make no sense are refused.
fn plan(arguments: &GenerateArguments) -> Result<TrafficPlan, Failure> {
    for (option, value, least, greatest) in [
        ("--rate", arguments.rate, 1e-6, 1e6),
        ("--start-hour", arguments.start_hour, 0.0, 24.0),
        ("--peak", arguments.peak, 0.0, 24.0),
        ("--peak-factor", arguments.peak_factor, 1.0, 1e6),
        ("--cancel-rate", arguments.cancel_rate, 0.0, 1.0),
        ("--leave-rate", arguments.leave_rate, 0.0, 1.0),
        ("--newcomers", arguments.newcomers, 0.0, 1.0),
        ("--max-ping", arguments.max_ping, 1.0, 10_000.0),
        ("--skill-mean", arguments.skill_mean.unwrap_or(0.0), -1e9, 1e9),
        ("--skill-deviation", arguments.skill_deviation.unwrap_or(0.0), 0.0, 1e9),
    ] {
        if !(least..=greatest).contains(&value) {
            return Err(Failure::input(format!("{option} {value} must lie between {least} and {greatest}")));
        }
    }
    go_away(arguments.cancel_rate, arguments.leave_rate)?;
    if arguments.duration.ms == 0 {
        return Err(Failure::input("--duration 0 leaves no time to come in; give more than 0, like 30m"));
    }
    Ok(TrafficPlan {
        seed: arguments.seed,
        duration_ms: arguments.duration.ms,
        rate: arguments.rate,
        start_hour: arguments.start_hour,
        peak_hour: arguments.peak,
        peak_factor: arguments.peak_factor,
        party_mix: arguments.party_mix.to_vec(),
        cancel_rate: arguments.cancel_rate,
        leave_rate: arguments.leave_rate,
        patience_s: arguments.patience.ms as f64 / 1000.0,
        skill: SkillShape {
            mean: arguments.skill_mean,
            deviation: arguments.skill_deviation,
            default_share: arguments.newcomers,
        },
        ping_max_ms: arguments.max_ping,
        regions_max: arguments.regions,
    })
}

/// Refuses shares of tickets that go away which are more than all together.
fn go_away(cancel: f64, leave: f64) -> Result<(), Failure> {
    if cancel + leave <= 1.0 {
        return Ok(());
    }
    let named = |option: &str, share: f64, default: f64| {
        format!("{option} {share}{}", if share == default { " (the default)" } else { "" })
    };
    let (cancels, leaves) =
        (named("--cancel-rate", cancel, CANCEL_RATE), named("--leave-rate", leave, LEAVE_RATE));
    let remedy = if cancel >= leave {
        format!("--leave-rate {:.6}", (1.0 - cancel).max(0.0))
    } else {
        format!("--cancel-rate {:.6}", (1.0 - leave).max(0.0))
    };
    let remedy = remedy.trim_end_matches('0').trim_end_matches('.');
    Err(Failure::input(format!("{cancels} and {leaves} are more than all tickets; say {remedy}")))
}

/// Reads `1:70,2:20`.
fn parse_mix(text: &str) -> Result<PartyMix, String> {
    let mut mix = Vec::new();
    for part in text.split(',') {
        let parsed = part.split_once(':').and_then(|(size, share)| {
            let (size, share) = (size.trim().parse::<u32>().ok()?, share.trim().parse::<f64>().ok()?);
            (size > 0 && share.is_finite() && share >= 0.0).then_some((size, share))
        });
        mix.push(parsed.ok_or_else(|| format!("{part:?} is no SIZE:SHARE, like 2:20"))?);
    }
    Ok(mix.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_is_read_or_explained() {
        assert_eq!(parse_mix("1:70, 2:20.5").unwrap().to_vec(), [(1, 70.0), (2, 20.5)]);
        for wrong in ["", "1", "0:5", "1:-1", "1:x", "1:2,,"] {
            assert!(parse_mix(wrong).unwrap_err().contains("SIZE:SHARE"), "{wrong}");
        }
    }
}
