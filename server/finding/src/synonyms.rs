//! Everyday words for one dish: who asks for `картошка` wants the fries, too. The table is that of the browser
//! (`components/pages/menuSearch/synonyms.json`), whose `synonyms.ts` says how it is read.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    fold,
    forms::{self, Likeness},
};

/// From this length on a word of the table has other forms. Shorter ones are found as they are: `кока` is not `кок-чай`.
const LONG: usize = 5;

/// Words for one thing.
#[derive(Deserialize)]
struct Group {
    /// Each finds all the others.
    same: Vec<String>,
    /// What each of them finds as well, and what does not find them: who asks for fries wants no boiled potatoes.
    #[serde(default)]
    kinds: Vec<String>,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let table = include_str!("../../../components/pages/menuSearch/synonyms.json");
    let mut groups: Vec<Group> = serde_json::from_str(table).unwrap_or_default();
    for group in &mut groups {
        for word in group.same.iter_mut().chain(&mut group.kinds) {
            *word = fold(word);
        }
    }
    groups
});

/// Other words for a folded one.
#[derive(Debug, Default)]
pub struct Others {
    same: Vec<&'static str>,
    kinds: Vec<&'static str>,
}

impl Others {
    pub fn of(word: &str) -> Self {
        let mut others = Self::default();
        for group in GROUPS.iter() {
            if !group.same.iter().any(|known| is_form(word, known)) {
                continue;
            }
            others.same.extend(group.same.iter().map(String::as_str));
            others.kinds.extend(group.kinds.iter().map(String::as_str));
        }
        others
    }

    /// Whether it is a word of the table.
    pub fn are_known(&self) -> bool {
        !self.same.is_empty()
    }

    /// Whether a folded text has another word for the same.
    pub fn are_in(&self, folded: &str) -> bool {
        has(folded, &self.same)
    }

    /// Whether a folded text has a word for a kind of it.
    pub fn have_kind_in(&self, folded: &str) -> bool {
        has(folded, &self.kinds)
    }
}

fn has(folded: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        folded.contains(forms::stem(word)) && folded.split(' ').any(|own| is_form(own, word))
    })
}

fn is_form(own: &str, word: &str) -> bool {
    own == word
        || (word.len() >= LONG
            && (own.starts_with(word) || forms::alike(own, word, Likeness::Certain)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_no_word_stands_for_itself_alone() {
        assert!(!GROUPS.is_empty());
        for group in GROUPS.iter() {
            assert!(group.same.len() + group.kinds.len() > 1);
        }
    }
}
