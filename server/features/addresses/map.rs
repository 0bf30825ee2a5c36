//! `/address-map`: a pin in the middle of a map (DG-08, DG-09, DG-14, DG-18; screens.md, 2.9). Without scripts an address
//! is typed and chosen of those that it may mean.

use super::{
    AddressAt, AddressMapPage, ZoneState,
    lookup::{LONGEST_QUERY, suggestions},
    zone,
};
use crate::{
    error::Error,
    features::{
        address_book::{Book, LOCAL, line},
        loaded::{Facts, Loaded, PageRequest},
        page_data::MapCredit,
    },
    upstream::{self, Coordinates},
    web::{
        page::{Frame, Page},
        redirect::safe_path,
        session::{AddressDraft, StoredAddress},
        visit::Visit,
    },
};

/// `/address-map`
pub const PAGE: Page = Page::builder("addressMap", "/address-map")
    .query(&["id", "back", "q"])
    .counted(&["q"])
    .frame(Frame::Plain)
    .open();

/// Loads `/address-map`: at the place that was chosen before, at the guest, else at the town's centre.
///
/// # Errors
/// [`Error::NotFound`] for an address that is not the guest's.
pub async fn load(request: PageRequest) -> Result<Loaded<AddressMapPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let id = requested_id(visit);
    let draft = match draft_of(visit, id).await {
        Err(error) => return needs_sign_in(visit, error),
        Ok(draft) => draft,
    };
    let written = draft.map(|draft| draft.address).unwrap_or_default();
    let city = written.city.clone();
    let placed = written.place().and_then(|at| Some((at, written.placed()?)));
    let query = visit.query_text("q", LONGEST_QUERY);
    let suggesting = suggestions(visit, query, &city);
    let (at, looking) = match (placed, visit.near()) {
        // A place without a name is looked up again.
        (Some((at, address)), _) => (Some(at), Some(address).filter(|one| !line(one).is_empty())),
        (None, here) => (here, None),
    };
    let (found, offered) = match at {
        Some(at) => tokio::join!(zone::look(visit, at, looking), suggesting),
        None => (nothing(), suggesting.await),
    };
    // Neither the guest nor the town says where to begin: there is no map without a place (RT-14).
    let Some(middle) = at.or_else(|| place.centre()) else {
        return Ok(Loaded::Redirect("/".to_owned()));
    };
    Ok(Loaded::page(AddressMapPage {
        id,
        at: middle.into(),
        chosen: at.is_some(),
        found,
        query: offered.query,
        suggestions: offered.items,
        partial: offered.partial,
        back: back(visit).await,
        credit: MapCredit::of(visit),
    }))
}

/// No place is chosen yet.
const fn nothing() -> AddressAt {
    AddressAt {
        spot: None,
        failed: false,
        zone: ZoneState::Unknown,
        of_cart: None,
        takeaway: None,
    }
}

/// The address that the page is about; none for a new one.
pub(super) fn requested_id(visit: &Visit) -> Option<i64> {
    visit.query_value("id")?.parse().ok()
}

/// Where the way over the two pages ends.
pub(super) async fn back(visit: &Visit) -> String {
    let back = match visit.query_value("back") {
        Some(back) => Some(safe_path(back)),
        None => visit.sess.redirect_url().await,
    };
    // The page itself is no way back.
    let elsewhere = |back: &String| back.split(['?', '#']).next() != Some(visit.path.as_str());
    back.filter(elsewhere).unwrap_or_else(|| "/".to_owned())
}

/// A saved address is of a signed-in guest: the others sign in and come back to it (AU-14).
///
/// # Errors
/// Any other error.
pub(super) fn needs_sign_in<T>(visit: &Visit, error: Error) -> Result<Loaded<T>, Error> {
    match error {
        Error::Upstream(upstream::Error::Unauthorized) if visit.signed_in.is_none() => {
            Ok(Loaded::SignIn)
        }
        error => Err(error),
    }
}

/// What is being written of an address: as the guest left it, else as it was saved. `None` for a new one that is
/// not begun.
///
/// # Errors
/// [`Error::NotFound`] for an address that is not the guest's; when it can't be had, or the guest has to sign in for it.
pub(super) async fn draft_of(
    visit: &Visit,
    id: Option<i64>,
) -> Result<Option<AddressDraft>, Error> {
    if let Some(draft) = visit.sess.address_draft().await
        && draft.id == id
    {
        return Ok(Some(draft));
    }
    let Some(id) = id else {
        return Ok(None);
    };
    let book = Book::of(visit).await;
    let Some(known) = book.find(id)? else {
        // One that is not saved any more: it has another id since the sign-in.
        return match id {
            LOCAL => Ok(None),
            _ => Err(Error::NotFound("page")),
        };
    };
    Ok(Some(AddressDraft {
        id: Some(id),
        address: StoredAddress::from(&known.address),
        is_named: true,
    }))
}

/// A place that a form names: both numbers with a decimal point, on earth, and not the 0, 0 of those who know none
/// (DG-17).
pub(super) fn place_of(latitude: Option<&str>, longitude: Option<&str>) -> Option<Coordinates> {
    let at = (latitude?.parse().ok()?, longitude?.parse().ok()?);
    let stored = StoredAddress {
        at: Some(at),
        ..StoredAddress::default()
    };
    stored.place()
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn a_place_is_two_numbers_on_earth_latitude_first() {
        let found = place_of(Some("43.238"), Some("76.945")).expect("a place");
        assert_eq!((found.latitude(), found.longitude()), (43.238, 76.945));
        for (latitude, longitude) in [
            (Some("0"), Some("0")),
            (Some("0.0"), Some("-0")),
            (Some("43,238"), Some("76,945")),
            (Some("143.2"), Some("76.9")),
            (Some("NaN"), Some("76.9")),
            (Some("43.2"), None),
            (None, None),
        ] {
            assert!(place_of(latitude, longitude).is_none(), "{latitude:?}");
        }
        assert!(place_of(Some("0"), Some("76.9")).is_some(), "the equator");
    }
}
