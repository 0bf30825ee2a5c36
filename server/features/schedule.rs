//! Whether a venue is open, by its own clock and never by the guest's phone (beyond.md, 10).
//!
//! Weeks are lists of minutes from Monday 00:00 at the venue. Around-the-clock days are recognised before closing in
//! advance is applied (ZZ-26); a day's last interval alone is shortened (FL-03).

use super::page_data::OpenState;

/// Minutes of a day.
pub const DAY: i64 = 24 * 60;
const WEEK: i64 = 7 * DAY;
/// 1 January 1970 was a Thursday.
const EPOCH_WEEKDAY: i64 = 3;

/// One opening interval of a day, minutes from its midnight; an end at or before its start is on the next day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours {
    /// 0 is Monday.
    pub day: u8,
    /// 0 to 1439.
    pub from: u16,
    /// 0 to 1440.
    pub to: u16,
}

impl Hours {
    /// 00:00 to 00:00 and 00:00 to 23:59 both mean day and night (FL-04).
    #[must_use]
    pub const fn is_around_the_clock(self) -> bool {
        self.from == 0 && matches!(self.to, 0 | 1439 | 1440)
    }

    /// As people write them: 1030 is half past ten.
    #[cfg(test)]
    #[must_use]
    pub const fn written(day: u8, from: u16, to: u16) -> Self {
        Self {
            day,
            from: from / 100 * 60 + from % 100,
            to: to / 100 * 60 + to % 100,
        }
    }
}

/// The open state at `now` (milliseconds since the epoch), `offset` minutes east of UTC.
///
/// No hours at all means day and night, as the upstream leaves them unset then.
#[must_use]
pub fn open_state(
    hours: &[Hours],
    close_in_advance: u16,
    closed_by_hand: bool,
    now: i64,
    offset: i32,
) -> OpenState {
    if closed_by_hand {
        return OpenState {
            open: false,
            always: false,
            at: None,
            in_days: 0,
            until: None,
        };
    }
    let week = intervals(hours, close_in_advance);
    let always = hours.is_empty() || week.iter().any(|&(from, to)| to - from >= WEEK);
    if always {
        return OpenState {
            open: true,
            always: true,
            at: None,
            in_days: 0,
            until: None,
        };
    }
    let local = now.div_euclid(60_000) + i64::from(offset);
    let minute = (local + EPOCH_WEEKDAY * DAY).rem_euclid(WEEK);
    // An interval that began last week may still run: look at it one week on, too.
    let ending = week.iter().find_map(|&(from, to)| {
        [minute, minute + WEEK]
            .into_iter()
            .find(|at| (from..to).contains(at))
            .map(|at| minute + (to - at))
    });
    let change = ending.or_else(|| {
        week.iter()
            .map(|&(from, _)| minute + (from - minute).rem_euclid(WEEK))
            .min()
    });
    let days = change.map_or(0, |at| at / DAY - minute / DAY);
    OpenState {
        open: ending.is_some(),
        always: false,
        at: change.map(clock),
        in_days: u32::try_from(days).unwrap_or(0),
        until: change.map(|at| {
            // Who is closed says on which day it opens: with the next one that reads otherwise.
            if ending.is_none() && days > 0 {
                midnight(now, offset)
            } else {
                (now.div_euclid(60_000) + at - minute) * 60_000
            }
        }),
    }
}

/// When the venue's next day begins, milliseconds since the epoch.
#[must_use]
pub fn midnight(now: i64, offset: i32) -> i64 {
    let local = now.div_euclid(60_000) + i64::from(offset);
    ((local.div_euclid(DAY) + 1) * DAY - i64::from(offset)) * 60_000
}

