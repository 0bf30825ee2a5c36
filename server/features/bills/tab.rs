//! Who has what of a bill: dishes that are chosen, being paid or paid, read out of what its guests share.

use std::collections::BTreeMap;

use crate::{
    state::bills::{Claim, ClaimState, Hold, Tab, Units},
    upstream::{Bill, BillItem, PaymentStatus},
    values::Sum,
};

/// Dishes that were chosen and not paid are free again after this many milliseconds without a request of the guest.
pub(super) const HOLD_TIME: i64 = 3 * 60 * 1000;
/// What stays chosen has never less than this left: the bill is looked at often enough in between.
const LEAST_LEFT: i64 = HOLD_TIME - 60 * 1000;
/// A part whose server died before it was written down is free again after this time: it can't have been sent.
pub(super) const UNSENT: i64 = 60 * 1000;
/// Between two calls of the waiter from one table.
pub(super) const COOLDOWN: i64 = 60 * 1000;

/// Calls of waiters that one guest makes in an hour, to whatever tables. Who sits at one needs one or two; a script could
/// ring at every table of a town.
const CALLS: usize = 10;
const HOUR: i64 = 60 * 60 * 1000;

/// Writes down a call of this guest's; false: there were too many.
pub(super) fn call(tab: &mut Tab, now: i64) -> bool {
    tab.calls.retain(|at| now - at < HOUR);
    let is_fine = tab.calls.len() < CALLS;
    if is_fine {
        tab.calls.push(now);
    }
    is_fine
}

/// Takes back one that was not heard.
pub(super) fn uncall(tab: &mut Tab, now: i64) {
    if let Some(one) = tab.calls.iter().position(|at| *at == now) {
        tab.calls.remove(one);
    }
}

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

/// How much of one line a guest has.
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
            ClaimState::Paid => taken.paid += of(&claim.units) + of(&claim.rest),
            ClaimState::Ended => {}
        }
    }
    taken
}

/// Puts a guest's choice in the place of the one before, as far as others have left it. False: not all of it was free.
pub(super) fn hold(tab: &mut Tab, bill: &Bill, guest: &str, wanted: &Units, now: i64) -> bool {
    tidy(tab, now);
    let (units, whole) = free(tab, bill, guest, wanted);
    choose(tab, guest, units, now);
    whole
}

/// What others have left of it, and whether that is all.
pub(super) fn free(tab: &Tab, bill: &Bill, guest: &str, wanted: &Units) -> (Units, bool) {
    let mut units = Units::new();
    let mut whole = true;
    for (key, item) in keys(bill).into_iter().zip(&bill.items) {
        let wanted = wanted.get(&key).copied().unwrap_or(0);
        let gone = taken(tab, guest, &key);
        let gone = gone.others + gone.paying + gone.paid + pending(tab, bill, &key);
        let free = item.count.saturating_sub(gone);
        whole &= wanted <= free;
        if wanted.min(free) > 0 {
            units.insert(key, wanted.min(free));
        }
    }
    (units, whole)
}

/// Holds them in the place of those before.
pub(super) fn choose(tab: &mut Tab, guest: &str, units: Units, now: i64) {
    let_go(tab, guest, now);
    if !units.is_empty() {
        count(&mut tab.chosen, &units, HOLD_TIME);
        tab.holds.push(Hold {
            guest: guest.to_owned(),
            units,
            until: now + HOLD_TIME,
        });
    }
}

/// A guest holds nothing any more. The time that is left of it counts no more, either.
pub(super) fn let_go(tab: &mut Tab, guest: &str, now: i64) {
    let Tab { holds, chosen, .. } = tab;
    holds.retain(|hold| {
        let is_own = hold.guest == guest;
        if is_own {
            count(chosen, &hold.units, (now - hold.until).min(0));
        }
        !is_own
    });
}

