//! The document around a rendered page: language, head, critical styles, preloads, HTML, data, entry script.
//!
//! No inline script but the fixed early-tap one, whose hash is in the policy (S-10); the page's data is a data block.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use askama::Template;
use axum::http::HeaderValue;
use memchr::{memchr3_iter, memmem};
use serde::Deserialize;

use crate::{
    values::Lang,
    web::{
        encoding::opening::Opening,
        files::assets::Manifest,
        headers::{Allowed, Page, Security},
        texts::text_of,
    },
};

/// What the render says about the head; made by `components/lib/head.ts`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Head {
    /// Page title.
    pub title: String,
    /// Description for search engines and link previews.
    #[serde(default)]
    pub description: String,
    /// The product's name in the page's language.
    #[serde(default)]
    pub site: String,
    /// Address without table, dish and tracking (SO-02).
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
    /// Sections that threw and have a message in their place (SR-09).
    #[serde(default)]
    pub losses: Vec<Loss>,
    /// Fragments that were rendered for other pages before (`components/lib/page/fragments.ts`).
    #[serde(default)]
    pub reused: u64,
}

/// A section that could not be rendered; made by `components/lib/page/sections.ts`.
#[derive(Debug, Clone, Deserialize)]
pub struct Loss {
    /// Its name on its page.
    pub section: String,
    /// All but what stands around the page is lost.
    pub whole: bool,
    /// What was thrown, with the begin of its stack.
    pub error: String,
}

/// One language version of a page.
#[derive(Debug, Clone, Deserialize)]
pub struct Alternate {
    /// Language tag or `x-default`.
    pub lang: String,
    /// Absolute address.
    pub href: String,
}

/// The icons in the opening of every document, which a host may have others for.
const ICONS: &str = r#"<link rel="icon" href="/favicon.svg">
<link rel="apple-touch-icon" href="/static/apple-touch-icon.png">"#;

/// What is the same in every document of one build.
pub struct Document {
    build: String,
    entry: String,
    /// The opening of what has no styles of its own.
    bare: String,
    security: Security,
    locales: HashMap<String, String>,
    routes: HashMap<String, Route>,
}

struct Route {
    js: Vec<String>,
    /// File of the screen's own texts, by language.
    texts: HashMap<String, String>,
    /// What its documents begin with; packed ahead if the build has done so.
    opening: String,
    packed: Option<Arc<Opening>>,
    policy: HeaderValue,
}

#[derive(Template)]
#[template(path = "opening.html", escape = "html")]
struct OpeningTemplate<'a> {
    critical: &'a str,
    early: &'a str,
}

/// One page to wrap.
pub struct Body<'a> {
    /// Language of the page.
    pub lang: Lang,
    /// What is shown over the screen, if anything, and the screen, as the manifest calls them.
    pub assets: [Option<&'a str>; 2],
    /// The head that the render made; the product's name alone when V8 failed.
    pub head: &'a Head,
    /// The rendered HTML; none when V8 failed and the browser has to render.
    pub html: Option<&'a str>,
    /// The page data as JSON.
    pub data: &'a str,
    /// Where the page leads by itself where scripts do not run: after how many seconds, and to which address.
    pub refresh: Option<(u32, String)>,
    /// What stands in front of its addresses, for the app.
    pub prefix: Option<&'a str>,
    /// It stands on a tablet of a venue: everything is larger.
    pub tablet: Option<Tablet<'a>>,
    /// Address of the manifest, where the app may be installed (PW-01).
    pub manifest: Option<&'a str>,
    /// Addresses of the host's own icons: of a tab, and of a home screen.
    pub icons: Option<[String; 2]>,
}

/// What a document on a tablet shows outside of the app, so that phones pay nothing for it.
#[derive(Clone, Copy)]
pub struct Tablet<'a> {
    /// The guest reads larger letters.
    pub large: bool,
    /// Address of the page, without the prefix of a tablet.
    pub url: &'a str,
    /// Seconds without a touch after which the guest has gone.
    pub away: u32,
    /// Address at which the next guest begins.
    pub rest: &'a str,
}

#[derive(Template)]
#[template(path = "document.html", escape = "html")]
struct DocumentTemplate<'a> {
    build: &'a str,
    entry: &'a str,
    opening: &'a str,
    locale: &'a str,
    texts: Vec<&'a str>,
    js: &'a [String],
    lang: Lang,
    head: &'a Head,
    html: Option<&'a str>,
    data: String,
    jsonld: Vec<String>,
    refresh: Option<&'a (u32, String)>,
    prefix: Option<&'a str>,
    tablet: Option<Tablet<'a>>,
    manifest: Option<&'a str>,
}

