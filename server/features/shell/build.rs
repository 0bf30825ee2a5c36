//! Putting the shell of a page together.

use super::{ActiveOrder, HostApp, Shell, TableRef, TownRef};
use crate::{
    features::{
        cart_view, consent,
        kiosk::{self, Kiosk},
        order_venue,
        orders::live::{Watchers, under_way},
        page_data::CartView,
        place::Place,
    },
    upstream::{ShownBalance, VenueId},
    values::Sum,
    web::{
        change::outcome::Flash,
        page::{Layout, OnService},
        session::{AgeAnswer, MenuTemp},
        visit::Visit,
    },
};

/// The shell of a page. `url` is its path with the query keys that its route declares.
pub async fn shell(
    visit: &Visit,
    place: &Place,
    watchers: &Watchers,
    cart: Option<Option<CartView>>,
    flash: Option<Flash>,
    url: String,
    layout: Layout,
) -> Shell {
    let temp = visit.sess.menu_temp().await;
    let languages = visit.languages();
    let home = home(temp.as_ref());
    let kiosk = Kiosk::of(&visit.app.config, temp.as_ref());
    let (active_order, balance, table) = futures_util::join!(
        active_order(visit, place, watchers),
        balance(visit, layout),
        table(visit, cart.as_ref().and_then(Option::as_ref))
    );
    Shell {
        lang: visit.lang,
        langs: languages.offered.to_vec(),
        fallback: languages.fallback,
        country: visit.country,
        abroad: None,
        now: visit.now,
        until: None,
        utc_offset: place.meta.utc_offset,
        money: place.meta.money.clone(),
        service: visit.service,
        services: kiosk::offered(visit, kiosk.is_some()),
        town: TownRef {
            id: place.town_id(),
            name: place
                .town()
                .map(|town| town.name(visit.lang).to_owned())
                .unwrap_or_default(),
        },
        table,
        cart,
        active_order,
        balance: balance.flatten(),
        balance_unknown: balance == Some(None),
        flash,
        origin: visit.origin.clone(),
        url,
        layout,
        home,
        from_payment: visit.is_from_payment()
            || (visit.is_document && !visit.is_prefetch() && visit.sess.back_from_payment().await),
        hosts: visit.app.config.host_origins.clone(),
        kiosk,
        host: host(visit).await,
        locked: visit.sess.age().await == Some(AgeAnswer::Declined),
        site: visit.custom.name(visit.lang).map(str::to_owned),
        version: concat!("v", env!("CARGO_PKG_VERSION")).to_owned(),
    }
}

/// What is told to the host app that the visit is in. Who has signed in is called as the upstream calls them.
async fn host(visit: &Visit) -> Option<HostApp> {
    if !visit.platform.is_host_app() {
        return None;
    }
    let account = match &visit.signed_in {
        Some(_) => visit.sess.account().await,
        None => None,
    };
    Some(HostApp {
        user: account
            .and_then(|account| account.user)
            .map(|user| user.to_string()),
        agreed: consent::has_agreed(visit).await,
    })
}

/// Where "home" leads: guests who came by a code stay with their venue (RT-19). Its id is kept with a source or not at
/// all, so there is no id that only a forced way home would follow.
fn home(temp: Option<&MenuTemp>) -> String {
    match temp {
        Some(temp) => format!("/filials/{}", temp.venue_id),
        None => "/".to_owned(),
    }
}

