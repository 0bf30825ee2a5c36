//! How many retries may be spent: every first try earns a share of one, so that retries can't multiply the load
//! on an upstream that is down.

use std::{sync::Mutex, time::Duration};

use super::{Class, Clock, breaker::Part};

/// Retries that a quiet client can spend at once.
const RESERVE: u32 = 10;
/// Earned each second without any traffic, so that a rare call can be retried as well.
const PER_SECOND: u32 = 1;
/// Hundredths of a retry: shares are whole numbers.
const ONE: u32 = 100;

/// One budget for pages, one for orders, one for the geo service: none can spend what another needs.
pub(super) struct Budgets {
    pages: Budget,
    geo: Budget,
    orders: Budget,
}

impl Budgets {
    pub fn new(percent: u32, clock: Clock) -> Self {
        Self {
            pages: Budget::new(percent, clock.clone()),
            geo: Budget::new(percent, clock.clone()),
            orders: Budget::new(percent, clock),
        }
    }

    pub fn of(&self, part: Part, class: Class) -> &Budget {
        match class {
            _ if part == Part::Geo => &self.geo,
            Class::Critical | Class::Optional => &self.pages,
            Class::Order => &self.orders,
        }
    }
}

pub(super) struct Budget {
    share: u32,
    clock: Clock,
    purse: Mutex<Purse>,
}

struct Purse {
    hundredths: u32,
    /// Whole seconds of the clock that have been paid out.
    paid: u64,
}

impl Budget {
    fn new(share: u32, clock: Clock) -> Self {
        let paid = clock.now().as_secs();
        Self {
            share: share.min(ONE),
            clock,
            purse: Mutex::new(Purse {
                hundredths: RESERVE * ONE,
                paid,
            }),
        }
    }

    /// A first try was made.
    pub fn earn(&self) {
        self.change(|purse, share| {
            purse.hundredths = (purse.hundredths + share).min(RESERVE * ONE)
        });
    }

    /// Takes a retry, if there is one.
    pub fn spend(&self) -> bool {
        self.change(|purse, _| {
            let rich = purse.hundredths >= ONE;
            if rich {
                purse.hundredths -= ONE;
            }
            rich
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Purse, u32) -> T) -> T {
        let now = self.clock.now().max(Duration::ZERO).as_secs();
        let mut purse = self
            .purse
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let seconds = u32::try_from(now.saturating_sub(purse.paid)).unwrap_or(u32::MAX);
        purse.paid = purse.paid.max(now);
        let earned = seconds.saturating_mul(PER_SECOND * ONE);
        purse.hundredths = purse.hundredths.saturating_add(earned).min(RESERVE * ONE);
        change(&mut purse, self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 calls a second for a minute, all failing, each wanting as many retries as it can get.
    fn load_when_all_fail(percent: u32, wanted: u32) -> f64 {
        let clock = Clock::manual();
        let budget = Budget::new(percent, clock.clone());
        let (mut first, mut all) = (0_u32, 0_u32);
        for _ in 0..60 {
            for _ in 0..100 {
                budget.earn();
                first += 1;
                all += 1 + (0..wanted).take_while(|_| budget.spend()).count() as u32;
            }
            clock.advance(Duration::from_secs(1));
        }
        f64::from(all) / f64::from(first)
    }

    #[test]
    fn retries_stay_within_a_quarter_of_the_load_when_everything_fails() {
        let load = load_when_all_fail(20, 3);
        assert!((1.15..=1.25).contains(&load), "{load}");
    }

    #[test]
    fn a_quiet_client_can_retry_a_rare_call_fully() {
        let clock = Clock::manual();
        let budget = Budget::new(20, clock.clone());
        for _ in 0..20 {
            budget.earn();
            assert!((0..3).all(|_| budget.spend()));
            clock.advance(Duration::from_secs(3));
        }
    }
}
