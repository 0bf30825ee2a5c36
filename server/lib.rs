//! Dastarkhan: a food-ordering web app rendered by V8 inside Rust.
//!
//! `web` takes requests and writes documents, `features` holds the parts of the product,
//! `upstream` speaks to the business APIs, `state` keeps sessions and carts.

pub mod config;
pub mod engine;
pub mod features;
pub mod state;
pub mod upstream;
pub mod values;
pub mod web;