impl Document {
    /// Prepares the documents of one build. `allowed` is what its policy allows beside our own origin;
    /// `wasm` are the ids of pages that run WebAssembly.
    #[must_use]
    pub fn new(manifest: &Manifest, allowed: &Allowed, wasm: &[&str]) -> Self {
        let security = Security::new(&[&manifest.early], allowed);
        let routes = manifest
            .routes
            .iter()
            .map(|(id, assets)| {
                let opening = opening(&assets.critical, &manifest.early);
                let packed = Opening::new(opening.clone(), &assets.opening).map(Arc::new);
                let route = Route {
                    js: assets.js.clone(),
                    texts: assets.texts.clone(),
                    policy: security.policy(Page {
                        styles: &[&assets.critical],
                        wasm: wasm.contains(&id.as_str()),
                    }),
                    opening,
                    packed,
                };
                (id.clone(), route)
            })
            .collect();
        Self {
            build: manifest.build.clone(),
            entry: manifest.entry.clone(),
            bare: opening("", &manifest.early),
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

    /// The policy of a page that shows this.
    #[must_use]
    pub fn policy(&self, assets: [Option<&str>; 2]) -> HeaderValue {
        let known = self.shown(assets).map(|route| route.policy.clone());
        known.unwrap_or_else(|| self.security.policy(Page::default()))
    }

    /// How the documents of a page begin, packed.
    #[must_use]
    pub fn opening(&self, assets: [Option<&str>; 2]) -> Option<Arc<Opening>> {
        self.shown(assets)?.packed.clone()
    }

    /// The files of what is on top: those of the screen under it are among them.
    fn shown(&self, assets: [Option<&str>; 2]) -> Option<&Route> {
        let on_top = assets.into_iter().flatten().next()?;
        self.routes.get(on_top)
    }

    /// Writes one document.
    ///
    /// # Errors
    /// Only when the template fails to format, which it can't for strings.
    pub fn write(&self, body: &Body<'_>) -> Result<String, askama::Error> {
        let route = self.shown(body.assets);
        let (js, opening) = route.map_or((&[][..], self.bare.as_str()), |route| {
            (route.js.as_slice(), route.opening.as_str())
        });
        let opening = match &body.icons {
            Some(icons) => Cow::Owned(with_icons(opening, icons)),
            None => Cow::Borrowed(opening),
        };
        DocumentTemplate {
            build: &self.build,
            entry: &self.entry,
            opening: &opening,
            locale: self
                .locales
                .get(body.lang.code())
                .map_or("", String::as_str),
            texts: body
                .assets
                .into_iter()
                .flatten()
                .filter_map(|id| self.routes.get(id)?.texts.get(body.lang.code()))
                .map(String::as_str)
                .collect(),
            js,
            lang: body.lang,
            head: body.head,
            html: body.html,
            data: script_safe(body.data),
            jsonld: body
                .head
                .jsonld
                .iter()
                .map(|value| script_safe(&value.to_string()))
                .collect(),
            refresh: body.refresh.as_ref(),
            prefix: body.prefix,
            tablet: body.tablet,
            manifest: body.manifest,
        }
        .render()
    }
}

/// What the documents of a screen begin with; the build fills the same template.
fn opening(critical: &str, early: &str) -> String {
    let filled = OpeningTemplate { critical, early }.render();
    filled.unwrap_or_default().trim_end().to_owned()
}

/// The opening with the icons of a host, which is packed with its document.
fn with_icons(opening: &str, [tab, home]: &[String; 2]) -> String {
    let own = format!(
        r#"<link rel="icon" href="{tab}" type="image/png">
<link rel="apple-touch-icon" href="{home}">"#
    );
    opening.replacen(ICONS, &own, 1)
}

impl DocumentTemplate<'_> {
    /// Stands in a shell until the browser has drawn the page, or instead of it where scripts do not run.
    fn late(&self) -> &'static str {
        text_of(self.lang, "error.late")
    }

    fn again(&self) -> &'static str {
        text_of(self.lang, "app.retry")
    }

    fn letters(&self) -> &'static str {
        text_of(self.lang, "kiosk.letters")
    }

    fn larger(&self) -> &'static str {
        text_of(self.lang, "kiosk.larger")
    }

    fn usual(&self) -> &'static str {
        text_of(self.lang, "kiosk.usual")
    }
}

/// Makes a JSON text safe inside `<script type="application/json">` (S-11): no `<`, `>`, `&` or line separator is
/// left, so nothing in it can end the element or start a comment; the JSON means the same.
#[must_use]
pub fn script_safe(json: &str) -> String {
    let bytes = json.as_bytes();
    let ends = memchr3_iter(b'<', b'>', b'&', bytes);
    // What the two separators begin with, and dashes and quotation marks too.
    let others = memmem::find_iter(bytes, b"\xe2\x80");
    let mut found: Vec<usize> = ends.chain(others).collect();
    found.sort_unstable();
    let mut safe = String::with_capacity(json.len() + 64);
    let mut from = 0;
    // Nearly all of it is copied as it is.
    for at in found {
        let Some(letter) = json[at..].chars().next() else {
            continue;
        };
        let escaped = match letter {
            '<' => "\\u003c",
            '>' => "\\u003e",
            '&' => "\\u0026",
            '\u{2028}' => "\\u2028",
            '\u{2029}' => "\\u2029",
            _ => continue,
        };
        safe.push_str(&json[from..at]);
        safe.push_str(escaped);
        from = at + letter.len_utf8();
    }
    safe.push_str(&json[from..]);
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

        /// The same by a parser: one script, and in it the JSON.
        #[test]
        fn a_parser_finds_one_script_with_the_same_json(
            text in "(\\PC|</script>|<!--|<script|-->|]]>|[\u{2028}\u{2029}\0&<>/]){0,12}"
        ) {
            let json = serde_json::json!({ "name": text, (&*text): 1 }).to_string();
            let html = format!(
                r#"<!doctype html><body><script type="application/ld+json">{}</script><p>after</p>"#,
                script_safe(&json)
            );
            let parsed = scraper::Html::parse_document(&html);
            let scripts: Vec<String> = parsed
                .select(&scraper::Selector::parse("script").expect("a selector"))
                .map(|script| script.text().collect())
                .collect();
            prop_assert_eq!(scripts.len(), 1);
            let back: serde_json::Value = serde_json::from_str(&scripts[0]).expect("still JSON");
            prop_assert_eq!(&back["name"], &serde_json::json!(text));
            let after = scraper::Selector::parse("body > p").expect("a selector");
            prop_assert_eq!(parsed.select(&after).count(), 1);
        }
    }
}
