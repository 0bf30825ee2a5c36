//! Windows of the week in which kitchens need longer (FL-21). The specification has them and does not show their values,
//! so an installation names its own, and without any there are none.

use std::str::FromStr;

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const EXAMPLE: &str = "write it like mon-fri 12:00-14:00 or sat 18:00-21:30";

/// One window on one or several weekdays. It runs past midnight if it ends before its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RushWindow {
    /// First and last weekday, 0 is Monday; they may go over the end of the week.
    days: (u8, u8),
    /// Minutes from the day's midnight.
    from: u16,
    /// Minutes from the day's midnight.
    to: u16,
}

impl RushWindow {
    /// Whether it runs at a minute of a weekday, 0 for Monday.
    #[must_use]
    pub fn holds(self, day: u8, minute: u16) -> bool {
        let (day_before, past_midnight) = ((day + 6) % 7, self.to < self.from);
        if past_midnight {
            (self.is_on(day) && minute >= self.from) || (self.is_on(day_before) && minute < self.to)
        } else {
            self.is_on(day) && (self.from..self.to).contains(&minute)
        }
    }

    fn is_on(self, day: u8) -> bool {
        let (first, last) = self.days;
        if first <= last {
            (first..=last).contains(&day)
        } else {
            day >= first || day <= last
        }
    }
}

impl FromStr for RushWindow {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (days, hours) = text.trim().split_once(' ')?;
            let (first, last) = days.split_once('-').unwrap_or((days, days));
            let (from, to) = hours.trim().split_once('-')?;
            Some(Self {
                days: (day(first)?, day(last)?),
                from: minute(from)?,
                to: minute(to)?,
            })
        };
        // A whole day is 00:00-24:00; equal times are rather a slip.
        let window = read().filter(|window| window.from != window.to);
        window.ok_or_else(|| EXAMPLE.to_owned())
    }
}

fn day(name: &str) -> Option<u8> {
    (0..)
        .zip(DAYS)
        .find(|(_, day)| day.eq_ignore_ascii_case(name.trim()))
        .map(|(number, _)| number)
}

fn minute(text: &str) -> Option<u16> {
    let (hours, minutes) = text.trim().split_once(':')?;
    let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 24 && minutes < 60 && hours * 60 + minutes <= 1440).then_some(hours * 60 + minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_window_is_refused_with_an_example() {
        for wrong in [
            "",
            "mon",
            "12:00-14:00",
            "monday 12:00-14:00",
            "mon 12-14",
            "mon 12:00",
            "mon 25:00-26:00",
            "mon 12:60-13:00",
            "mon 12:00-12:00",
        ] {
            assert_eq!(
                RushWindow::from_str(wrong),
                Err(EXAMPLE.to_owned()),
                "{wrong}"
            );
        }
    }
}
