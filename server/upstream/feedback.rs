//! Reviews and tips.

use serde_json::json;

use super::{
    Answer, Caller, Class, Error, FilialId, IdempotencyKey, Paged, PayPage, Payment, Upstream,
    When,
    address::Path,
    breaker::Part,
    call::Call,
    paged::paged,
    query::Query,
    wire::{self, Bad, FromWire, Wire, sum_to_wire},
};
use crate::values::Sum;

/// A review of a venue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Its id.
    pub id: u64,
    /// 1 to 5.
    pub rating: u32,
    /// May be empty.
    pub text: String,
    /// May be empty.
    pub author: String,
    /// When it was written.
    pub created_at: Option<When>,
}

impl Upstream {
    /// A page of the reviews of a venue, the newest first.
    pub async fn reviews(
        &self,
        caller: &Caller,
        filial: FilialId,
        page: u32,
    ) -> Result<Answer<Paged<Review>>, Error> {
        let query = Query::new()
            .with("filial_id", filial)
            .with("page", page.max(1))
            .with("limit", 20);
        let call = Call::shared(self, caller, Part::Feedback, reviews_path());
        self.catalogue(call.query(query), paged).await
    }

    /// Writes a review.
    pub async fn write_review(
        &self,
        caller: &Caller,
        filial: FilialId,
        rating: u8,
        text: &str,
        key: &IdempotencyKey,
    ) -> Result<Review, Error> {
        let body = json!({ "filial_id": filial, "rating": rating, "text": text });
        self.ask(
            Call::post(caller, Part::Feedback, reviews_path(), &body).key(key),
            wire::data,
        )
        .await
    }

    /// Tips for the waiter of a venue, paid on a page of the bank.
    pub async fn tips(
        &self,
        caller: &Caller,
        filial: FilialId,
        sum: Sum,
        page: &PayPage,
        key: &IdempotencyKey,
    ) -> Result<Payment, Error> {
        let caller = caller.with_class(Class::Order);
        let body = json!({
            "filial_id": filial, "sum": sum_to_wire(sum), "method": page.method.code(),
            "success_url": page.success_url, "failure_url": page.failure_url,
        });
        let call = Call::post(&caller, Part::Payments, Path::fixed("tips/v1/tips"), &body);
        self.ask(call.key(key), wire::data).await
    }
}

impl FromWire for Review {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire.id("id", |id| id).ok_or(Bad("review id"))?,
            rating: wire
                .count("rating")
                .filter(|rating| (1..=5).contains(rating))
                .ok_or(Bad("rating"))?,
            text: wire.text("text").unwrap_or_default(),
            author: wire.text("author").unwrap_or_default(),
            created_at: wire.text("created_at").map(When::from_text),
        })
    }
}

fn reviews_path() -> Path {
    Path::fixed("reviews/v1/reviews")
}
