//! The whole catalogue: counts, languages, unique numbers, and every special case by name.
#![allow(clippy::unwrap_used, reason = "tests")]

mod languages;
mod shape;
mod specials;

use super::*;
use crate::model::{Product, Venue};

fn all() -> Seed {
    build(3).0
}

fn venue(seed: &Seed, id: i64) -> &Venue {
    seed.venues.iter().find(|venue| venue.id == id).unwrap()
}

fn menu<'a>(seed: &'a Seed, venue: &Venue) -> &'a Menu {
    seed.menus
        .iter()
        .find(|menu| menu.id == venue.menu_id)
        .unwrap()
}

fn products(menu: &Menu) -> impl Iterator<Item = &Product> {
    menu.categories
        .iter()
        .flat_map(|category| &category.products)
}

fn every_product(seed: &Seed) -> impl Iterator<Item = &Product> {
    seed.menus.iter().flat_map(products)
}

fn country_of(seed: &Seed, venue: &Venue) -> i64 {
    seed.towns
        .iter()
        .find(|town| town.id == venue.town_id)
        .unwrap()
        .country_id
}
