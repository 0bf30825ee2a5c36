//! `/profile/delete`: the end of an account, in two steps, and `/profile/deleted`, which says that it is done (PR-08).

use serde::Serialize;

use super::deleted_leads_to;
use crate::{
    error::Error,
    features::{
        analytics, fridge,
        loaded::{Facts, Loaded, PageRequest, SignedInRequest},
        orders::{self, OpenOrder},
        sign_in::SignedInVisit,
        sign_out,
    },
    upstream,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Notice, Outcome},
        },
        page::{Page, SignedInPage},
    },
};

/// The first step.
const PATH: &str = "/profile/delete";
/// The second one.
const SURE: &str = "/profile/delete?step=sure";
/// For so long the upstream gives a deleted account back.
const DAYS: u32 = 90;

/// `/profile/delete`
pub const PAGE: SignedInPage = Page::builder("deletion", PATH).query(&["step"]).signed_in();
/// `/profile/deleted`
pub const DONE: Page = Page::builder("deleted", "/profile/deleted").open();

/// Page data of `/profile/delete`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeletionPage {
    /// The second step: what is lost was read.
    pub sure: bool,
    /// The page of the guest's fridge whose door is open: it has to be shut first.
    pub fridge: Option<String>,
    /// What the guest would follow no more.
    pub orders: Vec<OpenOrder>,
    /// Whose account it is, in international writing without spaces; may be empty.
    pub phone: String,
    /// So many days the guest can change their mind.
    pub days: u32,
}

/// Page data of `/profile/deleted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeletedPage {
    /// So many days the guest can change their mind.
    pub days: u32,
}

/// Loads `/profile/delete`.
///
/// # Errors
/// When the session of a guest whose account is deleted already can't be written; else none: without the upstream's
/// answer the page does not name the phone.
pub async fn load(request: SignedInRequest) -> Result<Loaded<DeletionPage>, Error> {
    let Facts { visit, .. } = &*request;
    let caller = visit.personal_caller().await.optional();
    let (user, fridge, orders) = tokio::join!(
        visit.app.upstream.user(&caller),
        fridge::running(visit),
        orders::under_way(visit),
    );
    let user = user.ok();
    if let Some(user) = &user
        && let Some(to) = deleted_leads_to(visit, user).await?
    {
        return Ok(Loaded::Redirect(to));
    }
    Ok(Loaded::page(DeletionPage {
        sure: fridge.is_none() && visit.query_value("step") == Some("sure"),
        fridge: fridge.map(fridge::path),
        orders,
        phone: user.map(|user| user.phone).unwrap_or_default(),
        days: DAYS,
    }))
}

/// Loads `/profile/deleted`.
///
/// # Errors
/// None.
pub async fn load_done(_: PageRequest) -> Result<Loaded<DeletedPage>, Error> {
    Ok(Loaded::page(DeletedPage { days: DAYS }))
}

/// Deletes the account, unless a fridge of it is open, ends all its sessions in whatever browser (S-25), and forgets here what was the guest's. The
/// table and the place stay, as at a sign-out.
///
/// # Errors
/// When the upstream refuses it, in its own words. When the store does not answer: the account is deleted then, and
/// another press ends its sessions.
pub async fn delete(visit: SignedInVisit, form: Form) -> Result<Outcome, Error> {
    if form.get("sure") != Some("yes") {
        // What is lost is read first.
        return Ok(Outcome::go(PATH.to_owned()));
    }
    let caller = visit.personal_caller().await;
    let not_done = || Outcome::refused_form(&form, SURE.to_owned(), ErrorCode::NotDone);
    let upstream = &visit.app.upstream;
    // What is taken out of an open fridge is charged to the account once its door is shut.
    let result = match fridge::open_door(&visit, &caller).await {
        Ok(None) => upstream.delete_user(&caller).await,
        Ok(Some(_)) => return Ok(Outcome::go(PATH.to_owned())),
        Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
        Err(error) if is_deleted(&error) => Err(error),
        Err(_) => return Ok(not_done()),
    };
    let user = match result {
        Ok(user) => user.id,
        Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
        Err(error @ upstream::Error::Rejected(_)) if !is_deleted(&error) => {
            return Err(error.into());
        }
        // It may be deleted all the same: the answer was late, or an earlier press could not end its sessions.
        Err(_) => match upstream.user(&caller).await {
            Ok(user) if user.deleted_at.is_some() => user.id,
            _ => return Ok(not_done()),
        },
    };
    // First: when it fails, this session is there to ask for it again.
    sign_out::end_others(&visit, user).await?;
    sign_out::end(&visit).await?;
    analytics::profile_deleted();
    let mut outcome = Outcome::go(DONE.path.to_owned())
        .saying(Notice::AccountDeleted)
        .with_cart();
    outcome.forgets = true;
    Ok(outcome)
}

/// Most calls are refused so once the account is deleted.
fn is_deleted(error: &upstream::Error) -> bool {
    error.code() == Some("account_deleted")
}
