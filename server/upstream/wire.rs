//! Reading untrusted JSON without surprises: a missing, null or wrongly typed field is `None` or the stated
//! default, a bad element of a list is dropped and counted, and nothing here can panic.

use std::cell::Cell;

use serde_json::Value;

use super::{
    Error,
    ids::{OrderId, TableId},
};
use crate::values::Sum;

/// One place in an answer; a missing place reads as null.
#[derive(Clone, Copy)]
pub(super) struct Wire<'a> {
    value: &'a Value,
    dropped: &'a Cell<usize>,
}

/// What can be read from an answer.
pub(super) trait FromWire: Sized {
    /// Fails where the requirements state no default.
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad>;
}

/// The field that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bad(pub &'static str);

impl From<Bad> for Error {
    fn from(Bad(why): Bad) -> Self {
        Self::BadAnswer { why }
    }
}

/// Sums beyond this are no sums; it keeps products of counts far from overflow and JavaScript exact.
const LARGEST_SUM: f64 = 1e13;
const LARGEST_ID: f64 = 9_007_199_254_740_991.0;
static NULL: Value = Value::Null;

impl<'a> Wire<'a> {
    pub fn new(value: &'a Value, dropped: &'a Cell<usize>) -> Self {
        Self { value, dropped }
    }

    /// The value of a key; null if this is no object or has no such key.
    pub fn get(self, key: &str) -> Self {
        Self {
            value: self.value.get(key).unwrap_or(&NULL),
            ..self
        }
    }

    /// The first element; null if this is no list or an empty one.
    pub fn first(self) -> Self {
        Self {
            value: self.value.get(0).unwrap_or(&NULL),
            ..self
        }
    }

    pub fn is_null(self) -> bool {
        self.value.is_null()
    }

