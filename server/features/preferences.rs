//! Town, service and table of the visit: pickers and their form posts.

use icu_collator::{Collator, options::CollatorOptions};
use icu_locale_core::locale;
use serde::Serialize;
use url::form_urlencoded::Serializer;

use super::{
    analytics, cart, cart_view, kiosk,
    loaded::{Facts, Loaded, PageRequest},
    mapping,
    place::Place,
    shell::TownRef,
};
use crate::{
    error::Error,
    upstream::{Town, TownId},
    values::{Lang, Service},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        locale::{self, preference_cookie},
        page::{self, OnService, Page},
        redirect::safe_path,
        session::MenuTemp,
        visit::Visit,
    },
};

/// The query key of a page of a list: pages are counted for one service and one town, with another a list begins anew (HM-14).
const OF_A_LIST: [&str; 1] = ["page"];
/// A search text is cut here.
const LONGEST_QUERY: usize = 60;

/// Page data of `/town`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TownPage {
    /// Towns of the country whose names hold the search text, in the alphabet of the page's language.
    pub towns: Vec<TownRef>,
    /// Search text, trimmed.
    pub query: String,
    /// The town that the guest is probably in.
    pub detected: Option<TownRef>,
    /// Chosen, but the cart belongs to a venue elsewhere: asked about once.
    pub confirm: Option<TownRef>,
    /// Where to return to.
    pub back: String,
}

/// `/town`
pub const PAGE: Page = Page::builder("town", "/town")
    .query(&["back", "q", "to"])
    .shared();

/// Loads `/town`.
///
/// # Errors
/// None: without an answer the list is empty and says so.
pub async fn load(request: PageRequest) -> Result<Loaded<TownPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let query = visit.query_text("q", LONGEST_QUERY);
    let town_ref = |town: &Town| town_ref(town, visit.lang);
    let mut towns: Vec<TownRef> = place.towns().iter().filter_map(town_ref).collect();
    let confirm = visit
        .query_value("to")
        .and_then(|id| id.parse().ok())
        .and_then(|id: u32| towns.iter().find(|town| town.id == id).cloned());
    sort(&mut towns, visit.lang);
    let page = TownPage {
        towns,
        query,
        confirm,
        detected: place.town().and_then(town_ref),
        back: safe_path(visit.query_value("back").unwrap_or("/")),
    };
    Ok(Loaded::page(page))
}

/// Chooses a service. In a venue the guest moves on to its sibling for that service (SV-03).
///
/// The cart comes along: what is not sold there is told in the cart, never dropped (SV-12).
///
/// # Errors
/// When the store does not answer.
pub async fn set_service(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let offered = kiosk::offered(&visit, kiosk::on_tablet(&visit).await);
    let chosen = form
        .get("service")
        .and_then(Service::from_code)
        .filter(|service| offered.contains(service));
    let Some(service) = chosen else {
        return Ok(Outcome::refused_form(
            &form,
            form.back(),
            ErrorCode::BadInput,
        ));
    };
    // Listeners get the old one and the new one (SV-06): the count here, the app's own parts by its event.
    analytics::service_changed(visit.service, service);
    let mut to = page::without_keys(&form.back(), &OF_A_LIST);
    let mut carries = false;
    let shown = visit.app.page_of(&to);
    if shown.page.on_service == OnService::Sibling
        && let Ok(venue_id) = shown.param("filial_id").parse()
        && let Ok(venue) = visit
            .app
            .upstream
            .venue(&visit.caller(None), venue_id, None)
            .await
        && let Some(sibling) = venue.location.venue_for(service)
    {
        to = shown.page.path.replace("{filial_id}", &sibling.to_string());
        carries = cart::follow_service(&visit, &mapping::siblings(&venue), sibling).await?;
    } else if shown.page.on_service == OnService::Cart {
        carries = cart::change_service(&visit, service).await?;
    }
    let cookie = preference_cookie(locale::SERVICE, service.code(), visit.is_secure());
    let outcome = Outcome::go(to).with_cookie(cookie);
    Ok(if carries {
        outcome.with_cart()
    } else {
        outcome
    })
}

/// Chooses a town. The cart stays with its venue, so a guest who has one is asked first, once.
///
/// # Errors
/// When the store does not answer.
pub async fn set_town(visit: Visit, form: Form) -> Result<Outcome, Error> {
    // The guest was asked, and has answered: not asked again in this session, whatever the answer (LC-14).
    if form.get("asked").is_some() {
        visit.sess.disable_town_picker().await?;
    }
    if form.get("stay").is_some() {
        return Ok(Outcome::back(form.back()));
    }
    let place = Place::of(&visit).await;
    let known = form
        .parse::<TownId>("town")
        .and_then(|id| place.towns().iter().find(|town| town.id == id));
    let Some(town) = known else {
        return Ok(Outcome::refused_form(
            &form,
            form.back(),
            ErrorCode::BadInput,
        ));
    };
    let moves = place.town().is_none_or(|current| current.id != town.id);
    if moves && form.get("keep").is_none() && has_cart(&visit).await {
        let mut query = Serializer::new(String::new());
        query.append_pair("to", &town.id.to_string());
        query.append_pair("back", &form.back());
        return Ok(Outcome::go(format!("/town?{}", query.finish())));
    }
    let cookie = preference_cookie(locale::TOWN, &town.id.to_string(), visit.is_secure());
    let to = page::without_keys(&form.back(), &OF_A_LIST);
    Ok(Outcome::go(to).with_cookie(cookie))
}

/// Forgets the table.
///
/// # Errors
/// When the store does not answer.
pub async fn leave_table(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let left = visit.sess.menu_temp().await.and_then(MenuTemp::left);
    visit.sess.set_menu_temp(left.as_ref()).await?;
    if left.is_none() {
        visit.sess.set_scanned_venues(&[]).await?;
    }
    Ok(Outcome::go(form.back()))
}

async fn has_cart(visit: &Visit) -> bool {
    let cart = cart_view::load(visit).await;
    matches!(cart, Ok(Some(cart)) if !cart.is_empty())
}

/// By the alphabet of the language: Kazakh letters stand where Kazakh readers look for them.
fn sort(towns: &mut [TownRef], lang: Lang) {
    let locale = match lang {
        Lang::Kk => locale!("kk"),
        Lang::Ru => locale!("ru"),
        Lang::En => locale!("en"),
        Lang::Ka => locale!("ka"),
    };
    match Collator::try_new(locale.into(), CollatorOptions::default()) {
        Ok(collator) => towns.sort_by(|one, other| collator.compare(&one.name, &other.name)),
        Err(error) => tracing::error!(%error, "Towns could not be sorted"),
    }
}

fn town_ref(town: &Town, lang: Lang) -> Option<TownRef> {
    Some(TownRef {
        id: u32::try_from(town.id.0).ok()?,
        name: town.name(lang).to_owned(),
    })
}
