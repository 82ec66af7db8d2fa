//! evenmatch: an embeddable matchmaking engine for games.

pub mod base;
pub mod config;
pub mod engine;
pub mod model;
pub mod rules;
