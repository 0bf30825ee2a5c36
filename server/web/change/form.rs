//! Form posts: one shape for native forms, for JSON and for forms that carry a file.

use std::collections::BTreeMap;

use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Request},
    http::{StatusCode, header, request::Parts},
    response::IntoResponse,
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::form_urlencoded;

use super::{
    bad_form::BadForm,
    uploads::{self, Picture, Upload},
};
use crate::{
    state::carts::MutationId,
    web::{
        limits::{self, TakesFiles},
        redirect::safe_path,
    },
};

/// Upper limit of the fields of a form.
const MOST_FIELDS: usize = 400;

/// The most characters of a field that are given back: the longest text that a form takes.
const LONGEST_VALUE: usize = 2000;

/// The fields of a post, in order; a name may come several times. Files only where a route takes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form {
    fields: Vec<(String, String)>,
    files: Vec<Upload>,
}

impl Form {
    /// Reads a request by its content type.
    ///
    /// # Errors
    /// Why it can't be read.
    pub async fn read(parts: &Parts, body: Body) -> Result<Self, BadForm> {
        let kind = parts
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        let media = kind
            .and_then(|kind| kind.split(';').next())
            .map(|media| media.trim().to_ascii_lowercase());
        match media.as_deref() {
            Some("application/json") => Self::json(&whole(body).await?).ok_or(BadForm::Unreadable),
            Some("application/x-www-form-urlencoded") | None => {
                Ok(Self::urlencoded(&whole(body).await?))
            }
            Some("multipart/form-data") if Self::takes_files(parts) => {
                let (fields, files) =
                    uploads::read(kind.unwrap_or_default(), body, MOST_FIELDS).await?;
                Ok(Self { fields, files })
            }
            Some(_) => Err(BadForm::Unsupported),
        }
    }

    /// Whether the form that is coming may carry a file.
    #[must_use]
    pub fn takes_files(parts: &Parts) -> bool {
        parts.extensions.get::<TakesFiles>().is_some()
    }

    /// Reads `application/x-www-form-urlencoded`.
    #[must_use]
    pub fn urlencoded(body: &[u8]) -> Self {
        Self {
            fields: form_urlencoded::parse(body)
                .take(MOST_FIELDS)
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect(),
            files: Vec::new(),
        }
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
        Some(Self {
            fields: form,
            files: Vec::new(),
        })
    }

    /// The first value of a name, trimmed; none when it is missing or blank.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// The first value of a name, trimmed, also a blank one; none when it is missing.
    #[must_use]
    pub fn typed(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let (_, value) = fields.find(|(found, _)| found == name)?;
        Some(value.trim())
    }

    /// The id of the change, `m`.
    #[must_use]
    pub fn mutation(&self) -> Option<MutationId> {
        self.get("m").and_then(MutationId::parse)
    }

    /// Whether there is an `m` that is no id: what protects the change from being done twice is lost then, so it is not
    /// done at all.
    #[must_use]
    pub fn is_misnamed(&self) -> bool {
        self.get("m").is_some() && self.mutation().is_none()
    }

    /// The first value of a name as a number or an id.
    #[must_use]
    pub fn parse<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }

    /// All fields whose name begins with `prefix`, with the rest of the name.
    pub fn with_prefix<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.fields
            .iter()
            .filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.trim())))
    }

    /// The picture of a field, told by its first bytes; none when nothing was chosen.
    ///
    /// # Errors
    /// [`BadForm::TooLarge`] above `most` bytes, [`BadForm::Unsupported`] when it is no PNG, JPEG or WebP.
    pub fn picture(&self, name: &str, most: usize) -> Result<Option<Picture>, BadForm> {
        let Some(file) = self.files.iter().find(|file| file.name == name) else {
            return Ok(None);
        };
        file.picture(most)
    }

    /// All that was sent but its name, for two posts to be told apart.
    #[must_use]
    pub fn digest(&self, path: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        };
        add(path.as_bytes());
        for (name, value) in &self.fields {
            add(name.as_bytes());
            add(value.as_bytes());
        }
        for file in &self.files {
            add(file.name.as_bytes());
            add(&file.bytes);
        }
        hash.finalize().into()
    }

    /// Where the guest came from; always a path of ours.
    #[must_use]
    pub fn back(&self) -> String {
        safe_path(self.get("back").unwrap_or("/"))
    }

    /// Where the guest goes on once it is done, else where they came from; always a path of ours.
    #[must_use]
    pub fn to(&self) -> String {
        self.get("to").map_or_else(|| self.back(), safe_path)
    }

    /// Everything typed, for the form to be shown again (nothing is lost).
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, Vec<String>> {
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in self
            .fields
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "back" | "to" | "m"))
        {
            values
                .entry(name.clone())
                .or_default()
                .push(value.chars().take(LONGEST_VALUE).collect());
        }
        values
    }
}

/// The whole body. That it is too long or late is told by `limits::guard`.
async fn whole(body: Body) -> Result<Bytes, BadForm> {
    let request = Request::new(body);
    Bytes::from_request(request, &())
        .await
        .map_err(|rejection| match rejection.into_response().status() {
            StatusCode::PAYLOAD_TOO_LARGE => BadForm::TooLarge,
            _ => BadForm::Unreadable,
        })
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The layer of the changes has read it already; elsewhere it is read here.
impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = BadForm;

    async fn from_request(request: Request, _state: &S) -> Result<Self, BadForm> {
        let (parts, body) = request.into_parts();
        match parts.extensions.get::<Self>() {
            Some(form) => Ok(form.clone()),
            None => Self::read(&parts, body).await,
        }
    }
}
