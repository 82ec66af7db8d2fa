//! Estimate: how long a ticket can expect to wait.
//!
//! Asked by the host, for what it shows to players. Invariant: what is not known is said to be unknown, never 0.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::guard::{Fault, call};
use super::queue::evenmatch_queue;
use super::status::{EVENMATCH_INVALID_ARGUMENT, evenmatch_status};
use super::symbol::evenmatch_symbol;
use super::table;
use super::version::EVENMATCH_NEVER;
use super::wire::{self, wire};
use crate::base::fixed::{Decimal, Fixed};

/// `skill` counts.
pub const EVENMATCH_QUESTION_HAS_SKILL: u32 = 1;

/// Which tickets an estimate is for.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_question {
    /// EVENMATCH_QUESTION_INIT sets it.
    pub struct_size: u32,
    /// EVENMATCH_QUESTION_..., or-ed.
    pub flags: u32,
    /// Their skill: of the attribute of the queue's first `difference` rule, else of the first `team_difference`. With
    /// EVENMATCH_QUESTION_HAS_SKILL.
    pub skill: f64,
    /// How many `regions`; 0: any.
    pub region_count: u64,
    /// Where they can be matched.
    pub regions: *const evenmatch_symbol,
}

/// There were enough tickets to say anything: else the percentiles are unknown.
pub const EVENMATCH_ESTIMATE_KNOWN: u32 = 1;
/// Too few tickets share a region with the asked ones, so those of every region count.
pub const EVENMATCH_ESTIMATE_EVERY_REGION: u32 = 2;
/// `band` counts; else it rests on tickets of every skill.
pub const EVENMATCH_ESTIMATE_HAS_BAND: u32 = 4;

/// How long a ticket can expect to wait, as far as the sliding window tells. Tickets that left without a match count as
/// waits of at least so long, never as matches.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_estimate {
    /// EVENMATCH_ESTIMATE_INIT sets it.
    pub struct_size: u32,
    /// EVENMATCH_ESTIMATE_..., or-ed.
    pub flags: u32,
    /// Half of such tickets wait no longer, in ms; EVENMATCH_NEVER: unknown, or longer than any was seen to wait.
    pub p50_ms: u64,
    /// Nine in ten wait no longer, in ms; EVENMATCH_NEVER as above.
    pub p90_ms: u64,
    /// Tickets that it rests on: matched, ended and still waiting ones.
    pub samples: u64,
    /// Of those the ones that were matched.
    pub matched: u64,
    /// The longest wait seen among them, in ms.
    pub seen_up_to_ms: u64,
    /// Their skill lies within so much of the asked one. With EVENMATCH_ESTIMATE_HAS_BAND.
    pub band: f64,
}

wire! {
    evenmatch_question: size_of::<evenmatch_question>(),
    evenmatch_estimate: 56,
}

/// How long a ticket can expect to wait in a queue. `question` may be NULL: a ticket of any skill in any region.
///
/// Alike are the tickets that share a region with it and whose skill lies within the rule's window at age 0; until 30 of
/// them have left within the sliding window, the band is doubled up to the rule's greatest window, and at last every
/// region counts. If that is not enough the estimate is unknown.
///
/// Any thread, also once closed. Cost: that of sorting at most 4,096 tickets, up to a millisecond. Errors: NOT_FOUND (the
/// queue), UNKNOWN_SYMBOL, UNKNOWN_REGION (the queue lists its regions), OUT_OF_RANGE (a skill that the queue would
/// refuse), NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT (an unknown flag), TOO_LARGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_queue_estimate(
    engine: evenmatch_engine,
    queue: evenmatch_queue,
    question: *const evenmatch_question,
    estimate_out: *mut evenmatch_estimate,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: NULL or a struct of the size that it says, by the contract of the header.
            let size = unsafe { wire::writable(estimate_out, "estimate_out") }?;
            let (queue, _) = instance.queue(queue)?;
            let (mut skill, mut regions) = (None, Vec::new());
            if !question.is_null() {
                // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays.
                let (asked, symbols) = unsafe {
                    let asked = wire::read(question, "question")?;
                    (asked, wire::slice(asked.regions, asked.region_count, "regions")?)
                };
                if asked.flags & !EVENMATCH_QUESTION_HAS_SKILL != 0 {
                    let detail = format!("question flags {:#x}", asked.flags);
                    return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, detail));
                }
                let has_skill = asked.flags & EVENMATCH_QUESTION_HAS_SKILL != 0;
                skill = has_skill.then(|| Decimal::from_f64(asked.skill));
                for &symbol in symbols {
                    regions.push(instance.names.text(symbol, "region")?);
                }
            }
            let found = instance.engine.estimate(queue, skill, &regions)?;
            let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
            let told = evenmatch_estimate {
                struct_size: 0,
                flags: flag(found.is_known, EVENMATCH_ESTIMATE_KNOWN)
                    | flag(found.every_region, EVENMATCH_ESTIMATE_EVERY_REGION)
                    | flag(found.band.is_some(), EVENMATCH_ESTIMATE_HAS_BAND),
                p50_ms: found.p50.map_or(EVENMATCH_NEVER, |wait| wait.0),
                p90_ms: found.p90.map_or(EVENMATCH_NEVER, |wait| wait.0),
                samples: found.samples,
                matched: found.matched,
                seen_up_to_ms: found.seen_up_to.0,
                band: found.band.map_or(0.0, Fixed::to_f64),
            };
            // SAFETY: the size came from `writable`, and the place is the same.
            unsafe { wire::write(estimate_out, size, &told) };
            Ok(())
        })
    })
}
