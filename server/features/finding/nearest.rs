//! The nearest spelling among known names.

// Of its distances the one that counts two swapped neighbours as one slip of the finger.
use strsim::osa_distance;

use super::fold;

/// The query with each unknown word replaced by the nearest word of the names; none when a word is near nothing.
pub fn nearest<'a>(names: impl Iterator<Item = &'a str>, query: &str) -> Option<String> {
    let mut vocabulary: Vec<(String, String)> = Vec::new();
    for name in names {
        for word in name.split(|letter: char| !letter.is_alphanumeric()) {
            let folded = fold(word);
            if folded.chars().count() > 2 && !vocabulary.iter().any(|(known, _)| *known == folded) {
                vocabulary.push((folded, word.to_lowercase()));
            }
        }
    }
    let mut changed = false;
    let mut words = Vec::new();
    for word in fold(query).split_whitespace() {
        let known = vocabulary
            .iter()
            .find(|(folded, _)| folded.starts_with(word));
        if let Some((_, written)) = known {
            words.push(written.clone());
            continue;
        }
        let letters = word.chars().count();
        let most = match letters {
            0..=2 => return None,
            3..=4 => 1,
            _ => 2,
        };
        let (_, written) = vocabulary
            .iter()
            .map(|(folded, written)| (osa_distance(word, folded), written))
            .filter(|(steps, _)| *steps <= most)
            .min_by_key(|(steps, _)| *steps)?;
        words.push(written.clone());
        changed = true;
    }
    changed.then(|| words.join(" "))
}
