//! Loading `/cart`: what the upstream says about each line at this moment, totals, and why it can't be ordered yet.

use super::{CartPage, Minutes, PaymentKind, Total, TotalKind, Verdict, view};
use crate::{
    error::Error,
    features::{mapping, menu, page::Page, place::Place, shell::CartView},
    state::carts::{Cart, Line},
    upstream::{self, Card, FilialId, ItemStatus, OrderItem, ProductId, Selected},
    values::{MoneyFormat, Service, Sum},
    web::{load::Loaded, visit::Visit},
};

/// Goods that go with the cart (screens.md, 2.8).
const CROSS_SELL: usize = 6;

/// Loads the cart page together with the checked cart for its shell.
///
/// # Errors
/// When the store does not answer.
pub async fn load(visit: &Visit, place: &Place) -> Result<(Loaded, Option<CartView>), Error> {
    let cart = view::load(visit).await?;
    let Some((cart, filial)) = cart
        .and_then(|cart| Some((cart.filial_id?, cart)).filter(|(_, cart)| !cart.is_empty()))
        .map(|(filial, cart)| (cart, FilialId(filial)))
    else {
        return Ok((empty(), None));
    };
    let upstream = &visit.app.upstream;
    let caller = visit.caller(None);
    let card = match upstream.card(&caller, filial, None).await {
        Ok(card) => card,
        Err(error) => {
            tracing::warn!(
                class = error.class(),
                "The cart's venue could not be loaded"
            );
            let view = view::view(visit, &cart, &[]).await;
            let totals = view
                .as_ref()
                .map(|view| totals(view.total, 0, &place.meta.money))
                .unwrap_or_default();
            let page = CartPage {
                venue: None,
                totals,
                payments: Vec::new(),
                minutes: None,
                cross_sell: Vec::new(),
                blocks: vec!["checkFailed".to_owned()],
                name: String::new(),
            };
            return Ok((Loaded::page(Page::Cart(Box::new(page))).stale(true), view));
        }
    };
    let service = menu::service(&card, visit);
    let products: Vec<ProductId> = cart
        .lines
        .iter()
        .map(|line| ProductId(line.product_id))
        .collect();
    let counted: Vec<(ProductId, u32)> = cart
        .lines
        .iter()
        .map(|line| (ProductId(line.product_id), line.quantity))
        .collect();
    let aside = caller.optional();
    let (verdicts, minutes, cross_sell) = tokio::join!(
        verdicts(visit, &cart, filial, service),
        upstream.cooking_time(&aside, filial, &counted),
        upstream.cross_sell(&aside, filial, &products),
    );
    let checked = verdicts.is_ok();
    let verdicts = verdicts.unwrap_or_default();
    let view = view::view(visit, &cart, &verdicts).await;
    let meta = place.meta_of(card.town.as_ref());
    let venue = mapping::venue(&card, &meta, &visit.app.images, visit.now);
    let payments = payments(&card);
    let mut blocks = Vec::new();
    if !checked {
        blocks.push("checkFailed");
    }
    if !venue.open.open {
        blocks.push("closed");
    }
    if verdicts.iter().any(|verdict| *verdict != Verdict::Fine) {
        blocks.push("problems");
    }
    if service == Service::Express {
        if table_of(visit, &card).await.is_none() {
            blocks.push("table");
        }
    } else {
        // Only express may be ordered without a sign-in (ZZ-06).
        blocks.push("signIn");
    }
    if payments.is_empty() {
        blocks.push("noPayment");
    }
    let goods = view.as_ref().map_or(Sum(0), |view| view.total);
    let page = CartPage {
        totals: totals(goods, card.service_percentage, &meta.money),
        venue: Some(venue),
        payments,
        minutes: minutes
            .ok()
            .map(|minutes| Minutes {
                min: minutes.min,
                max: minutes.max,
            })
            .filter(|range| range.max > 0),
        cross_sell: cross_sell
            .map(|goods| {
                goods
                    .iter()
                    .filter(|product| !products.contains(&product.id) && !product.is_unavailable)
                    .take(CROSS_SELL)
                    .map(|product| mapping::product(product, &visit.app.images))
                    .collect()
            })
            .unwrap_or_default(),
        blocks: blocks.into_iter().map(str::to_owned).collect(),
        name: String::new(),
    };
    Ok((Loaded::page(Page::Cart(Box::new(page))), view))
}

/// What the upstream says about each line now (CT-03); never from a cache.
///
/// # Errors
/// When it does not answer: then nothing may be ordered.
pub async fn verdicts(
    visit: &Visit,
    cart: &Cart,
    filial: FilialId,
    service: Service,
) -> Result<Vec<Verdict>, upstream::Error> {
    let items: Vec<OrderItem> = cart.lines.iter().map(order_item).collect();
    let caller = visit.personal_caller().await;
    let check = visit
        .app
        .upstream
        .check_stop_list(&caller, filial, service, &items)
        .await?;
    let mut verdicts = vec![Verdict::Fine; items.len()];
    for item in &check.items {
        let (Some(verdict), Some(line)) =
            (verdicts.get_mut(item.index), cart.lines.get(item.index))
        else {
            continue;
        };
        *verdict = match (item.status, item.price) {
            (ItemStatus::Unavailable, _) => Verdict::Gone,
            (ItemStatus::PriceChanged, Some(price)) if price != line.price => Verdict::Price(price),
            (ItemStatus::Ok | ItemStatus::PriceChanged | ItemStatus::Unknown, _) => Verdict::Fine,
        };
    }
    Ok(verdicts)
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

/// Ways to pay of a venue (PY-01) as far as there is a page for them: online payment has none yet.
#[must_use]
pub fn payments(card: &Card) -> Vec<PaymentKind> {
    card.payments()
        .into_iter()
        .filter_map(|kind| match kind {
            upstream::PaymentKind::Cash => Some(PaymentKind::Cash),
            upstream::PaymentKind::Online => None,
        })
        .collect()
}

/// The table of the visit if it stands in this venue.
pub async fn table_of(visit: &Visit, card: &Card) -> Option<crate::web::session::Table> {
    let temp = visit.sess.menu_temp().await?;
    (temp.filial_id == card.location.filial_id.0).then_some(temp.table)?
}

/// Goods, service and total; the upstream works them out the same way and has the last word.
#[must_use]
pub fn totals(goods: Sum, service_percent: u32, money: &MoneyFormat) -> Vec<Total> {
    let service = service_sum(goods, service_percent, money);
    let mut totals = vec![Total {
        kind: TotalKind::Goods,
        sum: goods,
        percent: None,
    }];
    if service_percent > 0 {
        totals.push(Total {
            kind: TotalKind::Service,
            sum: service,
            percent: Some(service_percent),
        });
    }
    totals.push(Total {
        kind: TotalKind::Total,
        sum: Sum(goods.0 + service.0),
        percent: None,
    });
    totals
}

/// The service fee, rounded down to what the currency can pay (FM-01).
#[must_use]
pub fn service_sum(goods: Sum, percent: u32, money: &MoneyFormat) -> Sum {
    let step = if money.fraction_digits == 0 { 100 } else { 1 };
    let raw = goods.0.saturating_mul(i64::from(percent)) / 100;
    Sum(raw - raw % step)
}

fn empty() -> Loaded {
    Loaded::page(Page::Cart(Box::new(CartPage {
        venue: None,
        totals: Vec::new(),
        payments: Vec::new(),
        minutes: None,
        cross_sell: Vec::new(),
        blocks: vec!["empty".to_owned()],
        name: String::new(),
    })))
}
