//! Loading the pages of one order: the open one, the guest's own, and the one that says thank you.

use axum::extract::State;
use url::form_urlencoded::{self, Serializer};

use super::{OrderPage, bringing, live::Watchers, page::page, reader::Reader, view::View};
use crate::{
    error::Error,
    features::loaded::{Facts, Loaded, PageRequest, SignedInRequest},
    upstream::{self, Order, OrderId},
    web::{
        page::{Page, SignedInPage},
        visit::Visit,
    },
};

/// Seconds until the page looks again where scripts do not run.
const REFRESH: u32 = 10;
/// The code, styles and texts of what few orders show: the courier, the question before one is taken back, the grade.
const CARE: &str = "orderCare";
/// Those of the goods of a fridge.
const FRIDGE: &str = "fridgeOrder";

/// `/filials/{filial_id}/order/{id}`
pub const PAGE: Page = Page::builder("order", "/filials/{filial_id}/order/{id}")
    .query(&["key", "step"])
    .of_orders()
    .shows_order()
    .open();
/// `/orders/{id}`
pub const INFO: SignedInPage = Page::builder("orderInfo", "/orders/{id}")
    .query(&["step"])
    .navbar()
    .of_orders()
    .signed_in();
/// `/typ/{filial_id}/order/{id}`
pub const THANKS: SignedInPage = Page::builder("thankYou", "/typ/{filial_id}/order/{id}")
    .query(&["step"])
    .navbar()
    .of_orders()
    .signed_in();

/// Loads `/filials/{filial_id}/order/{id}`: whole for the guest who has placed the order, its status for others.
///
/// # Errors
/// Not found for an unknown order or another venue's; when its address has looked at too many; or the upstream's failure.
pub async fn load(
    State(watchers): State<Watchers>,
    request: PageRequest,
) -> Result<Loaded<OrderPage>, Error> {
    let id = order_id(&request)?;
    let reader = Reader::of(&request.visit, &id).await;
    loaded(&watchers, &request, &id, &reader).await
}

/// Loads `/orders/{id}` and `/typ/{filial_id}/order/{id}` for the guest who has placed the order; not found for others
/// (S-16).
///
/// # Errors
/// Not found for an unknown order, another guest's or another venue's; when its address has looked at too many; or the
/// upstream's failure.
pub async fn load_own(
    State(watchers): State<Watchers>,
    request: SignedInRequest,
) -> Result<Loaded<OrderPage>, Error> {
    let id = order_id(&request)?;
    let reader = Reader::signed_in(&request.visit, &id).await;
    loaded(&watchers, &request, &id, &reader).await
}

/// The one way to read an order for a page.
async fn loaded(
    watchers: &Watchers,
    request: &Facts,
    id: &OrderId,
    reader: &Reader,
) -> Result<Loaded<OrderPage>, Error> {
    let Facts { visit, place, .. } = request;
    let is_open = visit.matched.page.is(&PAGE);
    let in_path = match visit.matched.param("filial_id") {
        "" => None,
        venue => Some(venue.parse().map_err(|_| Error::NotFound("order"))?),
    };
    reader.look_up(visit, id).await?;
    let (order, view) = tokio::join!(read(visit, reader, id), async {
        match in_path {
            Some(venue) => Some(View::of(visit, place, venue, id, reader).await),
            None => None,
        }
    });
    let (order, bringing) = order?;
    if !is_open && !order.personal {
        return Err(Error::NotFound("order"));
    }
    if let (Some(in_path), Some(own)) = (in_path, order.venue_id)
        && in_path != own
    {
        return Err(Error::NotFound("order"));
    }
    let view = match (view, order.venue_id) {
        (Some(view), _) => view,
        (None, Some(venue)) => View::of(visit, place, venue, id, reader).await,
        (None, None) => {
            return Err(Error::Upstream(upstream::Error::BadAnswer {
                why: "an order of no venue",
            }));
        }
    };
    watchers.note(&order, visit.lang);
    let mut page = page(&order, &bringing, &view, visit.now);
    page.cancelling = page.can_cancel && visit.query_value("step") == Some("cancel");
    if visit.query_value("step").is_some() && !page.cancelling {
        // There is no such question any more: links of the page shall not go on asking it.
        return Ok(Loaded::Redirect(without_step(visit)));
    }
    let refresh = (!page.r#final && !page.cancelling).then_some(REFRESH);
    page.care |= page.cancelling;
    let overlay = match page.fridge {
        Some(_) => Some(FRIDGE),
        None => page.care.then_some(CARE),
    };
    Ok(Loaded::page(page).refresh(refresh).overlay(overlay))
}

/// The order, and who brings it.
async fn read(
    visit: &Visit,
    reader: &Reader,
    id: &OrderId,
) -> Result<(Order, bringing::Known), Error> {
    let upstream = &visit.app.upstream;
    let order = match upstream.order(&reader.caller, id).await {
        Ok(order) => order,
        Err(upstream::Error::NotFound) => return Err(Error::NotFound("order")),
        Err(error) => return Err(Error::Upstream(error)),
    };
    let bringing = bringing::ask(upstream, &reader.caller, &order).await;
    Ok((order, bringing))
}

/// The address of the page without its question.
fn without_step(visit: &Visit) -> String {
    let query = visit.raw_query.as_deref().unwrap_or_default();
    let rest: Vec<_> = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| name != "step")
        .collect();
    if rest.is_empty() {
        return visit.path.clone();
    }
    let query = Serializer::new(String::new()).extend_pairs(rest).finish();
    format!("{}?{query}", visit.path)
}

fn order_id(request: &Facts) -> Result<OrderId, Error> {
    let id = request.matched().param("id").parse();
    id.map_err(|_| Error::NotFound("order"))
}
