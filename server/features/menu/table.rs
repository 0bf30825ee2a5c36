//! Table links: what a QR code on a table leads to (RT-08, RT-09, FL-06 to FL-08, FL-20, FL-22).

use std::collections::BTreeMap;

use crate::{
    error::Error,
    features::{
        analytics::{self, Cleared},
        cart_view, kiosk, mapping,
    },
    upstream::{Branch, TableId, Venue, VenueId},
    web::{
        change::outcome::{Flash, Notice},
        session::{MenuTemp, Source, Table},
        visit::{self, Visit},
    },
};

/// The three values that a table QR carries; with one missing it is no table link.
pub(super) struct Link {
    source: Option<Source>,
    /// Whose table it is, as the code says.
    venue: String,
    table: TableId,
    main_venue: VenueId,
    query: String,
}

impl Link {
    /// The table link of a request, if it is one.
    pub(super) async fn of(visit: &Visit) -> Option<Self> {
        Some(Self {
            source: source_of(visit).await,
            venue: visit.query_value("filial_id")?.to_owned(),
            query: visit.raw_query.clone()?,
            table: visit.query_value("table_id")?.parse().ok()?,
            main_venue: visit.query_value("main_terminal_id")?.parse().ok()?,
        })
    }

    /// Asks the branch; a failure is ignored (RT-09).
    pub(super) async fn check(&self, visit: &Visit, venue: VenueId) -> Option<Branch> {
        // Known only to guests who have told where they are; the check does without it (RT-10).
        let caller = visit.caller(visit.near());
        match visit
            .app
            .upstream
            .branch(&caller, venue, Some(&self.table), Some(self.main_venue))
            .await
        {
            Ok(branch) => Some(branch.value().as_ref().clone()),
            Err(error) => {
                tracing::warn!(
                    class = error.class(),
                    "The branch check failed, the menu opens without it"
                );
                None
            }
        }
    }

    /// The table of the code as the session keeps it.
    fn seat(&self, venue: &Venue, number: String) -> MenuTemp {
        MenuTemp {
            source: believed(self.source.unwrap_or(Source::Qr), venue),
            venue_id: venue.location.venue_id.0,
            table: Some(Table {
                id: self.table.as_str().to_owned(),
                number,
                main_venue_id: self.main_venue.to_string(),
                typed: false,
            }),
            venue_name: venue.location.name.clone(),
        }
    }

    /// A guest led to the bill sits at its table: the menu and the thanks after it are of this one. Another venue's
    /// cart stays; the menu asks about it when something is added.
    pub(super) async fn sit_down(
        &self,
        visit: &Visit,
        venue: &Venue,
        branch: &Branch,
    ) -> Result<(), Error> {
        let Some(table) = &branch.table else {
            return Ok(());
        };
        seat(visit, venue, &self.seat(venue, table.number.clone())).await?;
        Ok(())
    }

    /// The bill with the same query, whatever else stands in it (RT-08).
    pub(super) fn bill(&self, venue: VenueId) -> String {
        format!("/filials/{venue}/bill?{}", self.query)
    }

    /// Whether the code is of this venue, or of one that is linked with it (FL-08).
    fn is_of(&self, venue: &Venue) -> bool {
        let named = self.venue.parse();
        named.is_ok_and(|named| mapping::linked_with(venue).contains(&named))
    }

    /// Binds the table to the session. Another venue's cart is emptied (FL-06) and waits aside, of which its pages tell;
    /// a closed venue takes no order in its place. The same table again changes nothing (FL-22); a table that the venue
    /// does not know is not bound (FL-20).
    pub(super) async fn bind(
        &self,
        visit: &Visit,
        venue: &Venue,
        branch: Option<&Branch>,
        is_open: bool,
    ) -> Result<Option<Flash>, Error> {
        let bound = match branch {
            Some(Branch {
                table: Some(table), ..
            }) => self.seat(venue, table.number.clone()),
            Some(Branch { table: None, .. }) => {
                // The tablet is one all the same.
                if self.source == Some(Source::Tablet) {
                    arrive(visit, venue).await?;
                }
                return Ok(Some(Flash::new(if self.is_of(venue) {
                    Notice::TableUnknown
                } else {
                    Notice::TableElsewhere
                })));
            }
            // The check failed: the venue will say at the order whether it has this table.
            None => {
                let number = self.table.as_str();
                let number = number.trim_start_matches(|letter: char| !letter.is_ascii_digit());
                self.seat(venue, number.to_owned())
            }
        };
        if !seat(visit, venue, &bound).await? || !is_open {
            return Ok(None);
        }
        let Some(cart) = visit.sess.cart().await else {
            return Ok(None);
        };
        let siblings = mapping::siblings(venue);
        let (_, removed) = visit
            .app
            .state
            .carts()
            .update(&cart, |cart| {
                // It may hold dishes of this venue that were chosen for another service (SV-03).
                cart.follow(&siblings, bound.venue_id);
                Ok::<_, std::convert::Infallible>(cart.enter_venue(bound.venue_id, visit.now))
            })
            .await
            .map_err(Error::from_update)?;
        if removed.is_some() {
            analytics::cart_cleared(Cleared::OtherBranch);
        }
        Ok(None)
    }
}

