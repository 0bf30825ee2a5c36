//! A cart and its rules. Nothing here knows where it is stored.

use std::{collections::VecDeque, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    super::clock::millis,
    CartId, MAX_APPLIED, MAX_LINES, MAX_QUANTITY, MutationId,
    change::{Change, Refused, Removed, Undo},
    line::{Line, NewLine},
};
use crate::values::Sum;

/// How long a cleared cart can be brought back (FL-06).
pub const UNDO: Duration = Duration::from_secs(10 * 60);

/// The lines of one guest at one venue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cart {
    /// Its name; part of the order key.
    #[serde(skip, default = "CartId::random")]
    pub id: CartId,
    /// Grows with each change; a higher one is newer.
    #[serde(skip)]
    pub version: u64,
    /// The venue; none before the first line.
    #[serde(default)]
    pub filial_id: Option<u64>,
    /// In the order they were added.
    #[serde(default)]
    pub lines: Vec<Line>,
    /// Mutations already counted, oldest first.
    #[serde(default)]
    applied: VecDeque<MutationId>,
    #[serde(default)]
    undo: Option<Undo>,
}

impl Cart {
    /// A cart that nothing was put into yet.
    #[must_use]
    pub fn empty(id: CartId) -> Self {
        Self {
            id,
            version: 0,
            filial_id: None,
            lines: Vec::new(),
            applied: VecDeque::new(),
            undo: None,
        }
    }

    /// Runs `change` unless the mutation was counted before (then `None`). A refused change leaves
    /// the cart as it was, and its mutation uncounted.
    ///
    /// # Errors
    /// What `change` answers.
    pub fn once<T, E>(
        &mut self,
        mutation: Option<&MutationId>,
        change: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        if mutation.is_some_and(|mutation| self.applied.contains(mutation)) {
            return Ok(None);
        }
        let mut changed = self.clone();
        let answer = change(&mut changed)?;
        if let Some(mutation) = mutation {
            changed.applied.push_back(mutation.clone());
            while changed.applied.len() > MAX_APPLIED {
                changed.applied.pop_front();
            }
        }
        *self = changed;
        Ok(Some(answer))
    }

    /// Raises (or lowers) the line of `new` by `delta`. With `replace` the lines of another venue
    /// make way, and are answered.
    ///
    /// # Errors
    /// [`Refused::OtherVenue`], [`Refused::Quantity`], [`Refused::TooManyLines`].
    pub fn add(
        &mut self,
        filial_id: u64,
        new: NewLine,
        delta: i64,
        replace: bool,
        now: i64,
    ) -> Result<Option<Removed>, Refused> {
        let mut removed = None;
        if let Some(other) = self.other_venue(filial_id) {
            if delta <= 0 {
                return Ok(None);
            }
            if !replace {
                return Err(Refused::OtherVenue { filial_id: other });
            }
            removed = self.clear(now);
        }
        let id = new.id();
        if let Some(at) = self.lines.iter().position(|line| line.id == id) {
            self.set_quantity(at, Change::By(delta))?;
            if let Some(line) = self
                .lines
                .get_mut(at)
                .filter(|line| line.id == id && delta > 0)
            {
                line.refresh(new);
            }
            return Ok(removed);
        }
        if delta <= 0 {
            return Ok(removed);
        }
        if self.lines.len() >= MAX_LINES {
            return Err(Refused::TooManyLines { max: MAX_LINES });
        }
        let quantity = quantity(i128::from(delta))?;
        self.filial_id = Some(filial_id);
        self.lines.push(new.into_line(quantity));
        Ok(removed)
    }

    /// Changes the quantity of a line. Lowering a line that is gone is fine; raising it is not.
    ///
    /// # Errors
    /// [`Refused::Quantity`], [`Refused::LineGone`].
    pub fn change(&mut self, line_id: &str, change: Change) -> Result<(), Refused> {
        match self.lines.iter().position(|line| line.id == line_id) {
            Some(at) => self.set_quantity(at, change),
            None => match change {
                Change::By(..=0) | Change::To(0) => Ok(()),
                Change::By(1..) | Change::To(1..) => Err(Refused::LineGone),
            },
        }
    }

