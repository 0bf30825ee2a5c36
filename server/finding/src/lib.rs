//! How names are found: folding, forms of a word, other words for it, keyboards, nearest spelling. The browser has the same
//! rules in `components/lib/find/` and `components/pages/menuSearch/`; `tests/fixtures/finding.json` holds cases that both
//! must pass. The sandbox finds by them, too.

mod fold;
mod forms;
mod keyboards;
mod nearest;
mod scripts;
mod synonyms;
mod text;

use std::{collections::HashSet, sync::OnceLock};

use fold::{Written, written_words};
pub use fold::{fold, is_noise, plain, words};
use forms::Likeness;
pub use keyboards::spellings;
pub use nearest::{Near, nearest};
use scripts::Script;
use synonyms::{Others, phrased};
use text::{Section, Text, says_without, without_small};

/// A query word this long may stand inside of a word, shorter ones must begin it.
const INSIDE: usize = 3;

/// Words that are written as one, or one that is written as several, must be this long together.
const JOINED: usize = 4;

/// A query of fewer letters is inside of other words by chance: `кола` is in `шоколад`.
const SURE: usize = 5;

/// An everyday word this long may end another one: `cake` is in `cheesecake`.
const ENDING: usize = 4;

/// So short a word begins many others by chance: `су`, which is water, `сұлы`.
const SHORT: usize = 2;

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
    /// One of its sections is called so and no more.
    Titled,
    /// Its name has another form of a word, or what was typed as one word as several.
    Form,
    /// Its name has another word for it.
    Synonym,
    /// Its name has what is likely to be another form of a word.
    Likely,
    /// Its name has a kind of what a word means, or it is marked so.
    Kind,
    /// A word of its name has it inside.
    Inside,
    /// A section that it stands in is called so.
    Section,
    /// It is said of it as it is written.
    Written,
    /// It is said of it in another form, or by another word.
    Said,
    /// A word of its name begins with an everyday word, and is another one: `чайхана` has no tea.
    Start,
    /// Its section is called so and after other things, too: `супы и роллы`.
    Mixed,
    /// The same, and its name says that it is one of the others.
    Other,
}

/// What is looked through, as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    /// Its name.
    pub name: &'a str,
    /// The sections that it stands in, one a line; empty: none.
    pub section: &'a str,
    /// What is said of it; empty: nothing.
    pub text: &'a str,
    /// It is marked as having no meat.
    pub meatless: bool,
    /// It can't be had now.
    pub out: bool,
    /// It is written in another language than the guest reads: a word of that language alone is none there.
    pub is_foreign: bool,
}

