//! A cart and its rules. Nothing here knows where it is stored.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{
    super::clock::millis,
    CartId, MAX_APPLIED, MAX_LINES, MAX_QUANTITY, MutationId,
    change::{Change, Refused, Removed, Undo, Wishes},
    line::{Line, NewLine},
};
use crate::values::Sum;

/// How long a cleared cart can be brought back (FL-06).
pub const UNDO: Duration = Duration::from_secs(10 * 60);

/// How long a cart waits that another venue took the place of: what it holds is of that day's menu.
pub const SAVED_FOR: Duration = Duration::from_secs(24 * 3600);

/// How many saved carts wait at once.
pub const MAX_SAVED: usize = 3;

/// Within this the taps on a dish are one to their guest.
const QUICK: Duration = Duration::from_secs(8);

/// How many of its orders a cart remembers.
const MAX_BECAME: usize = 5;

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
    // Stored under its first name, so that what is stored already is read.
    #[serde(default, rename = "filial_id")]
    pub venue_id: Option<u64>,
    /// In the order they were added.
    #[serde(default)]
    pub lines: Vec<Line>,
    /// When the first of its lines came: a cart that was emptied meanwhile, as for another venue, is of another
    /// generation. Branches sell the same dishes, so lines alone do not tell whether they are those that were ordered.
    #[serde(default)]
    pub generation: i64,
    /// Mutations already counted, oldest first.
    #[serde(default)]
    applied: VecDeque<MutationId>,
    #[serde(default)]
    undo: Option<Undo>,
    /// Carts that other venues took the place of, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    saved: Vec<Undo>,
    /// What a dish has brought back by itself, as long as that can be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    returned: Option<Returned>,
    /// Promo code as the guest typed it; whether it is any good is asked each time (CT-13).
    #[serde(default)]
    pub promo_code: Option<String>,
    /// Bonuses that the guest wants to spend, hundredths; how many may be is worked out each time (CT-08, BL-12).
    #[serde(default)]
    pub bonus: Sum,
    /// The venue that they are wished at, while the cart is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<u64>,
    #[serde(default)]
    taken: Taken,
    /// What became an order that has to be paid online and is not yet.
    #[serde(default)]
    pub unpaid: Option<Unpaid>,
    /// The orders that it became, newest first: a server may die before the session could learn of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub became: Vec<Became>,
    /// The order that was put into it once more, until anything else changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repeated: Option<Repeated>,
}

/// An order that was put into a cart once more, and the version that the cart had then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Repeated {
    order: String,
    version: u64,
}

/// What waited aside and came back with a dish, and the version that the cart had then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Returned {
    was: Undo,
    version: u64,
}

/// An order that a cart became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Became {
    /// Upstream id.
    pub order: String,
    /// What the venue calls it.
    pub number: String,
    /// Its own page, with the capability.
    pub page: String,
    /// When it was placed, milliseconds since the epoch.
    pub at: i64,
}

/// An order that waits for its payment. Its lines stay in the cart until the upstream has confirmed it, so that a guest
/// who does not pay has lost nothing (PY-06, beyond.md 6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpaid {
    /// Its idempotency key.
    pub key: String,
    /// Upstream id.
    pub order: String,
    /// What the venue calls it.
    pub number: String,
    /// Its page of paying.
    pub href: String,
    /// Its own page.
    pub page: String,
    /// When it was placed, milliseconds since the epoch.
    pub at: i64,
    /// What it costs.
    pub sum: Sum,
    /// What was ordered.
    pub lines: Vec<Line>,
    /// The generation of the cart that they are of; none in carts of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// The venue, its day, and the pieces for a promo price by product (MN-14).
    #[serde(rename = "filial_id")]
    pub venue_id: u64,
    /// Days since the epoch on the venue's clock.
    pub day: i64,
    /// Pieces for a promo price by product.
    pub promo: Vec<(u64, u32)>,
}

