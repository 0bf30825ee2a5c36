//! The address on which an order is paid.

use crate::{upstream::OrderId, web::visit::Visit};

/// Begins what stands in the place of a key where the order is known by its id.
pub(super) const BY_ID: &str = "=";

/// The address on which an order that is there is paid: for the device that placed it, or, without one, for the guest who
/// is signed in.
pub(super) fn href(visit: &Visit, order: &OrderId, device: &str) -> String {
    let token = visit.app.keys.pay_token(&format!("{BY_ID}{order}"), device);
    format!("/pay/{token}")
}
