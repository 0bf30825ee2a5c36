//! `POST /orders`: one order, however often the button is pressed, in however many tabs.

use std::time::Duration;

use axum::Extension;

use super::{
    attempt::{Attempt, Placed, Sent, choices_hash},
    prepare::{CART, Choices, prepare},
};
use crate::{
    error::Error,
    features::{
        attempts::{Attempt as _, Sending, Turn, checking, read_record},
        booking,
        cart_view::unpaid,
        checkout::ORDER_BUTTON,
        kiosk, opened,
        page_data::PayWay,
    },
    state::{
        carts::CartId,
        idempotency::{Begun, Known},
    },
    upstream::{PayMethod, Rejection},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Flash, Notice, Outcome, Text},
            plain::{plain, plain_lines},
        },
        rate::AddressAllowance,
        redirect::outside,
        session::OwnOrder,
        visit::Visit,
    },
};

const LONGEST_NAME: usize = 60;
const LONGEST_COMMENT: usize = 500;
/// A second press waits so long for the first one's answer, then the checking page takes over.
const WAIT: Duration = Duration::from_secs(8);
const WAIT_STEP: Duration = Duration::from_millis(100);

/// Places the order of the visit's cart, of whatever kind (OR-01).
///
/// # Errors
/// When the store does not answer, or the address has ordered too much: then nothing was sent.
pub async fn place(
    visit: Visit,
    Extension(allowance): Extension<AddressAllowance>,
    form: Form,
) -> Result<Outcome, Error> {
    Ok(at_button(attempt(&visit, &allowance, &form).await?))
}

/// What refuses an order is told beside the button that sends it.
pub(super) fn at_button(mut outcome: Outcome) -> Outcome {
    if outcome.is_refused() && outcome.to == CART {
        ORDER_BUTTON.clone_into(&mut outcome.to);
        if let Some(flash) = &mut outcome.flash {
            flash.kind = Notice::Order;
            // No 5xx tells the operator of it.
            if flash
                .errors
                .iter()
                .any(|error| error.code == ErrorCode::Unavailable)
            {
                metrics::counter!("orders_total", "outcome" => "unavailable").increment(1);
                tracing::warn!("An order could not be taken, as the upstream did not answer");
            }
        }
    }
    outcome
}

/// What a guest is told whose order did not come through after all.
pub(super) fn not_placed() -> Flash {
    Flash {
        errors: vec![FieldError::new("form", ErrorCode::NotPlaced)],
        ..Flash::new(Notice::Order)
    }
}

async fn attempt(
    visit: &Visit,
    allowance: &AddressAllowance,
    form: &Form,
) -> Result<Outcome, Error> {
    let refused = |code: ErrorCode| Ok(Outcome::refused_form(form, CART.to_owned(), code));
    let (Some(cart_id), Some(version)) =
        (visit.sess.cart().await, form.parse::<u64>("cart_version"))
    else {
        return refused(ErrorCode::VersionChanged);
    };
    let (name, comment) = match texts(form) {
        Ok(texts) => texts,
        Err(error) => return Ok(Outcome::refused(form, CART.to_owned(), vec![error])),
    };
    let Some(way) = form.get("payment").and_then(PayWay::from_code) else {
        return Ok(Outcome::refused(
            form,
            CART.to_owned(),
            vec![FieldError::new("payment", ErrorCode::Required)],
        ));
    };
    let records = visit.app.state.idempotency();
    let key = key(visit, &cart_id, version).await?;
    if let Some(known) = records.get(&key).await? {
        // Pressed before: the cart may have moved on, the choices of then decide.
        let table = serde_json::from_str::<Attempt>(&known.body)
            .ok()
            .and_then(|attempt| attempt.table)
            .map(|table| table.to_string())
            .unwrap_or_default();
        let hash = choices_hash(&table, way.code(), &name, &comment);
        return again(visit, form, &known, hash).await;
    }
    let cart = visit.app.state.carts().load(&cart_id).await?;
    if cart.version != version || cart.is_empty() {
        return refused(ErrorCode::VersionChanged);
    }
    let cart = unpaid::settled(visit, cart).await?;
    if let Some(unpaid) = &cart.unpaid {
        // What this cart became waits for its payment: paid or called off it has to be before there is another.
        return Ok(Outcome::go(unpaid.href.clone()).with_cart());
    }
    if cart.version != version {
        return refused(ErrorCode::VersionChanged);
    }
    let choices = Choices {
        key: &key,
        way,
        name,
        comment,
    };
    let attempt = match prepare(visit, form, cart, choices).await? {
        Ok(attempt) => attempt,
        Err(outcome) => return Ok(*outcome),
    };
    let body =
        serde_json::to_string(&attempt).map_err(|error| Error::Internal(error.to_string()))?;
    let cart = (&attempt.cart, version);
    let hash = attempt.hash();
    let state = match booking::begin_to_order(visit, cart, &key, hash, body).await? {
        Turn::Begun(state) => state,
        // A table may be booked with its dishes.
        Turn::Open(open) if booking::is_key(&open) => {
            let reason = vec![blocked("booked")];
            return Ok(Outcome::refused(form, CART.to_owned(), reason));
        }
        Turn::Open(open) => return Ok(Outcome::go(checking(&open))),
        Turn::Moved => return refused(ErrorCode::VersionChanged),
        Turn::Busy => return refused(ErrorCode::Unavailable),
    };
    if state != Begun::New {
        return sent(visit, form, &key, state).await;
    }
    // The link of a table works from anywhere: orders that are neither paid nor of an account are limited (SC-03).
    if let Some(table) = attempt.table.as_ref().filter(|_| attempt.is_unanswered())
        && allowance
            .take_table(format!("{} {table}", attempt.venue))
            .await
            .is_err()
    {
        records.release(&key).await?;
        return refused(ErrorCode::TableOften);
    }
    if let Err(wait) = allowance.take_order().await {
        records.release(&key).await?;
        return Err(Error::TooMany(wait));
    }
    send(visit, form, &key, attempt, Sending::First).await
}

