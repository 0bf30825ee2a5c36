//! The addresses of a visit, the active one first.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use tokio::sync::Mutex;

use super::place::Place;
use crate::{
    state::idempotency::body_hash,
    upstream::{self, Address, Caller, Class, Coordinates, SavedAddress},
    web::{session::StoredAddress, visit::Visit},
};

/// The address of a guest who has not signed in. It is a name inside of the product and never goes upstream (DG-01).
pub const LOCAL: i64 = -1;
/// Bytes of a mark: enough for the few addresses of one guest.
const MARK_BYTES: usize = 6;
/// Characters of a mark.
pub const MARK: usize = 4 * MARK_BYTES / 3;
/// Two that say the same are one address if they lie no further apart, metres.
const SAME: f64 = 100.0;
/// A new address waits for the session's earlier one; sessions share a few turns.
static TURNS: [Mutex<()>; 64] = [const { Mutex::const_new(()) }; 64];

/// An address that the visit knows.
#[derive(Clone)]
pub struct Known {
    /// Upstream id, or [`LOCAL`].
    pub id: i64,
    /// The address itself.
    pub address: Address,
    /// Metres from the guest, or from the town's centre while the guest's position is unknown.
    pub distance: Option<f64>,
}

/// All addresses of a visit.
pub struct Book {
    /// The active one first, then the nearest.
    pub known: Vec<Known>,
    /// The saved ones could not be had.
    pub failed: bool,
    /// Nobody is signed in, or the sign-in has ended meanwhile (AU-08): there are no saved ones without it.
    signed_out: bool,
    /// Distances are those from the guest.
    pub located: bool,
}

impl Book {
    /// Reads the saved addresses of a signed-in guest, otherwise the local one. A local one that a guest brings along
    /// into the sign-in is saved first (DG-02).
    pub async fn of(visit: &Visit) -> Self {
        Self::with(visit, Class::Optional).await
    }

    /// The same with a longer timeout, for what can't be done without an address.
    pub async fn needed(visit: &Visit) -> Self {
        Self::with(visit, Class::Critical).await
    }

    async fn with(visit: &Visit, class: Class) -> Self {
        let from = match visit.near() {
            Some(here) => Some(here),
            None if visit.signed_in.is_none() => None,
            None => Place::of(visit).await.centre(),
        };
        if visit.signed_in.is_some() && !visit.is_prefetch() {
            let caller = Caller {
                coordinates: from,
                ..visit.personal_caller().await.with_class(class)
            };
            adopt(visit, &caller).await;
        }
        Self::load(visit, from, class).await
    }

    /// The same for a page that is not about them: one call at most, and nothing is saved. `from` is where distances are
    /// measured from.
    pub async fn read(visit: &Visit, from: Option<Coordinates>) -> Self {
        Self::load(visit, from, Class::Optional).await
    }

    async fn load(visit: &Visit, from: Option<Coordinates>, class: Class) -> Self {
        let here = visit.near();
        if visit.signed_in.is_none() {
            return Self {
                known: local(visit, here).await.into_iter().collect(),
                failed: false,
                signed_out: true,
                located: here.is_some(),
            };
        }
        let caller = Caller {
            coordinates: from,
            ..visit.personal_caller().await.with_class(class)
        };
        let (saved, failure) = match visit.app.upstream.addresses(&caller).await {
            Ok(saved) => (saved, None),
            Err(error) => {
                tracing::warn!(
                    class = error.class(),
                    "The addresses of a guest could not be loaded"
                );
                (Vec::new(), Some(error))
            }
        };
        let mut known: Vec<Known> = saved
            .into_iter()
            .filter_map(|saved| {
                let reported = saved.distance.filter(|metres| *metres >= 0.0);
                Some(Known {
                    id: i64::try_from(saved.id.0).ok()?,
                    distance: reported
                        .or_else(|| from.map(|from| from.metres_to(saved.address.coordinates))),
                    address: saved.address,
                })
            })
            .collect();
        known.extend(local(visit, from).await);
        order(&mut known, visit.sess.active_address().await);
        Self {
            known,
            failed: failure.is_some(),
            signed_out: failure == Some(upstream::Error::Unauthorized),
            located: here.is_some(),
        }
    }

    /// The address that orders are brought to.
    #[must_use]
    pub fn active(&self) -> Option<&Known> {
        self.known.first()
    }

    /// One of them by its id, never another guest's (S-16); none: the guest has no such address.
    ///
    /// # Errors
    /// When the guest has to sign in for it, or the saved ones could not be had.
    pub fn find(&self, id: i64) -> Result<Option<&Known>, upstream::Error> {
        let found = self.known.iter().find(|known| known.id == id);
        match (found, self.failed, self.signed_out) {
            (Some(found), ..) => Ok(Some(found)),
            (None, true, true) => Err(upstream::Error::Unauthorized),
            (None, false, true) if id != LOCAL => Err(upstream::Error::Unauthorized),
            (None, true, false) => Err(upstream::Error::Unavailable { status: None }),
            (None, false, _) => Ok(None),
        }
    }
}

/// Saves the local address of a guest who has signed in, once; whatever fails keeps it local (DG-02, AU-12).
pub async fn adopt(visit: &Visit, caller: &Caller) {
    if visit.sess.local_address().await.is_none() {
        return;
    }
    let store = visit.app.state.sessions();
    // Out of the session first: of two pages that come at once one saves it.
    let Ok(Some(stored)) = visit.sess.take_local_address(&store).await else {
        return;
    };
    let Some(address) = stored.clone().placed() else {
        return;
    };
    let written = match keep(visit, caller, &address).await {
        Ok(saved) => visit.sess.set_active_address(Some(saved.id)).await,
        Err(error) => {
            tracing::warn!(
                class = error.class(),
                "The local address of a guest who has signed in could not be saved"
            );
            visit.sess.return_local_address(&store, &stored).await
        }
    };
    if written.is_err() {
        tracing::warn!("An address could not be noted in its session");
    }
}

