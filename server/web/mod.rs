//! HTTP: requests in, documents out.

pub mod admin;
pub mod assets;
pub mod client;
pub mod csp_report;
pub mod csrf;
pub mod document;
pub mod encoding;
pub mod form;
pub mod headers;
pub mod images;
pub mod limits;
pub mod load;
pub mod locale;
pub mod log;
pub mod page;
pub mod page_cache;
pub mod plain_error;
pub mod public;
pub mod rate;
pub mod redirect;
pub mod seal;
pub mod serve;
pub mod session;
pub mod sign;
pub mod tiles;
pub mod visit;
