//! Balances, levels and the private reward.

use axum::extract::State;
use axum::routing::get;
use serde_json::{Value, json};

use super::{Answer, data};
use crate::accounts::user::User;
use crate::app::App;
use crate::caller::Caller;
use crate::money::major;
use crate::openapi::schema::{
    self, boolean, integer, list, nullable, number, object, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

/// At most this part of the goods may be paid with bonuses.
pub(crate) const MOST_BONUS_PERCENT: i64 = 30;

/// Name, points from which it holds, percent of cashback.
const LEVELS: [(&str, i64, i64); 3] = [("start", 0, 3), ("friend", 5, 7), ("family", 15, 10)];

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get(
            "/ladder-go/api/v1/balance/calculate-info",
            "balanceInfo",
            "The balance with level and rules",
        )
        .answers(
            200,
            schema::data(object(&[
                ("balance", number()),
                ("bonus_kzt", number()),
                ("money_kzt", number()),
                ("level", reference("Level")),
                ("levels", list(reference("Level"))),
                ("expires_in_months", integer()),
                ("is_first_bill", boolean()),
                ("first_bill_percentage", number()),
            ])),
        )
        .refuses(&[401]),
        get(info),
    )
    .add(
        Operation::get("/balance/user", "balance", "The plain balance")
            .answers(
                200,
                schema::data(object(&[("bonus_kzt", number()), ("money_kzt", number())])),
            )
            .refuses(&[401]),
        get(plain),
    )
    .add(
        Operation::get(
            "/private-reward/api/v1/balance",
            "privateReward",
            "The reward of one venue",
        )
        .required("filial_id", integer())
        .answers(
            200,
            schema::data(object(&[
                ("balance", number()),
                ("available_balance", number()),
                ("cashback_amount", number()),
                ("cashback_used_balance", number()),
                ("max_bonus_usage_percentage", number()),
            ])),
        )
        .refuses(&[400, 401, 404]),
        get(private_reward),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let level = object(&[
        ("name", text()),
        ("points", integer()),
        ("cashback_percentage", number()),
        ("next_points", nullable(integer())),
    ]);
    vec![("Level", level)]
}

/// The level that the points reach.
pub(crate) fn level(user: &User) -> Value {
    let index = reached(user.points);
    level_at(index)
}

/// Gives cashback and points; both may be taken back by negative ones.
pub(crate) fn give(
    db: &rusqlite::Transaction<'_>,
    user: i64,
    bonus: i64,
    points: i64,
) -> Result<(), Refusal> {
    db.prepare_cached(
        "UPDATE users SET bonus = MAX(bonus + ?2, 0), points = MAX(points + ?3, 0) WHERE id = ?1",
    )?
    .execute([user, bonus, points])?;
    Ok(())
}

/// The percent of cashback of an account.
pub(crate) fn cashback_percent(points: i64) -> i64 {
    LEVELS
        .get(reached(points))
        .map_or(0, |(_, _, percent)| *percent)
}

fn reached(points: i64) -> usize {
    LEVELS
        .iter()
        .rposition(|(_, from, _)| points >= *from)
        .unwrap_or(0)
}

fn level_at(index: usize) -> Value {
    let (name, from, percent) = LEVELS.get(index).copied().unwrap_or(("start", 0, 0));
    json!({
        "name": name,
        "points": from,
        "cashback_percentage": percent,
        "next_points": LEVELS.get(index + 1).map(|(_, from, _)| from),
    })
}

async fn info(State(app): State<App>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let id = user.id;
    let paid: i64 = app
        .store
        .read(move |db| {
            let query =
                "SELECT COUNT(*) FROM bill_payments WHERE user_id = ?1 AND status = 'succeeded'";
            Ok(db.query_row(query, [id], |row| row.get(0))?)
        })
        .await?;
    data(json!({
        "balance": major(user.bonus + user.money),
        "bonus_kzt": major(user.bonus),
        "money_kzt": major(user.money),
        "level": level(&user),
        "levels": (0..LEVELS.len()).map(level_at).collect::<Vec<_>>(),
        "expires_in_months": 12,
        "is_first_bill": paid == 0,
        "first_bill_percentage": 10,
    }))
}

async fn plain(State(app): State<App>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    data(json!({"bonus_kzt": major(user.bonus), "money_kzt": major(user.money)}))
}

/// Venues without a reward of their own answer 404: the plain balance stays.
async fn private_reward(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let place = app.place(params.required_int("filial_id")?)?;
    if !place.venue.private_reward {
        let title = "This venue has no reward of its own";
        return Err(Refusal::not_found("reward_not_found", title));
    }
    data(json!({
        "balance": major(user.bonus),
        "available_balance": major(user.bonus),
        "cashback_amount": cashback_percent(user.points),
        "cashback_used_balance": 0,
        "max_bonus_usage_percentage": MOST_BONUS_PERCENT,
    }))
}
