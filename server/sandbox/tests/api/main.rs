//! The sandbox over real HTTP.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod accounts;
mod bills;
mod builtin;
mod business;
mod catalogue;
mod client;
mod controls;
mod day;
mod document;
mod durability;
mod faults;
mod fixture;
mod junk;
mod limits;
mod orders;
mod purchases;
mod reviews;
mod schemathesis;
mod shape;
mod support;
mod walk;
