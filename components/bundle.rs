//! The bundle that esbuild makes of this folder (`build.rs`), as bytes inside the binary.
//!
//! A crate of its own, on which only the command and tests depend: when a script changes, nothing of the server is
//! compiled again.

use dastarkhan::web::files::assets::{Embedded, EmbeddedFile as File};

/// The build that this binary serves.
pub static BUNDLE: Embedded = Embedded {
    server: include_str!(concat!(env!("OUT_DIR"), "/web/server.js")),
    manifest: include_str!(concat!(env!("OUT_DIR"), "/web/manifest.json")),
    files: include!(concat!(env!("OUT_DIR"), "/embedded.rs")),
};
