//! Town, service and table of the visit: pickers and their form posts.

use axum::http::HeaderValue;
use serde::Serialize;
use ts_rs::TS;

use super::{page::Page, place::Place, shell::TownRef};
use crate::{
    error::Error,
    routes::PageRoute,
    upstream::{Town, TownId},
    values::Service,
    web::{
        form::{Form, Outcome},
        load::Loaded,
        locale::{self, preference_cookie},
        redirect::safe_path,
        visit::Visit,
    },
};

/// Page data of `/town`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct TownPage {
    /// Towns of the country.
    pub towns: Vec<TownRef>,
    /// The town that the guest is probably in.
    pub detected: Option<TownRef>,
    /// Where to return to.
    pub back: String,
}

/// Loads `/town`.
///
/// # Errors
/// None: without an answer the list is empty and says so.
pub async fn load(visit: &Visit, place: &Place) -> Result<Loaded, Error> {
    let page = TownPage {
        towns: place.towns().iter().filter_map(town_ref).collect(),
        detected: place.town().and_then(town_ref),
        back: safe_path(visit.asked("back").unwrap_or("/")),
    };
    Ok(Loaded::page(Page::Town(page)))
}

/// Chooses a service. In a venue the guest moves on to its filial for that service (SV-03).
///
/// # Errors
/// None so far.
pub async fn set_service(
    visit: &Visit,
    form: &Form,
) -> Result<(Outcome, Option<HeaderValue>), Error> {
    let Some(service) = form.get("service").and_then(Service::from_code) else {
        return Ok((Outcome::refused_form(form, form.back(), "badInput"), None));
    };
    let mut to = form.back();
    if let PageRoute::Menu { filial } = PageRoute::of(to.split('?').next().unwrap_or("/"))
        && let Ok(filial) = filial.parse()
        && let Ok(card) = visit
            .app
            .upstream
            .card(&visit.caller(None), filial, None)
            .await
        && let Some(sibling) = card.location.filial(service)
    {
        to = format!("/filials/{sibling}");
    }
    Ok((
        Outcome::go(to),
        preference_cookie(locale::SERVICE, service.code(), visit.is_secure()),
    ))
}

/// Chooses a town; the cart stays.
///
/// # Errors
/// When the store does not answer.
pub async fn set_town(visit: &Visit, form: &Form) -> Result<(Outcome, Option<HeaderValue>), Error> {
    let place = Place::of(visit).await;
    let known = form
        .parse::<TownId>("town")
        .and_then(|id| place.towns().iter().find(|town| town.id == id));
    let Some(town) = known else {
        return Ok((Outcome::refused_form(form, form.back(), "badInput"), None));
    };
    Ok((
        Outcome::go(form.back()),
        preference_cookie(locale::TOWN, &town.id.to_string(), visit.is_secure()),
    ))
}

/// Forgets the table.
///
/// # Errors
/// When the store does not answer.
pub async fn leave_table(visit: &Visit, form: &Form) -> Result<Outcome, Error> {
    visit.sess.set_menu_temp(None).await?;
    Ok(Outcome::go(form.back()))
}

fn town_ref(town: &Town) -> Option<TownRef> {
    Some(TownRef {
        id: u32::try_from(town.id.0).ok()?,
        name: town.name.clone(),
    })
}
