//! `/profile`: who is signed in, the ways to what is the guest's own, and the way out. What a guest tells of themselves
//! is changed beside it (`form`), and so are bonuses (`bonuses`) and the end of the account (`deletion`).

pub mod avatar;
mod birthday;
pub mod bonuses;
pub mod deletion;
pub mod form;

use serde::Serialize;

use super::{
    address_book::{Book, line},
    language,
    loaded::{Facts, Loaded, SignedInRequest},
    sign_in,
};
use crate::{
    error::Error,
    upstream::{Balance, User},
    values::{Lang, Sum},
    web::{
        page::{Page, SignedInPage},
        visit::Visit,
    },
};

/// The page.
const PATH: &str = "/profile";
const FORM_PATH: &str = "/profile/form";

/// `/profile`
pub const PAGE: SignedInPage = Page::builder("profile", PATH)
    .query(&["saved"])
    .navbar()
    .signed_in();

/// Page data of `/profile`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfilePage {
    /// The upstream has told who it is.
    pub known: bool,
    /// Empty when the guest has not told it yet: the greeting invites to it (PR-07).
    pub name: String,
    /// In international writing without spaces; may be empty.
    pub phone: String,
    /// The address of the picture, if there is one.
    pub avatar: Option<String>,
    /// The language that messages are sent in, where it is told and is not just being changed.
    pub messages: Option<Lang>,
    /// What there is to spend, hundredths; null when it can't be had.
    pub bonuses: Option<Sum>,
    /// The saved addresses; null when they can't be had.
    pub addresses: Option<ProfileAddresses>,
    /// The form was just saved.
    pub saved: bool,
}

/// What the profile says of the saved addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfileAddresses {
    /// How many there are.
    pub count: u32,
    /// The one that orders are brought to.
    pub active: Option<String>,
}

/// Loads `/profile` from both of its sources (PR-05): the account, and the profile with the language of messages, which
/// also names the guest when the account does not answer. One whose account was deleted meanwhile is asked whether to
/// restore it (AU-16). Balance and addresses are asked for beside them, and are not told where they do not come.
///
/// # Errors
/// When the session of such a guest can't be written; else none: without the upstream's answer the page does not say who
/// it is, and the way out is there all the same.
pub async fn load(request: SignedInRequest) -> Result<Loaded<ProfilePage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let caller = visit.personal_caller().await.optional();
    let from = visit.near().or_else(|| place.centre());
    let upstream = &visit.app.upstream;
    let (user, profile, balance, book) = tokio::join!(
        upstream.user(&caller),
        upstream.profile(&caller),
        upstream.known_balance(&caller),
        Book::read(visit, from),
    );
    let (user, profile) = (user.ok(), profile.ok());
    if let Some(user) = &user
        && let Some(to) = deleted_leads_to(visit, user).await?
    {
        return Ok(Loaded::Redirect(to));
    }
    let said = profile.as_ref().and_then(|profile| profile.lang);
    let messages = language::of_messages(visit, said).await;
    let known = user.is_some() || profile.is_some();
    let avatar = user.as_ref().and_then(avatar::address);
    let of_user = user.map(|user| (user.name, user.phone));
    let (name, phone) = of_user
        .or_else(|| profile.map(|profile| (profile.name, profile.phone)))
        .unwrap_or_default();
    Ok(Loaded::page(ProfilePage {
        known,
        name,
        phone,
        avatar,
        messages,
        bonuses: balance.ok().map(Balance::total),
        addresses: (!book.failed).then(|| ProfileAddresses {
            count: u32::try_from(book.known.len()).unwrap_or(u32::MAX),
            active: book.active().map(|known| line(&known.address)),
        }),
        saved: visit.query_value("saved").is_some(),
    }))
}

/// Where a guest goes whose account was deleted elsewhere: signed out, and asked whether to restore it (AU-16). Nowhere
/// while the page is only asked for ahead.
async fn deleted_leads_to(visit: &Visit, user: &User) -> Result<Option<String>, Error> {
    if user.deleted_at.is_none() || visit.is_prefetch() {
        return Ok(None);
    }
    // Back to the profile, not to the middle of a form or of another deletion.
    sign_in::keep_deleted(visit, PATH).await.map(Some)
}
