//! What happened, for those who run the product: counted here on the server, so that no page asks a foreign host and
//! nothing of a guest is told (CT-22).

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
        }
    }
}

/// The event "cart cleared" with its cause.
pub fn cart_cleared(cause: Cleared) {
    metrics::counter!("analytics_events_total", "event" => "cart_cleared", "cause" => cause.name())
        .increment(1);
}
