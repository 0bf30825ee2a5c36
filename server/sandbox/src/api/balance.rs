//! Balances, levels and the private reward.

use axum::extract::State;
use axum::routing::get;
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::accounts::balance::{MOST_BONUS_PERCENT, cashback_percent, level, levels};
use crate::answer::{Answer, data};
use crate::app::App;
use crate::caller::Caller;
use crate::clock::iso;
use crate::money::major;
use crate::openapi::schema::{
    self, boolean, integer, list, nullable, number, object, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

/// Bonuses are gone so long after the last transaction.
const MONTHS: i64 = 12;

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
                ("points", integer()),
                ("level", reference("Level")),
                ("levels", list(reference("Level"))),
                ("expires_in_months", integer()),
                ("expires_at", nullable(text())),
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

async fn info(State(app): State<App>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let id = user.id;
    let (paid, last): (i64, i64) = app
        .store
        .read(move |db| {
            let query = "SELECT (SELECT COUNT(*) FROM bill_payments WHERE user_id = ?1 AND status = 'succeeded'),
                 (SELECT MAX(at) FROM (
                     SELECT created_at AS at FROM users WHERE id = ?1
                     UNION ALL SELECT created_at FROM orders
                         WHERE user_id = ?1 AND held = 0 AND (cashback > 0 OR bonus_sum > 0)
                     UNION ALL SELECT created_at FROM bill_payments
                         WHERE user_id = ?1 AND status = 'succeeded' AND (cashback > 0 OR bonus > 0)))";
            Ok(db.query_row(query, [id], |row| Ok((row.get(0)?, row.get(1)?)))?)
        })
        .await?;
    data(json!({
        "balance": major(user.bonus + user.money),
        "bonus_kzt": major(user.bonus),
        "money_kzt": major(user.money),
        "points": user.points,
        "level": level(&user, caller.lang),
        "levels": levels(caller.lang),
        "expires_in_months": MONTHS,
        "expires_at": (user.bonus > 0).then(|| iso(months_after(last))),
        "is_first_bill": paid == 0,
        "first_bill_percentage": 10,
    }))
}

/// The same day of the year after; of a leap day the one before it.
fn months_after(millis: i64) -> i64 {
    let Ok(moment) = OffsetDateTime::from_unix_timestamp(millis.div_euclid(1000)) else {
        return millis;
    };
    let year = moment.year() + i32::try_from(MONTHS / 12).unwrap_or(1);
    let day_before = || moment.replace_day(28)?.replace_year(year);
    let later = moment.replace_year(year).or_else(|_| day_before());
    later.map_or(millis, |later| later.unix_timestamp() * 1000)
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
