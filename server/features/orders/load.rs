//! Loading the page of an order.

use super::{OrderLine, OrderPage, OrderStatus, OrderStep, OrderVenue};
use crate::{
    error::Error,
    features::{
        cart::{PaymentKind, Total, TotalKind, view::counted},
        loaded::{Facts, Loaded, PageRequest},
        place::Place,
    },
    upstream::{self, Caller, FilialId, Fingerprint, Meta, Order, OrderId, When},
    values::{Service, Sum},
    web::{page::Page, visit::Visit},
};

/// Seconds until the page looks again where scripts do not run.
const REFRESH: u32 = 10;

/// Who may read an order whole: the fingerprint that placed it, known by the capability or by the session.
pub(super) async fn owner(visit: &Visit, order: &OrderId) -> Option<Fingerprint> {
    // The addresses of a tablet's history are for every guest to open: there only who has placed the order reads it.
    let on_tablet = visit
        .sess
        .menu_temp()
        .await
        .is_some_and(|temp| temp.is_kiosk());
    let sealed = visit
        .asked("key")
        .filter(|_| !on_tablet)
        .and_then(|key| visit.app.keys.open_capability(order.as_str(), key));
    let own = match sealed {
        Some(fingerprint) => Some(fingerprint),
        None => {
            let placed = visit
                .sess
                .own_orders()
                .await
                .iter()
                .any(|own| own.id == order.as_str());
            if placed {
                visit.sess.device().await
            } else {
                None
            }
        }
    };
    own.as_deref().and_then(Fingerprint::new)
}

/// `/filials/{filial_id}/order/{id}`
pub const PAGE: Page = Page::new("order", "/filials/{filial_id}/order/{id}").query(&["key"]);

/// Loads `/filials/{filial_id}/order/{id}`.
///
/// # Errors
/// Not found for an unknown order or another venue's, or the upstream's failure.
pub async fn load(request: PageRequest) -> Result<Loaded<OrderPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let (filial, order) = (visit.matched.param("filial_id"), visit.matched.param("id"));
    let filial: FilialId = filial.parse().map_err(|_| Error::NotFound("order"))?;
    let id: OrderId = order.parse().map_err(|_| Error::NotFound("order"))?;
    let fingerprint = owner(visit, &id).await;
    let caller = Caller {
        fingerprint,
        ..Caller::guest(visit.lang, visit.country)
    };
    let (order, venue) = tokio::join!(
        visit.app.upstream.order(&caller, &id),
        Venue::of(visit, place, filial)
    );
    let order = match order {
        Ok(order) => order,
        Err(upstream::Error::NotFound) => return Err(Error::NotFound("order")),
        Err(error) => return Err(Error::Upstream(error)),
    };
    if order.filial_id.is_some_and(|own| own != filial) {
        return Err(Error::NotFound("order"));
    }
    request.watchers.note(&order);
    let page = page(&order, &venue, visit.now, events(visit, filial, &id));
    let refresh = (!page.r#final).then_some(REFRESH);
    Ok(Loaded::page(page).refresh(refresh))
}

/// The address that tells the changes of an order, with the capability that the page was opened with.
pub(super) fn events(visit: &Visit, filial: FilialId, order: &OrderId) -> String {
    let path = format!("/filials/{filial}/order/{order}/events");
    match visit.asked("key") {
        Some(key) => format!("{path}?key={key}"),
        None => path,
    }
}

/// The venue of an order, as far as its page tells it.
pub(super) struct Venue {
    pub filial: FilialId,
    pub meta: Meta,
    /// Percent for service, when the venue's card came.
    pub percent: Option<u32>,
}

impl Venue {
    /// Reads the venue's card; without one the visit's own town tells offset and money.
    pub async fn of(visit: &Visit, place: &Place, filial: FilialId) -> Self {
        let caller = visit.caller(None).optional();
        let card = visit.app.upstream.card(&caller, filial, None).await;
        Self {
            filial,
            percent: card.as_ref().ok().map(|card| card.service_percentage),
            meta: card.map_or_else(
                |_| place.meta.clone(),
                |card| place.meta_of(card.town.as_ref()),
            ),
        }
    }
}

