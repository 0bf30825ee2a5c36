//! HTTP: requests in, documents out.

pub mod app;
pub mod around;
pub mod change;
pub mod connection;
pub mod corrections;
pub mod csrf;
pub mod embed;
pub mod encoding;
pub mod events;
pub mod files;
pub mod headers;
pub mod hosts;
pub mod insight;
pub mod limits;
pub mod locale;
pub mod log;
pub mod page;
pub mod parts;
pub mod prefix;
pub mod public;
pub mod rate;
pub mod redirect;
pub mod session;
pub mod texts;
pub mod visit;
pub mod work;
