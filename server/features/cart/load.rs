//! Loading `/cart`: what the upstream says about each line at this moment, totals, and why it can't be ordered yet.

use super::{
    BonusState, CartOffer, CartPage, Minutes, PayWay, Quote, Total, TotalKind, UnpaidOrder,
    VenueRef, Verdict, repeat,
    view::{self, Checked},
};
use crate::{
    error::Error,
    features::{
        addresses::metres,
        kiosk,
        loaded::{Facts, Loaded, PageRequest},
        mapping, menu,
    },
    state::carts::{Cart, Line},
    upstream::{
        self, Card, FilialId, ItemStatus, OrderItem, OrderKind, ProductId, Selected, Source,
    },
    values::{MoneyFormat, Service, Sum},
    web::{
        form::Form,
        outcome::{ErrorCode, Outcome},
        page::Page,
        visit::Visit,
    },
};

/// Goods that go with the cart (screens.md, 2.8).
const CROSS_SELL: usize = 6;
/// From here on a venue is far, metres (ZZ-17).
const FAR: f64 = 1500.0;

/// `/cart`
pub const PAGE: Page = Page::new("cart", "/cart").balance();

/// Loads the cart page together with the checked cart for its shell.
///
/// # Errors
/// When the store does not answer.
pub async fn load(request: PageRequest) -> Result<Loaded<CartPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let cart = view::of_page(visit).await?;
    let Some((cart, filial)) = cart
        .filter(|cart| !cart.is_empty())
        .and_then(|cart| Some((cart, FilialId(cart.filial_id?))))
    else {
        return Ok(empty(visit).await);
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
            let view = view::view(visit, place, cart).await;
            let goods = view.as_ref().map_or(Sum(0), |view| view.total);
            let page = CartPage {
                totals: [TotalKind::Goods, TotalKind::Total]
                    .map(|kind| Total {
                        kind,
                        sum: goods,
                        percent: None,
                    })
                    .to_vec(),
                blocks: vec!["checkFailed".to_owned()],
                ..blank()
            };
            return Ok(Loaded::page(page).stale(true).cart(view));
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
    let (checked, minutes, cross_sell) = tokio::join!(
        check(visit, cart, filial, service),
        upstream.cooking_time(&aside, filial, &counted),
        upstream.cross_sell(&aside, filial, &products),
    );
    let answered = checked.is_ok();
    let checked = checked.unwrap_or_default();
    let view = view::viewed(visit, place, cart, &checked)
        .await
        .map(|viewed| viewed.view);
    let meta = place.meta_of(card.town.as_ref());
    let goods = view.as_ref().map_or(Sum(0), |view| view.total);
    let (quote, offers, name) = tokio::join!(
        Quote::of(visit, cart, &card, service, &meta.money, goods),
        offers(visit),
        name(visit)
    );
    let venue = mapping::venue(&card, &meta, &visit.app.images, visit.now);
    let (is_open, until) = (venue.open.open, venue.open.until);
    let payments = payments(&card);
    let mut blocks = Vec::new();
    if !answered {
        blocks.push("checkFailed");
    }
    if !is_open {
        blocks.push("closed");
    }
    if checked
        .verdicts
        .iter()
        .any(|verdict| *verdict != Verdict::Fine)
    {
        blocks.push("problems");
    }
    let kind = kind_of(visit, &card, service).await;
    blocks.extend(kind_blocks(visit, &card, kind, &quote, goods).await);
    let far = far(visit, &card, kind).await;
    if far.is_some() && blocks.is_empty() {
        blocks.push("far");
    }
    if payments.is_empty() {
        blocks.push("noPayment");
    }
    let unpaid = cart.unpaid.as_ref().map(|unpaid| UnpaidOrder {
        number: unpaid.number.clone(),
        sum: unpaid.sum,
        href: unpaid.href.clone(),
    });
    if unpaid.is_some() {
        blocks.insert(0, "unpaid");
    }
    let page = CartPage {
        totals: quote.totals,
        bill: menu::pays_by_bill(visit, &card).await,
        venue: Some(venue),
        payments,
        unpaid,
        far,
        minutes: minutes
            .ok()
            .map(|minutes| Minutes {
                min: minutes.min,
                max: minutes.max,
            })
            // A closed kitchen promises nothing.
            .filter(|range| range.max > 0 && is_open),
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
        name,
        promo: quote.promo,
        offers,
        bonus: Some(quote.bonus),
        delivery: quote.delivery,
        table_typed: card.table_number_allowed,
        pickup: service == Service::Express && kiosk::picks_up(visit, &card).await,
        keypad: service == Service::Express && kiosk::asks_table(visit, &card).await,
        ..blank()
    };
    let overlay = match &page {
        CartPage { keypad: true, .. } => Some("keypad"),
        CartPage {
            delivery: Some(_), ..
        } => Some("delivery"),
        CartPage { bonus, .. } => bonus
            .filter(|bonus| bonus.state == BonusState::Ready)
            .map(|_| "bonus"),
    };
    Ok(Loaded::page(page).cart(view).until(until).overlay(overlay))
}

