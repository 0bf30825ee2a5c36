//! One account.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::refusal::Refusal;

/// Deleted accounts can be restored this long.
pub(crate) const RESTORABLE: i64 = 90 * 24 * 3600 * 1000;
/// What a new account starts with, hundredths.
const WELCOME_BONUS: i64 = 50_000;

/// An account.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) id: i64,
    pub(crate) phone: String,
    pub(crate) name: String,
    pub(crate) second_name: String,
    pub(crate) bday: Option<String>,
    pub(crate) gender: Option<String>,
    pub(crate) language: String,
    pub(crate) has_avatar: bool,
    pub(crate) bonus: i64,
    pub(crate) money: i64,
    pub(crate) points: i64,
    pub(crate) chat: Option<String>,
    pub(crate) deleted_at: Option<i64>,
}

const COLUMNS: &str = "id, phone, name, second_name, bday, gender, language, avatar IS NOT NULL, bonus, \
     money, points, chat, deleted_at";

/// The account of a token that still holds.
pub(crate) fn of_token(db: &Connection, token: &str, now: i64) -> Result<Option<User>, Refusal> {
    let query = format!(
        "SELECT {COLUMNS} FROM users WHERE id = (SELECT user_id FROM tokens WHERE token = ?1 AND expires_at > ?2)"
    );
    Ok(db
        .prepare_cached(&query)?
        .query_row(params![token, now], User::from_row)
        .optional()?)
}

/// The account of a phone; made when it is missing or can't be restored any more.
pub(crate) fn of_phone(db: &Transaction<'_>, phone: &str, now: i64) -> Result<User, Refusal> {
    db.prepare_cached("DELETE FROM users WHERE phone = ?1 AND deleted_at < ?2")?
        .execute(params![phone, now - RESTORABLE])?;
    db.prepare_cached(
        "INSERT INTO users (phone, bonus, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    )?
    .execute(params![phone, WELCOME_BONUS, now])?;
    let query = format!("SELECT {COLUMNS} FROM users WHERE phone = ?1");
    Ok(db
        .prepare_cached(&query)?
        .query_row([phone], User::from_row)?)
}

/// A phone as digits behind a plus; `None` when it is invalid.
pub(crate) fn phone(text: &str) -> Option<String> {
    let sensible = text
        .chars()
        .all(|c| c.is_ascii_digit() || " +-()".contains(c));
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    (sensible && (10..=15).contains(&digits.len())).then(|| format!("+{digits}"))
}

impl User {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<User> {
        Ok(User {
            id: row.get(0)?,
            phone: row.get(1)?,
            name: row.get(2)?,
            second_name: row.get(3)?,
            bday: row.get(4)?,
            gender: row.get(5)?,
            language: row.get(6)?,
            has_avatar: row.get(7)?,
            bonus: row.get(8)?,
            money: row.get(9)?,
            points: row.get(10)?,
            chat: row.get(11)?,
            deleted_at: row.get(12)?,
        })
    }
}
