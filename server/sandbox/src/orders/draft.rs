//! From the body of an order to what may be written down: every rule of the five
//! kinds, every sum worked out here.

use serde::Deserialize;
use serde_json::{Value, json};

use super::place::Kind;
use super::promo;
use super::quote::{Item, Quote, Trouble};
use crate::accounts::user::User;
use crate::api::addresses::Address;
use crate::api::{balance, stop_list};
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Service};
use crate::model::{Lang, Table, Text};
use crate::money::{hundredths, major, percent_floor};
use crate::payments::Page;
use crate::refusal::Refusal;
use crate::{delivery, geo, hours};

/// What an order brings along.
#[derive(Deserialize)]
pub(crate) struct OrderBody {
    filial_id: i64,
    items: Vec<Item>,
    payment_type: String,
    #[serde(default)]
    main_terminal_id: Value,
    #[serde(default)]
    table_id: Option<String>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    expected_sum: Option<f64>,
    #[serde(default)]
    bonus: Option<f64>,
    #[serde(default)]
    promo_code: Option<String>,
    #[serde(default)]
    address: Option<Address>,
    #[serde(default)]
    transport_type: Option<String>,
    #[serde(default)]
    payment_method: Option<String>,
    #[serde(default)]
    success_url: Option<String>,
    #[serde(default)]
    failure_url: Option<String>,
}

/// An order that may be written down.
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    pub(crate) filial: i64,
    pub(crate) venue: i64,
    pub(crate) table: Option<Table>,
    pub(crate) address: Option<Value>,
    pub(crate) source: String,
    pub(crate) payment: String,
    pub(crate) pay_page: Option<Page>,
    pub(crate) name: String,
    pub(crate) comment: String,
    pub(crate) goods: i64,
    pub(crate) service: i64,
    pub(crate) delivery: i64,
    pub(crate) discount: i64,
    pub(crate) bonus: i64,
    pub(crate) cashback: i64,
    pub(crate) minutes: i64,
    pub(crate) lines: Vec<Line>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) user: Option<i64>,
    pub(crate) key: String,
    /// The origin under which the caller reached the sandbox.
    pub(crate) base: String,
}

/// A line that may be written down.
pub(crate) struct Line {
    pub(crate) product: i64,
    pub(crate) size: Option<i64>,
    pub(crate) name: String,
    pub(crate) count: i64,
    pub(crate) price: i64,
    pub(crate) additives: String,
    pub(crate) chosen: String,
    pub(crate) comment: String,
}

impl Draft {
    pub(crate) fn sum(&self) -> i64 {
        self.goods + self.service + self.delivery - self.discount - self.bonus
    }
}

impl OrderBody {
    /// Checks everything in the order in which a guest can mend it.
    pub(crate) fn draft(
        self,
        app: &App,
        caller: &Caller,
        kind: Kind,
        user: Option<&User>,
    ) -> Result<Draft, Refusal> {
        let place = app.place(self.filial_id)?;
        serves(&place, kind)?;
        stop_list::few(&self.items)?;
        self.items.iter().try_for_each(Item::check)?;
        let name = short(self.name.as_deref(), "name", 100)?;
        let comment = short(self.comment.as_deref(), "comment", 500)?;
        let source = short(self.source.as_deref().or(Some("QR")), "source", 40)?;
        open(app, &place)?;
        let table = match kind {
            Kind::Express => Some(table(
                &place,
                self.table_id.as_deref(),
                &self.main_terminal_id,
            )?),
            _ => None,
        };
        pays(&place, &self.payment_type)?;
        let pay_page = self.pay_page(app, &place)?;
        let quotes = quotes(app, &place, &self.items)?;
        let goods: i64 = quotes.iter().map(Quote::sum).sum();
        let digits = place.country.meta.money.fraction_digits;
        let discount = match self.promo_code.as_deref().filter(|code| !code.is_empty()) {
            Some(code) => promo::discount(code, goods, digits)?,
            None => 0,
        };
        let bonus = bonus(self.bonus, goods - discount, user)?;
        let kitchen: Vec<(i64, i64)> = quotes
            .iter()
            .map(|quote| (quote.product.cooking_time, quote.count))
            .collect();
        let draft = Draft {
            kind,
            filial: place.filial,
            venue: place.venue.id,
            table,
            delivery: self.delivery(&place, kind, goods)?,
            address: self
                .address
                .as_ref()
                .map(|address| address.wire(-1, caller)),
            source,
            payment: self.payment_type,
            pay_page,
            name,
            comment,
            goods,
            service: percent_floor(goods, place.service_percentage(), digits),
            discount,
            bonus,
            cashback: user.map_or(0, |user| {
                percent_floor(
                    goods - discount - bonus,
                    balance::cashback_percent(user.points),
                    digits,
                )
            }),
            minutes: stop_list::minutes(&kitchen),
            lines: quotes.iter().map(Line::from_quote).collect(),
            fingerprint: caller.fingerprint.clone(),
            user: user.map(|user| user.id),
            key: String::new(),
            base: caller.base.clone(),
        };
        expects(self.expected_sum, draft.sum())?;
        Ok(draft)
    }

