//! Shortcuts of Home to the venues of a brand (HM-01).

use std::cmp::Reverse;

use serde::Serialize;

use super::place::Place;
use crate::{upstream::Brand, web::visit::Visit};

/// Their places among the rails (HM-01).
const POSITIONS: [u32; 4] = [5, 7, 9, 10];

/// A brand on Home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Shortcut {
    /// Place among the rails.
    pub position: u32,
    /// Upstream id of the brand.
    #[cfg_attr(test, ts(type = "number"))]
    pub brand: u64,
    /// Name of the brand.
    pub name: String,
    /// Venues of the brand in the town.
    pub venues: u32,
    /// One of them has a promo.
    pub promo: bool,
    /// Picture address with `{w}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub image: Option<String>,
}

/// The brands that most guests have near them: those with the most venues of the town. None when they did not come;
/// the page stands without them.
pub async fn load(visit: &Visit, place: &Place) -> Option<Vec<Shortcut>> {
    let caller = visit.caller(None).optional();
    let answer = visit
        .app
        .upstream
        .brands(&caller, place.upstream_town(), 1)
        .await
        .ok()?;
    let mut brands: Vec<&Brand> = answer
        .items
        .iter()
        .filter(|brand| brand.venues_count > 0)
        .collect();
    brands.sort_by_key(|brand| (Reverse(brand.venues_count), Reverse(brand.has_promo)));
    Some(
        POSITIONS
            .into_iter()
            .zip(brands)
            .map(|(position, brand)| Shortcut {
                position,
                brand: brand.id.0,
                name: brand.name.clone(),
                venues: brand.venues_count,
                promo: brand.has_promo,
                image: brand
                    .image_url
                    .as_deref()
                    .and_then(|url| visit.app.images.address(url)),
            })
            .collect(),
    )
}
