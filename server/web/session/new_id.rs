//! The session goes on under another id: at sign-in, when another guest signs in, at sign-out (S-03).

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;
use tower_sessions::Session;

use super::{
    Account, Borrowed, Key, OpenedFridge, PushToken, Restorable, Sess, Unavailable, unavailable,
};
use crate::{
    keys::seal,
    state::{
        carts::CartId,
        sessions::{IdChange, Left, Sessions},
    },
    upstream::UserId,
};

/// Whose is what the session holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Things {
    /// Of the guest who goes on: all stays.
    Own,
    /// The former guest is gone: only where the device stands is left (S-16).
    Another,
}

/// What came of it.
#[derive(Debug)]
pub enum Moved {
    /// It goes on.
    On {
        /// Who was signed in before.
        before: Option<Account>,
    },
    /// It has ended meanwhile: in another tab, on a tablet. Nothing was written.
    Over,
}

/// What another session held that was ended.
pub struct Ended {
    /// Who was signed in.
    pub account: Account,
    /// Where that guest was told things.
    pub push: Option<PushToken>,
    /// The cart, which no session names any more.
    pub cart: Option<CartId>,
    /// The last fridge that was opened there.
    pub fridge: Option<OpenedFridge>,
}

impl Sess {
    /// Signs the visit in, under a new session id.
    ///
    /// The answer that tells the browser its new id may be lost on the way, and other tabs are still asking under the
    /// old one. So that finds table, orders and a copy of the cart for as long as a meal takes, signed out.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written: all is as it was then.
    pub async fn sign_in(
        &self,
        store: &Sessions,
        account: &Account,
        things: Things,
        now: i64,
    ) -> Result<Moved, Unavailable> {
        let mut set = vec![
            (Key::Account, Some(json(account)?)),
            (Key::Restorable, None),
            (Key::LastUser, account.user.as_ref().map(json).transpose()?),
            (Key::SignedInAt, Some(now.into())),
        ];
        // All that is asked for this guest is asked as one device (ST-12), which may be as young as this request.
        let device = self.device().await.unwrap_or_else(seal::random_name);
        set.push((Key::Device, Some(device.into())));
        self.change_id(store, set, things).await
    }

    /// Keeps a deleted account until it is restored (AU-16): the guest is signed out. Under a new id too, as the old
    /// one could restore it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written: all is as it was then.
    pub async fn keep_restorable(
        &self,
        store: &Sessions,
        deleted: &Restorable,
        things: Things,
    ) -> Result<Moved, Unavailable> {
        let set = vec![
            (Key::Account, None),
            (Key::Restorable, Some(json(deleted)?)),
            (
                Key::LastUser,
                deleted.account.user.as_ref().map(json).transpose()?,
            ),
        ];
        self.change_id(store, set, things).await
    }

    /// Ends the session: at sign-out. What says where this device is stays: the table that its guest sits at, that it was
    /// asked for its town. The device itself is another one: the next guest is not told the bookings of this one (S-16).
    ///
    /// # Errors
    /// [`Unavailable`] when the store does not answer: all is as it was then.
    pub async fn end(&self, store: &Sessions) -> Result<Moved, Unavailable> {
        self.change_id(store, Vec::new(), Things::Another).await
    }

    /// Ends every other session of an account, in whatever browser, with all that it holds (S-25).
    ///
    /// # Errors
    /// [`Unavailable`] when the store does not answer: some of them may have ended by then.
    pub async fn end_others(
        &self,
        store: &Sessions,
        user: UserId,
    ) -> Result<Vec<Ended>, Unavailable> {
        let account = |data: &HashMap<String, Value>| -> Option<Account> {
            let account = data.get(Key::Account.name())?;
            serde_json::from_value(account.clone()).ok()
        };
        let is_of_user =
            move |data: &HashMap<String, Value>| account(data)?.user.filter(|own| *own == user);
        let ended = store
            .delete_where(self.id(), move |data| is_of_user(data).is_some())
            .await
            .map_err(|error| unavailable(error.into()))?;
        Ok(ended
            .into_iter()
            .filter_map(|mut data| {
                let mut value = |key: Key| data.remove(key.name());
                let borrowed = value(Key::Borrowed)
                    .and_then(|stored| serde_json::from_value::<Borrowed>(stored).ok());
                let cart = value(Key::Cart).and_then(|cart| serde_json::from_value(cart).ok());
                Some(Ended {
                    account: serde_json::from_value(value(Key::Account)?).ok()?,
                    push: value(Key::Push).and_then(|push| serde_json::from_value(push).ok()),
                    cart: borrowed.map(|borrowed| borrowed.own).or(cart),
                    fridge: value(Key::Fridge)
                        .and_then(|fridge| serde_json::from_value(fridge).ok()),
                })
            })
            .collect())
    }

    /// Whether the session goes on under another id, which this browser was told and has not kept yet.
    pub async fn is_left(&self) -> bool {
        self.value(Key::Left).await.is_some()
    }

    async fn change_id(
        &self,
        store: &Sessions,
        mut set: Vec<(Key, Option<Value>)>,
        things: Things,
    ) -> Result<Moved, Unavailable> {
        let Some(old) = self.writable()?.id() else {
            // Nothing is stored yet: it gets its first id when the answer is ready.
            for (key, value) in set {
                self.set(key, value).await?;
            }
            return Ok(Moved::On { before: None });
        };
        let mut change = IdChange::default();
        match things {
            Things::Own => {
                change.left = Some(Left {
                    values: Key::BEFORE_SIGN_IN.map(Key::name).to_vec(),
                    mark: Key::Left.name(),
                });
            }
            Things::Another => {
                change.only = Some(Key::OF_DEVICE.map(Key::name).to_vec());
                set.push((Key::Cart, Some(json(&CartId::random())?)));
                if self.device().await.is_some() {
                    set.push((Key::Device, Some(seal::random_name().into())));
                }
            }
        }
        change.set = set
            .into_iter()
            .map(|(key, value)| (key.name(), value))
            .collect();
        let changed = store.change_id(&old, change).await;
        let Some(mut changed) = changed.map_err(|error| unavailable(error.into()))? else {
            return Ok(Moved::Over);
        };
        let session = Session::new(Some(changed.id), Arc::new(store.clone()), None);
        // A request gives its session one other id at most.
        let _ = self.next.set(session);
        let before = changed.before.remove(Key::Account.name());
        Ok(Moved::On {
            before: before.and_then(|account| serde_json::from_value(account).ok()),
        })
    }
}

fn json<T: serde::Serialize>(value: &T) -> Result<Value, Unavailable> {
    serde_json::to_value(value).map_err(|error| unavailable(error.into()))
}
