//! What a change came to, and the words for it. Handlers say it; one layer above them answers it (`pages::changes`).

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    http::{HeaderValue, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

use super::form::Form;
use crate::upstream::Rejection;

/// The upstream's words are cut here.
const LONGEST_WORDS: usize = 300;

/// Why a field or a whole form is refused. Each has a text under `errors.` in every language: the types of the front
/// ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    /// A new address could not be saved (DG-10).
    AddressAdd,
    /// An address could not be deleted.
    AddressDelete,
    /// The changes of an address could not be saved.
    AddressUpdate,
    /// The age has to be confirmed first (CT-23).
    Age,
    /// It can't be read.
    BadInput,
    /// The order can't be sent yet; `reason` says why.
    Blocked,
    /// It has characters that nothing of its kind has.
    Characters,
    /// An address was typed, and none of those that it may mean was chosen.
    ChooseAddress,
    /// No time was chosen.
    ChooseTime,
    /// The venue is closed.
    Closed,
    /// The fridge did not open (TX-15).
    FridgeFailed,
    /// Another guest has the fridge open.
    FridgeBusy,
    /// `name` was taken from a fridge and can't be paid for.
    FridgeGone,
    /// It is not sold any more.
    Gone,
    /// Letters and hyphens only (PR-03).
    Letters,
    /// The line left the cart in another window.
    LineGone,
    /// At most `count` of a group, or of the option `name` of it.
    Max,
    /// At least `count` of a group.
    Min,
    /// The browser got no answer at all; only it says so.
    Network,
    /// No photo was chosen.
    NoPhoto,
    /// No table is free at that time.
    NoPlaces,
    /// The month has no such day.
    NoSuchDay,
    /// The venue has no table of that number.
    NoSuchTable,
    /// What is behind us has not answered: it may be asked again.
    NotDone,
    /// The order did not come through after all.
    NotPlaced,
    /// Too many were begun and not paid; another may be in `count` minutes.
    Often,
    /// An option that was chosen is gone.
    OptionGone,
    /// The cart of then was ordered already.
    Ordered,
    /// The cart holds dishes of another venue (CT-16).
    OtherVenue,
    /// That way to pay is not offered now.
    PaymentUnavailable,
    /// It cannot be called (FM-12).
    Phone,
    /// It is no picture that can be taken (PR-11).
    Picture,
    /// Its file has more than `count` megabytes.
    PictureHeavy,
    /// It has more than `count` millions of pixels.
    PicturePixels,
    /// Prices are others than the guest saw.
    PriceChanged,
    /// At most `count` pieces (CT-20).
    Quantity,
    /// A number lies outside of `least` to `most`.
    Range,
    /// The upstream said no without a word of its own.
    Refused,
    /// The field is empty.
    Required,
    /// The guest has to sign in (again).
    SignIn,
    /// Too many orders to this table were neither paid nor of a known guest.
    TableOften,
    /// The order needs a table.
    TableRequired,
    /// At most `count` characters.
    TooLong,
    /// At least `count` characters (PR-01).
    TooShort,
    /// Nothing behind us answers now.
    Unavailable,
    /// The dish is part of the order `number`, which waits for its payment.
    Unpaid,
    /// The upstream said no in its own `words` (HT-08). Sessions and answers of the release before say `told`.
    #[serde(alias = "told")]
    UpstreamWords,
    /// The cart is another than the one that was ordered.
    VersionChanged,
    /// It is no possible date of birth (PR-02).
    WrongData,
}

