//! The whole URL map.

use std::{borrow::Cow, time::Duration};

use anyhow::{Context, Result};
use axum::{
    Router,
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use percent_encoding::percent_decode_str;
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    app::App,
    error::Error,
    features::{age, analytics, booking, cart, kiosk, live, orders, preferences, search, sitemap},
    web::{
        client::TrustedProxies,
        csp_report,
        csrf::{self, Csrf},
        finish,
        form::{Form, Outcome},
        headers, limits, log, page, plain_error, rate, redirect, session, streams,
        visit::Visit,
    },
};

/// All routes with everything around them, from the inside out: handler, session, rate limit, CSRF, limits, error
/// pages, security headers.
///
/// # Errors
/// When a setting that a layer needs is wrong.
pub fn router(app: &App) -> Result<Router> {
    let proxies =
        TrustedProxies::parse(&app.config.trusted_proxies.join(",")).context("TRUSTED_PROXIES")?;
    let origins: Vec<url::Url> = app
        .config
        .public_url
        .iter()
        .map(|url| url.parse())
        .collect::<Result<_, _>>()
        .context("PUBLIC_URL")?;
    let streams = Router::new()
        .route("/filials/{filial}/events", get(venue_events))
        .route("/filials/{filial}/order/{order}/events", get(order_events))
        .route_layer(from_fn_with_state(
            streams::Streams::new(proxies.clone()),
            streams::guard,
        ));
    let limiter = rate::Rate::new(
        rate::Options::per_minute(app.config.mutations_per_minute),
        proxies,
    );
    let visited = Router::new()
        .route("/cart/lines", post(add_line))
        .route("/cart/lines/{line}", post(change_line))
        .route("/cart/lines/{line}/options", post(edit_line))
        .route("/cart/clear", post(clear_cart))
        .route("/cart/undo", post(undo))
        .route("/cart/promo", post(set_promo))
        .route("/cart/bonus", post(set_bonus))
        .route("/cart/repair", post(repair_cart))
        .route("/cart/mutations", post(replay))
        .route("/orders", post(place_order).get(page::document))
        .route("/orders/repeat", post(repeat_order))
        .route("/session/table", post(type_table))
        .route("/session/service", post(set_service))
        .route("/session/town", post(set_town))
        .route("/session/table/leave", post(leave_table))
        .route("/session/age", post(answer_age))
        .route("/session/wipe", post(wipe))
        .route("/bookings", post(book))
        .route("/bookings/{booking}/cancel", post(cancel_booking))
        .route("/bookings/{booking}/calendar.ics", get(calendar))
        .route("/search/suggest", get(suggest))
        .route("/events", post(take_event))
        .merge(streams)
        .route("/_data", get(page::data))
        .route("/_data/", get(page::data))
        .route("/_data/{*path}", get(page::data))
        .fallback(page::document)
        .layer(from_fn_with_state(limiter, rate::guard))
        .layer(from_fn(session::save))
        .layer(session::layer(app.state.sessions(), app.cookie_security()))
        .layer(from_fn(page::shown))
        .layer(from_fn_with_state(app.clone(), finish::guard))
        .layer(from_fn_with_state(app.clone(), page::strangers));
    Ok(Router::new()
        .route("/assets/{name}", get(asset))
        .route("/static/{*path}", get(fixed))
        .route("/favicon.ico", get(root_file))
        .route("/favicon.svg", get(root_file))
        .route("/robots.txt", get(sitemap::robots))
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemaps/{name}", get(sitemap::map))
        .route("/manifest.webmanifest", get(root_file))
        .route("/img/{*path}", get(image))
        .route("/tiles/{z}/{x}/{y}", get(tile))
        .route("/csp-report", post(csp_report::take))
        .merge(visited)
        .layer(CatchPanicLayer::custom(
            |_: Box<dyn std::any::Any + Send>| {
                tracing::error!("A handler panicked");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            },
        ))
        .layer(from_fn_with_state(
            Csrf::new(&origins, &[headers::CSP_REPORT]),
            csrf::guard,
        ))
        .layer(from_fn_with_state(
            Duration::from_secs(app.config.body_seconds),
            limits::guard,
        ))
        .layer(from_fn(redirect::collapse_slashes))
        .layer(from_fn_with_state(app.clone(), plain_error::guard))
        .layer(from_fn(log::requests))
        .layer(from_fn_with_state(
            app.build().document.security(),
            headers::guard,
        ))
        .with_state(app.clone()))
}

async fn answer(visit: &Visit, outcome: Result<Outcome, Error>) -> Response {
    match outcome {
        Ok(outcome) => outcome.answer(visit).await,
        Err(error) => page::failure(visit, &error).await,
    }
}

async fn add_line(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::add(&visit, &form).await).await
}

async fn change_line(visit: Visit, Path(line): Path<String>, form: Form) -> Response {
    answer(&visit, cart::change(&visit, &form, &line).await).await
}

async fn edit_line(visit: Visit, Path(line): Path<String>, form: Form) -> Response {
    answer(&visit, cart::edit(&visit, &form, &line).await).await
}

async fn undo(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::undo(&visit, &form).await).await
}

