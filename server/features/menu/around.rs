//! What stands around a menu. Each part of it may fail by itself, and is left out then.

use std::sync::Arc;

use super::{
    offers,
    sections::{FAVOURITES, FREQUENT, POPULAR},
};
use crate::{
    features::{live::Venues, stock::Stock},
    upstream::{Answer, Banner, Error, Product, Promo, VenueId},
    web::visit::Visit,
};

/// Lists, promos, stock and the banner of a venue, as far as they came in time.
pub(super) struct Around {
    favourites: Arc<Vec<Product>>,
    popular: Arc<Vec<Product>>,
    frequent: Vec<Product>,
    pub promos: Vec<Promo>,
    pub stock: Stock,
    pub banner: Option<Banner>,
}

impl Around {
    pub async fn load(venues: &Venues, visit: &Visit, venue: VenueId) -> Self {
        let upstream = &visit.app.upstream;
        let background = visit.caller(None).optional();
        let frequent = async {
            // Without a guest the most ordered dishes are the popular ones.
            background.bearer.as_ref()?;
            let caller = visit.personal_caller().await.optional();
            upstream.frequent(&caller, venue).await.ok()
        };
        let (favourites, popular, frequent, promos, stock, banner) = tokio::join!(
            upstream.favourites(&background, venue),
            upstream.popular(&background, venue),
            Box::pin(frequent),
            Box::pin(offers::promos(visit, venue)),
            Box::pin(venues.stock(visit, venue)),
            upstream.banner(&background, venue),
        );
        let (favourites, popular) = (list(favourites), list(popular));
        let mut frequent = frequent.unwrap_or_default();
        // Filled up with what is popular: of a guest who has ordered nothing here nothing else is left.
        if frequent
            .iter()
            .map(|one| one.id)
            .eq(popular.iter().map(|one| one.id))
        {
            frequent.clear();
        }
        Self {
            favourites,
            popular,
            frequent,
            promos,
            stock,
            banner: banner.ok().map(|banner| banner.value().as_ref().clone()),
        }
    }

    /// Whether the favourites are those of this guest.
    pub fn has_own_favourites(&self) -> bool {
        self.favourites.iter().any(|product| product.is_favorite)
    }

    /// In the order in which they are shown: the guest's own come first.
    pub fn lists(&self) -> [(i32, &[Product]); 3] {
        [
            (FAVOURITES, &self.favourites),
            (FREQUENT, &self.frequent),
            (POPULAR, &self.popular),
        ]
    }
}

fn list(answer: Result<Answer<Vec<Product>>, Error>) -> Arc<Vec<Product>> {
    answer.map_or_else(|_| Arc::default(), |list| Arc::clone(list.value()))
}
