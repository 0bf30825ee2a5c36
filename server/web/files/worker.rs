//! The service worker of browsers (PW-03): a file of the build at the top of the site, so that it may see to all pages.
//! Where it is not wanted the same address has one that takes itself away, with all that was kept.

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};

use super::assets::Assets;

/// Its file among those of the build.
const FILE: &str = "worker.js";

/// It may ask our own server, and load nothing: a worker is ruled by the policy of its own answer.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'none'; object-src 'none'; base-uri 'none'; connect-src 'self'; \
     frame-ancestors 'none'",
);

/// Takes the place of any other at once, and leaves nothing behind.
const NONE: &str = "\
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(
  caches.keys()
    .then((names) => Promise.all(names.map((name) => caches.delete(name))))
    .then(() => registration.unregister()),
))
";

/// `GET /worker.js`. Browsers look whether it is another one before pages of a day later.
#[must_use]
pub fn answer(assets: &Assets, wanted: bool, headers: &HeaderMap) -> Response {
    let file = wanted.then(|| assets.fixed(FILE, headers)).flatten();
    let mut response =
        file.unwrap_or_else(|| ([(header::CONTENT_TYPE, "text/javascript")], NONE).into_response());
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response
}
