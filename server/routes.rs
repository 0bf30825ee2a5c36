//! The whole URL map.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result};
use axum::{
    Extension, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    features::{sign_in::post, *},
    pages::{self, Pages, changes},
    server::Server,
    web::{
        app::App,
        around::around,
        change::finish,
        connection::client::TrustedProxies,
        csrf::{self, Csrf},
        embed,
        files::worker,
        headers, insight,
        limits::{self, admission, rates, streams},
        locale::Wishes,
        log::{self, csp_report, trace},
        page, prefix,
        rate::{self, AddressAllowance},
        redirect, session,
    },
};

/// Every page of the product, a line each: its constant and what loads it.
#[must_use]
pub fn pages() -> Pages {
    Pages::default()
        .add(&home::PAGE, home::load)
        .add(&venues::PAGE, venues::load)
        .add(&preferences::PAGE, preferences::load)
        .add(&menu::PAGE, menu::load)
        .add(&menu_search::PAGE, menu_search::load)
        .add(&details::PAGE, details::load)
        .add(&reviews::PAGE, reviews::load)
        .add(&reviews::FORM, reviews::load_form)
        .add(&brands::PAGE, brands::load)
        .add(&brand_venues::PAGE, brand_venues::load)
        .add(&booking::PAGE, booking::load)
        .add(&map::PAGE, map::load)
        .add(&search::PAGE, search::load)
        .add(&cart::PAGE, cart::load)
        .add(&orders::PAGE, orders::load)
        .add(&orders::LIST, orders::load_list)
        .add(&orders::INFO, orders::load_own)
        .add(&orders::THANKS, orders::load_own)
        .add(&orders::checking::PAGE, orders::checking::load)
        .add(&orders::pay::PAGE, orders::pay::load)
        .add(&bills::PAGE, bills::load)
        .add(&bills::PREORDER, bills::load_preorder)
        .add(&bills::PAID, bills::load_paid)
        .add(&help::faq::PAGE, help::faq::load)
        .add(&help::legal::PAGE, help::legal::load)
        .add(&language::PAGE, language::load)
        .add(&age::PAGE, age::load)
        .add(&consent::PAGE, consent::load)
        .add(&cookies::PAGE, cookies::load)
        .add(&auth::PAGE, auth::load)
        .add(&profile::PAGE, profile::load)
        .add(&profile::form::PAGE, profile::form::load)
        .add(&profile::bonuses::PAGE, profile::bonuses::load)
        .add(&profile::deletion::PAGE, profile::deletion::load)
        .add(&profile::deletion::DONE, profile::deletion::load_done)
        .add(&addresses::SHEET, addresses::load_sheet)
        .add(&addresses::MAP, addresses::load_map)
        .add(&addresses::FORM, addresses::load_form)
        .add(&barcode::MANUAL, barcode::load_manual)
        .add(&barcode::SCANNER, barcode::load_scanner)
        .add(&fridge::PAGE, fridge::load)
        .instead::<other::SignInNeededPage>(other::GATE)
        .instead::<other::NotFoundPage>(other::NOT_FOUND)
        .instead::<other::ErrorPage>(other::ERROR)
}

