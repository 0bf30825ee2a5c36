//! The cart as an order: its lines beside the stock and the prices of now.

use crate::{
    features::cart_view::{Checked, Verdict},
    state::carts::{Cart, Line},
    upstream::{self, ItemStatus, OrderItem, ProductId, Selected, VenueId},
    values::{MoneyFormat, Service, Sum},
    web::visit::Visit,
};

/// What the upstream says about each line now (CT-03); never from a cache.
///
/// # Errors
/// When it does not answer: then nothing may be ordered.
pub async fn check(
    visit: &Visit,
    cart: &Cart,
    venue: VenueId,
    service: Service,
) -> Result<Checked, upstream::Error> {
    let items: Vec<OrderItem> = cart.lines.iter().map(order_item).collect();
    let caller = visit.personal_caller().await;
    let check = visit
        .app
        .upstream
        .check_stop_list(&caller, venue, service, &items)
        .await?;
    let mut verdicts = vec![Verdict::Fine; items.len()];
    let mut split = vec![None; items.len()];
    let mut unclear = !check.ok && check.items.is_empty();
    for item in &check.items {
        let (Some(verdict), Some(line)) =
            (verdicts.get_mut(item.index), cart.lines.get(item.index))
        else {
            continue;
        };
        if let Some(split) = split.get_mut(item.index) {
            *split = item.split;
        }
        *verdict = match (item.status, item.price) {
            (ItemStatus::Unavailable, _) => Verdict::Gone,
            (ItemStatus::PriceChanged, Some(price)) if price != line.price => Verdict::Price(price),
            (ItemStatus::Ok | ItemStatus::PriceChanged, _) => Verdict::Fine,
            (ItemStatus::Unknown, _) => {
                unclear = true;
                Verdict::Fine
            }
        };
    }
    // An unknown verdict must not pass for "all is well".
    if unclear {
        return Err(upstream::Error::BadAnswer {
            why: "an unknown verdict of the stop list",
        });
    }
    Ok(Checked { verdicts, split })
}

/// A line as the upstream takes it.
#[must_use]
pub fn order_item(line: &Line) -> OrderItem {
    OrderItem {
        product: ProductId(line.product_id),
        size: line.size_id.map(upstream::SizeId),
        count: line.quantity,
        price: line.price,
        additives: line
            .options
            .iter()
            .map(|choice| Selected {
                id: upstream::AdditiveId(choice.id),
                count: choice.count,
            })
            .collect(),
        comment: line.note.clone(),
    }
}

/// The service fee, rounded down to what the currency can pay (FM-01).
#[must_use]
pub fn service_sum(goods: Sum, percent: u32, money: &MoneyFormat) -> Sum {
    let step = if money.fraction_digits == 0 { 100 } else { 1 };
    let raw = goods.0.saturating_mul(i64::from(percent)) / 100;
    Sum(raw - raw % step)
}
