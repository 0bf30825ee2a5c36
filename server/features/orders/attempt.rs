//! One attempt to order: everything that is sent, kept under its idempotency key until the outcome is known (R-01).

use serde::{Deserialize, Serialize};

use crate::{
    error::Error,
    features::{
        analytics::{self, Cleared},
        attempts::{self, PRESS, Sending, first_bank_page, guest_of_then, short, within},
        checkout::order_item,
    },
    state::{
        carts::{Became, Cart, CartId, Line, MutationId, Unpaid},
        idempotency::body_hash,
    },
    upstream::{
        self, Caller, Fingerprint, IdempotencyKey, NewOrder, OrderDraft, OrderKind, PayMethod,
        PayPage, Paying, Serving, Source, TableId, VenueId,
    },
    values::{Country, Lang, Sum},
    web::{
        app::App,
        insight::{Came, carried},
        session::StoredAddress,
    },
};

/// What the guest ordered, as it was when the button was pressed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Attempt {
    pub cart: CartId,
    // Stored under its first name, so that what is stored already is read.
    #[serde(rename = "filial")]
    pub venue: VenueId,
    /// Which of the five calls takes it (OR-01).
    #[serde(default)]
    pub kind: OrderKind,
    #[serde(rename = "main_terminal")]
    pub main_venue: Option<VenueId>,
    /// None: it is handed out at the counter, or brought.
    pub table: Option<TableId>,
    /// Where it is brought to.
    #[serde(default)]
    pub address: Option<StoredAddress>,
    pub cash: bool,
    /// How it is paid, if not in cash.
    #[serde(default)]
    pub method: PayMethod,
    /// Where the bank leads back to; empty when there is nothing to pay online.
    #[serde(default)]
    pub return_url: String,
    pub name: String,
    pub comment: String,
    pub lines: Vec<Line>,
    /// The generation of the cart that they are of; none in records of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    pub expected_sum: Sum,
    pub fingerprint: String,
    /// Of a guest who is signed in: the upstream takes most kinds from no other, the second time as well. It lies in a
    /// sealed record, as in the session (S-04).
    #[serde(default)]
    pub bearer: Option<String>,
    pub lang: Lang,
    pub country: Country,
    /// Bonuses to be spent, hundredths (CT-08).
    #[serde(default)]
    pub bonus: Sum,
    /// Empty for none (CT-13).
    #[serde(default)]
    pub promo_code: String,
    /// The venue's day, and the pieces for a promo price by product (MN-14).
    #[serde(default)]
    pub day: i64,
    #[serde(default)]
    pub promo: Vec<(u64, u32)>,
    /// How the guest came to the venue (FL-10); none: on their own.
    #[serde(default)]
    pub source: Option<Source>,
    /// By what the guest came (AN-07).
    #[serde(default)]
    pub came: Came,
    /// Between how many minutes later the page has promised it at the door.
    #[serde(default)]
    pub door: Option<(u32, u32)>,
}

/// The answer that is kept: which order it became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Placed {
    pub id: String,
    pub number: String,
    /// Its page, with the capability.
    pub href: String,
    /// Its page for the guest who is signed in; empty in records of before.
    #[serde(default)]
    pub thanks: String,
    pub at: i64,
    /// As in the attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub door: Option<(u32, u32)>,
    /// It has to be paid online.
    #[serde(default)]
    pub pay: Option<Pay>,
}

/// Where an order is paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pay {
    /// Our own page of it, which tells the truth anywhere.
    pub page: String,
    /// The page of the bank, if it has told one.
    pub bank: Option<String>,
    pub method: PayMethod,
    pub sum: Sum,
}

/// How sending ended.
#[derive(Debug)]
pub(super) enum Sent {
    /// There is one order.
    Placed(Placed),
    /// The upstream refused for good; the key is free again.
    Refused(upstream::Rejection),
    /// The upstream was not reached; the key is free again.
    Unreached,
    /// It may or may not have become an order: the same key will be sent again.
    Unknown,
}

/// What tells two bodies of one key apart: the guest's own choices. The lines are the key's, by the cart's version.
pub(super) fn choices_hash(table: &str, payment: &str, name: &str, comment: &str) -> [u8; 32] {
    body_hash(&serde_json::json!([table, payment, name, comment]).to_string())
}

impl attempts::Attempt for Attempt {
    fn hash(&self) -> [u8; 32] {
        let table = self.table.as_ref().map_or("", TableId::as_str);
        let payment = if self.cash {
            "cash"
        } else {
            self.method.code()
        };
        choices_hash(table, payment, &self.name, &self.comment)
    }
}

