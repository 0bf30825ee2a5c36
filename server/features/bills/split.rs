//! The arithmetic of a bill that several guests pay. Whole coins only: what is rounded off stays with the bill, and the
//! last share takes the rest, so that the parts are the bill to the last coin (PY-14, PY-16, beyond.md 17).

/// What a bill is made of, hundredths of its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums {
    /// Dishes without service.
    pub goods: i64,
    /// Dishes and service.
    pub total: i64,
    /// What nobody has paid nor is paying.
    pub left: i64,
    /// The smallest coin.
    pub coin: i64,
}

/// The smallest coin of a currency with so many digits after the decimal sign.
#[must_use]
pub const fn coin(fraction_digits: u32) -> i64 {
    match fraction_digits {
        0 => 100,
        1 => 10,
        _ => 1,
    }
}

impl Sums {
    /// `part` of `whole` of a sum, in whole coins, rounded down. Nothing of nothing.
    fn portion(self, sum: i64, part: i64, whole: i64) -> i64 {
        if whole <= 0 || sum <= 0 || part <= 0 {
            return 0;
        }
        let exact = i128::from(sum) * i128::from(part) / i128::from(whole);
        let exact = i64::try_from(exact).unwrap_or(i64::MAX);
        exact - exact % self.coin.max(1)
    }

    /// What `paying` of the `people` pay that what is left is divided among. All of them together pay all of it.
    #[must_use]
    pub fn equal(self, people: u32, paying: u32) -> i64 {
        if paying >= people {
            return self.left;
        }
        self.portion(self.left, i64::from(paying), i64::from(people))
    }

    /// What dishes of this worth cost with their part of the service. `last`: nobody can choose a dish after this; the
    /// coins that `before` earlier shares were rounded down by come with it.
    #[must_use]
    pub fn dishes(self, worth: i64, last: bool, before: usize) -> i64 {
        let service = self.total - self.goods;
        let share = worth + self.portion(service, worth, self.goods);
        let share = share.min(self.left);
        let rest = self.left - share;
        let rounded = self.coin * i64::try_from(before).unwrap_or(i64::MAX / self.coin);
        if last && rest <= rounded {
            self.left
        } else {
            share
        }
    }

    /// What of a share is for dishes: tips are counted from it, never from the service (PY-16).
    #[must_use]
    pub fn tip_base(self, share: i64) -> i64 {
        if share >= self.total {
            return self.goods;
        }
        self.portion(share, self.goods, self.total)
    }

    /// Tips of so many percent.
    #[must_use]
    pub fn tips(self, base: i64, percent: u32) -> i64 {
        self.portion(base, i64::from(percent), 100)
    }

    /// Most bonuses of a share, where the whole bill may take `most`.
    #[must_use]
    pub fn bonus(self, share: i64, most: i64) -> i64 {
        self.portion(most, share, self.total).min(share)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Sums, coin};

    /// What a guest does when it is their turn.
    #[derive(Debug, Clone)]
    enum Turn {
        Dishes {
            line: usize,
            count: u32,
        },
        Equal {
            of: u32,
            paying: u32,
        },
        Own {
            per_mille: i64,
        },
        /// The bank refuses what was begun first and not ended.
        Fails,
        /// The bank takes it.
        Succeeds,
    }

    fn turn() -> impl Strategy<Value = Turn> {
        prop_oneof![
            (0..8_usize, 1..4_u32).prop_map(|(line, count)| Turn::Dishes { line, count }),
            (2..9_u32, 1..4_u32).prop_map(|(of, paying)| Turn::Equal { of, paying }),
            (1..1000_i64).prop_map(|per_mille| Turn::Own { per_mille }),
            Just(Turn::Fails),
            Just(Turn::Succeeds),
        ]
    }

