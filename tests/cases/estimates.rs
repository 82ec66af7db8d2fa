//! How long to wait: estimates held against traffic whose waiting times are known.
//!
//! Every pair of tickets here agrees in a word of its own, so that it can only meet itself, and lies so far apart
//! in skill that its windows, which grow by 1 a second, reach each other after a known time: both wait that long,
//! unless they leave before.

use super::queues::{QUEUE, With, attribute, duel, growing, ping_within, same, seconds, skill_within};
use evenmatch::engine::Engine;
use evenmatch::model::attribute::AttributeType;
use evenmatch::model::codes::Code;
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, PlayerId, QueueId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::model::status::Estimate;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// An engine, and the pairs that are to be taken out.
struct Traffic {
    engine: Engine,
    queue: QueueId,
    players: u32,
    cancels: BTreeMap<Millis, Vec<TicketId>>,
    /// The waits of those that were matched.
    matched_ms: Vec<u64>,
}

impl Traffic {
    fn new(timeout_s: Option<f64>, regions: bool) -> Traffic {
        let mut queue = duel();
        queue.attributes.push(attribute("pair", AttributeType::Integer));
        queue = queue.with(same("pair", 1)).with(skill_within(growing(0.0, 1.0, 200.0)));
        if regions {
            queue = queue.with(ping_within(growing(100.0, 0.0, 100.0)));
        }
        queue.timeout = timeout_s.map(seconds);
        let engine = Engine::builder().capacity(200_000).retained(0).build().unwrap();
        let queue = engine.add_queue(queue).unwrap();
        Traffic { engine, queue, players: 0, cancels: BTreeMap::new(), matched_ms: Vec::new() }
    }

    /// A pair around `skill` that meets after `wait_s`, or is taken out after `cancel_s`.
    fn pair(&mut self, now: Millis, skill: f64, wait_s: f64, cancel_s: Option<f64>, region: Option<&str>) {
        for side in [-0.5, 0.5] {
            let id = PlayerId(u128::from(self.players));
            let word = (self.players / 2) as i32;
            self.players += 1;
            let player = PlayerRequest::new(id).number("skill", skill + side * wait_s).number("pair", word);
            let mut request = TicketRequest::new(QUEUE).player(player);
            if let Some(region) = region {
                request = request.ping(region, 20);
            }
            let id = self.engine.submit(now, request).unwrap();
            if let Some(cancel_s) = cancel_s {
                self.cancels.entry(now.after(seconds(cancel_s))).or_default().push(id);
            }
        }
    }

    fn tick(&mut self, now: Millis) {
        while let Some((&at, _)) = self.cancels.range(..=now).next() {
            for id in self.cancels.remove(&at).unwrap() {
                let answer = self.engine.cancel(at, id);
                // Matched before it was to leave.
                let is_gone = |code| matches!(code, Code::AlreadyMatched | Code::NotFound);
                assert!(answer.is_ok() || answer.is_err_and(|refusal| is_gone(refusal.code)));
            }
        }
        self.engine.tick(now, 0).unwrap();
        let mut events = Vec::new();
        while self.engine.poll(&mut events, 4096) > 0 {}
        for event in events {
            if let Event::Match(record) = event {
                self.matched_ms.extend(record.tickets.iter().map(|ticket| ticket.wait.0));
            }
        }
    }

    fn run(&mut self, from_s: u64, to_s: u64) {
        (from_s..=to_s).for_each(|second| self.tick(Millis(second * 1000)));
    }

    fn estimate(&self, skill: Option<f64>, regions: &[&str]) -> Estimate {
        self.engine.estimate(self.queue, skill.map(Into::into), regions).unwrap()
    }

    /// The median of the tickets that were matched, as if the others had never been.
    fn naive_p50(&mut self) -> Millis {
        self.matched_ms.sort_unstable();
        Millis(self.matched_ms[self.matched_ms.len().div_ceil(2) - 1])
    }
}

