//! The sizes that pages may ask for, and making a picture that size.

use std::io::Cursor;

use fast_image_resize::{
    ResizeOptions, Resizer,
    images::{TypedImage, TypedImageRef},
    pixels::U8x3,
};
use image::{
    DynamicImage, ImageDecoder as _, ImageReader, Limits, RgbImage, codecs::jpeg::JpegEncoder,
    metadata::Orientation,
};

use super::Error;

/// Widths in pixels that pages may ask for (UI-10).
const WIDTHS: [u32; 7] = [96, 192, 288, 360, 540, 720, 1080];
/// A link preview's picture (SO-09).
const PREVIEW: (u32, u32) = (1200, 630);
/// Name of the preview in addresses.
pub(super) const PREVIEW_NAME: &str = "og";
/// Pixels of a picture that is read: told by its first bytes, so a bomb is never unpacked (S-14).
pub(super) const MAX_PIXELS: u64 = 16_800_000;
/// Bytes that one picture may take while it is unpacked: the pixels above at four bytes each, and some room.
const MAX_UNPACKED: u64 = 80 << 20;
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

/// Unpacks the first frame, resizes, packs. What is no PNG, JPEG or WebP by its first bytes is refused, whatever it
/// is called: SVG and HTML among them.
pub(super) fn resized(original: &[u8], size: Size) -> Result<Vec<u8>, Error> {
    let reader = limited(original, Error::Decode)?;
    let picture = reader.decode().map_err(|_| Error::Decode)?.into_rgb8();
    match size {
        Size::Width(width) => {
            let small = scaled(&picture, width)?;
            let encoder = webp::Encoder::from_rgb(&small, small.width(), small.height());
            Ok(encoder.encode(QUALITY).to_vec())
        }
        Size::Preview => covering(&picture, PREVIEW),
    }
}

/// A guest's own picture: upright as its EXIF says, cut to a square, and packed anew, so that place, time and whatever else
/// came along with it are gone (SC-08).
pub(super) fn avatar(original: &[u8]) -> Result<Vec<u8>, Error> {
    let reader = limited(original, Error::Pixels)?;
    let mut decoder = reader.into_decoder().map_err(|_| Error::Decode)?;
    let turned = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(|_| Error::Decode)?;
    let mut picture = DynamicImage::ImageRgb8(picture.into_rgb8());
    picture.apply_orientation(turned);
    let side = AVATAR.min(picture.width()).min(picture.height()).max(1);
    covering(&picture.into_rgb8(), (side, side))
}

/// What unpacks a picture within the limits. `too_large`: it has more pixels than any may have.
fn limited(original: &[u8], too_large: Error) -> Result<ImageReader<Cursor<&[u8]>>, Error> {
    let reader = || {
        ImageReader::new(Cursor::new(original))
            .with_guessed_format()
            .map_err(|_| Error::Decode)
    };
    let (width, height) = reader()?.into_dimensions().map_err(|_| Error::Decode)?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(too_large);
    }
    let mut reader = reader()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_UNPACKED);
    reader.limits(limits);
    Ok(reader)
}

/// The middle of a picture in a size, packed as JPEG.
fn covering(picture: &RgbImage, (width, height): (u32, u32)) -> Result<Vec<u8>, Error> {
    let options = ResizeOptions::new().fit_into_destination(None);
    let small = resampled(picture, (width, height), &options)?;
    let mut packed = Vec::new();
    JpegEncoder::new_with_quality(&mut packed, PREVIEW_QUALITY)
        .encode_image(&small)
        .map_err(|_| Error::Decode)?;
    Ok(packed)
}

fn scaled(picture: &RgbImage, width: u32) -> Result<RgbImage, Error> {
    let (from_width, from_height) = (picture.width().max(1), picture.height());
    let width = width.min(from_width);
    let height = (u64::from(from_height) * u64::from(width) / u64::from(from_width)).max(1);
    let height = u32::try_from(height).map_err(|_| Error::Decode)?;
    resampled(picture, (width, height), &ResizeOptions::new())
}

/// By the code for this kind of pixels alone: for all kinds it would be a tenth of what is compiled of this crate.
fn resampled(
    picture: &RgbImage,
    (width, height): (u32, u32),
    options: &ResizeOptions,
) -> Result<RgbImage, Error> {
    let from =
        TypedImageRef::<U8x3>::from_buffer(picture.width(), picture.height(), picture.as_raw())
            .map_err(|_| Error::Decode)?;
    let mut small = RgbImage::new(width, height);
    let mut to =
        TypedImage::<U8x3>::from_buffer(width, height, &mut small).map_err(|_| Error::Decode)?;
    Resizer::new()
        .resize_typed(&from, &mut to, options)
        .map_err(|_| Error::Decode)?;
    Ok(small)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        DynamicImage::new_rgba8(width, height)
            .write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png)
            .unwrap();
        bytes
    }

    fn side(bytes: &[u8]) -> (u32, u32) {
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
        reader.unwrap().into_dimensions().unwrap()
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

    #[test]
    fn a_picture_keeps_its_shape_and_never_grows() {
        let wide = resized(&png(600, 300), Size::Width(192)).unwrap();
        assert_eq!(side(&wide), (192, 96));
        assert_eq!(&wide[8..12], b"WEBP");
        assert_eq!(
            side(&resized(&png(50, 20), Size::Width(1080)).unwrap()),
            (50, 20)
        );
    }

    #[test]
    fn a_preview_has_its_exact_size() {
        for (width, height) in [(600, 300), (300, 600), (5, 5)] {
            let cut = resized(&png(width, height), Size::Preview).unwrap();
            assert_eq!(side(&cut), PREVIEW);
            assert_eq!(cut[..3], [0xff, 0xd8, 0xff]);
        }
    }

    #[test]
    fn a_bomb_is_refused_by_its_first_bytes() {
        // The size in the header is what a bomb claims; nothing of its 2.7 GB is unpacked.
        let mut bomb = png(8, 8);
        bomb[16..20].copy_from_slice(&30_000_u32.to_be_bytes());
        bomb[20..24].copy_from_slice(&30_000_u32.to_be_bytes());
        let mut hash = flate2::Crc::new();
        hash.update(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&hash.sum().to_be_bytes());
        assert_eq!(side(&bomb), (30_000, 30_000));
        assert!(resized(&bomb, Size::Width(96)).is_err());
        // Whole, and it would fit into memory: only the number of its pixels refuses it.
        let mut large = Vec::new();
        DynamicImage::new_luma8(4100, 4098)
            .write_to(&mut Cursor::new(&mut large), image::ImageFormat::Png)
            .unwrap();
        assert!(resized(&large, Size::Width(96)).is_err());
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for text in [
            "<!doctype html><script>alert(1)</script>",
            r#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#,
            "GIF89a",
            "",
        ] {
            assert!(resized(text.as_bytes(), Size::Width(96)).is_err(), "{text}");
        }
    }
}
