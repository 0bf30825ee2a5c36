//! Pictures of others: unpacked within limits, brought to a size, packed anew.

use std::io::Cursor;

use fast_image_resize::{
    ResizeOptions, Resizer,
    images::{TypedImage, TypedImageRef},
    pixels::U8x3,
};
use image::{
    DynamicImage, ImageDecoder, ImageReader, Limits, RgbImage, codecs::jpeg::JpegEncoder,
    metadata::Orientation,
};

/// Pixels of a picture that is read: told by its first bytes, so a bomb is never unpacked (S-14).
pub const MAX_PIXELS: u64 = 16_800_000;
/// Bytes that one picture may take while it is unpacked: the pixels above at four bytes each, and some room.
const MAX_UNPACKED: u64 = 80 << 20;
const MILLION: u64 = 1_000_000;
/// Bytes that may be unpacked of what stands before the pixels, such as a profile of colours.
const MAX_HEAD: u64 = 4 << 20;
/// Megabytes of a guest's own WebP. Its decoder needs a tenth of a second for each, beside what the pixels take: of twelve
/// megapixels a photo has two.
const MOST_WEBP: u64 = 4;
/// Bytes that a pixel of a JPEG in several passes takes: all of them lie in memory as numbers beside the pixels.
const OF_PASSES: u64 = 9;

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// By its first bytes it is no PNG, JPEG or WebP, whatever it is called: SVG and HTML among them. Or it is broken.
    #[error("the picture can't be read")]
    Unreadable,
    /// It has more than this many million pixels.
    #[error("the picture has too many pixels")]
    TooLarge(u64),
    /// It has more than this many megabytes for how long each takes.
    #[error("the picture has too many bytes")]
    TooHeavy(u64),
}

/// The first frame as WebP, `width` pixels wide and never wider than it was; the height follows.
///
/// # Errors
/// When it can't be read or is too large.
pub fn narrowed(original: &[u8], width: u32, quality: f32) -> Result<Vec<u8>, Error> {
    let picture = unpacked(original)?;
    let (from_width, from_height) = (picture.width().max(1), picture.height());
    let width = width.min(from_width);
    let height = (u64::from(from_height) * u64::from(width) / u64::from(from_width)).max(1);
    let height = u32::try_from(height).map_err(|_| Error::Unreadable)?;
    let small = resampled(&picture, (width, height), &ResizeOptions::new())?;
    let encoder = webp::Encoder::from_rgb(&small, width, height);
    Ok(encoder.encode(quality).to_vec())
}

/// The middle of the first frame in exactly this size, as JPEG.
///
/// # Errors
/// When it can't be read or is too large.
pub fn covering(original: &[u8], size: (u32, u32), quality: u8) -> Result<Vec<u8>, Error> {
    jpeg(&middle(&unpacked(original)?, size)?, quality)
}

/// The middle as a square of at most `most` pixels, upright as its EXIF says, as JPEG. Packed anew, so that place, time
/// and whatever else came along with it are gone (SC-08).
///
/// # Errors
/// When it can't be read, is too large, or is a WebP that takes too long.
pub fn square(original: &[u8], most: u32, quality: u8) -> Result<Vec<u8>, Error> {
    if is_webp(original) && original.len() as u64 > MOST_WEBP << 20 {
        return Err(Error::TooHeavy(MOST_WEBP));
    }
    let mut decoder = limited(original)?;
    let turned = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(|_| Error::Unreadable)?;
    let picture = picture.into_rgb8();
    let side = most.min(picture.width()).min(picture.height()).max(1);
    // The middle is the same whichever way up, and is turned as one of some hundred thousand pixels.
    let mut small = DynamicImage::ImageRgb8(middle(&picture, (side, side))?);
    drop(picture);
    small.apply_orientation(turned);
    jpeg(&small.into_rgb8(), quality)
}

fn unpacked(original: &[u8]) -> Result<RgbImage, Error> {
    let picture = DynamicImage::from_decoder(limited(original)?);
    Ok(picture.map_err(|_| Error::Unreadable)?.into_rgb8())
}

/// How many pixels a picture has, by its first bytes.
///
/// # Errors
/// When it can't be read or has too many.
pub fn pixels(original: &[u8]) -> Result<u64, Error> {
    let size = within(original, MAX_HEAD)?.into_dimensions();
    let (width, height) = size.map_err(|_| Error::Unreadable)?;
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS {
        return Err(Error::TooLarge(MAX_PIXELS / MILLION));
    }
    Ok(pixels)
}