/// What a page is told that follows a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub enum Notice {
    /// The account is deleted, and what this browser kept of it is to go.
    AccountDeleted,
    /// An unpaid order was called off to be placed again in cash.
    CashChosen,
    /// A booked table was given back.
    BookingCancelled,
    /// Another day or number of guests was chosen in the form of a booking: only what was typed comes with it.
    BookingChosen,
    /// The form was sent with other words before.
    BookingSent,
    /// The guest has a table at that time: whether it shall be one more. `twice` says which it is, and when.
    BookingTwice,
    /// It is not known yet whether the table is booked.
    BookingUnknown,
    /// The booking could not be sent.
    BookingUnreached,
    /// Another venue's code or dish took its place: the cart of `venue`, called `name`, waits aside (FL-06, CT-16).
    BranchChanged,
    /// The cart was emptied.
    CartCleared,
    /// A dish brought the cart of its venue back that waited aside; `name` says what was in it (FL-06).
    CartReturned,
    /// A line was changed.
    Changed,
    /// Errors that stand beside their fields or above the page.
    FormErrors,
    /// The line that was opened is gone.
    LineGone,
    /// Errors that stand at the order button.
    Order,
    /// The guest has taken an order back.
    OrderCancelled,
    /// The guest has said how an order was.
    OrderGraded,
    /// The kitchen was faster than the guest who wanted an order back.
    OrderTooLate,
    /// The guest's picture was taken away.
    PhotoRemoved,
    /// The guest has another picture.
    PhotoSaved,
    /// The promo code was removed.
    PromoRemoved,
    /// A line was removed; `name` says which.
    Removed,
    /// An earlier order is in the cart again.
    Repeated,
    /// It is there beside what the cart held.
    RepeatedBeside,
    /// Nothing of it is to be had.
    RepeatedNothing,
    /// Some of it is not to be had.
    RepeatedPartly,
    /// The code of the table is of another venue (FL-20).
    TableElsewhere,
    /// Another venue's table was left.
    TableLeft,
    /// The venue does not know the table of the code (FL-20).
    TableUnknown,
}

/// One error of a form, shown beside its field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct FieldError {
    /// Field name as posted, `form` for the whole form.
    pub field: String,
    /// Its text stands under `errors.`.
    pub code: ErrorCode,
    /// Values of the message's placeholders.
    pub values: BTreeMap<String, Text>,
}

/// A placeholder's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(untagged)]
pub enum Text {
    /// A number, for plurals.
    Number(i32),
    /// A name.
    Word(String),
}

impl FieldError {
    /// An error without values.
    #[must_use]
    pub fn new(field: impl Into<String>, code: ErrorCode) -> Self {
        Self {
            field: field.into(),
            code,
            values: BTreeMap::new(),
        }
    }

    /// More was typed than the field takes: `longest` characters.
    #[must_use]
    pub fn too_long(field: impl Into<String>, longest: usize) -> Self {
        let most = Text::Number(i32::try_from(longest).unwrap_or(i32::MAX));
        Self::new(field, ErrorCode::TooLong).with("count", most)
    }

    /// A refusal of the upstream, in its own words where it has some (HT-08).
    #[must_use]
    pub fn rejected(rejection: &Rejection) -> Self {
        let words = rejection.title.trim();
        if words.is_empty() {
            return Self::new("form", ErrorCode::Refused);
        }
        let words = words.chars().take(LONGEST_WORDS).collect();
        Self::new("form", ErrorCode::UpstreamWords).with("words", Text::Word(words))
    }

    /// Adds a value for the message.
    #[must_use]
    pub fn with(mut self, name: &str, value: Text) -> Self {
        self.values.insert(name.to_owned(), value);
        self
    }
}

/// What a form post leaves for the page that follows it: shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct Flash {
    /// What it is about.
    pub kind: Notice,
    /// Errors beside their fields.
    pub errors: Vec<FieldError>,
    /// What the guest had typed, by field name.
    pub values: BTreeMap<String, Vec<String>>,
}

impl Flash {
    /// A message without values.
    #[must_use]
    pub const fn new(kind: Notice) -> Self {
        Self {
            kind,
            errors: Vec::new(),
            values: BTreeMap::new(),
        }
    }
}

/// Where a change leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// To the page that the guest came from: scripts stay on it.
    Back,
    /// To another page of ours: scripts go there, too.
    On,
    /// To an origin that the settings name: a payment page, a host app.
    Leave,
}

/// What a change came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The page that shows it.
    pub to: String,
    /// How the guest gets there.
    pub way: Way,
    /// Message or errors.
    pub flash: Option<Flash>,
    /// Cookies that it sets, each a whole `Set-Cookie`.
    pub cookies: Vec<String>,
    /// Another request is doing the same right now: scripts get 409.
    pub busy: bool,
    /// Whatever scripts have kept of the guest goes (ST-15).
    pub forgets: bool,
    /// The cart is told: this change is about it, or it may be another than the browser shows.
    pub tells_cart: bool,
    /// The page of ours that tells how a payment stands, when it leaves for the bank: for a host app that has its own way
    /// to pay.
    #[serde(default)]
    pub paying: Option<String>,
    /// It was done too often: scripts get 429.
    #[serde(default)]
    pub often: bool,
}