    /// The page on which an online payment is made; without addresses to return to it counts as made.
    fn pay_page(&self, app: &App, place: &Place<'_>) -> Result<Option<Page>, Refusal> {
        let Some(success) = self
            .success_url
            .as_deref()
            .filter(|_| self.payment_type == "online")
        else {
            return Ok(None);
        };
        let failure = self.failure_url.as_deref().unwrap_or(success);
        let method = self.payment_method.as_deref().unwrap_or("card");
        Page::new(app, &place.country.meta.money, method, success, failure).map(Some)
    }

    /// What bringing it costs, hundredths.
    fn delivery(&self, place: &Place<'_>, kind: Kind, goods: i64) -> Result<i64, Refusal> {
        if !matches!(kind, Kind::Delivery | Kind::VendorDelivery) {
            return Ok(0);
        }
        let address = self.address.as_ref();
        let address = address.ok_or_else(|| {
            Refusal::unprocessable("address_required", "A delivery address is required")
        })?;
        address.check()?;
        let point = (address.latitude, address.longitude);
        if delivery::check(place, point).is_none() {
            return Err(Refusal::unprocessable(
                "out_of_zone",
                "Nothing is brought to this address",
            ));
        }
        if kind == Kind::VendorDelivery {
            return vendor_delivery(place, goods);
        }
        let money = &place.country.meta.money;
        let least = delivery::min_sum(money);
        if goods < least {
            let refusal = Refusal::unprocessable("min_sum", "The sum is too small for a delivery");
            return Err(refusal.with(json!({"min_sum": major(least)})));
        }
        let metres = geo::distance((place.venue.latitude, place.venue.longitude), point);
        let mut tariffs = delivery::tariffs(metres, goods, money);
        if let Some(wanted) = self.transport_type.as_deref() {
            tariffs.retain(|tariff| tariff.transport == wanted);
        }
        let cheapest = tariffs.iter().map(|tariff| tariff.price).min();
        cheapest.ok_or_else(|| {
            Refusal::unprocessable("tariff_unavailable", "This tariff is not offered here")
        })
    }
}

fn serves(place: &Place<'_>, kind: Kind) -> Result<(), Refusal> {
    let right = match kind {
        Kind::Express => place.service == Service::Express,
        Kind::Takeaway => place.service == Service::Takeaway,
        Kind::Delivery => place.service == Service::Delivery,
        Kind::VendorDelivery => place.service == Service::Delivery && place.venue.vendor_delivery,
        Kind::Micromarket => place.service != Service::Delivery,
    };
    if right {
        return Ok(());
    }
    Err(Refusal::bad(format!(
        "This filial takes no {} orders",
        kind.name()
    )))
}

fn vendor_delivery(place: &Place<'_>, goods: i64) -> Result<i64, Refusal> {
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

fn open(app: &App, place: &Place<'_>) -> Result<(), Refusal> {
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
fn table(place: &Place<'_>, id: Option<&str>, terminal: &Value) -> Result<Table, Refusal> {
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

fn pays(place: &Place<'_>, payment: &str) -> Result<(), Refusal> {
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
fn bonus(asked: Option<f64>, goods: i64, user: Option<&User>) -> Result<i64, Refusal> {
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

fn quotes<'a>(app: &App, place: &Place<'a>, items: &[Item]) -> Result<Vec<Quote<'a>>, Refusal> {
    let mut quotes = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let about = json!({"index": index, "product_id": item.product_id});
        match item.quote(app, place) {
            Err(Trouble::Unavailable) => {
                let title = "A position is no longer available";
                return Err(Refusal::unprocessable("item_unavailable", title).with(about));
            }
            Err(Trouble::Options(mut meta)) => {
                crate::api::location::merge(&mut meta, about);
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

fn expects(expected: Option<f64>, sum: i64) -> Result<(), Refusal> {
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

/// A text that a person typed, not longer than this.
pub(crate) fn short(text: Option<&str>, name: &str, most: usize) -> Result<String, Refusal> {
    let text = text.unwrap_or("").trim();
    if text.chars().count() > most {
        return Err(Refusal::bad(format!("{name} is too long")));
    }
    Ok(text.to_owned())
}

impl Line {
    fn from_quote(quote: &Quote<'_>) -> Line {
        let name = match quote.size {
            Some(size) => quote.product.name.joined(&size.name),
            None => quote.product.name.clone(),
        };
        let additives: Vec<Value> = quote
            .additives
            .iter()
            .map(|(additive, count)| json!({"name": additive.name, "count": count, "price": additive.price}))
            .collect();
        let chosen: Vec<Value> = quote
            .additives
            .iter()
            .map(|(additive, count)| json!({"id": additive.id, "count": count}))
            .collect();
        Line {
            product: quote.product.id,
            size: quote.size.map(|size| size.id),
            name: json!(name).to_string(),
            count: quote.count,
            price: quote.price,
            additives: Value::Array(additives).to_string(),
            chosen: Value::Array(chosen).to_string(),
            comment: quote.comment.clone(),
        }
    }
}

impl Text {
    /// "Кола, 0,5 л" in every language that has the first text.
    fn joined(&self, size: &Text) -> Text {
        let join = |name: &Option<String>, lang| {
            name.as_ref()
                .map(|name| format!("{name}, {}", size.get(lang, Lang::Ru)))
        };
        Text {
            kk: join(&self.kk, Lang::Kk),
            ru: join(&self.ru, Lang::Ru),
            en: join(&self.en, Lang::En),
            ka: join(&self.ka, Lang::Ka),
        }
    }
}