impl Unpaid {
    /// How many pieces of a line it has.
    fn quantity(&self, line_id: &str) -> u32 {
        let line = self.lines.iter().find(|line| line.id == line_id);
        line.map_or(0, |line| line.quantity)
    }

    fn pieces(&self, line_id: &str) -> i128 {
        i128::from(self.quantity(line_id))
    }

    fn refusal(&self) -> Refused {
        Refused::Unpaid {
            number: self.number.clone(),
        }
    }

    /// The order that the cart has become.
    #[must_use]
    pub fn became(&self) -> Became {
        Became {
            order: self.order.clone(),
            number: self.number.clone(),
            page: self.page.clone(),
            at: self.at,
        }
    }
}

/// Pieces had for a promo price on one day of a venue, by venue and product (MN-14).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Taken {
    /// Days since the epoch on the venue's clock.
    day: i64,
    units: BTreeMap<String, u32>,
}

impl Cart {
    /// A cart that nothing was put into yet.
    #[must_use]
    pub fn empty(id: CartId) -> Self {
        Self {
            id,
            version: 0,
            venue_id: None,
            lines: Vec::new(),
            generation: 0,
            applied: VecDeque::new(),
            undo: None,
            saved: Vec::new(),
            returned: None,
            promo_code: None,
            bonus: Sum(0),
            left: None,
            taken: Taken::default(),
            unpaid: None,
            became: Vec::new(),
            repeated: None,
        }
    }

    /// Remembers that this change has put an order into it once more.
    pub fn note_repeated(&mut self, order: &str) {
        self.repeated = Some(Repeated {
            order: order.to_owned(),
            version: self.version + 1,
        });
    }

    /// Whether that order was put into it once more and nothing has changed since: who presses again means the same.
    #[must_use]
    pub fn is_repeat_of(&self, order: &str) -> bool {
        self.repeated
            .as_ref()
            .is_some_and(|one| one.order == order && one.version == self.version)
    }

    /// Whether that order was the last one that was put into it once more, whatever has changed since.
    #[must_use]
    pub fn had_repeat_of(&self, order: &str) -> bool {
        self.repeated.as_ref().is_some_and(|one| one.order == order)
    }

    /// Remembers an order that it became; the oldest beyond five leaves, as in the session.
    pub fn note_became(&mut self, order: Became) {
        self.became.insert(0, order);
        self.became.truncate(MAX_BECAME);
    }

    /// The order is paid: its lines leave. False when it was settled before.
    pub fn settle(&mut self, order: &str) -> bool {
        let Some(unpaid) = self.unpaid.take_if(|unpaid| unpaid.order == order) else {
            return false;
        };
        self.take_ordered(&unpaid.lines, unpaid.generation);
        self.note_taken(unpaid.day, unpaid.venue_id, &unpaid.promo);
        self.note_became(unpaid.became());
        true
    }

