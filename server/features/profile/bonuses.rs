//! `/profile/bonuses`: what a guest has to spend and until when, the level with its rules, gifts and coupons, and the
//! orders that bonuses were earned with or spent on (BL-08 to BL-11; screens.md, 2.15).

use serde::Serialize;

use crate::{
    error::Error,
    features::{
        checkout::CodeTerms,
        loaded::{Facts, Loaded, SignedInRequest},
        order_venue::Venue,
        orders::{Placed, placed},
        place::Place,
    },
    upstream::{self, BalanceInfo, Level, Offer, Order, OrderStatus},
    values::{MoneyFormat, Sum},
    web::{
        page::{Page, SignedInPage},
        visit::Visit,
    },
};

/// Where the upstream does not say it: bonuses are gone so many months after the last transaction (BL-08).
const MONTHS: u32 = 12;

/// `/profile/bonuses`
pub const PAGE: SignedInPage = Page::builder("bonuses", "/profile/bonuses").signed_in();

/// Page data of `/profile/bonuses`. What is null could not be had.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BonusesPage {
    /// What there is to spend.
    pub balance: Option<BonusBalance>,
    /// Months after the last transaction until bonuses are gone.
    pub months: u32,
    /// The last moment of those of this guest, milliseconds since the epoch; null where there are none or it is unknown.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub expires_at: Option<i64>,
    /// Level and levels.
    pub standing: Option<BonusStanding>,
    /// Percent that the first bill paid here gives back; null once there was one.
    pub first_bill: Option<f64>,
    /// Gifts of the guest.
    pub gifts: Option<Vec<BonusOffer>>,
    /// Coupons of the guest.
    pub coupons: Option<Vec<BonusOffer>>,
    /// Orders with bonuses, the newest first.
    pub history: Option<Vec<BonusEntry>>,
}

/// What there is to spend, hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BonusBalance {
    /// Both together.
    pub total: Sum,
    /// Bonuses.
    pub bonus: Sum,
    /// Money.
    pub money: Sum,
}

/// Where a guest stands among the levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BonusStanding {
    /// All levels, the lowest first.
    pub levels: Vec<BonusLevel>,
    /// Which of them is the guest's; null when it is unknown.
    pub current: Option<u32>,
    /// Points of the guest.
    pub points: Option<u32>,
    /// Points that the next level still asks for; null on the last one.
    pub to_next: Option<u32>,
    /// Points that the guest's own level still asks for, so that it does not drop; null when there are enough.
    pub to_keep: Option<u32>,
    /// The highest percent that any level gives back.
    pub most: f64,
}

/// A level of the programme.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BonusLevel {
    /// As the upstream calls it.
    pub name: String,
    /// Points from which it holds.
    pub points: u32,
    /// Percent given back.
    pub cashback: f64,
}

/// A gift or a coupon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BonusOffer {
    /// Its name.
    pub name: String,
    /// What is typed into the cart.
    pub code: String,
    /// What it takes off and on what it depends; sums are in the money of the page.
    pub terms: CodeTerms,
}

/// An order that gave bonuses or took some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BonusEntry {
    /// What the venue calls the order.
    pub number: String,
    /// Who made it; may be empty.
    pub place: String,
    /// When, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub at: Option<i64>,
    /// The same in the upstream's words, where they are no time that this program can read (OR-05).
    pub words: Option<String>,
    /// Minutes east of UTC where it was made.
    pub utc_offset: i32,
    /// Given for it, hundredths.
    pub earned: Sum,
    /// Paid with bonuses, hundredths.
    pub spent: Sum,
    /// How both are written where it was made.
    pub money: MoneyFormat,
}

/// Loads `/profile/bonuses`. All its parts are asked for at once, and the page waits for none of them for long.
///
/// # Errors
/// None: what does not come says so itself.
pub async fn load(request: SignedInRequest) -> Result<Loaded<BonusesPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let caller = visit.personal_caller().await.optional();
    let upstream = &visit.app.upstream;
    let (info, plain, gifts, coupons, orders) = tokio::join!(
        upstream.balance_info(&caller),
        upstream.known_balance(&caller),
        upstream.gifts(&caller, None),
        upstream.coupons(&caller, None),
        upstream.orders(&caller, 1, None, None),
    );
    if let Err(upstream::Error::Rejected(rejection)) = &info
        && rejection.code == "account_deleted"
    {
        // The profile asks whether to restore it (AU-16).
        return Ok(Loaded::Redirect(super::PATH.to_owned()));
    }
    let info = info.ok();
    let balance = info.as_ref().map(|info| info.balance).or(plain.ok());
    let history = match orders {
        Ok(page) => Some(history(visit, place, page.items).await),
        Err(_) => None,
    };
    let offers = |answer: Result<Vec<Offer>, _>| answer.ok().map(|all| offers(all, visit.now));
    Ok(Loaded::page(BonusesPage {
        balance: balance.map(|balance| BonusBalance {
            total: balance.total(),
            bonus: balance.bonus,
            money: balance.money,
        }),
        months: info
            .as_ref()
            .and_then(|info| info.expires_in_months)
            .unwrap_or(MONTHS),
        expires_at: info
            .as_ref()
            .filter(|info| info.balance.bonus > Sum(0))
            .and_then(|info| info.expires_at.as_ref()?.last_moment()),
        first_bill: info
            .as_ref()
            .filter(|info| info.is_first_bill && info.first_bill_percentage > 0.0)
            .map(|info| info.first_bill_percentage),
        standing: info.and_then(standing),
        gifts: offers(gifts),
        coupons: offers(coupons),
        history,
    }))
}

