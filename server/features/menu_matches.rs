//! The dishes of a menu that a text finds.

use std::collections::HashMap;

use crate::upstream::{self, Menu};

/// Results that are shown; who gets more of them writes more.
const MOST: usize = 60;

/// Products of shown categories, the best first; the spelling that was looked for instead, and one that may be meant
/// (`finding::Found`). Each is looked for once, with the names of the categories that it stands in.
#[must_use]
pub fn found<'a>(
    menu: &'a Menu,
    query: &str,
    exact: bool,
    is_out: impl Fn(&upstream::Product) -> bool,
) -> (Vec<&'a upstream::Product>, Option<String>, Option<String>) {
    let mut products: Vec<(&upstream::Product, String)> = Vec::new();
    let mut places = HashMap::new();
    for category in menu.categories.iter().filter(|category| category.is_active) {
        for product in &category.products {
            let place = *places.entry(product.id).or_insert(products.len());
            match products.get_mut(place) {
                Some((_, sections)) => {
                    sections.push('\n');
                    sections.push_str(&category.name);
                }
                None => products.push((product, category.name.clone())),
            }
        }
    }
    let items: Vec<finding::Item<'_>> = products
        .iter()
        .map(|(product, sections)| finding::Item {
            name: &product.name,
            section: sections,
            text: product.description.as_deref().unwrap_or_default(),
            meatless: product.is_meatless,
            out: is_out(product),
        })
        .collect();
    let found = finding::find(&items, query, exact);
    let found_products = found
        .places
        .iter()
        .filter_map(|place| products.get(*place).map(|(product, _)| *product))
        .take(MOST)
        .collect();
    (found_products, found.shown, found.nearest)
}