/// Adds to the time for which pieces were chosen.
fn count(chosen: &mut BTreeMap<String, i64>, units: &Units, millis: i64) {
    for (key, pieces) in units {
        let time = chosen.entry(key.clone()).or_default();
        *time = (*time + millis * i64::from(*pieces)).max(0);
    }
}

/// Lines whose pieces were chosen for longer than that without being paid, by all guests together.
pub(super) fn worn(tab: &Tab, bill: &Bill, longest: i64) -> Vec<String> {
    let lines = keys(bill).into_iter().zip(&bill.items);
    lines
        .filter(|(key, item)| {
            let chosen = tab.chosen.get(key).copied().unwrap_or(0);
            chosen > longest * i64::from(item.count)
        })
        .map(|(key, _)| key)
        .collect()
}

/// Whether no other guest has anything of what a guest has chosen.
pub(super) fn is_free(tab: &Tab, bill: &Bill, guest: &str) -> bool {
    keys(bill).iter().zip(&bill.items).all(|(key, item)| {
        let Taken {
            mine,
            others,
            paying,
            paid,
        } = taken(tab, guest, key);
        let gone = others + paying + paid + pending(tab, bill, key);
        mine == 0 || mine + gone <= item.count
    })
}

/// What a guest has chosen.
pub(super) fn hold_of<'a>(tab: &'a Tab, guest: &str) -> Option<&'a Hold> {
    tab.holds.iter().find(|hold| hold.guest == guest)
}

/// While one guest pays all that is left, others can't pay what they have chosen: it stays chosen meanwhile, and for
/// some time after that payment has come to nothing. True: something has changed.
pub(super) fn keep(tab: &mut Tab, bill: &Bill, now: i64) -> bool {
    let is_paying = parts(tab).any(|claim| claim.state == ClaimState::Paying);
    if !is_paying || left(tab, bill).0 > 0 {
        return false;
    }
    let Tab { holds, chosen, .. } = tab;
    let mut changed = false;
    for hold in holds {
        if hold.until > now && hold.until - now < LEAST_LEFT {
            count(chosen, &hold.units, now + HOLD_TIME - hold.until);
            hold.until = now + HOLD_TIME;
            changed = true;
        }
    }
    changed
}

/// What a guest had chosen in their last part, where that came to nothing: it is chosen again when they are back.
pub(super) fn lost<'a>(tab: &'a Tab, guest: &str) -> Option<&'a Units> {
    let own = tab.claims.iter().filter(|claim| claim.guest == guest);
    let last = own.max_by_key(|claim| claim.turn)?;
    let is_lost = last.state == ClaimState::Ended && !last.units.is_empty();
    (is_lost && hold_of(tab, guest).is_none()).then_some(&last.units)
}

/// The guest has chosen since: what they had chosen before comes back no more.
pub(super) fn forget_lost(tab: &mut Tab, guest: &str) {
    let own = tab.claims.iter_mut().filter(|claim| claim.guest == guest);
    for claim in own.filter(|claim| claim.state == ClaimState::Ended) {
        claim.units.clear();
    }
}

/// What these dishes cost without service, in whole coins, rounded down.
pub(super) fn worth(bill: &Bill, units: &Units, coin: i64) -> i64 {
    let exact: i64 = chosen(bill, units)
        .map(|(item, count)| {
            // A line's sum may be less than its pieces: a promo of the venue.
            if count == item.count {
                item.sum.0
            } else {
                item.sum.0 * i64::from(count) / i64::from(item.count.max(1))
            }
        })
        .sum();
    exact - exact % coin.max(1)
}

/// How often a part of these dishes was rounded down by up to a coin: once for its service, and once for each line whose
/// sum can't be divided among its pieces.
pub(super) fn roundings(bill: &Bill, units: &Units, coin: i64) -> usize {
    let divided = chosen(bill, units).filter(|(item, count)| {
        let pieces = i64::from(item.count.max(1)) * coin.max(1);
        *count < item.count && item.sum.0 % pieces != 0
    });
    1 + divided.count()
}

