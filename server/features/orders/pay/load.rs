//! Loading `/pay/{token}`.

use super::{PaymentPage, PaymentState, PaymentStep, subject::Subject};
use crate::{
    error::Error,
    features::{
        bills::Part,
        cart_view::unpaid::Truth,
        kiosk,
        loaded::{Facts, Loaded, PageRequest},
        order_venue::Venue,
        orders::{
            live::Watchers,
            place::{landing, remember},
        },
        page_data::PayWay,
    },
    upstream::{Order, Payment, PaymentStatus, VenueId},
    values::Sum,
    web::{page::Page, redirect::outside, visit::Visit},
};
use axum::extract::State;

/// Seconds until the page looks again where scripts do not run.
const REFRESH: u32 = 5;

/// `/pay/{token}`
pub const PAGE: Page = Page::builder("pay", "/pay/{token}")
    .query(&["step"])
    .personal(&["payment_id"])
    .of_orders()
    .open();

/// Loads the page. Who has placed the order and paid it goes on to its page.
///
/// # Errors
/// Not found for an address that we did not make, or when store or upstream does not answer.
pub async fn load(
    State(watchers): State<Watchers>,
    request: PageRequest,
) -> Result<Loaded<PaymentPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let token = visit.matched.param("token");
    let href = format!("/pay/{token}");
    if let Some(part) = Part::of(visit, token).await? {
        return of_bill(&request, &part, token).await;
    }
    let subject = match Subject::of(visit, token).await {
        // Records last a day, and a cart forgets what was called off: the list of orders still has it.
        Err(Error::NotFound(_)) if Subject::is_token_of(visit, token).await => {
            return Ok(Loaded::Redirect("/orders".to_owned()));
        }
        subject => subject?,
    };
    let Some(subject) = subject else {
        let page = PaymentPage {
            href,
            state: PaymentState::Checking,
            way: None,
            number: String::new(),
            venue: String::new(),
            venue_id: None,
            sum: None,
            money: place.meta.money.clone(),
            bank: None,
            until: None,
            read_at: visit.now,
            utc_offset: place.meta.utc_offset,
            step: None,
            returned: false,
            ways: Vec::new(),
            cash: false,
            bill: None,
            part: false,
            in_cart: false,
            order: None,
        };
        return Ok(Loaded::page(page).stale(true).refresh(Some(REFRESH)));
    };
    let order = &subject.order;
    watchers.note(order, visit.lang);
    let own = subject.placed.as_ref().filter(|_| subject.own);
    if let Some(placed) = own
        && !visit.is_prefetch()
    {
        remember(visit, placed).await?;
    }
    let own_page = match own {
        Some(placed) => Some(landing(visit, placed).await),
        None if subject.own && visit.signed_in.is_some() => Some(format!("/orders/{}", order.id)),
        None => subject
            .caller
            .fingerprint
            .as_ref()
            .filter(|_| subject.own)
            .map(|device| {
                let key = visit
                    .app
                    .keys
                    .capability(order.id.as_str(), device.as_str());
                let venue_id = order.venue_id.unwrap_or(VenueId(0));
                format!("/filials/{venue_id}/order/{}?key={key}", order.id)
            }),
    };
    if let (Truth::Paid, Some(page)) = (subject.truth, &own_page)
        && !visit.is_prefetch()
    {
        return Ok(Loaded::Redirect(page.clone()));
    }
    let venue_id = order.venue_id.unwrap_or(VenueId(0));
    let venue = Venue::of(visit, place, venue_id).await;
    let state = state(order, subject.truth);
    let attempt = order.attempt.as_ref();
    let waits = matches!(state, PaymentState::Waiting | PaymentState::Checking);
    // Only while there is such a question: the page has to tell of what came instead.
    let step = visit
        .query_value("step")
        .and_then(PaymentStep::from_code)
        .filter(|step| {
            state == PaymentState::Waiting && (*step == PaymentStep::Way || own_page.is_some())
        });
    let page = PaymentPage {
        href,
        state,
        way: attempt.and_then(|attempt| attempt.method).map(PayWay::from),
        number: order.number.clone(),
        venue: order.venue_name.clone(),
        venue_id: order.venue_id.map(|venue_id| venue_id.0),
        sum: order.sum,
        money: venue.meta.money.clone(),
        bank: attempt
            .filter(|_| state == PaymentState::Waiting)
            .and_then(|attempt| bank(visit, attempt, order.sum)),
        until: attempt
            .filter(|_| state == PaymentState::Waiting)
            .and_then(|attempt| attempt.expires_at.as_ref()?.utc()),
        read_at: visit.now,
        utc_offset: venue.meta.utc_offset,
        step,
        returned: visit.query_value("payment_id").is_some() || visit.is_from_payment(),
        ways: if subject.truth == Truth::Waits {
            PayWay::online(kiosk::on_tablet(visit).await).to_vec()
        } else {
            Vec::new()
        },
        cash: subject.truth == Truth::Waits
            && state != PaymentState::Checking
            && subject.own
            && venue.cash
            && subject.is_in_cart(visit).await?,
        bill: None,
        part: false,
        in_cart: state == PaymentState::CalledOff
            && subject.own
            && subject.is_in_cart(visit).await?,
        order: own_page,
    };
    Ok(Loaded::page(page).refresh((waits && step.is_none()).then_some(REFRESH)))
}

