//! The shapes of the data files under `seed/`, one folder per country.
//!
//! Texts are triples in the order of the country's languages; prices are major units.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::model::{Lang, Text};

/// A text in the three languages of the country.
pub(super) type Triple = [String; 3];

/// A file under `menus/`, and `drinks.json`.
#[derive(Deserialize)]
pub(super) struct MenuFile {
    pub(super) categories: Vec<CategoryRow>,
}

#[derive(Deserialize)]
pub(super) struct CategoryRow {
    pub(super) name: Triple,
    pub(super) photo: bool,
    #[serde(default)]
    pub(super) hidden: bool,
    #[serde(default)]
    pub(super) companion: bool,
    /// Cooking time of its dishes unless they say otherwise.
    pub(super) t: i64,
    pub(super) dishes: Vec<Dish>,
}

/// A dish as written by hand.
#[derive(Deserialize)]
pub(super) struct Dish {
    /// Name.
    pub(super) n: Triple,
    /// Description.
    pub(super) d: Triple,
    /// Price.
    pub(super) p: f64,
    /// Old price.
    pub(super) o: Option<f64>,
    /// Weight with its unit, `350 g`.
    pub(super) w: String,
    /// Emoji, code points as the files are named.
    pub(super) e: String,
    /// Cooking time.
    pub(super) t: Option<i64>,
    /// The set of size names, then a price for each.
    pub(super) s: Option<Vec<SizePart>>,
    /// Keys of option groups.
    #[serde(default)]
    pub(super) a: Vec<String>,
    #[serde(default)]
    pub(super) pop: bool,
    #[serde(default)]
    pub(super) out: bool,
    /// Has a barcode.
    #[serde(default)]
    pub(super) bar: bool,
    /// Without meat and fish.
    #[serde(default)]
    pub(super) veg: bool,
    pub(super) age: Option<u8>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum SizePart {
    Set(String),
    Price(f64),
}

/// A group of `options.json`.
#[derive(Deserialize)]
pub(super) struct OptionRow {
    pub(super) n: Triple,
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
    pub(super) o: Vec<ChoiceRow>,
}

#[derive(Deserialize)]
pub(super) struct ChoiceRow {
    pub(super) n: Triple,
    pub(super) p: f64,
    pub(super) max: Option<i64>,
    #[serde(default)]
    pub(super) out: bool,
    #[serde(default)]
    pub(super) pre: bool,
}

/// `grocery.json`: goods are made of kind × variant × maker × size.
#[derive(Deserialize)]
pub(super) struct GroceryFile {
    pub(super) makers: BTreeMap<String, (String, String, String, f64)>,
    pub(super) departments: Vec<Department>,
}

#[derive(Deserialize)]
pub(super) struct Department {
    pub(super) name: Triple,
    pub(super) photo: bool,
    #[serde(default)]
    pub(super) companion: bool,
    pub(super) kinds: Vec<Kind>,
}

#[derive(Deserialize)]
pub(super) struct Kind {
    pub(super) n: Triple,
    pub(super) d: Triple,
    pub(super) e: String,
    /// Price of the first size.
    pub(super) p: f64,
    /// Variants with their price factor.
    #[serde(default)]
    pub(super) v: Vec<(String, String, String, f64)>,
    /// Makers.
    pub(super) m: Vec<String>,
    /// Sizes.
    pub(super) s: Vec<String>,
    pub(super) age: Option<u8>,
}

/// `places.json`.
#[derive(Deserialize)]
pub(super) struct PlacesFile {
    pub(super) towns: Vec<TownRow>,
    pub(super) brands: Vec<BrandRow>,
    pub(super) streets: BTreeMap<String, Triple>,
    pub(super) venues: Vec<VenueRow>,
}

#[derive(Deserialize)]
pub(super) struct TownRow {
    pub(super) id: i64,
    pub(super) n: Triple,
    pub(super) at: [f64; 2],
    pub(super) key: String,
    pub(super) park: i64,
    pub(super) code: String,
}

#[derive(Deserialize)]
pub(super) struct BrandRow {
    pub(super) id: i64,
    /// The file of its menu.
    pub(super) key: String,
    pub(super) n: Triple,
    pub(super) e: String,
    /// Without the shared drinks.
    #[serde(default)]
    pub(super) bare: bool,
    /// List categories of its venues.
    #[serde(default)]
    pub(super) lists: Vec<String>,
    /// Codes of `kitchens.json`.
    #[serde(default)]
    pub(super) kitchens: Vec<String>,
    #[serde(default)]
    pub(super) halal: bool,
}

/// A row of `reviews.json`.
#[derive(Deserialize)]
pub(super) struct ReviewRow {
    pub(super) venue: i64,
    pub(super) by: String,
    pub(super) lang: Lang,
    pub(super) stars: i64,
    /// ISO 8601.
    pub(super) at: String,
    pub(super) text: String,
}

#[derive(Deserialize)]
pub(super) struct VenueRow {
    pub(super) id: i64,
    pub(super) brand: String,
    pub(super) town: i64,
    pub(super) place: Triple,
    pub(super) st: String,
    pub(super) h: String,
    /// Offset from the centre of the town.
    pub(super) at: [f64; 2],
    /// Digits of the services: 1, 3, 4.
    pub(super) svc: String,
    #[serde(default)]
    pub(super) sp: i64,
    #[serde(default)]
    pub(super) tables: usize,
    pub(super) rating: f64,
    pub(super) reviews: i64,
    pub(super) min: i64,
    /// `both` (missing), `cash`, `online`, `none`, `off`.
    pub(super) pay: Option<String>,
    /// See `hours`.
    pub(super) hours: Option<String>,
    #[serde(default)]
    pub(super) close: i64,
    #[serde(default)]
    pub(super) tier: i64,
    #[serde(default)]
    pub(super) check: bool,
    #[serde(default)]
    pub(super) closed: bool,
    #[serde(default)]
    pub(super) tablet: bool,
    #[serde(default)]
    pub(super) pickup: bool,
    #[serde(default)]
    pub(super) table_typed: bool,
    /// The name of 250 characters.
    #[serde(default)]
    pub(super) long: bool,
    /// `empty` or `hostile`.
    pub(super) menu: Option<String>,
    pub(super) banner: Option<Triple>,
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) delay: i64,
    #[serde(default)]
    pub(super) social: Vec<String>,
    #[serde(default)]
    pub(super) phone: String,
    /// Own couriers: cost and minimum sum, hundredths.
    pub(super) vendor: Option<[i64; 2]>,
    #[serde(default)]
    pub(super) vendor_max: i64,
}

/// Which country a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Land {
    Kazakhstan,
    Georgia,
}

impl Land {
    pub(super) fn id(self) -> i64 {
        match self {
            Land::Kazakhstan => 1,
            Land::Georgia => 2,
        }
    }

    /// Its languages, in the order of the triples.
    pub(super) fn languages(self) -> [Lang; 3] {
        match self {
            Land::Kazakhstan => [Lang::Kk, Lang::Ru, Lang::En],
            Land::Georgia => [Lang::Ka, Lang::Ru, Lang::En],
        }
    }

    /// A triple as a text of this country.
    pub(super) fn text(self, triple: &Triple) -> Text {
        self.words([&triple[0], &triple[1], &triple[2]])
    }

    /// Three words as a text of this country.
    pub(super) fn words(self, [first, ru, en]: [&str; 3]) -> Text {
        match self {
            Land::Kazakhstan => Text::kz(first, ru, en),
            Land::Georgia => Text::ge(first, ru, en),
        }
    }
}