/// "HH:MM" of a minute, of whatever day.
#[must_use]
pub fn clock(minute: i64) -> String {
    let minute = minute.rem_euclid(DAY);
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// The weekday at the venue, 0 for Monday.
#[must_use]
pub fn weekday(now: i64, offset: i32) -> u8 {
    let local = now.div_euclid(60_000) + i64::from(offset);
    u8::try_from((local.div_euclid(DAY) + EPOCH_WEEKDAY).rem_euclid(7)).unwrap_or(0)
}

/// Intervals of one day (0 is Monday) in minutes from its midnight, in order, the last one shortened. Day and night is
/// the whole day; an end beyond it lies on the next.
#[must_use]
pub fn spans_of(hours: &[Hours], day: u8, close_in_advance: u16) -> Vec<(i64, i64)> {
    let mut today: Vec<Hours> = hours
        .iter()
        .copied()
        .filter(|hours| hours.day == day)
        .collect();
    today.sort_by_key(|hours| hours.from);
    let last = today.len().saturating_sub(1);
    today
        .into_iter()
        .enumerate()
        .filter_map(|(place, hours)| {
            if hours.is_around_the_clock() {
                return Some((0, DAY));
            }
            let from = i64::from(hours.from);
            let mut to = i64::from(hours.to);
            if to <= from {
                to += DAY;
            }
            if place == last {
                to -= i64::from(close_in_advance);
            }
            (to > from).then_some((from, to))
        })
        .collect()
}

/// Merged intervals of the week, in order; an end may lie beyond the week's.
fn intervals(hours: &[Hours], close_in_advance: u16) -> Vec<(i64, i64)> {
    let mut week: Vec<(i64, i64)> = (0..7_u8)
        .flat_map(|day| {
            let base = i64::from(day) * DAY;
            spans_of(hours, day, close_in_advance)
                .into_iter()
                .map(move |(from, to)| (base + from, base + to))
        })
        .collect();
    week.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (from, to) in week {
        match merged.last_mut() {
            Some(before) if from <= before.1 => before.1 = before.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    // Sunday night runs into Monday morning, perhaps over several of its intervals.
    while let [first, _, ..] = *merged.as_slice()
        && let Some(last) = merged.last_mut()
        && last.1 >= first.0 + WEEK
    {
        last.1 = last.1.max(first.1 + WEEK);
        merged.remove(0);
    }
    merged
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MONDAY: i64 = 1_763_942_400_000; // 24 November 2025, 00:00 UTC

    fn at(day: i64, hour: i64, minute: i64) -> i64 {
        MONDAY + ((day * 24 + hour) * 60 + minute) * 60_000
    }

    #[test]
    fn the_moment_of_the_next_change_is_known() {
        let until = |hours: &[Hours], by_hand, now| open_state(hours, 30, by_hand, now, 300).until;
        let night = [Hours::written(6, 1800, 200)];
        // Sunday, 23:59:59 by the venue's clock: it closes at 01:30 on Monday.
        let now = at(0, 0, 0) - 5 * 3_600_000 - 1000;
        assert_eq!(
            until(&night, false, now),
            Some(at(0, 1, 30) - 5 * 3_600_000)
        );
        // Closed from that moment on, until Sunday evening; how many days that is changes at each midnight.
        for (day, hour, minute) in [(0, 1, 30), (0, 23, 59)] {
            assert_eq!(
                until(&night, false, at(day, hour, minute) - 5 * 3_600_000),
                Some(at(1, 0, 0) - 5 * 3_600_000)
            );
        }
        assert_eq!(
            until(&night, false, at(6, 0, 0) - 5 * 3_600_000),
            Some(at(6, 18, 0) - 5 * 3_600_000)
        );
        assert_eq!(until(&night, true, now), None);
        assert_eq!(until(&[], false, now), None);
    }

    #[test]
    fn the_last_interval_alone_closes_in_advance() {
        let lunch_and_dinner = [Hours::written(0, 1000, 1400), Hours::written(0, 1700, 2200)];
        let state = open_state(&lunch_and_dinner, 30, false, at(0, 13, 45), 0);
        assert_eq!((state.open, state.at.as_deref()), (true, Some("14:00")));
        let state = open_state(&lunch_and_dinner, 30, false, at(0, 21, 45), 0);
        assert_eq!(
            (state.open, state.at.as_deref(), state.in_days),
            (false, Some("10:00"), 7)
        );
    }

    #[test]
    fn a_night_runs_past_midnight_and_past_the_week() {
        let sunday_night = [Hours::written(6, 1800, 300)];
        let state = open_state(&sunday_night, 0, false, at(0, 2, 0), 0);
        assert_eq!(
            (state.open, state.at.as_deref(), state.in_days),
            (true, Some("03:00"), 0)
        );
        let state = open_state(&sunday_night, 0, false, at(6, 23, 0), 0);
        assert_eq!(
            (state.open, state.at.as_deref(), state.in_days),
            (true, Some("03:00"), 1)
        );
    }

    #[test]
    fn a_sunday_night_may_run_over_several_intervals_of_monday() {
        let week = [
            Hours::written(0, 0, 1),
            Hours::written(0, 1250, 0),
            Hours::written(6, 1541, 1325),
        ];
        let state = open_state(&week, 0, false, at(0, 0, 0), 0);
        assert_eq!(
            (state.open, state.at.as_deref(), state.in_days),
            (true, Some("00:00"), 1)
        );
    }

    #[test]
    fn both_sentinels_mean_day_and_night_and_are_not_shortened() {
        for to in [0, 2359] {
            let week: Vec<Hours> = (0..7).map(|day| Hours::written(day, 0, to)).collect();
            assert!(open_state(&week, 30, false, at(3, 23, 50), 0).always);
        }
    }

    #[test]
    fn advance_that_eats_the_whole_interval_leaves_the_venue_closed() {
        let state = open_state(&[Hours::written(0, 1000, 1020)], 30, false, at(0, 10, 5), 0);
        assert!(!state.open);
    }

    #[test]
    fn the_venues_offset_decides_and_not_utc() {
        let day = [Hours::written(0, 900, 1800)];
        assert!(!open_state(&day, 0, false, at(0, 8, 30), 0).open);
        assert!(open_state(&day, 0, false, at(0, 8, 30), 300).open);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        /// The same answer as a slow oracle that walks minute by minute.
        #[test]
        fn open_state_equals_a_slow_oracle(
            week in proptest::collection::vec((0_u8..7, 0_u16..1440, 0_u16..1440), 1..10),
            advance in 0_u16..90,
            minute in 0_i64..10_080,
        ) {
            let week: Vec<Hours> = week.into_iter().map(|(day, from, to)| Hours { day, from, to }).collect();
            let mut open = vec![false; 10_080];
            for day in 0..7_u8 {
                let mut today: Vec<Hours> = week.iter().copied().filter(|hours| hours.day == day).collect();
                today.sort_by_key(|hours| hours.from);
                let last = today.len().wrapping_sub(1);
                for (place, hours) in today.iter().enumerate() {
                    let (from, mut to) = (i64::from(hours.from), i64::from(hours.to));
                    if hours.is_around_the_clock() {
                        to = 1440;
                    } else {
                        if to <= from { to += 1440; }
                        if place == last { to -= i64::from(advance); }
                    }
                    for at in from..to {
                        let place = (i64::from(day) * 1440 + at).rem_euclid(10_080);
                        if let Some(cell) = usize::try_from(place).ok().and_then(|place| open.get_mut(place)) {
                            *cell = true;
                        }
                    }
                }
            }
            let cell = |at: i64| open.get(usize::try_from(at.rem_euclid(10_080)).unwrap_or(0)).copied().unwrap_or(false);
            let state = open_state(&week, advance, false, MONDAY + minute * 60_000, 0);
            prop_assert_eq!(state.open, cell(minute));
            let change = (1..=10_080_i64).find(|ahead| cell(minute + ahead) != state.open);
            match change {
                None => prop_assert!(state.always || state.at.is_none()),
                Some(ahead) => {
                    let at = (minute + ahead).rem_euclid(1440);
                    prop_assert_eq!(state.at, Some(format!("{:02}:{:02}", at / 60, at % 60)));
                    let days = (minute + ahead) / 1440 - minute / 1440;
                    prop_assert_eq!(i64::from(state.in_days), days);
                    let said = if !state.open && days > 0 { 1440 - minute % 1440 } else { ahead };
                    prop_assert_eq!(state.until, Some(MONDAY + (minute + said) * 60_000));
                }
            }
        }
    }
}
