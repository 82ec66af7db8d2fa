//! L3: where the values of waiting tickets lie. Used by one thread at a time; changes need `&mut`.

pub mod columns;
pub mod lists;
pub mod rows;
pub mod strings;
pub mod tickets;
