//! Form posts: one shape for native forms and for JSON, one way to answer both.

use std::collections::BTreeMap;

use axum::{
    Json,
    body::{Body, Bytes},
    extract::{FromRequest, Request},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use url::form_urlencoded;

use super::{limits, redirect::safe_path, visit::Visit};
use crate::features::{
    cart::view,
    cookies,
    shell::{FieldError, Flash, MutationAnswer},
};

/// Fields beyond this number are nobody's form.
const MOST_FIELDS: usize = 400;

/// The fields of a post, in order; a name may come several times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Reads `application/x-www-form-urlencoded`.
    #[must_use]
    pub fn urlencoded(body: &[u8]) -> Self {
        Self(
            form_urlencoded::parse(body)
                .take(MOST_FIELDS)
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect(),
        )
    }

    /// Reads a flat JSON object of texts, numbers, flags and lists of them.
    fn json(body: &[u8]) -> Option<Self> {
        let Value::Object(fields) = limits::json(body).ok()? else {
            return None;
        };
        let mut form = Vec::new();
        for (name, value) in fields.into_iter().take(MOST_FIELDS) {
            match value {
                Value::Array(values) => form.extend(
                    values
                        .into_iter()
                        .filter_map(|value| Some((name.clone(), text(value)?))),
                ),
                single => form.extend(text(single).map(|value| (name, value))),
            }
        }
        Some(Self(form))
    }

    /// The first value of a name, trimmed; none when it is missing or blank.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// The first value of a name as a number or an id.
    #[must_use]
    pub fn parse<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }

    /// All fields whose name begins with `prefix`, with the rest of the name.
    pub fn with_prefix<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0
            .iter()
            .filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.trim())))
    }

    /// Where the guest came from; always a path of ours.
    #[must_use]
    pub fn back(&self) -> String {
        safe_path(self.get("back").unwrap_or("/"))
    }

    /// Everything typed, for the form to be shown again (nothing is lost).
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, Vec<String>> {
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in self
            .0
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "back" | "m"))
        {
            values
                .entry(name.clone())
                .or_default()
                .push(value.chars().take(500).collect());
        }
        values
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = StatusCode;

    async fn from_request(request: Request, state: &S) -> Result<Self, StatusCode> {
        let media = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split(';').next())
            .map(|media| media.trim().to_ascii_lowercase());
        let body = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| rejection.into_response().status())?;
        match media.as_deref() {
            Some("application/json") => Self::json(&body).ok_or(StatusCode::BAD_REQUEST),
            Some("application/x-www-form-urlencoded") | None => Ok(Self::urlencoded(&body)),
            Some(_) => Err(StatusCode::UNSUPPORTED_MEDIA_TYPE),
        }
    }
}

/// What a form post came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The page that shows it.
    pub to: String,
    /// A page other than the one the guest came from: scripts go there, too.
    pub moves: bool,
    /// Message or errors.
    pub flash: Option<Flash>,
    /// Another request is doing the same right now: scripts get 409.
    pub busy: bool,
}

impl Outcome {
    /// Done; back to where the guest was.
    #[must_use]
    pub const fn back(to: String) -> Self {
        Self {
            to,
            moves: false,
            flash: None,
            busy: false,
        }
    }

    /// Done; on to another page.
    #[must_use]
    pub const fn go(to: String) -> Self {
        Self {
            to,
            moves: true,
            flash: None,
            busy: false,
        }
    }

    /// Not done: errors beside their fields, with everything that was typed.
    #[must_use]
    pub fn refused(form: &Form, to: String, errors: Vec<FieldError>) -> Self {
        let flash = Flash {
            kind: "formErrors".to_owned(),
            errors,
            values: form.values(),
        };
        Self {
            to,
            moves: false,
            flash: Some(flash),
            busy: false,
        }
    }

    /// Not done, for one reason that concerns the whole form.
    #[must_use]
    pub fn refused_form(form: &Form, to: String, code: &str) -> Self {
        Self::refused(form, to, vec![FieldError::new("form", code)])
    }

    /// Adds a message.
    #[must_use]
    pub fn saying(mut self, kind: &str) -> Self {
        self.flash = Some(Flash {
            kind: kind.to_owned(),
            errors: Vec::new(),
            values: BTreeMap::new(),
        });
        self
    }

    /// Adds a message with its values, unless there is something to say already.
    #[must_use]
    pub fn with_flash(mut self, flash: Flash) -> Self {
        self.flash.get_or_insert(flash);
        self
    }

    /// Another request is doing the same right now.
    #[must_use]
    pub const fn in_flight(mut self) -> Self {
        self.busy = true;
        self
    }

    /// Whether something was refused.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.flash
            .as_ref()
            .is_some_and(|flash| !flash.errors.is_empty())
    }

    /// 303 for a form, the new state for a script. Both come from the same handler.
    pub async fn answer(self, visit: &Visit) -> Response {
        if visit.wants_json() {
            // The next page tells it: scripts go there without this answer.
            if self.moves
                && let Some(flash) = self.flash.as_ref().filter(|_| self.is_refused())
                && let Err(error) = visit.sess.set_flash(flash).await
            {
                return crate::pages::failure(visit, &error.into()).await;
            }
            let status = match (self.busy, self.is_refused()) {
                (true, _) => StatusCode::CONFLICT,
                (false, true) => StatusCode::UNPROCESSABLE_ENTITY,
                (false, false) => StatusCode::OK,
            };
            let cart = match view::load(visit).await {
                Ok(Some(cart)) => view::view(visit, &cart).await,
                Ok(None) => None,
                Err(error) => return crate::pages::failure(visit, &error.into()).await,
            };
            let answer = MutationAnswer {
                cart,
                flash: self.flash,
                begins: visit.begins_session() && !self.moves,
                redirect: self.moves.then(|| way_to(visit, self.to)),
            };
            return (status, [(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response();
        }
        if let Some(flash) = &self.flash
            && let Err(error) = visit.sess.set_flash(flash).await
        {
            return crate::pages::failure(visit, &error.into()).await;
        }
        see_other(&way_to(visit, self.to))
    }
}

/// The way to the page that shows an outcome: past the check for cookies when the session has begun with it.
fn way_to(visit: &Visit, page: String) -> String {
    if visit.begins_session() {
        cookies::on_the_way_to(&page)
    } else {
        page
    }
}

/// 303 to a path of ours.
#[must_use]
pub fn see_other(path: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let location = HeaderValue::from_str(&safe_path(path)).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(header::LOCATION, location);
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
