//! Loading the page of a bill.

use super::{BillPage, BillState, choice::Split, page::View, settle::settled, tab, target::Target};
use crate::{
    error::Error,
    features::loaded::{Facts, Loaded, PageRequest},
    state::bills::Tab,
    upstream,
    web::page::Page,
};

/// Seconds until the page looks again where scripts do not run. Not while the guest chooses: that would be lost.
const REFRESH: u32 = 15;
/// A choice of dishes that is looked at is held anew when it has less than this left, milliseconds.
const RENEWED: i64 = tab::HELD - 15_000;

/// `/filials/{filial_id}/bill` and `/bills/preorder/{id}` (RT-06, RT-08)
pub const PAGES: [Page; 2] = [
    of("/filials/{filial_id}/bill"),
    of("/bills/preorder/{id}").signed_in(),
];

const fn of(path: &'static str) -> Page {
    Page::new("bill", path)
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
            "step",
            "problem",
        ])
        .balance()
}

/// Loads the page: the bill as it is now, with what others have of it. A table without a bill says so (PY-07), one whose
/// bill was closed shows nothing of it.
///
/// # Errors
/// Not found for an address that names nothing; when store or upstream does not answer.
pub async fn load(request: PageRequest) -> Result<Loaded<BillPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let matched = request.matched();
    let target = Target::of(visit, matched.param("filial_id"), matched.param("id")).await?;
    let caller = visit.personal_caller().await;
    let named = match matched.param("filial_id").parse() {
        Ok(filial) => Some(filial),
        Err(_) => target.as_ref().and_then(Target::filial),
    };
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
                Some(filial) => Some(View::of(visit, place, target.clone(), Some(filial)).await),
                None => None,
            }
        }
    );
    let bill = match read {
        Ok(bill) => Some(bill),
        Err(upstream::Error::NotFound) => None,
        Err(error) => return Err(Error::Upstream(error)),
    };
    let mut view = match view {
        Some(view) => view,
        None => {
            let filial = bill.as_ref().and_then(|bill| bill.filial);
            View::of(visit, place, target.clone(), filial).await
        }
    };
    let seen = view.bill.clone();
    let open =
        bill.filter(|bill| !bill.is_closed && seen.as_ref().is_none_or(|seen| *seen == bill.id));
    let Some(bill) = open else {
        let (state, shared) = match &seen {
            Some(seen) => {
                let shared = settled(&visit.app, &caller, seen.as_str()).await?;
                (BillState::Closed, shared)
            }
            None => {
                let table = target.as_ref().and_then(Target::table_name);
                let shared = match table {
                    Some(table) => visit.app.state.tabs().load(&table).await?,
                    None => Tab::default(),
                };
                (BillState::NotFound, shared)
            }
        };
        let page = view.without(state, &shared, visit.now);
        let rests = !page.calling;
        let loaded = Loaded::page(page);
        return Ok(if state == BillState::NotFound {
            loaded.status(404).refresh(rests.then_some(REFRESH))
        } else {
            loaded
        });
    };
    let mut shared = settled(&visit.app, &caller, bill.id.as_str()).await?;
    let is_choosing = view
        .choice
        .as_ref()
        .is_some_and(|choice| choice.split == Split::Dishes);
    let is_old =
        tab::held(&shared, &view.guest).is_some_and(|hold| hold.until - visit.now < RENEWED);
    if is_choosing && is_old && !visit.is_prefetch() {
        shared = renewed(visit, &bill, &view.guest).await?;
    }
    view.learn(&bill);
    let page = view.page(&bill, &shared, visit.now);
    let rests = page.choice.is_none() && !page.calling;
    Ok(Loaded::page(page).refresh(rests.then_some(REFRESH)))
}

/// A guest who looks at their dishes keeps them.
async fn renewed(
    visit: &crate::web::visit::Visit,
    bill: &upstream::Bill,
    guest: &str,
) -> Result<Tab, Error> {
    let now = visit.now;
    let (shared, ()) = visit
        .app
        .state
        .tabs()
        .update(bill.id.as_str(), |shared| {
            tab::tidy(shared, now);
            for hold in &mut shared.holds {
                if hold.guest == guest {
                    hold.until = now + tab::HELD;
                }
            }
        })
        .await?;
    Ok(shared)
}
