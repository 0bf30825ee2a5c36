//! `/filials/{id}/details`: everything about a venue (FL-01 to FL-17; screens.md, 2.14).

use axum::extract::State;
use serde::Serialize;

use super::{
    banners::banner_over,
    hours::{DayHours, week},
    loaded::{Facts, Loaded, PageRequest},
    mapping,
    page_data::{Banner, MapCredit, PaymentKind, Phone, Point, Venue},
    place::Place,
    schedule::midnight,
    sitemap::{Directory, missing},
    structured,
};
use crate::{
    error::Error,
    upstream::{self, DeliveryState, SocialNetwork, VenueId},
    values::{Country, Lang, Service, Sum},
    web::{page::Page, visit::Visit},
};

/// Names longer than this are cut: they come from others.
const LONGEST_NAME: usize = 40;

/// Networks that have a sign and a name of their own; any other has the generic ones (FL-14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the networks' own names")]
pub enum NetworkKind {
    Instagram,
    Whatsapp,
    Telegram,
    Facebook,
    Tiktok,
    Youtube,
    TwoGis,
    Website,
    Other,
}

/// A page of the venue elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Network {
    /// Which sign to show.
    pub kind: NetworkKind,
    /// What to call it.
    pub name: String,
    /// http(s) only (S-23).
    pub link: String,
}

/// Delivery by the venue's own couriers, in hundredths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OwnDelivery {
    /// Price of a delivery.
    pub cost: Sum,
    /// Least sum of goods, 0 for none.
    pub min_sum: Sum,
    /// Largest sum of goods, 0 for none.
    pub max_sum: Sum,
}

/// Whether the venue delivers now (FL-13).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryNow {
    /// It does.
    pub open: bool,
    /// Minutes that deliveries are late by.
    pub delay: u32,
}

/// Page data of `/filials/{id}/details`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DetailsPage {
    /// The venue.
    pub venue: Venue,
    /// The town that it stands in; the chosen one may be another.
    pub town: String,
    /// Latin short name (FL-15).
    pub prefix: Option<String>,
    /// Where it stands.
    pub point: Option<Point>,
    /// 0 to 5.
    pub rating: Option<f64>,
    /// How many rated it.
    pub reviews: u32,
    /// Seven days from Monday.
    pub days: Vec<DayHours>,
    /// Its own words about its hours.
    pub schedule: Option<String>,
    /// Phone.
    pub phone: Option<Phone>,
    /// Pages elsewhere.
    pub networks: Vec<Network>,
    /// How an order can be paid, as the cart offers it; none when nothing can be ordered (FL-16).
    pub payments: Vec<PaymentKind>,
    /// A word from the venue or about delivery (FL-11, FL-12).
    pub banner: Option<Banner>,
    /// Whether it delivers now; null for a venue that never does.
    pub delivery: Option<DeliveryNow>,
    /// Its own couriers, if it has any.
    pub own_delivery: Option<OwnDelivery>,
    /// It has tables that can be booked.
    pub books: bool,
    /// Minutes that guests usually wait.
    pub minutes: Option<u32>,
    /// It has a promo.
    pub promo: bool,
    /// Whose map its place is shown on.
    pub credit: Option<MapCredit>,
}

/// `/filials/{filial_id}/details`
pub const PAGE: Page = Page::builder("details", "/filials/{filial_id}/details").shared();

/// Loads the details of a venue.
///
/// # Errors
/// Not found for an unknown venue, the upstream's failure when it did not come.
pub async fn load(
    State(directory): State<Directory>,
    request: PageRequest,
) -> Result<Loaded<DetailsPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let venue_id = visit.matched.param("filial_id");
    let venue_id: VenueId = venue_id.parse().map_err(|_| Error::NotFound("venue"))?;
    let upstream = &visit.app.upstream;
    let caller = visit.caller(None);
    let background = caller.optional();
    let (venue, banner) = tokio::join!(
        upstream.venue(&caller, venue_id, visit.brand()),
        upstream.banner(&background, venue_id),
    );
    let venue = match venue {
        Ok(venue) => venue,
        Err(error) => return missing(&directory, visit, venue_id, error, "/details").await,
    };
    let stale = venue.is_stale();
    let abroad = place.elsewhere(visit, venue.town.as_ref()).await;
    let country = abroad.unwrap_or(visit.country);
    let offset = place.meta_of(venue.town.as_ref()).utc_offset;
    let banner = banner_over(visit, &venue, banner.as_deref().ok(), offset);
    let page = page(visit, place, country, &venue, banner);
    let structured = structured::of_venue(visit, country, &page.venue, None, &venue);
    // The table marks the day.
    let tomorrow = midnight(visit.now, offset);
    let until = page.venue.open.until;
    let until = until.map_or(tomorrow, |until| until.min(tomorrow));
    Ok(Loaded::page(page)
        .stale(stale)
        .until(Some(until))
        .of_country(abroad)
        .structured(structured))
}

