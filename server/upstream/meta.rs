//! Time zone, phone code and money of a country or town, and what holds where the upstream is silent (ZZ-01, ZZ-03).

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
        Self {
            timezone: wire.text("timezone"),
            utc_offset: wire.text("utc_offset").and_then(|text| offset(&text)),
            phone_code: wire.get("phone").text("code"),
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
    let base = money_of(&wire.text("currency")?.to_uppercase());
    let rounding = wire.get("rounding");
    Some(MoneyFormat {
        symbol: wire.text("symbol").unwrap_or(base.symbol),
        symbol_after: wire
            .text("symbol_position")
            .map_or(base.symbol_after, |position| position != "before"),
        thousands: wire
            .verbatim("thousands_separator")
            .unwrap_or(base.thousands),
        decimal: wire.text("decimal_separator").unwrap_or(base.decimal),
        // Sums are hundredths, so there is nothing to show beyond two digits.
        fraction_digits: wire
            .count("fraction_digits")
            .map_or(base.fraction_digits, |digits| digits.min(2)),
        rounding: rounding
            .text("mode")
            .filter(|mode| ROUNDINGS.contains(&mode.as_str()))
            .unwrap_or(base.rounding),
        precision: rounding
            .whole("precision")
            .and_then(|precision| precision.try_into().ok())
            .unwrap_or(base.precision),
        code: base.code,
    })
}

/// Modes of the specification's section 5; anything else is floor.
const ROUNDINGS: [&str; 7] = [
    "round", "floor", "ceil", "truncate", "bankers", "custom", "none",
];

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
        symbol_after: true,
        thousands: " ".to_owned(),
        decimal: ",".to_owned(),
        fraction_digits,
        rounding: "floor".to_owned(),
        precision: 0,
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
    use super::*;

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
