//! What stands before or behind a number in the fields of the door is said by the page itself: "кв. 45" would be shown as
//! "кв. кв. 45".

/// How guests call the fields, in all languages: a Russian word is typed on a Kazakh page, too. An office is no flat:
/// that word stays.
const WORDS: [(&str, &[&str]); 3] = [
    (
        "entrance",
        &[
            "подъезд",
            "подьезд",
            "entrance",
            "entr",
            "кіреберіс",
            "кіреберісі",
            "სადარბაზო",
        ],
    ),
    (
        "floor",
        &[
            "этаж",
            "эт",
            "floor",
            "fl",
            "қабат",
            "қабаты",
            "სართული",
            "სართ",
        ],
    ),
    (
        "apartment",
        &[
            "квартира",
            "кв",
            "apartment",
            "apt",
            "flat",
            "пәтер",
            "пәтері",
            "ბინა",
        ],
    ),
];
/// What makes "the fifth" of a 5.
const ORDINAL: [&str; 11] = [
    "-ый", "-ой", "-ий", "-й", "-ші", "-шы", "-ე", "th", "st", "nd", "rd",
];

/// The text of a field without the field's own word. One that says nothing else stays.
pub(super) fn without_word(field: &str, text: String) -> String {
    let own = WORDS.iter().find(|(name, _)| *name == field);
    let mut words = own.iter().flat_map(|(_, words)| words.iter());
    let left = words.find_map(|word| before(&text, word).or_else(|| behind(&text, word)));
    match left.map(cardinal).filter(|left| !left.is_empty()) {
        Some(left) => left.to_owned(),
        None => text,
    }
}

/// What follows a word. A hyphen right behind it is none of the number: `кв-45`, but `этаж -1`.
fn before<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = split_after(text, word.chars().count());
    let is_word = first.to_lowercase() == word && !rest.starts_with(char::is_alphabetic);
    let rest = rest.trim_start_matches(['.', ':', '-']);
    is_word.then(|| rest.trim_start_matches([' ', '.', ':', '№', '#']))
}

fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let text = text.trim_end_matches('.');
    let most = text.chars().count().checked_sub(word.chars().count())?;
    let (rest, last) = split_after(text, most);
    let is_word = last.to_lowercase() == word && !rest.ends_with(char::is_alphabetic);
    is_word.then(|| rest.trim_end_matches([' ', '.', '-']))
}

fn split_after(text: &str, letters: usize) -> (&str, &str) {
    let at = text
        .char_indices()
        .nth(letters)
        .map_or(text.len(), |(at, _)| at);
    text.split_at(at)
}

fn cardinal(text: &str) -> &str {
    let text = text.strip_prefix("მე-").unwrap_or(text);
    let number = ORDINAL.iter().find_map(|end| text.strip_suffix(end));
    number
        .filter(|number| number.ends_with(|sign: char| sign.is_ascii_digit()))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::without_word;

    #[test]
    fn the_word_of_a_field_is_taken_away_in_four_languages() {
        for (field, typed, left) in [
            ("apartment", "кв. 45", "45"),
            ("apartment", "Кв45", "45"),
            ("apartment", "кв-45А", "45А"),
            ("apartment", "КВАРТИРА № 45", "45"),
            ("apartment", "45 кв.", "45"),
            ("apartment", "45-пәтер", "45"),
            ("apartment", "apt. 45", "45"),
            ("apartment", "Flat 4-5", "4-5"),
            ("apartment", "ბინა 45", "45"),
            ("entrance", "подъезд 2", "2"),
            ("entrance", "2-й подъезд", "2"),
            ("entrance", "2-кіреберіс", "2"),
            ("entrance", "Entrance B", "B"),
            ("entrance", "სადარბაზო 2", "2"),
            ("floor", "этаж 5", "5"),
            ("floor", "эт.5", "5"),
            ("floor", "этаж -1", "-1"),
            ("floor", "5-қабат", "5"),
            ("floor", "5th floor", "5"),
            ("floor", "მე-5 სართული", "5"),
        ] {
            assert_eq!(without_word(field, typed.to_owned()), left, "{typed}");
        }
    }

    #[test]
    fn what_says_more_than_the_field_stays() {
        for (field, typed) in [
            ("apartment", "45"),
            ("apartment", "офис 305"),
            ("apartment", "квадрат 5"),
            ("apartment", "кв."),
            ("apartment", "подъезд 2"),
            ("entrance", "под аркой"),
            ("floor", "-1"),
            ("street", "этаж 5"),
            ("floor", ""),
        ] {
            assert_eq!(without_word(field, typed.to_owned()), typed);
        }
    }
}
