//! Time zone, phone code and money of a country or town, and what holds where the upstream gives none (LC-19, ZZ-01, ZZ-03).

use super::wire::Wire;
use crate::values::{Country, MoneyFormat};

/// Time zone, phone code and money of a country or town.
#[derive(Debug, Clone, PartialEq)]
pub struct Meta {
    /// IANA name.
    pub timezone: String,
    /// Minutes east of UTC.
    pub utc_offset: i32,
    /// With the plus sign.
    pub phone_code: String,
    /// How sums are written.
    pub money: MoneyFormat,
}

/// What a town's or country's meta says; the rest is filled from above it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PartialMeta {
    timezone: Option<String>,
    utc_offset: Option<i32>,
    phone_code: Option<String>,
    money: Option<MoneyFormat>,
}

impl Meta {
    /// The defaults of the specification's section 9; Georgia's by ZZ-01.
    #[must_use]
    pub fn built_in(country: Country) -> Self {
        let (timezone, utc_offset, phone_code, code) = match country {
            Country::Kz => ("Asia/Aqtobe", 300, "+7", "KZT"),
            Country::Ge => ("Asia/Tbilisi", 240, "+995", "GEL"),
        };
        Self {
            timezone: timezone.to_owned(),
            utc_offset,
            phone_code: phone_code.to_owned(),
            money: money_of(code),
        }
    }
}

impl PartialMeta {
    pub fn read(wire: Wire<'_>) -> Self {
        let timezone = wire.text("timezone");
        Self {
            utc_offset: wire
                .text("utc_offset")
                .and_then(|text| offset(&text))
                // Without an offset the zone's name tells it (LC-20).
                .or_else(|| offset_of(timezone.as_deref()?)),
            timezone,
            phone_code: wire
                .get("phone")
                .text("code")
                .and_then(|code| phone_code(&code)),
            money: money(wire.get("money")),
        }
    }

    pub fn over(self, base: &Meta) -> Meta {
        Meta {
            timezone: self.timezone.unwrap_or_else(|| base.timezone.clone()),
            utc_offset: self.utc_offset.unwrap_or(base.utc_offset),
            phone_code: self.phone_code.unwrap_or_else(|| base.phone_code.clone()),
            money: self.money.unwrap_or_else(|| base.money.clone()),
        }
    }
}

/// How sums are written, if the currency is told; the rest has the currency's defaults.
fn money(wire: Wire<'_>) -> Option<MoneyFormat> {
    let code = wire.text("currency")?.to_uppercase();
    let base = money_of(&code);
    // The server's meta tells symbol and rounding by currency.
    let own = wire.get("currencies").get(&code);
    let roundings = [wire.get("rounding"), own.get("rounding")];
    Some(MoneyFormat {
        symbol: wire
            .text("symbol")
            .or_else(|| own.text("symbol"))
            .unwrap_or(base.symbol),
        format: format_of(wire).unwrap_or(base.format),
        thousands: wire
            .verbatim("thousands_separator")
            .unwrap_or(base.thousands),
        decimal: wire.text("decimal_separator").unwrap_or(base.decimal),
        // Sums are hundredths, so there is nothing to show beyond two digits.
        fraction_digits: wire
            .count("fraction_digits")
            .map_or(base.fraction_digits, |digits| digits.min(2)),
        rounding: roundings
            .iter()
            .find_map(|rounding| rounding.text("mode"))
            .filter(|mode| ROUNDINGS.contains(&mode.as_str()))
            .unwrap_or(base.rounding),
        precision: roundings
            .iter()
            .find_map(|rounding| rounding.whole("precision"))
            .and_then(places)
            .unwrap_or(base.precision),
        code: base.code,
    })
}

/// With no-break spaces, as a sum stays on one line (FM-05).
const SYMBOL_LAST: &str = "%v\u{a0}%s";
const SYMBOL_FIRST: &str = "%s\u{a0}%v";

/// What the format says, else the position of the symbol (FM-14).
fn format_of(wire: Wire<'_>) -> Option<String> {
    let is_once = |format: &str, part| format.matches(part).count() == 1;
    wire.text("format")
        .filter(|format| format.chars().count() <= 16)
        .filter(|format| is_once(format, "%v") && is_once(format, "%s"))
        .map(|format| format.replace(' ', "\u{a0}"))
        .or_else(|| {
            let is_first = wire.text("symbol_position")? == "before";
            Some(if is_first { SYMBOL_FIRST } else { SYMBOL_LAST }.to_owned())
        })
}

/// Modes of the specification's section 5; anything else is floor.
const ROUNDINGS: [&str; 7] = [
    "round", "floor", "ceil", "truncate", "bankers", "custom", "none",
];

/// Decimal places of a precision. That it may be told as a step, 10 or 100 tenge, is our reading of it (FM-03).
fn places(precision: i64) -> Option<i32> {
    match precision {
        10 => Some(-1),
        100 => Some(-2),
        places => places.try_into().ok(),
    }
}

/// How sums of a currency are written when nothing else is told (ZZ-01, ZZ-03).
fn money_of(code: &str) -> MoneyFormat {
    let (symbol, fraction_digits) = match code {
        "KZT" => ("₸", 0),
        "GEL" => ("₾", 2),
        other => (other, 2),
    };
    MoneyFormat {
        code: code.to_owned(),
        symbol: symbol.to_owned(),
        format: SYMBOL_LAST.to_owned(),
        thousands: " ".to_owned(),
        decimal: ",".to_owned(),
        fraction_digits,
        rounding: "floor".to_owned(),
        precision: 0,
    }
}

