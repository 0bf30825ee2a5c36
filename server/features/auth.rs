//! `/auth`: where the sign-in page sends its guests back to. It is seen only when that came to nothing (AU-05).

use serde::Serialize;

use super::{
    loaded::{Loaded, PageRequest},
    sign_in::{self, Problem},
};
use crate::{
    error::Error,
    web::{
        page::{Access, Frame, Page},
        redirect::{SIGN_IN_RETURN, safe_path},
    },
};

/// `/auth`
pub const PAGE: Page = Page::builder("auth", SIGN_IN_RETURN)
    .frame(Frame::None)
    .query(&["problem", "back"])
    // The sign-in service leads back here with a code, which is sent on.
    .counted(&["code"])
    .before_consent()
    .open();

/// Page data of `/auth`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuthPage {
    /// What to tell.
    pub problem: Problem,
    /// Where another sign-in leads back to.
    pub back: String,
    /// Where the guest can go on without one.
    pub on: String,
}

/// Ends a sign-in and leads back to where it was begun. What went wrong is told at an address of its own: code and state
/// leave the browser's history, and neither a reload nor another language sends them again.
///
/// # Errors
/// None.
pub async fn load(request: PageRequest) -> Result<Loaded<AuthPage>, Error> {
    let visit = &request.visit;
    let in_query = visit.query_value("problem").and_then(problem);
    let is_answer = ["state", "code", "error"]
        .iter()
        .any(|key| visit.query.contains_key(*key));
    if in_query.is_none() && is_answer && visit.is_document && !visit.is_prefetch() {
        return Ok(Loaded::Redirect(match sign_in::finish(visit).await {
            Ok(back) => back,
            Err((problem, back)) => sign_in::problem_url(problem, &back),
        }));
    }
    let back = safe_path(visit.query_value("back").unwrap_or("/"));
    if visit.signed_in.is_some() {
        return Ok(Loaded::Redirect(back));
    }
    let is_gated = visit.app.page_of(&back).page.access == Access::SignedIn;
    let waits = visit.sess.restorable(visit.now).await.is_some();
    let problem = match in_query.unwrap_or(Problem::State) {
        // It waited for ten minutes, or the guest has decided already.
        Problem::Deleted if !waits => Problem::Expired,
        problem => problem,
    };
    Ok(Loaded::page(AuthPage {
        problem,
        on: if is_gated {
            "/".to_owned()
        } else {
            back.clone()
        },
        back,
    }))
}

fn problem(word: &str) -> Option<Problem> {
    serde_json::from_value(word.into()).ok()
}
