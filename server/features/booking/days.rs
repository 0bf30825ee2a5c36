//! Days of a venue's own calendar.

use time::{Date, Duration, OffsetDateTime, macros::format_description};

use super::BookDay;

/// Days that stand as chips.
const DAYS: i64 = 7;
/// How far ahead a table can be booked.
const AHEAD: i64 = 60;

/// Today at a venue, `offset` minutes east of UTC.
pub(in crate::features) fn today(now: i64, offset: i32) -> Date {
    let local = now.div_euclid(1000) + i64::from(offset) * 60;
    OffsetDateTime::from_unix_timestamp(local)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
        .date()
}

/// The chips.
pub(super) fn next(today: Date) -> Vec<BookDay> {
    (0..DAYS)
        .filter_map(|ahead| today.checked_add(Duration::days(ahead)))
        .map(|date| BookDay {
            date: text(date),
            weekday: date.weekday().number_days_from_monday(),
            day: date.day(),
        })
        .collect()
}

/// The last day that can be chosen.
pub(super) fn last(today: Date) -> Date {
    today.checked_add(Duration::days(AHEAD)).unwrap_or(today)
}

/// A day from an address or a form, if a table can be booked for it.
pub(super) fn parse(date: &str, today: Date) -> Option<Date> {
    Date::parse(date, format_description!("[year]-[month]-[day]"))
        .ok()
        .filter(|date| (today..=last(today)).contains(date))
}

/// `18:30`: what a clock shows, `offset` minutes east of UTC.
pub(super) fn clock(at: i64, offset: i32) -> String {
    let minutes = at.div_euclid(60_000) + i64::from(offset);
    let minutes = minutes.rem_euclid(24 * 60);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// `2026-11-21`
pub(super) fn text(date: Date) -> String {
    format!(
        "{:04}-{:02}-{:02}",
        date.year(),
        u8::from(date.month()),
        date.day()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_the_venues_own_and_lies_ahead() {
        // 21 November 2026, 20:30 UTC: past midnight in Almaty.
        let now = 1_795_293_000_000;
        assert_eq!(text(today(now, 0)), "2026-11-21");
        let almaty = today(now, 300);
        assert_eq!(text(almaty), "2026-11-22");
        let days = next(almaty);
        assert_eq!((days.len(), days[0].weekday, days[0].day), (7, 6, 22));
        assert_eq!(
            (clock(now, 0), clock(now, 300)),
            ("20:30".into(), "01:30".into())
        );
        assert_eq!(parse("2026-11-21", almaty), None);
        assert_eq!(parse("2028-01-01", almaty), None);
        assert_eq!(parse("tomorrow", almaty), None);
        assert!(parse("2026-11-30", almaty).is_some());
    }
}
