//! Which order the address of a payment is about, and what the upstream says of it.

use crate::{
    error::Error,
    features::{
        attempts::{GLANCE, read_record, within},
        cart_view::{
            self,
            unpaid::{Truth, apply, truth},
        },
        orders::{
            attempt::{Attempt, Placed},
            pay_token::BY_ID,
            resolving::resolve,
        },
    },
    state::idempotency::Known,
    upstream::{self, Caller, Fingerprint, Order, OrderId, PaymentId},
    web::visit::Visit,
};

/// An order to be paid.
pub(super) struct Subject {
    /// As the upstream has it now.
    pub order: Order,
    /// How it stands.
    pub truth: Truth,
    /// Who placed it.
    pub caller: Caller,
    /// This browser did.
    pub own: bool,
    /// What is kept of placing it.
    pub placed: Option<Placed>,
    /// The same: what was sent.
    attempt: Option<Attempt>,
}

impl Subject {
    /// Reads the order of a token. `None` while its sending has not ended.
    ///
    /// # Errors
    /// Not found for a token that we did not make or an order that is gone, else what store and upstream say.
    pub async fn of(visit: &Visit, token: &str) -> Result<Option<Self>, Error> {
        let (key, fingerprint) = visit
            .app
            .keys
            .open_pay_token(token)
            .ok_or(Error::NotFound("order"))?;
        let account = fingerprint.is_empty();
        let caller = if account {
            visit.personal_caller().await
        } else {
            Caller {
                fingerprint: Fingerprint::new(&fingerprint),
                ..Caller::guest(visit.lang, visit.country)
            }
        };
        let known = match key.strip_prefix(BY_ID) {
            Some(_) => None,
            None => visit.app.state.idempotency().get(&key).await?,
        };
        let (id, placed, attempt) = match known {
            _ if let Some(id) = key.strip_prefix(BY_ID) => {
                let id = id.parse().map_err(|_| Error::NotFound("order"))?;
                (id, None, None)
            }
            Some(known) => match answered(visit, known).await? {
                Some((placed, attempt)) => {
                    let id = placed.id.parse().map_err(|_| Error::NotFound("order"))?;
                    (id, Some(placed), Some(attempt))
                }
                None => return Ok(None),
            },
            // Records are kept for a day. After it the cart knows its order, and the bank's own id leads to one, if that is
            // this device's.
            None => match by_cart(visit, &key).await? {
                Some(id) => (id, None, None),
                None => (by_payment(visit, &caller).await?, None, None),
            },
        };
        // A server that died while it ordered may have kept the attempt and lost what the session learned of it.
        let same_cart =
            attempt.as_ref().map(|attempt| &attempt.cart) == visit.sess.cart().await.as_ref();
        let own = (attempt.is_some() && same_cart)
            || account
            || visit.sess.device().await.as_deref() == Some(fingerprint.as_str());
        let order = match visit.app.upstream.order(&caller, &id).await {
            Ok(order) => order,
            Err(upstream::Error::NotFound) => return Err(Error::NotFound("order")),
            Err(error) => return Err(Error::Upstream(error)),
        };
        if !order.personal {
            return Err(Error::NotFound("order"));
        }
        let truth = truth(&order);
        if let Some(attempt) = &attempt {
            apply(&visit.app, &attempt.cart, id.as_str(), truth).await?;
        }
        Ok(Some(Self {
            truth,
            caller,
            own,
            placed,
            attempt,
            order,
        }))
    }

    /// Whether a token was made for this browser: what it paid for may be known no more.
    pub async fn is_token_of(visit: &Visit, token: &str) -> bool {
        let Some((_, fingerprint)) = visit.app.keys.open_pay_token(token) else {
            return false;
        };
        visit
            .sess
            .device()
            .await
            .is_some_and(|own| own == fingerprint)
    }

    /// Whether the cart of this visit holds its dishes: it may be another phone's, or have been begun anew since.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn is_in_cart(&self, visit: &Visit) -> Result<bool, Error> {
        let Some(cart) = cart_view::load(visit).await? else {
            return Ok(false);
        };
        if let Some(attempt) = &self.attempt {
            return Ok(attempt.cart == cart.id && cart.holds(&attempt.lines, attempt.generation));
        }
        let unpaid = cart.unpaid.as_ref();
        Ok(unpaid
            .filter(|unpaid| unpaid.order == self.order.id.as_str())
            .is_some_and(|unpaid| cart.holds(&unpaid.lines, unpaid.generation)))
    }
}

/// The answer that a record holds, asked for once more if it has none.
async fn answered(visit: &Visit, known: Known) -> Result<Option<(Placed, Attempt)>, Error> {
    let known = if known.answer.is_some() {
        known
    } else {
        let (app, key, body) = (visit.app.clone(), known.key.clone(), known.body.clone());
        let again = async move { resolve(&app, &key, &body, None).await };
        within(GLANCE, again).await?;
        let again = visit.app.state.idempotency().get(&known.key).await?;
        again.ok_or(Error::NotFound("order"))?
    };
    let Some(answer) = &known.answer else {
        return Ok(None);
    };
    Ok(Some((read_record(answer)?, read_record(&known.body)?)))
}

/// The order that waits for its payment in the cart of this visit, if it was placed under the key.
async fn by_cart(visit: &Visit, key: &str) -> Result<Option<OrderId>, Error> {
    let unpaid = cart_view::load(visit).await?.and_then(|cart| cart.unpaid);
    let unpaid = unpaid.filter(|unpaid| unpaid.key == key);
    Ok(unpaid.and_then(|unpaid| unpaid.order.parse().ok()))
}

async fn by_payment(visit: &Visit, caller: &Caller) -> Result<OrderId, Error> {
    let gone = || Error::NotFound("order");
    let id: PaymentId = visit
        .query_value("payment_id")
        .and_then(|id| id.parse().ok())
        .ok_or_else(gone)?;
    let payment = match visit.app.upstream.payment(caller, &id).await {
        Ok(payment) => payment,
        Err(upstream::Error::NotFound) => return Err(gone()),
        Err(error) => return Err(Error::Upstream(error)),
    };
    payment.subject_id.parse().map_err(|_| gone())
}
