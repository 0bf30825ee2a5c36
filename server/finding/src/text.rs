//! A text as it is compared, and what a section is named after. The browser does the same
//! (`components/pages/menuSearch/text.ts`).

use super::fold::{Written, written_words};

/// A text with its words apart.
#[derive(Debug, Default)]
pub struct Text {
    /// Its words with single spaces between them.
    pub folded: String,
    pub words: Vec<Written>,
}

impl Text {
    pub fn of(text: &str) -> Self {
        Self::of_words(written_words(text))
    }

    fn of_words(words: Vec<Written>) -> Self {
        let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
        Self {
            folded: folded.join(" "),
            words,
        }
    }

    /// Whether it has a word, or several in a row, as a whole.
    pub fn has_whole(&self, words: &str) -> bool {
        self.folded.match_indices(words).any(|(at, found)| {
            let before = self.folded.get(..at).unwrap_or_default();
            let behind = self.folded.get(at + found.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with(' '))
                && (behind.is_empty() || behind.starts_with(' '))
        })
    }

    /// Whether one of its words begins so.
    pub fn begins(&self, word: &str) -> bool {
        self.folded.contains(word) && self.words.iter().any(|own| own.folded.starts_with(word))
    }
}

/// Small words of the four languages, folded: they stand between what is wanted, and are not wanted themselves. No `без` and
/// no `no`, which say what is not.
const SMALL: &[&str] = &[
    "a", "an", "and", "ben", "bi", "da", "dlia", "do", "for", "from", "i", "in", "iz", "jane", "k",
    "ko", "men", "na", "o", "of", "on", "ot", "pen", "po", "pod", "s", "so", "the", "to", "u", "v",
    "vith", "vo", "za",
];

/// All but the small ones; those, too, where there are no others.
pub fn without_small(words: Vec<Written>) -> Vec<Written> {
    let is_small = |word: &Written| SMALL.contains(&word.folded.as_str());
    if words.iter().all(is_small) {
        return words;
    }
    words.into_iter().filter(|word| !is_small(word)).collect()
}

const WITHOUT: [&str; 6] = ["bez", "garewe", "jok", "no", "not", "vithout"];

/// Whether it says that what stands beside it is not wanted.
pub fn says_without(folded: &str) -> bool {
    WITHOUT.contains(&folded)
}

/// What stands between the things that a section is named after.
const BETWEEN: [&str; 7] = ["i", "and", "men", "ben", "pen", "da", "jane"];
const SIGNS: [char; 6] = [',', ';', '&', '+', '/', '|'];

/// A section.
#[derive(Debug)]
pub struct Section {
    /// Its words without small ones.
    pub words: Text,
    /// Those of each of the things that it is named after.
    pub parts: Vec<Text>,
}

impl Section {
    pub fn of(name: &str) -> Self {
        let mut things: Vec<Vec<Written>> = Vec::new();
        for piece in name.split(SIGNS) {
            things.push(Vec::new());
            for word in written_words(piece) {
                let folded = word.folded.as_str();
                if BETWEEN.contains(&folded) {
                    things.push(Vec::new());
                } else if !SMALL.contains(&folded)
                    && let Some(thing) = things.last_mut()
                {
                    thing.push(word);
                }
            }
        }
        things.retain(|words| !words.is_empty());
        Self {
            words: Text::of_words(things.concat()),
            parts: things.into_iter().map(Text::of_words).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::fold, *};

    #[test]
    fn words_of_these_lists_are_folded() {
        for word in SMALL.iter().chain(&WITHOUT).chain(&BETWEEN) {
            // A folded `w` is ш, a typed one в.
            assert_eq!(fold(word), word.replace('w', "v"));
        }
    }
}
