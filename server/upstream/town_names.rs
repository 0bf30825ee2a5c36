//! Names of towns in the four languages, by the key that the upstream gives with each (LC-09).

use crate::values::Lang;

/// In Kazakh, Russian, English and Georgian. Kazakh writes Georgian towns as Russian does.
const NAMES: [(&str, [&str; 4]); 26] = [
    ("almaty", ["Алматы", "Алматы", "Almaty", "ალმათი"]),
    ("astana", ["Астана", "Астана", "Astana", "ასტანა"]),
    ("shymkent", ["Шымкент", "Шымкент", "Shymkent", "შიმკენტი"]),
    ("semey", ["Семей", "Семей", "Semey", "სემეი"]),
    (
        "karaganda",
        ["Қарағанды", "Караганда", "Karaganda", "ყარაღანდა"],
    ),
    ("atyrau", ["Атырау", "Атырау", "Atyrau", "ათირაუ"]),
    ("aktau", ["Ақтау", "Актау", "Aktau", "აქთაუ"]),
    (
        "pavlodar",
        ["Павлодар", "Павлодар", "Pavlodar", "პავლოდარი"],
    ),
    ("temirtau", ["Теміртау", "Темиртау", "Temirtau", "თემირთაუ"]),
    ("aktobe", ["Ақтөбе", "Актобе", "Aktobe", "აქთობე"]),
    ("uralsk", ["Орал", "Уральск", "Uralsk", "ურალსკი"]),
    (
        "taldykorgan",
        ["Талдықорған", "Талдыкорган", "Taldykorgan", "თალდიყორღანი"],
    ),
    ("kostanay", ["Қостанай", "Костанай", "Kostanay", "ყოსთანაი"]),
    (
        "kokshetau",
        ["Көкшетау", "Кокшетау", "Kokshetau", "ქოქშეთაუ"],
    ),
    (
        "ustkamenogorsk",
        [
            "Өскемен",
            "Усть-Каменогорск",
            "Ust-Kamenogorsk",
            "უსტ-კამენოგორსკი",
        ],
    ),
    ("konaev", ["Қонаев", "Конаев", "Konaev", "კონაევი"]),
    (
        "kyzylorda",
        ["Қызылорда", "Кызылорда", "Kyzylorda", "ყიზილორდა"],
    ),
    (
        "petropavlovsk",
        [
            "Петропавл",
            "Петропавловск",
            "Petropavlovsk",
            "პეტროპავლოვსკი",
        ],
    ),
    ("taraz", ["Тараз", "Тараз", "Taraz", "ტარაზი"]),
    ("tbilisi", ["Тбилиси", "Тбилиси", "Tbilisi", "თბილისი"]),
    ("batumi", ["Батуми", "Батуми", "Batumi", "ბათუმი"]),
    ("kutaisi", ["Кутаиси", "Кутаиси", "Kutaisi", "ქუთაისი"]),
    ("rustavi", ["Рустави", "Рустави", "Rustavi", "რუსთავი"]),
    ("zugdidi", ["Зугдиди", "Зугдиди", "Zugdidi", "ზუგდიდი"]),
    ("gori", ["Гори", "Гори", "Gori", "გორი"]),
    ("poti", ["Поти", "Поти", "Poti", "ფოთი"]),
];

/// The name behind a translation key. How keys are written is not specified: `town.almaty`, `Almaty`, `ust_kamenogorsk`
/// and `ust-kamenogorsk` are all read.
pub(super) fn name_of(key: &str, lang: Lang) -> Option<&'static str> {
    let last = key.rsplit('.').next().unwrap_or(key);
    let letters: String = last
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let (_, [kk, ru, en, ka]) = NAMES.iter().find(|(known, _)| *known == letters)?;
    Some(match lang {
        Lang::Kk => kk,
        Lang::Ru => ru,
        Lang::En => en,
        Lang::Ka => ka,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_language_has_a_name_of_its_own_for_each_town() {
        for lang in Lang::ALL {
            let names: BTreeSet<_> = NAMES
                .iter()
                .filter_map(|(key, _)| name_of(key, lang))
                .collect();
            assert_eq!(names.len(), NAMES.len(), "{}", lang.code());
        }
        // In their own letters.
        for (key, [kk, ru, en, ka]) in NAMES {
            let cyrillic = |name: &str| name.chars().any(|letter| ('а'..='я').contains(&letter));
            assert!(cyrillic(kk) && cyrillic(ru), "{key}");
            assert!(en.is_ascii(), "{key}");
            assert!(
                ka.chars().any(|letter| ('ა'..='ჰ').contains(&letter)),
                "{key}"
            );
        }
    }

    #[test]
    fn a_key_is_read_however_it_is_written() {
        for key in [
            "town.ust_kamenogorsk",
            "ust-kamenogorsk",
            "Ust-Kamenogorsk",
            "UST KAMENOGORSK",
        ] {
            assert_eq!(name_of(key, Lang::Kk), Some("Өскемен"), "{key}");
        }
        for key in ["", "town.", "town.paris", "almaty.", "алматы"] {
            assert_eq!(name_of(key, Lang::Ru), None, "{key}");
        }
    }
}
