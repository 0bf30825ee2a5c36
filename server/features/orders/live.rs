//! Live status: one watcher per order asks the upstream, however many pages show it (beyond.md, 7).

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    extract::{Path, State},
    response::{Response, sse::Event},
};
use futures_util::StreamExt as _;
use moka::sync::Cache;
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::{
    OrderStatus, bringing,
    load::View,
    page::{furthest, page},
    reader::{Identity, Reader},
};
use crate::{
    error::Error,
    features::place::Place,
    upstream::{self, Caller, FilialId, Order, OrderId},
    web::{app::App, event_stream, visit::Visit},
};

/// Between two readings of the upstream.
const EVERY: Duration = Duration::from_secs(1);
/// After a failure, doubled up to this.
const SLOWEST: Duration = Duration::from_secs(15);
/// How long a status for the strip is good.
const STRIP: Duration = Duration::from_secs(3);

type Reading = Option<Arc<(Order, bringing::Known)>>;
type Key = (String, Identity, &'static str);

/// Orders that are watched now; cloning shares them.
#[derive(Clone)]
pub struct Watchers(Arc<Watched>);

struct Watched {
    running: Mutex<HashMap<Key, watch::Receiver<Reading>>>,
    closing: watch::Sender<bool>,
    strip: Cache<String, OrderStatus>,
}

impl Default for Watchers {
    fn default() -> Self {
        Self(Arc::new(Watched {
            running: Mutex::default(),
            closing: watch::channel(false).0,
            strip: Cache::builder()
                .max_capacity(10_000)
                .time_to_live(STRIP)
                .build(),
        }))
    }
}

impl Watchers {
    /// Takes note of a status that was read for a page, so that the strip of the next page agrees with it.
    pub fn note(&self, order: &Order) {
        self.0.strip.insert(order.id.to_string(), furthest(order));
    }

    /// Ends all streams, so that the server can drain; browsers come back to another instance.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
    }

    /// Readings of an order, the last one first. The first caller starts the watcher; it ends with its last reader.
    fn watch(
        &self,
        app: &App,
        Reader { caller, identity }: Reader,
        id: &OrderId,
    ) -> watch::Receiver<Reading> {
        let key: Key = (id.to_string(), identity, caller.lang.code());
        let mut running = self.running();
        // A watcher that has ended has dropped its sender.
        running.retain(|_, reader| reader.has_changed().is_ok());
        if let Some(reader) = running.get(&key) {
            return reader.clone();
        }
        let (sender, reader) = watch::channel(None);
        running.insert(key.clone(), reader.clone());
        drop(running);
        let watching = run(self.clone(), app.clone(), caller, id.clone(), key, sender);
        tokio::spawn(watching);
        reader
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Key, watch::Receiver<Reading>>> {
        self.0
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

async fn run(
    watchers: Watchers,
    app: App,
    caller: Caller,
    id: OrderId,
    key: Key,
    sender: watch::Sender<Reading>,
) {
    let mut pause = EVERY;
    let mut courier = bringing::Watched::default();
    loop {
        match app.upstream.order(&caller, &id).await {
            Ok(order) => {
                pause = EVERY;
                let ended = furthest(&order).is_final();
                watchers.note(&order);
                let known = courier.of(&app.upstream, &caller, &order).await;
                let reading = (order, known);
                sender.send_if_modified(|last| {
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
            Err(_) => pause = (pause * 2).min(SLOWEST),
        }
        tokio::time::sleep(pause).await;
        // The map itself holds one reader.
        if sender.receiver_count() <= 1 {
            let mut running = watchers.running();
            if sender.receiver_count() <= 1 {
                running.remove(&key);
                break;
            }
        }
    }
}

/// Answers `GET …/events`: the state of now first, then each change, as whole pages; an id tells the rank.
///
/// # Errors
/// Not found for what is no order of this venue.
pub async fn events(
    State(watchers): State<Watchers>,
    visit: Visit,
    Path((filial, order)): Path<(String, String)>,
) -> Result<Response, Error> {
    let filial: FilialId = filial.parse().map_err(|_| Error::NotFound("order"))?;
    let id: OrderId = order.parse().map_err(|_| Error::NotFound("order"))?;
    let reader = Reader::of(&visit, &id).await;
    let place = Place::of(&visit).await;
    let view = View::of(&visit, &place, filial, &id, &reader).await;
    let readings = watchers.watch(&visit.app, reader, &id);
    let clock = visit.app.state.clock().clone();
    let readings = WatchStream::new(readings).filter_map(move |reading| {
        let event = reading
            .filter(|reading| reading.0.filial_id.is_none_or(|own| own == filial))
            .and_then(|reading| {
                let (order, courier) = &*reading;
                let page = page(order, courier, &view, clock.now());
                Event::default()
                    .id(page.rank.to_string())
                    .json_data(&page)
                    .ok()
            });
        std::future::ready(event.map(Ok::<_, Infallible>))
    });
    Ok(event_stream::answer(
        readings,
        watchers.0.closing.subscribe(),
    ))
}

/// The status of an order for the strip: of a few seconds ago at most, none when it can't be had.
pub async fn last_status(watchers: &Watchers, visit: &Visit, order: &str) -> Option<OrderStatus> {
    if let Some(known) = watchers.0.strip.get(order) {
        return Some(known);
    }
    let id: OrderId = order.parse().ok()?;
    let caller = visit.personal_caller().await.optional();
    let now = furthest(&visit.app.upstream.order(&caller, &id).await.ok()?);
    watchers.0.strip.insert(order.to_owned(), now);
    Some(now)
}
