//! Phone numbers, as guests and venues write them.

use phonenumber::{Mode, country};

use super::outcome::{ErrorCode, FieldError, Text};

/// Codes of Kazakhstan and Georgia.
const KZ: &str = "+7";
const GE: &str = "+995";

/// The number in international writing without spaces (E.164), such as `+77010000001`. One without a country code has
/// that of the place, as its meta tells it (LC-19): "8 701 …" with +7, "599 …" with +995. None for text that is no number
/// of any country (FM-12).
#[must_use]
pub fn international(text: &str, code: &str) -> Option<String> {
    // How long the numbers of a third country are, the crate alone knows.
    let (home, length) = match code {
        KZ => (Some(country::KZ), Some(10)),
        GE => (Some(country::GE), Some(9)),
        _ => (None, None),
    };
    let is_written = |letter: char| letter.is_ascii_digit() || " +-().\u{a0}".contains(letter);
    if !text.chars().all(is_written) {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let read = |text: &str| {
        let number = phonenumber::parse(home, text).ok()?;
        let full = number.format().mode(Mode::E164).to_string();
        // A range that the country has given out since the crate's tables were made is no reason to refuse a guest.
        let is_ours = full
            .strip_prefix(code)
            .is_some_and(|rest| Some(rest.len()) == length);
        (is_ours || phonenumber::is_valid(&number)).then_some(full)
    };
    // The crate takes the 7 of "701 …" for the country's code.
    let is_short = length.is_none_or(|length| digits.len() == length) && !text.contains('+');
    is_short
        .then(|| read(&format!("{code}{digits}")))
        .flatten()
        // With the code of a third country, and without its plus.
        .or_else(|| {
            let is_whole = length.is_none() && digits.starts_with(code.trim_start_matches('+'));
            is_whole.then(|| read(&format!("+{digits}"))).flatten()
        })
        .or_else(|| read(text.trim()))
}

/// What was typed is no phone number; a number with the code shows how it is written.
#[must_use]
pub fn wrong(field: &str, code: &str) -> FieldError {
    let example = match code {
        KZ => "+7 701 000 00 01",
        GE => "+995 599 12 34 56",
        other => other,
    };
    FieldError::new(field, ErrorCode::Phone).with("example", Text::Word(example.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_people_of_the_country_write_it() {
        let read = |text, code| international(text, code);
        for text in [
            "+7 701 000 00 01",
            "8 (701) 000-00-01",
            "701 000 00 01",
            "+7 (701) 000-00-01",
        ] {
            assert_eq!(read(text, KZ).as_deref(), Some("+77010000001"), "{text}");
        }
        for text in ["+995 599 12 34 56", "599 12-34-56", "599123456"] {
            assert_eq!(read(text, GE).as_deref(), Some("+995599123456"), "{text}");
        }
        // A visitor's own, and a town's.
        assert_eq!(
            read("+49 151 23456789", GE).as_deref(),
            Some("+4915123456789")
        );
        assert_eq!(
            read("+7 (727) 123-45-01", KZ).as_deref(),
            Some("+77271234501")
        );
        // A place whose meta tells another code than the two countries have.
        assert_eq!(
            read("555 123 456", "+996").as_deref(),
            Some("+996555123456")
        );
        assert_eq!(
            read("+7 701 000 00 01", "+996").as_deref(),
            Some("+77010000001")
        );
        assert_eq!(read("701 000", "+996"), None);
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
            assert_eq!(international(text, KZ), None, "{text}");
        }
    }
}
