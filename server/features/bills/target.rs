//! Which bill an address is about, and by whom it is read.

use sha2::{Digest as _, Sha256};
use url::form_urlencoded::Serializer;

use crate::{
    error::Error,
    features::booking::{self, Standing},
    keys::seal,
    upstream::{self, Bill, BillId, Caller, TableId, VenueId},
    web::visit::Visit,
};

/// A bill as its address names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(super) enum Target {
    /// That of a table; the main venue may be another than the venue itself (FL-08).
    Table {
        // Stored under its first name, so that what is stored already is read.
        #[serde(rename = "filial")]
        venue: VenueId,
        table: TableId,
        #[serde(rename = "terminal")]
        main_venue: Option<VenueId>,
    },
    /// That of what was ordered with a booking.
    Preorder(BillId),
}

impl Target {
    /// The bill of a request: the path names venue or preorder, the query the table; without one it is the table of the
    /// visit. `None`: the table is unknown.
    ///
    /// # Errors
    /// Not found for a path that names nothing.
    pub async fn of(visit: &Visit, venue: &str, preorder: &str) -> Result<Option<Self>, Error> {
        if venue.is_empty() {
            let id = preorder.parse().map_err(|_| Error::NotFound("bill"))?;
            return Ok(Some(Self::Preorder(id)));
        }
        let venue: VenueId = venue.parse().map_err(|_| Error::NotFound("venue"))?;
        let number = |key: &str| visit.query_value(key).and_then(|id| id.parse().ok());
        if let Some(table) = visit.query_value("table_id") {
            return Ok(table.parse().ok().map(|table| Self::Table {
                venue: number("filial_id").unwrap_or(venue),
                table,
                main_venue: number("main_terminal_id"),
            }));
        }
        let temp = visit.sess.arrived_at(venue.0).await;
        Ok(temp.and_then(|temp| {
            let table = temp.table?;
            Some(Self::Table {
                venue,
                table: table.id.parse().ok()?,
                main_venue: table.main_venue_id.parse().ok(),
            })
        }))
    }

    /// The venue, where the address names it.
    pub const fn venue(&self) -> Option<VenueId> {
        match self {
            Self::Table { venue, .. } => Some(*venue),
            Self::Preorder(_) => None,
        }
    }

