//! Addresses of the visit (DG-01 to DG-05): the one of a guest who has not signed in, which of the saved ones is active,
//! the one that is being written, and the one that was deleted last. They are personal: never shown by `{:?}` (S-21).

use serde::{Deserialize, Serialize};

use super::{Key, Sess, Unavailable, unavailable};
use crate::{
    state::sessions::Sessions,
    upstream::{Address, AddressId, Coordinates},
};

/// An address as the session keeps it. Fields default to empty texts; the place is missing until it is known (DG-06).
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StoredAddress {
    pub name: String,
    pub address: String,
    pub city: String,
    pub street: String,
    pub building: String,
    pub entrance: String,
    pub floor: String,
    pub apartment: String,
    pub is_private_house: bool,
    pub comment: String,
    /// Latitude and longitude.
    pub at: Option<(f64, f64)>,
}

/// An address that is being written: what the map and the form hand to each other, `temp address` in the specification.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct AddressDraft {
    /// The address that it changes, -1 the local one; none: a new one.
    pub id: Option<i64>,
    /// As far as it was written.
    pub address: StoredAddress,
    /// The guest has seen what it is called: an empty name is meant.
    #[serde(default)]
    pub is_named: bool,
}

/// The address that was deleted last: it can be had back for a while.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct DeletedAddress {
    /// As it was.
    pub address: StoredAddress,
    /// It was the active one.
    pub was_active: bool,
    /// Milliseconds since the epoch; after that it is gone.
    pub until: i64,
}

/// Which delivery address the guest has confirmed.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum ConfirmedAddress {
    /// The one of this mark.
    Mark(String),
    /// Whichever it was: sessions written before tell no more.
    Any(bool),
}

impl ConfirmedAddress {
    /// Whether that is the address of a mark.
    #[must_use]
    pub fn is(&self, mark: &str) -> bool {
        match self {
            Self::Mark(own) => own == mark,
            Self::Any(confirmed) => *confirmed,
        }
    }
}

/// Who knows no place says 0, 0, or as good as that; degrees.
const NOWHERE: f64 = 1e-6;

impl StoredAddress {
    /// Where it is, if that is known. Nothing stands at 0, 0: so unknown places are written (DG-17).
    #[must_use]
    pub fn place(&self) -> Option<Coordinates> {
        let (latitude, longitude) = self.at?;
        Coordinates::new(latitude, longitude)
            .filter(|at| at.latitude().abs() > NOWHERE || at.longitude().abs() > NOWHERE)
    }

    /// As the upstream takes it; none without a place.
    #[must_use]
    pub fn placed(self) -> Option<Address> {
        let coordinates = self.place()?;
        Some(Address {
            name: self.name,
            address: self.address,
            city: self.city,
            street: self.street,
            building: self.building,
            entrance: self.entrance,
            floor: self.floor,
            apartment: self.apartment,
            is_private_house: self.is_private_house,
            comment: self.comment,
            coordinates,
        })
    }
}

impl From<&Address> for StoredAddress {
    fn from(address: &Address) -> Self {
        let Address {
            name,
            address,
            city,
            street,
            building,
            entrance,
            floor,
            apartment,
            is_private_house,
            comment,
            coordinates,
        } = address.clone();
        Self {
            name,
            address,
            city,
            street,
            building,
            entrance,
            floor,
            apartment,
            is_private_house,
            comment,
            at: Some((coordinates.latitude(), coordinates.longitude())),
        }
    }
}

impl Sess {
    /// The address of a guest who has not signed in (DG-01). A signed-in guest has one while it could not be saved.
    pub async fn local_address(&self) -> Option<StoredAddress> {
        self.get(Key::LocalAddress).await
    }

    /// Keeps or forgets it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_local_address(
        &self,
        address: Option<&StoredAddress>,
    ) -> Result<(), Unavailable> {
        self.set(Key::LocalAddress, address).await
    }

    /// Takes the local address out of the stored session, for one of however many requests that want it (DG-02).
    ///
    /// # Errors
    /// [`Unavailable`] when the store does not answer.
    pub async fn take_local_address(
        &self,
        store: &Sessions,
    ) -> Result<Option<StoredAddress>, Unavailable> {
        let (Some(id), Some(value)) = (self.id(), self.value(Key::LocalAddress).await) else {
            return Ok(None);
        };
        let name = Key::LocalAddress.name();
        let taken = store.swap(&id, name, Some(value.clone()), None).await;
        if !taken.map_err(|error| unavailable(error.into()))? {
            return Ok(None);
        }
        self.set(Key::LocalAddress, None::<()>).await?;
        Ok(serde_json::from_value(value).ok())
    }

    /// Puts back what was taken; what the guest has written meanwhile stays.
    ///
    /// # Errors
    /// [`Unavailable`] when the store does not answer.
    pub async fn return_local_address(
        &self,
        store: &Sessions,
        address: &StoredAddress,
    ) -> Result<(), Unavailable> {
        let Some(id) = self.id() else {
            return self.set_local_address(Some(address)).await;
        };
        let value = serde_json::to_value(address).map_err(|error| unavailable(error.into()))?;
        let name = Key::LocalAddress.name();
        // Into the row itself: a save carries only what differs from what was loaded, and this does not.
        let put = store.swap(&id, name, None, Some(value)).await;
        put.map_err(|error| unavailable(error.into()))?;
        self.set_local_address(Some(address)).await
    }

    /// The saved address that the guest has chosen; without one the nearest is active.
    pub async fn active_address(&self) -> Option<AddressId> {
        self.get(Key::ActiveAddress).await
    }

    /// Chooses one, or leaves the choice to the distance.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_active_address(&self, id: Option<AddressId>) -> Result<(), Unavailable> {
        self.set(Key::ActiveAddress, id).await
    }

    /// The address that is being written.
    pub async fn address_draft(&self) -> Option<AddressDraft> {
        self.get(Key::TempAddress).await
    }

    /// Keeps or forgets it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_address_draft(&self, draft: Option<&AddressDraft>) -> Result<(), Unavailable> {
        self.set(Key::TempAddress, draft).await
    }

    /// The address that was deleted last, while it can be had back.
    pub async fn deleted_address(&self, now: i64) -> Option<DeletedAddress> {
        let deleted: DeletedAddress = self.get(Key::DeletedAddress).await?;
        (now < deleted.until).then_some(deleted)
    }

    /// Keeps or forgets it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_deleted_address(
        &self,
        deleted: Option<&DeletedAddress>,
    ) -> Result<(), Unavailable> {
        self.set(Key::DeletedAddress, deleted).await
    }
}
