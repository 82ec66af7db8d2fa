//! The quick way for plain pairs against the general one: the same pairs with the same figures, whatever the queue.

use super::*;
use crate::config::read_queue;
use crate::model::ids::{Millis, Seniority, TicketId};
use crate::rules::compile::NO_VALUE;
use crate::simd::{Kernels, Simd};
use crate::store::tickets::{TicketValues, Tickets};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MICROS: i64 = 1_000_000;

fn compiled(rules: &str, simd: Simd) -> CompiledQueue {
    let text = format!(
        r#"{{ "name": "q", "selection": "least_cost", "teams": [ {{ "name": "side", "count": 2, "players": 1 }} ],
            "attributes": {{ "skill": {{ "type": "number", "default": 1500, "decimals": 1 }} }},
            "rules": [ {rules} ], "timeout_s": 600 }}"#
    );
    let mut queue = CompiledQueue::new(read_queue(&text).unwrap());
    queue.kernels = Kernels::new(simd).unwrap();
    queue
}

/// Single players over so many regions, in the order of skill.
fn crowd(queue: &CompiledQueue, count: usize, regions: u8, seed: u64) -> (Tickets, Vec<u32>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut tickets = Tickets::new(queue.numbers.len(), queue.keys.len(), queue.lists.len());
    let mut rows: Vec<u32> = (0..count as u64)
        .map(|number| {
            let skill = MICROS / 10 * random.random_range(0..(2 * count as i64).max(10));
            let home = random.random_range(0..regions);
            let pings = (0..regions).filter_map(|region| {
                let ping = if region == home { 30..80 } else { 60..200 };
                random.random_bool(0.9).then(|| (region, MICROS * random.random_range(ping)))
            });
            let pings = pings.collect();
            let numbers = queue.numbers.iter().enumerate();
            let numbers = numbers.map(|(slot, _)| if Some(slot) == queue.spread_slot { skill } else { 1 });
            let mut numbers: Vec<i64> = numbers.collect();
            if let Some((sum, count)) = queue.balance_slots {
                (numbers[sum], numbers[count]) = (skill, 1);
            }
            let values = TicketValues {
                size: 1,
                numbers,
                keys: vec![NO_VALUE; queue.keys.len()],
                lists: vec![None; queue.lists.len()],
                pings,
                ..TicketValues::default()
            };
            let enqueued = Millis(1000 * random.random_range(0..20));
            let seniority = Seniority { enqueued, submit_number: number };
            tickets.insert(TicketId::new(number as u32, 1), seniority, &values)
        })
        .collect();
    let slot = queue.spread_slot.unwrap_or(0);
    rows.sort_by_key(|&row| (tickets.number(slot, row), tickets.seniority(row)));
    (tickets, rows)
}

#[test]
fn lanes_come_to_the_pairs_of_the_general_way() {
    let skill = r#"{ "name": "skill", "type": "difference", "attribute": "skill",
        "max": 5, "expand": { "linear": { "add": 1, "every_s": 1, "cap": 60 } } }"#;
    let fixed = r#"{ "name": "skill", "type": "difference", "attribute": "skill", "max": 9 }"#;
    let ping = |weight: &str| {
        format!(r#"{{ "name": "ping", "type": "region", "max_ms": 120, "weight": {weight} }}"#)
    };
    let rules = [
        format!("{skill}, {}", ping("1")),
        format!("{skill}, {}", ping("0")),
        format!("{fixed}, {}", ping("0.3")),
        format!("{fixed}, {}", ping("0")),
        skill.to_owned(),
        fixed.to_owned(),
        ping("1"),
    ];
    let mut joined = 0;
    for (at, rules) in rules.iter().enumerate() {
        for simd in Simd::available() {
            let queue = compiled(rules, simd);
            for (count, total) in [(9, 9), (40, 40), (300, 300), (300, 2_000), (700, 700), (900, 10_000)] {
                for regions in [1, 4, 11] {
                    let seed = (at * count) as u64 + u64::from(regions);
                    let (tickets, rows) = crowd(&queue, count, regions, seed);
                    let rank: [u8; 64] = std::array::from_fn(|region| 63 - region as u8);
                    let (now, up) = (Millis(21_000), !(1 << 9));
                    let ground = Ground { queue: &queue, tickets: &tickets, up, region_rank: &rank, now };
                    let mut chooser = Chooser::new(&queue);
                    let plain = chooser.plain.clone().unwrap();
                    assert!(Lanes::serve(&plain) && chooser.lanes.fill(&ground, &plain, &rows));
                    let (mut quick, mut general) = (Chosen::default(), Chosen::default());
                    chooser.choose_plain(&ground, total, &mut quick);
                    let mut states = States::default();
                    states.begin(&queue, tickets.row_end(), now);
                    chooser.choose_any(&ground, &mut states, &rows, total, &mut general);
                    let case = format!("{rules}: {count} of {total}, {regions} regions, {simd:?}");
                    assert!(quick.iter().eq(general.iter()), "{case}");
                    for pair in 0..quick.len() {
                        let (one, other) = (quick.pair(pair).unwrap(), general.pair(pair).unwrap());
                        assert_eq!((one.0.quality, one.1), (other.0.quality, other.1), "{case}");
                        assert_eq!(one.0.pings, other.0.pings, "{case}");
                    }
                    joined += quick.len();
                }
            }
        }
    }
    assert!(joined > 1_000, "{joined} pairs");
}
