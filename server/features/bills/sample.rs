//! A bill for tests, which say what theirs holds beyond it.

use crate::{
    upstream::{Bill, BillId},
    values::Sum,
};

/// An open bill of nothing.
pub(super) fn bill() -> Bill {
    Bill {
        id: "b_1".parse::<BillId>().expect("an id"),
        number: "1".to_owned(),
        filial: None,
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
