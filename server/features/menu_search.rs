//! `/filials/{filial_id}/search`: the menu of one venue by names and barcodes (2.5). With scripts the browser looks
//! through the menu itself; this is the answer without them, and what it adds by barcode.

use axum::extract::State;
use serde::Serialize;

use super::{
    cart_view,
    live::Venues,
    loaded::{Facts, Loaded, PageRequest},
    mapping, menu_matches,
    page_data::{Product, SavedHere, Venue},
    search,
};
use crate::{
    error::Error,
    upstream::{self, Barcode, VenueId},
    web::page::{Frame, Page},
};

/// Popular dishes beside an empty field.
const POPULAR: usize = 8;

/// Page data of `/filials/{filial_id}/search`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MenuSearchPage {
    /// The venue.
    pub venue: Venue,
    /// Search text, trimmed; empty: nothing was asked for (SE-04).
    pub query: String,
    /// The spelling whose results are shown, when the query itself found nothing.
    pub shown: Option<String>,
    /// A spelling that may be meant, where nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub nearest: Option<String>,
    /// Looked for as it is written, whatever may be meant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub exact: bool,
    /// What was found, the best first.
    pub products: Vec<Product>,
    /// What most guests take, where there are no results.
    pub popular: Vec<Product>,
    /// Ids of what the menu has that is marked as having no meat: the browser has its names, and finds by that, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, type = "number[]"))]
    pub meatless: Vec<u64>,
    /// Goods with barcodes are sold here: they can be scanned.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub goods: bool,
    /// The menu did not come: the page offers a retry.
    pub failed: bool,
    /// The guest's cart of this venue that waits aside, or has just come back by itself (FL-06).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub saved: Option<SavedHere>,
}

/// `/filials/{filial_id}/search`
pub const PAGE: Page = Page::builder("menuSearch", "/filials/{filial_id}/search")
    .query(&["q", "exact"])
    .frame(Frame::Search)
    .open();

/// Loads `/filials/{filial_id}/search`.
///
/// # Errors
/// Not found for an unknown venue and one without a service on offer; when its address has looked up too many barcodes;
/// the upstream's failure when the venue itself did not come.
pub async fn load(
    State(venues): State<Venues>,
    request: PageRequest,
) -> Result<Loaded<MenuSearchPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let venue_id = visit.matched.param("filial_id");
    let venue_id: VenueId = venue_id.parse().map_err(|_| Error::NotFound("venue"))?;
    let query = search::query_of(visit);
    let barcode = query.parse::<Barcode>().ok();
    // Each other number is asked for, also of goods that nobody sells (SC-07).
    if barcode.is_some() {
        visit.take_search().await.map_err(Error::TooMany)?;
    }
    let upstream = &visit.app.upstream;
    let caller = visit.caller(None);
    let background = caller.optional();
    let by_barcode = async {
        match &barcode {
            Some(barcode) => upstream
                .product_by_barcode(&background, venue_id, barcode)
                .await
                .ok()
                .flatten(),
            None => None,
        }
    };
    let (venue, menu, popular, good, stock) = tokio::join!(
        upstream.venue(&caller, venue_id, visit.brand()),
        upstream.menu(&caller, venue_id),
        upstream.popular(&background, venue_id),
        by_barcode,
        venues.stock(visit, venue_id),
    );
    let venue = venue.map_err(|error| match error {
        upstream::Error::NotFound => Error::NotFound("venue"),
        other => Error::Upstream(other),
    })?;
    if !mapping::is_for_sale(visit, &venue) {
        return Err(Error::NotFound("service"));
    }
    let meta = place.meta_of(venue.town.as_ref());
    let images = &visit.app.images;
    let stale = venue.is_stale() || menu.as_ref().is_ok_and(upstream::Answer::is_stale);
    let lacking = menu.is_err();
    let failed = menu.is_err() && good.is_none();
    let goods = menu.as_ref().is_ok_and(|menu| {
        let mut products = menu
            .categories
            .iter()
            .flat_map(|category| &category.products);
        products.any(|product| product.barcode.is_some())
    });
    let meatless = menu
        .as_ref()
        .map_or_else(|_| Vec::new(), |menu| marked(menu));
    let exact = visit.query_value("exact") == Some("1");
    let (mut products, shown, nearest) = match &menu {
        Ok(menu) => {
            let stock = stock.clone().beside(menu.age());
            let (found, shown, nearest) =
                menu_matches::found(menu, &query, exact, visit.lang, &stock);
            let found: Vec<Product> = found
                .into_iter()
                .map(|product| mapping::shown(product, &stock, images))
                .collect();
            (found, shown, nearest)
        }
        Err(_) => (Vec::new(), None, None),
    };
    if let Some(good) = good
        && !products.iter().any(|product| product.id == good.id.0)
    {
        products.insert(0, mapping::shown(&good, &stock, images));
    }
    let popular = if products.is_empty() {
        popular
            .map(|list| {
                let stock = stock.beside(list.age());
                list.iter()
                    .take(POPULAR)
                    .map(|product| mapping::shown(product, &stock, images))
                    .collect()
            })
            .unwrap_or_default()
    } else {
        Vec::new()
    };
    let page = MenuSearchPage {
        venue: mapping::venue(&venue, &meta, images, visit.now),
        query,
        shown,
        nearest: nearest.filter(|_| products.is_empty()),
        exact,
        products,
        popular,
        meatless,
        goods,
        failed,
        saved: cart_view::saved_here(visit, venue_id, menu.as_deref().ok()).await,
    };
    let until = page.venue.open.until;
    let overlay = page.saved.as_ref().map(|_| "savedCart");
    let loaded = Loaded::page(page)
        .stale(stale)
        .overlay(overlay)
        .lacking(lacking)
        .until(until);
    Ok(if failed { loaded.status(503) } else { loaded })
}

/// What a menu has that is marked as having no meat, each once.
fn marked(menu: &upstream::Menu) -> Vec<u64> {
    let categories = menu.categories.iter();
    let products = categories.flat_map(|category| &category.products);
    let mut ids: Vec<u64> = products
        .filter(|product| product.is_meatless)
        .map(|product| product.id.0)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