impl Attempt {
    /// Neither paid online nor of a signed-in guest. What costs nothing is not paid, whichever way was chosen.
    pub(super) const fn is_unanswered(&self) -> bool {
        (self.cash || self.return_url.is_empty()) && self.bearer.is_none()
    }

    fn serving(&self) -> Option<Serving> {
        let address = || self.address.clone().and_then(StoredAddress::placed);
        Some(match self.kind {
            OrderKind::Express => Serving::Express {
                table: self.table.clone(),
                main_venue: self.main_venue,
            },
            OrderKind::Takeaway => Serving::Takeaway,
            OrderKind::Delivery => Serving::Delivery {
                address: address()?,
                transport: None,
            },
            OrderKind::VendorDelivery => Serving::VendorDelivery {
                address: address()?,
            },
            OrderKind::Micromarket => Serving::Micromarket,
            OrderKind::Unknown => return None,
        })
    }

    fn paying(&self) -> Paying {
        if self.cash {
            return Paying::Cash;
        }
        // What costs nothing any more needs no page of a bank.
        Paying::Online((!self.return_url.is_empty()).then(|| PayPage {
            method: self.method,
            success_url: self.return_url.clone(),
            failure_url: self.return_url.clone(),
        }))
    }

    /// Sends it in a task of its own: a guest who leaves does not stop it half-way. `caller` is the guest's own, where
    /// the guest is there.
    pub(super) async fn send(
        self,
        app: App,
        key: String,
        caller: Option<Caller>,
        sending: Sending,
    ) -> Result<Sent, Error> {
        let (hosts, came) = (app.hosts.clone(), self.came.clone());
        let work = async move { self.deliver(&app, &key, caller, sending).await };
        let work = carried(&hosts, &came, work);
        let sent = within(PRESS, work).await?;
        Ok(sent.unwrap_or(Sent::Unknown))
    }

    async fn deliver(
        &self,
        app: &App,
        key: &str,
        caller: Option<Caller>,
        sending: Sending,
    ) -> Result<Sent, Error> {
        let records = app.state.idempotency();
        let (Some(upstream_key), Some(serving)) = (IdempotencyKey::new(key), self.serving()) else {
            return Err(Error::Internal(
                "a kept attempt to order is none".to_owned(),
            ));
        };
        let caller = Caller {
            fingerprint: Fingerprint::new(&self.fingerprint),
            ..caller.unwrap_or_else(|| {
                guest_of_then(self.bearer.as_deref(), None, self.lang, self.country)
            })
        };
        let order = OrderDraft {
            venue: self.venue,
            serving,
            source: self.source,
            paying: self.paying(),
            name: self.name.clone(),
            comment: self.comment.clone(),
            items: self.lines.iter().map(order_item).collect(),
            expected_sum: self.expected_sum,
            bonus: self.bonus,
            promo_code: self.promo_code.clone(),
        };
        match app
            .upstream
            .place_order(&caller, &order, &upstream_key)
            .await
        {
            Ok(new) => {
                let placed = Placed {
                    pay: self.pay(app, key, &new),
                    thanks: format!("/typ/{}/order/{}", self.venue, new.id),
                    href: format!(
                        "/filials/{}/order/{}?key={}",
                        self.venue,
                        new.id,
                        app.keys.capability(new.id.as_str(), &self.fingerprint)
                    ),
                    id: new.id.to_string(),
                    number: new.number,
                    at: app.state.clock().now(),
                    door: self.door,
                };
                if let Err(error) = self.settle(app, key, &placed).await {
                    tracing::error!(%error, "An order was taken and could not be written down; it will be sent again");
                    // It is given back as soon as that can be written.
                    let _ = records.unknown(key).await;
                    return Ok(Sent::Unknown);
                }
                metrics::counter!("orders_total", "outcome" => "placed").increment(1);
                tell_end(sending, key, "placed");
                Ok(Sent::Placed(placed))
            }
            Err(upstream::Error::Rejected(rejection)) => {
                records.release(key).await?;
                metrics::counter!("orders_total", "outcome" => "refused").increment(1);
                tell_end(sending, key, "refused");
                Ok(Sent::Refused(rejection))
            }
            Err(error) if sending.is_open(&error, self.bearer.is_some()) => {
                records.unknown(key).await?;
                metrics::counter!("orders_total", "outcome" => "unknown").increment(1);
                tracing::error!(
                    class = error.class(),
                    attempt = short(key),
                    "The outcome of an order is not known; it will be sent again"
                );
                Ok(Sent::Unknown)
            }
            Err(error) => {
                records.release(key).await?;
                tracing::warn!(class = error.class(), "An order could not be sent");
                Ok(Sent::Unreached)
            }
        }
    }

