//! A birthday as guests write it (PR-02): dd/mm/yyyy is shown, YYYY-MM-DD is sent. No clock and no zone comes near it: it
//! is a date of the calendar.

use time::{Date, Month};

/// The greatest age.
const EARLIEST_YEAR: i32 = 1900;

/// The date of `31/12/1990`; also with other marks between, without any, or as pasted from elsewhere, the year first.
/// `None` for what is no date, lies ahead of `today`, or too far back.
pub(super) fn read(text: &str, today: Date) -> Option<Date> {
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
    let date = Date::from_calendar_date(i32::from(number(year)?), month, day).ok()?;
    (date.year() >= EARLIEST_YEAR && date <= today).then_some(date)
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
            assert_eq!(
                read(written, TODAY),
                Some(date!(1990 - 12 - 31)),
                "{written}"
            );
        }
        assert_eq!(read("1/2/2003", TODAY), Some(date!(2003 - 02 - 01)));
        assert_eq!(read("29/02/2000", TODAY), Some(date!(2000 - 02 - 29)));
        assert_eq!(read("22/11/2026", TODAY), Some(TODAY));
        assert_eq!(text(date!(1990 - 02 - 01)), "01/02/1990");
    }

    #[test]
    fn an_impossible_birthday_is_refused() {
        for written in [
            "",
            "31/02/2000",
            "29/02/2001",
            "29/02/1900",
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
            assert_eq!(read(written, TODAY), None, "{written}");
        }
    }
}
