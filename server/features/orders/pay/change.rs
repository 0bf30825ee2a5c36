//! Paying an order once more, and calling an unpaid one off.

use axum::extract::{Path, State};

use super::{load::bank, subject::Subject};
use crate::{
    error::Error,
    features::{
        bills::Part,
        cart_view::{choose_way, unpaid::Truth},
        kiosk,
        orders::{
            act::{DISHES, note_of, taken_back},
            live::Watchers,
        },
        page_data::PayWay,
        reorder::put_back,
        taking_back::{Turn, turn},
    },
    upstream::{self, IdempotencyKey, OrderId, PayMethod, PayPage, Payment, PaymentStatus},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Notice, Outcome},
        },
        visit::Visit,
    },
};

/// `POST /pay/{token}`: off to the bank again, by the way of the form. What is paid or called off meanwhile is told, not
/// paid again; two tabs get one attempt.
///
/// # Errors
/// Not found for an address that we did not make, or when store or upstream does not answer.
pub async fn again(visit: Visit, Path(token): Path<String>, form: Form) -> Result<Outcome, Error> {
    let page = format!("/pay/{token}");
    if Part::of(&visit, &token).await?.is_some() {
        // A part of a bill is chosen anew on the bill.
        return Ok(Outcome::go(page));
    }
    let method = form
        .get("payment")
        .and_then(PayWay::from_code)
        .and_then(PayWay::method);
    let Some(method) = method else {
        let error = FieldError::new("payment", ErrorCode::Required);
        return Ok(Outcome::refused(&form, page, vec![error]));
    };
    if method == PayMethod::Card && kiosk::on_tablet(&visit).await {
        let error = FieldError::new("payment", ErrorCode::PaymentUnavailable);
        return Ok(Outcome::refused(&form, page, vec![error]));
    }
    let Some(subject) = Subject::of(&visit, &token).await? else {
        return Ok(Outcome::go(page));
    };
    if subject.truth != Truth::Waits {
        return Ok(Outcome::go(page).with_cart());
    }
    let last = subject.order.attempt.as_ref();
    let open = last.filter(|attempt| {
        attempt.status == PaymentStatus::Pending && attempt.method == Some(method)
    });
    if last.is_some_and(|attempt| attempt.status == PaymentStatus::Succeeded) {
        return Ok(Outcome::go(page));
    }
    // A friend may pay, too; the guest's own payment goes on.
    let is_open = last.is_some_and(|attempt| attempt.status == PaymentStatus::Pending);
    if is_open && open.is_none() && !subject.own {
        return Ok(Outcome::go(page));
    }
    let attempt = match open {
        Some(attempt) => attempt.clone(),
        None => match open_attempt(&visit, &subject, &token, method).await {
            Ok(attempt) => attempt,
            // It was paid, or called off, a moment ago: the page tells.
            Err(upstream::Error::Rejected(_) | upstream::Error::NotFound) => {
                return Ok(Outcome::go(page));
            }
            Err(_) => return Ok(Outcome::refused_form(&form, page, ErrorCode::Unavailable)),
        },
    };
    Ok(match bank(&visit, &attempt, subject.order.sum) {
        Some(bank) if method == PayMethod::Card => Outcome::pay(bank, page),
        _ => Outcome::go(page),
    })
}

async fn open_attempt(
    visit: &Visit,
    subject: &Subject,
    token: &str,
    method: PayMethod,
) -> Result<Payment, upstream::Error> {
    let order = &subject.order;
    let before = order
        .attempt
        .as_ref()
        .map(|attempt| attempt.id.to_string())
        .unwrap_or_default();
    let key = visit
        .app
        .keys
        .pay_key(order.id.as_str(), &before, method.code());
    let key = IdempotencyKey::new(&key).unwrap_or_else(IdempotencyKey::random);
    let address = format!("{}/pay/{token}", visit.origin);
    let page = PayPage {
        method,
        success_url: address.clone(),
        failure_url: address,
    };
    visit
        .app
        .upstream
        .pay_order(&subject.caller, &order.id, &page, &key)
        .await
}

