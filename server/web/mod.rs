//! HTTP: requests in, documents out.

pub mod admin;
pub mod assets;
pub mod client;
pub mod csp_report;
pub mod csrf;
pub mod encoding;
pub mod event_stream;
pub mod finish;
pub mod form;
pub mod headers;
pub mod images;
pub mod limits;
pub mod locale;
pub mod log;
pub mod page;
pub mod public;
pub mod rate;
pub mod redirect;
pub mod seal;
pub mod serve;
pub mod session;
pub mod sign;
pub mod streams;
pub mod tiles;
pub mod visit;
pub mod words;
