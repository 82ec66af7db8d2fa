//! PF-08: in a steady state the store, the claims and the scratch memory of a tick ask the allocator for
//! nothing, also when small and large loads alternate.

#[path = "allocator/counting.rs"]
#[allow(dead_code, reason = "shared with tests that count bytes too")]
mod allocator;

use evenmatch::base::arena::Scratch;
use evenmatch::claim::commit::{Claims, EndOutcome};
use evenmatch::claim::players::Players;
use evenmatch::model::ids::{MatchId, PlayerId, TicketId};
use evenmatch::store::columns::Column;
use evenmatch::store::lists::{ListRef, Lists};
use evenmatch::store::rows::Rows;
use evenmatch::store::strings::{StringId, Strings};

/// Calls of the allocator in each of 200 ticks, of 100 and of `large` items in turn, after the tenth.
fn calls_by_tick(large: usize, mut tick: impl FnMut(usize, usize)) -> Vec<u64> {
    let mut calls = Vec::with_capacity(200);
    for index in 0..200 {
        let before = allocator::calls();
        tick(index, if index % 2 == 0 { 100 } else { large });
        calls.push(allocator::calls() - before);
    }
    calls.split_off(10)
}

#[test]
fn pf_08_scratch_allocates_nothing_in_a_steady_state() {
    let mut scratch = Scratch::new(64 << 20);
    let calls = calls_by_tick(100_000, |index, load| {
        for item in 0..load {
            // Sizes and alignments in another order at each tick.
            match (item + index) % 3 {
                0 => scratch.slice_fill(3, item as u64)[0] = 1,
                1 => scratch.slice_fill(5, item as u8)[0] = 1,
                _ => scratch.slice_copy(&[[item as u128; 2]])[0] = [0; 2],
            }
        }
        scratch.reset();
    });
    assert_eq!(calls, vec![0; calls.len()]);
}

#[test]
fn pf_08_the_store_allocates_nothing_in_a_steady_state() {
    let (mut rows, mut skill) = (Rows::new(), Column::new(0_i64));
    let (mut lists, mut strings) = (Lists::new(), Strings::new());
    let mut held: Vec<(u32, ListRef, StringId)> = Vec::with_capacity(20_000);
    let mut text = String::with_capacity(64);
    let calls = calls_by_tick(20_000, |index, load| {
        for item in 0..load {
            let row = rows.take();
            skill.grow_to(rows.high() as usize);
            skill.set(row, item as i64);
            let list = lists.insert(&[item as u32; 70][..item % 70]);
            text.clear();
            // One of 4,096 texts, none of which is held when the tick begins.
            for place in 0..6 {
                text.push_str(["kappa", "sigma", "omega", "theta"][(item + index) >> (2 * place) & 3]);
            }
            held.push((row, list, strings.acquire(&text)));
        }
        for (row, list, string) in held.drain(..) {
            assert!(rows.release(row));
            lists.remove(list);
            strings.release(string);
        }
    });
    assert_eq!(calls, vec![0; calls.len()]);
}

#[test]
fn pf_08_claims_allocate_nothing_in_a_steady_state() {
    let (claims, players) = (Claims::new(20_000), Players::new(20_000));
    let mut waiting: Vec<(TicketId, PlayerId)> = Vec::with_capacity(20_000);
    let mut next_player = 0_u128;
    let calls = calls_by_tick(20_000, |_, load| {
        for _ in 0..load {
            let id = claims.allocate().unwrap();
            next_player += 1;
            players.claim(&[PlayerId(next_player)], id, |_| true).unwrap();
            assert!(claims.publish(id));
            waiting.push((id, PlayerId(next_player)));
        }
        for pair in waiting.chunks(2) {
            let (a, b) = (pair[0].0, pair[1].0);
            if a.slot() % 3 == 0 {
                assert_eq!(claims.end(b), EndOutcome::Ended);
                assert_eq!(claims.commit(MatchId(a), &[a, b]), Err(b));
                assert_eq!(claims.end(a), EndOutcome::Ended);
            } else {
                assert_eq!(claims.commit(MatchId(a), &[a, b]), Ok(()));
            }
        }
        for (id, player) in waiting.drain(..) {
            players.release(player, id);
            assert!(claims.free(id));
        }
    });
    assert_eq!(calls, vec![0; calls.len()]);
}
