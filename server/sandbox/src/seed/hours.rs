//! Opening hours from short codes.

use crate::model::Interval;

/// Hours of a week by code; nothing means around the clock.
/// `9-22` every day, `18-3` past midnight, `11-15,17-23` twice a day,
/// `not-today` every day but `today` (1 Monday … 7 Sunday).
pub(super) fn week(code: Option<&str>, today: u8) -> Vec<Interval> {
    match code {
        None => days(0)
            .map(|day| Interval {
                day,
                from: 0,
                to: 0,
            })
            .collect(),
        Some("not-today") => days(today)
            .map(|day| Interval {
                day,
                from: 9 * 60,
                to: 22 * 60,
            })
            .collect(),
        Some(code) => {
            let spans: Vec<(u16, u16)> = code
                .split(',')
                .filter_map(|span| span.split_once('-'))
                .filter_map(|(from, to)| {
                    Some((from.parse::<u16>().ok()? * 60, to.parse::<u16>().ok()? * 60))
                })
                .collect();
            days(0)
                .flat_map(|day| {
                    spans.iter().map(move |(from, to)| Interval {
                        day,
                        from: *from,
                        to: *to,
                    })
                })
                .collect()
        }
    }
}

/// The days of the week without one of them.
fn days(without: u8) -> impl Iterator<Item = u8> {
    (1..=7).filter(move |day| *day != without)
}

/// The day of the week in a zone, 1 Monday … 7 Sunday.
pub(super) fn weekday(unix_seconds: i64, offset_hours: i64) -> u8 {
    let day = (unix_seconds + offset_hours * 3600).div_euclid(86_400);
    // The epoch began on a Thursday.
    ((day + 3).rem_euclid(7) + 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_intervals() {
        assert_eq!(week(None, 1).len(), 7);
        assert_eq!(week(Some("11-15,17-23"), 1).len(), 14);
        assert!(
            week(Some("not-today"), 3)
                .iter()
                .all(|interval| interval.day != 3)
        );
        let night = week(Some("18-3"), 1);
        assert_eq!((night[0].from, night[0].to), (1080, 180));
    }

    #[test]
    fn weekdays_follow_the_zone() {
        assert_eq!(weekday(0, 0), 4);
        // Saturday, 21 November 2026, 20:30 UTC is already Sunday in Almaty.
        assert_eq!(weekday(1_795_293_000, 0), 6);
        assert_eq!(weekday(1_795_293_000, 5), 7);
    }
}
