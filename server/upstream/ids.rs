//! Identifiers of the upstream. Text ones hold only characters that can't change a path or a header (S-15).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Not an identifier of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an identifier")]
pub struct BadId;

/// Largest whole number that JavaScript and JSON numbers carry exactly.
const LARGEST: u64 = (1 << 53) - 1;
const LONGEST: usize = 64;

/// What a path can be filled with.
pub(super) trait PathId: fmt::Display {}

impl PathId for u32 {}

macro_rules! number_id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                let number: u64 = if digits { text.parse().map_err(|_| BadId)? } else { return Err(BadId) };
                if number <= LARGEST { Ok(Self(number)) } else { Err(BadId) }
            }
        }

        impl PathId for $name {}
    )+ };
}

macro_rules! text_id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                if is_plain(text) { Ok(Self(text.to_owned())) } else { Err(BadId) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadId;

            fn try_from(text: String) -> Result<Self, BadId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl PathId for $name {}
    )+ };
}

number_id!(
    /// A venue as one service sees it; the upstream says filial or terminal.
    VenueId,
    /// A venue with all its services.
    LocationId,
    /// A brand of venues.
    BrandId,
    /// A town.
    TownId,
    /// A dish or good: the `product_id` that all calls take.
    ProductId,
    /// A size of a product.
    SizeId,
    /// One option of a product.
    AdditiveId,
    /// A group of options.
    AdditiveGroupId,
    /// A signed-in user.
    UserId,
    /// A saved address.
    AddressId,
    /// A review of a venue.
    ReviewId,
);

text_id!(
    /// An order: unguessable text.
    OrderId,
    /// A table of a venue.
    TableId,
    /// A track: lets the same guest sign in elsewhere.
    TrackId,
    /// An attempt to pay.
    PaymentId,
    /// A bill of a table or of a preorder.
    BillId,
    /// A booked table.
    BookingId,
    /// An open door of a fridge.
    FridgeSessionId,
    /// A notification that was sent.
    NotificationId,
);

/// A menu category. Signed, as the synthetic favourites have -2 (MN-05).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CategoryId(pub i64);

impl CategoryId {
    /// The favourites of a guest; never sent to the upstream.
    pub const FAVOURITES: Self = Self(-2);
}

impl fmt::Display for CategoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn is_plain(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !text.is_empty() && text.len() <= LONGEST && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_could_change_a_path_is_no_identifier() {
        for bad in [
            "",
            "..",
            "../user",
            "..%2f..%2fapi",
            "1?x=",
            "1#",
            "a/b",
            "a\r\nX: y",
            "a b",
            "é",
            &"a".repeat(65),
        ] {
            assert!(bad.parse::<OrderId>().is_err(), "{bad:?}");
            assert!(bad.parse::<VenueId>().is_err(), "{bad:?}");
            assert!(
                serde_json::from_value::<TableId>(bad.into()).is_err(),
                "{bad:?}"
            );
        }
        assert_eq!(
            "o_Ab-9".parse::<OrderId>().map(String::from),
            Ok("o_Ab-9".to_owned())
        );
    }

    #[test]
    fn numbers_are_plain_digits_that_javascript_can_hold() {
        assert_eq!("1013".parse(), Ok(VenueId(1013)));
        for bad in [
            "+1",
            "-1",
            "1.0",
            "0x1",
            " 1",
            "9007199254740992",
            "99999999999999999999",
        ] {
            assert!(bad.parse::<VenueId>().is_err(), "{bad:?}");
        }
    }
}
