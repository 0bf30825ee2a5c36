//! Breakers: a part of the upstream that fails at least half of at least 20 calls within 10 s is left alone for
//! a while, then one probe decides. Calls meanwhile fail at once instead of holding guests and sockets.

use std::{sync::Mutex, time::Duration};

use super::Clock;

/// The parts of the upstream that live and die on their own: its services behind one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Locations,
    Menu,
    /// What stands around a menu: its lists and stock may fail without taking the menu along.
    MenuLists,
    Orders,
    Accounts,
    Balances,
    Delivery,
    Payments,
    Promos,
    Geo,
    Push,
    Fridge,
    Bills,
    Feedback,
    Settings,
}

const PARTS: usize = Part::Settings as usize + 1;
/// Seconds looked back on.
const WINDOW: usize = 10;
const LEAST_CALLS: u32 = 20;
/// Left alone for so long before a probe: well under the 10 s in which a healed upstream must be used again.
const PAUSE: Duration = Duration::from_secs(5);

/// One breaker per part.
pub(super) struct Breakers {
    parts: [Breaker; PARTS],
}

impl Breakers {
    pub fn new(clock: Clock) -> Self {
        Self {
            parts: std::array::from_fn(|_| Breaker::new(clock.clone())),
        }
    }

    pub fn of(&self, part: Part) -> &Breaker {
        // The array has a place for each variant.
        &self.parts[part as usize]
    }
}

impl Part {
    /// Label of logs and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Locations => "locations",
            Self::Menu => "menu",
            Self::MenuLists => "menu_lists",
            Self::Orders => "orders",
            Self::Accounts => "accounts",
            Self::Balances => "balances",
            Self::Delivery => "delivery",
            Self::Payments => "payments",
            Self::Promos => "promos",
            Self::Geo => "geo",
            Self::Push => "push",
            Self::Fridge => "fridge",
            Self::Bills => "bills",
            Self::Feedback => "feedback",
            Self::Settings => "settings",
        }
    }
}

pub(super) struct Breaker {
    clock: Clock,
    state: Mutex<State>,
}

struct State {
    mode: Mode,
    seconds: [Second; WINDOW],
    /// Counts changes of mode, so that a late answer to a call of another mode is not counted.
    era: u64,
}

enum Mode {
    Closed,
    Open {
        until: Duration,
    },
    /// One call is out to see whether the upstream has healed.
    Probing,
}

#[derive(Clone, Copy, Default)]
struct Second {
    /// Which second of the clock this cell counts.
    number: u64,
    calls: u32,
    failures: u32,
}

/// The right to make one call. Dropped without a word (the guest went away) it counts for nothing.
pub(super) struct Permit<'a> {
    breaker: &'a Breaker,
    era: u64,
    probe: bool,
    settled: bool,
}

impl Breaker {
    fn new(clock: Clock) -> Self {
        Self {
            clock,
            state: Mutex::new(State {
                mode: Mode::Closed,
                seconds: [Second::default(); WINDOW],
                era: 0,
            }),
        }
    }

