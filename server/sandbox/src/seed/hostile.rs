//! A menu whose texts try to break out of the page: markup, the end of a script, line separators; and with a product
//! that has no price.

use crate::model::{Menu, Text};

/// What is put behind the descriptions, one after another.
const TAILS: [&str; 5] = [
    " <b>New</b><script>alert(1)</script>",
    " </script><img src=x onerror=alert(1)>",
    " \u{2028}next line\u{2029}next paragraph",
    " <!--<script> {{7*7}} ${7*7} &lt;i&gt;",
    " \"quoted\" 'single' \\u003c/script> ]]>",
];

/// Puts them there.
pub(super) fn poison(menu: &mut Menu) {
    let products = menu
        .categories
        .iter_mut()
        .flat_map(|category| &mut category.products);
    for (product, tail) in products.zip(TAILS) {
        append(&mut product.description, tail);
    }
    let plain = menu
        .categories
        .iter_mut()
        .rev()
        .filter(|category| !category.hidden)
        .flat_map(|category| &mut category.products)
        .find(|product| product.sizes.is_empty() && product.old_price.is_none());
    if let Some(product) = plain {
        product.unpriced = true;
    }
    if let Some(product) = menu
        .categories
        .first_mut()
        .and_then(|category| category.products.last_mut())
    {
        append(&mut product.name, " <i>&amp; \"Co\"</i>");
    }
}

fn append(text: &mut Text, tail: &str) {
    for version in [&mut text.kk, &mut text.ru, &mut text.en, &mut text.ka]
        .into_iter()
        .flatten()
    {
        version.push_str(tail);
    }
}
