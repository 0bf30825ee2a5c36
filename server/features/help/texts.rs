//! The texts in every language, built into the binary.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::values::Lang;

/// One document in every language.
pub(super) struct Texts<T> {
    kk: T,
    ru: T,
    en: T,
    ka: T,
}

impl<T> Texts<T> {
    pub(super) const fn of(&self, lang: Lang) -> &T {
        match lang {
            Lang::Kk => &self.kk,
            Lang::Ru => &self.ru,
            Lang::En => &self.en,
            Lang::Ka => &self.ka,
        }
    }
}

impl<T: DeserializeOwned + Default> Texts<T> {
    /// A text that does not parse is empty; a test reads them all, so none reaches a release.
    fn read([kk, ru, en, ka]: [&str; 4]) -> Self {
        let parse = |text| serde_json::from_str(text).unwrap_or_default();
        Self {
            kk: parse(kk),
            ru: parse(ru),
            en: parse(en),
            ka: parse(ka),
        }
    }
}

/// One section of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LegalSection {
    /// Heading.
    pub title: String,
    /// Paragraphs.
    pub text: Vec<String>,
}

/// A document as it is written.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Document {
    pub(super) title: String,
    pub(super) version: String,
    pub(super) lead: String,
    pub(super) sections: Vec<LegalSection>,
}

macro_rules! texts {
    ($name:ident: $type:ty = $folder:literal) => {
        pub(super) static $name: LazyLock<Texts<$type>> = LazyLock::new(|| {
            Texts::read([
                include_str!(concat!("texts/", $folder, "/kk.json")),
                include_str!(concat!("texts/", $folder, "/ru.json")),
                include_str!(concat!("texts/", $folder, "/en.json")),
                include_str!(concat!("texts/", $folder, "/ka.json")),
            ])
        });
    };
}

texts!(FAQ: Vec<super::FaqGroup> = "faq");
texts!(TERMS: Document = "terms");
texts!(PRIVACY: Document = "privacy");

#[cfg(test)]
mod tests {
    use super::{FAQ, PRIVACY, TERMS};
    use crate::values::Lang;

    const LANGS: [Lang; 4] = [Lang::Kk, Lang::Ru, Lang::En, Lang::Ka];

    #[test]
    fn every_language_has_the_same_answers_under_the_same_names() {
        let names = |lang| -> Vec<Vec<String>> {
            let groups = FAQ.of(lang);
            let items = |group: &crate::features::help::FaqGroup| {
                group.items.iter().map(|item| item.id.clone()).collect()
            };
            groups.iter().map(items).collect()
        };
        assert!(names(Lang::Ru).iter().map(Vec::len).sum::<usize>() >= 10);
        for lang in LANGS {
            assert_eq!(names(lang), names(Lang::Ru), "{lang:?}");
            for item in FAQ.of(lang).iter().flat_map(|group| &group.items) {
                assert!(!item.question.is_empty() && !item.answer.is_empty());
            }
        }
    }

    #[test]
    fn every_language_has_the_same_sections_of_each_document() {
        for texts in [&TERMS, &PRIVACY] {
            let sections = |lang| texts.of(lang).sections.len();
            assert!(sections(Lang::Ru) >= 5);
            for lang in LANGS {
                assert_eq!(sections(lang), sections(Lang::Ru), "{lang:?}");
                assert!(!texts.of(lang).title.is_empty());
            }
        }
    }
}
