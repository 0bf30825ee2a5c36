//! HTTP: requests in, documents out.

pub mod assets;
pub mod document;
pub mod encoding;
pub mod page_cache;
pub mod seal;
pub mod serve;
