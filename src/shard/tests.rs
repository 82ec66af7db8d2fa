//! A shard of few tickets answers as one with indexes does.

use super::*;
use crate::config::read_queue;
use crate::index::Found;
use crate::model::ids::{Millis, TicketId};
use crate::store::tickets::TicketValues;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two differences, one without weight, and regions.
fn queue() -> CompiledQueue {
    let text = r#"{ "name": "q", "players": 2, "index": "sorted",
        "attributes": { "skill": { "type": "number" }, "level": { "type": "number" } },
        "rules": [
        { "name": "a", "type": "difference", "attribute": "skill", "max": 5, "missing": "any" },
        { "name": "b", "type": "difference", "attribute": "level", "max": 5, "missing": "any", "weight": 0 },
        { "name": "ping", "type": "region", "max_ms": 100 }] }"#;
    CompiledQueue::new(read_queue(text).unwrap())
}

/// All that a shard says of a search.
fn told(shard: &Shard, geometry: &Geometry, tickets: &Tickets, anchor: u32, reach: Reach) -> Vec<Vec<Found>> {
    let mut answers = Vec::new();
    for younger in [None, Some(tickets.seniority(anchor))] {
        let (mut reach, mut scratch) = (reach, ShardScratch::default());
        let mut found = shard.around(geometry, tickets, anchor, younger, &mut reach, &mut scratch);
        answers.push(std::iter::from_fn(|| found.next()).collect());
    }
    answers
}

#[test]
fn few_tickets_are_found_as_many_are() {
    let geometry = Geometry::new(&queue());
    for seed in 0..400 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut tickets = Tickets::new(2, 0, 0);
        let mut few = Shard::new(&geometry);
        let mut many = Shard(Body::Many(Box::new(Many::new(&geometry))));
        let mut rows = Vec::new();
        for number in 0..random.random_range(0..=2 * few::FEW_MAX as u64) {
            let mut value =
                || if random.random_bool(0.2) { NO_VALUE } else { random.random_range(0..12) * 1_000_000 };
            let numbers = vec![value(), value()];
            let region = random.random_range(0..4_u8);
            let values = TicketValues {
                size: 1,
                numbers,
                pings: vec![(region, 40_000_000), (region + 4, random.random_range(0..90_000_000))],
                ..TicketValues::default()
            };
            let seniority = Seniority { enqueued: Millis(random.random_range(0..5)), submit_number: number };
            let row = tickets.insert(TicketId(number + 1), seniority, &values);
            let regions = tickets.regions(row);
            let regions = if random.random_bool(0.3) { regions & regions.wrapping_neg() } else { regions };
            few.insert_within(&geometry, &tickets, row, regions);
            many.insert_within(&geometry, &tickets, row, regions);
            rows.push(row);
            if random.random_bool(0.3) {
                let row = rows.swap_remove(random.random_range(0..rows.len()));
                few.remove(&geometry, &tickets, row);
                many.remove(&geometry, &tickets, row);
            }
        }
        assert_eq!((few.len(), few.is_empty()), (many.len(), many.is_empty()), "seed {seed}");
        for &anchor in &rows {
            let mut reach =
                Reach { regions: random.random_range(0..=u64::from(u8::MAX)), ..Reach::default() };
            for allowed in &mut reach.allowed {
                *allowed = [i64::MAX, -1, 0, 2_000_000, 6_000_000][random.random_range(0..5)];
            }
            let few = told(&few, &geometry, &tickets, anchor, reach);
            assert_eq!(few, told(&many, &geometry, &tickets, anchor, reach), "seed {seed}, row {anchor}");
        }
        for _ in 0..20 {
            let (low, width) = (random.random_range(-2..14) * 500_000, random.random_range(0..8) * 500_000);
            let within = |shard: &Shard| {
                let mut seen = Vec::new();
                shard.visit_within(low, low + width, |row, seniority| seen.push((seniority, row)));
                seen.sort_unstable();
                seen
            };
            assert_eq!(within(&few), within(&many), "seed {seed}");
            assert_eq!(few.beyond(low, low + width), many.beyond(low, low + width), "seed {seed}");
        }
        // Once it has indexes too it knows nothing of those that left before, and says more.
        let few_rows = if matches!(few.0, Body::Few(_)) { &rows[..] } else { &[] };
        for &row in few_rows {
            assert!(few.least_pings(&tickets, row) <= many.least_pings(&tickets, row), "seed {seed}");
        }
        let mut gone = [0_u64; 1];
        rows.iter().filter(|&&row| row % 3 == 0).for_each(|row| gone[0] |= 1 << row);
        assert!(few.remove_all(&gone) && many.remove_all(&gone), "seed {seed}");
        let left = |shard: &Shard| {
            let mut left = Vec::new();
            shard.visit_regions(|row, regions| left.push((row, regions)));
            left.sort_unstable();
            left
        };
        assert_eq!(left(&few), left(&many), "seed {seed}");
    }
}

#[test]
fn a_shard_of_one_ticket_takes_some_dozens_of_bytes() {
    assert!(size_of::<Shard>() <= 24 && size_of::<Member>() <= 40);
    let geometry = Geometry::new(&queue());
    let mut tickets = Tickets::new(2, 0, 0);
    let mut shard = Shard::new(&geometry);
    for number in 0..=few::FEW_MAX as u64 {
        assert!(matches!(shard.0, Body::Few(_)), "{number} tickets");
        let seniority = Seniority { enqueued: Millis(0), submit_number: number };
        let values = TicketValues { size: 1, numbers: vec![0, 0], ..TicketValues::default() };
        let row = tickets.insert(TicketId(number + 1), seniority, &values);
        shard.insert(&geometry, &tickets, row);
    }
    assert!(matches!(shard.0, Body::Many(_)));
    (0..=few::FEW_MAX as u32).for_each(|row| shard.remove(&geometry, &tickets, row));
    shard.reset(&geometry);
    assert!(matches!(shard.0, Body::Few(_)) && shard.is_empty());
}
