//! What can be had of a menu.

use std::{collections::HashSet, sync::Arc, time::Duration};

use crate::upstream::{Product, ProductId};

/// A menu this old may not know what the stock knows.
const OLD: Duration = Duration::from_secs(2);

/// Which products can be had now (MN-10). Without an answer the menu's own word holds alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stock {
    products: Option<Arc<HashSet<ProductId>>>,
    /// The menu beside it is older: what came back since is there.
    newer: bool,
}

impl Stock {
    /// Of all that can be had.
    #[must_use]
    pub fn of(products: Vec<ProductId>) -> Self {
        Self {
            products: Some(Arc::new(products.into_iter().collect())),
            newer: false,
        }
    }

    /// The stock beside a menu of this age.
    #[must_use]
    pub fn beside(self, menu: Duration) -> Self {
        Self {
            newer: menu >= OLD,
            ..self
        }
    }

    /// Whether a product can be had.
    #[must_use]
    pub fn has(&self, product: &Product) -> bool {
        match &self.products {
            None => !product.is_unavailable,
            Some(products) => {
                products.contains(&product.id) && (self.newer || !product.is_unavailable)
            }
        }
    }
}
