//! The embedded upstream: a real HTTP server with a real database that answers
//! every call the product makes, for demos, development and tests.

pub mod model;
pub mod pictures;
pub mod seed;
