//! What can be done to a cart, what it answers, and why it refuses.

use serde::{Deserialize, Serialize};

use super::{MAX_LINES, MAX_QUANTITY, line::Line};
use crate::values::Sum;

/// What was cleared, for as long as it can be brought back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// The venue that the lines belong to.
    // Stored under its first name, so that what is stored already is read.
    #[serde(rename = "filial_id")]
    pub venue_id: u64,
    /// The lines.
    pub lines: Vec<Line>,
    /// The generation of the cart that they are of.
    #[serde(default)]
    pub generation: i64,
    /// When they were cleared.
    pub at: i64,
    /// Where the first of them stood.
    #[serde(default)]
    pub place: usize,
    /// What was wished with them, when they were all that the cart held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wishes: Option<Wishes>,
}

impl Undo {
    /// Takes in what has waited of the same venue for longer. Of the two it is of the generation of an order that waits for
    /// its payment, so that what is paid for leaves it.
    pub(super) fn join(&mut self, earlier: Self, unpaid: Option<i64>) {
        for line in earlier.lines {
            match self.lines.iter_mut().find(|own| own.id == line.id) {
                Some(own) => own.quantity = (own.quantity + line.quantity).min(MAX_QUANTITY),
                None => self.lines.push(line),
            }
        }
        self.lines.truncate(MAX_LINES);
        if unpaid == Some(earlier.generation) {
            self.generation = earlier.generation;
        }
        let wishes = self.wishes.take().filter(|own| *own != Wishes::default());
        self.wishes = wishes.or(earlier.wishes);
    }

    /// Pieces in all lines.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.lines.iter().map(|line| line.quantity).sum()
    }
}

/// What a guest wishes for the lines of one venue.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wishes {
    /// A promo code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promo_code: Option<String>,
    /// Bonuses to spend, hundredths.
    #[serde(default)]
    pub bonus: Sum,
}

/// Why a change was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The cart holds lines of another venue; ask before replacing them (CT-16).
    #[error("the cart belongs to venue {venue_id}")]
    OtherVenue {
        /// That venue.
        venue_id: u64,
    },
    /// More pieces than one line may hold (CT-20).
    #[error("a line holds at most {max} pieces")]
    Quantity {
        /// The most.
        max: u32,
    },
    /// More lines than a cart may hold.
    #[error("a cart holds at most {max} lines")]
    TooManyLines {
        /// The most.
        max: usize,
    },
    /// There is no such line any more.
    #[error("the line is not in the cart any more")]
    LineGone,
    /// The line is part of an order that waits for its payment: a guest who takes it out would pay for it all the same
    /// (beyond.md, 6).
    #[error("order {number} waits for its payment with it")]
    Unpaid {
        /// What the venue calls it.
        number: String,
    },
    /// Nothing to bring back: too late, another venue, or never cleared.
    #[error("there is nothing to bring back")]
    NothingToRestore,
}

/// How to change the quantity of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// By a difference, up or down.
    By(i64),
    /// To a quantity; 0 removes the line.
    To(u64),
}

impl Change {
    /// The quantity that `pieces` become; zero or less removes the line.
    pub(super) fn of(self, pieces: u32) -> i128 {
        match self {
            Self::By(delta) => i128::from(pieces) + i128::from(delta),
            Self::To(count) => i128::from(count),
        }
    }
}

/// Lines that left because a venue was entered or agreed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The venue that they belonged to.
    pub venue_id: u64,
    /// The lines.
    pub lines: Vec<Line>,
}

impl Removed {
    pub(super) fn of(left: &Undo) -> Self {
        Self {
            venue_id: left.venue_id,
            lines: left.lines.clone(),
        }
    }
}