/// The table of the visit, where it belongs: on pages of its venue, beside a cart of its venue, and on pages of no venue
/// while there is no cart of another one. Elsewhere it is kept, not shown: among the dishes of all venues it would say that
/// each of them comes to it.
async fn table(visit: &Visit, cart: Option<&CartView>) -> Option<TableRef> {
    if visit.matched.page.of_all_venues {
        return None;
    }
    let venue = match visit.matched.param("filial_id") {
        venue_id if !venue_id.is_empty() => Some(venue_id.parse().ok()?),
        _ => cart.map(|cart| cart.venue_id),
    };
    let temp = match venue {
        Some(venue_id) => visit.sess.arrived_at(venue_id).await?,
        None => visit.sess.menu_temp().await?,
    };
    let table = temp.table?;
    // The bill of another table is read by its link; the guest sits where they sat.
    let asked = visit.query_value("table_id");
    if visit.matched.page.names_table && asked.is_some_and(|asked| asked != table.id) {
        return None;
    }
    // The pages of a venue have its name, and so has a cart of its dishes; an empty one may be that of another. An order may
    // be another than that of the table, as what is taken away.
    let page = visit.matched.page;
    let is_named = if page.on_service == OnService::Cart {
        cart.is_some()
    } else {
        let is_of_venue = !visit.matched.param("filial_id").is_empty();
        is_of_venue && (page.names_table || !page.of_orders)
    };
    let venue = async {
        let id = VenueId(temp.venue_id);
        order_venue::name(visit, id, temp.venue_name).await
    };
    Some(TableRef {
        venue: if is_named { None } else { Some(venue.await) },
        venue_id: temp.venue_id,
        table_id: table.id,
        number: table.number,
        main_venue_id: table.main_venue_id,
    })
}

/// The balance of a signed-in guest: at a venue with a reward of its own that one (BL-03). A guest who is not signed in
/// has none. `None` inside: there is one, and the upstream does not say how much.
async fn balance(visit: &Visit, layout: Layout) -> Option<Option<Sum>> {
    if !layout.balance || visit.signed_in.is_none() {
        return None;
    }
    let caller = visit.caller(None).optional();
    let upstream = &visit.app.upstream;
    let matched = &visit.matched;
    let venue = match matched.param("filial_id").parse() {
        Ok(venue_id) if matched.page.venue_balance => {
            upstream.venue(&caller, venue_id, None).await.ok()
        }
        Ok(_) | Err(_) => None,
    };
    let venue = venue.as_ref().map(|answer| answer.value().as_ref());
    match upstream.shown_balance(&caller, venue).await {
        ShownBalance::Plain(balance) => Some(Some(balance.total())),
        ShownBalance::Reward(reward) => Some(Some(reward.available_balance)),
        ShownBalance::Unknown => Some(None),
        ShownBalance::Nothing => None,
    }
}

/// The newest order of this visit that is not over. The upstream is asked only when there is one, at most every few
/// seconds, and no more about one that is over; one that can't be had hides those before it.
async fn active_order(visit: &Visit, place: &Place, watchers: &Watchers) -> Option<ActiveOrder> {
    /// After so long no order is waited for any more, milliseconds.
    const TOO_OLD: i64 = 6 * 3600 * 1000;
    let mut orders = cart_view::unpaid::own_orders(visit).await;
    orders.retain(|own| visit.now - own.placed_at <= TOO_OLD && !watchers.is_over(&own.id));
    let is_alone = orders.len() == 1;
    let here: Option<VenueId> = visit.matched.param("filial_id").parse().ok();
    for own in orders {
        let now = under_way(watchers, visit, place, &own.id).await?;
        if now.status.is_final() {
            continue;
        }
        let cart = cart_view::of_page(visit).await.ok().flatten();
        let unpaid = cart
            .and_then(|cart| cart.unpaid.as_ref())
            .filter(|unpaid| unpaid.order == own.id);
        // On the menu of its venue one order alone is plain.
        let is_plain = is_alone && here.is_some() && here == now.venue;
        let venue = now.venue_name.filter(|_| !is_plain);
        return Some(ActiveOrder {
            label: match venue {
                Some(venue) => format!("{} ({venue})", own.number),
                None => own.number.clone(),
            },
            number: own.number,
            status: now.status,
            ready_at: now.ready_at,
            utc_offset: now.utc_offset,
            unpaid: unpaid.is_some(),
            href: unpaid.map_or(own.href, |unpaid| unpaid.href.clone()),
        });
    }
    None
}
