//! Packing with brotli by encoders that are kept from one document to the next: their memory costs the system more than
//! the packing.

use std::sync::{Mutex, PoisonError};

use mbrotli::{Compressor, EncoderConfig, InputSize, Operation, Quality, StreamConfig, Window};

/// Bits of the window: half a megabyte.
pub const WINDOW: u8 = 19;
/// So many encoders are kept at most: those of documents that are packed at once.
const MOST: usize = 4;
/// What is packed with more effort is packed seldom, and its encoder holds ten times as much.
const MOST_EFFORT: u8 = 7;

static KEPT: Mutex<Vec<Compressor>> = Mutex::new(Vec::new());

/// A text with an effort from 2 (for one guest, now) to 11 (kept for many), as a stream of its own, or to go on with one
/// that holds `before` bytes of text, ends with a whole byte and has this window. None when there is no memory.
#[must_use]
pub fn pack(text: &[u8], before: usize, effort: u32) -> Option<Vec<u8>> {
    let effort = u8::try_from(effort.clamp(2, 11)).ok()?;
    let mut encoder = encoder(effort)?;
    let stream =
        StreamConfig::from(InputSize::Exact(text.len() as u64)).with_stream_offset(before as u64);
    let mut session = encoder.start(stream).ok()?;
    let mut packed = vec![0; text.len() / 4 + 1024];
    let (mut read, mut written) = (0, 0);
    while !session.is_finished() {
        if written == packed.len() {
            packed.resize(packed.len() * 2, 0);
        }
        let done = session
            .process(&text[read..], &mut packed[written..], Operation::Finish)
            .ok()?;
        read += done.consumed;
        written += done.produced;
    }
    drop(session);
    packed.truncate(written);
    keep(encoder);
    Some(packed)
}

fn encoder(effort: u8) -> Option<Compressor> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept
        .iter()
        .rposition(|one| one.config().quality().get() == effort);
    if let Some(at) = known {
        return Some(kept.swap_remove(at));
    }
    drop(kept);
    let config = EncoderConfig::new()
        .with_quality(Quality::try_from(effort).ok()?)
        .with_window(Window::standard(WINDOW).ok()?);
    Compressor::new(config).ok()
}

fn keep(encoder: Compressor) {
    if encoder.config().quality().get() > MOST_EFFORT {
        return;
    }
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() == MOST {
        kept.remove(0);
    }
    kept.push(encoder);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::io::Read as _;

    use proptest::prelude::*;

    use super::*;

    fn text(seed: usize) -> Vec<u8> {
        (0..4000usize)
            .map(|at| format!("<li>{} {}</li>", at * seed % 97, at % (seed + 3)))
            .collect::<String>()
            .into_bytes()
    }

    fn read(packed: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        brotli::Decompressor::new(packed, 4096)
            .read_to_end(&mut plain)
            .unwrap();
        plain
    }

    #[test]
    fn what_a_document_left_in_an_encoder_is_not_in_the_next() {
        for effort in [3, 4, 6, 11] {
            let first = pack(&text(1), 0, effort).unwrap();
            for seed in 2..8 {
                assert_eq!(read(&pack(&text(seed), 0, effort).unwrap()), text(seed));
            }
            assert_eq!(pack(&text(1), 0, effort).unwrap(), first);
        }
    }

    #[test]
    fn no_more_than_a_few_encoders_are_kept() {
        let threads: Vec<_> = (0..4 * MOST)
            .map(|seed| std::thread::spawn(move || pack(&text(seed), 0, 4).unwrap()))
            .collect();
        for (seed, thread) in threads.into_iter().enumerate() {
            assert_eq!(read(&thread.join().unwrap()), text(seed));
        }
        pack(&text(1), 0, 11).unwrap();
        let kept = KEPT.lock().unwrap();
        assert!(kept.len() <= MOST, "{}", kept.len());
        for one in kept.iter() {
            assert!(one.config().quality().get() <= MOST_EFFORT);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_it_was(
            text in proptest::collection::vec(any::<u8>(), 0..3000),
            times in 1usize..20,
            effort in 0u32..13,
        ) {
            let text = text.repeat(times);
            prop_assert_eq!(read(&pack(&text, 0, effort).unwrap()), text);
        }
    }
}
