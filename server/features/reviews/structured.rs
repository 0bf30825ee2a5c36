//! What search engines are told of reviews. Stars beside a venue are for a site that gathers what guests say of other
//! businesses; one that shows a single brand would praise itself, and says nothing (SO-06).

use serde_json::{Map, Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{ReviewCard, ReviewsPage};
use crate::{features::structured, upstream::Venue, values::Country, web::visit::Visit};

/// The venue with its stars and the reviews that the page shows; none on the other pages of the list, which search
/// engines know by the same venue.
pub(super) fn of_reviews(
    visit: &Visit,
    country: Country,
    page: &ReviewsPage,
    venue: &Venue,
) -> Option<Value> {
    let is_first = page.page == 1 && page.only.is_none() && !page.failed;
    if !is_first || visit.brand().is_some() {
        return None;
    }
    let rating = page.rating.filter(|_| page.count > 0)?;
    let Value::Object(mut about) = structured::of_venue(visit, country, &page.venue, None, venue)?
    else {
        return None;
    };
    about.insert(
        "aggregateRating".to_owned(),
        json!({ "@type": "AggregateRating", "ratingValue": rating, "ratingCount": page.count,
                "reviewCount": page.total, "bestRating": 5, "worstRating": 1 }),
    );
    let reviews: Vec<Value> = page.reviews.iter().filter_map(review).collect();
    if !reviews.is_empty() {
        about.insert("review".to_owned(), json!(reviews));
    }
    Some(Value::Object(about))
}

/// One with words and a name: search engines take no other.
fn review(card: &ReviewCard) -> Option<Value> {
    if card.text.is_empty() || card.author.is_empty() {
        return None;
    }
    let mut review = Map::new();
    let mut say = |key: &str, value: Value| {
        review.insert(key.to_owned(), value);
    };
    say("@type", json!("Review"));
    say("author", json!({ "@type": "Person", "name": card.author }));
    say(
        "reviewRating",
        json!({ "@type": "Rating", "ratingValue": card.rating, "bestRating": 5 }),
    );
    say("reviewBody", json!(card.text));
    if let Some(lang) = card.lang {
        say("inLanguage", json!(lang.code()));
    }
    let at = card.at.and_then(|at| {
        let at = OffsetDateTime::from_unix_timestamp(at.div_euclid(1000)).ok()?;
        at.format(&Rfc3339).ok()
    });
    if let Some(at) = at {
        say("datePublished", json!(at));
    }
    Some(Value::Object(review))
}
