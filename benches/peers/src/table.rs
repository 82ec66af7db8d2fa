//! The table of a run, in Markdown.

use crate::judge::Verdict;
use crate::peers::{Answer, Peer};
use crate::trace::Trace;
use std::time::Duration;

/// One peer's line.
pub struct Line {
    name: &'static str,
    how: &'static str,
    pub is_ours: bool,
    pub verdict: Option<Verdict>,
    /// The least times of all turns: taking tickets in, matching, handing matches over.
    least: Option<[Duration; 3]>,
    /// Why there is no figure.
    pub note: String,
}

impl Line {
    pub fn of(peer: &dyn Peer) -> Line {
        let (name, how) = (peer.name(), peer.how());
        Line { name, how, is_ours: peer.is_ours(), verdict: None, least: None, note: String::new() }
    }

    /// Takes the times of one turn.
    pub fn take(&mut self, answer: Answer) {
        let turn = [answer.taking_in, answer.matching, answer.handing_over];
        let is_less = self.least.is_none_or(|least| turn.iter().sum::<Duration>() < least.iter().sum());
        if is_less {
            self.least = Some(turn);
        }
    }

    fn total_s(&self) -> Option<f64> {
        self.least.map(|least| least.iter().sum::<Duration>().as_secs_f64())
    }
}

/// All lines; times against the first peer that ran, which is the plain pairwise matcher.
pub fn markdown(trace: &Trace, lines: &[Line]) -> String {
    let count = trace.tickets.len();
    let mut out = format!("{count} tickets wait, seed {}\n\n", trace.seed);
    out.push_str("| matcher | in + match + out, ms | tickets/s | to pairwise | matched | mean gap | mean ping | illegal |\n");
    out.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    let base = lines.first().and_then(Line::total_s);
    for line in lines {
        let (Some(least), Some(total), Some(verdict)) = (line.least, line.total_s(), &line.verdict) else {
            out.push_str(&format!("| {} | {} | | | | | | |\n", line.name, line.note));
            continue;
        };
        let parts = least.map(|part| format!("{:.2}", part.as_secs_f64() * 1e3)).join(" + ");
        let times = base.map_or("-".to_owned(), |base| format!("{:.1}x", base / total));
        out.push_str(&format!(
            "| {} | {parts} | {:.0} | {times} | {:.1} % | {:.2} | {:.1} ms | {} |\n",
            line.name,
            count as f64 / total,
            verdict.matched_percent,
            verdict.gap_mean,
            verdict.ping_mean_ms,
            verdict.illegal,
        ));
    }
    out.push('\n');
    let mut told = Vec::new();
    for line in lines.iter().filter(|line| line.least.is_some()) {
        if told.contains(&line.how) {
            continue;
        }
        told.push(line.how);
        out.push_str(&format!("- {}: {}\n", line.name, line.how));
    }
    out
}
