//! evenmatch: an embeddable matchmaking engine for games.

pub mod base;
pub mod claim;
pub mod config;
pub mod engine;
pub mod index;
pub mod model;
pub mod rules;
pub mod store;
