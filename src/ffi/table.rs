//! The engines of this process: 64 places, each behind a gate that counts the callers inside. The only global state
//! of the library beside the panic hook.
//!
//! Called by every export that names an engine. Invariants: an engine is not dropped while a call is inside it; a
//! handle names one engine for ever; ticket ids of an earlier engine of a place name nothing in a later one, because
//! the later one's generations begin where the earlier one's have ended.
#![allow(unsafe_code, reason = "engines stand behind raw pointers, which the gates guard")]

use super::guard::{Fault, Sentence, caught, copy_last};
use super::instance::Instance;
use super::status::{
    EVENMATCH_ENGINE_CLOSED, EVENMATCH_NOT_FOUND, EVENMATCH_PANIC, EVENMATCH_POISONED,
    EVENMATCH_TOO_MANY_ENGINES,
};
use crate::base::gate::{Barred, Gate};
use crate::base::sync::{AtomicPtr, AtomicU32, Ordering};
use std::ptr;
use std::time::Duration;

/// Engines in one process.
pub(super) const ENGINES_MAX: usize = 64;

/// Generations that a place must have left to take another engine.
const GENERATIONS_SPARE: u32 = 1 << 24;

/// A place for an engine.
struct Place {
    gate: Gate,
    /// The engine, while the gate is open or shut.
    instance: AtomicPtr<Instance>,
    /// The generation with which the ticket slots of the next engine begin.
    first_generation: AtomicU32,
}

static PLACES: [Place; ENGINES_MAX] = [const {
    Place {
        gate: Gate::new(),
        instance: AtomicPtr::new(ptr::null_mut()),
        first_generation: AtomicU32::new(1),
    }
}; ENGINES_MAX];

/// An engine that has been found, and that stays until this is dropped.
pub(super) struct Inside {
    place: &'static Place,
}

impl Inside {
    fn instance(&self) -> &Instance {
        // Relaxed: the gate's acquire orders. SAFETY: the pointer came from `Box::into_raw` before the gate was
        // opened, and is freed only after the gate was shut and found empty; we are inside until dropped.
        unsafe { &*self.place.instance.load(Ordering::Relaxed) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.place.gate.leave();
    }
}

/// Place and generation of a handle.
fn split(engine: u64) -> Result<(&'static Place, u32), Fault> {
    let generation = (engine >> 32) as u32;
    match PLACES.get(engine as u32 as usize) {
        Some(place) if generation != 0 => Ok((place, generation)),
        _ => Err(not_found()),
    }
}

fn not_found() -> Fault {
    Fault::new(EVENMATCH_NOT_FOUND, "no such engine: the handle is 0, stale or forged")
}

fn refused(barred: Barred) -> Fault {
    match barred {
        Barred::Unknown => not_found(),
        Barred::Shut => Fault::new(EVENMATCH_ENGINE_CLOSED, "the engine is being freed"),
    }
}

/// Puts an engine into a free place. `make` is told the place's index, the engine's generation and the generation
/// with which its slots begin.
pub(super) fn add(make: impl FnOnce(u32, u32, u32) -> Result<Instance, Fault>) -> Result<u64, Fault> {
    for (index, place) in PLACES.iter().enumerate() {
        // Relaxed: written by the thread that freed the place, whose release `reserve` has acquired when it counts.
        if place.first_generation.load(Ordering::Relaxed) > u32::MAX - GENERATIONS_SPARE {
            continue;
        }
        let Some(generation) = place.gate.reserve() else { continue };
        let reserved = Reserved { place, generation };
        let first = place.first_generation.load(Ordering::Relaxed);
        let instance = make(index as u32, generation, first)?;
        place.instance.store(Box::into_raw(Box::new(instance)), Ordering::Relaxed);
        std::mem::forget(reserved);
        place.gate.open(generation);
        return Ok(u64::from(generation) << 32 | index as u64);
    }
    let detail = format!("{ENGINES_MAX} engines exist in this process; free one");
    Err(Fault::new(EVENMATCH_TOO_MANY_ENGINES, detail))
}

/// A place that is given back if its engine could not be made, by an error or by a panic.
struct Reserved {
    place: &'static Place,
    generation: u32,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.place.gate.free(self.generation);
    }
}

/// Runs `body` with an engine, which stays meanwhile. A panic poisons the engine.
pub(super) fn with(engine: u64, body: impl FnOnce(&Instance) -> Result<(), Fault>) -> Result<(), Fault> {
    let (place, generation) = split(engine)?;
    place.gate.enter(generation).map_err(refused)?;
    let inside = Inside { place };
    let instance = inside.instance();
    if let Some(message) = instance.poison.get() {
        return Err(Fault::new(EVENMATCH_POISONED, message.clone()));
    }
    caught(|| body(instance)).unwrap_or_else(|_| {
        let mut message = Sentence::EMPTY;
        copy_last(&mut message);
        let message = message.as_str().to_owned();
        // A second panic at the same time keeps the first one's message.
        let _ = instance.poison.set(message.clone());
        Err(Fault::new(EVENMATCH_PANIC, message))
    })
}

/// Takes an engine out: shuts its gate, waits for the callers inside, and drops it.
pub(super) fn remove(engine: u64) -> Result<(), Fault> {
    let (place, generation) = split(engine)?;
    place.gate.shut(generation).map_err(refused)?;
    wait_until_empty(&place.gate);
    // Relaxed: the gate's acquire in `is_empty` orders.
    let raw = place.instance.swap(ptr::null_mut(), Ordering::Relaxed);
    // SAFETY: the pointer came from `Box::into_raw` in `add`; the gate was shut by this thread alone and is empty,
    // so nobody else has it.
    let instance = unsafe { Box::from_raw(raw) };
    place.first_generation.store(instance.next_generation(), Ordering::Relaxed);
    // An engine that cannot even be dropped is left where it is.
    let dropped = caught(|| drop(instance));
    place.gate.free(generation);
    dropped.map_err(|_| Fault::new(EVENMATCH_PANIC, "the engine panicked while it was freed"))
}

/// Waits for callers inside. Nothing is parked: std's handle of the own thread has a destructor, which would pin a
/// plugin in memory. Calls are short but for ticks, and freeing is rare.
fn wait_until_empty(gate: &Gate) {
    let mut rounds = 0_u32;
    while !gate.is_empty() {
        match rounds {
            0..100 => std::hint::spin_loop(),
            100..200 => std::thread::yield_now(),
            _ => std::thread::sleep(Duration::from_micros(200)),
        }
        rounds = rounds.saturating_add(1);
    }
}
