//! Sums: hundredths inside, JSON numbers in major units on the wire.

use serde_json::{Number, Value, json};

/// A sum in hundredths as the wire writes it: `1250` or `12.5`.
pub(crate) fn major(hundredths: i64) -> Value {
    if hundredths % 100 == 0 {
        return json!(hundredths / 100);
    }
    Number::from_f64(hundredths as f64 / 100.0).map_or(Value::Null, Value::Number)
}

/// A sum of the wire in hundredths; nothing when it is no sensible sum.
pub(crate) fn hundredths(major: f64) -> Option<i64> {
    let scaled = (major * 100.0).round();
    (scaled.is_finite() && scaled.abs() < 1e12).then_some(scaled as i64)
}

/// A part of a sum in percent, rounded down to what the currency can pay.
pub(crate) fn percent_floor(sum: i64, percent: i64, fraction_digits: u8) -> i64 {
    floor_to(sum.saturating_mul(percent).div_euclid(100), fraction_digits)
}

/// Rounds down to whole units when the currency has no fractions.
pub(crate) fn floor_to(sum: i64, fraction_digits: u8) -> i64 {
    match fraction_digits {
        0 => sum.div_euclid(100) * 100,
        1 => sum.div_euclid(10) * 10,
        _ => sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_lose_nothing_on_the_wire() {
        for sum in [0, 5, 50, 99, 100, 1250, 1255, 185_000, 123_456_789] {
            assert_eq!(major(sum).as_f64().and_then(hundredths), Some(sum));
        }
        assert_eq!(major(125_000), json!(1250));
        assert_eq!(major(1250), json!(12.5));
        assert_eq!(hundredths(f64::NAN), None);
    }

    #[test]
    fn a_fee_is_rounded_down_to_whole_tenge() {
        assert_eq!(percent_floor(185_500, 10, 0), 18_500);
        assert_eq!(percent_floor(185_500, 10, 2), 18_550);
        assert_eq!(percent_floor(1999, 10, 2), 199);
    }
}
