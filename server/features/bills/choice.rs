//! What a guest wants to pay of a bill, and what that comes to. It stands in the address while it is chosen, so that it
//! works without scripts and survives a reload; the form that pays repeats it with the sums that were shown.

use serde::Serialize;

use super::{
    split::{Sums, coin},
    tab,
};
use crate::{
    features::page_data::PayWay,
    state::bills::{Tab, Units},
    upstream::Bill,
    values::Sum,
};

/// Among how many a bill is divided until a guest says otherwise.
const PEOPLE: u32 = 2;
/// Most people that a bill is divided among.
const MOST_PEOPLE: u32 = 50;
/// Longest sum that is typed.
const LONGEST: usize = 12;
/// The names of what is chosen, in addresses and forms.
const FIELDS: [&str; 7] = ["split", "of", "pay", "sum", "tip", "bonus", "payment"];

/// How a bill is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ChoiceProblem {
    /// No dish is chosen yet.
    NoDish,
    /// So many people the bill can't be divided among.
    BadPeople,
    /// So many of them cannot be paid for: nothing typed, or more than have not paid yet.
    BadPay,
    /// The sum can't be read.
    BadSum,
    /// The sum is nothing.
    ZeroSum,
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
    /// As typed. None: as the guests before have divided it.
    pub of: Option<String>,
    /// As typed. None: for themselves.
    pub pay: Option<String>,
    pub sum: String,
    /// Percent, or `own`.
    pub tip: String,
    pub own_tip: String,
    pub bonus: String,
    pub way: Option<PayWay>,
}