/// What the upstream says about each line now (CT-03); never from a cache.
///
/// # Errors
/// When it does not answer: then nothing may be ordered.
pub async fn check(
    visit: &Visit,
    cart: &Cart,
    filial: FilialId,
    service: Service,
) -> Result<Checked, upstream::Error> {
    let items: Vec<OrderItem> = cart.lines.iter().map(order_item).collect();
    let caller = visit.personal_caller().await;
    let check = visit
        .app
        .upstream
        .check_stop_list(&caller, filial, service, &items)
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
    // A verdict that is not understood is none: it must not pass for "all is well".
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

/// Ways to pay of a venue, in the order of the choice: online is by card or by QR (PY-01, PY-02).
#[must_use]
pub fn payments(card: &Card) -> Vec<PayWay> {
    card.payments()
        .into_iter()
        .flat_map(|kind| match kind {
            upstream::PaymentKind::Online => &[PayWay::Card, PayWay::Qr][..],
            upstream::PaymentKind::Cash => &[PayWay::Cash],
        })
        .copied()
        .collect()
}

/// The table of the visit if it stands in this venue.
pub async fn table_of(visit: &Visit, card: &Card) -> Option<crate::web::session::Table> {
    let temp = visit.sess.menu_temp().await?;
    (temp.filial_id == card.location.filial_id.0).then_some(temp.table)?
}

/// The service fee, rounded down to what the currency can pay (FM-01).
#[must_use]
pub fn service_sum(goods: Sum, percent: u32, money: &MoneyFormat) -> Sum {
    let step = if money.fraction_digits == 0 { 100 } else { 1 };
    let raw = goods.0.saturating_mul(i64::from(percent)) / 100;
    Sum(raw - raw % step)
}

/// Which of the five calls takes an order of this cart (OR-01, ZZ-11).
pub async fn kind_of(visit: &Visit, card: &Card, service: Service) -> OrderKind {
    let came = visit.sess.arrived_at(card.location.filial_id.0).await;
    let by_fridge = came.and_then(|temp| temp.source) == Some(Source::Fridge);
    match service {
        _ if by_fridge || card.is_fridge() => OrderKind::Micromarket,
        Service::Express => OrderKind::Express,
        Service::Takeaway => OrderKind::Takeaway,
        Service::Delivery if card.vendor_delivery_enabled => OrderKind::VendorDelivery,
        Service::Delivery => OrderKind::Delivery,
    }
}

/// What is in the way by the kind of the order (CT-02, CT-11, CT-17, CT-18, ZZ-06).
pub async fn kind_blocks(
    visit: &Visit,
    card: &Card,
    kind: OrderKind,
    quote: &Quote,
    goods: Sum,
) -> Vec<&'static str> {
    let mut blocks = Vec::new();
    let anonymous = visit.app.config.anonymous_orders.contains(&kind);
    let signed_in = visit.signed_in.is_some();
    if !signed_in && !anonymous {
        blocks.push("signIn");
    }
    if kind == OrderKind::Express {
        let known = table_of(visit, card).await.is_some() || kiosk::picks_up(visit, card).await;
        if !known {
            blocks.insert(0, "table");
        }
    }
    let Some(delivery) = &quote.delivery else {
        return blocks;
    };
    let has_address = delivery.address.is_some();
    let may_order = signed_in || anonymous;
    if delivery.paused {
        blocks.push("paused");
    }
    if may_order && !has_address {
        blocks.push("address");
    }
    if delivery.out_of_zone {
        blocks.push("outOfZone");
    } else if has_address && delivery.price.is_none() {
        blocks.push("noTariff");
    }
    if delivery.min_sum.is_some_and(|least| goods < least) {
        blocks.push("minSum");
    }
    if delivery.max_sum.is_some_and(|most| goods > most) {
        blocks.push("maxSum");
    }
    // Asked once in a session, when nothing else is in the way (DG-05).
    if blocks.is_empty() && !delivery.confirmed {
        blocks.push("confirmAddress");
    }
    blocks
}

