//! What every page gets beside its own data: language, country, town, money, cart, table, flash.

use serde::Serialize;

use crate::{
    features::{
        kiosk::Kiosk,
        page_data::{CartView, OrderStatus},
    },
    values::{Country, Lang, MoneyFormat, Service, Sum},
    web::{change::outcome::Flash, page::Layout},
};

/// A town as links and chips need it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TownRef {
    /// Upstream id.
    pub id: u32,
    /// Name in the page's language.
    pub name: String,
}

/// The table that a QR link bound to the session (FL-07).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TableRef {
    /// Id of the venue that the table stands in.
    pub venue_id: u64,
    /// Upstream id of the table.
    pub table_id: String,
    /// What is written on the table.
    pub number: String,
    /// Main venue that the QR link names (FL-08).
    pub main_venue_id: String,
    /// Name of its venue, where the page is of no venue or of an order, which may be another than the table's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub venue: Option<String>,
}

/// The one-line strip about an order under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ActiveOrder {
    /// What the venue calls it.
    pub number: String,
    /// What the strip calls it: the number, with the venue where that is not plain.
    pub label: String,
    /// Last known status.
    pub status: OrderStatus,
    /// When it will be ready, milliseconds since the epoch, as long as that lies ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub ready_at: Option<i64>,
    /// Minutes east of UTC where it is made.
    pub utc_offset: i32,
    /// It waits for its payment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub unpaid: bool,
    /// Its page; of paying, while it is not paid.
    pub href: String,
}

/// The country of a venue that is read on a visit to another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Abroad {
    /// The country.
    pub country: Country,
    /// Languages that it offers.
    pub langs: Vec<Lang>,
}

/// The host app that a page is shown in (HB-01).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HostApp {
    /// Who has signed in, for the host to know (HB-20).
    pub user: Option<String>,
    /// The guest agrees that data is used: the app may be told of what happens (HB-14, AN-04).
    pub agreed: bool,
}

/// What every page gets beside its own data.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Shell {
    /// Language of the page (LC-01).
    pub lang: Lang,
    /// Languages that the country offers (LC-02).
    pub langs: Vec<Lang>,
    /// What a missing text is written in: the country's word (LC-03).
    pub fallback: Lang,
    /// Country of the visit (LC-04).
    pub country: Country,
    /// Where search engines know the page: its venue is of another country than the visit (SO-02, SO-03).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub abroad: Option<Abroad>,
    /// Server time, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number"))]
    pub now: i64,
    /// When what the page says of its venue's hours changes, milliseconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub until: Option<i64>,
    /// Minutes east of UTC in the town (LC-20).
    pub utc_offset: i32,
    /// How sums are written in the town.
    pub money: MoneyFormat,
    /// Chosen service.
    pub service: Service,
    /// Services on offer.
    pub services: Vec<Service>,
    /// Chosen town.
    pub town: TownRef,
    /// Table of the visit.
    pub table: Option<TableRef>,
    /// The cart, null while empty. Missing: it could not be read, and is as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub cart: Option<Option<CartView>>,
    /// The guest's newest order that is not over.
    pub active_order: Option<ActiveOrder>,
    /// Outcome of the form post that led here.
    pub flash: Option<Flash>,
    /// Origin of the site, without a slash at the end.
    pub origin: String,
    /// Path and query of the page, with the query keys that its route declares.
    pub url: String,
    /// What a signed-in guest has to spend, hundredths, where the layout shows it (BL-01, BL-07).
    pub balance: Option<Sum>,
    /// The layout shows a balance, and the upstream has not told it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub balance_unknown: bool,
    /// What stands around the page (RT-01).
    pub layout: Layout,
    /// Where "home" leads: the venue of a scanned code, else `/` (RT-19).
    pub home: String,
    /// The guest comes from a payment page: Back leads to the root (RT-17).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub from_payment: bool,
    /// Origins of host apps that may push a language (LC-17).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, type = "string[]"))]
    pub hosts: Vec<String>,
    /// The page stands on a tablet of a venue (UI-13).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub kiosk: Option<Kiosk>,
    /// The page is shown in a host app (HB-10).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub host: Option<HostApp>,
    /// The guest has said to be too young for restricted goods (CT-23).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub locked: bool,
    /// What the product is called here, where that is not its own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub site: Option<String>,
    /// Release label (UI-11).
    pub version: String,
}

/// What a change answers to a script.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MutationAnswer {
    /// The cart after the change, null while empty. Missing: the change left it as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub cart: Option<Option<CartView>>,
    /// Message or errors.
    pub flash: Option<Flash>,
    /// Where the page goes next, if anywhere: a path of ours, or a whole address that the settings allow.
    pub redirect: Option<String>,
    /// The page of ours that tells how a payment stands, when `redirect` leaves for the bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub paying: Option<String>,
    /// The session began with this change: whether the browser keeps its cookie is yet to be seen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub begins: bool,
}
