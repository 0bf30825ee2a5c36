//! Attempts to order without a lease: sent again under their key until the outcome is known.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tokio::time::MissedTickBehavior;

use super::attempt::{Attempt, Sent};
use crate::{
    error::Error,
    features::{
        attempts::{Sending, short, take_over},
        bills, booking, fridge,
    },
    state::idempotency::Known,
    upstream::Caller,
    web::app::App,
};

/// How often attempts without a client are looked at.
const INTERVAL: Duration = Duration::from_secs(20);
/// So many of them are looked at in a round, the oldest first.
const MOST: u32 = 500;
/// One venue that does not answer holds up no other: so many are sent at a time.
const AT_ONCE: usize = 10;

/// Takes over an attempt without a lease and sends it again. `None` when there is nothing to do.
pub(super) async fn resolve(
    app: &App,
    key: &str,
    body: &str,
    caller: Option<Caller>,
) -> Result<Option<Sent>, Error> {
    match take_over::<Attempt>(app, key, body).await? {
        Some(attempt) => attempt
            .send(app.clone(), key.to_owned(), caller, Sending::Again)
            .await
            .map(Some),
        None => Ok(None),
    }
}

/// Whether an attempt has been open for so long that its guest may have left, or eaten elsewhere: nobody would wait for
/// what is cooked now.
pub(super) fn is_left(app: &App, known: &Known) -> bool {
    let open_for = app.state.clock().now() - known.created_at;
    known.answer.is_none() && open_for >= i64::from(app.config.order_resend_seconds) * 1000
}

/// Sends attempts (bookings and shut fridges too) of unknown outcome again, for ever: those of a server that died, and
/// those whose guest does not look.
pub async fn resolve_open_attempts(app: App) {
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let open = match app.state.idempotency().unresolved(MOST).await {
            Ok(open) => open,
            Err(error) => {
                tracing::warn!(%error, "Open attempts could not be read");
                continue;
            }
        };
        stream::iter(open)
            .for_each_concurrent(AT_ONCE, |known| take_up(&app, known))
            .await;
    }
}

async fn take_up(app: &App, known: Known) {
    let attempt = short(&known.key);
    let kind = kind(&known.key);
    if kind == ORDER && is_left(app, &known) {
        if let Err(error) = leave(app, &known).await {
            tracing::warn!(%error, attempt, kind, "An open attempt could not be left to its guest");
        }
        return;
    }
    tracing::info!(attempt, kind, "An open attempt is taken up again: {kind}");
    let (key, body) = (known.key.as_str(), known.body.as_str());
    let resolved = match kind {
        BILL => bills::resolve(app, key, body).await,
        BOOKING => booking::resolve(app, key, body).await,
        FRIDGE => fridge::resolve(app, key, body).await,
        _ => resolve(app, key, body, None).await.map(drop),
    };
    if let Err(error) = resolved {
        tracing::warn!(%error, attempt, kind, "An open attempt could not be resolved: {kind}");
    }
}

/// From here on it waits for its guest's word.
async fn leave(app: &App, known: &Known) -> Result<(), Error> {
    let key = known.key.as_str();
    if take_over::<Attempt>(app, key, &known.body).await?.is_some() {
        app.state.idempotency().leave_to_guest(key).await?;
        metrics::counter!("orders_total", "outcome" => "left").increment(1);
        tracing::error!(
            attempt = short(key),
            "What became of an order was not found out; it is sent again only when its guest asks for it"
        );
    }
    Ok(())
}

const BILL: &str = "payment of a bill";
const BOOKING: &str = "booking";
const FRIDGE: &str = "fridge";
const ORDER: &str = "order";

/// What was attempted, by the key.
fn kind(key: &str) -> &'static str {
    if bills::is_key(key) {
        BILL
    } else if booking::is_key(key) {
        BOOKING
    } else if fridge::is_key(key) {
        FRIDGE
    } else {
        ORDER
    }
}
