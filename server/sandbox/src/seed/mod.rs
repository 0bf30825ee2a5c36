//! The seeded catalogue.

use crate::model::Seed;

/// Everything that the sandbox starts with.
pub fn seed() -> Seed {
    Seed::default()
}