/// The lines of which something is chosen, with how much.
fn chosen<'a>(bill: &'a Bill, units: &Units) -> impl Iterator<Item = (&'a BillItem, u32)> {
    let counts: Vec<u32> = keys(bill)
        .iter()
        .map(|key| units.get(key).copied().unwrap_or(0))
        .collect();
    let lines = bill.items.iter().zip(counts);
    lines
        .filter(|(_, count)| *count > 0)
        .map(|(item, count)| (item, count.min(item.count)))
}

/// Whether no dish is left to choose once these are paid.
pub(super) fn is_last(tab: &Tab, bill: &Bill, units: &Units) -> bool {
    keys(bill).iter().zip(&bill.items).all(|(key, item)| {
        let gone = pieces_of_parts(tab, key);
        // What costs nothing needs no payer.
        item.sum.0 == 0 || gone + units.get(key).copied().unwrap_or(0) >= item.count
    })
}

/// How many pieces of a line are at a bank with all the rest of the bill, while something else of it can be chosen. As long
/// as nothing can, what others have chosen waits: the bank may refuse.
pub(super) fn pending(tab: &Tab, bill: &Bill, key: &str) -> u32 {
    if left(tab, bill).0 == 0 {
        return 0;
    }
    let paying = tab
        .claims
        .iter()
        .filter(|claim| claim.state == ClaimState::Paying);
    paying.filter_map(|claim| claim.rest.get(key)).sum()
}

/// How many pieces of a line are of parts that are being paid or were.
fn pieces_of_parts(tab: &Tab, key: &str) -> u32 {
    let of = |units: &Units| units.get(key).copied().unwrap_or(0);
    parts(tab)
        .map(|claim| of(&claim.units) + of(&claim.rest))
        .sum()
}