async fn set_promo(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::set_promo(&visit, &form).await).await
}

async fn set_bonus(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::set_bonus(&visit, &form).await).await
}

async fn repeat_order(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::repeat(&visit, &form).await).await
}

async fn type_table(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::type_table(&visit, &form).await).await
}

async fn clear_cart(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::clear(&visit, &form).await).await
}

async fn repair_cart(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::repair(&visit, &form).await).await
}

async fn replay(visit: Visit, form: Form) -> Response {
    answer(&visit, cart::replay(&visit, &form).await).await
}

async fn place_order(visit: Visit, form: Form) -> Response {
    answer(&visit, orders::place(&visit, &form).await).await
}

async fn leave_table(visit: Visit, form: Form) -> Response {
    answer(&visit, preferences::leave_table(&visit, &form).await).await
}

async fn answer_age(visit: Visit, form: Form) -> Response {
    answer(&visit, age::answer(&visit, &form).await).await
}

async fn wipe(visit: Visit) -> Response {
    match kiosk::wipe(&visit).await {
        Ok(response) => response,
        Err(error) => page::failure(&visit, &error).await,
    }
}

async fn set_service(visit: Visit, form: Form) -> Response {
    with_cookie(&visit, preferences::set_service(&visit, &form).await).await
}

async fn set_town(visit: Visit, form: Form) -> Response {
    with_cookie(&visit, preferences::set_town(&visit, &form).await).await
}

