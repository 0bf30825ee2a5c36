//! `POST …/bill/pay`: one payment of one part, however often the button is pressed, in however many tabs (PY-14, PY-15,
//! What is charged is what was shown; a bill that has changed since is shown anew instead.

use std::time::Duration;

use axum::{Extension, extract::Path};

use super::{
    BillProblem, act, again,
    attempt::{self, Attempt, Opened, Sent},
    choice::{BillChoice, Choice, Split},
    page::{View, WANTED},
    settle::settled,
    tab,
    target::{Target, expect_table, guest_of},
    way::{self, WaitLimits},
};
use crate::{
    error::Error,
    features::{
        attempts::{Attempt as _, Sending, read_record},
        kiosk,
        page_data::PayWay,
        place::Place,
    },
    state::{
        bills::{Claim, ClaimState, Tab, Units},
        idempotency::Begun,
    },
    upstream::{self, Bill, Caller, PayMethod},
    values::Sum,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome, Text},
        },
        insight::Came,
        rate::AddressAllowance,
        redirect::outside,
        visit::Visit,
    },
};

/// A second press waits so long for the first one's answer, then the page of the payment takes over.
const WAIT: Duration = Duration::from_secs(8);
const WAIT_STEP: Duration = Duration::from_millis(100);

/// Pays a part of a table's bill.
///
/// # Errors
/// Not found for an address that names no bill; when the store does not answer, or the address has paid too often: then
/// nothing was sent.
pub async fn of_table(
    visit: Visit,
    Extension(allowance): Extension<AddressAllowance>,
    Path(venue): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let target = Target::of(&visit, &venue, "").await?;
    pay(&visit, &allowance, target, &form).await
}

/// Pays a part of the guest's own preorder.
///
/// # Errors
/// The same; not found without a sign-in.
pub async fn of_preorder(
    visit: Visit,
    Extension(allowance): Extension<AddressAllowance>,
    Path(id): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    if visit.signed_in.is_none() {
        return Err(Error::NotFound("bill"));
    }
    let target = Target::of(&visit, "", &id).await?;
    pay(&visit, &allowance, target, &form).await
}

/// What the form says: the choice with the sums that the guest has seen.
struct Wish {
    choice: Choice,
    method: PayMethod,
    bill: String,
    turn: u32,
    /// What was left of the bill.
    left: Option<Sum>,
    amount: Sum,
    tips: Sum,
    bonus: Sum,
}

impl Wish {
    /// The choice as an attempt keeps it.
    fn chosen(&self) -> Vec<(String, String)> {
        let query = self.choice.query().into_iter();
        query.map(|(name, text)| (name.to_owned(), text)).collect()
    }

    fn of(form: &Form) -> Option<Self> {
        let sum = |name| form.parse(name).map(Sum);
        Some(Self {
            choice: Choice::of(|name| form.typed(name))?,
            method: form
                .get("payment")
                .and_then(PayWay::from_code)
                .and_then(PayWay::method)?,
            bill: form.get("bill")?.to_owned(),
            turn: form.parse("turn")?,
            left: sum("left"),
            amount: sum("amount")?,
            tips: sum("tips")?,
            bonus: sum("bonuses")?,
        })
    }

    /// Why it is asked for once more: where the bill is as it was, the guest has chosen or typed since it was counted.
    fn recounted(&self, bill: &Bill, shared: &Tab) -> BillProblem {
        if self.left == Some(tab::left(shared, bill)) {
            BillProblem::Check
        } else {
            BillProblem::Changed
        }
    }

    fn page(&self, target: &Target, problem: Option<BillProblem>) -> String {
        let mut query = self.choice.query();
        // That less is left is said for as long as it is so.
        if problem == Some(BillProblem::Less) {
            query.push((WANTED, self.amount.0.to_string()));
        }
        query.extend(problem.map(|problem| ("problem", problem.code().to_owned())));
        page_of(target, &self.bill, &query)
    }
}

