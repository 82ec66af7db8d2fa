//! L3: nobody is matched twice. Knows slots and players, not attributes.

pub mod commit;
pub mod fault;
pub mod players;
pub mod proposals;
pub mod slots;
pub mod word;
