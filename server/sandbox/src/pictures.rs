//! Pictures of dishes, venues and brands: a 3D emoji with a soft shadow on a soft gradient,
//! 800×600, lossy WebP, drawn when somebody asks.

mod emoji {
    include!(concat!(env!("OUT_DIR"), "/emoji.rs"));
}

use std::{collections::BTreeMap, path::Path};

use pixels::canvas::{Canvas, Sprite};

/// Width of every picture.
pub const WIDTH: usize = 800;
/// Height of every picture.
pub const HEIGHT: usize = 600;
const QUALITY: f32 = 80.0;
const KIND: &str = "image/webp";

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
    emoji: String,
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

/// The picture at this path under `/files/` (for example `dishes/5001.webp`), with its content type.
/// Drawing takes some milliseconds of processor: not for an async thread, and worth keeping.
pub fn picture(path: &str) -> Option<(&'static str, Vec<u8>)> {
    let canvas = crate::seed::plan(path)?.draw()?;
    Some((KIND, canvas.webp(QUALITY)?))
}

/// The same from a folder, where another sandbox may have put it. What can't be put there is drawn again next time.
pub(crate) fn shared(path: &str, folder: &Path) -> Option<(&'static str, Vec<u8>)> {
    crate::seed::plan(path)?;
    let kept = folder.join(path.replace('/', "-"));
    if let Ok(bytes) = std::fs::read(&kept) {
        return Some((KIND, bytes));
    }
    let drawn = picture(path)?;
    // Renamed once it is whole: others may read it meanwhile.
    let part = kept.with_extension(std::process::id().to_string());
    let _ = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&part, &drawn.1))
        .and_then(|()| std::fs::rename(&part, kept));
    Some(drawn)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::collections::BTreeSet;

    use super::*;

    fn size(path: &str) -> (u32, u32) {
        let (kind, bytes) = picture(path).unwrap_or_else(|| panic!("no picture for {path}"));
        assert_eq!(kind, "image/webp");
        let image = webp::Decoder::new(&bytes).decode().unwrap();
        assert!(bytes.len() < 60_000, "{path} is {} bytes", bytes.len());
        (image.width(), image.height())
    }

    #[test]
    fn a_picture_of_every_emoji_is_800_by_600() {
        let seed = crate::seed::seed();
        let mut drawn = BTreeSet::new();
        let products = seed
            .menus
            .iter()
            .flat_map(|menu| &menu.categories)
            .flat_map(|category| &category.products);
        for product in products {
            let path = product.image.clone().unwrap();
            let plan = crate::seed::plan(&path).unwrap();
            assert_eq!(
                crate::seed::plan(&format!("dishes/{}.webp", product.id))
                    .unwrap()
                    .emoji,
                plan.emoji
            );
            if drawn.insert(plan.emoji.clone()) {
                assert_eq!(size(&path), (800, 600), "{path}");
            }
        }
        assert!(drawn.len() >= 100, "{} emoji", drawn.len());
    }

    #[test]
    fn every_venue_and_brand_has_a_plan() {
        let seed = crate::seed::seed();
        for venue in &seed.venues {
            assert!(crate::seed::plan(&venue.image).is_some(), "{}", venue.image);
        }
        for brand in &seed.brands {
            assert!(crate::seed::plan(&format!("brands/{}.webp", brand.id)).is_some());
        }
        assert_eq!(size("venues/101.webp"), (800, 600));
        assert_eq!(size("brands/5.webp"), (800, 600));
        assert_eq!(size("brands/24.webp"), (800, 600));
    }

    #[test]
    #[ignore = "writes files to look at, into pictures/ of the temporary folder"]
    fn write_some() {
        let folder = std::env::temp_dir().join("pictures");
        std::fs::create_dir_all(&folder).unwrap();
        for path in [
            "dishes/5001.webp",
            "dishes/5002.webp",
            "dishes/1011.webp",
            "dishes/6003.webp",
            "dishes/9003.webp",
            "dishes/13100.webp",
            "dishes/90101.webp",
            "dishes/19003.webp",
            "dishes/7001.webp",
            "venues/101.webp",
            "venues/114.webp",
            "brands/5.webp",
        ] {
            let start = std::time::Instant::now();
            let bytes = picture(path).unwrap().1;
            println!("{path} {} bytes in {:?}", bytes.len(), start.elapsed());
            std::fs::write(folder.join(path.replace('/', "-")), bytes).unwrap();
        }
    }

    #[test]
    fn unknown_paths_have_no_picture() {
        for path in [
            "",
            "dishes/",
            "dishes/1.webp",
            "dishes/5001.png",
            "venues/999.webp",
            "../etc/passwd",
            "dishes/-5001.webp",
        ] {
            assert!(picture(path).is_none(), "{path}");
        }
    }

    #[test]
    fn neighbours_differ() {
        let first = Plan::dish("1f35c", 3, 1);
        let second = Plan::dish("1f35c", 3, 2);
        assert_ne!(first.dominant(), second.dominant());
        assert_eq!(first.dominant(), first.clone().dominant());
        assert!(first.dominant().starts_with('#') && first.dominant().len() == 7);
    }
}
