//! `POST /fridge/open`: one door, however often the button is pressed (BC-05).
//!
//! The key follows from the session and from what came of the door before: two presses, two tabs and a retry after a
//! lost answer name the same attempt, until the upstream says that the door is shut or has failed. An attempt that nobody
//! waits for is not sent again by the server: a door that opens when its guest is gone is worse than one that does not.

use std::time::Duration;

use axum::Extension;

use super::{basket, key, path};
use crate::{
    error::Error,
    features::{age, mapping, place::Place},
    state::idempotency::{Begun, OF_DOOR, body_hash},
    telemetry,
    upstream::{self, Caller, Card, Door, FilialId, FridgeSession, IdempotencyKey},
    web::{
        app::App,
        form::Form,
        outcome::{ErrorCode, FieldError, Outcome},
        rate::OrderAllowance,
        session::OpenedFridge,
        visit::Visit,
    },
};

/// A press waits so long for the lock; then the page asks on by itself.
const PATIENCE: Duration = Duration::from_secs(10);
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
    Extension(allowance): Extension<OrderAllowance>,
    form: Form,
) -> Result<Outcome, Error> {
    let Some(filial) = form.parse::<FilialId>("filial") else {
        let back = form.back();
        return Ok(Outcome::refused_form(&form, back, ErrorCode::BadInput));
    };
    let page = path(filial);
    let refused = |code| Ok(Outcome::refused_form(&form, page.clone(), code));
    if visit.signed_in.is_none() {
        return refused(ErrorCode::SignIn);
    }
    let guest = visit.caller(None);
    let (card, menu) = tokio::join!(
        visit.app.upstream.card(&guest, filial, None),
        visit.app.upstream.menu(&guest, filial)
    );
    let (Ok(card), Ok(menu)) = (card, menu) else {
        return refused(ErrorCode::Unavailable);
    };
    if !card.is_fridge() {
        return Err(Error::NotFound("venue"));
    }
    if !is_open(&visit, &card).await {
        return refused(ErrorCode::Closed);
    }
    // Asked before the lock: behind the door nobody asks any more (BC-13).
    if menu
        .categories
        .iter()
        .any(|category| category.products.iter().any(age::is_restricted))
        && !age::is_confirmed(&visit).await
    {
        // A yes opens nothing: it leads back to the button, which has the focus. Whoever answers may have put the phone
        // away meanwhile, or stand somewhere else (BC-05).
        return Ok(age::question(&visit, &form, &format!("{page}#{OPEN}")));
    }
    let cart = visit.sess.cart_or_new().await?;
    let caller = visit.personal_caller().await;
    // One door at a time: whoever stands before another one has left the first open.
    if let Ok(running) = visit.app.upstream.fridge_sessions(&caller.optional()).await
        && let Some(other) = running.into_iter().find_map(|session| session.terminal)
        && other != filial
    {
        return Ok(Outcome::go(path(other)));
    }
    let key = match before(&visit, &caller, cart.as_str(), filial).await? {
        None => return refused(ErrorCode::Unavailable),
        Some(Before::Open) => return Ok(Outcome::go(page)),
        Some(Before::Opening(known)) => {
            // The same attempt once more: the upstream knows its key.
            let sent = send(&visit.app, &caller, filial, known.key.clone()).await?;
            return told(&visit, &form, &page, filial, known.key, sent).await;
        }
        Some(Before::Shut { key }) => key,
    };
    let records = visit.app.state.idempotency();
    let body = filial.to_string();
    match records.begin(&key, body_hash(&body), &body).await? {
        Begun::New => {
            if let Err(wait) = allowance.take().await {
                records.release(&key).await?;
                return Err(Error::TooMany(wait));
            }
        }
        Begun::Orphaned { .. } => {}
        Begun::Done { answer } => {
            // Opened before, and the answer was lost on its way to this browser.
            keep(&visit, filial, &key, &answer).await?;
            return Ok(Outcome::go(page));
        }
        Begun::InFlight => return Ok(Outcome::go(page).in_flight()),
        Begun::Mismatch => return refused(ErrorCode::BadInput),
    }
    let sent = send(&visit.app, &caller, filial, key.clone()).await?;
    told(&visit, &form, &page, filial, key, sent).await
}

