//! L4: tickets become matches.
