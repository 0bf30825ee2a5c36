//! Addresses of a menu with the sheet of a dish over it. Only this room names the query keys of the sheet.

use url::form_urlencoded;

use crate::{
    upstream::{ProductId, VenueId},
    web::{
        page::{self, Page},
        visit::Visit,
    },
};

/// What opens the sheet of a dish: the dish, the line of the cart that is changed, a dish of the favourites, where it was
/// opened.
pub(super) const SHEET: [&str; 4] = ["item", "line", "fav", FROM];
const FROM: &str = "from";
const CART: &str = "cart";

/// The sheet of a dish over the menu of its venue.
#[must_use]
pub fn sheet(venue: VenueId, product: ProductId) -> String {
    format!("/filials/{venue}?{}={product}", SHEET[0])
}

/// The same, opened from a part of the cart, where it leads back to.
#[must_use]
pub fn sheet_from_cart(venue: VenueId, product: ProductId, part: &str) -> String {
    format!("{}&{FROM}={CART}{part}", sheet(venue, product))
}

/// Where an address leads when the sheet over it has done its work and closes: the part of the page that it was opened
/// from stays. `cart` is the page of those that were opened there.
#[must_use]
pub fn closed(visit: &Visit, address: String, cart: &Page) -> String {
    let menu = visit.app.page_of(&address).page;
    if menu.opens != SHEET {
        return address;
    }
    let (_, query, part) = page::split(&address);
    if form_urlencoded::parse(query.as_bytes()).any(|pair| pair == (FROM.into(), CART.into())) {
        return format!("{}{part}", cart.path);
    }
    menu.without_overlay(&address)
}