    /// Whether both are about the bill of the same table, or about the same preorder.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Table { venue, table, .. },
                Self::Table {
                    venue: other_venue,
                    table: other_table,
                    ..
                },
            ) => venue == other_venue && table == other_table,
            (Self::Preorder(id), Self::Preorder(other)) => id == other,
            (Self::Table { .. }, Self::Preorder(_)) | (Self::Preorder(_), Self::Table { .. }) => {
                false
            }
        }
    }

    /// The same table at another venue; a preorder stays what it is.
    pub fn at(self, venue: VenueId) -> Self {
        match self {
            Self::Table {
                table, main_venue, ..
            } => Self::Table {
                venue,
                table,
                main_venue,
            },
            Self::Preorder(_) => self,
        }
    }

    /// Counts a look at the bill of another table than that at which the guest sits: it may be made up. One that the
    /// upstream knows opens whatever else its address has looked at.
    ///
    /// # Errors
    /// When its address has looked at too many.
    pub async fn look_up(&self, visit: &Visit) -> Result<(), Error> {
        if self.is_own(visit).await {
            return Ok(());
        }
        let upstream = &visit.app.upstream;
        let is_known = async {
            match self {
                Self::Table { venue, table, .. } => upstream.has_found_table(*venue, table),
                Self::Preorder(id) => upstream.has_found_preorder(id),
            }
        };
        visit.look_up_unless(is_known).await.map_err(Error::TooMany)
    }

    async fn is_own(&self, visit: &Visit) -> bool {
        let Self::Table {
            venue,
            table,
            main_venue,
        } = self
        else {
            return false;
        };
        let temp = visit.sess.arrived_at(venue.0).await;
        temp.and_then(|temp| temp.table).is_some_and(|own| {
            own.id == table.as_str()
                && main_venue.is_none_or(|main| main.to_string() == own.main_venue_id)
        })
    }

    /// Names the table where something of it is kept that outlives a bill; a preorder has none.
    pub fn table_name(&self) -> Option<String> {
        match self {
            // A blank is in no id of a bill.
            Self::Table { venue, table, .. } => Some(format!("table {venue} {table}")),
            Self::Preorder(_) => None,
        }
    }

    /// The bill as it is now.
    ///
    /// # Errors
    /// What the upstream says.
    pub async fn read(
        &self,
        upstream: &upstream::Upstream,
        caller: &Caller,
    ) -> Result<Bill, upstream::Error> {
        match self {
            Self::Table {
                venue,
                table,
                main_venue,
            } => upstream.bill(caller, *venue, table, *main_venue).await,
            Self::Preorder(id) => upstream.preorder(caller, id).await,
        }
    }

    /// When the table of a preorder is booked, milliseconds since the epoch; none where it is unknown.
    pub async fn booked(&self, visit: &Visit) -> Option<i64> {
        self.standing(visit).await.at()
    }

    /// How the booking of a preorder stands.
    pub async fn standing(&self, visit: &Visit) -> Standing {
        match self {
            Self::Table { .. } => Standing::Unknown,
            Self::Preorder(id) => booking::standing_of(visit, id).await,
        }
    }

    /// Path and query of the page `path` of this bill, with more of a query.
    fn address(&self, page: &str, query: &[(&str, &str)]) -> String {
        let mut text = Serializer::new(String::new());
        let path = match self {
            Self::Table {
                venue,
                table,
                main_venue,
            } => {
                text.append_pair("filial_id", &venue.to_string());
                text.append_pair("table_id", table.as_str());
                if let Some(main_venue) = main_venue {
                    text.append_pair("main_terminal_id", &main_venue.to_string());
                }
                format!("/filials/{venue}/bill{page}")
            }
            Self::Preorder(id) => format!("/bills/preorder/{id}{page}"),
        };
        let query = text.extend_pairs(query).finish();
        if query.is_empty() {
            path
        } else {
            format!("{path}?{query}")
        }
    }

    /// The page of the bill.
    pub fn href(&self, query: &[(&str, &str)]) -> String {
        self.address("", query)
    }

    /// Where its forms post to, or where it tells its changes.
    pub fn action(&self, page: &str, query: &[(&str, &str)]) -> String {
        self.address(page, query)
    }
}

/// Asked when there is no bill: whether there could be one. A venue without table service has none, and no waiter to
/// call; nor has a table that the venue does not know. Without an answer of the upstream there could be one.
///
/// # Errors
/// Not found.
pub(super) async fn expect_table(
    visit: &Visit,
    venue_id: Option<VenueId>,
    target: Option<&Target>,
) -> Result<(), Error> {
    let upstream = &visit.app.upstream;
    let caller = visit.caller(None);
    if let Some(Target::Table {
        venue: venue_id,
        table,
        main_venue,
    }) = target
        && let Ok(branch) = upstream
            .branch(&caller, *venue_id, Some(table), *main_venue)
            .await
    {
        return match &branch.table {
            Some(_) => Ok(()),
            None => Err(Error::NotFound("table")),
        };
    }
    let Some(venue_id) = target.and_then(Target::venue).or(venue_id) else {
        return Ok(());
    };
    match upstream.venue(&caller, venue_id, None).await {
        Err(upstream::Error::NotFound) => Err(Error::NotFound("venue")),
        Ok(venue) if venue.location.express.is_none() => Err(Error::NotFound("table")),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// By what the guests of a bill know each other's shares: it leads to no device and no session.
pub(super) fn guest_of(device: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(format!("bill guest {device}").as_bytes()).into();
    hash.first_chunk().map(seal::name_of).unwrap_or_default()
}

/// The guest of a visit; empty for one who has done nothing yet.
pub(super) async fn guest(visit: &Visit) -> String {
    let device = visit.sess.device().await;
    device.as_deref().map(guest_of).unwrap_or_default()
}
