//! Loading the page of a bill.

use url::form_urlencoded;

use super::{
    BillPage, BillProblem, BillState, again,
    attempt::Attempt,
    page::View,
    settle::{settled, settled_open},
    tab,
    target::{Target, expect_table},
    way::WaitLimits,
};
use crate::{
    error::Error,
    features::{
        attempts::read_record,
        loaded::{Facts, Loaded, PageRequest, SignedInRequest},
        mapping,
    },
    state::bills::Tab,
    upstream::{self, Caller, VenueId},
    values::Sum,
    web::{
        page::{Page, PageBuilder, SignedInPage},
        visit::Visit,
    },
};

/// For so long a guest who comes back to a table without a bill is told of the one that they have paid there, milliseconds.
const PAID_SHOWN_FOR: i64 = 60 * 60 * 1000;
/// What names a table in an address.
const OF_TABLE: [&str; 3] = ["filial_id", "table_id", "main_terminal_id"];
/// Seconds until the page looks again where scripts do not run. Not while the guest chooses: that would be lost.
const REFRESH: u32 = 15;
/// A choice of dishes that is looked at is held anew when it has less than this left, milliseconds.
const RENEWED: i64 = tab::HOLD_TIME - 15_000;

/// `/filials/{filial_id}/bill` (RT-08)
pub const PAGE: Page = of("/filials/{filial_id}/bill").open();
/// `/bills/preorder/{id}` (RT-06)
pub const PREORDER: SignedInPage = of("/bills/preorder/{id}").signed_in();

const fn of(path: &'static str) -> PageBuilder {
    Page::builder("bill", path)
        .query(&[
            "filial_id",
            "table_id",
            "main_terminal_id",
            "bill",
            "split",
            "of",
            "pay",
            "sum",
            "tip",
            "tip_sum",
            "bonus",
            "payment",
            "step",
            "wanted",
            "problem",
        ])
        .balance()
        .of_orders()
        .names_table()
}

/// Loads the page: the bill as it is now, with what others have of it. A table without a bill says so (PY-07), one whose
/// bill was closed shows nothing of it.
///
/// # Errors
/// Not found for an address that names nothing; when its address has looked at too many; when store or upstream does not
/// answer.
pub async fn load(request: PageRequest) -> Result<Loaded<BillPage>, Error> {
    loaded(&request).await
}

/// Loads the bill of a preorder.
///
/// # Errors
/// As the one of a table.
pub async fn load_preorder(request: SignedInRequest) -> Result<Loaded<BillPage>, Error> {
    loaded(&request).await
}

async fn loaded(facts: &Facts) -> Result<Loaded<BillPage>, Error> {
    let Facts { visit, place, .. } = facts;
    let matched = facts.matched();
    let target = Target::of(visit, matched.param("filial_id"), matched.param("id")).await?;
    let caller = visit.personal_caller().await;
    let named: Option<VenueId> = match matched.param("filial_id").parse() {
        Ok(venue) => Some(venue),
        Err(_) => target.as_ref().and_then(Target::venue),
    };
    // The bill of one venue does not stand under the name of another.
    if let Some(target) = &target
        && target.venue().is_some_and(|own| named != Some(own))
    {
        return Ok(own_address(visit, target));
    }
    if let Some(target) = &target {
        target.look_up(visit).await?;
    }
    let upstream = &visit.app.upstream;
    let (read, view) = tokio::join!(
        async {
            match &target {
                Some(target) => target.read(upstream, &caller).await,
                None => Err(upstream::Error::NotFound),
            }
        },
        async {
            match named {
                Some(venue) => Some(View::of(visit, place, target.clone(), Some(venue)).await),
                None => None,
            }
        }
    );
    let bill = match read {
        Ok(bill) => Some(bill),
        Err(upstream::Error::NotFound) => {
            expect_table(visit, named, target.as_ref()).await?;
            None
        }
        Err(error) => return Err(Error::Upstream(error)),
    };
    if let (Some(target), Some(named), Some(of)) =
        (&target, named, bill.as_ref().and_then(|bill| bill.venue))
        && !is_one_place(visit, named, of).await
    {
        return Ok(own_address(visit, &target.clone().at(of)));
    }
    let mut view = match view {
        Some(view) => view,
        None => {
            let venue = bill.as_ref().and_then(|bill| bill.venue);
            View::of(visit, place, target.clone(), venue).await
        }
    };
    let seen = view.bill.clone();
    let is_read = bill.is_some();
    let money = bill.as_ref().map(|bill| (bill.charged(), bill.refunded()));
    let open =
        bill.filter(|bill| !bill.is_closed && seen.as_ref().is_none_or(|seen| *seen == bill.id));
    let Some(bill) = open else {
        let (state, shared) = match (&seen, &target) {
            (Some(seen), Some(_)) => {
                let mut shared = settled(&visit.app, &caller, seen.as_str()).await?;
                if let Some(own) = elsewhere(visit, target.as_ref(), &shared, &view.guest).await? {
                    return Ok(own_address(visit, &own));
                }
                if let Some(name) = target.as_ref().and_then(Target::table_name) {
                    shared.called_at = visit.app.state.tabs().load(&name).await?.called_at;
                }
                (BillState::Closed, shared)
            }
            (None, Some(target)) => {
                without_bill(visit, &caller, (target, is_read), &view.guest).await?
            }
            // Without a known table there is no closed bill to tell of.
            (_, None) => (BillState::NotFound, Tab::default()),
        };
        let mut page = view.without(state, &shared, visit.now);
        if let Some((charged, refund)) = money.filter(|_| page.preorder) {
            page.refund = Some(refund).filter(|sum| sum.0 > 0);
            // What becomes of it is said as on the page of the booking.
            page.paid = Sum(if page.canceled { charged.0 } else { 0 });
        }
        let waits = page.canceled && page.refund.is_none() && page.paid.0 > 0;
        // A waiter comes to a table without a bill as well: what is shown then is there, and is prefetched by its links.
        let is_there = state != BillState::NotFound || page.calling || page.waiter_in > 0;
        let rests = waits || (state == BillState::NotFound && !page.calling);
        let loaded = Loaded::page(page).refresh(rests.then_some(REFRESH));
        return Ok(if is_there { loaded } else { loaded.status(404) });
    };
    view.begin_session().await;
    let mut shared = settled_open(&visit.app, &caller, &bill).await?;
    let is_choosing = view.is_choosing();
    if is_choosing && again::choose(visit, &bill, &view.guest, &mut shared).await? {
        view.problem = Some(BillProblem::Taken);
    }
    if is_choosing && !visit.is_prefetch() {
        let whole = renew(visit, &bill, &view.guest, &mut shared).await?;
        if !whole {
            view.problem = Some(BillProblem::Taken);
        }
    }
    view.learn(&bill);
    let page = view.page(&bill, &shared, visit.now);
    let rests = page.choice.is_none() && !page.calling;
    Ok(Loaded::page(page).refresh(rests.then_some(REFRESH)))
}

