//! What bringing the cart costs and what would make it cheaper (CT-09 to CT-11). Steps count the goods before any
//! discount, as the upstream does.

use serde::Serialize;

use crate::{
    features::{
        address_book::{Book, line, mark},
        banners::banner_of,
        page_data::{Banner, CourierKind},
    },
    upstream::{
        Address, Caller, Coordinates, DeliveryState, Subsidy, Tariff, Transport, Venue, ZoneOf,
    },
    values::Sum,
    web::visit::Visit,
};

/// One way to bring the cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeliveryTariff {
    /// By whom, null when the upstream's word for it is not known here.
    pub courier: Option<CourierKind>,
    /// What the guest pays.
    pub price: Sum,
    /// What it costs without a subsidy, when that is more.
    pub cost: Option<Sum>,
    /// Minutes on the way.
    pub minutes: Option<u32>,
    /// The fastest of several ways.
    pub fastest: bool,
}

/// From a sum of goods on, so much comes off the delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeliveryStep {
    /// Sum of goods.
    pub from: Sum,
    /// What comes off.
    pub discount: Sum,
    /// The cart has reached it.
    pub reached: bool,
}

/// What the next step needs and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NextStep {
    /// Goods that are still missing.
    pub missing: Sum,
    /// Goods from which it holds: the end of the progress.
    pub from: Sum,
    /// Price of the delivery from there on, where the address and with it the tariff is known.
    pub price: Option<Sum>,
    /// What comes off, where it is not.
    pub discount: Option<Sum>,
}

/// The delivery of a cart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CartDelivery {
    /// Where to, null while the guest has told no address.
    pub address: Option<String>,
    /// What leads to the door; each may be empty.
    pub entrance: String,
    /// See `entrance`.
    pub floor: String,
    /// See `entrance`.
    pub apartment: String,
    /// The house has no flats.
    pub private_house: bool,
    /// What the courier is told; may be empty.
    pub comment: String,
    /// Tells this address from others, empty without one: the order repeats it, so that it goes where the guest has seen.
    pub mark: String,
    /// The guest has confirmed it in this session (DG-05).
    pub confirmed: bool,
    /// The venue does not bring orders there (CT-18).
    pub out_of_zone: bool,
    /// Ways to bring it (CT-10).
    pub tariffs: Vec<DeliveryTariff>,
    /// What comes off by sum of goods.
    pub steps: Vec<DeliveryStep>,
    /// The next of them, null when none is left.
    pub next: Option<NextStep>,
    /// Least goods for an order; null when there is no limit (SV-11).
    pub min_sum: Option<Sum>,
    /// Most goods for an order of the venue's own couriers.
    pub max_sum: Option<Sum>,
    /// The venue brings nothing now (FL-13).
    pub paused: bool,
    /// What stands in the way of couriers: weather, night, or the venue's own words (FL-12).
    pub banner: Option<Banner>,
    /// The guest's addresses could not be had: whether there is one is not known.
    #[serde(skip)]
    pub failed: bool,
    /// What the cart is charged; null while it is not known.
    #[serde(skip)]
    pub price: Option<Sum>,
    /// Where to, as the upstream takes it.
    #[serde(skip)]
    pub place: Option<Address>,
}

