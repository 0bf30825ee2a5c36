//! Weights and volumes as texts, and prices by tier.

use crate::model::Text;
use crate::seed::data::Land;

/// `350 g`, `1500 ml`, `5 pcs` in the words of the country: "350 г", "1,5 л", "5 дана".
pub(super) fn amount(land: Land, written: &str) -> Text {
    let (number, unit) = written.split_once(' ').unwrap_or((written, "pcs"));
    let big = number
        .parse::<i64>()
        .ok()
        .filter(|count| *count >= 1000 && count % 100 == 0);
    let units: [&str; 3] = match (land, unit, big) {
        (Land::Kazakhstan, "g", None) => ["г", "г", "g"],
        (Land::Kazakhstan, "g", Some(_)) => ["кг", "кг", "kg"],
        (Land::Kazakhstan, "ml", None) => ["мл", "мл", "ml"],
        (Land::Kazakhstan, "ml", Some(_)) => ["л", "л", "l"],
        (Land::Kazakhstan, ..) => ["дана", "шт.", "pcs"],
        (Land::Georgia, "g", None) => ["გ", "г", "g"],
        (Land::Georgia, "g", Some(_)) => ["კგ", "кг", "kg"],
        (Land::Georgia, "ml", None) => ["მლ", "мл", "ml"],
        (Land::Georgia, "ml", Some(_)) => ["ლ", "л", "l"],
        (Land::Georgia, ..) => ["ცალი", "шт.", "pcs"],
    };
    let (comma, dot) = match big {
        Some(count) if unit != "pcs" => (thousandth(count, ','), thousandth(count, '.')),
        _ => (number.to_owned(), number.to_owned()),
    };
    let [first, ru, en] = units;
    land.words([
        &format!("{comma} {first}"),
        &format!("{comma} {ru}"),
        &format!("{dot} {en}"),
    ])
}

/// 1500 → "1,5"; 2000 → "2".
fn thousandth(count: i64, separator: char) -> String {
    match (count / 1000, count % 1000 / 100) {
        (whole, 0) => whole.to_string(),
        (whole, tenth) => format!("{whole}{separator}{tenth}"),
    }
}

/// The price of a tier in hundredths: venues of a brand differ a little.
/// Prices end in a round figure and stay between the country's smallest and largest.
pub(super) fn price(land: Land, major: f64, tier: i64) -> i64 {
    if major <= 0.0 {
        return 0;
    }
    let factor = match tier {
        1 => 1.08,
        2 => 0.94,
        _ => 1.0,
    };
    let (step, least, most) = match land {
        Land::Kazakhstan => (1000, 35_000, 990_000),
        Land::Georgia => (10, 250, 4800),
    };
    let hundredths = (major * factor * 100.0).round() as i64;
    ((hundredths + step / 2) / step * step).clamp(least, most)
}

/// The price of an option, in hundredths: small sums are allowed.
pub(super) fn extra(major: f64) -> i64 {
    (major * 100.0).round() as i64
}

/// A barcode of 13 digits (8 for some goods) with its check digit.
pub(super) fn barcode(land: Land, number: i64) -> String {
    let prefix = match land {
        Land::Kazakhstan => 487,
        Land::Georgia => 486,
    };
    let body = if number % 10 == 4 {
        format!("{:07}", number % 10_000_000)
    } else {
        format!("{prefix}{number:09}")
    };
    // Weights run 3, 1, 3, … from the right, whatever the length.
    let sum: u32 = body
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| u32::from(digit - b'0') * if place % 2 == 0 { 3 } else { 1 })
        .sum();
    format!("{body}{}", (10 - sum % 10) % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Lang;

    #[test]
    fn amounts_read_naturally_in_every_language() {
        let weight = amount(Land::Kazakhstan, "350 g");
        assert_eq!(weight.exact(Lang::Kk), Some("350 г"));
        assert_eq!(weight.exact(Lang::En), Some("350 g"));
        let volume = amount(Land::Georgia, "1500 ml");
        assert_eq!(volume.exact(Lang::Ka), Some("1,5 ლ"));
        assert_eq!(volume.exact(Lang::En), Some("1.5 l"));
        assert_eq!(
            amount(Land::Kazakhstan, "5 pcs").exact(Lang::Ru),
            Some("5 шт.")
        );
    }

    #[test]
    fn prices_are_round_and_bounded() {
        assert_eq!(price(Land::Kazakhstan, 1850.0, 0), 185_000);
        assert_eq!(price(Land::Kazakhstan, 1850.0, 1), 200_000);
        assert_eq!(price(Land::Kazakhstan, 9900.0, 1), 990_000);
        assert_eq!(price(Land::Georgia, 2.5, 2), 250);
        assert_eq!(price(Land::Georgia, 0.0, 1), 0);
    }

    #[test]
    fn barcodes_carry_their_check_digit() {
        assert_eq!(barcode(Land::Kazakhstan, 9_638_507 - 3).len(), 8);
        assert_eq!(barcode(Land::Kazakhstan, 13_001), "4870000130016");
    }
}
