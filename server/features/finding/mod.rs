//! How names are found: folding, keyboards, nearest spelling. The browser has the same rules in `components/lib/find/`
//! and `components/pages/menuSearch/`; `tests/fixtures/finding.json` holds cases that both must pass.

mod fold;
mod forms;
mod keyboards;
mod nearest;
mod scripts;

use std::cell::OnceCell;

pub use fold::{fold, is_noise, words};
use forms::Likeness;
pub use keyboards::spellings;
pub use nearest::{Near, nearest};

/// A query word this long may stand inside of a word, shorter ones must begin it.
const INSIDE: usize = 3;

/// Words that are written as one, or one that is written as several, must be this long together.
const JOINED: usize = 4;

/// How well an item may fit: another form of a word, its section and its text count as well.
const ANY: u8 = 6;
/// A word of it begins so.
const BEGINS: u8 = 1;

/// What is looked through, as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    /// Its name.
    pub name: &'a str,
    /// The sections that it stands in; empty: none.
    pub section: &'a str,
    /// What is said of it; empty: nothing.
    pub text: &'a str,
}

/// What a query has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Places of the items in their list, the best first.
    pub places: Vec<usize>,
    /// The spelling that was looked for instead of the query, if the query itself finds nothing.
    pub shown: Option<String>,
    /// A spelling that may be meant, where nothing was found.
    pub nearest: Option<String>,
}

/// Finds items by their names, then by their sections, then by their texts. Tries the query as it is, then as another keyboard would have written it,
/// then the nearest spelling among the names if that is certainly meant; `exact`: as it is and no other. Another keyboard
/// must write the beginning of a name: three letters of it are inside of some name by chance.
#[must_use]
pub fn find(items: &[Item<'_>], query: &str, exact: bool) -> Found {
    let found = |places, shown| Found {
        places,
        shown,
        nearest: None,
    };
    let folded: Vec<Folded<'_>> = items.iter().map(Folded::of).collect();
    let places = matching(&folded, query, ANY);
    if !places.is_empty() || words(query).is_empty() {
        return found(places, None);
    }
    let spelt = |spelling: String| {
        let places = matching(&folded, &spelling, BEGINS);
        (!places.is_empty()).then(|| found(places, Some(spelling)))
    };
    if !exact && let Some(found) = keyboards::layouts(query).into_iter().find_map(spelt) {
        return found;
    }
    let near = nearest(items.iter().map(|item| item.name), query);
    match near.filter(|_| !is_noise(query)) {
        Some(near) if near.certain && !exact => {
            found(matching(&folded, &near.written, ANY), Some(near.spelling))
        }
        near => Found {
            nearest: near.map(|near| near.spelling),
            ..found(Vec::new(), None)
        },
    }
}

/// An item as it is compared: folded once for all spellings of a query, and what is said of it only if its name does not
/// fit.
struct Folded<'a> {
    item: &'a Item<'a>,
    name: String,
    placed: OnceCell<String>,
    text: OnceCell<String>,
}

impl<'a> Folded<'a> {
    fn of(item: &'a Item<'a>) -> Self {
        Self {
            item,
            name: fold(item.name),
            placed: OnceCell::new(),
            text: OnceCell::new(),
        }
    }

    /// The name and the sections.
    fn placed(&self) -> &str {
        self.placed
            .get_or_init(|| format!("{} {}", self.name, fold(self.item.section)))
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| fold(self.item.text))
    }
}

