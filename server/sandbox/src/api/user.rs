//! The signed-in person: name, birthday, picture, language, deletion.

use axum::extract::State;
use axum::routing::{get, post};
use rusqlite::params;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::accounts::balance;
use crate::accounts::user::{RESTORABLE, User};
use crate::answer::{Answer, data, done, ok};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::clock::iso;
use crate::model::Lang;
use crate::openapi::schema::{self, integer, nullable, object, one_of_texts, reference, text};
use crate::openapi::{Api, Operation};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let person = || schema::data(reference("User"));
    let changes = object(&[
        ("name?", text()),
        ("secondName?", text()),
        ("bday?", nullable(text())),
        ("gender?", nullable(one_of_texts(&["male", "female"]))),
    ]);
    api.add(
        Operation::get("/api/v3/user", "user", "The signed-in person")
            .answers(200, person())
            .refuses(&[401]),
        get(show).put(change).delete(delete),
    )
    .describe(
        Operation::new(
            "put",
            "/api/v3/user",
            "changeUser",
            "Changes name, birthday, gender",
        )
        .body(changes)
        .answers(200, person())
        .refuses(&[400, 401, 422]),
    )
    .describe(
        Operation::new(
            "delete",
            "/api/v3/user",
            "deleteUser",
            "Deletes the account; 90 days to change one's mind",
        )
        .answers(200, person())
        .refuses(&[401]),
    )
    .add(
        Operation::post(
            "/api/v3/user/restore",
            "restoreUser",
            "Takes the deletion back",
        )
        .answers(200, person())
        .refuses(&[401]),
        post(restore),
    )
    .add(
        Operation::get(
            "/profile/api/v1/profile",
            "profile",
            "The profile with language and level",
        )
        .answers(200, schema::data(reference("Profile")))
        .refuses(&[401]),
        get(profile),
    )
    .add(
        Operation::post(
            "/profile/api/v1/profile/language",
            "language",
            "Sets the language",
        )
        .body(object(&[(
            "language",
            one_of_texts(&["kk", "ru", "en", "ka"]),
        )]))
        .answers(200, done())
        .refuses(&[400, 401]),
        post(language),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        (
            "User",
            object(&[
                ("id", integer()),
                ("phone", text()),
                ("name", text()),
                ("secondName", text()),
                ("bday", nullable(text())),
                ("gender", nullable(one_of_texts(&["male", "female"]))),
                ("photo", nullable(text())),
                ("deleted_at", nullable(text())),
                ("restore_until", nullable(text())),
            ]),
        ),
        (
            "Profile",
            object(&[
                ("id", integer()),
                ("name", text()),
                ("phone", text()),
                ("language", text()),
                ("level", reference("Level")),
            ]),
        ),
    ]
}

/// The person as the wire shows it.
pub(super) fn wire(user: &User, caller: &Caller) -> Value {
    let photo = user
        .has_avatar
        .then(|| format!("{}/avatars/{}", caller.base, user.id));
    json!({
        "id": user.id,
        "phone": user.phone,
        "name": user.name,
        "secondName": user.second_name,
        "bday": user.bday,
        "gender": user.gender,
        "photo": photo,
        "deleted_at": user.deleted_at.map(iso),
        "restore_until": user.deleted_at.map(|at| iso(at + RESTORABLE)),
    })
}

async fn show(State(app): State<App>, caller: Caller) -> Answer {
    data(wire(&app.signed_in_even_deleted(&caller).await?, &caller))
}

#[derive(Deserialize)]
struct Changes {
    #[serde(default)]
    name: Option<String>,
    #[serde(default, rename = "secondName")]
    second_name: Option<String>,
    /// `null` takes it away, what is missing stays.
    #[serde(default, deserialize_with = "present")]
    bday: Option<Option<String>>,
    /// The same.
    #[serde(default, deserialize_with = "present")]
    gender: Option<Option<String>>,
}

/// A value that is there, be it `null`.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(value).map(Some)
}

async fn change(State(app): State<App>, caller: Caller, Json(changes): Json<Changes>) -> Answer {
    let mut user = app.signed_in(&caller).await?;
    if changes
        .name
        .as_ref()
        .is_some_and(|name| !(2..=100).contains(&name.trim().chars().count()))
    {
        return Err(Refusal::unprocessable(
            "name_invalid",
            "The name needs at least 2 characters",
        ));
    }
    if changes.bday.iter().flatten().any(|bday| !is_date(bday)) {
        return Err(Refusal::unprocessable(
            "bday_invalid",
            "The birthday must look like 1990-12-31",
        ));
    }
    if changes
        .gender
        .iter()
        .flatten()
        .any(|gender| !matches!(gender.as_str(), "male" | "female"))
    {
        return Err(Refusal::bad("gender must be male or female"));
    }
    user.name = changes
        .name
        .map_or(user.name, |name| name.trim().to_owned());
    user.second_name = changes.second_name.map_or(user.second_name, |name| {
        name.trim().chars().take(100).collect()
    });
    user.bday = changes.bday.unwrap_or(user.bday);
    user.gender = changes.gender.unwrap_or(user.gender);
    let saved = user.clone();
    app.store
        .write(move |db| {
            Ok(db.execute(
                "UPDATE users SET name = ?2, second_name = ?3, bday = ?4, gender = ?5 WHERE id = ?1",
                params![saved.id, saved.name, saved.second_name, saved.bday, saved.gender],
            )?)
        })
        .await?;
    data(wire(&user, &caller))
}

fn is_date(text: &str) -> bool {
    let format = time::macros::format_description!("[year]-[month]-[day]");
    time::Date::parse(text, format).is_ok_and(|date| (1900..=2100).contains(&date.year()))
}

async fn delete(State(app): State<App>, caller: Caller) -> Answer {
    mark_deleted(&app, &caller, Some(app.clock.now())).await
}

async fn restore(State(app): State<App>, caller: Caller) -> Answer {
    mark_deleted(&app, &caller, None).await
}

async fn mark_deleted(app: &App, caller: &Caller, at: Option<i64>) -> Answer {
    let mut user = app.signed_in_even_deleted(caller).await?;
    user.deleted_at = at;
    let id = user.id;
    app.store
        .write(move |db| {
            Ok(db.execute(
                "UPDATE users SET deleted_at = ?2 WHERE id = ?1",
                params![id, at],
            )?)
        })
        .await?;
    data(wire(&user, caller))
}

async fn profile(State(app): State<App>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    data(json!({
        "id": user.id,
        "name": user.name,
        "phone": user.phone,
        "language": user.language,
        "level": balance::level(&user, caller.lang),
    }))
}

#[derive(Deserialize)]
struct LanguageBody {
    language: String,
}

async fn language(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<LanguageBody>,
) -> Answer {
    let user = app.signed_in(&caller).await?;
    let lang = Lang::parse(&body.language).ok_or_else(|| Refusal::bad("language is not known"))?;
    app.store
        .write(move |db| {
            let change = "UPDATE users SET language = ?2 WHERE id = ?1";
            Ok(db.execute(change, params![user.id, lang.code()])?)
        })
        .await?;
    ok()
}