/// What reads a picture and takes no more memory than that.
fn within(original: &[u8], most: u64) -> Result<ImageReader<Cursor<&[u8]>>, Error> {
    let mut reader = ImageReader::new(Cursor::new(original))
        .with_guessed_format()
        .map_err(|_| Error::Unreadable)?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(most);
    reader.limits(limits);
    Ok(reader)
}

/// What unpacks a picture within the limits of pixels and memory.
fn limited(original: &[u8]) -> Result<impl ImageDecoder, Error> {
    let pixels = pixels(original)?;
    let decoder = within(original, MAX_UNPACKED)?
        .into_decoder()
        .map_err(|_| Error::Unreadable)?;
    let of_each = if has_passes(original) {
        OF_PASSES
    } else {
        decoder.total_bytes() / pixels.max(1)
    };
    if pixels * of_each > MAX_UNPACKED {
        return Err(Error::TooLarge(MAX_UNPACKED / of_each / MILLION));
    }
    Ok(decoder)
}

fn is_webp(original: &[u8]) -> bool {
    original.starts_with(b"RIFF") && original.get(8..12) == Some(b"WEBP")
}

/// Whether it is a JPEG that comes in several passes; one whose first segments can't be read counts as such.
fn has_passes(original: &[u8]) -> bool {
    let Some(mut rest) = original.strip_prefix(b"\xff\xd8") else {
        return false;
    };
    while let [0xff, marker, long, short, ..] = *rest {
        match marker {
            // Baseline and extended: row by row.
            0xc0 | 0xc1 => return false,
            0xc4 | 0xc8 | 0xcc | 0xdb | 0xdd | 0xe0..=0xef | 0xfe => {}
            _ => return true,
        }
        let length = usize::from(u16::from_be_bytes([long, short]));
        rest = rest.get(2 + length..).unwrap_or_default();
    }
    true
}

/// What of it fills a size.
fn middle(picture: &RgbImage, size: (u32, u32)) -> Result<RgbImage, Error> {
    let options = ResizeOptions::new().fit_into_destination(None);
    resampled(picture, size, &options)
}

fn jpeg(picture: &RgbImage, quality: u8) -> Result<Vec<u8>, Error> {
    let mut packed = Vec::new();
    JpegEncoder::new_with_quality(&mut packed, quality)
        .encode_image(picture)
        .map_err(|_| Error::Unreadable)?;
    Ok(packed)
}

