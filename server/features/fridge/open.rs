//! `POST /fridge/open`: one door, however often the button is pressed (BC-05).
//!
//! The key follows from the session and from what came of the door before: two presses, two tabs and a retry after a
//! lost answer name the same attempt, until the upstream says that the door is shut or has failed. An attempt whose
//! client has left is not sent again by the server: a door that opens when its guest is gone is worse than a shut one.
//!
//! Two phones of one account take turns at a fridge. The second finds the door that the first has opened, and goes on with
//! its key where the outcome is unknown.

use std::time::Duration;

use axum::Extension;

use super::{basket, is_late, key, path, presses};
use crate::{
    error::Error,
    features::{age_check, attempts::within, opened},
    state::{
        carts::CartId,
        idempotency::{Begun, OF_DOOR, body_hash},
    },
    telemetry,
    upstream::{self, Caller, Door, FridgeSession, IdempotencyKey, VenueId},
    web::{
        app::App,
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome, Text},
        },
        rate::AddressAllowance,
        session::{FridgePresses, OpenedFridge},
        visit::Visit,
    },
};

/// A press waits so long for the lock; then the page asks on by itself.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The button that opens, in the page's address.
const OPEN: &str = "open";

/// What was known of the guest's door before this press.
pub(super) enum Before {
    /// No door of this guest's at this fridge that is not over; `key` names the next attempt.
    Shut { key: String },
    /// The lock was told to open and has not said that it did.
    Opening(OpenedFridge),
    /// It is open.
    Open,
}

/// How opening ended.
enum Opened {
    Session(FridgeSession),
    Refused(upstream::Rejection),
    SignIn,
    Unreached,
    Unknown,
}

/// Opens a fridge.
///
/// # Errors
/// When the store does not answer, or the address has opened too much: then nothing was sent.
pub async fn open(
    visit: Visit,
    Extension(allowance): Extension<AddressAllowance>,
    form: Form,
) -> Result<Outcome, Error> {
    let Some(venue_id) = form.parse::<VenueId>("filial") else {
        let back = form.back();
        return Ok(Outcome::refused_form(&form, back, ErrorCode::BadInput));
    };
    let page = path(venue_id);
    let refused = |code| Ok(Outcome::refused_form(&form, page.clone(), code));
    if visit.signed_in.is_none() {
        return refused(ErrorCode::SignIn);
    }
    let guest = visit.caller(None);
    let (venue, menu) = tokio::join!(
        visit.app.upstream.venue(&guest, venue_id, visit.brand()),
        visit.app.upstream.menu(&guest, venue_id)
    );
    if matches!(venue, Err(upstream::Error::NotFound)) {
        return Err(Error::NotFound("venue"));
    }
    let (Ok(venue), Ok(menu)) = (venue, menu) else {
        return refused(ErrorCode::Unavailable);
    };
    if !venue.is_fridge() {
        return Err(Error::NotFound("venue"));
    }
    if !opened::takes_orders(&visit, &venue, visit.brand()).await {
        return refused(ErrorCode::Closed);
    }
    // Asked before the lock: no one asks behind the door (BC-13).
    if menu
        .categories
        .iter()
        .any(|category| category.products.iter().any(age_check::is_restricted))
        && !age_check::is_confirmed(&visit).await
    {
        // A yes opens nothing: it leads back to the button, which has the focus. The guest may have put the phone
        // away meanwhile, or stand somewhere else (BC-05).
        return Ok(age_check::question(
            &visit,
            &form,
            &format!("{page}#{OPEN}"),
        ));
    }
    let cart = visit.sess.cart_or_new().await?;
    let press = Press {
        caller: visit.personal_caller().await,
        guest: match visit.sess.account().await.and_then(|account| account.user) {
            Some(user) => user.to_string(),
            None => cart.as_str().to_owned(),
        },
        cart,
        visit,
        allowance,
        form,
        venue: venue_id,
        page,
    };
    // In a task of its own: a guest who leaves does not keep another phone of theirs waiting.
    tokio::spawn(telemetry::of_request(async move { press.make().await }))
        .await
        .map_err(|error| Error::Internal(format!("opening a fridge ended early: {error}")))?
}

/// The button that opens, pressed by a guest who may open.
struct Press {
    visit: Visit,
    allowance: AddressAllowance,
    form: Form,
    caller: Caller,
    /// The account, as far as it is known; else the cart.
    guest: String,
    cart: CartId,
    venue: VenueId,
    page: String,
}

