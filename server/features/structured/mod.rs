//! What search engines are told about a venue as data: schema.org's kind of place with where it is, its hours and its
//! menu or goods (SO-04, SO-05, SO-07). It goes into documents only: no browser needs it, so it is no page data.
//!
//! Kitchens and where a table is booked are told on the venue's page alone, diets of dishes nowhere: a first menu has no
//! bytes to spare. Menus in on-page markup promise no results of their own (SO-10).

mod goods;
mod hours;

use serde_json::{Map, Value, json};

use super::{
    mapping,
    page_data::{Category, Venue},
};
use crate::{
    config::custom::Custom,
    upstream::{self, List, Location},
    values::{Country, Lang, Service},
    web::{public::Public, visit::Visit},
};

/// The structured data of a venue's page; none for the data of a navigation, none on a page that is one guest's
/// alone, as no search engine has a session, and none where the address is not the venue's own: a table, the same venue
/// under another service's id. `country` is the venue's, which may not be the visit's.
#[must_use]
pub fn of_venue(
    visit: &Visit,
    country: Country,
    shown: &Venue,
    menu: Option<&[Category]>,
    venue: &upstream::Venue,
) -> Option<Value> {
    if !visit.is_document || visit.is_personal {
        return None;
    }
    let own =
        canonical_id(&ids(&venue.location), &visit.custom).unwrap_or(venue.location.venue_id.0);
    if shown.id != own || visit.query_value("table_id").is_some() {
        return None;
    }
    let languages = visit.languages_of(country);
    let lang = languages.or_default(visit.lang);
    let public = Public::new(&visit.origin, country, languages);
    let url = public.address(&format!("/filials/{own}"), lang);
    let mut about = Map::new();
    let mut say = |key: &str, value: Value| {
        about.insert(key.to_owned(), value);
    };
    say("@context", json!("https://schema.org"));
    let kind = Kind::of(venue);
    say("@type", json!(kind.name()));
    // One venue in all languages and on both of its pages.
    say(
        "@id",
        json!(format!("{}/filials/{own}#venue", public.origin())),
    );
    say("name", json!(shown.name));
    say("url", json!(url));
    if !shown.brand.is_empty() && shown.brand != shown.name {
        say("brand", json!({ "@type": "Brand", "name": shown.brand }));
    }
    say("address", address(visit.lang, country, venue));
    if let Some(point) = venue.location.coordinates {
        say(
            "geo",
            json!({ "@type": "GeoCoordinates", "latitude": point.latitude(), "longitude": point.longitude() }),
        );
    }
    if let Some(phone) = venue
        .phone
        .as_deref()
        .map(str::trim)
        .filter(|phone| !phone.is_empty())
    {
        say("telephone", json!(phone));
    }
    if let Some(image) = &shown.image {
        say("image", json!(public.picture(image, "1080")));
    }
    say(
        "openingHoursSpecification",
        hours::hours(
            &mapping::hours(&venue.location),
            mapping::close_in_advance(&venue.location),
        ),
    );
    if let Some((least, most)) = menu.and_then(goods::price_range) {
        let (least, most) = (goods::amount(least), goods::amount(most));
        say(
            "priceRange",
            json!(format!("{least}–{most} {}", shown.money.code)),
        );
    }
    let kitchens = &venue.location.kitchens;
    if menu.is_none() && kind.serves_food() && !kitchens.is_empty() {
        let names: Vec<&str> = kitchens.iter().map(|one| one.name.as_str()).collect();
        say("servesCuisine", json!(names));
    }
    // A table can be booked wherever there are some. Said once, on the page that has no menu to carry.
    if menu.is_none() && kind.serves_food() && venue.location.express.is_some() {
        let booking = public.address(&format!("/brands/booking?filial={own}"), lang);
        say("acceptsReservations", json!(booking));
    }
    match menu {
        Some(categories) if kind.serves_food() => say(
            "hasMenu",
            goods::menu(categories, &url, visit, &shown.money),
        ),
        Some(categories) => say(
            "hasOfferCatalog",
            goods::catalogue(categories, &url, &shown.money),
        ),
        None if kind.serves_food() => say("hasMenu", json!(url)),
        None => {}
    }
    say(
        "potentialAction",
        json!({ "@type": "OrderAction", "target": url }),
    );
    Some(Value::Object(about))
}

/// The ids of a venue by service, in the order in which lists name it to a visitor who has chosen none.
#[must_use]
pub fn ids(location: &Location) -> Vec<(Service, u64)> {
    [
        (Service::Express, location.express),
        (Service::Takeaway, location.takeaway),
        (Service::Delivery, location.delivery),
    ]
    .into_iter()
    .filter_map(|(service, id)| Some((service, id?.0)))
    .collect()
}

/// The id under which search engines know a venue: that of its first service that the host offers, as any other leads
/// there (SO-02). None for a venue without services.
#[must_use]
pub fn canonical_id(ids: &[(Service, u64)], custom: &Custom) -> Option<u64> {
    let offered = custom.offered(false);
    ids.iter()
        .find(|(service, _)| offered.contains(service))
        .or(ids.first())
        .map(|(_, id)| *id)
}

fn address(lang: Lang, country: Country, venue: &upstream::Venue) -> Value {
    let mut address = json!({
        "@type": "PostalAddress",
        "streetAddress": venue.location.address,
        "addressCountry": country.code().to_uppercase(),
    });
    if let (Some(town), Some(address)) = (&venue.town, address.as_object_mut()) {
        address.insert("addressLocality".to_owned(), json!(town.name(lang)));
    }
    address
}

/// What kind of place a venue is, by the lists that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Restaurant,
    Bakery,
    Grocery,
    /// A self-service fridge.
    Fridge,
}

impl Kind {
    /// A fridge stands in the lists of what is in it; a shop may bake, too.
    fn of(venue: &upstream::Venue) -> Self {
        let is_in = |list| venue.location.categories.contains(&list);
        if venue.is_fridge() {
            Self::Fridge
        } else if is_in(List::Grocery) || is_in(List::SemiFinished) {
            Self::Grocery
        } else if is_in(List::Bakery) {
            Self::Bakery
        } else {
            Self::Restaurant
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Restaurant => "Restaurant",
            Self::Bakery => "Bakery",
            Self::Grocery => "GroceryStore",
            Self::Fridge => "Store",
        }
    }

    /// schema.org's FoodEstablishment; the others are shops.
    const fn serves_food(self) -> bool {
        matches!(self, Self::Restaurant | Self::Bakery)
    }
}
