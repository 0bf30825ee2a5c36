//! What happened, for those who run the product: counted here on the server, so that no page asks a foreign host and
//! nothing of a guest is told (CT-22).

use axum::http::StatusCode;

use crate::{upstream::PayMethod, values::Service, web::form::Form};

/// Why a cart lost its last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cleared {
    /// The guest emptied it.
    Guest,
    /// The guest removed the last line.
    LastLine,
    /// Nothing in it was sold any more, and the guest agreed to remove it.
    Unavailable,
    /// A dish of another venue took its place.
    OtherVenue,
    /// The QR code of another branch was scanned (FL-06).
    OtherBranch,
    /// It became an order.
    Ordered,
    /// The tablet forgot its guest, or the guest had everything forgotten.
    Forgotten,
}

impl Cleared {
    const fn name(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::LastLine => "last_line",
            Self::Unavailable => "unavailable",
            Self::OtherVenue => "other_venue",
            Self::OtherBranch => "other_branch",
            Self::Ordered => "ordered",
            Self::Forgotten => "forgotten",
        }
    }
}

/// How a guest confirmed a search (SE-05).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmed {
    /// By Enter or the button.
    Submit,
    /// By a tap on an earlier search.
    History,
    /// By a tap on a line that completes the text.
    Suggestion,
}

impl Confirmed {
    const ALL: [Self; 3] = [Self::Submit, Self::History, Self::Suggestion];

    const fn name(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::History => "history",
            Self::Suggestion => "suggestion",
        }
    }
}

/// The event "payment requested" (PY-18).
pub fn payment_requested(method: PayMethod) {
    metrics::counter!("analytics_events_total", "event" => "payment_requested", "via" => method.code())
        .increment(1);
}

/// The event "payment succeeded" (PY-18).
pub fn payment_succeeded() {
    metrics::counter!("analytics_events_total", "event" => "payment_succeeded").increment(1);
}

/// The event "review": a guest has said how a venue is.
pub fn review() {
    metrics::counter!("analytics_events_total", "event" => "review").increment(1);
}

/// Takes an event that only the browser knows of: `name` and its details, each one of a few words. What guests type is
/// never among them.
pub async fn take(form: Form) -> StatusCode {
    let via = Confirmed::ALL
        .into_iter()
        .find(|way| form.get("via") == Some(way.name()));
    match (form.get("name"), via) {
        (Some("searchConfirmed"), Some(via)) => {
            metrics::counter!("analytics_events_total", "event" => "search_confirmed", "via" => via.name())
                .increment(1);
            StatusCode::NO_CONTENT
        }
        _ => StatusCode::BAD_REQUEST,
    }
}

/// The event "service changed" with the old one and the new one; nothing when it is the same (SV-06).
pub fn service_changed(from: Service, to: Service) {
    if from != to {
        metrics::counter!("analytics_events_total", "event" => "service_changed", "from" => from.code(), "to" => to.code())
            .increment(1);
    }
}

/// The event "profile deleted" (PR-12).
pub fn profile_deleted() {
    metrics::counter!("analytics_events_total", "event" => "profile_deleted").increment(1);
}

/// The event "cart cleared" with its cause.
pub fn cart_cleared(cause: Cleared) {
    metrics::counter!("analytics_events_total", "event" => "cart_cleared", "cause" => cause.name())
        .increment(1);
}
