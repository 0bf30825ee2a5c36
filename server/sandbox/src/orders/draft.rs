//! From the body of an order to what may be written down: every rule of the five
//! kinds, every sum worked out here.

use serde::Deserialize;
use serde_json::{Value, json};

use super::kind::Kind;
use super::limits::{self, Buyer, Used};
use super::promo;
use super::quote::{self, Item, Quote};
use super::rules::{bonus, expects, open, pays, quotes, serves, table, vendor_delivery};
use crate::accounts::address::Address;
use crate::accounts::balance;
use crate::accounts::user::User;
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::Place;
use crate::model::{Lang, Table, Text};
use crate::money::{major, percent_floor};
use crate::params::short;
use crate::payments::Page;
use crate::refusal::Refusal;
use crate::{delivery, geo};

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
    pub(crate) buyer: Buyer,
    /// What the sums believe that the buyer has had of the day's promos.
    pub(crate) used: Used,
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
    pub(crate) regular: i64,
    pub(crate) promo_count: i64,
    pub(crate) sum: i64,
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
    pub(crate) fn filial(&self) -> i64 {
        self.filial_id
    }

    pub(crate) fn products(&self) -> Vec<i64> {
        self.items.iter().map(|item| item.product_id).collect()
    }

    /// Checks everything in the order in which a guest can mend it.
    pub(crate) fn draft(
        mut self,
        app: &App,
        caller: &Caller,
        kind: Kind,
        user: Option<&User>,
        used: Used,
    ) -> Result<Draft, Refusal> {
        let place = app.place(self.filial_id)?;
        serves(&place, kind)?;
        quote::few(&self.items)?;
        self.items.iter().try_for_each(Item::check)?;
        let name = short(self.name.as_deref(), "name", 100)?;
        let comment = short(self.comment.as_deref(), "comment", 500)?;
        let source = short(self.source.as_deref().or(Some("QR")), "source", 40)?;
        if kind == Kind::Fridge {
            // What was taken out is paid for, whatever the stock or the hours say of it by now.
            self.items.iter_mut().for_each(|item| item.in_hand = true);
        } else {
            open(app, &place)?;
        }
        let table = match kind {
            Kind::Express if self.is_for_counter(&place) => None,
            Kind::Express => Some(table(
                &place,
                self.table_id.as_deref(),
                &self.main_terminal_id,
            )?),
            _ => None,
        };
        pays(&place, &self.payment_type)?;
        let pay_page = self.pay_page(app, &place)?;
        let mut quotes = quotes(app, &place, &self.items)?;
        limits::split(quotes.iter_mut(), &used);
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
            minutes: quote::minutes(&kitchen),
            lines: quotes.iter().map(Line::from_quote).collect(),
            buyer: Buyer {
                user: user.map(|user| user.id),
                fingerprint: caller.fingerprint.clone(),
            },
            used,
            key: String::new(),
            base: caller.base.clone(),
        };
        expects(self.expected_sum, draft.sum())?;
        Ok(draft)
    }

    /// An order of the venue's tablet that names no table, where the venue hands such orders out.
    fn is_for_counter(&self, place: &Place<'_>) -> bool {
        place.venue.has_tablet
            && place.venue.tablet_pickup
            && self.source.as_deref() == Some("TABLET")
            && self.table_id.as_deref().is_none_or(str::is_empty)
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
            regular: quote.regular,
            promo_count: quote.promo_count,
            sum: quote.sum(),
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
