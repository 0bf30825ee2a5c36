//! Balances and the private reward (BL-01 to BL-05). Never cached: what is shown may be spent.

use super::{
    Caller, Error, Level, Upstream, Venue, VenueId, When,
    address::Path,
    breaker::Part,
    call::Call,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::Sum;

/// What a guest has to spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    /// Bonuses.
    pub bonus: Sum,
    /// Money.
    pub money: Sum,
}

/// The balance with the rules of the loyalty programme.
#[derive(Debug, Clone, PartialEq)]
pub struct BalanceInfo {
    /// What there is.
    pub balance: Balance,
    /// Points of the guest.
    pub points: Option<u32>,
    /// Level of the guest.
    pub level: Option<Level>,
    /// All levels.
    pub levels: Vec<Level>,
    /// Months after the last transaction until bonuses are gone.
    pub expires_in_months: Option<u32>,
    /// When those of this guest are, if nothing happens before (BL-08).
    pub expires_at: Option<When>,
    /// The next bill is the first one paid here (ZZ-15).
    pub is_first_bill: bool,
    /// Percent given back for the first bill.
    pub first_bill_percentage: f64,
}

/// The reward of one venue.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the upstream's own names")]
pub struct Reward {
    pub balance: Sum,
    pub available_balance: Sum,
    pub cashback_amount: f64,
    pub cashback_used_balance: Sum,
    pub max_bonus_usage_percentage: f64,
}

/// What the header shows at a venue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ShownBalance {
    /// The plain balance.
    Plain(Balance),
    /// The venue's own reward.
    Reward(Reward),
    /// Nothing: the venue hides it (BL-03).
    Nothing,
    /// There is one, but no answer came in time.
    Unknown,
}

impl Upstream {
    /// The plain balance; 0 when the answer is a failure (BL-02), none when there was no answer: what was not told is not
    /// nothing. The failure is in the log already.
    pub async fn balance(&self, caller: &Caller) -> Option<Balance> {
        match self.known_balance(caller).await {
            Ok(balance) => Some(balance),
            Err(Error::NotFound) => Some(Balance::default()),
            Err(error) => error.said().map(|_| Balance::default()),
        }
    }

    /// The plain balance, for a page that says so when it can't be had.
    pub async fn known_balance(&self, caller: &Caller) -> Result<Balance, Error> {
        let call = Call::get(caller, Part::Balances, Path::fixed("balance/user"));
        self.ask(call, wire::data).await
    }

    /// The balance with levels and rules.
    pub async fn balance_info(&self, caller: &Caller) -> Result<BalanceInfo, Error> {
        let path = Path::fixed("ladder-go/api/v1/balance/calculate-info");
        self.ask(Call::get(caller, Part::Balances, path), wire::data)
            .await
    }

    /// The reward of one venue; `NotFound` if it has none.
    pub async fn reward(&self, caller: &Caller, venue: VenueId) -> Result<Reward, Error> {
        let call = Call::get(
            caller,
            Part::Balances,
            Path::fixed("private-reward/api/v1/balance"),
        );
        self.ask(
            call.query(Query::new().with("filial_id", venue)),
            wire::data,
        )
        .await
    }

    /// What the header shows at a venue: its reward, or the plain balance when that fails, unless the venue hides the
    /// button (BL-03, BL-04).
    pub async fn shown_balance(&self, caller: &Caller, venue: Option<&Venue>) -> ShownBalance {
        if let Some(venue) = venue.filter(|venue| venue.private_reward_enabled) {
            match self.reward(caller, venue.location.venue_id).await {
                Ok(reward) => return ShownBalance::Reward(reward),
                Err(_) if venue.private_reward_button_disabled => return ShownBalance::Nothing,
                Err(_) => {}
            }
        }
        self.balance(caller)
            .await
            .map_or(ShownBalance::Unknown, ShownBalance::Plain)
    }
}

impl Balance {
    /// Bonuses and money (BL-01).
    #[must_use]
    pub fn total(self) -> Sum {
        Sum(self.bonus.0.saturating_add(self.money.0))
    }
}

impl FromWire for Balance {
    /// One of the two may be missing; without both it is unknown, not zero.
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let (bonus, money) = (wire.sum("bonus_kzt"), wire.sum("money_kzt"));
        if bonus.is_none() && money.is_none() {
            return Err(Bad("balance"));
        }
        Ok(Self {
            bonus: bonus.unwrap_or_default(),
            money: money.unwrap_or_default(),
        })
    }
}

impl FromWire for BalanceInfo {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            balance: Balance::from_wire(wire)?,
            points: wire.count("points"),
            level: wire.node("level"),
            levels: wire.list("levels"),
            expires_in_months: wire.count("expires_in_months"),
            expires_at: wire.text("expires_at").map(When::from_text),
            is_first_bill: wire.flag("is_first_bill").unwrap_or(false),
            first_bill_percentage: wire.number("first_bill_percentage").unwrap_or(0.0),
        })
    }
}

impl FromWire for Reward {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let sum = |key| wire.sum(key).unwrap_or_default();
        Ok(Self {
            balance: wire.sum("balance").ok_or(Bad("balance"))?,
            available_balance: sum("available_balance"),
            cashback_amount: wire.number("cashback_amount").unwrap_or(0.0),
            cashback_used_balance: sum("cashback_used_balance"),
            max_bonus_usage_percentage: wire.number("max_bonus_usage_percentage").unwrap_or(0.0),
        })
    }
}
