//! What may be meant by a text that finds nothing.

use futures_util::future::join_all;

use super::{
    ask::{Results, ask},
    data::{DishHit, ServiceHits},
    instead::{best, popular},
    narrow::Chosen,
};
use crate::{
    features::{
        finding::{self, Near},
        place::Place,
    },
    upstream::{BrandId, Filters, HitsQuery},
    web::visit::Visit,
};

/// Spellings of other keyboards and scripts that are tried.
const SPELLINGS: usize = 3;
/// Words whose neighbours are asked for.
const WORDS: usize = 2;
/// A shorter word is near to too many others.
const SHORTEST: usize = 4;
/// Names that are read to find a near one.
const NAMES: u32 = 50;

/// A text that finds nothing as it is written.
pub(super) struct Spelling<'a> {
    pub(super) visit: &'a Visit,
    pub(super) place: &'a Place,
    pub(super) brand: Option<BrandId>,
    pub(super) query: &'a str,
    pub(super) chosen: &'a Chosen,
    pub(super) page: u32,
    /// The guest wants this spelling and no other.
    pub(super) exact: bool,
}

/// What was found instead, or else what is offered.
#[derive(Default)]
pub(super) struct Instead {
    /// The spelling that was certainly meant, and its results.
    pub(super) results: Option<(String, Results)>,
    pub(super) nearest: Option<String>,
    pub(super) others: Vec<ServiceHits>,
    pub(super) popular: Vec<DishHit>,
}

impl Spelling<'_> {
    pub(super) async fn find(&self) -> Instead {
        // What is written as it is called needs no other spelling.
        let others = self.by_other_services().await;
        if !others.is_empty() {
            return Instead {
                others,
                popular: popular(self.visit, self.place, self.brand).await,
                ..Instead::default()
            };
        }
        if !self.exact
            && let Some(results) = self.written_otherwise().await
        {
            return Instead {
                results: Some(results),
                ..Instead::default()
            };
        }
        let popular = popular(self.visit, self.place, self.brand).await;
        let near = self.nearest(&popular).await;
        match near {
            Some(near) if near.certain && !self.exact => {
                let results = self.ask(&near.spelling).await;
                if results.total() > 0 {
                    return Instead {
                        results: Some((near.spelling, results)),
                        ..Instead::default()
                    };
                }
                Instead {
                    popular,
                    ..Instead::default()
                }
            }
            near => Instead {
                nearest: near.map(|near| near.spelling),
                popular,
                ..Instead::default()
            },
        }
    }

    /// The same keys with another layout, the same sounds in another script.
    async fn written_otherwise(&self) -> Option<(String, Results)> {
        let spellings: Vec<String> = finding::spellings(self.query)
            .into_iter()
            .take(SPELLINGS)
            .collect();
        let answers = join_all(spellings.iter().map(|spelling| self.ask(spelling))).await;
        spellings
            .into_iter()
            .zip(answers)
            .find(|(_, results)| results.total() > 0)
    }

    /// How much each of the other services finds; those that find nothing, or do not answer, are left out.
    async fn by_other_services(&self) -> Vec<ServiceHits> {
        let mut others = self.visit.offered();
        others.retain(|service| *service != self.visit.service);
        let answers = join_all(others.iter().map(|service| {
            ask(
                self.visit,
                self.place,
                self.brand,
                *service,
                self.query,
                self.chosen,
                1,
            )
        }))
        .await;
        let totals = answers.iter().map(Results::total);
        others
            .into_iter()
            .zip(totals)
            .filter(|(_, total)| *total > 0)
            .map(|(service, total)| ServiceHits { service, total })
            .collect()
    }

    async fn ask(&self, spelling: &str) -> Results {
        ask(
            self.visit,
            self.place,
            self.brand,
            self.visit.service,
            spelling,
            self.chosen,
            self.page,
        )
        .await
    }

    /// Out of the names of venues, of popular dishes and of those that share half of a word: one slip of the finger
    /// leaves one half of it as it should be.
    async fn nearest(&self, popular: &[DishHit]) -> Option<Near> {
        let halves = halves(self.query);
        let (venues, alike) = tokio::join!(
            best(self.visit, self.place, self.visit.brand()),
            join_all(halves.iter().map(|half| self.names_with(half))),
        );
        let names = venues
            .iter()
            .flat_map(|location| [location.name.as_str(), location.brand_name.as_str()])
            .chain(popular.iter().map(|hit| hit.product.name.as_str()))
            .chain(alike.iter().flatten().map(String::as_str));
        finding::nearest(names, self.query)
    }

    async fn names_with(&self, part: &str) -> Vec<String> {
        let query = HitsQuery {
            text: part.to_owned(),
            kind: None,
            filters: Filters::default(),
            service: Some(self.visit.service),
            town: self.place.upstream_town(),
            brand: self.brand,
            page: 1,
            limit: NAMES,
        };
        let caller = self.visit.caller(self.place.centre()).optional();
        let found = self
            .visit
            .app
            .upstream
            .search_products(&caller, &query)
            .await;
        found
            .map(|hits| {
                hits.items
                    .iter()
                    .map(|hit| hit.product.name.clone())
                    .collect()
            })
            .unwrap_or_default()
    }
}

/// Both halves of the longest words.
fn halves(query: &str) -> Vec<String> {
    let mut words: Vec<Vec<char>> = query
        .split(|letter: char| !letter.is_alphanumeric())
        .map(|word| word.chars().collect())
        .filter(|word: &Vec<char>| word.len() >= SHORTEST)
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
        .iter()
        .take(WORDS)
        .flat_map(|word| {
            let (left, right) = word.split_at(word.len() / 2);
            [left.iter().collect(), right.iter().collect()]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::halves;

    #[test]
    fn the_longest_words_are_halved() {
        assert_eq!(halves("суп с лагмна"), ["лаг", "мна"]);
        assert_eq!(
            halves("плов по-казахски чайхана"),
            ["каза", "хски", "чай", "хана"]
        );
    }
}
