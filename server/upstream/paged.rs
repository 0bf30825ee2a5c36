//! Lists that come in pages (HT-12).

use super::wire::{Bad, FromWire, Wire};

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Paged<T> {
    /// Its elements, without those that could not be read.
    pub items: Vec<T>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// Of all pages.
    pub total: u32,
}

/// Reads a page. Missing parts have the stated defaults: page 1 of 1, total 0, no elements. Elements of which none can
/// be read, what is no list, and an answer that has no part of a page at all, are an error all the same: a changed
/// upstream must not look like an empty town.
pub(super) fn paged<T: FromWire>(wire: Wire<'_>) -> Result<Paged<T>, Bad> {
    let raw = wire.object("page")?.raw();
    if raw.get("data").is_none() && raw.get("meta").is_none() {
        return Err(Bad("page"));
    }
    let items = if wire.get("data").raw().is_null() {
        Vec::new()
    } else {
        wire.need_list("data")?
    };
    let meta = wire.get("meta");
    Ok(Paged {
        items,
        page: meta.count("current_page").unwrap_or(1).max(1),
        last_page: meta.count("last_page").unwrap_or(1).max(1),
        total: meta.count("total").unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;

    struct Anything;

    impl FromWire for Anything {
        fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
            wire.object("anything").map(|_| Self)
        }
    }

    #[test]
    fn missing_null_and_wrong_parts_have_the_stated_defaults() {
        for json in [
            json!({ "data": null }),
            json!({ "data": null, "meta": null }),
            json!({ "meta": { "current_page": {}, "last_page": -3, "total": "many" } }),
            json!({ "data": [], "meta": [] }),
        ] {
            let dropped = Cell::new(0);
            let paged: Paged<Anything> = paged(Wire::new(&json, &dropped)).expect("defaults");
            assert_eq!(
                (paged.items.len(), paged.page, paged.last_page, paged.total),
                (0, 1, 1, 0),
                "{json}"
            );
        }
    }

    #[test]
    fn what_is_no_list_is_an_error() {
        for json in [
            json!({ "data": "x" }),
            json!({ "data": {} }),
            json!({}),
            json!({ "message": "ok" }),
        ] {
            let dropped = Cell::new(0);
            assert!(
                paged::<Anything>(Wire::new(&json, &dropped)).is_err(),
                "{json}"
            );
        }
    }
}
