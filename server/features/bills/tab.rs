//! Who has what of a bill: dishes that are chosen, being paid or paid, read out of what its guests share.

use std::collections::BTreeMap;

use crate::{
    state::bills::{Claim, ClaimState, Hold, Tab, Units},
    upstream::Bill,
    values::Sum,
};

/// Dishes that were chosen and not paid are free again after so many milliseconds without a word of the guest.
pub(super) const HELD: i64 = 3 * 60 * 1000;
/// A part whose server died before it was written down is free again after this time; nobody may have sent it then.
pub(super) const UNSENT: i64 = 60 * 1000;
/// Between two calls of the waiter from one table.
pub(super) const COOLDOWN: i64 = 60 * 1000;

/// Names the lines of a bill for as long as it is open: a line has no id, and others may come before its like.
pub(super) fn keys(bill: &Bill) -> Vec<String> {
    let mut seen: BTreeMap<(u64, i64), u32> = BTreeMap::new();
    bill.items
        .iter()
        .map(|item| {
            let product = item.product.map_or(0, |product| product.0);
            let nth = seen.entry((product, item.price.0)).or_default();
            *nth += 1;
            format!("{product}-{}-{nth}", item.price.0)
        })
        .collect()
}

/// Without what has run out.
pub(super) fn tidy(tab: &mut Tab, now: i64) {
    tab.holds.retain(|hold| hold.until > now);
}

/// Milliseconds until the waiter can be called again.
pub(super) fn waiter_in(tab: &Tab, now: i64) -> i64 {
    tab.called_at
        .map_or(0, |at| (at + COOLDOWN - now).clamp(0, COOLDOWN))
}

/// How much of one line somebody has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Taken {
    /// Chosen by this guest.
    pub mine: u32,
    /// Chosen or being paid by others.
    pub others: u32,
    /// Being paid by this guest.
    pub paying: u32,
    /// Paid.
    pub paid: u32,
}

/// Who has what of a line.
pub(super) fn taken(tab: &Tab, guest: &str, key: &str) -> Taken {
    let of = |units: &Units| units.get(key).copied().unwrap_or(0);
    let mut taken = Taken::default();
    for hold in &tab.holds {
        if hold.guest == guest {
            taken.mine += of(&hold.units);
        } else {
            taken.others += of(&hold.units);
        }
    }
    for claim in &tab.claims {
        match claim.state {
            ClaimState::Paying if claim.guest == guest => taken.paying += of(&claim.units),
            ClaimState::Paying => taken.others += of(&claim.units),
            ClaimState::Paid => taken.paid += of(&claim.units),
            ClaimState::Ended => {}
        }
    }
    taken
}

/// Puts a guest's choice in the place of the one before, as far as others have left it. False: not all of it was free.
pub(super) fn hold(tab: &mut Tab, bill: &Bill, guest: &str, wanted: &Units, now: i64) -> bool {
    tidy(tab, now);
    tab.holds.retain(|hold| hold.guest != guest);
    let mut units = Units::new();
    let mut whole = true;
    for (key, item) in keys(bill).into_iter().zip(&bill.items) {
        let wanted = wanted.get(&key).copied().unwrap_or(0);
        let gone = taken(tab, guest, &key);
        let free = item
            .count
            .saturating_sub(gone.others + gone.paying + gone.paid);
        whole &= wanted <= free;
        if wanted.min(free) > 0 {
            units.insert(key, wanted.min(free));
        }
    }
    if !units.is_empty() {
        tab.holds.push(Hold {
            guest: guest.to_owned(),
            units,
            until: now + HELD,
        });
    }
    whole
}

/// What a guest has chosen.
pub(super) fn held<'a>(tab: &'a Tab, guest: &str) -> Option<&'a Hold> {
    tab.holds.iter().find(|hold| hold.guest == guest)
}

/// What these dishes cost without service.
pub(super) fn worth(bill: &Bill, units: &Units) -> i64 {
    keys(bill)
        .iter()
        .zip(&bill.items)
        .map(|(key, item)| {
            let count = units.get(key).copied().unwrap_or(0).min(item.count);
            // A line's sum may be less than its pieces: a promo of the venue.
            if count == item.count {
                item.sum.0
            } else {
                item.sum.0 * i64::from(count) / i64::from(item.count.max(1))
            }
        })
        .sum()
}

/// Whether nobody can choose a dish any more once these are paid.
pub(super) fn is_last(tab: &Tab, bill: &Bill, units: &Units) -> bool {
    keys(bill).iter().zip(&bill.items).all(|(key, item)| {
        let gone: u32 = parts(tab)
            .map(|claim| claim.units.get(key).copied().unwrap_or(0))
            .sum();
        gone + units.get(key).copied().unwrap_or(0) >= item.count
    })
}

/// Parts that are being paid or were.
pub(super) fn parts(tab: &Tab) -> impl Iterator<Item = &Claim> {
    tab.claims
        .iter()
        .filter(|claim| claim.state != ClaimState::Ended)
}

/// What is left of a bill: without parts that are on their way to the upstream as well.
pub(super) fn left(tab: &Tab, bill: &Bill) -> Sum {
    let on_their_way: i64 = parts(tab)
        .filter(|claim| claim.state == ClaimState::Paying && claim.payment.is_none())
        .map(|claim| claim.sum.0)
        .sum();
    Sum((bill.left_sum.0 - on_their_way).max(0))
}

/// Which part of a guest's the next one is.
pub(super) fn next_turn(tab: &Tab, guest: &str) -> u32 {
    let own = tab.claims.iter().filter(|claim| claim.guest == guest);
    own.map(|claim| claim.turn + 1).max().unwrap_or(0)
}

/// The sum of a guest's parts that are being paid.
pub(super) fn paying(tab: &Tab, guest: &str) -> Sum {
    let own = parts(tab).filter(|claim| claim.guest == guest && claim.state == ClaimState::Paying);
    Sum(own.map(|claim| claim.sum.0).sum())
}

/// Finds a part by its key.
pub(super) fn claim_mut<'a>(tab: &'a mut Tab, key: &str) -> Option<&'a mut Claim> {
    tab.claims.iter_mut().find(|claim| claim.key == key)
}
