//! What stands above all changes: one layer answers them (forms with 303, scripts with JSON), one honours their mutation
//! ids, so that a change that is sent twice is done once, whatever it is.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{Site, failure};
use crate::{
    error::Error,
    features::{cart_view, cookies, fridge, place::Place, shell::MutationAnswer},
    state::idempotency::{Begun, change_key},
    upstream,
    web::{
        app::App,
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Notice, Outcome, Way},
        },
        rate::too_many,
        redirect::{outside, safe_path, to},
        session::NothingKept,
        visit::Visit,
    },
};

/// A press that comes again with the cookie of the session that it has begun has this in its query.
const BEGUN: &str = "begun";

/// Layer of the changes: reads who asks and what is sent once, and answers what the handler says. What a read beside
/// them says is answered, too.
pub async fn answer(State(site): State<Site>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let visit = Visit::of(site.app.clone(), &parts).await;
    parts.extensions.insert(visit.clone());
    if parts.method.is_safe() {
        let response = next.run(Request::from_parts(parts, body)).await;
        let outcome = response.extensions().get::<Arc<Outcome>>().cloned();
        return match (said(&response), outcome) {
            (Some(error), _) => failure(&site, &visit, &error).await,
            (None, Some(outcome)) => respond(&site, &visit, &outcome, None).await,
            (None, None) => response,
        };
    }
    let _turn = if Form::takes_files(&parts) {
        // Those of an account together, however many sessions it has begun.
        let Some(turn) = site.app.uploads.turn(visit.account_name().await).await else {
            return failure(&site, &visit, &Error::Overloaded).await;
        };
        Some(turn)
    } else {
        None
    };
    let form = match Form::read(&parts, body).await {
        Ok(form) => form,
        Err(bad) => return bad.into_response(),
    };
    parts.extensions.insert(form.clone());
    if form.is_misnamed() {
        let outcome = Outcome::refused_form(&form, form.back(), ErrorCode::BadInput);
        return respond(&site, &visit, &outcome, None).await;
    }
    // What can't be kept now is told by the change itself, which needs the same store.
    let _ = fridge::give_back(&visit).await;
    let _ = cart_view::keep_typed(&visit, &form).await;
    let request = Request::from_parts(parts, axum::body::Body::empty());
    let response = next.run(request).await;
    let outcome = response.extensions().get::<Arc<Outcome>>().cloned();
    let record = response.extensions().get::<Record>().cloned();
    let answered = async {
        match (said(&response), outcome) {
            (Some(error), _) => refused(&site, &visit, &form, &error).await,
            (None, Some(outcome)) => respond(&site, &visit, &outcome, None).await,
            (None, None) => response,
        }
    };
    // It is done: what is shown of it may take as long as a page.
    let upstream = &site.app.upstream;
    let mut answered = upstream.within_page(Box::pin(answered)).await;
    if let Some(record) = record {
        answered.extensions_mut().insert(record);
    }
    answered
}

/// Layer around changes: what they read of the upstream shares one time. Not around orders, bookings, fridges and what
/// pays for them, which have their own times and go on without who waits.
pub async fn in_time(State(app): State<App>, request: Request, next: Next) -> Response {
    let changed = Box::pin(next.run(request));
    app.upstream.within_change(changed).await
}

/// Layer around single handlers: a change whose mutation id was answered before gets the first answer. Orders and
/// bookings have keys of their own, by what is ordered, and stand outside of it.
///
/// The record is closed by [`close_records`], when the session is written. A visit without a session has nothing to find
/// a record by: what it began is lost with the answer that would have brought its cookie. Once that cookie is there the
/// same id is found, so the change that begins the session leaves its record when it is done.
pub async fn once(State(app): State<App>, request: Request, next: Next) -> Response {
    let extensions = request.extensions();
    let (Some(visit), Some(form)) = (extensions.get::<Visit>(), extensions.get::<Form>()) else {
        return next.run(request).await;
    };
    let Some(mutation) = form.mutation() else {
        return next.run(request).await;
    };
    let digest = form.digest(&request.uri().to_string());
    let Some(cart) = visit.sess.cart().await else {
        let sess = visit.sess.clone();
        let mut response = next.run(request).await;
        if let Some(cart) = sess.cart().await {
            let key = change_key(&cart, &mutation);
            match app.state.idempotency().begin(&key, digest, "").await {
                Ok(Begun::New) => record(&mut response, key),
                Ok(_) => {}
                // The change is made, and the cart itself knows the ids of its own.
                Err(error) => tracing::warn!(%error, "A first change could not be recorded"),
            }
        }
        return response;
    };
    let key = change_key(&cart, &mutation);
    let records = app.state.idempotency();
    match records.begin_in_turn(&key, digest, "").await {
        Ok(Begun::New | Begun::Orphaned { .. }) => {}
        Ok(Begun::Done { answer }) => return again(&answer),
        Ok(Begun::Mismatch) => {
            let back = form.back();
            return Outcome::refused_form(form, back, ErrorCode::BadInput).into_response();
        }
        Ok(Begun::InFlight) => {
            return (StatusCode::CONFLICT, [(header::RETRY_AFTER, "1")]).into_response();
        }
        Err(error) => return Error::State(error).into_response(),
    }
    let mut response = next.run(request).await;
    record(&mut response, key);
    response
}

