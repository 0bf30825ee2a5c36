//! Compression of texts by brotli, and the memory of its encoder.

mod tables;

use brotli::enc::{
    BrotliEncoderParams,
    backward_references::UnionHasher,
    encode::{BrotliEncoderOperation, BrotliEncoderStateStruct},
};
use tables::Tables;

/// Bits of the largest window: half a megabyte.
pub const WINDOW: i32 = 19;
/// Bits of the smallest window. With less the encoder would look for matches in another way.
const SMALLEST_WINDOW: i32 = 17;
/// Bytes that are handed to the encoder, or taken from it, at once.
const BUFFER: usize = 4096;

/// A whole text as a stream of brotli, with an effort from 1 to 11. None when compressing fails, which memory alone could
/// cause.
#[must_use]
pub fn pack(text: &[u8], effort: u32) -> Option<Vec<u8>> {
    pack_in(text, effort, window(text.len()))
}

/// Blocks of brotli for what follows `from` bytes of a document, for a reader who knows what stands before them. The blocks
/// go on in a stream of [`WINDOW`] and do not end it. None when compressing fails.
#[must_use]
pub fn pack_rest(document: &[u8], from: usize, effort: u32) -> Option<Vec<u8>> {
    let (before, rest) = document.split_at_checked(from)?;
    if rest.is_empty() {
        return Some(Vec::new());
    }
    let mut encoder = BrotliEncoderStateStruct::new(Tables);
    encoder.params = BrotliEncoderParams {
        quality: quality(effort),
        // The reader's is larger, which is the same for what is no longer than this one.
        lgwin: window(document.len()),
        size_hint: document.len(),
        // Neither begin nor end of a stream, whole bytes, and no distance of a block before is taken for known.
        bare_stream: true,
        appendable: true,
        catable: true,
        ..Default::default()
    };
    let known = UnionHasher::Uninit;
    encoder.set_custom_dictionary_with_optional_precomputed_hasher(
        before.len(),
        before,
        known,
        true,
    );
    // The place in the stream is known, and with it what the words of brotli's own dictionary are called there.
    encoder.params.use_dictionary = true;
    let mut packed = vec![0; rest.len() / 4 + 1024];
    let (mut left, mut read, mut written) = (rest.len(), 0, 0);
    while !encoder.is_finished() {
        if written == packed.len() {
            packed.resize(packed.len() * 2, 0);
        }
        let mut room = packed.len() - written;
        let is_well = encoder.compress_stream(
            BrotliEncoderOperation::BROTLI_OPERATION_FINISH,
            &mut left,
            rest,
            &mut read,
            &mut room,
            &mut packed,
            &mut written,
            &mut None,
            &mut |_, _, _, _| (),
        );
        if !is_well {
            return None;
        }
    }
    packed.truncate(written);
    Some(packed)
}

/// A whole text as a stream of brotli, by a window of `bits`.
fn pack_in(text: &[u8], effort: u32, bits: i32) -> Option<Vec<u8>> {
    let mut packed = Vec::with_capacity(text.len() / 4);
    let params = BrotliEncoderParams {
        quality: quality(effort),
        lgwin: bits,
        size_hint: text.len(),
        ..Default::default()
    };
    let (mut read, mut written) = ([0; BUFFER], [0; BUFFER]);
    brotli::enc::BrotliCompressCustomAlloc(
        &mut &text[..],
        &mut packed,
        &mut read,
        &mut written,
        &params,
        Tables,
    )
    .ok()?;
    Some(packed)
}

/// Bits of the window for a text of so many bytes. The bytes that are sent are the same with a larger one, but the encoder
/// has twice the window's memory cleared for each text.
fn window(length: usize) -> i32 {
    (SMALLEST_WINDOW..WINDOW)
        .find(|&bits| length <= (1 << bits) - 16)
        .unwrap_or(WINDOW)
}

fn quality(effort: u32) -> i32 {
    i32::try_from(effort.min(11)).unwrap_or(11)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn a_window_holds_its_text_and_packs_it_as_well_as_a_larger_one() {
        for (length, bits) in [
            (0, 17),
            ((1 << 17) - 16, 17),
            ((1 << 17) - 15, 18),
            ((1 << 18) - 15, 19),
            (1 << 22, 19),
        ] {
            assert_eq!(window(length), bits, "{length}");
        }
        let row = |at: usize| format!("<li>{} {}</li>", at * 7919 % 9973, at % 83);
        for rows in [100, 8000] {
            let text: Vec<u8> = (0..rows).flat_map(|at| row(at).into_bytes()).collect();
            assert_eq!(window(text.len()) < WINDOW, text.len() < 1 << 18);
            for effort in [3, 6, 7, 10] {
                let packed = pack(&text, effort).unwrap().len();
                let largest = pack_in(&text, effort, WINDOW).unwrap().len();
                // The first bits name the window: three more for the smallest.
                assert!(packed <= largest + 1, "{rows} rows: {packed}, {largest}");
            }
        }
    }
}
