//! L1: plain data in the words of the field. Everything here is made, read and compared, and does nothing.

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
