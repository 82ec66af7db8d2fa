//! Where a set of tickets can be matched, in which order, and what that costs.
//!
//! Called by the judge for every set. Invariant: cost never chooses the region.

use super::expansion::Hold;
use super::facts::{Facts, region_key};
use super::judge::{RuleView, TicketSet};
use super::set_rules::micros;
use crate::base::fixed::Fixed;
use crate::rules::spec::RuleKind;
use std::sync::Arc;

/// One legal region of a set of tickets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionFigures {
    /// Its name as the queue compares it: folded under `fold_case`.
    pub name: Arc<str>,
    /// The sum over players of their tickets' round-trip times, in units of 0.000001 ms. All regions of a set
    /// have the same players, so the least sum is the least mean.
    pub ping_sum: i128,
    /// The worst ticket's round-trip time.
    pub ping_worst: Fixed,
}

/// All legal regions, the least mean ping first, then the least worst, then the first name by bytes. Empty in a
/// queue without a region rule.
pub(super) fn legal_regions(set: &TicketSet<'_>, down: &[&str]) -> Vec<RegionFigures> {
    let Some(first) = set.tickets.first() else { return Vec::new() };
    if !set.judge.has_region_rule {
        return Vec::new();
    }
    let down: Vec<Arc<str>> = down.iter().map(|name| region_key(&set.judge.spec, name)).collect();
    let up = first.pings.keys().filter(|name| !down.contains(name));
    let mut legal: Vec<RegionFigures> = up.filter_map(|name| legal_region(set, name)).collect();
    legal.sort_by(|a, b| (a.ping_sum, a.ping_worst, &a.name).cmp(&(b.ping_sum, b.ping_worst, &b.name)));
    legal
}

/// The figures of a region, if every ticket reaches and accepts it, it is within the ping window of every
/// ticket that a region rule binds, and within every ticket's own limit.
fn legal_region(set: &TicketSet<'_>, name: &Arc<str>) -> Option<RegionFigures> {
    let mut figures = RegionFigures { name: name.clone(), ping_sum: 0, ping_worst: Fixed::MIN };
    for ticket in set.tickets {
        let ping = *ticket.pings.get(name)?;
        if ticket.max_ping.is_some_and(|most| ping > most) {
            return None;
        }
        figures.ping_sum += micros(ping) * i128::from(ticket.size());
        figures.ping_worst = figures.ping_worst.max(ping);
    }
    for rule in set.rules().filter(is_region) {
        let beyond = |(ticket, hold): (&Facts, Hold)| Some(ticket.pings.get(name)? > &hold.number()?);
        if rule.bound().filter_map(beyond).any(|beyond| beyond) {
            return None;
        }
    }
    Some(figures)
}

fn is_region(rule: &RuleView<'_>) -> bool {
    matches!(rule.spec.kind, RuleKind::Region { .. })
}

/// The term of a region rule times players, in units of 0.000001: the sum of the players' pings in the region
/// that was taken. Excess: the greatest ping of a ticket that only prefers, less its window.
pub(super) fn term(rule: &RuleView<'_>, best: Option<&RegionFigures>) -> i128 {
    let Some(best) = best.filter(|_| is_region(rule)) else { return 0 };
    let over = |(ticket, hold): (&Facts, Hold)| {
        Some(micros(*ticket.pings.get(&best.name)?) - micros(hold.number()?))
    };
    let excess = rule.preferring().filter_map(over).max().unwrap_or(0);
    best.ping_sum + rule.penalty(excess)
}
