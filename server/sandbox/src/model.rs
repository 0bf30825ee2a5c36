//! What the sandbox sells and where: the static catalogue that the seed fills.
//!
//! Sums are hundredths of the currency; the wire shapes (major units, one
//! language) are made from these types in `wire`, and changes by the controls
//! lie over them in the database.

use serde::{Deserialize, Serialize};

/// One text in the languages it was written in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// Kazakh.
    pub kk: Option<String>,
    /// Russian.
    pub ru: Option<String>,
    /// English.
    pub en: Option<String>,
    /// Georgian.
    pub ka: Option<String>,
}

/// A language of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Kazakh.
    Kk,
    /// Russian.
    Ru,
    /// English.
    En,
    /// Georgian.
    Ka,
}

/// How sums are written and rounded.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Money {
    /// ISO code, `KZT` or `GEL`.
    pub currency: String,
    /// `₸` or `₾`.
    pub symbol: String,
    /// `before` or `after`.
    pub symbol_position: String,
    /// Between groups of three digits.
    pub thousands_separator: String,
    /// Between whole and fraction.
    pub decimal_separator: String,
    /// For example `%v %s`.
    pub format: String,
    /// 0 for tenge, 2 for lari.
    pub fraction_digits: u8,
    /// `floor`, `round`, `ceil`, …
    pub rounding_mode: String,
    /// Digits that the rounding keeps.
    pub rounding_precision: i32,
}

/// The time zone, phone code and money of a country.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Meta {
    /// IANA name.
    pub timezone: String,
    /// For example `+05:00`.
    pub utc_offset: String,
    /// For example `+7`.
    pub phone_code: String,
    /// Two letters, lower case.
    pub country_code: String,
    /// English name.
    pub country_name: String,
    /// How sums are written.
    pub money: Money,
}

/// A country with its languages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Country {
    /// 1 Kazakhstan, 2 Georgia.
    pub id: i64,
    /// `kz` or `ge`.
    pub code: String,
    /// Translation key, `country.kz`.
    pub name_key: String,
    /// Name in the languages.
    pub name: Text,
    /// The raw currency field (both countries say `gel`).
    pub currency: String,
    /// Languages of the interface, the default one first.
    pub languages: Vec<Lang>,
    /// Default language.
    pub default: Lang,
    /// Fallback language.
    pub fallback: Lang,
    /// Zone, phone, money.
    pub meta: Meta,
}

/// A town.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Town {
    /// Unique number.
    pub id: i64,
    /// Its country.
    pub country_id: i64,
    /// Name in the languages of the country.
    pub name: Text,
    /// Latitude of the centre.
    pub latitude: f64,
    /// Longitude of the centre.
    pub longitude: f64,
    /// Translation key, `town.almaty`.
    pub translit_name: String,
    /// Number in the park of stores.
    pub parstore_id: i64,
    /// Three letters.
    pub code: String,
}

/// A brand: the name over several venues.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Brand {
    /// Unique number.
    pub id: i64,
    /// Name in the languages.
    pub name: Text,
    /// What it cooks.
    pub kitchens: Vec<Kitchen>,
    /// All of its meat is halal.
    pub halal: bool,
}

/// A kind of cooking that venues are filtered by.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Kitchen {
    /// Its word in queries.
    pub code: String,
    /// Name in the languages.
    pub name: Text,
}

/// One opening interval. `from == to == 0` means around the clock; `to ≤ from` runs past midnight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// 1 Monday … 7 Sunday.
    pub day: u8,
    /// Minutes after midnight.
    pub from: u16,
    /// Minutes after midnight.
    pub to: u16,
}

/// A table with its QR code.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Table {
    /// The `table_id` of the QR link; unique within the venue.
    pub id: String,
    /// What stands on the table.
    pub number: String,
}

/// A link to a social network.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SocialNetwork {
    /// `instagram`, `whatsapp`, …
    pub name: String,
    /// Absolute address.
    pub link: String,
}

/// What a guest has said of a venue.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Review {
    /// Unique over all venues.
    pub id: i64,
    /// Its venue.
    pub venue_id: i64,
    /// First name of the guest.
    pub author: String,
    /// Language of the text.
    pub language: Lang,
    /// 1 to 5.
    pub rating: i64,
    /// May be empty.
    pub text: String,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

