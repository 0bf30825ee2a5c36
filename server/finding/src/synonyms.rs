//! Everyday words for one dish: who asks for `картошка` wants the fries, too. The table is that of the browser
//! (`components/pages/menuSearch/synonyms.json`), whose `synonyms.ts` says how it is read.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::{
    fold::{Written, fold},
    forms::{self, Likeness},
    text::Text,
};

/// From this length on a word of the table has other forms. Shorter ones are found as they are: `кока` is not `кок-чай`.
const LONG: usize = 5;

/// Letters of Kazakh alone.
const KAZAKH: [char; 9] = ['ә', 'ғ', 'қ', 'ң', 'ө', 'ұ', 'ү', 'һ', 'і'];

/// A line of the table.
#[derive(Deserialize)]
struct Line {
    /// Each finds all the others.
    same: Vec<String>,
    /// The same without other forms, which mean something else.
    #[serde(default)]
    exact: Vec<String>,
    /// The same for who reads this language alone: `су` is water in Kazakh, and the beginning of a soup in Russian.
    #[serde(default)]
    local: HashMap<String, Vec<String>>,
    /// What each of them finds as well, and what does not find them: who asks for fries wants no boiled potatoes.
    #[serde(default)]
    kinds: Vec<String>,
    /// What sounds as one of the words and is another, as it is written.
    #[serde(default)]
    unlike: Vec<String>,
    /// They find what is marked so.
    mark: Option<Mark>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mark {
    Meatless,
}

/// A word of the table.
#[derive(Debug)]
struct Entry {
    folded: String,
    is_exact: bool,
    /// It is short, and one only in its own script.
    is_georgian: bool,
    unlike: Vec<String>,
}

/// Words for one thing.
struct Group {
    /// One of them, as it is written, that is the same in all languages.
    name: String,
    same: Vec<Entry>,
    /// Those of one language, by its code.
    local: HashMap<String, Vec<Entry>>,
    kinds: Vec<Entry>,
    is_meatless: bool,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let table = include_str!("../../../components/pages/menuSearch/synonyms.json");
    let lines: Vec<Line> = serde_json::from_str(table).unwrap_or_default();
    lines.iter().map(Line::group).collect()
});

impl Line {
    fn group(&self) -> Group {
        let entries = |words: &[String], is_exact| -> Vec<Entry> {
            let words = words.iter();
            words
                .map(|word| {
                    let folded = fold(word);
                    Entry {
                        is_georgian: folded.len() < LONG && is_georgian(word),
                        folded,
                        is_exact,
                        unlike: self.unlike.clone(),
                    }
                })
                .collect()
        };
        let mut same = entries(&self.same, false);
        same.extend(entries(&self.exact, true));
        let local = self.local.iter();
        Group {
            name: self.same.first().cloned().unwrap_or_default(),
            same,
            local: local
                .map(|(lang, words)| (lang.clone(), entries(words, false)))
                .collect(),
            kinds: entries(&self.kinds, false),
            is_meatless: self.mark == Some(Mark::Meatless),
        }
    }
}

impl Group {
    /// Those of a language alone.
    fn local(&self, lang: &str) -> &[Entry] {
        self.local.get(lang).map_or(&[], Vec::as_slice)
    }
}

/// Other words for one.
#[derive(Debug, Clone, Default)]
pub struct Others {
    same: Vec<&'static Entry>,
    /// Some of them are words of one language alone.
    pub are_local: bool,
    /// A word that all languages have for it, where it itself is of one alone.
    pub abroad: Option<&'static str>,
    kinds: Vec<&'static Entry>,
    /// They find what is marked so.
    pub is_meatless: bool,
    /// The word has no other forms.
    pub is_exact: bool,
    /// It is another word in another script.
    is_georgian: bool,
    /// Other words that sound as it does.
    unlike: Vec<&'static str>,
    /// The words of the reader's language alone, folded, that stand in other lines.
    taken: Vec<&'static str>,
}

