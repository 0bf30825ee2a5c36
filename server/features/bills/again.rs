//! Dishes of a part that came to nothing at the bank are chosen again when their guest is back at the bill, who need
//! not look for them again (PY-06, PY-14).

use super::{tab, way::WaitLimits};
use crate::{error::Error, state::bills::Tab, upstream::Bill, web::visit::Visit};

/// Chooses them, once, as far as others have left them. True: another guest has some of them by now. A look ahead of a tap
/// changes nothing and shows what the tap will.
///
/// # Errors
/// When the store does not answer.
pub(super) async fn choose(
    visit: &Visit,
    bill: &Bill,
    guest: &str,
    shared: &mut Tab,
) -> Result<bool, Error> {
    if tab::lost(shared, guest).is_none() {
        return Ok(false);
    }
    let (now, limits) = (visit.now, WaitLimits::of(&visit.app));
    let change = |shared: &mut Tab| {
        tab::tidy(shared, now);
        let Some(wanted) = tab::lost(shared, guest).cloned() else {
            return true;
        };
        let whole = limits.hold(shared, bill, guest, &wanted, now);
        tab::forget_lost(shared, guest);
        whole
    };
    if visit.is_prefetch() {
        return Ok(!change(shared));
    }
    let tabs = visit.app.state.tabs();
    let (now_shared, whole) = tabs.update(bill.id.as_str(), change).await?;
    *shared = now_shared;
    Ok(!whole)
}