/// Leaves what is to stand under the key to [`close_records`].
fn record(response: &mut Response, key: String) {
    let answer = response
        .extensions()
        .get::<Arc<Outcome>>()
        .filter(|outcome| !outcome.busy && !outcome.often)
        .and_then(|outcome| serde_json::to_string(outcome.as_ref()).ok());
    response.extensions_mut().insert(Record { key, answer });
}

/// Layer around what is sent upstream for good: the guest has a device, the store knows it and the browser has the cookie
/// before anything is sent. The answer of a first press can be lost with its cookie, and the same press would come again
/// from another server.
///
/// A browser without a session gets one with a 307: it sends the same form again by itself, scripts or not.
pub async fn known(request: Request, next: Next) -> Response {
    let visit = request.extensions().get::<Visit>();
    // Other methods are refused here, and a refusal begins nothing.
    let Some(visit) = visit.filter(|_| request.method() == Method::POST) else {
        return next.run(request).await;
    };
    if let Err(error) = visit.sess.device_or_new().await {
        return Error::from(error).into_response();
    }
    if visit.sess.id().is_some() {
        return match visit.sess.write_down().await {
            Ok(()) => next.run(request).await,
            Err(error) => Error::from(error).into_response(),
        };
    }
    if visit.query_value(BEGUN).is_some() {
        let form = request.extensions().get::<Form>();
        let back = form.map_or_else(|| "/".to_owned(), Form::back);
        // The page that looks whether the browser keeps cookies comes on the way there.
        return Outcome::go(back).into_response();
    }
    let own = request
        .uri()
        .path_and_query()
        .map_or("/", |own| own.as_str());
    let joint = if own.contains('?') { '&' } else { '?' };
    let mut response = to(&safe_path(&format!("{own}{joint}{BEGUN}=1")));
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    response.extensions_mut().insert(NothingKept);
    response
}

/// The first answer; where it told the cart, with the one of now.
fn again(answer: &str) -> Response {
    match serde_json::from_str::<Outcome>(answer) {
        Ok(outcome) => outcome.into_response(),
        Err(error) => Error::Internal(error.to_string()).into_response(),
    }
}

/// An open idempotency record; lies in the response's extensions.
#[derive(Debug, Clone)]
struct Record {
    key: String,
    /// None: it came to nothing and may be tried again.
    answer: Option<String>,
}

/// Layer around the session: what was changed is on record once the session holds it. An answer that may be asked for
/// again leaves no record.
pub async fn close_records(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let Some(record) = response.extensions_mut().remove::<Record>() else {
        return response;
    };
    let records = app.state.idempotency();
    let status = response.status();
    let lasts = !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS;
    let closed = match record.answer.filter(|_| lasts) {
        Some(answer) => records.finish(&record.key, &answer).await,
        None => records.release(&record.key).await,
    };
    if let Err(error) = closed {
        // A repeated request waits for the lease to run out.
        tracing::warn!(%error, "The record of a change could not be closed");
    }
    response
}

fn said(response: &Response) -> Option<Arc<Error>> {
    response.extensions().get::<Arc<Error>>().cloned()
}

