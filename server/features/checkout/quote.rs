//! What the whole cart costs: goods, every fee, what a promo code and bonuses take off. The cart page and the order are
//! worked out by this one function; nothing of it comes from the browser (CT-08, CT-13, CT-14, CT-21).

use super::{
    BonusState, CartBonus, CartDelivery, CodeTerms, PromoCode, PromoState, delivery, service_sum,
};
use crate::{
    features::page_data::{Total, TotalKind},
    state::carts::Cart,
    upstream::{Class, Error, Reward, Venue, VenueId},
    values::{MoneyFormat, Service, Sum},
    web::visit::Visit,
};

/// The sums of a cart.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// Each fee on its own line, the total last.
    pub totals: Vec<Total>,
    /// What is to be paid.
    pub total: Sum,
    /// The code that the guest has entered.
    pub promo: Option<PromoCode>,
    /// Bonuses.
    pub bonus: CartBonus,
    /// Bringing it, for deliveries.
    pub delivery: Option<CartDelivery>,
}

impl Quote {
    /// Works the sums out for goods of a sum. Bonuses that are spent count in what is ordered, so page and order wait for
    /// them alike; without those that are not both can do.
    pub async fn of(
        visit: &Visit,
        cart: &Cart,
        venue: &Venue,
        service: Service,
        money: &MoneyFormat,
        goods: Sum,
    ) -> Self {
        let bonuses = match cart.bonus.0 {
            0 => Class::Optional,
            _ => Class::Critical,
        };
        let venue_id = venue.location.venue_id;
        let bringing = async {
            match service {
                Service::Delivery => Some(delivery::load(visit, venue, goods).await),
                Service::Express | Service::Takeaway => None,
            }
        };
        // None of them waits for another one.
        let (promo, delivery, reward) = tokio::join!(
            promo(visit, cart, venue_id, goods),
            bringing,
            reward(visit, venue, service, bonuses)
        );
        let discount = promo.as_ref().map_or(Sum(0), |promo| promo.discount);
        let bonus = bonus(cart, reward, money, Sum(goods.0 - discount.0));
        let service_fee = service_sum(goods, venue.service_percentage, money);
        let brought = delivery.as_ref().and_then(|delivery| delivery.price);
        let total = Sum(goods.0 + service_fee.0 + brought.map_or(0, |price| price.0)
            - discount.0
            - bonus.used.0);
        let line = |kind, sum| Total {
            kind,
            sum,
            percent: None,
        };
        let mut totals = vec![line(TotalKind::Goods, goods)];
        if venue.service_percentage > 0 {
            totals.push(Total {
                percent: Some(venue.service_percentage),
                ..line(TotalKind::Service, service_fee)
            });
        }
        totals.extend(brought.map(|price| line(TotalKind::Delivery, price)));
        if discount.0 > 0 {
            totals.push(line(TotalKind::Discount, Sum(-discount.0)));
        }
        if bonus.used.0 > 0 {
            totals.push(line(TotalKind::Bonus, Sum(-bonus.used.0)));
        }
        totals.push(line(TotalKind::Total, total));
        Self {
            totals,
            total,
            promo,
            bonus,
            delivery,
        }
    }
}

/// What the upstream says of the entered code now: never from a cache.
async fn promo(visit: &Visit, cart: &Cart, venue: VenueId, goods: Sum) -> Option<PromoCode> {
    let code = cart.promo_code.clone()?;
    let caller = visit.personal_caller().await;
    let checked = visit
        .app
        .upstream
        .check_promo_code(&caller, venue, &code, goods)
        .await;
    let nothing = |state, terms| (state, Sum(0), terms);
    let (state, discount, terms) = match checked {
        // More off than the goods cost is nothing that could be charged.
        Ok(checked) => (
            PromoState::Applied,
            Sum(checked.discount.0.clamp(0, goods.0.max(0))),
            CodeTerms::of(checked.min_sum, checked.expires_at.as_ref()),
        ),
        Err(Error::NotFound) => nothing(PromoState::Unknown, CodeTerms::default()),
        Err(Error::Rejected(rejection)) => nothing(
            match rejection.code.as_str() {
                "promo_code_expired" => PromoState::Expired,
                "promo_code_sum" => PromoState::Small,
                _ => PromoState::Unknown,
            },
            CodeTerms::of(rejection.min_sum(), None),
        ),
        Err(_) => nothing(PromoState::Failed, CodeTerms::default()),
    };
    Some(PromoCode {
        code,
        state,
        discount,
        terms,
    })
}

/// The bonuses of a guest here (BL-12: asked anew each time), or why there are none to spend.
async fn reward(
    visit: &Visit,
    venue: &Venue,
    service: Service,
    class: Class,
) -> Result<Reward, BonusState> {
    if service == Service::Delivery {
        return Err(BonusState::Delivery);
    }
    let caller = visit.personal_caller().await.with_class(class);
    if caller.bearer.is_none() {
        // No guest is to sign in for what is not to be had here.
        return Err(match venue.private_reward_enabled {
            true => BonusState::SignIn,
            false => BonusState::NotHere,
        });
    }
    let venue_id = venue.location.venue_id;
    let reward = visit.app.upstream.reward(&caller, venue_id).await;
    reward.map_err(|error| match error {
        Error::NotFound => BonusState::NotHere,
        _ => BonusState::Failed,
    })
}

/// How many bonuses may be spent on these goods after discounts, and how many are.
fn bonus(
    cart: &Cart,
    reward: Result<Reward, BonusState>,
    money: &MoneyFormat,
    goods: Sum,
) -> CartBonus {
    let mut bonus = CartBonus {
        state: BonusState::Nothing,
        balance: Sum(0),
        percent: 0,
        max: Sum(0),
        used: Sum(0),
        lowered: false,
    };
    let reward = match reward {
        Ok(reward) => reward,
        Err(state) => return CartBonus { state, ..bonus },
    };
    let percent = reward.max_bonus_usage_percentage.clamp(0.0, 100.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "sums are far below 2^53, the percentage lies within 0 and 100"
    )]
    let (share, whole) = (
        (goods.0.max(0) as f64 * percent / 100.0).floor() as i64,
        percent.floor() as u32,
    );
    bonus.balance = reward.available_balance;
    bonus.percent = whole;
    bonus.max = floor_to(Sum(share.min(reward.available_balance.0.max(0))), money);
    if bonus.max.0 > 0 {
        bonus.state = BonusState::Ready;
    }
    bonus.used = floor_to(Sum(cart.bonus.0.clamp(0, bonus.max.0)), money);
    bonus.lowered = cart.bonus > bonus.used;
    bonus
}

/// Down to what the currency can pay.
#[must_use]
pub fn floor_to(sum: Sum, money: &MoneyFormat) -> Sum {
    let step = if money.fraction_digits == 0 { 100 } else { 1 };
    Sum(sum.0 - sum.0 % step)
}
