//! Asks whether a guest is still at a tablet without scripts (KS-02, KS-05). Its pages lead here by themselves,
//! and this one leads on when no one answers. It needs neither V8 nor the upstream.

use askama::Template;
use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};

use super::{Site, plain_error};
use crate::{
    features::tablet_guest::{self, Still},
    values::Lang,
    web::{headers::Page, prefix, redirect, texts::text_of, visit::Visit},
};

const STYLE: &str = concat!(
    include_str!("../templates/plain_error.css"),
    include_str!("../templates/still_here.css")
);

#[derive(Template)]
#[template(path = "still_here.html", escape = "html")]
struct StillHere<'a> {
    lang: &'a str,
    spoken: Lang,
    large: bool,
    /// The page behind shows an order, which stays when the guest is forgotten.
    ordered: bool,
    /// Seconds that it waits for an answer.
    warning: u32,
    /// Address that forgets the guest.
    gone: String,
    /// Address of the page that the guest comes from.
    back: String,
    style: &'a str,
}

impl StillHere<'_> {
    fn say(&self, key: &str) -> &'static str {
        text_of(self.spoken, key)
    }
}

/// Asks; an unused tablet is led back to where it rests, any other browser to the front.
pub async fn show(State(site): State<Site>, visit: Visit) -> Response {
    match tablet_guest::ask(&visit).await {
        Ok(Still::Asked {
            back,
            gone,
            warning,
        }) => {
            let page = StillHere {
                lang: visit.lang.code(),
                spoken: visit.lang,
                large: visit.sess.has_large_text().await,
                ordered: visit.app.page_of(&back).page.shows_order,
                warning,
                gone: prefix::with(&gone),
                back: prefix::with(&back),
                style: STYLE,
            };
            answer(&site, &page)
        }
        Ok(Still::NoGuest { to }) => redirect::see_other(&to),
        Err(error) => super::failure(&site, &visit, &error).await,
    }
}

fn answer(site: &Site, page: &StillHere<'_>) -> Response {
    let policy = site.document().security().policy(Page {
        styles: &[STYLE],
        wasm: false,
    });
    let mut response = (
        [
            (header::CONTENT_TYPE, plain_error::HTML),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::CONTENT_SECURITY_POLICY, policy),
        ],
        page.render().unwrap_or_default(),
    )
        .into_response();
    // With scripts as well: whoever opens the front of a tablet is asked here, and nothing else watches this page.
    let leads = format!("{}; url={}", page.warning, page.gone);
    if let Ok(leads) = HeaderValue::try_from(leads) {
        response.headers_mut().insert(header::REFRESH, leads);
    }
    response
}