impl Others {
    /// For who reads a language.
    pub fn of(word: &Written, lang: &str) -> Self {
        let mut others = Self::default();
        for group in GROUPS.iter() {
            let local = group.local(lang);
            let is_one_of = |words: &[Entry]| words.iter().any(|known| is_form(word, known));
            if is_one_of(local) {
                others.abroad = Some(&group.name);
            } else if !is_one_of(&group.same) {
                let words = local.iter().map(|known| known.folded.as_str());
                others.taken.extend(words);
                continue;
            }
            others.same.extend(&group.same);
            others.same.extend(local);
            others.are_local |= !local.is_empty();
            others.kinds.extend(&group.kinds);
            others.is_meatless |= group.is_meatless;
            let same = group.same.iter().chain(local);
            for known in same.filter(|known| known.folded == word.folded) {
                others.is_exact |= known.is_exact;
                others.is_georgian |= known.is_georgian && is_georgian(&word.written);
                others
                    .unlike
                    .extend(known.unlike.iter().map(String::as_str));
            }
        }
        others
    }

    /// Whether it is a word of the table.
    pub fn are_known(&self) -> bool {
        !self.same.is_empty()
    }

    /// Whether what sounds as the word is that word.
    pub fn are_of(&self, own: &Written) -> bool {
        !self.unlike.contains(&own.written.as_str())
            && (!self.is_georgian || is_georgian(&own.written))
    }

    /// Whether a word of a text is an everyday one of the reader's language, and so no form of another: where it begins a
    /// name, or letters of that language are around it. `Четыре сыра` of a menu in Russian is cheese for everybody.
    pub fn have_taken(&self, own: &Written, text: &Text) -> bool {
        let is_first = || text.words.first().is_some_and(|first| first == own);
        let is_kazakh = || text.words.iter().any(|word| word.written.contains(KAZAKH));
        self.taken.contains(&own.folded.as_str()) && (is_first() || is_kazakh())
    }

    /// Whether a text has another word for the same.
    pub fn are_in(&self, text: &Text) -> bool {
        has(text, &self.same)
    }

    /// Whether a text has a word for a kind of it.
    pub fn have_kind_in(&self, text: &Text) -> bool {
        has(text, &self.kinds)
    }
}

/// Whether a word stands in the table as it is, for who reads a language.
pub fn is_everyday(word: &Written, lang: &str) -> bool {
    let words = |group: &'static Group| group.same.iter().chain(group.local(lang));
    let mut same = GROUPS.iter().flat_map(words);
    same.any(|known| known.folded == word.folded)
}

/// Words of which some together are one word of the table, such as `без мяса`, are one.
pub fn phrased(words: &[Written]) -> Vec<Written> {
    let mut all = Vec::new();
    let mut rest = words;
    while let Some((first, behind)) = rest.split_first() {
        let same = GROUPS.iter().flat_map(|group| &group.same);
        let phrase = same.filter(|known| is_phrase(known)).find_map(|known| {
            let count = known.folded.split(' ').count();
            let (own, behind) = rest.split_at_checked(count)?;
            let word = joined(own);
            (word.folded == known.folded).then_some((word, behind))
        });
        let (word, behind) = phrase.unwrap_or_else(|| (first.clone(), behind));
        all.push(word);
        rest = behind;
    }
    all
}

fn joined(words: &[Written]) -> Written {
    let by = |form: fn(&Written) -> &str| words.iter().map(form).collect::<Vec<_>>().join(" ");
    Written {
        folded: by(|word| &word.folded),
        written: by(|word| &word.written),
    }
}

fn has(text: &Text, words: &[&Entry]) -> bool {
    words.iter().any(|word| {
        if is_phrase(word) {
            return text.has_whole(&word.folded);
        }
        text.folded.contains(forms::stem(&word.folded))
            && text.words.iter().any(|own| is_form(own, word))
    })
}

fn is_phrase(word: &Entry) -> bool {
    word.folded.contains(' ')
}

fn is_form(own: &Written, word: &Entry) -> bool {
    if word.unlike.contains(&own.written) {
        return false;
    }
    if own.folded == word.folded {
        return !word.is_georgian || is_georgian(&own.written);
    }
    !word.is_exact
        && word.folded.len() >= LONG
        && forms::alike(&own.folded, &word.folded, Likeness::Certain)
}

fn is_georgian(text: &str) -> bool {
    text.contains(|letter| ('ა'..='ჰ').contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_no_word_stands_for_itself_alone() {
        assert!(GROUPS.len() > 30);
        assert!(GROUPS.iter().any(|group| group.is_meatless));
        for group in GROUPS.iter() {
            assert!(group.same.len() + group.kinds.len() > 1);
        }
    }
}
