//! Live status: one watcher per order asks the upstream, however many pages show it (beyond.md, 7).

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::{Path, State},
    response::{Response, sse::Event},
};
use futures_util::StreamExt as _;
use moka::sync::Cache;
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::{
    bringing,
    page::{page, ready_at},
    reader::{Identity, Reader},
    status::furthest,
    view::View,
};
use crate::{
    error::Error,
    features::{order_venue::Venue, page_data::OrderStatus, place::Place},
    upstream::{self, Caller, Order, OrderId, VenueId},
    values::{Lang, Service},
    web::{
        app::App,
        events::{
            self,
            readers::{self, Last, Readers, Telling},
        },
        visit::Visit,
    },
};

/// Between two readings of the upstream.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long a reading for the strip is good.
const STRIP: Duration = Duration::from_secs(3);
/// How long it is known of an order that it is over; the strip waits for none that is older.
const OVER: Duration = Duration::from_hours(6);

type Reading = (Order, bringing::Known);
type Key = (String, Identity, &'static str);

/// The order, the language of its words, and whether it was read whole: what others are told takes no place of what is the
/// guest's.
type StripKey = (String, Lang, bool);

/// Orders that are watched now; cloning shares them.
#[derive(Clone)]
pub struct Watchers {
    readers: Readers<Key, Reading>,
    strip: Cache<StripKey, Arc<Order>>,
    /// Orders that are over, and stay so.
    over: Cache<String, ()>,
}

impl Default for Watchers {
    fn default() -> Self {
        Self {
            readers: Readers::default(),
            strip: Cache::builder()
                .max_capacity(10_000)
                .time_to_live(STRIP)
                .build(),
            over: Cache::builder()
                .max_capacity(10_000)
                .time_to_live(OVER)
                .build(),
        }
    }
}

impl Watchers {
    /// Takes note of a status that was read for a page, so that the strip of the next page agrees with it.
    pub fn note(&self, order: &Order, lang: Lang) {
        let key = (order.id.to_string(), lang, order.personal);
        self.strip.insert(key, Arc::new(order.clone()));
        if furthest(order).is_final() {
            self.over.insert(order.id.to_string(), ());
        }
    }

    /// Whether an order is known to be over.
    #[must_use]
    pub fn is_over(&self, order: &str) -> bool {
        self.over.contains_key(order)
    }

    /// Ends all streams, so that the server can drain; browsers come back to another instance.
    pub fn close(&self) {
        self.readers.close();
    }

    /// Readings of an order, the last one first.
    fn watch(
        &self,
        app: &App,
        Reader {
            caller, identity, ..
        }: Reader,
        id: &OrderId,
    ) -> watch::Receiver<Last<Reading>> {
        let key: Key = (id.to_string(), identity, caller.lang.code());
        let (watchers, app, id) = (self.clone(), app.clone(), id.clone());
        self.readers
            .watch(key, |telling| run(watchers, app, caller, id, telling))
    }
}

async fn run(
    watchers: Watchers,
    app: App,
    caller: Caller,
    id: OrderId,
    telling: Telling<Key, Reading>,
) {
    let mut pause = INTERVAL;
    let mut courier = bringing::Watched::default();
    loop {
        match app.upstream.order(&caller, &id).await {
            Ok(order) => {
                pause = INTERVAL;
                let ended = furthest(&order).is_final();
                watchers.note(&order, caller.lang);
                let known = courier.of(&app.upstream, &caller, &order).await;
                let reading = (order, known);
                telling.sender.send_if_modified(|last| {
                    let changed = last.as_deref() != Some(&reading);
                    if changed {
                        *last = Some(Arc::new(reading));
                    }
                    changed
                });
                if ended {
                    break;
                }
            }
            // The page itself says what has become of the order, or of the sign-in.
            Err(upstream::Error::NotFound | upstream::Error::Unauthorized) => break,
            Err(_) => pause = readers::slower(pause),
        }
        if !telling.rest(pause).await {
            break;
        }
    }
}

/// Answers `GET …/events`: the state of now first, then each change, as whole pages; an id tells the rank.
///
/// # Errors
/// Not found for what is no order of this venue; when its address has looked at too many.
pub async fn events(
    State(watchers): State<Watchers>,
    visit: Visit,
    Path((venue, order)): Path<(String, String)>,
) -> Result<Response, Error> {
    let venue: VenueId = venue.parse().map_err(|_| Error::NotFound("order"))?;
    let id: OrderId = order.parse().map_err(|_| Error::NotFound("order"))?;
    let mut reader = Reader::of(&visit, &id).await;
    reader.look_up(&visit, &id).await?;
    let place = Place::of(&visit).await;
    let mut view = View::of(&visit, &place, venue, &id, &reader).await;
    // A browser comes back by itself, also to what it may no longer read.
    if visit.signed_out().is_some() {
        reader = Reader::anonymous(&visit);
        view = View::of(&visit, &place, venue, &id, &reader).await;
    }
    let identity = reader.identity.clone();
    let readings = watchers.watch(&visit.app, reader, &id);
    let clock = visit.app.state.clock().clone();
    let visit = Arc::new(visit);
    let events = WatchStream::new(readings)
        .filter_map(move |reading| {
            let event = reading
                .filter(|reading| reading.0.venue_id.is_none_or(|own| own == venue))
                .and_then(|reading| {
                    let (order, courier) = &*reading;
                    let page = page(order, courier, &view, clock.now());
                    Event::default()
                        .id(page.rank.to_string())
                        .json_data(&page)
                        .ok()
                });
            std::future::ready(event)
        })
        .enumerate()
        .take_while(move |(index, _)| {
            let (visit, id, identity) = (Arc::clone(&visit), id.clone(), identity.clone());
            let is_first = *index == 0 || identity == Identity::Anonymous;
            async move { is_first || is_still(&visit, &id, &identity).await }
        })
        .map(|(_, event)| Ok::<_, Infallible>(event));
    Ok(events::answer(events, watchers.readers.closing()))
}

/// Whether the guest of a stream is still signed in: after a sign-out, here or elsewhere, nothing more is told of
/// what is the guest's (S-03, S-25).
async fn is_still(visit: &Visit, id: &OrderId, identity: &Identity) -> bool {
    // A store that does not answer has taken no sign-out, either.
    if visit.sess.read_again().await.is_err() {
        return true;
    }
    if visit.signed_in.is_some() {
        if visit.sess.account().await.is_none() {
            return false;
        }
        // Of a sign-out elsewhere the upstream alone knows; any personal call tells.
        let caller = visit.personal_caller().await.optional();
        if let Err(upstream::Error::Unauthorized) = visit.app.upstream.chat(&caller).await {
            return false;
        }
    }
    Reader::of(visit, id).await.identity == *identity
}

/// What the strip tells of an order.
pub struct UnderWay {
    /// Its status.
    pub status: OrderStatus,
    /// When it will be ready, as its page tells it. None for what is brought: a time alone would be taken for that of the
    /// courier.
    pub ready_at: Option<i64>,
    /// Minutes east of UTC by the clock of its venue, which its page shows that time by.
    pub utc_offset: i32,
    /// Where it is made.
    pub venue: Option<VenueId>,
    /// What that is called, if the upstream tells it.
    pub venue_name: Option<String>,
}

/// An order as the strip tells it: of a few seconds ago at most, none when it can't be had.
pub async fn under_way(
    watchers: &Watchers,
    visit: &Visit,
    place: &Place,
    order: &str,
) -> Option<UnderWay> {
    // The status is told to everybody.
    let known = [true, false].into_iter().find_map(|whole| {
        let key = (order.to_owned(), visit.lang, whole);
        watchers.strip.get(&key)
    });
    let order = match known {
        Some(known) => known,
        None => last_read(watchers, visit, order).await?,
    };
    let status = furthest(&order);
    let is_timed = !status.is_final() && order.service != Some(Service::Delivery);
    let venue = match order.venue_id.filter(|_| is_timed) {
        Some(venue_id) => Some(Venue::of(visit, place, venue_id).await),
        None => None,
    };
    let meta = venue.as_ref().map_or(&place.meta, |venue| &venue.meta);
    Some(UnderWay {
        status,
        ready_at: ready_at(&order, meta, visit.now).filter(|_| is_timed),
        utc_offset: meta.utc_offset,
        venue: order.venue_id,
        venue_name: Some(order.venue_name.clone()).filter(|name| !name.is_empty()),
    })
}

/// An order as its guest may read it, of a few seconds ago at most; none when it can't be had.
pub async fn last_read(watchers: &Watchers, visit: &Visit, order: &str) -> Option<Arc<Order>> {
    if let Some(known) = watchers.strip.get(&(order.to_owned(), visit.lang, true)) {
        return Some(known);
    }
    let id: OrderId = order.parse().ok()?;
    let caller = visit.personal_caller().await.optional();
    let now = visit.app.upstream.order(&caller, &id).await.ok()?;
    watchers.note(&now, visit.lang);
    Some(Arc::new(now))
}
