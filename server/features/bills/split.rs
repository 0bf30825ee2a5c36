//! The arithmetic of a bill that several guests pay. Whole coins only: what is rounded off stays with the bill, and the
//! last share takes the rest, so that the parts are the bill to the last coin (PY-14, PY-16, beyond.md 17).

/// What a bill is made of, hundredths of its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums {
    /// Dishes without service.
    pub goods: i64,
    /// Dishes and service.
    pub total: i64,
    /// What is neither paid nor being paid.
    pub left: i64,
    /// The smallest coin.
    pub coin: i64,
}

/// The smallest coin of a currency with `digits` after the decimal sign.
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

    /// What dishes of this worth cost with their part of the service. `last`: no dish is left to choose after this; the
    /// coins left by rounding come with it.
    #[must_use]
    pub fn dishes(self, worth: i64, last: bool, rounded: usize) -> i64 {
        let share = self.with_service(worth).min(self.left);
        let rest = self.left - share;
        let rounded = self.coin * i64::try_from(rounded).unwrap_or(i64::MAX / self.coin);
        if last && rest <= rounded {
            self.left
        } else {
            share
        }
    }

    /// Dishes of this worth with their part of the service, whatever of the bill is paid.
    #[must_use]
    pub fn with_service(self, worth: i64) -> i64 {
        worth + self.portion(self.total - self.goods, worth, self.goods)
    }

    /// What of a share is for dishes: tips are counted from it, never from the service (PY-16).
    #[must_use]
    pub fn tip_base(self, share: i64) -> i64 {
        if share >= self.total {
            return self.goods;
        }
        self.portion(share, self.goods, self.total)
    }

    /// Tips of this many percent.
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

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
