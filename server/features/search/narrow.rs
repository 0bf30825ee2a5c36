//! What results are narrowed down by: chosen in the address, offered as far as the upstream tells it.

use serde::Serialize;

use crate::{
    upstream::{Facets, Filters},
    values::Sum,
    web::visit::Visit,
};

/// The keys of the filters in the address.
const OPEN: &str = "open";
const MEATLESS: &str = "meatless";
const HALAL: &str = "halal";
const PRICE: &str = "price";
const KITCHEN: &str = "kitchen";

/// A code is cut here.
const LONGEST_CODE: usize = 40;
/// A price of more major units is nothing that a guest has chosen.
const MOST: i64 = 10_000_000;
/// Prices to choose from.
const PRICES: usize = 3;

/// What a filter is about; its key in the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum FilterKind {
    Open,
    Meatless,
    Halal,
    Price,
    Kitchen,
}

/// One filter that is offered or chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchFilter {
    /// What it is about.
    pub kind: FilterKind,
    /// Its value in the address.
    pub value: String,
    /// The kitchen's name, as the upstream gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    /// The price, hundredths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub sum: Option<Sum>,
    /// It is chosen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub on: bool,
}

/// The filters of the address.
pub(super) struct Chosen(pub(super) Filters);

impl Chosen {
    pub(super) fn of(visit: &Visit) -> Self {
        let is_on = |key| visit.query_value(key) == Some("1");
        let price = visit
            .query_value(PRICE)
            .and_then(|price| price.parse().ok());
        Self(Filters {
            open: is_on(OPEN),
            halal: is_on(HALAL),
            kitchen: Some(visit.query_text(KITCHEN, LONGEST_CODE)).filter(|code| !code.is_empty()),
            meatless: is_on(MEATLESS),
            max_price: price
                .filter(|major| (1..=MOST).contains(major))
                .map(|major: i64| Sum(major * 100)),
        })
    }

    /// Only dishes have what is asked for.
    pub(super) fn is_of_dishes(&self) -> bool {
        self.0.meatless || self.0.max_price.is_some()
    }

    /// Those that are chosen, and those that would leave some results and not all.
    pub(super) fn offered(&self, facets: &Facets) -> Vec<SearchFilter> {
        let chosen = &self.0;
        let narrows = |count: u32| count > 0 && count < facets.total;
        let mut all: Vec<SearchFilter> = [
            (FilterKind::Open, chosen.open, facets.open),
            (FilterKind::Meatless, chosen.meatless, facets.meatless),
            (FilterKind::Halal, chosen.halal, facets.halal),
        ]
        .into_iter()
        .filter(|(_, on, count)| *on || narrows(*count))
        .map(|(kind, on, _)| SearchFilter {
            kind,
            value: "1".to_owned(),
            name: None,
            sum: None,
            on,
        })
        .collect();
        let mut prices = facets.prices.map(steps).unwrap_or_default();
        if let Some(price) = chosen.max_price
            && !prices.contains(&price)
        {
            prices.push(price);
            prices.sort_unstable_by_key(|price| price.0);
        }
        all.extend(prices.into_iter().map(|price| SearchFilter {
            kind: FilterKind::Price,
            value: (price.0 / 100).to_string(),
            name: None,
            sum: Some(price),
            on: chosen.max_price == Some(price),
        }));
        let named = |code: &str| chosen.kitchen.as_deref() == Some(code);
        let several = facets.kitchens.len() > 1;
        let kitchen = |code: &str, name: &str| SearchFilter {
            kind: FilterKind::Kitchen,
            value: code.to_owned(),
            name: Some(name.to_owned()),
            sum: None,
            on: named(code),
        };
        let kitchens = facets.kitchens.iter();
        all.extend(
            kitchens
                .filter(|known| several || named(&known.code))
                .map(|known| kitchen(&known.code, &known.name)),
        );
        // Chosen for other words: it can be taken off although nothing of it was found, by its code as no name came.
        if let Some(code) = &chosen.kitchen
            && !facets.kitchens.iter().any(|known| known.code == *code)
        {
            all.push(kitchen(code, code));
        }
        all
    }
}

/// Round prices between the lowest and the highest, the highest of them.
fn steps((least, most): (Sum, Sum)) -> Vec<Sum> {
    let mut round = Vec::new();
    let mut ten: i64 = 100;
    while ten < most.0 {
        for times in [1, 2, 3, 5] {
            let step = ten.saturating_mul(times);
            if step > least.0 && step < most.0 {
                round.push(Sum(step));
            }
        }
        ten = ten.saturating_mul(10);
    }
    let spare = round.len().saturating_sub(PRICES);
    round.split_off(spare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_to_choose_from_are_round_and_leave_something_out() {
        assert_eq!(
            steps((Sum(59_000), Sum(690_000))),
            [Sum(200_000), Sum(300_000), Sum(500_000)]
        );
        assert_eq!(steps((Sum(120_000), Sum(120_000))), []);
        assert_eq!(steps((Sum(0), Sum(150))), [Sum(100)]);
    }
}
