//! What a guest wants to pay of a bill, and what that comes to. It stands in the address while it is chosen, so that it
//! works without scripts and survives a reload; the form that pays repeats it with the sums that were shown.

use serde::Serialize;
use ts_rs::TS;

use super::{
    split::{Sums, coin},
    tab,
};
use crate::{
    state::bills::{Tab, Units},
    upstream::Bill,
    values::Sum,
};

/// Most people that a bill is divided among.
const MOST_PEOPLE: u32 = 50;
/// Longest sum that is typed.
const LONGEST: usize = 12;
/// The names of what is chosen, in addresses and forms.
const FIELDS: [&str; 6] = ["split", "of", "pay", "sum", "tip", "bonus"];

/// How a bill is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub enum Split {
    /// One guest pays what is left.
    All,
    /// Each their dishes.
    Dishes,
    /// Equally.
    Equal,
    /// A sum of their own.
    Sum,
}

/// What is wrong with a choice. Each has a text on the page of the bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub enum ChoiceProblem {
    /// No dish is chosen yet.
    NoDish,
    /// The sum can't be read.
    BadSum,
    /// More than is left.
    TooMuch,
    /// The tips can't be read, or are more than the bill.
    BadTips,
    /// The bonuses can't be read, or are more than may be spent.
    BadBonus,
    /// Nothing is left to pay.
    Nothing,
}

/// A choice as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    pub split: Split,
    pub of: u32,
    pub pay: u32,
    pub sum: String,
    /// Percent, or `own`.
    pub tip: String,
    pub own_tip: String,
    pub bonus: String,
}

/// A choice with what it comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct BillChoice {
    /// How.
    pub split: Split,
    /// Of so many people.
    pub of: u32,
    /// Those that this guest pays for.
    pub pay: u32,
    /// Those of them that have not paid yet.
    pub people_left: u32,
    /// The sum as typed.
    pub sum: String,
    /// Percent of tips; null: an own sum.
    pub tip: Option<u32>,
    /// The own tips as typed.
    pub own_tip: String,
    /// The bonuses as typed.
    pub bonus: String,
    /// Most bonuses that this share takes; 0: none can be spent.
    pub most_bonus: Sum,
    /// Of the bill.
    pub amount: Sum,
    /// What tips are counted from: dishes without service.
    pub base: Sum,
    /// Tips.
    pub tips: Sum,
    /// Paid with bonuses.
    pub bonuses: Sum,
    /// What the bank will ask for.
    pub due: Sum,
    /// Which of this guest's parts it is.
    pub turn: u32,
    /// Why it can't be paid.
    pub problem: Option<ChoiceProblem>,
}

impl Split {
    /// Its word in addresses and forms.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Dishes => "dishes",
            Self::Equal => "equal",
            Self::Sum => "sum",
        }
    }

    fn from_code(code: &str) -> Option<Self> {
        [Self::All, Self::Dishes, Self::Equal, Self::Sum]
            .into_iter()
            .find(|split| split.code() == code)
    }
}

