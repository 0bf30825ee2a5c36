//! The dishes of a menu that a text finds.

use std::collections::HashMap;

use super::{mapping, stock::Stock};
use crate::{
    upstream::{self, Menu},
    values::Lang,
};

/// Results that are shown; who gets more of them writes more.
const MOST: usize = 60;

/// A product with the names of the shown categories that it stands in, one a line.
type Placed<'a> = (&'a upstream::Product, String);

/// Products of shown categories, the best first; the spelling that was looked for instead, and one that may be meant
/// (`finding::Found`). Each is looked for once, with the names of the categories that it stands in.
#[must_use]
pub fn found<'a>(
    menu: &'a Menu,
    query: &str,
    exact: bool,
    lang: Lang,
    stock: &Stock,
) -> (Vec<&'a upstream::Product>, Option<String>, Option<String>) {
    let products = placed(menu);
    let found = finding::find(&items(&products, stock), query, exact, lang.code());
    let all = at(&products, &found.places);
    (all, found.shown, found.nearest)
}

/// Those that a text finds as it is, beside other menus that it finds: none that only begins so or has it inside by chance.
#[must_use]
pub fn sure<'a>(
    menu: &'a Menu,
    query: &str,
    lang: Lang,
    stock: &Stock,
) -> Vec<&'a upstream::Product> {
    let products = placed(menu);
    let found = finding::sure(&items(&products, stock), query, lang.code());
    at(&products, &found)
}

fn at<'a>(products: &[Placed<'a>], places: &[usize]) -> Vec<&'a upstream::Product> {
    let places = places.iter();
    places
        .filter_map(|place| products.get(*place).map(|(product, _)| *product))
        .take(MOST)
        .collect()
}

fn placed(menu: &Menu) -> Vec<Placed<'_>> {
    let mut products: Vec<Placed<'_>> = Vec::new();
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
    products
}

fn items<'a>(products: &'a [Placed<'_>], stock: &Stock) -> Vec<finding::Item<'a>> {
    products
        .iter()
        .map(|(product, sections)| {
            let standing = mapping::standing(product, stock);
            finding::Item {
                name: &product.name,
                section: sections,
                text: product.description.as_deref().unwrap_or_default(),
                meatless: product.is_meatless,
                out: standing.out || standing.unpriced,
                is_foreign: false,
            }
        })
        .collect()
}
