//! How names are found: folding, forms of a word, other words for it, keyboards, nearest spelling. The browser has the same
//! rules in `components/lib/find/` and `components/pages/menuSearch/`; `tests/fixtures/finding.json` holds cases that both
//! must pass. The sandbox finds by them, too.

mod fold;
mod forms;
mod keyboards;
mod nearest;
mod scripts;
mod synonyms;

use std::{collections::HashSet, sync::OnceLock};

pub use fold::{fold, is_noise, plain, words};
use forms::Likeness;
pub use keyboards::spellings;
pub use nearest::{Near, nearest};
use synonyms::Others;

/// A query word this long may stand inside of a word, shorter ones must begin it.
const INSIDE: usize = 3;

/// Words that are written as one, or one that is written as several, must be this long together.
const JOINED: usize = 4;

/// A query of fewer letters is inside of other words by chance: `кола` is in `шоколад`.
const SURE: usize = 5;

/// How well an item fits a query, the best first. What is equally good stands in the order of its list, what can't be had
/// behind what can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Its name begins with the word itself.
    Whole,
    /// Its name has the word itself.
    Word,
    /// Its name begins so.
    First,
    /// A word of its name begins so.
    Begins,
    /// Its name has another form of a word, or what was typed as one word as several.
    Form,
    /// Its name has another word for it.
    Synonym,
    /// Its name has what is likely to be another form of a word.
    Likely,
    /// Its name has a kind of what a word means.
    Kind,
    /// A word of its name has it inside.
    Inside,
    /// Its sections are called so.
    Section,
    /// It is said of it as it is written.
    Written,
    /// It is said of it in another form.
    Said,
}

/// What is looked through, as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    /// Its name.
    pub name: &'a str,
    /// The sections that it stands in; empty: none.
    pub section: &'a str,
    /// What is said of it; empty: nothing.
    pub text: &'a str,
    /// It can't be had now.
    pub out: bool,
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

