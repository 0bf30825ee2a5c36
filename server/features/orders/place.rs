//! `POST /orders`: one order, however often the button is pressed, in however many tabs.

use std::time::Duration;

use super::attempt::{Attempt, Placed, Sent, choices_hash, kept};
use crate::{
    error::Error,
    features::{
        age,
        cart::{self, PromoState, Quote, Verdict, view},
        kiosk, mapping, menu,
        place::Place,
        shell::{FieldError, Text},
    },
    state::{
        carts::{Cart, CartId},
        idempotency::Begun,
    },
    upstream::{FilialId, ProductId, Rejection},
    values::Service,
    web::{
        form::{Form, Outcome},
        session::OwnOrder,
        visit::Visit,
    },
};

const LONGEST_NAME: usize = 60;
const LONGEST_COMMENT: usize = 500;
/// A second press waits so long for the first one's answer, then the checking page takes over.
const WAIT: Duration = Duration::from_secs(8);
const WAIT_STEP: Duration = Duration::from_millis(100);
const CART: &str = "/cart";

/// Places the express order of the visit's cart.
///
/// # Errors
/// When the store does not answer: then nothing was sent.
pub async fn place(visit: &Visit, form: &Form) -> Result<Outcome, Error> {
    let refused = |code: &str| Ok(Outcome::refused_form(form, CART.to_owned(), code));
    let (Some(cart_id), Some(version)) =
        (visit.sess.cart().await, form.parse::<u64>("cart_version"))
    else {
        return refused("versionChanged");
    };
    let (name, comment) = match texts(form) {
        Ok(texts) => texts,
        Err(error) => return Ok(Outcome::refused(form, CART.to_owned(), vec![error])),
    };
    let cash = match form.get("payment") {
        Some("cash") => true,
        Some("online") => false,
        Some(_) | None => {
            return Ok(Outcome::refused(
                form,
                CART.to_owned(),
                vec![FieldError::new("payment", "required")],
            ));
        }
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
        let hash = choices_hash(&table, cash, &name, &comment);
        return begun(
            visit,
            form,
            &key,
            records.begin(&key, hash, &known.body).await?,
            None,
        )
        .await;
    }
    let cart = visit.app.state.carts().load(&cart_id).await?;
    if cart.version != version || cart.is_empty() {
        return refused("versionChanged");
    }
    let attempt = match prepare(visit, form, cart, cash, name, comment).await? {
        Ok(attempt) => attempt,
        Err(outcome) => return Ok(*outcome),
    };
    let body =
        serde_json::to_string(&attempt).map_err(|error| Error::Internal(error.to_string()))?;
    let state = records.begin(&key, attempt.hash(), &body).await?;
    begun(visit, form, &key, state, Some(attempt)).await
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

/// Everything that must be true before anything is sent (CT-02, CT-03, CT-05), and what is sent.
async fn prepare(
    visit: &Visit,
    form: &Form,
    cart: Cart,
    cash: bool,
    name: String,
    comment: String,
) -> Result<Result<Attempt, Box<Outcome>>, Error> {
    let refused = |code: &str| {
        Ok(Err(Box::new(Outcome::refused_form(
            form,
            CART.to_owned(),
            code,
        ))))
    };
    let Some(filial) = cart.filial_id.map(FilialId) else {
        return refused("versionChanged");
    };
    let Ok(card) = visit
        .app
        .upstream
        .card(&visit.caller(None), filial, None)
        .await
    else {
        return refused("unavailable");
    };
    let service = menu::service(&card, visit);
    let place = Place::of(visit).await;
    let meta = place.meta_of(card.town.as_ref());
    if service != Service::Express {
        let reason = cart::blocked(visit, &cart, &card, service, &meta.money).await;
        let error = FieldError::new("form", "blocked").with("reason", Text::Word(reason));
        return Ok(Err(Box::new(Outcome::refused(
            form,
            CART.to_owned(),
            vec![error],
        ))));
    }
    if !mapping::open(&card.location, visit.now, meta.utc_offset).open {
        return refused("closed");
    }
    let table = cart::table_of(visit, &card).await;
    let table_id = table.as_ref().and_then(|table| table.id.parse().ok());
    if table_id.is_none() && !kiosk::picks_up(visit, &card).await {
        return refused("tableRequired");
    }
    let wanted = if cash {
        cart::PaymentKind::Cash
    } else {
        cart::PaymentKind::Online
    };
    if !cart::payments(&card).contains(&wanted) {
        return refused("paymentUnavailable");
    }
    let Ok(menu) = visit.app.upstream.menu(&visit.caller(None), filial).await else {
        return refused("unavailable");
    };
    let restricted = cart
        .lines
        .iter()
        .filter_map(|line| menu.product(ProductId(line.product_id)))
        .any(age::is_restricted);
    if restricted && !age::is_confirmed(visit).await {
        return Ok(Err(Box::new(age::question(form, CART))));
    }
    let Ok(checked) = cart::check(visit, &cart, filial, service).await else {
        return refused("unavailable");
    };
    if checked.verdicts.contains(&Verdict::Gone) {
        return refused("gone");
    }
    if checked
        .verdicts
        .iter()
        .any(|verdict| *verdict != Verdict::Fine)
    {
        return refused("priceChanged");
    }
    let Some(viewed) = view::viewed(visit, &cart, &checked).await else {
        return refused("versionChanged");
    };
    let quote = Quote::of(visit, &cart, &card, service, &meta.money, viewed.view.total).await;
    // The sum that the guest has seen is the one that is ordered (CT-21, BL-12).
    if form
        .parse::<i64>("total")
        .is_some_and(|seen| seen != quote.total.0)
    {
        return refused("priceChanged");
    }
    let promo_code = quote
        .promo
        .filter(|promo| promo.state == PromoState::Applied)
        .map(|promo| promo.code)
        .unwrap_or_default();
    let source = visit.sess.menu_temp().await.and_then(|temp| temp.source);
    Ok(Ok(Attempt {
        filial,
        source: source.unwrap_or_default(),
        main_terminal: table.and_then(|table| table.main_terminal_id.parse().ok()),
        table: table_id,
        cash,
        name,
        comment,
        expected_sum: quote.total,
        bonus: quote.bonus.used,
        promo_code,
        day: viewed.day,
        promo: viewed.promo,
        fingerprint: visit.device_or_new().await?,
        lang: visit.lang,
        country: visit.country,
        cart: cart.id,
        lines: cart.lines,
    }))
}

async fn begun(
    visit: &Visit,
    form: &Form,
    key: &str,
    begun: Begun,
    new: Option<Attempt>,
) -> Result<Outcome, Error> {
    let sent = match begun {
        Begun::New => match new {
            Some(attempt) => {
                let caller = visit.personal_caller().await;
                attempt
                    .send(visit.app.clone(), key.to_owned(), Some(caller))
                    .await?
            }
            None => {
                return Ok(Outcome::refused_form(
                    form,
                    CART.to_owned(),
                    "versionChanged",
                ));
            }
        },
        Begun::Orphaned { body } => {
            let attempt: Attempt = kept(&body)?;
            let caller = visit.personal_caller().await;
            attempt
                .send(visit.app.clone(), key.to_owned(), Some(caller))
                .await?
        }
        Begun::Done { answer } => return done(visit, &answer).await,
        Begun::InFlight => return in_flight(visit, key).await,
        Begun::Mismatch => return Ok(Outcome::refused_form(form, CART.to_owned(), "ordered")),
    };
    match sent {
        Sent::Placed(placed) => go_to(visit, placed).await,
        Sent::Unknown => Ok(Outcome::go(checking(key))),
        Sent::Unreached => Ok(Outcome::refused_form(form, CART.to_owned(), "unavailable")),
        Sent::Refused(rejection) => Ok(Outcome::refused(
            form,
            CART.to_owned(),
            vec![reason(&rejection)],
        )),
    }
}

/// The answer of then: the same order.
async fn done(visit: &Visit, answer: &str) -> Result<Outcome, Error> {
    let placed: Placed = kept(answer)?;
    go_to(visit, placed).await
}

pub(super) async fn go_to(visit: &Visit, placed: Placed) -> Result<Outcome, Error> {
    let order = OwnOrder {
        id: placed.id,
        number: placed.number,
        href: placed.href.clone(),
        placed_at: placed.at,
    };
    visit.sess.add_own_order(order).await?;
    Ok(Outcome::go(placed.href))
}

/// Another press is being sent: a form waits for it, a script is told at once and goes to the checking page.
async fn in_flight(visit: &Visit, key: &str) -> Result<Outcome, Error> {
    if !visit.wants_json() {
        let deadline = tokio::time::Instant::now() + WAIT;
        while tokio::time::Instant::now() < deadline {
            tokio::time::sleep(WAIT_STEP).await;
            let known = visit.app.state.idempotency().get(key).await?;
            if let Some(answer) = known.and_then(|known| known.answer) {
                return done(visit, &answer).await;
            }
        }
    }
    Ok(Outcome::go(checking(key)).in_flight())
}

fn checking(key: &str) -> String {
    format!("/orders/checking/{key}")
}

fn texts(form: &Form) -> Result<(String, String), FieldError> {
    let read = |field: &str, longest: usize| {
        let text = form.get(field).unwrap_or_default();
        if text.chars().count() > longest {
            return Err(FieldError::new(field, "tooLong").with(
                "count",
                Text::Number(i32::try_from(longest).unwrap_or(i32::MAX)),
            ));
        }
        Ok(text.to_owned())
    };
    Ok((
        read("name", LONGEST_NAME)?,
        read("comment", LONGEST_COMMENT)?,
    ))
}

/// The upstream's refusal in the guest's words.
fn reason(rejection: &Rejection) -> FieldError {
    let code = match rejection.code.as_str() {
        "item_unavailable" | "options_invalid" => "gone",
        "price_changed" | "sum_mismatch" => "priceChanged",
        "venue_closed" => "closed",
        "table_required" | "table_unknown" => "tableRequired",
        "payment_unavailable" => "paymentUnavailable",
        "bonus_too_much" | "promo_code_unknown" | "promo_code_expired" | "promo_code_sum" => {
            "priceChanged"
        }
        "idempotency_mismatch" => "ordered",
        _ => "unavailable",
    };
    FieldError::new("form", code)
}
