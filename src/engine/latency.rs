//! The latency of a submitted ticket: which regions it can reach, and how well.
//!
//! Part of `prepare`. A player's latency is his own if he brings any, else the ticket's; the ticket reaches the
//! regions that every member does, at the worst member's round-trip time.

use crate::base::fixed::{Decimal, Fixed};
use crate::model::codes::{Code, Refusal, UnmatchableReason};
use crate::model::limits::{REGIONS_MAX, STRING_BYTES_MAX};
use crate::model::request::TicketRequest;
use crate::queue::regions::{RegionHold, Regions, compared};
use crate::rules::compile::{CompiledQueue, Kind};
use std::borrow::Cow;
use std::sync::Arc;

/// The regions that a ticket can be matched in: those within every list and limit of its own.
#[derive(Debug, Default)]
pub(super) struct RegionsReached<'a> {
    regions: Vec<Reached<'a>>,
}

/// Name as written, name as compared, worst round-trip time.
type Reached<'a> = (&'a str, Cow<'a, str>, Fixed);

/// Reads and checks all latencies of a request.
pub(super) fn read_latency<'a>(
    queue: &CompiledQueue,
    request: &'a TicketRequest,
    regions: &Regions,
) -> Result<RegionsReached<'a>, Refusal> {
    let of_ticket = read_list(&request.latency, regions)?;
    let mut of_players = Vec::new();
    for player in &request.players {
        of_players.push(read_list(&player.latency, regions)?);
    }
    let max_ping = match request.limits.max_ping_ms.map(|ms| ms.round(6)) {
        None => None,
        Some(Ok(ms)) if ms >= Fixed::ZERO => Some(ms),
        Some(_) => return Err(Refusal::new(Code::OutOfRange, "max_ping_ms is not within 0 and 10^9")),
    };
    let allowed = match &request.regions {
        None => None,
        Some(names) => Some(read_names(names, regions)?),
    };
    if queue.region_rule.is_none() {
        return Ok(RegionsReached::default());
    }
    let own = |list: &'_ Vec<Reached<'a>>| {
        if list.is_empty() { of_ticket.clone() } else { list.clone() }
    };
    let mut lists = of_players.iter().map(own);
    let mut reached = lists.next().unwrap_or_default();
    let missing =
        || Refusal::new(Code::MissingLatency, "a player has no latency, which the region rule needs");
    if reached.is_empty() {
        return Err(missing());
    }
    for list in lists {
        if list.is_empty() {
            return Err(missing());
        }
        reached.retain_mut(|(_, key, worst)| match list.iter().find(|(_, other, _)| other == key) {
            Some(&(_, _, ping)) => {
                *worst = (*worst).max(ping);
                true
            }
            None => false,
        });
    }
    reached.retain(|(_, key, ping)| {
        allowed.as_ref().is_none_or(|allowed| allowed.contains(key))
            && max_ping.is_none_or(|max| *ping <= max)
    });
    Ok(RegionsReached { regions: reached })
}

/// One list of round-trip times.
fn read_list<'a>(list: &'a [(String, Decimal)], regions: &Regions) -> Result<Vec<Reached<'a>>, Refusal> {
    if list.len() > REGIONS_MAX {
        let detail = format!("{} regions in one latency list, at most {REGIONS_MAX}", list.len());
        return Err(Refusal::new(Code::TooManyRegions, detail));
    }
    let mut read: Vec<Reached<'a>> = Vec::with_capacity(list.len());
    for (name, ms) in list {
        let key = check_name(name, regions)?;
        if read.iter().any(|(_, other, _)| *other == key) {
            return Err(Refusal::new(Code::DuplicateName, format!("region {name:?} stands twice")));
        }
        let Some(ms) = ms.round(6).ok().filter(|&ms| ms >= Fixed::ZERO) else {
            let detail = format!("the latency to region {name:?} is not within 0 and 10^9 ms");
            return Err(Refusal::new(Code::OutOfRange, detail));
        };
        read.push((name, key, ms));
    }
    Ok(read)
}

fn read_names<'a>(names: &'a [String], regions: &Regions) -> Result<Vec<Cow<'a, str>>, Refusal> {
    if names.len() > REGIONS_MAX {
        let detail = format!("{} allowed regions, at most {REGIONS_MAX}", names.len());
        return Err(Refusal::new(Code::TooManyRegions, detail));
    }
    names.iter().map(|name| check_name(name, regions)).collect()
}

/// The compared form of a region's name.
pub(super) fn check_name<'a>(name: &'a str, regions: &Regions) -> Result<Cow<'a, str>, Refusal> {
    if name.len() > STRING_BYTES_MAX {
        let detail = format!("a region name of {} bytes, at most {STRING_BYTES_MAX}", name.len());
        return Err(Refusal::new(Code::TooManyBytes, detail));
    }
    if regions.are_listed() && regions.find(name).is_none() {
        return Err(Refusal::new(Code::UnknownRegion, format!("the queue lists no region {name:?}")));
    }
    Ok(compared(name, regions.how()))
}

/// Refuses a ticket that no region can ever be legal for. `pings`: those of all regions that it reaches.
pub(super) fn check_reach(
    queue: &CompiledQueue,
    pings: impl Iterator<Item = Fixed> + Clone,
) -> Result<(), Refusal> {
    let Some(rule) = queue.region_rule.map(|index| &queue.rules[index]) else { return Ok(()) };
    let Kind::Region(window) = &rule.kind else { return Ok(()) };
    let greatest = window.greatest(queue.age_end());
    let within = |ping: Fixed| greatest.vanishes || ping.micros() <= greatest.limit;
    if pings.clone().any(within) {
        return Ok(());
    }
    let detail = match pings.min() {
        None => {
            "no region is in every member's latency, among the allowed ones and within max_ping_ms".to_owned()
        }
        Some(best) => {
            let limit = Fixed::from_micros(greatest.limit);
            format!("its best region is at {best} ms, rule {:?} never allows more than {limit}", rule.name)
        }
    };
    Err(Refusal::unmatchable(UnmatchableReason::NoRegion, detail))
}

impl RegionsReached<'_> {
    /// The worst round-trip time to each.
    pub(super) fn pings(&self) -> impl Iterator<Item = Fixed> + Clone + '_ {
        self.regions.iter().map(|&(_, _, ping)| ping)
    }

    /// The regions by number, ascending, with units of 0.000001 ms, and the hold that keeps their numbers; regions
    /// that are new to the queue are learned.
    pub(super) fn number(&self, regions: &Arc<Regions>) -> Result<(Vec<(u8, i64)>, RegionHold), Refusal> {
        let names: Vec<&str> = self.regions.iter().map(|&(name, _, _)| name).collect();
        let (numbers, hold) = regions.hold(&names).map_err(|name| {
            let detail = format!("region {name:?} would be one more than the {REGIONS_MAX} a queue may know");
            Refusal::new(Code::TooManyRegions, detail)
        })?;
        let pings = self.regions.iter().map(|(_, _, ping)| ping.micros());
        let mut numbered: Vec<(u8, i64)> = numbers.into_iter().zip(pings).collect();
        numbered.sort_unstable();
        Ok((numbered, hold))
    }
}
