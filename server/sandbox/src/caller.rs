//! Who calls: the headers that every call carries.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

use crate::app::App;
use crate::catalogue::Voice;
use crate::model::{Country, Lang};
use crate::refusal::Refusal;

const LONGEST: usize = 200;

/// The headers of one call.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) lang: Option<Lang>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    /// The access token.
    pub(crate) bearer: Option<String>,
    /// Latitude and longitude, when both are sensible.
    pub(crate) coordinates: Option<(f64, f64)>,
    /// The origin under which the caller reached the sandbox.
    pub(crate) base: String,
}

impl Caller {
    pub(crate) fn read(headers: &HeaderMap, public_url: Option<&str>) -> Caller {
        let text = |name: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value
                .map(str::trim)
                .filter(|value| !value.is_empty() && value.len() <= LONGEST)
        };
        let number = |name: &str| text(name).and_then(|value| value.parse::<f64>().ok());
        let host = text("host").filter(|host| {
            host.chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '[' | ']'))
        });
        Caller {
            lang: text("x-language").and_then(Lang::parse),
            fingerprint: text("x-fingerprint").map(str::to_owned),
            idempotency_key: text("x-idempotency-key").map(str::to_owned),
            bearer: text("authorization")
                .and_then(|value| value.strip_prefix("Bearer "))
                .map(str::to_owned),
            coordinates: number("lat").zip(number("long")).filter(|&(lat, long)| {
                (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&long)
            }),
            base: match (public_url, host) {
                (Some(url), _) => url.trim_end_matches('/').to_owned(),
                (None, Some(host)) => format!("http://{host}"),
                (None, None) => String::new(),
            },
        }
    }

    /// The language to answer in, in this country.
    pub(crate) fn voice(&self, country: &Country) -> Voice {
        Voice::choose(self.lang, country)
    }

    /// The absolute address of a picture.
    pub(crate) fn file(&self, path: &str) -> String {
        format!("{}/files/{path}", self.base)
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Caller, Refusal> {
        Ok(Caller::read(&parts.headers, app.public_url.as_deref()))
    }
}
