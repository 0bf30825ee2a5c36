//! Dastarkhan: a food-ordering web app rendered by V8 inside Rust.
//!
//! `web` takes requests and writes documents, `features` holds the parts of the product,
//! `upstream` speaks to the business APIs, `state` keeps sessions and carts.

pub mod admin;
pub mod check;
pub mod config;
pub mod descriptors;
pub mod dev;
pub mod engine;
pub mod error;
pub mod features;
#[cfg(test)]
mod generated;
pub mod keys;
pub mod memory;
pub mod pages;
pub mod routes;
pub mod rush_hours;
pub mod server;
pub mod service;
pub mod state;
pub mod stop;
pub mod telemetry;
pub mod upstream;
pub mod values;
pub mod web;
