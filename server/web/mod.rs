//! HTTP: requests in, documents out.

pub mod assets;
pub mod client;
pub mod csp_report;
pub mod csrf;
pub mod document;
pub mod encoding;
pub mod headers;
pub mod limits;
pub mod locale;
pub mod page_cache;
pub mod rate;
pub mod redirect;
pub mod seal;
pub mod serve;
pub mod session;
