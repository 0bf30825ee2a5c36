//! The whole URL map.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// A page of the specification's section 2, with what its path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageRoute {
    /// `/`
    Home,
    /// `/filials`
    Filials,
    /// `/town`
    Town,
    /// `/filials/{filial_id}`
    Menu {
        /// Filial id as written in the path.
        filial: String,
    },
    /// `/cart`
    Cart,
    /// `/filials/{filial_id}/order/{id}`
    Order {
        /// Filial id as written in the path.
        filial: String,
        /// Order id as written in the path.
        order: String,
    },
    /// `/orders/checking/{key}`
    Checking {
        /// Idempotency key of the attempt.
        key: String,
    },
    /// A route that is not built yet.
    Coming {
        /// Message key under `coming.`.
        route: &'static str,
        /// Filial id as written in the path.
        filial: Option<String>,
    },
    /// Any other path.
    NotFound,
}

impl PageRoute {
    /// Reads a path. Every path is some page: the last one is [`PageRoute::NotFound`].
    #[must_use]
    pub fn of(path: &str) -> Self {
        let Some(parts) = segments(path) else { return Self::NotFound };
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        let coming = |route, filial: Option<&str>| Self::Coming { route, filial: filial.map(str::to_owned) };
        match parts.as_slice() {
            [] => Self::Home,
            ["filials"] => Self::Filials,
            ["town"] => Self::Town,
            ["cart"] => Self::Cart,
            ["filials", filial] => Self::Menu { filial: (*filial).to_owned() },
            ["filials", filial, "order", order] => {
                Self::Order { filial: (*filial).to_owned(), order: (*order).to_owned() }
            }
            ["orders", "checking", key] => Self::Checking { key: (*key).to_owned() },
            ["auth"] => coming("auth", None),
            ["brands"] => coming("brands", None),
            ["brands", "booking"] => coming("booking", None),
            ["brands", "filials"] => coming("brandFilials", None),
            ["filials", filial, "bill"] => coming("bill", Some(filial)),
            ["bills", "preorder", _] => coming("preorderBill", None),
            ["filials", filial, "search"] => coming("menuSearch", Some(filial)),
            ["filials", filial, "barcode-scanner"] => coming("barcodeScanner", Some(filial)),
            ["filials", filial, "barcode-manual"] => coming("barcodeManual", Some(filial)),
            ["filials", filial, "details"] => coming("details", Some(filial)),
            ["map"] => coming("map", None),
            ["search"] => coming("search", None),
            ["orders"] => coming("orders", None),
            ["typ", filial, "order", _] => coming("thankYou", Some(filial)),
            ["orders", _] => coming("order", None),
            ["profile"] => coming("profile", None),
            ["profile", "form"] => coming("profileForm", None),
            ["faq"] => coming("faq", None),
            ["address-map"] => coming("addressMap", None),
            ["address-form"] => coming("addressForm", None),
            _ => Self::NotFound,
        }
    }

    /// Query keys that change the page; all others are dropped from cache keys and links.
    #[must_use]
    pub const fn query_keys(&self) -> &'static [&'static str] {
        match self {
            Self::Filials => &["category", "q", "page"],
            Self::Town => &["back"],
            Self::Menu { .. } => &["item"],
            Self::Order { .. } => &["key"],
            Self::Coming { .. } => &["filial_id", "table_id", "main_terminal_id"],
            Self::Home | Self::Cart | Self::Checking { .. } | Self::NotFound => &[],
        }
    }

    /// A page of a blank session may be kept and given to everybody (SR-03).
    #[must_use]
    pub const fn is_public(&self) -> bool {
        matches!(self, Self::Home | Self::Filials | Self::Town | Self::Menu { .. })
    }
}

/// The path's segments, decoded; none for a path that is no UTF-8. A slash at the end changes nothing.
fn segments(path: &str) -> Option<Vec<Cow<'_, str>>> {
    path.split('/')
        .filter(|part| !part.is_empty())
        .map(|part| percent_decode_str(part).decode_utf8().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::PageRoute;

    #[test]
    fn booking_is_no_brand_and_checking_is_no_order() {
        assert!(matches!(PageRoute::of("/brands/booking"), PageRoute::Coming { route: "booking", .. }));
        assert!(matches!(PageRoute::of("/orders/checking/k"), PageRoute::Checking { .. }));
        assert!(matches!(PageRoute::of("/orders/17"), PageRoute::Coming { route: "order", .. }));
    }

    #[test]
    fn any_other_path_is_not_found() {
        for path in ["/nowhere", "/filials/1/nothing", "/%ff", "/filials/1/order"] {
            assert_eq!(PageRoute::of(path), PageRoute::NotFound);
        }
    }
}
