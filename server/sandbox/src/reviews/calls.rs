//! The calls of reviews.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use rusqlite::params;
use serde::Deserialize;
use serde_json::{Value, json};

use super::tally::Tally;
use super::{Draft, REASONS, Review, STATES, language, not_found, own, put, remove, written};
use crate::accounts::unauthorized;
use crate::answer::{Answer, data, done, ok, page};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::model::Venue;
use crate::openapi::schema::{
    self, both, integer, list, nullable, number, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::params::{Params, parse_int, short};
use crate::refusal::Refusal;

const PATH: &str = "/reviews/v1/reviews";
const LANGUAGES: [&str; 4] = ["kk", "ru", "en", "ka"];
const LONGEST: usize = 2000;

pub(crate) fn routes(api: Api) -> Api {
    let summary = object(&[("summary", reference("ReviewSummary"))]);
    api.add(
        Operation::get(
            PATH,
            "reviews",
            "The published reviews of a venue, the newest first, of one language or of all. The summary counts every \
             guest who gave stars, with words or without; the card of the venue tells the same numbers once a day",
        )
        .required("filial_id", integer())
        .query("language", one_of_texts(&LANGUAGES))
        .query("page", integer())
        .query("limit", integer())
        .answers(200, both(schema::paged(reference("Review")), summary))
        .refuses(&[400, 404]),
        get(reviews).post(write),
    )
    .describe(
        Operation::post(
            PATH,
            "writeReview",
            "Writes a review, in the place of the guest's one before: there is one of a guest and a venue. A moderator \
             reads it first; its language is told by its letters, else by X-Language",
        )
        .body(object(&[
            ("filial_id", integer()),
            ("rating", integer()),
            ("text?", text()),
        ]))
        .answers(201, schema::data(reference("Review")))
        .refuses(&[400, 401, 404]),
    )
    .add(
        Operation::get(
            "/reviews/v1/reviews/own",
            "ownReview",
            "What the guest has written of a venue, in whatever state it is",
        )
        .required("filial_id", integer())
        .answers(200, schema::data(nullable(reference("Review"))))
        .refuses(&[400, 401, 404]),
        get(show_own).delete(remove_own),
    )
    .describe(
        Operation::new(
            "delete",
            "/reviews/v1/reviews/own",
            "deleteReview",
            "Takes the guest's review of a venue away",
        )
        .required("filial_id", integer())
        .answers(200, done())
        .refuses(&[400, 401, 404]),
    )
    .add(
        Operation::post(
            "/reviews/v1/reviews/{review}/report",
            "reportReview",
            "Tells the moderator that something is wrong with a published review of a venue; the first word of a guest, \
             or of a device without one, counts",
        )
        .body(object(&[
            ("filial_id", integer()),
            ("reason", one_of_texts(&REASONS)),
        ]))
        .answers(200, done())
        .refuses(&[400, 401, 404, 422]),
        post(report),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let language = || one_of_texts(&LANGUAGES);
    vec![
        (
            "Review",
            object(&[
                ("id", integer()),
                ("rating", integer()),
                ("text", text()),
                ("author", text()),
                ("language", language()),
                ("state", one_of_texts(&STATES)),
                ("created_at", text()),
            ]),
        ),
        (
            "ReviewSummary",
            object(&[
                ("rating", number()),
                ("count", integer()),
                // How many gave one star, two, … five.
                ("stars", list(integer())),
                (
                    "languages",
                    list(object(&[("language", language()), ("count", integer())])),
                ),
            ]),
        ),
    ]
}

impl App {
    /// Every review of a venue in whatever state, the newest first.
    pub(crate) async fn reviews_of(&self, venue: &Venue) -> Result<Vec<Review>, Refusal> {
        let (id, now) = (venue.id, self.clock.now());
        let seeded = self.catalogue.reviews(id).map(Review::seeded);
        let mut all: Vec<Review> = seeded.collect();
        all.extend(self.store.read(move |db| written(db, id, now)).await?);
        all.sort_by_key(|review| std::cmp::Reverse((review.created_at, review.id)));
        Ok(all)
    }

    async fn published(&self, venue: &Venue) -> Result<Vec<Review>, Refusal> {
        let mut all = self.reviews_of(venue).await?;
        all.retain(|review| review.state == "published");
        Ok(all)
    }
}

async fn reviews(State(app): State<App>, params: Params) -> Answer {
    let venue = app.place(params.required_int("filial_id")?)?.venue;
    let wanted = params
        .get("language")
        .map(|code| known("language", code, &LANGUAGES));
    let wanted = wanted.transpose()?;
    let mut all = app.published(venue).await?;
    let mut tally = Tally::of(venue.rating, venue.reviews_count);
    let mut languages: BTreeMap<String, i64> = BTreeMap::new();
    for review in &all {
        *languages.entry(review.language.clone()).or_default() += 1;
        // The card counts those that the venue starts with.
        if !review.is_seeded {
            tally.add(review.rating);
        }
    }
    all.retain(|review| wanted.is_none_or(|language| review.language == language));
    let mut answer = page(&params, &all, Review::wire)?;
    let mut summary = tally.wire();
    summary["languages"] = languages
        .into_iter()
        .map(|(language, count)| json!({"language": language, "count": count}))
        .collect();
    answer.0["summary"] = summary;
    Ok(answer)
}

#[derive(Deserialize)]
struct Body {
    filial_id: i64,
    rating: i64,
    #[serde(default)]
    text: Option<String>,
}

async fn write(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<Body>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    let user = app.signed_in(&caller).await?;
    let place = app.place(body.filial_id)?;
    if !(1..=5).contains(&body.rating) {
        return Err(Refusal::bad("rating must be from 1 to 5"));
    }
    let text = short(body.text.as_deref(), "text", LONGEST)?;
    let said = caller.lang.unwrap_or(place.country.default);
    let (venue, now) = (place.venue.id, app.clock.now());
    let review = app
        .store
        .write(move |db| {
            let draft = Draft {
                venue,
                user: user.id,
                language: language::of(&text, said).code(),
                rating: body.rating,
                text: &text,
                key: caller.idempotency_key.as_deref(),
            };
            put(db, &draft, now)
        })
        .await?;
    Ok((StatusCode::CREATED, data(review.wire())?))
}

async fn show_own(State(app): State<App>, caller: Caller, params: Params) -> Answer {
    let user = app.signed_in(&caller).await?;
    let venue = app.place(params.required_int("filial_id")?)?.venue.id;
    let now = app.clock.now();
    let found = app
        .store
        .read(move |db| own(db, venue, user.id, now))
        .await?;
    data(found.map_or(Value::Null, |review| review.wire()))
}

async fn remove_own(State(app): State<App>, caller: Caller, params: Params) -> Answer {
    let user = app.signed_in(&caller).await?;
    let venue = app.place(params.required_int("filial_id")?)?.venue.id;
    let removed = app
        .store
        .write(move |db| remove(db, venue, user.id))
        .await?;
    if removed { ok() } else { Err(not_found()) }
}

#[derive(Deserialize)]
struct ReportBody {
    filial_id: i64,
    reason: String,
}

async fn report(
    State(app): State<App>,
    caller: Caller,
    Path(review): Path<String>,
    Json(body): Json<ReportBody>,
) -> Answer {
    let user = app.maybe_signed_in(&caller).await?;
    let device = caller.fingerprint.map(|device| format!("d {device}"));
    let reporter = user.as_ref().map(|user| format!("u {}", user.id));
    let reporter = reporter.or(device).ok_or_else(unauthorized)?;
    let review = parse_int("review", &review)?;
    let venue = app.place(body.filial_id)?.venue;
    known("reason", &body.reason, &REASONS)?;
    let all = app.published(venue).await?;
    if !all.iter().any(|one| one.id == review) {
        return Err(not_found());
    }
    let (venue, now) = (venue.id, app.clock.now());
    app.store
        .write(move |db| {
            if let Some(user) = user
                && own(db, venue, user.id, now)?.is_some_and(|own| own.id == review)
            {
                let title = "This is your own review";
                return Err(Refusal::unprocessable("own_review", title));
            }
            db.prepare_cached(
                "INSERT INTO review_reports (review_id, reporter, reason) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            )?
            .execute(params![review, reporter, body.reason])?;
            Ok(())
        })
        .await?;
    ok()
}

fn known<'a>(name: &str, value: &'a str, all: &[&str]) -> Result<&'a str, Refusal> {
    if all.contains(&value) {
        Ok(value)
    } else {
        let all = all.join(", ");
        Err(Refusal::bad(format!("{name} must be one of {all}")))
    }
}