/// The page of the bill with a choice.
fn page_of(target: &Target, bill: &str, query: &[(&'static str, String)]) -> String {
    let mut pairs: Vec<(&str, &str)> = vec![("bill", bill)];
    pairs.extend(query.iter().map(|(name, value)| (*name, value.as_str())));
    target.href(&pairs)
}

async fn pay(
    visit: &Visit,
    allowance: &AddressAllowance,
    target: Option<Target>,
    form: &Form,
) -> Result<Outcome, Error> {
    let target = target.ok_or(Error::NotFound("bill"))?;
    // Without scripts the sums of what is chosen come with the next page.
    if form.typed("count").is_some() {
        let bill = form.get("bill").unwrap_or_default();
        let choice = Choice::of(|name| form.typed(name));
        let choice = choice.ok_or(Error::BadRequest("a form of the bill is incomplete"))?;
        // Dishes that are ticked count whichever button is pressed.
        if choice.split == Split::Dishes && form.get("ticks").is_some() {
            return act::take(visit, &target, form).await;
        }
        return Ok(Outcome::go(page_of(&target, bill, &choice.query())));
    }
    let wish = Wish::of(form).ok_or(Error::BadRequest("a form of the bill is incomplete"))?;
    let again = |problem| Ok(Outcome::go(wish.page(&target, Some(problem))));
    if wish.method == PayMethod::Card && kiosk::on_tablet(visit).await {
        return again(BillProblem::Refused);
    }
    let device = visit.sess.device_or_new().await?;
    let guest = guest_of(&device);
    let caller = visit.personal_caller().await;
    let mut bill = match open_bill(visit, &caller, &target, &wish).await? {
        Ok(bill) => bill,
        Err(elsewhere) => return Ok(elsewhere),
    };
    let mut shared = settled(&visit.app, &caller, bill.id.as_str()).await?;
    if let Some(claim) = pressed_before(&shared, &guest, wish.turn) {
        let payer = Payer::new(visit, &target, &device, &bill);
        return payer.follow(claim, &wish).await;
    }
    if wish.choice.split == Split::Dishes {
        again::choose(visit, &bill, &guest, &mut shared).await?;
        // Without scripts dishes may be ticked that no button has counted yet: they are, and their sum is shown first.
        if form.get("ticks").is_some() {
            let wanted = act::ticked(form);
            let known = tab::hold_of(&shared, &guest).map(|hold| &hold.units);
            if known.unwrap_or(&Units::new()) != &wanted {
                let whole = act::choose(visit, &bill, &guest, &wanted).await?;
                return again(if whole {
                    wish.recounted(&bill, &shared)
                } else {
                    BillProblem::Taken
                });
            }
        }
    }
    let place = Place::of(visit).await;
    let venue = target.venue().or(bill.venue);
    let mut view = View::of(visit, &place, Some(target.clone()), venue).await;
    view.learn(&bill);
    let count = |bill: &Bill, shared: &Tab| {
        let (most_bonus, digits) = (view.most_bonus(), view.digits());
        wish.choice.count(bill, shared, &guest, most_bonus, digits)
    };
    let limits = WaitLimits::of(&visit.app);
    let differs = |bill: &Bill, shared: &Tab| {
        let seen = limits.without_worn(&guest, bill, shared);
        difference(&wish, &count(bill, shared), bill, &seen, &guest)
    };
    if differs(&bill, &shared).is_some() {
        // Others hold it and do not pay: they make way for a guest who does.
        let (open, seen) = limits.seen_by(&guest, &bill, &shared, visit.now);
        let is_free = differs(&open, &seen).is_some()
            || limits
                .make_way(&visit.app, &bill.id, &shared, &guest, visit.now)
                .await?;
        // Looked at once more in any case: the bill was read before its guests, and a part may have ended in between.
        bill = match open_bill(visit, &caller, &target, &wish).await? {
            Ok(now) if is_free => now,
            Ok(_) => return again(BillProblem::Unavailable),
            Err(elsewhere) => return Ok(elsewhere),
        };
        shared = settled(&visit.app, &caller, bill.id.as_str()).await?;
        // The same form, pressed twice at once: the other press was faster with what has become free.
        if let Some(claim) = pressed_before(&shared, &guest, wish.turn) {
            let payer = Payer::new(visit, &target, &device, &bill);
            return payer.follow(claim, &wish).await;
        }
        if let Some(problem) = differs(&bill, &shared) {
            return again(problem);
        }
    }
    // A guest who scans the table's code after the bill is closed finds the one that they have paid.
    if let Some(table) = target.table_name() {
        let id = bill.id.as_str();
        let note = |table: &mut Tab| table.last = Some(id.to_owned());
        visit.app.state.tabs().update(&table, note).await?;
    }
    let from = way::name_of(&visit.app, bill.id.as_str(), allowance.client());
    let payer = Payer::new(visit, &target, &device, &bill);
    let key = attempt::key(&visit.app, &bill.id, &guest, wish.turn);
    let (_, taken) = visit
        .app
        .state
        .tabs()
        .update(bill.id.as_str(), |shared| {
            tab::tidy(shared, visit.now);
            if let Some(claim) = pressed_before(shared, &guest, wish.turn) {
                return Taken::Before(claim.clone());
            }
            if let Some(problem) = differs(&bill, shared) {
                return Taken::Not(problem);
            }
            if let Some(wait) = limits.rest(shared, &guest, from.as_deref(), visit.now) {
                return Taken::TooOften(wait);
            }
            let counted = count(&bill, shared);
            let mut claim = claim(shared, &bill, &wish, &counted, &guest, &key, visit.now);
            claim.from.clone_from(&from);
            shared.due = Some(tab::due(shared, &bill));
            shared.claims.push(claim.clone());
            Taken::Now(claim)
        })
        .await?;
    match taken {
        Taken::Before(claim) => payer.follow(&claim, &wish).await,
        Taken::Not(problem) => again(problem),
        Taken::TooOften(wait) => Ok(too_often(form, wish.page(&target, None), wait)),
        Taken::Now(claim) => payer.begin(&claim, &wish, Some(allowance)).await,
    }
}

/// The bill of a form as it is now, while it is open; else where its guest is led.
async fn open_bill(
    visit: &Visit,
    caller: &Caller,
    target: &Target,
    wish: &Wish,
) -> Result<Result<Bill, Outcome>, Error> {
    match target.read(&visit.app.upstream, caller).await {
        Ok(bill) if bill.id.as_str() == wish.bill && !bill.is_closed => Ok(Ok(bill)),
        // It was closed, or it is another party's by now: the page says which.
        gone @ (Ok(_) | Err(upstream::Error::NotFound)) => {
            if gone.is_err() {
                expect_table(visit, None, Some(target)).await?;
            }
            Ok(Err(Outcome::go(target.href(&[("bill", &wish.bill)]))))
        }
        Err(upstream::Error::Unauthorized) => Err(Error::Upstream(upstream::Error::Unauthorized)),
        Err(_) => Ok(Err(Outcome::go(
            wish.page(target, Some(BillProblem::Unavailable)),
        ))),
    }
}

/// What became of a share that a guest wants.
enum Taken {
    /// This guest has pressed before, or is paying another part.
    Before(Claim),
    Now(Claim),
    Not(BillProblem),
    /// Too many were begun and not paid: another has to wait.
    TooOften(Duration),
}

/// Says when another part can be begun: guests who never pay must not keep the bill from those who do (SC-07).
fn too_often(form: &Form, page: String, wait: Duration) -> Outcome {
    metrics::counter!("rate_limited_total").increment(1);
    let minutes = i32::try_from(wait.as_secs().div_ceil(60)).unwrap_or(i32::MAX);
    let error = FieldError::new("form", ErrorCode::Often).with("count", Text::Number(minutes));
    Outcome::refused(form, page, vec![error])
}

/// The part that this very form began, or another one of this guest's that is being paid: one at a time.
fn pressed_before<'a>(shared: &'a Tab, guest: &str, turn: u32) -> Option<&'a Claim> {
    let own = || shared.claims.iter().filter(|claim| claim.guest == guest);
    own()
        .find(|claim| claim.turn == turn)
        .or_else(|| own().find(|claim| claim.state == ClaimState::Paying))
}

