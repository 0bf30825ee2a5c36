//! What texts that find nothing were found to mean. A list that grows, Back and a reload ask for the same text again, and
//! working out what may be meant costs many calls.

use std::time::Duration;

use moka::sync::Cache;

/// As long as a guest looks at one list; a menu may change.
const LASTS: Duration = Duration::from_secs(600);
/// Texts of all guests.
const MOST: u64 = 2000;

/// What was looked for instead of a text.
#[derive(Debug, Clone)]
pub struct Correction {
    /// As it is told to the guest; none where it only is another script.
    pub shown: Option<String>,
    /// As the upstream was asked.
    pub texts: Vec<String>,
    /// For so many pages of each text.
    pub calls: u32,
}

/// Corrections by the search that they belong to; cloning shares them.
#[derive(Debug, Clone)]
pub struct Corrections(Cache<String, Correction>);

impl Default for Corrections {
    fn default() -> Self {
        let cache = Cache::builder().max_capacity(MOST).time_to_live(LASTS);
        Self(cache.build())
    }
}

impl Corrections {
    /// The one of a search, if it is known.
    #[must_use]
    pub fn get(&self, search: &str) -> Option<Correction> {
        self.0.get(search)
    }

    /// Takes in the one of a search.
    pub fn insert(&self, search: String, correction: Correction) {
        self.0.insert(search, correction);
    }
}
