//! The product over HTTP: the real binary with its sandbox, one process for each test.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]
#![allow(clippy::indexing_slicing, missing_docs, reason = "tests")]

mod account;
mod address_start;
mod addresses;
mod age;
mod another_guest;
mod arrivals;
mod assets;
mod avatar;
mod avatar_attacks;
mod bad_network;
