//! Forms of one word: plurals and cases of the four languages, in folded letters. No dictionary is needed: two words are
//! forms of one if what they begin with is long enough and both go on with an ending of the same language.

use super::{fold, plain};

/// Fewer letters in common say nothing.
const LEAST: usize = 3;
/// From here on any two endings of one kind will do. With fewer, `тофу` and `тоффи` would be forms of one word.
const SURE: usize = 4;
/// A Kazakh plural behind a stem that ends as it begins needs this many letters: `тартар` is no plural of `тарт`.
const DOUBLED: usize = 5;

const RUSSIAN: &[&str] = &[
    "", "a", "ah", "aia", "am", "ami", "e", "ei", "em", "ev", "i", "ia", "iah", "iam", "iami",
    "ie", "ih", "im", "imi", "iu", "o", "oe", "ogo", "oi", "om", "omu", "ov", "u", "uiu", "ego",
    "emu",
];
/// The vowel that comes and goes: `напиток`, `напитки`; `огурец`, `огурцы`. They are no endings of what stands without
/// them: `сливки` are not made of `слива`, nor `сырок` of `сыр`.
const FLEETING: [&[&str]; 2] = [
    &[
        "ek", "ok", "ka", "kah", "kam", "kami", "ke", "ki", "koi", "kov", "ku",
    ],
    &["ets", "tsa", "tsam", "tsami", "tse", "tsi", "tsov", "tsu"],
];
const KAZAKH: &[&str] = &[
    "", "ben", "da", "dan", "de", "den", "di", "din", "ga", "ge", "i", "men", "nan", "nen", "ni",
    "nin", "pen", "si", "ta", "tan", "te", "ten", "ti", "tin",
];
const KAZAKH_PLURALS: &[&str] = &["lar", "ler", "dar", "der", "tar", "ter"];
/// A doubled letter is folded to one: `салаттар` is `salatar`.
const DOUBLED_PLURALS: &[&str] = &["ar", "er"];
const GEORGIAN: &[&str] = &["", "a", "i", "is", "it", "ma", "s", "ze"];
const GEORGIAN_PLURALS: &[&str] = &["eb"];
const ENGLISH: &[&str] = &["", "s", "es"];

/// What a short Russian noun ends with as it is named, and its other endings.
const NOUNS: [(&str, &[&str]); 3] = [
    ("a", &["ah", "am", "ami", "e", "ei", "i", "oi", "u"]),
    ("ia", &["e", "ei", "i", "iah", "iam", "iami", "iu"]),
    ("o", &["a", "ah", "am", "ami", "e", "om", "u"]),
];

/// How two words have to be forms of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// In the cases of Russian and with four letters in common: among all that is said of a dish much sounds alike.
    InText,
    /// As in a name.
    InName,
    /// Beyond doubt: three letters in common and two endings may be another word, `пити` and `пита`.
    Certain,
}

/// Whether two folded words are forms of one.
#[must_use]
pub fn alike(one: &str, other: &str, likeness: Likeness) -> bool {
    // The endings may begin alike.
    (LEAST..=common(one, other)).rev().any(|stem| {
        let (Some(a), Some(b)) = (one.get(stem..), other.get(stem..)) else {
            return false;
        };
        let is_sure = stem >= SURE;
        if likeness == Likeness::InText {
            return is_sure && both(RUSSIAN, a, b);
        }
        let is_whole = a.is_empty() || b.is_empty();
        let is_doubled = stem >= DOUBLED && one.get(..stem).is_some_and(|stem| stem.ends_with('t'));
        ((is_sure || is_whole) && are_endings(a, b, is_doubled))
            || FLEETING.iter().any(|endings| both(endings, a, b))
            || (likeness == Likeness::InName && (are_of_noun(a, b) || are_of_noun(b, a)))
    })
}

/// Behind these letters no case of a noun in -а has an и, but an ы.
const BEFORE_NO_CASE: &str = "бвдзлмнпрстфц";

/// The words of a text, folded, that are no case of a noun in -а as they are written: `пити` is not made of `пита`, as
/// `питы` is.
#[must_use]
pub fn no_cases(text: &str) -> Vec<String> {
    let lower = plain(text).to_lowercase();
    let is_no_case = |word: &&str| {
        let mut last = word.chars().rev();
        last.next() == Some('и')
            && last
                .next()
                .is_some_and(|before| BEFORE_NO_CASE.contains(before))
    };
    let written = lower.split(|letter: char| !letter.is_alphanumeric());
    written.filter(is_no_case).map(fold).collect()
}

/// What all forms of a folded word begin with.
#[must_use]
pub fn stem(word: &str) -> &str {
    let end = word.char_indices().nth(LEAST);
    end.and_then(|(end, _)| word.get(..end)).unwrap_or(word)
}

/// Whether forms of one word have so much in common that they are no two words: `пити` and `пита` have too little.
#[must_use]
pub fn are_sure(one: &str, other: &str) -> bool {
    common(one, other) >= SURE
}

fn common(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(a, b)| a == b).count()
}

fn both(endings: &[&str], a: &str, b: &str) -> bool {
    endings.contains(&a) && endings.contains(&b)
}

fn are_endings(a: &str, b: &str, is_doubled: bool) -> bool {
    let kazakh = |rest: &str| {
        is_ending(rest, KAZAKH, KAZAKH_PLURALS)
            || (is_doubled && is_ending(rest, KAZAKH, DOUBLED_PLURALS))
    };
    let georgian = |rest: &str| is_ending(rest, GEORGIAN, GEORGIAN_PLURALS);
    both(RUSSIAN, a, b)
        || both(ENGLISH, a, b)
        || (kazakh(a) && kazakh(b))
        || (georgian(a) && georgian(b))
}

/// Kazakh and Georgian put the case behind the plural.
fn is_ending(rest: &str, cases: &[&str], plurals: &[&str]) -> bool {
    let behind = |plural: &&str| rest.strip_prefix(*plural);
    cases.contains(&rest)
        || plurals
            .iter()
            .filter_map(behind)
            .any(|case| cases.contains(&case))
}

fn are_of_noun(named: &str, case: &str) -> bool {
    NOUNS
        .iter()
        .any(|(ending, cases)| *ending == named && cases.contains(&case))
}
