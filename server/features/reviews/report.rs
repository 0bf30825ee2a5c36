//! Tells the upstream's moderator that something is wrong with a review.

use axum::extract::Path;
use url::form_urlencoded::Serializer;

use super::path;
use crate::{
    error::Error,
    upstream::{self, FilialId, ReviewId},
    values::Lang,
    web::{
        form::Form,
        outcome::{ErrorCode, FieldError, Outcome},
        visit::Visit,
    },
};

/// What can be wrong with a review.
const REASONS: [&str; 4] = ["spam", "insult", "personal", "off_topic"];

/// `POST /filials/{id}/reviews/{review}/report`: by a guest's account, else by the session's device; the upstream counts
/// the first word of each.
///
/// # Errors
/// Not found for what is no venue or no review; the upstream's own refusals; when the session can't be written.
pub async fn report(
    visit: Visit,
    Path((filial, review)): Path<(String, String)>,
    form: Form,
) -> Result<Outcome, Error> {
    let filial: FilialId = filial.parse().map_err(|_| Error::NotFound("venue"))?;
    let review: ReviewId = review.parse().map_err(|_| Error::NotFound("page"))?;
    let page = |reported: Option<ReviewId>| address(filial, &form, reported);
    let reason = form.get("reason").filter(|reason| REASONS.contains(reason));
    let Some(reason) = reason else {
        let error = FieldError::new("reason", ErrorCode::Required);
        return Ok(Outcome::refused(&form, page(None), vec![error]));
    };
    if visit.signed_in.is_none() {
        visit.sess.device_or_new().await?;
    }
    let caller = visit.personal_caller().await;
    let told = visit
        .app
        .upstream
        .report_review(&caller, filial, review, reason)
        .await;
    match told {
        Ok(()) => Ok(Outcome::go(page(Some(review)))),
        // Another venue's, or gone since the list was read.
        Err(upstream::Error::NotFound) => Ok(Outcome::go(page(None))),
        Err(error @ (upstream::Error::Unauthorized | upstream::Error::Rejected(_))) => {
            Err(error.into())
        }
        Err(_) => Ok(Outcome::refused_form(&form, page(None), ErrorCode::NotDone)),
    }
}

/// The page of the list that the review stands on.
fn address(filial: FilialId, form: &Form, reported: Option<ReviewId>) -> String {
    let mut query = Serializer::new(String::new());
    if let Some(page) = form.parse::<u32>("page").filter(|page| *page > 1) {
        query.append_pair("page", &page.to_string());
    }
    if let Some(lang) = form.get("in").and_then(Lang::from_code) {
        query.append_pair("in", lang.code());
    }
    if let Some(review) = reported {
        query.append_pair("reported", &review.to_string());
    }
    let query = query.finish();
    let page = path(filial);
    match reported {
        // The thanks stand where the review does.
        Some(review) => format!("{page}?{query}#r{review}"),
        None if query.is_empty() => page,
        None => format!("{page}?{query}"),
    }
}
