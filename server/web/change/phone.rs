//! Phone numbers, as guests and venues write them.

use phonenumber::{Mode, country};

use super::outcome::{ErrorCode, FieldError, Text};
use crate::values::Country;

/// The number in international writing without spaces (E.164), such as `+77010000001`. One without a country code is one
/// of `country`: "8 701 …" of Kazakhstan, "599 …" of Georgia. None for text that is no number of any country (FM-12).
#[must_use]
pub fn international(text: &str, country: Country) -> Option<String> {
    let (home, code, length) = match country {
        Country::Kz => (country::KZ, "+7", 10),
        Country::Ge => (country::GE, "+995", 9),
    };
    let is_written = |letter: char| letter.is_ascii_digit() || " +-().\u{a0}".contains(letter);
    if !text.chars().all(is_written) {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let read = |text: &str| {
        let number = phonenumber::parse(Some(home), text).ok()?;
        let full = number.format().mode(Mode::E164).to_string();
        // A range that the country has given out since the crate's tables were made is no reason to refuse a guest.
        let is_ours = full
            .strip_prefix(code)
            .is_some_and(|rest| rest.len() == length);
        (is_ours || phonenumber::is_valid(&number)).then_some(full)
    };
    // The crate takes the 7 of "701 …" for the country's code.
    let is_short = digits.len() == length && !text.contains('+');
    is_short
        .then(|| read(&format!("{code}{digits}")))
        .flatten()
        .or_else(|| read(text.trim()))
}

/// What was typed is no phone number; a number of the country shows how it is written.
#[must_use]
pub fn wrong(field: &str, country: Country) -> FieldError {
    let example = match country {
        Country::Kz => "+7 701 000 00 01",
        Country::Ge => "+995 599 12 34 56",
    };
    FieldError::new(field, ErrorCode::Phone).with("example", Text::Word(example.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_people_of_the_country_write_it() {
        let read = |text, country| international(text, country);
        for text in [
            "+7 701 000 00 01",
            "8 (701) 000-00-01",
            "701 000 00 01",
            "+7 (701) 000-00-01",
        ] {
            assert_eq!(
                read(text, Country::Kz).as_deref(),
                Some("+77010000001"),
                "{text}"
            );
        }
        for text in ["+995 599 12 34 56", "599 12-34-56", "599123456"] {
            assert_eq!(
                read(text, Country::Ge).as_deref(),
                Some("+995599123456"),
                "{text}"
            );
        }
        // A visitor's own, and a town's.
        assert_eq!(
            read("+49 151 23456789", Country::Ge).as_deref(),
            Some("+4915123456789")
        );
        assert_eq!(
            read("+7 (727) 123-45-01", Country::Kz).as_deref(),
            Some("+77271234501")
        );
    }

    #[test]
    fn what_cannot_be_called_is_no_number() {
        for text in [
            "",
            "1",
            "+",
            "+7",
            "701",
            "000 000 00 00",
            "12345678901234567890",
            "+7 701 000 00 01 ext 5",
            "call me",
            "<b>+77010000001</b>",
            "+999 123 45 67 89",
        ] {
            assert_eq!(international(text, Country::Kz), None, "{text}");
        }
    }
}
