//! `/profile`: who is signed in, and the way out.

use serde::Serialize;
use ts_rs::TS;

use super::{
    loaded::{Loaded, PageRequest},
    sign_in,
};
use crate::{error::Error, web::page::Page};

/// `/profile`
pub const PAGE: Page = Page::new("profile", "/profile").navbar().signed_in();

/// Page data of `/profile`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct ProfilePage {
    /// May be empty.
    pub name: String,
    /// With the plus sign; may be empty.
    pub phone: String,
}

/// Loads `/profile`. A guest whose account was deleted meanwhile is asked whether to restore it (AU-16).
///
/// # Errors
/// When the session of such a guest can't be written; else none: without the upstream's answer the page does not say who it is, and the way out is there all the same.
pub async fn load(request: PageRequest) -> Result<Loaded<ProfilePage>, Error> {
    let visit = &request.visit;
    let caller = visit.personal_caller().await.optional();
    let user = visit.app.upstream.user(&caller).await.ok();
    let deleted = user.as_ref().is_some_and(|user| user.deleted_at.is_some());
    if deleted && !visit.is_prefetch() {
        let to = sign_in::keep_deleted(visit, &visit.path).await?;
        return Ok(Loaded::Redirect(to));
    }
    let (name, phone) = user.map(|user| (user.name, user.phone)).unwrap_or_default();
    Ok(Loaded::page(ProfilePage { name, phone }))
}
