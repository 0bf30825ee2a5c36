//! What search engines are told about a venue as data: schema.org's Restaurant with its place, hours and menu (SO-04,
//! SO-05, SO-07). It goes into documents only: no browser needs it, so it is no page data.
//!
//! Left out because nobody tells it: cuisine, diets, whether tables can be booked. Menus in on-page markup promise no
//! result of their own (SO-10).

use serde_json::{Map, Value, json};

use super::{menu::Category, page::Page, schedule::Hours};
use crate::{
    upstream::{Card, Location},
    values::{MoneyFormat, Sum},
    web::{public::Public, visit::Visit},
};

/// Products of a menu that are told. A menu of thousands would double its document for nobody's use.
const MOST_PRODUCTS: usize = 200;
const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
/// Price levels are told with the menu, in the sums that it shows.
const IN_STOCK: &str = "https://schema.org/InStock";
const SOLD_OUT: &str = "https://schema.org/OutOfStock";

/// The structured data of a venue's page; none for others, and none where the address is not the venue's own: a table,
/// an open item, the same venue under another service's id.
#[must_use]
pub fn of(visit: &Visit, page: &Page, card: &Card) -> Option<Value> {
    let (venue, menu) = match page {
        Page::Menu(page) if page.item.is_none() && !page.failed => {
            (&page.venue, Some(page.categories.as_slice()))
        }
        Page::Details(page) => (&page.venue, None),
        _ => return None,
    };
    let own = canonical_id(&card.location);
    if venue.id != own || visit.asked("table_id").is_some() {
        return None;
    }
    let public = Public::of(visit);
    let url = public.address(&format!("/filials/{own}"), visit.lang);
    let mut about = Map::new();
    let mut say = |key: &str, value: Value| {
        about.insert(key.to_owned(), value);
    };
    say("@context", json!("https://schema.org"));
    say("@type", json!("Restaurant"));
    // One venue in all languages and on both of its pages.
    say(
        "@id",
        json!(format!("{}/filials/{own}#venue", public.origin())),
    );
    say("name", json!(venue.name));
    say("url", json!(url));
    if !venue.brand.is_empty() && venue.brand != venue.name {
        say("brand", json!({ "@type": "Brand", "name": venue.brand }));
    }
    say("address", address(visit, card));
    if let Some(point) = card.location.coordinates {
        say(
            "geo",
            json!({ "@type": "GeoCoordinates", "latitude": point.latitude(), "longitude": point.longitude() }),
        );
    }
    if let Some(phone) = card
        .phone
        .as_deref()
        .map(str::trim)
        .filter(|phone| !phone.is_empty())
    {
        say("telephone", json!(phone));
    }
    if let Some(image) = &venue.image {
        say("image", json!(public.picture(image, "1080")));
    }
    say("currenciesAccepted", json!(venue.money.code));
    say(
        "openingHoursSpecification",
        hours(&super::mapping::hours(&card.location)),
    );
    if let Some((least, most)) = menu.and_then(price_range) {
        let (least, most) = (amount(least), amount(most));
        say(
            "priceRange",
            json!(format!("{least}–{most} {}", venue.money.code)),
        );
    }
    say(
        "hasMenu",
        menu.map_or_else(
            || json!(url),
            |categories| self::menu(categories, &url, visit, &venue.money),
        ),
    );
    say(
        "potentialAction",
        json!({ "@type": "OrderAction", "target": url }),
    );
    Some(Value::Object(about))
}

/// The filial id under which search engines know a venue: that of its first service, as lists name it to a visitor
/// who has chosen none. One venue has up to three.
#[must_use]
pub fn canonical_id(location: &Location) -> u64 {
    [location.express, location.takeaway, location.delivery]
        .into_iter()
        .flatten()
        .next()
        .unwrap_or(location.filial_id)
        .0
}

fn address(visit: &Visit, card: &Card) -> Value {
    let mut address = json!({
        "@type": "PostalAddress",
        "streetAddress": card.location.address,
        "addressCountry": visit.country.code().to_uppercase(),
    });
    if let (Some(town), Some(address)) = (&card.town, address.as_object_mut()) {
        address.insert("addressLocality".to_owned(), json!(town.name));
    }
    address
}

