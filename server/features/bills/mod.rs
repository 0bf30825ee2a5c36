//! The bill at the table, and that of a preorder: shown live to all its guests, paid in parts that add up to it, once each
//! (PY-07 to PY-17, beyond.md 17).

mod act;
mod again;
mod attempt;
mod choice;
mod data;
mod given_back;
mod live;
mod load;
mod off;
mod page;
mod paid;
mod pay;
#[cfg(test)]
mod sample;
mod settle;
mod split;
mod tab;
mod target;
mod way;

pub use act::{call_waiter, hold};
pub use attempt::{is_key, resolve};
pub use choice::{BillChoice, ChoiceProblem, Split};
pub use data::{BillLine, BillPage, BillPaidPage, BillProblem, BillState, OwnPart};
pub use given_back::cancel_booking;
pub use live::{Bills, of_preorder as preorder_events, of_table as events};
pub use load::{PAGE, PREORDER, load, load_preorder};
pub use paid::{PAID, Part, grade, load as load_paid};
pub use pay::{of_preorder as pay_preorder, of_table as pay};
