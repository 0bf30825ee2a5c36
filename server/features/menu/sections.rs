//! What the menu consists of: the venue's categories, and short lists out of them.

use std::collections::HashSet;

use super::ShortList;
use crate::{
    features::{
        mapping,
        page_data::{self, Category},
        stock::Stock,
    },
    upstream::{CategoryId, Menu, MenuCategory, Product},
    web::files::images::Images,
};

/// Ids of the made-up categories. Never sent to the upstream (MN-05).
pub(super) const FAVOURITES: i32 = -2;
pub(super) const POPULAR: i32 = -3;
pub(super) const FREQUENT: i32 = -4;
const _: () = assert!(CategoryId::FAVOURITES.0 == -2);

/// Products of one short list: as many as are asked for (MN-08).
const MOST: usize = 20;

/// Active categories with something in them (MN-06); what is not in stock is out (MN-10).
pub(super) fn categories(menu: &Menu, stock: &Stock, images: &Images) -> Vec<Category> {
    menu.categories
        .iter()
        .filter(|category| category.is_active && !category.products.is_empty())
        .filter_map(|category| {
            Some(Category {
                id: i32::try_from(category.id.0).ok()?,
                name: category.name.clone(),
                photos: category.is_show_photo,
                products: products_of(category, stock, images),
            })
        })
        .collect()
}

fn products_of(category: &MenuCategory, stock: &Stock, images: &Images) -> Vec<page_data::Product> {
    category
        .products
        .iter()
        .map(|product| {
            let mut product = mapping::shown(product, stock, images);
            product.image = product.image.filter(|_| category.is_show_photo);
            // No row shows it, and numbers are what compresses worst: the sheet brings it along.
            product.weight = None;
            product
        })
        .collect()
}

/// The lists that have something on this menu. A product that an earlier list shows is not shown again.
pub(super) fn short_lists(menu: &Menu, lists: [(i32, &[Product]); 3]) -> Vec<ShortList> {
    let mut left: HashSet<u64> = menu.shown().map(|product| product.id.0).collect();
    lists
        .into_iter()
        .map(|(id, products)| ShortList {
            id,
            products: products
                .iter()
                .map(|product| product.id.0)
                .filter(|product| left.remove(product))
                .take(MOST)
                .collect(),
        })
        .filter(|list| !list.products.is_empty())
        .collect()
}

/// Without a menu the lists stand for themselves (MN-07).
pub(super) fn instead(
    lists: [(i32, &[Product]); 3],
    stock: &Stock,
    images: &Images,
) -> Vec<Category> {
    let mut known = HashSet::new();
    lists
        .into_iter()
        .map(|(id, products)| Category {
            id,
            name: String::new(),
            photos: true,
            products: products
                .iter()
                .filter(|product| known.insert(product.id))
                .take(MOST)
                .map(|product| mapping::shown(product, stock, images))
                .collect(),
        })
        .filter(|category| !category.products.is_empty())
        .collect()
}
