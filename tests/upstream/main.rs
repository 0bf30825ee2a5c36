//! The upstream client over real sockets: against a scripted double here, against the sandbox in `sandbox.rs`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod accounts;
mod breaker;
mod catalogue;
mod contract;
mod day;
mod defaults;
mod double;
mod errors;
mod faults;
mod headers;
mod more_samples;
mod mutations;
mod privacy;
mod retries;
mod samples;
mod sandbox;
