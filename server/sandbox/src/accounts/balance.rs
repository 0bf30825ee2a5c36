//! What bonuses and points come to: levels, cashback, and what gives or takes them.

use rusqlite::Transaction;
use serde_json::{Value, json};

use super::user::User;
use crate::model::Lang;
use crate::refusal::Refusal;

/// At most this part of the goods may be paid with bonuses.
pub(crate) const MOST_BONUS_PERCENT: i64 = 30;

/// Names in Kazakh, Russian, English and Georgian, points from which it holds, percent of cashback.
const LEVELS: [([&str; 4], i64, i64); 3] = [
    (["Қонақ", "Гость", "Guest", "სტუმარი"], 0, 3),
    (["Дос", "Друг", "Friend", "მეგობარი"], 5, 7),
    (["Отбасы", "Семья", "Family", "ოჯახი"], 15, 10),
];

/// The level that the points reach.
pub(crate) fn level(user: &User, lang: Option<Lang>) -> Value {
    let index = reached(user.points);
    level_at(index, lang)
}

/// Gives cashback and points; both may be taken back by negative ones.
pub(crate) fn give(
    db: &Transaction<'_>,
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

/// All levels, the lowest first.
pub(crate) fn levels(lang: Option<Lang>) -> Vec<Value> {
    (0..LEVELS.len())
        .map(|index| level_at(index, lang))
        .collect()
}

fn level_at(index: usize, lang: Option<Lang>) -> Value {
    let (names, from, percent) = LEVELS.get(index).copied().unwrap_or((["?"; 4], 0, 0));
    let [kk, ru, en, ka] = names;
    let name = match lang {
        Some(Lang::Kk) | None => kk,
        Some(Lang::Ru) => ru,
        Some(Lang::En) => en,
        Some(Lang::Ka) => ka,
    };
    json!({
        "name": name,
        "points": from,
        "cashback_percentage": percent,
        "next_points": LEVELS.get(index + 1).map(|(_, from, _)| from),
    })
}
