//! A text typed with the wrong keyboard layout switched on, or in another script than the names are written in.

use super::{
    fold::{fold, is_accent, is_noise, plain, written_words},
    scripts::{Script, swapped},
    text::without_small,
};

/// The keys of a Latin keyboard and what they write with the Russian, Kazakh and Georgian layouts.
const KEYS: &str = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const RUSSIAN: &str = "йцукенгшщзхъфывапролджэячсмитьбю";
const KAZAKH_KEYS: &str = "234589-=0";
const KAZAKH: &str = "әіңғүұөһқ";
const GEORGIAN_KEYS: &str = "abgdevzTikljmnopJrstufqRySCcZwWxh";
const GEORGIAN: &str = "აბგდევზთიკლჯმნოპჟრსტუფქღყშჩცძწჭხჰ";

/// What the same keys write with another layout; nothing that is the text itself.
#[must_use]
pub fn layouts(text: &str) -> Vec<String> {
    let text = plain(text).trim().to_lowercase();
    let latin = text.chars().any(|letter| letter.is_ascii_alphabetic());
    let cyrillic = text.chars().any(|letter| ('а'..='ұ').contains(&letter));
    let georgian = text.chars().any(|letter| ('ა'..='ჰ').contains(&letter));
    let keys = if cyrillic {
        swapped(&swapped(&text, RUSSIAN, KEYS), KAZAKH, KAZAKH_KEYS)
    } else if georgian {
        swapped(&text, GEORGIAN, GEORGIAN_KEYS)
    } else if latin {
        text.clone()
    } else {
        return Vec::new();
    };
    let russian = swapped(&keys.to_lowercase(), KEYS, RUSSIAN);
    let mut other = vec![
        russian.clone(),
        swapped(&russian, KAZAKH_KEYS, KAZAKH),
        keys.to_lowercase(),
        swapped(&keys, GEORGIAN_KEYS, GEORGIAN),
    ];
    // Signs are not typed for letters.
    other.retain(|spelling| {
        let mut keys = text.chars().zip(spelling.chars());
        keys.all(|(typed, meant)| !typed.is_alphanumeric() || meant.is_alphanumeric())
    });
    let mut known = vec![text];
    other.retain(|spelling| {
        let new = !known.contains(spelling);
        known.push(spelling.clone());
        new
    });
    other
}

/// An apostrophe and an accent are inside of words.
fn is_sign(letter: char) -> bool {
    !letter.is_alphanumeric()
        && !letter.is_whitespace()
        && !['\'', '’', 'ʼ'].contains(&letter)
        && !is_accent(letter)
}

/// Layouts that are tried: the likeliest come first.
const LAYOUTS: usize = 2;
/// Spellings of other keyboards and scripts that are tried.
const OTHERS: usize = 3;

/// Other ways to write a query, for an upstream that knows only names as they are written: without the signs and the small
/// words between its words, if it has any, and by other keyboards and in other scripts.
#[must_use]
pub fn spellings(text: &str) -> Vec<String> {
    let typed = text.trim().to_lowercase();
    let apart = plain(&typed).replace(is_sign, " ");
    let apart = apart.split_whitespace().collect::<Vec<_>>().join(" ");
    // A sign may be a letter of another layout.
    let mut others: Vec<String> = layouts(text).into_iter().take(LAYOUTS).collect();
    if !is_noise(text) {
        let folded = fold(text);
        let scripts = [Script::Cyrillic, Script::Latin, Script::Georgian];
        // Letters that a script reads as one are another word: `цц` of `tsts`.
        let is_whole = |spelling: &String| fold(spelling).len() >= folded.len();
        let written = scripts.map(|script| script.written(&folded));
        others.extend(written.into_iter().filter(is_whole));
    }
    let words = without_small(written_words(&typed));
    let words: Vec<String> = words.into_iter().map(|word| word.written).collect();
    let mut known = vec![typed, String::new()];
    let mut is_new = |spelling: &String| {
        let new = !known.contains(spelling);
        known.push(spelling.clone());
        new
    };
    let mut all = vec![apart, words.join(" ")];
    all.retain(&mut is_new);
    others.retain(is_new);
    others.truncate(OTHERS);
    all.extend(others);
    all
}
