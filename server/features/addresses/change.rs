//! Choosing, confirming and deleting an address (DG-04, DG-05).

use axum::extract::Path;

use super::{form::address_of, sheet::PAGE as SHEET};
use crate::{
    error::Error,
    features::address_book::{Book, Known, LOCAL, MARK, keep, mark},
    upstream::{self, AddressId},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        session::{DeletedAddress, StoredAddress},
        visit::Visit,
    },
};

/// A deleted address can be had back for so long, milliseconds.
const UNDO: i64 = 10 * 60 * 1000;

/// Makes an address the active one. Choosing it confirms it. One that was deleted elsewhere leads back to the sheet.
///
/// # Errors
/// [`Error::NotFound`] for what is no id; when the store does not answer, or the guest has to sign in again.
pub async fn choose(visit: Visit, Path(id): Path<String>, form: Form) -> Result<Outcome, Error> {
    let id = id_of(&id)?;
    let book = Book::of(&visit).await;
    let known = match book.find(id) {
        Ok(Some(known)) => known,
        Ok(None) => {
            let sheet = address_of(SHEET.path, None, &form.back());
            return Ok(Outcome::go(sheet));
        }
        Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
        Err(_) => return Ok(unreached(&form, ErrorCode::AddressUpdate)),
    };
    visit.sess.set_active_address(saved(id)).await?;
    let mark = mark(&known.address);
    visit.sess.set_confirmed_address(Some(&mark)).await?;
    Ok(Outcome::go(form.back()))
}

/// The guest has seen where it will be brought and agrees: asked once in a session for an address (DG-05). It is the one
/// that the page has shown, whichever is active by now.
///
/// # Errors
/// When the store does not answer.
pub async fn confirm(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let mark = match form.get("address") {
        Some(shown) => Some(shown.chars().take(MARK).collect()),
        // A page of before does not say.
        None => {
            let book = Book::of(&visit).await;
            book.active().map(|known| mark(&known.address))
        }
    };
    if let Some(mark) = mark {
        visit.sess.set_confirmed_address(Some(&mark)).await?;
    }
    Ok(Outcome::back(form.back()))
}

/// Deletes an address; of the others the nearest is active then (DG-04). Without a sign-in nothing of addresses is left.
///
/// # Errors
/// When the store does not answer, or the guest has to sign in again.
pub async fn delete(visit: Visit, Path(id): Path<String>, form: Form) -> Result<Outcome, Error> {
    let id = id_of(&id)?;
    let book = Book::of(&visit).await;
    let known = match book.find(id) {
        Ok(Some(known)) => known,
        // Gone already, in another window.
        Ok(None) => return Ok(Outcome::back(form.back())),
        Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
        Err(_) => return Ok(unreached(&form, ErrorCode::AddressDelete)),
    };
    if let Some(saved) = saved(id) {
        let caller = visit.personal_caller().await;
        match visit.app.upstream.delete_address(&caller, saved).await {
            Ok(()) | Err(upstream::Error::NotFound) => {}
            Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
            Err(error) => {
                tracing::warn!(class = error.class(), "An address could not be deleted");
                return Ok(unreached(&form, ErrorCode::AddressDelete));
            }
        }
    } else {
        visit.sess.set_local_address(None).await?;
    }
    let was_active = book.active().is_some_and(|active| active.id == id);
    forget(&visit, known, was_active).await?;
    Ok(Outcome::back(form.back()))
}

/// Brings the address back that was deleted last.
///
/// # Errors
/// When the store does not answer, or the guest has to sign in again.
pub async fn undo(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let Some(deleted) = visit.sess.deleted_address(visit.now).await else {
        return Ok(Outcome::back(form.back()));
    };
    let Some(address) = deleted.address.clone().placed() else {
        return Ok(Outcome::back(form.back()));
    };
    if visit.signed_in.is_some() {
        let caller = visit.personal_caller().await;
        match keep(&visit, &caller, &address).await {
            Ok(saved) if deleted.was_active => {
                visit.sess.set_active_address(Some(saved.id)).await?;
            }
            Ok(_) => {}
            Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
            Err(error) => {
                tracing::warn!(
                    class = error.class(),
                    "An address could not be brought back"
                );
                return Ok(unreached(&form, ErrorCode::AddressAdd));
            }
        }
    } else {
        visit.sess.set_local_address(Some(&deleted.address)).await?;
    }
    visit.sess.set_deleted_address(None).await?;
    Ok(Outcome::back(form.back()))
}

/// Notes what was deleted. The address that takes its place is unconfirmed.
async fn forget(visit: &Visit, known: &Known, was_active: bool) -> Result<(), Error> {
    let deleted = DeletedAddress {
        address: StoredAddress::from(&known.address),
        was_active,
        until: visit.now + UNDO,
    };
    visit.sess.set_deleted_address(Some(&deleted)).await?;
    // What was being written of it is about nothing any more.
    let draft = visit.sess.address_draft().await;
    let is_left = visit.signed_in.is_none() || draft.is_some_and(|one| one.id == Some(known.id));
    if is_left {
        visit.sess.set_address_draft(None).await?;
    }
    if was_active {
        visit.sess.set_active_address(None).await?;
        visit.sess.set_confirmed_address(None).await?;
    }
    Ok(())
}

fn unreached(form: &Form, code: ErrorCode) -> Outcome {
    Outcome::refused_form(form, form.back(), code)
}

fn id_of(text: &str) -> Result<i64, Error> {
    text.parse().map_err(|_| Error::NotFound("page"))
}

/// The id of an address that the upstream keeps.
fn saved(id: i64) -> Option<AddressId> {
    (id != LOCAL).then(|| u64::try_from(id).ok().map(AddressId))?
}
