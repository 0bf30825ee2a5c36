//! Breakers: a part of the upstream that fails at least half of at least 20 calls within 10 s is left alone for
//! a while, then one probe decides. Calls meanwhile fail at once instead of holding guests and sockets; those that come
//! while the probe is out wait for what it tells, as a page needs several calls at once.

use std::{sync::Mutex, time::Duration};

use tokio::sync::Notify;

use super::Clock;

/// The parts of the upstream that live and die on their own: its services behind one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Locations,
    Menu,
    /// What stands around a menu: its lists and stock may fail without taking the menu along.
    MenuLists,
    /// One dish or good: sheets and barcodes are looked at far more often than anything is ordered.
    Dishes,
    /// Anyone may search, and one search is many calls.
    Search,
    /// Placing them.
    Orders,
    /// What is asked of orders that there are: open pages ask each second, and must not stop those who order.
    Tracking,
    /// What every page can do without.
    Extras,
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

const PARTS: [Part; 19] = [
    Part::Locations,
    Part::Menu,
    Part::MenuLists,
    Part::Dishes,
    Part::Search,
    Part::Orders,
    Part::Tracking,
    Part::Extras,
    Part::Accounts,
    Part::Balances,
    Part::Delivery,
    Part::Payments,
    Part::Promos,
    Part::Geo,
    Part::Push,
    Part::Fridge,
    Part::Bills,
    Part::Feedback,
    Part::Settings,
];
/// The names of all parts, as measurements have them.
pub fn parts() -> Vec<&'static str> {
    PARTS.iter().map(|part| part.name()).collect()
}

/// Seconds looked back on.
const WINDOW: usize = 10;
const LEAST_CALLS: u32 = 20;
/// Left alone for so long before a probe: well under the 10 s in which a healed upstream must be used again.
const PAUSE: Duration = Duration::from_secs(5);

/// One breaker per part.
pub(super) struct Breakers {
    parts: [Breaker; PARTS.len()],
}

impl Breakers {
    pub fn new(clock: Clock) -> Self {
        Self {
            parts: PARTS.map(|part| Breaker::new(part, clock.clone())),
        }
    }

    pub fn of(&self, part: Part) -> &Breaker {
        // The array has a place for each variant, in their order.
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
            Self::Dishes => "dishes",
            Self::Search => "search",
            Self::Orders => "orders",
            Self::Tracking => "tracking",
            Self::Extras => "extras",
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
    part: Part,
    clock: Clock,
    state: Mutex<State>,
    /// The probe has told, or went away.
    probed: Notify,
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

/// What a call may do now.
enum Entry<'a> {
    Go(Permit<'a>),
    /// Another call is the probe.
    Probing,
    Refused,
}

/// The right to make one call. Dropped without a word (the guest went away) it counts for nothing.
pub(super) struct Permit<'a> {
    breaker: &'a Breaker,
    era: u64,
    probe: bool,
    settled: bool,
}

impl Breaker {
    fn new(part: Part, clock: Clock) -> Self {
        Self {
            part,
            clock,
            probed: Notify::new(),
            state: Mutex::new(State {
                mode: Mode::Closed,
                seconds: [Second::default(); WINDOW],
                era: 0,
            }),
        }
    }

    /// A permit, unless the upstream is being left alone. While a probe is out its end is waited for, so long at most.
    pub async fn enter(&self, timeout: Duration) -> Option<Permit<'_>> {
        let entered = async {
            loop {
                // Made before the look at the mode, or the end of the probe could be missed.
                let probed = self.probed.notified();
                match self.try_enter() {
                    Entry::Go(permit) => return Some(permit),
                    Entry::Refused => return None,
                    Entry::Probing => probed.await,
                }
            }
        };
        tokio::time::timeout(timeout, entered).await.ok().flatten()
    }

