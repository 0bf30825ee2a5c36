//! Retry budgets: every first try deposits a share of a retry, so that retries can't multiply the load on an
//! upstream that is down.

use std::{sync::Mutex, time::Duration};

use super::{Class, Clock, breaker::Part};

/// Most retries that a balance holds: what a quiet client can spend at once.
const RESERVE: u32 = 10;
/// Deposited each second without any traffic, so that a rare call can be retried as well.
const PER_SECOND: u32 = 1;
/// Hundredths of a retry: shares are whole numbers.
const ONE: u32 = 100;

/// One budget for pages, one for orders, one for the geo service: none can spend what another needs.
pub(super) struct RetryBudgets {
    pages: RetryBudget,
    geo: RetryBudget,
    orders: RetryBudget,
}

impl RetryBudgets {
    pub fn new(percent: u32, clock: Clock) -> Self {
        Self {
            pages: RetryBudget::new(percent, clock.clone()),
            geo: RetryBudget::new(percent, clock.clone()),
            orders: RetryBudget::new(percent, clock),
        }
    }

    pub fn of(&self, part: Part, class: Class) -> &RetryBudget {
        match class {
            _ if part == Part::Geo => &self.geo,
            Class::Critical | Class::Optional => &self.pages,
            Class::Order => &self.orders,
        }
    }
}

pub(super) struct RetryBudget {
    share: u32,
    clock: Clock,
    balance: Mutex<Balance>,
}

struct Balance {
    hundredths: u32,
    /// Whole seconds of the clock that have been deposited.
    seconds: u64,
}

impl RetryBudget {
    fn new(share: u32, clock: Clock) -> Self {
        let seconds = clock.now().as_secs();
        Self {
            share: share.min(ONE),
            clock,
            balance: Mutex::new(Balance {
                hundredths: RESERVE * ONE,
                seconds,
            }),
        }
    }

    /// A first try was made.
    pub fn deposit(&self) {
        self.change(|balance, share| {
            balance.hundredths = (balance.hundredths + share).min(RESERVE * ONE)
        });
    }

    /// Takes a retry, if there is one.
    pub fn withdraw(&self) -> bool {
        self.change(|balance, _| {
            let available = balance.hundredths >= ONE;
            if available {
                balance.hundredths -= ONE;
            }
            available
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Balance, u32) -> T) -> T {
        let now = self.clock.now().max(Duration::ZERO).as_secs();
        let mut balance = self
            .balance
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let passed = u32::try_from(now.saturating_sub(balance.seconds)).unwrap_or(u32::MAX);
        balance.seconds = balance.seconds.max(now);
        let earned = passed.saturating_mul(PER_SECOND * ONE);
        balance.hundredths = balance.hundredths.saturating_add(earned).min(RESERVE * ONE);
        change(&mut balance, self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 calls a second for a minute, all failing, each wanting as many retries as it can get.
    fn load_when_all_fail(percent: u32, wanted: u32) -> f64 {
        let clock = Clock::manual();
        let budget = RetryBudget::new(percent, clock.clone());
        let (mut first, mut all) = (0_u32, 0_u32);
        for _ in 0..60 {
            for _ in 0..100 {
                budget.deposit();
                first += 1;
                all += 1 + (0..wanted).take_while(|_| budget.withdraw()).count() as u32;
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
        let budget = RetryBudget::new(20, clock.clone());
        for _ in 0..20 {
            budget.deposit();
            assert!((0..3).all(|_| budget.withdraw()));
            clock.advance(Duration::from_secs(3));
        }
    }
}
