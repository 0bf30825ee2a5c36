//! Reviews of a venue (L81, PY-09): everybody reads and may report them, signed-in guests write one. Only
//! what the upstream calls published stands in the list; what a guest has just written is shown to that guest alone.

mod load;
mod report;
mod structured;
mod write;

use serde::Serialize;

use super::page_data::Venue;
use crate::{
    upstream::{self, VenueId},
    values::Lang,
    web::{
        change::plain::{plain, plain_lines},
        page::{Page, SignedInPage},
    },
};

pub use load::{load, load_form};
pub use report::report;
pub use write::{remove, write};

/// Characters of a review.
const LONGEST: usize = 2000;
/// Names longer than this are cut: they come from others.
const LONGEST_NAME: usize = 40;

/// `/filials/{id}/reviews`
pub const PAGE: Page = Page::builder("reviews", "/filials/{filial_id}/reviews")
    .query(&["page", "in", "reported", "removed"])
    .personal(&["reported", "removed"])
    .shared();

/// `/filials/{id}/reviews/new`
pub const FORM: SignedInPage =
    Page::builder("reviewForm", "/filials/{filial_id}/reviews/new").signed_in();

/// What has become of a guest's own review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ReviewState {
    /// It is being read.
    Pending,
    /// Everybody may read it.
    Published,
    /// It is not published.
    Refused,
}

/// One review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewCard {
    /// Upstream id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// 1 to 5.
    pub rating: u32,
    /// May be empty; lines are kept.
    pub text: String,
    /// First name; may be empty.
    pub author: String,
    /// Language of the text, where it is told.
    pub lang: Option<Lang>,
    /// When it was written, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub at: Option<i64>,
}

/// The guest's own review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnReview {
    /// The review.
    pub review: ReviewCard,
    /// What has become of it.
    pub state: ReviewState,
}

/// How many reviews there are in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewLanguage {
    /// The language.
    pub lang: Lang,
    /// How many.
    pub count: u32,
}

/// Page data of `/filials/{id}/reviews`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReviewsPage {
    /// The venue.
    pub venue: Venue,
    /// The mean of all stars, with words or without.
    pub rating: Option<f64>,
    /// How many gave stars.
    pub count: u32,
    /// How many gave one star, two, … five, where that is told.
    pub stars: Option<[u32; 5]>,
    /// Languages of the reviews, those of the country first.
    pub languages: Vec<ReviewLanguage>,
    /// Only reviews in this language are listed.
    pub only: Option<Lang>,
    /// Reviews of this page, the newest first.
    pub reviews: Vec<ReviewCard>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// Reviews on all pages.
    pub total: u32,
    /// The upstream did not tell: another try is offered.
    pub failed: bool,
    /// What this guest has written, published or not.
    pub own: Option<OwnReview>,
    /// The review that this guest has just reported.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub reported: Option<u64>,
    /// This guest has just taken a review away.
    pub removed: bool,
}

/// Page data of `/filials/{id}/reviews/new`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewFormPage {
    /// The venue.
    pub venue: Venue,
    /// What the guest has written before: a new one takes its place.
    pub own: Option<OwnReview>,
}

/// The page of the reviews of a venue.
fn path(venue: VenueId) -> String {
    format!("/filials/{venue}/reviews")
}

impl From<&upstream::Review> for ReviewCard {
    fn from(review: &upstream::Review) -> Self {
        let author = plain(&review.author);
        Self {
            id: review.id.0,
            rating: review.rating,
            text: tidy(&review.text).chars().take(LONGEST).collect(),
            author: author.chars().take(LONGEST_NAME).collect(),
            lang: review.lang,
            at: review.created_at.as_ref().and_then(upstream::When::utc),
        }
    }
}

impl From<&upstream::Review> for OwnReview {
    fn from(review: &upstream::Review) -> Self {
        Self {
            review: ReviewCard::from(review),
            state: match review.state {
                upstream::ReviewState::Pending => ReviewState::Pending,
                upstream::ReviewState::Published => ReviewState::Published,
                upstream::ReviewState::Refused => ReviewState::Refused,
            },
        }
    }
}

/// Paragraphs stay; what a screen takes for a command, and empty lines beyond one, do not.
fn tidy(text: &str) -> String {
    let text = plain_lines(text);
    let mut normalized = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines().map(str::trim) {
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty > 1 {
            continue;
        }
        if !normalized.is_empty() {
            normalized.push('\n');
        }
        normalized.push_str(line);
    }
    normalized
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn paragraphs_stay_and_nothing_turns_the_line() {
        assert_eq!(
            tidy("  Дәмді!\r\n\r\n\r\n\r\n Рахмет \u{202e}\u{7}\n"),
            "Дәмді!\n\nРахмет"
        );
        assert_eq!(tidy("\u{202e} \n\n"), "");
    }
}
