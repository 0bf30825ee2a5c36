//! The rooms below the features, a crate of their own: a changed line of a feature compiles half of the server.
//! `web` takes requests and writes documents, `upstream` speaks to the business APIs, `state` keeps sessions and carts.

pub mod config;
pub mod descriptors;
pub mod engine;
pub mod keys;
pub mod memory;
pub mod rush_hours;
pub mod state;
pub mod telemetry;
pub mod upstream;
pub mod values;
pub mod web;