/// Works the delivery out for goods of a sum, to the active address. Nothing that fails here fails the cart.
pub async fn load(visit: &Visit, venue: &Venue, goods: Sum) -> CartDelivery {
    let caller = visit.personal_caller().await.optional();
    let upstream = &visit.app.upstream;
    let book = Book::needed(visit).await;
    // While they can't be had, none that is left is known to be the active one.
    let active = book.active().filter(|_| !book.failed);
    let address = active.map(|known| &known.address);
    let mark = address.map(mark).unwrap_or_default();
    let confirmed = visit.sess.confirmed_address().await;
    let text = |part: fn(&Address) -> &String| address.map(part).cloned().unwrap_or_default();
    let mut delivery = CartDelivery {
        address: address.map(line),
        entrance: text(|address| &address.entrance),
        floor: text(|address| &address.floor),
        apartment: text(|address| &address.apartment),
        private_house: address.is_some_and(|address| address.is_private_house),
        comment: text(|address| &address.comment),
        confirmed: address.is_some() && confirmed.is_some_and(|confirmed| confirmed.is(&mark)),
        mark,
        out_of_zone: false,
        tariffs: Vec::new(),
        steps: Vec::new(),
        next: None,
        min_sum: None,
        max_sum: None,
        paused: venue.location.delivery_state != DeliveryState::Open,
        banner: None,
        failed: book.failed,
        price: None,
        place: address.cloned(),
    };
    let banner = upstream.banner(&caller, venue.location.venue_id).await;
    delivery.banner = banner_of(venue, banner.ok().as_deref());
    if let (Some(address), Some(location)) = (address, venue.location.id) {
        let zone = upstream
            .zone(
                &caller,
                Some(ZoneOf::Location(location)),
                address.coordinates,
            )
            .await;
        delivery.out_of_zone = zone.is_ok_and(|zone| !zone.is_inside);
    }
    if venue.vendor_delivery_enabled {
        let limit = |sum: Sum| (sum.0 > 0).then_some(sum);
        delivery.min_sum = limit(venue.vendor_min_sum);
        delivery.max_sum = limit(venue.vendor_max_sum);
        delivery.price = Some(venue.vendor_delivery_cost);
        delivery.tariffs.push(DeliveryTariff {
            courier: Some(CourierKind::Venue),
            price: venue.vendor_delivery_cost,
            cost: None,
            minutes: None,
            fastest: false,
        });
        return delivery;
    }
    let tariffs = match (
        address.map(|address| address.coordinates),
        venue.location.coordinates,
    ) {
        (Some(to), Some(from)) if !delivery.out_of_zone => {
            tariffs(visit, &caller, venue, from, to, goods).await
        }
        _ => Vec::new(),
    };
    let cheapest = tariffs.iter().min_by_key(|tariff| tariff.price);
    if let Some(tariff) = cheapest {
        delivery.price = Some(tariff.price);
        delivery.min_sum = (tariff.min_order_sum.0 > 0).then_some(tariff.min_order_sum);
    }
    let ladder: Vec<Subsidy> = match cheapest {
        Some(tariff) if !tariff.subsidy.is_empty() => tariff.subsidy.clone(),
        _ => upstream
            .subsidies(&caller, &[venue.location.venue_id])
            .await
            .ok()
            .and_then(|all| {
                all.iter()
                    .find(|one| one.id == venue.location.venue_id)
                    .map(|one| one.thresholds.clone())
            })
            .unwrap_or_default(),
    };
    delivery.steps = steps(&ladder, goods);
    delivery.next = next(cheapest, &delivery.steps, goods);
    // What the venue is late by is late at the door as well (FL-13).
    let late = venue.location.delivery_delay_time;
    delivery.tariffs = tariffs
        .iter()
        .map(|tariff| tariff_of(tariff, late))
        .collect();
    delivery
}

async fn tariffs(
    visit: &Visit,
    caller: &Caller,
    venue: &Venue,
    from: Coordinates,
    to: Coordinates,
    goods: Sum,
) -> Vec<Tariff> {
    visit
        .app
        .upstream
        .tariffs(caller, from, to, Some(venue.location.venue_id), goods)
        .await
}

fn tariff_of(tariff: &Tariff, late: u32) -> DeliveryTariff {
    DeliveryTariff {
        courier: tariff.transport.map(|transport| match transport {
            Transport::Foot => CourierKind::Foot,
            Transport::Car => CourierKind::Car,
        }),
        price: tariff.price,
        cost: tariff.cost.filter(|cost| *cost > tariff.price),
        minutes: tariff.minutes.map(|minutes| minutes + late),
        fastest: tariff.is_fastest,
    }
}

fn steps(ladder: &[Subsidy], goods: Sum) -> Vec<DeliveryStep> {
    let mut steps: Vec<DeliveryStep> = ladder
        .iter()
        .filter(|step| step.discount.0 > 0)
        .map(|step| DeliveryStep {
            from: step.threshold,
            discount: step.discount,
            reached: goods >= step.threshold,
        })
        .collect();
    steps.sort_by_key(|step| step.from);
    steps
}

/// The nearest step that the cart has not reached: the tariff's own word when there is one.
fn next(tariff: Option<&Tariff>, steps: &[DeliveryStep], goods: Sum) -> Option<NextStep> {
    let step = |from: Sum, price, discount| NextStep {
        missing: Sum(from.0 - goods.0),
        from,
        price,
        discount,
    };
    let next = tariff.and_then(|tariff| {
        [
            tariff.next_tier,
            tariff.free_from.map(|from| (from, Sum(0))),
        ]
        .into_iter()
        .flatten()
        .filter(|(from, price)| *from > goods && *price < tariff.price)
        .min_by_key(|(from, _)| *from)
    });
    match (next, tariff) {
        (Some((from, price)), _) => Some(step(from, Some(price), None)),
        (None, Some(_)) => None,
        (None, None) => steps
            .iter()
            .find(|one| !one.reached)
            .map(|one| step(one.from, None, Some(one.discount))),
    }
}