    /// Empties the cart; it can be brought back for ten minutes.
    pub fn clear(&mut self, now: i64) -> Option<Removed> {
        let lines = std::mem::take(&mut self.lines);
        let filial_id = self.filial_id.take()?;
        if lines.is_empty() {
            return None;
        }
        self.undo = Some(Undo {
            filial_id,
            lines: lines.clone(),
            at: now,
        });
        Some(Removed { filial_id, lines })
    }

    /// A table QR of this venue was scanned: lines of another venue leave (FL-06). The same venue
    /// again, at whatever table, changes nothing (FL-22).
    pub fn enter_venue(&mut self, filial_id: u64, now: i64) -> Option<Removed> {
        self.other_venue(filial_id)?;
        self.clear(now)
    }

    /// What [`Self::restore`] would bring back at this venue.
    #[must_use]
    pub fn undo(&self, filial_id: u64, now: i64) -> Option<&Undo> {
        self.undo
            .as_ref()
            .filter(|undo| undo.filial_id == filial_id && undo_lives(undo, now))
    }

    /// Brings cleared lines back, at their own venue only, beside what was added there since.
    ///
    /// # Errors
    /// [`Refused::NothingToRestore`], [`Refused::OtherVenue`].
    pub fn restore(&mut self, filial_id: u64, now: i64) -> Result<(), Refused> {
        if let Some(other) = self.other_venue(filial_id) {
            return Err(Refused::OtherVenue { filial_id: other });
        }
        let Some(undo) = self.undo(filial_id, now).cloned() else {
            return Err(Refused::NothingToRestore);
        };
        self.undo = None;
        let added = std::mem::replace(&mut self.lines, undo.lines);
        for line in added {
            if let Some(back) = self.lines.iter_mut().find(|back| back.id == line.id) {
                back.quantity = (back.quantity + line.quantity).min(MAX_QUANTITY);
            } else if self.lines.len() < MAX_LINES {
                self.lines.push(line);
            }
        }
        self.filial_id = Some(filial_id);
        Ok(())
    }

    /// The ordered lines leave; what was added after the order was sent stays. Not undoable.
    pub fn take_ordered(&mut self, ordered: &[Line]) {
        for line in ordered {
            // Lowering never fails.
            let _ = self.change(&line.id, Change::By(-i64::from(line.quantity)));
        }
        self.undo = None;
    }

    /// Drops the lines that `keep` refuses, and lets it correct the others (a new price, a new name).
    pub fn repair(&mut self, keep: impl FnMut(&mut Line) -> bool) {
        self.lines.retain_mut(keep);
        self.leave_if_empty();
    }

    /// Pieces in all lines.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.lines.iter().map(|line| line.quantity).sum()
    }

    /// Sum of all lines as the guest saw them.
    #[must_use]
    pub fn total(&self) -> Sum {
        Sum(self
            .lines
            .iter()
            .fold(0, |sum, line| line.sum().0.saturating_add(sum)))
    }

    /// Whether it holds no line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether that mutation was counted.
    #[must_use]
    pub fn has_applied(&self, mutation: &MutationId) -> bool {
        self.applied.contains(mutation)
    }

    pub(super) fn forget_undo(&mut self, now: i64) {
        self.undo.take_if(|undo| !undo_lives(undo, now));
    }

    fn other_venue(&self, filial_id: u64) -> Option<u64> {
        self.filial_id
            .filter(|own| *own != filial_id && !self.lines.is_empty())
    }

    fn set_quantity(&mut self, at: usize, change: Change) -> Result<(), Refused> {
        let Some(line) = self.lines.get_mut(at) else {
            return Err(Refused::LineGone);
        };
        let wanted = match change {
            Change::By(delta) => i128::from(line.quantity) + i128::from(delta),
            Change::To(count) => i128::from(count),
        };
        if wanted <= 0 {
            self.lines.remove(at);
            self.leave_if_empty();
        } else {
            line.quantity = quantity(wanted)?;
        }
        Ok(())
    }

    fn leave_if_empty(&mut self) {
        if self.lines.is_empty() {
            self.filial_id = None;
        }
    }
}

fn quantity(wanted: i128) -> Result<u32, Refused> {
    u32::try_from(wanted)
        .ok()
        .filter(|quantity| (1..=MAX_QUANTITY).contains(quantity))
        .ok_or(Refused::Quantity { max: MAX_QUANTITY })
}

fn undo_lives(undo: &Undo, now: i64) -> bool {
    now < undo.at.saturating_add(millis(UNDO))
}
