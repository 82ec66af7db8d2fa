//! L1: plain data in the words of the field. Everything here is made, read and compared, and does nothing.
//!
//! | file | what |
//! | --- | --- |
//! | `ids` | players, tickets, matches, queues; instants of engine time |
//! | `attribute` | what a queue declares, and what players bring |
//! | `request`, `plain` | tickets as they come, with names or without |
//! | `event`, `buffer` | what comes out, as records or in flat arrays |
//! | `status`, `explanation` | what the engine says when asked |
//! | `codes` | the closed lists of codes |
//! | `limits` | the stated maxima |

pub mod attribute;
pub mod buffer;
pub mod codes;
pub mod event;
pub mod explanation;
pub mod ids;
pub mod limits;
pub mod plain;
pub mod request;
pub mod status;
