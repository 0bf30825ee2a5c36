//! The map's tiles: an invented town, drawn from rules alone. Everything hangs on the
//! position in the world, so that streets go on over the edges and stay while zooming.

use std::fmt::Write;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::openapi::{Api, Operation};
use crate::refusal::Refusal;

/// A tile's side in pixels.
const SIDE: f64 = 256.0;
/// The zoom in whose pixels the town is laid out.
const LAID_OUT: i32 = 16;
/// Between streets, and between avenues, in those pixels.
const STREET: f64 = 96.0;
const AVENUE: f64 = 480.0;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get("/tiles/{z}/{x}/{y}", "tile", "A tile of the map")
            .answers_as(200, "image/svg+xml")
            .refuses(&[404]),
        get(tile),
    )
}

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
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    Ok((headers, drawn(z, x, y)).into_response())
}

/// A window on the town: the scale and the corner, in pixels of the layout.
struct View {
    scale: f64,
    left: f64,
    top: f64,
}

fn drawn(z: u32, x: u32, y: u32) -> String {
    let scale = 2_f64.powi(i32::try_from(z).unwrap_or(0) - LAID_OUT);
    let view = View {
        scale,
        left: f64::from(x) * SIDE / scale,
        top: f64::from(y) * SIDE / scale,
    };
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"256\" height=\"256\" viewBox=\"0 0 256 256\"><rect width=\"256\" height=\"256\" fill=\"#ece9e2\"/>",
    );
    if STREET * scale >= 12.0 {
        view.blocks(&mut svg);
    }
    view.river(&mut svg);
    if STREET * scale >= 24.0 {
        view.lines(&mut svg, STREET, (7.0 * scale).max(1.5), "#ffffff");
    }
    // From afar only some of the avenues are roads between towns.
    let mut between = AVENUE;
    while between * scale < 40.0 {
        between *= 4.0;
    }
    view.lines(
        &mut svg,
        between,
        (16.0 * scale).clamp(1.5, 24.0),
        "#f7e3b0",
    );
    svg.push_str("</svg>");
    svg
}

impl View {
    /// The positions of a grid that the tile shows, as numbers of the grid.
    fn grid(&self, from: f64, step: f64) -> std::ops::RangeInclusive<i64> {
        let first = (from / step).floor();
        let last = ((from + SIDE / self.scale) / step).floor();
        first as i64..=last as i64
    }

    fn blocks(&self, svg: &mut String) {
        let side = (STREET - 7.0) * self.scale;
        for column in self.grid(self.left, STREET) {
            for row in self.grid(self.top, STREET) {
                let color = match mixed(column, row) % 23 {
                    0 | 1 => "#cfe3c0",
                    2 => "#e6dccb",
                    _ => "#e0dbd1",
                };
                let left = (column as f64 * STREET + 3.5 - self.left) * self.scale;
                let top = (row as f64 * STREET + 3.5 - self.top) * self.scale;
                // Writing to a String cannot fail.
                let _ = write!(
                    svg,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"{:.1}\" fill=\"{color}\"/>",
                    (4.0 * self.scale).min(6.0),
                );
            }
        }
    }

    /// A river that winds from west to east, one in some avenues.
    fn river(&self, svg: &mut String) {
        const BETWEEN: f64 = AVENUE * 8.0;
        let width = 46.0 * self.scale;
        if width < 1.0 {
            return;
        }
        for row in self.grid(self.top - BETWEEN / 2.0, BETWEEN / 2.0) {
            if row % 2 != 0 {
                continue;
            }
            let mut path = String::new();
            for step in -1..=17 {
                let x = f64::from(step) * SIDE / 16.0;
                let along = (self.left + x / self.scale) / AVENUE;
                let bend = (along * 0.9).sin() * 110.0 + (along * 0.37).sin() * 190.0;
                let y = (row as f64 * BETWEEN / 2.0 + BETWEEN / 2.0 + bend - self.top) * self.scale;
                let command = if path.is_empty() { 'M' } else { 'L' };
                let _ = write!(path, "{command}{x:.1} {y:.1}");
            }
            let _ = write!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"#aacbe0\" stroke-width=\"{width:.1}\" stroke-linejoin=\"round\"/>"
            );
        }
    }

    fn lines(&self, svg: &mut String, step: f64, width: f64, color: &str) {
        let mut path = String::new();
        for column in self.grid(self.left - step, step) {
            let x = ((column + 1) as f64 * step - self.left) * self.scale;
            let _ = write!(path, "M{x:.1} 0V256");
        }
        for row in self.grid(self.top - step, step) {
            let y = ((row + 1) as f64 * step - self.top) * self.scale;
            let _ = write!(path, "M0 {y:.1}H256");
        }
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width:.1}\"/>"
        );
    }
}

/// The same number for the same block, always.
fn mixed(column: i64, row: i64) -> u64 {
    let mixed = (column as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (row as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heights at which horizontal avenues cross a tile.
    fn crossings(svg: &str) -> Vec<String> {
        let avenues = svg.rsplit("<path d=\"").next().unwrap_or("");
        let path = avenues.split('"').next().unwrap_or("");
        path.split('M')
            .filter_map(|part| part.strip_prefix("0 ")?.strip_suffix("H256"))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn avenues_go_on_in_the_next_tile_and_every_tile_is_small() {
        for (z, x, y) in [
            (10, 733, 375),
            (14, 11_693, 6_006),
            (16, 46_772, 24_026),
            (19, 374_176, 192_208),
        ] {
            let (here, beside) = (drawn(z, x, y), drawn(z, x + 1, y));
            assert_eq!(crossings(&here), crossings(&beside), "{z}");
            assert_ne!(here, drawn(z, x, y + 1), "{z}");
            assert!(here.len() < 40_000, "{z}: {}", here.len());
        }
        for z in 0..=19 {
            assert!(drawn(z, 0, 0).ends_with("</svg>"));
        }
    }
}
