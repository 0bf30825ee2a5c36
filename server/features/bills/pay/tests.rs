//! Whatever guests do at a bill, in whatever order: what they pay is the bill. Bill and payments are made up, all that
//! counts and keeps shares is the product's own.

use proptest::prelude::*;

use super::{Choice, Wish, claim, difference, tab};
use crate::{
    features::bills::{choice::BillChoice, sample, split::coin},
    state::bills::{Claim, ClaimState, Tab, Units},
    upstream::{Bill, BillItem, PayMethod, ProductId},
    values::Sum,
};

const GUESTS: [&str; 5] = ["a", "b", "c", "d", "e"];
const TIPS: [u32; 4] = [0, 5, 10, 15];
const NOW: i64 = 1_000;

/// A line: the price of a piece in coins, how many, and by how many thousandths a promo makes all of them cheaper.
type Line = (i64, u32, i64);

/// What a guest wants to pay.
#[derive(Debug, Clone)]
enum Way {
    All,
    Dishes(Vec<u32>),
    Equal {
        of: u32,
        pay: u32,
    },
    /// Thousandths of what is left.
    Own(i64),
}

/// What happens next.
#[derive(Debug, Clone)]
enum Turn {
    /// A guest pays so, with tips, and has heard of the bank or not.
    Pays {
        guest: usize,
        way: Way,
        tip: String,
        opened: bool,
    },
    /// A guest chooses dishes and leaves it at that.
    Chooses { guest: usize, counts: Vec<u32> },
    /// The bank refuses one of what is under way; its guest may come back and have the same dishes again.
    Fails { which: usize, again: bool },
    /// The bank takes it.
    Succeeds { which: usize },
}

fn counts() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..4_u32, 0..8)
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![
        1 => Just(Way::All),
        6 => counts().prop_map(Way::Dishes),
        3 => (2..9_u32, 1..4_u32).prop_map(|(of, pay)| Way::Equal { of, pay }),
        3 => (1..1000_i64).prop_map(Way::Own),
    ]
}

fn tip() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        (0..20_u32).prop_map(|percent| percent.to_string()),
        Just("own".to_owned()),
    ]
}

fn turn() -> impl Strategy<Value = Turn> {
    let guest = 0..GUESTS.len();
    prop_oneof![
        5 => (guest.clone(), way(), tip(), any::<bool>())
            .prop_map(|(guest, way, tip, opened)| Turn::Pays { guest, way, tip, opened }),
        2 => (guest, counts()).prop_map(|(guest, counts)| Turn::Chooses { guest, counts }),
        2 => (0..5_usize, any::<bool>()).prop_map(|(which, again)| Turn::Fails { which, again }),
        2 => (0..5_usize).prop_map(|which| Turn::Succeeds { which }),
    ]
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    prop::collection::vec((1..500_000_i64, 1..5_u32, 0..400_i64), 1..8)
}

/// A table with its bill.
struct Table {
    bill: Bill,
    tab: Tab,
    digits: u32,
    coin: i64,
    /// What banks have taken: of the bill, and tips.
    captured: (i64, i64),
    bonus: i64,
}

impl Table {
    fn new(lines: &[Line], percent: u32, digits: u32) -> Self {
        let coin = coin(digits);
        let items: Vec<BillItem> = (1..)
            .zip(lines)
            .map(|(product, (price, count, off))| {
                let whole = price * i64::from(*count);
                BillItem {
                    product: Some(ProductId(product)),
                    name: format!("dish {product}"),
                    count: *count,
                    price: Sum(price * coin),
                    sum: Sum((whole - whole * off / 1000) * coin),
                }
            })
            .collect();
        let goods: i64 = items.iter().map(|item| item.sum.0).sum();
        let service = goods * i64::from(percent) / 100;
        let service = service - service % coin;
        let bill = Bill {
            items,
            goods_sum: Sum(goods),
            service_percentage: percent,
            service_sum: Sum(service),
            sum: Sum(goods + service),
            left_sum: Sum(goods + service),
            max_bonus: Sum(goods / 3),
            tips_percentages: TIPS.to_vec(),
            ..sample::bill()
        };
        Self {
            bill,
            tab: Tab::default(),
            digits,
            coin,
            captured: (0, 0),
            bonus: goods / 3,
        }
    }

