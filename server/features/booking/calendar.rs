//! `GET /bookings/{id}/calendar.ics`: a booked table for the phone's calendar (RFC 5545).

use axum::{
    extract::Path,
    http::header,
    response::{IntoResponse as _, Response},
};
use time::{OffsetDateTime, macros::format_description};

use super::{STAY, load::bookings};
use crate::{error::Error, web::visit::Visit};

/// Bytes of a line.
const LONGEST_LINE: usize = 73;

/// The file of a table of this guest; not found for another guest's.
///
/// # Errors
/// Not found for another guest's booking, the upstream's failure when it does not answer.
pub async fn calendar(visit: Visit, Path(id): Path<String>) -> Result<Response, Error> {
    let own = bookings(&visit).await?;
    let booking = own
        .into_iter()
        .find(|booking| booking.id.as_str() == id)
        .ok_or(Error::NotFound("page"))?;
    let at = booking.at.utc().ok_or(Error::NotFound("page"))?;
    let (mut name, mut address) = (String::new(), String::new());
    if let Some(venue_id) = booking.venue
        && let Ok(venue) = visit
            .app
            .upstream
            .venue(&visit.caller(None), venue_id, None)
            .await
    {
        name.clone_from(&venue.location.name);
        address.clone_from(&venue.location.address);
    }
    let host = visit.origin.split("://").last().unwrap_or_default();
    let lines = [
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//Dastarkhan//Booking//EN".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{id}@{host}"),
        format!("DTSTAMP:{}", stamp(visit.now)),
        format!("DTSTART:{}", stamp(at)),
        format!("DTEND:{}", stamp(at + STAY)),
        format!("SUMMARY:{}", escaped(&name)),
        format!("LOCATION:{}", escaped(&format!("{name}, {address}"))),
        "END:VEVENT".to_owned(),
        "END:VCALENDAR".to_owned(),
    ];
    let text: String = lines.iter().map(|line| folded(line)).collect();
    Ok((
        [
            (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
            (
                header::CONTENT_DISPOSITION,
                r#"attachment; filename="booking.ics""#,
            ),
            (header::CACHE_CONTROL, "private, no-store"),
        ],
        text,
    )
        .into_response())
}

fn stamp(at: i64) -> String {
    OffsetDateTime::from_unix_timestamp(at.div_euclid(1000))
        .ok()
        .and_then(|at| {
            at.format(format_description!(
                "[year][month][day]T[hour][minute][second]Z"
            ))
            .ok()
        })
        .unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace(';', "\\;")
        .replace(',', "\\,")
        .replace(['\r', '\n'], " ")
}

/// Lines are at most 75 bytes long; the rest goes on behind a space.
fn folded(line: &str) -> String {
    let mut folded = String::new();
    let mut length = 0;
    for letter in line.chars() {
        if length + letter.len_utf8() > LONGEST_LINE {
            folded.push_str("\r\n ");
            length = 1;
        }
        folded.push(letter);
        length += letter.len_utf8();
    }
    folded.push_str("\r\n");
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_venue_is_called_can_not_add_a_line() {
        assert_eq!(
            escaped("A, B; C\\D\r\nX-EVIL:1"),
            "A\\, B\\; C\\\\D  X-EVIL:1"
        );
        let long = folded(&"қ".repeat(100));
        assert!(long.split("\r\n").all(|line| line.len() <= 75));
        assert_eq!(long.replace("\r\n ", "").trim_end(), "қ".repeat(100));
    }
}
