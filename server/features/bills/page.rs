//! The page of a bill, made of one reading and of who looks at it.

use super::{
    choice::{Choice, Split},
    data::{BillLine, BillPage, BillProblem, BillState, OwnPart},
    tab::{self, Taken},
    target::{self, Target},
    way::WaitLimits,
};
use crate::{
    features::{booking::Standing, kiosk, order_venue::Venue, page_data::PayWay, place::Place},
    state::bills::{ClaimState, Tab},
    upstream::{Bill, BillId, VenueId},
    values::Sum,
    web::visit::Visit,
};

/// Names in an address what a guest has wanted to pay of a bill of which less was left.
pub(super) const WANTED: &str = "wanted";

/// What the page tells beside the bill: the same for each of its readings.
pub(super) struct View {
    pub visit: Visit,
    pub target: Option<Target>,
    pub venue: Venue,
    /// The bill that the guest has seen.
    pub bill: Option<BillId>,
    pub guest: String,
    device: String,
    booking: Standing,
    pub choice: Option<Choice>,
    calling: bool,
    on_tablet: bool,
    pub problem: Option<BillProblem>,
    /// What the guest has wanted to pay, where less was left.
    wanted: Option<Sum>,
    /// What the upstream tells this guest alone.
    own: Own,
}

/// What the upstream tells one guest of a bill.
#[derive(Debug, Clone, Copy, Default)]
struct Own {
    cashback: Option<u32>,
    most_bonus: Sum,
}

impl View {
    pub async fn of(
        visit: &Visit,
        place: &Place,
        target: Option<Target>,
        venue_id: Option<VenueId>,
    ) -> Self {
        let (venue, guest, device, booking, on_tablet) = tokio::join!(
            Venue::of(visit, place, venue_id.unwrap_or(VenueId(0))),
            target::guest(visit),
            visit.sess.device(),
            async {
                match &target {
                    Some(target) => target.standing(visit).await,
                    None => Standing::Unknown,
                }
            },
            kiosk::on_tablet(visit)
        );
        let query = |key: &str| visit.query_value(key);
        Self {
            visit: visit.clone(),
            venue,
            bill: query("bill").and_then(|id| id.parse().ok()),
            guest,
            device: device.unwrap_or_default(),
            booking,
            choice: Choice::of(|key| visit.typed(key)),
            calling: query("step") == Some("waiter"),
            on_tablet,
            problem: query("problem").and_then(problem),
            wanted: query(WANTED).and_then(|sum| sum.parse().ok()).map(Sum),
            own: Own::default(),
            target,
        }
    }

