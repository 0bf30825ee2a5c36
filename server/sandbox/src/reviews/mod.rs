//! What guests say of venues. A moderator reads new ones first: ten minutes later one is published,
//! or refused when it leads to other sites. A control does so at once.

pub(crate) mod calls;
mod language;
mod tally;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde_json::{Value, json};

use crate::clock::iso;
use crate::model;
use crate::refusal::Refusal;

/// What becomes of a review.
pub(crate) const STATES: [&str; 3] = ["pending", "published", "refused"];
/// What can be wrong with one.
pub(crate) const REASONS: [&str; 4] = ["spam", "insult", "personal", "off_topic"];
/// The moderator has read it after so long, milliseconds.
const READ_AFTER: i64 = 10 * 60 * 1000;

const COLUMNS: &str = "r.id, CASE WHEN u.deleted_at IS NULL THEN u.name ELSE '' END, r.language, r.rating, r.text, \
     r.state, r.created_at";

/// One review as it is now.
pub(crate) struct Review {
    pub(crate) id: i64,
    /// First name; nothing of a guest who has told none, or who has left.
    author: String,
    language: String,
    rating: i64,
    text: String,
    pub(crate) state: &'static str,
    created_at: i64,
    /// It is of the catalogue.
    is_seeded: bool,
}

/// What a guest wants to say.
struct Draft<'a> {
    venue: i64,
    user: i64,
    language: &'static str,
    rating: i64,
    text: &'a str,
    key: Option<&'a str>,
}

impl Review {
    fn read(row: &Row<'_>, now: i64) -> rusqlite::Result<Review> {
        let (text, created_at): (String, i64) = (row.get(4)?, row.get(6)?);
        Ok(Review {
            id: row.get(0)?,
            author: row.get(1)?,
            language: row.get(2)?,
            rating: row.get(3)?,
            state: state_at(&row.get::<_, String>(5)?, &text, created_at, now),
            text,
            created_at,
            is_seeded: false,
        })
    }

    fn seeded(review: &model::Review) -> Review {
        Review {
            id: review.id,
            author: review.author.clone(),
            language: review.language.code().to_owned(),
            rating: review.rating,
            text: review.text.clone(),
            state: "published",
            created_at: review.created_at,
            is_seeded: true,
        }
    }

    fn wire(&self) -> Value {
        json!({
            "id": self.id, "rating": self.rating, "text": self.text, "author": self.author,
            "language": self.language, "state": self.state, "created_at": iso(self.created_at),
        })
    }
}

/// What was set by hand, else what the moderator has made of it by now.
fn state_at(set: &str, text: &str, created_at: i64, now: i64) -> &'static str {
    let leads_away = ["http://", "https://", "www."]
        .iter()
        .any(|mark| text.to_lowercase().contains(mark));
    match set {
        "published" => "published",
        "refused" => "refused",
        _ if now < created_at.saturating_add(READ_AFTER) => "pending",
        _ if leads_away => "refused",
        _ => "published",
    }
}

/// All that guests of the sandbox have written of a venue, in any state.
fn written(db: &Connection, venue: i64, now: i64) -> Result<Vec<Review>, Refusal> {
    let query = format!(
        "SELECT {COLUMNS} FROM reviews r JOIN users u ON u.id = r.user_id WHERE r.venue_id = ?1 ORDER BY r.id"
    );
    let mut statement = db.prepare_cached(&query)?;
    let found = statement.query_map([venue], |row| Review::read(row, now))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// What one guest has written of a venue.
fn own(db: &Connection, venue: i64, user: i64, now: i64) -> Result<Option<Review>, Refusal> {
    let query = format!(
        "SELECT {COLUMNS} FROM reviews r JOIN users u ON u.id = r.user_id WHERE r.venue_id = ?1 AND r.user_id = ?2"
    );
    let mut statement = db.prepare_cached(&query)?;
    let found = statement.query_row([venue, user], |row| Review::read(row, now));
    Ok(found.optional()?)
}

/// Puts a review in the place of the guest's one before. The same key again is the same work.
fn put(db: &Transaction<'_>, draft: &Draft<'_>, now: i64) -> Result<Review, Refusal> {
    let owner = params![draft.venue, draft.user];
    let known = "SELECT key FROM reviews WHERE venue_id = ?1 AND user_id = ?2";
    let known: Option<Option<String>> = db
        .prepare_cached(known)?
        .query_row(owner, |row| row.get(0))
        .optional()?;
    let is_again = draft.key.is_some() && known.flatten().as_deref() == draft.key;
    if !is_again {
        remove(db, draft.venue, draft.user)?;
        db.prepare_cached(
            "INSERT INTO reviews (venue_id, user_id, language, rating, text, key, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            draft.venue,
            draft.user,
            draft.language,
            draft.rating,
            draft.text,
            draft.key,
            now
        ])?;
    }
    own(db, draft.venue, draft.user, now)?.ok_or_else(not_found)
}

/// Takes a guest's review away, with its reports. False: it does not exist.
fn remove(db: &Transaction<'_>, venue: i64, user: i64) -> Result<bool, Refusal> {
    let owner = params![venue, user];
    db.prepare_cached(
        "DELETE FROM review_reports WHERE review_id IN
         (SELECT id FROM reviews WHERE venue_id = ?1 AND user_id = ?2)",
    )?
    .execute(owner)?;
    let gone = db
        .prepare_cached("DELETE FROM reviews WHERE venue_id = ?1 AND user_id = ?2")?
        .execute(owner)?;
    Ok(gone > 0)
}

/// How many have told that something is wrong with a review.
pub(crate) fn reports(db: &Connection, review: i64) -> Result<i64, Refusal> {
    let query = "SELECT count(*) FROM review_reports WHERE review_id = ?1";
    Ok(db
        .prepare_cached(query)?
        .query_row([review], |row| row.get(0))?)
}

/// The newest that waits for the moderator, for the page of the controls.
pub(crate) fn newest_pending(db: &Connection) -> Result<Option<i64>, Refusal> {
    let query = "SELECT max(id) FROM reviews WHERE state = 'pending'";
    Ok(db.prepare_cached(query)?.query_row([], |row| row.get(0))?)
}

/// Sets the status of a review. False: no review of that name was written here.
pub(crate) fn set_state(db: &Transaction<'_>, review: i64, state: &str) -> Result<bool, Refusal> {
    let changed = db
        .prepare_cached("UPDATE reviews SET state = ?2 WHERE id = ?1")?
        .execute(params![review, state])?;
    Ok(changed > 0)
}

pub(crate) fn not_found() -> Refusal {
    Refusal::not_found("review_not_found", "The review is not known")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moderator_reads_in_ten_minutes_and_publishes_no_advertising() {
        let at = |text, passed| state_at("pending", text, 1000, 1000 + passed);
        assert_eq!(at("Дәмді", READ_AFTER - 1), "pending");
        assert_eq!(at("Дәмді", READ_AFTER), "published");
        assert_eq!(at("Смотри HTTPS://x.example", READ_AFTER), "refused");
        // A hand goes before the time.
        assert_eq!(state_at("refused", "Дәмді", 1000, i64::MAX), "refused");
        assert_eq!(
            state_at("published", "www.x.example", 1000, 1000),
            "published"
        );
    }
}
