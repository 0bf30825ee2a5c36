//! Shapes of what a session holds.

use serde::{Deserialize, Serialize};

use crate::state::carts::CartId;
pub use crate::upstream::Source;

/// The table that a QR code bound to the visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Upstream id.
    pub id: String,
    /// As written on the table.
    pub number: String,
    /// The venue that the bill belongs to; it may be another than the one the guest is in (FL-08).
    // Stored under its first name, so that what is stored already is read.
    #[serde(rename = "main_terminal_id")]
    pub main_venue_id: String,
    /// The guest has typed the number: on a tablet it goes with the guest, the table of a link stays.
    #[serde(default)]
    pub typed: bool,
}

/// Temporary venue data of the visit, `menuTempData` in the specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MenuTemp {
    /// How the guest came to the venue. None is kept without it: who has only looked at a menu has come to none (RT-19).
    pub source: Source,
    /// The venue.
    #[serde(rename = "filial_id")]
    pub venue_id: u64,
    /// The table, when a table QR was scanned.
    #[serde(default)]
    pub table: Option<Table>,
    /// Name of the venue as last read.
    #[serde(default)]
    pub venue_name: String,
}

/// Where a guest sat before the code of another venue was scanned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatBefore {
    /// The venue with its table.
    pub temp: MenuTemp,
    /// The venues that its code counted for.
    pub scanned: Vec<u64>,
    /// When it was left, milliseconds since the epoch.
    pub at: i64,
}

impl MenuTemp {
    /// Whether the visit is made on a tablet of the venue, not on the guest's own phone.
    #[must_use]
    pub fn is_kiosk(&self) -> bool {
        self.source == Source::Tablet
    }

    /// What stays when the guest leaves the table: a tablet stays where its owner has put it.
    #[must_use]
    pub fn left(self) -> Option<Self> {
        self.is_kiosk().then(|| Self {
            table: self.table.filter(|table| !table.typed),
            ..self
        })
    }
}

/// The answer to the age question (ST-08).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgeAnswer {
    /// 21 or older.
    Accepted,
    /// No, or closed without an answer (ZZ-25).
    Declined,
}

/// What a signed-in guest is told things by.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushToken {
    /// Names the device at its maker; never shown.
    pub token: String,
    /// Its name in analytics; may be empty.
    pub device: String,
}

/// A link to an order that this visit placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnOrder {
    /// Upstream id.
    pub id: String,
    /// Number that the guest sees.
    pub number: String,
    /// Path of its page, with the capability.
    pub href: String,
    /// When it was placed, milliseconds since the epoch.
    pub placed_at: i64,
    /// Between how many minutes later it was promised at the door, where it is brought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub door: Option<(u32, u32)>,
}

/// How often a fridge was told to open whose door has not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FridgePresses {
    /// The fridge.
    #[serde(rename = "filial")]
    pub venue: u64,
    /// In a row.
    pub count: u32,
    /// The last one, milliseconds since the epoch.
    pub at: i64,
}

/// The last fridge that was opened in this browser. Its door is asked for upstream: this says only which it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedFridge {
    /// The fridge.
    #[serde(rename = "filial")]
    pub venue: u64,
    /// The key that it was opened with, for another try of the same.
    pub key: String,
    /// The upstream's id of what the door came to.
    pub session: String,
    /// When the lock was last told to open, or the door was first seen here, milliseconds since the epoch.
    #[serde(default)]
    pub at: i64,
}

/// The cart of a door that was opened on another phone of the guest stands in the place of this one's until it is settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Borrowed {
    /// The cart of this session.
    pub own: CartId,
    /// The upstream's id of what the door came to.
    pub door: String,
    /// When the other one was taken, milliseconds since the epoch.
    pub at: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was stored is read, and written so that a release before reads it.
    #[test]
    fn what_is_stored_keeps_its_names() {
        let came = r#"{"source":"STANDQR","filial_id":1013,"table":{"id":"t7","number":"7","main_terminal_id":"1010","typed":false},"venue_name":"V"}"#;
        let temp: MenuTemp = serde_json::from_str(came).unwrap();
        assert_eq!(temp.venue_id, 1013);
        assert_eq!(serde_json::to_string(&temp).unwrap(), came);
        let presses = r#"{"filial":1191,"count":2,"at":5}"#;
        let read: FridgePresses = serde_json::from_str(presses).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), presses);
        let opened = r#"{"filial":1191,"key":"k","session":"s","at":5}"#;
        let read: OpenedFridge = serde_json::from_str(opened).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), opened);
    }
}
