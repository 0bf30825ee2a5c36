//! The sizes that pages may ask for, and making a picture that size.

use pixels::photo;

use super::Error;

/// Widths in pixels that pages may ask for (UI-10), the last for tablets at rest.
const WIDTHS: [u32; 8] = [96, 192, 288, 360, 540, 720, 1080, 1620];
/// A link preview's picture (SO-09).
const PREVIEW: (u32, u32) = (1200, 630);
/// Name of the preview in addresses.
pub(super) const PREVIEW_NAME: &str = "og";
const QUALITY: f32 = 70.0;
const PREVIEW_QUALITY: u8 = 80;
/// Pixels of each side of an avatar, as it is kept by the upstream.
const AVATAR: u32 = 512;
/// As it is shown.
pub(super) const PERSONAL: Size = Size::Width(192);

/// What a page asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Size {
    /// Pixels of width, the height follows; never larger than the original. WebP.
    Width(u32),
    /// 1200 × 630, cut to shape. JPEG, which every messenger shows.
    Preview,
}

impl Size {
    /// Reads it from an address; only the fixed sizes exist.
    pub(super) fn of(text: &str) -> Option<Self> {
        if text == PREVIEW_NAME {
            return Some(Self::Preview);
        }
        let width = WIDTHS.into_iter().find(|width| width.to_string() == text)?;
        Some(Self::Width(width))
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Width(width) => width.to_string(),
            Self::Preview => PREVIEW_NAME.to_owned(),
        }
    }

    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::Width(_) => "image/webp",
            Self::Preview => "image/jpeg",
        }
    }
}

/// A picture in this size.
pub(super) fn resized(original: &[u8], size: Size) -> Result<Vec<u8>, Error> {
    let resized = match size {
        Size::Width(width) => photo::narrowed(original, width, QUALITY),
        Size::Preview => photo::covering(original, PREVIEW, PREVIEW_QUALITY),
    };
    // Which of the product's own pictures is broken is not told to guests.
    resized.map_err(|_| Error::Decode)
}

/// A guest's own picture, with nothing that came along with it.
pub(super) fn avatar(original: &[u8]) -> Result<Vec<u8>, Error> {
    photo::square(original, AVATAR, PREVIEW_QUALITY).map_err(of_guest)
}

/// How many pixels a guest's own picture has.
pub(super) fn pixels(original: &[u8]) -> Result<u64, Error> {
    photo::pixels(original).map_err(of_guest)
}

fn of_guest(error: photo::Error) -> Error {
    match error {
        photo::Error::Unreadable => Error::Decode,
        photo::Error::TooLarge(most) => Error::Pixels(most),
        photo::Error::TooHeavy(most) => Error::Heavy(most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pixel differs from those around it, so that the quality shows in the bytes.
    fn coloured() -> Vec<u8> {
        let picture = image::RgbImage::from_fn(240, 160, |x, y| {
            image::Rgb([x * 7, y * 11, x * y].map(|value| value.to_le_bytes()[0]))
        });
        let mut bytes = std::io::Cursor::new(Vec::new());
        let written =
            image::DynamicImage::ImageRgb8(picture).write_to(&mut bytes, image::ImageFormat::Png);
        assert!(written.is_ok());
        bytes.into_inner()
    }

    #[test]
    fn photos_are_webp_of_quality_70() {
        let original = coloured();
        let made = resized(&original, Size::Width(192)).ok();
        assert!(made.is_some());
        for (quality, same) in [(70.0, true), (60.0, false), (80.0, false)] {
            let other = photo::narrowed(&original, 192, quality).ok();
            assert_eq!(made == other, same, "{quality}");
        }
    }

    #[test]
    fn only_the_fixed_sizes_exist() {
        for width in WIDTHS {
            assert_eq!(Size::of(&width.to_string()), Some(Size::Width(width)));
        }
        for bad in [
            "", "0", "193", "099", "96.0", "+96", "99999", "OG", "-96", "1e2",
        ] {
            assert_eq!(Size::of(bad), None, "{bad}");
        }
    }
}