/// A table without a bill, or a preorder that is no more. A guest who has paid the last one there lately is told so;
/// for all others it is not found (S-16). A preorder that the upstream tells still is its owner's: their booking leads to it.
async fn without_bill(
    visit: &Visit,
    caller: &Caller,
    (target, is_read): (&Target, bool),
    guest: &str,
) -> Result<(BillState, Tab), Error> {
    let is_own = is_read && matches!(target, Target::Preorder(_));
    let (last, table) = match target {
        Target::Preorder(id) => (Some(id.to_string()), Tab::default()),
        Target::Table { .. } => {
            let name = target.table_name().unwrap_or_default();
            let table = visit.app.state.tabs().load(&name).await?;
            (table.last.clone(), table)
        }
    };
    let Some(last) = last.filter(|_| !guest.is_empty()) else {
        return Ok((BillState::NotFound, table));
    };
    let mut shared = settled(&visit.app, caller, &last).await?;
    // Where the bill is closed, the waiter is called to the table.
    shared.called_at = table.called_at;
    Ok(
        if is_own || tab::has_paid(&shared, guest, visit.now - PAID_SHOWN_FOR) {
            (BillState::Closed, shared)
        } else {
            (BillState::NotFound, table)
        },
    )
}

/// The page of a bill at its own address, with whatever else was asked for.
fn own_address(visit: &Visit, target: &Target) -> Loaded<BillPage> {
    let query = visit.raw_query.as_deref().unwrap_or_default();
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| !OF_TABLE.contains(&name.as_ref()))
        .collect();
    let pairs: Vec<(&str, &str)> = pairs
        .iter()
        .map(|(name, value)| (name.as_ref(), value.as_ref()))
        .collect();
    Loaded::Redirect(target.href(&pairs))
}

/// Whether two ids are of one place (FL-08). When unknown, the address is believed.
async fn is_one_place(visit: &Visit, one: VenueId, other: VenueId) -> bool {
    if one == other {
        return true;
    }
    let caller = visit.caller(None);
    match visit.app.upstream.venue(&caller, one, None).await {
        Ok(venue) => mapping::linked_with(&venue).contains(&other.0),
        Err(_) => true,
    }
}

/// The table whose bill the guest has paid of, if it is another than the address says.
async fn elsewhere(
    visit: &Visit,
    target: Option<&Target>,
    shared: &Tab,
    guest: &str,
) -> Result<Option<Target>, Error> {
    let Some(claim) = shared.claims.iter().find(|claim| claim.guest == guest) else {
        return Ok(None);
    };
    let Some(known) = visit.app.state.idempotency().get(&claim.key).await? else {
        return Ok(None);
    };
    let paid: Attempt = read_record(&known.body)?;
    Ok((!target.is_some_and(|target| target.is_like(&paid.target))).then_some(paid.target))
}

/// A guest who looks at their dishes keeps them, but for those that others have begun to pay. False: there were some.
async fn renew(
    visit: &Visit,
    bill: &upstream::Bill,
    guest: &str,
    shared: &mut Tab,
) -> Result<bool, Error> {
    let (now, limits) = (visit.now, WaitLimits::of(&visit.app));
    let Some(hold) = tab::hold_of(shared, guest) else {
        return Ok(true);
    };
    let seen = limits.seen_by(guest, bill, shared, now).1;
    if hold.until - now >= RENEWED && tab::is_free(&seen, bill, guest) {
        return Ok(true);
    }
    let renew = |shared: &mut Tab| {
        let units = tab::hold_of(shared, guest).map(|hold| hold.units.clone());
        units.is_none_or(|units| limits.hold(shared, bill, guest, &units, now))
    };
    let tabs = visit.app.state.tabs();
    let (now_shared, whole) = tabs.update(bill.id.as_str(), renew).await?;
    *shared = now_shared;
    Ok(whole)
}
