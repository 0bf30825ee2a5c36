//! `/language`: the language picker (UI-12). The header's list is the same without a page of its own.

use serde::Serialize;

use super::loaded::{Facts, Loaded, PageRequest};
use crate::{
    error::Error,
    upstream::Caller,
    values::Lang,
    web::{page::Page, redirect::safe_path, visit::Visit},
};

/// Telling the upstream at a sign-in takes less, tries included, milliseconds.
const TELLING: i64 = 60 * 1000;

/// Page data of `/language`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguagePage {
    /// Where a choice leads: the page that the guest came from.
    pub back: String,
}

/// `/language`
pub const PAGE: Page = Page::builder("language", "/language")
    .query(&["back"])
    .before_consent()
    .open();

/// Loads `/language`.
pub async fn load(request: PageRequest) -> Result<Loaded<LanguagePage>, Error> {
    let Facts { visit, .. } = &*request;
    Ok(Loaded::page(LanguagePage {
        back: safe_path(visit.query_value("back").unwrap_or("/")),
    }))
}

/// Tells the upstream which language messages shall come in; who asked for something else does not wait for it.
pub async fn tell(visit: &Visit, caller: &Caller) {
    let upstream = &visit.app.upstream;
    if let Err(error) = upstream.set_profile_language(caller, visit.lang).await {
        tracing::warn!(
            class = error.class(),
            "The upstream does not know the guest's language"
        );
    }
}

/// The same at a sign-in, where messages would come in a language that is not spoken here, or in that of the country while
/// the guest has chosen another: an account begins with one of its own.
pub async fn tell_at_sign_in(visit: &Visit, caller: &Caller) {
    let Ok(profile) = visit.app.upstream.profile(caller).await else {
        return;
    };
    if !profile.lang.is_some_and(|lang| stays(visit, lang)) {
        tell(visit, caller).await;
    }
}

/// Whether messages stay in this language at a sign-in.
fn stays(visit: &Visit, lang: Lang) -> bool {
    let languages = visit.languages();
    let is_default = lang == languages.default();
    languages.offered.contains(&lang) && !(is_default && visit.lang != lang)
}

/// The language of messages, as far as it is certain: what the upstream has of it is that of before while a choice, or the
/// sign-in itself, is told behind the page (LC-16).
pub async fn of_messages(visit: &Visit, said: Option<Lang>) -> Option<Lang> {
    let lang = said.filter(|_| !visit.lang_in_query)?;
    let signed_in_at = visit.sess.signed_in_at().await;
    let is_new = signed_in_at.is_some_and(|at| visit.now < at + TELLING);
    (!is_new || stays(visit, lang)).then_some(lang)
}
