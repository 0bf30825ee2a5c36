//! `/address-form`: everything that a courier has to know (DG-06, DG-07, DG-14).

use url::form_urlencoded::Serializer;

use super::{
    AddressFields, AddressFormPage,
    map::{back, draft_of, needs_sign_in, requested_id},
};
use crate::{
    error::Error,
    features::{
        address_book::{Book, line},
        loaded::{Facts, Loaded, PageRequest},
    },
    web::page::Page,
};

/// `/address-form`
pub const PAGE: Page = Page::builder("addressForm", "/address-form")
    .query(&["id", "back"])
    .open();

/// Loads `/address-form`. Without a place there is nothing to fill in yet: the map comes first (DG-14).
///
/// # Errors
/// [`Error::NotFound`] for an address that is not the guest's.
pub async fn load(request: PageRequest) -> Result<Loaded<AddressFormPage>, Error> {
    let Facts { visit, .. } = &*request;
    let id = requested_id(visit);
    let back = back(visit).await;
    let draft = match draft_of(visit, id).await {
        Err(error) => return needs_sign_in(visit, error),
        Ok(draft) => draft,
    };
    let is_named = draft.as_ref().is_some_and(|draft| draft.is_named);
    let stored = draft.map(|draft| draft.address);
    let Some((stored, address)) =
        stored.and_then(|stored| Some((stored.clone(), stored.placed()?)))
    else {
        return Ok(Loaded::Redirect(address_of("/address-map", id, &back)));
    };
    let first = id.is_none() && !is_named && {
        let book = Book::read(visit, None).await;
        book.known.is_empty() && !book.failed
    };
    Ok(Loaded::page(AddressFormPage {
        id,
        first,
        fields: AddressFields::from(&stored),
        place: if stored.address.is_empty() {
            line(&address)
        } else {
            stored.address
        },
        city: stored.city,
        at: address.coordinates.into(),
        back,
    }))
}

/// One of the two pages, about an address.
pub(super) fn address_of(path: &str, id: Option<i64>, back: &str) -> String {
    let mut query = Serializer::new(String::new());
    if let Some(id) = id {
        query.append_pair("id", &id.to_string());
    }
    query.append_pair("back", back);
    format!("{path}?{}", query.finish())
}
