//! Promo codes.

use serde_json::json;

use crate::money::{major, percent_floor};
use crate::refusal::Refusal;

/// What a code takes off.
enum Kind {
    Percent(i64),
    /// Hundredths of tenge, from this sum on; in lari a hundred and sixtieth of both.
    Sum {
        off: i64,
        from: i64,
    },
    Expired,
}

const CODES: [(&str, Kind); 3] = [
    ("DASTARKHAN10", Kind::Percent(10)),
    (
        "FIRST500",
        Kind::Sum {
            off: 50_000,
            from: 300_000,
        },
    ),
    ("SUMMER", Kind::Expired),
];

/// The codes for the page of the controls.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    CODES.iter().map(|(code, _)| *code)
}

/// What sums of codes, which are tenge, are divided by.
const fn scale(fraction_digits: u8) -> i64 {
    if fraction_digits == 0 { 1 } else { 160 }
}

/// From which sum of goods on a code counts, hundredths.
pub(crate) fn min_sum(code: &str, fraction_digits: u8) -> Option<i64> {
    let scale = scale(fraction_digits);
    CODES.iter().find_map(|(known, kind)| match kind {
        Kind::Sum { from, .. } if *known == code => Some(from / scale),
        _ => None,
    })
}

/// What a code takes off: whole percent, or a sum in hundredths.
pub(crate) fn gain(code: &str, fraction_digits: u8) -> (Option<i64>, Option<i64>) {
    let scale = scale(fraction_digits);
    let known = CODES.iter().find(|(known, _)| *known == code);
    match known.map(|(_, kind)| kind) {
        Some(Kind::Percent(percent)) => (Some(*percent), None),
        Some(Kind::Sum { off, .. }) => (None, Some(off / scale)),
        Some(Kind::Expired) | None => (None, None),
    }
}

/// Whether a code ends with the week.
pub(crate) fn is_weekly(code: &str) -> bool {
    CODES
        .iter()
        .any(|(known, kind)| *known == code && matches!(kind, Kind::Sum { .. }))
}

/// What the code takes off these goods, hundredths.
pub(crate) fn discount(code: &str, goods: i64, fraction_digits: u8) -> Result<i64, Refusal> {
    let asked = code.trim().to_uppercase();
    let found = CODES
        .iter()
        .find(|(code, _)| *code == asked)
        .map(|(_, kind)| kind);
    let scale = scale(fraction_digits);
    match found {
        None => Err(Refusal::unprocessable(
            "promo_code_unknown",
            "This promo code is not known",
        )),
        Some(Kind::Expired) => Err(Refusal::unprocessable(
            "promo_code_expired",
            "This promo code has expired",
        )),
        Some(Kind::Percent(percent)) => Ok(percent_floor(goods, *percent, fraction_digits)),
        Some(Kind::Sum { off, from }) if goods >= from / scale => Ok((off / scale).min(goods)),
        Some(Kind::Sum { from, .. }) => Err(Refusal::unprocessable(
            "promo_code_sum",
            "The sum is too small for this promo code",
        )
        .with(json!({ "min_sum": major(from / scale) }))),
    }
}