fn page(
    visit: &Visit,
    place: &Place,
    country: Country,
    venue: &upstream::Venue,
    banner: Option<Banner>,
) -> DetailsPage {
    let location = &venue.location;
    let meta = place.meta_of(venue.town.as_ref());
    let town = venue.town.as_ref().or_else(|| place.town());
    let shown = mapping::venue(venue, &meta, &visit.app.images, visit.now);
    let is_open = shown.open.open;
    DetailsPage {
        venue: shown,
        town: town
            .map(|town| town.name(visit.lang).to_owned())
            .unwrap_or_default(),
        // In Latin letters: a name in Cyrillic ones says the same already.
        prefix: some_text(&location.prefix_en).filter(|prefix| {
            matches!(visit.lang, Lang::En | Lang::Ka) && !location.name.contains(prefix)
        }),
        point: location.coordinates.map(Point::from),
        rating: location.rating,
        reviews: location.reviews_count,
        days: week(
            &mapping::hours(location),
            mapping::close_in_advance(location),
            visit.now,
            meta.utc_offset,
        ),
        schedule: venue.schedule.as_deref().and_then(some_text),
        phone: mapping::phone_of(venue, &place.phone_code(country, venue.town.as_ref())),
        networks: venue.social_networks.iter().map(network).collect(),
        payments: venue
            .payments()
            .into_iter()
            .map(PaymentKind::from)
            .collect(),
        banner,
        delivery: location.venue_for(Service::Delivery).map(|_| DeliveryNow {
            open: is_open && location.delivery_state == DeliveryState::Open,
            delay: location.delivery_delay_time,
        }),
        own_delivery: venue.vendor_delivery_enabled.then_some(OwnDelivery {
            cost: venue.vendor_delivery_cost,
            min_sum: venue.vendor_min_sum,
            max_sum: venue.vendor_max_sum,
        }),
        books: location.express.is_some() && !venue.is_fridge(),
        minutes: location.average_minutes.filter(|_| is_open),
        promo: location.has_promo,
        credit: MapCredit::of(visit),
    }
}

fn some_text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn network(network: &SocialNetwork) -> Network {
    let known = network.name.trim().to_lowercase();
    let (kind, name) = match known.as_str() {
        "instagram" => (NetworkKind::Instagram, Some("Instagram")),
        "whatsapp" => (NetworkKind::Whatsapp, Some("WhatsApp")),
        "telegram" => (NetworkKind::Telegram, Some("Telegram")),
        "facebook" => (NetworkKind::Facebook, Some("Facebook")),
        "tiktok" => (NetworkKind::Tiktok, Some("TikTok")),
        "youtube" => (NetworkKind::Youtube, Some("YouTube")),
        "2gis" | "twogis" => (NetworkKind::TwoGis, Some("2GIS")),
        "website" | "site" | "web" => (NetworkKind::Website, None),
        _ => (NetworkKind::Other, None),
    };
    // A name that is none of these is told by the venue; a site is best told by its host.
    let own = some_text(&network.name).filter(|_| kind == NetworkKind::Other);
    let host = || {
        url::Url::parse(&network.link)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default()
    };
    let name = name.map(str::to_owned).or(own).unwrap_or_else(host);
    Network {
        kind,
        name: name.chars().take(LONGEST_NAME).collect(),
        link: network.link.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_network_keeps_its_name_and_a_site_is_told_by_its_host() {
        let of = |name: &str, link: &str| {
            let network = network(&SocialNetwork {
                name: name.to_owned(),
                link: link.to_owned(),
            });
            (network.kind, network.name)
        };
        assert_eq!(
            of("Instagram", "https://instagram.com/a"),
            (NetworkKind::Instagram, "Instagram".to_owned())
        );
        assert_eq!(
            of("Threads", "https://threads.example/a"),
            (NetworkKind::Other, "Threads".to_owned())
        );
        assert_eq!(
            of(" ", "https://cafe.example/a?b"),
            (NetworkKind::Other, "cafe.example".to_owned())
        );
        assert_eq!(
            of("website", "https://cafe.example/"),
            (NetworkKind::Website, "cafe.example".to_owned())
        );
    }
}
