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
        orders,
    },
    state::carts::{Choice, NewLine},
    upstream::{
        self, Caller, IdempotencyKey, Order, OrderId, OrderItem, OrderKind, ProductId,
        ProductWithAdditives,
    },
    values::Sum,
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

/// What became of the cart that an order was put into.
enum CartBefore {
    Empty,
    /// Its dishes stay.
    Kept,
    /// Its dishes were of another venue, and have made way.
    Replaced,
}

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
    let told = visit
        .app
        .upstream
        .repeat_order(&caller, &id, &IdempotencyKey::random())
        .await;
    let told = match told {
        Ok(told) => told,
        Err(error @ upstream::Error::Unauthorized) if visit.signed_in.is_some() => {
            return Err(error.into());
        }
        Err(upstream::Error::NotFound | upstream::Error::Unauthorized) => {
            return Ok(Outcome::refused_form(&form, form.back(), ErrorCode::Gone));
        }
        Err(error) => return Err(Error::Upstream(error)),
    };
    let products: Vec<ProductId> = told.items.iter().map(|item| item.product).collect();
    let details = visit
        .app
        .upstream
        .products_with_additives(&visit.caller(None), told.venue, &products)
        .await?;
    let restricted = |product: &ProductWithAdditives| age_check::is_restricted(&product.product);
    if details.iter().any(restricted) && !age_check::is_confirmed(&visit).await {
        return Ok(age_check::question(&visit, &form, &form.back()));
    }
    let mut lines = Vec::new();
    let mut missing: Vec<ProductId> = told.missing.clone();
    for item in &told.items {
        let known = details
            .iter()
            .find(|product| product.product.id == item.product);
        match known.and_then(|known| line(&visit, item, known)) {
            Some(line) => lines.push((line, i64::from(item.count))),
            None => missing.push(item.product),
        }
    }
    let names = names(&visit, &caller, &id, &missing).await;
    if lines.is_empty() {
        return Ok(Outcome::back(form.back()).with_flash(said(Notice::RepeatedNothing, &names)));
    }
    let cart = visit.sess.cart_or_new().await?;
    let replace = form.get("replace").is_some();
    let order = id.to_string();
    let done = change_once(&visit, &form, &cart, |cart| {
        if cart.is_repeat_of(&order) {
            return Ok(None);
        }
        let held = !cart.is_empty();
        let mut replaced = false;
        for (line, count) in &lines {
            let removed = cart.add(told.venue.0, line.clone(), *count, replace, visit.now)?;
            replaced |= removed.is_some();
        }
        cart.note_repeated(&order);
        Ok(Some(match (replaced, held) {
            (true, _) => CartBefore::Replaced,
            (false, true) => CartBefore::Kept,
            (false, false) => CartBefore::Empty,
        }))
    })
    .await;
    let done = done.map(|(_, before)| before.flatten());
    if matches!(done, Ok(Some(CartBefore::Replaced))) {
        analytics::cart_cleared(Cleared::OtherVenue);
    }
    if matches!(done, Ok(Some(_))) {
        for (line, _) in &lines {
            analytics::item_added(told.venue.0, line.product_id);
        }
    }
    let beside = matches!(done, Ok(Some(CartBefore::Kept)));
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

/// The newest order of the account, else of this session, as a card of Home and of the empty cart. What was taken out of a
/// fridge is taken there, not ordered again.
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
    if order.kind == OrderKind::Micromarket {
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

/// The line of now, if what was chosen then is still to be had.
fn line(visit: &Visit, item: &OrderItem, known: &ProductWithAdditives) -> Option<NewLine> {
    let product = &known.product;
    if product.is_unavailable {
        return None;
    }
    let mut names = Vec::new();
    let mut price = match item.size {
        Some(size) => {
            let size = product.size(size).filter(|size| !size.is_unavailable)?;
            names.push(size.name.clone());
            size.current_price()
        }
        None => product.sizes.is_none().then(|| product.current_price())?,
    };
    let mut options = Vec::new();
    for chosen in &item.additives {
        let option = known
            .groups
            .iter()
            .flat_map(|group| &group.additives)
            .find(|option| option.id == chosen.id && !option.is_unavailable)?;
        names.push(counted(&option.name, chosen.count));
        price = Sum(price.0 + option.price.0 * i64::from(chosen.count));
        options.push(Choice {
            id: chosen.id.0,
            count: chosen.count,
        });
    }
    let fits = known.groups.iter().all(|group| {
        let count: u32 = group
            .additives
            .iter()
            .filter_map(|option| item.additives.iter().find(|chosen| chosen.id == option.id))
            .map(|chosen| chosen.count)
            .sum();
        (group.min..=group.max).contains(&count)
    });
    fits.then(|| NewLine {
        product_id: product.id.0,
        size_id: item.size.map(|size| size.0),
        options,
        note: item.comment.clone(),
        name: product.name.clone(),
        option_names: names,
        image: product
            .images
            .first()
            .and_then(|url| visit.app.images.address(url)),
        price,
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
