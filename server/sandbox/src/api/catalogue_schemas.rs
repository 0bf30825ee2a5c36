//! Schemas of places, locations, menus and items.

use serde_json::Value;

use crate::openapi::schema::{
    any, boolean, both, integer, list, nullable, number, object, one_of_texts, reference, text,
};

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let mut all = shared();
    all.extend(places());
    all.extend(locations());
    all.extend(super::product_schemas::schemas());
    all
}

fn shared() -> Vec<(&'static str, Value)> {
    vec![
        (
            "Error",
            object(&[
                ("error_code", integer()),
                ("message", text()),
                (
                    "errors",
                    list(object(&[
                        ("code", text()),
                        ("title", text()),
                        ("meta", any()),
                    ])),
                ),
            ]),
        ),
        (
            "Paging",
            object(&[
                ("current_page", integer()),
                ("last_page", integer()),
                ("total", integer()),
            ]),
        ),
        (
            "Coordinates",
            object(&[("latitude", number()), ("longitude", number())]),
        ),
    ]
}

fn places() -> Vec<(&'static str, Value)> {
    let money = object(&[
        ("currency", text()),
        ("symbol", text()),
        ("symbol_position", one_of_texts(&["before", "after"])),
        ("thousands_separator", text()),
        ("decimal_separator", text()),
        ("format", text()),
        ("fraction_digits", integer()),
        (
            "rounding",
            object(&[("mode", text()), ("precision", integer())]),
        ),
    ]);
    vec![
        (
            "Meta",
            object(&[
                ("timezone", text()),
                ("utc_offset", text()),
                ("phone", object(&[("code", text())])),
                ("country", object(&[("code", text()), ("name", text())])),
                ("money", money),
            ]),
        ),
        (
            "Locale",
            object(&[
                ("default", text()),
                ("fallback", text()),
                ("supported", list(text())),
            ]),
        ),
        (
            "Country",
            object(&[
                ("id", integer()),
                ("name_key", text()),
                ("name", text()),
                ("code", one_of_texts(&["kz", "ge"])),
                ("currency", text()),
                ("supportedLanguages", list(text())),
                ("defaultLocale", text()),
                ("fallbackLocale", text()),
                (
                    "config",
                    object(&[("meta", reference("Meta")), ("locale", reference("Locale"))]),
                ),
                ("towns?", list(reference("Town"))),
            ]),
        ),
        (
            "Town",
            object(&[
                ("id", integer()),
                ("name", text()),
                ("coordinates", reference("Coordinates")),
                ("translit_name", text()),
                ("parstore_id", integer()),
                ("code", text()),
                (
                    "config",
                    object(&[
                        ("id", integer()),
                        ("version", integer()),
                        ("meta", reference("Meta")),
                        ("locale", reference("Locale")),
                    ]),
                ),
            ]),
        ),
        ("Table", object(&[("id", text()), ("number", text())])),
        (
            "Terminal",
            object(&[
                ("id", integer()),
                ("location_id", integer()),
                ("town_id", integer()),
                ("service_type", integer()),
                ("tables", list(reference("Table"))),
            ]),
        ),
        (
            "Branch",
            object(&[
                ("filial_id", integer()),
                ("is_check_pulling_enabled", boolean()),
                ("table", nullable(reference("Table"))),
                ("main_terminal_id", integer()),
            ]),
        ),
    ]
}

fn locations() -> Vec<(&'static str, Value)> {
    let variant = || nullable(object(&[("filial_id", integer())]));
    let settings = object(&[("close_in_advance_minutes", integer())]);
    vec![
        (
            "Location",
            object(&[
                ("id", integer()),
                ("filial_id", integer()),
                ("name", text()),
                ("brand_id", integer()),
                ("brand_name", text()),
                ("prefix_en", text()),
                ("address", text()),
                ("coordinates", reference("Coordinates")),
                ("distance", nullable(number())),
                ("town_id", integer()),
                ("rating", number()),
                ("reviews_count", integer()),
                ("image_url", text()),
                ("has_promo", boolean()),
                ("promo_percent", nullable(integer())),
                ("average_minutes", integer()),
                ("delivery_state", text()),
                ("delivery_delay_time", integer()),
                ("takeaway", variant()),
                ("express", variant()),
                ("delivery", variant()),
                (
                    "opening_hours",
                    list(object(&[
                        ("day", integer()),
                        ("from", text()),
                        ("to", text()),
                    ])),
                ),
                ("relationships", object(&[("filial_settings", settings)])),
                ("is_closed", boolean()),
                ("categories", list(text())),
                ("kitchens", list(reference("Kitchen"))),
                ("is_halal", boolean()),
            ]),
        ),
        ("Kitchen", object(&[("code", text()), ("name", text())])),
        (
            "Card",
            both(reference("Location"), reference("FilialSettings")),
        ),
        (
            "FilialSettings",
            object(&[
                ("terminal_id", integer()),
                ("main_terminal_id", integer()),
                ("service_type", integer()),
                ("service_percentage", integer()),
                ("payment_types", list(one_of_texts(&["online", "cash"]))),
                ("payment_button_disabled", boolean()),
                ("online_payment_disabled", boolean()),
                ("linked_terminals", list(integer())),
                ("is_check_pulling_enabled", boolean()),
                ("exclude_from_terminal_linking", boolean()),
                ("has_tablet", boolean()),
                ("tablet_pickup", boolean()),
                ("vendor_delivery_enabled", boolean()),
                ("vendor_delivery_cost", number()),
                ("vendor_min_sum", number()),
                ("vendor_max_sum", number()),
                ("private_reward_enabled", boolean()),
                ("private_reward_button_disabled", boolean()),
                ("town", reference("Town")),
                ("banner_info", object(&[("message", text())])),
                ("table_number_allowed", boolean()),
                (
                    "extra?",
                    object(&[
                        ("schedule", text()),
                        (
                            "social_networks",
                            list(object(&[("name", text()), ("link", text())])),
                        ),
                        ("phone", text()),
                    ]),
                ),
            ]),
        ),
    ]
}