/// A refusal of the upstream is told where the form stands, in its own words where it has some (HT-08). Everything else
/// is a page, or may go well later.
async fn refused(site: &Site, visit: &Visit, form: &Form, error: &Error) -> Response {
    let (status, reason) = match error {
        Error::Upstream(upstream::Error::Unauthorized) => (
            StatusCode::UNAUTHORIZED,
            FieldError::new("form", ErrorCode::SignIn),
        ),
        Error::Upstream(upstream::Error::Rejected(rejection)) => {
            (error.status(), FieldError::rejected(rejection))
        }
        Error::TooMany(wait) => return too_many(*wait),
        _ => return failure(site, visit, error).await,
    };
    let outcome = Outcome::refused(form, form.back(), vec![reason]);
    let now = visit.signed_out();
    respond(site, now.as_ref().unwrap_or(visit), &outcome, Some(status)).await
}

/// 303 for a form, the new state for a script.
async fn respond(
    site: &Site,
    visit: &Visit,
    outcome: &Outcome,
    status: Option<StatusCode>,
) -> Response {
    let way = match way(visit, outcome).await {
        Ok(way) => way,
        Err(error) => return failure(site, visit, &error).await,
    };
    // A script stays where it is and shows the message itself; who goes on is told by the next page.
    let elsewhere = !visit.wants_json() || (outcome.way == Way::On && outcome.is_refused());
    if elsewhere
        && let Some(flash) = &outcome.flash
        && let Err(error) = visit.sess.set_flash(flash).await
    {
        return failure(site, visit, &error.into()).await;
    }
    let mut response = if visit.wants_json() {
        let answer = match json(visit, outcome, way).await {
            Ok(answer) => answer,
            Err(error) => return failure(site, visit, &error).await,
        };
        let status = status.unwrap_or(match (outcome.busy, outcome.is_refused()) {
            _ if outcome.often => StatusCode::TOO_MANY_REQUESTS,
            (true, _) => StatusCode::CONFLICT,
            (false, true) => outcome.refusal(),
            (false, false) => StatusCode::OK,
        });
        (status, [(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
    } else {
        to(in_sight(&way, outcome))
    };
    if outcome.is_refused() {
        response.extensions_mut().insert(NothingKept);
    }
    let headers = response.headers_mut();
    for cookie in outcome.cookie_headers() {
        headers.append(header::SET_COOKIE, cookie);
    }
    if outcome.forgets {
        headers.insert("clear-site-data", HeaderValue::from_static("\"storage\""));
    }
    response
}

/// Back in the part of the page that a form stands in, unless there is something to read at the top of the page.
fn in_sight<'a>(way: &'a str, outcome: &Outcome) -> &'a str {
    let tells = outcome
        .flash
        .as_ref()
        .is_some_and(|flash| flash.kind != Notice::Changed);
    match way.split_once('#') {
        Some((page, part))
            if tells
                && outcome.way == Way::Back
                && (part.starts_with("cat-") || part == "cross") =>
        {
            page
        }
        _ => way,
    }
}

async fn json(visit: &Visit, outcome: &Outcome, way: String) -> Result<MutationAnswer, Error> {
    let cart = if outcome.tells_cart {
        Some(match cart_view::load(visit).await? {
            Some(cart) => cart_view::view(visit, &Place::of(visit).await, &cart).await,
            None => None,
        })
    } else {
        None
    };
    Ok(MutationAnswer {
        cart,
        flash: outcome.flash.clone(),
        begins: visit.begins_session() && outcome.way == Way::Back,
        paying: outcome.paying.clone(),
        redirect: (outcome.way != Way::Back).then(|| visit.way_on(way)),
    })
}

/// Where the guest goes: past the check for cookies when the session has begun with this change, or off to an origin that
/// the settings name. Off to any other is an error of ours, never a redirect.
async fn way(visit: &Visit, outcome: &Outcome) -> Result<String, Error> {
    if outcome.way == Way::Leave {
        let config = &visit.app.config;
        let sign_in: Vec<String> = config.oauth_origin().into_iter().collect();
        let named = [
            &config.payment_origins[..],
            &config.host_origins[..],
            &sign_in[..],
        ];
        let address = outside(&outcome.to, &named).ok_or_else(|| {
            Error::Internal("it leads to an origin that no setting names".to_owned())
        })?;
        let signs_in = config
            .oauth_url
            .as_ref()
            .is_some_and(|page| address.starts_with(page));
        if !signs_in && outside(&address, &named[..1]).is_some() {
            visit.sess.leave_to_payment().await?;
        }
        return Ok(address);
    }
    let page = safe_path(&outcome.to);
    Ok(if visit.begins_session() {
        cookies::on_the_way_to(&page)
    } else {
        page
    })
}
