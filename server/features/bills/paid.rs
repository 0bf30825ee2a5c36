//! After a part of a bill: how it stands at the bank (`/pay/{token}`), and the page that says thank you (PY-09, PY-17).

use axum::extract::Path;

use super::{
    BillPaidPage, BillProblem,
    attempt::{Attempt, Opened, take_over, venue_of},
    off::{self, Off},
    settle::settled,
    target::{self, Target},
};
use crate::{
    error::Error,
    features::{
        attempts::{GLANCE, read_record, within},
        booking,
        grade::Grade,
        kiosk::on_tablet,
        loaded::{Facts, Loaded, PageRequest},
        order_venue::Venue,
        page_data::PayWay,
    },
    state::bills::ClaimState,
    upstream::{self, Bill, BillId, Caller, Fingerprint, Payment, PaymentId, PaymentStatus},
    values::Sum,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Notice, Outcome},
        },
        page::Page,
        visit::Visit,
    },
};

/// `/bills/paid/{token}`
pub const PAID: Page = Page::builder("billPaid", "/bills/paid/{token}")
    .of_orders()
    .open();

/// A part of a bill that the address of a payment is about.
pub struct Part {
    pub(super) key: String,
    pub(super) attempt: Attempt,
    pub(super) opened: Option<Opened>,
    /// This browser has begun it.
    pub own: bool,
    pub(super) caller: Caller,
    token: String,
}

impl Part {
    /// The part of a token; none for a token of an order.
    ///
    /// # Errors
    /// Not found for a token that we did not make, or whose part is forgotten; when the store does not answer.
    pub async fn of(visit: &Visit, token: &str) -> Result<Option<Self>, Error> {
        let gone = || Error::NotFound("bill");
        let Some((key, device)) = visit.app.keys.open_pay_token(token) else {
            return Ok(None);
        };
        if !super::is_key(&key) {
            return Ok(None);
        }
        let records = visit.app.state.idempotency();
        let mut known = records.get(&key).await?.ok_or_else(gone)?;
        if known.answer.is_none() {
            let (app, own, body) = (visit.app.clone(), key.clone(), known.body.clone());
            let again = async move { take_over(&app, &own, &body, None).await };
            within(GLANCE, again).await?;
            // It is gone when nothing was sent: then its share is free again, which the tab says.
            known = records.get(&key).await?.unwrap_or(known);
        }
        Ok(Some(Self {
            attempt: read_record(&known.body)?,
            opened: known.answer.as_deref().map(read_record).transpose()?,
            own: visit.sess.device().await.as_deref() == Some(device.as_str()),
            caller: Caller {
                fingerprint: Fingerprint::new(&device),
                ..Caller::guest(visit.lang, visit.country)
            },
            key,
            token: token.to_owned(),
        }))
    }

    /// What the bank says, which is recorded; `None`: not known yet.
    ///
    /// # Errors
    /// When store or upstream does not answer.
    pub async fn payment(&self, visit: &Visit) -> Result<Option<Payment>, Error> {
        let Some(payment) = self
            .opened
            .as_ref()
            .and_then(|opened| opened.payment.as_ref())
        else {
            return Ok(None);
        };
        let id: PaymentId = payment.parse().map_err(|_| Error::NotFound("bill"))?;
        match visit.app.upstream.payment(&self.caller, &id).await {
            Ok(payment) => {
                // The next look at the bill sees the same.
                settled(&visit.app, &self.caller, self.attempt.bill.as_str()).await?;
                Ok(Some(payment))
            }
            Err(upstream::Error::NotFound) => Err(Error::NotFound("bill")),
            Err(error) => Err(Error::Upstream(error)),
        }
    }

    /// Whether the bank has taken its money, or there is none to take.
    fn is_paid(&self, payment: Option<&Payment>) -> bool {
        let has_paid = |payment: &Payment| payment.status == PaymentStatus::Succeeded;
        self.is_free() || payment.is_some_and(has_paid)
    }

    /// Nobody says how a visit was that is still to come; `booked`: the time of the table, milliseconds.
    fn has_been(&self, booked: Option<i64>, now: i64) -> bool {
        let is_ahead = matches!(self.attempt.target, Target::Preorder(_));
        !is_ahead || booked.is_some_and(|at| booking::is_over(at, now))
    }

