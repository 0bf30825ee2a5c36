//! The product over HTTP: the real binary with its sandbox, one process for each test.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]
#![allow(clippy::indexing_slicing, missing_docs, reason = "tests")]

mod assets;
mod cart;
mod cli;
mod errors;
mod locale;
mod menu;
mod operation;
mod orders;
mod pages;
mod security;
mod support;