/// Keeps where the guest sits; false: it was known.
async fn seat(visit: &Visit, venue: &Venue, bound: &MenuTemp) -> Result<bool, Error> {
    let known = visit.sess.menu_temp().await;
    visit.sess.sit(visit.now).await?;
    if known.as_ref() == Some(bound) {
        return Ok(false);
    }
    visit
        .sess
        .leave_table_for(bound.venue_id, visit.now)
        .await?;
    visit.sess.note_arrival(visit.now).await?;
    visit.sess.set_menu_temp(Some(bound)).await?;
    visit
        .sess
        .set_scanned_venues(&mapping::linked_with(venue))
        .await?;
    Ok(true)
}

/// Notes how the guest came to the venue, when the address says it without a table: from a stand, a tablet, a fridge or a
/// directory (FL-10). A table of the same venue stays bound. Another venue's is left for a code that stands in this one,
/// and the guest is told; a guest who has only looked around keeps it (ST-07).
pub(super) async fn arrive(visit: &Visit, venue: &Venue) -> Result<Option<Flash>, Error> {
    let Some(source) = source_of(visit).await else {
        return Ok(None);
    };
    let temp = visit.sess.menu_temp().await;
    let here = match &temp {
        Some(temp) => {
            mapping::linked_with(venue).contains(&temp.venue_id)
                || visit
                    .sess
                    .scanned_venues()
                    .await
                    .contains(&venue.location.venue_id.0)
        }
        None => true,
    };
    if !here && stays(temp.as_ref(), source) {
        return Ok(None);
    }
    let (same, left) = if here {
        (temp.clone(), None)
    } else {
        (None, temp.clone())
    };
    let arrived = MenuTemp {
        source: believed(source, venue),
        venue_id: same
            .as_ref()
            .map_or(venue.location.venue_id.0, |temp| temp.venue_id),
        table: same.and_then(|temp| temp.table),
        venue_name: venue.location.name.clone(),
    };
    if temp.as_ref() != Some(&arrived) {
        visit.sess.note_arrival(visit.now).await?;
        visit.sess.set_menu_temp(Some(&arrived)).await?;
    }
    if !here {
        visit.sess.set_scanned_venues(&[]).await?;
    }
    Ok(left.and_then(|temp| temp.table).map(|table| Flash {
        values: BTreeMap::from([("number".to_owned(), vec![table.number])]),
        ..Flash::new(Notice::TableLeft)
    }))
}

/// Whether what is known of another venue outlives an arrival: a tablet stays where its owner has put it, and a link out of
/// a directory is no code that was scanned.
fn stays(temp: Option<&MenuTemp>, source: Source) -> bool {
    match temp {
        Some(temp) if temp.is_kiosk() => source != Source::Tablet,
        Some(temp) => temp.table.is_some() && source == Source::Directory,
        None => false,
    }
}

/// What the address says of how the guest came.
async fn source_of(visit: &Visit) -> Option<Source> {
    let source = visit.query_value("source").and_then(Source::from_code)?;
    if source == Source::Tablet && !may_be_tablet(visit).await {
        return Some(Source::Qr);
    }
    Some(source)
}

/// A tablet forgets its guest and leaves its venue no more, so no link of another site makes one, and no browser becomes
/// one that is a guest's: signed in, with something in the cart, with orders of its own.
async fn may_be_tablet(visit: &Visit) -> bool {
    let temp = visit.sess.menu_temp().await;
    if temp.is_some_and(|temp| temp.is_kiosk()) {
        return true;
    }
    let is_led = visit::is_led(&visit.headers);
    // Not the cart of the page: a table's code may empty it yet.
    let has_cart = match cart_view::load(visit).await {
        Ok(cart) => cart.is_some_and(|cart| !cart.is_blank(visit.now)),
        Err(_) => true,
    };
    !is_led && !has_cart && visit.signed_in.is_none() && visit.sess.own_orders().await.is_empty()
}

/// A tablet can only be where there is one; anything else that says so is a printed code.
fn believed(source: Source, venue: &Venue) -> Source {
    if source.is_tablet() && !venue.has_tablet {
        Source::Qr
    } else {
        source
    }
}

/// A tablet is being set up where it could not order: at no table of a venue that neither hands orders out at its counter
/// nor lets guests type the table. A check that has failed says nothing against the table of its link.
pub(super) async fn is_idle_tablet(
    visit: &Visit,
    venue: &Venue,
    has_link: bool,
    branch: Option<&Branch>,
) -> bool {
    let source = source_of(visit).await;
    let is_tablet = source.map(|source| believed(source, venue)) == Some(Source::Tablet);
    let at_table = has_link && branch.is_none_or(|branch| branch.table.is_some());
    is_tablet && !kiosk::can_order(venue, at_table)
}

/// Whether the guest sits at a table of this venue whose bill is pulled from the till: it is paid there.
pub(in crate::features) async fn pays_by_bill(visit: &Visit, venue: &Venue) -> bool {
    venue.is_check_pulling_enabled
        && visit
            .sess
            .table_at(venue.location.venue_id.0)
            .await
            .is_some()
}