    /// Whether bonuses have paid it all.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.opened
            .as_ref()
            .is_some_and(|opened| opened.payment.is_none())
    }

    /// The page that says thank you.
    #[must_use]
    pub fn paid_href(&self) -> String {
        format!("/bills/paid/{}", self.token)
    }

    /// What the bank is asked for.
    #[must_use]
    pub fn due(&self) -> Sum {
        self.attempt.due()
    }

    /// What the venue calls the bill.
    #[must_use]
    pub fn number(&self) -> &str {
        &self.attempt.number
    }

    /// The page of the bill, as this guest has seen it.
    #[must_use]
    pub fn bill_href(&self) -> String {
        let bill = self.attempt.bill.as_str();
        self.attempt.target.href(&[("bill", bill)])
    }

    /// The page of the bill with what was chosen there: it was not paid and is chosen anew, the same or something else.
    pub(super) fn bill_page(&self, problem: Option<BillProblem>) -> String {
        let mut query = vec![("bill", self.attempt.bill.as_str())];
        let choice = self.attempt.choice.iter();
        query.extend(choice.map(|(name, value)| (name.as_str(), value.as_str())));
        query.extend(problem.map(|problem| ("problem", problem.code())));
        self.attempt.target.href(&query)
    }

    /// The bill's address, without a problem to tell.
    #[must_use]
    pub fn again_href(&self) -> String {
        self.bill_page(None)
    }

    /// How it is paid.
    #[must_use]
    pub const fn method(&self) -> upstream::PayMethod {
        self.attempt.method
    }

    /// The venue.
    #[must_use]
    pub fn venue(&self) -> upstream::VenueId {
        venue_of(&self.attempt)
    }

    /// Its share was given back before anything was sent.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn is_over(&self, visit: &Visit) -> Result<bool, Error> {
        let shared = visit
            .app
            .state
            .tabs()
            .load(self.attempt.bill.as_str())
            .await?;
        let mut own = shared.claims.iter().filter(|claim| claim.key == self.key);
        Ok(own.any(|claim| claim.state == ClaimState::Ended))
    }

    /// What the guest has paid of the bill in several parts; none when this is the only one, or another guest's.
    async fn paid_in_all(&self, visit: &Visit) -> Result<Option<Sum>, Error> {
        let tabs = visit.app.state.tabs();
        let shared = tabs.load(self.attempt.bill.as_str()).await?;
        let guest = target::guest(visit).await;
        let paid: Vec<i64> = shared
            .claims
            .iter()
            .filter(|claim| claim.guest == guest && claim.state == ClaimState::Paid)
            .map(|claim| claim.sum.0 + claim.tips.0 - claim.bonus.0)
            .collect();
        Ok((self.own && paid.len() > 1).then(|| Sum(paid.iter().sum())))
    }

    /// `POST /pay/{token}/cancel`: calls a part off that is not paid yet.
    ///
    /// # Errors
    /// Not found for whom has not begun it; when the store does not answer.
    pub async fn call_off(&self, visit: &Visit) -> Result<Outcome, Error> {
        if !self.own {
            return Err(Error::NotFound("bill"));
        }
        let (app, bill) = (&visit.app, self.attempt.bill.as_str());
        let off = match &self.opened {
            Some(_) if self.is_free() => Off::Paid,
            Some(opened) => off::tell(app, &self.caller, bill, &self.key, &opened.part).await?,
            // Its share was given back before anything was sent.
            None if self.is_over(visit).await? => Off::Free,
            // It is being sent, or may have been: what is not there yet can't be called off.
            None => Off::Waits,
        };
        let problem = match off {
            Off::Paid => return Ok(Outcome::go(self.paid_href())),
            Off::Free => BillProblem::CalledOff,
            Off::Waits => BillProblem::StillPaying,
        };
        metrics::counter!("bill_payments_total", "outcome" => problem.code()).increment(1);
        Ok(Outcome::go(self.bill_page(Some(problem))))
    }
}

