//! The readers of venues: one per venue, for as long as a page is open.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::watch;

use super::reading::Reading;
use crate::{
    features::{mapping, place::Place, stock::Stock},
    upstream::{self, BrandId, Caller, VenueId},
    web::{
        app::App,
        events::readers::{self, Last, Readers, Telling},
        visit::Visit,
    },
};

/// Between two looks at a venue: with the look itself and the way to the page it stays within two seconds.
const INTERVAL: Duration = Duration::from_secs(1);
/// A look that takes long is followed by a rest of this many times its length, so that a large menu is no burden.
const REST: u32 = 3;
/// How many venues at once are read at full pace; more of them share it.
const FULL_PACE: usize = 64;
/// How long the stock of an unwatched venue is valid.
const STOCK: Duration = Duration::from_secs(1);
const STOCKS: u64 = 10_000;

/// Venues that are watched now; cloning shares them.
#[derive(Clone)]
pub struct Venues(Arc<Watched>);

struct Watched {
    readers: Readers<VenueId, Reading>,
    stocks: moka::future::Cache<VenueId, Stock>,
    outdate: Box<dyn Fn(&str) + Send + Sync>,
}

impl Venues {
    /// Watches nothing yet. `fresh` is how long public answers are good, at most; `outdate` is called with the path of
    /// a menu when its venue has changed.
    #[must_use]
    pub fn new(fresh: Duration, outdate: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Watched {
            readers: Readers::default(),
            stocks: moka::future::Cache::builder()
                .max_capacity(STOCKS)
                .time_to_live(STOCK.min(fresh))
                .build(),
            outdate: Box::new(outdate),
        }))
    }

    /// Ends all streams, so that the server can drain; browsers come back to another instance.
    pub fn close(&self) {
        self.0.readers.close();
    }

    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.0.readers.closing()
    }

    /// What can be had of a venue now. Many guests ask once; no answer is one too, for as long.
    pub async fn stock(&self, visit: &Visit, venue: VenueId) -> Stock {
        if let Some(watched) = self.0.readers.last(&venue) {
            return watched.stock.clone();
        }
        let caller = Caller::guest(visit.lang, visit.country).optional();
        self.0
            .stocks
            .get_with(venue, async {
                visit
                    .app
                    .upstream
                    .available(&caller, venue)
                    .await
                    .map(Stock::of)
                    .unwrap_or_default()
            })
            .await
    }

    /// Readings of a venue, the last one first.
    pub(super) fn watch(
        &self,
        visit: &Visit,
        place: Place,
        venue: VenueId,
    ) -> watch::Receiver<Last<Reading>> {
        let reader = Reader {
            venues: self.clone(),
            app: visit.app.clone(),
            caller: Caller::guest(visit.lang, visit.country),
            place,
            venue,
            brand: visit.brand(),
        };
        self.0.readers.watch(venue, |telling| reader.run(telling))
    }
}

struct Reader {
    venues: Venues,
    app: App,
    caller: Caller,
    place: Place,
    venue: VenueId,
    brand: Option<BrandId>,
}

/// Counts the reader, and off again however it ends.
struct Counted;

impl Counted {
    fn new() -> Self {
        metrics::gauge!("live_venues").increment(1);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("live_venues").decrement(1);
    }
}

impl Reader {
    async fn run(self, telling: Telling<VenueId, Reading>) {
        let _counted = Counted::new();
        let sender = &telling.sender;
        let mut pause = INTERVAL;
        loop {
            let began = Instant::now();
            let last = sender.borrow().clone();
            match self.read(last.as_deref()).await {
                Ok(reading) => {
                    pause = INTERVAL.max(began.elapsed() * REST);
                    self.tell(sender, last.as_deref(), reading).await;
                }
                Err(upstream::Error::NotFound) => break,
                Err(_) => pause = readers::slower(pause),
            }
            let venues = self.venues.0.readers.count();
            let crowd = u32::try_from(venues / FULL_PACE).unwrap_or(u32::MAX);
            if !telling
                .rest(pause.saturating_mul(crowd.saturating_add(1)))
                .await
            {
                break;
            }
        }
    }

    /// Asks for the venue, its menu and its stock of now, all at once.
    async fn read(&self, last: Option<&Reading>) -> Result<Reading, upstream::Error> {
        let upstream = &self.app.upstream;
        let background = self.caller.optional();
        let (venue, menu, stock) = tokio::join!(
            upstream.venue_now(&self.caller, self.venue, self.brand),
            upstream.menu_now(&self.caller, self.venue),
            upstream.available(&background, self.venue),
        );
        let (venue, menu) = (venue?, menu?);
        let stock = match stock {
            Ok(products) => Stock::of(products),
            // What was sold out a moment ago has not come back because the upstream does not answer.
            Err(_) => last.map(|last| last.stock.clone()).unwrap_or_default(),
        };
        let meta = self.place.meta_of(venue.town.as_ref());
        let open = mapping::open(
            &venue.location,
            self.app.state.clock().now(),
            meta.utc_offset,
        );
        Ok(Reading::after(
            last,
            &menu,
            stock,
            open,
            venue.is_check_pulling_enabled,
        ))
    }

    /// Tells the pages that are open, and lets those that are opened from now on be made of nothing older.
    async fn tell(
        &self,
        sender: &watch::Sender<Last<Reading>>,
        last: Option<&Reading>,
        reading: Reading,
    ) {
        if last.is_some_and(|last| last.shows_as(&reading)) {
            return;
        }
        let upstream = &self.app.upstream;
        upstream.outdate_menu(&self.caller, self.venue).await;
        // Other hosts may have kept it under their brand.
        for brand in self.app.hosts.brands() {
            upstream
                .outdate_venue(&self.caller, self.venue, brand)
                .await;
        }
        (self.venues.0.outdate)(&format!("/filials/{}", self.venue));
        sender.send_replace(Some(Arc::new(reading)));
    }
}
