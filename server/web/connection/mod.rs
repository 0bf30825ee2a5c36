//! Connections: who they come from, how many there may be and for how long, what of HTTP/1 they may say.

pub mod client;
mod framing;
pub mod idle;
mod open;
mod refusal;
pub mod serve;
mod socket;
