//! Wire shapes of products and their additives.

use serde_json::{Value, json};

use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Voice};
use crate::model::{AdditiveGroup, Product, Text};
use crate::money::major;

/// PRODUCT
pub(crate) fn product(app: &App, caller: &Caller, place: &Place<'_>, product: &Product) -> Value {
    let voice = caller.voice(place.country);
    let price = app.overrides.price(place.venue, product);
    let sizes: Vec<Value> = product
        .sizes
        .iter()
        .map(|size| {
            let price = app.overrides.size_price(place.venue, product, size);
            json!({
                "id": size.id,
                "name": said(&size.name, voice),
                "price": major(price),
                "old_price": size.old_price.filter(|old| *old > price).map(major),
                "is_unavailable": size.is_unavailable,
            })
        })
        .collect();
    let images: Vec<Value> = product
        .image
        .iter()
        .map(|path| json!({"image_url": caller.file(path), "color": product.color}))
        .collect();
    json!({
        "id": 90_000 + product.id,
        "product_id": product.id,
        "product_name": said(&product.name, voice),
        "description": said(&product.description, voice),
        "price": (!product.unpriced).then(|| major(price)),
        // Also one that is zero, equal or lower: upstreams send such, and clients must cope.
        "old_price": product.old_price.map(major),
        "reward_id": product.reward_id,
        "promo_limit": product.promo_limit,
        "promo_day_limit": product.promo_day_limit,
        "sizes": sizes,
        "images": images,
        "additive_categories": [],
        "has_additive_categories": !product.additive_groups.is_empty(),
        "cooking_time": product.cooking_time,
        "is_favorite": false,
        // What has no price is not said to be sold out: that it can't be had is for the caller to see.
        "is_unavailable": !product.unpriced && app.overrides.is_unavailable(place.venue, product),
        "weight": said(&product.weight, voice),
        "min_age": product.min_age,
        "barcode": product.barcode,
        "is_meatless": product.meatless,
    })
}

/// The groups of additives of a product.
pub(crate) fn groups(product: &Product, voice: Voice) -> Vec<Value> {
    product
        .additive_groups
        .iter()
        .map(|one| group(one, voice))
        .collect()
}

/// What the seed chooses at first.
pub(crate) fn preselected(product: &Product) -> Vec<Value> {
    product
        .additive_groups
        .iter()
        .flat_map(|group| &group.additives)
        .filter(|additive| additive.preselected && !additive.is_unavailable)
        .map(|additive| json!({"id": additive.id, "count": 1}))
        .collect()
}

fn group(group: &AdditiveGroup, voice: Voice) -> Value {
    let additives: Vec<Value> = group
        .additives
        .iter()
        .map(|additive| {
            json!({
                "id": additive.id,
                "name": said(&additive.name, voice),
                "price": major(additive.price),
                "max_count": additive.max_count.max(1),
                "is_unavailable": additive.is_unavailable,
            })
        })
        .collect();
    let mut wire =
        json!({"id": group.id, "name": said(&group.name, voice), "additives": additives});
    // A missing minimum or maximum is left out, as real answers do (AT-01).
    if let Some(min) = group.min {
        wire["min"] = json!(min);
    }
    if let Some(max) = group.max {
        wire["max"] = json!(max);
    }
    wire
}

fn said(text: &Text, voice: Voice) -> &str {
    text.get(voice.lang, voice.fallback)
}

/// Products as lists have them.
pub(crate) fn listed<'a>(
    app: &App,
    caller: &Caller,
    place: &Place<'_>,
    all: impl Iterator<Item = &'a Product>,
) -> Vec<Value> {
    all.map(|one| product(app, caller, place, one)).collect()
}
