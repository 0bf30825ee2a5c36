//! Tips.

use serde_json::json;

use super::{
    Caller, Class, Error, IdempotencyKey, PayPage, Payment, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, sum_to_wire},
};
use crate::values::Sum;

impl Upstream {
    /// Tips for the waiter of a venue, paid on a page of the bank.
    pub async fn tips(
        &self,
        caller: &Caller,
        venue: VenueId,
        sum: Sum,
        page: &PayPage,
        key: &IdempotencyKey,
    ) -> Result<Payment, Error> {
        let caller = caller.with_class(Class::Order);
        let body = json!({
            "filial_id": venue, "sum": sum_to_wire(sum), "method": page.method.code(),
            "success_url": page.success_url, "failure_url": page.failure_url,
        });
        let call = Call::post(&caller, Part::Payments, Path::fixed("tips/v1/tips"), &body);
        self.ask(call.key(key), wire::data).await
    }
}
