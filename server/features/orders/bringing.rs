//! Who brings an order, and where that is now (OR-09).

use std::time::{Duration, Instant};

use super::{OrderCourier, OrderDelivery, status::furthest};
use crate::{
    features::{
        address_book,
        page_data::{CourierKind, MapCredit, OrderStatus, Phone, Point},
    },
    upstream::{Caller, Coordinates, Courier, Order, Transport, Upstream},
    values::Service,
};

/// Between two readings of where the courier is.
const INTERVAL: Duration = Duration::from_secs(3);

/// What is known of the courier.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Known {
    /// Not asked for, or no answer came: nothing is shown.
    #[default]
    Nothing,
    /// It has no courier yet.
    Unassigned,
    /// It has one.
    Courier(Courier),
}

/// Whether there may be a courier, and who reads may know of them.
pub(super) fn may_have_courier(order: &Order) -> bool {
    order.personal
        && order.service == Some(Service::Delivery)
        && matches!(furthest(order), OrderStatus::Ready | OrderStatus::Delivery)
}

/// Asks for the courier, with a deadline of its own: without an answer the page says nothing of one.
pub(super) async fn ask(upstream: &Upstream, caller: &Caller, order: &Order) -> Known {
    if !may_have_courier(order) {
        return Known::Nothing;
    }
    match upstream.courier(&caller.optional(), &order.id).await {
        Ok(Some(courier)) => Known::Courier(courier),
        Ok(None) => Known::Unassigned,
        Err(error) => {
            tracing::debug!(class = error.class(), "The courier could not be asked for");
            Known::Nothing
        }
    }
}

/// The courier of an order that is watched.
#[derive(Debug, Default)]
pub(super) struct Watched {
    known: Known,
    asked_at: Option<Instant>,
}

impl Watched {
    /// What is known of the courier now. Asked every few seconds; an answer that does not come leaves the one before.
    pub async fn of(&mut self, upstream: &Upstream, caller: &Caller, order: &Order) -> Known {
        if !may_have_courier(order) {
            *self = Self::default();
        } else if self.asked_at.is_none_or(|at| at.elapsed() >= INTERVAL) {
            let now = ask(upstream, caller, order).await;
            self.asked_at = Some(Instant::now());
            if now != Known::Nothing {
                self.known = now;
            }
        }
        self.known.clone()
    }
}

/// Where an order is brought to, and by whom; only for who has placed it.
pub(super) fn delivery(
    order: &Order,
    known: &Known,
    credit: Option<MapCredit>,
) -> Option<OrderDelivery> {
    if !order.personal || order.service != Some(Service::Delivery) {
        return None;
    }
    let address = order.address.as_ref();
    let text = |part: fn(&crate::upstream::Address) -> &String| {
        address
            .map(|address| part(address).clone())
            .unwrap_or_default()
    };
    let to = address.map(|address| address.coordinates);
    let courier = match known {
        Known::Courier(courier) if may_have_courier(order) => Some(shown(courier, to)),
        Known::Courier(_) | Known::Unassigned | Known::Nothing => None,
    };
    Some(OrderDelivery {
        address: address.map(address_book::line).unwrap_or_default(),
        entrance: text(|address| &address.entrance),
        floor: text(|address| &address.floor),
        apartment: text(|address| &address.apartment),
        comment: text(|address| &address.comment),
        promise: None,
        waiting: *known == Known::Unassigned && may_have_courier(order),
        // A map is for a courier who moves on it.
        credit: credit.filter(|_| courier.is_some()),
        to: to.map(point),
        courier,
    })
}

fn shown(courier: &Courier, to: Option<Coordinates>) -> OrderCourier {
    OrderCourier {
        name: courier.name.clone(),
        phone: courier.phone.as_deref().and_then(phone),
        transport: courier.transport.map(|transport| match transport {
            Transport::Foot => CourierKind::Foot,
            Transport::Car => CourierKind::Car,
        }),
        at: courier.coordinates.map(point),
        distance: courier.coordinates.zip(to).map(|(at, to)| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "metres on earth fit, and are none below zero"
            )]
            let metres = at.metres_to(to).round() as u32;
            metres
        }),
    }
}

/// A number to read and to call.
fn phone(text: &str) -> Option<Phone> {
    let dialled: String = text
        .chars()
        .filter(|sign| sign.is_ascii_digit() || *sign == '+')
        .collect();
    (dialled.len() > 4).then(|| Phone {
        text: text.trim().to_owned(),
        href: format!("tel:{dialled}"),
    })
}

fn point(place: Coordinates) -> Point {
    Point {
        lat: place.latitude(),
        lon: place.longitude(),
    }
}
