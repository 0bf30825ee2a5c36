//! Opening hours as schema.org has them (SO-05).

use serde_json::{Value, json};

use crate::features::schedule::{DAY, Hours, clock, spans_of};

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// Days with the same hours together, closing in advance taken off as in the visible table (FL-03). Day and night is
/// 00:00 to 23:59, closed all day 00:00 to 00:00, and what runs past midnight stays one entry of the day that it begins
/// on (SO-05). No hours at all mean day and night, as the upstream leaves them unset then.
pub(super) fn hours(hours: &[Hours], close_in_advance: u16) -> Value {
    let mut groups: Vec<(Vec<Span>, Vec<&str>)> = Vec::new();
    for (day, name) in (0_u8..).zip(DAYS) {
        let spans = spans(hours, day, close_in_advance);
        match groups.iter_mut().find(|(known, _)| *known == spans) {
            Some((_, days)) => days.push(name),
            None => groups.push((spans, vec![name])),
        }
    }
    groups
        .into_iter()
        .flat_map(|(spans, days)| {
            spans.into_iter().map(move |(opens, closes)| {
                json!({
                    "@type": "OpeningHoursSpecification",
                    "dayOfWeek": days,
                    "opens": opens,
                    "closes": closes,
                })
            })
        })
        .collect()
}

/// "HH:MM" twice.
type Span = (String, String);

fn spans(hours: &[Hours], day: u8, close_in_advance: u16) -> Vec<Span> {
    let spans = spans_of(hours, day, close_in_advance);
    if hours.is_empty() || spans.contains(&(0, DAY)) {
        return vec![("00:00".to_owned(), "23:59".to_owned())];
    }
    if spans.is_empty() {
        return vec![("00:00".to_owned(), "00:00".to_owned())];
    }
    spans
        .into_iter()
        .map(|(from, to)| {
            // Midnight as an end would read as closed all day or as the day's beginning.
            let to = if to == DAY { DAY - 1 } else { to };
            (clock(from), clock(to))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour_texts(week: &[Hours], close_in_advance: u16) -> Vec<String> {
        let hour_texts = hours(week, close_in_advance);
        let list = hour_texts.as_array().unwrap();
        list.iter()
            .map(|entry| {
                let days: Vec<&str> = entry["dayOfWeek"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|day| &day.as_str().unwrap()[..2])
                    .collect();
                let text = |key: &str| entry[key].as_str().unwrap().to_owned();
                format!("{} {}-{}", days.join(""), text("opens"), text("closes"))
            })
            .collect()
    }

    #[test]
    fn day_and_night_closed_all_day_and_past_midnight() {
        assert_eq!(hour_texts(&[], 30), ["MoTuWeThFrSaSu 00:00-23:59"]);
        let week = [
            Hours::written(0, 900, 1800),
            Hours::written(1, 900, 1800),
            Hours::written(2, 0, 0),
            Hours::written(3, 0, 2359),
            Hours::written(4, 1800, 300),
            Hours::written(5, 1700, 0),
            Hours::written(5, 1000, 1400),
        ];
        assert_eq!(
            hour_texts(&week, 0),
            [
                "MoTu 09:00-18:00",
                "WeTh 00:00-23:59",
                "Fr 18:00-03:00",
                "Sa 10:00-14:00",
                "Sa 17:00-23:59",
                "Su 00:00-00:00",
            ]
        );
    }

    #[test]
    fn closing_in_advance_is_taken_off_the_last_interval_of_a_day() {
        let week = [
            Hours::written(0, 1000, 1400),
            Hours::written(0, 1700, 2200),
            Hours::written(1, 1000, 1020),
            Hours::written(2, 0, 0),
            Hours::written(3, 1800, 10),
            Hours::written(4, 1800, 30),
        ];
        assert_eq!(
            hour_texts(&week, 30),
            [
                "Mo 10:00-14:00",
                "Mo 17:00-21:30",
                "TuSaSu 00:00-00:00",
                "We 00:00-23:59",
                "Th 18:00-23:40",
                "Fr 18:00-23:59",
            ]
        );
    }
}
