//! The few words that the server says itself, where no V8 renders them: texts compiled in.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::values::Lang;

/// The texts of one language that such a page can need.
macro_rules! texts {
    ($lang:literal) => {
        [
            include_str!(concat!("../../components/locales/", $lang, ".json")),
            include_str!(concat!("../../components/locales/error/", $lang, ".json")),
            include_str!(concat!(
                "../../components/locales/notFound/",
                $lang,
                ".json"
            )),
            include_str!(concat!(
                "../../components/overlays/kiosk/texts/",
                $lang,
                ".json"
            )),
        ]
    };
}

static TEXTS: LazyLock<[Map<String, Value>; 4]> = LazyLock::new(|| {
    [texts!("kk"), texts!("ru"), texts!("en"), texts!("ka")].map(|files| {
        files
            .iter()
            // The bundler has checked the files; a broken one costs texts here, never an answer.
            .filter_map(|text| serde_json::from_str::<Map<String, Value>>(text).ok())
            .flatten()
            .collect()
    })
});

/// A text of the catalogues; the product's name when it has none.
pub fn text_of(lang: Lang, key: &str) -> &'static str {
    let place = Lang::ALL
        .iter()
        .position(|known| *known == lang)
        .unwrap_or_default();
    TEXTS
        .get(place)
        .and_then(|texts| texts.get(key))
        .and_then(Value::as_str)
        .unwrap_or("Dastarkhan")
}

#[cfg(test)]
mod tests {
    use super::text_of;
    use crate::values::Lang;

    #[test]
    fn the_given_texts_stand_letter_for_letter() {
        assert_eq!(
            text_of(Lang::En, "error.unavailable"),
            "Oops! An error occurred on the server"
        );
        assert_eq!(
            text_of(Lang::Kk, "error.unavailable"),
            "Қап! Серверде қате бар"
        );
    }

    #[test]
    fn every_language_has_every_text_of_the_page() {
        for lang in Lang::ALL {
            for key in [
                "error.forbidden",
                "error.soon",
                "notFound.page",
                "notFound.text",
                "error.overloaded",
                "error.badRequest",
                "error.tooLarge",
                "error.tooLargeText",
                "error.unavailable",
                "error.late",
                "app.toHome",
                "app.retry",
            ] {
                assert_ne!(text_of(lang, key), "Dastarkhan", "{key} in {}", lang.code());
            }
        }
    }
}