/// Why the sums that were shown are not those of now. Guests are charged exactly what they have seen.
fn difference(
    wish: &Wish,
    now: &BillChoice,
    bill: &Bill,
    shared: &Tab,
    guest: &str,
) -> Option<BillProblem> {
    if wish.amount > tab::left(shared, bill) {
        return Some(BillProblem::Less);
    }
    // What another guest has begun to pay and not ended was free to be chosen; it may have been paid since.
    if wish.choice.split == Split::Dishes && !tab::is_free(shared, bill, guest) {
        return Some(BillProblem::Taken);
    }
    let same = wish.amount == now.amount && wish.tips == now.tips && wish.bonus == now.bonuses;
    if now.problem.is_some() || wish.turn != now.turn {
        return Some(BillProblem::Changed);
    }
    (!same).then(|| wish.recounted(bill, shared))
}

/// Takes the share out of what others can have; the dishes are held no more, they are being paid.
fn claim(
    shared: &mut Tab,
    bill: &Bill,
    wish: &Wish,
    counted: &BillChoice,
    guest: &str,
    key: &str,
    now: i64,
) -> Claim {
    let mut units = Units::new();
    if wish.choice.split == Split::Dishes
        && let Some(hold) = tab::hold_of(shared, guest)
    {
        units.clone_from(&hold.units);
    }
    tab::let_go(shared, guest, now);
    let rest = if counted.amount == tab::left(shared, bill) {
        tab::rest(shared, bill, &units)
    } else {
        Units::new()
    };
    Claim {
        guest: guest.to_owned(),
        turn: wish.turn,
        key: key.to_owned(),
        units,
        rest,
        people: if wish.choice.split == Split::Equal {
            counted.pay
        } else {
            0
        },
        of: if wish.choice.split == Split::Equal {
            counted.of
        } else {
            0
        },
        sum: counted.amount,
        tips: counted.tips,
        bonus: counted.bonuses,
        from: None,
        at: now,
        payment: None,
        state: ClaimState::Paying,
    }
}

