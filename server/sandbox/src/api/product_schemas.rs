//! Schemas of menus, products and items.

use serde_json::Value;

use crate::openapi::schema::{
    any, boolean, both, integer, list, nullable, number, object, one_of_texts, reference, text,
};

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let category = object(&[
        ("id", integer()),
        ("type", one_of_texts(&["categories"])),
        (
            "attributes",
            object(&[
                ("name", text()),
                ("is_active", boolean()),
                ("is_show_photo", boolean()),
            ]),
        ),
        (
            "relationships",
            object(&[("products", object(&[("data", list(reference("Product")))]))]),
        ),
    ]);
    let size = object(&[
        ("id", integer()),
        ("name", text()),
        ("price", number()),
        ("old_price", nullable(number())),
        ("is_unavailable", boolean()),
    ]);
    let additive = object(&[
        ("id", integer()),
        ("name", text()),
        ("price", number()),
        ("max_count", integer()),
        ("is_unavailable", boolean()),
    ]);
    let groups = || list(reference("AdditiveGroup"));
    vec![
        (
            "Menu",
            object(&[("external_id", text()), ("data", list(category))]),
        ),
        (
            "Product",
            object(&[
                ("id", integer()),
                ("product_id", integer()),
                ("product_name", text()),
                ("description", text()),
                ("price", nullable(number())),
                ("old_price", nullable(number())),
                ("reward_id", nullable(integer())),
                ("promo_limit", nullable(integer())),
                ("promo_day_limit", nullable(integer())),
                ("sizes", list(size)),
                ("images", list(object(&[("image_url", text())]))),
                ("additive_categories", list(any())),
                ("has_additive_categories", boolean()),
                ("cooking_time", integer()),
                ("is_favorite", boolean()),
                ("is_unavailable", boolean()),
                ("weight", text()),
                ("min_age", nullable(integer())),
                ("barcode", nullable(text())),
                ("is_meatless", nullable(boolean())),
            ]),
        ),
        (
            "AdditiveGroup",
            object(&[
                ("id", integer()),
                ("name", text()),
                ("min?", nullable(integer())),
                ("max?", nullable(integer())),
                ("additives", list(additive)),
            ]),
        ),
        (
            "ProductWithAdditives",
            both(
                reference("Product"),
                object(&[("additive_groups", groups())]),
            ),
        ),
        (
            "Additives",
            object(&[
                ("product_id", integer()),
                ("additive_groups", groups()),
                ("last_selected", list(reference("Chosen"))),
            ]),
        ),
        (
            "Chosen",
            object(&[("id", integer()), ("count?", integer())]),
        ),
        (
            "Item",
            object(&[
                ("product_id", integer()),
                ("size_id?", nullable(integer())),
                (
                    "count",
                    serde_json::json!({"type": "integer", "minimum": 1, "maximum": 99}),
                ),
                ("price?", nullable(number())),
                ("additives?", nullable(list(reference("Chosen")))),
                ("comment?", nullable(text())),
            ]),
        ),
        (
            "Check",
            object(&[
                ("ok", boolean()),
                (
                    "items",
                    list(object(&[
                        ("index", integer()),
                        ("product_id", integer()),
                        (
                            "status",
                            one_of_texts(&["ok", "unavailable", "price_changed"]),
                        ),
                        ("price", nullable(number())),
                        ("regular_price", nullable(number())),
                        ("promo_count", integer()),
                        ("sum", nullable(number())),
                    ])),
                ),
                ("goods_sum", number()),
            ]),
        ),
    ]
}
