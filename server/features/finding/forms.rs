//! Forms of one word: plurals and cases of the four languages, in folded letters. No dictionary is needed: two words are
//! forms of one if what they begin with is long enough and both go on with an ending.

/// Fewer letters in common say nothing.
const LEAST: usize = 3;
/// From here on any ending will do: with fewer, words that differ by more than a vowel are others.
const SURE: usize = 4;

/// Kazakh and Georgian put the case behind the plural. A doubled letter is folded to one: `салаттар` is `salatar`.
const PLURALS: [&str; 9] = ["lar", "ler", "dar", "der", "tar", "ter", "ar", "er", "eb"];

/// Russian, with the vowel that comes and goes (`напиток`, `напитки`), Kazakh, Georgian, English.
const ENDINGS: [&str; 80] = [
    "", "a", "ah", "aia", "am", "ami", "e", "ei", "em", "ev", "i", "ia", "iah", "iam", "iami",
    "ie", "ih", "im", "imi", "iu", "o", "oe", "ogo", "oi", "om", "omu", "ov", "u", "uiu", "ego",
    "emu", "ek", "ok", "ka", "kah", "kam", "kami", "ke", "ki", "koi", "kov", "ku", "ets", "tsa",
    "tsam", "tsami", "tse", "tsi", "tsov", "tsu", "ben", "da", "dan", "de", "den", "di", "din",
    "ga", "ge", "in", "men", "nan", "nen", "ni", "nin", "pen", "si", "ta", "tan", "te", "ten",
    "ti", "tin", "ad", "is", "it", "ma", "s", "ze", "es",
];

/// Whether two folded words are forms of one.
#[must_use]
pub fn alike(one: &str, other: &str) -> bool {
    let common = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    // The endings may begin alike.
    (LEAST..=common).rev().any(|stem| {
        let (Some(one), Some(other)) = (one.get(stem..), other.get(stem..)) else {
            return false;
        };
        let close = one.is_empty() || other.is_empty() || (is_vowel(one) && is_vowel(other));
        (close || stem >= SURE) && is_ending(one) && is_ending(other)
    })
}

fn is_vowel(rest: &str) -> bool {
    rest.starts_with(['a', 'e', 'i', 'o', 'u'])
}

fn is_ending(rest: &str) -> bool {
    let case = |rest: &str| ENDINGS.contains(&rest);
    case(rest)
        || PLURALS
            .iter()
            .any(|plural| rest.strip_prefix(plural).is_some_and(case))
}
