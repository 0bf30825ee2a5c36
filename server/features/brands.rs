//! `/brands`: the brands of the town (2.2). With a custom config it is the front (RT-03).

use futures_util::future::try_join_all;
use serde::Serialize;

use super::{
    loaded::{Facts, Loaded, PageRequest},
    place::Place,
    venues,
};
use crate::{
    config::custom::FrontTexts,
    error::Error,
    upstream::{self, Brand},
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Pages of brands that are read. The upstream looks for no brand by its name: in a town with more the page leads to the
/// search.
const PAGES: u32 = 5;

/// A brand in the grid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BrandTile {
    /// Upstream id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its venues in the town.
    pub venues: u32,
    /// One of them has a promo.
    pub promo: bool,
    /// Picture address with `{w}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub image: Option<String>,
}

/// Page data of `/brands`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BrandsPage {
    /// Search text, trimmed.
    pub query: String,
    /// Those of the town: the screen shows those that the search text finds.
    pub brands: Vec<BrandTile>,
    /// The town has more than these.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub more: bool,
    /// The upstream did not answer: the page offers a retry.
    pub failed: bool,
    /// What the host name says of its own there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub front: Option<FrontTexts>,
}

/// `/brands`
pub const PAGE: Page = Page::builder("brands", "/brands")
    .in_sitemap()
    .query(&["q", "page"])
    .frame(Frame::Search)
    .navbar()
    .balance()
    .shared();

/// Loads `/brands`. The only brand of an installation or of a town leads straight to its venues.
///
/// # Errors
/// None: a list that did not come says so itself.
pub async fn load(request: PageRequest) -> Result<Loaded<BrandsPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    if let Some(brand) = visit.brand() {
        return Ok(Loaded::Redirect(to_venues(visit, brand.0)));
    }
    let query = venues::search(visit);
    let front = if visit.custom.has_brands_first() {
        visit.custom.front(visit.lang)
    } else {
        None
    };
    let (all, more) = match all(visit, place).await {
        Ok(known) => known,
        Err(error) => {
            tracing::warn!(class = error.class(), "The brands could not be loaded");
            let page = BrandsPage {
                query,
                brands: Vec::new(),
                more: false,
                failed: true,
                front,
            };
            return Ok(Loaded::page(page).status(503));
        }
    };
    if let [only] = all.as_slice()
        && query.is_empty()
    {
        return Ok(Loaded::Redirect(to_venues(visit, only.id.0)));
    }
    let brands = all
        .iter()
        .map(|brand| BrandTile {
            id: brand.id.0,
            name: brand.name.clone(),
            venues: brand.venues_count,
            promo: brand.has_promo,
            image: brand
                .image_url
                .as_deref()
                .and_then(|url| visit.app.images.address(url)),
        })
        .collect();
    Ok(Loaded::page(BrandsPage {
        query,
        brands,
        more,
        failed: false,
        front,
    }))
}

/// The brands, and whether there are more. The first page tells how many there are; the others are asked for at once.
async fn all(visit: &Visit, place: &Place) -> Result<(Vec<Brand>, bool), upstream::Error> {
    let (caller, town) = (visit.caller(None), place.upstream_town());
    let upstream = &visit.app.upstream;
    let first = upstream.brands(&caller, town, 1).await?;
    let rest = (2..=first.last_page.min(PAGES)).map(|page| upstream.brands(&caller, town, page));
    let rest = try_join_all(rest).await?;
    let mut brands: Vec<Brand> = Vec::new();
    for brand in first
        .items
        .iter()
        .chain(rest.iter().flat_map(|page| page.items.iter()))
    {
        if !brands.iter().any(|known| known.id == brand.id) {
            brands.push(brand.clone());
        }
    }
    Ok((brands, first.last_page > PAGES))
}

/// The venues of a brand, with what else stood in the address.
fn to_venues(visit: &Visit, brand: u64) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("brand", &brand.to_string());
    let given = visit.raw_query.as_deref().unwrap_or_default();
    for (key, value) in url::form_urlencoded::parse(given.as_bytes()) {
        if key != "brand" {
            query.append_pair(&key, &value);
        }
    }
    format!("/brands/filials?{}", query.finish())
}
