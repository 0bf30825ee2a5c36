//! What venues and dishes are narrowed down by, and what a search says it could be narrowed down by.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};

use super::location::kitchens;
use crate::app::App;
use crate::catalogue::{Place, Voice};
use crate::hours::takes_orders;
use crate::model::{Kitchen, Product};
use crate::money::{hundredths, major};
use crate::openapi::Operation;
use crate::openapi::schema::{integer, list, nullable, number, object, reference, text};
use crate::params::Params;
use crate::refusal::Refusal;

/// The `filter[…]` of a call.
#[derive(Default)]
pub(crate) struct Filters {
    open: bool,
    halal: bool,
    kitchen: Option<String>,
    meatless: bool,
    /// Hundredths.
    max_price: Option<i64>,
}

impl Filters {
    /// Describes those of venues.
    pub(crate) fn of_venues(operation: Operation) -> Operation {
        operation
            .query("filter[open]", text())
            .query("filter[halal]", text())
            .query("filter[kitchen]", text())
    }

    /// Describes those of dishes: those of their venues, and their own.
    pub(crate) fn of_dishes(operation: Operation) -> Operation {
        Filters::of_venues(operation)
            .query("filter[meatless]", text())
            .query("filter[max-price]", number())
    }

    pub(crate) fn read(params: &Params) -> Result<Filters, Refusal> {
        let price = params.get("filter[max-price]").map(|text| {
            text.parse()
                .ok()
                .and_then(hundredths)
                .ok_or_else(|| Refusal::bad("filter[max-price] must be a sum"))
        });
        Ok(Filters {
            open: params.flag("filter[open]"),
            halal: params.flag("filter[halal]"),
            kitchen: params.get("filter[kitchen]").map(str::to_owned),
            meatless: params.flag("filter[meatless]"),
            max_price: price.transpose()?,
        })
    }

    pub(crate) fn take_place(&self, app: &App, place: &Place<'_>) -> bool {
        let cooks = |code: &String| place.brand.kitchens.iter().any(|own| own.code == *code);
        (!self.open || is_open(app, place))
            && (!self.halal || place.brand.halal)
            && self.kitchen.as_ref().is_none_or(cooks)
    }

    pub(crate) fn take_product(&self, app: &App, place: &Place<'_>, product: &Product) -> bool {
        (!self.meatless || product.meatless == Some(true))
            && self
                .max_price
                .is_none_or(|most| price(app, place, product).is_some_and(|price| price <= most))
    }
}

/// How many of the products that a text has found each filter would leave, whatever is filtered by now.
#[derive(Default)]
pub(crate) struct Facets<'a> {
    all: HashSet<i64>,
    open: HashSet<i64>,
    halal: HashSet<i64>,
    meatless: HashSet<i64>,
    kitchens: BTreeMap<&'a str, (&'a Kitchen, HashSet<i64>)>,
    prices: Option<(i64, i64)>,
}

impl<'a> Facets<'a> {
    pub(crate) fn count(&mut self, app: &App, place: &Place<'a>, product: &Product) {
        let id = product.id;
        self.all.insert(id);
        if is_open(app, place) {
            self.open.insert(id);
        }
        if place.brand.halal {
            self.halal.insert(id);
        }
        if product.meatless == Some(true) {
            self.meatless.insert(id);
        }
        for kitchen in &place.brand.kitchens {
            let (_, ids) = self
                .kitchens
                .entry(&kitchen.code)
                .or_insert_with(|| (kitchen, HashSet::new()));
            ids.insert(id);
        }
        if let Some(price) = price(app, place, product) {
            let (least, most) = self.prices.unwrap_or((price, price));
            self.prices = Some((least.min(price), most.max(price)));
        }
    }

    pub(crate) fn wire(&self, voice: Voice) -> Value {
        let mut sorted: Vec<_> = self.kitchens.values().collect();
        sorted.sort_by_key(|(_, ids)| std::cmp::Reverse(ids.len()));
        let named = kitchens(sorted.into_iter().map(|(kitchen, _)| *kitchen), voice);
        json!({
            "total": self.all.len(),
            "open": self.open.len(),
            "halal": self.halal.len(),
            "meatless": self.meatless.len(),
            "kitchens": named,
            "prices": self.prices.map(|(least, most)| json!({"min": major(least), "max": major(most)})),
        })
    }

    pub(crate) fn schema() -> Value {
        object(&[
            ("total", integer()),
            ("open", integer()),
            ("halal", integer()),
            ("meatless", integer()),
            ("kitchens", list(reference("Kitchen"))),
            (
                "prices",
                nullable(object(&[("min", number()), ("max", number())])),
            ),
        ])
    }
}

pub(crate) fn is_open(app: &App, place: &Place<'_>) -> bool {
    !app.overrides.is_closed(place.venue)
        && takes_orders(place.venue, &place.country.meta, app.clock.now())
}

/// The least that it costs; nothing when no price is told.
fn price(app: &App, place: &Place<'_>, product: &Product) -> Option<i64> {
    let sizes = product
        .sizes
        .iter()
        .map(|size| app.overrides.size_price(place.venue, product, size));
    let own = (!product.unpriced).then(|| app.overrides.price(place.venue, product));
    sizes.min().or(own)
}
