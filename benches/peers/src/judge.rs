//! The judge: evenmatch's independent reading of the rules looks at every pair of every peer.

use crate::trace::{NOW_MS, Pair, REGIONS, Ticket, Trace, queue};
use evenmatch::config::read_queue;
use evenmatch::model::ids::Seniority;
use evenmatch::rules::check::{Judge, JudgedTicket, Lineup};
use evenmatch::{Millis, PlayerRequest, TicketRequest};

/// What became of a trace.
pub struct Verdict {
    /// Players in legal pairs, of a hundred.
    pub matched_percent: f64,
    /// Pairs that the rules forbid, or with somebody who stands in an earlier one.
    pub illegal: usize,
    /// Of legal pairs: the mean difference of skill, and the mean round trip of their players.
    pub gap_mean: f64,
    pub ping_mean_ms: f64,
}

/// The ticket as a host would submit it.
fn request(ticket: &Ticket, place: usize) -> TicketRequest {
    let player = PlayerRequest::new(ticket.player).number("skill", i32::from(ticket.skill));
    let mut request = TicketRequest::new("peers").player(player).user_data(place as u64);
    for (region, &ping) in REGIONS.iter().zip(&ticket.pings) {
        request = request.ping(region, i32::from(ping));
    }
    request.enqueued = Some(Millis(ticket.enqueued_ms));
    request
}

/// Judges all pairs.
pub fn judge(trace: &Trace, pairs: &[Pair]) -> Verdict {
    let judge = Judge::new(&read_queue(&queue("oldest_first")).expect("the queue is legal"));
    let mut is_taken = vec![false; trace.tickets.len()];
    let (mut legal, mut illegal, mut gaps, mut pings) = (0_u64, 0, 0_u64, 0_u64);
    for pair in pairs {
        let places = [pair.a, pair.b];
        let is_new = pair.a != pair.b && places.iter().all(|&place| !is_taken[place]);
        places.iter().for_each(|&place| is_taken[place] = true);
        let requests = places.map(|place| request(&trace.tickets[place], place));
        let tickets: Vec<JudgedTicket<'_>> = places
            .iter()
            .zip(&requests)
            .map(|(&place, request)| {
                let enqueued = Millis(trace.tickets[place].enqueued_ms);
                JudgedTicket { seniority: Seniority { enqueued, submit_number: place as u64 }, request }
            })
            .collect();
        let lineup = Lineup { tickets: &tickets, teams: &[0, 1], region: Some(REGIONS[pair.region]) };
        if !is_new || judge.check(&lineup, Millis(NOW_MS), &[]).is_err() {
            illegal += 1;
            continue;
        }
        let [a, b] = places.map(|place| &trace.tickets[place]);
        legal += 1;
        gaps += u64::from(a.skill.abs_diff(b.skill));
        pings += u64::from(a.pings[pair.region] + b.pings[pair.region]);
    }
    Verdict {
        matched_percent: 200.0 * legal as f64 / trace.tickets.len().max(1) as f64,
        illegal,
        gap_mean: gaps as f64 / legal.max(1) as f64,
        ping_mean_ms: pings as f64 / (2 * legal).max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_pairs_are_told() {
        let trace = Trace::new(400, 3);
        let (a, b, region) = (0..400)
            .flat_map(|a| (a + 1..400).map(move |b| (a, b)))
            .find_map(|(a, b)| {
                let [x, y] = [a, b].map(|place| &trace.tickets[place]);
                if x.is_near(y) { x.meets_in(y).map(|(region, _)| (a, b, region)) } else { None }
            })
            .expect("somebody may meet");
        let far = (0..400).find(|&b| !trace.tickets[a].is_near(&trace.tickets[b])).expect("somebody may not");
        let good = Pair { a, b, region };
        assert_eq!(judge(&trace, &[good]).illegal, 0);
        assert_eq!(judge(&trace, &[good, good]).illegal, 1);
        assert_eq!(judge(&trace, &[Pair { a, b: far, region: 0 }]).illegal, 1);
    }
}
