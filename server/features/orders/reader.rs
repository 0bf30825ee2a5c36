//! Who reads an order: what the upstream is told of them, and what of theirs others may be told.

use crate::{
    error::Error,
    features::{cart_view::unpaid::own_orders, kiosk::on_tablet},
    upstream::{Bearer, Caller, Fingerprint, OrderId},
    web::visit::Visit,
};

/// The reader of an order's page.
pub(super) struct Reader {
    /// Asks the upstream.
    pub caller: Caller,
    /// Readings of one order may be shared by those who are the same.
    pub identity: Identity,
}

/// By what the upstream knows a reader.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    /// By nothing: the status alone is told (ZZ-06).
    Anonymous,
    /// By the device that has placed it.
    Device(Fingerprint),
    /// By the sign-in, beside the device of the session.
    Account(Bearer, Option<Fingerprint>),
}

impl Reader {
    /// Who reads an order at its open address: the device that has placed it, else the guest who is signed in.
    pub async fn of(visit: &Visit, order: &OrderId) -> Self {
        if let Some(fingerprint) = owner(visit, order).await {
            return Self {
                caller: Caller {
                    fingerprint: Some(fingerprint.clone()),
                    ..Caller::guest(visit.lang, visit.country)
                },
                identity: Identity::Device(fingerprint),
            };
        }
        // The addresses of a tablet's history are for every guest to open: there only who has placed the order reads it.
        if on_tablet(visit).await {
            return Self::anonymous(visit);
        }
        Self::signed_in(visit).await
    }

    /// Who reads an order at an address for signed-in guests.
    pub async fn signed_in(visit: &Visit) -> Self {
        let caller = visit.personal_caller().await;
        match caller.bearer.clone() {
            Some(bearer) => Self {
                identity: Identity::Account(bearer, caller.fingerprint.clone()),
                caller,
            },
            None => Self::anonymous(visit),
        }
    }

    /// Counts a look at an order of which this browser does not know that it is the guest's: its number may be made up.
    ///
    /// # Errors
    /// When its address has looked at too many.
    pub async fn look_up(&self, visit: &Visit, order: &OrderId) -> Result<(), Error> {
        let has_placed = match self.identity {
            Identity::Device(_) => true,
            Identity::Account(..) | Identity::Anonymous => is_known(visit, order).await,
        };
        if has_placed {
            return Ok(());
        }
        visit.look_up().await.map_err(Error::TooMany)
    }

    /// Who is told the status alone.
    pub fn anonymous(visit: &Visit) -> Self {
        Self {
            caller: Caller::guest(visit.lang, visit.country),
            identity: Identity::Anonymous,
        }
    }
}

/// Whether the session knows the order as one of the guest's.
async fn is_known(visit: &Visit, order: &OrderId) -> bool {
    let own = own_orders(visit).await;
    own.iter().any(|own| own.id == order.as_str())
}

/// Who may read an order whole: the fingerprint that placed it, known by the capability or by the session.
async fn owner(visit: &Visit, order: &OrderId) -> Option<Fingerprint> {
    let sealed = match visit.query_value("key") {
        Some(key) if !on_tablet(visit).await => visit.app.keys.open_capability(order.as_str(), key),
        Some(_) | None => None,
    };
    let own = match sealed {
        Some(fingerprint) => Some(fingerprint),
        None => {
            if is_known(visit, order).await {
                visit.sess.device().await
            } else {
                None
            }
        }
    };
    own.as_deref().and_then(Fingerprint::new)
}
