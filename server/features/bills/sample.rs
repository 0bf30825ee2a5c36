//! A bill for tests, which say what theirs holds beyond it.

use crate::{
    state::bills::{Claim, ClaimState, Units},
    upstream::{Bill, BillId},
    values::Sum,
};

/// An open bill of nothing.
pub(super) fn bill() -> Bill {
    Bill {
        id: "b_1".parse::<BillId>().expect("an id"),
        number: "1".to_owned(),
        venue: None,
        table: None,
        is_preorder: false,
        is_closed: false,
        created_at: None,
        items: Vec::new(),
        goods_sum: Sum(0),
        service_percentage: 0,
        service_sum: Sum(0),
        sum: Sum(0),
        paid_sum: Sum(0),
        left_sum: Sum(0),
        parts: Vec::new(),
        is_first_payment: false,
        cashback_percentage: 0.0,
        max_bonus: Sum(0),
        tips_percentages: Vec::new(),
        waiter: None,
    }
}

/// A part of so much that is being paid.
pub(super) fn claim(guest: &str, sum: Sum) -> Claim {
    Claim {
        guest: guest.to_owned(),
        turn: 0,
        key: format!("key of {guest}"),
        units: Units::new(),
        rest: Units::new(),
        people: 0,
        of: 0,
        sum,
        tips: Sum(0),
        bonus: Sum(0),
        from: None,
        at: 0,
        payment: None,
        state: ClaimState::Paying,
    }
}
