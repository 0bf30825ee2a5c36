//! The yardstick and the special cases.

use super::*;
use crate::model::{Category, Lang};

#[test]
fn the_yardstick_has_sixty_products() {
    let seed = all();
    let reference = venue(&seed, REFERENCE_VENUE);
    assert_eq!(
        (reference.town_id, reference.express),
        (1, Some(REFERENCE_FILIAL))
    );
    assert_eq!(products(menu(&seed, reference)).count(), REFERENCE_PRODUCTS);
    assert!(
        reference
            .hours
            .iter()
            .all(|interval| interval.from == 0 && interval.to == 0)
            && !reference.closed
    );
    assert!(
        reference.cash
            && reference.online
            && !reference.tables.is_empty()
            && !reference.check_pulling
    );
}

#[test]
fn special_venues() {
    let seed = all();
    let size = |id| products(menu(&seed, venue(&seed, id))).count();
    assert_eq!(size(114), 400, "the supermarket");
    assert_eq!(size(144), 2000, "the supermarket with packs");
    assert_eq!(size(118), 1, "the stall");
    assert_eq!(size(124), 0, "the empty menu");
    for lang in [Lang::Kk, Lang::Ru, Lang::En] {
        assert_eq!(
            venue(&seed, 125).name.exact(lang).unwrap().chars().count(),
            250
        );
    }
    assert!(
        venue(&seed, 126)
            .name
            .all()
            .all(|name| name.contains("<b>"))
    );
    let hostile: String = products(menu(&seed, venue(&seed, 126)))
        .filter_map(|product| product.description.en.clone())
        .collect();
    for part in [
        "<b>",
        "<script>alert(1)</script>",
        "</script>",
        "\u{2028}",
        "\u{2029}",
    ] {
        assert!(hostile.contains(part), "{part:?}");
    }
    let any = |found: &dyn Fn(&Venue) -> bool| seed.venues.iter().any(found);
    assert!(
        any(&|venue| venue.check_pulling)
            && any(&|venue| venue.closed)
            && any(&|venue| venue.table_number_allowed)
    );
    assert!(any(&|venue| venue.close_in_advance_minutes > 0
        && venue
            .hours
            .iter()
            .any(|interval| interval.to < interval.from)));
    assert!(any(&|venue| venue
        .hours
        .iter()
        .filter(|interval| interval.day == 1)
        .count()
        == 2));
    assert!(
        any(&|venue| !venue.hours.iter().any(|interval| interval.day == 3)),
        "closed today"
    );
    assert!(any(&|venue| venue.cash && !venue.online) && any(&|venue| venue.online && !venue.cash));
    assert!(
        any(&|venue| !venue.online && !venue.cash) && any(&|venue| venue.payment_button_disabled)
    );
    for kind in ["weather_issues", "night_shift", "closed"] {
        assert!(
            any(&|venue| venue.banner_kind.as_deref() == Some(kind)),
            "{kind}"
        );
    }
    assert!(
        any(&|venue| venue.banner_kind.is_none() && !venue.banner.is_empty()),
        "a notice without a kind"
    );
    for list in ["bakery", "semi_finished", "ready_meals", "grocery"] {
        for country in [1, 2] {
            assert!(any(&|venue| country_of(&seed, venue) == country
                && venue.categories.iter().any(|name| name == list)));
        }
    }
    assert!(any(&|venue| !venue.social_networks.is_empty()) && any(&|venue| venue.has_tablet));
    assert!(any(
        &|venue| venue.vendor_delivery && venue.vendor_min_sum > 0
    ));
    let open = seed
        .venues
        .iter()
        .filter(|venue| venue.hours.iter().all(|interval| interval.to == 0))
        .count();
    assert!(
        open * 2 > seed.venues.len(),
        "most are open around the clock"
    );
}

#[test]
fn special_products() {
    let seed = all();
    let categories: Vec<&Category> = seed
        .menus
        .iter()
        .flat_map(|menu| &menu.categories)
        .collect();
    assert!(
        categories.iter().any(|category| category.hidden)
            && categories.iter().any(|category| category.without_photos)
    );
    let any = |found: &dyn Fn(&Product) -> bool| every_product(&seed).any(found);
    assert!(any(&|product| product.is_unavailable) && any(&|product| product.price == 0));
    assert!(any(&|product| product
        .old_price
        .is_some_and(|old| old > product.price)));
    assert!(any(&|product| product.old_price == Some(product.price)));
    assert!(any(&|product| product
        .old_price
        .is_some_and(|old| old > 0 && old < product.price)));
    assert!(any(&|product| product.old_price == Some(0)));
    assert!(any(
        &|product| product.reward_id.is_some() && product.promo_limit.is_none()
    ));
    assert!(any(&|product| product.reward_id.is_some()
        && product.promo_limit.is_some()
        && product.promo_day_limit.is_some()));
    assert!(
        any(&|product| product.sizes.len() == 3)
            && any(&|product| product.sizes.iter().any(|size| size.is_unavailable))
    );
    assert!(any(&|product| product
        .sizes
        .iter()
        .any(|size| size.old_price.is_some())));
    assert!(
        any(&|product| product.min_age == Some(21))
            && any(&|product| product.companion)
            && any(&|product| product.popular)
    );
    let groups: Vec<_> = every_product(&seed)
        .flat_map(|product| &product.additive_groups)
        .collect();
    assert!(
        groups
            .iter()
            .any(|group| group.min.is_none() && group.max.is_none())
    );
    assert!(
        groups
            .iter()
            .any(|group| group.min == Some(1) && group.max == Some(1))
    );
    assert!(
        groups
            .iter()
            .any(|group| group.min.is_none() && group.max == Some(3))
    );
    let additives: Vec<_> = groups.iter().flat_map(|group| &group.additives).collect();
    assert!(
        additives.iter().any(|additive| additive.max_count > 1)
            && additives.iter().any(|additive| additive.is_unavailable)
    );
    assert!(
        additives.iter().any(|additive| additive.preselected)
            && additives.iter().all(|additive| additive.max_count >= 1)
    );
    for group in &groups {
        // What is chosen at first is a valid choice, and a required group can be met.
        let chosen = group
            .additives
            .iter()
            .filter(|additive| additive.preselected && !additive.is_unavailable)
            .count() as i64;
        assert!(group.max.is_none_or(|max| chosen <= max));
        let possible: i64 = group
            .additives
            .iter()
            .filter(|additive| !additive.is_unavailable)
            .map(|additive| additive.max_count)
            .sum();
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