impl<'a> Item<'a> {
    /// One of which only the name is known.
    #[must_use]
    pub const fn named(name: &'a str) -> Self {
        Self {
            name,
            section: "",
            text: "",
            meatless: false,
            out: false,
            is_foreign: false,
        }
    }
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
/// keyboard would have written it, then the nearest spelling among the names if that is certainly meant, then most of its
/// words; `exact`: as it is and no other. Another keyboard must write the beginning of a name: three letters of it are
/// inside of some name by chance, two begin one. `lang`: the code of the language that the guest reads.
#[must_use]
pub fn find(items: &[Item<'_>], query: &str, exact: bool, lang: &str) -> Found {
    let found = |places, shown| Found {
        places,
        shown,
        nearest: None,
    };
    let query = &*plain(query);
    let folded: Vec<Folded> = items.iter().map(Folded::of).collect();
    let matching = |query: &str, worst| matching(items, &folded, &Query::of(query, lang), worst);
    let places = matching(query, Fit::Other);
    let letters: usize = words(query).iter().map(|word| word.chars().count()).sum();
    if !places.is_empty() || letters == 0 {
        return found(places, None);
    }
    let spelt = |spelling: String| {
        let places = matching(&spelling, Fit::Begins);
        (!places.is_empty()).then(|| found(places, Some(spelling)))
    };
    let is_long = letters > SHORT;
    if is_long
        && !exact
        && let Some(found) = keyboards::layouts(query).into_iter().find_map(spelt)
    {
        return found;
    }
    if is_noise(query) {
        return found(Vec::new(), None);
    }
    // Words of several names are near, and no item may have them all: what finds nothing is no spelling.
    let near = nearest(items.iter().map(|item| item.name), query, lang)
        .map(|near| (matching(&near.written, Fit::Other), near))
        .filter(|(places, _)| !places.is_empty());
    match near {
        Some((places, near)) if near.certain && !exact => found(places, Some(near.spelling)),
        near => {
            let most = (!exact)
                .then(|| with_most(items, &folded, &Query::of(query, lang)))
                .flatten();
            most.unwrap_or_else(|| Found {
                nearest: near.map(|(_, near)| near.spelling),
                ..found(Vec::new(), None)
            })
        }
    }
}

/// Places of the items that fit a query as it is beside others elsewhere, the best first: none that only begins so, has it
/// inside by chance or is another thing of its section.
#[must_use]
pub fn sure(items: &[Item<'_>], query: &str, lang: &str) -> Vec<usize> {
    let query = Query::of(query, lang);
    let folded: Vec<Folded> = items.iter().map(Folded::of).collect();
    let found = hits(items, &folded, &query, Fit::Other);
    let found = found
        .into_iter()
        .filter(|(fit, ..)| *fit < Fit::Mixed && query.wants(*fit, Fit::Whole))
        .collect();
    ordered(found, &folded, &query)
}

/// Whether a spelling of another keyboard, which has found items of these names, may be meant by who reads a language: so
/// short a text is inside of some name by chance, as `ццй` is of `чечевицы`, and one of them must be called so.
#[must_use]
pub fn is_meant<'a>(mut names: impl Iterator<Item = &'a str>, spelling: &str, lang: &str) -> bool {
    let query = Query::of(spelling, lang);
    query.letters >= SURE
        || names.any(|name| query.fit_name(name).is_some_and(|fit| fit < Fit::Inside))
}

/// The words of a query that are looked for, folded: without small ones that stand between them.
#[must_use]
pub fn wanted(query: &str) -> Vec<String> {
    let words = without_small(phrased(&written_words(query)));
    words.into_iter().map(|word| word.folded).collect()
}

/// More words than these are tried one by one no more.
const MOST_WORDS: usize = 4;

/// A query of several words without one of them, each time another, for an upstream that finds only what has all of them.
/// None where one of them says what is not wanted: `чай без лимона` is no tea with lemon. `без мяса` stays: a burger with
/// meat is no answer to it.
#[must_use]
pub fn with_fewer_words(query: &str) -> Vec<String> {
    let words = Query::of(query, "").words;
    let is_less = words.iter().any(|word| says_without(&word.folded));
    if is_less || !(2..=MOST_WORDS).contains(&words.len()) {
        return Vec::new();
    }
    let may_be_left_out = |at: &usize| !words.get(*at).is_some_and(Word::is_refusal);
    (0..words.len())
        .rev()
        .filter(may_be_left_out)
        .map(|left_out| {
            let others = words.iter().enumerate();
            let others = others.filter(|(at, _)| *at != left_out);
            let others = others.map(|(_, word)| word.written.as_str());
            others.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// The fit of an item, whether it can't be had, and its place.
type Hit = (Fit, bool, usize);

fn matching(items: &[Item<'_>], folded: &[Folded], query: &Query, worst: Fit) -> Vec<usize> {
    ordered(hits(items, folded, query, worst), folded, query)
}

fn hits(items: &[Item<'_>], folded: &[Folded], query: &Query, worst: Fit) -> Vec<Hit> {
    items
        .iter()
        .zip(folded)
        .enumerate()
        .filter_map(|(place, (item, folded))| {
            let fit = query.fit(item, folded, worst)?;
            Some((fit, item.out, place))
        })
        .collect()
}

/// The best first, without what is not wanted beside it.
fn ordered(mut found: Vec<Hit>, folded: &[Folded], query: &Query) -> Vec<usize> {
    found.sort_unstable();
    let Some((best, ..)) = found.first().copied() else {
        return Vec::new();
    };
    let is_chance = |fit: Fit, place: usize| {
        query.letters <= SHORT
            && best <= Fit::Word
            && matches!(fit, Fit::First | Fit::Begins)
            && !folded.get(place).is_some_and(|item| {
                let mut words = item.name.words.iter();
                words.any(|own| is_with_ending(&own.folded, &query.joined))
            })
    };
    found.retain(|(fit, _, place)| query.wants(*fit, best) && !is_chance(*fit, *place));
    found.into_iter().map(|(.., place)| place).collect()
}

/// Whether a word is another one with at most one letter behind it: `суы`, of `су`.
fn is_with_ending(own: &str, word: &str) -> bool {
    own.strip_prefix(word)
        .is_some_and(|ending| ending.chars().count() <= 1)
}

/// What fits most of the words of a query that nothing fits as a whole: at least half of them. Not where one of them says
/// what is not wanted: `чай без лимона` is no tea with lemon.
fn with_most(items: &[Item<'_>], folded: &[Folded], query: &Query) -> Option<Found> {
    let count = query.words.len();
    if count < 2 || query.words.iter().any(|word| says_without(&word.folded)) {
        return None;
    }
    let single: Vec<Query> = query.words.iter().map(Query::of_word).collect();
    let found: Vec<(usize, Vec<Option<Fit>>)> = items
        .iter()
        .zip(folded)
        .enumerate()
        .map(|(place, (item, folded))| {
            let fit = |one: &Query| {
                let fit = one.fit(item, folded, Fit::Other)?;
                (!matches!(fit, Fit::Inside | Fit::Start)).then_some(fit)
            };
            (place, single.iter().map(fit).collect())
        })
        .filter(|(_, fits): &(usize, Vec<Option<Fit>>)| {
            let mut words = query.words.iter().zip(fits);
            words.all(|(word, fit)| fit.is_some() || !word.is_refusal())
        })
        .collect();
    let hits = |fits: &[Option<Fit>]| fits.iter().flatten().count();
    let most = found.iter().map(|(_, fits)| hits(fits)).max()?;
    if most * 2 < count {
        return None;
    }
    let mut best: Vec<(Fit, usize, Vec<Option<Fit>>)> = found
        .into_iter()
        .filter(|(_, fits)| hits(fits) == most)
        .filter_map(|(place, fits)| Some((*fits.iter().flatten().max()?, place, fits)))
        .collect();
    // Beside what is called so, what is only said of others is not meant.
    let is_named = best.iter().any(|(fit, ..)| *fit <= Fit::Section);
    best.retain(|(fit, ..)| !is_named || *fit <= Fit::Section);
    let is_out = |place: usize| items.get(place).is_some_and(|item| item.out);
    let left = best
        .iter()
        .map(|(fit, place, _)| (*fit, is_out(*place), *place))
        .collect();
    let places = ordered(left, folded, query);
    best.retain(|(_, place, _)| places.contains(place));
    let is_shown = |at: usize| {
        let mut fits = best.iter().filter_map(|(.., fits)| fits.get(at));
        fits.any(Option::is_some)
    };
    let words = query.words.iter().enumerate();
    let shown: Vec<&str> = words
        .filter(|(at, _)| is_shown(*at))
        .map(|(_, word)| word.written.as_str())
        .collect();
    // One spelling, if all have the same words.
    let shown = shown.join(if shown.len() > most { ", " } else { " " });
    Some(Found {
        places,
        shown: Some(shown),
        nearest: None,
    })
}

/// An item as it is compared: folded once for all queries, and what is said of it only if its name does not fit.
#[derive(Debug)]
pub struct Folded {
    name: Text,
    /// Words of the name that are no case of a noun.
    no_cases: Vec<String>,
    sections: OnceLock<Vec<Section>>,
    placed: OnceLock<Text>,
    text: OnceLock<Text>,
}

impl Folded {
    /// Of this item alone: it is compared with its item again.
    #[must_use]
    pub fn of(item: &Item<'_>) -> Self {
        Self {
            name: Text::of(item.name),
            no_cases: forms::no_cases(item.name),
            sections: OnceLock::new(),
            placed: OnceLock::new(),
            text: OnceLock::new(),
        }
    }

    fn sections(&self, item: &Item<'_>) -> &[Section] {
        self.sections
            .get_or_init(|| item.section.split('\n').map(Section::of).collect())
    }

    /// The name and the sections.
    fn placed(&self, item: &Item<'_>) -> &Text {
        self.placed
            .get_or_init(|| Text::of(&format!("{}\n{}", item.name, item.section)))
    }

    fn text(&self, item: &Item<'_>) -> &Text {
        self.text.get_or_init(|| Text::of(item.text))
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
    /// What is looked for in other languages, where a word is one of the guest's alone.
    abroad: Option<Box<Query>>,
}

#[derive(Debug, Clone)]
struct Word {
    folded: String,
    written: String,
    letters: usize,
    /// What any form of it begins with.
    stem: String,
    others: Others,
    /// It is an everyday word.
    is_known: bool,
    /// As it is written it is no case of a noun.
    is_no_case: bool,
}

impl Query {
    /// Of a text as it is typed by who reads a language, by its code.
    #[must_use]
    pub fn of(text: &str, lang: &str) -> Self {
        let typed = if is_noise(text) {
            Vec::new()
        } else {
            written_words(text)
        };
        let joined: String = typed.iter().map(|word| word.folded.as_str()).collect();
        let mut wanted = without_small(phrased(&typed));
        let mut known = HashSet::new();
        wanted.retain(|word| known.insert(word.folded.clone()));
        let no_cases = forms::no_cases(text);
        let words: Vec<Word> = wanted
            .into_iter()
            .map(|word| Word::of(word, &no_cases, lang))
            .collect();
        let is_local = words.iter().any(|word| word.others.are_local);
        Self {
            letters: joined.chars().count(),
            abroad: is_local.then(|| Box::new(Self::abroad(&words, &no_cases))),
            words,
            joined,
        }
    }

    /// The words as all languages have them.
    fn abroad(words: &[Word], no_cases: &[String]) -> Self {
        let words: Vec<Word> = words
            .iter()
            .map(|word| Word::of(word.abroad(), no_cases, ""))
            .collect();
        let joined: String = words.iter().map(|word| word.folded.as_str()).collect();
        Self {
            letters: joined.chars().count(),
            words,
            joined,
            abroad: None,
        }
    }

    fn of_word(word: &Word) -> Self {
        Self {
            words: vec![word.clone()],
            joined: word.folded.clone(),
            letters: word.letters,
            abroad: None,
        }
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether what fits so is wanted beside the best: a short word is inside of others by chance, and who has what is called
    /// so looks for no other of its section.
    #[must_use]
    pub fn wants(&self, fit: Fit, best: Fit) -> bool {
        match fit {
            Fit::Inside => self.letters >= SURE || best >= fit,
            Fit::Start | Fit::Other => best >= fit,
            _ => true,
        }
    }

    /// How well a name fits by itself, also where it has the query inside of a word.
    #[must_use]
    pub fn fit_name(&self, name: &str) -> Option<Fit> {
        let item = Item::named(name);
        self.fit(&item, &Folded::of(&item), Fit::Inside)
    }

    /// How well an item fits; none when it does not, or worse than wanted. As it is written comes before another form of
    /// it, and a name before a section and a text.
    #[must_use]
    pub fn fit(&self, item: &Item<'_>, folded: &Folded, worst: Fit) -> Option<Fit> {
        if item.is_foreign
            && let Some(abroad) = &self.abroad
        {
            return abroad.fit(item, folded, worst);
        }
        let name = &folded.name;
        let first = self.words.first()?;
        if self.words.iter().all(|word| word.begins(name)) {
            let is_whole = self.words.iter().all(|word| word.is_whole(name));
            let is_first = name.folded.starts_with(&first.folded);
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
        if worst > Fit::Inside && folded.sections(item).iter().any(|own| self.titles(own)) {
            return Some(Fit::Titled);
        }
        let named = self.words.iter().try_fold(Fit::Form, |fit, word| {
            Some(fit.max(word.named(item, folded)?))
        });
        let is_everyday = self.words.len() == 1 && first.is_known;
        if named == Some(Fit::Form) || (!is_everyday && is_joined(&name.folded, &self.joined)) {
            return Some(Fit::Form);
        }
        // `супы и салаты`: what is short must stand there by itself, beside something longer.
        let is_named = named.is_some_and(|fit| fit != Fit::Start);
        if is_named || worst <= Fit::Inside || !self.words.iter().any(Word::is_long) {
            return named;
        }
        self.said(item, folded).or(named)
    }

    /// How well an item whose name does not fit does so by its sections, or by what is said of it.
    fn said(&self, item: &Item<'_>, folded: &Folded) -> Option<Fit> {
        let placed = folded.placed(item);
        let is_placed =
            |word: &Word| word.is_named_in(placed, &folded.no_cases) || word.is_mark_of(item);
        if self.words.iter().all(is_placed) {
            return Some(self.section_fit(item, folded));
        }
        let text = folded.text(item);
        let is_written = |word: &Word| word.is_written(placed) || word.is_written(text);
        if self.words.iter().all(is_written) {
            return Some(Fit::Written);
        }
        let is_said = |word: &Word| {
            is_placed(word)
                || word.is_written(text)
                || word.is_formed_in(text)
                || word.others.are_in(text)
        };
        self.words.iter().all(is_said).then_some(Fit::Said)
    }

    /// Of an item whose name and sections have all words.
    fn section_fit(&self, item: &Item<'_>, folded: &Folded) -> Fit {
        let has = |text: &Text| self.words.iter().any(|word| word.is_named_in(text, &[]));
        let sections = folded.sections(item).iter();
        let called: Vec<&Section> = sections.filter(|own| own.parts.iter().any(has)).collect();
        if called.is_empty() || called.iter().any(|own| own.parts.iter().all(has)) {
            return Fit::Section;
        }
        let parts = called.iter().flat_map(|own| &own.parts);
        let mut others = parts.filter(|part| !has(part)).flat_map(|part| &part.words);
        if others.any(|word| is_said_by(&folded.name, word)) {
            Fit::Other
        } else {
            Fit::Mixed
        }
    }

    /// Whether a section is called so and no more.
    fn titles(&self, section: &Section) -> bool {
        let own = || section.words.words.iter().map(|word| &word.folded);
        own().next().is_some()
            && own().all(|own| self.words.iter().any(|word| word.folded == *own))
            && self
                .words
                .iter()
                .all(|word| own().any(|own| word.folded == *own))
    }
}

impl Word {
    fn of(Written { folded, written }: Written, no_cases: &[String], lang: &str) -> Self {
        let word = Written {
            folded: folded.clone(),
            written: written.clone(),
        };
        let others = Others::of(&word, lang);
        Self {
            letters: folded.chars().count(),
            stem: forms::stem(&folded).to_owned(),
            is_known: others.are_known(),
            others,
            is_no_case: no_cases.contains(&folded),
            folded,
            written,
        }
    }

    /// As all languages have it.
    fn abroad(&self) -> Written {
        let other = self.others.abroad.map(|word| Written {
            folded: fold(word),
            written: word.to_owned(),
        });
        other.unwrap_or_else(|| Written {
            folded: self.folded.clone(),
            written: self.written.clone(),
        })
    }

    /// It says what is not wanted: who has it left out has meat.
    fn is_refusal(&self) -> bool {
        self.others.is_meatless
    }

    fn is_long(&self) -> bool {
        self.letters >= INSIDE
    }

    /// How well one word fits a name, `Form` the best.
    fn named(&self, item: &Item<'_>, folded: &Folded) -> Option<Fit> {
        let name = &folded.name;
        if self.begins(name) {
            return Some(Fit::Form);
        }
        let mut formed = self.forms_in(name, &folded.no_cases).peekable();
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
        if self.others.have_kind_in(name) || self.is_mark_of(item) {
            return Some(Fit::Kind);
        }
        if self.is_inside(name) {
            return Some(Fit::Inside);
        }
        (self.is_known && self.starts_word_of(name)).then_some(Fit::Start)
    }

    fn is_mark_of(&self, item: &Item<'_>) -> bool {
        item.meatless && self.others.is_meatless
    }

    /// Whether a word of a text begins so. An everyday word is typed as a whole: what only begins with it is another one.
    fn begins(&self, text: &Text) -> bool {
        if self.is_known {
            self.is_whole(text)
        } else {
            text.begins(&self.folded)
        }
    }

    fn is_whole(&self, text: &Text) -> bool {
        if self.is_known && !self.folded.contains(' ') {
            let mut words = text.words.iter();
            return words.any(|own| own.folded == self.folded && self.others.are_of(own));
        }
        text.has_whole(&self.folded)
    }

    fn is_inside(&self, name: &Text) -> bool {
        if self.is_known {
            let mut words = name.words.iter().map(|own| own.folded.as_str());
            return self.letters >= ENDING
                && words.any(|own| own != self.folded && own.ends_with(&self.folded));
        }
        self.is_long() && name.folded.contains(&self.folded)
    }

    /// Whether a word of a name begins so, as it is written where the script is the same.
    fn starts_word_of(&self, name: &Text) -> bool {
        let mut words = name.words.iter();
        let letters = self.written.chars().count();
        words.any(|own| {
            own.folded.starts_with(&self.folded) && self.is_beginning_as_written(own, letters)
        })
    }

    /// Whether a word begins with so many letters of this one, or is of another script.
    fn is_beginning_as_written(&self, own: &Written, letters: usize) -> bool {
        let end = self.written.char_indices().nth(letters);
        let beginning = end.and_then(|(end, _)| self.written.get(..end));
        own.written.starts_with(beginning.unwrap_or(&self.written))
            || Script::of(&own.written) != Script::of(&self.written)
    }

    /// Whether a word may be a form of this one. Of an everyday word none is what it begins with, as `кок` of `кока`; a
    /// short one is written alike in each of its forms: `berry` is none of `beer`, though folded they begin so. An everyday
    /// word of the guest's language is none of another: the Kazakh `сыра` is no `сыр`.
    fn is_like(&self, own: &Written, text: &Text) -> bool {
        if self.others.have_taken(own, text) {
            return false;
        }
        if !self.is_known {
            return true;
        }
        let all_but_one = self.written.chars().count().saturating_sub(1);
        !self.others.is_exact
            && !self.folded.starts_with(&own.folded)
            && (self.letters >= SURE || self.is_beginning_as_written(own, all_but_one))
    }

    /// The words of a text that are other forms of this one.
    fn forms_in<'a>(&self, text: &'a Text, no_cases: &[String]) -> impl Iterator<Item = &'a str> {
        let is_form = move |own: &&Written| {
            self.is_like(own, text) && forms::alike(&own.folded, &self.folded, Likeness::InName)
        };
        self.with_stem(text)
            .filter(is_form)
            .map(|own| own.folded.as_str())
            .filter(move |own| {
                let is_no_case = self.is_no_case || no_cases.iter().any(|word| word == own);
                !(is_no_case && all_but_last(own) == all_but_last(&self.folded))
            })
    }

    /// The words of a text that may be a form of this one; most texts have none.
    fn with_stem<'a>(&self, text: &'a Text) -> impl Iterator<Item = &'a Written> {
        let words = text.folded.contains(&self.stem).then(|| text.words.iter());
        words.into_iter().flatten()
    }

    /// In the cases of Russian; an everyday word, which may be short, also in forms that are beyond doubt.
    fn is_formed_in(&self, text: &Text) -> bool {
        let is_form = |own: &Written, likeness| forms::alike(&own.folded, &self.folded, likeness);
        self.with_stem(text).any(|own| {
            self.is_like(own, text)
                && (is_form(own, Likeness::InText)
                    || (self.is_known && is_form(own, Likeness::Certain)))
        })
    }

    fn is_written(&self, text: &Text) -> bool {
        if self.is_long() {
            self.begins(text)
        } else {
            self.is_whole(text)
        }
    }

    /// Whether a name or a section has it, a form of it or another word for it.
    fn is_named_in(&self, text: &Text, no_cases: &[String]) -> bool {
        self.is_written(text)
            || self.forms_in(text, no_cases).next().is_some()
            || self.others.are_in(text)
    }
}

/// Whether a name has a word, a form of it, another word for it or a kind of it.
fn is_said_by(name: &Text, word: &Written) -> bool {
    let others = Others::of(word, "");
    let is_form = |own: &Written| {
        own.folded == word.folded || forms::alike(&own.folded, &word.folded, Likeness::Certain)
    };
    name.words.iter().any(is_form) || others.are_in(name) || others.have_kind_in(name)
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

    #[test]
    fn what_another_keyboard_writes_is_meant_where_something_is_called_so() {
        let is_meant = |name: &str, spelling: &str| is_meant([name].into_iter(), spelling, "ru");
        assert!(!is_meant("Крем-суп из чечевицы", "ййццйй"));
        assert!(is_meant("Пиво разливное", "пиво"));
        assert!(is_meant("Крем-суп", "супы"));
        assert!(is_meant("Черный чай", "tea"));
        // A longer text is inside of nothing by chance, and may have been found by what is said of a dish.
        assert!(is_meant("Шакшука", "помидоры"));
    }

    fn spelt_as(near: &Value) {
        let names: Vec<&str> = list(near, "names")
            .iter()
            .map(|name| name.as_str().expect("text"))
            .collect();
        for case in list(near, "cases") {
            let typed = case[0].as_str().expect("text");
            let got = nearest(names.iter().copied(), typed, "");
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
            .map(|name| Item::named(name.as_str().expect("text")))
            .collect();
        for case in list(found, "cases") {
            let got = find(&items, case[0].as_str().expect("text"), false, "");
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
                    meatless: item[3] == "meatless",
                    out: item[3] == "out",
                    is_foreign: false,
                })
                .collect();
            let lang = menu["lang"].as_str().unwrap_or_default();
            for case in list(menu, "cases") {
                let got = find(&items, case[0].as_str().expect("text"), false, lang);
                assert_eq!(got.shown.as_deref(), case[2].as_str(), "{case}");
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
