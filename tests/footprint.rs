//! Bytes per waiting ticket, counted by the allocator.
#![allow(unsafe_code)] // A global allocator that counts cannot be written without.

use evenmatch::base::fixed::Decimal;
use evenmatch::{Engine, Millis, PlayerId, PlayerRequest, TicketRequest};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};

struct Counting;
static LIVE: AtomicI64 = AtomicI64::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller's obligations are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const QUEUE: &str = r#"{ "name": "duel", "players": 2, "timeout_s": 600,
    "attributes": { "skill": { "type": "number" } },
    "rules": [{ "name": "skill", "type": "difference", "attribute": "skill", "max": 0.5 },
              { "name": "ping", "type": "region", "max_ms": 35,
                "expand": { "linear": { "add": 15, "every_s": 4, "cap": 180 } } }] }"#;

#[test]
fn bytes() {
    let count: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let engine = Engine::builder().capacity(count as u32).retained(1000).build().unwrap();
    engine.add_queue(evenmatch::config::read_queue(QUEUE).unwrap()).unwrap();
    engine.tick(Millis(0), 0).unwrap();
    let start = LIVE.load(Ordering::Relaxed);
    let mut now = 0;
    let (mut door, mut tick) = (0, 0);
    for batch in 0..count / 10_000 {
        let before = LIVE.load(Ordering::Relaxed);
        for at in 0..10_000 {
            let n = batch * 10_000 + at;
            let player = PlayerRequest::new(PlayerId(u128::from(n) * 7919 + 1)).number("skill", n as i32);
            let mut request = TicketRequest::new("duel").player(player).user_data(n);
            for (at, region) in ["eu", "us-east", "us-west", "ap"].iter().enumerate() {
                request =
                    request.ping(region, Decimal::from_f64(20.0 + at as f64 * 30.0 + (n % 17) as f64 * 0.25));
            }
            engine.submit(Millis(now), request).unwrap();
        }
        let mid = LIVE.load(Ordering::Relaxed);
        engine.tick(Millis(now), 0).unwrap();
        now += 100;
        let end = LIVE.load(Ordering::Relaxed);
        door += mid - before;
        tick += end - mid;
    }
    let all = LIVE.load(Ordering::Relaxed) - start;
    println!(
        "bytes per ticket {} of {count}: submit {} tick {}",
        all / count as i64,
        door / count as i64,
        tick / count as i64
    );
}