impl Press {
    async fn make(&self) -> Result<Outcome, Error> {
        let own = match before(&self.visit, &self.caller, self.cart.as_str(), self.venue).await? {
            None => return Ok(self.refused(ErrorCode::Unavailable)),
            Some(Before::Open) => return Ok(self.done()),
            Some(before) => before,
        };
        let key = match &own {
            Before::Opening(known) => &known.key,
            Before::Shut { key } => key,
            Before::Open => return Ok(self.done()),
        };
        let records = self.visit.app.state.idempotency();
        let venue = self.venue.to_string();
        let turn = self::key(OF_DOOR, &["turn", &self.guest, &venue]);
        let Some(begun) = self.wait_for(&turn, key).await? else {
            return Ok(self.done().in_flight());
        };
        let result = self.turn(&own, key, &begun).await;
        let over = match &result {
            // The next press of whatever phone sends the same key.
            Ok((_, true)) => records.unknown(&turn).await,
            _ => records.release(&turn).await,
        };
        if let Err(error) = over {
            tracing::warn!(%error, "A guest's turn at a fridge runs out by itself");
        }
        result.map(|(outcome, _)| outcome)
    }

    /// Waits until no other press of this guest's is at this fridge. The key to go on with: of the last press, if its
    /// outcome is unknown.
    async fn wait_for(&self, turn: &str, key: &str) -> Result<Option<String>, Error> {
        let records = self.visit.app.state.idempotency();
        Ok(
            match records.begin_in_turn(turn, body_hash(""), key).await? {
                Begun::New => Some(key.to_owned()),
                Begun::Orphaned { body } => Some(body),
                Begun::InFlight | Begun::Done { .. } | Begun::Mismatch => None,
            },
        )
    }

    /// What comes of the press, and whether the outcome of the lock is unknown.
    async fn turn(&self, own: &Before, key: &str, begun: &str) -> Result<(Outcome, bool), Error> {
        let asked = self.caller.optional();
        let running = self.visit.app.upstream.fridge_sessions(&asked).await;
        let mut running = running.unwrap_or_default();
        // A lock that did not open in time is told once more, and blocks no other fridge.
        running.retain(|session| !is_late(session, self.visit.now));
        // One door at a time: a guest at another one has left the first open.
        let mut others = running.iter().filter_map(|session| session.venue);
        if let Some(other) = others.find(|other| *other != self.venue) {
            return Ok((Outcome::go(path(other)), false));
        }
        if matches!(own, Before::Opening(_)) {
            // The same attempt once more: the upstream knows its key.
            let sent = self.deliver(key).await?;
            return self.outcome_of(key, sent).await;
        }
        if let Some(session) = running.first() {
            // Told to open by another phone of this guest's, or by a press whose answer was lost.
            self.keep("", session.id.as_str()).await?;
            return Ok((self.done(), false));
        }
        let records = self.visit.app.state.idempotency();
        let venue = self.venue.to_string();
        let hash = body_hash(&venue);
        if begun != key {
            match records.begin(begun, hash, &venue).await? {
                Begun::Orphaned { .. } => match self.deliver(begun).await? {
                    // It was opened and shut since, which only the upstream knew: this press is for another door.
                    Opened::Session(session)
                        if matches!(session.door, Door::Closed | Door::Failed) => {}
                    sent => return self.outcome_of(begun, sent).await,
                },
                Begun::InFlight => return Ok((self.done().in_flight(), true)),
                Begun::New => records.release(begun).await?,
                Begun::Done { .. } | Begun::Mismatch => {}
            }
        }
        match records.begin(key, hash, &venue).await? {
            Begun::New => {
                let refused = match self.often().await {
                    Ok(None) => None,
                    Ok(Some(refused)) => Some(Ok((refused, false))),
                    Err(error) => Some(Err(error)),
                };
                if let Some(refused) = refused {
                    records.release(key).await?;
                    return refused;
                }
            }
            Begun::Orphaned { .. } => {}
            Begun::Done { answer } => {
                // Opened before, and the answer was lost on its way to this browser.
                self.keep(key, &answer).await?;
                return Ok((self.done(), false));
            }
            Begun::InFlight => return Ok((self.done().in_flight(), true)),
            Begun::Mismatch => return Ok((self.refused(ErrorCode::BadInput), false)),
        }
        let sent = self.deliver(key).await?;
        self.outcome_of(key, sent).await
    }

    /// Counts the press. A guest who opens too often is told how long to wait (S-17).
    async fn often(&self) -> Result<Option<Outcome>, Error> {
        let guest = key("", &["lock", &self.guest]);
        if let Err(wait) = self.allowance.take_lock(guest).await {
            let seconds = i32::try_from(wait.as_secs()).unwrap_or(i32::MAX);
            let seconds = Text::Number(seconds.saturating_add(1));
            // The page itself says it, beside the lock.
            let error = FieldError::new("lock", ErrorCode::Often).with("count", seconds);
            return Ok(Some(self.refused_for(error)));
        }
        self.allowance.take_order().await.map_err(Error::TooMany)?;
        Ok(None)
    }

    /// A lock that is slower than a guest's patience is waited for all the same.
    async fn deliver(&self, key: &str) -> Result<Opened, Error> {
        self.count().await?;
        let (app, caller) = (self.visit.app.clone(), self.caller.clone());
        let (venue, key) = (self.venue, key.to_owned());
        let sending = async move { deliver(&app, &caller, venue, &key).await };
        Ok(within(TIMEOUT, sending).await?.unwrap_or(Opened::Unknown))
    }

