//! One spelling for everything that a guest may take for the same: Kazakh letters and the Russian ones that stand in
//! for them, Cyrillic, Latin and Georgian script. The folded text is lower-case ASCII: `w` is ш, `c` is ч, `j` is ж.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};

/// Several letters for one sound, the longest first.
const TOGETHER: [(&str, &str); 15] = [
    ("shch", "w"),
    ("sch", "w"),
    ("sh", "w"),
    ("ch", "c"),
    ("zh", "j"),
    ("kh", "h"),
    ("gh", "g"),
    ("ph", "f"),
    ("ck", "k"),
    ("dj", "j"),
    ("ts", "ts"),
    ("zz", "ts"),
    ("ye", "e"),
    ("дж", "j"),
    ("цц", "ts"),
];

/// A text in the letters that are meant: full-width ones are plain, and what can't be seen is left out, such as a byte order
/// mark or a soft hyphen that came with a copied word.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    if normal.contains(is_invisible) {
        Cow::Owned(normal.replace(is_invisible, ""))
    } else {
        normal
    }
}

/// Signs of the format alone: of no width, or for the direction of what follows.
fn is_invisible(letter: char) -> bool {
    !letter.is_ascii()
        && CodePointMapData::<GeneralCategory>::new().get(letter) == GeneralCategory::Format
}

/// What stands on the letter before it, where the two are no letter of their own.
pub(super) fn is_accent(letter: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(letter);
    GeneralCategoryGroup::Mark.contains(category)
}

/// Words separated by single spaces; what is neither letter nor digit separates words.
#[must_use]
pub fn fold(text: &str) -> String {
    let lower = lower(text);
    let mut folded = String::with_capacity(lower.len());
    for (sound, _) in sounds(&lower) {
        push(&mut folded, &sound);
    }
    folded.trim().to_owned()
}

/// The folded words of a text.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    fold(text).split_whitespace().map(str::to_owned).collect()
}

/// A word as it sounds and as it is written, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Of letters that sound.
    pub folded: String,
    /// With all that it was written with.
    pub written: String,
}

/// The words of a text as [`words`] has them, each with how it is written.
#[must_use]
pub fn written_words(text: &str) -> Vec<Written> {
    let lower = lower(text);
    let mut all: Vec<Written> = Vec::new();
    let mut word = Written::default();
    for (sound, letters) in sounds(&lower).chain([(Sound::Known(" "), [].as_slice())]) {
        if !matches!(sound, Sound::Known(" ")) {
            push(&mut word.folded, &sound);
            word.written.extend(letters);
        } else if word.folded.is_empty() {
            word.written.clear();
        } else {
            all.push(std::mem::take(&mut word));
        }
    }
    all
}

/// Whether folding leaves next to nothing of a word: `ъъъщщ` sounds like no name, though many begin with its one sound. An
/// accent is not typed as a letter, however many there are.
#[must_use]
pub fn is_noise(text: &str) -> bool {
    let lower = lower(text);
    let (mut typed, mut word) = (0, String::new());
    for (sound, letters) in sounds(&lower).chain([(Sound::Known(" "), [].as_slice())]) {
        if !matches!(sound, Sound::Known(" ")) {
            if !letters.iter().copied().all(is_accent) {
                typed += 1;
                push(&mut word, &sound);
            }
            continue;
        }
        let left = word.chars().count();
        if (left > 0 && left * 2 < typed) || (left == 1 && typed > 1) {
            return true;
        }
        (typed, word) = (0, String::new());
    }
    false
}

fn lower(text: &str) -> Vec<char> {
    plain(text).chars().flat_map(char::to_lowercase).collect()
}

/// A doubled letter sounds as one, and separators come once.
fn push(folded: &mut String, sound: &Sound) {
    for letter in sound.chars() {
        if !folded.ends_with(letter) {
            folded.push(letter);
        }
    }
}

/// The sounds of a text, each with the letters that write it.
fn sounds(lower: &[char]) -> impl Iterator<Item = (Sound, &[char])> {
    let mut rest = lower;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (sound, taken) = sound(rest);
        let (letters, behind) = rest.split_at_checked(taken)?;
        rest = behind;
        Some((sound, letters))
    })
}

fn sound(rest: &[char]) -> (Sound, usize) {
    let together = TOGETHER.iter().find(|(letters, _)| {
        let mut own = rest.iter();
        letters.chars().all(|letter| own.next() == Some(&letter))
    });
    match (together, rest.first()) {
        (Some((letters, sound)), _) => (Sound::Known(sound), letters.chars().count()),
        (None, Some(letter)) => (of(*letter), 1),
        (None, None) => (Sound::Known(""), 1),
    }
}

enum Sound {
    Known(&'static str),
    Itself(char),
}

impl Sound {
    fn chars(&self) -> impl Iterator<Item = char> {
        let (known, itself) = match self {
            Self::Known(text) => (*text, None),
            Self::Itself(letter) => ("", Some(*letter)),
        };
        known.chars().chain(itself)
    }
}

fn of(letter: char) -> Sound {
    Sound::Known(match letter {
        'а' | 'ә' | 'ა' | 'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => "a",
        'б' | 'ბ' => "b",
        'в' | 'ვ' | 'w' => "v",
        'г' | 'ғ' | 'ґ' | 'გ' | 'ღ' | 'ğ' => "g",
        'д' | 'დ' => "d",
        'е' | 'ё' | 'э' | 'є' | 'ე' | 'é' | 'è' | 'ê' | 'ë' => "e",
        'ж' | 'ჟ' | 'ჯ' | 'ž' => "j",
        'з' | 'ზ' => "z",
        'и' | 'й' | 'і' | 'ї' | 'ы' | 'ი' | 'y' | 'í' | 'ì' | 'î' | 'ï' | 'ı' => "i",
        'к' | 'қ' | 'კ' | 'ქ' | 'ყ' | 'c' | 'q' => "k",
        'л' | 'ლ' => "l",
        'м' | 'მ' => "m",
        'н' | 'ң' | 'ნ' | 'ñ' => "n",
        'о' | 'ө' | 'ო' | 'ó' | 'ò' | 'ô' | 'ö' | 'õ' => "o",
        'п' | 'პ' | 'ფ' => "p",
        'р' | 'რ' => "r",
        'с' | 'ს' => "s",
        'т' | 'თ' | 'ტ' => "t",
        'у' | 'ұ' | 'ү' | 'უ' | 'ú' | 'ù' | 'û' | 'ü' => "u",
        'ф' => "f",
        'х' | 'һ' | 'ხ' | 'ჰ' | 'x' => "h",
        'ц' | 'ც' | 'წ' => "ts",
        'ძ' => "dz",
        'ч' | 'ჩ' | 'ჭ' | 'ç' => "c",
        'ш' | 'щ' | 'შ' | 'ş' | 'š' => "w",
        'ю' => "iu",
        'я' => "ia",
        'ъ' | 'ь' | '\'' | '’' | 'ʼ' => "",
        letter if is_accent(letter) => "",
        letter if letter.is_alphanumeric() => return Sound::Itself(letter),
        _ => " ",
    })
}