    /// A part under way: its sum, its tips, its dishes, its people.
    type Part = (i64, i64, Option<(usize, u32)>, u32);

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Whoever pays in whatever order and way, with refusals in between: the captures are the bill to the last coin,
        /// no dish has two payers, and tips are never counted from service.
        #[test]
        fn what_is_paid_is_the_bill_to_the_last_coin(
            lines in prop::collection::vec((1..500_000_i64, 1..5_u32), 1..8),
            percent in 0..21_i64,
            digits in 0..3_u32,
            tip in 0..31_u32,
            turns in prop::collection::vec(turn(), 0..40),
        ) {
            let coin = coin(digits);
            let lines: Vec<(i64, u32)> = lines.iter().map(|(price, count)| (price * coin, *count)).collect();
            let goods: i64 = lines.iter().map(|(price, count)| price * i64::from(*count)).sum();
            let service = goods * percent / 100;
            let total = goods + service - service % coin;
            let mut free: Vec<u32> = lines.iter().map(|(_, count)| *count).collect();
            let (mut paid, mut tips, mut people, mut dish_parts) = (0, 0, 0_u32, 0_usize);
            let mut pending: Vec<Part> = Vec::new();
            for turn in turns {
                let left = total - paid - pending.iter().map(|part| part.0).sum::<i64>();
                prop_assert!(left >= 0);
                let sums = Sums { goods, total, left, coin };
                let part: Part = match turn {
                    Turn::Dishes { line, count } => {
                        let line = line % lines.len();
                        let count = count.min(free[line]);
                        let worth = lines[line].0 * i64::from(count);
                        let all: u32 = free.iter().sum();
                        (sums.dishes(worth, all == count && count > 0, dish_parts), 0, Some((line, count)), 0)
                    }
                    Turn::Equal { of, paying } => {
                        let rest = of.saturating_sub(people).max(1);
                        let paying = paying.min(rest);
                        (sums.equal(rest, paying), 0, None, paying)
                    }
                    Turn::Own { per_mille } => {
                        let sum = left * per_mille / 1000;
                        (sum - sum % coin, 0, None, 0)
                    }
                    Turn::Fails | Turn::Succeeds if pending.is_empty() => continue,
                    Turn::Fails => {
                        let (_, _, dish, of) = pending.remove(0);
                        people -= of;
                        if let Some((line, count)) = dish { free[line] += count; dish_parts -= 1; }
                        continue;
                    }
                    Turn::Succeeds => {
                        let (sum, tip, ..) = pending.remove(0);
                        paid += sum;
                        tips += tip;
                        continue;
                    }
                };
                let (share, _, dish, of) = part;
                prop_assert!(share <= left, "nobody pays more than is left");
                prop_assert_eq!(share % coin, 0, "whole coins");
                if share == 0 { continue; }
                let base = sums.tip_base(share);
                prop_assert!(base <= share && base <= goods);
                let tip = sums.tips(base, tip);
                prop_assert!(tip <= base);
                prop_assert!(sums.bonus(share, goods / 3) <= share);
                if let Some((line, count)) = dish { free[line] -= count; dish_parts += 1; }
                people += of;
                pending.push((share, tip, dish, of));
            }
            for (sum, tip, ..) in pending { paid += sum; tips += tip; }
            // Whoever comes last pays all that is left.
            let sums = Sums { goods, total, left: total - paid, coin };
            let last = sums.equal(1, 1);
            prop_assert_eq!(paid + last, total);
            prop_assert!(tips <= goods);
        }

        /// When all pay their dishes, nothing is left over and nobody pays for another's beyond a coin a head.
        #[test]
        fn dishes_alone_are_the_bill(
            lines in prop::collection::vec((1..500_000_i64, 1..5_u32), 1..8),
            percent in 0..21_i64,
            digits in 0..3_u32,
        ) {
            let coin = coin(digits);
            let units: Vec<i64> = lines
                .iter()
                .flat_map(|(price, count)| (0..*count).map(move |_| price * coin))
                .collect();
            let goods: i64 = units.iter().sum();
            let service = goods * percent / 100;
            let total = goods + service - service % coin;
            let mut left = total;
            for (at, worth) in units.iter().enumerate() {
                let sums = Sums { goods, total, left, coin };
                let share = sums.dishes(*worth, at + 1 == units.len(), at);
                let exact = *worth + (total - goods) * worth / goods;
                let heads = i64::try_from(units.len()).expect("few");
                prop_assert!((share - exact).abs() <= coin * (heads + 1));
                left -= share;
            }
            prop_assert_eq!(left, 0);
        }

        /// Equal parts one after the other: the last takes the rest, and no two differ by more than a coin a head.
        #[test]
        fn equal_parts_are_the_bill(total in 0..10_000_000_i64, of in 1..50_u32, digits in 0..3_u32) {
            let coin = coin(digits);
            let total = total * coin;
            let mut left = total;
            for one in 0..of {
                let sums = Sums { goods: total, total, left, coin };
                let share = sums.equal(of - one, 1);
                prop_assert!((share - total / i64::from(of)).abs() <= coin * i64::from(of));
                left -= share;
            }
            prop_assert_eq!(left, 0);
        }
    }

    #[test]
    fn tips_are_counted_from_dishes_and_nothing_is_nothing() {
        let sums = Sums {
            goods: 100_000,
            total: 110_000,
            left: 110_000,
            coin: 100,
        };
        assert_eq!(sums.tip_base(110_000), 100_000);
        assert_eq!(sums.tips(sums.tip_base(110_000), 15), 15_000);
        assert_eq!(sums.tips(100_000, 0), 0);
        let empty = Sums {
            goods: 0,
            total: 0,
            left: 0,
            coin: 100,
        };
        assert_eq!(
            (
                empty.equal(3, 1),
                empty.dishes(0, true, 0),
                empty.tip_base(0)
            ),
            (0, 0, 0)
        );
    }
}
