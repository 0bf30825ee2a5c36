//! The rules of an order, each with its refusal.

use serde_json::{Value, json};

use super::kind::Kind;
use super::quote::{Item, Quote, Trouble};
use crate::accounts::balance;
use crate::accounts::user::User;
use crate::app::App;
use crate::catalogue::{Place, Service};
use crate::hours;
use crate::model::Table;
use crate::money::{hundredths, major};
use crate::refusal::Refusal;

pub(super) fn serves(place: &Place<'_>, kind: Kind) -> Result<(), Refusal> {
    let right = match kind {
        Kind::Express => place.service == Service::Express,
        Kind::Takeaway => place.service == Service::Takeaway,
        Kind::Delivery => place.service == Service::Delivery,
        Kind::VendorDelivery => place.service == Service::Delivery && place.venue.vendor_delivery,
        Kind::Micromarket | Kind::Fridge => place.service != Service::Delivery,
    };
    if right {
        return Ok(());
    }
    Err(Refusal::bad(format!(
        "This filial takes no {} orders",
        kind.name()
    )))
}

pub(super) fn vendor_delivery(place: &Place<'_>, goods: i64) -> Result<i64, Refusal> {
    let venue = place.venue;
    if goods < venue.vendor_min_sum {
        let refusal = Refusal::unprocessable("min_sum", "The sum is too small for a delivery");
        return Err(refusal.with(json!({"min_sum": major(venue.vendor_min_sum)})));
    }
    if venue.vendor_max_sum > 0 && goods > venue.vendor_max_sum {
        let refusal = Refusal::unprocessable("max_sum", "The sum is too great for a delivery");
        return Err(refusal.with(json!({"max_sum": major(venue.vendor_max_sum)})));
    }
    Ok(venue.vendor_delivery_cost)
}

pub(super) fn open(app: &App, place: &Place<'_>) -> Result<(), Refusal> {
    let by_hand = app.overrides.is_closed(place.venue);
    let by_hours = !hours::takes_orders(place.venue, &place.country.meta, app.clock.now());
    if by_hand || by_hours {
        return Err(Refusal::unprocessable(
            "venue_closed",
            "The venue is closed",
        ));
    }
    Ok(())
}

/// The table of the QR link; a link of another terminal attaches none.
pub(super) fn table(
    place: &Place<'_>,
    id: Option<&str>,
    terminal: &Value,
) -> Result<Table, Refusal> {
    let id = id.filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| Refusal::unprocessable("table_required", "A table is required"))?;
    let terminal = match terminal {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let own = terminal.is_none_or(|text| text == place.venue.main_terminal_id.to_string());
    let table = place
        .venue
        .tables
        .iter()
        .find(|table| own && table.id == id)
        .cloned();
    table.ok_or_else(|| Refusal::unprocessable("table_unknown", "The table is not known here"))
}

pub(super) fn pays(place: &Place<'_>, payment: &str) -> Result<(), Refusal> {
    let takes = match payment {
        "cash" => place.takes_cash(),
        "online" => place.takes_online(),
        _ => return Err(Refusal::bad("payment_type must be cash or online")),
    };
    if takes {
        return Ok(());
    }
    Err(Refusal::unprocessable(
        "payment_unavailable",
        "This payment is not possible here",
    ))
}

/// Bonuses pay a part of the goods after discounts, never the delivery or the service.
pub(super) fn bonus(asked: Option<f64>, goods: i64, user: Option<&User>) -> Result<i64, Refusal> {
    let Some(asked) = asked.filter(|asked| *asked != 0.0) else {
        return Ok(0);
    };
    let asked = hundredths(asked).filter(|bonus| *bonus > 0);
    let asked = asked.ok_or_else(|| Refusal::bad("bonus must be a sum"))?;
    let most = (goods * balance::MOST_BONUS_PERCENT / 100).min(user.map_or(0, |user| user.bonus));
    if asked > most {
        return Err(bonus_too_much().with(json!({"max": major(most)})));
    }
    Ok(asked)
}

pub(crate) fn bonus_too_much() -> Refusal {
    Refusal::unprocessable("bonus_too_much", "So many bonuses cannot be spent here")
}

pub(super) fn quotes<'a>(
    app: &App,
    place: &Place<'a>,
    items: &[Item],
) -> Result<Vec<Quote<'a>>, Refusal> {
    let mut quotes = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let about = json!({"index": index, "product_id": item.product_id});
        match item.quote(app, place) {
            Err(Trouble::Unavailable) => {
                let title = "A position is no longer available";
                return Err(Refusal::unprocessable("item_unavailable", title).with(about));
            }
            Err(Trouble::Options(mut meta)) => {
                if let (Value::Object(meta), Value::Object(about)) = (&mut meta, about) {
                    meta.extend(about);
                }
                let title = "The chosen options do not fit";
                return Err(Refusal::unprocessable("options_invalid", title).with(meta));
            }
            Ok(quote) if item.believes_another(quote.price) => {
                let mut meta = about;
                meta["price"] = major(quote.price);
                let title = "A position has changed in price";
                return Err(Refusal::unprocessable("price_changed", title).with(meta));
            }
            Ok(quote) => quotes.push(quote),
        }
    }
    Ok(quotes)
}

pub(super) fn expects(expected: Option<f64>, sum: i64) -> Result<(), Refusal> {
    let Some(expected) = expected else {
        return Ok(());
    };
    match hundredths(expected) {
        None => Err(Refusal::bad("expected_sum must be a sum")),
        Some(expected) if expected == sum => Ok(()),
        Some(_) => {
            let refusal = Refusal::unprocessable("sum_mismatch", "The sum is another one");
            Err(refusal.with(json!({"sum": major(sum)})))
        }
    }
}
