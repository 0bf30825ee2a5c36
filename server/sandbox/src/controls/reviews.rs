//! The moderator of reviews as a control.

use axum::extract::State;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::done;
use crate::answer::{Answer, data, ok};
use crate::app::App;
use crate::body::Json;
use crate::openapi::schema::{self, integer, list, object, one_of_texts};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;
use crate::reviews::{self, STATES};

pub(crate) fn routes(api: Api) -> Api {
    let known = object(&[
        ("id", integer()),
        ("state", one_of_texts(&STATES)),
        ("reports", integer()),
    ]);
    api.add(
        Operation::post(
            "/_sandbox/api/review",
            "moderateReview",
            "Publishes or refuses a review that a guest has written",
        )
        .body(object(&[
            ("review_id", integer()),
            ("state", one_of_texts(&STATES)),
        ]))
        .answers(200, done())
        .refuses(&[400, 404]),
        post(moderate),
    )
    .add(
        Operation::get(
            "/_sandbox/api/reviews",
            "moderatedReviews",
            "All reviews of a venue with their state, and how many have reported them",
        )
        .required("filial_id", integer())
        .answers(200, schema::data(list(known)))
        .refuses(&[400, 404]),
        get(all),
    )
}

#[derive(Deserialize)]
pub(super) struct ModerateBody {
    review_id: i64,
    state: String,
}

pub(super) async fn moderate(State(app): State<App>, Json(body): Json<ModerateBody>) -> Answer {
    if !STATES.contains(&body.state.as_str()) {
        let states = STATES.join(", ");
        return Err(Refusal::bad(format!("state must be one of {states}")));
    }
    let known = app
        .store
        .write(move |db| reviews::set_state(db, body.review_id, &body.state))
        .await?;
    if known {
        ok()
    } else {
        Err(reviews::not_found())
    }
}

async fn all(State(app): State<App>, params: Params) -> Answer {
    let venue = app.place(params.required_int("filial_id")?)?.venue;
    let all = app.reviews_of(venue).await?;
    let listed = app
        .store
        .read(move |db| {
            all.iter()
                .map(|review| {
                    let reports = reviews::reports(db, review.id)?;
                    Ok(json!({"id": review.id, "state": review.state, "reports": reports}))
                })
                .collect::<Result<Vec<Value>, Refusal>>()
        })
        .await?;
    data(listed.into())
}