/// By the code for this kind of pixels alone: for all kinds it would be most of what is compiled of this crate.
fn resampled(
    picture: &RgbImage,
    (width, height): (u32, u32),
    options: &ResizeOptions,
) -> Result<RgbImage, Error> {
    let from =
        TypedImageRef::<U8x3>::from_buffer(picture.width(), picture.height(), picture.as_raw())
            .map_err(|_| Error::Unreadable)?;
    let mut small = RgbImage::new(width, height);
    let mut to = TypedImage::<U8x3>::from_buffer(width, height, &mut small)
        .map_err(|_| Error::Unreadable)?;
    Resizer::new()
        .resize_typed(&from, &mut to, options)
        .map_err(|_| Error::Unreadable)?;
    Ok(small)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn packed(picture: &DynamicImage, format: image::ImageFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        picture
            .write_to(&mut Cursor::new(&mut bytes), format)
            .unwrap();
        bytes
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let picture = DynamicImage::new_rgba8(width, height);
        packed(&picture, image::ImageFormat::Png)
    }

    fn side(bytes: &[u8]) -> (u32, u32) {
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
        reader.unwrap().into_dimensions().unwrap()
    }

    #[test]
    fn a_picture_keeps_its_shape_and_never_grows() {
        let wide = narrowed(&png(600, 300), 192, 70.0).unwrap();
        assert_eq!(side(&wide), (192, 96));
        assert_eq!(&wide[8..12], b"WEBP");
        assert_eq!(side(&narrowed(&png(50, 20), 1080, 70.0).unwrap()), (50, 20));
    }

    #[test]
    fn what_covers_a_size_has_exactly_that() {
        for (width, height) in [(600, 300), (300, 600), (5, 5)] {
            let cut = covering(&png(width, height), (1200, 630), 80).unwrap();
            assert_eq!(side(&cut), (1200, 630));
            assert_eq!(cut[..3], [0xff, 0xd8, 0xff]);
        }
    }

    #[test]
    fn a_square_is_never_larger_than_the_picture() {
        for (width, height, wanted) in [(600, 900, 512), (90, 60, 60), (1, 7, 1)] {
            let square = square(&png(width, height), 512, 80).unwrap();
            assert_eq!(side(&square), (wanted, wanted));
        }
    }

    #[test]
    fn of_an_animation_the_first_frame_is_left() {
        let frame = |red, green| {
            let pixel = image::Rgb([red, green, 0]);
            DynamicImage::ImageRgb8(RgbImage::from_pixel(64, 32, pixel))
        };
        let (first, second) = (frame(250, 0), frame(0, 250));
        let config = webp::WebPConfig::new().unwrap();
        let mut animation = webp::AnimEncoder::new(64, 32, &config);
        animation.add_frame(webp::AnimFrame::from_image(&first, 0).unwrap());
        animation.add_frame(webp::AnimFrame::from_image(&second, 100).unwrap());
        let animation = animation.encode();
        let has_chunk =
            |bytes: &[u8], name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
        assert!(has_chunk(&animation, b"ANIM"));
        let packed = [
            narrowed(&animation, 32, 70.0).unwrap(),
            covering(&animation, (32, 16), 80).unwrap(),
            square(&animation, 32, 80).unwrap(),
        ];
        for bytes in packed {
            assert!(!has_chunk(&bytes, b"ANIM") && !has_chunk(&bytes, b"ANMF"));
            let image::Rgb([red, green, _]) = *image::load_from_memory(&bytes)
                .unwrap()
                .into_rgb8()
                .get_pixel(8, 8);
            assert!(red > 200 && green < 50, "{red} {green}");
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
        assert_eq!(narrowed(&bomb, 96, 70.0), Err(Error::TooLarge(16)));
        // Whole, and it would fit into memory: only the number of its pixels refuses it.
        let large = packed(
            &DynamicImage::new_luma8(4100, 4098),
            image::ImageFormat::Png,
        );
        assert_eq!(narrowed(&large, 96, 70.0), Err(Error::TooLarge(16)));
        assert_eq!(square(&large, 512, 80), Err(Error::TooLarge(16)));
    }

    #[test]
    fn a_picture_whose_pixels_take_too_much_is_not_unpacked() {
        let wide = packed(
            &DynamicImage::new_rgba16(4096, 4000),
            image::ImageFormat::Png,
        );
        assert_eq!(square(&wide, 512, 80), Err(Error::TooLarge(10)));
        assert_eq!(narrowed(&wide, 96, 70.0), Err(Error::TooLarge(10)));
    }

    /// Ten megabytes of them took two seconds.
    #[test]
    fn a_webp_of_a_guest_that_would_take_long_is_refused_by_its_bytes() {
        let plain = webp::Encoder::from_rgb(&[7; 30 * 20 * 3], 30, 20).encode(80.0);
        let mut heavy = plain.to_vec();
        heavy.resize(4 << 20, 0);
        assert!(square(&heavy, 512, 80).is_ok());
        heavy.push(0);
        assert_eq!(square(&heavy, 512, 80), Err(Error::TooHeavy(4)));
        // What is not sent by guests is made as ever, and other kinds take less for each byte.
        assert!(narrowed(&heavy, 96, 70.0).is_ok());
        let mut heavy = packed(&DynamicImage::new_rgb8(30, 20), image::ImageFormat::Jpeg);
        heavy.resize(5 << 20, 0);
        assert!(square(&heavy, 512, 80).is_ok());
    }

    #[test]
    fn a_jpeg_in_passes_is_told_by_its_segments() {
        let mut plain = packed(&DynamicImage::new_rgb8(9, 9), image::ImageFormat::Jpeg);
        assert!(!has_passes(&plain));
        assert!(!has_passes(&png(8, 8)));
        let at = plain
            .windows(2)
            .position(|two| two == [0xff, 0xc0])
            .unwrap();
        plain[at + 1] = 0xc2;
        assert!(has_passes(&plain));
        // Whatever hides its segments gets no more memory for that.
        plain.insert(2, 0);
        assert!(has_passes(&plain));
        assert!(has_passes(b"\xff\xd8\xff\xe0"));
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for text in [
            "<!doctype html><script>alert(1)</script>",
            r#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#,
            "GIF89a",
            "",
        ] {
            let result = narrowed(text.as_bytes(), 96, 70.0);
            assert_eq!(result, Err(Error::Unreadable), "{text}");
        }
    }
}
