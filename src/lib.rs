//! evenmatch: an embeddable matchmaking engine for games.

pub mod assemble;
pub mod base;
pub mod engine;
pub mod model;
pub mod rules;
