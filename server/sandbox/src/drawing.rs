//! How dishes, venues and brands are drawn: a 3D emoji with a soft shadow on a soft gradient,
//! 800×600, lossy WebP.

mod emoji {
    include!(concat!(env!("OUT_DIR"), "/emoji.rs"));
}

use std::collections::BTreeMap;

use pixels::canvas::{Canvas, Sprite};

/// Width of every picture.
const WIDTH: usize = 800;
/// Height of every picture.
const HEIGHT: usize = 600;
const QUALITY: f32 = 80.0;

/// Pairs of soft colours, light to deeper; each names a mood of food.
const PALETTES: [([u8; 3], [u8; 3]); 14] = [
    ([255, 240, 219], [246, 190, 140]), // apricot
    ([238, 246, 226], [176, 207, 150]), // herbs
    ([255, 232, 224], [240, 168, 150]), // tomato
    ([255, 246, 210], [241, 207, 120]), // butter
    ([226, 242, 243], [150, 201, 205]), // glacier
    ([249, 233, 240], [226, 168, 192]), // berry
    ([243, 236, 226], [207, 180, 150]), // bread
    ([232, 236, 248], [170, 183, 222]), // dusk
    ([255, 236, 205], [238, 172, 104]), // pumpkin
    ([232, 245, 238], [150, 205, 180]), // mint
    ([247, 234, 247], [200, 170, 212]), // plum
    ([250, 240, 232], [225, 190, 165]), // clay
    ([240, 245, 214], [196, 208, 124]), // lime
    ([230, 240, 250], [160, 194, 226]), // morning
];

/// What a picture shows; by path under `/files/`.
pub(crate) type Plans = BTreeMap<String, Plan>;

/// How one picture is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) emoji: String,
    beside: Option<[String; 2]>,
    palette: usize,
    variant: i64,
}

impl Plan {
    /// A dish: the palette is its category's, the variant its number, so that neighbours differ.
    pub(crate) fn dish(emoji: &str, palette: i64, variant: i64) -> Plan {
        Plan {
            emoji: emoji.to_owned(),
            beside: None,
            palette: palette.unsigned_abs() as usize,
            variant,
        }
    }

    /// The sign of a brand.
    pub(crate) fn brand(emoji: &str, brand: i64) -> Plan {
        Plan::dish(emoji, brand, 0)
    }

    /// A venue: the sign of its brand with two of its dishes.
    pub(crate) fn venue(emoji: &str, beside: [String; 2], brand: i64, venue: i64) -> Plan {
        Plan {
            beside: Some(beside),
            ..Plan::dish(emoji, brand, venue)
        }
    }

    /// The colour that stands for the picture while it loads, `#rrggbb`.
    pub(crate) fn dominant(&self) -> String {
        let (light, deep) = self.colours();
        let [red, green, blue] =
            [0, 1, 2].map(|part| (u16::from(light[part]) + u16::from(deep[part])) / 2);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The two ends of the gradient: the palette's, warmed or cooled a little by the variant.
    fn colours(&self) -> ([u8; 3], [u8; 3]) {
        // Two of three neighbours keep the mood of the category, the third borrows the next one.
        let shift = usize::from(self.variant % 3 == 2);
        let (light, deep) = PALETTES[(self.palette + shift * 5) % PALETTES.len()];
        let drift = [5, -6, 3, -3, 0][self.variant.unsigned_abs() as usize % 5];
        let moved = |[red, green, blue]: [u8; 3]| {
            [
                red.saturating_add_signed(drift),
                green,
                blue.saturating_add_signed(-drift),
            ]
        };
        (moved(light), moved(deep))
    }

    /// The file of the picture.
    pub(crate) fn webp(&self) -> Option<Vec<u8>> {
        self.draw()?.webp(QUALITY)
    }

    fn draw(&self) -> Option<Canvas> {
        let (light, deep) = self.colours();
        let variant = self.variant.unsigned_abs() as usize;
        let angle = [35.0, 145.0, 75.0, 110.0, 20.0, 160.0, 55.0][variant % 7];
        let mut canvas = Canvas::gradient(WIDTH, HEIGHT, light, deep, angle);
        if let Some([left, right]) = &self.beside {
            canvas.place(&sprite(left)?, 175.0, 345.0, 250.0, -10.0);
            canvas.place(&sprite(right)?, 625.0, 345.0, 250.0, 10.0);
            canvas.place(&sprite(&self.emoji)?, 400.0, 285.0, 400.0, 0.0);
        } else {
            let turn = [0.0, -7.0, 5.0, 9.0, -4.0, 3.0, -9.0, 7.0][variant % 8];
            let size = [470.0, 490.0, 455.0, 480.0, 500.0][variant % 5];
            canvas.place(&sprite(&self.emoji)?, 400.0, 280.0, size, turn);
        }
        Some(canvas)
    }
}

fn sprite(code: &str) -> Option<Sprite> {
    let index = emoji::EMOJI
        .binary_search_by(|(known, _)| (*known).cmp(code))
        .ok()?;
    let (_, bytes) = emoji::EMOJI.get(index)?;
    Sprite::decode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ() {
        let first = Plan::dish("1f35c", 3, 1);
        let second = Plan::dish("1f35c", 3, 2);
        assert_ne!(first.dominant(), second.dominant());
        assert_eq!(first.dominant(), first.clone().dominant());
        assert!(first.dominant().starts_with('#') && first.dominant().len() == 7);
    }
}