/// Who pays what.
struct Payer<'a> {
    visit: &'a Visit,
    target: &'a Target,
    device: &'a str,
    bill: &'a Bill,
}

impl<'a> Payer<'a> {
    const fn new(visit: &'a Visit, target: &'a Target, device: &'a str, bill: &'a Bill) -> Self {
        Self {
            visit,
            target,
            device,
            bill,
        }
    }

    /// Our own page of a part.
    fn page(&self, key: &str) -> String {
        let token = self.visit.app.keys.pay_token(key, self.device);
        format!("/pay/{token}")
    }

    /// A part that was begun before: what came of it, or the same once more under its key.
    async fn follow(&self, claim: &Claim, wish: &Wish) -> Result<Outcome, Error> {
        match claim.state {
            ClaimState::Paid => Ok(Outcome::go(self.page(&claim.key))),
            // It came to nothing: the form is of then.
            ClaimState::Ended => Ok(Outcome::go(
                wish.page(self.target, Some(BillProblem::Changed)),
            )),
            // A guest who wants to pay something else is told about the earlier payment.
            ClaimState::Paying if claim.turn != wish.turn || self.is_other(claim, wish).await? => {
                Ok(Outcome::go(
                    wish.page(self.target, Some(BillProblem::Pending)),
                ))
            }
            ClaimState::Paying if claim.payment.is_some() => Ok(Outcome::go(self.page(&claim.key))),
            ClaimState::Paying => self.begin(claim, wish, None).await,
        }
    }

    /// Whether a form of then was filled in anew, as on the way back, and is about another sum than is being paid.
    async fn is_other(&self, claim: &Claim, wish: &Wish) -> Result<bool, Error> {
        let known = self.visit.app.state.idempotency().get(&claim.key).await?;
        let Some(known) = known else {
            return Ok(false);
        };
        let attempt: Attempt = read_record(&known.body)?;
        Ok(attempt.choice != wish.chosen())
    }

