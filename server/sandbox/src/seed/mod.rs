//! The seeded catalogue: invented brands of Kazakhstan and Georgia, written by hand in the
//! languages of each country (the tables under `seed/`) and laid out over towns and venues.

mod data;
mod goods;
mod hostile;
mod hours;
mod measure;
mod menus;
mod places;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::de::DeserializeOwned;

use crate::clock;
use crate::drawing::{Plan, Plans};
use crate::model::{Menu, Review, Seed, Text};
use data::{BrandRow, GroceryFile, Land, MenuFile, PlacesFile, ReviewRow, Triple};
use menus::Tables;

/// Reference: the venue whose menu of exactly 60 products the size budgets are measured with
/// (Almaty, express, around the clock).
pub const REFERENCE_VENUE: i64 = 101;
/// Reference: its express filial.
pub const REFERENCE_FILIAL: i64 = 1013;
/// Reference: products in its menu.
pub const REFERENCE_PRODUCTS: usize = 60;

/// Everything that the sandbox starts with. One venue is closed on the day of the call.
pub fn seed() -> Seed {
    let now = clock::real_now() / 1000;
    build(hours::weekday(now, 5)).0
}

/// The plan of a picture by its path under `/files/`. Numbers of products in other
/// price tiers lead to the picture of the same dish.
pub(crate) fn plan(path: &str) -> Option<&'static Plan> {
    static PLANS: OnceLock<Plans> = OnceLock::new();
    let plans = PLANS.get_or_init(|| build(1).1);
    plans.get(path).or_else(|| {
        let number: i64 = path
            .strip_prefix("dishes/")?
            .strip_suffix(".webp")?
            .parse()
            .ok()?;
        plans.get(&format!("dishes/{}.webp", number % 100_000))
    })
}

fn build(today: u8) -> (Seed, Plans) {
    let mut seed = Seed::default();
    let mut plans = Plans::new();
    kazakhstan(&mut seed, &mut plans, today);
    georgia(&mut seed, &mut plans, today);
    seed.reviews = reviews();
    seed.menus.push(Menu {
        id: places::EMPTY_MENU,
        categories: Vec::new(),
    });
    for menu in &mut seed.menus {
        for product in menu
            .categories
            .iter_mut()
            .flat_map(|category| &mut category.products)
        {
            let plan = product.image.as_ref().and_then(|path| plans.get(path));
            product.color = plan.map(Plan::dominant);
        }
    }
    (seed, plans)
}

macro_rules! table {
    ($path:literal) => {
        read($path, include_str!(concat!("../../seed/", $path)))
    };
}

/// They stand in the file by their time.
fn reviews() -> Vec<Review> {
    let rows: Vec<ReviewRow> = table!("reviews.json");
    let numbered = rows.into_iter().zip(1..);
    numbered
        .filter_map(|(row, id)| {
            Some(Review {
                id,
                venue_id: row.venue,
                author: row.by,
                language: row.lang,
                rating: row.stars,
                text: row.text,
                created_at: clock::parse_iso(&row.at)?,
            })
        })
        .collect()
}

fn kazakhstan(seed: &mut Seed, plans: &mut Plans, today: u8) {
    let files = [
        ("kazakh", table!("kz/menus/kazakh.json")),
        ("plov", table!("kz/menus/plov.json")),
        ("doner", table!("kz/menus/doner.json")),
        ("burger", table!("kz/menus/burger.json")),
        // Reference: 40 dishes and the 20 shared drinks make the 60 products.
        ("uyghur", table!("kz/menus/uyghur.json")),
        ("pizza", table!("kz/menus/pizza.json")),
        ("sushi", table!("kz/menus/sushi.json")),
        ("korean", table!("kz/menus/korean.json")),
        ("coffee", table!("kz/menus/coffee.json")),
        ("bakery", table!("kz/menus/bakery.json")),
        ("semi", table!("kz/menus/semi.json")),
        ("ready", table!("kz/menus/ready.json")),
        ("bowls", table!("kz/menus/bowls.json")),
        ("desserts", table!("kz/menus/desserts.json")),
        ("teahouse", table!("kz/menus/teahouse.json")),
        ("fridge", table!("kz/menus/fridge.json")),
        ("stall", table!("kz/menus/stall.json")),
    ];
    let tables = Tables {
        land: Land::Kazakhstan,
        options: table!("kz/options.json"),
        sizes: table!("kz/sizes.json"),
        drinks: table!("kz/drinks.json"),
    };
    let long_name: Triple = table!("kz/long_name.json");
    let country = Source {
        tables: &tables,
        files: &files,
        grocery: table!("kz/grocery.json"),
        places: table!("kz/places.json"),
        long_name: Some(long_name),
    };
    country.add(seed, plans, today);
}