/// All routes with everything around them, from the inside out: handler, rate limit, session, CSRF, limits, error
/// pages, security headers, the prefix of a tablet's addresses.
///
/// # Errors
/// When a setting that a layer needs is wrong.
pub fn router(server: &Server) -> Result<Router> {
    let (app, site) = (&server.app, &server.site);
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
        .route("/filials/{filial}/events", get(live::events))
        .route(
            "/filials/{filial}/order/{order}/events",
            get(orders::live::events),
        )
        .route("/filials/{filial}/bill/events", get(bills::events))
        .route("/bills/preorder/{bill}/events", get(bills::preorder_events))
        .route_layer(from_fn_with_state(
            streams::Streams::new(
                proxies.clone(),
                app.config.address_streams,
                app.config.max_connections,
            ),
            streams::guard,
        ));
    let tracing = trace::Tracing(proxies.clone());
    let limiter = rate::Rate::new(
        rate::Options::per_minute(
            app.config.mutations_per_minute,
            app.config.address_mutations_per_minute,
            app.config.address_orders_per_minute,
            app.config.address_sessions_per_minute,
        )
        .per_hour(
            app.config.table_orders_per_hour,
            app.config.address_calls_per_hour,
        )
        .lookups_per_minute(app.config.address_lookups_per_minute),
        proxies,
    )
    .shared(app.state.allowances());
    let carrier =
        session::Carrier::new(app.state.sessions(), app.cookie_security(), limiter.clone());
    let orders = Router::new()
        .route(
            "/orders",
            post::anyone(orders::place).route_layer(from_fn(cart::entered)),
        )
        .route(
            "/orders/checking/{key}/send",
            post::anyone(orders::checking::send),
        )
        .route(
            "/orders/checking/{key}/drop",
            post::anyone(orders::checking::drop),
        )
        .route("/pay/{token}", post::anyone(orders::pay::again))
        .route("/pay/{token}/cancel", post::anyone(orders::pay::give_up))
        .route("/bookings", post::anyone(booking::book))
        .route("/fridge/open", post::anyone(fridge::open))
        .route("/fridge/close", post::anyone(fridge::close))
        .route("/filials/{filial}/bill/pay", post::anyone(bills::pay))
        .route(
            "/bills/preorder/{bill}/pay",
            post::anyone(bills::pay_preorder),
        )
        .route_layer(from_fn_with_state(limiter.clone(), rate::address_allowance))
        .route_layer(from_fn(changes::known));
    let by_address = Router::new()
        .route("/cart/promo", post::anyone(cart::set_promo))
        .route(
            "/filials/{filial}/bill/waiter",
            post::anyone(bills::call_waiter),
        )
        .route(
            "/bills/preorder/{bill}/waiter",
            post::anyone(bills::call_waiter),
        )
        .route(
            "/filials/{filial_id}/reviews/{review}/report",
            post::anyone(reviews::report),
        )
        .route_layer(from_fn_with_state(limiter.clone(), rate::address_allowance));
    let changes = by_address
        .route("/profile/form", post::signed_in(profile::form::save))
        .route("/profile/avatar", post::signed_in(profile::avatar::set))
        .route(
            "/profile/avatar/remove",
            post::signed_in(profile::avatar::remove),
        )
        .route(
            "/profile/delete",
            post::signed_in(profile::deletion::delete),
        )
        .route(
            "/filials/{filial_id}/reviews",
            post::signed_in(reviews::write),
        )
        .route(
            "/filials/{filial_id}/reviews/remove",
            post::signed_in(reviews::remove),
        )
        .route("/cart/lines", post::anyone(cart::add))
        .route("/cart/lines/{line}", post::anyone(cart::change))
        .route("/cart/lines/{line}/options", post::anyone(cart::edit))
        .route("/cart/clear", post::anyone(cart::clear))
        .route("/cart/undo", post::anyone(cart::undo))
        .route("/cart/bonus", post::anyone(cart::set_bonus))
        .route("/cart/far", post::anyone(cart::accept_far))
        .route("/cart/repair", post::anyone(cart::repair))
        .route("/cart/mutations", post::anyone(cart::replay))
        .route("/orders/repeat", post::anyone(cart::repeat))
        .route("/orders/{id}/cancel", post::anyone(orders::cancel))
        .route("/orders/{id}/grade", post::anyone(orders::grade))
        .route("/filials/{filial}/bill/dishes", post::anyone(bills::hold))
        .route("/bills/preorder/{bill}/dishes", post::anyone(bills::hold))
        .route("/bills/paid/{token}/grade", post::anyone(bills::grade))
        .route("/session/table", post::anyone(cart::type_table))
        .route("/session/service", post::anyone(preferences::set_service))
        .route("/session/town", post::anyone(preferences::set_town))
        .route(
            "/session/table/leave",
            post::anyone(preferences::leave_table),
        )
        .route("/session/age", post::anyone(age::answer))
        .route("/session/consent", post::anyone(consent::answer))
        .route("/addresses", post::anyone(addresses::save))
        .route("/addresses/place", post::anyone(addresses::place))
        .route("/addresses/undo", post::anyone(addresses::undo))
        .route("/addresses/confirm", post::anyone(addresses::confirm))
        .route(
            "/addresses/{address}/choose",
            post::anyone(addresses::choose),
        )
        .route(
            "/addresses/{address}/delete",
            post::anyone(addresses::delete),
        )
        .route("/session/wipe", post::anyone(tablet_guest::wipe))
        .route("/session/text", post::anyone(tablet_guest::set_text))
        .route("/session/sign-in", post::anyone(sign_in::start))
        .route("/session/sign-out", post::anyone(sign_out::sign_out))
        .route("/session/push", post::anyone(push::register))
        .route("/session/push/opened", post::anyone(push::opened))
        .route(
            "/bookings/{booking}/cancel",
            post::anyone(bills::cancel_booking),
        )
        .route_layer(from_fn_with_state(app.clone(), changes::once))
        // An answer of before would say "done" to a guest whom the upstream has signed out since.
        .route("/session/track", post::anyone(sign_in::by_track))
        .route("/session/restore", post::anyone(sign_in::restore))
        .route_layer(from_fn_with_state(app.clone(), changes::in_time))
        .merge(orders)
        .route("/bookings/{booking}/calendar.ics", get(booking::calendar))
        .route("/addresses/at", get(addresses::at))
        .route(redirect::TABLET_GONE, get(tablet_guest::gone))
        .route("/pay/{token}/code.svg", get(orders::pay::code))
        .route_layer(from_fn_with_state(site.clone(), changes::answer));
    // Cached pages are answered before there is anything to look for, but not in frames: whether those keep cookies is
    // asked first.
    let cached = || from_fn_with_state(site.clone(), pages::anonymous);
    let of_pages = admission::Context {
        admission: app.admission.clone(),
        runtime: app.runtime.clone(),
    };
    let embedders = embed::Embedders::of(app, &limiter);
    let is_framed = embedders.is_some();
    // Also of pages that the fallback answers, such as those with a slash at the end.
    let allowance = from_fn_with_state(limiter.clone(), rate::address_allowance);
    let visited = Router::new()
        .merge(changes)
        .route(kiosk::STILL, get(pages::still_here::show))
        .route("/search/suggest", get(search::suggest))
        .route("/profile/avatar", get(profile::avatar::show))
        .route("/addresses/suggest", get(addresses::suggest))
        .route("/events", post::anyone(analytics::take))
        .merge(streams)
        .merge(page_routes(&site.pages))
        .route("/_data", get(pages::data))
        .route("/_data/{*path}", get(pages::data))
        .fallback(pages::document)
        .layer(around(allowance))
        .layer(around(from_fn(insight::known)))
        .layer(around(from_fn_with_state(limiter.clone(), rates::guard)))
        .layer(around(from_fn_with_state(carrier, session::carry)))
        .layer(around(from_fn_with_state(
            app.clone(),
            changes::close_records,
        )))
        .layer(around(from_fn(pages::shown)))
        .layer(around(from_fn_with_state(of_pages, admission::guard)))
        .layer(around(from_fn_with_state(
            app.changes.clone(),
            finish::guard,
        )))
        .layer(around(from_fn_with_state(tracing.clone(), trace::requests)))
        .layer(around(option_layer(is_framed.then(cached))))
        .layer(around(option_layer(
            embedders.map(|embedders| from_fn_with_state(embedders, embed::guard)),
        )));
    let tiles = Router::new()
        .route("/tiles/{z}/{x}/{y}", get(tile))
        .route_layer(from_fn_with_state(limiter.clone(), rate::address_allowance));
    let all = Router::new()
        .route("/assets/{name}", get(asset))
        .route("/static/{*path}", get(fixed))
        .route("/favicon.ico", get(root_file))
        .route("/favicon.svg", get(root_file))
        .route("/robots.txt", get(sitemap::robots))
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemaps/{name}", get(sitemap::map))
        .route("/manifest.webmanifest", get(manifest::show))
        .route("/host-icons/{name}", get(manifest::icon))
        .route("/worker.js", get(service_worker))
        .route("/legal/notices", get(notices))
        .route("/img/{*path}", get(image))
        .route("/client-settings", get(client_settings::show))
        .route("/csp-report", post::anyone(csp_report::take))
        .merge(tiles)
        .merge(visited)
        .layer(around(CatchPanicLayer::custom(
            |_: Box<dyn std::any::Any + Send>| {
                tracing::error!("A handler panicked");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            },
        )))
        .layer(around(from_fn_with_state(
            Csrf::new(&origins, &[headers::CSP_REPORT], Some(app.hosts.clone())),
            csrf::guard,
        )))
        .layer(around(from_fn_with_state(
            limits::Bodies::within(Duration::from_secs(app.config.body_seconds))
                .with_upload(profile::avatar::PATH, profile::avatar::MOST)
                .with_upload(profile::avatar::REMOVAL, profile::avatar::MOST)
                .with_upload(profile::form::PAGE.path, profile::avatar::MOST),
            limits::guard,
        )))
        .layer(around(from_fn(redirect::collapse_slashes)))
        .layer(around(from_fn_with_state(
            site.clone(),
            pages::plain_error::guard,
        )))
        .layer(around(option_layer((!is_framed).then(cached))))
        .layer(around(from_fn_with_state(
            app.assets.clone(),
            log::requests,
        )))
        .layer(around(from_fn_with_state(
            Arc::clone(&app.pages),
            page::matched,
        )))
        .layer(around(option_layer(
            app.config
                .otlp_url
                .is_some()
                .then(|| from_fn_with_state(tracing, trace::requests)),
        )))
        .layer(around(from_fn_with_state(
            site.document().security(),
            headers::guard,
        )))
        .with_state(server.clone());
    // A layer of these routes would see a request when it is routed already.
    Ok(Router::new()
        .fallback_service(all)
        .layer(around(from_fn(prefix::edge))))
}