    /// The order was called off unpaid: its lines stay, to be ordered anew.
    pub fn give_up(&mut self, order: &str) {
        self.unpaid.take_if(|unpaid| unpaid.order == order);
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
                // For a day any reader of a finished order takes its dishes out: orders are forgotten last.
                let oldest = changed.applied.iter().position(|one| !one.is_of_order());
                changed.applied.remove(oldest.unwrap_or(0));
            }
        }
        *self = changed;
        Ok(Some(answer))
    }

    /// Raises (or lowers) the line of `new` by `delta`. With `replace` the lines of another venue make way, and are
    /// answered: they wait aside as with the code of a table ([`Self::enter_venue`]).
    ///
    /// # Errors
    /// [`Refused::OtherVenue`], [`Refused::Quantity`], [`Refused::TooManyLines`], [`Refused::Unpaid`].
    pub fn add(
        &mut self,
        venue_id: u64,
        new: NewLine,
        delta: i64,
        replace: bool,
        now: i64,
    ) -> Result<Option<Removed>, Refused> {
        let other = self.other_venue(venue_id);
        if other.is_some() && delta <= 0 {
            return Ok(None);
        }
        if let Some(other) = other.filter(|_| !replace) {
            return Err(Refused::OtherVenue { venue_id: other });
        }
        let id = new.id();
        if delta > 0 {
            self.must_have_room(venue_id, &id, delta, now)?;
            if other.is_some() || self.is_empty() {
                let waited = self.saved_of(venue_id, now).cloned();
                let removed = self.enter_venue(venue_id, now);
                self.put(venue_id, id, new, delta, now)?;
                self.returned = waited.map(|was| Returned {
                    was: Undo { at: now, ..was },
                    version: self.version + 1,
                });
                return Ok(removed);
            }
        }
        self.put(venue_id, id, new, delta, now)?;
        Ok(None)
    }

    /// Whether so many more pieces of a line have room beside what the cart of this venue holds, or will hold once what
    /// waits aside of it is back.
    fn must_have_room(
        &self,
        venue_id: u64,
        line_id: &str,
        delta: i64,
        now: i64,
    ) -> Result<(), Refused> {
        let lines = if self.is_empty() || self.other_venue(venue_id).is_some() {
            let saved = self.saved_of(venue_id, now);
            saved
                .map(|saved| saved.lines.as_slice())
                .unwrap_or_default()
        } else {
            self.lines.as_slice()
        };
        let known = lines.iter().find(|line| line.id == line_id);
        quantity(Change::By(delta).of(known.map_or(0, |line| line.quantity)))?;
        if known.is_none() && lines.len() >= MAX_LINES {
            return Err(Refused::TooManyLines { max: MAX_LINES });
        }
        Ok(())
    }

    /// The line of `new` is raised or lowered, or it comes.
    fn put(
        &mut self,
        venue_id: u64,
        id: String,
        new: NewLine,
        delta: i64,
        now: i64,
    ) -> Result<(), Refused> {
        let Some(at) = self.lines.iter().position(|line| line.id == id) else {
            if delta > 0 {
                let quantity = quantity(i128::from(delta))?;
                self.begin(venue_id, now);
                self.lines.push(new.into_line(quantity));
            }
            return Ok(());
        };
        self.set_quantity(at, Change::By(delta), now)?;
        if let Some(line) = self.lines.get_mut(at).filter(|_| delta > 0) {
            line.refresh(new);
        }
        Ok(())
    }

    /// Changes the quantity of a line. Lowering a line that is gone is fine; raising it is not. A line that leaves
    /// can be brought back.
    ///
    /// # Errors
    /// [`Refused::Quantity`], [`Refused::LineGone`], [`Refused::Unpaid`].
    pub fn change(&mut self, line_id: &str, change: Change, now: i64) -> Result<(), Refused> {
        match self.lines.iter().position(|line| line.id == line_id) {
            Some(at) => self.set_quantity(at, change, now),
            None => match change {
                Change::By(..=0) | Change::To(0) => Ok(()),
                Change::By(1..) | Change::To(1..) => Err(Refused::LineGone),
            },
        }
    }

    /// Puts another choice in the place of a line: options, size, note and quantity. It joins a line that has the same
    /// choice already.
    ///
    /// # Errors
    /// [`Refused::LineGone`] when the line left meanwhile, [`Refused::Quantity`], [`Refused::Unpaid`].
    pub fn replace(&mut self, line_id: &str, new: NewLine, count: u64) -> Result<(), Refused> {
        if let Some(unpaid) = self.unpaid_here()
            && unpaid.pieces(line_id) > 0
        {
            return Err(unpaid.refusal());
        }
        let at = self
            .lines
            .iter()
            .position(|line| line.id == line_id)
            .ok_or(Refused::LineGone)?;
        let mut pieces = i128::from(count);
        let id = new.id();
        let twin = self
            .lines
            .iter()
            .enumerate()
            .position(|(place, line)| place != at && line.id == id);
        if let Some(twin) = twin.and_then(|twin| self.lines.get(twin)) {
            pieces += i128::from(twin.quantity);
        }
        let changed = new.into_line(quantity(pieces)?);
        if let Some(line) = self.lines.get_mut(at) {
            *line = changed;
        }
        if let Some(twin) = twin {
            self.lines.remove(twin);
        }
        Ok(())
    }

    /// Takes the lines along to another service of the same venue (SV-03). What is not sold there is told by the
    /// stop-list check, never dropped here (SV-12).
    pub fn move_to(&mut self, venue_id: u64) {
        if !self.lines.is_empty() {
            self.venue_id = Some(venue_id);
        }
    }

    /// The same, if the cart is of one of these: the ids of that venue, one for each service. Whether it moves.
    pub fn follow(&mut self, siblings: &[u64], venue_id: u64) -> bool {
        let moves = self
            .venue_id
            .is_some_and(|own| own != venue_id && siblings.contains(&own));
        if moves {
            self.move_to(venue_id);
        }
        moves
    }

    /// Empties the cart for a guest who asks for that. What waits for its payment stays: what was added since leaves.
    ///
    /// # Errors
    /// [`Refused::Unpaid`]: there is nothing else.
    pub fn empty_out(&mut self, now: i64) -> Result<(), Refused> {
        let Some(unpaid) = self.unpaid_here().cloned() else {
            self.clear(now);
            return Ok(());
        };
        if !self.lines.iter().any(|line| unpaid.pieces(&line.id) > 0) {
            self.clear(now);
            return Ok(());
        }
        let added = self.take_added(&unpaid);
        let Some((venue_id, lines)) = self.venue_id.zip((!added.is_empty()).then_some(added))
        else {
            return Err(unpaid.refusal());
        };
        self.undo = Some(Undo {
            venue_id,
            lines,
            generation: self.generation,
            at: now,
            place: self.lines.len(),
            wishes: None,
        });
        Ok(())
    }

    /// Takes out what stands beside an order that waits for its payment.
    fn take_added(&mut self, unpaid: &Unpaid) -> Vec<Line> {
        let mut added = Vec::new();
        self.lines.retain_mut(|line| {
            let ordered = unpaid.quantity(&line.id).min(line.quantity);
            if line.quantity > ordered {
                added.push(Line {
                    quantity: line.quantity - ordered,
                    ..line.clone()
                });
            }
            line.quantity = ordered;
            ordered > 0
        });
        added
    }

    /// Empties the cart; it can be brought back for ten minutes.
    pub fn clear(&mut self, now: i64) -> Option<Removed> {
        let left = self.take_all(now)?;
        let removed = Removed::of(&left);
        self.undo = Some(left);
        Some(removed)
    }

    /// Takes out all that it holds.
    fn take_all(&mut self, now: i64) -> Option<Undo> {
        let lines = std::mem::take(&mut self.lines);
        let venue_id = self.venue_id.take()?;
        if lines.is_empty() {
            return None;
        }
        Some(Undo {
            venue_id,
            lines,
            generation: self.generation,
            at: now,
            place: 0,
            wishes: Some(self.take_wishes()),
        })
    }

    /// A table QR of this venue was scanned, or a dish of it is added all the same: lines of another venue leave (FL-06).
    /// The same venue again, at whatever table, changes nothing (FL-22). What leaves waits aside for a day, whatever is
    /// removed meanwhile.
    pub fn enter_venue(&mut self, venue_id: u64, now: i64) -> Option<Removed> {
        let left = self.other_venue(venue_id).and_then(|_| self.take_all(now));
        let removed = left.as_ref().map(Removed::of);
        // Before: what leaves must not push it out.
        self.resume(venue_id, now);
        if let Some(left) = left {
            self.save(left);
        }
        removed
    }

    /// What waits aside for the guest of an empty cart; [`Self::bring_back`] brings it.
    #[must_use]
    pub fn saved(&self, now: i64) -> Option<&Undo> {
        let newest = self.saved.first().filter(|_| self.is_empty());
        newest.filter(|saved| saved_lives(saved, now))
    }

    /// All that waits aside, newest first, whatever the cart holds now; [`Self::bring_back`] brings each by its venue.
    pub fn all_saved(&self, now: i64) -> impl Iterator<Item = &Undo> {
        self.saved
            .iter()
            .filter(move |saved| saved_lives(saved, now))
    }

    /// What waits aside of this venue, whatever the cart holds now.
    #[must_use]
    pub fn saved_of(&self, venue_id: u64, now: i64) -> Option<&Undo> {
        let is_its = |saved: &&Undo| saved.venue_id == venue_id && saved_lives(saved, now);
        self.saved.iter().find(is_its)
    }

    /// What came back by itself with a dish, as long as [`Self::undo_return`] can be asked for.
    #[must_use]
    pub fn returned(&self, now: i64) -> Option<&Undo> {
        let returned = self.returned.as_ref().map(|returned| &returned.was);
        returned.filter(|was| {
            self.venue_id == Some(was.venue_id)
                && self.generation == was.generation
                && undo_lives(was, now)
        })
    }

    /// The same, while nothing else has changed the cart, or for the first seconds: quick taps are several changes.
    #[must_use]
    pub fn just_returned(&self, now: i64) -> Option<&Undo> {
        let version = self.returned.as_ref().map(|returned| returned.version);
        self.returned(now).filter(|was| {
            version == Some(self.version) || now < was.at.saturating_add(millis(QUICK))
        })
    }

    /// What came back by itself waits aside again, and what was chosen since stays: not beside an order that waits for its
    /// payment with something of that.
    ///
    /// # Errors
    /// [`Refused::NothingToRestore`], [`Refused::Unpaid`].
    pub fn undo_return(&mut self, now: i64) -> Result<(), Refused> {
        let Some(mut was) = self.returned(now).cloned() else {
            return Err(Refused::NothingToRestore);
        };
        if let Some(unpaid) = self.unpaid_here() {
            let of_return = |line: &Line| {
                let back = was.lines.iter().find(|back| back.id == line.id);
                back.map_or(0, |back| back.quantity)
            };
            if unpaid
                .lines
                .iter()
                .any(|line| line.quantity > of_return(line))
            {
                return Err(unpaid.refusal());
            }
        }
        self.returned = None;
        was.lines.retain_mut(|back| {
            let Some(line) = self.lines.iter_mut().find(|line| line.id == back.id) else {
                return false;
            };
            back.quantity = back.quantity.min(line.quantity);
            line.quantity -= back.quantity;
            back.quantity > 0
        });
        self.lines.retain(|line| line.quantity > 0);
        if was.lines.is_empty() {
            return Err(Refused::NothingToRestore);
        }
        was.at = now;
        was.wishes = Some(self.take_wishes());
        // What stays is no part of an order that the cart of then has become.
        self.generation = now;
        self.save(was);
        self.leave_if_empty();
        Ok(())
    }

    /// What [`Self::restore`] would bring back at this venue.
    #[must_use]
    pub fn undo(&self, venue_id: u64, now: i64) -> Option<&Undo> {
        self.removed(now).filter(|undo| undo.venue_id == venue_id)
    }

    /// Brings cleared lines back, at their own venue only, beside what was added there since.
    ///
    /// # Errors
    /// [`Refused::NothingToRestore`], [`Refused::OtherVenue`].
    pub fn restore(&mut self, venue_id: u64, now: i64) -> Result<(), Refused> {
        if let Some(other) = self.other_venue(venue_id) {
            return Err(Refused::OtherVenue { venue_id: other });
        }
        let Some(undo) = self.undo(venue_id, now).cloned() else {
            return Err(Refused::NothingToRestore);
        };
        self.undo = None;
        // What is ordered beside it leaves once it is paid: the cart stays of the order's generation.
        let is_ordered = !self.is_empty() && self.unpaid_here().is_some();
        for (place, line) in (undo.place..).zip(undo.lines) {
            let same = self.lines.iter().position(|added| added.id == line.id);
            let added = same.map(|at| self.lines.remove(at).quantity);
            let back = Line {
                quantity: (line.quantity + added.unwrap_or(0)).min(MAX_QUANTITY),
                ..line
            };
            self.lines.insert(place.min(self.lines.len()), back);
        }
        self.lines.truncate(MAX_LINES);
        self.venue_id = Some(venue_id);
        if !is_ordered {
            self.generation = undo.generation;
        }
        self.returned = None;
        self.left = None;
        if let Some(wishes) = undo.wishes {
            self.wish(wishes);
        }
        Ok(())
    }

    /// Brings back what left last, wherever it belongs, or what waits aside, of `venue` if one is named: a cart of
    /// another venue changes places with it, so that this can be undone as well (FL-06).
    ///
    /// # Errors
    /// [`Refused::NothingToRestore`].
    pub fn bring_back(&mut self, venue: Option<u64>, now: i64) -> Result<(), Refused> {
        self.forget_undo(now);
        let undo = self.undo.take_if(|_| venue.is_none());
        let undo = undo.or_else(|| self.take_saved(venue, now));
        let Some(undo) = undo else {
            return Err(Refused::NothingToRestore);
        };
        match self.other_venue(undo.venue_id) {
            Some(other) => {
                let wishes = self.take_wishes();
                let left = Undo {
                    venue_id: other,
                    lines: std::mem::replace(&mut self.lines, undo.lines),
                    generation: std::mem::replace(&mut self.generation, undo.generation),
                    at: now,
                    place: 0,
                    wishes: Some(wishes),
                };
                self.save(left);
                self.wish(undo.wishes.unwrap_or_default());
                self.venue_id = Some(undo.venue_id);
                Ok(())
            }
            None => {
                let venue = undo.venue_id;
                self.undo = Some(undo);
                self.restore(venue, now)
            }
        }
    }

    /// The other venue whose cart [`Self::bring_back`] would take from those that wait aside: lines that were removed come
    /// first, and belong to no table.
    #[must_use]
    pub fn comes_back(&self, venue: Option<u64>, now: i64) -> Option<u64> {
        if venue.is_none() && self.removed(now).is_some() {
            return None;
        }
        let is_meant = |saved: &&Undo| {
            saved_lives(saved, now) && venue.is_none_or(|venue| saved.venue_id == venue)
        };
        let saved = self.saved.iter().find(is_meant)?;
        Some(saved.venue_id).filter(|back| self.venue_id != Some(*back))
    }

    /// What left last, as long as it can be brought back.
    #[must_use]
    pub fn removed(&self, now: i64) -> Option<&Undo> {
        self.undo.as_ref().filter(|undo| undo_lives(undo, now))
    }

    /// What left at this very moment: the change that was just made removed it.
    #[must_use]
    pub fn removed_at(&self, now: i64) -> Option<&Undo> {
        self.undo.as_ref().filter(|undo| undo.at == now)
    }

    /// Takes in lines that stood in another cart of the same venue.
    ///
    /// # Errors
    /// [`Refused::OtherVenue`], [`Refused::Quantity`], [`Refused::TooManyLines`].
    pub fn take_in(&mut self, venue_id: u64, lines: &[Line], now: i64) -> Result<(), Refused> {
        if let Some(other) = self.other_venue(venue_id) {
            return Err(Refused::OtherVenue { venue_id: other });
        }
        for line in lines {
            if let Some(own) = self.lines.iter_mut().find(|own| own.id == line.id) {
                own.quantity = quantity(i128::from(own.quantity) + i128::from(line.quantity))?;
                continue;
            }
            if self.lines.len() >= MAX_LINES {
                return Err(Refused::TooManyLines { max: MAX_LINES });
            }
            self.begin(venue_id, now);
            self.lines.push(line.clone());
        }
        Ok(())
    }

    /// Whether all that was ordered is in it: a cart that has gathered anew holds none of it.
    #[must_use]
    pub fn holds(&self, ordered: &[Line], generation: Option<i64>) -> bool {
        let has = |line: &Line| {
            let own = self.lines.iter().find(|own| own.id == line.id);
            own.is_some_and(|own| own.quantity >= line.quantity)
        };
        !ordered.is_empty() && self.is_of(generation) && ordered.iter().all(has)
    }

    /// The ordered lines leave; what was added after the order was sent stays, as does a cart that has gathered anew.
    /// Not undoable.
    pub fn take_ordered(&mut self, ordered: &[Line], generation: Option<i64>) {
        self.take_from_saved(ordered, generation);
        if !self.is_of(generation) {
            self.undo
                .take_if(|undo| Some(undo.generation) == generation);
            return;
        }
        for gone in ordered {
            if let Some(at) = self.lines.iter().position(|line| line.id == gone.id) {
                // Fewer than there were are never too many.
                let _ = self.put_quantity(at, Change::By(-i64::from(gone.quantity)), 0);
            }
        }
        self.undo = None;
        self.take_wishes();
    }

    /// Remembers what was ordered for a promo price on a day of the venue (MN-14).
    pub fn note_taken(&mut self, day: i64, venue_id: u64, units: &[(u64, u32)]) {
        if self.taken.day != day {
            self.taken = Taken {
                day,
                units: BTreeMap::new(),
            };
        }
        for (product, count) in units {
            *self
                .taken
                .units
                .entry(format!("{venue_id}/{product}"))
                .or_default() += count;
        }
    }

    /// Pieces of a product that were had for a promo price on that day (MN-14).
    #[must_use]
    pub fn taken(&self, day: i64, venue_id: u64, product: u64) -> u32 {
        let units = (self.taken.day == day).then_some(&self.taken.units);
        units
            .and_then(|units| units.get(&format!("{venue_id}/{product}")).copied())
            .unwrap_or(0)
    }

    /// Drops the lines that `keep` refuses, and lets it correct the others (a new price, a new name). What waits for its
    /// payment stays.
    pub fn repair(&mut self, mut keep: impl FnMut(&mut Line) -> bool) {
        let unpaid = self.unpaid_here().cloned();
        self.lines.retain_mut(|line| {
            if keep(line) {
                return true;
            }
            let ordered = unpaid
                .as_ref()
                .map_or(0, |unpaid| unpaid.quantity(&line.id));
            line.quantity = line.quantity.min(ordered);
            line.quantity > 0
        });
        self.leave_if_empty();
    }

    /// How many pieces of a line wait with an order for their payment.
    #[must_use]
    pub fn ordered(&self, line_id: &str) -> u32 {
        self.unpaid_here()
            .map_or(0, |unpaid| unpaid.quantity(line_id))
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

    /// Whether there is nothing of a guest to be shown: no line, and none that waits aside.
    #[must_use]
    pub fn is_blank(&self, now: i64) -> bool {
        self.is_empty() && self.saved(now).is_none()
    }

    /// Whether that mutation was counted.
    #[must_use]
    pub fn has_applied(&self, mutation: &MutationId) -> bool {
        self.applied.contains(mutation)
    }

    pub(super) fn forget_undo(&mut self, now: i64) {
        self.undo.take_if(|undo| !undo_lives(undo, now));
        self.saved.retain(|saved| saved_lives(saved, now));
    }

    /// What waits aside of this venue comes back by itself to a guest who is there again.
    fn resume(&mut self, venue_id: u64, now: i64) {
        if self.is_empty() && self.saved_of(venue_id, now).is_some() {
            let earlier = self.undo.take();
            // There is one, so it is not refused.
            let _ = self.bring_back(Some(venue_id), now);
            self.undo = earlier;
        }
    }

    /// What waits of one venue is one cart.
    fn save(&mut self, mut left: Undo) {
        let is_same = |saved: &Undo| saved.venue_id == left.venue_id && saved_lives(saved, left.at);
        if let Some(at) = self.saved.iter().position(is_same) {
            let earlier = self.saved.remove(at);
            let unpaid = self.unpaid.as_ref().and_then(|unpaid| unpaid.generation);
            left.join(earlier, unpaid);
        }
        self.saved.insert(0, left);
        self.saved.truncate(MAX_SAVED);
    }

    fn take_saved(&mut self, venue: Option<u64>, now: i64) -> Option<Undo> {
        let is_meant = |one: &Undo| venue.is_none_or(|venue| one.venue_id == venue);
        let at = self.saved.iter().position(is_meant)?;
        // It is brought back at once, however long it has waited.
        Some(Undo {
            at: now,
            ..self.saved.remove(at)
        })
    }

    /// The same for what waits aside: what is paid for is not offered again.
    fn take_from_saved(&mut self, ordered: &[Line], generation: Option<i64>) {
        let of_order = |saved: &&mut Undo| Some(saved.generation) == generation;
        for saved in self.saved.iter_mut().filter(of_order) {
            saved.wishes = None;
            saved.lines.retain_mut(|line| {
                let gone = ordered.iter().find(|gone| gone.id == line.id);
                line.quantity = line
                    .quantity
                    .saturating_sub(gone.map_or(0, |gone| gone.quantity));
                line.quantity > 0
            });
        }
        self.saved.retain(|saved| !saved.lines.is_empty());
    }

    fn is_of(&self, generation: Option<i64>) -> bool {
        generation.is_none_or(|generation| generation == self.generation)
    }

    /// The order that waits for its payment, if its lines are among those of now.
    fn unpaid_here(&self) -> Option<&Unpaid> {
        self.unpaid
            .as_ref()
            .filter(|unpaid| self.is_of(unpaid.generation))
    }

    /// An empty cart gathers anew.
    fn begin(&mut self, venue_id: u64, now: i64) {
        if self.lines.is_empty() {
            self.generation = now;
            // Codes and bonuses are of a venue: another one gets none of them.
            if self.left.take().is_some_and(|left| left != venue_id) {
                self.take_wishes();
            }
        }
        self.venue_id = Some(venue_id);
    }

    fn other_venue(&self, venue_id: u64) -> Option<u64> {
        self.venue_id
            .filter(|own| *own != venue_id && !self.lines.is_empty())
    }

    fn set_quantity(&mut self, at: usize, change: Change, now: i64) -> Result<(), Refused> {
        let Some(line) = self.lines.get(at) else {
            return Err(Refused::LineGone);
        };
        let wanted = change.of(line.quantity);
        if let Some(unpaid) = self.unpaid_here()
            && wanted < i128::from(line.quantity)
            && wanted < unpaid.pieces(&line.id)
        {
            return Err(unpaid.refusal());
        }
        self.put_quantity(at, change, now)
    }

    /// Whatever waits for its payment.
    fn put_quantity(&mut self, at: usize, change: Change, now: i64) -> Result<(), Refused> {
        let Some(line) = self.lines.get_mut(at) else {
            return Err(Refused::LineGone);
        };
        let wanted = change.of(line.quantity);
        if wanted <= 0 {
            let line = self.lines.remove(at);
            let wishes = self.lines.is_empty().then(|| self.wishes());
            self.undo = self.venue_id.map(|venue_id| Undo {
                venue_id,
                lines: vec![line],
                generation: self.generation,
                at: now,
                place: at,
                wishes,
            });
            self.leave_if_empty();
        } else {
            line.quantity = quantity(wanted)?;
        }
        Ok(())
    }

    fn leave_if_empty(&mut self) {
        if self.lines.is_empty() {
            self.left = self.venue_id.take();
        }
    }

    fn wishes(&self) -> Wishes {
        Wishes {
            promo_code: self.promo_code.clone(),
            bonus: self.bonus,
        }
    }

    fn take_wishes(&mut self) -> Wishes {
        Wishes {
            promo_code: self.promo_code.take(),
            bonus: std::mem::replace(&mut self.bonus, Sum(0)),
        }
    }

    fn wish(&mut self, wishes: Wishes) {
        self.promo_code = wishes.promo_code;
        self.bonus = wishes.bonus;
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

fn saved_lives(saved: &Undo, now: i64) -> bool {
    now < saved.at.saturating_add(millis(SAVED_FOR))
}
