//! Counts, towns, unique numbers, places, prices.

use std::collections::BTreeSet;

use super::*;
use crate::model::Lang;

#[test]
fn counts() {
    let seed = all();
    assert_eq!(
        seed.countries
            .iter()
            .map(|country| country.id)
            .collect::<Vec<_>>(),
        [1, 2]
    );
    assert_eq!(
        seed.towns
            .iter()
            .filter(|town| town.country_id == 1)
            .count(),
        19
    );
    assert_eq!(
        seed.towns
            .iter()
            .filter(|town| town.country_id == 2)
            .count(),
        7
    );
    assert!(seed.brands.len() >= 20);
    assert!(seed.venues.len() >= 60);
    for country in [1, 2] {
        let towns: BTreeSet<i64> = seed
            .venues
            .iter()
            .filter(|venue| country_of(&seed, venue) == country)
            .map(|venue| venue.town_id)
            .collect();
        assert!(
            towns.len() >= 5,
            "venues in {} towns of {country}",
            towns.len()
        );
    }
    // Names that differ are dishes and goods that differ.
    let names: BTreeSet<&str> = every_product(&seed)
        .filter_map(|product| product.name.exact(Lang::En))
        .collect();
    assert!(names.len() >= 800, "{}", names.len());
    for venue in &seed.venues {
        let count = products(menu(&seed, venue)).count();
        let special = [118, 124, 144].contains(&venue.id);
        assert!(
            special || (20..=400).contains(&count),
            "venue {} has {count} products",
            venue.id
        );
    }
}

#[test]
fn towns_are_the_ones_of_the_specification() {
    let seed = all();
    let names: Vec<&str> = seed
        .towns
        .iter()
        .filter_map(|town| town.name.exact(Lang::En))
        .collect();
    assert_eq!(
        names[..19],
        [
            "Almaty",
            "Astana",
            "Shymkent",
            "Semey",
            "Karaganda",
            "Atyrau",
            "Aktau",
            "Pavlodar",
            "Temirtau",
            "Aktobe",
            "Uralsk",
            "Taldykorgan",
            "Kostanay",
            "Kokshetau",
            "Ust-Kamenogorsk",
            "Konaev",
            "Kyzylorda",
            "Petropavlovsk",
            "Taraz"
        ]
    );
    assert_eq!(
        names[19..],
        [
            "Tbilisi", "Batumi", "Kutaisi", "Rustavi", "Zugdidi", "Gori", "Poti"
        ]
    );
    assert_eq!(
        (seed.towns[0].id, &*seed.towns[0].translit_name),
        (1, "town.almaty")
    );
    for town in &seed.towns {
        assert!(
            town.code.len() == 3 && town.code.bytes().all(|letter| letter.is_ascii_uppercase()),
            "{}",
            town.code
        );
        assert!((38.0..56.0).contains(&town.latitude) && (40.0..88.0).contains(&town.longitude));
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
            [venue.takeaway, venue.express, venue.delivery]
                .into_iter()
                .flatten()
                .chain([venue.main_terminal_id])
        }),
        "filial",
    );
    unique(
        seed.menus
            .iter()
            .flat_map(|menu| &menu.categories)
            .map(|category| category.id),
        "category",
    );
    unique(every_product(&seed).map(|product| product.id), "product");
    for product in every_product(&seed) {
        unique(
            product.additive_groups.iter().map(|group| group.id),
            "group",
        );
        unique(
            product
                .additive_groups
                .iter()
                .flat_map(|group| &group.additives)
                .map(|additive| additive.id),
            "additive",
        );
        unique(product.sizes.iter().map(|size| size.id), "size");
    }
    for menu in &seed.menus {
        let mut barcodes = BTreeSet::new();
        for barcode in products(menu).filter_map(|product| product.barcode.as_ref()) {
            assert!(
                [8, 13].contains(&barcode.len()) && barcodes.insert(barcode),
                "{barcode}"
            );
        }
    }
}

#[test]
fn numbers_stay_when_the_day_changes() {
    let (first, second) = (build(1).0, build(6).0);
    let ids = |seed: &Seed| {
        every_product(seed)
            .map(|product| product.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&first), ids(&second));
}

#[test]
fn venues_stand_in_their_towns() {
    let seed = all();
    for venue in &seed.venues {
        let town = seed
            .towns
            .iter()
            .find(|town| town.id == venue.town_id)
            .unwrap();
        assert!(
            (venue.latitude - town.latitude).abs() < 0.1
                && (venue.longitude - town.longitude).abs() < 0.1
        );
        for (filial, service) in [(venue.takeaway, 1), (venue.express, 3), (venue.delivery, 4)] {
            assert!(filial.is_none_or(|filial| filial == venue.id * 10 + service));
        }
        assert_eq!(venue.main_terminal_id, venue.id * 10);
        let tables = venue.tables.len();
        assert_eq!(venue.express.is_some(), tables > 0, "venue {}", venue.id);
        assert!(tables == 0 || (8..=20).contains(&tables));
        assert!([0, 10, 12].contains(&venue.service_percentage));
        assert!((0.0..=5.0).contains(&venue.rating));
        assert!(
            venue
                .tables
                .iter()
                .all(|table| table.id == format!("t{}", table.number))
        );
    }
}

#[test]
fn prices_are_of_the_country() {
    let seed = all();
    for venue in &seed.venues {
        let (least, most, step) = if country_of(&seed, venue) == 1 {
            // Packs of six cost more than the dearest single thing.
            let most = if venue.id == 144 { 5_000_000 } else { 990_000 };
            (35_000, most, 100)
        } else {
            (250, 4800, 1)
        };
        for product in products(menu(&seed, venue)) {
            for price in product
                .sizes
                .iter()
                .map(|size| size.price)
                .chain([product.price])
            {
                assert!(
                    price == 0 || (least..=most).contains(&price),
                    "{} costs {price}",
                    product.id
                );
                assert_eq!(price % step, 0);
            }
            assert!(
                product.sizes.is_empty()
                    || product.sizes.iter().any(|size| size.price == product.price),
                "{}",
                product.id
            );
        }
    }
    let fractions = seed
        .venues
        .iter()
        .filter(|venue| country_of(&seed, venue) == 2);
    assert!(
        fractions
            .flat_map(|venue| products(menu(&seed, venue)))
            .any(|product| product.price % 100 != 0)
    );
}