/// Finds items by their names, then by their sections, then by their texts. Tries the query as it is, then as another
/// keyboard would have written it, then the nearest spelling among the names if that is certainly meant; `exact`: as it is
/// and no other. Another keyboard must write the beginning of a name: three letters of it are inside of some name by
/// chance.
#[must_use]
pub fn find(items: &[Item<'_>], query: &str, exact: bool) -> Found {
    let found = |places, shown| Found {
        places,
        shown,
        nearest: None,
    };
    let query = &*plain(query);
    let folded: Vec<Folded> = items.iter().map(Folded::of).collect();
    let matching = |query: &str, worst| matching(items, &folded, &Query::of(query), worst);
    let places = matching(query, Fit::Said);
    if !places.is_empty() || words(query).is_empty() {
        return found(places, None);
    }
    let spelt = |spelling: String| {
        let places = matching(&spelling, Fit::Begins);
        (!places.is_empty()).then(|| found(places, Some(spelling)))
    };
    if !exact && let Some(found) = keyboards::layouts(query).into_iter().find_map(spelt) {
        return found;
    }
    if is_noise(query) {
        return found(Vec::new(), None);
    }
    match nearest(items.iter().map(|item| item.name), query) {
        Some(near) if near.certain && !exact => {
            found(matching(&near.written, Fit::Said), Some(near.spelling))
        }
        near => Found {
            nearest: near.map(|near| near.spelling),
            ..found(Vec::new(), None)
        },
    }
}

fn matching(items: &[Item<'_>], folded: &[Folded], query: &Query, worst: Fit) -> Vec<usize> {
    let mut found: Vec<(Fit, bool, usize)> = items
        .iter()
        .zip(folded)
        .enumerate()
        .filter_map(|(place, (item, folded))| {
            let fit = query.fit(item, folded, worst)?;
            Some((fit, item.out, place))
        })
        .collect();
    found.sort_unstable();
    let best = found.first().map(|(best, ..)| *best);
    found.retain(|(fit, ..)| best.is_some_and(|best| query.wants(*fit, best)));
    found.into_iter().map(|(.., place)| place).collect()
}

/// An item as it is compared: folded once for all queries, and what is said of it only if its name does not fit.
#[derive(Debug)]
pub struct Folded {
    name: String,
    /// Words of the name that are no case of a noun.
    no_cases: Vec<String>,
    placed: OnceLock<String>,
    text: OnceLock<String>,
}

impl Folded {
    /// Of this item alone: it is compared with its item again.
    #[must_use]
    pub fn of(item: &Item<'_>) -> Self {
        Self {
            name: fold(item.name),
            no_cases: forms::no_cases(item.name),
            placed: OnceLock::new(),
            text: OnceLock::new(),
        }
    }

    /// The name and the sections.
    fn placed(&self, item: &Item<'_>) -> &str {
        self.placed
            .get_or_init(|| format!("{} {}", self.name, fold(item.section)))
    }

    fn text(&self, item: &Item<'_>) -> &str {
        self.text.get_or_init(|| fold(item.text))
    }
}

/// What is looked for, read once for all items.
#[derive(Debug)]
pub struct Query {
    /// Each once.
    words: Vec<Word>,
    /// All that was typed as one word.
    joined: String,
    letters: usize,
}

#[derive(Debug)]
struct Word {
    folded: String,
    letters: usize,
    /// What any form of it begins with.
    stem: String,
    others: Others,
    /// As it is written it is no case of a noun.
    is_no_case: bool,
}

impl Query {
    /// Of a text as it is typed.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut typed = if is_noise(text) {
            Vec::new()
        } else {
            words(text)
        };
        let joined = typed.concat();
        let mut known = HashSet::new();
        typed.retain(|word| known.insert(word.clone()));
        let no_cases = forms::no_cases(text);
        Self {
            words: typed
                .into_iter()
                .map(|word| Word::of(word, &no_cases))
                .collect(),
            letters: joined.chars().count(),
            joined,
        }
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether what fits so is wanted beside the best: where names begin with it, a short word is inside of others by
    /// chance.
    #[must_use]
    pub fn wants(&self, fit: Fit, best: Fit) -> bool {
        self.letters >= SURE || fit != Fit::Inside || best > Fit::Begins
    }

    /// How well an item fits; none when it does not, or worse than wanted. As it is written comes before another form of
    /// it, and a name before a section and a text.
    #[must_use]
    pub fn fit(&self, item: &Item<'_>, folded: &Folded, worst: Fit) -> Option<Fit> {
        let name = folded.name.as_str();
        let first = self.words.first()?;
        if self.words.iter().all(|word| word.begins(name)) {
            let is_whole = self.words.iter().all(|word| word.is_in(name));
            let is_first = name.starts_with(&first.folded);
            return Some(match (is_whole, is_first) {
                (true, true) => Fit::Whole,
                (true, false) => Fit::Word,
                (false, true) => Fit::First,
                (false, false) => Fit::Begins,
            });
        }
        if worst <= Fit::Begins {
            return None;
        }
        let named = self
            .words
            .iter()
            .try_fold(Fit::Form, |fit, word| Some(fit.max(word.named(folded)?)));
        if named == Some(Fit::Form) || is_joined(name, &self.joined) {
            return Some(Fit::Form);
        }
        if worst <= Fit::Inside {
            return named;
        }
        // `супы и салаты`: what is short must stand there by itself, beside something longer.
        if named.is_some() || !self.words.iter().any(Word::is_long) {
            return named;
        }
        let placed = folded.placed(item);
        let is_placed = |word: &Word| word.is_placed(placed, &folded.no_cases);
        if self.words.iter().all(is_placed) {
            return Some(Fit::Section);
        }
        let text = folded.text(item);
        let is_written = |word: &Word| word.is_written(placed) || word.is_written(text);
        if self.words.iter().all(is_written) {
            return Some(Fit::Written);
        }
        let is_said =
            |word: &Word| is_placed(word) || word.is_written(text) || word.is_formed_in_text(text);
        self.words.iter().all(is_said).then_some(Fit::Said)
    }
}

impl Word {
    fn of(folded: String, no_cases: &[String]) -> Self {
        Self {
            letters: folded.chars().count(),
            stem: forms::stem(&folded).to_owned(),
            others: Others::of(&folded),
            is_no_case: no_cases.contains(&folded),
            folded,
        }
    }

    fn is_long(&self) -> bool {
        self.letters >= INSIDE
    }

    /// How well one word fits a name, `Form` the best.
    fn named(&self, item: &Folded) -> Option<Fit> {
        let name = item.name.as_str();
        if self.begins(name) {
            return Some(Fit::Form);
        }
        let mut formed = self.forms_in(name, &item.no_cases).peekable();
        let is_formed = formed.peek().is_some();
        if formed.any(|own| forms::are_sure(own, &self.folded)) {
            return Some(Fit::Form);
        }
        if self.others.are_in(name) {
            return Some(Fit::Synonym);
        }
        if is_formed {
            return Some(Fit::Likely);
        }
        if self.others.have_kind_in(name) {
            return Some(Fit::Kind);
        }
        (self.is_long() && name.contains(&self.folded)).then_some(Fit::Inside)
    }

    /// The words of a text that are other forms of this one. An everyday word is no form of what it begins with: `кока` is
    /// not made of `кок`.
    fn forms_in<'a>(&self, folded: &'a str, no_cases: &[String]) -> impl Iterator<Item = &'a str> {
        let is_form = |own: &&str| forms::alike(own, &self.folded, Likeness::InName);
        self.with_stem(folded).filter(is_form).filter(move |own| {
            let is_no_case = self.is_no_case || no_cases.iter().any(|word| word == own);
            let is_other = is_no_case && all_but_last(own) == all_but_last(&self.folded);
            let is_stem = self.others.are_known() && self.folded.starts_with(own);
            !is_other && !is_stem
        })
    }

    /// The words of a text that may be a form of this one; most texts have none.
    fn with_stem<'a>(&self, folded: &'a str) -> impl Iterator<Item = &'a str> {
        let words = folded.contains(&self.stem).then(|| folded.split(' '));
        words.into_iter().flatten()
    }

    fn begins(&self, folded: &str) -> bool {
        let mut places = folded.match_indices(&self.folded).map(|(place, _)| place);
        places.any(|place| place == 0 || folded.get(..place).is_some_and(|to| to.ends_with(' ')))
    }

    fn is_in(&self, folded: &str) -> bool {
        folded.split(' ').any(|own| own == self.folded)
    }

    fn is_formed_in_text(&self, text: &str) -> bool {
        self.with_stem(text)
            .any(|own| forms::alike(own, &self.folded, Likeness::InText))
    }

    fn is_written(&self, folded: &str) -> bool {
        if self.is_long() {
            self.begins(folded)
        } else {
            self.is_in(folded)
        }
    }

    fn is_placed(&self, placed: &str, no_cases: &[String]) -> bool {
        self.is_written(placed)
            || self.forms_in(placed, no_cases).next().is_some()
            || self.others.are_in(placed)
    }
}

fn all_but_last(word: &str) -> &str {
    let mut letters = word.chars();
    letters.next_back();
    letters.as_str()
}

/// Whether a word of the name and those behind it, written as one, begin so: `кокакола`.
fn is_joined(name: &str, query: &str) -> bool {
    let begins = |at: usize| {
        let rest = name.get(at..).unwrap_or_default();
        let mut own = rest.chars().filter(|letter| *letter != ' ');
        query.chars().all(|letter| own.next() == Some(letter))
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
        assert!(!spellings("zzzzqq").contains(&"ццк".to_owned()));
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
                out: false,
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
                    out: item[3] == "out",
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
