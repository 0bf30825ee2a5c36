//! The manifest of an installed app: of a country, in a language, under the name of the host, else of the only brand where
//! there is one (PW-01). Browsers ask for it without cookies, so its address says all. Documents of a table, of a tablet and inside of
//! host apps name none: guests are not asked to install anything between two dishes.

use axum::{
    Json,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use crate::{
    config::custom::{Custom, Icon},
    upstream::{BrandId, Caller},
    values::{Country, Lang, Platform},
    web::{
        app::App,
        locale::{Locale, Wishes},
        texts::text_of,
        visit::Visit,
    },
};

use super::shell::Shell;

/// Where icons of hosts are found.
const ICONS: &str = "/host-icons";
/// As the light theme's page colour: manifests know one theme.
const COLOUR: &str = "#FBF7F2";

/// Where a document finds its manifest; none where the app is not to be installed.
#[must_use]
pub fn address(visit: &Visit, shell: &Shell) -> Option<String> {
    let is_plain =
        shell.table.is_none() && shell.kiosk.is_none() && visit.platform == Platform::Web;
    let (lang, country) = (visit.lang.code(), visit.country.code());
    is_plain.then(|| format!("/manifest.webmanifest?lang={lang}&country={country}"))
}

/// Where a document finds the icon of its tab and that of a home screen, if its host has pictures of its own: the smallest
/// whole one, and the smallest that fills its square, as a home screen cuts corners off.
#[must_use]
pub fn icon_addresses(custom: &Custom) -> Option<[String; 2]> {
    let smallest = |is_maskable: bool| {
        let icons = custom.icons.iter();
        icons.min_by_key(|icon| (icon.is_maskable != is_maskable, icon.size))
    };
    let address = |icon: &Icon| format!("{ICONS}/{}", icon.name);
    Some([smallest(false).map(address)?, smallest(true).map(address)?])
}

/// `GET /manifest.webmanifest`
pub async fn show(State(app): State<App>, Wishes { locale, chosen, .. }: Wishes) -> Response {
    let Locale { lang, country, .. } = locale;
    let name = match (chosen.custom.name(lang), chosen.custom.brand()) {
        (Some(name), _) => Some(name.to_owned()),
        (None, Some(brand)) => brand_name(&app, brand, lang, country).await,
        (None, None) => None,
    };
    let name = name.unwrap_or_else(|| text_of(lang, "app.name").to_owned());
    let short = chosen.custom.short_name(lang).unwrap_or(&name);
    let icon = |file: &str, size: &str, kind: &str, purpose: &str| json!({ "src": format!("/static/{file}"), "sizes": size, "type": kind, "purpose": purpose });
    let own = chosen.custom.icons.iter().map(|own| {
        let Icon { name, size, .. } = own;
        let purpose = if own.is_maskable { "maskable" } else { "any" };
        json!({ "src": format!("{ICONS}/{name}"), "sizes": format!("{size}x{size}"), "type": "image/png", "purpose": purpose })
    });
    let mut icons: Vec<Value> = own.collect();
    if icons.is_empty() {
        icons = vec![
            icon("icon-192.png", "192x192", "image/png", "any"),
            icon("icon-512.png", "512x512", "image/png", "any"),
            icon("icon-maskable-512.png", "512x512", "image/png", "maskable"),
            icon("favicon.svg", "any", "image/svg+xml", "any"),
        ];
    }
    let manifest = json!({
        "id": "/",
        "name": name,
        "short_name": short,
        "lang": lang.code(),
        "dir": "ltr",
        // Not the page that was open: a table belongs to a visit. The language is the guest's own, later too.
        "start_url": format!("/?country={}", country.code()),
        "scope": "/",
        "display": "standalone",
        "theme_color": COLOUR,
        "background_color": COLOUR,
        "icons": icons,
    });
    let headers = [
        (header::CONTENT_TYPE, "application/manifest+json"),
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ];
    (headers, Json(manifest)).into_response()
}

/// `GET /host-icons/{name}`: a picture of the host that is asked; its name is of what it holds.
pub async fn icon(Wishes { chosen, .. }: Wishes, Path(name): Path<String>) -> Response {
    let own = chosen.custom.icons.iter().find(|icon| icon.name == name);
    let Some(own) = own else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, own.bytes.clone()).into_response()
}

/// What the only brand is called; the product's name while that is unknown.
async fn brand_name(app: &App, brand: BrandId, lang: Lang, country: Country) -> Option<String> {
    let caller = Caller::guest(lang, country).optional();
    let groups = app
        .upstream
        .brand_locations(&caller, brand, None, 1)
        .await
        .ok()?;
    let group = groups.items.first()?;
    Some(group.brand_name.trim().to_owned()).filter(|name| !name.is_empty())
}
