//! evenmatch: an embeddable matchmaking engine for games.

pub mod assemble;
pub mod base;
pub mod claim;
pub mod config;
pub mod engine;
pub mod index;
pub mod model;
pub mod queue;
pub mod rules;
pub mod shard;
pub mod store;

pub use engine::{Engine, EngineBuilder};
pub use model::attribute::AttributeValue;
pub use model::codes::{Code, EndReason, Refusal, UnmatchableReason};
pub use model::event::{EndedRecord, Event, MatchRecord, Quality};
pub use model::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
pub use model::request::{PlayerRequest, TicketLimits, TicketRequest, TicketUpdate};
pub use model::status::{Stats, TickReport, TicketState, TicketStatus};
pub use rules::spec::QueueSpec;