/// The dishes that are of no part and not among these: whoever pays all that is left pays for them. None while a share of
/// no dishes is being paid: should that come to nothing, they are what it is paid for.
pub(super) fn rest(tab: &Tab, bill: &Bill, units: &Units) -> Units {
    let mut shares = parts(tab).filter(|claim| claim.units.is_empty());
    if shares.any(|claim| claim.state == ClaimState::Paying) {
        return Units::new();
    }
    let lines = keys(bill).into_iter().zip(&bill.items);
    lines
        .map(|(key, item)| {
            let gone = pieces_of_parts(tab, &key) + units.get(&key).copied().unwrap_or(0);
            (key, item.count.saturating_sub(gone))
        })
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// The upstream has the money of a part. What it has paid of the dishes that others have chosen is chosen no more.
pub(super) fn pay(tab: &mut Tab, key: &str) {
    let Some(claim) = claim_mut(tab, key) else {
        return;
    };
    claim.state = ClaimState::Paid;
    let paid = claim.rest.clone();
    for hold in &mut tab.holds {
        hold.units.retain(|line, _| !paid.contains_key(line));
    }
    tab.holds.retain(|hold| !hold.units.is_empty());
}

/// Paid parts of which one may have been given back: a bill does not name its parts, so by their sums. None where the bill
/// still tells as many of them as paid.
pub(super) fn perhaps_refunded(tab: &Tab, bill: &Bill) -> Vec<Claim> {
    let is_live = |status: PaymentStatus| {
        matches!(
            status,
            PaymentStatus::Succeeded | PaymentStatus::Pending | PaymentStatus::Unknown
        )
    };
    let is_meant = |claim: &&Claim| {
        let sums = claim.sums();
        let alike = || bill.parts.iter().filter(|part| part.sums() == sums);
        let paid = tab
            .claims
            .iter()
            .filter(|other| other.state == ClaimState::Paid && other.sums() == sums);
        alike().any(|part| part.status == PaymentStatus::Refunded)
            && paid.count() > alike().filter(|part| is_live(part.status)).count()
    };
    let paid = tab
        .claims
        .iter()
        .filter(|claim| claim.state == ClaimState::Paid);
    paid.filter(is_meant).cloned().collect()
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

/// What the parts of a bill have to come to: all of it that was not paid in another way.
pub(super) fn due(tab: &Tab, bill: &Bill) -> Sum {
    Sum(bill.sum.0 - bill.paid_sum.0 + paid(tab).0)
}

/// Whether its parts have paid all that the bill came to when the last of them was begun.
pub(super) fn is_paid_in_full(tab: &Tab) -> bool {
    tab.due.is_some_and(|due| due.0 > 0 && paid(tab).0 >= due.0)
}

/// The sum of the parts that the upstream has the money of.
fn paid(tab: &Tab) -> Sum {
    let paid = parts(tab).filter(|claim| claim.state == ClaimState::Paid);
    Sum(paid.map(|claim| claim.sum.0).sum())
}

/// Whether a guest has paid a part since.
pub(super) fn has_paid(tab: &Tab, guest: &str, since: i64) -> bool {
    let mut own = tab.claims.iter().filter(|claim| claim.guest == guest);
    own.any(|claim| claim.state == ClaimState::Paid && claim.at >= since)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        features::bills::sample,
        upstream::{BillPart, ProductId},
    };

    /// A bill with so many pieces of each line.
    fn bill(counts: &[u32]) -> Bill {
        let items = (1..).zip(counts).map(|(product, count)| BillItem {
            product: Some(ProductId(product)),
            name: format!("dish {product}"),
            count: *count,
            price: Sum(100_000),
            sum: Sum(100_000 * i64::from(*count)),
        });
        Bill {
            items: items.collect(),
            ..sample::bill()
        }
    }

    fn of(bill: &Bill, counts: &[u32]) -> Units {
        keys(bill).into_iter().zip(counts.iter().copied()).collect()
    }

    #[test]
    fn dishes_that_were_chosen_and_not_paid_are_free_again_after_three_minutes() {
        let bill = bill(&[2, 1]);
        let key = &keys(&bill)[0];
        let mut tab = Tab::default();
        assert!(hold(&mut tab, &bill, "first", &of(&bill, &[2, 0]), 1_000));
        let last = 1_000 + HOLD_TIME - 1;
        assert!(!hold(&mut tab, &bill, "second", &of(&bill, &[1, 1]), last));
        assert_eq!(taken(&tab, "second", key).others, 2);
        assert_eq!(
            hold_of(&tab, "second").unwrap().units.get(key),
            None,
            "only what was free"
        );
        // One word of the guest keeps them for as long again.
        assert!(hold(&mut tab, &bill, "first", &of(&bill, &[2, 0]), last));
        tidy(&mut tab, last + HOLD_TIME - 1);
        assert_eq!(taken(&tab, "second", key).others, 2);
        tidy(&mut tab, last + HOLD_TIME);
        assert!(hold_of(&tab, "first").is_none());
        assert!(hold(
            &mut tab,
            &bill,
            "second",
            &of(&bill, &[2, 1]),
            last + HOLD_TIME
        ));
    }

    #[test]
    fn the_time_for_which_dishes_are_chosen_is_that_of_all_guests_together() {
        let bill = bill(&[2]);
        let key = &keys(&bill)[0];
        let mut tab = Tab::default();
        let time_of = |tab: &Tab| tab.chosen[key];
        // Choosing more and less again is one time, giving back ends it.
        assert!(hold(&mut tab, &bill, "first", &of(&bill, &[1]), 0));
        assert!(hold(&mut tab, &bill, "first", &of(&bill, &[2]), 1_000));
        assert!(hold(&mut tab, &bill, "first", &of(&bill, &[0]), 3_000));
        assert_eq!(time_of(&tab), 1_000 + 2 * 2_000);
        // A guest who lets it run out has had all of it, and the next one is no other.
        assert!(hold(&mut tab, &bill, "first", &of(&bill, &[1]), 3_000));
        let later = 3_000 + HOLD_TIME;
        assert!(hold(&mut tab, &bill, "second", &of(&bill, &[1]), later));
        assert_eq!(time_of(&tab), 5_000 + 2 * HOLD_TIME);
        assert_eq!(worn(&tab, &bill, HOLD_TIME), std::slice::from_ref(key));
        assert!(worn(&tab, &bill, HOLD_TIME + 2_500).is_empty());
    }

    #[test]
    fn what_is_chosen_stays_so_while_another_guest_pays_all_of_the_bill() {
        let mut bill = bill(&[1]);
        let mut tab = Tab::default();
        let chosen = of(&bill, &[1]);
        assert!(hold(&mut tab, &bill, "first", &chosen, 0));
        bill.sum = Sum(100_000);
        bill.left_sum = Sum(100_000);
        let late = HOLD_TIME - 1;
        assert!(!keep(&mut tab, &bill, late), "it can be paid");
        tab.claims.push(sample::claim("second", Sum(100_000)));
        // On its way to the bank, and there.
        for (payment, left) in [(None, 100_000), (Some("p_1"), 0)] {
            bill.left_sum = Sum(left);
            tab.claims[0].payment = payment.map(str::to_owned);
            let at = tab.holds[0].until - 1;
            assert!(keep(&mut tab, &bill, at));
            assert!(!keep(&mut tab, &bill, at), "not at each look");
            assert_eq!(hold_of(&tab, "first").unwrap().until, at + HOLD_TIME);
        }
        // Given up, it is free again some time later.
        tab.claims[0].state = ClaimState::Ended;
        bill.left_sum = Sum(100_000);
        let until = tab.holds[0].until;
        assert!(!keep(&mut tab, &bill, until - 1));
        tidy(&mut tab, until);
        assert!(hold_of(&tab, "first").is_none());
    }

    #[test]
    fn whoever_pays_all_that_is_left_pays_for_the_dishes_that_no_part_is_of() {
        let mut bill = bill(&[2, 1]);
        let mut tab = Tab::default();
        let key = keys(&bill);
        // One piece is at the bank, and another guest has chosen the rest.
        tab.claims.push(Claim {
            units: of(&bill, &[1]),
            ..sample::claim("first", Sum(100_000))
        });
        assert!(hold(&mut tab, &bill, "second", &of(&bill, &[1, 1]), 0));
        let rest = rest(&tab, &bill, &Units::new());
        assert_eq!(rest, of(&bill, &[1, 1]));
        tab.claims.push(Claim {
            rest,
            ..sample::claim("third", Sum(200_000))
        });
        // It may come to nothing.
        assert_eq!(taken(&tab, "second", &key[0]).mine, 1);
        assert_eq!(taken(&tab, "second", &key[1]).paid, 0);
        pay(&mut tab, "key of third");
        assert!(hold_of(&tab, "second").is_none(), "it is paid");
        let of_guest = |line: usize| taken(&tab, "second", &key[line]);
        assert_eq!((of_guest(0).others, of_guest(0).paid), (1, 1));
        assert_eq!((of_guest(1).mine, of_guest(1).paid), (0, 1));
        // What is brought later is free.
        bill.items.push(BillItem {
            product: Some(ProductId(3)),
            ..bill.items[1].clone()
        });
        let (found, whole) = free(&tab, &bill, "second", &of(&bill, &[1, 1, 1]));
        let brought = keys(&bill)[2].clone();
        assert_eq!((found, whole), (Units::from([(brought, 1)]), false));
    }

    /// A dish whose payment has come to nothing is free again; those that are at a bank with the rest are not.
    #[test]
    fn what_is_at_a_bank_with_the_rest_is_not_chosen_while_something_else_can_be() {
        let mut bill = bill(&[1, 1]);
        (bill.sum, bill.left_sum) = (Sum(200_000), Sum(0));
        let mut tab = Tab::default();
        tab.claims.push(Claim {
            rest: of(&bill, &[0, 1]),
            payment: Some("p_1".to_owned()),
            ..sample::claim("first", Sum(100_000))
        });
        let both = of(&bill, &[1, 1]);
        assert!(free(&tab, &bill, "second", &both).1, "nothing can be paid");
        bill.left_sum = Sum(100_000);
        let (found, whole) = free(&tab, &bill, "second", &both);
        assert_eq!((found, whole), (of(&bill, &[1]), false));
        choose(&mut tab, "second", both, 0);
        assert!(!is_free(&tab, &bill, "second"));
    }

    /// Should a share of no dishes come to nothing, the dishes are what it is paid for.
    #[test]
    fn while_a_share_of_no_dishes_is_being_paid_none_are_the_rest() {
        let bill = bill(&[1]);
        let mut tab = Tab::default();
        tab.claims.push(sample::claim("first", Sum(50_000)));
        assert!(rest(&tab, &bill, &Units::new()).is_empty());
        tab.claims[0].state = ClaimState::Paid;
        assert_eq!(rest(&tab, &bill, &Units::new()), of(&bill, &[1]));
    }

    /// Two guests have paid as much as each other: one of them has it back. The other's bank is asked no more after that.
    #[test]
    fn parts_that_are_alike_may_be_given_back_as_long_as_the_bill_has_fewer_that_are_paid() {
        let part = |status| BillPart {
            sum: Sum(50_000),
            tips: Sum(0),
            bonus: Sum(0),
            status,
            mine: false,
        };
        let mut tab = Tab::default();
        for guest in ["first", "second"] {
            tab.claims.push(sample::claim(guest, Sum(50_000)));
            pay(&mut tab, &format!("key of {guest}"));
        }
        tab.claims.push(sample::claim("third", Sum(70_000)));
        pay(&mut tab, "key of third");
        let mut bill = bill(&[2]);
        bill.parts = vec![
            part(PaymentStatus::Declined),
            part(PaymentStatus::Succeeded),
        ];
        assert!(perhaps_refunded(&tab, &bill).is_empty());
        bill.parts.push(part(PaymentStatus::Refunded));
        let guests = |found: Vec<Claim>| found.into_iter().map(|claim| claim.guest);
        let found: Vec<String> = guests(perhaps_refunded(&tab, &bill)).collect();
        assert_eq!(found, ["first", "second"]);
        tab.claims[1].state = ClaimState::Ended;
        assert!(perhaps_refunded(&tab, &bill).is_empty());
    }

    #[test]
    fn two_guests_never_hold_the_same_piece() {
        let bill = bill(&[3]);
        let mut tab = Tab::default();
        assert!(hold(&mut tab, &bill, "first", &of(&bill, &[2]), 0));
        assert!(!hold(&mut tab, &bill, "second", &of(&bill, &[2]), 0));
        let taken = taken(&tab, "second", &keys(&bill)[0]);
        assert_eq!((taken.mine, taken.others), (1, 2));
        assert!(is_free(&tab, &bill, "second"));
    }

    #[test]
    fn a_waiter_can_be_called_again_after_a_minute() {
        let mut tab = Tab::default();
        assert_eq!(waiter_in(&tab, 5_000), 0);
        tab.called_at = Some(5_000);
        assert_eq!(waiter_in(&tab, 5_000), COOLDOWN);
        assert_eq!(waiter_in(&tab, 5_000 + COOLDOWN - 1), 1);
        assert_eq!(waiter_in(&tab, 5_000 + COOLDOWN), 0);
        // A clock that was set back makes no guest wait for longer.
        assert_eq!(waiter_in(&tab, 0), COOLDOWN);
    }
}
