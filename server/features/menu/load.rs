//! Loading `/filials/{id}`.

use axum::extract::State;
use serde_json::Value;
use std::time::Duration;

use super::{
    Categories, MenuPage, Menus, address::SHEET, around::Around, dish, offers, sections, table,
};
use crate::{
    error::Error,
    features::{
        banners::banner_over,
        cart_view, fridge,
        live::Venues,
        loaded::{Facts, Loaded, PageRequest},
        mapping,
        sitemap::{Directory, missing},
        structured,
    },
    upstream::{Answer, Venue, VenueId},
    values::Country,
    web::{
        change::outcome::{Flash, Notice},
        page::{OnService, Page},
        session::{AgeAnswer, Source},
        visit::Visit,
    },
};

/// A branch check that takes longer is given up and the menu opens (RT-09).
pub(super) const BRANCH_TIMEOUT: Duration = Duration::from_millis(1500);

/// `/filials/{filial_id}`
pub const PAGE: Page = Page::builder("menu", "/filials/{filial_id}")
    .opens(&SHEET)
    // A table's code, and how the guest came, are noted in the session (FL-10); a line is in one cart.
    .personal(&[
        "filial_id",
        "table_id",
        "main_terminal_id",
        "source",
        "line",
    ])
    .asks_age()
    .venue_balance()
    .on_service(OnService::Sibling)
    .shared();

