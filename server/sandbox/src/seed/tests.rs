//! The whole catalogue: counts, languages, unique numbers, and every special case by name.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::model::{Category, Lang, Product, Text, Venue};

fn all() -> Seed {
    build(3).0
}

fn venue(seed: &Seed, id: i64) -> &Venue {
    seed.venues.iter().find(|venue| venue.id == id).unwrap()
}

fn menu<'a>(seed: &'a Seed, venue: &Venue) -> &'a Menu {
    seed.menus.iter().find(|menu| menu.id == venue.menu_id).unwrap()
}

fn products(menu: &Menu) -> impl Iterator<Item = &Product> {
    menu.categories.iter().flat_map(|category| &category.products)
}

fn every_product(seed: &Seed) -> impl Iterator<Item = &Product> {
    seed.menus.iter().flat_map(products)
}

fn country_of(seed: &Seed, venue: &Venue) -> i64 {
    seed.towns.iter().find(|town| town.id == venue.town_id).unwrap().country_id
}

#[test]
fn counts() {
    let seed = all();
    assert_eq!(seed.countries.iter().map(|country| country.id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(seed.towns.iter().filter(|town| town.country_id == 1).count(), 19);
    assert_eq!(seed.towns.iter().filter(|town| town.country_id == 2).count(), 7);
    assert!(seed.brands.len() >= 20);
    assert!(seed.venues.len() >= 60);
    for country in [1, 2] {
        let towns: BTreeSet<i64> =
            seed.venues.iter().filter(|venue| country_of(&seed, venue) == country).map(|venue| venue.town_id).collect();
        assert!(towns.len() >= 5, "venues in {} towns of {country}", towns.len());
    }
    // Names that differ are dishes and goods that differ.
    let names: BTreeSet<&str> = every_product(&seed).filter_map(|product| product.name.exact(Lang::En)).collect();
    assert!(names.len() >= 800, "{}", names.len());
    for venue in &seed.venues {
        let count = products(menu(&seed, venue)).count();
        let special = [118, 124].contains(&venue.id);
        assert!(special || (20..=400).contains(&count), "venue {} has {count} products", venue.id);
    }
}

#[test]
fn towns_are_the_ones_of_the_specification() {
    let seed = all();
    let names: Vec<&str> = seed.towns.iter().filter_map(|town| town.name.exact(Lang::En)).collect();
    assert_eq!(
        names[..19],
        [
            "Almaty", "Astana", "Shymkent", "Semey", "Karaganda", "Atyrau", "Aktau", "Pavlodar", "Temirtau", "Aktobe",
            "Uralsk", "Taldykorgan", "Kostanay", "Kokshetau", "Ust-Kamenogorsk", "Konaev", "Kyzylorda",
            "Petropavlovsk", "Taraz"
        ]
    );
    assert_eq!(names[19..], ["Tbilisi", "Batumi", "Kutaisi", "Rustavi", "Zugdidi", "Gori", "Poti"]);
    assert_eq!((seed.towns[0].id, &*seed.towns[0].translit_name), (1, "town.almaty"));
    for town in &seed.towns {
        assert!(town.code.len() == 3 && town.code.bytes().all(|letter| letter.is_ascii_uppercase()), "{}", town.code);
        assert!((38.0..56.0).contains(&town.latitude) && (40.0..88.0).contains(&town.longitude));
    }
}

/// Every text of the seed with the country that it belongs to.
fn texts(seed: &Seed) -> Vec<(i64, String, &Text)> {
    let mut texts = Vec::new();
    for country in &seed.countries {
        texts.push((country.id, "country".to_owned(), &country.name));
    }
    for town in &seed.towns {
        texts.push((town.country_id, format!("town {}", town.id), &town.name));
    }
    let mut country_of_menu = BTreeMap::new();
    for venue in &seed.venues {
        let country = country_of(seed, venue);
        country_of_menu.insert(venue.menu_id, country);
        let name = format!("venue {}", venue.id);
        texts.extend([(country, name.clone(), &venue.name), (country, name.clone(), &venue.address), (country, name.clone(), &venue.schedule)]);
        if venue.banner != Text::default() {
            texts.push((country, name, &venue.banner));
        }
        let brand = seed.brands.iter().find(|brand| brand.id == venue.brand_id).unwrap();
        texts.push((country, format!("brand {}", brand.id), &brand.name));
    }
    for menu in &seed.menus {
        let country = country_of_menu[&menu.id];
        for category in &menu.categories {
            texts.push((country, format!("category {}", category.id), &category.name));
            for product in &category.products {
                let name = format!("product {}", product.id);
                texts.extend([&product.name, &product.description, &product.weight].map(|text| (country, name.clone(), text)));
                texts.extend(product.sizes.iter().map(|size| (country, name.clone(), &size.name)));
                for group in &product.additive_groups {
                    texts.push((country, name.clone(), &group.name));
                    texts.extend(group.additives.iter().map(|additive| (country, name.clone(), &additive.name)));
                }
            }
        }
    }
    texts
}

fn has(text: &str, letters: std::ops::RangeInclusive<char>) -> bool {
    text.chars().any(|letter| letters.contains(&letter))
}

#[test]
fn every_text_is_written_in_the_languages_of_its_country() {
    let seed = all();
    for (country, place, text) in texts(&seed) {
        let languages = if country == 1 { [Lang::Kk, Lang::Ru, Lang::En] } else { [Lang::Ka, Lang::Ru, Lang::En] };
        assert_eq!(text.all().count(), 3, "{place}: {text:?}");
        for lang in languages {
            let written = text.exact(lang).unwrap_or_else(|| panic!("{place} lacks {lang:?}: {text:?}"));
            assert!(!written.trim().is_empty() && written.trim() == written.trim_matches(' '), "{place}: {text:?}");
            for placeholder in ["lorem", "todo", "tbd", "xxx", "???", "placeholder", "undefined", "null"] {
                assert!(!written.to_lowercase().contains(placeholder), "{place}: {written}");
            }
            assert!(lang == Lang::Ka || !has(written, 'ა'..='ჿ'), "Georgian letters in {lang:?}, {place}: {written}");
            assert!(lang != Lang::Ka || !has(written, 'а'..='я'), "Cyrillic in Georgian, {place}: {written}");
            assert!(lang != Lang::En || !has(written, 'а'..='я'), "Cyrillic in English, {place}: {written}");
            let kazakh = ['ә', 'ғ', 'қ', 'ң', 'ө', 'ұ', 'ү', 'һ', 'і'];
            assert!(
                lang != Lang::Ru || !written.to_lowercase().contains(kazakh),
                "Kazakh letters in Russian, {place}: {written}"
            );
            let hostile = place == "venue 126" || place.starts_with("product 315");
            assert!(lang != Lang::Ru || hostile || !has(written, 'a'..='z'), "Latin letters in Russian, {place}: {written}");
        }
    }
}

#[test]
fn descriptions_are_translations_not_copies() {
    let seed = all();
    for product in every_product(&seed) {
        let own = product.description.kk.as_deref().or(product.description.ka.as_deref()).unwrap();
        assert_ne!(Some(own), product.description.ru.as_deref(), "{}", product.id);
        assert_ne!(product.description.ru, product.description.en, "{}", product.id);
        assert!(own.chars().count() <= 130, "{own}");
    }
}

#[test]
fn numbers_are_unique() {
    let seed = all();
    fn unique(numbers: impl IntoIterator<Item = i64>, what: &str) {
        let mut known = BTreeSet::new();
        for number in numbers {
            assert!(number > 0 && known.insert(number), "{what} {number} twice");
        }
    }
    unique(seed.towns.iter().map(|town| town.id), "town");
    unique(seed.brands.iter().map(|brand| brand.id), "brand");
    unique(seed.menus.iter().map(|menu| menu.id), "menu");
    unique(seed.venues.iter().map(|venue| venue.id), "venue");
    unique(
        seed.venues.iter().flat_map(|venue| {
            [venue.takeaway, venue.express, venue.delivery].into_iter().flatten().chain([venue.main_terminal_id])
        }),
        "filial",
    );
    unique(seed.menus.iter().flat_map(|menu| &menu.categories).map(|category| category.id), "category");
    unique(every_product(&seed).map(|product| product.id), "product");
    for product in every_product(&seed) {
        unique(product.additive_groups.iter().map(|group| group.id), "group");
        unique(product.additive_groups.iter().flat_map(|group| &group.additives).map(|additive| additive.id), "additive");
        unique(product.sizes.iter().map(|size| size.id), "size");
    }
    for menu in &seed.menus {
        let mut barcodes = BTreeSet::new();
        for barcode in products(menu).filter_map(|product| product.barcode.as_ref()) {
            assert!([8, 13].contains(&barcode.len()) && barcodes.insert(barcode), "{barcode}");
        }
    }
}

#[test]
fn numbers_stay_when_the_day_changes() {
    let (first, second) = (build(1).0, build(6).0);
    let ids = |seed: &Seed| every_product(seed).map(|product| product.id).collect::<Vec<_>>();
    assert_eq!(ids(&first), ids(&second));
}

#[test]
fn venues_stand_in_their_towns() {
    let seed = all();
    for venue in &seed.venues {
        let town = seed.towns.iter().find(|town| town.id == venue.town_id).unwrap();
        assert!((venue.latitude - town.latitude).abs() < 0.1 && (venue.longitude - town.longitude).abs() < 0.1);
        for (filial, service) in [(venue.takeaway, 1), (venue.express, 3), (venue.delivery, 4)] {
            assert!(filial.is_none_or(|filial| filial == venue.id * 10 + service));
        }
        assert_eq!(venue.main_terminal_id, venue.id * 10);
        let tables = venue.tables.len();
        assert_eq!(venue.express.is_some(), tables > 0, "venue {}", venue.id);
        assert!(tables == 0 || (8..=20).contains(&tables));
        assert!([0, 10, 12].contains(&venue.service_percentage));
        assert!((0.0..=5.0).contains(&venue.rating));
        assert!(venue.tables.iter().all(|table| table.id == format!("t{}", table.number)));
    }
}

#[test]
fn prices_are_of_the_country() {
    let seed = all();
    for venue in &seed.venues {
        let (least, most, step) = if country_of(&seed, venue) == 1 { (35_000, 990_000, 100) } else { (250, 4800, 1) };
        for product in products(menu(&seed, venue)) {
            for price in product.sizes.iter().map(|size| size.price).chain([product.price]) {
                assert!(price == 0 || (least..=most).contains(&price), "{} costs {price}", product.id);
                assert_eq!(price % step, 0);
            }
            assert!(product.sizes.is_empty() || product.sizes.iter().any(|size| size.price == product.price), "{}", product.id);
        }
    }
    let fractions = seed.venues.iter().filter(|venue| country_of(&seed, venue) == 2);
    assert!(fractions.flat_map(|venue| products(menu(&seed, venue))).any(|product| product.price % 100 != 0));
}

#[test]
fn the_yardstick_has_sixty_products() {
    let seed = all();
    let yardstick = venue(&seed, YARDSTICK_VENUE);
    assert_eq!((yardstick.town_id, yardstick.express), (1, Some(YARDSTICK_FILIAL)));
    assert_eq!(products(menu(&seed, yardstick)).count(), YARDSTICK_PRODUCTS);
    assert!(yardstick.hours.iter().all(|interval| interval.from == 0 && interval.to == 0) && !yardstick.closed);
    assert!(yardstick.cash && yardstick.online && !yardstick.tables.is_empty() && !yardstick.check_pulling);
}

#[test]
fn special_venues() {
    let seed = all();
    let size = |id| products(menu(&seed, venue(&seed, id))).count();
    assert_eq!(size(114), 400, "the supermarket");
    assert_eq!(size(118), 1, "the stall");
    assert_eq!(size(124), 0, "the empty menu");
    for lang in [Lang::Kk, Lang::Ru, Lang::En] {
        assert_eq!(venue(&seed, 125).name.exact(lang).unwrap().chars().count(), 250);
    }
    assert!(venue(&seed, 126).name.all().all(|name| name.contains("<b>")));
    let hostile: String = products(menu(&seed, venue(&seed, 126))).filter_map(|product| product.description.en.clone()).collect();
    for part in ["<b>", "<script>alert(1)</script>", "</script>", "\u{2028}", "\u{2029}"] {
        assert!(hostile.contains(part), "{part:?}");
    }
    let any = |found: &dyn Fn(&Venue) -> bool| seed.venues.iter().any(found);
    assert!(any(&|venue| venue.check_pulling) && any(&|venue| venue.closed) && any(&|venue| venue.table_number_allowed));
    assert!(any(&|venue| venue.close_in_advance_minutes > 0 && venue.hours.iter().any(|interval| interval.to < interval.from)));
    assert!(any(&|venue| venue.hours.iter().filter(|interval| interval.day == 1).count() == 2));
    assert!(any(&|venue| !venue.hours.iter().any(|interval| interval.day == 3)), "closed today");
    assert!(any(&|venue| venue.cash && !venue.online) && any(&|venue| venue.online && !venue.cash));
    assert!(any(&|venue| !venue.online && !venue.cash) && any(&|venue| venue.payment_button_disabled));
    for kind in ["weather_issues", "night_shift", "closed"] {
        assert!(any(&|venue| venue.banner_kind.as_deref() == Some(kind)), "{kind}");
    }
    assert!(any(&|venue| venue.banner_kind.is_none() && !venue.banner.is_empty()), "a notice without a kind");
    for list in ["bakery", "semi_finished", "ready_meals", "grocery"] {
        for country in [1, 2] {
            assert!(any(&|venue| country_of(&seed, venue) == country && venue.categories.iter().any(|name| name == list)));
        }
    }
    assert!(any(&|venue| !venue.social_networks.is_empty()) && any(&|venue| venue.has_tablet));
    assert!(any(&|venue| venue.vendor_delivery && venue.vendor_min_sum > 0));
    let open = seed.venues.iter().filter(|venue| venue.hours.iter().all(|interval| interval.to == 0)).count();
    assert!(open * 2 > seed.venues.len(), "most are open around the clock");
}

#[test]
fn special_products() {
    let seed = all();
    let categories: Vec<&Category> = seed.menus.iter().flat_map(|menu| &menu.categories).collect();
    assert!(categories.iter().any(|category| category.hidden) && categories.iter().any(|category| category.without_photos));
    let any = |found: &dyn Fn(&Product) -> bool| every_product(&seed).any(found);
    assert!(any(&|product| product.is_unavailable) && any(&|product| product.price == 0));
    assert!(any(&|product| product.old_price.is_some_and(|old| old > product.price)));
    assert!(any(&|product| product.old_price == Some(product.price)));
    assert!(any(&|product| product.old_price.is_some_and(|old| old > 0 && old < product.price)));
    assert!(any(&|product| product.old_price == Some(0)));
    assert!(any(&|product| product.reward_id.is_some() && product.promo_limit.is_none()));
    assert!(any(&|product| product.reward_id.is_some() && product.promo_limit.is_some() && product.promo_day_limit.is_some()));
    assert!(any(&|product| product.sizes.len() == 3) && any(&|product| product.sizes.iter().any(|size| size.is_unavailable)));
    assert!(any(&|product| product.sizes.iter().any(|size| size.old_price.is_some())));
    assert!(any(&|product| product.min_age == Some(21)) && any(&|product| product.companion) && any(&|product| product.popular));
    let groups: Vec<_> = every_product(&seed).flat_map(|product| &product.additive_groups).collect();
    assert!(groups.iter().any(|group| group.min.is_none() && group.max.is_none()));
    assert!(groups.iter().any(|group| group.min == Some(1) && group.max == Some(1)));
    assert!(groups.iter().any(|group| group.min.is_none() && group.max == Some(3)));
    let additives: Vec<_> = groups.iter().flat_map(|group| &group.additives).collect();
    assert!(additives.iter().any(|additive| additive.max_count > 1) && additives.iter().any(|additive| additive.is_unavailable));
    assert!(additives.iter().any(|additive| additive.preselected) && additives.iter().all(|additive| additive.max_count >= 1));
    for group in &groups {
        // What is chosen at first is a valid choice, and a required group can be met.
        let chosen = group.additives.iter().filter(|additive| additive.preselected && !additive.is_unavailable).count() as i64;
        assert!(group.max.is_none_or(|max| chosen <= max));
        let possible: i64 = group.additives.iter().filter(|additive| !additive.is_unavailable).map(|additive| additive.max_count).sum();
        assert!(possible >= group.min.unwrap_or(0));
    }
}

#[test]
fn every_product_has_a_picture_and_a_colour() {
    for product in every_product(&all()) {
        let path = product.image.as_deref().unwrap();
        let plan = plan(path).unwrap_or_else(|| panic!("{path}"));
        assert_eq!(product.color.as_deref(), Some(&*plan.dominant()));
    }
}
