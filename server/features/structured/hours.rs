//! Opening hours as schema.org has them (SO-05).

use serde_json::{Value, json};

use crate::features::schedule::{Hours, clock};

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// Days with the same hours together. Day and night is 00:00 to 23:59, closed all day 00:00 to 00:00, and what runs
/// past midnight stays one entry of the day that it begins on (SO-05). No hours at all mean day and night, as the
/// upstream leaves them unset then.
pub(super) fn hours(hours: &[Hours]) -> Value {
    let mut groups: Vec<(Vec<Span>, Vec<&str>)> = Vec::new();
    for (day, name) in (0_u8..).zip(DAYS) {
        let spans = spans(hours, day);
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

fn spans(hours: &[Hours], day: u8) -> Vec<Span> {
    let always = || vec![("00:00".to_owned(), "23:59".to_owned())];
    if hours.is_empty() {
        return always();
    }
    let mut today: Vec<Hours> = hours
        .iter()
        .copied()
        .filter(|hours| hours.day == day)
        .collect();
    if today.iter().any(|hours| hours.is_around_the_clock()) {
        return always();
    }
    if today.is_empty() {
        return vec![("00:00".to_owned(), "00:00".to_owned())];
    }
    today.sort_by_key(|hours| hours.from);
    today
        .into_iter()
        .map(|hours| {
            // Midnight as an end would read as closed all day or as the day's beginning.
            let to = if matches!(hours.to, 0 | 1440) {
                1439
            } else {
                hours.to
            };
            (clock(hours.from.into()), clock(to.into()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(week: &[Hours]) -> Vec<String> {
        let told = hours(week);
        let list = told.as_array().unwrap();
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
        assert_eq!(told(&[]), ["MoTuWeThFrSaSu 00:00-23:59"]);
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
            told(&week),
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
}
