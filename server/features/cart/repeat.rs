//! An order once more: at the prices of now, and nothing that is gone is left out silently (OR-14).

use std::collections::BTreeMap;

use super::{
    RepeatCard,
    add::{change_once, refusal},
};
use crate::{
    error::Error,
    features::{
        age_check,
        analytics::{self, Cleared},
        cart_view::{counted, unpaid::own_orders},
        mapping, orders,
        reorder::Dishes,
    },
    upstream::{self, Caller, IdempotencyKey, Order, OrderId, OrderKind, ProductId},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Flash, Notice, Outcome},
        },
        session::OwnOrder,
        visit::Visit,
    },
};

/// Dishes that the card names.
const NAMED: usize = 5;

/// Puts what an order held into the cart again: `order` is the id of one that this visit placed. Lines of another venue
/// make way only with `replace`. A second press that finds the cart as the first has left it is the same wish: a finger
/// that taps twice, a page that is slow to go, one that the browser has kept.
///
/// # Errors
/// When the store or the upstream does not answer.
pub async fn repeat(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let Some(id) = form.get("order").and_then(|id| id.parse::<OrderId>().ok()) else {
        return Ok(Outcome::refused_form(
            &form,
            form.back(),
            ErrorCode::BadInput,
        ));
    };
    let caller = visit.personal_caller().await;
    let repeated = visit
        .app
        .upstream
        .repeat_order(&caller, &id, &IdempotencyKey::random())
        .await;
    let repeated = match repeated {
        Ok(repeated) => repeated,
        Err(error @ upstream::Error::Unauthorized) if visit.signed_in.is_some() => {
            return Err(error.into());
        }
        Err(upstream::Error::NotFound | upstream::Error::Unauthorized) => {
            return Ok(Outcome::refused_form(&form, form.back(), ErrorCode::Gone));
        }
        Err(error) => return Err(Error::Upstream(error)),
    };
    let Dishes {
        lines,
        missing,
        restricted,
    } = Dishes::of(&visit, &repeated).await?;
    if restricted && !age_check::is_confirmed(&visit).await {
        return Ok(age_check::question(&visit, &form, &form.back()));
    }
    let names = names(&visit, &caller, &id, &missing).await;
    if lines.is_empty() {
        return Ok(Outcome::back(form.back()).with_flash(said(Notice::RepeatedNothing, &names)));
    }
    let cart = visit.sess.cart_or_new().await?;
    let replace = form.get("replace").is_some();
    // Another service of the same venue is no other venue: what is in the cart comes along (SV-03).
    let siblings = visit
        .app
        .upstream
        .venue(&visit.caller(None).optional(), repeated.venue, None)
        .await
        .map_or_else(|_| Vec::new(), |venue| mapping::siblings(&venue));
    let order = id.to_string();
    let done = change_once(&visit, &form, &cart, |cart| {
        if cart.is_repeat_of(&order) {
            return Ok(None);
        }
        cart.follow(&siblings, repeated.venue.0);
        let venue = repeated.venue.0;
        let had_dishes = !cart.is_empty();
        let others = if replace || !had_dishes {
            cart.enter_venue(venue, visit.now)
        } else {
            None
        };
        // Of a cart that waited aside and is back now, the dishes of the order are ordered once: it may be what a call-off
        // has given back.
        let is_back = (others.is_some() || !had_dishes) && !cart.is_empty();
        for (line, count) in &lines {
            let there = cart
                .lines
                .iter()
                .filter(|one| is_back && one.id == line.id());
            let more = count - there.map(|one| i64::from(one.quantity)).sum::<i64>();
            if more > 0 {
                cart.add(venue, line.clone(), more, replace, visit.now)?;
            }
        }
        cart.note_repeated(&order);
        let beside = if is_back {
            cart.lines.len() > lines.len()
        } else {
            had_dishes && others.is_none()
        };
        Ok(Some((others.is_some(), beside)))
    })
    .await;
    let done = done.map(|(_, became)| became.flatten());
    if matches!(done, Ok(Some((true, _)))) {
        analytics::cart_cleared(Cleared::OtherVenue);
    }
    if matches!(done, Ok(Some(_))) {
        for (line, _) in &lines {
            analytics::item_added(repeated.venue.0, line.product_id);
        }
    }
    let beside = matches!(done, Ok(Some((_, true))));
    let outcome = refusal(&visit, &form, done.map(|_| ())).await?;
    if outcome.is_refused() {
        return Ok(outcome);
    }
    let kind = match (names.is_empty(), beside) {
        (false, _) => Notice::RepeatedPartly,
        (true, true) => Notice::RepeatedBeside,
        (true, false) => Notice::Repeated,
    };
    Ok(Outcome::go("/cart".to_owned())
        .with_flash(said(kind, &names))
        .with_cart())
}

/// The newest order of the account that is over, else the newest of this session if it is, as a card of Home and of the
/// empty cart: beside one that is still made it would be a mistake to order it again. What was taken out of a fridge is
/// taken there, not ordered again.
pub(in crate::features) async fn card(visit: &Visit) -> Option<RepeatCard> {
    let own = orders::of_account(visit).await.unwrap_or_default();
    if let Some(card) = own.into_iter().find_map(named) {
        return Some(card);
    }
    let newest: OwnOrder = own_orders(visit).await.into_iter().next()?;
    let id: OrderId = newest.id.parse().ok()?;
    let caller = visit.personal_caller().await.optional();
    named(visit.app.upstream.order(&caller, &id).await.ok()?)
}

fn named(order: Order) -> Option<RepeatCard> {
    if order.kind == OrderKind::Micromarket || !orders::is_over(&order) {
        return None;
    }
    let lines: Vec<String> = order
        .positions
        .iter()
        .take(NAMED)
        .map(|position| counted(&position.name, position.count))
        .collect();
    (order.personal && !lines.is_empty()).then_some(RepeatCard {
        order: order.id.to_string(),
        number: order.number,
        venue: order.venue_name,
        lines,
    })
}

/// What the missing dishes were called in the order.
async fn names(visit: &Visit, caller: &Caller, id: &OrderId, missing: &[ProductId]) -> Vec<String> {
    if missing.is_empty() {
        return Vec::new();
    }
    let order = visit.app.upstream.order(&caller.optional(), id).await;
    let positions = order.map(|order| order.positions).unwrap_or_default();
    missing
        .iter()
        .map(|product| {
            positions
                .iter()
                .find(|position| position.product == Some(*product))
                .map_or_else(|| "…".to_owned(), |position| position.name.clone())
        })
        .collect()
}

fn said(kind: Notice, names: &[String]) -> Flash {
    let mut values = BTreeMap::new();
    values.insert("names".to_owned(), vec![names.join(", ")]);
    Flash {
        values,
        ..Flash::new(kind)
    }
}