impl Outcome {
    const fn new(to: String, way: Way) -> Self {
        Self {
            to,
            way,
            flash: None,
            cookies: Vec::new(),
            busy: false,
            forgets: false,
            tells_cart: false,
            paying: None,
            often: false,
        }
    }

    /// Done; back to where the guest was.
    #[must_use]
    pub const fn back(to: String) -> Self {
        Self::new(to, Way::Back)
    }

    /// Shown at this part of the page.
    #[must_use]
    pub fn leading_to(mut self, part: &str) -> Self {
        if !self.to.contains('#') {
            self.to = format!("{}#{part}", self.to);
        }
        self
    }

    /// Done; on to another page.
    #[must_use]
    pub const fn go(to: String) -> Self {
        Self::new(to, Way::On)
    }

    /// Done; off to a page of another site: a bank, a sign-in. Only origins that the settings name are led to, any
    /// other is an error of ours and leads nowhere.
    #[must_use]
    pub const fn leave(to: String) -> Self {
        Self::new(to, Way::Leave)
    }

    /// Done; off to a bank. `page` is ours and tells how the payment stands.
    #[must_use]
    pub fn pay(bank: String, page: String) -> Self {
        Self {
            paying: Some(page),
            ..Self::leave(bank)
        }
    }

    /// Not done: errors beside their fields, with everything that was typed.
    #[must_use]
    pub fn refused(form: &Form, to: String, errors: Vec<FieldError>) -> Self {
        let flash = Flash {
            kind: Notice::FormErrors,
            errors,
            values: form.values(),
        };
        Self::back(to).with_flash(flash)
    }

    /// Not done, for one reason that concerns the whole form.
    #[must_use]
    pub fn refused_form(form: &Form, to: String, code: ErrorCode) -> Self {
        Self::refused(form, to, vec![FieldError::new("form", code)])
    }

    /// Adds a message.
    #[must_use]
    pub fn saying(mut self, kind: Notice) -> Self {
        self.flash = Some(Flash::new(kind));
        self
    }

    /// Adds a message with its values, unless there is something to say already.
    #[must_use]
    pub fn with_flash(mut self, flash: Flash) -> Self {
        self.flash.get_or_insert(flash);
        self
    }

    /// Sets a cookie, if there is one.
    #[must_use]
    pub fn with_cookie(mut self, cookie: Option<HeaderValue>) -> Self {
        let cookie = cookie.and_then(|cookie| cookie.to_str().ok().map(str::to_owned));
        self.cookies.extend(cookie);
        self
    }

    /// Tells the cart.
    #[must_use]
    pub const fn with_cart(mut self) -> Self {
        self.tells_cart = true;
        self
    }

    /// Another request is doing the same right now.
    #[must_use]
    pub const fn in_flight(mut self) -> Self {
        self.busy = true;
        self
    }

    /// Not done, as it was done too often; the page that it leads to says so.
    #[must_use]
    pub const fn too_often(mut self) -> Self {
        self.often = true;
        self
    }

    /// Whether something was refused.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.flash
            .as_ref()
            .is_some_and(|flash| !flash.errors.is_empty())
    }

    /// The status for scripts of what was refused.
    #[must_use]
    pub fn refusal(&self) -> StatusCode {
        let mut errors = self.flash.iter().flat_map(|flash| &flash.errors);
        if errors.any(|error| matches!(error.code, ErrorCode::Often | ErrorCode::TableOften)) {
            StatusCode::TOO_MANY_REQUESTS
        } else {
            StatusCode::UNPROCESSABLE_ENTITY
        }
    }

    /// The cookies that it sets.
    pub fn cookie_headers(&self) -> impl Iterator<Item = HeaderValue> {
        self.cookies.iter().filter_map(|cookie| cookie.parse().ok())
    }
}

/// Lies in the response's extensions for the layer that answers it.
impl IntoResponse for Outcome {
    fn into_response(self) -> Response {
        let mut response = Response::default();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn what_the_release_before_has_stored_is_read() {
        let code: ErrorCode = serde_json::from_str("\"told\"").expect("a code");
        assert_eq!(code, ErrorCode::UpstreamWords);
    }
}
