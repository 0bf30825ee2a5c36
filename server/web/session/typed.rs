//! What is typed at the order: kept beside the cart until it is ordered. It may tell of an illness: never shown by `{:?}`
//! (S-21).

use serde::{Deserialize, Serialize};

use super::{Key, Sess, Unavailable};

/// Name, wishes and the way to pay, and the cart that they were typed at.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedOrder {
    /// The venue of the cart.
    pub venue: Option<u64>,
    /// The generation of the cart.
    pub generation: i64,
    /// When it was sent last, milliseconds since the epoch.
    pub at: i64,
    /// Empty: the guest wants none. None: it was not in the form.
    pub name: Option<String>,
    /// Wishes for the kitchen.
    pub comment: Option<String>,
    /// Code of the way to pay.
    pub payment: Option<String>,
}

impl Sess {
    /// What was typed at the order last.
    pub async fn typed_order(&self) -> Option<TypedOrder> {
        self.get(Key::TypedOrder).await
    }

    /// Keeps or forgets it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_typed_order(&self, typed: Option<&TypedOrder>) -> Result<(), Unavailable> {
        self.set(Key::TypedOrder, typed).await
    }
}