/// Loads the menu; with a table link it binds the table first, or leads to the bill (RT-08).
///
/// # Errors
/// Not found for an unknown venue or dish and for a venue without a service on offer, the upstream's failure when neither
/// menu nor favourites came (MN-07).
pub async fn load(
    State(venues): State<Venues>,
    State(menus): State<Menus>,
    State(directory): State<Directory>,
    request: PageRequest,
) -> Result<Loaded<MenuPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let venue_id = visit.matched.param("filial_id");
    let venue_id: VenueId = venue_id.parse().map_err(|_| Error::NotFound("venue"))?;
    let link = table::Link::of(visit).await;
    let upstream = &visit.app.upstream;
    let caller = visit.caller(None);
    let checked = async {
        match &link {
            Some(link) => tokio::time::timeout(BRANCH_TIMEOUT, link.check(visit, venue_id))
                .await
                .ok()
                .flatten(),
            None => None,
        }
    };
    // Of a number that may be made up only the venue is asked for: the rest would be six calls for nothing.
    let asked_first = if upstream.keeps_venue(&caller, venue_id, visit.brand()).await {
        None
    } else {
        let venue = upstream.venue(&caller, venue_id, visit.brand()).await;
        if let Err(error) = venue {
            return missing(&directory, visit, venue_id, error, "").await;
        }
        Some(venue)
    };
    let venue = async {
        match asked_first {
            Some(venue) => venue,
            None => upstream.venue(&caller, venue_id, visit.brand()).await,
        }
    };
    // A code may set a cart aside, or bring one back: which one waits then is known after it.
    let saved = async {
        match &link {
            Some(_) => None,
            None => cart_view::saved(visit).await,
        }
    };
    let (venue, menu, around, branch, saved) = tokio::join!(
        venue,
        upstream.menu(&caller, venue_id),
        Around::load(&venues, visit, venue_id),
        checked,
        saved,
    );
    let venue = match venue {
        Ok(venue) => venue,
        Err(error) => return missing(&directory, visit, venue_id, error, "").await,
    };
    if let Some(offered) = offered_instead(visit, &venue) {
        // A dish, how the guest came: what the address says holds there too.
        let query = visit.raw_query.as_deref().filter(|query| !query.is_empty());
        let query = query.map_or_else(String::new, |query| format!("?{query}"));
        return Ok(Loaded::Redirect(format!("/filials/{offered}{query}")));
    }
    if let Some(branch) = branch
        .as_ref()
        .filter(|branch| branch.is_check_pulling_enabled)
        && let Some(link) = &link
    {
        if visit.may_bind() {
            link.sit_down(visit, &venue, branch).await?;
        }
        return Ok(Loaded::Redirect(link.bill(venue_id)));
    }
    if table::is_idle_tablet(visit, &venue, link.is_some(), branch.as_ref()).await {
        return Err(Error::Tablet);
    }
    if !mapping::is_for_sale(visit, &venue) {
        return Err(Error::NotFound("service"));
    }
    let meta = place.meta_of(venue.town.as_ref());
    let images = &visit.app.images;
    let shown = mapping::venue(&venue, &meta, images, visit.now);
    let noted = async {
        match &link {
            _ if !visit.may_bind() => Ok(None),
            Some(link) => {
                let is_open = shown.open.open;
                link.bind(visit, &venue, branch.as_ref(), is_open).await
            }
            None => table::arrive(visit, &venue).await,
        }
    };
    // What can't be written down costs the table, not the menu.
    let flash = noted.await.unwrap_or_else(|error: Error| {
        tracing::warn!(%error, "How a guest came to a venue could not be kept");
        None
    });

    // The code on a fridge leads to its lock; from there the goods are one step away.
    if venue.is_fridge()
        && visit.query_value("source").and_then(Source::from_code) == Some(Source::Fridge)
    {
        return Ok(Loaded::Redirect(fridge::path(venue_id)));
    }

    let failed = menu.is_err();
    let stale = venue.is_stale() || menu.as_ref().is_ok_and(Answer::is_stale);
    let menu_age = menu.as_ref().map_or(Duration::ZERO, Answer::age);
    let stock = &around.stock.clone().beside(menu_age);
    let (categories, lists, promos, rev) = match &menu {
        Ok(menu) => {
            let of = (venue_id, visit.lang);
            let shown = menus.shown(of, menu.value(), stock, images)?;
            (
                shown.categories.clone(),
                sections::short_lists(menu, around.lists()),
                offers::on_menu(&around.promos, menu, visit.now),
                shown.rev.clone(),
            )
        }
        Err(error) => {
            let instead = sections::instead(around.lists(), stock, images);
            if instead.is_empty() {
                return Err(Error::Upstream(error.clone()));
            }
            (
                Categories::new(instead)?,
                Vec::new(),
                Vec::new(),
                String::new(),
            )
        }
    };
    let service = mapping::service(&venue, visit);
    let delivery = offers::delivery(visit, &venue, service);
    let dish = async {
        match (visit.query_value("item"), &menu) {
            (Some(id), Ok(menu)) => dish::load(visit, menu, stock, venue_id, service, id)
                .await
                .map(Some),
            (_, Err(_)) | (None, _) => Ok(None),
        }
    };
    let saved = async {
        match (&link, &flash) {
            (Some(_), None) => cart_view::saved(visit).await,
            _ => saved,
        }
    };
    let (delivery, dish, saved, saved_here) = tokio::join!(
        delivery,
        dish,
        saved,
        cart_view::saved_here(visit, venue_id, menu.as_deref().ok())
    );
    let dish = dish?;
    // The line left the cart meanwhile: the sheet adds anew, and says so.
    let line_gone = visit.query_value("line").is_some()
        && dish.as_ref().is_some_and(|dish| dish.line.is_none());
    let flash = flash
        .or_else(|| line_gone.then(|| Flash::new(Notice::LineGone)))
        .or(saved);
    let mut page = MenuPage {
        venue: shown,
        banner: banner_over(visit, &venue, around.banner.as_ref(), meta.utc_offset),
        categories,
        // A guest without a sign-in or favourites gets those of all guests (MN-09).
        house: !around.has_own_favourites(),
        lists,
        promos,
        delivery,
        rev,
        bill: table::pays_by_bill(visit, &venue).await,
        fridge: venue.is_fridge(),
        failed,
        locked: visit.sess.age().await == Some(AgeAnswer::Declined),
        dish,
        saved: saved_here,
    };
    let abroad = place.elsewhere(visit, venue.town.as_ref()).await;
    let structured = structured_of(visit, abroad.unwrap_or(visit.country), &page, &venue);
    let overlay = match &page {
        MenuPage { dish: Some(_), .. } => Some("dish"),
        MenuPage { failed: true, .. } => Some("noMenu"),
        MenuPage { categories, .. } if categories.iter().all(|one| one.products.is_empty()) => {
            Some("noMenu")
        }
        MenuPage { venue, .. } if !venue.open.open => Some("closed"),
        MenuPage { saved, .. } => saved.as_ref().map(|_| "savedCart"),
    };
    // Where nothing can be added, a message tells of it as elsewhere.
    page.saved = page
        .saved
        .filter(|_| !matches!(overlay, Some("closed" | "noMenu")));
    let flash = flash.filter(|flash| page.saved.is_none() || !cart_view::is_saved(flash, venue_id));
    let until = page.venue.open.until;
    // What stands in for a menu is one guest's.
    let shared = (!failed).then(|| page.categories.shared().clone());
    Ok(Loaded::page(page)
        .shared(shared)
        .stale(stale)
        .lacking(failed)
        .until(until)
        .overlay(overlay)
        .structured(structured)
        .of_country(abroad)
        .flash(flash))
}

/// The same venue's id for a service that this installation offers, when the address names one that it does not
/// (SV-07).
fn offered_instead(visit: &Visit, venue: &Venue) -> Option<VenueId> {
    let offered = visit.offered();
    mapping::service_of(venue).filter(|service| !offered.contains(service))?;
    std::iter::once(visit.service)
        .chain(offered)
        .find_map(|service| venue.location.venue_for(service))
}

/// What search engines are told of a menu; nothing where something is open over it or it did not come.
fn structured_of(visit: &Visit, country: Country, page: &MenuPage, venue: &Venue) -> Option<Value> {
    if page.dish.is_some() || page.failed {
        return None;
    }
    structured::of_venue(visit, country, &page.venue, Some(&page.categories), venue)
}
