//! What may be meant by a text that finds nothing.

use futures_util::future::join_all;
use tokio::time::{Instant, timeout_at};

use super::{
    ask::{CALLS, Results, ask},
    data::DishHit,
    instead::{best, popular},
    narrow::Chosen,
};
use crate::{
    features::{page_data::ServiceHits, place::Place},
    upstream::{BrandId, Filters, HitsQuery, Location},
    web::visit::Visit,
};

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
    /// The guest wants this spelling and no other.
    pub(super) exact: bool,
    /// What has not come by then is left out: the page waits no longer.
    pub(super) until: Instant,
}

/// What was found instead, or else what is offered.
#[derive(Default)]
pub(super) struct Instead {
    /// The spelling that was certainly meant, none where it only is another script, and its results.
    pub(super) results: Option<(Option<String>, Results)>,
    /// So many pages of dishes are wanted of each text of these, also where some have not come this time.
    pub(super) calls: u32,
    pub(super) nearest: Option<String>,
    pub(super) others: Vec<ServiceHits>,
    pub(super) popular: Vec<DishHit>,
}

impl Spelling<'_> {
    pub(super) async fn find(&self) -> Instead {
        let (others, written) = tokio::join!(
            self.in_time(self.by_other_services()),
            self.in_time(self.written_otherwise()),
        );
        // What is written as it is called needs no other spelling.
        if !others.is_empty() {
            let popular = popular(self.visit, self.place, self.brand);
            return Instead {
                others,
                popular: self.in_time(popular).await,
                ..Instead::default()
            };
        }
        if written.is_some() {
            return Instead {
                results: written,
                calls: CALLS,
                ..Instead::default()
            };
        }
        let (popular, (venues, alike)) = tokio::join!(
            self.in_time(popular(self.visit, self.place, self.brand)),
            self.names(),
        );
        let names = venues
            .iter()
            .flat_map(|location| [location.name.as_str(), location.brand_name.as_str()])
            .chain(popular.iter().map(|hit| hit.product.name.as_str()))
            .chain(alike.iter().map(String::as_str));
        let near = finding::nearest(names, self.query, self.visit.lang.code());
        let asked = async {
            let near = near?;
            let results = self.ask(&near.written, 1).await;
            // Words of several names are near, and no name may have them all: what finds nothing is not offered.
            (results.total() > 0).then_some((near, results))
        };
        match self.in_time(asked).await {
            Some((near, results)) if near.certain && !self.exact => Instead {
                results: Some((
                    Some(near.spelling),
                    self.whole(&near.written, results).await,
                )),
                calls: CALLS,
                ..Instead::default()
            },
            near => match self.in_time(self.with_most_words()).await {
                None => Instead {
                    nearest: near.map(|(near, _)| near.spelling),
                    popular,
                    ..Instead::default()
                },
                most => Instead {
                    results: most,
                    calls: 1,
                    ..Instead::default()
                },
            },
        }
    }

    /// What has all words but one: two wishes that nothing fits together are found one by one. The best of each are enough.
    async fn with_most_words(&self) -> Option<(Option<String>, Results)> {
        if self.exact || Instant::now() >= self.until {
            return None;
        }
        let spellings = finding::with_fewer_words(self.query);
        let answers = join_all(spellings.iter().map(|spelling| self.ask(spelling, 1))).await;
        let found = spellings.into_iter().zip(answers);
        let (spellings, found): (Vec<String>, Vec<Results>) =
            found.filter(|(_, results)| results.total() > 0).unzip();
        (!found.is_empty()).then(|| (Some(spellings.join(", ")), Results::merged(found)))
    }

    async fn in_time<T: Default>(&self, work: impl Future<Output = T>) -> T {
        timeout_at(self.until, work).await.unwrap_or_default()
    }

    /// The same sounds in another script, else the same keys with another layout. Who writes a name in other letters than
    /// the menu has made no mistake.
    async fn written_otherwise(&self) -> Option<(Option<String>, Results)> {
        if self.exact {
            return None;
        }
        let spellings = finding::spellings(self.query);
        let answers = join_all(spellings.iter().map(|spelling| self.ask(spelling, 1))).await;
        let sounds = finding::wanted(self.query);
        let (is_mended, spelling, first) = spellings
            .into_iter()
            .zip(answers)
            .map(|(spelling, results)| (finding::wanted(&spelling) != sounds, spelling, results))
            .filter(|(is_mended, spelling, results)| {
                results.total() > 0 && (!is_mended || self.is_meant(spelling, results))
            })
            .min_by_key(|(is_mended, ..)| *is_mended)?;
        let results = self.whole(&spelling, first).await;
        Some((is_mended.then_some(spelling), results))
    }

    /// Whether another spelling is like what it has found: the upstream may have it inside of some name by chance.
    fn is_meant(&self, spelling: &str, results: &Results) -> bool {
        let hits = results.hits();
        let dishes = hits.iter().map(|hit| hit.product.name.as_str());
        let venues = results
            .named()
            .flat_map(|location| [location.name.as_str(), location.brand_name.as_str()]);
        finding::is_meant(dishes.chain(venues), spelling, self.visit.lang.code())
    }

    /// All pages of what is shown; one was enough to know that there is something. What does not come in time stays the one.
    async fn whole(&self, spelling: &str, first: Results) -> Results {
        if !first.is_cut() {
            return first;
        }
        match timeout_at(self.until, self.ask(spelling, CALLS)).await {
            Ok(all) if all.failure().is_none() => all,
            _ => first,
        }
    }

    /// How much each of the other services finds; those that find nothing, or do not answer, are left out.
    async fn by_other_services(&self) -> Vec<ServiceHits> {
        let mut others = self.visit.offered();
        others.retain(|service| *service != self.visit.service);
        let answers = join_all(others.iter().map(|service| {
            let (place, brand) = (self.place, self.brand);
            ask(
                self.visit,
                place,
                brand,
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

    async fn ask(&self, spelling: &str, calls: u32) -> Results {
        ask(
            self.visit,
            self.place,
            self.brand,
            self.visit.service,
            spelling,
            self.chosen,
            calls,
        )
        .await
    }

    /// Venues, and names that share half of a word: one slip of the finger leaves one half of it as it should be.
    async fn names(&self) -> (Vec<Location>, Vec<String>) {
        let halves = halves(self.query);
        let alike = halves
            .iter()
            .map(|half| self.in_time(self.names_with(half)));
        let (venues, alike) = tokio::join!(
            self.in_time(best(self.visit, self.place, self.visit.brand())),
            join_all(alike),
        );
        (venues, alike.concat())
    }

    async fn names_with(&self, part: &str) -> Vec<String> {
        let query = HitsQuery {
            text: part.to_owned(),
            inside: true,
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
