//! The signed-in guest: name, birthday, picture, language, deletion (AU-16).

use axum::http::Method;
use serde_json::{Map, Value, json};
use time::{Date, format_description::BorrowedFormatItem, macros::format_description};

use super::{
    Caller, Error, Upstream, UserId, When,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::Lang;

/// A signed-in guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The id.
    pub id: UserId,
    /// With the plus sign; empty if not told.
    pub phone: String,
    /// May be empty.
    pub name: String,
    /// May be empty.
    pub second_name: String,
    /// Birthday.
    pub birthday: Option<Date>,
    /// If told.
    pub gender: Option<Gender>,
    /// Address of the picture.
    pub photo: Option<String>,
    /// Set on an account that waits for its end.
    pub deleted_at: Option<When>,
    /// Until then the deletion can be taken back.
    pub restore_until: Option<When>,
}

/// As the upstream knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Gender {
    Male,
    Female,
}

/// What is changed of a user; what is `None` stays.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct UserChange {
    pub name: Option<String>,
    pub second_name: Option<String>,
    pub birthday: Option<Date>,
    pub gender: Option<Gender>,
    /// It is told no more.
    pub no_birthday: bool,
    /// It is told no more.
    pub no_gender: bool,
}

/// A guest's profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The id.
    pub id: UserId,
    /// May be empty.
    pub name: String,
    /// With the plus sign; may be empty.
    pub phone: String,
    /// The language that messages are sent in.
    pub lang: Option<Lang>,
    /// Level of the loyalty programme.
    pub level: Option<Level>,
}

/// A level of the loyalty programme.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// Points from which it holds.
    pub points: u32,
    /// Percent given back.
    pub cashback: f64,
    /// Points from which the next one holds; `None` on the last.
    pub next_points: Option<u32>,
}

/// Pictures that can be an avatar, told by their first bytes and not by what the browser says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ImageKind {
    Jpeg,
    Png,
    Webp,
}

const BIRTHDAY: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

impl Upstream {
    /// Who is signed in; also of an account that is deleted but can be restored.
    pub async fn user(&self, caller: &Caller) -> Result<User, Error> {
        self.ask(Call::get(caller, Part::Accounts, user_path()), wire::data)
            .await
    }

    /// Changes what is told, and answers the whole.
    pub async fn change_user(&self, caller: &Caller, change: &UserChange) -> Result<User, Error> {
        let call = Call::send(
            Method::PUT,
            caller,
            Part::Accounts,
            user_path(),
            &change.to_wire(),
        );
        self.ask(call, wire::data).await
    }

    /// Deletes the account; it can be restored for 90 days.
    pub async fn delete_user(&self, caller: &Caller) -> Result<User, Error> {
        self.ask(
            Call::bare(Method::DELETE, caller, Part::Accounts, user_path()),
            wire::data,
        )
        .await
    }

    /// Takes the deletion back.
    pub async fn restore_user(&self, caller: &Caller) -> Result<User, Error> {
        let path = Path::fixed("api/v3/user/restore");
        self.ask(
            Call::post(caller, Part::Accounts, path, &json!({})),
            wire::data,
        )
        .await
    }

    /// Sets the picture: raw bytes with the file's own type (HT-04).
    pub async fn set_avatar(
        &self,
        caller: &Caller,
        kind: ImageKind,
        bytes: Vec<u8>,
    ) -> Result<User, Error> {
        let call = Call::bare(Method::POST, caller, Part::Accounts, avatar_path());
        self.ask(call.bytes(kind.media_type(), bytes), wire::data)
            .await
    }

    /// Removes the picture.
    pub async fn delete_avatar(&self, caller: &Caller) -> Result<User, Error> {
        self.ask(
            Call::bare(Method::DELETE, caller, Part::Accounts, avatar_path()),
            wire::data,
        )
        .await
    }

    /// Language and level of the guest.
    pub async fn profile(&self, caller: &Caller) -> Result<Profile, Error> {
        let path = Path::fixed("profile/api/v1/profile");
        self.ask(Call::get(caller, Part::Accounts, path), wire::data)
            .await
    }

    /// Sets the language that messages are sent in.
    pub async fn set_profile_language(&self, caller: &Caller, lang: Lang) -> Result<(), Error> {
        let path = Path::fixed("profile/api/v1/profile/language");
        let body = json!({ "language": lang.code() });
        self.ask(Call::post(caller, Part::Accounts, path, &body), wire::done)
            .await
    }
}

impl ImageKind {
    /// The kind of a picture, by its first bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => Some(Self::Webp),
            _ => None,
        }
    }

    const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }
}

impl Gender {
    /// The upstream's word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Male => "male",
            Self::Female => "female",
        }
    }

    /// The gender of a word.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Male, Self::Female]
            .into_iter()
            .find(|gender| gender.code() == code)
    }
}

impl UserChange {
    fn to_wire(&self) -> Value {
        let mut body = Map::new();
        let mut put = |key: &str, value: Option<String>| {
            value.map(|value| body.insert(key.to_owned(), value.into()))
        };
        put("name", self.name.clone());
        put("secondName", self.second_name.clone());
        put(
            "bday",
            self.birthday.and_then(|date| date.format(BIRTHDAY).ok()),
        );
        put("gender", self.gender.map(|gender| gender.code().to_owned()));
        for (key, unset) in [("bday", self.no_birthday), ("gender", self.no_gender)] {
            if unset {
                body.insert(key.to_owned(), Value::Null);
            }
        }
        Value::Object(body)
    }
}

impl FromWire for User {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let text = |key| wire.text(key).unwrap_or_default();
        Ok(Self {
            id: wire.id("id", UserId).ok_or(Bad("user id"))?,
            phone: text("phone"),
            name: text("name"),
            second_name: text("secondName"),
            birthday: wire
                .text("bday")
                .and_then(|date| Date::parse(&date, BIRTHDAY).ok()),
            gender: wire
                .text("gender")
                .and_then(|code| Gender::from_code(&code)),
            photo: wire.link("photo"),
            deleted_at: wire.text("deleted_at").map(When::from_text),
            restore_until: wire.text("restore_until").map(When::from_text),
        })
    }
}

impl FromWire for Profile {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire.id("id", UserId).ok_or(Bad("user id"))?,
            name: wire.text("name").unwrap_or_default(),
            phone: wire.text("phone").unwrap_or_default(),
            lang: wire
                .text("language")
                .and_then(|code| Lang::from_code(&code)),
            level: wire.node("level"),
        })
    }
}

impl FromWire for Level {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            name: wire.text("name").ok_or(Bad("level name"))?,
            points: wire.count("points").unwrap_or(0),
            cashback: wire.number("cashback_percentage").unwrap_or(0.0),
            next_points: wire.count("next_points"),
        })
    }
}

fn user_path() -> Path {
    Path::fixed("api/v3/user")
}

fn avatar_path() -> Path {
    Path::fixed("api/v3/user/avatar")
}
