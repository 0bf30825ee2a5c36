//! Codes, tracks and tokens.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::{OptionalExtension, Transaction, params};
use sha2::{Digest, Sha256};

use super::unauthorized;
use crate::ids::unguessable;
use crate::refusal::Refusal;

/// The code that every test phone gets.
pub(crate) const PHONE_CODE: &str = "1234";
/// How long a token holds, milliseconds.
pub(crate) const TOKEN_LASTS: i64 = 3600 * 1000;
const CODE_LASTS: i64 = 5 * 60 * 1000;
const TRACK_LASTS: i64 = 24 * 3600 * 1000;

/// What a code is bound to.
pub(crate) struct Request<'a> {
    pub(crate) client_id: &'a str,
    pub(crate) redirect_uri: &'a str,
    pub(crate) challenge: Option<&'a str>,
}

/// A code for this account, once usable.
pub(crate) fn code(
    db: &Transaction<'_>,
    user: i64,
    request: &Request<'_>,
    now: i64,
) -> Result<String, Refusal> {
    let code = unguessable("c_");
    db.prepare_cached(
        "INSERT INTO oauth_codes (code, user_id, client_id, redirect_uri, challenge, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        code,
        user,
        request.client_id,
        request.redirect_uri,
        request.challenge,
        now + CODE_LASTS
    ])?;
    Ok(code)
}

/// The account of a code. A code that is used twice takes its tokens with it.
pub(crate) fn redeem(
    db: &Transaction<'_>,
    code: &str,
    client_id: &str,
    redirect_uri: &str,
    verifier: Option<&str>,
    now: i64,
) -> Result<Option<i64>, Refusal> {
    type Found = (i64, String, String, Option<String>, i64, bool);
    let found: Option<Found> = db
        .prepare_cached(
            "SELECT user_id, client_id, redirect_uri, challenge, expires_at, used FROM oauth_codes WHERE code = ?1",
        )?
        .query_row([code], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
        })
        .optional()?;
    let Some((user, client, uri, challenge, expires_at, used)) = found else {
        return Ok(None);
    };
    if used {
        db.execute("DELETE FROM tokens WHERE user_id = ?1", [user])?;
        return Ok(None);
    }
    db.execute("UPDATE oauth_codes SET used = 1 WHERE code = ?1", [code])?;
    let proved = match challenge {
        None => true,
        Some(challenge) => verifier.is_some_and(|verifier| challenge_of(verifier) == challenge),
    };
    let fits = client == client_id && uri == redirect_uri && expires_at > now && proved;
    Ok(fits.then_some(user))
}

/// A track of this account: another place may sign in with it.
pub(crate) fn track(db: &Transaction<'_>, user: i64, now: i64) -> Result<String, Refusal> {
    let track = unguessable("tr_");
    db.prepare_cached("INSERT INTO tracks (id, user_id, expires_at) VALUES (?1, ?2, ?3)")?
        .execute(params![track, user, now + TRACK_LASTS])?;
    Ok(track)
}

/// The account of a track.
pub(crate) fn of_track(db: &Transaction<'_>, track: &str, now: i64) -> Result<i64, Refusal> {
    let found = db
        .prepare_cached("SELECT user_id FROM tracks WHERE id = ?1 AND expires_at > ?2")?
        .query_row(params![track, now], |row| row.get(0))
        .optional()?;
    found.ok_or_else(unauthorized)
}

/// A new token of this account.
pub(crate) fn token(db: &Transaction<'_>, user: i64, now: i64) -> Result<String, Refusal> {
    let token = unguessable("at_");
    db.prepare_cached("INSERT INTO tokens (token, user_id, expires_at) VALUES (?1, ?2, ?3)")?
        .execute(params![token, user, now + TOKEN_LASTS])?;
    Ok(token)
}

/// The S256 challenge of a verifier.
pub(crate) fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_standard() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert_eq!(
            challenge_of(verifier),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }
}
