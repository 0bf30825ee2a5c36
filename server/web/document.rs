//! The document around a rendered page: language, head, critical styles, preloads, HTML, data, entry script.
//!
//! No inline script but the fixed early-tap one, whose hash is in the policy (S-10); the page's data is a data block.

use std::collections::HashMap;

use askama::Template;
use axum::http::HeaderValue;
use serde::Deserialize;

use super::{
    assets::Manifest,
    headers::{Allowed, Page, Security},
};
use crate::values::Lang;

/// What the render says about the head; made by `components/lib/head.ts`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Head {
    /// Page title.
    pub title: String,
    /// Description for search engines and link previews.
    #[serde(default)]
    pub description: String,
    /// Address without table, item and tracking (SO-02).
    #[serde(default)]
    pub canonical: Option<String>,
    /// The same page in other languages (SO-03).
    #[serde(default)]
    pub alternates: Vec<Alternate>,
    /// Keep out of search engines (SO-01).
    #[serde(default)]
    pub noindex: bool,
    /// Structured data.
    #[serde(default)]
    pub jsonld: Vec<serde_json::Value>,
    /// Picture for link previews.
    #[serde(default)]
    pub image: Option<String>,
}

/// One language version of a page.
#[derive(Debug, Clone, Deserialize)]
pub struct Alternate {
    /// Language tag or `x-default`.
    pub lang: String,
    /// Absolute address.
    pub href: String,
}

/// What is the same in every document of one build.
pub struct Document {
    build: String,
    entry: String,
    early: String,
    security: Security,
    locales: HashMap<String, String>,
    routes: HashMap<String, Route>,
}

struct Route {
    js: Vec<String>,
    critical: String,
    policy: HeaderValue,
}

/// One page to wrap.
pub struct Body<'a> {
    /// Language of the page.
    pub lang: Lang,
    /// Route id of the page.
    pub route: &'a str,
    /// The head that the render made; the product's name alone when V8 failed.
    pub head: &'a Head,
    /// The rendered HTML; none when V8 failed and the browser has to render.
    pub html: Option<&'a str>,
    /// The page data as JSON.
    pub data: &'a str,
    /// Seconds after which the page reloads itself where scripts do not run.
    pub refresh: Option<u32>,
}

#[derive(Template)]
#[template(path = "document.html", escape = "html")]
struct DocumentTemplate<'a> {
    build: &'a str,
    entry: &'a str,
    early: &'a str,
    locale: &'a str,
    js: &'a [String],
    critical: &'a str,
    lang: &'a str,
    head: &'a Head,
    html: &'a str,
    shell: bool,
    data: String,
    jsonld: Vec<String>,
    refresh: u32,
}

impl Document {
    /// Prepares the documents of one build.
    #[must_use]
    pub fn new(manifest: &Manifest) -> Self {
        let security = Security::new(&[&manifest.early], &Allowed::default());
        let routes = manifest
            .routes
            .iter()
            .map(|(id, assets)| {
                let route = Route {
                    js: assets.js.clone(),
                    policy: security.policy(Page {
                        styles: &[&assets.critical],
                        wasm: false,
                    }),
                    critical: assets.critical.clone(),
                };
                (id.clone(), route)
            })
            .collect();
        Self {
            build: manifest.build.clone(),
            entry: manifest.entry.clone(),
            early: manifest.early.clone(),
            security,
            locales: manifest.locales.clone(),
            routes,
        }
    }

    /// The policy of responses that are no pages.
    #[must_use]
    pub fn security(&self) -> Security {
        self.security.clone()
    }

    /// The policy of a page of this route.
    #[must_use]
    pub fn policy(&self, route: &str) -> HeaderValue {
        let known = self.routes.get(route).map(|route| route.policy.clone());
        known.unwrap_or_else(|| self.security.policy(Page::default()))
    }

    /// Writes one document.
    ///
    /// # Errors
    /// Only when the template fails to format, which it can't for strings.
    pub fn write(&self, body: &Body<'_>) -> Result<String, askama::Error> {
        let route = self.routes.get(body.route);
        let (js, critical) = route.map_or((&[][..], ""), |route| {
            (route.js.as_slice(), route.critical.as_str())
        });
        DocumentTemplate {
            build: &self.build,
            entry: &self.entry,
            early: &self.early,
            locale: self
                .locales
                .get(body.lang.code())
                .map_or("", String::as_str),
            js,
            critical,
            lang: body.lang.code(),
            head: body.head,
            html: body.html.unwrap_or_default(),
            shell: body.html.is_none(),
            data: script_safe(body.data),
            jsonld: body
                .head
                .jsonld
                .iter()
                .map(|value| script_safe(&value.to_string()))
                .collect(),
            refresh: body.refresh.unwrap_or_default(),
        }
        .render()
    }
}

/// Makes a JSON text safe inside `<script type="application/json">` (S-11): no `<`, `>`, `&` or line separator is
/// left, so nothing in it can end the element or start a comment; the JSON means the same.
#[must_use]
pub fn script_safe(json: &str) -> String {
    let mut safe = String::with_capacity(json.len() + 64);
    for letter in json.chars() {
        match letter {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            '\u{2028}' => safe.push_str("\\u2028"),
            '\u{2029}' => safe.push_str("\\u2029"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::script_safe;

    proptest! {
        /// S-11: an HTML parser can find no end of the element inside, and the JSON round-trips.
        #[test]
        fn page_data_cannot_leave_its_script_element(text in "\\PC*|.*</script>.*|.*<!--<script>.*|.*[\u{2028}\u{2029}].*") {
            let json = serde_json::to_string(&text).expect("strings serialise");
            let safe = script_safe(&json);
            let leaves = safe.contains(['<', '>', '&', '\u{2028}', '\u{2029}']);
            prop_assert!(!leaves, "something can end the element");
            let back: String = serde_json::from_str(&safe).expect("still JSON");
            prop_assert_eq!(back, text);
        }
    }
}
