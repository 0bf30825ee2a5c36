//! A venue that is far is asked about once (ZZ-17).

use crate::{
    error::Error,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        visit::Visit,
    },
};

/// Keeps that the guest goes that far: `POST /cart/far`, with the venue as `filial`.
///
/// # Errors
/// When the store does not answer.
pub async fn accept_far(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let Some(venue) = form.parse::<u64>("filial") else {
        return Ok(Outcome::refused_form(
            &form,
            form.back(),
            ErrorCode::BadInput,
        ));
    };
    visit.sess.accept_far(venue).await?;
    Ok(Outcome::back(form.back()))
}
