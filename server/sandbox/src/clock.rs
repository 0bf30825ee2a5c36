//! Time of the sandbox. Opening hours and time stamps follow a clock that tests
//! may set; orders follow a second, paced time that a speed factor stretches.
//! Both are plain arithmetic over the machine's time, so a restart loses nothing.

use std::sync::{PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// What the clock is set to; stored so that it survives a restart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setting {
    /// Milliseconds added to the machine's time.
    pub(crate) offset: i64,
    /// The clock stands still here.
    pub(crate) frozen: Option<i64>,
    /// How fast orders move.
    pub(crate) speed: f64,
    /// The machine's time when the speed was set.
    pub(crate) real_base: i64,
    /// The paced time at that moment.
    pub(crate) paced_base: f64,
}

/// The sandbox's clock.
pub(crate) struct Clock {
    setting: RwLock<Setting>,
}

impl Clock {
    pub(crate) fn new(speed: f64) -> Clock {
        let setting = Setting {
            offset: 0,
            frozen: None,
            speed,
            real_base: real_now(),
            paced_base: 0.0,
        };
        Clock {
            setting: RwLock::new(setting),
        }
    }

    pub(crate) fn restore(&self, setting: Setting) {
        *self.setting.write().unwrap_or_else(PoisonError::into_inner) = setting;
    }

    pub(crate) fn setting(&self) -> Setting {
        self.setting
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Milliseconds since the epoch on the sandbox's clock.
    pub(crate) fn now(&self) -> i64 {
        let setting = self.setting();
        setting
            .frozen
            .unwrap_or_else(|| real_now().saturating_add(setting.offset))
    }

    /// Paced milliseconds: they run `speed` times as fast as the machine's.
    pub(crate) fn paced(&self) -> f64 {
        self.setting().paced_at(real_now())
    }

    /// When this paced moment is or was, on the sandbox's clock.
    pub(crate) fn at_paced(&self, paced: f64) -> i64 {
        let setting = self.setting();
        let real = setting.real_base as f64 + (paced - setting.paced_base) / setting.speed;
        real as i64 + (self.now() - real_now())
    }

    pub(crate) fn set_speed(&self, speed: f64) {
        let mut setting = self.setting.write().unwrap_or_else(PoisonError::into_inner);
        let now = real_now();
        setting.paced_base = setting.paced_at(now);
        setting.real_base = now;
        setting.speed = speed;
    }

    /// Sets the clock to an instant (running on from it, or standing), or back to the machine's.
    pub(crate) fn set_now(&self, now: Option<i64>, frozen: bool) {
        let mut setting = self.setting.write().unwrap_or_else(PoisonError::into_inner);
        setting.offset = now.map_or(0, |now| now - real_now());
        setting.frozen = now.filter(|_| frozen);
    }
}

impl Setting {
    fn paced_at(&self, real: i64) -> f64 {
        self.paced_base + (real - self.real_base) as f64 * self.speed
    }
}

/// The machine's time in milliseconds since the epoch.
#[expect(
    clippy::disallowed_methods,
    reason = "the sandbox's one place that reads the machine's clock"
)]
pub(crate) fn real_now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// `2026-11-21T06:10:00Z`
pub(crate) fn iso(millis: i64) -> String {
    OffsetDateTime::from_unix_timestamp(millis.div_euclid(1000))
        .ok()
        .and_then(|time| time.format(&Rfc3339).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00Z".to_owned())
}

/// Reads an ISO 8601 instant with its offset.
pub(crate) fn parse_iso(text: &str) -> Option<i64> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    i64::try_from(time.unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paced_time_never_jumps_when_the_speed_changes() {
        let clock = Clock::new(10.0);
        let before = clock.paced();
        clock.set_speed(1000.0);
        let after = clock.paced();
        assert!(
            after >= before && after - before < 2000.0,
            "{before} {after}"
        );
    }

    #[test]
    fn an_instant_reads_back() {
        assert_eq!(
            parse_iso("2026-11-21T06:10:00Z").map(iso),
            Some("2026-11-21T06:10:00Z".into())
        );
        assert_eq!(
            parse_iso("2026-11-21T11:10:00+05:00").map(iso),
            Some("2026-11-21T06:10:00Z".into())
        );
        assert_eq!(parse_iso("yesterday"), None);
    }
}
