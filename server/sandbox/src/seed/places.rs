//! Countries, towns, brands and venues.

use std::collections::BTreeMap;

use crate::model::{
    Brand, Country, Kitchen, Lang, Meta, Money, SocialNetwork, Table, Text, Town, Venue,
};
use crate::seed::data::{BrandRow, Land, PlacesFile, TownRow, Triple, VenueRow};
use crate::seed::{hours, menus};

/// The menu without a single category.
pub(super) const EMPTY_MENU: i64 = 900;
/// The tier of the menu whose texts try to break out of the page.
pub(super) const HOSTILE_TIER: i64 = 3;
/// The tier of the supermarket that sells everything in packs, too: 2,000 products.
pub(super) const WHOLESALE_TIER: i64 = 4;

/// Kazakhstan or Georgia.
pub(super) fn country(land: Land) -> Country {
    let (code, name, default, fallback) = match land {
        Land::Kazakhstan => (
            "kz",
            Text::kz("Қазақстан", "Казахстан", "Kazakhstan"),
            Lang::Kk,
            Lang::Ru,
        ),
        Land::Georgia => (
            "ge",
            Text::ge("საქართველო", "Грузия", "Georgia"),
            Lang::Ka,
            Lang::En,
        ),
    };
    Country {
        id: land.id(),
        code: code.to_owned(),
        name_key: format!("country.{code}"),
        name,
        // Both countries say so; the money of the meta is the one that counts.
        currency: "gel".to_owned(),
        languages: land.languages().to_vec(),
        default,
        fallback,
        meta: meta(land, code),
    }
}

fn meta(land: Land, code: &str) -> Meta {
    let (timezone, utc_offset, phone_code, country_name, currency, symbol, fraction_digits) =
        match land {
            Land::Kazakhstan => ("Asia/Almaty", "+05:00", "+7", "Kazakhstan", "KZT", "₸", 0),
            Land::Georgia => ("Asia/Tbilisi", "+04:00", "+995", "Georgia", "GEL", "₾", 2),
        };
    Meta {
        timezone: timezone.to_owned(),
        utc_offset: utc_offset.to_owned(),
        phone_code: phone_code.to_owned(),
        country_code: code.to_owned(),
        country_name: country_name.to_owned(),
        money: Money {
            currency: currency.to_owned(),
            symbol: symbol.to_owned(),
            symbol_position: "after".to_owned(),
            thousands_separator: " ".to_owned(),
            decimal_separator: ",".to_owned(),
            format: "%v %s".to_owned(),
            fraction_digits,
            rounding_mode: "floor".to_owned(),
            rounding_precision: i32::from(fraction_digits),
        },
    }
}

/// A town of the country.
pub(super) fn town(land: Land, row: &TownRow) -> Town {
    Town {
        id: row.id,
        country_id: land.id(),
        name: land.text(&row.n),
        latitude: row.at[0],
        longitude: row.at[1],
        translit_name: format!("town.{}", row.key),
        parstore_id: row.park,
        code: row.code.clone(),
    }
}

/// A brand of the country.
pub(super) fn brand(land: Land, row: &BrandRow, kitchens: &BTreeMap<String, Text>) -> Brand {
    Brand {
        id: row.id,
        name: land.text(&row.n),
        kitchens: row
            .kitchens
            .iter()
            .filter_map(|code| {
                Some(Kitchen {
                    code: code.clone(),
                    name: kitchens.get(code)?.clone(),
                })
            })
            .collect(),
        halal: row.halal,
    }
}

