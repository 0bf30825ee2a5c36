//! Loads the list and the form.

use super::{OwnReview, ReviewCard, ReviewFormPage, ReviewLanguage, ReviewsPage, path, structured};
use crate::{
    error::Error,
    features::{
        loaded::{Facts, Loaded, PageRequest, SignedInRequest},
        mapping,
        sitemap::{Directory, missing},
    },
    upstream::{self, ReviewSummary, VenueId},
    values::Lang,
    web::visit::Visit,
};
use axum::extract::State;

/// Reviews of one page.
const PAGE_SIZE: u32 = 10;
/// The last page that can be asked for.
const MOST_PAGES: u32 = 1000;

/// Loads the reviews of a venue. The venue alone is needed: without the list the page says so and offers another try
/// (ZZ-18).
///
/// # Errors
/// Not found for an unknown venue, the upstream's failure when it did not come.
pub async fn load(
    State(directory): State<Directory>,
    request: PageRequest,
) -> Result<Loaded<ReviewsPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let venue_id = venue(visit)?;
    let only = visit.query_value("in").and_then(Lang::from_code);
    let page = page(visit);
    let upstream = &visit.app.upstream;
    let caller = visit.caller(None);
    let (venue, list, own) = tokio::join!(
        upstream.venue(&caller, venue_id, visit.brand()),
        upstream.reviews(&caller, venue_id, only, page, PAGE_SIZE),
        own(visit, venue_id),
    );
    let venue = match venue {
        Ok(venue) => venue,
        Err(error) => return missing(&directory, visit, venue_id, error, "/reviews").await,
    };
    let meta = place.meta_of(venue.town.as_ref());
    let shown = mapping::venue(&venue, &meta, &visit.app.images, visit.now);
    let until = shown.open.until;
    let list = list.inspect_err(|error| {
        tracing::warn!(
            class = error.class(),
            "The reviews of a venue could not be loaded"
        );
    });
    let mut stale = venue.is_stale();
    let (summary, reviews, last_page, total) = match &list {
        Ok(answer) => {
            let last_page = answer.list.last_page.max(1);
            if page > last_page {
                return Ok(Loaded::Redirect(address(visit, venue_id, only, last_page)));
            }
            stale |= answer.is_stale();
            let reviews = answer.list.items.iter().map(ReviewCard::from).collect();
            (
                answer.summary.clone(),
                reviews,
                last_page,
                answer.list.total,
            )
        }
        Err(_) => (ReviewSummary::default(), Vec::new(), page, 0),
    };
    let data = ReviewsPage {
        rating: summary.rating.or(venue.location.rating),
        count: summary.count.max(venue.location.reviews_count),
        stars: summary.stars,
        languages: languages(visit, &summary),
        only,
        reviews,
        page,
        last_page,
        total,
        failed: list.is_err(),
        own,
        reported: visit.query_value("reported").and_then(|id| id.parse().ok()),
        removed: visit.query_value("removed").is_some(),
        venue: shown,
    };
    let abroad = place.elsewhere(visit, venue.town.as_ref()).await;
    let country = abroad.unwrap_or(visit.country);
    let structured = structured::of_reviews(visit, country, &data, &venue);
    let status = if data.failed { 503 } else { 200 };
    Ok(Loaded::page(data)
        .status(status)
        .stale(stale)
        .until(until)
        .of_country(abroad)
        .structured(structured))
}

/// Loads the form, with what the guest has written before.
///
/// # Errors
/// As the list.
pub async fn load_form(
    State(directory): State<Directory>,
    request: SignedInRequest,
) -> Result<Loaded<ReviewFormPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let venue_id = venue(visit)?;
    let caller = visit.caller(None);
    let (venue, own) = tokio::join!(
        visit.app.upstream.venue(&caller, venue_id, visit.brand()),
        own(visit, venue_id),
    );
    let venue = match venue {
        Ok(venue) => venue,
        Err(error) => {
            return missing(&directory, visit, venue_id, error, "/reviews/new").await;
        }
    };
    let meta = place.meta_of(venue.town.as_ref());
    Ok(Loaded::page(ReviewFormPage {
        venue: mapping::venue(&venue, &meta, &visit.app.images, visit.now),
        own,
    }))
}

/// The venue of a path.
fn venue(visit: &Visit) -> Result<VenueId, Error> {
    let venue = visit.matched.param("filial_id");
    venue.parse().map_err(|_| Error::NotFound("venue"))
}

/// The page can do without: then it only does not know what the guest has written.
async fn own(visit: &Visit, venue: VenueId) -> Option<OwnReview> {
    visit.signed_in.as_ref()?;
    let caller = visit.personal_caller().await.optional();
    match visit.app.upstream.own_review(&caller, venue).await {
        Ok(own) => own.as_ref().map(OwnReview::from),
        Err(upstream::Error::Unauthorized) => None,
        Err(error) => {
            tracing::warn!(
                class = error.class(),
                "A guest's own review could not be loaded"
            );
            None
        }
    }
}

fn page(visit: &Visit) -> u32 {
    visit
        .query_value("page")
        .and_then(|page| page.parse().ok())
        .filter(|page| (1..=MOST_PAGES).contains(page))
        .unwrap_or(1)
}

/// Where a page of the list stands: one past the end is no page of its own (SO-08).
fn address(visit: &Visit, venue: VenueId, only: Option<Lang>, page: u32) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    if page > 1 {
        query.append_pair("page", &page.to_string());
    }
    if let Some(lang) = only {
        query.append_pair("in", lang.code());
    }
    for key in ["lang", "country"] {
        if let Some(value) = visit.query_value(key) {
            query.append_pair(key, value);
        }
    }
    let query = query.finish();
    if query.is_empty() {
        path(venue)
    } else {
        format!("{}?{query}", path(venue))
    }
}

/// Languages that a guest can choose among, in an order of their own: one alone is no choice.
fn languages(visit: &Visit, summary: &ReviewSummary) -> Vec<ReviewLanguage> {
    let offered = visit.languages().offered;
    let mut all: Vec<ReviewLanguage> = summary
        .languages
        .iter()
        .map(|(lang, count)| ReviewLanguage {
            lang: *lang,
            count: *count,
        })
        .collect();
    all.sort_by_key(|one| {
        let at = offered.iter().position(|lang| *lang == one.lang);
        at.unwrap_or(usize::MAX)
    });
    if all.len() > 1 { all } else { Vec::new() }
}
