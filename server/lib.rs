//! Dastarkhan: a food-ordering web app rendered by V8 inside Rust.
//!
//! `web` takes requests and writes documents, `features` holds the parts of the product,
//! `upstream` speaks to the business APIs, `state` keeps sessions and carts.

pub use dastarkhan_base::{
    config, descriptors, engine, keys, memory, rush_hours, state, telemetry, upstream, values, web,
};

pub mod admin;
pub mod check;
pub mod dev;
pub mod error;
pub mod features;
#[cfg(test)]
mod generated;
pub mod pages;
pub mod routes;
pub mod server;
pub mod service;
pub mod stop;
