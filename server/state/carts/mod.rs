//! Carts: one versioned record each, changed by compare-and-set, so that parallel edits of two tabs
//! or two servers lose nothing. The record knows which mutations it has seen, so that a tap
//! that is sent twice counts once (beyond.md, 3).

mod cart;
mod change;
mod line;

use std::time::Duration;

use rusqlite::Transaction;
use sha2::{Digest as _, Sha256};

pub use super::texts::Beside;
pub use cart::{Became, Cart, MAX_SAVED, UNDO, Unpaid};
pub use change::{Change, Refused, Removed, Undo};
pub use line::{Choice, Line, NewLine};

use super::{
    ABSOLUTE, Error,
    clock::Clock,
    engine::Engine,
    texts::{Text, backoff},
};
use crate::keys::seal::{self, Keys};

/// Most pieces of one line (CT-20).
pub const MAX_QUANTITY: u32 = 99;
/// Most lines of a cart.
pub const MAX_LINES: usize = 100;
/// How many mutations a cart remembers.
pub const MAX_APPLIED: usize = 256;

/// A cart that was not changed for as long as a session can live has no owner left.
const LIFETIME: Duration = ABSOLUTE;
const ATTEMPTS: u32 = 200;

/// What the key of carts is derived for.
const PURPOSE: &str = "cart";

/// Begins the name of what an order changes; a guest's own names hold no space.
const OF_ORDER: &str = "order ";

/// Names a cart; kept in the session and never sent to a browser.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct CartId(String);

impl CartId {
    /// A new name of 128 random bits.
    #[must_use]
    pub fn random() -> Self {
        Self(seal::random_name())
    }

    /// Reads a name that was kept.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        seal::is_name(text).then(|| Self(text.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells it from the guest's other carts, and does not tell the name.
    #[must_use]
    pub fn mark(&self) -> u32 {
        let hash = Sha256::digest(&self.0);
        u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]])
    }
}

/// Names one change that a guest made, so that its repetition is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct MutationId(String);

impl MutationId {
    /// Reads the field `m`: 22 url-safe characters.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        seal::is_name(text).then(|| Self(text.to_owned()))
    }

    /// The change that an accepted order makes: its lines leave the cart, once.
    #[must_use]
    pub fn of_order(order_key: &str) -> Self {
        Self(format!("{OF_ORDER}{order_key}"))
    }

    fn is_of_order(&self) -> bool {
        self.0.starts_with(OF_ORDER)
    }
}

/// Why an update did not happen.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError<E> {
    /// The store failed.
    #[error(transparent)]
    State(#[from] Error),
    /// The change itself was refused; the cart is as it was.
    #[error("{0}")]
    Refused(E),
}

/// Carts in the store.
#[derive(Debug, Clone)]
pub struct Carts {
    engine: Engine,
    keys: Keys,
    clock: Clock,
}

impl Carts {
    pub(super) fn new(engine: Engine, keys: Keys, clock: Clock) -> Self {
        Self {
            engine,
            keys,
            clock,
        }
    }

    /// The cart of that name; an unknown one is empty, at version 0.
    ///
    /// # Errors
    /// When the store fails or holds something unreadable.
    pub async fn load(&self, id: &CartId) -> Result<Cart, Error> {
        self.load_beside(id, None).await
    }

    /// The same, from what was read of it together with its session, if nothing was written since.
    ///
    /// # Errors
    /// When the store fails or holds something unreadable.
    pub async fn load_beside(&self, id: &CartId, beside: Option<Beside>) -> Result<Cart, Error> {
        let found = self.engine.text_beside(&id.0, beside).await?;
        let mut cart = match found {
            None => Cart::empty(id.clone()),
            Some((version, body)) => {
                let mut cart = self.read(&body)?;
                cart.id = id.clone();
                cart.version = u64::try_from(version).unwrap_or(0);
                cart
            }
        };
        cart.forget_undo(self.clock.now());
        Ok(cart)
    }

    /// Changes a cart and answers it as it then is, with what `change` answered.
    ///
    /// `change` may run several times, each time on a fresh cart; it must do nothing else. A change
    /// that leaves the cart as it was writes nothing and keeps the version.
    ///
    /// # Errors
    /// [`UpdateError::Refused`] with the error of `change`, else what the store says.
    pub async fn update<T, E>(
        &self,
        id: &CartId,
        mut change: impl FnMut(&mut Cart) -> Result<T, E>,
    ) -> Result<(Cart, T), UpdateError<E>> {
        for attempt in 0..ATTEMPTS {
            let before = self.load(id).await?;
            let mut cart = before.clone();
            let answer = change(&mut cart).map_err(UpdateError::Refused)?;
            if cart == before {
                return Ok((cart, answer));
            }
            cart.id = before.id;
            cart.version = before.version + 1;
            if self.swap(before.version, &cart).await? {
                return Ok((cart, answer));
            }
            metrics::counter!("state_cart_conflicts_total").increment(1);
            tokio::time::sleep(backoff(attempt)).await;
        }
        Err(Error::Contended(ATTEMPTS).into())
    }

    /// Deletes a cart; one that is not there is gone already.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete(&self, id: &CartId) -> Result<(), Error> {
        self.engine.delete_text(&id.0).await
    }

    /// A cart is sealed: it holds what guests have written, and addresses that open their orders (S-04). Those of older
    /// programs are not.
    fn read(&self, body: &str) -> Result<Cart, Error> {
        let opened = if body.starts_with('{') {
            None
        } else {
            let opened = self.keys.open_text(PURPOSE, body);
            Some(opened.ok_or_else(|| Error::Corrupt("cart: sealed by others".to_owned()))?)
        };
        serde_json::from_str(opened.as_deref().unwrap_or(body))
            .map_err(|error| Error::Corrupt(format!("cart: {error}")))
    }

    /// Writes `cart` if the stored one still has the version `expected`.
    async fn swap(&self, expected: u64, cart: &Cart) -> Result<bool, Error> {
        let plain = serde_json::to_string(cart)
            .map_err(|error| Error::Corrupt(format!("cart: {error}")))?;
        let body = self.keys.seal_text(PURPOSE, &plain);
        self.engine
            .swap_text(Text {
                name: cart.id.0.clone(),
                expected: signed(expected),
                version: signed(cart.version),
                body,
                now: self.clock.now(),
                lifetime: LIFETIME,
            })
            .await
    }
}

/// Puts a copy of a cart under another name, with its version; of one that is not there, nothing.
pub(super) fn copy(db: &Transaction<'_>, from: &CartId, to: &CartId) -> rusqlite::Result<usize> {
    db.prepare_cached(
        "INSERT INTO carts (id, version, body, expires_at)
         SELECT ?, version, body, expires_at FROM carts WHERE id = ?",
    )?
    .execute([to.as_str(), from.as_str()])
}

/// Deletes carts that no session can name any more.
pub(super) fn sweep(db: &Transaction<'_>, now: i64) -> rusqlite::Result<usize> {
    db.execute("DELETE FROM carts WHERE expires_at <= ?", [now])
}

fn signed(version: u64) -> i64 {
    i64::try_from(version).unwrap_or(i64::MAX)
}
