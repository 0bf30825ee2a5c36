//! Delivery: zones, tariffs, and where a courier is.

use serde_json::{Value, json};

use crate::catalogue::Place;
use crate::geo;
use crate::model::{Money, Venue};
use crate::money::major;

/// Zones reach this far, metres; their corners lie on this circle.
const REACH: f64 = 6000.0;
const CORNERS: usize = 10;
/// A courier on foot goes no further.
const FOOT_REACH: f64 = 2500.0;

/// One way to bring an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tariff {
    pub(crate) transport: &'static str,
    pub(crate) is_fastest: bool,
    /// Before any discount, hundredths.
    pub(crate) cost: i64,
    /// What is asked for this sum of goods, hundredths.
    pub(crate) price: i64,
    minutes: i64,
}

/// Sums of a currency that stand for the same value.
struct Scale {
    unit: i64,
}

/// The corners of the zone of a venue, latitude and longitude.
pub(crate) fn zone(venue: &Venue) -> Vec<(f64, f64)> {
    let per_degree = 111_195.0;
    let squeeze = venue.latitude.to_radians().cos().max(0.01);
    (0..CORNERS)
        .map(|corner| {
            let angle = corner as f64 / CORNERS as f64 * std::f64::consts::TAU;
            let (sin, cos) = angle.sin_cos();
            (
                venue.latitude + REACH * cos / per_degree,
                venue.longitude + REACH * sin / per_degree / squeeze,
            )
        })
        .collect()
}

/// Whether a point lies in a polygon, by the rays that cross its sides.
pub(crate) fn contains(polygon: &[(f64, f64)], point: (f64, f64)) -> bool {
    let mut inside = false;
    let turned = polygon.iter().cycle().skip(1);
    for (a, b) in polygon.iter().zip(turned) {
        let crosses = (a.0 > point.0) != (b.0 > point.0);
        if crosses && point.1 < (b.1 - a.1) * (point.0 - a.0) / (b.0 - a.0) + a.1 {
            inside = !inside;
        }
    }
    inside
}

/// What it costs to bring goods of this sum so far.
pub(crate) fn tariffs(metres: f64, goods: i64, money: &Money) -> Vec<Tariff> {
    let scale = Scale::of(money);
    let kilometres = (metres / 1000.0).ceil().clamp(0.0, 1000.0) as i64;
    let mut tariffs = Vec::new();
    if metres <= FOOT_REACH {
        let cost = scale.sum(300 + 100 * kilometres);
        let minutes = 15 + 14 * kilometres;
        tariffs.push(Tariff {
            transport: "FOOT",
            is_fastest: false,
            cost,
            price: scale.price(cost, goods),
            minutes,
        });
    }
    let cost = scale.sum(600 + 150 * kilometres);
    let minutes = 15 + 4 * kilometres;
    tariffs.push(Tariff {
        transport: "CAR",
        is_fastest: true,
        cost,
        price: scale.price(cost, goods),
        minutes,
    });
    tariffs
}

/// The least sum of goods that is brought, hundredths.
pub(crate) fn min_sum(money: &Money) -> i64 {
    Scale::of(money).sum(2000)
}

/// The subsidies by threshold: from `threshold` on, `discount` comes off the delivery.
pub(crate) fn subsidies(money: &Money) -> Value {
    let scale = Scale::of(money);
    let steps = SUBSIDIES.iter().map(|(threshold, discount)| {
        let (threshold, discount) = (scale.sum(*threshold), scale.sum(*discount));
        json!({"threshold": major(threshold), "amount": major(threshold), "discount": major(discount)})
    });
    steps.collect()
}

impl Tariff {
    /// The tariff as the wire shows it.
    pub(crate) fn wire(&self, goods: i64, money: &Money) -> Value {
        let scale = Scale::of(money);
        let next = SUBSIDIES
            .iter()
            .map(|(threshold, _)| scale.sum(*threshold))
            .find(|threshold| *threshold > goods);
        let next = next.map(|threshold| {
            json!({"threshold": major(threshold), "price": major(scale.price(self.cost, threshold))})
        });
        json!({
            "id": self.transport.to_lowercase(),
            "transport_type": self.transport,
            "is_fastest": self.is_fastest,
            "price": major(self.price),
            "cost": major(self.cost),
            "minutes": self.minutes,
            "free_delivery_threshold": major(scale.sum(FREE_FROM)),
            "next_tier": next,
            "min_order_sum": major(min_sum(money)),
            "subsidy": subsidies(money),
        })
    }
}

const FREE_FROM: i64 = 15_000;
const SUBSIDIES: [(i64, i64); 2] = [(5000, 200), (8000, 400)];

impl Scale {
    fn of(money: &Money) -> Scale {
        // One lari buys about what 160 tenge buy.
        Scale {
            unit: if money.currency == "KZT" { 1 } else { 160 },
        }
    }

    /// Whole tenge in hundredths of this currency, in steps of a tenth.
    fn sum(&self, tenge: i64) -> i64 {
        tenge * 100 / self.unit / 10 * 10
    }

    fn price(&self, cost: i64, goods: i64) -> i64 {
        if goods >= self.sum(FREE_FROM) {
            return 0;
        }
        let reached = SUBSIDIES
            .iter()
            .rev()
            .find(|(threshold, _)| goods >= self.sum(*threshold));
        (cost - reached.map_or(0, |(_, discount)| self.sum(*discount))).max(0)
    }
}

/// Whether the venue brings orders to this point, and for how much at least.
pub(crate) fn check(place: &Place<'_>, point: (f64, f64)) -> Option<i64> {
    let venue = place.venue;
    if !contains(&zone(venue), point) {
        return None;
    }
    let metres = geo::distance((venue.latitude, venue.longitude), point);
    tariffs(metres, 0, &place.country.meta.money)
        .iter()
        .map(|tariff| tariff.price)
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_holds_its_middle_and_not_the_next_town() {
        let venue = Venue {
            latitude: 43.24,
            longitude: 76.95,
            ..Venue::default()
        };
        let zone = zone(&venue);
        assert!(contains(&zone, (43.24, 76.95)) && contains(&zone, (43.27, 76.97)));
        assert!(!contains(&zone, (43.24, 77.10)) && !contains(&zone, (51.1, 71.4)));
    }

    #[test]
    fn more_goods_never_cost_more_to_bring() {
        let money = Money {
            currency: "KZT".into(),
            ..Money::default()
        };
        let price = |goods: i64| {
            tariffs(1800.0, goods, &money)
                .iter()
                .map(|tariff| tariff.price)
                .collect::<Vec<_>>()
        };
        assert_eq!(price(0), [50_000, 90_000]);
        assert_eq!(price(500_000), [30_000, 70_000]);
        assert_eq!(price(1_500_000), [0, 0]);
        assert_eq!(tariffs(4000.0, 0, &money).len(), 1);
    }
}