/// Loads the page. A part that is not paid yet has none.
///
/// # Errors
/// Not found for an address that we did not make; when store or upstream does not answer.
pub async fn load(request: PageRequest) -> Result<Loaded<BillPaidPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let token = request.matched().param("token");
    let part = Part::of(visit, token)
        .await?
        .ok_or(Error::NotFound("bill"))?;
    let payment = part.payment(visit).await?;
    let is_paid = part.is_paid(payment.as_ref());
    // Its receipt stays.
    let money_back = payment
        .as_ref()
        .is_some_and(|payment| payment.status == PaymentStatus::Refunded);
    let Some(opened) = part
        .opened
        .as_ref()
        .filter(|_| is_paid || (money_back && part.own))
    else {
        return Ok(Loaded::Redirect(format!("/pay/{token}")));
    };
    let caller = visit.personal_caller().await.optional();
    let (venue, bill, booked, graded, in_all, on_tablet) = tokio::join!(
        Venue::of(visit, place, venue_of(&part.attempt)),
        part.attempt.target.read(&visit.app.upstream, &caller),
        part.attempt.target.booked(visit),
        // One visit is graded once, however many parts of its bill the guest pays.
        visit.sess.has_graded(part.attempt.bill.as_str()),
        part.paid_in_all(visit),
        on_tablet(visit)
    );
    // What bonuses have paid has no payment that says so.
    let sums = (opened.sum, opened.tips, opened.bonus);
    let bonus_back = part.is_free() && bill.as_ref().is_ok_and(|bill| bill.has_refunded(sums));
    let refunded = money_back || bonus_back;
    let (left, paying) = rest(bill, &part.attempt.bill);
    let preorder = matches!(part.attempt.target, Target::Preorder(_));
    let has_been = part.has_been(booked, visit.now);
    let page = BillPaidPage {
        href: part.paid_href(),
        bill: part.bill_href(),
        venue_id: venue.known(),
        venue: venue.name.clone(),
        sum: opened.sum,
        tips: opened.tips,
        bonus: opened.bonus,
        in_all: in_all?,
        way: PayWay::from_code(part.method().code()).filter(|_| !part.is_free()),
        cashback: match refunded {
            true => Sum(0),
            false => opened.cashback,
        },
        money: venue.meta.money.clone(),
        receipt: payment
            .and_then(|payment| payment.receipt_url)
            .filter(|_| part.own && !on_tablet),
        refunded,
        asks: is_paid && !refunded && part.own && !graded && has_been,
        preorder,
        booked: booked.filter(|at| *at > visit.now),
        utc_offset: venue.meta.utc_offset,
        thanked: visit.query_value("thanks").is_some() && graded,
        left: left.filter(|_| is_paid && !refunded),
        paying,
    };
    Ok(Loaded::page(page))
}

/// What is left of a bill, and what of it is at a bank. Of one that is closed nothing is: its table has none, or the next
/// party's.
fn rest(read: Result<Bill, upstream::Error>, id: &BillId) -> (Option<Sum>, Sum) {
    match read {
        Ok(bill) if bill.id == *id && !bill.is_closed => {
            let paying = bill.sum.0 - bill.paid_sum.0 - bill.left_sum.0;
            (Some(bill.left_sum), Sum(paying.max(0)))
        }
        Ok(_) | Err(upstream::Error::NotFound) => (Some(Sum(0)), Sum(0)),
        Err(_) => (None, Sum(0)),
    }
}

/// `POST /bills/paid/{token}/grade`: stars, tags and words, or that the guest does not want to say.
///
/// # Errors
/// Not found for what this browser has not paid; when the session can't be written.
pub async fn grade(visit: Visit, Path(token): Path<String>, form: Form) -> Result<Outcome, Error> {
    let part = Part::of(&visit, &token).await?.filter(|part| part.own);
    let part = part.ok_or(Error::NotFound("bill"))?;
    let opened = part.opened.as_ref().ok_or(Error::NotFound("bill"))?;
    let page = format!("/bills/paid/{token}");
    if form.get("skip").is_some() {
        visit.sess.note_graded(part.attempt.bill.as_str()).await?;
        return Ok(Outcome::go(page));
    }
    let Grade {
        stars,
        comment,
        tags,
    } = match Grade::read(&form) {
        Ok(grade) => grade,
        Err(error) => return Ok(Outcome::refused(&form, page, vec![error])),
    };
    let payment = match part.payment(&visit).await {
        Err(Error::Upstream(_)) => {
            return Ok(Outcome::refused_form(&form, page, ErrorCode::NotDone));
        }
        payment => payment?,
    };
    if !part.is_paid(payment.as_ref()) {
        return Err(Error::NotFound("bill"));
    }
    let booked = part.attempt.target.booked(&visit).await;
    if !part.has_been(booked, visit.now) {
        return Ok(Outcome::refused_form(&form, page, ErrorCode::NotDone));
    }
    let caller = visit.personal_caller().await;
    let result = visit
        .app
        .upstream
        .grade_bill(&caller, &opened.part, stars, &comment, &tags)
        .await;
    match result {
        Ok(()) => {
            visit.sess.note_graded(part.attempt.bill.as_str()).await?;
            Ok(Outcome::go(format!("{page}?thanks=1")).saying(Notice::OrderGraded))
        }
        Err(error @ (upstream::Error::Rejected(_) | upstream::Error::Unauthorized)) => {
            Err(error.into())
        }
        Err(_) => Ok(Outcome::refused_form(&form, page, ErrorCode::NotDone)),
    }
}
