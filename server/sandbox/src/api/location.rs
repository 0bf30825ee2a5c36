//! Wire shapes of countries, towns and locations.

use serde_json::{Value, json};

use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Service, Voice};
use crate::geo;
use crate::model::{Country, Interval, Kitchen, Lang, Meta, Town, Venue};
use crate::money::major;

/// META
pub(crate) fn meta(meta: &Meta) -> Value {
    let money = &meta.money;
    json!({
        "timezone": meta.timezone,
        "utc_offset": meta.utc_offset,
        "phone": {"code": meta.phone_code},
        "country": {"code": meta.country_code, "name": meta.country_name},
        "money": {
            "currency": money.currency,
            "symbol": money.symbol,
            "symbol_position": money.symbol_position,
            "thousands_separator": money.thousands_separator,
            "decimal_separator": money.decimal_separator,
            "format": money.format,
            "fraction_digits": money.fraction_digits,
            "rounding": {"mode": money.rounding_mode, "precision": money.rounding_precision},
        },
    })
}

pub(crate) fn locale(country: &Country) -> Value {
    json!({
        "default": country.default.code(),
        "fallback": country.fallback.code(),
        "supported": codes(&country.languages),
    })
}

pub(crate) fn codes(languages: &[Lang]) -> Vec<&'static str> {
    languages.iter().map(|lang| lang.code()).collect()
}

/// TOWN
pub(crate) fn town(town: &Town, country: &Country, voice: Voice) -> Value {
    json!({
        "id": town.id,
        "name": town.name.get(voice.lang, voice.fallback),
        "coordinates": coordinates(town.latitude, town.longitude),
        "translit_name": town.translit_name,
        "parstore_id": town.parstore_id,
        "code": town.code,
        "config": {"id": town.id, "version": 3, "meta": meta(&country.meta), "locale": locale(country)},
    })
}

/// LOCATION
pub(crate) fn location(app: &App, caller: &Caller, place: &Place<'_>, promo: bool) -> Value {
    let voice = caller.voice(place.country);
    let venue = place.venue;
    let variant = |service: Service| service.filial(venue).map(|id| json!({"filial_id": id}));
    json!({
        "id": venue.id,
        "filial_id": place.filial,
        "name": venue.name.get(voice.lang, voice.fallback),
        "brand_id": venue.brand_id,
        "brand_name": place.brand.name.get(voice.lang, voice.fallback),
        "prefix_en": venue.prefix_en,
        "address": venue.address.get(voice.lang, voice.fallback),
        "coordinates": coordinates(venue.latitude, venue.longitude),
        "distance": round(distance(caller, place)),
        "town_id": venue.town_id,
        "rating": venue.rating,
        "reviews_count": venue.reviews_count,
        "image_url": caller.file(&venue.image),
        "has_promo": promo,
        "promo_percent": app.catalogue.promo_percent(venue),
        "average_minutes": venue.average_minutes,
        "delivery_state": delivery_state(venue),
        "delivery_delay_time": venue.delivery_delay_time,
        "takeaway": variant(Service::Takeaway),
        "express": variant(Service::Express),
        "delivery": variant(Service::Delivery),
        "opening_hours": venue.hours.iter().map(interval).collect::<Vec<_>>(),
        "relationships": {"filial_settings": {"close_in_advance_minutes": venue.close_in_advance_minutes}},
        "is_closed": app.overrides.is_closed(venue),
        "categories": venue.categories,
        "kitchens": kitchens(&place.brand.kitchens, voice),
        "is_halal": place.brand.halal,
    })
}

/// Kinds of cooking by their words in queries and their names.
pub(crate) fn kitchens<'a>(all: impl IntoIterator<Item = &'a Kitchen>, voice: Voice) -> Vec<Value> {
    all.into_iter()
        .map(|kitchen| {
            json!({
                "code": kitchen.code,
                "name": kitchen.name.get(voice.lang, voice.fallback),
            })
        })
        .collect()
}

/// LOCATION with the settings of one filial.
pub(crate) fn card(app: &App, caller: &Caller, place: &Place<'_>, with_extra: bool) -> Value {
    let voice = caller.voice(place.country);
    let venue = place.venue;
    let mut card = location(app, caller, place, app.catalogue.has_promo(venue));
    let mut payments = Vec::new();
    payments.extend(venue.online.then_some("online"));
    payments.extend(venue.cash.then_some("cash"));
    let linked = if venue.exclude_from_terminal_linking {
        vec![]
    } else {
        vec![venue.main_terminal_id]
    };
    let settings = json!({
        "terminal_id": place.filial,
        "main_terminal_id": venue.main_terminal_id,
        "service_type": place.service.type_id(),
        "service_percentage": place.service_percentage(),
        "payment_types": payments,
        "payment_button_disabled": venue.payment_button_disabled,
        "online_payment_disabled": !venue.online,
        "linked_terminals": linked,
        "is_check_pulling_enabled": app.overrides.check_pulling(venue),
        "exclude_from_terminal_linking": venue.exclude_from_terminal_linking,
        "has_tablet": venue.has_tablet,
        "tablet_pickup": venue.tablet_pickup,
        "vendor_delivery_enabled": venue.vendor_delivery,
        "vendor_delivery_cost": major(venue.vendor_delivery_cost),
        "vendor_min_sum": major(venue.vendor_min_sum),
        "vendor_max_sum": major(venue.vendor_max_sum),
        "private_reward_enabled": venue.private_reward,
        "private_reward_button_disabled": false,
        "town": town(place.town, place.country, voice),
        "banner_info": {"message": venue.banner.get(voice.lang, voice.fallback)},
        "table_number_allowed": venue.table_number_allowed,
    });
    merge(&mut card, settings);
    if with_extra {
        let networks: Vec<Value> = venue
            .social_networks
            .iter()
            .map(|network| json!({"name": network.name, "link": network.link}))
            .collect();
        let extra = json!({
            "schedule": venue.schedule.get(voice.lang, voice.fallback),
            "social_networks": networks,
            "phone": venue.phone,
        });
        merge(&mut card, json!({"extra": extra}));
    }
    card
}

pub(crate) fn coordinates(latitude: f64, longitude: f64) -> Value {
    json!({"latitude": latitude, "longitude": longitude})
}

/// Metres from the caller, or from the town's centre when the caller's place is unknown.
pub(crate) fn distance(caller: &Caller, place: &Place<'_>) -> f64 {
    let centre = (place.town.latitude, place.town.longitude);
    let from = caller.coordinates.unwrap_or(centre);
    geo::distance(from, (place.venue.latitude, place.venue.longitude))
}

/// Lays the fields of one object over another.
fn merge(base: &mut Value, more: Value) {
    if let (Value::Object(base), Value::Object(more)) = (base, more) {
        base.extend(more);
    }
}

pub(crate) fn delivery_state(venue: &Venue) -> &str {
    if venue.delivery_state.is_empty() {
        "open"
    } else {
        &venue.delivery_state
    }
}

fn interval(interval: &Interval) -> Value {
    json!({"day": interval.day, "from": clock(interval.from), "to": clock(interval.to)})
}

fn clock(minutes: u16) -> String {
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

fn round(metres: f64) -> f64 {
    (metres * 10.0).round() / 10.0
}