/// What the upstream says of the last door of this browser here; none when it can't be asked, and nothing may be opened.
pub(super) async fn before(
    visit: &Visit,
    caller: &Caller,
    cart: &str,
    filial: FilialId,
) -> Result<Option<Before>, Error> {
    let filial_text = filial.to_string();
    let next = |after: &str| Before::Shut {
        key: key(OF_DOOR, &[cart, &filial_text, after]),
    };
    let known = visit.sess.fridge().await;
    let Some(known) = known.filter(|known| known.filial == filial.0) else {
        return Ok(Some(next("")));
    };
    let Ok(id) = known.session.parse() else {
        return Ok(Some(next(&known.session)));
    };
    match visit.app.upstream.fridge_session(caller, &id).await {
        Ok(session) => Ok(Some(match session.door {
            Door::Open | Door::Unknown => Before::Open,
            Door::Opening => Before::Opening(known),
            Door::Closed | Door::Failed => next(id.as_str()),
        })),
        Err(upstream::Error::NotFound) => Ok(Some(next(id.as_str()))),
        Err(error @ upstream::Error::Unauthorized) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// In a task of its own: a guest who leaves does not stop it half-way. One who stays is not kept waiting for ever.
async fn send(app: &App, caller: &Caller, filial: FilialId, key: String) -> Result<Opened, Error> {
    let (app, caller) = (app.clone(), caller.clone());
    let sending = tokio::spawn(telemetry::of_request(async move {
        deliver(&app, &caller, filial, &key).await
    }));
    match tokio::time::timeout(PATIENCE, sending).await {
        Ok(sent) => {
            sent.map_err(|error| Error::Internal(format!("opening a fridge ended early: {error}")))?
        }
        Err(_) => Ok(Opened::Unknown),
    }
}

async fn deliver(app: &App, caller: &Caller, filial: FilialId, key: &str) -> Result<Opened, Error> {
    let Some(named) = IdempotencyKey::new(key) else {
        return Err(Error::Internal("a door's key is none".to_owned()));
    };
    let records = app.state.idempotency();
    let outcome = |outcome: &'static str| {
        metrics::counter!("fridges_total", "outcome" => outcome).increment(1);
    };
    match app.upstream.open_lock(caller, filial, &named).await {
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

async fn told(
    visit: &Visit,
    form: &Form,
    page: &str,
    filial: FilialId,
    key: String,
    sent: Opened,
) -> Result<Outcome, Error> {
    let refused = |error| Ok(Outcome::refused(form, page.to_owned(), vec![error]));
    match sent {
        Opened::Session(session) => {
            keep(visit, filial, &key, session.id.as_str()).await?;
            Ok(Outcome::go(page.to_owned()))
        }
        // The page asks the upstream what came of it.
        Opened::Unknown => Ok(Outcome::go(page.to_owned())),
        Opened::Unreached => refused(FieldError::new("form", ErrorCode::FridgeFailed)),
        Opened::SignIn => Err(Error::Upstream(upstream::Error::Unauthorized)),
        Opened::Refused(rejection) => refused(match rejection.code.as_str() {
            "lock_busy" => FieldError::new("form", ErrorCode::FridgeBusy),
            "lock_failed" => FieldError::new("form", ErrorCode::FridgeFailed),
            _ => FieldError::told(&rejection),
        }),
    }
}

async fn keep(visit: &Visit, filial: FilialId, key: &str, session: &str) -> Result<(), Error> {
    let fridge = OpenedFridge {
        filial: filial.0,
        key: key.to_owned(),
        session: session.to_owned(),
    };
    visit.sess.set_fridge(&fridge).await?;
    let cart = visit.sess.cart_or_new().await?;
    basket::remember(visit, session, &cart).await
}

async fn is_open(visit: &Visit, card: &Card) -> bool {
    let place = Place::of(visit).await;
    let meta = place.meta_of(card.town.as_ref());
    mapping::open(&card.location, visit.now, meta.utc_offset).open
}