/// An order as its page shows it.
pub(super) fn page(order: &Order, venue: &Venue, now: i64, events: String) -> OrderPage {
    let Venue {
        filial,
        meta,
        percent,
    } = venue;
    let service = order.service.unwrap_or(Service::Express);
    let status = status(order.status);
    let reached = |wanted: OrderStatus| {
        order
            .statuses
            .iter()
            .find(|step| self::status(step.status) == wanted)
            .and_then(|step| millis(step.time.as_ref(), meta))
    };
    let rank = order
        .statuses
        .iter()
        .map(|step| self::status(step.status).rank())
        .chain([status.rank()])
        .max()
        .unwrap_or_default();
    let mut way = vec![
        OrderStatus::Created,
        OrderStatus::Cooking,
        OrderStatus::Ready,
    ];
    if service == Service::Delivery {
        way.push(OrderStatus::Delivery);
    }
    way.push(OrderStatus::Completed);
    if status == OrderStatus::Canceled {
        way.retain(|step| *step == OrderStatus::Created || reached(*step).is_some());
        way.push(OrderStatus::Canceled);
    }
    let created_at =
        millis(order.created_at.as_ref(), meta).or_else(|| reached(OrderStatus::Created));
    let next_at = millis(order.next_average_time.as_ref(), meta)
        .or_else(|| millis(order.next_status_time.as_ref(), meta));
    OrderPage {
        id: order.id.to_string(),
        number: order.number.clone(),
        service,
        status,
        rank,
        steps: way
            .into_iter()
            .map(|status| OrderStep {
                at: reached(status),
                status,
            })
            .collect(),
        payment: match order.payment {
            Some(upstream::PaymentKind::Online) => PaymentKind::Online,
            Some(upstream::PaymentKind::Cash) | None => PaymentKind::Cash,
        },
        created_at,
        created_words: order
            .created_at
            .as_ref()
            .filter(|_| created_at.is_none())
            .and_then(words),
        next_at,
        ready_at: (service != Service::Delivery)
            .then(|| ready_at(status, next_at, created_at, order.cooking_time))
            .flatten()
            .filter(|at| *at > now),
        read_at: now,
        r#final: status.is_final(),
        reason: order
            .cancel_reason
            .clone()
            .filter(|reason| !reason.trim().is_empty()),
        venue: OrderVenue {
            id: filial.0,
            name: order.filial_name.clone(),
            address: order.filial_address.clone(),
        },
        money: meta.money.clone(),
        utc_offset: meta.utc_offset,
        personal: order.personal,
        table: order.table_number.clone().filter(|_| order.personal),
        pickup: service == Service::Express && order.personal && order.table_number.is_none(),
        comment: order
            .comment
            .clone()
            .filter(|comment| order.personal && !comment.is_empty()),
        lines: lines(order),
        totals: totals(order, *percent),
        events,
    }
}

/// What follows cooking is ready; before it, what the kitchen needs is all that is known.
fn ready_at(
    status: OrderStatus,
    next_at: Option<i64>,
    created_at: Option<i64>,
    cooking: Option<u32>,
) -> Option<i64> {
    let promised = || {
        let minutes = i64::from(cooking.filter(|minutes| *minutes > 0)?);
        Some(created_at? + minutes * 60_000)
    };
    match status {
        OrderStatus::Created => promised(),
        OrderStatus::Cooking => next_at.or_else(promised),
        OrderStatus::Ready
        | OrderStatus::Delivery
        | OrderStatus::Completed
        | OrderStatus::Canceled
        | OrderStatus::Unknown => None,
    }
}

pub(super) const fn status(status: upstream::OrderStatus) -> OrderStatus {
    match status {
        upstream::OrderStatus::Created => OrderStatus::Created,
        upstream::OrderStatus::Cooking => OrderStatus::Cooking,
        upstream::OrderStatus::Ready => OrderStatus::Ready,
        upstream::OrderStatus::Delivery => OrderStatus::Delivery,
        upstream::OrderStatus::Completed => OrderStatus::Completed,
        upstream::OrderStatus::Canceled => OrderStatus::Canceled,
        upstream::OrderStatus::Unknown => OrderStatus::Unknown,
    }
}

fn lines(order: &Order) -> Vec<OrderLine> {
    if !order.personal {
        return Vec::new();
    }
    order
        .positions
        .iter()
        .map(|position| OrderLine {
            name: position.name.clone(),
            qty: position.count,
            sum: position.sum.unwrap_or_default(),
            options: position
                .additives
                .iter()
                .map(|(name, count)| counted(name, *count))
                .collect(),
            note: position
                .comment
                .clone()
                .filter(|note| !note.trim().is_empty()),
        })
        .collect()
}

fn totals(order: &Order, percent: Option<u32>) -> Vec<Total> {
    let line = |kind, sum: Option<Sum>| {
        sum.map(|sum| Total {
            kind,
            sum,
            percent: percent.filter(|_| kind == TotalKind::Service),
        })
    };
    if !order.personal {
        return Vec::new();
    }
    [
        line(TotalKind::Goods, order.goods_sum),
        line(
            TotalKind::Service,
            order.service_sum.filter(|sum| sum.0 > 0),
        ),
        line(
            TotalKind::Delivery,
            order.delivery_sum.filter(|sum| sum.0 > 0),
        ),
        line(
            TotalKind::Discount,
            order
                .discount_sum
                .filter(|sum| sum.0 > 0)
                .map(|sum| Sum(-sum.0)),
        ),
        line(
            TotalKind::Bonus,
            (order.bonus_paid.0 > 0).then_some(Sum(-order.bonus_paid.0)),
        ),
        line(TotalKind::Total, order.sum),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What is no moment is shown as it is (OR-05); a moment that can't be read tells a guest nothing.
fn words(when: &When) -> Option<String> {
    match when {
        When::Local(text) => Some(text.trim())
            .filter(|text| !text.is_empty() && !text.ends_with('Z') && text.chars().count() <= 40)
            .map(str::to_owned),
        When::Utc(_) => None,
    }
}

/// Times with a Z are moments; others are the venue's own wall clock and are shown as they are (OR-05).
fn millis(when: Option<&When>, meta: &Meta) -> Option<i64> {
    match when? {
        When::Utc(millis) => Some(*millis),
        When::Local(text) => {
            let format =
                time::macros::format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]");
            let text: String = text.replace(' ', "T").chars().take(19).collect();
            let local = time::PrimitiveDateTime::parse(&text, format)
                .ok()?
                .assume_utc();
            Some((local.unix_timestamp() - i64::from(meta.utc_offset) * 60) * 1000)
        }
    }
}
