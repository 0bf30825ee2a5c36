//! Reviews and tips.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use rusqlite::params;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, data, page};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::clock::iso;
use crate::money::hundredths;
use crate::openapi::schema::{self, integer, number, object, one_of_texts, reference, text};
use crate::openapi::{Api, Operation};
use crate::orders::place::unguessable;
use crate::orders::rules::short;
use crate::params::Params;
use crate::payments::{self, Page};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let review = || {
        object(&[
            ("id", integer()),
            ("rating", integer()),
            ("text", text()),
            ("author", text()),
            ("created_at", text()),
        ])
    };
    let tips = object(&[
        ("filial_id", integer()),
        ("sum", number()),
        ("success_url", text()),
        ("failure_url?", text()),
        ("method?", one_of_texts(&["card", "qr"])),
    ]);
    api.add(
        Operation::get(
            "/reviews/v1/reviews",
            "reviews",
            "The reviews of a venue, the newest first",
        )
        .required("filial_id", integer())
        .query("page", integer())
        .query("limit", integer())
        .answers(200, schema::paged(review()))
        .refuses(&[400, 404]),
        get(reviews).post(write_review),
    )
    .describe(
        Operation::post("/reviews/v1/reviews", "writeReview", "Writes a review")
            .body(object(&[
                ("filial_id", integer()),
                ("rating", integer()),
                ("text?", text()),
            ]))
            .answers(201, schema::data(review()))
            .refuses(&[400, 401, 404]),
    )
    .add(
        Operation::post("/tips/v1/tips", "tips", "Tips for the waiter of a venue")
            .body(tips)
            .answers(201, schema::data(reference("Payment")))
            .refuses(&[400, 404]),
        post(give_tips),
    )
}

async fn reviews(State(app): State<App>, params: Params) -> Answer {
    let venue = app.place(params.required_int("filial_id")?)?.venue.id;
    let found: Vec<Value> = app
        .store
        .read(move |db| {
            let mut statement = db.prepare_cached(
                "SELECT r.id, r.rating, r.text, u.name, r.created_at FROM reviews r JOIN users u ON u.id = r.user_id
                 WHERE r.venue_id = ?1 ORDER BY r.id DESC LIMIT 1000",
            )?;
            let found = statement.query_map([venue], |row| {
                Ok(json!({
                    "id": row.get::<_, i64>(0)?, "rating": row.get::<_, i64>(1)?,
                    "text": row.get::<_, String>(2)?, "author": row.get::<_, String>(3)?,
                    "created_at": iso(row.get(4)?),
                }))
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await?;
    page(&params, &found, Value::clone)
}

#[derive(Deserialize)]
struct ReviewBody {
    filial_id: i64,
    rating: i64,
    #[serde(default)]
    text: Option<String>,
}

async fn write_review(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<ReviewBody>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    let user = app.signed_in(&caller).await?;
    let venue = app.place(body.filial_id)?.venue.id;
    if !(1..=5).contains(&body.rating) {
        return Err(Refusal::bad("rating must be from 1 to 5"));
    }
    let text = short(body.text.as_deref(), "text", 2000)?;
    let (now, author) = (app.clock.now(), user.name.clone());
    let saved = text.clone();
    let id = app
        .store
        .write(move |db| {
            db.execute(
                "INSERT INTO reviews (venue_id, user_id, rating, text, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![venue, user.id, body.rating, saved, now],
            )?;
            Ok(db.last_insert_rowid())
        })
        .await?;
    let wire = json!({"id": id, "rating": body.rating, "text": text, "author": author, "created_at": iso(now)});
    Ok((StatusCode::CREATED, data(wire)?))
}

#[derive(Deserialize)]
struct TipsBody {
    filial_id: i64,
    sum: f64,
    success_url: String,
    #[serde(default)]
    failure_url: Option<String>,
    #[serde(default)]
    method: Option<String>,
}

async fn give_tips(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<TipsBody>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    let place = app.place(body.filial_id)?;
    let sum = hundredths(body.sum).filter(|sum| *sum > 0);
    let sum = sum.ok_or_else(|| Refusal::bad("sum must be a sum above 0"))?;
    let failure = body.failure_url.as_deref().unwrap_or(&body.success_url);
    let method = body.method.as_deref().unwrap_or("card");
    let page = Page::new(
        &app,
        &place.country.meta.money,
        method,
        &body.success_url,
        failure,
    )?;
    let now = app.clock.now();
    let payment = app
        .store
        .write(move |db| payments::open(db, &page.request("tips", &unguessable("t_"), sum), now))
        .await?;
    Ok((StatusCode::CREATED, data(payment.wire(&caller.base))?))
}
