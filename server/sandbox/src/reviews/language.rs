//! The language of a review: by its letters, else that of its writer.

use crate::model::Lang;

/// In nearly every Kazakh phrase, in no Russian one.
const KAZAKH: &str = "әғқңөұүһі";

/// The language of a text whose writer reads `said`.
pub(super) fn of(text: &str, said: Lang) -> Lang {
    let count = |is: fn(char) -> bool| text.chars().filter(|c| is(*c)).count();
    let georgian = count(|c| ('\u{10d0}'..='\u{10fa}').contains(&c));
    let cyrillic = count(|c| ('\u{400}'..='\u{4ff}').contains(&c));
    let latin = count(|c| c.is_ascii_alphabetic());
    if georgian > cyrillic.max(latin) {
        return Lang::Ka;
    }
    if cyrillic > latin {
        let is_kazakh = text
            .chars()
            .flat_map(char::to_lowercase)
            .any(|c| KAZAKH.contains(c));
        // A short Kazakh text may do without its own letters.
        return if is_kazakh || said == Lang::Kk && cyrillic < 25 {
            Lang::Kk
        } else {
            Lang::Ru
        };
    }
    if latin > 0 { Lang::En } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_tell_the_language_and_the_writer_what_they_do_not() {
        for (text, said, language) in [
            ("Өте дәмді екен", Lang::Ru, Lang::Kk),
            ("Очень вкусно, спасибо поварам", Lang::Kk, Lang::Ru),
            ("Рахмет", Lang::Kk, Lang::Kk),
            ("Рахмет", Lang::Ru, Lang::Ru),
            ("Very tasty", Lang::Ru, Lang::En),
            ("ძალიან გემრიელია", Lang::En, Lang::Ka),
            ("👍👍👍", Lang::Ka, Lang::Ka),
            ("", Lang::En, Lang::En),
        ] {
            assert_eq!(of(text, said), language, "{text}");
        }
    }
}
