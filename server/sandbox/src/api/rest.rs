//! The remote configuration and the map's tiles.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;

use super::{Answer, data};
use crate::accounts::grant::TOKEN_LASTS;
use crate::app::App;
use crate::openapi::schema::{self, boolean, integer, list, object, text};
use crate::openapi::{Api, Operation};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let config = object(&[
        ("services", list(integer())),
        ("is_location_enabled", boolean()),
        ("image_hosts", list(text())),
        ("tile_url", text()),
        ("token_lasts_seconds", integer()),
    ]);
    api.add(
        Operation::get(
            "/remote-config/v1/config",
            "remoteConfig",
            "What the product reads at its start",
        )
        .answers(200, schema::data(config)),
        get(remote_config),
    )
    .add(
        Operation::get("/tiles/{z}/{x}/{y}", "tile", "A tile of the map")
            .answers_as(200, "image/svg+xml")
            .refuses(&[404]),
        get(tile),
    )
}

async fn remote_config(State(app): State<App>, caller: crate::caller::Caller) -> Answer {
    data(json!({
        "services": [1, 3, 4],
        "is_location_enabled": true,
        "image_hosts": [format!("{}/files/", caller.base)],
        "tile_url": format!("{}/tiles/{{z}}/{{x}}/{{y}}", app.public_url.as_deref().unwrap_or(&caller.base)),
        "token_lasts_seconds": TOKEN_LASTS / 1000,
    }))
}

/// A drawn town: blocks, streets and now and then a park, the same for the same tile.
async fn tile(Path((z, x, y)): Path<(String, String, String)>) -> Result<Response, Refusal> {
    let number = |text: &str| text.parse::<u32>().ok();
    let y = y.trim_end_matches(".svg").to_owned();
    let numbers = number(&z).zip(number(&x)).zip(number(&y));
    let inside = numbers.filter(|((z, x), y)| *z <= 19 && *x < 1 << z && *y < 1 << z);
    let Some(((z, x), y)) = inside else {
        return Err(Refusal::not_found(
            "tile_not_found",
            "There is no such tile",
        ));
    };
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"256\" height=\"256\"><rect width=\"256\" height=\"256\" fill=\"#ece9e2\"/>",
    );
    for block in 0..16_u32 {
        let mixed =
            (x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663) ^ z.wrapping_mul(83_492_791))
                .wrapping_add(block.wrapping_mul(2_654_435_761))
                .rotate_left(13)
                .wrapping_mul(2_246_822_519);
        let color = if mixed % 9 == 0 { "#cfe3c0" } else { "#dfdad0" };
        let (left, top) = (block % 4 * 64 + 5, block / 4 * 64 + 5);
        svg.push_str(&format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"54\" height=\"54\" rx=\"3\" fill=\"{color}\"/>"
        ));
    }
    svg.push_str("</svg>");
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    Ok((headers, svg).into_response())
}