/// The key of this version of this cart; the one made with the secret before, if it was used.
async fn key(visit: &Visit, cart: &CartId, version: u64) -> Result<String, Error> {
    if let Some(old) = visit.app.keys.previous_order_key(cart.as_str(), version)
        && visit.app.state.idempotency().get(&old).await?.is_some()
    {
        return Ok(old);
    }
    Ok(visit.app.keys.order_key(cart.as_str(), version))
}

/// What is known of an order was sent before: what came of that, or the same once more.
pub(super) async fn again(
    visit: &Visit,
    form: &Form,
    known: &Known,
    hash: [u8; 32],
) -> Result<Outcome, Error> {
    let (key, body) = (known.key.as_str(), known.body.as_str());
    match visit.app.state.idempotency().begin(key, hash, body).await? {
        Begun::Done { answer } => done(visit, key, body, &answer).await,
        begun => sent(visit, form, key, begun).await,
    }
}

/// The button was pressed before: what came of that, or the same order once more under its key.
async fn sent(visit: &Visit, form: &Form, key: &str, begun: Begun) -> Result<Outcome, Error> {
    let refused = |code: ErrorCode| Ok(Outcome::refused_form(form, CART.to_owned(), code));
    match begun {
        Begun::New => {
            // It was refused and forgotten a moment ago.
            visit.app.state.idempotency().release(key).await?;
            refused(ErrorCode::VersionChanged)
        }
        Begun::Orphaned { body } => {
            send(visit, form, key, read_record(&body)?, Sending::Again).await
        }
        Begun::Done { answer } => go_to(visit, read_record(&answer)?).await,
        Begun::InFlight => in_flight(visit, key).await,
        Begun::Mismatch => refused(ErrorCode::Ordered),
    }
}

async fn send(
    visit: &Visit,
    form: &Form,
    key: &str,
    attempt: Attempt,
    sending: Sending,
) -> Result<Outcome, Error> {
    let caller = visit.personal_caller().await;
    let venue = attempt.venue;
    let sent = attempt
        .send(visit.app.clone(), key.to_owned(), Some(caller), sending)
        .await?;
    match sent {
        Sent::Placed(placed) => begin_to_pay(visit, placed).await,
        Sent::Unknown => Ok(Outcome::go(checking(key))),
        Sent::Unreached => Ok(Outcome::refused_form(
            form,
            CART.to_owned(),
            ErrorCode::Unavailable,
        )),
        Sent::Refused(rejection) => {
            let reason = reason(&rejection);
            if reason.code == ErrorCode::Closed {
                opened::refused_as_closed(visit, venue).await;
            }
            Ok(Outcome::refused(form, CART.to_owned(), vec![reason]))
        }
    }
}