/// A venue (upstream: a location) with one filial per service.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Venue {
    /// Location id, unique.
    pub id: i64,
    /// Its brand.
    pub brand_id: i64,
    /// Its town.
    pub town_id: i64,
    /// Its menu (menus may be shared by the venues of a brand).
    pub menu_id: i64,
    /// Name, brand included: "Лағман үйі Самал".
    pub name: Text,
    /// English prefix, "Samal".
    pub prefix_en: String,
    /// Street and house.
    pub address: Text,
    /// Latitude.
    pub latitude: f64,
    /// Longitude.
    pub longitude: f64,
    /// 0 to 5.
    pub rating: f64,
    /// Number of reviews.
    pub reviews_count: i64,
    /// Path under `/files/`, for example `venues/5.webp`.
    pub image: String,
    /// Usual waiting time.
    pub average_minutes: i64,
    /// Filial id of takeaway (service 1). Filial ids are unique over all venues and services.
    pub takeaway: Option<i64>,
    /// Filial id of express, to the table (service 3).
    pub express: Option<i64>,
    /// Filial id of delivery (service 4).
    pub delivery: Option<i64>,
    /// The terminal that owns the tables; another number than the filials.
    pub main_terminal_id: i64,
    /// Opening hours; several intervals a day are allowed.
    pub hours: Vec<Interval>,
    /// Minutes before the end of the last interval when orders stop.
    pub close_in_advance_minutes: i64,
    /// Closed by hand from the start.
    pub closed: bool,
    /// Service fee in percent (express).
    pub service_percentage: i64,
    /// Cash is taken.
    pub cash: bool,
    /// Payment online is offered.
    pub online: bool,
    /// The whole payment button is off.
    pub payment_button_disabled: bool,
    /// The QR opens the bill, not the menu.
    pub check_pulling: bool,
    /// Not linked with the terminals of the same place.
    pub exclude_from_terminal_linking: bool,
    /// A tablet stands there.
    pub has_tablet: bool,
    /// Orders of the tablet that name no table are handed out at the counter, by their number.
    pub tablet_pickup: bool,
    /// Own couriers.
    pub vendor_delivery: bool,
    /// Cost of the own couriers, hundredths.
    pub vendor_delivery_cost: i64,
    /// Minimum sum of the own couriers, hundredths.
    pub vendor_min_sum: i64,
    /// Maximum sum of the own couriers, hundredths; 0 = none.
    pub vendor_max_sum: i64,
    /// Private reward programme.
    pub private_reward: bool,
    /// `open`, `closed`, …; empty means `open`.
    pub delivery_state: String,
    /// Minutes of delay of the delivery.
    pub delivery_delay_time: i64,
    /// Guests may type the table number.
    pub table_number_allowed: bool,
    /// The tables (express).
    pub tables: Vec<Table>,
    /// List categories: `bakery`, `semi_finished`, `ready_meals`, `grocery`.
    pub categories: Vec<String>,
    /// Free text of the schedule.
    pub schedule: Text,
    /// Phone of the venue.
    pub phone: String,
    /// Social networks.
    pub social_networks: Vec<SocialNetwork>,
    /// A notice on the venue's page; empty = none.
    pub banner: Text,
    /// `weather_issues`, `night_shift`, `closed` or nothing.
    pub banner_kind: Option<String>,
}

/// A menu.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Menu {
    /// Unique number.
    pub id: i64,
    /// Categories in order.
    pub categories: Vec<Category>,
}

/// A category of a menu.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Category {
    /// Unique number (above 0).
    pub id: i64,
    /// Name in the languages.
    pub name: Text,
    /// Hidden categories are sent with `is_active: false`.
    pub hidden: bool,
    /// Shown as a plain list, without photos.
    pub without_photos: bool,
    /// Products in order.
    pub products: Vec<Product>,
}

/// A dish or a good.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Product {
    /// `product_id` of all calls, unique over all menus.
    pub id: i64,
    /// Name in the languages.
    pub name: Text,
    /// Description in the languages.
    pub description: Text,
    /// What it costs now, hundredths (with a promo: the promo price).
    pub price: i64,
    /// What it cost before the promo, hundredths.
    pub old_price: Option<i64>,
    /// The promo's reward.
    pub reward_id: Option<i64>,
    /// Most in one order at the promo price.
    pub promo_limit: Option<i64>,
    /// Most in a day at the promo price.
    pub promo_day_limit: Option<i64>,
    /// Sizes with their own prices; empty = one size.
    pub sizes: Vec<Size>,
    /// Path under `/files/`, for example `dishes/551.webp`.
    pub image: Option<String>,
    /// The colour that stands for the picture while it loads, `#rrggbb`.
    pub color: Option<String>,
    /// Additive groups.
    pub additive_groups: Vec<AdditiveGroup>,
    /// Minutes.
    pub cooking_time: i64,
    /// Sold out from the start.
    pub is_unavailable: bool,
    /// No price is told, as upstreams do: it can't be ordered.
    pub unpriced: bool,
    /// "350 г".
    pub weight: Text,
    /// 21 for tobacco, alcohol and energy drinks.
    pub min_age: Option<u8>,
    /// 8 or 13 digits.
    pub barcode: Option<String>,
    /// Without meat and fish; missing = unknown.
    pub meatless: Option<bool>,
    /// Among the popular ones.
    pub popular: bool,
    /// Offered in the cart beside other goods (drinks, sauces, desserts).
    pub companion: bool,
}

