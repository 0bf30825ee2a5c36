//! Parts that were begun and not paid make way for guests who pay, and dishes that are chosen again and again are there for
//! the guest who pays them first. Otherwise anyone with the address of a table could block its bill without ever paying
//! (PY-14, SC-03).

use std::{net::IpAddr, time::Duration};

use super::{
    off::{self, Off},
    tab,
};
use crate::{
    error::Error,
    keys::sign::Signer,
    state::bills::{Claim, ClaimState, Tab, Units},
    upstream::{Bill, BillId},
    values::Sum,
    web::app::App,
};

/// Unpaid parts of the last hour count, milliseconds.
const COUNTED: i64 = 60 * 60 * 1000;
/// Guests of one address: a party behind the venue's network.
const GUESTS: usize = 3;

/// For how long an unpaid part blocks others, and how many of them one guest may leave.
#[derive(Debug, Clone, Copy)]
pub(super) struct WaitLimits {
    /// Milliseconds.
    wait: i64,
    /// Of one guest, in an hour.
    unpaid: usize,
    /// Milliseconds for which a dish may be chosen in all, by all guests together: a session costs one request.
    chosen: i64,
}

impl WaitLimits {
    pub fn of(app: &App) -> Self {
        Self {
            wait: i64::from(app.config.bill_wait_seconds) * 1000,
            unpaid: usize::try_from(app.config.bill_unpaid_per_hour).unwrap_or(usize::MAX),
            chosen: i64::from(app.config.bill_chosen_seconds) * 1000,
        }
    }

    /// Whether a part is at the bank for so long that others need not wait for it any more.
    fn is_over(self, claim: &Claim, now: i64) -> bool {
        claim.state == ClaimState::Paying
            && claim.payment.is_some()
            && now.saturating_sub(claim.at) >= self.wait
    }

    /// Parts that make way for this guest.
    fn late<'a>(
        self,
        shared: &'a Tab,
        guest: &'a str,
        now: i64,
    ) -> impl Iterator<Item = &'a Claim> {
        let claims = shared.claims.iter();
        claims.filter(move |claim| claim.guest != guest && self.is_over(claim, now))
    }

    /// How many parts wait for too long, of all guests: pages are told when one more does.
    pub fn count(self, shared: &Tab, now: i64) -> usize {
        self.late(shared, "", now).count()
    }

    /// The bill and its guests as this guest may have them: what makes way is there to be paid.
    pub fn seen_by(self, guest: &str, bill: &Bill, shared: &Tab, now: i64) -> (Bill, Tab) {
        let late: i64 = self.late(shared, guest, now).map(|claim| claim.sum.0).sum();
        let (mut bill, mut seen) = (bill.clone(), self.without_worn(guest, bill, shared));
        for claim in &mut seen.claims {
            if claim.guest != guest && self.is_over(claim, now) {
                claim.state = ClaimState::Ended;
            }
        }
        // The upstream may have given one of them up by itself.
        let most = bill.sum.0 - bill.paid_sum.0;
        bill.left_sum = Sum((bill.left_sum.0 + late).min(most).max(bill.left_sum.0));
        (bill, seen)
    }

    /// Without dishes that others keep chosen for too long: they may be chosen and paid all the same.
    pub fn without_worn(self, guest: &str, bill: &Bill, shared: &Tab) -> Tab {
        let mut seen = shared.clone();
        let worn = tab::worn(shared, bill, self.chosen);
        for hold in &mut seen.holds {
            if hold.guest != guest {
                hold.units.retain(|key, _| !worn.contains(key));
            }
        }
        seen
    }

    /// Chooses dishes for a guest in the place of those before, as far as they can be had. False: not all of them can.
    pub fn hold(
        self,
        shared: &mut Tab,
        bill: &Bill,
        guest: &str,
        wanted: &Units,
        now: i64,
    ) -> bool {
        tab::tidy(shared, now);
        // What others have begun long ago and not paid is no longer theirs.
        let seen = self.seen_by(guest, bill, shared, now).1;
        let (units, whole) = tab::free(&seen, bill, guest, wanted);
        tab::choose(shared, guest, units, now);
        whole
    }

    /// How long a guest, or everybody of an address, has to wait before another part can be begun.
    pub fn rest(self, shared: &Tab, guest: &str, from: Option<&str>, now: i64) -> Option<Duration> {
        let unpaid = |is_theirs: &dyn Fn(&Claim) -> bool, most: usize| {
            let mut at: Vec<i64> = shared
                .claims
                .iter()
                .filter(|claim| claim.payment.is_some() && is_theirs(claim))
                .filter(|claim| claim.state == ClaimState::Ended || self.is_over(claim, now))
                .map(|claim| claim.at)
                .collect();
            at.sort_unstable_by(|one, other| other.cmp(one));
            let until = at.get(most.checked_sub(1)?)? + COUNTED;
            u64::try_from(until - now).ok().filter(|left| *left > 0)
        };
        let own = unpaid(&|claim| claim.guest == guest, self.unpaid);
        let all = from.and_then(|from| {
            let is_theirs = |claim: &Claim| claim.from.as_deref() == Some(from);
            unpaid(&is_theirs, self.unpaid.saturating_mul(GUESTS))
        });
        own.max(all).map(Duration::from_millis)
    }

    /// Calls off all that makes way for this guest, at the upstream first. False: one of them may still be paid. A death
    /// in between leaves nothing behind: the next look at the bill asks how the part stands.
    pub async fn make_way(
        self,
        app: &App,
        bill: &BillId,
        shared: &Tab,
        guest: &str,
        now: i64,
    ) -> Result<bool, Error> {
        let mut is_free = true;
        for claim in self.late(shared, guest, now) {
            is_free &= call_off(app, bill, claim).await?;
        }
        Ok(is_free)
    }
}

/// Whether the part holds nothing any more: it is called off, or paid.
async fn call_off(app: &App, bill: &BillId, claim: &Claim) -> Result<bool, Error> {
    let off = off::tell_of_claim(app, bill, claim).await?;
    if off == Off::Free {
        metrics::counter!("bill_payments_total", "outcome" => "made_way").increment(1);
    }
    Ok(off != Off::Waits)
}

/// By what parts of one address are known at one bill: it leads to no address.
pub(super) fn name_of(app: &App, bill: &str, client: Option<IpAddr>) -> Option<String> {
    let client = client?.to_string();
    let signer = Signer::new(&app.keys, "address at a bill");
    Some(signer.sign::<16>(&[bill.as_bytes(), b" ", client.as_bytes()]))
}