/// Waits of 1 to 100 s, each as often, and cancels after 9.5, 19.5, .. s, each as often with every wait: half of
/// all tickets would be matched within 50 s if nobody left.
fn crossed(timeout_s: Option<f64>) -> Traffic {
    let mut traffic = Traffic::new(timeout_s, false);
    for wait_s in 1..=100 {
        for cancel in 1..=10 {
            traffic.pair(Millis(0), 1500.0, f64::from(wait_s), Some(f64::from(cancel) * 10.0 - 0.5), None);
        }
    }
    traffic.run(0, 101);
    traffic
}

#[test]
fn tickets_that_leave_do_not_make_the_wait_look_shorter() {
    let mut traffic = crossed(None);
    let told = traffic.estimate(None, &[]);
    assert!(told.is_known);
    assert_eq!((told.samples, told.matched as usize), (2000, traffic.matched_ms.len()));
    // Exact but for a tick: the cancels are spread evenly over the waits.
    let p50 = told.p50.unwrap();
    assert!(p50.0.abs_diff(50_000) <= 2000, "{p50:?}");
    let p90 = told.p90.unwrap();
    assert!(p90.0.abs_diff(90_000) <= 3000, "{p90:?}");
    let naive = traffic.naive_p50();
    assert!(naive < seconds(35.0), "leaving them out would have told {naive}");
}

#[test]
fn a_percentile_beyond_the_timeout_is_unknown_and_says_how_far_was_seen() {
    let traffic = crossed(Some(70.0));
    let told = traffic.estimate(None, &[]);
    let p50 = told.p50.unwrap();
    assert!(p50.0.abs_diff(50_000) <= 2000, "{p50:?}");
    assert_eq!((told.p90, told.seen_up_to), (None, seconds(70.0)), "nobody was seen to wait for longer");
    assert!(told.is_known);
}

#[test]
fn bands_of_skill_tell_different_waits_and_empty_ones_none() {
    let mut traffic = Traffic::new(None, false);
    for pair in 0..40 {
        let off = f64::from(pair % 8) * 0.25;
        traffic.pair(Millis(0), 1000.0 + off, 10.0, None, None);
        traffic.pair(Millis(0), 3000.0 + off, 60.0, None, None);
    }
    traffic.run(0, 61);
    let low = traffic.estimate(Some(1000.0), &[]);
    assert_eq!((low.p50, low.p90), (Some(seconds(10.0)), Some(seconds(10.0))));
    assert_eq!((low.band.unwrap().to_f64(), low.samples), (8.0, 80), "1, 2, 4, 8: the first with thirty");
    assert_eq!(traffic.estimate(Some(3001.0), &[]).p50, Some(seconds(60.0)));
    let between = traffic.estimate(Some(2000.0), &[]);
    assert_eq!((between.is_known, between.p50, between.p90, between.samples), (false, None, None, 0));
    assert_eq!(between.band.unwrap().to_f64(), 200.0, "the rule's greatest window, and no further");
    // Everybody together: half at 10 s.
    assert_eq!(traffic.estimate(None, &[]).p50, Some(seconds(10.0)));
    assert_eq!(traffic.estimate(None, &[]).p90, Some(seconds(60.0)));
}

#[test]
fn regions_come_first_and_every_region_last() {
    let mut traffic = Traffic::new(None, true);
    for _ in 0..40 {
        traffic.pair(Millis(0), 1500.0, 10.0, None, Some("eu"));
        traffic.pair(Millis(0), 1500.0, 40.0, None, Some("us"));
    }
    traffic.pair(Millis(0), 1500.0, 5.0, None, Some("asia"));
    traffic.run(0, 41);
    let of = |regions: &[&str]| {
        let told = traffic.estimate(Some(1500.0), regions);
        (told.p50, told.samples, told.every_region)
    };
    assert_eq!(of(&["eu"]), (Some(seconds(10.0)), 80, false));
    assert_eq!(of(&["us"]), (Some(seconds(40.0)), 80, false));
    assert_eq!(of(&["eu", "us"]), (Some(seconds(10.0)), 80, false), "the narrowest band that is enough");
    assert_eq!(of(&["asia"]), (Some(seconds(10.0)), 82, true), "two tickets are no sample");
    assert!(of(&["nowhere"]).2);
}

