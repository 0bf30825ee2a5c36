//! A birthday as guests write it (PR-02): dd/mm/yyyy is shown, YYYY-MM-DD is sent. No clock and no zone comes near it: it
//! is a date of the calendar.

use time::{Date, Month};

use crate::web::change::outcome::ErrorCode;

/// The greatest age.
const EARLIEST_YEAR: i32 = 1900;

/// The date of `31/12/1990`; also with other marks between, without any, or as pasted from elsewhere, the year first.
///
/// # Errors
/// [`ErrorCode::NoSuchDay`] for a day that its month has not, [`ErrorCode::WrongData`] for what is no date, lies ahead of
/// `today`, or too far back.
pub(super) fn read(text: &str, today: Date) -> Result<Date, ErrorCode> {
    let (day, month, year) = parts(text).ok_or(ErrorCode::WrongData)?;
    let date = Date::from_calendar_date(year, month, day);
    let date = date.map_err(|_| match day {
        1..=31 => ErrorCode::NoSuchDay,
        _ => ErrorCode::WrongData,
    })?;
    let is_possible = date.year() >= EARLIEST_YEAR && date <= today;
    is_possible.then_some(date).ok_or(ErrorCode::WrongData)
}

/// Day, month and year as they are written.
fn parts(text: &str) -> Option<(u8, Month, i32)> {
    let parts: Vec<&str> = text
        .split(['/', '.', '-', ' ', '\u{a0}'])
        .filter(|part| !part.is_empty())
        .collect();
    let (day, month, year) = match parts.as_slice() {
        [whole] if whole.len() == 8 && whole.is_ascii() => (&whole[..2], &whole[2..4], &whole[4..]),
        [year, month, day] if year.len() == 4 => (*day, *month, *year),
        [day, month, year] if year.len() == 4 => (*day, *month, *year),
        _ => return None,
    };
    let number = |part: &str| {
        let is_number = part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u16>().ok()).flatten()
    };
    let month = Month::try_from(u8::try_from(number(month)?).ok()?).ok()?;
    let day = u8::try_from(number(day)?).ok()?;
    Some((day, month, i32::from(number(year)?)))
}

/// `31/12/1990`
pub(super) fn text(date: Date) -> String {
    format!(
        "{:02}/{:02}/{:04}",
        date.day(),
        u8::from(date.month()),
        date.year()
    )
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    const TODAY: Date = date!(2026 - 11 - 22);

    #[test]
    fn a_date_is_read_as_it_is_written_or_pasted() {
        for written in [
            "31/12/1990",
            "31.12.1990",
            "31-12-1990",
            "31 12 1990",
            " 31 / 12 / 1990 ",
            "31121990",
            "1990-12-31",
        ] {
            assert_eq!(read(written, TODAY), Ok(date!(1990 - 12 - 31)), "{written}");
        }
        assert_eq!(read("1/2/2003", TODAY), Ok(date!(2003 - 02 - 01)));
        assert_eq!(read("29/02/2000", TODAY), Ok(date!(2000 - 02 - 29)));
        assert_eq!(read("22/11/2026", TODAY), Ok(TODAY));
        assert_eq!(text(date!(1990 - 02 - 01)), "01/02/1990");
    }

    #[test]
    fn an_impossible_birthday_is_refused() {
        for written in [
            "",
            "12/31/1990",
            "00/01/1990",
            "01/00/1990",
            "01/01/0001",
            "31/12/1899",
            "23/11/2026",
            "01/01/9999",
            "31/12/90",
            "3112199",
            "311219901",
            "31/12",
            "31/12/1990/1",
            "+1/+2/2000",
            "aa/bb/cccc",
            "жжжж",
            "۳۱/۱۲/۱۹۹۰",
        ] {
            assert_eq!(read(written, TODAY), Err(ErrorCode::WrongData), "{written}");
        }
        for written in ["31/02/1990", "29/02/2001", "29/02/1900", "31041990"] {
            assert_eq!(read(written, TODAY), Err(ErrorCode::NoSuchDay), "{written}");
        }
    }
}