/// Metres to a venue that is far from the guest, as long as the guest has not said that it is all right (ZZ-17).
async fn far(visit: &Visit, card: &Card, kind: OrderKind) -> Option<u32> {
    if !matches!(kind, OrderKind::Takeaway | OrderKind::Micromarket) {
        return None;
    }
    let (here, there) = (visit.near()?, card.location.coordinates?);
    let metres = metres(here, there);
    let accepted = visit.sess.far_accepted().await == Some(card.location.filial_id.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "distances on earth are positive and short"
    )]
    (metres >= FAR && !accepted).then_some(metres as u32)
}

/// Keeps that the guest goes that far: `POST /cart/far`, with the venue as `filial`.
///
/// # Errors
/// When the store does not answer.
pub async fn accept_far(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let Some(filial) = form.parse::<u64>("filial") else {
        return Ok(Outcome::refused_form(
            &form,
            form.back(),
            ErrorCode::BadInput,
        ));
    };
    visit.sess.accept_far(filial).await?;
    Ok(Outcome::back(form.back()))
}

/// What a signed-in guest is called need not be typed once more (AX-04).
async fn name(visit: &Visit) -> String {
    let caller = visit.personal_caller().await.optional();
    if caller.bearer.is_none() {
        return String::new();
    }
    let user = visit.app.upstream.user(&caller).await;
    user.map(|user| user.name).unwrap_or_default()
}

/// Gifts and coupons of a signed-in guest; none when they can't be had (BL-11).
async fn offers(visit: &Visit) -> Vec<CartOffer> {
    let caller = visit.personal_caller().await.optional();
    if caller.bearer.is_none() {
        return Vec::new();
    }
    let upstream = &visit.app.upstream;
    let (gifts, coupons) = tokio::join!(upstream.gifts(&caller), upstream.coupons(&caller));
    let mut offers: Vec<CartOffer> = Vec::new();
    for offer in gifts
        .unwrap_or_default()
        .into_iter()
        .chain(coupons.unwrap_or_default())
    {
        if !offers.iter().any(|known| known.code == offer.code) {
            offers.push(CartOffer {
                name: offer.name,
                code: offer.code,
            });
        }
    }
    offers
}

async fn empty(visit: &Visit) -> Loaded<CartPage> {
    let home = visit.sess.menu_temp().await.map(|temp| VenueRef {
        id: temp.filial_id,
        name: temp.venue_name,
    });
    Loaded::page(CartPage {
        blocks: vec!["empty".to_owned()],
        home,
        repeat: repeat::card(visit).await,
        ..blank()
    })
    .cart(None)
}

/// Nothing known yet.
fn blank() -> CartPage {
    CartPage {
        bill: false,
        venue: None,
        totals: Vec::new(),
        payments: Vec::new(),
        unpaid: None,
        far: None,
        minutes: None,
        cross_sell: Vec::new(),
        blocks: Vec::new(),
        name: String::new(),
        promo: None,
        offers: Vec::new(),
        bonus: None,
        delivery: None,
        table_typed: false,
        pickup: false,
        keypad: false,
        home: None,
        repeat: None,
    }
}
