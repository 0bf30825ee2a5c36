//! The nearest spelling among known names.

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
            .map(|(folded, written)| (distance(word, folded), written))
            .filter(|(steps, _)| *steps <= most)
            .min_by_key(|(steps, _)| *steps)?;
        words.push(written.clone());
        changed = true;
    }
    changed.then(|| words.join(" "))
}

/// How many letters must be put in, left out, changed or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let above = |row: usize, column: usize| {
                rows.get(row)
                    .and_then(|row| row.get(column))
                    .copied()
                    .unwrap_or(usize::MAX - 1)
            };
            let left = row.get(j).copied().unwrap_or(usize::MAX - 1);
            let mut least = (above(i, j) + usize::from(x != y))
                .min(above(i, j + 1) + 1)
                .min(left + 1);
            let crossed = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if crossed {
                least = least.min(above(i - 1, j - 1) + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows.last()
        .and_then(|row| row.last())
        .copied()
        .unwrap_or_default()
}