    fn try_enter(&self) -> Entry<'_> {
        let now = self.clock.now();
        let mut state = self.lock();
        let probe = match state.mode {
            Mode::Closed => false,
            Mode::Open { until } if now >= until => {
                state.change(Mode::Probing);
                true
            }
            Mode::Open { .. } => return Entry::Refused,
            Mode::Probing => return Entry::Probing,
        };
        Entry::Go(Permit {
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
            (true, Some(false)) => {
                state.change(Mode::Closed);
                tracing::info!(
                    upstream.part = self.part.name(),
                    "The upstream works again: its breaker is closed"
                );
            }
            // The probing guest went away: the next call may probe at once.
            (true, None) => state.change(Mode::Open { until: now }),
            (false, None) => {}
            (false, Some(failed)) => {
                state.count(now.as_secs(), failed);
                if failed && state.is_failing(now.as_secs()) {
                    state.change(Mode::Open { until: now + PAUSE });
                    tracing::warn!(
                        upstream.part = self.part.name(),
                        "The upstream is failing: its breaker is open, calls are not sent"
                    );
                }
            }
        }
        drop(state);
        if probe {
            self.probed.notify_waiters();
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

    fn breaker(clock: Clock) -> Breaker {
        Breaker::new(Part::Menu, clock)
    }

    fn enter(breaker: &Breaker) -> Option<Permit<'_>> {
        match breaker.try_enter() {
            Entry::Go(permit) => Some(permit),
            Entry::Probing | Entry::Refused => None,
        }
    }

    fn call(breaker: &Breaker, failed: bool) -> bool {
        enter(breaker).map(|permit| permit.settle(failed)).is_some()
    }

    #[test]
    fn each_part_has_its_own() {
        let breakers = Breakers::new(Clock::manual());
        assert!(PARTS.iter().all(|part| breakers.of(*part).part == *part));
    }

    fn broken() -> (Clock, Breaker) {
        let clock = Clock::manual();
        let breaker = breaker(clock.clone());
        for index in 0..20 {
            assert!(call(&breaker, index % 2 == 1));
        }
        (clock, breaker)
    }

    #[test]
    fn half_of_twenty_calls_failing_opens_it() {
        assert!(enter(&broken().1).is_none());
    }

    #[test]
    fn nineteen_failures_do_not() {
        let breaker = breaker(Clock::manual());
        assert!((0..19).all(|_| call(&breaker, true)));
        assert!(!breaker.is_open());
    }

    #[test]
    fn failures_older_than_ten_seconds_are_forgotten() {
        let clock = Clock::manual();
        let breaker = breaker(clock.clone());
        assert!((0..19).all(|_| call(&breaker, true)));
        clock.advance(Duration::from_secs(10));
        assert!((0..10).all(|_| call(&breaker, true)));
        assert!(!breaker.is_open());
    }

    #[test]
    fn less_than_half_failing_keeps_it_closed() {
        let breaker = breaker(Clock::manual());
        assert!((0..300).all(|index| call(&breaker, index % 3 == 2)));
    }

    #[test]
    fn one_probe_after_the_pause_closes_it() {
        let (clock, breaker) = broken();
        clock.advance(Duration::from_secs(5));
        let probe = enter(&breaker).unwrap();
        assert!(enter(&breaker).is_none(), "one probe at a time");
        probe.settle(false);
        assert!(
            (0..19).all(|_| call(&breaker, true)),
            "the count starts anew"
        );
    }

    const TIMEOUT: Duration = Duration::from_secs(3600);

    #[tokio::test]
    async fn who_comes_while_the_probe_is_out_shares_its_end() {
        for (failed, passes) in [(false, true), (true, false)] {
            let (clock, breaker) = broken();
            clock.advance(Duration::from_secs(5));
            let probe = breaker.enter(TIMEOUT).await.unwrap();
            let tell = async { probe.settle(failed) };
            let (first, second, ()) =
                tokio::join!(breaker.enter(TIMEOUT), breaker.enter(TIMEOUT), tell);
            assert_eq!((first.is_some(), second.is_some()), (passes, passes));
        }
    }

    #[tokio::test]
    async fn a_probe_that_went_away_is_followed_by_one_of_those_who_wait() {
        let (clock, breaker) = broken();
        clock.advance(Duration::from_secs(5));
        let probe = breaker.enter(TIMEOUT).await.unwrap();
        let first = async { breaker.enter(TIMEOUT).await.map(|next| next.settle(false)) };
        // Which of them is the next probe is chance: a permit that is kept would hold the other up.
        let second = async { breaker.enter(TIMEOUT).await.map(|next| next.settle(false)) };
        let leave = async { drop(probe) };
        let (first, second, ()) = tokio::join!(first, second, leave);
        assert!(first.is_some() && second.is_some());
    }

    #[tokio::test]
    async fn no_call_waits_longer_than_its_own_deadline() {
        let (clock, breaker) = broken();
        clock.advance(Duration::from_secs(5));
        let _probe = breaker.enter(TIMEOUT).await.unwrap();
        assert!(breaker.enter(Duration::from_millis(1)).await.is_none());
    }

    #[test]
    fn a_failing_probe_leaves_it_open() {
        let (clock, breaker) = broken();
        clock.advance(Duration::from_secs(5));
        assert!(call(&breaker, true));
        assert!(enter(&breaker).is_none());
        clock.advance(Duration::from_secs(5));
        assert!(call(&breaker, false));
        assert!(!breaker.is_open());
    }

    #[test]
    fn a_probe_that_went_away_leaves_its_place() {
        let (clock, breaker) = broken();
        clock.advance(Duration::from_secs(5));
        drop(enter(&breaker).unwrap());
        assert!(call(&breaker, false));
        assert!(!breaker.is_open());
    }

    #[test]
    fn answers_of_before_it_opened_do_not_close_it() {
        let clock = Clock::manual();
        let breaker = breaker(clock);
        let late = enter(&breaker).unwrap();
        assert!((0..20).all(|_| call(&breaker, true)));
        late.settle(false);
        assert!(breaker.is_open());
    }
}