    /// Until the door opens: after enough presses the guest is told whom to call.
    async fn count(&self) -> Result<(), Error> {
        let count = presses(&self.visit, self.venue).await.saturating_add(1);
        let pressed = FridgePresses {
            venue: self.venue.0,
            count,
            at: self.visit.now,
        };
        self.visit.sess.set_fridge_presses(Some(pressed)).await?;
        Ok(())
    }

    /// It did not open, after this many presses.
    async fn failed(&self) -> Outcome {
        let count = presses(&self.visit, self.venue).await;
        let count = Text::Number(i32::try_from(count).unwrap_or(i32::MAX));
        self.refused_for(FieldError::new("form", ErrorCode::FridgeFailed).with("presses", count))
    }

    async fn outcome_of(&self, key: &str, sent: Opened) -> Result<(Outcome, bool), Error> {
        Ok(match sent {
            Opened::Session(session) => {
                self.keep(key, session.id.as_str()).await?;
                if session.door == Door::Open {
                    self.visit.sess.set_fridge_presses(None).await?;
                }
                (self.done(), false)
            }
            // The page asks the upstream what came of it.
            Opened::Unknown => (self.done(), true),
            Opened::Unreached => (self.failed().await, false),
            Opened::SignIn => return Err(Error::Upstream(upstream::Error::Unauthorized)),
            Opened::Refused(rejection) => {
                let refused = match rejection.code.as_str() {
                    "lock_busy" => self.refused(ErrorCode::FridgeBusy),
                    "lock_failed" => self.failed().await,
                    _ => self.refused_for(FieldError::rejected(&rejection)),
                };
                (refused, false)
            }
        })
    }

    async fn keep(&self, key: &str, session: &str) -> Result<(), Error> {
        let fridge = OpenedFridge {
            venue: self.venue.0,
            key: key.to_owned(),
            session: session.to_owned(),
            at: self.visit.now,
        };
        self.visit.sess.set_fridge(&fridge).await?;
        let cart = self.visit.sess.cart_or_new().await?;
        basket::remember(&self.visit, session, &cart).await
    }

    fn done(&self) -> Outcome {
        Outcome::go(self.page.clone())
    }

    fn refused(&self, code: ErrorCode) -> Outcome {
        Outcome::refused_form(&self.form, self.page.clone(), code)
    }

    fn refused_for(&self, error: FieldError) -> Outcome {
        Outcome::refused(&self.form, self.page.clone(), vec![error])
    }
}

/// What the upstream says of the last door of this browser here; none when it can't be asked, and nothing may be opened.
pub(super) async fn before(
    visit: &Visit,
    caller: &Caller,
    cart: &str,
    venue: VenueId,
) -> Result<Option<Before>, Error> {
    let venue_text = venue.to_string();
    let next = |after: &str| Before::Shut {
        key: key(OF_DOOR, &[cart, &venue_text, after]),
    };
    let Some(known) = visit.sess.fridge().await else {
        return Ok(Some(next("")));
    };
    // The door before counts though it is another fridge's: back at the first one, a press is for a new door.
    let here = known.session.parse().ok();
    let Some(id) = here.filter(|_| known.venue == venue.0) else {
        return Ok(Some(next(&known.session)));
    };
    match visit.app.upstream.fridge_session(caller, &id).await {
        Ok(session) => Ok(Some(match session.door {
            Door::Open | Door::Unknown => Before::Open,
            // One that another phone has told to open has no key here.
            Door::Opening if !known.key.is_empty() => Before::Opening(known),
            Door::Opening | Door::Closed | Door::Failed => next(id.as_str()),
        })),
        Err(upstream::Error::NotFound) => Ok(Some(next(id.as_str()))),
        Err(error @ upstream::Error::Unauthorized) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

async fn deliver(app: &App, caller: &Caller, venue: VenueId, key: &str) -> Result<Opened, Error> {
    let Some(named) = IdempotencyKey::new(key) else {
        return Err(Error::Internal("a door's key is none".to_owned()));
    };
    let records = app.state.idempotency();
    let outcome = |outcome: &'static str| {
        metrics::counter!("fridges_total", "outcome" => outcome).increment(1);
    };
    match app.upstream.open_lock(caller, venue, &named).await {
        Ok(session) => {
            records.finish(key, session.id.as_str()).await?;
            outcome("opened");
            Ok(Opened::Session(session))
        }
        Err(upstream::Error::Rejected(rejection)) => {
            records.release(key).await?;
            outcome("refused");
            Ok(Opened::Refused(rejection))
        }
        Err(upstream::Error::Unauthorized) => {
            records.release(key).await?;
            Ok(Opened::SignIn)
        }
        Err(error) if error.outcome_unknown() => {
            records.unknown(key).await?;
            outcome("unknown");
            tracing::error!(
                class = error.class(),
                "Whether a fridge opened is not known"
            );
            Ok(Opened::Unknown)
        }
        Err(error) => {
            records.release(key).await?;
            tracing::warn!(class = error.class(), "A fridge could not be told to open");
            Ok(Opened::Unreached)
        }
    }
}