    /// Takes what the guest's own reading says of them.
    pub fn learn(&mut self, bill: &Bill) {
        let signed_in = self.visit.signed_in.is_some();
        let is_first = signed_in && bill.is_first_payment && bill.cashback_percentage > 0.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a percentage"
        )]
        let percent = bill.cashback_percentage.clamp(0.0, 100.0) as u32;
        self.own = Own {
            cashback: is_first.then_some(percent),
            most_bonus: if signed_in { bill.max_bonus } else { Sum(0) },
        };
        self.bill = Some(bill.id.clone());
    }

    pub const fn most_bonus(&self) -> Sum {
        self.own.most_bonus
    }

    /// Digits after the decimal sign that sums of the bill can have.
    pub const fn digits(&self) -> u32 {
        self.venue.meta.money.fraction_digits
    }

    /// From the form that pays on the browser has one session, whichever of its tabs pays first: two that begin with their
    /// presses would know nothing of each other. What can't be written down is by the press.
    pub async fn begin_session(&self) {
        if self.choice.is_some() && self.visit.may_bind() {
            let _ = self.visit.sess.device_or_new().await;
        }
    }

    /// The guest chooses dishes.
    pub fn is_choosing(&self) -> bool {
        let choice = self.choice.as_ref();
        choice.is_some_and(|choice| choice.split == Split::Dishes)
    }

    const fn has_table(&self) -> bool {
        matches!(self.target, Some(Target::Table { .. }))
    }

    /// The address of the page: it names the bill, so that the next party's is never taken for it.
    fn href(&self) -> String {
        let Some(target) = &self.target else {
            return self.visit.path.clone();
        };
        match &self.bill {
            Some(bill) => target.href(&[("bill", bill.as_str())]),
            None => target.href(&[]),
        }
    }

    /// The address that tells the changes of this very view.
    fn events(&self, bill: &Bill) -> Option<String> {
        let query = self.choice.as_ref().map(Choice::query).unwrap_or_default();
        let mut pairs = vec![("bill", bill.id.as_str())];
        pairs.extend(query.iter().map(|(name, value)| (*name, value.as_str())));
        if self.calling {
            pairs.push(("step", "waiter"));
        }
        Some(self.target.as_ref()?.action("/events", &pairs))
    }

    /// Parts of this guest's, the newest first.
    fn mine(&self, shared: &Tab) -> Vec<OwnPart> {
        let own = tab::parts(shared).filter(|claim| claim.guest == self.guest);
        let mut parts: Vec<OwnPart> = own
            .map(|claim| {
                let paid = claim.state == ClaimState::Paid;
                let token = self.visit.app.keys.pay_token(&claim.key, &self.device);
                OwnPart {
                    href: if paid {
                        format!("/bills/paid/{token}")
                    } else {
                        format!("/pay/{token}")
                    },
                    sum: claim.sum,
                    tips: claim.tips,
                    due: Sum(claim.sum.0 + claim.tips.0 - claim.bonus.0),
                    paid,
                }
            })
            .collect();
        parts.reverse();
        parts
    }

    /// The page of a bill that can't be paid any more, or of a table without one. Nothing of the bill stands on it; its
    /// address is that of the table, whose bill may be another one by now, and to which a waiter can be called.
    pub fn without(&self, state: BillState, shared: &Tab, now: i64) -> BillPage {
        let calls_waiter = self.has_table();
        BillPage {
            state,
            bill: String::new(),
            href: match (&self.target, state) {
                (Some(target), _) => target.href(&[]),
                (None, _) => self.visit.path.clone(),
            },
            table_href: self
                .target
                .as_ref()
                .filter(|_| state == BillState::Closed && self.bill.is_some() && calls_waiter)
                .map(|target| target.href(&[])),
            events: None,
            number: String::new(),
            venue_id: self.venue.known(),
            venue: self.venue.name.clone(),
            table: None,
            waiter: None,
            preorder: matches!(self.target, Some(Target::Preorder(_))),
            booked: self.booking.at(),
            lines: Vec::new(),
            goods: Sum(0),
            percent: 0,
            service: Sum(0),
            total: Sum(0),
            paid: Sum(0),
            paying: Sum(0),
            left: Sum(0),
            money: self.venue.meta.money.clone(),
            cashback: None,
            mine: self.mine(shared),
            refund: None,
            paid_in_full: state == BillState::Closed && tab::is_paid_in_full(shared),
            canceled: self.booking == Standing::Canceled,
            held_until: None,
            waiter_in: if calls_waiter {
                tab::waiter_in(shared, now)
            } else {
                0
            },
            calling: self.calling && calls_waiter,
            calls_waiter,
            tip_percents: Vec::new(),
            ways: Vec::new(),
            choice: None,
            problem: self.problem,
            wanted: None,
            read_at: now,
            utc_offset: self.venue.meta.utc_offset,
        }
    }

    /// The page of an open bill.
    pub fn page(&self, bill: &Bill, shared: &Tab, now: i64) -> BillPage {
        let limits = WaitLimits::of(&self.visit.app);
        let (bill, shared) = &limits.seen_by(&self.guest, bill, shared, now);
        let keys = tab::keys(bill);
        let left = tab::left(shared, bill);
        let pending = bill.sum.0 - bill.paid_sum.0 - left.0;
        // Whoever has paid it, and however.
        let is_paid = bill.sum.0 > 0 && left.0 == 0 && pending <= 0;
        let lines = bill.items.iter().zip(keys).map(|(item, key)| {
            let Taken {
                mine,
                others,
                paying,
                paid,
            } = if is_paid {
                Taken {
                    paid: item.count,
                    ..Taken::default()
                }
            } else {
                tab::taken(shared, &self.guest, &key)
            };
            // What is held and at a bank is told by its payment.
            let most = item.count.saturating_sub(mine + others);
            let others = others + tab::pending(shared, bill, &key).min(most);
            BillLine {
                name: item.name.clone(),
                count: item.count,
                price: item.price,
                sum: item.sum,
                mine: mine.min(item.count),
                others: others.min(item.count),
                paying: paying.min(item.count),
                paid: paid.min(item.count),
                key,
            }
        });
        // What others were paying is there again.
        let is_over = self.wanted.is_some_and(|wanted| wanted.0 <= left.0);
        let problem = self.problem;
        let problem = problem.filter(|problem| *problem != BillProblem::Less || !is_over);
        let others = pending - tab::paying(shared, &self.guest).0;
        let choice = self.choice.as_ref().map(|choice| {
            choice.count(
                bill,
                shared,
                &self.guest,
                self.own.most_bonus,
                self.digits(),
            )
        });
        BillPage {
            state: BillState::Open,
            bill: bill.id.to_string(),
            href: self.href(),
            table_href: None,
            events: self.events(bill),
            number: bill.number.clone(),
            venue_id: bill.venue.map(|venue_id| venue_id.0),
            venue: self.venue.name.clone(),
            table: bill.table.as_ref().map(|table| table.number.clone()),
            // Days before a visit nobody serves yet.
            waiter: bill.waiter.clone().filter(|_| {
                let has_come = || self.booking.at().is_some_and(|at| at <= now);
                !bill.is_preorder || has_come()
            }),
            preorder: bill.is_preorder,
            booked: self.booking.at(),
            lines: lines.collect(),
            goods: bill.goods_sum,
            percent: bill.service_percentage,
            service: Sum(bill.sum.0 - bill.goods_sum.0),
            total: bill.sum,
            paid: bill.paid_sum,
            paying: Sum(others.max(0)),
            left,
            money: self.venue.meta.money.clone(),
            cashback: self.own.cashback,
            mine: self.mine(shared),
            refund: None,
            paid_in_full: false,
            canceled: false,
            held_until: tab::hold_of(shared, &self.guest)
                .filter(|_| !is_paid)
                .map(|hold| hold.until),
            waiter_in: tab::waiter_in(shared, now),
            calling: self.calling,
            calls_waiter: self.has_table(),
            tip_percents: bill.tips_percentages.clone(),
            ways: if self.venue.online {
                PayWay::online(self.on_tablet).to_vec()
            } else {
                Vec::new()
            },
            choice,
            problem,
            wanted: self.wanted,
            read_at: now,
            utc_offset: self.venue.meta.utc_offset,
        }
    }
}

impl BillProblem {
    /// Its word in an address.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Less => "less",
            Self::Changed => "changed",
            Self::Check => "check",
            Self::Taken => "taken",
            Self::Unavailable => "unavailable",
            Self::Refused => "refused",
            Self::Waiter => "waiter",
            Self::Often => "often",
            Self::CalledOff => "called_off",
            Self::StillPaying => "still_paying",
            Self::Pending => "pending",
        }
    }
}

fn problem(code: &str) -> Option<BillProblem> {
    [
        BillProblem::Less,
        BillProblem::Changed,
        BillProblem::Check,
        BillProblem::Taken,
        BillProblem::Unavailable,
        BillProblem::Refused,
        BillProblem::Waiter,
        BillProblem::Often,
        BillProblem::CalledOff,
        BillProblem::StillPaying,
        BillProblem::Pending,
    ]
    .into_iter()
    .find(|problem| problem.code() == code)
}