    fn units(&self, counts: &[u32]) -> Units {
        let all = tab::keys(&self.bill)
            .into_iter()
            .zip(counts.iter().copied());
        all.filter(|(_, count)| *count > 0).collect()
    }

    fn choose(&mut self, guest: &str, counts: &[u32]) {
        let wanted = self.units(counts);
        tab::hold(&mut self.tab, &self.bill, guest, &wanted, NOW);
        tab::forget_lost(&mut self.tab, guest);
    }

    /// As the address of the page says it.
    fn counted(&self, guest: &str, way: &Way, tip: &str) -> (Choice, BillChoice) {
        let sum = match way {
            Way::Own(thousandths) => {
                let sum = self.left() * thousandths / 1000;
                let sum = sum - sum % self.coin;
                format!("{},{:02}", sum / 100, sum % 100)
            }
            _ => String::new(),
        };
        let (of, pay) = match way {
            Way::Equal { of, pay } => (of.to_string(), pay.to_string()),
            _ => (String::new(), String::new()),
        };
        let split = match way {
            Way::All => "all",
            Way::Dishes(_) => "dishes",
            Way::Equal { .. } => "equal",
            Way::Own(_) => "sum",
        };
        let choice = Choice::of(|key| match key {
            "split" => Some(split),
            "of" => Some(of.as_str()),
            "pay" => Some(pay.as_str()),
            "sum" => Some(sum.as_str()),
            "tip" => Some(tip),
            "tip_sum" => Some("7"),
            "bonus" => Some("0"),
            _ => None,
        })
        .expect("a choice");
        let bonus = Sum(self.bonus);
        let counted = choice.count(&self.bill, &self.tab, guest, bonus, self.digits);
        (choice, counted)
    }

    fn left(&self) -> i64 {
        tab::left(&self.tab, &self.bill).0
    }

    /// Whether the guest has begun to pay what they see.
    fn pay(&mut self, guest: &str, way: &Way, tip: &str, opened: bool) -> bool {
        let is_paying = |claim: &Claim| claim.guest == guest && claim.state == ClaimState::Paying;
        if self.tab.claims.iter().any(is_paying) {
            return false;
        }
        if let Way::Dishes(counts) = way {
            self.choose(guest, counts);
        }
        let (choice, counted) = self.counted(guest, way, tip);
        if counted.problem.is_some() {
            return false;
        }
        self.is_sound(&counted);
        let wish = Wish {
            choice,
            method: PayMethod::Card,
            bill: self.bill.id.to_string(),
            turn: counted.turn,
            left: None,
            amount: counted.amount,
            tips: counted.tips,
            bonus: counted.bonuses,
        };
        // What is shown can be paid.
        let differs = difference(&wish, &counted, &self.bill, &self.tab, guest);
        assert_eq!(differs, None);
        let key = format!("{guest}{}", counted.turn);
        let mut claim = claim(&mut self.tab, &self.bill, &wish, &counted, guest, &key, NOW);
        if opened {
            claim.payment = Some(key);
            self.bill.left_sum.0 -= claim.sum.0;
        }
        self.tab.claims.push(claim);
        true
    }

    fn is_sound(&self, counted: &BillChoice) {
        let BillChoice {
            amount,
            base,
            tips,
            due,
            bonuses,
            ..
        } = *counted;
        assert!(amount.0 > 0 && amount.0 <= self.left(), "{counted:?}");
        for sum in [amount, tips, due] {
            assert_eq!(sum.0 % self.coin, 0, "whole coins: {counted:?}");
        }
        assert!(
            base <= amount && base <= self.bill.goods_sum,
            "tips are never counted from service: {counted:?}"
        );
        assert_eq!(due.0, amount.0 + tips.0 - bonuses.0);
    }

    /// What the bank says to one of what is under way.
    fn end(&mut self, which: usize, taken: bool, again: bool) {
        let mut open = self.tab.claims.iter_mut();
        let Some(claim) = open
            .by_ref()
            .filter(|claim| claim.state == ClaimState::Paying)
            .nth(which)
        else {
            return;
        };
        let (sum, tips, guest) = (claim.sum.0, claim.tips.0, claim.guest.clone());
        let (is_known, key) = (claim.payment.is_some(), claim.key.clone());
        if taken {
            tab::pay(&mut self.tab, &key);
            self.captured = (self.captured.0 + sum, self.captured.1 + tips);
            self.bill.paid_sum.0 += sum;
        } else {
            claim.state = ClaimState::Ended;
        }
        match (taken, is_known) {
            (true, false) => self.bill.left_sum.0 -= sum,
            (false, true) => self.bill.left_sum.0 += sum,
            _ => {}
        }
        if again && let Some(wanted) = tab::lost(&self.tab, &guest).cloned() {
            tab::hold(&mut self.tab, &self.bill, &guest, &wanted, NOW);
            tab::forget_lost(&mut self.tab, &guest);
        }
    }

