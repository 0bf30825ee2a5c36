//! The table of opening hours, as a venue's page shows it (FL-03, FL-04, FL-05).

use serde::Serialize;

use super::schedule::{DAY, Hours, clock, spans_of, weekday};

/// One opening interval of a day, by the venue's own clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OpenSpan {
    /// "HH:MM".
    pub from: String,
    /// "HH:MM", closing in advance taken off.
    pub to: String,
    /// The end is on the next day.
    pub next_day: bool,
}

/// One day of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DayHours {
    /// 1 is Monday.
    pub day: u8,
    /// It is this day at the venue.
    pub today: bool,
    /// Day and night.
    pub always: bool,
    /// In order; none on a day that it is closed all day or open day and night.
    pub spans: Vec<OpenSpan>,
}

/// The seven days from Monday, `offset` minutes east of UTC. No hours at all mean day and night.
#[must_use]
pub fn week(hours: &[Hours], close_in_advance: u16, now: i64, offset: i32) -> Vec<DayHours> {
    let today = weekday(now, offset);
    (0..7)
        .map(|day| {
            let spans = spans_of(hours, day, close_in_advance);
            let always = hours.is_empty() || spans.contains(&(0, DAY));
            DayHours {
                day: day + 1,
                today: day == today,
                always,
                spans: spans
                    .into_iter()
                    .filter(|_| !always)
                    .map(|(from, to)| OpenSpan {
                        from: clock(from),
                        to: clock(to),
                        next_day: to > DAY,
                    })
                    .collect(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MONDAY: i64 = 1_763_942_400_000; // 24 November 2025, 00:00 UTC

    fn written(day: &DayHours) -> String {
        if day.always {
            return "always".to_owned();
        }
        let spans: Vec<String> = day
            .spans
            .iter()
            .map(|span| {
                let next = if span.next_day { "+" } else { "" };
                format!("{}-{}{next}", span.from, span.to)
            })
            .collect();
        spans.join(" ")
    }

    #[test]
    fn a_day_may_have_several_intervals_and_the_last_alone_is_shortened() {
        let table = week(
            &[
                Hours::written(0, 1700, 2200),
                Hours::written(0, 1000, 1400),
                Hours::written(1, 1800, 300),
                Hours::written(2, 1000, 1020),
                Hours::written(3, 0, 0),
                Hours::written(4, 0, 2359),
                Hours::written(5, 1000, 2400),
            ],
            30,
            MONDAY,
            0,
        );
        let days: Vec<String> = table.iter().map(written).collect();
        assert_eq!(
            days,
            [
                "10:00-14:00 17:00-21:30",
                "18:00-02:30+",
                "",
                "always",
                "always",
                "10:00-23:30",
                ""
            ]
        );
    }

    #[test]
    fn no_hours_at_all_are_day_and_night_every_day() {
        assert!(week(&[], 30, MONDAY, 0).iter().all(|day| day.always));
    }

    #[test]
    fn today_is_the_venues_day() {
        let today = |now, offset| {
            week(&[], 0, now, offset)
                .iter()
                .find(|day| day.today)
                .map(|day| day.day)
        };
        assert_eq!(today(MONDAY, 0), Some(1));
        assert_eq!(today(MONDAY - 60_000, 0), Some(7));
        // Sunday, 20:00 UTC is Monday, 01:00 in Almaty.
        assert_eq!(today(MONDAY - 4 * 3_600_000, 300), Some(1));
    }
}
