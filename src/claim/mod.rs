//! L3: nobody is matched twice. Knows slots and players, not attributes.
//!
//! | file | what |
//! | --- | --- |
//! | `commit` | a ticket ends, or is taken for one match |
//! | `slots`, `proposals` | the table of tickets; that of matches being committed |
//! | `word` | the words of both, as plain numbers |
//! | `players` | which ticket each player is in |
//! | `fault` | known mistakes, for the loom models |

pub mod commit;
pub mod fault;
pub mod players;
pub mod proposals;
pub mod slots;
pub mod word;