    /// Where it is paid, if that is still to be done.
    fn pay(&self, app: &App, key: &str, new: &NewOrder) -> Option<Pay> {
        if self.cash || self.return_url.is_empty() {
            return None;
        }
        let token = app.keys.pay_token(key, &self.fingerprint);
        Some(Pay {
            page: format!("/pay/{token}"),
            bank: first_bank_page(new.payment.as_ref(), new.sum, self.expected_sum),
            method: self.method,
            sum: self.expected_sum,
        })
    }

    /// The cart first: a record that has no answer yet is sent again under its key by the next request or at the next
    /// start, so that a crash between the two leaves nothing half-done, in any store.
    async fn settle(&self, app: &App, key: &str, placed: &Placed) -> Result<(), Error> {
        let answer =
            serde_json::to_string(placed).map_err(|error| Error::Internal(error.to_string()))?;
        self.empty_cart(app, key, placed).await?;
        app.state.idempotency().finish(key, &answer).await?;
        Ok(())
    }

    /// The ordered lines leave the cart, once; what was added meanwhile stays. Those of an order that has to be paid
    /// first stay until it is (beyond.md, 6). Each reader of a finished order makes sure: a store of several machines
    /// may have lost the cart's last change and kept the record.
    pub(super) async fn empty_cart(
        &self,
        app: &App,
        key: &str,
        placed: &Placed,
    ) -> Result<(), Error> {
        let once = MutationId::of_order(key);
        let (cart, emptied) = app
            .state
            .carts()
            .update(&self.cart, |cart: &mut Cart| {
                cart.once(Some(&once), |cart| {
                    match &placed.pay {
                        Some(pay) => cart.unpaid = Some(self.unpaid(key, placed, pay)),
                        None => {
                            cart.take_ordered(&self.lines, self.generation);
                            cart.note_taken(self.day, self.venue.0, &self.promo);
                            cart.note_became(Became {
                                order: placed.id.clone(),
                                number: placed.number.clone(),
                                page: placed.href.clone(),
                                at: placed.at,
                            });
                        }
                    }
                    Ok::<_, std::convert::Infallible>(())
                })
            })
            .await
            .map_err(Error::from_update)?;
        if emptied.is_some() && placed.pay.is_some() {
            analytics::payment_requested(self.method);
        }
        if emptied.is_some() && cart.is_empty() {
            analytics::cart_cleared(Cleared::Ordered);
        }
        Ok(())
    }

    fn unpaid(&self, key: &str, placed: &Placed, pay: &Pay) -> Unpaid {
        Unpaid {
            key: key.to_owned(),
            order: placed.id.clone(),
            number: placed.number.clone(),
            href: pay.page.clone(),
            page: placed.href.clone(),
            at: placed.at,
            sum: pay.sum,
            lines: self.lines.clone(),
            generation: self.generation,
            venue_id: self.venue.0,
            day: self.day,
            promo: self.promo.clone(),
        }
    }
}

/// Who looks for an order that was unknown finds what became of it.
fn tell_end(sending: Sending, key: &str, outcome: &'static str) {
    if sending == Sending::Again {
        tracing::info!(
            attempt = short(key),
            outcome,
            "The outcome of an order is known: {outcome}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a release wrote it that kept no host names.
    const BEFORE: &str = r#"{
        "cart": "AAAAAAAAAAAAAAAAAAAAAA", "filial": 1013, "kind": "express", "main_terminal": 1010, "table": "t7",
        "cash": true, "name": "", "comment": "", "lines": [], "expected_sum": 100, "fingerprint": "f",
        "lang": "ru", "country": "kz"
    }"#;

    #[test]
    fn a_record_of_before_is_read_and_one_of_now_is_read_by_a_release_before() {
        let attempt: Attempt = serde_json::from_str(BEFORE).unwrap();
        assert_eq!(attempt.came, Came::default());
        let mut attempt_json = serde_json::to_value(&attempt).unwrap();
        attempt_json["came"] =
            serde_json::json!({ "host": "burger.example.kz", "platform": "ios" });
        let again: Attempt = serde_json::from_value(attempt_json.clone()).unwrap();
        assert_eq!(
            serde_json::to_value(&again.came).unwrap(),
            attempt_json["came"]
        );
        // Nothing is refused for what a later release adds.
        attempt_json["later"] = serde_json::json!(1);
        assert!(serde_json::from_value::<Attempt>(attempt_json).is_ok());
    }
}
