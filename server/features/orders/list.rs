//! `/orders`: what the guest has ordered (OR-07).

use axum::extract::State;
use futures_util::future::join_all;
use url::form_urlencoded::Serializer;

use super::{
    OpenOrder, OrderRow, OrderSum, OrdersPage, PlacedOrder,
    live::{Watchers, last_read},
    page::{given_back, is_uncharged, payment},
    status::furthest,
    times::{self, Placed},
};
use crate::{
    error::Error,
    features::{
        booking,
        cart_view::{of_page, unpaid::own_orders},
        kiosk::on_tablet,
        loaded::{Facts, Loaded, SignedInRequest},
        order_venue::Venue,
        page_data::OrderStatus,
        place::Place,
        venues::page as asked_page,
    },
    upstream::{self, Meta, Order, Paged},
    values::{MoneyFormat, Service},
    web::{
        page::{Page, SignedInPage},
        session::OwnOrder,
        visit::Visit,
    },
};

/// `/orders`. The query key is not `service`, which chooses the service of the whole visit.
pub const LIST: SignedInPage = Page::builder("orders", "/orders")
    .query(&["type", "page"])
    .navbar()
    .balance()
    .offers_sign_in();

/// Loads `/orders`.
///
/// # Errors
/// None: a list that did not come says so itself and offers a retry (ZZ-18).
pub async fn load(
    State(watchers): State<Watchers>,
    request: SignedInRequest,
) -> Result<Loaded<OrdersPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let service = visit.query_value("type").and_then(Service::from_code);
    let page = asked_page(visit);
    let caller = visit.personal_caller().await;
    let answer = visit
        .app
        .upstream
        .orders(&caller, page, service, visit.brand())
        .await;
    let shown = |orders, here, tables, last_page, failed| OrdersPage {
        service,
        services: visit.offered(),
        orders,
        here,
        tables,
        page,
        last_page,
        failed,
    };
    let answer: Paged<Order> = match answer {
        Ok(answer) => answer,
        Err(upstream::Error::Rejected(rejection)) if rejection.code == "account_deleted" => {
            // The profile asks whether to restore it (AU-16).
            return Ok(Loaded::Redirect("/profile".to_owned()));
        }
        Err(error) => {
            tracing::warn!(class = error.class(), "The orders could not be loaded");
            let page = shown(Vec::new(), Vec::new(), Vec::new(), page, true);
            return Ok(Loaded::page(page).status(503));
        }
    };
    let last_page = answer.last_page.max(1);
    if page > last_page {
        return Ok(Loaded::Redirect(address(service, last_page)));
    }
    let is_whole = page == 1 && service.is_none();
    let beside = async {
        match is_whole {
            true => tokio::join!(
                placed_beside(&watchers, visit, place, &answer.items),
                booking::next_tables(visit, place)
            ),
            false => (Vec::new(), Vec::new()),
        }
    };
    let (orders, (here, tables)) = tokio::join!(rows(visit, place, &answer.items), beside);
    Ok(Loaded::page(shown(orders, here, tables, last_page, false)))
}

fn address(service: Option<Service>, page: u32) -> String {
    let mut query = Serializer::new(String::new());
    if let Some(service) = service {
        query.append_pair("type", service.code());
    }
    if page > 1 {
        query.append_pair("page", &page.to_string());
    }
    match query.finish() {
        query if query.is_empty() => LIST.path.to_owned(),
        query => format!("{}?{query}", LIST.path),
    }
}

