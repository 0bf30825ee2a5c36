//! `/cookies`: where the first change of a visit leads, to see whether its cookie came back. A browser that keeps no
//! cookies would begin another session with every tap, and its cart would be empty without a word.

use serde::Serialize;
use url::form_urlencoded::Serializer;

use super::loaded::{Facts, Loaded, PageRequest};
use crate::{
    error::Error,
    web::{page::Page, redirect::safe_path},
};

/// `/cookies`
pub const PAGE: Page = Page::builder("cookies", "/cookies")
    .query(&["back", SIGN_IN])
    .before_consent()
    .open();
/// The guest wants to sign in.
const SIGN_IN: &str = "sign_in";

/// Page data of `/cookies`: only who brings no cookie sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CookiesPage {
    /// The page that the guest came from.
    pub back: String,
    /// It is the sign-in that needs cookies, in a frame that has a cart without them: the same page in a window of its own.
    pub window: Option<String>,
}

/// Leads on when the cookie came back; else says that it did not, and what can be done.
///
/// # Errors
/// None.
pub async fn load(request: PageRequest) -> Result<Loaded<CookiesPage>, Error> {
    let Facts { visit, .. } = &*request;
    let back = safe_path(visit.query_value("back").unwrap_or("/"));
    let signs_in = visit.is_carried() && visit.query_value(SIGN_IN).is_some();
    Ok(if visit.brings_session() && !signs_in {
        Loaded::Redirect(back)
    } else {
        let window = signs_in.then(|| format!("{}{back}", visit.origin));
        Loaded::page(CookiesPage { back, window })
    })
}

/// The address that says why a guest can't sign in whose browser keeps no cookies.
#[must_use]
pub fn no_sign_in(back: &str) -> String {
    let query = Serializer::new(String::new())
        .append_pair("back", back)
        .append_pair(SIGN_IN, "1")
        .finish();
    format!("/cookies?{query}")
}

/// The address that finds out on the way to another.
#[must_use]
pub fn on_the_way_to(page: &str) -> String {
    let query = Serializer::new(String::new())
        .append_pair("back", page)
        .finish();
    format!("/cookies?{query}")
}