/// `+7` of `+7` or `7`; none of what is no country's code.
fn phone_code(text: &str) -> Option<String> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_code = (1..=3).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && !digits.starts_with('0');
    is_code.then(|| format!("+{digits}"))
}

/// Minutes east of UTC in the zones of both countries, which know no summer time. Written here and not taken from a
/// table of zones: old ones have Almaty at +06:00 still (LC-20).
fn offset_of(zone: &str) -> Option<i32> {
    match zone {
        "Asia/Almaty" | "Asia/Aqtau" | "Asia/Aqtobe" | "Asia/Atyrau" | "Asia/Oral"
        | "Asia/Qostanay" | "Asia/Qyzylorda" => Some(300),
        "Asia/Tbilisi" => Some(240),
        _ => None,
    }
}

/// Minutes of `+05:00`.
fn offset(text: &str) -> Option<i32> {
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 14 && minutes < 60).then(|| sign * (i32::from(hours) * 60 + i32::from(minutes)))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::{Value, json};

    use super::*;

    fn read_money(value: Value) -> MoneyFormat {
        money(Wire::new(&value, &Cell::new(0))).expect("a currency")
    }

    #[test]
    fn the_format_says_where_the_symbol_stands_else_its_position_does() {
        for (value, format) in [
            (json!({ "currency": "KZT" }), "%v\u{a0}%s"),
            (json!({ "currency": "KZT", "format": "%s%v" }), "%s%v"),
            (
                json!({ "currency": "KZT", "format": "%s %v", "symbol_position": "after" }),
                "%s\u{a0}%v",
            ),
            (
                json!({ "currency": "KZT", "symbol_position": "before" }),
                "%s\u{a0}%v",
            ),
            (
                json!({ "currency": "KZT", "format": "%v", "symbol_position": "before" }),
                "%s\u{a0}%v",
            ),
            (
                json!({ "currency": "KZT", "format": "%v %v %s" }),
                "%v\u{a0}%s",
            ),
            (
                json!({ "currency": "KZT", "format": "%v".to_owned() + &" ".repeat(99) + "%s" }),
                "%v\u{a0}%s",
            ),
        ] {
            assert_eq!(read_money(value.clone()).format, format, "{value}");
        }
    }

    #[test]
    fn symbol_and_rounding_may_be_told_by_currency_and_precision_as_a_step() {
        let map =
            json!({ "KZT": { "symbol": "тг", "rounding": { "mode": "ceil", "precision": 10 } } });
        let by_currency = read_money(json!({ "currency": "kzt", "currencies": map }));
        assert_eq!(
            (
                by_currency.symbol.as_str(),
                by_currency.rounding.as_str(),
                by_currency.precision
            ),
            ("тг", "ceil", -1)
        );
        let own = read_money(
            json!({ "currency": "kzt", "currencies": map, "symbol": "T", "rounding": { "mode": "round", "precision": -2 } }),
        );
        assert_eq!(
            (own.symbol.as_str(), own.rounding.as_str(), own.precision),
            ("T", "round", -2)
        );
    }

    #[test]
    fn separators_and_fraction_digits_are_those_that_are_told() {
        let value = read_money(json!({
            "currency": "KZT", "thousands_separator": "'", "decimal_separator": ".", "fraction_digits": 1,
        }));
        assert_eq!(
            (&*value.thousands, &*value.decimal, value.fraction_digits),
            ("'", ".", 1)
        );
        let silent = read_money(json!({ "currency": "KZT" }));
        assert_eq!(
            (&*silent.thousands, &*silent.decimal, silent.fraction_digits),
            (" ", ",", 0)
        );
    }

    #[test]
    fn phone_code_and_offset_are_those_that_are_told() {
        let meta = |country, value: Value| {
            PartialMeta::read(Wire::new(&value, &Cell::new(0))).over(&Meta::built_in(country))
        };
        for (value, phone) in [
            (json!("+996"), "+996"),
            (json!("996"), "+996"),
            (json!("+0"), "+7"),
            (json!("+7701"), "+7"),
            (json!("seven"), "+7"),
            (json!(""), "+7"),
            (json!(null), "+7"),
        ] {
            let meta = meta(Country::Kz, json!({ "phone": { "code": value } }));
            assert_eq!(meta.phone_code, phone, "{value}");
        }
        for (value, minutes) in [
            (json!({ "timezone": "Asia/Tbilisi" }), 240),
            (
                json!({ "timezone": "Asia/Tbilisi", "utc_offset": "+06:00" }),
                360,
            ),
            (json!({ "timezone": "Asia/Nowhere" }), 300),
            (json!({}), 300),
        ] {
            assert_eq!(
                meta(Country::Kz, value.clone()).utc_offset,
                minutes,
                "{value}"
            );
        }
        assert_eq!(
            meta(Country::Ge, json!({ "timezone": "Asia/Almaty" })).utc_offset,
            300
        );
    }

    #[test]
    fn offsets_are_minutes() {
        assert_eq!(
            (offset("+05:00"), offset("-03:30"), offset("+04:00")),
            (Some(300), Some(-210), Some(240))
        );
        for bad in ["", "5", "+", "+5", "+99:00", "+05:61", "05:00", "٣"] {
            assert_eq!(offset(bad), None, "{bad}");
        }
    }
}
