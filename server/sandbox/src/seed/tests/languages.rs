//! Every text in the languages of its country.

use std::collections::BTreeMap;

use super::*;
use crate::model::{Lang, Text};

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
        texts.extend([
            (country, name.clone(), &venue.name),
            (country, name.clone(), &venue.address),
            (country, name.clone(), &venue.schedule),
        ]);
        if venue.banner != Text::default() {
            texts.push((country, name, &venue.banner));
        }
        let brand = seed
            .brands
            .iter()
            .find(|brand| brand.id == venue.brand_id)
            .unwrap();
        texts.push((country, format!("brand {}", brand.id), &brand.name));
    }
    for menu in &seed.menus {
        let country = country_of_menu[&menu.id];
        for category in &menu.categories {
            texts.push((country, format!("category {}", category.id), &category.name));
            for product in &category.products {
                let name = format!("product {}", product.id);
                texts.extend(
                    [&product.name, &product.description, &product.weight]
                        .map(|text| (country, name.clone(), text)),
                );
                texts.extend(
                    product
                        .sizes
                        .iter()
                        .map(|size| (country, name.clone(), &size.name)),
                );
                for group in &product.additive_groups {
                    texts.push((country, name.clone(), &group.name));
                    texts.extend(
                        group
                            .additives
                            .iter()
                            .map(|additive| (country, name.clone(), &additive.name)),
                    );
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
        let languages = if country == 1 {
            [Lang::Kk, Lang::Ru, Lang::En]
        } else {
            [Lang::Ka, Lang::Ru, Lang::En]
        };
        assert_eq!(text.all().count(), 3, "{place}: {text:?}");
        for lang in languages {
            let written = text
                .exact(lang)
                .unwrap_or_else(|| panic!("{place} lacks {lang:?}: {text:?}"));
            assert!(
                !written.trim().is_empty() && written.trim() == written.trim_matches(' '),
                "{place}: {text:?}"
            );
            for placeholder in [
                "lorem",
                "todo",
                "tbd",
                "xxx",
                "???",
                "placeholder",
                "undefined",
                "null",
            ] {
                assert!(
                    !written.to_lowercase().contains(placeholder),
                    "{place}: {written}"
                );
            }
            assert!(
                lang == Lang::Ka || !has(written, 'ა'..='ჿ'),
                "Georgian letters in {lang:?}, {place}: {written}"
            );
            assert!(
                lang != Lang::Ka || !has(written, 'а'..='я'),
                "Cyrillic in Georgian, {place}: {written}"
            );
            assert!(
                lang != Lang::En || !has(written, 'а'..='я'),
                "Cyrillic in English, {place}: {written}"
            );
            let kazakh = ['ә', 'ғ', 'қ', 'ң', 'ө', 'ұ', 'ү', 'һ', 'і'];
            assert!(
                lang != Lang::Ru || !written.to_lowercase().contains(kazakh),
                "Kazakh letters in Russian, {place}: {written}"
            );
            let hostile = place == "venue 126" || place.starts_with("product 315");
            assert!(
                lang != Lang::Ru || hostile || !has(written, 'a'..='z'),
                "Latin letters in Russian, {place}: {written}"
            );
        }
    }
}

#[test]
fn descriptions_are_translations_not_copies() {
    let seed = all();
    for product in every_product(&seed) {
        let own = product
            .description
            .kk
            .as_deref()
            .or(product.description.ka.as_deref())
            .unwrap();
        assert_ne!(
            Some(own),
            product.description.ru.as_deref(),
            "{}",
            product.id
        );
        assert_ne!(
            product.description.ru, product.description.en,
            "{}",
            product.id
        );
        assert!(own.chars().count() <= 130, "{own}");
    }
}