/// A venue; nothing when its row names a brand, town or street that is not there.
pub(super) fn venue(
    land: Land,
    file: &PlacesFile,
    row: &VenueRow,
    long_name: Option<&Triple>,
    today: u8,
) -> Option<Venue> {
    let brand = file.brands.iter().find(|brand| brand.key == row.brand)?;
    let town = file.towns.iter().find(|town| town.id == row.town)?;
    let street = file.streets.get(&row.st)?;
    let filial = |service: char| {
        row.svc
            .contains(service)
            .then(|| row.id * 10 + i64::from(service as u8 - b'0'))
    };
    let pay = row.pay.as_deref().unwrap_or("both");
    let [own, ru, en] = &row.place;
    let name = long_name.filter(|_| row.long).map_or_else(
        || {
            land.words([
                &format!("{} {own}", brand.n[0]),
                &format!("{} {ru}", brand.n[1]),
                &format!("{} {en}", brand.n[2]),
            ])
        },
        |long| land.text(long),
    );
    Some(Venue {
        id: row.id,
        brand_id: brand.id,
        town_id: town.id,
        menu_id: match row.menu.as_deref() {
            Some("empty") => EMPTY_MENU,
            Some("wholesale") => menus::menu_id(brand.id, WHOLESALE_TIER),
            Some(_) => menus::menu_id(brand.id, HOSTILE_TIER),
            None => menus::menu_id(brand.id, row.tier),
        },
        name,
        prefix_en: en.clone(),
        address: land.words([
            &format!("{}, {}", street[0], row.h),
            &format!("{}, {}", street[1], row.h),
            &format!("{} {}", row.h, street[2]),
        ]),
        latitude: rounded(town.at[0] + row.at[0]),
        longitude: rounded(town.at[1] + row.at[1]),
        rating: row.rating,
        reviews_count: row.reviews,
        image: format!("venues/{}.webp", row.id),
        average_minutes: row.min,
        takeaway: filial('1'),
        express: filial('3'),
        delivery: filial('4'),
        main_terminal_id: row.id * 10,
        hours: hours::week(row.hours.as_deref(), today),
        close_in_advance_minutes: row.close,
        closed: row.closed,
        service_percentage: row.sp,
        cash: matches!(pay, "both" | "cash" | "off"),
        online: matches!(pay, "both" | "online" | "off"),
        payment_button_disabled: pay == "off",
        check_pulling: row.check,
        exclude_from_terminal_linking: row.id == 120,
        has_tablet: row.tablet,
        tablet_pickup: row.pickup,
        vendor_delivery: row.vendor.is_some(),
        vendor_delivery_cost: row.vendor.map_or(0, |[cost, _]| cost),
        vendor_min_sum: row.vendor.map_or(0, |[_, least]| least),
        vendor_max_sum: row.vendor_max,
        private_reward: row.id == 102,
        delivery_state: if row.kind.as_deref() == Some("closed") {
            "closed"
        } else {
            "open"
        }
        .to_owned(),
        delivery_delay_time: row.delay,
        table_number_allowed: row.table_typed,
        tables: (1..=row.tables)
            .map(|number| Table {
                id: format!("t{number}"),
                number: number.to_string(),
            })
            .collect(),
        categories: brand.lists.clone(),
        schedule: schedule(land, row.hours.as_deref()),
        phone: row.phone.clone(),
        social_networks: row
            .social
            .iter()
            .map(|name| SocialNetwork {
                name: name.clone(),
                link: format!("https://social.example/{}/{name}", brand.key),
            })
            .collect(),
        banner: row
            .banner
            .as_ref()
            .map(|text| land.text(text))
            .unwrap_or_default(),
        banner_kind: row.kind.clone(),
    })
}

/// Five digits are about a metre.
fn rounded(degrees: f64) -> f64 {
    (degrees * 100_000.0).round() / 100_000.0
}

fn schedule(land: Land, code: Option<&str>) -> Text {
    let spans = |code: &str| {
        code.split(',')
            .filter_map(|span| span.split_once('-'))
            .map(|(from, to)| format!("{from}:00–{to}:00"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match (land, code) {
        (Land::Kazakhstan, None) => Text::kz("Тәулік бойы", "Круглосуточно", "Around the clock"),
        (Land::Georgia, None) => Text::ge("მთელი დღე-ღამე", "Круглосуточно", "Around the clock"),
        (_, Some("not-today")) => Text::kz(
            "9:00–22:00, аптасына бір күн демалыс",
            "9:00–22:00, один выходной в неделю",
            "9:00–22:00, closed one day a week",
        ),
        (Land::Kazakhstan, Some(code)) => {
            let spans = spans(code);
            Text::kz(
                &format!("Күн сайын {spans}"),
                &format!("Ежедневно {spans}"),
                &format!("Daily {spans}"),
            )
        }
        (Land::Georgia, Some(code)) => {
            let spans = spans(code);
            Text::ge(
                &format!("ყოველდღე {spans}"),
                &format!("Ежедневно {spans}"),
                &format!("Daily {spans}"),
            )
        }
    }
}
