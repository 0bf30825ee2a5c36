//! What the menu of now has for a line of the cart.

use crate::{
    state::carts::Line,
    upstream::{Menu, Product, ProductId},
};

/// The product of a line; none when the menu has it no more.
#[must_use]
pub fn product_of<'a>(line: &Line, menu: &'a Menu) -> Option<&'a Product> {
    menu.product(ProductId(line.product_id))
}

/// The name of a line in the menu's language. The line was added in a language that the guest may have left since: its own
/// name is for a product that the menu has no more, and for a menu that did not come.
#[must_use]
pub fn name_of<'a>(line: &'a Line, menu: Option<&'a Menu>) -> &'a str {
    menu.and_then(|menu| product_of(line, menu))
        .map_or(&line.name, |product| &product.name)
}
