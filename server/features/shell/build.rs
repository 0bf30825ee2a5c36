//! Putting the shell of a page together.

use super::{ActiveOrder, CartView, Flash, Shell, TableRef, TownRef};
use crate::{
    features::{orders, place::Place},
    values::Service,
    web::{session::MenuTemp, visit::Visit},
};

/// Services that are offered everywhere; Delivery and Takeaway are browsed, express is ordered.
const OFFERED: [Service; 3] = Service::ALL;

/// The shell of a page. `url` is its path with the query keys that its route declares.
pub async fn shell(
    visit: &Visit,
    place: &Place,
    cart: Option<CartView>,
    flash: Option<Flash>,
    url: String,
) -> Shell {
    let table = visit.sess.menu_temp().await.and_then(table);
    Shell {
        lang: visit.lang,
        langs: visit.country.langs().to_vec(),
        country: visit.country,
        now: visit.now,
        utc_offset: place.meta.utc_offset,
        money: place.meta.money.clone(),
        service: visit.service,
        services: OFFERED.to_vec(),
        town: TownRef {
            id: place.town_id(),
            name: place
                .town()
                .map(|town| town.name.clone())
                .unwrap_or_default(),
        },
        table,
        cart,
        active_order: active_order(visit).await,
        flash,
        origin: visit.origin.clone(),
        url,
        version: concat!("v", env!("CARGO_PKG_VERSION")).to_owned(),
    }
}

fn table(temp: MenuTemp) -> Option<TableRef> {
    let table = temp.table?;
    Some(TableRef {
        filial_id: temp.filial_id,
        table_id: table.id,
        number: table.number,
        main_terminal_id: table.main_terminal_id,
    })
}

/// The newest order of this visit that is not over; asks the upstream only when there is one, and at most every few
/// seconds.
async fn active_order(visit: &Visit) -> Option<ActiveOrder> {
    /// After so long no order is waited for any more, milliseconds.
    const TOO_OLD: i64 = 6 * 3600 * 1000;
    let newest = visit.sess.own_orders().await.into_iter().next()?;
    if visit.now - newest.placed_at > TOO_OLD {
        return None;
    }
    let status = orders::live::last_status(visit, &newest.id).await?;
    (!status.is_final()).then_some(ActiveOrder {
        number: newest.number,
        status,
        href: newest.href,
    })
}
