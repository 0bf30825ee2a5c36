//! Which order a cart makes, how it may be paid, and what is in its way (OR-01, PY-01, CT-02, ZZ-06, ZZ-17).

use super::Quote;
use crate::{
    features::{kiosk, mapping::FAR, page_data::PayWay},
    upstream::{self, OrderKind, Source, Venue},
    values::{Service, Sum},
    web::visit::Visit,
};

/// Ways to pay of a venue, in the order of the choice (PY-01).
pub async fn payments(visit: &Visit, venue: &Venue) -> Vec<PayWay> {
    let on_tablet = kiosk::on_tablet(visit).await;
    venue
        .payments()
        .into_iter()
        .flat_map(|kind| match kind {
            upstream::PaymentKind::Online => PayWay::online(on_tablet),
            upstream::PaymentKind::Cash => &[PayWay::Cash],
        })
        .copied()
        .collect()
}

/// Which of the five calls takes an order of this cart (OR-01, ZZ-11).
pub async fn kind_of(visit: &Visit, venue: &Venue, service: Service) -> OrderKind {
    let came = visit.sess.arrived_at(venue.location.venue_id.0).await;
    // A guest who sits at a table orders to it, whatever shelf was looked at since.
    let by_fridge = came.is_some_and(|temp| temp.source == Source::Fridge && temp.table.is_none());
    match service {
        _ if by_fridge => OrderKind::Micromarket,
        Service::Express => OrderKind::Express,
        Service::Takeaway => OrderKind::Takeaway,
        Service::Delivery if venue.vendor_delivery_enabled => OrderKind::VendorDelivery,
        Service::Delivery => OrderKind::Delivery,
    }
}

/// What is in the way by the kind of the order (CT-02, CT-11, CT-17, CT-18, ZZ-06).
pub async fn kind_blocks(
    visit: &Visit,
    venue: &Venue,
    kind: OrderKind,
    quote: &Quote,
    goods: Sum,
) -> Vec<&'static str> {
    let mut blocks = Vec::new();
    let anonymous = visit.app.config.anonymous_orders.contains(&Some(kind));
    let signed_in = visit.signed_in.is_some();
    if !signed_in && !anonymous {
        blocks.push("signIn");
    }
    if kind == OrderKind::Express {
        let known = visit
            .sess
            .table_at(venue.location.venue_id.0)
            .await
            .is_some()
            || kiosk::picks_up(visit, venue).await;
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
        blocks.push(if delivery.failed {
            "addressFailed"
        } else {
            "address"
        });
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
    // Asked once in a session for an address, when nothing else is in the way (DG-05).
    if blocks.is_empty() && !delivery.confirmed {
        blocks.push("confirmAddress");
    }
    blocks
}

/// Metres to a venue that is far from the guest, as long as the guest has not said that it is all right (ZZ-17).
pub async fn far(visit: &Visit, venue: &Venue, kind: OrderKind) -> Option<u32> {
    if !matches!(kind, OrderKind::Takeaway | OrderKind::Micromarket) {
        return None;
    }
    let (here, there) = (visit.near()?, venue.location.coordinates?);
    let metres = here.metres_to(there);
    let accepted = visit.sess.far_accepted().await == Some(venue.location.venue_id.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "distances on earth are positive and short"
    )]
    (metres >= FAR && !accepted).then_some(metres as u32)
}