fn georgia(seed: &mut Seed, plans: &mut Plans, today: u8) {
    let files = [
        ("khinkali", table!("ge/menus/khinkali.json")),
        ("khachapuri", table!("ge/menus/khachapuri.json")),
        ("wine", table!("ge/menus/wine.json")),
        ("coffee", table!("ge/menus/coffee.json")),
        ("bakery", table!("ge/menus/bakery.json")),
        ("fridge", table!("ge/menus/fridge.json")),
    ];
    let tables = Tables {
        land: Land::Georgia,
        options: table!("ge/options.json"),
        sizes: table!("ge/sizes.json"),
        drinks: table!("ge/drinks.json"),
    };
    let country = Source {
        tables: &tables,
        files: &files,
        grocery: table!("ge/grocery.json"),
        places: table!("ge/places.json"),
        long_name: None,
    };
    country.add(seed, plans, today);
}

/// Everything written about one country.
struct Source<'a> {
    tables: &'a Tables,
    files: &'a [(&'a str, MenuFile)],
    grocery: GroceryFile,
    places: PlacesFile,
    long_name: Option<Triple>,
}

impl Source<'_> {
    fn add(&self, seed: &mut Seed, plans: &mut Plans, today: u8) {
        let land = self.tables.land;
        seed.countries.push(places::country(land));
        seed.towns
            .extend(self.places.towns.iter().map(|row| places::town(land, row)));
        let kitchens: BTreeMap<String, Text> = table!("kitchens.json");
        for brand in &self.places.brands {
            seed.brands.push(places::brand(land, brand, &kitchens));
            plans.insert(
                format!("brands/{}.webp", brand.id),
                Plan::brand(&brand.e, brand.id),
            );
            for tier in self.tiers(brand) {
                seed.menus.extend(self.menu(brand, tier, plans));
            }
        }
        for row in &self.places.venues {
            let venue = places::venue(land, &self.places, row, self.long_name.as_ref(), today);
            if let Some(brand) = self
                .places
                .brands
                .iter()
                .find(|brand| brand.key == row.brand)
            {
                let beside = self.beside(brand, row.id);
                plans.insert(
                    format!("venues/{}.webp", row.id),
                    Plan::venue(&brand.e, beside, brand.id, row.id),
                );
            }
            seed.venues.extend(venue);
        }
    }

    /// The price tiers in which the brand has a venue.
    fn tiers(&self, brand: &BrandRow) -> BTreeSet<i64> {
        let own = self
            .places
            .venues
            .iter()
            .filter(|row| row.brand == brand.key);
        own.filter_map(|row| match row.menu.as_deref() {
            Some("empty") => None,
            Some("wholesale") => Some(places::WHOLESALE_TIER),
            Some(_) => Some(places::HOSTILE_TIER),
            None => Some(row.tier),
        })
        .collect()
    }

    fn menu(&self, brand: &BrandRow, tier: i64, plans: &mut Plans) -> Option<Menu> {
        if brand.key == "grocery" {
            return Some(goods::menu(
                self.tables.land,
                brand,
                &self.grocery,
                tier,
                plans,
            ));
        }
        let mut menu = self.tables.menu(brand, self.file(brand)?, tier, plans);
        if tier == places::HOSTILE_TIER {
            hostile::poison(&mut menu);
        }
        Some(menu)
    }

    fn file(&self, brand: &BrandRow) -> Option<&MenuFile> {
        self.files
            .iter()
            .find(|(key, _)| *key == brand.key)
            .map(|(_, file)| file)
    }

    /// Two dishes of the brand that stand beside its sign on a venue's picture.
    fn beside(&self, brand: &BrandRow, venue: i64) -> [String; 2] {
        let mut emoji: Vec<&str> = match self.file(brand) {
            Some(file) => file
                .categories
                .iter()
                .flat_map(|category| &category.dishes)
                .map(|dish| &*dish.e)
                .collect(),
            None => self
                .grocery
                .departments
                .iter()
                .take(4)
                .flat_map(|department| &department.kinds)
                .map(|kind| &*kind.e)
                .collect(),
        };
        emoji.retain(|code| *code != brand.e);
        let pick = |at: i64| {
            let index = (venue * 7 + at) as usize % emoji.len().max(1);
            emoji.get(index).copied().unwrap_or(&brand.e).to_owned()
        };
        let first = pick(0);
        // The next one that differs from the first.
        let second = (1..)
            .take(emoji.len())
            .map(pick)
            .find(|code| *code != first);
        [first.clone(), second.unwrap_or(first)]
    }
}

/// Reads a table that is part of the program.
fn read<T: DeserializeOwned>(path: &str, text: &str) -> T {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!("seed/{path}: {error}"),
    }
}
