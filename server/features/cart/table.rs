//! The table of a cart: its number typed by the guest, where the venue allows it (FL-07), and the way back to it.

use crate::{
    error::Error,
    features::mapping,
    state::{carts::UNDO, clock::millis},
    upstream::VenueId,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome},
        },
        session::{MenuTemp, Source, Table},
        visit::Visit,
    },
};

/// The guest goes back to the table of this venue that a code of another one has taken its place of: the way back from that
/// code, for as long as any other (FL-06). Later the guest may sit anywhere, and the cart asks for the table.
pub(super) async fn sit_again(visit: &Visit, venue: u64) -> Result<(), Error> {
    let (mut seats, now) = tokio::join!(visit.sess.seats_before(), visit.sess.menu_temp());
    seats.retain(|seat| lasts(seat.at, visit.now, visit.app.config.table_seconds));
    let Some(at) = seats.iter().position(|seat| seat.temp.venue_id == venue) else {
        return Ok(());
    };
    if now
        .as_ref()
        .is_some_and(|now| now.is_kiosk() || now.venue_id == venue)
    {
        return Ok(());
    }
    let seat = seats.remove(at);
    visit.sess.set_seats_before(&seats).await?;
    visit.sess.leave_table_for(venue, visit.now).await?;
    visit.sess.set_menu_temp(Some(&seat.temp)).await?;
    visit.sess.set_scanned_venues(&seat.scanned).await?;
    visit.sess.sit(visit.now).await?;
    Ok(())
}

/// Whether the guest may still go back to a table that was left at a time, of a product whose tables last so many seconds.
fn lasts(left: i64, now: i64, table_seconds: u32) -> bool {
    // No longer than a table itself, of which nothing is heard.
    let longest = millis(UNDO).min(i64::from(table_seconds) * 1000);
    now < left.saturating_add(longest)
}

/// Binds the table that the guest has typed, if the venue allows typing and has such a table.
///
/// # Errors
/// When the upstream or the store does not answer.
pub async fn type_table(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let refused = |code: ErrorCode| {
        let error = FieldError::new("table", code);
        Ok(Outcome::refused(&form, form.back(), vec![error]))
    };
    let Some(venue_id) = form.parse::<VenueId>("filial") else {
        return Ok(Outcome::refused_form(
            &form,
            form.back(),
            ErrorCode::BadInput,
        ));
    };
    let Some(number) = form.get("table") else {
        return refused(ErrorCode::Required);
    };
    let caller = visit.caller(None);
    let (venue, known) = tokio::join!(
        visit.app.upstream.venue(&caller, venue_id, None),
        visit.app.upstream.tables(&caller, venue_id)
    );
    let (venue, known) = (venue?, known?);
    if !venue.table_number_allowed {
        return refused(ErrorCode::TableRequired);
    }
    let Some(table) = known
        .tables
        .iter()
        .find(|table| table.number.eq_ignore_ascii_case(number))
    else {
        return refused(ErrorCode::NoSuchTable);
    };
    let temp = visit.sess.menu_temp().await;
    if temp
        .as_ref()
        .is_some_and(|temp| temp.is_kiosk() && temp.venue_id != venue_id.0)
    {
        // A guest at another venue's table does not order here.
        return refused(ErrorCode::TableRequired);
    }
    // How the guest came to this venue stays what it was; one who has just walked in typed what stands on the table.
    let source = temp
        .filter(|temp| temp.venue_id == venue_id.0)
        .map(|temp| temp.source);
    let bound = MenuTemp {
        source: source.unwrap_or(Source::Qr),
        venue_id: venue_id.0,
        table: Some(Table {
            id: table.id.as_str().to_owned(),
            number: table.number.clone(),
            main_venue_id: venue
                .main_venue_id
                .map(|id| id.to_string())
                .unwrap_or_default(),
            typed: true,
        }),
        venue_name: venue.location.name.clone(),
    };
    visit.sess.sit(visit.now).await?;
    visit.sess.leave_table_for(venue_id.0, visit.now).await?;
    visit.sess.set_menu_temp(Some(&bound)).await?;
    visit
        .sess
        .set_scanned_venues(&mapping::linked_with(&venue))
        .await?;
    Ok(Outcome::go(form.to()))
}

#[cfg(test)]
mod tests {
    use super::lasts;

    #[test]
    fn the_way_back_to_a_table_lasts_as_long_as_any_other_and_no_longer_than_a_table() {
        let minute = 60_000;
        for (left, table_seconds, expected) in [
            (1, 3 * 3600, true),
            (10 * minute - 1, 3 * 3600, true),
            (10 * minute, 3 * 3600, false),
            (999, 1, true),
            (1000, 1, false),
        ] {
            let is_there = lasts(7, 7 + left, table_seconds);
            assert_eq!(is_there, expected, "{left} ms of {table_seconds} s");
        }
    }
}
