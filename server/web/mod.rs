//! HTTP: requests in, documents out.

pub mod seal;