async fn with_cookie(
    visit: &Visit,
    done: Result<(Outcome, Option<HeaderValue>), Error>,
) -> Response {
    let (outcome, cookie) = match done {
        Ok((outcome, cookie)) => (Ok(outcome), cookie),
        Err(error) => (Err(error), None),
    };
    let mut response = answer(visit, outcome).await;
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

async fn order_events(visit: Visit, Path((filial, order)): Path<(String, String)>) -> Response {
    match orders::live::events(&visit, &filial, &order).await {
        Ok(response) => response,
        Err(error) => error.status().into_response(),
    }
}

async fn venue_events(visit: Visit, Path(filial): Path<String>) -> Response {
    match live::events(&visit, &filial).await {
        Ok(response) => response,
        Err(error) => error.status().into_response(),
    }
}

async fn book(visit: Visit, form: Form) -> Response {
    answer(&visit, booking::book(&visit, &form).await).await
}

async fn cancel_booking(visit: Visit, Path(id): Path<String>, form: Form) -> Response {
    answer(&visit, booking::cancel(&visit, &form, &id).await).await
}

async fn calendar(visit: Visit, Path(id): Path<String>) -> Response {
    match booking::calendar(&visit, &id).await {
        Ok(response) => response,
        Err(error) => page::failure(&visit, &error).await,
    }
}

async fn suggest(visit: Visit) -> Response {
    search::suggest(&visit).await
}

async fn take_event(form: Form) -> StatusCode {
    if analytics::take(&form) {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::BAD_REQUEST
    }
}

async fn asset(State(app): State<App>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    app.build()
        .assets
        .hashed(&name, &headers)
        .unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

async fn fixed(State(app): State<App>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    app.build()
        .assets
        .fixed(&path, &headers)
        .unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

async fn root_file(State(app): State<App>, uri: axum::http::Uri, headers: HeaderMap) -> Response {
    let name = uri.path().trim_start_matches('/');
    app.build()
        .assets
        .fixed(name, &headers)
        .unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

async fn image(State(app): State<App>, uri: axum::http::Uri) -> Response {
    app.images.answer(&uri).await
}

async fn tile(State(app): State<App>, Path((z, x, y)): Path<(String, String, String)>) -> Response {
    app.tiles.answer(&z, &x, &y).await
}

/// A page of the specification's section 2, with what its path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageRoute {
    /// `/`
    Home,
    /// `/filials`
    Filials,
    /// `/town`
    Town,
    /// `/filials/{filial_id}`
    Menu {
        /// Filial id as written in the path.
        filial: String,
    },
    /// `/cart`
    Cart,
    /// `/filials/{filial_id}/order/{id}`
    Order {
        /// Filial id as written in the path.
        filial: String,
        /// Order id as written in the path.
        order: String,
    },
    /// `/orders/checking/{key}`
    Checking {
        /// Idempotency key of the attempt.
        key: String,
    },
    /// `/brands`
    Brands,
    /// `/brands/filials`
    BrandFilials,
    /// `/brands/booking`
    Booking,
    /// `/map`
    Map,
    /// `/search`
    Search,
    /// `/filials/:filialId/search`
    MenuSearch {
        /// Filial id as written in the path.
        filial: String,
    },
    /// `/filials/:filialId/details`
    Details {
        /// Filial id as written in the path.
        filial: String,
    },
    /// `/faq`
    Faq,
    /// `/legal/:doc`
    Legal {
        /// Which document.
        doc: String,
    },
    /// `/language`
    Language,
    /// `/age`
    Age,
    /// A route that is not built yet.
    Coming {
        /// Message key under `coming.`.
        route: &'static str,
        /// Filial id as written in the path.
        filial: Option<String>,
    },
    /// Any other path.
    NotFound,
}

impl PageRoute {
    /// Reads a path. Every path is some page: the last one is [`PageRoute::NotFound`].
    #[must_use]
    pub fn of(path: &str) -> Self {
        let Some(parts) = segments(path) else {
            return Self::NotFound;
        };
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        let coming = |route, filial: Option<&str>| Self::Coming {
            route,
            filial: filial.map(str::to_owned),
        };
        match parts.as_slice() {
            [] => Self::Home,
            ["filials"] => Self::Filials,
            ["town"] => Self::Town,
            ["cart"] => Self::Cart,
            ["filials", filial] => Self::Menu {
                filial: (*filial).to_owned(),
            },
            ["filials", filial, "order", order] => Self::Order {
                filial: (*filial).to_owned(),
                order: (*order).to_owned(),
            },
            ["orders", "checking", key] => Self::Checking {
                key: (*key).to_owned(),
            },
            ["brands"] => Self::Brands,
            ["brands", "filials"] => Self::BrandFilials,
            ["brands", "booking"] => Self::Booking,
            ["map"] => Self::Map,
            ["search"] => Self::Search,
            ["filials", filial, "search"] => Self::MenuSearch {
                filial: (*filial).to_owned(),
            },
            ["filials", filial, "details"] => Self::Details {
                filial: (*filial).to_owned(),
            },
            ["faq"] => Self::Faq,
            ["legal", doc] => Self::Legal {
                doc: (*doc).to_owned(),
            },
            ["language"] => Self::Language,
            ["age"] => Self::Age,
            ["auth"] => coming("auth", None),
            ["filials", filial, "bill"] => coming("bill", Some(filial)),
            ["bills", "preorder", _] => coming("preorderBill", None),
            ["filials", filial, "barcode-scanner"] => coming("barcodeScanner", Some(filial)),
            ["filials", filial, "barcode-manual"] => coming("barcodeManual", Some(filial)),
            ["orders"] => coming("orders", None),
            ["typ", filial, "order", _] => coming("thankYou", Some(filial)),
            ["orders", _] => coming("order", None),
            ["profile"] => coming("profile", None),
            ["profile", "form"] => coming("profileForm", None),
            ["address-map"] => coming("addressMap", None),
            ["address-form"] => coming("addressForm", None),
            _ => Self::NotFound,
        }
    }

    /// Query keys that change the page; all others are dropped from cache keys and links.
    #[must_use]
    pub const fn query_keys(&self) -> &'static [&'static str] {
        match self {
            Self::Filials => &["category", "q", "page"],
            Self::Town => &["back", "q", "to"],
            Self::Menu { .. } => &["item", "line", "fav"],
            Self::Order { .. } => &["key"],
            Self::Brands => &["q", "page"],
            Self::BrandFilials => &["brand", "q", "page"],
            Self::Booking => &["filial", "date", "guests", "time", "booking"],
            Self::Map => &["bbox", "q", "venue"],
            Self::Search => &["q", "brand", "tab", "page"],
            Self::MenuSearch { .. } => &["q"],
            Self::Language | Self::Age => &["back"],
            Self::Coming { .. } => &["filial_id", "table_id", "main_terminal_id"],
            Self::Home
            | Self::Cart
            | Self::Checking { .. }
            | Self::Details { .. }
            | Self::Faq
            | Self::Legal { .. }
            | Self::NotFound => &[],
        }
    }

    /// Only for guests who are signed in (RT-06).
    #[must_use]
    pub fn needs_login(&self) -> bool {
        matches!(
            self,
            Self::Coming {
                route: "preorderBill" | "orders" | "thankYou" | "order" | "profile" | "profileForm",
                ..
            }
        )
    }

    /// A page of a blank session may be kept and given to everybody (SR-03).
    #[must_use]
    pub const fn is_public(&self) -> bool {
        matches!(
            self,
            Self::Home
                | Self::Filials
                | Self::Town
                | Self::Menu { .. }
                | Self::Brands
                | Self::BrandFilials
                | Self::Map
                | Self::Details { .. }
                | Self::Faq
                | Self::Legal { .. }
        )
    }
}

/// The path's segments, decoded; none for a path that is no UTF-8. A slash at the end changes nothing.
fn segments(path: &str) -> Option<Vec<Cow<'_, str>>> {
    path.split('/')
        .filter(|part| !part.is_empty())
        .map(|part| percent_decode_str(part).decode_utf8().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::PageRoute;

    #[test]
    fn booking_is_no_brand_and_checking_is_no_order() {
        assert!(matches!(
            PageRoute::of("/brands/booking"),
            PageRoute::Booking
        ));
        assert!(matches!(
            PageRoute::of("/orders/checking/k"),
            PageRoute::Checking { .. }
        ));
        assert!(matches!(
            PageRoute::of("/orders/17"),
            PageRoute::Coming { route: "order", .. }
        ));
    }

    #[test]
    fn any_other_path_is_not_found() {
        for path in ["/nowhere", "/filials/1/nothing", "/%ff", "/filials/1/order"] {
            assert_eq!(PageRoute::of(path), PageRoute::NotFound);
        }
    }
}
