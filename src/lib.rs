//! evenmatch: an embeddable matchmaking engine for games.
//!
//! Players wait as *tickets*; a ticket is one player or a party that is never split. A *queue* declares teams,
//! rules (skill difference, measured ping to regions, equal or intersecting attributes, totals, team balance)
//! and how the rules loosen with the time waited. The engine groups tickets into matches that obey every rule,
//! the oldest ticket first, and gives the same matches for the same calls on every machine.
//!
//! The library reads no clock, no file and no network, prints nothing and starts no thread unless it is asked to
//! ([`EngineBuilder::threads`]): the host submits, ticks and polls, and every call carries the host's time.
//!
//! ```
//! use evenmatch::{Engine, Event, Millis, PlayerId, PlayerRequest, TicketRequest, config::read_queue};
//!
//! let queue = r#"{ "name": "duel", "players": 2, "timeout_s": 60,
//!     "attributes": { "skill": { "type": "number", "default": 1500 } },
//!     "rules": [{ "name": "skill", "type": "difference", "attribute": "skill", "max": 50,
//!                 "expand": { "linear": { "add": 10, "every_s": 1 } } }] }"#;
//! let engine = Engine::builder().capacity(10_000).build()?;
//! engine.add_queue(read_queue(queue).expect("the queue is legal"))?;
//! for (id, skill) in [(1, 1500), (2, 1580)] {
//!     let player = PlayerRequest::new(PlayerId(id)).number("skill", skill);
//!     engine.submit(Millis(0), TicketRequest::new("duel").player(player))?;
//! }
//! engine.tick(Millis(0), 0)?; // 80 apart: too far at first,
//! assert_eq!(engine.next_due(), Some(Millis(3000))); // and the engine knows when that changes.
//! engine.tick(Millis(3000), 0)?;
//! let mut events = Vec::new();
//! engine.poll(&mut events, 16);
//! assert!(matches!(&events[0], Event::Match(found) if found.tickets.len() == 2));
//! # Ok::<(), evenmatch::Refusal>(())
//! ```
//!
//! # Map
//!
//! Each module uses only those above it.
//!
//! | module | what |
//! | --- | --- |
//! | [`base`] | fixed-point numbers, arenas, the door to atomics, tasks for several threads |
//! | [`simd`] | kernels for each instruction set, with one meaning |
//! | [`model`] | tickets, matches, codes: plain data in the field's words |
//! | [`rules`] | a queue as it is written and as it is compiled; the independent judge |
//! | [`config`] | queue files and traces in, output lines out: everything JSON |
//! | [`store`], [`index`], [`claim`] | columns of tickets; who is near; nobody is matched twice |
//! | [`assemble`] | tickets become matches |
//! | [`shard`], [`queue`] | the tickets that could meet; a running queue and its tick |
//! | [`engine`] | the calls |
//! | `ffi` | the C ABI, feature `capi` |
//!
//! Hosts need the names below, [`config`], [`model`], [`engine`] and [`rules::spec`]; the other modules are public for
//! tests and benches and may change in any version.

pub mod assemble;
pub mod base;
pub mod claim;
pub mod config;
pub mod engine;
#[cfg(all(feature = "capi", not(loom)))]
pub mod ffi;
pub mod index;
pub mod model;
pub mod queue;
pub mod rules;
pub mod shard;
pub mod simd;
pub mod store;

pub use engine::{Engine, EngineBuilder, TicketLayout};
pub use model::attribute::AttributeValue;
pub use model::buffer::{EventBuffer, FlatEvent, FlatMatch, FlatTeam, FlatTicket};
pub use model::codes::{Code, EndReason, Refusal, UnmatchableReason};
pub use model::event::{EndedRecord, Event, MatchRecord, Quality};
pub use model::explanation::{Explanation, PairAnswer};
pub use model::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
pub use model::plain::{PlainTicket, PlainValue, TextId};
pub use model::request::{PlayerRequest, TicketLimits, TicketRequest, TicketUpdate};
pub use model::status::{Estimate, QueueStats, Stats, TickReport, TicketState, TicketStatus};
pub use rules::spec::QueueSpec;
pub use simd::Simd;
