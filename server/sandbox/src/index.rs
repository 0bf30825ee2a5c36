//! What names say in every language, folded once for all searches. How a text fits is the rule of the product (`finding`).

use std::collections::HashMap;

use finding::{Fit, Folded, Item, Query};

use crate::model::{Category, Lang, Product, Text};

const LANGS: [Lang; 4] = [Lang::Kk, Lang::Ru, Lang::En, Lang::Ka];

/// The dishes of all menus by their ids.
pub(crate) struct Dishes(HashMap<i64, [Option<Folded>; 4]>);

impl Dishes {
    pub(crate) fn of<'a>(shown: impl Iterator<Item = (&'a Category, &'a Product)>) -> Dishes {
        let folded = shown.map(|(category, product)| {
            let item = |lang| item(category, product, lang);
            let folded = LANGS.map(|lang| item(lang).as_ref().map(Folded::of));
            (product.id, folded)
        });
        Dishes(folded.collect())
    }

    /// How well a dish fits in the language in which it fits best; by its name alone when nothing worse than `Inside` is
    /// wanted. The language of the answer comes with the one that stands in for missing texts.
    pub(crate) fn fit(
        &self,
        query: &Query,
        [wanted, fallback]: [Lang; 2],
        category: &Category,
        product: &Product,
        worst: Fit,
    ) -> Option<Rank> {
        let folded = self.0.get(&product.id)?.iter();
        let read = if product.name.exact(wanted).is_some() {
            wanted
        } else {
            fallback
        };
        let ranks: Vec<Rank> = LANGS
            .into_iter()
            .zip(folded)
            .filter_map(|(lang, folded)| {
                let item = item(category, product, lang)?;
                let is_foreign = lang != read;
                let item = Item { is_foreign, ..item };
                let called = query.fit(&item, folded.as_ref()?, worst)?;
                let fit = if is_foreign {
                    called.max(Fit::Synonym)
                } else {
                    called
                };
                Some(Rank { fit, called })
            })
            .collect();
        let best = ranks.iter().min().copied()?;
        // In one language its name says that it is another thing of its section.
        let is_other =
            best.called == Fit::Mixed && ranks.iter().any(|rank| rank.called == Fit::Other);
        Some(if is_other { Rank::OTHER } else { best })
    }
}

/// How well a dish fits, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// For who reads one language: what is called so in another one has another word for it. The Kazakh name of a fruit
    /// salad has the word that is the plural in Russian.
    pub(crate) fit: Fit,
    /// In the language that it fits best.
    pub(crate) called: Fit,
}

impl Rank {
    const OTHER: Rank = Rank {
        fit: Fit::Other,
        called: Fit::Other,
    };
}

fn item<'a>(category: &'a Category, product: &'a Product, lang: Lang) -> Option<Item<'a>> {
    let said = |text: &'a Text| text.exact(lang).unwrap_or_default();
    Some(Item {
        name: product.name.exact(lang)?,
        section: said(&category.name),
        text: said(&product.description),
        meatless: product.meatless == Some(true),
        out: false,
        is_foreign: false,
    })
}

/// Texts that are looked through as one: each word of a query may be in another of them.
pub(crate) struct Joined(Folded);

impl Joined {
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Joined {
        let name = texts.collect::<Vec<_>>().join("\n");
        Joined(Folded::of(&Item::named(&name)))
    }

    pub(crate) fn fit(&self, query: &Query) -> Option<Fit> {
        query.fit(&Item::named(""), &self.0, Fit::Inside)
    }
}

/// How well the best of some texts fits.
pub(crate) fn fit<'a>(query: &Query, texts: impl Iterator<Item = &'a str>) -> Option<Fit> {
    texts.filter_map(|text| query.fit_name(text)).min()
}