/// Days with the same hours together. Day and night is 00:00 to 23:59, closed all day 00:00 to 00:00, and what runs
/// past midnight stays one entry of the day that it begins on (SO-05). No hours at all mean day and night, as the
/// upstream leaves them unset then.
fn hours(hours: &[Hours]) -> Value {
    let mut groups: Vec<(Vec<Span>, Vec<&str>)> = Vec::new();
    for (day, name) in (0_u8..).zip(DAYS) {
        let spans = spans(hours, day);
        match groups.iter_mut().find(|(known, _)| *known == spans) {
            Some((_, days)) => days.push(name),
            None => groups.push((spans, vec![name])),
        }
    }
    groups
        .into_iter()
        .flat_map(|(spans, days)| {
            spans.into_iter().map(move |(opens, closes)| {
                json!({
                    "@type": "OpeningHoursSpecification",
                    "dayOfWeek": days,
                    "opens": opens,
                    "closes": closes,
                })
            })
        })
        .collect()
}

/// "HH:MM" twice.
type Span = (String, String);

fn spans(hours: &[Hours], day: u8) -> Vec<Span> {
    let always = || vec![("00:00".to_owned(), "23:59".to_owned())];
    if hours.is_empty() {
        return always();
    }
    let mut today: Vec<Hours> = hours
        .iter()
        .copied()
        .filter(|hours| hours.day == day)
        .collect();
    if today.iter().any(|hours| hours.is_around_the_clock()) {
        return always();
    }
    if today.is_empty() {
        return vec![("00:00".to_owned(), "00:00".to_owned())];
    }
    today.sort_by_key(|hours| hours.from);
    today
        .into_iter()
        .map(|hours| {
            // Midnight as an end would read as closed all day or as the day's beginning.
            let to = if matches!(hours.to, 0 | 1440) {
                1439
            } else {
                hours.to
            };
            (clock(hours.from), clock(to))
        })
        .collect()
}

fn clock(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

fn menu(categories: &[Category], url: &str, visit: &Visit, money: &MoneyFormat) -> Value {
    let mut left = MOST_PRODUCTS;
    let sections: Vec<Value> = own(categories)
        .map_while(|category| {
            let told: Vec<Value> = category
                .products
                .iter()
                .take(left)
                .map(|product| {
                    let price = amount(product.promo.unwrap_or(product.price));
                    let (kind, price_key) = if product.from {
                        ("AggregateOffer", "lowPrice")
                    } else {
                        ("Offer", "price")
                    };
                    let stock = if product.out { SOLD_OUT } else { IN_STOCK };
                    json!({
                        "@type": "MenuItem",
                        "name": product.name,
                        "offers": {
                            "@type": kind,
                            price_key: price,
                            "priceCurrency": money.code,
                            "availability": stock,
                        },
                    })
                })
                .collect();
            left -= told.len();
            (!told.is_empty()).then(
                || json!({ "@type": "MenuSection", "name": category.name, "hasMenuItem": told }),
            )
        })
        .collect();
    json!({
        "@type": "Menu",
        "url": url,
        "inLanguage": visit.lang.code(),
        "hasMenuSection": sections,
    })
}

/// Favourites are a second copy of what stands below.
fn own(categories: &[Category]) -> impl Iterator<Item = &Category> {
    categories.iter().filter(|category| category.id >= 0)
}

fn price_range(categories: &[Category]) -> Option<(Sum, Sum)> {
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
fn amount(sum: Sum) -> String {
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

    fn at(day: u8, from: u16, to: u16) -> Hours {
        Hours {
            day,
            from: from / 100 * 60 + from % 100,
            to: to / 100 * 60 + to % 100,
        }
    }

    fn told(week: &[Hours]) -> Vec<String> {
        let told = hours(week);
        let list = told.as_array().unwrap();
        list.iter()
            .map(|entry| {
                let days: Vec<&str> = entry["dayOfWeek"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|day| &day.as_str().unwrap()[..2])
                    .collect();
                let text = |key: &str| entry[key].as_str().unwrap().to_owned();
                format!("{} {}-{}", days.join(""), text("opens"), text("closes"))
            })
            .collect()
    }

    #[test]
    fn day_and_night_closed_all_day_and_past_midnight() {
        assert_eq!(told(&[]), ["MoTuWeThFrSaSu 00:00-23:59"]);
        let week = [
            at(0, 900, 1800),
            at(1, 900, 1800),
            at(2, 0, 0),
            at(3, 0, 2359),
            at(4, 1800, 300),
            at(5, 1700, 0),
            at(5, 1000, 1400),
        ];
        assert_eq!(
            told(&week),
            [
                "MoTu 09:00-18:00",
                "WeTh 00:00-23:59",
                "Fr 18:00-03:00",
                "Sa 10:00-14:00",
                "Sa 17:00-23:59",
                "Su 00:00-00:00",
            ]
        );
    }

    #[test]
    fn amounts_have_a_point_and_no_grouping() {
        assert_eq!(amount(Sum(299_000)), "2990");
        assert_eq!(amount(Sum(1_250)), "12.50");
        assert_eq!(amount(Sum(5)), "0.05");
    }
}