    /// The JSON itself.
    pub fn raw(self) -> &'a Value {
        self.value
    }

    /// An object or an error: what is not one can't be the thing that was asked for.
    pub fn object(self, what: &'static str) -> Result<Self, Bad> {
        if self.value.is_object() {
            Ok(self)
        } else {
            Err(Bad(what))
        }
    }

    /// Text that is not empty. Numbers count as text, as upstreams send codes in both forms.
    pub fn text(self, key: &str) -> Option<String> {
        match self.get(key).value {
            Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// This place itself as text, for lists of words.
    pub fn as_text(self) -> Option<String> {
        self.value.as_str().map(str::to_owned)
    }

    /// Text as it is, blanks included: separators.
    pub fn verbatim(self, key: &str) -> Option<String> {
        self.get(key).value.as_str().map(str::to_owned)
    }

    /// A finite number, or text that is one.
    pub fn number(self, key: &str) -> Option<f64> {
        let number = match self.get(key).value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => decimal(text),
            _ => None,
        };
        number.filter(|number| number.is_finite())
    }

    /// A whole number from 0 to 2³²−1.
    pub fn count(self, key: &str) -> Option<u32> {
        let number = self.number(key)?;
        // In range and whole, so the cast is exact.
        (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number))
            .then_some(number as u32)
    }

    /// A signed whole number that fits 2⁵³.
    pub fn whole(self, key: &str) -> Option<i64> {
        let number = self.number(key)?;
        (number.fract() == 0.0 && number.abs() <= LARGEST_ID).then_some(number as i64)
    }

    /// A numeric identifier.
    pub fn id<T>(self, key: &str, make: impl FnOnce(u64) -> T) -> Option<T> {
        self.whole(key)
            .and_then(|id| u64::try_from(id).ok())
            .map(make)
    }

    /// true, 1, "1", "true" and their opposites.
    pub fn flag(self, key: &str) -> Option<bool> {
        match self.get(key).value {
            Value::Bool(flag) => Some(*flag),
            Value::Number(number) if number.as_f64() == Some(1.0) => Some(true),
            Value::Number(number) if number.as_f64() == Some(0.0) => Some(false),
            Value::String(text) if text == "1" || text.eq_ignore_ascii_case("true") => Some(true),
            Value::String(text) if text == "0" || text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    /// A sum in major units, to hundredths; halves go away from zero.
    pub fn sum(self, key: &str) -> Option<Sum> {
        let major = self.number(key)?;
        // Within the bound a double is closer to its decimal than half a hundredth, so rounding gives it back exactly.
        (major.abs() <= LARGEST_SUM).then(|| Sum((major * 100.0).round() as i64))
    }

    /// A sum that can't be below zero: prices.
    pub fn price(self, key: &str) -> Option<Sum> {
        self.sum(key).filter(|sum| sum.0 >= 0)
    }

    /// The readable elements; an absent or wrongly typed list is empty.
    pub fn list<T: FromWire>(self, key: &str) -> Vec<T> {
        self.get(key).elements(T::from_wire)
    }

    /// A list that must be there, and of which something must be readable unless it is empty.
    pub fn need_list<T: FromWire>(self, key: &'static str) -> Result<Vec<T>, Bad> {
        let wire = self.get(key);
        let length = wire.value.as_array().ok_or(Bad(key))?.len();
        let list = wire.elements(T::from_wire);
        if list.is_empty() && length > 0 {
            Err(Bad(key))
        } else {
            Ok(list)
        }
    }

    /// The elements of this list that `read` accepts; the others are counted.
    pub fn elements<T>(self, read: impl Fn(Wire<'a>) -> Result<T, Bad>) -> Vec<T> {
        let Some(elements) = self.value.as_array() else {
            return Vec::new();
        };
        let read = |value| {
            read(Self { value, ..self })
                .inspect_err(|_| self.dropped.set(self.dropped.get() + 1))
                .ok()
        };
        elements.iter().filter_map(read).collect()
    }

    /// An object of a kind, or none.
    pub fn node<T: FromWire>(self, key: &str) -> Option<T> {
        let wire = self.get(key);
        if wire.value.is_object() {
            T::from_wire(wire).ok()
        } else {
            None
        }
    }

    pub fn order_id(self, key: &str) -> Option<OrderId> {
        self.text(key)?.parse().ok()
    }

    pub fn table_id(self, key: &str) -> Option<TableId> {
        self.text(key)?.parse().ok()
    }

    /// An http(s) address; `None` for anything else (S-23).
    pub fn link(self, key: &str) -> Option<String> {
        let text = self.text(key)?;
        let url = url::Url::parse(text.trim()).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| url.into())
    }
}

/// Reads the `data` of an answer.
pub(super) fn data<T: FromWire>(wire: Wire<'_>) -> Result<T, Bad> {
    T::from_wire(wire.get("data").object("data")?)
}

/// Reads an answer of which only the success counts.
pub(super) fn done(_: Wire<'_>) -> Result<(), Bad> {
    Ok(())
}

/// Reads the `data` of an answer that is a list.
pub(super) fn data_list<T: FromWire>(wire: Wire<'_>) -> Result<Vec<T>, Bad> {
    wire.need_list("data")
}

/// A sum as the upstream takes it: a JSON number in major units, without a fraction where it is zero.
pub(super) fn sum_to_wire(sum: Sum) -> Value {
    if sum.0 % 100 == 0 {
        Value::from(sum.0 / 100)
    } else {
        // The nearest double of the decimal; its shortest form is the decimal again.
        Value::from(sum.0 as f64 / 100.0)
    }
}

/// Plain decimals only: no exponent, "inf", "nan" or hexadecimal.
fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn sum_of(value: Value) -> Option<Sum> {
        let value = json!({ "x": value });
        Wire::new(&value, &Cell::new(0)).sum("x")
    }

    #[test]
    fn sums_are_exact_hundredths() {
        for (wire, hundredths) in [
            (json!(1250), 125_000),
            (json!(12.5), 1250),
            (json!(4.35), 435),
            (json!(0.1 + 0.2), 30),
            (json!(1.15), 115),
            (json!(8.2), 820),
            (json!(-0.01), -1),
            (json!("1850"), 185_000),
            (json!("12.50"), 1250),
        ] {
            assert_eq!(sum_of(wire.clone()), Some(Sum(hundredths)), "{wire}");
        }
        for bad in [
            json!(null),
            json!("abc"),
            json!("nan"),
            json!("1e9"),
            json!(1e300),
            json!([1]),
            json!(true),
            json!(""),
        ] {
            assert_eq!(sum_of(bad.clone()), None, "{bad}");
        }
    }

    #[test]
    fn fields_of_the_wrong_type_are_none() {
        let value = json!({ "t": ["x"], "n": {}, "f": "maybe", "c": -1, "h": 1.5, "l": "x", "o": 7, "j": "javascript:alert(1)" });
        let dropped = Cell::new(0);
        let wire = Wire::new(&value, &dropped);
        assert_eq!(wire.text("t"), None);
        assert_eq!(wire.number("n"), None);
        assert_eq!(wire.flag("f"), None);
        assert_eq!(
            (wire.count("c"), wire.count("h"), wire.whole("h")),
            (None, None, None)
        );
        assert_eq!(wire.get("o").get("deep").get("deeper").raw(), &Value::Null);
        assert_eq!(wire.link("j"), None);
    }

    #[test]
    fn numbers_and_flags_are_read_from_text_too() {
        let value = json!({ "n": "15", "yes": "1", "no": 0, "t": 12 });
        let dropped = Cell::new(0);
        let wire = Wire::new(&value, &dropped);
        assert_eq!(wire.count("n"), Some(15));
        assert_eq!(
            (wire.flag("yes"), wire.flag("no")),
            (Some(true), Some(false))
        );
        assert_eq!(wire.text("t").as_deref(), Some("12"));
    }

    #[test]
    fn bad_elements_are_dropped_and_counted() {
        struct Id(u32);
        impl FromWire for Id {
            fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
                wire.count("id").map(Self).ok_or(Bad("id"))
            }
        }
        let value =
            json!({ "some": [{ "id": 1 }, null, { "id": "x" }, { "id": 4 }], "none": [1, 2] });
        let dropped = Cell::new(0);
        let wire = Wire::new(&value, &dropped);
        let ids: Vec<u32> = wire
            .need_list::<Id>("some")
            .expect("two are good")
            .iter()
            .map(|id| id.0)
            .collect();
        assert_eq!((ids, dropped.get()), (vec![1, 4], 2));
        assert!(wire.need_list::<Id>("none").is_err());
        assert!(wire.need_list::<Id>("absent").is_err());
        assert!(wire.list::<Id>("absent").is_empty());
    }

    proptest! {
        #[test]
        fn every_sum_survives_the_way_out_and_back(hundredths in -100_000_000_000_000_i64..100_000_000_000_000) {
            let text = sum_to_wire(Sum(hundredths)).to_string();
            let back: Value = serde_json::from_str(&text).expect("JSON");
            prop_assert_eq!(sum_of(back), Some(Sum(hundredths)));
        }
    }
}
