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
    /// This browser knows the order as the guest's: its number is not made up.
    has_placed: bool,
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
        let is_on_tablet = on_tablet(visit).await;
        if !is_on_tablet && let Some(device) = of_key(visit, order) {
            return Self::device(visit, device);
        }
        let has_placed = is_known(visit, order).await;
        if has_placed && let Some(device) = of_session(visit).await {
            return Self::device(visit, device);
        }
        // The addresses of a tablet's history are for every guest to open: there only who has placed the order reads it.
        let reader = if is_on_tablet {
            Self::anonymous(visit)
        } else {
            Self::account(visit).await
        };
        Self {
            has_placed,
            ..reader
        }
    }

    /// Who reads an order at an address for signed-in guests.
    pub async fn signed_in(visit: &Visit, order: &OrderId) -> Self {
        Self {
            has_placed: is_known(visit, order).await,
            ..Self::account(visit).await
        }
    }

    /// The guest who is signed in, if one is.
    async fn account(visit: &Visit) -> Self {
        let caller = visit.personal_caller().await;
        match caller.bearer.clone() {
            Some(bearer) => Self {
                identity: Identity::Account(bearer, caller.fingerprint.clone()),
                caller,
                has_placed: false,
            },
            None => Self::anonymous(visit),
        }
    }

    /// The device that has placed it.
    fn device(visit: &Visit, fingerprint: Fingerprint) -> Self {
        Self {
            caller: Caller {
                fingerprint: Some(fingerprint.clone()),
                ..Caller::guest(visit.lang, visit.country)
            },
            identity: Identity::Device(fingerprint),
            has_placed: true,
        }
    }

    /// Counts a look at an order of which this browser does not know that it is the guest's: its number may be made up.
    /// One that the upstream knows opens whatever else its address has looked at.
    ///
    /// # Errors
    /// When its address has looked at too many.
    pub async fn look_up(&self, visit: &Visit, order: &OrderId) -> Result<(), Error> {
        if self.has_placed {
            return Ok(());
        }
        let is_known = async { visit.app.upstream.has_found_order(order) };
        visit.look_up_unless(is_known).await.map_err(Error::TooMany)
    }

    /// Who is told the status alone.
    pub fn anonymous(visit: &Visit) -> Self {
        Self {
            caller: Caller::guest(visit.lang, visit.country),
            identity: Identity::Anonymous,
            has_placed: false,
        }
    }
}

/// Whether the session knows the order as one of the guest's.
async fn is_known(visit: &Visit, order: &OrderId) -> bool {
    let own = own_orders(visit).await;
    own.iter().any(|own| own.id == order.as_str())
}

/// The device that has placed the order, by the key of its address.
fn of_key(visit: &Visit, order: &OrderId) -> Option<Fingerprint> {
    let key = visit.query_value("key")?;
    let device = visit.app.keys.open_capability(order.as_str(), key)?;
    Fingerprint::new(&device)
}

/// The device of the session.
async fn of_session(visit: &Visit) -> Option<Fingerprint> {
    let device = visit.sess.device().await?;
    Fingerprint::new(&device)
}
