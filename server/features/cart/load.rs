//! Loading `/cart`: what the upstream says about each line at this moment, totals, and why it can't be ordered yet.

use axum::extract::State;
use futures_util::future::join_all;

use super::{CartOffer, CartPage, SavedCart, UnpaidOrder, repeat};
use crate::{
    error::Error,
    features::{
        booking,
        cart_view::{self, Verdict},
        checkout::{
            BonusState, CodeTerms, DoorTime, Quote, check, far, kind_blocks, kind_of, payments,
        },
        fridge, kiosk,
        live::Venues,
        loaded::{Facts, Loaded, PageRequest},
        mapping, menu, order_venue,
        page_data::{Minutes, OrderedLine, Total, TotalKind, VenueRef},
    },
    state::carts::Cart,
    upstream::{ProductId, VenueId},
    values::{Service, Sum},
    web::visit::Visit,
};

/// Goods that go with the cart (screens.md, 2.8).
const CROSS_SELL: usize = 6;

/// Loads the cart page together with the checked cart for its shell.
///
/// # Errors
/// When the store does not answer.
pub async fn load(
    State(venues): State<Venues>,
    request: PageRequest,
) -> Result<Loaded<CartPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let known = cart_view::of_page(visit).await?;
    let Some((cart, venue_id)) = known
        .filter(|cart| !cart.is_empty())
        .and_then(|cart| Some((cart, VenueId(cart.venue_id?))))
    else {
        return Ok(empty(visit, known).await);
    };
    let upstream = &visit.app.upstream;
    let caller = visit.caller(None);
    let venue = match upstream.venue(&caller, venue_id, None).await {
        Ok(venue) => venue,
        Err(error) => {
            tracing::warn!(
                class = error.class(),
                "The cart's venue could not be loaded"
            );
            let (view, saved) = tokio::join!(
                cart_view::view(visit, place, cart),
                saved(visit, Some(cart))
            );
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
                saved,
                ..blank()
            };
            return Ok(Loaded::page(page).stale(true).cart(view));
        }
    };
    // Goods behind a lock are paid by shutting its door: what was paid before would be counted once more.
    if venue.is_fridge() {
        return Ok(Loaded::Redirect(fridge::path(venue_id)));
    }
    let service = mapping::service(&venue, visit);
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
    let background = caller.optional();
    let (checked, minutes, cross_sell, stock) = tokio::join!(
        check(visit, cart, venue_id, service),
        upstream.cooking_time(&background, venue_id, &counted),
        upstream.cross_sell(&background, venue_id, &products),
        venues.stock(visit, venue_id),
    );
    let answered = checked.is_ok();
    let checked = checked.unwrap_or_default();
    let view = cart_view::viewed(visit, place, cart, &checked)
        .await
        .map(|viewed| viewed.view);
    let meta = place.meta_of(venue.town.as_ref());
    let goods = view.as_ref().map_or(Sum(0), |view| view.total);
    let (quote, offers, name, saved) = tokio::join!(
        Quote::of(visit, cart, &venue, service, &meta.money, goods),
        offers(visit, venue_id),
        name(visit),
        saved(visit, Some(cart))
    );
    let shown = mapping::venue(&venue, &meta, &visit.app.images, visit.now);
    let (is_open, until) = (shown.open.open, shown.open.until);
    let payments = payments(visit, &venue).await;
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
    let kind = kind_of(visit, &venue, service).await;
    blocks.extend(kind_blocks(visit, &venue, kind, &quote, goods).await);
    let far = far(visit, &venue, kind).await;
    if far.is_some() && blocks.is_empty() {
        blocks.push("far");
    }
    if payments.is_empty() {
        blocks.push("noPayment");
    }
    let unpaid = unpaid(visit, cart, venue_id).await;
    if unpaid.is_some() {
        blocks.insert(0, "unpaid");
    }
    let booking = match blocks.contains(&"table") {
        true => booking::begun(visit, venue_id).await,
        false => None,
    };
    if !is_open && booking.is_none() {
        blocks.retain(|block| ["unpaid", "closed"].contains(block));
    }
    let minutes = minutes
        .ok()
        .map(|minutes| Minutes {
            min: minutes.min,
            max: minutes.max,
        })
        // A closed kitchen promises nothing.
        .filter(|range| range.max > 0 && is_open);
    let page = CartPage {
        totals: quote.totals,
        bill: menu::pays_by_bill(visit, &venue).await,
        venue: Some(shown),
        payments,
        unpaid,
        far,
        minutes,
        door: DoorTime::of(&visit.app.keys, cart, minutes, quote.delivery.as_ref()),
        cross_sell: cross_sell
            .map(|goods| {
                let stock = stock.beside(goods.age());
                goods
                    .iter()
                    .filter(|product| !products.contains(&product.id) && stock.has(product))
                    .take(CROSS_SELL)
                    .map(|product| mapping::shown(product, &stock, &visit.app.images))
                    .collect()
            })
            .unwrap_or_default(),
        blocks: blocks.into_iter().map(str::to_owned).collect(),
        name,
        typed: cart_view::typed_at(visit, cart).await,
        saved,
        promo: quote.promo,
        offers,
        bonus: Some(quote.bonus),
        delivery: quote.delivery,
        booking,
        table_typed: venue.table_number_allowed,
        pickup: service == Service::Express && kiosk::picks_up(visit, &venue).await,
        keypad: is_open && service == Service::Express && kiosk::asks_table(visit, &venue).await,
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

/// The order that waits for its payment.
async fn unpaid(visit: &Visit, cart: &Cart, here: VenueId) -> Option<UnpaidOrder> {
    let unpaid = cart.unpaid.as_ref()?;
    let ordered_at = VenueId(unpaid.venue_id);
    let venue = match ordered_at == here {
        true => None,
        false => Some(order_venue::name(visit, ordered_at, String::new()).await),
    };
    Some(UnpaidOrder {
        number: unpaid.number.clone(),
        sum: unpaid.sum,
        href: unpaid.href.clone(),
        venue: venue.filter(|name| !name.is_empty()),
        lines: ordered_lines(cart),
    })
}

/// What of the cart's lines is part of it.
fn ordered_lines(cart: &Cart) -> Vec<OrderedLine> {
    let pieces = cart.lines.iter().map(|line| OrderedLine {
        id: line.id.clone(),
        qty: cart.ordered(&line.id).min(line.quantity),
    });
    pieces.filter(|line| line.qty > 0).collect()
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

/// Gifts and coupons of a signed-in guest that are not over; none when they can't be had (BL-11).
async fn offers(visit: &Visit, venue: VenueId) -> Vec<CartOffer> {
    let caller = visit.personal_caller().await.optional();
    if caller.bearer.is_none() {
        return Vec::new();
    }
    let upstream = &visit.app.upstream;
    let (gifts, coupons) = tokio::join!(
        upstream.gifts(&caller, Some(venue)),
        upstream.coupons(&caller, Some(venue)),
    );
    let mut offers: Vec<CartOffer> = Vec::new();
    for offer in gifts
        .unwrap_or_default()
        .into_iter()
        .chain(coupons.unwrap_or_default())
    {
        if offer.lasts(visit.now) && !offers.iter().any(|known| known.code == offer.code) {
            offers.push(CartOffer {
                terms: CodeTerms::of_offer(&offer),
                name: offer.name,
                code: offer.code,
            });
        }
    }
    offers
}

/// What waits aside, whatever the cart holds. A venue that does not answer is offered once it does.
async fn saved(visit: &Visit, cart: Option<&Cart>) -> Vec<SavedCart> {
    let waits = cart
        .into_iter()
        .flat_map(|cart| cart.all_saved(visit.now))
        .map(|saved| async move {
            let id = saved.venue_id;
            let name = order_venue::name(visit, VenueId(id), String::new()).await;
            SavedCart {
                venue: VenueRef { id, name },
                count: saved.count(),
            }
        });
    let mut named = join_all(waits).await;
    named.retain(|saved| !saved.venue.name.is_empty());
    named
}

/// The page of a cart without lines. Those of other venues stand in its list, each with its way back: no message offers the
/// newest of them once more.
async fn empty(visit: &Visit, cart: Option<&Cart>) -> Loaded<CartPage> {
    let (home, repeat, saved) =
        tokio::join!(home(visit, cart), repeat::card(visit), saved(visit, cart));
    Loaded::page(CartPage {
        blocks: vec!["empty".to_owned()],
        home,
        repeat,
        saved,
        ..blank()
    })
    .cart(None)
}

/// The venue of what has just been taken out, as long as that can be undone and the guest has come to no other since; else the
/// one that they came to (RT-19).
async fn home(visit: &Visit, cart: Option<&Cart>) -> Option<VenueRef> {
    let temp = visit.sess.menu_temp().await;
    let arrived = temp.as_ref().map(|temp| temp.venue_id);
    let arrival = visit.sess.arrival().await;
    let emptied = cart.and_then(|cart| cart.removed(visit.now));
    let emptied = emptied.filter(|undo| undo.at > arrival);
    let id = emptied.map(|undo| undo.venue_id).or(arrived)?;
    let known = temp.filter(|temp| temp.venue_id == id);
    let known = known.map(|temp| temp.venue_name).unwrap_or_default();
    let name = order_venue::name(visit, VenueId(id), known).await;
    Some(VenueRef { id, name })
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
        door: None,
        cross_sell: Vec::new(),
        blocks: Vec::new(),
        name: String::new(),
        typed: None,
        promo: None,
        offers: Vec::new(),
        bonus: None,
        delivery: None,
        booking: None,
        table_typed: false,
        pickup: false,
        keypad: false,
        home: None,
        repeat: None,
        saved: Vec::new(),
    }
}