fn matching(items: &[Folded<'_>], query: &str, worst: u8) -> Vec<usize> {
    if is_noise(query) {
        return Vec::new();
    }
    let query = words(query);
    if query.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(u8, usize)> = items
        .iter()
        .enumerate()
        .filter_map(|(place, item)| Some((rank(item, &query, worst)?, place)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, place)| place).collect()
}

/// How well an item fits, 0 the best; none when it does not, or worse than wanted. As it is written comes before another
/// form of it, and a name before a section and a text.
fn rank(item: &Folded<'_>, query: &[String], worst: u8) -> Option<u8> {
    let name = item.name.as_str();
    let begins = |folded: &str, word: &str| folded.split(' ').any(|own| own.starts_with(word));
    let formed = |folded: &str, word: &str, likeness| {
        let mut own = folded.split(' ');
        own.any(|own| forms::alike(own, word, likeness))
    };
    let is_long = |word: &str| word.chars().count() >= INSIDE;
    let named = |word: &str| begins(name, word) || (is_long(word) && name.contains(word));
    if query.iter().all(|word| begins(name, word)) {
        let first = query.first().is_some_and(|word| name.starts_with(word));
        return Some(u8::from(!first));
    }
    if worst <= BEGINS {
        return None;
    }
    if query.iter().all(|word| named(word)) || is_joined(name, &query.concat()) {
        return Some(2);
    }
    let in_name = |word: &str| named(word) || formed(name, word, Likeness::InName);
    if query.iter().all(|word| in_name(word)) {
        return Some(3);
    }
    // `супы и салаты`: what is short must stand there by itself, beside something longer.
    if !query.iter().any(|word| is_long(word)) {
        return None;
    }
    let as_written = |folded: &str, word: &str| {
        if is_long(word) {
            begins(folded, word)
        } else {
            folded.split(' ').any(|own| own == word)
        }
    };
    let placed = item.placed();
    let is_placed = |word: &str| as_written(placed, word) || formed(placed, word, Likeness::InName);
    if query.iter().all(|word| is_placed(word)) {
        return Some(4);
    }
    let text = item.text();
    let is_written = |word: &str| as_written(placed, word) || as_written(text, word);
    if query.iter().all(|word| is_written(word)) {
        return Some(5);
    }
    let is_said = |word: &str| {
        is_placed(word) || as_written(text, word) || formed(text, word, Likeness::InText)
    };
    query.iter().all(|word| is_said(word)).then_some(6)
}

/// Whether a word of the name and those behind it, written as one, begin so: `кокакола`.
fn is_joined(name: &str, query: &str) -> bool {
    let begins = |at: usize| {
        let rest = name.get(at..).unwrap_or_default();
        rest.replace(' ', "").starts_with(query)
    };
    query.chars().count() >= JOINED
        && (begins(0) || name.match_indices(' ').any(|(space, _)| begins(space + 1)))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn cases() -> Value {
        serde_json::from_str(include_str!("../../../tests/fixtures/finding.json"))
            .expect("the fixture is JSON")
    }

    fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
        value[key].as_array().expect("a list")
    }

    #[test]
    fn spellings_of_one_word_fold_to_one() {
        let cases = cases();
        for pair in list(&cases, "same") {
            let [a, b] = [&pair[0], &pair[1]].map(|one| fold(one.as_str().expect("text")));
            assert_eq!(a, b, "{pair}");
        }
        for pair in list(&cases, "different") {
            let [a, b] = [&pair[0], &pair[1]].map(|one| fold(one.as_str().expect("text")));
            assert_ne!(a, b, "{pair}");
        }
    }

    #[test]
    fn a_text_of_another_keyboard_is_read() {
        for pair in list(&cases(), "layouts") {
            let [typed, meant] = [&pair[0], &pair[1]].map(|one| one.as_str().expect("text"));
            assert!(
                keyboards::layouts(typed).iter().any(|one| one == meant),
                "{typed}: {:?}",
                keyboards::layouts(typed)
            );
        }
    }

    #[test]
    fn another_form_of_a_known_word_is_meant_and_none_is_said_twice() {
        spelt_as(&cases()["meant"]);
    }

    #[test]
    fn a_slip_is_mended_and_only_what_is_close_is_offered() {
        spelt_as(&cases()["near"]);
    }

    #[test]
    fn signs_between_words_are_left_out_for_an_upstream_that_reads_them() {
        assert_eq!(spellings("Coca-Cola").first().unwrap(), "coca cola");
        assert!(!spellings("coca cola").contains(&"coca cola".to_owned()));
        // Neither another layout nor another script is lost to it, and a sign may be a letter of a layout.
        assert_eq!(
            spellings("hot-dog"),
            ["hot dog", "рще-вщп", "рщеөвщп", "хот дог"]
        );
        assert_eq!(spellings("lagman"), ["дфпьфт", "ლაგმან", "лагман"]);
        assert!(spellings("[fxf-gehb").contains(&"хача-пури".to_owned()));
        assert_eq!(spellings("Coca & Cola").first().unwrap(), "coca cola");
        assert!(!spellings("McDonald's").contains(&"mcdonald s".to_owned()));
        assert!(spellings("McDonald’s, чай").contains(&"mcdonald’s чай".to_owned()));
    }

    fn spelt_as(near: &Value) {
        let names: Vec<&str> = list(near, "names")
            .iter()
            .map(|name| name.as_str().expect("text"))
            .collect();
        for case in list(near, "cases") {
            let got = nearest(names.iter().copied(), case[0].as_str().expect("text"));
            let got = got
                .as_ref()
                .map(|near| (near.spelling.as_str(), near.certain));
            let want = case[1].as_str().map(|spelling| (spelling, case[2] == true));
            assert_eq!(got, want, "{case}");
        }
    }

    #[test]
    fn names_are_found_in_the_order_of_their_fit() {
        let found = &cases()["found"];
        let items: Vec<Item<'_>> = list(found, "names")
            .iter()
            .map(|name| Item {
                name: name.as_str().expect("text"),
                section: "",
                text: "",
            })
            .collect();
        for case in list(found, "cases") {
            let got = find(&items, case[0].as_str().expect("text"), false);
            assert_eq!(got.shown.as_deref(), case[1].as_str(), "{case}");
            assert_eq!(names(&items, &got), texts(&case[2]), "{case}");
        }
    }

    #[test]
    fn forms_of_a_word_sections_and_words_written_as_one_are_found() {
        for menu in list(&cases(), "menus") {
            let items: Vec<Item<'_>> = list(menu, "items")
                .iter()
                .map(|item| Item {
                    name: item[0].as_str().expect("text"),
                    section: item[1].as_str().expect("text"),
                    text: item[2].as_str().expect("text"),
                })
                .collect();
            for case in list(menu, "cases") {
                let got = find(&items, case[0].as_str().expect("text"), false);
                assert_eq!(got.shown, None, "{case}");
                assert_eq!(names(&items, &got), texts(&case[1]), "{case}");
            }
        }
    }

    fn names<'a>(items: &[Item<'a>], found: &Found) -> Vec<&'a str> {
        found
            .places
            .iter()
            .map(|place| items[*place].name)
            .collect()
    }

    fn texts(list: &Value) -> Vec<&str> {
        let list = list.as_array().expect("a list");
        list.iter().filter_map(Value::as_str).collect()
    }
}
