//! Writes a review, and takes it away. There is one of a guest and a venue: a new one takes the place of the last.

use axum::extract::Path;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;

use super::{LONGEST, path, tidy};
use crate::{
    error::Error,
    features::{analytics, sign_in::SignedInVisit},
    state::idempotency::body_hash,
    upstream::{self, IdempotencyKey, VenueId},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome},
        },
        visit::Visit,
    },
};

/// `POST /filials/{id}/reviews`. Whatever it comes to, nothing that was typed is lost.
///
/// # Errors
/// Asked to sign in without an account; not found for an unknown venue; when the session can't be written.
pub async fn write(
    visit: SignedInVisit,
    Path(venue): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let venue = venue_of(&venue)?;
    let page = format!("{}/new", path(venue));
    let refused = |errors| Ok(Outcome::refused(&form, page.clone(), errors));
    let rating = form.parse("rating").filter(|stars| (1..=5).contains(stars));
    let text = tidy(form.get("text").unwrap_or_default());
    let mut errors = Vec::new();
    if rating.is_none() {
        errors.push(FieldError::new("rating", ErrorCode::Required));
    }
    if text.chars().count() > LONGEST {
        errors.push(FieldError::too_long("text", LONGEST));
    }
    let rating: u8 = match rating {
        Some(rating) if errors.is_empty() => rating,
        _ => return refused(errors),
    };
    let key = key(&visit, &form, venue, rating, &text).await?;
    let caller = visit.personal_caller().await;
    let upstream = &visit.app.upstream;
    match upstream
        .write_review(&caller, venue, rating, &text, &key)
        .await
    {
        Ok(_) => {
            analytics::review();
            Ok(Outcome::go(path(venue)))
        }
        Err(upstream::Error::NotFound) => Err(Error::NotFound("venue")),
        Err(error @ upstream::Error::Unauthorized) => Err(error.into()),
        Err(upstream::Error::Rejected(rejection)) => {
            refused(vec![FieldError::rejected(&rejection)])
        }
        Err(_) => refused(vec![FieldError::new("form", ErrorCode::NotDone)]),
    }
}

/// `POST /filials/{id}/reviews/remove`.
///
/// # Errors
/// As [`write`].
pub async fn remove(
    visit: SignedInVisit,
    Path(venue): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let venue = venue_of(&venue)?;
    let caller = visit.personal_caller().await;
    match visit.app.upstream.delete_review(&caller, venue).await {
        // Gone already, in another window.
        Ok(()) | Err(upstream::Error::NotFound) => {
            Ok(Outcome::go(format!("{}?removed=1", path(venue))))
        }
        Err(error @ (upstream::Error::Unauthorized | upstream::Error::Rejected(_))) => {
            Err(error.into())
        }
        Err(_) => Ok(Outcome::refused_form(
            &form,
            path(venue),
            ErrorCode::NotDone,
        )),
    }
}

fn venue_of(venue: &str) -> Result<VenueId, Error> {
    venue.parse().map_err(|_| Error::NotFound("venue"))
}

/// Names the work: by the change's own id, else by what is said. No other guest can make it, as it begins with the
/// session's secret.
async fn key(
    visit: &Visit,
    form: &Form,
    venue: VenueId,
    rating: u8,
    text: &str,
) -> Result<IdempotencyKey, Error> {
    let cart = visit.sess.cart_or_new().await?;
    let said = match form.get("m") {
        Some(change) => json!([cart.as_str(), venue, change]),
        None => json!([cart.as_str(), venue, rating, text]),
    };
    let hash = URL_SAFE_NO_PAD.encode(body_hash(&said.to_string()));
    IdempotencyKey::new(&format!("rv_{hash}"))
        .ok_or_else(|| Error::Internal("a review's key is none".to_owned()))
}