    fn end_all(&mut self) {
        for _ in 0..GUESTS.len() {
            self.end(0, true, false);
        }
    }

    /// So many pieces of each line have a payer.
    fn no_dish_has_two_payers(&self) {
        for (key, item) in tab::keys(&self.bill).iter().zip(&self.bill.items) {
            let of_parts = tab::parts(&self.tab).flat_map(|claim| [&claim.units, &claim.rest]);
            let gone: u32 = of_parts.filter_map(|units| units.get(key)).sum();
            assert!(gone <= item.count, "{key}: {gone} of {}", item.count);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// All pay in whatever order and way, with refusals in between: the captures are the bill to the last coin, no
    /// dish has two payers, and tips are never counted from service.
    #[test]
    fn what_is_paid_is_the_bill_to_the_last_coin(
        lines in lines(),
        percent in 0..21_u32,
        digits in 0..3_u32,
        turns in prop::collection::vec(turn(), 0..40),
    ) {
        let mut table = Table::new(&lines, percent, digits);
        for turn in &turns {
            match turn {
                Turn::Pays { guest, way, tip, opened } => {
                    table.pay(GUESTS[*guest], way, tip, *opened);
                }
                Turn::Chooses { guest, counts } => table.choose(GUESTS[*guest], counts),
                Turn::Fails { which, again } => table.end(*which, false, *again),
                Turn::Succeeds { which } => table.end(*which, true, false),
            }
            prop_assert!(table.left() >= 0);
            table.no_dish_has_two_payers();
        }
        table.end_all();
        // The last one pays all that is left.
        let is_left = table.left() > 0;
        prop_assert_eq!(table.pay("last", &Way::All, "10", true), is_left);
        table.end_all();
        prop_assert_eq!(table.captured.0, table.bill.sum.0);
        prop_assert_eq!((table.bill.paid_sum, table.left()), (table.bill.sum, 0));
    }

    /// When all pay their dishes, in whatever order, nothing is left over and no guest pays for another's beyond a coin a
    /// head.
    #[test]
    fn dishes_alone_are_the_bill(
        lines in lines(),
        percent in 0..21_u32,
        digits in 0..3_u32,
        order in prop::collection::vec((0..8_usize, 1..5_u32), 0..12),
    ) {
        // A piece costs more than what is rounded off.
        let lines: Vec<Line> = lines.iter().map(|(price, count, off)| (price + 20, *count, *off)).collect();
        let mut table = Table::new(&lines, percent, digits);
        let rest = (0..lines.len()).map(|line| (line, 4));
        for (at, (line, count)) in order.into_iter().chain(rest).enumerate() {
            let line = line % lines.len();
            let mut counts = vec![0; line + 1];
            counts[line] = count;
            let guest = format!("g{at}");
            table.choose(&guest, &counts);
            let Some(hold) = tab::hold_of(&table.tab, &guest) else { continue };
            let pieces: u32 = hold.units.values().sum();
            let (way, item) = (Way::Dishes(counts), &table.bill.items[line]);
            let goods = item.sum.0 * i64::from(pieces) / i64::from(item.count);
            let service = table.bill.sum.0 - table.bill.goods_sum.0;
            let exact = goods + service * goods / table.bill.goods_sum.0;
            let (_, counted) = table.counted(&guest, &way, "0");
            let heads = i64::try_from(table.tab.claims.len()).expect("few") + 1;
            let off = (counted.amount.0 - exact).abs();
            prop_assert!(off <= table.coin * 2 * heads, "{off} off {exact}: {counted:?}");
            prop_assert!(table.pay(&guest, &way, "0", true));
            table.end(0, true, false);
        }
        prop_assert_eq!(table.captured, (table.bill.sum.0, 0));
    }
}
