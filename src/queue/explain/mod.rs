//! Why a ticket waits: what keeps the others of its queue out, who is nearest, and what a match lacks.
//!
//! Asked by the engine between ticks, with what the tick holds in hand; changes nothing but the memory of searches.
//!
//! | file | what |
//! | --- | --- |
//! | `ask` | the questions: a ticket, two tickets |
//! | `board` | the barriers between two tickets, and when each opens |
//! | `duel` | the seatings of two single players |
//! | `region` | why two tickets share no region |
//! | `shown` | values and limits as they are shown |
//! | `nearest` | the candidates that are legal the soonest |
//! | `missing`, `sizes` | what a whole match lacks; parties into teams by their sizes |
//! | `search` | the search around the ticket, and without one rule |

mod ask;
mod board;
mod duel;
mod missing;
mod nearest;
mod region;
mod search;
mod shown;
mod sizes;

pub use ask::{Asked, Requests};