/// A choice with what it comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BillChoice {
    /// How.
    pub split: Split,
    /// Of so many people.
    pub of: u32,
    /// The same as typed.
    pub typed_of: String,
    /// Those that this guest pays for.
    pub pay: u32,
    /// The same as typed.
    pub typed_pay: String,
    /// Those of them that have not paid yet.
    pub people_left: u32,
    /// Those of them that have paid, or are paying.
    pub people_paid: u32,
    /// The sum as typed.
    pub sum: String,
    /// Percent of tips; null: an own sum.
    pub tip: Option<u32>,
    /// The own tips as typed.
    pub own_tip: String,
    /// The bonuses as typed.
    pub bonus: String,
    /// How it is paid, once the guest has said so.
    pub way: Option<PayWay>,
    /// Most bonuses that all of the bill takes from this guest; 0: none can be spent.
    pub all_bonus: Sum,
    /// Most that this share takes.
    pub most_bonus: Sum,
    /// Of the bill.
    pub amount: Sum,
    /// What others have paid, or are paying, of the chosen dishes without having chosen them: equally or by sums.
    pub covered: Sum,
    /// Service of all the chosen dishes, whatever of them is covered; 0 where no dishes are chosen.
    pub chosen_service: Sum,
    /// What tips are counted from: dishes without service.
    pub base: Sum,
    /// Tips.
    pub tips: Sum,
    /// Paid with bonuses.
    pub bonuses: Sum,
    /// What the bank will ask for.
    pub due: Sum,
    /// Others choose dishes that are not being paid yet: a guest who pays all pays for those as well.
    pub others_choose: bool,
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
    /// Reads it from a query or a form, blank fields too; none when nothing is being paid.
    pub fn of<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let split = Split::from_code(get("split")?)?;
        let cut = |text: &str| -> String { text.chars().take(LONGEST).collect() };
        let text = |key| cut(get(key).unwrap_or_default());
        let number = |key| get(key).filter(|_| split == Split::Equal).map(cut);
        Some(Self {
            split,
            of: number("of"),
            pay: number("pay"),
            sum: text("sum"),
            tip: text("tip"),
            own_tip: text("tip_sum"),
            bonus: text("bonus"),
            way: get("payment").and_then(PayWay::from_code),
        })
    }

    /// What stands of it in an address.
    pub fn query(&self) -> Vec<(&'static str, String)> {
        let [split, of, pay, sum, tip, bonus, payment] = FIELDS;
        let mut query = vec![(split, self.split.code().to_owned())];
        let people = [(of, &self.of), (pay, &self.pay)];
        query.extend(
            people
                .into_iter()
                .filter_map(|(name, text)| Some((name, text.clone()?))),
        );
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
        query.extend(self.way.map(|way| (payment, way.code().to_owned())));
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
        // Who comes later sees the table that the first has counted.
        let before = tab::parts(tab).map(|claim| claim.of).max().unwrap_or(0);
        let before = before.max(PEOPLE);
        let typed_of = self.of.clone().unwrap_or_else(|| before.to_string());
        let of = number_of(&typed_of).filter(|of| (PEOPLE..=MOST_PEOPLE).contains(of));
        let is_fine = self.of.is_none() || of.is_some();
        let of = of.unwrap_or(before);
        let people_left = of.saturating_sub(people).max(1);
        let typed_pay = self.pay.clone().unwrap_or_else(|| "1".to_owned());
        let pay = number_of(&typed_pay).filter(|pay| (1..=people_left).contains(pay));
        let people_problem = match (is_fine, pay) {
            (false, _) => Some(ChoiceProblem::BadPeople),
            (true, None) => Some(ChoiceProblem::BadPay),
            (true, Some(_)) => None,
        }
        .filter(|_| self.split == Split::Equal);
        let pay = pay.unwrap_or(1);
        let nothing = Units::new();
        let units = tab::hold_of(tab, guest).map_or(&nothing, |hold| &hold.units);
        let worth = tab::worth(bill, units, sums.coin);
        let own = sum_of(&self.sum, sums.coin);
        let share = match self.split {
            Split::All => sums.left,
            Split::Equal if people_problem.is_some() => 0,
            Split::Equal => sums.equal(people_left, pay),
            Split::Dishes if worth == 0 => 0,
            Split::Dishes => {
                let before = tab::parts(tab).filter(|claim| !claim.units.is_empty());
                let before = before.map(|claim| tab::roundings(bill, &claim.units, sums.coin));
                // What the service of this part is rounded down by is no whole coin more.
                let rounded = before.sum::<usize>() + tab::roundings(bill, units, sums.coin) - 1;
                sums.dishes(worth, tab::is_last(tab, bill, units), rounded)
            }
            Split::Sum => own.unwrap_or(0),
        };
        if sums.left == 0 {
            wrong(ChoiceProblem::Nothing);
        }
        if let Some(problem) = people_problem {
            wrong(problem);
        }
        match self.split {
            Split::Dishes if worth == 0 => wrong(ChoiceProblem::NoDish),
            Split::Sum if own.is_none() => wrong(ChoiceProblem::BadSum),
            Split::Sum if share == 0 => wrong(ChoiceProblem::ZeroSum),
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
        let all_bonus = most_bonus;
        let most_bonus = sums.bonus(share, all_bonus.0);
        let bonuses = match typed(&self.bonus, sums.coin) {
            Some(bonuses) if bonuses <= most_bonus => bonuses,
            _ => {
                wrong(ChoiceProblem::BadBonus);
                0
            }
        };
        BillChoice {
            split: self.split,
            of,
            typed_of,
            pay,
            typed_pay,
            people_left,
            people_paid: people,
            sum: self.sum.clone(),
            tip: (!is_own).then_some(percent),
            own_tip: self.own_tip.clone(),
            bonus: self.bonus.clone(),
            way: self.way,
            all_bonus,
            most_bonus: Sum(most_bonus),
            amount: Sum(share),
            covered: match self.split {
                Split::Dishes => Sum((sums.with_service(worth) - share).max(0)),
                _ => Sum(0),
            },
            chosen_service: match self.split {
                Split::Dishes => Sum(sums.with_service(worth) - worth),
                _ => Sum(0),
            },
            base: Sum(base),
            tips: Sum(tips),
            bonuses: Sum(bonuses),
            due: Sum(share + tips - bonuses),
            others_choose: tab.holds.iter().any(|hold| hold.guest != guest),
            turn: tab::next_turn(tab, guest),
            problem,
        }
    }
}