    /// A permit, unless the upstream is being left alone.
    pub fn enter(&self) -> Option<Permit<'_>> {
        let now = self.clock.now();
        let mut state = self.lock();
        let probe = match state.mode {
            Mode::Closed => false,
            Mode::Open { until } if now >= until => {
                state.change(Mode::Probing);
                true
            }
            Mode::Open { .. } | Mode::Probing => return None,
        };
        Some(Permit {
            breaker: self,
            era: state.era,
            probe,
            settled: false,
        })
    }

    pub fn is_open(&self) -> bool {
        !matches!(self.lock().mode, Mode::Closed)
    }

    fn settle(&self, era: u64, probe: bool, failed: Option<bool>) {
        let now = self.clock.now();
        let mut state = self.lock();
        if state.era != era {
            return;
        }
        match (probe, failed) {
            (true, Some(true)) => state.change(Mode::Open { until: now + PAUSE }),
            (true, Some(false)) => state.change(Mode::Closed),
            // The probing guest went away: the next call may probe at once.
            (true, None) => state.change(Mode::Open { until: now }),
            (false, None) => {}
            (false, Some(failed)) => {
                state.count(now.as_secs(), failed);
                if failed && state.is_failing(now.as_secs()) {
                    state.change(Mode::Open { until: now + PAUSE });
                }
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl State {
    fn change(&mut self, mode: Mode) {
        self.mode = mode;
        self.seconds = [Second::default(); WINDOW];
        self.era += 1;
    }

    fn count(&mut self, number: u64, failed: bool) {
        let cell = usize::try_from(number % WINDOW as u64).unwrap_or(0);
        let Some(second) = self.seconds.get_mut(cell) else {
            return;
        };
        if second.number != number {
            *second = Second {
                number,
                ..Second::default()
            };
        }
        second.calls += 1;
        second.failures += u32::from(failed);
    }

    fn is_failing(&self, now: u64) -> bool {
        let recent = self
            .seconds
            .iter()
            .filter(|second| second.number + WINDOW as u64 > now);
        let (calls, failures) = recent.fold((0, 0), |(calls, failures), second| {
            (calls + second.calls, failures + second.failures)
        });
        calls >= LEAST_CALLS && failures * 2 >= calls
    }
}

impl Permit<'_> {
    /// Tells how the call ended.
    pub fn settle(mut self, failed: bool) {
        self.settled = true;
        self.breaker.settle(self.era, self.probe, Some(failed));
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if !self.settled {
            self.breaker.settle(self.era, self.probe, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(breaker: &Breaker, failed: bool) -> bool {
        breaker
            .enter()
            .map(|permit| permit.settle(failed))
            .is_some()
    }

    fn broken() -> (Clock, Breaker) {
        let clock = Clock::manual();
        let breaker = Breaker::new(clock.clone());
        for index in 0..20 {
            assert!(call(&breaker, index % 2 == 1));
        }
        (clock, breaker)
    }

    #[test]
    fn half_of_twenty_calls_failing_opens_it() {
        assert!(broken().1.enter().is_none());
    }

    #[test]
    fn nineteen_failures_do_not() {
        let breaker = Breaker::new(Clock::manual());
        assert!((0..19).all(|_| call(&breaker, true)));
        assert!(!breaker.is_open());
    }

    #[test]
    fn failures_older_than_ten_seconds_are_forgotten() {
        let clock = Clock::manual();
        let breaker = Breaker::new(clock.clone());
        assert!((0..19).all(|_| call(&breaker, true)));
        clock.advance(Duration::from_secs(10));
        assert!((0..10).all(|_| call(&breaker, true)));
        assert!(!breaker.is_open());
    }

    #[test]
    fn less_than_half_failing_keeps_it_closed() {
        let breaker = Breaker::new(Clock::manual());
        assert!((0..300).all(|index| call(&breaker, index % 3 == 2)));
    }

    #[test]
    fn one_probe_after_the_pause_closes_it() {
        let (clock, breaker) = broken();
        clock.advance(Duration::from_secs(5));
        let probe = breaker.enter().unwrap();
        assert!(breaker.enter().is_none(), "one probe at a time");
        probe.settle(false);
        assert!(
            (0..19).all(|_| call(&breaker, true)),
            "the count starts anew"
        );
    }

    #[test]
    fn a_failing_probe_leaves_it_open() {
        let (clock, breaker) = broken();
        clock.advance(Duration::from_secs(5));
        assert!(call(&breaker, true));
        assert!(breaker.enter().is_none());
        clock.advance(Duration::from_secs(5));
        assert!(call(&breaker, false));
        assert!(!breaker.is_open());
    }

    #[test]
    fn a_probe_that_went_away_leaves_its_place() {
        let (clock, breaker) = broken();
        clock.advance(Duration::from_secs(5));
        drop(breaker.enter().unwrap());
        assert!(call(&breaker, false));
        assert!(!breaker.is_open());
    }

    #[test]
    fn answers_of_before_it_opened_do_not_close_it() {
        let clock = Clock::manual();
        let breaker = Breaker::new(clock);
        let late = breaker.enter().unwrap();
        assert!((0..20).all(|_| call(&breaker, true)));
        late.settle(false);
        assert!(breaker.is_open());
    }
}
