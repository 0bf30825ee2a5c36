//! From an HTTP answer to JSON or an error: the cap on the body and the rules HT-07 and HT-08, in one place.

use serde_json::Value;

use super::{Error, Rejection};
use crate::telemetry::reason;

/// Reads the whole body, stopping at the cap. Counts bytes after decompression, so a bomb can't grow.
pub(super) async fn read_capped(
    mut response: reqwest::Response,
    cap: usize,
) -> Result<Vec<u8>, Error> {
    let announced = response.content_length().unwrap_or(0);
    if usize::try_from(announced).map_or(true, |announced| announced > cap) {
        return Err(Error::TooLarge);
    }
    let mut body = Vec::with_capacity(usize::try_from(announced).unwrap_or(0).min(64 * 1024));
    while let Some(chunk) = response.chunk().await.map_err(|error| transport(&error))? {
        if body.len() + chunk.len() > cap {
            return Err(Error::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Our word for a failure below HTTP.
pub(super) fn transport(error: &reqwest::Error) -> Error {
    if error.is_connect() {
        Error::Unreachable { why: reason(error) }
    } else if error.is_timeout() {
        Error::Deadline
    } else {
        Error::Unavailable { status: None }
    }
}

/// Decides whether an answer is one. A body's `error_code` other than 200 is an error whatever the status (HT-07).
pub(super) fn judge(status: u16, body: &[u8]) -> Result<Value, Error> {
    let json = if body.iter().all(u8::is_ascii_whitespace) {
        Some(Value::Null)
    } else {
        serde_json::from_slice(body).ok()
    };
    let code = json.as_ref().map_or(ErrorCode::None, error_code);
    if status == 401 || matches!(code, ErrorCode::Number(401)) {
        return Err(Error::Unauthorized);
    }
    if !(200..300).contains(&status) {
        return Err(refusal(status, json.as_ref()));
    }
    let Some(json) = json else {
        return Err(Error::BadAnswer { why: "no JSON" });
    };
    match code {
        ErrorCode::None if has_errors(&json) => Err(refusal(status, Some(&json))),
        ErrorCode::None | ErrorCode::Number(200) => Ok(json),
        ErrorCode::Number(code) => Err(refusal(code, Some(&json))),
        ErrorCode::Invalid => Err(Error::BadAnswer { why: "error_code" }),
    }
}

/// What the body says in `error_code`.
enum ErrorCode {
    None,
    Number(u16),
    Invalid,
}

fn error_code(json: &Value) -> ErrorCode {
    let code = match json.get("error_code") {
        None | Some(Value::Null) => return ErrorCode::None,
        Some(Value::Number(number)) => number.as_u64(),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(_) => None,
    };
    code.and_then(|code| u16::try_from(code).ok())
        .map_or(ErrorCode::Invalid, ErrorCode::Number)
}

fn has_errors(json: &Value) -> bool {
    json.get("errors")
        .and_then(Value::as_array)
        .is_some_and(|errors| !errors.is_empty())
}

fn refusal(status: u16, json: Option<&Value>) -> Error {
    match status {
        404 => Error::NotFound,
        408 | 425 | 429 | 500..=599 => Error::Unavailable {
            status: Some(status),
        },
        100..=199 | 300..=399 => Error::BadAnswer {
            why: "unexpected status",
        },
        _ => Error::Rejected(rejection(status, json.unwrap_or(&Value::Null))),
    }
}

fn rejection(status: u16, json: &Value) -> Rejection {
    let first = json
        .get("errors")
        .and_then(|errors| errors.get(0))
        .unwrap_or(&Value::Null);
    let text = |from: &Value, key: &str| {
        from.get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let title = text(first, "title");
    Rejection {
        status,
        code: text(first, "code"),
        title: if title.is_empty() {
            text(json, "message")
        } else {
            title
        },
        meta: first.get("meta").cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn judged(status: u16, body: &Value) -> Result<Value, Error> {
        judge(status, body.to_string().as_bytes())
    }

    #[test]
    fn a_success_with_another_error_code_is_an_error() {
        assert_eq!(
            judged(200, &json!({ "error_code": 404 })),
            Err(Error::NotFound)
        );
        assert_eq!(
            judged(200, &json!({ "error_code": "401" })),
            Err(Error::Unauthorized)
        );
        assert_eq!(
            judged(200, &json!({ "error_code": 503 })),
            Err(Error::Unavailable { status: Some(503) })
        );
        assert!(matches!(
            judged(200, &json!({ "error_code": 1001 })),
            Err(Error::Rejected(_))
        ));
        assert_eq!(
            judged(200, &json!({ "error_code": [] })),
            Err(Error::BadAnswer { why: "error_code" })
        );
    }

    #[test]
    fn a_body_without_an_error_code_or_with_200_is_fine() {
        for body in [
            json!({ "data": [] }),
            json!({ "error_code": 200 }),
            json!({ "error_code": "200" }),
        ] {
            assert_eq!(judged(200, &body), Ok(body));
        }
        let body = json!({ "error_code": null, "errors": [] });
        assert_eq!(judged(201, &body), Ok(body));
        assert_eq!(judge(204, b""), Ok(Value::Null));
    }

    #[test]
    fn errors_alone_are_an_error_too() {
        let body = json!({ "errors": [{ "code": "price_changed", "title": "Price", "meta": { "price": 5 } }] });
        let expected = Rejection {
            status: 200,
            code: "price_changed".into(),
            title: "Price".into(),
            meta: json!({ "price": 5 }),
        };
        assert_eq!(judged(200, &body), Err(Error::Rejected(expected)));
    }

    #[test]
    fn the_message_is_the_title_of_the_first_error_else_the_message() {
        let title = |body: Value| match judged(422, &body) {
            Err(Error::Rejected(rejection)) => rejection.title,
            other => format!("{other:?}"),
        };
        assert_eq!(
            title(json!({ "message": "m", "errors": [{ "title": "t" }] })),
            "t"
        );
        assert_eq!(title(json!({ "message": "m", "errors": [] })), "m");
        assert_eq!(title(json!({ "message": "m" })), "m");
        assert_eq!(title(json!({ "errors": "x", "message": 7 })), "");
    }

    #[test]
    fn statuses_without_json_still_have_their_meaning() {
        assert_eq!(judge(404, b"<html>"), Err(Error::NotFound));
        assert_eq!(
            judge(502, b"<html>"),
            Err(Error::Unavailable { status: Some(502) })
        );
        assert_eq!(
            judge(302, b""),
            Err(Error::BadAnswer {
                why: "unexpected status"
            })
        );
        assert_eq!(
            judge(200, b"<html>"),
            Err(Error::BadAnswer { why: "no JSON" })
        );
        assert_eq!(
            judge(200, b"{\"data\":"),
            Err(Error::BadAnswer { why: "no JSON" })
        );
        assert!(
            matches!(judge(400, b"nonsense"), Err(Error::Rejected(rejection)) if rejection.status == 400)
        );
    }
}