/// Each page as a document, and behind `/_data` as the data of a navigation.
fn page_routes(pages: &Pages) -> Router<Server> {
    pages.all().fold(Router::new(), |router, page| {
        let data = format!("/_data{}", page.path);
        router
            .route(page.path, get(pages::document))
            .route(&data, get(pages::data))
    })
}

async fn asset(State(app): State<App>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    app.assets
        .get()
        .hashed(&name, &headers)
        .await
        .unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

async fn fixed(State(app): State<App>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    fixed_file(&app, &path, &headers)
}

/// Whose work the product contains, on which terms.
async fn notices(State(app): State<App>, headers: HeaderMap) -> Response {
    fixed_file(&app, "notices.txt", &headers)
}

async fn root_file(State(app): State<App>, uri: axum::http::Uri, headers: HeaderMap) -> Response {
    fixed_file(&app, uri.path().trim_start_matches('/'), &headers)
}

fn fixed_file(app: &App, name: &str, headers: &HeaderMap) -> Response {
    app.assets
        .get()
        .fixed(name, headers)
        .unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

async fn service_worker(State(app): State<App>, wishes: Wishes, headers: HeaderMap) -> Response {
    let wanted = client_settings::ClientSettings::of(&app, &wishes).worker;
    worker::answer(&app.assets.get(), wanted, &headers)
}

async fn image(State(app): State<App>, uri: axum::http::Uri) -> Response {
    app.images.answer(&uri).await
}

async fn tile(
    State(app): State<App>,
    Path((z, x, y)): Path<(String, String, String)>,
    Extension(allowance): Extension<AddressAllowance>,
) -> Response {
    app.tiles.answer((&z, &x, &y), &allowance).await
}

#[cfg(test)]
mod tests {
    use super::pages;
    use crate::web::page::NOT_FOUND;

    #[test]
    fn booking_is_no_brand_and_checking_is_no_order() {
        let table = pages().table().expect("no two pages share an address");
        let path_of = |path| table.find(path).page.path;
        assert_eq!(path_of("/brands/booking"), "/brands/booking");
        assert_eq!(path_of("/orders/checking/k"), "/orders/checking/{key}");
        assert_eq!(path_of("/orders/17"), "/orders/{id}");
    }

    #[test]
    fn what_is_ordered_or_paid_comes_before_other_pages() {
        let pages = pages();
        let theirs: Vec<_> = pages.all().filter(|page| page.of_orders).collect();
        // By their addresses, so that a new one is not forgotten. The list of former orders is not urgent.
        for page in pages.all().filter(|page| page.path != "/orders") {
            let mut parts = page.path.split('/');
            let is_about = parts
                .any(|part| ["cart", "pay", "order", "orders", "bill", "bills"].contains(&part));
            assert_eq!(theirs.contains(&page), is_about, "{}", page.path);
        }
        assert!(theirs.len() > 6, "{theirs:?}");
    }

    #[test]
    fn any_other_path_is_not_found() {
        let table = pages().table().expect("no two pages share an address");
        for path in ["/nowhere", "/filials/1/nothing", "/%ff", "/filials/1/order"] {
            assert_eq!(table.find(path).page, NOT_FOUND, "{path}");
        }
    }
}