/// A size of a product.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Size {
    /// Unique within the product.
    pub id: i64,
    /// "0,5 л".
    pub name: Text,
    /// Hundredths.
    pub price: i64,
    /// Before the promo, hundredths.
    pub old_price: Option<i64>,
    /// Sold out.
    pub is_unavailable: bool,
}

/// A group of additives.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AdditiveGroup {
    /// Unique within the product.
    pub id: i64,
    /// Name in the languages.
    pub name: Text,
    /// Fewest that must be chosen; missing = 0.
    pub min: Option<i64>,
    /// Most that may be chosen; missing = only the limits of the additives.
    pub max: Option<i64>,
    /// What can be chosen.
    pub additives: Vec<Additive>,
}

/// Something to add to a product.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Additive {
    /// Unique within the product.
    pub id: i64,
    /// Name in the languages.
    pub name: Text,
    /// Hundredths.
    pub price: i64,
    /// Most of this one (at least 1).
    pub max_count: i64,
    /// Sold out.
    pub is_unavailable: bool,
    /// Chosen at first.
    pub preselected: bool,
}

/// Everything that the seed makes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seed {
    /// Kazakhstan and Georgia.
    pub countries: Vec<Country>,
    /// Towns of both.
    pub towns: Vec<Town>,
    /// Brands.
    pub brands: Vec<Brand>,
    /// Menus.
    pub menus: Vec<Menu>,
    /// Venues.
    pub venues: Vec<Venue>,
    /// Published reviews of theirs, the oldest first.
    pub reviews: Vec<Review>,
}

impl Lang {
    /// Reads `kk`, `ru`, `en`, `ka` (also `kk-KZ`); anything else is nothing.
    pub fn parse(text: &str) -> Option<Lang> {
        match text.trim().get(..2)?.to_ascii_lowercase().as_str() {
            "kk" => Some(Lang::Kk),
            "ru" => Some(Lang::Ru),
            "en" => Some(Lang::En),
            "ka" => Some(Lang::Ka),
            _ => None,
        }
    }

    /// The two letters.
    pub fn code(self) -> &'static str {
        match self {
            Lang::Kk => "kk",
            Lang::Ru => "ru",
            Lang::En => "en",
            Lang::Ka => "ka",
        }
    }
}

impl Text {
    /// The same text in every language.
    pub fn same(text: &str) -> Text {
        let text = Some(text.to_owned());
        Text {
            kk: text.clone(),
            ru: text.clone(),
            en: text.clone(),
            ka: text,
        }
    }

    /// Texts of Kazakhstan.
    pub fn kz(kk: &str, ru: &str, en: &str) -> Text {
        Text {
            kk: Some(kk.to_owned()),
            ru: Some(ru.to_owned()),
            en: Some(en.to_owned()),
            ka: None,
        }
    }

    /// Texts of Georgia.
    pub fn ge(ka: &str, ru: &str, en: &str) -> Text {
        Text {
            kk: None,
            ru: Some(ru.to_owned()),
            en: Some(en.to_owned()),
            ka: Some(ka.to_owned()),
        }
    }

    /// The text in this language alone.
    pub fn exact(&self, lang: Lang) -> Option<&str> {
        match lang {
            Lang::Kk => self.kk.as_deref(),
            Lang::Ru => self.ru.as_deref(),
            Lang::En => self.en.as_deref(),
            Lang::Ka => self.ka.as_deref(),
        }
    }

    /// The text in the asked language, else in the fallback, else in any.
    pub fn get(&self, lang: Lang, fallback: Lang) -> &str {
        self.exact(lang)
            .or_else(|| self.exact(fallback))
            .or_else(|| self.all().next())
            .unwrap_or("")
    }

    /// Every version there is.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        [&self.ru, &self.en, &self.kk, &self.ka]
            .into_iter()
            .filter_map(|text| text.as_deref())
    }

    /// Whether nothing is written in any language.
    pub fn is_empty(&self) -> bool {
        self.all().all(str::is_empty)
    }
}