/// `POST /pay/{token}/cancel`: the guest who has placed an unpaid order calls it off and has its dishes in the cart
/// still, if another has not been begun. With `in_cash` they are to be ordered once more, in cash: the upstream has no
/// call that changes how an order is paid. Of a part of a bill: it is paid another way, on the bill.
///
/// # Errors
/// Not found for an address that we did not make, or when store or upstream does not answer.
pub async fn give_up(
    State(watchers): State<Watchers>,
    visit: Visit,
    Path(token): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let page = format!("/pay/{token}");
    match Part::of(&visit, &token).await {
        Ok(Some(part)) => return part.call_off(&visit).await,
        Ok(None) => {}
        // Nothing is known of it any more: the bill says what is left of it.
        Err(Error::NotFound(_)) if form.get("back").is_some() => {
            return Ok(Outcome::go(form.back()));
        }
        Err(error) => return Err(error),
    }
    let subject = match Subject::of(&visit, &token).await {
        // Its page leads on.
        Err(Error::NotFound(_)) if Subject::is_token_of(&visit, &token).await => None,
        subject => subject?,
    };
    let Some(subject) = subject else {
        return Ok(Outcome::go(page));
    };
    if !subject.own {
        return Err(Error::NotFound("order"));
    }
    let mut after = Some(subject);
    let mut has_dishes = false;
    if let Some(subject) = after.take_if(|subject| subject.truth == Truth::Waits) {
        match called_off(&visit, &watchers, &subject).await? {
            Called::Off { dishes } => has_dishes = dishes,
            Called::TooLate => {}
            Called::Busy => return Ok(Outcome::go(page).in_flight()),
            Called::Unreached => {
                return Ok(Outcome::refused_form(&form, page, ErrorCode::Unavailable));
            }
        }
        // What the upstream says now counts: a payment may have been quicker.
        after = match Subject::of(&visit, &token).await {
            // Another tab has seen it called off meanwhile.
            Err(Error::NotFound(_)) => return Ok(Outcome::go(page).with_cart()),
            subject => subject?,
        };
    }
    let outcome = match after {
        Some(subject) if subject.truth == Truth::Paid => Outcome::go(page),
        Some(subject) if subject.truth == Truth::CalledOff => {
            let id = &subject.order.id;
            // Who looked while the bank had its money has had the cart closed.
            let is_in_cart = subject.is_in_cart(&visit).await?
                || (has_dishes && has_become(&visit, id).await? && put_back(&visit, id).await?);
            if !is_in_cart {
                // Its page tells that it is called off, and claims no dishes in a cart that has others.
                Outcome::go(page)
            } else if form.get("in_cash").is_some() {
                choose_way(&visit, PayWay::Cash).await?;
                Outcome::go("/cart".to_owned()).saying(Notice::CashChosen)
            } else {
                Outcome::go("/cart".to_owned()).saying(Notice::OrderCancelled)
            }
        }
        Some(_) | None => Outcome::go("/cart".to_owned()),
    };
    Ok(outcome.with_cart())
}

/// What came of calling an order off.
enum Called {
    /// It is canceled.
    Off {
        /// It has some that may be in the cart again.
        dishes: bool,
    },
    /// It is paid, or was called off before.
    TooLate,
    /// Another press is not answered yet.
    Busy,
    /// That is not known.
    Unreached,
}

/// Calls an order off; however many press at once, one call is made.
async fn called_off(
    visit: &Visit,
    watchers: &Watchers,
    subject: &Subject,
) -> Result<Called, Error> {
    let (caller, id) = (&subject.caller, &subject.order.id);
    let press = match turn(visit, caller, "order", id.as_str()).await? {
        Turn::Ours(press) => press,
        Turn::Done(note) => {
            let dishes = note == DISHES;
            return Ok(Called::Off { dishes });
        }
        Turn::Busy => return Ok(Called::Busy),
    };
    match taken_back(visit, watchers, caller, id, "").await {
        Ok(Some(order)) => {
            let note = note_of(&order);
            press.done(note).await;
            let dishes = note == DISHES;
            Ok(Called::Off { dishes })
        }
        Ok(None) | Err(upstream::Error::Rejected(_)) => {
            press.release().await;
            Ok(Called::TooLate)
        }
        Err(_) => {
            press.release().await;
            Ok(Called::Unreached)
        }
    }
}

/// Whether the cart of this visit was closed by an order.
async fn has_become(visit: &Visit, id: &OrderId) -> Result<bool, Error> {
    let Some(cart) = visit.sess.cart().await else {
        return Ok(false);
    };
    let cart = visit.app.state.carts().load(&cart).await?;
    Ok(cart.became.iter().any(|became| became.order == id.as_str()))
}
