//! The guest of a tablet: asked whether they are still there, and forgotten before the next one (UI-13, KS-02, KS-05).

use url::form_urlencoded;

use super::{
    analytics::{self, Cleared},
    cart_view,
    kiosk::Kiosk,
    menu, sign_out,
};
use crate::{
    error::Error,
    web::{
        change::{form::Form, outcome::Outcome},
        locale::{self, DEVICE, LANG, SERVICE, TOWN, gone_cookie},
        page,
        prefix::{self, Prefix},
        redirect::{TABLET_GONE, safe_path},
        session::{MenuTemp, Source},
        visit::Visit,
    },
};

/// Cookies of a guest. Country and platform say where the tablet stands and what it runs on: they stay.
const OF_A_GUEST: [&str; 4] = [LANG, TOWN, SERVICE, DEVICE];

/// What to do with a tablet whose page was not left for a while.
#[derive(Debug)]
pub enum Still {
    /// Ask.
    Asked {
        /// Path of the page that the guest comes from.
        back: String,
        /// Path that forgets the guest.
        gone: String,
        /// Seconds that it waits for the answer.
        warning: u32,
    },
    /// There is no guest to ask.
    NoGuest {
        /// Where to go on.
        to: String,
    },
}

/// Asks whether a guest is at the tablet; one that rests at its menu and holds nothing of a guest is not asked.
///
/// # Errors
/// When the session can't be written or the cart can't be read.
pub async fn ask(visit: &Visit) -> Result<Still, Error> {
    let temp = visit.sess.menu_temp().await;
    let Some((kiosk, temp)) = Kiosk::of(&visit.app.config, temp.as_ref()).zip(temp) else {
        return Ok(Still::NoGuest { to: "/".to_owned() });
    };
    let back = safe_path(visit.query_value("back").unwrap_or("/"));
    if rests_at(visit, &kiosk, &back) && !holds_guest(visit, &temp).await? {
        return Ok(Still::NoGuest { to: kiosk.rest });
    }
    let name = visit.sess.ask().await?;
    Ok(Still::Asked {
        back,
        gone: format!("{TABLET_GONE}?asked={name}"),
        warning: kiosk.warning,
    })
}

/// The page is the menu where each guest begins, and nothing of it is open.
fn rests_at(visit: &Visit, kiosk: &Kiosk, back: &str) -> bool {
    let path = |address: &str| prefix::with(page::split(address).0);
    let page = visit.app.page_of(prefix::without(back)).page;
    path(back) == path(&kiosk.rest) && !page.has_overlay(back)
}

/// Something on the tablet is a guest's.
async fn holds_guest(visit: &Visit, temp: &MenuTemp) -> Result<bool, Error> {
    let typed = temp.table.as_ref().is_some_and(|table| table.typed);
    let has_cookie = OF_A_GUEST
        .into_iter()
        .any(|name| locale::cookie(&visit.headers, name).is_some());
    if typed || has_cookie || visit.sess.has_guest().await {
        return Ok(true);
    }
    let cart = cart_view::load(visit).await?;
    Ok(cart.is_some_and(|cart| !cart.is_blank(visit.now)))
}

/// The question was not answered. It comes by GET, as nothing else leaves a page without scripts by itself: only the
/// page that has asked knows its address.
///
/// # Errors
/// When the store does not answer.
pub async fn gone(visit: Visit) -> Result<Outcome, Error> {
    let name = visit.query_value("asked").unwrap_or_default();
    if visit.sess.was_asked(name).await {
        return forget(visit, None).await;
    }
    Ok(Outcome::go(begin(&visit, None).await))
}

/// Where the next guest begins: at the menu of the tablet, else at the front. A tablet whose guest was forgotten a moment ago
/// is told to the server by its page alone, which says where it rests.
async fn begin(visit: &Visit, said: Option<&str>) -> String {
    let temp = visit.sess.menu_temp().await;
    if let Some(kiosk) = Kiosk::of(&visit.app.config, temp.as_ref()) {
        return kiosk.rest;
    }
    said.map(safe_path)
        .filter(|said| visit.is_at_tablet() && is_rest(visit, said))
        .unwrap_or_else(|| "/".to_owned())
}

/// Whether an address is one that a tablet is opened with.
fn is_rest(visit: &Visit, address: &str) -> bool {
    let Some((Prefix::Tablet, own)) = prefix::split(address) else {
        return false;
    };
    let shown = visit.app.page_of(own);
    let (_, query, _) = page::split(own);
    shown.page.is(&menu::PAGE)
        && shown.param("filial_id").parse::<u64>().is_ok()
        && form_urlencoded::parse(query.as_bytes())
            .any(|(key, value)| key == "source" && value == Source::Tablet.code())
}

/// The letters that the guest of a tablet wants to read: larger ones or the usual. The next guest gets the usual ones.
///
/// # Errors
/// When the session can't be written.
pub async fn set_text(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let temp = visit.sess.menu_temp().await;
    if temp.is_some_and(|temp| temp.is_kiosk()) {
        let large = form.get("size") == Some("large");
        visit.sess.set_large_text(large).await?;
    }
    Ok(Outcome::back(form.back()))
}

/// Forgets the guest: the cart, the session with its sign-in, age answer and orders, the guest's cookies, and what
/// scripts have kept (ST-15). The next one begins at the venue's menu, a guest who is at no tablet at the front.
///
/// # Errors
/// When the store does not answer: nothing is forgotten then, and the tablet asks again.
pub async fn wipe(visit: Visit, form: Form) -> Result<Outcome, Error> {
    forget(visit, form.get("rest")).await
}

async fn forget(visit: Visit, rest: Option<&str>) -> Result<Outcome, Error> {
    let to = begin(&visit, rest).await;
    if let Some(cart) = visit.sess.cart().await {
        let filled = cart_view::load(&visit)
            .await?
            .is_some_and(|cart| !cart.is_empty());
        visit.app.state.carts().delete(&cart).await?;
        if filled {
            analytics::cart_cleared(Cleared::Forgotten);
        }
    }
    // An anonymous visitor has nothing to forget, and begins no session by it.
    let account = visit.sess.account().await;
    if visit.brings_session() {
        visit.sess.wipe().await?;
    }
    if let Some(account) = account {
        sign_out::revoke_bearer(&visit, account.bearer);
    }
    let mut outcome = Outcome::go(to).with_cart();
    for name in OF_A_GUEST {
        outcome = outcome.with_cookie(gone_cookie(name, visit.is_secure()));
    }
    outcome.forgets = true;
    Ok(outcome)
}
