//! The events of the specification (L347, AN-02) with all that may be said of each: ids of the catalogue and words of
//! closed lists. A text of a guest, an address or a token has no field to stand in (AN-08).

use serde::{Deserialize, Serialize};

use crate::values::Service;

/// What a guest did, or what was done for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Event {
    /// A session of the analytics began.
    AppOpened,
    /// A guest has signed in.
    AuthSuccess,
    /// A guest is at another venue than before.
    #[expect(missing_docs, reason = "the names say it")]
    VenueSelected { venue: u64 },
    /// A menu was shown.
    #[expect(missing_docs, reason = "the names say it")]
    MenuOpened { venue: u64 },
    /// A dish went into the cart, or more of it.
    #[expect(missing_docs, reason = "the names say it")]
    ItemAdded { venue: u64, product: u64 },
    /// The cart was shown.
    BasketOpened,
    /// Money was asked for (PY-18).
    #[expect(missing_docs, reason = "the names say it")]
    PaymentRequested { via: &'static str },
    /// The upstream has it (PY-18).
    PaymentSucceeded,
    /// There are tips in what is being paid (PY-18).
    Tips,
    /// A guest has said how a venue is.
    Review,
    /// A guest has saved an address.
    Address,
    /// An account is deleted (PR-12).
    ProfileDeleted,
    /// A cart lost its last line (CT-22).
    #[expect(missing_docs, reason = "the names say it")]
    CartCleared { cause: Cleared },
    /// A search was confirmed (SE-05).
    #[expect(missing_docs, reason = "the names say it")]
    SearchConfirmed { via: Confirmed },
    /// Another service was chosen (SV-06).
    #[expect(missing_docs, reason = "the names say it")]
    ServiceChanged {
        from: &'static str,
        to: &'static str,
    },
}

/// What only browsers can see. All else the server sees itself and does not take from them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "name", rename_all = "camelCase")]
#[expect(missing_docs, reason = "see `Event`")]
pub enum Seen {
    AppOpened,
    VenueSelected { venue: u64 },
    MenuOpened { venue: u64 },
    BasketOpened,
    SearchConfirmed { via: Confirmed },
}

/// Why a cart lost its last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
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

/// How a guest confirmed a search (SE-05).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmed {
    /// By Enter or the button.
    Submit,
    /// By a tap on an earlier search.
    History,
    /// By a tap on a line that completes the text.
    Suggestion,
}

impl From<Seen> for Event {
    fn from(seen: Seen) -> Self {
        match seen {
            Seen::AppOpened => Self::AppOpened,
            Seen::VenueSelected { venue } => Self::VenueSelected { venue },
            Seen::MenuOpened { venue } => Self::MenuOpened { venue },
            Seen::BasketOpened => Self::BasketOpened,
            Seen::SearchConfirmed { via } => Self::SearchConfirmed { via },
        }
    }
}

impl Event {
    /// The event "service changed"; none when it is the same (SV-06).
    #[must_use]
    pub fn service_changed(from: Service, to: Service) -> Option<Self> {
        let (from, to) = (from.code(), to.code());
        (from != to).then_some(Self::ServiceChanged { from, to })
    }

    /// Adds one to its number: by name and way alone.
    pub(super) fn count(&self) {
        const NAME: &str = "analytics_events_total";
        let counter = match self {
            Self::AppOpened => metrics::counter!(NAME, "event" => "app_opened"),
            Self::AuthSuccess => metrics::counter!(NAME, "event" => "auth_success"),
            Self::VenueSelected { .. } => metrics::counter!(NAME, "event" => "venue_selected"),
            Self::MenuOpened { .. } => metrics::counter!(NAME, "event" => "menu_opened"),
            Self::ItemAdded { .. } => metrics::counter!(NAME, "event" => "item_added"),
            Self::BasketOpened => metrics::counter!(NAME, "event" => "basket_opened"),
            Self::PaymentRequested { via } => {
                metrics::counter!(NAME, "event" => "payment_requested", "via" => *via)
            }
            Self::PaymentSucceeded => metrics::counter!(NAME, "event" => "payment_succeeded"),
            Self::Tips => metrics::counter!(NAME, "event" => "tips"),
            Self::Review => metrics::counter!(NAME, "event" => "review"),
            Self::Address => metrics::counter!(NAME, "event" => "address"),
            Self::ProfileDeleted => metrics::counter!(NAME, "event" => "profile_deleted"),
            Self::CartCleared { cause } => {
                metrics::counter!(NAME, "event" => "cart_cleared", "cause" => cause.name())
            }
            Self::SearchConfirmed { via } => {
                metrics::counter!(NAME, "event" => "search_confirmed", "via" => via.name())
            }
            Self::ServiceChanged { from, to } => {
                metrics::counter!(NAME, "event" => "service_changed", "from" => *from, "to" => *to)
            }
        };
        counter.increment(1);
    }
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

impl Confirmed {
    const fn name(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::History => "history",
            Self::Suggestion => "suggestion",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_says_beyond_the_list_has_nowhere_to_stand() {
        let json = r#"{"name":"menuOpened","venue":1013,"phone":"+77010000000","query":"плов"}"#;
        let seen: Seen = serde_json::from_str(json).unwrap();
        let sent = serde_json::to_string(&Event::from(seen)).unwrap();
        assert_eq!(sent, r#"{"name":"menu_opened","venue":1013}"#);
        for wrong in [
            r#"{"name":"menuOpened","venue":"+77010000000"}"#,
            r#"{"name":"searchConfirmed","via":"плов"}"#,
            r#"{"name":"paymentSucceeded"}"#,
            r#"{"name":"anything"}"#,
            "{}",
        ] {
            assert!(serde_json::from_str::<Seen>(wrong).is_err(), "{wrong}");
        }
    }
}
