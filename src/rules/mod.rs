//! L2: what makes a match legal, and what it costs.
//!
//! | file | what |
//! | --- | --- |
//! | `spec` | a queue as its author wrote it |
//! | `validate` | what is wrong with it, or hardly meant |
//! | `compile` | the form that searches use |
//! | `window` | what a rule allows at an age, and when that changes |
//! | `shape` | which teams stand, and which totals of players are legal |
//! | `check` | the independent judge of finished matches |

pub mod check;
pub mod compile;
pub mod shape;
pub mod spec;
pub mod validate;
pub mod window;
