//! A tablet that stands in a venue: one guest after another, and each is forgotten before the next (UI-13, KS-02, KS-05).
//!
//! Only the tablet itself is one (`TABLET`). A code that a tablet shows (`TABLETQR`) is scanned by the guest's own phone,
//! which no other guest will use (KS-03).

use serde::Serialize;
use url::form_urlencoded::Serializer;

use crate::{
    config::ServerArgs,
    features::mapping,
    upstream::Venue,
    values::Service,
    web::{
        prefix,
        session::{MenuTemp, Source},
        visit::Visit,
    },
};

/// How long the tablet asks before it forgets the guest, seconds: the shortest that WCAG 2.2.1 allows (AX-06).
const WARNING: u32 = 20;

/// Where scripts do not run only requests tell that the guest is there, and a menu is read for longer than it is touched
/// seldom: so many times as long passes before it is asked.
const UNSEEN: u32 = 3;

/// Asks whether the guest is still there, without scripts.
pub const STILL: &str = "/session/still";

/// What a page on a tablet has to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Kiosk {
    /// Where each guest begins: the venue's menu, marked as the tablet's.
    pub rest: String,
    /// Seconds without a touch after which it asks whether the guest is still there.
    pub idle: u32,
    /// Seconds that it waits for the answer.
    pub warning: u32,
}

impl Kiosk {
    /// The kiosk that the visit comes from, if it does.
    #[must_use]
    pub fn of(config: &ServerArgs, temp: Option<&MenuTemp>) -> Option<Self> {
        let temp = temp.filter(|temp| temp.is_kiosk())?;
        Some(Self {
            rest: rest(temp),
            idle: config.kiosk_idle_seconds,
            warning: WARNING,
        })
    }

    /// Seconds without a touch after which the guest has gone.
    #[must_use]
    pub const fn away(&self) -> u32 {
        self.idle + self.warning
    }

    /// Where a page leads by itself where scripts do not run: seconds and address. One that follows something, every
    /// `every` seconds, loads itself anew until there was no guest for too long.
    #[must_use]
    pub fn leads(&self, url: &str, idle: u32, every: Option<u32>) -> (u32, String) {
        let left = (self.idle * UNSEEN).saturating_sub(idle).max(1);
        match every {
            Some(every) if every < left => (every, prefix::idle(url, idle + every)),
            _ => (left, asks(url)),
        }
    }
}

/// The question whether the guest is still there, who goes on at an address.
fn asks(back: &str) -> String {
    let query = Serializer::new(String::new())
        .append_pair("back", back)
        .finish();
    prefix::with(&format!("{STILL}?{query}"))
}

/// Where the front of a tablet leads: to the menu where each guest begins (KS-04). Who opens it may be another guest than the
/// one whom the session knows, who is asked for first (KS-05); inside the app it is the same one.
pub async fn front(visit: &Visit) -> Option<String> {
    let temp = visit.sess.menu_temp().await;
    let rest = Kiosk::of(&visit.app.config, temp.as_ref())?.rest;
    Some(if visit.is_document { asks(&rest) } else { rest })
}

/// Whether the visit is made on a tablet of a venue.
pub async fn on_tablet(visit: &Visit) -> bool {
    let temp = visit.sess.menu_temp().await;
    temp.is_some_and(|temp| temp.is_kiosk())
}

/// Services on offer here: a tablet stands in its venue, so it offers no delivery (SV-07).
#[must_use]
pub fn offered(visit: &Visit, is_on_tablet: bool) -> Vec<Service> {
    let mut offered = visit.offered();
    if is_on_tablet {
        offered.retain(|service| *service != Service::Delivery);
    }
    offered
}

/// Whether an order of this visit is handed out at the counter by its number: a tablet's that stands at no table, where the
/// venue says so. Elsewhere a number that was typed does not make it an order to the counter, either.
pub async fn picks_up(visit: &Visit, venue: &Venue) -> bool {
    venue.has_tablet
        && venue.tablet_pickup
        && at(visit, venue).await
        && visit
            .sess
            .table_at(venue.location.venue_id.0)
            .await
            .is_none()
}

/// Whether the guest of this visit is asked for the table: a tablet stands at none and orders to one.
pub async fn asks_table(visit: &Visit, venue: &Venue) -> bool {
    venue.table_number_allowed
        && !venue.tablet_pickup
        && at(visit, venue).await
        && visit
            .sess
            .table_at(venue.location.venue_id.0)
            .await
            .is_none()
}

/// The visit is made on a tablet of this venue.
async fn at(visit: &Visit, venue: &Venue) -> bool {
    let temp = visit.sess.menu_temp().await;
    temp.is_some_and(|temp| temp.is_kiosk() && temp.venue_id == venue.location.venue_id.0)
}

/// Whether a tablet could order here at all. One that can't is refused when it is set up, not at its first guest's order.
#[must_use]
pub fn can_order(venue: &Venue, at_table: bool) -> bool {
    mapping::service_of(venue) == Some(Service::Express)
        && (at_table || venue.tablet_pickup || venue.table_number_allowed)
}

/// The address that the tablet was opened with: its venue and, where it stands at one, its table.
fn rest(temp: &MenuTemp) -> String {
    let mut query = Serializer::new(String::new());
    if let Some(table) = temp.table.as_ref().filter(|table| !table.typed) {
        query
            .append_pair("filial_id", &temp.venue_id.to_string())
            .append_pair("table_id", &table.id)
            .append_pair("main_terminal_id", &table.main_venue_id);
    }
    query.append_pair("source", Source::Tablet.code());
    prefix::with(&format!("/filials/{}?{}", temp.venue_id, query.finish()))
}