/// A number of people as typed.
fn number_of(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
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
    if whole.is_empty() || whole.len() > 13 || rest.len() > 2 || !digits(whole) || !digits(rest) {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let rest: i64 = format!("{rest:0<2}").parse().ok()?;
    let sum = whole * 100 + rest;
    (sum % coin == 0).then_some(sum)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Choice, ChoiceProblem, sum_of};
    use crate::{features::bills::sample, state::bills::Tab, upstream::Bill, values::Sum};

    /// Cases that the browser's arithmetic is held to as well (`tests/front/bill-count.test.ts`).
    const CASES: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/fixtures/bill-sums.json"
    ));

    fn bill(case: &Value) -> Bill {
        let sum = |name: &str| Sum(case[name].as_i64().unwrap());
        Bill {
            goods_sum: sum("goods"),
            service_percentage: 10,
            sum: sum("total"),
            left_sum: sum("left"),
            tips_percentages: vec![0, 5, 10, 15],
            ..sample::bill()
        }
    }

    #[test]
    fn what_is_typed_comes_to_the_same_as_in_the_browser() {
        let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
        assert!(cases.len() > 40);
        for case in &cases {
            let text = |name: &str| case[name].as_str();
            let choice = Choice::of(|key| match key {
                "tip_sum" => text("ownTip"),
                "bonus" => text("typedBonus"),
                "split" | "of" | "pay" | "sum" | "tip" => text(key),
                _ => None,
            });
            let digits = u32::try_from(case["digits"].as_u64().unwrap()).unwrap();
            let bonus = Sum(case["bonus"].as_i64().unwrap());
            let choice = choice.expect("a choice");
            let counted = choice.count(&bill(case), &Tab::default(), "guest", bonus, digits);
            let counted = serde_json::to_value(counted).unwrap();
            let names = [
                "amount",
                "base",
                "tips",
                "bonuses",
                "mostBonus",
                "due",
                "problem",
            ];
            let found = names.map(|name| (name.to_owned(), counted[name].clone()));
            assert_eq!(
                json!(found.into_iter().collect::<serde_json::Map<_, _>>()),
                case["expected"],
                "{case}"
            );
        }
    }

    #[test]
    fn sums_are_read_as_guests_type_them() {
        assert_eq!(sum_of("1 200", 100), Some(120_000));
        assert_eq!(sum_of("12,5", 1), Some(1250));
        assert_eq!(sum_of("12.50", 1), Some(1250));
        // More than any bill, and a sum all the same.
        assert_eq!(sum_of("999999999999", 1), Some(99_999_999_999_900));
        for bad in ["", "-5", "12,5", "1e9", "12.345", "99999999999999", "٣"] {
            assert_eq!(sum_of(bad, 100), None, "{bad}");
        }
    }

    #[test]
    fn numbers_of_people_that_are_wrong_are_said_and_kept_as_typed() {
        let counted = |of: Option<&'static str>, pay: Option<&'static str>| {
            let choice = Choice::of(|key| match key {
                "split" => Some("equal"),
                "of" => of,
                "pay" => pay,
                _ => None,
            });
            let choice = choice.expect("a choice");
            let bill = Bill {
                goods_sum: Sum(300_000),
                sum: Sum(300_000),
                left_sum: Sum(300_000),
                ..sample::bill()
            };
            choice.count(&bill, &Tab::default(), "guest", Sum(0), 0)
        };
        let people = Some(ChoiceProblem::BadPeople);
        let pay = Some(ChoiceProblem::BadPay);
        for (of, paid, problem) in [
            (None, None, None),
            (Some("3"), Some("3"), None),
            (Some("50"), Some("1"), None),
            (Some("0"), Some("1"), people),
            (Some("1"), Some("1"), people),
            (Some(""), Some("1"), people),
            (Some("51"), Some("1"), people),
            (Some("1000"), Some("3"), people),
            (Some("+3"), Some("1"), people),
            (Some("3"), Some("5"), pay),
            (Some("3"), Some("0"), pay),
            (Some("3"), Some(""), pay),
            (None, Some("3"), pay),
        ] {
            let counted = counted(of, paid);
            assert_eq!(counted.problem, problem, "{of:?} {paid:?}");
            assert_eq!(counted.amount.0 == 0, problem.is_some(), "{of:?} {paid:?}");
            assert_eq!(counted.typed_of, of.unwrap_or("2"));
            assert_eq!(counted.typed_pay, paid.unwrap_or("1"));
        }
        assert!(Choice::of(|_| None).is_none());
    }
}
