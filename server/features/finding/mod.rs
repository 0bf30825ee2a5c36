//! How names are found: folding, keyboards, nearest spelling. The browser has the same rules in `components/lib/find/`
//! and `components/pages/menuSearch/`; `tests/fixtures/finding.json` holds cases that both must pass.

mod fold;
mod keyboards;
mod nearest;
mod scripts;

pub use fold::{fold, is_noise, words};
pub use keyboards::spellings;
pub use nearest::{Near, nearest};

/// A query word this long may stand inside of a word, shorter ones must begin it.
const INSIDE: usize = 3;

/// How well a name may fit: what stands inside of it, or in its text, counts as well.
const ANY: u8 = 3;
/// A word of it begins so.
const BEGINS: u8 = 1;

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

/// Finds items by a name and a longer text. Tries the query as it is, then as another keyboard would have written it,
/// then the nearest spelling among the names if that is certainly meant; `exact`: as it is and no other. Another keyboard
/// must write the beginning of a name: three letters of it are inside of some name by chance.
#[must_use]
pub fn find(items: &[(&str, &str)], query: &str, exact: bool) -> Found {
    let found = |places, shown| Found {
        places,
        shown,
        nearest: None,
    };
    let places = matching(items, query, ANY);
    if !places.is_empty() || words(query).is_empty() {
        return found(places, None);
    }
    let spelt = |spelling: String| {
        let places = matching(items, &spelling, BEGINS);
        (!places.is_empty()).then(|| found(places, Some(spelling)))
    };
    if !exact && let Some(found) = keyboards::layouts(query).into_iter().find_map(spelt) {
        return found;
    }
    let near = nearest(items.iter().map(|(name, _)| *name), query);
    match near.filter(|_| !is_noise(query)) {
        Some(near) if near.certain && !exact => {
            found(matching(items, &near.written, ANY), Some(near.spelling))
        }
        near => Found {
            nearest: near.map(|near| near.spelling),
            ..found(Vec::new(), None)
        },
    }
}

fn matching(items: &[(&str, &str)], query: &str, worst: u8) -> Vec<usize> {
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
        .filter_map(|(place, (name, text))| Some((rank(&fold(name), text, &query)?, place)))
        .filter(|(rank, _)| *rank <= worst)
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, place)| place).collect()
}

/// How well a name fits, 0 the best; none when it does not.
fn rank(name: &str, text: &str, query: &[String]) -> Option<u8> {
    let begins = |folded: &str, word: &str| folded.split(' ').any(|own| own.starts_with(word));
    let inside = |folded: &str, word: &str| word.chars().count() >= INSIDE && folded.contains(word);
    if query.iter().all(|word| begins(name, word)) {
        let first = query.first().is_some_and(|word| name.starts_with(word));
        return Some(u8::from(!first));
    }
    if query
        .iter()
        .all(|word| begins(name, word) || inside(name, word))
    {
        return Some(2);
    }
    let whole = format!("{name} {}", fold(text));
    query
        .iter()
        .all(|word| word.chars().count() >= INSIDE && begins(&whole, word))
        .then_some(3)
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
    fn a_slip_is_mended_and_only_what_is_close_is_offered() {
        let near = &cases()["near"];
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
        let names: Vec<(&str, &str)> = list(found, "names")
            .iter()
            .map(|name| (name.as_str().expect("text"), ""))
            .collect();
        for case in list(found, "cases") {
            let got = find(&names, case[0].as_str().expect("text"), false);
            assert_eq!(got.shown.as_deref(), case[1].as_str(), "{case}");
            let got: Vec<&str> = got.places.iter().map(|place| names[*place].0).collect();
            let want: Vec<&str> = case[2]
                .as_array()
                .expect("a list")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            assert_eq!(got, want, "{case}");
        }
    }
}
