//! What the guests of one bill do at the same time: who has chosen which dishes, what is being paid, when the waiter was
//! called. One versioned record for each bill, shared by all servers and changed by compare-and-set.
//!
//! The records lie in the table of the carts, which is one of versioned texts: a table of their own would be another
//! schema, which can't be rolled in beside a server that runs. Their names hold a dot, which no cart's name does.

use std::{collections::BTreeMap, time::Duration};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    Error,
    clock::Clock,
    engine::Engine,
    texts::{Text, backoff},
};
use crate::values::Sum;

/// As long as a record of a payment is kept: only that says what a part was.
const LIFETIME: Duration = super::idempotency::LIFETIME;
const ATTEMPTS: u32 = 200;

/// How many of each line, by the line's key.
pub type Units = BTreeMap<String, u32>;

/// What is known of the guests of one bill.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tab {
    /// When the waiter was called last, milliseconds since the epoch.
    #[serde(default)]
    pub called_at: Option<i64>,
    /// In the record of a table: its last bill of which a part was begun here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// When one guest has called waiters, to whatever tables: in the record of that guest alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<i64>,
    /// Dishes that guests have chosen and not paid yet.
    #[serde(default)]
    pub holds: Vec<Hold>,
    /// For how long pieces of each line were chosen, all guests together, in milliseconds and by the line's key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub chosen: BTreeMap<String, i64>,
    /// Parts that are being paid, were paid, or came to nothing.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// What its parts had to come to when the last one was begun: all of the bill that was not paid elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Sum>,
}

/// Dishes that one guest has chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// A name of the guest that does not identify them.
    pub guest: String,
    /// Which.
    pub units: Units,
    /// They are free again from then on.
    pub until: i64,
}

/// A part of the bill that a guest pays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Whose.
    pub guest: String,
    /// Which of this guest's parts, from 0.
    pub turn: u32,
    /// Its idempotency key.
    pub key: String,
    /// Its dishes, where it is one of dishes.
    pub units: Units,
    /// Where it takes all that is left: the dishes that nobody has to pay for once it is paid.
    #[serde(default, skip_serializing_if = "Units::is_empty")]
    pub rest: Units,
    /// How many people it is for, where the bill is divided equally.
    pub people: u32,
    /// Among how many the guest has divided it; 0 where that is unknown.
    #[serde(default)]
    pub of: u32,
    /// Of the bill.
    pub sum: Sum,
    /// On top of it.
    pub tips: Sum,
    /// Of the sum, with bonuses.
    #[serde(default)]
    pub bonus: Sum,
    /// A name of the address that it was begun from, which leads to none; another one at each bill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Another request has worked on it then.
    pub at: i64,
    /// The attempt at the bank, once there is one.
    pub payment: Option<String>,
    /// How it stands.
    pub state: ClaimState,
}

impl Claim {
    /// Its sum, its tips and its bonuses, by which a bill of the upstream tells its parts apart.
    #[must_use]
    pub const fn sums(&self) -> (Sum, Sum, Sum) {
        (self.sum, self.tips, self.bonus)
    }
}

/// How a part stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimState {
    /// It belongs to one guest.
    Paying,
    /// The upstream has the money.
    Paid,
    /// It came to nothing: what it held is free again.
    Ended,
}

/// The records in the store.
#[derive(Debug, Clone)]
pub struct Tabs {
    engine: Engine,
    clock: Clock,
}

impl Tabs {
    pub(super) const fn new(engine: Engine, clock: Clock) -> Self {
        Self { engine, clock }
    }

    /// What is known of a bill; nothing is an empty record.
    ///
    /// # Errors
    /// When the store fails or holds something unreadable.
    pub async fn load(&self, bill: &str) -> Result<Tab, Error> {
        Ok(self.read(name_of(bill)).await?.1)
    }

    /// Changes a record and answers it as it then is, with what `change` answered. `change` may run several times, each
    /// time on a fresh record; one that leaves it as it was writes nothing.
    ///
    /// # Errors
    /// When the store does not answer, or too many others change the same record.
    pub async fn update<T>(
        &self,
        bill: &str,
        mut change: impl FnMut(&mut Tab) -> T,
    ) -> Result<(Tab, T), Error> {
        let name = name_of(bill);
        for attempt in 0..ATTEMPTS {
            let (version, before) = self.read(name.clone()).await?;
            let mut tab = before.clone();
            let answer = change(&mut tab);
            if tab == before || self.swap(&name, version, &tab).await? {
                return Ok((tab, answer));
            }
            tokio::time::sleep(backoff(attempt)).await;
        }
        Err(Error::Contended(ATTEMPTS))
    }

    async fn read(&self, name: String) -> Result<(i64, Tab), Error> {
        let found = self.engine.text(&name).await?;
        let Some((version, body)) = found else {
            return Ok((0, Tab::default()));
        };
        let tab = serde_json::from_str(&body)
            .map_err(|error| Error::Corrupt(format!("what is known of a bill: {error}")))?;
        Ok((version, tab))
    }

    /// Writes the record if the stored one still has the version `expected`; 0 is one that was never written.
    async fn swap(&self, name: &str, expected: i64, tab: &Tab) -> Result<bool, Error> {
        let body = serde_json::to_string(tab).map_err(|error| Error::Corrupt(error.to_string()))?;
        self.engine
            .swap_text(Text {
                name: name.to_owned(),
                expected,
                version: expected + 1,
                body,
                now: self.clock.now(),
                lifetime: LIFETIME,
            })
            .await
    }
}

fn name_of(bill: &str) -> String {
    let hash = Sha256::digest(bill.as_bytes());
    format!("bill.{}", URL_SAFE_NO_PAD.encode(hash))
}
