//! Reviews of venues (ZZ-22).

use axum::http::Method;
use serde_json::json;

use super::{
    Answer, Caller, Error, IdempotencyKey, Paged, ReviewId, Upstream, VenueId, When,
    address::Path,
    breaker::Part,
    call::Call,
    paged::paged,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::Lang;

/// What the upstream makes of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewState {
    /// Not moderated yet; also any unknown status.
    Pending,
    /// Everybody may read it.
    Published,
    /// It is not published.
    Refused,
}

/// A review of a venue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Its id.
    pub id: ReviewId,
    /// 1 to 5.
    pub rating: u32,
    /// May be empty.
    pub text: String,
    /// May be empty.
    pub author: String,
    /// Language of the text, where it is told.
    pub lang: Option<Lang>,
    /// What has become of it.
    pub state: ReviewState,
    /// When it was written.
    pub created_at: Option<When>,
}

/// What all guests together think, with words or without.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReviewSummary {
    /// The mean, above 0 and up to 5.
    pub rating: Option<f64>,
    /// How many gave stars.
    pub count: u32,
    /// How many gave one star, two, … five; none where that is not told, or does not add up.
    pub stars: Option<[u32; 5]>,
    /// Languages of the reviews, with how many there are of each.
    pub languages: Vec<(Lang, u32)>,
}

/// A page of the reviews of a venue.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviews {
    /// Published ones, the newest first.
    pub list: Paged<Review>,
    /// Of all reviews.
    pub summary: ReviewSummary,
}

impl Upstream {
    /// A page of the published reviews of a venue, the newest first, of one language or of all.
    pub async fn reviews(
        &self,
        caller: &Caller,
        venue: VenueId,
        lang: Option<Lang>,
        page: u32,
        limit: u32,
    ) -> Result<Answer<Reviews>, Error> {
        let mut query = Query::new()
            .with("filial_id", venue)
            .with("page", page.max(1))
            .with("limit", limit);
        if let Some(lang) = lang {
            query = query.with("language", lang.code());
        }
        let call = Call::shared(self, caller, Part::Feedback, reviews_path());
        self.catalogue(call.query(query), reviews).await
    }

    /// What the guest has written of a venue.
    pub async fn own_review(
        &self,
        caller: &Caller,
        venue: VenueId,
    ) -> Result<Option<Review>, Error> {
        let call = Call::get(caller, Part::Feedback, own_path()).query(of(venue));
        self.ask(call, |wire| {
            wire.object("own review")?;
            let own = wire.get("data");
            (!own.is_null()).then(|| Review::from_wire(own)).transpose()
        })
        .await
    }

    /// Writes a review, in the place of the guest's one before.
    pub async fn write_review(
        &self,
        caller: &Caller,
        venue: VenueId,
        rating: u8,
        text: &str,
        key: &IdempotencyKey,
    ) -> Result<Review, Error> {
        let body = json!({ "filial_id": venue, "rating": rating, "text": text });
        self.ask(
            Call::post(caller, Part::Feedback, reviews_path(), &body).key(key),
            wire::data,
        )
        .await
    }

    /// Takes the guest's review of a venue away.
    pub async fn delete_review(&self, caller: &Caller, venue: VenueId) -> Result<(), Error> {
        let call = Call::bare(Method::DELETE, caller, Part::Feedback, own_path());
        self.ask(call.query(of(venue)), wire::done).await
    }

    /// Tells the moderator that something is wrong with a review; the first word of a guest counts.
    pub async fn report_review(
        &self,
        caller: &Caller,
        venue: VenueId,
        review: ReviewId,
        reason: &str,
    ) -> Result<(), Error> {
        let path = Path::with("reviews/v1/reviews/{}/report", &review);
        let body = json!({ "filial_id": venue, "reason": reason });
        self.ask(Call::post(caller, Part::Feedback, path, &body), wire::done)
            .await
    }
}

impl FromWire for Review {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire.id("id", ReviewId).ok_or(Bad("review id"))?,
            rating: wire
                .count("rating")
                .filter(|rating| (1..=5).contains(rating))
                .ok_or(Bad("rating"))?,
            text: wire.text("text").unwrap_or_default(),
            author: wire.text("author").unwrap_or_default(),
            lang: lang(wire),
            state: match wire.text("state").as_deref() {
                Some("published") => ReviewState::Published,
                Some("refused") => ReviewState::Refused,
                _ => ReviewState::Pending,
            },
            created_at: wire.text("created_at").map(When::from_text),
        })
    }
}

impl FromWire for ReviewSummary {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let count = wire.count("count").unwrap_or(0);
        let stars = wire
            .get("stars")
            .elements(|one| one.raw().as_u64().ok_or(Bad("stars")));
        let stars: Option<Vec<u32>> = stars.into_iter().map(|one| one.try_into().ok()).collect();
        let sum = |stars: &[u32; 5]| stars.iter().copied().map(u64::from).sum::<u64>();
        let stars: Option<[u32; 5]> = stars
            .and_then(|stars| stars.try_into().ok())
            .filter(|stars| count > 0 && sum(stars) == u64::from(count));
        let languages = wire.get("languages").elements(|one| {
            let lang = lang(one).ok_or(Bad("language"))?;
            Ok((lang, one.count("count").unwrap_or(0)))
        });
        Ok(Self {
            rating: wire
                .number("rating")
                .filter(|rating| *rating > 0.0 && *rating <= 5.0),
            count,
            stars,
            languages: languages
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .collect(),
        })
    }
}

/// What is not confirmed as published is shown to its writer alone, whatever list it stands in.
fn reviews(wire: Wire<'_>) -> Result<Reviews, Bad> {
    let mut list: Paged<Review> = paged(wire)?;
    list.items
        .retain(|review| review.state == ReviewState::Published);
    Ok(Reviews {
        list,
        summary: wire.node("summary").unwrap_or_default(),
    })
}

fn lang(wire: Wire<'_>) -> Option<Lang> {
    Lang::from_code(wire.text("language")?.as_str())
}

fn of(venue: VenueId) -> Query {
    Query::new().with("filial_id", venue)
}

fn reviews_path() -> Path {
    Path::fixed("reviews/v1/reviews")
}

fn own_path() -> Path {
    Path::fixed("reviews/v1/reviews/own")
}
