//! One sound, several scripts: what is mended stays in the letters that the guest types.

use super::fold;

/// Folded letters and how each script writes them; `ts` is written as one letter where there is one.
const SOUNDS: &str = "abvgdejziklmnoprstufhcw";
const CYRILLIC: &str = "абвгдежзиклмнопрстуфхчш";
const GEORGIAN: &str = "აბვგდეჯზიკლმნოპრსტუფხჭშ";
/// The sounds that Latin writes with two letters.
const LATIN: [(char, &str); 4] = [('j', "zh"), ('h', "kh"), ('c', "ch"), ('w', "sh")];

/// A script that menus and guests write in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Cyrillic,
    Latin,
    Georgian,
}

impl Script {
    /// The one of a text; none of figures.
    pub fn of(text: &str) -> Option<Self> {
        text.chars().find_map(|letter| match letter {
            'а'..='ө' => Some(Self::Cyrillic),
            'ა'..='ჰ' => Some(Self::Georgian),
            letter if letter.is_alphabetic() => Some(Self::Latin),
            _ => None,
        })
    }

    /// A folded text as this script writes it.
    pub fn written(self, folded: &str) -> String {
        match self {
            Self::Cyrillic => swapped(&folded.replace("ts", "ц"), SOUNDS, CYRILLIC),
            Self::Georgian => swapped(&folded.replace("ts", "ც"), SOUNDS, GEORGIAN),
            Self::Latin => folded
                .chars()
                .map(|sound| {
                    let two = LATIN.iter().find(|(own, _)| *own == sound);
                    two.map_or_else(|| sound.to_string(), |(_, two)| (*two).to_owned())
                })
                .collect(),
        }
    }
}

/// A known word in the script of what was typed. Where that is what was typed already, it stays as it is known.
pub fn alike(typed: &str, word: &str) -> String {
    let script = Script::of(typed).filter(|script| Some(*script) != Script::of(word));
    let own = script.map(|script| script.written(&fold(word)));
    own.filter(|own| own != typed)
        .unwrap_or_else(|| word.to_owned())
}

/// A text with each of its letters that `from` has replaced by the one at the same place in `to`.
pub fn swapped(text: &str, from: &str, to: &str) -> String {
    text.chars()
        .map(|letter| {
            from.chars()
                .zip(to.chars())
                .find(|(key, _)| *key == letter)
                .map_or(letter, |(_, written)| written)
        })
        .collect()
}