    async fn begin(
        &self,
        claim: &Claim,
        wish: &Wish,
        allowance: Option<&AddressAllowance>,
    ) -> Result<Outcome, Error> {
        let Self { visit, bill, .. } = self;
        let page = self.page(&claim.key);
        let caller = visit.personal_caller().await;
        let attempt = Attempt {
            bill: bill.id.clone(),
            number: bill.number.clone(),
            target: self.target.clone(),
            venue: bill.venue.or_else(|| self.target.venue()),
            sum: claim.sum,
            tips: claim.tips,
            bonus: claim.bonus,
            method: wish.method,
            choice: wish.chosen(),
            return_url: format!("{}{page}", visit.origin),
            fingerprint: self.device.to_owned(),
            bearer: caller
                .bearer
                .as_ref()
                .map(|bearer| bearer.as_str().to_owned()),
            lang: visit.lang,
            country: visit.country,
            came: Came::now(),
        };
        let body =
            serde_json::to_string(&attempt).map_err(|error| Error::Internal(error.to_string()))?;
        let records = visit.app.state.idempotency();
        let begun = records.begin(&claim.key, attempt.hash(), &body).await?;
        let (attempt, sending) = match begun {
            Begun::New => (attempt, Sending::First),
            Begun::Orphaned { body } => (read_record(&body)?, Sending::Again),
            Begun::Done { answer } => {
                return Ok(self.opened(&claim.key, &read_record(&answer)?, None));
            }
            Begun::InFlight => return self.in_flight(&claim.key).await,
            // The same press with another way to pay: the first one counts.
            Begun::Mismatch => return Ok(Outcome::go(page)),
        };
        if let Some(allowance) = allowance
            && let Err(wait) = allowance.take_order().await
        {
            self.forget(&claim.key).await?;
            return Err(Error::TooMany(wait));
        }
        let method = attempt.method;
        let sent = attempt
            .send(visit.app.clone(), claim.key.clone(), Some(caller), sending)
            .await?;
        let again = |problem| Outcome::go(wish.page(self.target, Some(problem)));
        Ok(match sent {
            Sent::Opened(opened) => self.opened(&claim.key, &opened, Some(method)),
            Sent::Unknown => Outcome::go(page),
            Sent::Unreached => again(BillProblem::Unavailable),
            Sent::Refused(rejection)
                if rejection.code == "sum_too_much" || rejection.code == "nothing_to_pay" =>
            {
                again(BillProblem::Less)
            }
            Sent::Refused(rejection) if rejection.code == "bonus_too_much" => {
                again(BillProblem::Changed)
            }
            Sent::Refused(_) => again(BillProblem::Refused),
        })
    }

    /// Nothing was sent: the share is free again, its dishes are chosen as before.
    async fn forget(&self, key: &str) -> Result<(), Error> {
        let (state, now) = (&self.visit.app.state, self.visit.now);
        state
            .tabs()
            .update(self.bill.id.as_str(), |shared| {
                let Some(at) = shared.claims.iter().position(|claim| claim.key == key) else {
                    return;
                };
                let claim = shared.claims.remove(at);
                if !claim.units.is_empty() {
                    tab::hold(shared, self.bill, &claim.guest, &claim.units, now);
                }
            })
            .await?;
        state.idempotency().release(key).await?;
        Ok(())
    }

    /// The first answer leads a guest who pays by card to the bank.
    fn opened(&self, key: &str, opened: &Opened, method: Option<PayMethod>) -> Outcome {
        let bank = opened
            .bank
            .as_deref()
            .filter(|_| method == Some(PayMethod::Card))
            .and_then(|bank| outside(bank, &[&self.visit.app.config.payment_origins]));
        match bank {
            Some(bank) => Outcome::pay(bank, self.page(key)),
            None => Outcome::go(self.page(key)),
        }
    }

    /// Another press is being sent: a form waits for it, a script is told at once and goes to the page of the payment.
    async fn in_flight(&self, key: &str) -> Result<Outcome, Error> {
        if !self.visit.wants_json() {
            let deadline = tokio::time::Instant::now() + WAIT;
            while tokio::time::Instant::now() < deadline {
                tokio::time::sleep(WAIT_STEP).await;
                let known = self.visit.app.state.idempotency().get(key).await?;
                if known.is_some_and(|known| known.answer.is_some()) {
                    break;
                }
            }
        }
        Ok(Outcome::go(self.page(key)).in_flight())
    }
}

#[cfg(test)]
mod tests;
