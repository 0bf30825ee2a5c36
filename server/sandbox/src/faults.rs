//! Faults on purpose: what a control asked for, and how an answer is spoilt.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How an answer goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Another HTTP status with an error body.
    Status,
    /// The answer comes late.
    Delay,
    /// No answer ever; the connection stays open.
    Hang,
    /// The TCP connection is reset.
    Reset,
    /// The body ends before its announced length.
    Truncate,
    /// A whole answer whose JSON stops in the middle.
    CutJson,
    /// An HTML page with status 200.
    Html,
    /// Every value has another type than expected.
    WrongType,
    /// Status 200 with `error_code` in the body.
    ErrorCode,
    /// The honest answer with other values in places that `values` names.
    Replace,
}

/// Names of the kinds that a form can ask for.
pub(crate) const PLAIN_KINDS: [&str; 9] = [
    "status",
    "delay",
    "hang",
    "reset",
    "truncate",
    "cut_json",
    "html",
    "wrong_type",
    "error_code",
];

/// One fault in force.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Fault {
    /// Path prefix, or `*` for everything but the controls.
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) method: Option<String>,
    pub(crate) kind: Kind,
    #[serde(default)]
    pub(crate) status: Option<u16>,
    #[serde(default)]
    pub(crate) delay_ms: Option<u64>,
    /// How many more requests it spoils; all when missing.
    #[serde(default)]
    pub(crate) times: Option<u64>,
    /// The work is done first, then the answer is spoilt.
    #[serde(default)]
    pub(crate) after_commit: bool,
    /// For `replace`: what stands at which JSON pointer.
    #[serde(default)]
    pub(crate) values: BTreeMap<String, Value>,
}

/// The faults in force, oldest first. They live in memory: a restart heals.
#[derive(Default)]
pub(crate) struct Faults {
    list: Mutex<Vec<Fault>>,
}

impl Faults {
    pub(crate) fn add(&self, fault: Fault) {
        self.list
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(fault);
    }

    pub(crate) fn clear(&self) {
        self.list
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    pub(crate) fn list(&self) -> Vec<Fault> {
        self.list
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The faults that this request meets: every delay, then at most one other. Each is counted.
    pub(crate) fn take(&self, method: &Method, path: &str) -> Vec<Fault> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let mut met = Vec::new();
        let mut ended = false;
        for fault in list.iter_mut() {
            let last = fault.kind != Kind::Delay;
            if (last && ended) || !fault.meets(method, path) {
                continue;
            }
            fault.times = fault.times.map(|times| times.saturating_sub(1));
            met.push(fault.clone());
            ended |= last;
        }
        list.retain(|fault| fault.times != Some(0));
        met.sort_by_key(|fault| fault.kind != Kind::Delay);
        met
    }
}

impl Fault {
    fn meets(&self, method: &Method, path: &str) -> bool {
        let control = path.starts_with("/_sandbox");
        let right_path = if self.path == "*" {
            !control
        } else {
            path.starts_with(&self.path)
        };
        let wanted = self.method.as_deref();
        right_path && wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(method.as_str()))
    }

    pub(crate) fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms.unwrap_or(1000).min(600_000))
    }

    /// The spoilt answer, made from the honest one where there is one.
    pub(crate) fn spoil(&self, honest: Option<Bytes>) -> Response {
        let honest = honest
            .unwrap_or_else(|| Bytes::from_static(br#"{"data":{"id":1,"status":"created"}}"#));
        match self.kind {
            Kind::Status => {
                let status = self
                    .status
                    .and_then(|status| StatusCode::from_u16(status).ok());
                let status = status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
                (status, axum::Json(error_body(status.as_u16()))).into_response()
            }
            Kind::ErrorCode => axum::Json(error_body(self.status.unwrap_or(500))).into_response(),
            Kind::Html => {
                axum::response::Html("<!doctype html><title>Proxy</title><h1>It works!</h1>")
                    .into_response()
            }
            Kind::WrongType => {
                let value = serde_json::from_slice(&honest).unwrap_or(Value::Null);
                axum::Json(twist(value, true)).into_response()
            }
            Kind::Replace => {
                let mut answer = serde_json::from_slice(&honest).unwrap_or(Value::Null);
                for (pointer, value) in &self.values {
                    put(&mut answer, pointer, value.clone());
                }
                axum::Json(answer).into_response()
            }
            Kind::CutJson => as_json(Body::from(honest.slice(..honest.len() / 2))),
            Kind::Truncate => truncated(honest),
            Kind::Delay | Kind::Hang | Kind::Reset => {
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

fn error_body(status: u16) -> Value {
    json!({
        "error_code": status,
        "message": "A fault on purpose",
        "errors": [{"code": "fault", "title": "A fault on purpose", "meta": {}}],
    })
}

fn as_json(body: Body) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    response
}

/// Half of the body under the length of the whole, then the connection ends.
fn truncated(whole: Bytes) -> Response {
    let length = HeaderValue::from(whole.len());
    let half = whole.slice(..whole.len() / 2);
    let parts = stream::unfold(0, move |step| {
        let half = half.clone();
        async move {
            match step {
                0 => Some((Ok(half), 1)),
                _ => {
                    // Lets the first half leave before the connection ends.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    Some((Err(std::io::Error::other("cut on purpose")), 2))
                }
            }
        }
    });
    let mut response = as_json(Body::from_stream(parts));
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, length);
    response
}

/// Sets what a JSON pointer leads to, also where an object lacks it; a pointer that leads nowhere changes nothing.
fn put(answer: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = answer.pointer_mut(pointer) {
        *place = value;
    } else if let Some((parent, name)) = pointer.rsplit_once('/')
        && let Some(Value::Object(fields)) = answer.pointer_mut(parent)
    {
        fields.insert(name.to_owned(), value);
    }
}

/// Every value as another type; the outermost object stays, so that the trouble is inside.
fn twist(value: Value, outermost: bool) -> Value {
    match value {
        Value::Object(fields) if outermost => Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (name, twist(value, false)))
                .collect(),
        ),
        Value::Object(fields) if fields.is_empty() => json!([]),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (name, twist(value, false)))
                .collect(),
        ),
        Value::Array(values) => values
            .into_iter()
            .next()
            .map_or(json!("none"), |first| twist(first, false)),
        Value::String(_) => json!(7),
        Value::Number(number) => json!({"value": number.to_string()}),
        Value::Bool(_) => json!("perhaps"),
        Value::Null => json!([null]),
    }
}
