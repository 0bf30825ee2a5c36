//! The readers of venues: one per venue, for as long as somebody looks.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::watch;

use super::reading::{Reading, Stock};
use crate::{
    features::{mapping, place::Place},
    upstream::{self, Caller, FilialId},
    web::{app::App, visit::Visit},
};

/// Between two looks at a venue: with the look itself and the way to the page it stays within two seconds.
const EVERY: Duration = Duration::from_secs(1);
/// After a failure, doubled up to this.
const SLOWEST: Duration = Duration::from_secs(15);
/// A look that takes long is followed by a rest of so many times its length, so that a large menu is no burden.
const REST: u32 = 3;
/// So many venues at once are read at full pace; more of them share it.
const FULL_PACE: usize = 64;
/// How long the stock of a venue that nobody watches is good.
const STOCK: Duration = Duration::from_secs(1);
const STOCKS: u64 = 10_000;

pub(super) type Last = Option<Arc<Reading>>;

/// Venues that are watched now; cloning shares them.
#[derive(Clone)]
pub struct Venues(Arc<Watched>);

struct Watched {
    running: Mutex<HashMap<FilialId, watch::Receiver<Last>>>,
    stocks: moka::future::Cache<FilialId, Stock>,
    closing: watch::Sender<bool>,
    outdate: Box<dyn Fn(&str) + Send + Sync>,
}

impl Venues {
    /// Watches nothing yet. `fresh` is how long public answers are good, at most; `outdate` is called with the path of
    /// a menu when its venue has changed.
    #[must_use]
    pub fn new(fresh: Duration, outdate: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Watched {
            running: Mutex::default(),
            stocks: moka::future::Cache::builder()
                .max_capacity(STOCKS)
                .time_to_live(STOCK.min(fresh))
                .build(),
            closing: watch::channel(false).0,
            outdate: Box::new(outdate),
        }))
    }

    /// Ends all streams, so that the server can drain; browsers come back to another instance.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
    }

    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.0.closing.subscribe()
    }

    /// What can be had of a venue now. Many guests ask once; no answer is one too, for as long.
    pub async fn stock(&self, visit: &Visit, filial: FilialId) -> Stock {
        let watched = self.running().get(&filial).and_then(|reader| {
            reader
                .borrow()
                .as_ref()
                .map(|reading| reading.stock.clone())
        });
        if let Some(stock) = watched {
            return stock;
        }
        let caller = Caller::guest(visit.lang, visit.country).optional();
        self.0
            .stocks
            .get_with(filial, async {
                visit
                    .app
                    .upstream
                    .available(&caller, filial)
                    .await
                    .map(Stock::of)
                    .unwrap_or_default()
            })
            .await
    }

    /// Readings of a venue, the last one first. The first caller starts the reader.
    pub(super) fn watch(
        &self,
        visit: &Visit,
        place: Place,
        filial: FilialId,
    ) -> watch::Receiver<Last> {
        let mut running = self.running();
        // A reader that has ended has dropped its sender.
        running.retain(|_, reader| reader.has_changed().is_ok());
        if let Some(reader) = running.get(&filial) {
            return reader.clone();
        }
        let (sender, reader) = watch::channel(None);
        running.insert(filial, reader.clone());
        drop(running);
        metrics::gauge!("live_venues").increment(1);
        let reading = Reader {
            venues: self.clone(),
            app: visit.app.clone(),
            caller: Caller::guest(visit.lang, visit.country),
            place,
            filial,
        };
        tokio::spawn(reading.run(sender));
        reader
    }

    fn running(&self) -> MutexGuard<'_, HashMap<FilialId, watch::Receiver<Last>>> {
        self.0
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

struct Reader {
    venues: Venues,
    app: App,
    caller: Caller,
    place: Place,
    filial: FilialId,
}

/// Counts itself off, however the reader ends.
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("live_venues").decrement(1);
    }
}

impl Reader {
    async fn run(self, sender: watch::Sender<Last>) {
        let _counted = Counted;
        let mut pause = EVERY;
        loop {
            let began = Instant::now();
            let last = sender.borrow().clone();
            match self.read(last.as_deref()).await {
                Ok(reading) => {
                    pause = EVERY.max(began.elapsed() * REST);
                    self.tell(&sender, last.as_deref(), reading).await;
                }
                Err(upstream::Error::NotFound) => break,
                Err(_) => pause = (pause * 2).min(SLOWEST),
            }
            let venues = self.venues.running().len();
            let crowd = u32::try_from(venues / FULL_PACE).unwrap_or(u32::MAX);
            tokio::time::sleep(pause.saturating_mul(crowd.saturating_add(1))).await;
            // The map itself holds one receiver.
            if sender.receiver_count() <= 1 {
                let mut running = self.venues.running();
                if sender.receiver_count() <= 1 {
                    running.remove(&self.filial);
                    break;
                }
            }
        }
    }

    /// Asks for the venue, its menu and its stock of now, all at once.
    async fn read(&self, last: Option<&Reading>) -> Result<Reading, upstream::Error> {
        let upstream = &self.app.upstream;
        let brand = self.app.config.brand_id.map(upstream::BrandId);
        let aside = self.caller.optional();
        let (card, menu, stock) = tokio::join!(
            upstream.card_now(&self.caller, self.filial, brand),
            upstream.menu_now(&self.caller, self.filial),
            upstream.available(&aside, self.filial),
        );
        let (card, menu) = (card?, menu?);
        let stock = match stock {
            Ok(products) => Stock::of(products),
            // What was sold out a moment ago has not come back because nobody answers.
            Err(_) => last.map(|last| last.stock.clone()).unwrap_or_default(),
        };
        let meta = self.place.meta_of(card.town.as_ref());
        let open = mapping::open(
            &card.location,
            self.app.state.clock().now(),
            meta.utc_offset,
        );
        Ok(Reading::after(
            last,
            &menu,
            stock,
            open,
            card.is_check_pulling_enabled,
        ))
    }

    /// Tells the pages that are open, and lets those that are opened from now on be made of nothing older.
    async fn tell(&self, sender: &watch::Sender<Last>, last: Option<&Reading>, reading: Reading) {
        if last.is_some_and(|last| last.shows_as(&reading)) {
            return;
        }
        let brand = self.app.config.brand_id.map(upstream::BrandId);
        let upstream = &self.app.upstream;
        upstream.outdate_menu(&self.caller, self.filial).await;
        upstream
            .outdate_card(&self.caller, self.filial, brand)
            .await;
        (self.venues.0.outdate)(&format!("/filials/{}", self.filial));
        sender.send_replace(Some(Arc::new(reading)));
    }
}
