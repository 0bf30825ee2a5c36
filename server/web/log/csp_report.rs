//! What browsers report about the content security policy: counted, not kept. A report holds
//! addresses of pages, and with them tables and orders (S-21).

use axum::{body::Bytes, http::StatusCode};
use serde_json::Value;

use crate::web::limits;

/// Directives that have a label of their own.
const DIRECTIVES: [&str; 12] = [
    "script-src",
    "script-src-elem",
    "script-src-attr",
    "style-src",
    "style-src-elem",
    "style-src-attr",
    "img-src",
    "font-src",
    "connect-src",
    "form-action",
    "frame-ancestors",
    "base-uri",
];
/// The most reports that one batch counts as.
const MOST: usize = 20;

/// `POST /csp-report`, in either of the two forms that browsers send.
pub async fn take(body: Bytes) -> StatusCode {
    let Ok(report) = limits::json::<Value>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    for directive in directives(&report) {
        metrics::counter!("csp_reports_total", "directive" => directive).increment(1);
    }
    StatusCode::NO_CONTENT
}

fn directives(report: &Value) -> Vec<&'static str> {
    let single = report.get("csp-report");
    let batch = report.as_array().into_iter().flatten();
    single
        .into_iter()
        .chain(batch.filter_map(|entry| entry.get("body")))
        .take(MOST)
        .map(|body| {
            let named = [
                "effective-directive",
                "effectiveDirective",
                "violated-directive",
            ]
            .iter()
            .find_map(|name| body.get(name)?.as_str()?.split(' ').next());
            DIRECTIVES
                .into_iter()
                .find(|known| Some(*known) == named)
                .unwrap_or("other")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_forms_are_read_and_labels_are_few() {
        let old = json!({"csp-report": {"violated-directive": "script-src 'self'", "document-uri": "/x"}});
        assert_eq!(directives(&old), ["script-src"]);
        let new = json!([
            {"type": "csp-violation", "body": {"effectiveDirective": "img-src"}},
            {"type": "csp-violation", "body": {"effectiveDirective": "made-up-by-someone"}},
            {"type": "deprecation"},
        ]);
        assert_eq!(directives(&new), ["img-src", "other"]);
        assert_eq!(
            directives(&json!(vec![json!({"body": {}}); 1000])).len(),
            20
        );
        assert!(directives(&json!("x")).is_empty());
    }

    #[tokio::test]
    async fn what_is_no_report_is_refused() {
        assert_eq!(
            take(Bytes::from_static(b"{")).await,
            StatusCode::BAD_REQUEST
        );
        assert_eq!(
            take(Bytes::from_static(b"{}")).await,
            StatusCode::NO_CONTENT
        );
    }
}