impl Choice {
    /// Reads it from a query or a form; none when nothing is being paid.
    pub fn of<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let split = Split::from_code(get("split")?)?;
        let number = |key, least: u32, most| {
            let number = get(key).and_then(|text| text.parse().ok());
            number.unwrap_or(least).clamp(least, most)
        };
        let text = |key| -> String {
            let text = get(key).unwrap_or_default();
            text.chars().take(LONGEST).collect()
        };
        let of = number("of", 2, MOST_PEOPLE);
        Some(Self {
            split,
            of,
            pay: number("pay", 1, of),
            sum: text("sum"),
            tip: text("tip"),
            own_tip: text("tip_sum"),
            bonus: text("bonus"),
        })
    }

    /// What stands of it in an address.
    pub fn query(&self) -> Vec<(&'static str, String)> {
        let [split, of, pay, sum, tip, bonus] = FIELDS;
        let mut query = vec![(split, self.split.code().to_owned())];
        if self.split == Split::Equal {
            query.extend([(of, self.of.to_string()), (pay, self.pay.to_string())]);
        }
        let texts = [
            (sum, &self.sum),
            (tip, &self.tip),
            ("tip_sum", &self.own_tip),
            (bonus, &self.bonus),
        ];
        for (name, text) in texts {
            if !text.is_empty() {
                query.push((name, text.clone()));
            }
        }
        query
    }

    /// What it comes to for this guest now.
    pub fn count(
        &self,
        bill: &Bill,
        tab: &Tab,
        guest: &str,
        most_bonus: Sum,
        digits: u32,
    ) -> BillChoice {
        let sums = Sums {
            goods: bill.goods_sum.0,
            total: bill.sum.0,
            left: tab::left(tab, bill).0,
            coin: coin(digits),
        };
        let mut problem = None;
        let mut wrong = |what| {
            problem.get_or_insert(what);
        };
        let people: u32 = tab::parts(tab).map(|claim| claim.people).sum();
        let people_left = self.of.saturating_sub(people).max(1);
        let pay = self.pay.min(people_left);
        let nothing = Units::new();
        let units = tab::held(tab, guest).map_or(&nothing, |hold| &hold.units);
        let worth = tab::worth(bill, units);
        let share = match self.split {
            Split::All => sums.left,
            Split::Equal => sums.equal(people_left, pay),
            Split::Dishes if worth == 0 => 0,
            Split::Dishes => {
                let before = tab::parts(tab)
                    .filter(|claim| !claim.units.is_empty())
                    .count();
                sums.dishes(worth, tab::is_last(tab, bill, units), before)
            }
            Split::Sum => sum_of(&self.sum, sums.coin).unwrap_or(0),
        };
        if sums.left == 0 {
            wrong(ChoiceProblem::Nothing);
        }
        match self.split {
            Split::Dishes if worth == 0 => wrong(ChoiceProblem::NoDish),
            Split::Sum if share == 0 => wrong(ChoiceProblem::BadSum),
            Split::Sum if share > sums.left => wrong(ChoiceProblem::TooMuch),
            _ if share == 0 => wrong(ChoiceProblem::Nothing),
            _ => {}
        }
        let base = match self.split {
            Split::Dishes if share >= worth => worth,
            _ => sums.tip_base(share),
        };
        let is_own = self.tip == "own";
        let percent = self.tip.parse().unwrap_or(0);
        let percent = if bill.tips_percentages.contains(&percent) {
            percent
        } else {
            0
        };
        let tips = if is_own {
            let typed = typed(&self.own_tip, sums.coin);
            match typed.filter(|tips| *tips <= sums.total) {
                Some(tips) => tips,
                None => {
                    wrong(ChoiceProblem::BadTips);
                    0
                }
            }
        } else {
            sums.tips(base, percent)
        };
        let most_bonus = sums.bonus(share, most_bonus.0);
        let bonuses = match typed(&self.bonus, sums.coin) {
            Some(bonuses) if bonuses <= most_bonus => bonuses,
            _ => {
                wrong(ChoiceProblem::BadBonus);
                0
            }
        };
        BillChoice {
            split: self.split,
            of: self.of,
            pay,
            people_left,
            sum: self.sum.clone(),
            tip: (!is_own).then_some(percent),
            own_tip: self.own_tip.clone(),
            bonus: self.bonus.clone(),
            most_bonus: Sum(most_bonus),
            amount: Sum(share),
            base: Sum(base),
            tips: Sum(tips),
            bonuses: Sum(bonuses),
            due: Sum(share + tips - bonuses),
            turn: tab::next_turn(tab, guest),
            problem,
        }
    }
}

/// A sum as typed; nothing typed is 0.
fn typed(text: &str, coin: i64) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    sum_of(text, coin)
}

/// Reads `1 200`, `12,50` or `12.5` in whole coins.
fn sum_of(text: &str, coin: i64) -> Option<i64> {
    let text: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '\u{a0}')
        .collect();
    let (whole, rest) = text.split_once(['.', ',']).unwrap_or((text.as_str(), ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 9 || rest.len() > 2 || !digits(whole) || !digits(rest) {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let rest: i64 = format!("{rest:0<2}").parse().ok()?;
    let sum = whole * 100 + rest;
    (sum % coin == 0).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::{Choice, Split, sum_of};

    #[test]
    fn sums_are_read_as_guests_type_them() {
        assert_eq!(sum_of("1 200", 100), Some(120_000));
        assert_eq!(sum_of("12,5", 1), Some(1250));
        assert_eq!(sum_of("12.50", 1), Some(1250));
        for bad in ["", "-5", "12,5", "1e9", "12.345", "9999999999", "٣"] {
            assert_eq!(sum_of(bad, 100), None, "{bad}");
        }
    }

    #[test]
    fn nobody_pays_for_more_people_than_there_are() {
        let asked = |key: &str| match key {
            "split" => Some("equal"),
            "of" => Some("3"),
            "pay" => Some("9"),
            _ => None,
        };
        let choice = Choice::of(asked).expect("a choice");
        assert_eq!((choice.split, choice.of, choice.pay), (Split::Equal, 3, 3));
        assert!(Choice::of(|_| None).is_none());
    }
}