/// A part of a bill: who has paid it goes on to the page that says thank you. One that came to nothing is chosen anew on
/// the bill, where what is left may be another sum by now.
async fn of_bill(
    request: &PageRequest,
    part: &Part,
    token: &str,
) -> Result<Loaded<PaymentPage>, Error> {
    let Facts { visit, place, .. } = &**request;
    let payment = part.payment(visit).await?;
    let status = payment.as_ref().map(|payment| payment.status);
    let is_over = payment.is_none() && part.is_over(visit).await?;
    let state = match status {
        Some(PaymentStatus::Succeeded) => PaymentState::Paid,
        Some(PaymentStatus::Pending) => PaymentState::Waiting,
        Some(PaymentStatus::Declined) => PaymentState::Declined,
        Some(PaymentStatus::Abandoned) => PaymentState::Abandoned,
        Some(PaymentStatus::TimedOut) => PaymentState::TimedOut,
        Some(PaymentStatus::Refunded) => PaymentState::Refunded,
        None if part.is_free() => PaymentState::Paid,
        None if is_over => PaymentState::Abandoned,
        Some(PaymentStatus::Unknown) | None => PaymentState::Checking,
    };
    if state == PaymentState::Paid && part.own && !visit.is_prefetch() {
        return Ok(Loaded::Redirect(format!("/bills/paid/{token}")));
    }
    let venue = Venue::of(visit, place, part.venue()).await;
    let due = Some(part.due());
    let waiting = payment.as_ref().filter(|_| state == PaymentState::Waiting);
    let page = PaymentPage {
        href: format!("/pay/{token}"),
        state,
        way: Some(PayWay::from(part.method())),
        number: part.number().to_owned(),
        venue: venue.name.clone(),
        venue_id: venue.known(),
        sum: due,
        money: venue.meta.money.clone(),
        bank: waiting.and_then(|payment| bank(visit, payment, due)),
        until: waiting.and_then(|payment| payment.expires_at.as_ref()?.utc()),
        read_at: visit.now,
        utc_offset: venue.meta.utc_offset,
        step: None,
        returned: visit.query_value("payment_id").is_some() || visit.is_from_payment(),
        ways: Vec::new(),
        cash: false,
        bill: Some(part.again_href()),
        part: part.own && matches!(state, PaymentState::Waiting | PaymentState::Checking),
        in_cart: false,
        order: None,
    };
    let waits = matches!(state, PaymentState::Waiting | PaymentState::Checking);
    Ok(Loaded::page(page).refresh(waits.then_some(REFRESH)))
}

fn state(order: &Order, truth: Truth) -> PaymentState {
    let attempt = order.attempt.as_ref().map(|attempt| attempt.status);
    match truth {
        Truth::Paid => PaymentState::Paid,
        Truth::CalledOff if order.is_paid || attempt == Some(PaymentStatus::Refunded) => {
            PaymentState::Refunded
        }
        Truth::CalledOff => PaymentState::CalledOff,
        Truth::Waits => match attempt {
            Some(PaymentStatus::Pending) => PaymentState::Waiting,
            Some(PaymentStatus::Declined) => PaymentState::Declined,
            Some(PaymentStatus::TimedOut) => PaymentState::TimedOut,
            None | Some(PaymentStatus::Abandoned) => PaymentState::Abandoned,
            // The bank has it, the venue does not know yet: neither paid nor lost (PY-15).
            Some(PaymentStatus::Succeeded | PaymentStatus::Refunded | PaymentStatus::Unknown) => {
                PaymentState::Checking
            }
        },
    }
}

/// Where the guest pays this attempt: an origin that the settings name, and the sum that the order costs (PY-14).
pub(super) fn bank(visit: &Visit, attempt: &Payment, sum: Option<Sum>) -> Option<String> {
    let page = attempt.deep_link.as_deref().or(attempt.url.as_deref())?;
    if attempt.sum != sum {
        tracing::error!("An attempt to pay is about another sum than its order");
        return None;
    }
    outside(page, &[&visit.app.config.payment_origins])
}