/// Each with the money and the clock of its venue: a guest may have ordered in two countries.
async fn rows(visit: &Visit, place: &Place, orders: &[Order]) -> Vec<OrderRow> {
    let venues = Venue::of_all(visit, place, orders.iter()).await;
    let mut offsets = venues.values().map(|venue| venue.meta.utc_offset);
    let first = offsets.next();
    let one_clock = offsets.all(|offset| Some(offset) == first);
    let mut rows: Vec<OrderRow> = orders
        .iter()
        .map(|order| {
            let venue = order.venue_id.and_then(|venue_id| venues.get(&venue_id.0));
            OrderRow {
                town: venue
                    .and_then(|venue| venue.town.clone())
                    .filter(|_| !one_clock),
                ..row(order, venue.map_or(&place.meta, |venue| &venue.meta))
            }
        })
        .collect();
    // Stable: what has no time stays where the upstream has it.
    rows.sort_by_key(|row| (row.r#final, std::cmp::Reverse(row.at)));
    rows
}

fn row(order: &Order, meta: &Meta) -> OrderRow {
    let status = furthest(order);
    let Placed { at, words } = times::placed(order, meta);
    OrderRow {
        id: order.id.to_string(),
        number: order.number.clone(),
        service: order.service,
        status,
        payment: payment(order),
        paid: order.is_paid,
        utc_offset: meta.utc_offset,
        venue: match order.venue_name.is_empty() {
            true => order.brand_name.clone(),
            false => order.venue_name.clone(),
        },
        town: None,
        words,
        at,
        r#final: status.is_final(),
        sum: sum_of(Some(order), meta.money.clone()),
    }
}

/// What is known of the sum of an order.
fn sum_of(order: Option<&Order>, money: MoneyFormat) -> OrderSum {
    OrderSum {
        sum: order.and_then(|order| order.sum),
        uncharged: order.is_some_and(is_uncharged),
        refund: order.and_then(given_back),
        money,
    }
}

/// The newest orders of the signed-in guest; none without a sign-in, and when they do not come soon.
pub async fn of_account(visit: &Visit) -> Option<Vec<Order>> {
    visit.signed_in.as_ref()?;
    let caller = visit.personal_caller().await.optional();
    let upstream = &visit.app.upstream;
    let answer = upstream.orders(&caller, 1, None, visit.brand()).await;
    answer.ok().map(|answer| answer.items)
}

/// Whether nothing follows: it was handed over, or called off.
#[must_use]
pub fn is_over(order: &Order) -> bool {
    furthest(order).is_final()
}

/// The orders of the account that are not over, of whatever brand; none when they do not come soon.
pub async fn under_way(visit: &Visit) -> Vec<OpenOrder> {
    let caller = visit.personal_caller().await.optional();
    let answer = visit.app.upstream.orders(&caller, 1, None, None).await;
    let orders = answer.map(|answer| answer.items).unwrap_or_default();
    let open = orders.iter().filter(|order| !is_over(order));
    open.map(|order| OpenOrder {
        number: order.number.clone(),
        href: format!("/orders/{}", order.id),
    })
    .collect()
}

/// What was ordered in this session. A tablet tells no guest what another one has ordered.
pub async fn placed_here(watchers: &Watchers, visit: &Visit, place: &Place) -> Vec<PlacedOrder> {
    if on_tablet(visit).await {
        return Vec::new();
    }
    let own = own_orders(visit).await;
    with_status(watchers, visit, place, own).await
}

/// What was ordered in this session before the sign-in.
async fn placed_beside(
    watchers: &Watchers,
    visit: &Visit,
    place: &Place,
    orders: &[Order],
) -> Vec<PlacedOrder> {
    let mut own = own_orders(visit).await;
    own.retain(|own| orders.iter().all(|order| order.id.as_str() != own.id));
    with_status(watchers, visit, place, own).await
}

async fn with_status(
    watchers: &Watchers,
    visit: &Visit,
    place: &Place,
    own: Vec<OwnOrder>,
) -> Vec<PlacedOrder> {
    let cart = of_page(visit).await.ok().flatten();
    let waits = cart.and_then(|cart| cart.unpaid.as_ref());
    join_all(own.into_iter().map(async |order| {
        let waits = waits.filter(|unpaid| unpaid.order == order.id);
        let known = last_read(watchers, visit, &order.id).await;
        let known = known.as_deref();
        let meta = match known.and_then(|known| known.venue_id) {
            Some(venue_id) => Venue::of(visit, place, venue_id).await.meta,
            None => place.meta.clone(),
        };
        PlacedOrder {
            status: known.map_or(OrderStatus::Unknown, furthest),
            service: known.and_then(|known| known.service),
            venue: known
                .map(|known| known.venue_name.clone())
                .unwrap_or_default(),
            utc_offset: meta.utc_offset,
            unpaid: waits.is_some(),
            sum: sum_of(known, meta.money),
            number: order.number,
            href: waits.map_or(order.href, |unpaid| unpaid.href.clone()),
            at: order.placed_at,
        }
    }))
    .await
}
