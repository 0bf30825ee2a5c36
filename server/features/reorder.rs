//! What an order held, at the prices of now (OR-14).

use super::{age_check, cart_view::counted};
use crate::{
    error::Error,
    state::carts::{Cart, Choice, NewLine, Refused, UpdateError},
    upstream::{IdempotencyKey, OrderId, OrderItem, ProductId, ProductWithAdditives, Repeat},
    values::Sum,
    web::visit::Visit,
};

/// What of an order is to be had now.
pub struct Dishes {
    /// Lines with their counts.
    pub lines: Vec<(NewLine, i64)>,
    /// What is gone, or can't be had as it was chosen.
    pub missing: Vec<ProductId>,
    /// Something in it is sold to adults only.
    pub restricted: bool,
}

impl Dishes {
    /// Reads the menu of now.
    ///
    /// # Errors
    /// When the upstream does not answer.
    pub async fn of(visit: &Visit, repeat: &Repeat) -> Result<Self, Error> {
        let products: Vec<ProductId> = repeat.items.iter().map(|item| item.product).collect();
        let details = visit
            .app
            .upstream
            .products_with_additives(&visit.caller(None), repeat.venue, &products)
            .await?;
        let mut lines = Vec::new();
        let mut missing = repeat.missing.clone();
        for item in &repeat.items {
            let known = details
                .iter()
                .find(|product| product.product.id == item.product);
            match known.and_then(|known| line(visit, item, known)) {
                Some(line) => lines.push((line, i64::from(item.count))),
                None => missing.push(item.product),
            }
        }
        Ok(Self {
            lines,
            missing,
            restricted: details
                .iter()
                .any(|product| age_check::is_restricted(&product.product)),
        })
    }
}

/// Puts the dishes of an order that was taken back into the cart, if they are all to be had still and nothing else is in
/// it. Answers whether the cart holds them.
///
/// # Errors
/// When the store does not answer.
pub async fn put_back(visit: &Visit, id: &OrderId) -> Result<bool, Error> {
    let cart_id = visit.sess.cart_or_new().await?;
    let carts = visit.app.state.carts();
    let cart = carts.load(&cart_id).await?;
    let order = id.as_str();
    if !cart.is_empty() {
        let waits = cart.unpaid.as_ref().filter(|unpaid| unpaid.order == order);
        let is_in_cart = waits.is_some_and(|unpaid| cart.holds(&unpaid.lines, unpaid.generation));
        return Ok(cart.is_repeat_of(order) || is_in_cart);
    }
    // A form that is sent again finds a cart that its guest has emptied since.
    if cart.had_repeat_of(order) {
        return Ok(false);
    }
    let caller = visit.personal_caller().await;
    let key = IdempotencyKey::random();
    // It is taken back, whatever becomes of its dishes.
    let Ok(repeat) = visit.app.upstream.repeat_order(&caller, id, &key).await else {
        return Ok(false);
    };
    let Ok(dishes) = Dishes::of(visit, &repeat).await else {
        return Ok(false);
    };
    let is_allowed = !dishes.restricted || age_check::is_confirmed(visit).await;
    if !dishes.missing.is_empty() || dishes.lines.is_empty() || !is_allowed {
        return Ok(false);
    }
    let put = carts
        .update(&cart_id, |cart: &mut Cart| {
            if !cart.is_empty() {
                return Ok(cart.is_repeat_of(order));
            }
            for (line, count) in &dishes.lines {
                cart.add(repeat.venue.0, line.clone(), *count, false, visit.now)?;
            }
            cart.note_repeated(order);
            Ok::<_, Refused>(true)
        })
        .await;
    match put {
        Ok((_, put)) => Ok(put),
        Err(UpdateError::State(error)) => Err(error.into()),
        Err(UpdateError::Refused(_)) => Ok(false),
    }
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