/// Saves a new address upstream. One that says the same takes its place: it is not saved twice (DG-03).
///
/// # Errors
/// When the upstream does not take it, or does not answer.
pub(super) async fn keep(
    visit: &Visit,
    caller: &Caller,
    address: &Address,
) -> Result<SavedAddress, upstream::Error> {
    let upstream = &visit.app.upstream;
    // Two presses at once would both find nothing.
    let turn = visit.sess.name().unwrap_or_default() % TURNS.len() as u64;
    let _turn = TURNS[usize::try_from(turn).unwrap_or_default()]
        .lock()
        .await;
    let saved = upstream.addresses(caller).await?;
    match saved.iter().find(|saved| is_same(&saved.address, address)) {
        Some(saved) if saved.address == *address => Ok(saved.clone()),
        Some(saved) => upstream.change_address(caller, saved.id, address).await,
        None => upstream.create_address(caller, address).await,
    }
}

/// Tells addresses apart by what the guest sees of them, the place among it: what is confirmed and ordered to (DG-05). An
/// id would tell less, as what it names can be edited elsewhere.
#[must_use]
pub fn mark(address: &Address) -> String {
    let at = address.coordinates;
    // To a metre: the last digits of a number may differ by the way that it has come.
    let at = format!("{:.5} {:.5}", at.latitude(), at.longitude());
    let Address {
        entrance,
        floor,
        apartment,
        comment,
        ..
    } = address;
    let said = serde_json::json!([line(address), entrance, floor, apartment, comment, at]);
    URL_SAFE_NO_PAD.encode(&body_hash(&said.to_string())[..MARK_BYTES])
}

/// An address in one line, as the guest knows it.
#[must_use]
pub fn line(address: &Address) -> String {
    let street = [address.street.as_str(), address.building.as_str()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(", ");
    match (street.is_empty(), address.address.is_empty()) {
        (false, _) => street,
        (true, false) => address.address.clone(),
        (true, true) => address.name.clone(),
    }
}

async fn local(visit: &Visit, from: Option<Coordinates>) -> Option<Known> {
    let stored = visit.sess.local_address().await;
    let address = stored.and_then(StoredAddress::placed)?;
    Some(Known {
        id: LOCAL,
        distance: from.map(|from| from.metres_to(address.coordinates)),
        address,
    })
}

/// The chosen one first, else one that is not saved yet, else the nearest (DG-02); the others by distance.
fn order(known: &mut Vec<Known>, chosen: Option<upstream::AddressId>) {
    let far = |known: &Known| known.distance.unwrap_or(f64::INFINITY);
    known.sort_by(|one, other| far(one).total_cmp(&far(other)));
    let chosen = chosen.and_then(|id| i64::try_from(id.0).ok());
    let at = known
        .iter()
        .position(|known| Some(known.id) == chosen)
        .or_else(|| known.iter().position(|known| known.id == LOCAL));
    if let Some(at) = at {
        let active = known.remove(at);
        known.insert(0, active);
    }
}

fn is_same(one: &Address, other: &Address) -> bool {
    let alike = |one: &str, other: &str| one.trim().to_lowercase() == other.trim().to_lowercase();
    alike(&one.street, &other.street)
        && alike(&one.building, &other.building)
        && alike(&one.apartment, &other.apartment)
        && one.coordinates.metres_to(other.coordinates) <= SAME
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(id: i64, distance: Option<f64>) -> Known {
        let address = StoredAddress {
            at: Some((43.24, 76.95)),
            ..StoredAddress::default()
        };
        Known {
            id,
            distance,
            address: address.placed().expect("it has a place"),
        }
    }

    fn ids(all: &[(i64, Option<f64>)], chosen: Option<u64>) -> Vec<i64> {
        let mut all: Vec<Known> = all
            .iter()
            .map(|(id, distance)| known(*id, *distance))
            .collect();
        order(&mut all, chosen.map(upstream::AddressId));
        all.iter().map(|known| known.id).collect()
    }

    #[test]
    fn the_chosen_one_is_first_then_the_nearest() {
        let all = [(1, Some(900.0)), (2, None), (3, Some(20.0))];
        assert_eq!(ids(&all, None), [3, 1, 2]);
        assert_eq!(ids(&all, Some(2)), [2, 3, 1]);
        assert_eq!(ids(&all, Some(7)), [3, 1, 2], "one that is gone");
        assert_eq!(ids(&[(1, Some(1.0)), (LOCAL, None)], None), [LOCAL, 1]);
        assert!(ids(&[], Some(1)).is_empty());
    }

    #[test]
    fn a_degree_of_latitude_is_111_kilometres() {
        let at = |latitude, longitude| Coordinates::new(latitude, longitude).expect("on earth");
        let degree = at(43.0, 77.0).metres_to(at(44.0, 77.0));
        assert!((111_000.0..111_400.0).contains(&degree), "{degree}");
        assert!(at(43.0, 77.0).metres_to(at(43.0, 77.0)) < 0.001);
        // Latitude comes first (DG-17): the same numbers the other way round are elsewhere.
        let shrunk = at(43.0, 77.0).metres_to(at(43.0, 78.0));
        assert!((81_000.0..81_700.0).contains(&shrunk), "{shrunk}");
    }
}
