//! `/profile/form`: name, birthday and gender of a signed-in guest.

use serde::Serialize;
use time::Date;

use super::{FORM_PATH, avatar, birthday, deleted_leads_to};
use crate::{
    error::Error,
    features::{
        booking,
        loaded::{Facts, Loaded, SignedInRequest},
        place::Place,
        sign_in::SignedInVisit,
    },
    upstream::{self, Gender, Rejection, UserChange},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome, Text},
        },
        page::{Page, SignedInPage},
    },
};

/// The page.
const SHORTEST_NAME: usize = 2;
const LONGEST_NAME: usize = 60;

/// `/profile/form`
pub const PAGE: SignedInPage = Page::builder("profileForm", FORM_PATH).signed_in();

/// Page data of `/profile/form`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfileFormPage {
    /// May be empty.
    pub name: String,
    /// `31/12/1990`; empty when it is not told.
    pub birthday: String,
    /// If told.
    #[cfg_attr(test, ts(type = "'female' | 'male' | null"))]
    pub gender: Option<&'static str>,
    /// The address of the picture, if there is one.
    pub avatar: Option<String>,
}

/// Loads the form with what the upstream knows.
///
/// # Errors
/// When the upstream does not answer: an empty form would take away what it knows.
pub async fn load(request: SignedInRequest) -> Result<Loaded<ProfileFormPage>, Error> {
    let Facts { visit, .. } = &*request;
    let caller = visit.personal_caller().await;
    let user = visit.app.upstream.user(&caller).await?;
    if let Some(to) = deleted_leads_to(visit, &user).await? {
        return Ok(Loaded::Redirect(to));
    }
    Ok(Loaded::page(ProfileFormPage {
        avatar: avatar::address(&user),
        name: user.name,
        birthday: user.birthday.map(birthday::text).unwrap_or_default(),
        gender: user.gender.map(Gender::code),
    }))
}

/// Saves what was typed, and a picture that was chosen beside it.
///
/// # Errors
/// When the guest is signed out: asked to sign in, with everything typed.
pub async fn save(visit: SignedInVisit, form: Form) -> Result<Outcome, Error> {
    let refused = |errors| Ok(Outcome::refused(&form, FORM_PATH.to_owned(), errors));
    // First: a browser can't be given a chosen file back.
    if let Err(error) = avatar::keep(&visit, &form).await? {
        return refused(vec![error]);
    }
    let place = Place::of(&visit).await;
    let today = booking::today(visit.now, place.meta.utc_offset);
    let change = match read(&form, today) {
        Ok(change) => change,
        Err(errors) => return refused(errors),
    };
    let caller = visit.personal_caller().await;
    match visit.app.upstream.change_user(&caller, &change).await {
        Ok(_) => Ok(Outcome::go(format!("{}?saved=1", super::PATH))),
        Err(error @ upstream::Error::Unauthorized) => Err(error.into()),
        // The profile asks whether to restore it.
        Err(upstream::Error::Rejected(rejection)) if rejection.code == "account_deleted" => {
            Ok(Outcome::go(super::PATH.to_owned()))
        }
        Err(upstream::Error::Rejected(rejection)) => refused(vec![beside_its_field(&rejection)]),
        Err(_) => refused(vec![FieldError::new("form", ErrorCode::NotDone)]),
    }
}

/// In the upstream's own words, where it says which field it does not take (HT-08).
fn beside_its_field(rejection: &Rejection) -> FieldError {
    let field = match rejection.code.as_str() {
        "name_invalid" => "name",
        "bday_invalid" => "birthday",
        _ => "form",
    };
    FieldError {
        field: field.to_owned(),
        ..FieldError::rejected(rejection)
    }
}

fn read(form: &Form, today: Date) -> Result<UserChange, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut reject = |error| errors.push(error);
    let name = name(form.get("name").unwrap_or_default()).map_err(&mut reject);
    let written = form.get("birthday");
    let birthday = written.and_then(|text| {
        let read = birthday::read(text, today);
        read.map_err(|code| reject(FieldError::new("birthday", code)))
            .ok()
    });
    let chosen = form.get("gender");
    let gender = chosen.and_then(Gender::from_code);
    if chosen.is_some() && gender.is_none() {
        reject(FieldError::new("gender", ErrorCode::BadInput));
    }
    match name {
        Ok(name) if errors.is_empty() => Ok(UserChange {
            name: Some(name),
            birthday,
            gender,
            no_birthday: birthday.is_none(),
            no_gender: gender.is_none(),
            ..UserChange::default()
        }),
        _ => Err(errors),
    }
}

/// A name as it is sent: single spaces, letters of any alphabet, hyphens (PR-01, PR-03). Accents may be letters of their
/// own beside the ones that they stand on.
fn name(typed: &str) -> Result<String, FieldError> {
    let name = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    let refused = |code| Err(FieldError::new("name", code));
    let counted = |code, count: usize| {
        let count = Text::Number(i32::try_from(count).unwrap_or(i32::MAX));
        Err(FieldError::new("name", code).with("count", count))
    };
    let is_accent = |letter: char| ('\u{300}'..='\u{36f}').contains(&letter);
    let is_mark = |letter: char| matches!(letter, ' ' | '-' | '\u{2010}' | '\u{2011}');
    match name.chars().count() {
        0 => refused(ErrorCode::Required),
        length if length < SHORTEST_NAME => counted(ErrorCode::TooShort, SHORTEST_NAME),
        length if length > LONGEST_NAME => counted(ErrorCode::TooLong, LONGEST_NAME),
        _ if !name.contains(char::is_alphabetic)
            || !name
                .chars()
                .all(|letter| letter.is_alphabetic() || is_accent(letter) || is_mark(letter)) =>
        {
            refused(ErrorCode::Letters)
        }
        _ => Ok(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_letters_of_any_alphabet_and_hyphens() {
        for (typed, sent) in [
            ("  Айгүл ", "Айгүл"),
            ("Әлия-Гүл", "Әлия-Гүл"),
            ("Анна  Мария", "Анна Мария"),
            ("ნინო", "ნინო"),
            ("Zoë", "Zoë"),
            ("Zoe\u{308}", "Zoe\u{308}"),
            ("Ли", "Ли"),
            ("𐐀𐐁", "𐐀𐐁"),
        ] {
            assert_eq!(name(typed).as_deref(), Ok(sent), "{typed}");
        }
        let code = |typed: &str| name(typed).map_err(|error| error.code);
        assert_eq!(code(" \u{a0} "), Err(ErrorCode::Required));
        // One letter outside of the first plane is one, not two (PR-01).
        for short in ["А", " ა ", "𐐀", "7"] {
            assert_eq!(code(short), Err(ErrorCode::TooShort), "{short}");
        }
        for wrong in [
            "Алия1",
            "R2-D2",
            "--",
            "a_b",
            "Ай<b>",
            "Ли😀",
            "А, Б",
            "О'Нил",
        ] {
            assert_eq!(code(wrong), Err(ErrorCode::Letters), "{wrong}");
        }
        assert!(name(&"ж".repeat(60)).is_ok());
        assert_eq!(code(&"ж".repeat(61)), Err(ErrorCode::TooLong));
    }
}
