//! `/addresses`: the sheet of addresses, opened from the header and from the cart (DG-02 to DG-04; screens.md, 2.9).

use super::{AddressCard, AddressesPage, map::back};
use crate::{
    error::Error,
    features::{
        address_book::{Book, line},
        loaded::{Facts, Loaded, PageRequest},
    },
    web::{page::Page, session::StoredAddress},
};

/// `/addresses`
pub const PAGE: Page = Page::builder("addresses", "/addresses")
    .query(&["back"])
    .open();

/// Loads `/addresses`: the active one first, then the nearest.
///
/// # Errors
/// None: a list that did not come says so itself.
pub async fn load(request: PageRequest) -> Result<Loaded<AddressesPage>, Error> {
    let Facts { visit, .. } = &*request;
    let book = Book::of(visit).await;
    let deleted = visit.sess.deleted_address(visit.now).await;
    Ok(Loaded::page(AddressesPage {
        addresses: book
            .known
            .iter()
            .map(|known| AddressCard::of(known, book.located))
            .collect(),
        failed: book.failed,
        local: visit.signed_in.is_none(),
        deleted: deleted
            .and_then(|deleted| StoredAddress::placed(deleted.address))
            .map(|address| line(&address)),
        back: back(visit).await,
    }))
}
