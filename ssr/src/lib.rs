//! The render engine: runs a server bundle in V8 isolates under strict limits.
//!
//! It knows nothing of HTTP, React or the product. A bundle is one script that sets
//! `globalThis.__render = (url, json) => string | Promise<string>`; the answer is one line of
//! JSON (the head), a line feed, and the HTML.

mod error;
mod options;
mod renderer;
mod snapshot;
mod stats;

pub use error::{Limit, RenderError, SnapshotError, StartError};
pub use options::Options;
pub use renderer::{Rendered, Renderer};
pub use snapshot::{Bundle, make_snapshot};
pub use stats::Stats;