/// Where the guest stands: the level is the upstream's word, not reckoned from points, as one that is not kept drops by a
/// single step (BL-10).
fn standing(info: BalanceInfo) -> Option<BonusStanding> {
    let mut levels = info.levels;
    if levels.is_empty() {
        levels.extend(info.level.clone());
    }
    levels.sort_by_key(|level| level.points);
    let most = levels.iter().map(|level| level.cashback).reduce(f64::max)?;
    let own = info.level.as_ref();
    let current = own.and_then(|own| levels.iter().position(|level| level.points == own.points));
    let next = own.and_then(|own| {
        own.next_points
            .or_else(|| above(&levels, own.points).map(|level| level.points))
    });
    let missing = |asked: Option<u32>| {
        asked
            .zip(info.points)
            .map(|(asked, has)| asked.saturating_sub(has))
    };
    Some(BonusStanding {
        current: current.and_then(|index| u32::try_from(index).ok()),
        points: info.points,
        to_next: missing(next),
        to_keep: missing(own.map(|own| own.points)).filter(|points| *points > 0),
        most,
        levels: levels
            .into_iter()
            .map(|level| BonusLevel {
                name: level.name,
                points: level.points,
                cashback: level.cashback,
            })
            .collect(),
    })
}

fn above(levels: &[Level], points: u32) -> Option<&Level> {
    levels.iter().find(|level| level.points > points)
}

/// Those that are not over.
fn offers(all: Vec<Offer>, now: i64) -> Vec<BonusOffer> {
    all.into_iter()
        .filter(|offer| offer.lasts(now))
        .map(|offer| BonusOffer {
            terms: CodeTerms::of_offer(&offer),
            name: offer.name,
            code: offer.code,
        })
        .collect()
}

/// Each with the money and the clock of its venue. What was called off has neither given nor taken anything in the end.
async fn history(visit: &Visit, place: &Place, mut orders: Vec<Order>) -> Vec<BonusEntry> {
    orders.retain(|order| {
        order.status != OrderStatus::Canceled
            && (order.cashback_given > Sum(0) || order.bonus_paid > Sum(0))
    });
    let venues = Venue::of_all(visit, place, orders.iter()).await;
    let entry = |order: Order| {
        let venue = order.venue_id.and_then(|venue_id| venues.get(&venue_id.0));
        let meta = venue.map_or(&place.meta, |venue| &venue.meta);
        let Placed { at, words } = placed(&order, meta);
        BonusEntry {
            number: order.number,
            place: match order.brand_name.is_empty() {
                true => order.venue_name,
                false => order.brand_name,
            },
            at,
            words,
            utc_offset: meta.utc_offset,
            earned: order.cashback_given,
            spent: order.bonus_paid,
            money: meta.money.clone(),
        }
    };
    let mut entries: Vec<BonusEntry> = orders.into_iter().map(entry).collect();
    // Stable: what has no time stays where the upstream has it.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upstream::Balance;

    fn level(name: &str, points: u32, cashback: f64, next: Option<u32>) -> Level {
        Level {
            name: name.to_owned(),
            points,
            cashback,
            next_points: next,
        }
    }

    fn info(points: Option<u32>, own: Option<usize>) -> BalanceInfo {
        // Not in their order, as an upstream may tell them.
        let all = [
            level("family", 15, 10.0, None),
            level("start", 0, 3.0, Some(5)),
            level("friend", 5, 7.5, Some(15)),
        ];
        BalanceInfo {
            balance: Balance::default(),
            points,
            level: own.map(|index| all[index].clone()),
            levels: all.to_vec(),
            expires_in_months: None,
            expires_at: None,
            is_first_bill: false,
            first_bill_percentage: 0.0,
        }
    }

    fn points_of(points: Option<u32>, own: Option<usize>) -> [Option<u32>; 3] {
        let standing = standing(info(points, own)).expect("there are levels");
        let names: Vec<&str> = standing
            .levels
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(names, ["start", "friend", "family"]);
        assert!((standing.most - 10.0).abs() < 0.01);
        [standing.current, standing.to_next, standing.to_keep]
    }

    #[test]
    fn a_level_is_the_upstreams_word_and_points_say_what_the_next_one_asks() {
        assert_eq!(points_of(Some(0), Some(1)), [Some(0), Some(5), None]);
        assert_eq!(points_of(Some(7), Some(2)), [Some(1), Some(8), None]);
        assert_eq!(points_of(Some(40), Some(0)), [Some(2), None, None]);
        // Too few points to keep it: it is still theirs.
        assert_eq!(points_of(Some(2), Some(0)), [Some(2), None, Some(13)]);
        // More points than the next one asks for: it comes with the upstream's word.
        assert_eq!(points_of(Some(20), Some(2)), [Some(1), Some(0), None]);
        assert_eq!(points_of(None, Some(2)), [Some(1), None, None]);
        assert_eq!(points_of(Some(7), None), [None, None, None]);
        let none = BalanceInfo {
            levels: Vec::new(),
            ..info(Some(1), None)
        };
        assert_eq!(standing(none), None);
    }
}
