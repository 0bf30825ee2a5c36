//! The sheet of a dish: one product with everything that can be chosen (AT).

use std::collections::BTreeMap;

use super::{Choice, DishSheet, EditedLine, OptionGroup, Size};
use crate::{
    error::Error,
    features::{cart_view, mapping, stock::Stock},
    state::carts::Line,
    upstream::{AdditiveGroup, AdditivesOf, Menu, ProductId, VenueId},
    values::Service,
    web::visit::Visit,
};

/// Loads the dish that `?item=` names. Options that do not come leave a dish that can't be added (AT-11).
///
/// # Errors
/// Not found when the menu has no such product.
pub(super) async fn load(
    visit: &Visit,
    menu: &Menu,
    stock: &Stock,
    venue: VenueId,
    service: Service,
    id: &str,
) -> Result<DishSheet, Error> {
    let id: ProductId = id.parse().map_err(|_| Error::NotFound("dish"))?;
    let product = menu.product(id).ok_or(Error::NotFound("dish"))?;
    // Opened from the favourites (AT-03).
    let of = match visit.query_value("fav") {
        Some(_) => AdditivesOf::Favourite,
        None => AdditivesOf::Product,
    };
    let caller = visit.caller(None);
    let additives = if product.has_additives {
        Some(
            visit
                .app
                .upstream
                .additives(&caller, venue, id, service, of)
                .await,
        )
    } else {
        None
    };
    let (groups, selected, failed) = match &additives {
        None => (Vec::new(), BTreeMap::new(), false),
        Some(Ok(additives)) => (
            additives.groups.iter().map(group).collect(),
            additives
                .last_selected
                .iter()
                .map(|chosen| (chosen.id.to_string(), chosen.count))
                .collect(),
            false,
        ),
        Some(Err(error)) => {
            tracing::warn!(
                class = error.class(),
                "The options of a dish could not be loaded"
            );
            (Vec::new(), BTreeMap::new(), true)
        }
    };
    let sizes: Option<Vec<Size>> = product.sizes.as_ref().map(|sizes| {
        sizes
            .iter()
            .map(|size| Size {
                id: size.id.0,
                name: size.name.clone(),
                price: size.current_price(),
                out: size.is_unavailable,
            })
            .collect()
    });
    let selected_size = sizes
        .as_ref()
        .and_then(|sizes| sizes.iter().find(|size| !size.out))
        .map(|size| size.id);
    let line = edited(visit, venue, id).await?;
    // An upstream may propose a choice of its own to whoever has made none: that is nobody's last time.
    let is_own = caller.is_identified() && line.is_none();
    let last = match &additives {
        Some(Ok(own)) if is_own && !own.last_selected.is_empty() => {
            let upstream = &visit.app.upstream;
            let shared = upstream
                .shared_additives(&caller.optional(), venue, id, service, of)
                .await;
            shared.is_ok_and(|shared| shared.last_selected != own.last_selected)
        }
        Some(_) | None => false,
    };
    let selected = line.as_ref().map_or(selected, |line| {
        line.options
            .iter()
            .map(|choice| (choice.id.to_string(), choice.count))
            .collect()
    });
    let selected_size = line
        .as_ref()
        .and_then(|line| line.size_id)
        .or(selected_size);
    let mut shown = mapping::shown(product, stock, &visit.app.images);
    shown.options = product.has_additives || sizes.is_some();
    Ok(DishSheet {
        product: shown,
        sizes,
        groups,
        selected,
        last,
        selected_size,
        minutes: product.cooking_time,
        line: line.map(|line| EditedLine {
            id: line.id,
            qty: line.quantity,
            note: line.note,
        }),
        failed,
    })
}

/// The cart line that `?line=` names, if the guest's cart has it with this product.
async fn edited(visit: &Visit, venue: VenueId, product: ProductId) -> Result<Option<Line>, Error> {
    let Some(line_id) = visit.query_value("line") else {
        return Ok(None);
    };
    let cart = cart_view::of_page(visit).await?;
    Ok(cart
        .filter(|cart| cart.venue_id == Some(venue.0))
        .and_then(|cart| {
            cart.lines
                .iter()
                .find(|line| line.id == line_id && line.product_id == product.0)
                .cloned()
        }))
}

fn group(group: &AdditiveGroup) -> OptionGroup {
    OptionGroup {
        id: group.id.0,
        name: group.name.clone(),
        min: group.min,
        max: group.max,
        options: group
            .additives
            .iter()
            .map(|option| Choice {
                id: option.id.0,
                name: option.name.clone(),
                price: option.price,
                max: option.max_count.max(1),
                out: option.is_unavailable,
            })
            .collect(),
    }
}
