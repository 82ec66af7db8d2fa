//! L3: where the values of waiting tickets lie. Used by one thread at a time; changes need `&mut`.
//!
//! | file | what |
//! | --- | --- |
//! | `tickets` | the tickets of one queue, a row each |
//! | `columns`, `sparse`, `rows` | one value of every row; of few rows; which rows are in use |
//! | `lists`, `strings` | lists of differing lengths; texts as numbers |

pub mod columns;
pub mod lists;
pub mod rows;
pub mod sparse;
pub mod strings;
pub mod tickets;
