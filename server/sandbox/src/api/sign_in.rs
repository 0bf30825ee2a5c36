//! The page of phone and code, as a browser sees it.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::accounts::grant::{self, PHONE_CODE};
use crate::accounts::user;
use crate::app::App;
use crate::markup;
use crate::openapi::schema::{object, one_of_texts, text};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get(
            "/oauth2/authorize",
            "authorize",
            "The page of phone and code",
        )
        .required("client_id", text())
        .required("redirect_uri", text())
        .required("response_type", one_of_texts(&["code"]))
        .query("state", text())
        .query("code_challenge", text())
        .query("code_challenge_method", one_of_texts(&["S256"]))
        .answers_as(200, "text/html")
        .refuses(&[400]),
        get(ask).post(submit),
    )
    .describe(
        Operation::post(
            "/oauth2/authorize",
            "authorizeStep",
            "The phone, then the code; leads back with a code",
        )
        .form(object(&[
            ("client_id", text()),
            ("redirect_uri", text()),
            ("phone", text()),
            ("code?", text()),
        ]))
        .answers_as(200, "text/html")
        .answers_bare(303)
        .answers_as(422, "text/html")
        .refuses(&[400]),
    )
}

const CARRIED: [&str; 6] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "state",
    "code_challenge",
    "code_challenge_method",
];

async fn ask(State(app): State<App>, params: Params) -> Result<Response, Refusal> {
    trusted(&app, &params)?;
    page(&params, None, None)
}

async fn submit(State(app): State<App>, body: String) -> Result<Response, Refusal> {
    let params = Params::parse(&body);
    let redirect = trusted(&app, &params)?.to_owned();
    let state = params.get("state").unwrap_or("").to_owned();
    if params.flag("cancel") {
        return Ok(back(
            &redirect,
            &[("error", "access_denied"), ("state", &state)],
        ));
    }
    let Some(phone) = user::phone(params.get("phone").unwrap_or("")) else {
        return page(&params, None, Some("Enter the whole phone number"));
    };
    match params.get("code") {
        None => return page(&params, Some(&phone), None),
        Some(code) if code.trim() != PHONE_CODE => {
            return page(&params, Some(&phone), Some("This code is wrong"));
        }
        Some(_) => {}
    }
    let now = app.clock.now();
    let code = app
        .store
        .write(move |db| {
            let request = grant::Request {
                client_id: params.get("client_id").unwrap_or(""),
                redirect_uri: params.get("redirect_uri").unwrap_or(""),
                challenge: params.get("code_challenge"),
            };
            grant::code(db, user::of_phone(db, &phone, now)?.id, &request, now)
        })
        .await?;
    Ok(back(&redirect, &[("code", &code), ("state", &state)]))
}

/// The redirect address, which must be one that was agreed, to the letter.
fn trusted<'a>(app: &App, params: &'a Params) -> Result<&'a str, Refusal> {
    let redirect = params.get("redirect_uri").unwrap_or("");
    if !app.redirect_uris.iter().any(|known| known == redirect) {
        return Err(Refusal::bad("redirect_uri is not registered"));
    }
    if params.get("client_id").is_none() {
        return Err(Refusal::bad("client_id is required"));
    }
    if params.get("response_type").unwrap_or("code") != "code" {
        return Err(Refusal::bad("response_type must be code"));
    }
    let plain = params.get("code_challenge").is_some()
        && params
            .get("code_challenge_method")
            .is_none_or(|method| method != "S256");
    if plain {
        return Err(Refusal::bad("code_challenge_method must be S256"));
    }
    Ok(redirect)
}

fn back(redirect: &str, pairs: &[(&str, &str)]) -> Response {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        query.append_pair(name, value);
    }
    let joint = if redirect.contains('?') { '&' } else { '?' };
    Redirect::to(&format!("{redirect}{joint}{}", query.finish())).into_response()
}

/// The page of phone and code.
#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'a> {
    wrong: Option<&'a str>,
    /// What the next step needs of this one.
    carried: Vec<(&'static str, &'a str)>,
    phone: Option<&'a str>,
    phone_code: &'static str,
}

fn page(params: &Params, phone: Option<&str>, wrong: Option<&str>) -> Result<Response, Refusal> {
    let carried = CARRIED
        .iter()
        .filter_map(|name| params.get(name).map(|value| (*name, value)))
        .collect();
    let page = markup::page(&SignInPage {
        wrong,
        carried,
        phone,
        phone_code: PHONE_CODE,
    })?;
    let status = if wrong.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    Ok((status, page).into_response())
}
