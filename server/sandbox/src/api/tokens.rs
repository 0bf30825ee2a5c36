//! Tokens and tracks.

use axum::Json as Wire;
use axum::extract::State;
use axum::routing::post;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::accounts::grant::{self, PHONE_CODE, TOKEN_LASTS};
use crate::accounts::{unauthorized, user};
use crate::answer::{Answer, data, done, ok};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::openapi::schema::{self, integer, object, one_of_texts, text};
use crate::openapi::{Api, Operation};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::post(
            "/api/v2/oauth2/tokens",
            "token",
            "An access token for a code or a track",
        )
        .body(object(&[
            ("client_id", text()),
            (
                "grant_type",
                one_of_texts(&["authorization_code", "authorization_track_id"]),
            ),
            ("redirect_uri?", text()),
            ("code?", text()),
            ("code_verifier?", text()),
            ("track_id?", text()),
        ]))
        .answers(
            200,
            object(&[
                ("access_token", text()),
                ("token_type", text()),
                ("expires_in", integer()),
            ]),
        )
        .refuses(&[400, 401]),
        post(token),
    )
    .add(
        Operation::post(
            "/api/v2/oauth2/tokens/revoke",
            "revoke",
            "Ends the caller's token",
        )
        .answers(200, done())
        .refuses(&[401]),
        post(revoke),
    )
    .add(
        Operation::post(
            "/api/v1/oauth2/tracks",
            "track",
            "A track with which the same person signs in elsewhere",
        )
        .body(object(&[("phone?", text()), ("code?", text())]))
        .answers(200, schema::data(object(&[("id", text())])))
        .refuses(&[400, 401]),
        post(track),
    )
}

#[derive(Deserialize)]
struct TokenBody {
    client_id: String,
    grant_type: String,
    #[serde(default)]
    redirect_uri: Option<String>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    code_verifier: Option<String>,
    #[serde(default)]
    track_id: Option<String>,
}

async fn token(State(app): State<App>, Json(body): Json<TokenBody>) -> Answer {
    let now = app.clock.now();
    let token = match body.grant_type.as_str() {
        "authorization_code" => by_code(&app, body, now).await?,
        "authorization_track_id" => {
            let track = body.track_id.filter(|track| !track.is_empty());
            let track = track.ok_or_else(|| Refusal::bad("track_id is required"))?;
            app.store
                .write(move |db| {
                    let user = grant::of_track(db, &track, now)?;
                    grant::token(db, user, now)
                })
                .await?
        }
        _ => return Err(Refusal::bad("grant_type is not known")),
    };
    Ok(Wire(
        json!({"access_token": token, "token_type": "Bearer", "expires_in": TOKEN_LASTS / 1000}),
    ))
}

/// A refused code stays used: the refusal is made after the transaction has held.
async fn by_code(app: &App, body: TokenBody, now: i64) -> Result<String, Refusal> {
    let (Some(code), Some(uri)) = (body.code, body.redirect_uri) else {
        return Err(Refusal::bad("code and redirect_uri are required"));
    };
    let issued = app
        .store
        .write(move |db| {
            let verifier = body.code_verifier.as_deref();
            let user = grant::redeem(db, &code, &body.client_id, &uri, verifier, now)?;
            user.map(|user| grant::token(db, user, now)).transpose()
        })
        .await?;
    issued.ok_or_else(unauthorized)
}

async fn revoke(State(app): State<App>, caller: Caller) -> Answer {
    app.signed_in_even_deleted(&caller).await?;
    let token = caller.bearer.unwrap_or_default();
    app.store
        .write(move |db| Ok(db.execute("DELETE FROM tokens WHERE token = ?1", [token])?))
        .await?;
    ok()
}

#[derive(Deserialize, Default)]
struct TrackBody {
    #[serde(default)]
    phone: Option<String>,
    #[serde(default)]
    code: Option<String>,
}

/// For a signed-in guest, or for a phone with its code (what a host application sends).
async fn track(State(app): State<App>, caller: Caller, Json(body): Json<Value>) -> Answer {
    let body: TrackBody = serde_json::from_value(body).unwrap_or_default();
    let now = app.clock.now();
    let proved = body.code.as_deref() == Some(PHONE_CODE);
    let phone = body
        .phone
        .as_deref()
        .and_then(user::phone)
        .filter(|_| proved);
    let id = match phone {
        Some(phone) => {
            app.store
                .write(move |db| {
                    let user = user::of_phone(db, &phone, now)?;
                    grant::track(db, user.id, now)
                })
                .await?
        }
        None => {
            let user = app.signed_in(&caller).await?;
            app.store
                .write(move |db| grant::track(db, user.id, now))
                .await?
        }
    };
    data(json!({"id": id}))
}
