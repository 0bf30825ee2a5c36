//! Tells the upstream's moderator that something is wrong with a review.

use axum::{Extension, extract::Path};
use url::form_urlencoded::Serializer;

use super::path;
use crate::{
    error::Error,
    keys::sign::Signer,
    upstream::{self, Caller, Fingerprint, ReviewId, VenueId},
    values::Lang,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome},
        },
        rate::AddressAllowance,
        visit::Visit,
    },
};

/// What can be wrong with a review.
const REASONS: [&str; 4] = ["spam", "insult", "personal", "off_topic"];

/// `POST /filials/{id}/reviews/{review}/report`: by a guest's account, else by the address; the upstream counts the first
/// word of each. Not by the session: one is had for a request, and each would count again.
///
/// # Errors
/// Not found for what is no venue or no review; the upstream's own refusals; when the address has reported too much.
pub async fn report(
    visit: Visit,
    Extension(allowance): Extension<AddressAllowance>,
    Path((venue, review)): Path<(String, String)>,
    form: Form,
) -> Result<Outcome, Error> {
    let venue: VenueId = venue.parse().map_err(|_| Error::NotFound("venue"))?;
    let review: ReviewId = review.parse().map_err(|_| Error::NotFound("page"))?;
    let page = |reported: Option<ReviewId>| address(venue, &form, reported);
    let reason = form.get("reason").filter(|reason| REASONS.contains(reason));
    let Some(reason) = reason else {
        let error = FieldError::new("reason", ErrorCode::Required);
        return Ok(Outcome::refused(&form, page(None), vec![error]));
    };
    allowance.take_report().await.map_err(Error::TooMany)?;
    let caller = match visit.signed_in {
        Some(_) => visit.personal_caller().await,
        None => anonymous(&visit, &allowance).await?,
    };
    let result = visit
        .app
        .upstream
        .report_review(&caller, venue, review, reason)
        .await;
    match result {
        Ok(()) => Ok(Outcome::go(page(Some(review)))),
        // Another venue's, or gone since the list was read.
        Err(upstream::Error::NotFound) => Ok(Outcome::go(page(None))),
        Err(error @ (upstream::Error::Unauthorized | upstream::Error::Rejected(_))) => {
            Err(error.into())
        }
        Err(_) => Ok(Outcome::refused_form(&form, page(None), ErrorCode::NotDone)),
    }
}

/// Who reports without a sign-in: all of one address are one.
async fn anonymous(visit: &Visit, allowance: &AddressAllowance) -> Result<Caller, Error> {
    let device = match allowance.client() {
        Some(address) => Signer::new(&visit.app.keys, "address of a report")
            .sign::<16>(&[address.to_string().as_bytes()]),
        None => visit.sess.device_or_new().await?,
    };
    Ok(Caller {
        fingerprint: Fingerprint::new(&device),
        ..visit.caller(None)
    })
}

/// The page of the list that the review stands on.
fn address(venue: VenueId, form: &Form, reported: Option<ReviewId>) -> String {
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
    let page = path(venue);
    match reported {
        // The thanks stand where the review does.
        Some(review) => format!("{page}?{query}#r{review}"),
        None if query.is_empty() => page,
        None => format!("{page}?{query}"),
    }
}
