//! evenmatch: an embeddable matchmaking engine for games.

pub mod assemble;
pub mod base;
pub mod claim;
pub mod engine;
pub mod index;
pub mod model;
pub mod queue;
pub mod rules;
pub mod shard;
pub mod store;
