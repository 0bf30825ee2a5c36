//! The guest's picture: taken from a form, made small and upright without anything that came along with it, sent to the
//! upstream as raw bytes, and shown to this guest alone (PR-04, PR-11, SC-08).

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::FORM_PATH;
use crate::{
    error::Error,
    features::sign_in::SignedInVisit,
    keys::seal,
    upstream::{self, ImageKind, User},
    web::{
        change::{
            bad_form::BadForm,
            form::Form,
            outcome::{ErrorCode, FieldError, Flash, Notice, Outcome, Text},
        },
        files::images,
        visit::Visit,
    },
};

/// Where the form posts to, and where the picture is.
pub const PATH: &str = "/profile/avatar";
/// Where it is taken away.
pub const REMOVAL: &str = "/profile/avatar/remove";
/// Bytes of a photo that is taken. With scripts the browser has made it small before.
pub const MOST: usize = 20 << 20;
/// The field of the file.
const FIELD: &str = "avatar";

/// Takes a picture.
///
/// # Errors
/// When the guest is signed out.
pub async fn set(visit: SignedInVisit, form: Form) -> Result<Outcome, Error> {
    Ok(match keep(&visit, &form).await? {
        Ok(true) => with_typed(&form, Notice::PhotoSaved, Outcome::go),
        Ok(false) => refused(&form, FieldError::new(FIELD, ErrorCode::NoPhoto)),
        Err(error) => refused(&form, error),
    })
}

/// Keeps the picture of a form as that of the guest. False when none was chosen. Each is decoded and sent on: they are
/// counted by account (S-20).
///
/// # Errors
/// When the guest is signed out.
pub(super) async fn keep(visit: &Visit, form: &Form) -> Result<Result<bool, FieldError>, Error> {
    let picture = match form.picture(FIELD, MOST) {
        Ok(Some(picture)) => picture,
        Ok(None) => return Ok(Ok(false)),
        Err(BadForm::TooLarge) => return Ok(Err(limited(ErrorCode::PictureHeavy, MOST >> 20))),
        Err(_) => return Ok(Err(FieldError::new(FIELD, ErrorCode::Picture))),
    };
    if let Err(wait) = visit.take_photo().await {
        let error = limited(ErrorCode::Often, wait.as_secs().div_ceil(60).max(1));
        return Ok(Err(error));
    }
    let guest = visit.account_name().await;
    let small = match visit.app.images.avatar(guest, picture.bytes).await {
        Ok(small) => small,
        // With scripts the browser makes it small before; without them the guest has to know what is wrong.
        Err(images::Error::Pixels(most)) => {
            return Ok(Err(limited(ErrorCode::PicturePixels, most)));
        }
        Err(images::Error::Heavy(most)) => {
            return Ok(Err(limited(ErrorCode::PictureHeavy, most)));
        }
        Err(_) => return Ok(Err(FieldError::new(FIELD, ErrorCode::Picture))),
    };
    let caller = visit.personal_caller().await;
    let upstream = &visit.app.upstream;
    let result = upstream.set_avatar(&caller, ImageKind::Jpeg, small).await;
    Ok(done(result)?.map(|()| true))
}

/// Takes the picture away. The guest stays on the form: more may be typed there.
///
/// # Errors
/// When the guest is signed out.
pub async fn remove(visit: SignedInVisit, form: Form) -> Result<Outcome, Error> {
    let caller = visit.personal_caller().await;
    let result = visit.app.upstream.delete_avatar(&caller).await;
    Ok(match done(result)? {
        Ok(()) => with_typed(&form, Notice::PhotoRemoved, Outcome::back),
        Err(error) => refused(&form, error),
    })
}

/// Answers the picture of the guest who is signed in, to that guest alone: it is kept nowhere (S-12).
pub async fn show(visit: Visit) -> Response {
    let Some(picture) = picture(&visit).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/webp")),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        ),
    ];
    (headers, picture).into_response()
}

/// The address of a user's picture on a page, another one each time: it may have changed since.
pub(super) fn address(user: &User) -> Option<String> {
    user.photo
        .as_ref()
        .map(|_| format!("{PATH}?{}", seal::random_name()))
}

async fn picture(visit: &Visit) -> Option<axum::body::Bytes> {
    visit.signed_in.as_ref()?;
    let caller = visit.personal_caller().await.optional();
    let photo = visit.app.upstream.user(&caller).await.ok()?.photo?;
    visit.app.images.personal(&photo).await.ok()
}

fn done(result: Result<User, upstream::Error>) -> Result<Result<(), FieldError>, Error> {
    match result {
        Ok(_) => Ok(Ok(())),
        Err(error @ upstream::Error::Unauthorized) => Err(error.into()),
        Err(upstream::Error::Rejected(rejection)) => Ok(Err(FieldError {
            field: FIELD.to_owned(),
            ..FieldError::rejected(&rejection)
        })),
        Err(_) => Ok(Err(FieldError::new("form", ErrorCode::NotDone))),
    }
}

fn limited(code: ErrorCode, most: impl TryInto<i32>) -> FieldError {
    let most = most.try_into().unwrap_or(i32::MAX);
    FieldError::new(FIELD, code).with("count", Text::Number(most))
}

/// Where no scripts run, the picture's buttons send the whole form: what was typed in it comes back, not saved yet.
fn with_typed(form: &Form, kind: Notice, to: fn(String) -> Outcome) -> Outcome {
    to(FORM_PATH.to_owned()).with_flash(Flash {
        values: form.values(),
        ..Flash::new(kind)
    })
}

fn refused(form: &Form, error: FieldError) -> Outcome {
    Outcome::refused(form, FORM_PATH.to_owned(), vec![error])
}
