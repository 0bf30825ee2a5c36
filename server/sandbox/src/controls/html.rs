//! The markup of the page (`templates/controls.html`).

use askama::Template;

use super::fridge::{EVENTS, LOCKS};
use super::links::{self, Link};
use crate::accounts::grant::PHONE_CODE;
use crate::app::App;
use crate::catalogue::Voice;
use crate::clock::iso;
use crate::faults::PLAIN_KINDS;
use crate::money::major;
use crate::orders::promo;
use crate::orders::record::Record;
use crate::orders::timeline::STATUSES;
use crate::payments::OUTCOMES;
use crate::reviews::STATES;

/// What the page shows.
#[derive(Template)]
#[template(path = "controls.html")]
pub(super) struct View<'a> {
    done: Option<&'a str>,
    wrong: Option<&'a str>,
    now: String,
    speed: f64,
    towns: Vec<Town<'a>>,
    web: &'a str,
    fridges: Vec<Fridge<'a>>,
    orders: Vec<Order<'a>>,
    /// The newest order, payment and open bill, or nothing: what is changed most often.
    newest: &'a str,
    payment: &'a str,
    bill: &'a str,
    review: &'a str,
    states: [&'static str; STATES.len()],
    statuses: [&'static str; STATUSES.len()],
    kinds: [&'static str; PLAIN_KINDS.len()],
    outcomes: [&'static str; OUTCOMES.len()],
    locks: [&'static str; LOCKS.len()],
    doors: [&'static str; EVENTS.len()],
    faults: Vec<String>,
    phone_code: &'static str,
    phone: &'static str,
    codes: String,
}

/// The venues of a town, one link each.
struct Town<'a> {
    country: String,
    name: &'a str,
    links: &'a [Link],
}

/// What a guest opens by the code on its door, and takes from.
struct Fridge<'a> {
    name: &'a str,
    filial: i64,
}

struct Order<'a> {
    number: &'a str,
    id: &'a str,
    filial: i64,
    table: &'a str,
    sum: String,
    payment: &'a str,
    status: String,
    placed: String,
}

/// What the page is made of.
pub(super) struct Shown<'a> {
    pub(super) app: &'a App,
    pub(super) links: &'a [Link],
    pub(super) orders: &'a [Record],
    /// The newest open bill, or nothing.
    pub(super) bill: &'a str,
    /// The newest review that waits for the moderator, or nothing.
    pub(super) review: &'a str,
    pub(super) done: Option<&'a str>,
    pub(super) wrong: Option<&'a str>,
}

impl<'a> View<'a> {
    pub(super) fn of(shown: &Shown<'a>) -> Self {
        let Shown { app, orders, .. } = *shown;
        let attempt = orders.iter().find_map(|order| order.attempt.as_ref());
        let faults = app.faults.list();
        Self {
            done: shown.done,
            wrong: shown.wrong,
            now: iso(app.clock.now()),
            speed: app.clock.setting().speed,
            towns: towns(shown.links),
            web: &app.web_url,
            fridges: fridges(app),
            orders: orders.iter().map(|order| row(app, order)).collect(),
            newest: orders.first().map_or("", |order| &order.id),
            payment: attempt.map_or("", |payment| &payment.id),
            bill: shown.bill,
            review: shown.review,
            states: ["published", "refused", "pending"],
            statuses: STATUSES,
            kinds: PLAIN_KINDS,
            outcomes: OUTCOMES,
            locks: LOCKS,
            doors: EVENTS,
            faults: faults
                .iter()
                .map(|fault| format!("{:?} on {}", fault.kind, fault.path))
                .collect(),
            phone_code: PHONE_CODE,
            phone: "+77010000001",
            codes: promo::codes().collect::<Vec<_>>().join(", "),
        }
    }
}

/// The links come by country and town.
fn towns(links: &[Link]) -> Vec<Town<'_>> {
    links
        .chunk_by(|one, next| (&one.country, &one.town) == (&next.country, &next.town))
        .filter_map(|links| {
            let first = links.first()?;
            Some(Town {
                country: first.country.to_uppercase(),
                name: &first.town,
                links,
            })
        })
        .collect()
}

fn fridges(app: &App) -> Vec<Fridge<'_>> {
    links::fridges(app)
        .map(|place| {
            let voice = Voice::choose(None, place.country);
            Fridge {
                name: place.venue.name.get(voice.lang, voice.fallback),
                filial: place.filial,
            }
        })
        .collect()
}

fn row<'a>(app: &App, order: &'a Record) -> Order<'a> {
    let steps = order.steps(app);
    Order {
        number: &order.number,
        id: &order.id,
        filial: order.filial,
        table: order.table.as_deref().unwrap_or("–"),
        sum: major(order.sum).to_string(),
        payment: &order.payment,
        status: steps
            .last()
            .map(|step| step.status.as_str().to_owned())
            .unwrap_or_default(),
        placed: iso(order.created_at),
    }
}
