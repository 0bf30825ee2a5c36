//! The render engine: runs a server bundle in V8 isolates under strict limits.
//!
//! It knows nothing of HTTP, React or the product.
//!
//! # The bundle
//! One script that sets `globalThis.__render = (url, json, shared) => string | Promise<string>`,
//! the promise being settled by microtasks (and `setTimeout(f, 0)`) alone. The answer is one line of
//! JSON (the head), a line feed, and the HTML. `globalThis.__warm = () => void | Promise<void>`
//! may render every screen with sample data; the snapshot step calls it, and so does each new
//! isolate before it serves.
//!
//! # The fragment cache
//! `shared` names a part of the data that many renders share, 0 without one: `__fragments.shared()`
//! is its text. `__fragments.insert(html)` caches HTML for this isolate and gives a number; in an
//! answer whose first line ends with U+0001, U+0001 `=number` U+0002 is its placeholder.
//! `__fragments.clear()` empties the cache.
//!
//! # What a bundle finds besides the language
//! `setTimeout`/`setImmediate` (an immediate queue; delays never fire) and their `clear…`,
//! `setInterval` (never fires), `queueMicrotask` (V8's own), `MessageChannel` (a stub), `console`
//! (to `tracing`, target `ssr::console`), `performance.now` (stands at 0), `URL`/`URLSearchParams`
//! (over the crate `url`). No `fetch`, `Request`, `Response`, `AbortController` or `TextEncoder`
//! (nothing in a render reads them), no `structuredClone`, no streams, no `process`.
//!
//! # Limits
//! Hash seeds may be frozen into a snapshot, so bound the number and size of object keys that
//! reach `data` from outside; [`Options::max_input`] is the last line only. No `Intl` in a render:
//! the data and the browser's may differ.

mod buffers;
mod error;
mod fragment_cache;
mod isolate;
mod keeper;
mod losses;
mod members;
mod memory;
mod ops;
mod options;
mod platform;
mod pool;
mod rejections;
mod renderer;
mod snapshot;
mod stats;
mod watch;
mod worker;

pub use error::{Limit, RenderError, SnapshotError, StartError};
pub use fragment_cache::Shared;
pub use memory::{keep_little_memory, release_memory};
pub use options::Options;
pub use renderer::{Rendered, Renderer};
pub use snapshot::{Bundle, engine, make_snapshot};
pub use stats::Stats;