/// The answer of then: the same order, and a cart without its dishes.
pub(super) async fn done(
    visit: &Visit,
    key: &str,
    body: &str,
    answer: &str,
) -> Result<Outcome, Error> {
    let (attempt, placed): (Attempt, Placed) = (read_record(body)?, read_record(answer)?);
    attempt.empty_cart(&visit.app, key, &placed).await?;
    go_to(visit, placed).await
}

/// The first answer to the button: it leads a guest who pays by card to the bank.
async fn begin_to_pay(visit: &Visit, placed: Placed) -> Result<Outcome, Error> {
    let bank = placed
        .pay
        .as_ref()
        .filter(|pay| pay.method == PayMethod::Card)
        .and_then(|pay| outside(pay.bank.as_deref()?, &[&visit.app.config.payment_origins]));
    let outcome = go_to(visit, placed).await?;
    Ok(match bank {
        Some(bank) => Outcome::pay(bank, outcome.to).with_cart(),
        None => outcome,
    })
}

async fn go_to(visit: &Visit, placed: Placed) -> Result<Outcome, Error> {
    remember(visit, &placed).await?;
    let page = match &placed.pay {
        Some(pay) => pay.page.clone(),
        None => landing(visit, &placed).await,
    };
    Ok(Outcome::go(page).with_cart())
}

/// Where an order is shown to who has placed it: signed in that is a page of the account, which needs no capability.
pub(super) async fn landing(visit: &Visit, placed: &Placed) -> String {
    if visit.signed_in.is_some() && !placed.thanks.is_empty() && !kiosk::on_tablet(visit).await {
        placed.thanks.clone()
    } else {
        placed.href.clone()
    }
}

/// The session knows its order, once.
pub(super) async fn remember(visit: &Visit, placed: &Placed) -> Result<(), Error> {
    let order = OwnOrder {
        id: placed.id.clone(),
        number: placed.number.clone(),
        href: placed.href.clone(),
        placed_at: placed.at,
        door: placed.door,
    };
    visit.sess.learn_own_orders(std::iter::once(order)).await?;
    Ok(())
}

/// Another press is being sent: a form waits for it, a script is told at once and goes to the checking page.
async fn in_flight(visit: &Visit, key: &str) -> Result<Outcome, Error> {
    if !visit.wants_json() {
        let deadline = tokio::time::Instant::now() + WAIT;
        while tokio::time::Instant::now() < deadline {
            tokio::time::sleep(WAIT_STEP).await;
            let known = visit.app.state.idempotency().get(key).await?;
            if let Some(Known {
                body,
                answer: Some(answer),
                ..
            }) = known
            {
                return done(visit, key, &body, &answer).await;
            }
        }
    }
    Ok(Outcome::go(checking(key)).in_flight())
}

fn texts(form: &Form) -> Result<(String, String), FieldError> {
    let read = |field: &str, plain: fn(&str) -> String, longest: usize| {
        let text = plain(form.get(field).unwrap_or_default());
        if text.chars().count() > longest {
            return Err(FieldError::too_long(field, longest));
        }
        Ok(text)
    };
    Ok((
        read("name", plain, LONGEST_NAME)?,
        read("comment", plain_lines, LONGEST_COMMENT)?,
    ))
}

/// What the page will say as well, once it has asked anew.
fn blocked(reason: &str) -> FieldError {
    FieldError::new("form", ErrorCode::Blocked).with("reason", Text::Word(reason.to_owned()))
}

/// The upstream's refusal in the guest's words.
fn reason(rejection: &Rejection) -> FieldError {
    let code = match rejection.code.as_str() {
        "item_unavailable" | "options_invalid" => ErrorCode::Gone,
        "price_changed" | "sum_mismatch" => ErrorCode::PriceChanged,
        "venue_closed" => ErrorCode::Closed,
        "table_required" | "table_unknown" => ErrorCode::TableRequired,
        "payment_unavailable" => ErrorCode::PaymentUnavailable,
        "out_of_zone" => return blocked("outOfZone"),
        "min_sum" => return blocked("minSum"),
        "max_sum" => return blocked("maxSum"),
        "address_required" => return blocked("address"),
        "tariff_unavailable" => return blocked("noTariff"),
        "bonus_too_much" | "promo_code_unknown" | "promo_code_expired" | "promo_code_sum" => {
            ErrorCode::PriceChanged
        }
        "idempotency_mismatch" => ErrorCode::Ordered,
        _ => return FieldError::rejected(rejection),
    };
    FieldError::new("form", code)
}
