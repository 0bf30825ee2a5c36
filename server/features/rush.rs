//! Rush hours on pages: a word over a menu that has nothing more pressing to say, by the venue's clock (FL-21).

use super::{
    page_data::{Banner, BannerKind},
    schedule::{DAY, weekday},
};
use crate::{rush_hours::RushWindow, web::visit::Visit};

/// Whether it is rush hour at `now` (milliseconds since the epoch), `offset` minutes east of UTC.
#[must_use]
pub fn is_rush(windows: &[RushWindow], now: i64, offset: i32) -> bool {
    let local = now.div_euclid(60_000) + i64::from(offset);
    let Ok(minute) = u16::try_from(local.rem_euclid(DAY)) else {
        return false;
    };
    let day = weekday(now, offset);
    windows.iter().any(|window| window.holds(day, minute))
}

/// The word about it over a menu that has nothing more pressing to say.
#[must_use]
pub fn banner(visit: &Visit, offset: i32) -> Option<Banner> {
    is_rush(&visit.app.config.rush_hours, visit.now, offset).then(|| Banner {
        kind: Some(BannerKind::RushHour),
        message: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thursday, 1 January 1970, in minutes.
    fn at(day: i64, hour: i64, minute: i64) -> i64 {
        ((day - 3) * 1440 + hour * 60 + minute) * 60_000
    }

    fn rush(window: &str, now: i64) -> bool {
        is_rush(&[window.parse().unwrap()], now, 0)
    }

    #[test]
    fn a_window_holds_on_its_weekdays_and_between_its_minutes() {
        for (window, now, holds) in [
            ("mon-fri 12:00-14:00", at(3, 12, 0), true),
            ("mon-fri 12:00-14:00", at(3, 13, 59), true),
            ("mon-fri 12:00-14:00", at(3, 14, 0), false),
            ("mon-fri 12:00-14:00", at(5, 12, 30), false),
            ("Sat 18:00-21:30", at(5, 21, 29), true),
            // Past midnight it is still Friday's evening.
            ("fri 22:00-02:00", at(4, 23, 0), true),
            ("fri 22:00-02:00", at(5, 1, 59), true),
            ("fri 22:00-02:00", at(5, 22, 30), false),
            ("fri 22:00-02:00", at(4, 1, 0), false),
            // Sunday's night is Monday's morning.
            ("sun 23:00-01:00", at(7, 0, 30), true),
            // From Saturday over the end of the week to Monday.
            ("sat-mon 10:00-11:00", at(6, 10, 0), true),
            ("sat-mon 10:00-11:00", at(8, 10, 0), false),
        ] {
            assert_eq!(rush(window, now), holds, "{window}");
        }
        assert!(!is_rush(&[], at(3, 12, 0), 0), "none are the default");
    }

    #[test]
    fn the_clock_is_the_venues() {
        let noon = "thu 12:00-13:00".parse().unwrap();
        assert!(is_rush(&[noon], at(3, 7, 10), 300));
        assert!(!is_rush(&[noon], at(3, 12, 10), 300));
    }
}
