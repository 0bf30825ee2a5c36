//! Menus, catalogues and their prices as schema.org has them (SO-07).

use serde_json::{Value, json};

use crate::{
    features::page_data::{Category, Product},
    values::{MoneyFormat, Sum},
    web::visit::Visit,
};

/// Products of a menu that are told. A menu of thousands would double its document without use.
const MOST_PRODUCTS: usize = 200;
const SOLD_OUT: &str = "https://schema.org/OutOfStock";

/// The menu of a place that serves food.
pub(super) fn menu(
    categories: &[Category],
    url: &str,
    visit: &Visit,
    money: &MoneyFormat,
) -> Value {
    let sections: Vec<Value> = listed(categories)
        .map(|(category, products)| {
            let items: Vec<Value> = priced(products)
                .map(|product| {
                    json!({
                        "@type": "MenuItem",
                        "name": product.name,
                        "offers": offer(product, money),
                    })
                })
                .collect();
            json!({ "@type": "MenuSection", "name": category.name, "hasMenuItem": items })
        })
        .collect();
    json!({
        "@type": "Menu",
        "url": url,
        "inLanguage": visit.lang.code(),
        "hasMenuSection": sections,
    })
}

/// What a shop sells: schema.org has menus for places that serve food only.
pub(super) fn catalogue(categories: &[Category], url: &str, money: &MoneyFormat) -> Value {
    let sections: Vec<Value> = listed(categories)
        .map(|(category, products)| {
            let offers: Vec<Value> = priced(products)
                .map(|product| {
                    let mut offer = offer(product, money);
                    offer["itemOffered"] = json!({ "@type": "Product", "name": product.name });
                    offer
                })
                .collect();
            json!({ "@type": "OfferCatalog", "name": category.name, "itemListElement": offers })
        })
        .collect();
    json!({ "@type": "OfferCatalog", "url": url, "itemListElement": sections })
}

/// Categories with their products, until as many are listed as a document may carry.
fn listed(categories: &[Category]) -> impl Iterator<Item = (&Category, &[Product])> {
    let mut left = MOST_PRODUCTS;
    own(categories).map_while(move |category| {
        let products = category.products.get(..left).unwrap_or(&category.products);
        left -= products.len();
        (!products.is_empty()).then_some((category, products))
    })
}

/// `None` without a price: that is no offer (MN-15).
fn priced(products: &[Product]) -> impl Iterator<Item = &Product> {
    products.iter().filter(|product| !product.unpriced)
}

fn offer(product: &Product, money: &MoneyFormat) -> Value {
    let price = amount(product.promo.unwrap_or(product.price));
    let (kind, price_key) = if product.from {
        ("AggregateOffer", "lowPrice")
    } else {
        ("Offer", "price")
    };
    let mut offer = json!({
        "@type": kind,
        price_key: price,
        "priceCurrency": money.code,
    });
    // What is offered can be had, unless it says otherwise: most of a menu need not.
    if product.out {
        offer["availability"] = SOLD_OUT.into();
    }
    offer
}

/// Favourites are a second copy of what stands below.
fn own(categories: &[Category]) -> impl Iterator<Item = &Category> {
    categories.iter().filter(|category| category.id >= 0)
}

/// The least and the most that a product costs.
pub(super) fn price_range(categories: &[Category]) -> Option<(Sum, Sum)> {
    let prices = || {
        own(categories)
            .flat_map(|category| &category.products)
            .map(|product| product.promo.unwrap_or(product.price))
            .filter(|price| price.0 > 0)
    };
    Some((
        prices().min_by_key(|price| price.0)?,
        prices().max_by_key(|price| price.0)?,
    ))
}

/// Units and, where there are any, hundredths after a point.
pub(super) fn amount(sum: Sum) -> String {
    let (units, rest) = (sum.0 / 100, sum.0 % 100);
    if rest == 0 {
        units.to_string()
    } else {
        format!("{units}.{rest:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_a_point_and_no_grouping() {
        assert_eq!(amount(Sum(299_000)), "2990");
        assert_eq!(amount(Sum(1_250)), "12.50");
        assert_eq!(amount(Sum(5)), "0.05");
    }
}
