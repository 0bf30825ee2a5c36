//! Pictures of dishes, venues and brands, drawn on request.

use std::path::Path;

use crate::seed;

const KIND: &str = "image/webp";

/// The picture at this path under `/files/` (for example `dishes/5001.webp`), with its content type.
/// Drawing takes some milliseconds of processor: not for an async thread, and worth keeping.
pub fn picture(path: &str) -> Option<(&'static str, Vec<u8>)> {
    Some((KIND, seed::plan(path)?.webp()?))
}

/// The same from a folder, where another sandbox may have put it. What can't be put there is drawn again next time.
pub(crate) fn shared(path: &str, folder: &Path) -> Option<(&'static str, Vec<u8>)> {
    seed::plan(path)?;
    let cached = folder.join(path.replace('/', "-"));
    if let Ok(bytes) = std::fs::read(&cached) {
        return Some((KIND, bytes));
    }
    let drawn = picture(path)?;
    // Renamed once it is whole: others may read it meanwhile.
    let part = cached.with_extension(std::process::id().to_string());
    let _ = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&part, &drawn.1))
        .and_then(|()| std::fs::rename(&part, cached));
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
        let seed = seed::seed();
        let mut drawn = BTreeSet::new();
        let products = seed
            .menus
            .iter()
            .flat_map(|menu| &menu.categories)
            .flat_map(|category| &category.products);
        for product in products {
            let path = product.image.clone().unwrap();
            let plan = seed::plan(&path).unwrap();
            assert_eq!(
                seed::plan(&format!("dishes/{}.webp", product.id))
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
        let seed = seed::seed();
        for venue in &seed.venues {
            assert!(seed::plan(&venue.image).is_some(), "{}", venue.image);
        }
        for brand in &seed.brands {
            assert!(seed::plan(&format!("brands/{}.webp", brand.id)).is_some());
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
}