#[test]
fn a_wait_counts_from_its_submit_however_seldom_ticks_come() {
    let mut traffic = Traffic::new(None, false);
    for round in 0..4 {
        let submitted = Millis(round * 30_000);
        for _ in 0..10 {
            traffic.pair(submitted, 1500.0, 3.0, None, None);
        }
        // Nobody looks before: they could have met after 3 s, and were seen for the first time after 12.
        traffic.tick(submitted.after(seconds(12.0)));
    }
    let told = traffic.estimate(None, &[]);
    assert_eq!((told.samples, told.p50, told.p90), (80, Some(seconds(12.0)), Some(seconds(12.0))));
}

#[test]
fn a_queue_that_gets_stuck_says_so() {
    let mut traffic = Traffic::new(None, false);
    for second in 0..1500u64 {
        let now = Millis(second * 1000);
        let wait_s = if second < 300 { 3.0 } else { 150.0 };
        traffic.pair(now, 1500.0, wait_s, Some(60.5), None);
        traffic.tick(now);
        if second == 299 {
            assert_eq!(traffic.estimate(None, &[]).p50, Some(seconds(3.0)));
        }
    }
    let told = traffic.estimate(None, &[]);
    assert_eq!(
        (told.is_known, told.matched, told.p50),
        (true, 0, None),
        "nobody was matched for ten minutes"
    );
    assert!(told.seen_up_to >= seconds(60.0));
    // Nobody comes any more: after the window there is nothing to tell from.
    traffic.run(1500, 2300);
    let told = traffic.estimate(None, &[]);
    assert_eq!((told.is_known, told.samples, told.p50), (false, 0, None));
}

/// More tickets than a sample holds: an even draw of them, over a window that slides.
#[test]
fn busy_queues_are_told_from_a_sample() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut traffic = Traffic::new(None, false);
    for second in 0..800u64 {
        for _ in 0..5 {
            let wait_s = f64::from(rng.random_range(1..=60));
            let cancel_s = f64::from(rng.random_range(0..60)) + 0.5;
            traffic.pair(Millis(second * 1000), 1500.0, wait_s, Some(cancel_s), None);
        }
        traffic.tick(Millis(second * 1000));
    }
    let told = traffic.estimate(None, &[]);
    assert!(told.samples <= 4096 && told.samples > 1024, "{told:?}");
    // Five standard errors of a median of a thousand are 5 s here.
    assert!(told.p50.unwrap().0.abs_diff(30_000) <= 5000, "{told:?}");
    assert!(told.p90.unwrap().0.abs_diff(54_000) <= 5000, "{told:?}");
    let naive = traffic.naive_p50();
    assert!(naive < seconds(22.0), "leaving the others out would have told {naive}");
}

#[test]
fn a_question_that_makes_no_sense_is_refused() {
    let mut listed =
        duel().with(ping_within(growing(50.0, 0.0, 50.0))).with(skill_within(growing(9.0, 0.0, 9.0)));
    listed.regions = Some(vec!["eu".to_owned()]);
    listed.attributes[0].max = Some(super::queues::fixed(5000.0));
    let engine = Engine::builder().build().unwrap();
    let queue = engine.add_queue(listed).unwrap();
    let code =
        |queue, skill: f64, region| engine.estimate(queue, Some(skill.into()), &[region]).unwrap_err().code;
    assert_eq!(code(QueueId(99), 1.0, "eu"), Code::UnknownQueue);
    assert_eq!(code(queue, f64::NAN, "eu"), Code::OutOfRange);
    assert_eq!(code(queue, 5001.0, "eu"), Code::OutOfRange);
    assert_eq!(code(queue, 1.0, "us"), Code::UnknownRegion);
    let nothing_yet = engine.estimate(queue, Some(1.0.into()), &["eu"]).unwrap();
    assert_eq!(nothing_yet, Estimate::default());
}
