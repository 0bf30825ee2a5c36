//! Whether a venue takes orders at a moment, by its schedule and its town's offset.

use crate::model::{Interval, Meta, Venue};

const DAY: i64 = 1440;
const WEEK: i64 = 7 * DAY;

/// Whether orders are taken at this instant (milliseconds since the epoch).
/// The end of the last interval of a day comes `close_in_advance_minutes` early,
/// unless the day is open around the clock.
pub(crate) fn takes_orders(venue: &Venue, meta: &Meta, now: i64) -> bool {
    if venue.hours.is_empty() {
        return true;
    }
    let minute = minute_of_week(now, offset_minutes(&meta.utc_offset));
    venue.hours.iter().any(|interval| {
        let start = (i64::from(interval.day) - 1) * DAY + i64::from(interval.from);
        let mut length = length(interval);
        if !around_the_clock(interval) && is_last(venue, interval) {
            length -= venue.close_in_advance_minutes;
        }
        (minute - start).rem_euclid(WEEK) < length
    })
}

/// `+05:00` in minutes; 0 when it is not readable.
pub(crate) fn offset_minutes(offset: &str) -> i64 {
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let digits = offset.trim_start_matches(['+', '-']);
    let mut parts = digits
        .split(':')
        .map(|part| part.parse::<i64>().unwrap_or(0));
    sign * (parts.next().unwrap_or(0) * 60 + parts.next().unwrap_or(0))
}

fn minute_of_week(now: i64, offset: i64) -> i64 {
    let minutes = now.div_euclid(60_000) + offset;
    // The epoch began on a Thursday, the fourth day of the week.
    (minutes + 3 * DAY).rem_euclid(WEEK)
}

fn length(interval: &Interval) -> i64 {
    let (from, to) = (i64::from(interval.from), i64::from(interval.to));
    if around_the_clock(interval) {
        DAY
    } else if to > from {
        to - from
    } else {
        to + DAY - from
    }
}

fn around_the_clock(interval: &Interval) -> bool {
    interval.from == 0 && (interval.to == 0 || interval.to >= 1439)
}

fn is_last(venue: &Venue, interval: &Interval) -> bool {
    venue
        .hours
        .iter()
        .all(|other| other.day != interval.day || other.from <= interval.from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::parse_iso;

    fn open(hours: &[(u8, u16, u16)], advance: i64, at: &str) -> bool {
        let hours = hours
            .iter()
            .map(|&(day, from, to)| Interval { day, from, to })
            .collect();
        let venue = Venue {
            hours,
            close_in_advance_minutes: advance,
            ..Venue::default()
        };
        let meta = Meta {
            utc_offset: "+05:00".into(),
            ..Meta::default()
        };
        takes_orders(&venue, &meta, parse_iso(at).unwrap_or(0))
    }

    #[test]
    fn hours_follow_the_town_and_run_past_midnight() {
        // 2026-11-21 is a Saturday.
        let late = [(6, 1080, 120)];
        assert!(open(&late, 0, "2026-11-21T18:00:00+05:00"));
        assert!(open(&late, 0, "2026-11-22T01:59:00+05:00"));
        assert!(!open(&late, 0, "2026-11-22T02:00:00+05:00"));
        assert!(!open(&late, 0, "2026-11-21T01:00:00+05:00"));
        assert!(open(&late, 0, "2026-11-21T13:30:00Z"));
    }

    #[test]
    fn the_last_interval_ends_early_and_a_whole_day_does_not() {
        let lunch = [(6, 600, 840), (6, 1080, 1380)];
        assert!(open(&lunch, 15, "2026-11-21T13:59:00+05:00"));
        assert!(!open(&lunch, 15, "2026-11-21T15:00:00+05:00"));
        assert!(!open(&lunch, 15, "2026-11-21T22:45:00+05:00"));
        assert!(open(&[(6, 0, 0)], 15, "2026-11-21T23:59:00+05:00"));
        assert!(open(&[(6, 0, 1439)], 15, "2026-11-21T23:59:00+05:00"));
        assert!(open(&[(7, 1080, 120)], 0, "2026-11-23T01:00:00+05:00"));
    }
}
