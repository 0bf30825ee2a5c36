//! The nearest spelling among known names.

use std::collections::HashSet;

// Of its distances the one that counts two swapped neighbours as one slip of the finger.
use strsim::osa_distance;

use super::{
    fold::{Written, written_words},
    forms::{self, Likeness},
    scripts::alike,
    synonyms::is_everyday,
};

/// A spelling near a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// The query with each unknown word replaced, in the script that it was typed in.
    pub spelling: String,
    /// The same as the names write it.
    pub written: String,
    /// One slip of the finger, and no other word is as near: it may be looked for without asking.
    pub certain: bool,
}

/// A shorter word is near to too many others.
const LEAST: usize = 4;
/// In words this long two slips are still near.
const LONG: usize = 7;
/// In shorter words only two swapped neighbours are certainly a slip.
const SURE: usize = 5;
/// Words that share this many first letters are forms of one word.
const STEM: usize = 4;

/// The query of who reads a language with each unknown word replaced by the nearest word of the names; none when a word is
/// near nothing.
pub fn nearest<'a>(names: impl Iterator<Item = &'a str>, query: &str, lang: &str) -> Option<Near> {
    let mut known = HashSet::new();
    let mut vocabulary: Vec<(String, String)> = Vec::new();
    for name in names {
        for Written { folded, written } in written_words(name) {
            if folded.chars().count() > 2 && known.insert(folded.clone()) {
                vocabulary.push((folded, written));
            }
        }
    }
    let (mut spelling, mut as_named) = (Vec::new(), Vec::new());
    let (mut changed, mut certain) = (false, true);
    let is_known = |word: &str| {
        let mut folded = vocabulary.iter().map(|(folded, _)| folded);
        folded.any(|folded| folded.starts_with(word))
    };
    let query: Vec<(Written, bool)> = written_words(query)
        .into_iter()
        .map(|word| {
            let is_known = is_known(&word.folded);
            (word, is_known)
        })
        .collect();
    // An everyday word is spelt as it should be.
    if let [(word, _)] = query.as_slice()
        && is_everyday(word, lang)
    {
        return None;
    }
    for (word, is_known) in &query {
        let Written {
            folded: word,
            written: typed,
        } = word;
        if *is_known {
            as_named.push(typed.clone());
            spelling.push(typed.clone());
            continue;
        }
        // `coca cola` where there is only a cola: one word is meant, which is there already.
        let mut others = query.iter().filter(|(_, is_known)| *is_known);
        if others.any(|(other, _)| is_slip(word, &other.folded)) {
            changed = true;
            certain = false;
            continue;
        }
        let (written, is_certain) = closest(&vocabulary, word)?;
        changed = true;
        certain &= is_certain;
        spelling.push(alike(typed, &written));
        as_named.push(written);
    }
    changed.then(|| Near {
        spelling: spelling.join(" "),
        written: as_named.join(" "),
        certain,
    })
}

/// Another form of the word that was typed, else the nearest that begins like it, the shorter the better, and whether it
/// is certainly meant.
fn closest(vocabulary: &[(String, String)], word: &str) -> Option<(String, bool)> {
    let letters = word.chars().count();
    let most = match letters {
        0..LEAST => 0,
        LEAST..LONG => 1,
        _ => 2,
    };
    let steps = |folded: &str| (osa_distance(word, folded), folded.chars().count());
    let is_form = |folded: &str, likeness| forms::alike(folded, word, likeness);
    let mut near: Vec<(usize, usize, &str, &str)> = vocabulary
        .iter()
        .filter(|(folded, _)| begin_alike(word, folded))
        .map(|(folded, written)| {
            let (steps, length) = steps(folded);
            (steps, length, folded.as_str(), written.as_str())
        })
        .filter(|(steps, ..)| *steps <= most)
        .collect();
    let formed = vocabulary
        .iter()
        .filter(|(folded, _)| is_form(folded, Likeness::InName))
        .min_by_key(|(folded, _)| steps(folded));
    if let Some((folded, written)) = formed {
        // Another word that is as near may be meant as well.
        let is_only = near.iter().all(|(other_steps, _, other, _)| {
            *other_steps > steps(folded).0 || is_form(other, Likeness::InName)
        });
        return Some((
            written.clone(),
            is_only && is_form(folded, Likeness::Certain),
        ));
    }
    near.sort_by_key(|(steps, length, ..)| (*steps, *length));
    let (least, _, folded, written) = *near.first()?;
    let stem = |text: &str| text.chars().take(STEM).collect::<String>();
    let is_only = near
        .iter()
        .all(|(steps, _, other, _)| *steps > least || stem(other) == stem(folded));
    let slip = least == 1 && (letters >= SURE || sorted(word) == sorted(folded));
    Some((written.to_owned(), slip && is_only))
}

/// Whether one slip of the finger makes one word of the other.
fn is_slip(word: &str, other: &str) -> bool {
    word.chars().count() >= LEAST && begin_alike(word, other) && osa_distance(word, other) == 1
}

/// The first letter is hardly ever mistyped, but for changing places with the second.
fn begin_alike(a: &str, b: &str) -> bool {
    let first_two = |text: &str| {
        let mut letters = text.chars();
        (letters.next(), letters.next())
    };
    let (a, b) = (first_two(a), first_two(b));
    a.0 == b.0 || (a.0 == b.1 && a.1 == b.0)
}

fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}
