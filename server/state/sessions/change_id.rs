//! A session goes on under another id (S-03): at a sign-in, when another guest signs in, at a sign-out. All in one
//! transaction, with the row as it is by then: nothing that another tab has written meanwhile is lost, and a store that
//! fails leaves everything as it was.

use serde_json::Value;
use tower_sessions::{session::Id, session_store};

use super::{
    CART, Data, IDLE, LEFT, Sessions, fresh,
    rows::{Next, Row, Writes, name_of},
};
use crate::state::{ABSOLUTE, carts::CartId, clock::millis};

/// What goes along to the new id, and what is left under the one of before.
#[derive(Debug, Clone, Default)]
pub struct IdChange {
    /// Values that go along; none: all of them.
    pub only: Option<Vec<&'static str>>,
    /// Values that are set under the new id, or taken away.
    pub set: Vec<(&'static str, Option<Value>)>,
    /// What is left; none: the row of before is deleted.
    pub left: Option<Left>,
}

/// What can be found under the id of before for four hours, however busy it is.
#[derive(Debug, Clone)]
pub struct Left {
    /// Values that are left. Of the cart it is a copy under a name of its own, so that knowing the old id neither
    /// shows nor changes the cart that goes along (S-03).
    pub values: Vec<&'static str>,
    /// Says that the session goes on elsewhere.
    pub mark: &'static str,
}

/// A session that goes on.
#[derive(Debug)]
pub struct Changed {
    /// Its id from now on.
    pub id: Id,
    /// What it held before.
    pub before: Data,
}

/// What is written.
struct Rows {
    next: Data,
    left: Option<Data>,
    /// The name of the cart of before, and that of its copy.
    copy: Option<(CartId, CartId)>,
}

impl IdChange {
    fn rows(self, before: &Data) -> Rows {
        let mut next = before.clone();
        if let Some(only) = self.only {
            next.retain(|name, _| only.contains(&name.as_str()));
        }
        let (mut left, mut copy) = (None, None);
        if let Some(Left { values, mark }) = self.left {
            let mut stays = before.clone();
            stays.retain(|name, _| values.contains(&name.as_str()));
            let of = stays.remove(CART);
            let of = of.and_then(|of| serde_json::from_value::<CartId>(of).ok());
            copy = of.map(|of| (of, CartId::random()));
            if let Some((_, to)) = &copy {
                stays.insert(CART.to_owned(), to.as_str().into());
            }
            stays.insert(mark.to_owned(), true.into());
            next.remove(mark);
            left = Some(stays);
        }
        for (name, value) in self.set {
            match value {
                Some(value) => next.insert(name.to_owned(), value),
                None => next.remove(name),
            };
        }
        Rows { next, left, copy }
    }
}

impl Sessions {
    /// Gives a session another id. None when it is over: nothing is written then.
    ///
    /// # Errors
    /// When the store does not answer: nothing is written then, either.
    pub async fn change_id(
        &self,
        old: &Id,
        change: IdChange,
    ) -> session_store::Result<Option<Changed>> {
        let (id, now, store) = (Id::default(), self.clock.now(), self.clone());
        let (old, new) = (name_of(old), name_of(&id));
        let changed = self
            .engine
            .change_session(old, now, move |found| {
                // Sealed with a secret that is gone: it can't be read any more.
                let Some(before) = store.open(&old, &found.data) else {
                    return Ok((Writes::default(), None));
                };
                let Rows { next, left, copy } = change.clone().rows(&before);
                let next = store.seal(&new, &next)?;
                // Somebody has signed in, which costs more than a link.
                let next = fresh(next, now, now + millis(ABSOLUTE), IDLE);
                let row = match left {
                    Some(left) => Next::Becomes(Row {
                        data: store.seal(&old, &left)?,
                        touched_at: now,
                        idle_until: now + millis(LEFT),
                        ends_at: now + millis(LEFT),
                    }),
                    None => Next::Goes,
                };
                let writes = Writes {
                    row,
                    other: Some((new, next)),
                    copy,
                };
                Ok((writes, Some(before)))
            })
            .await?;
        Ok(changed.flatten().map(|before| Changed { id, before }))
    }
}
