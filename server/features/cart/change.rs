//! Changing, emptying and repairing the cart, and what early taps recorded.

use axum::extract::{Path, State};
use serde::Deserialize;

use super::{
    add::{add, change_once, refusal, removal},
    choice, table,
};
use crate::{
    error::Error,
    features::{
        analytics::{self, Cleared},
        cart_view::{self, Verdict},
        checkout::check,
        fridge,
        live::Venues,
        mapping,
    },
    state::carts::{Cart, Change, Refused},
    upstream::{ProductId, VenueId},
    values::Service,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Notice, Outcome},
        },
        limits, prefix,
        visit::Visit,
    },
};

/// Early taps that one post may replay.
const MOST_TAPS: usize = 200;

/// Changes the quantity of a line: `delta`, or `qty` absolute.
///
/// # Errors
/// When the store does not answer.
pub async fn change(visit: Visit, Path(line): Path<String>, form: Form) -> Result<Outcome, Error> {
    let change = match (form.get("qty"), form.get("delta")) {
        (Some(qty), _) => qty.parse().ok().map(Change::To),
        (None, Some(delta)) => delta.parse().ok().map(Change::By),
        (None, None) => None,
    };
    let Some(change) = change else {
        return Ok(Outcome::refused_form(&form, form.back(), ErrorCode::BadInput).with_cart());
    };
    let mut added = None;
    let outcome = update(&visit, &form, Some(Cleared::LastLine), |cart| {
        let pieces = |cart: &Cart| {
            let line = cart.lines.iter().find(|one| one.id == line)?;
            Some((line.quantity, line.product_id))
        };
        let before = pieces(cart);
        cart.change(&line, change, visit.now)?;
        let after = pieces(cart).filter(|after| before.is_some_and(|(qty, _)| after.0 > qty));
        added = cart.venue_id.zip(after.map(|(_, product)| product));
        Ok(())
    })
    .await?;
    if let Some((venue, product)) = added {
        analytics::item_added(venue, product);
        fridge::note_scanned(&visit, VenueId(venue)).await?;
    }
    Ok(outcome)
}

/// Empties the cart; it can be brought back for ten minutes. Beside an order that waits for its payment it takes out
/// what was added since.
///
/// # Errors
/// When the store does not answer.
pub async fn clear(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let outcome = update(&visit, &form, Some(Cleared::Guest), |cart| {
        cart.empty_out(visit.now)
    })
    .await?;
    if outcome.is_refused() {
        return Ok(outcome);
    }
    // Of the cart itself: a form that comes again changes nothing.
    let cart = cart_view::load(&visit).await?;
    if cart.is_some_and(|cart| !cart.is_empty()) {
        return Ok(outcome);
    }
    Ok(Outcome {
        flash: None,
        ..outcome
    }
    .saying(Notice::CartCleared))
}

/// Brings back what left last: a line, or a whole cart; with `venue` the cart of that one which waits aside. A cart that has
/// just made way for another venue's code brings its table back with it. With `returned` it is the other way round: what
/// came back by itself waits aside again.
///
/// # Errors
/// When the store does not answer.
pub async fn undo(visit: Visit, form: Form) -> Result<Outcome, Error> {
    if form.get("returned").is_some() {
        return update(&visit, &form, None, |cart| cart.undo_return(visit.now)).await;
    }
    let venue: Option<VenueId> = form.parse("venue");
    let venue = venue.map(|venue| venue.0);
    let cart = cart_view::load(&visit).await?;
    let comes = cart.filter(|cart| {
        // A form that comes again changes nothing.
        let mutation = form.mutation();
        !mutation.is_some_and(|mutation| cart.has_applied(&mutation))
    });
    if let Some(back) = comes.and_then(|cart| cart.comes_back(venue, visit.now)) {
        // Before the cart: where one of the two can't be written, the same form once more brings both.
        table::sit_again(&visit, back).await?;
        visit.sess.write_down().await?;
    }
    update(&visit, &form, None, |cart| {
        cart.bring_back(venue, visit.now)
    })
    .await
}

/// Puts another choice in the place of a line: the sheet of a dish that was opened from the cart.
///
/// # Errors
/// When the store or the upstream does not answer.
pub async fn edit(
    State(venues): State<Venues>,
    visit: Visit,
    Path(line): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let (Some(venue), Some(product)) = (
        form.parse::<VenueId>("filial"),
        form.parse::<ProductId>("product"),
    ) else {
        return Ok(Outcome::refused_form(&form, form.back(), ErrorCode::BadInput).with_cart());
    };
    let count = form
        .get("delta")
        .map_or(Some(1), |count| count.parse::<u64>().ok())
        .filter(|count| *count > 0);
    let Some(count) = count else {
        return Ok(Outcome::refused_form(&form, form.back(), ErrorCode::BadInput).with_cart());
    };
    let wanted = match choice::wanted(&venues, &visit, &form, venue, product)
        .await?
        .line
    {
        Ok(wanted) => wanted,
        Err(errors) => return Ok(Outcome::refused(&form, form.back(), errors)),
    };
    let known = cart_view::load(&visit).await?.is_some_and(|cart| {
        let same =
            |known: &crate::state::carts::Line| known.id == line && known.product_id == product.0;
        cart.venue_id == Some(venue.0) && cart.lines.iter().any(same)
    });
    if !known {
        // It left in another window: nothing is put in its place unasked, and nothing that was chosen is lost.
        let error = FieldError::new("form", ErrorCode::LineGone);
        return Ok(Outcome::refused(&form, form.back(), vec![error]));
    }
    let outcome = update(&visit, &form, None, |cart| {
        cart.replace(&line, wanted.clone(), count)
    })
    .await?;
    if outcome.is_refused() {
        return Ok(outcome);
    }
    Ok(Outcome {
        to: "/cart".to_owned(),
        ..outcome
    }
    .saying(Notice::Changed))
}

/// Removes what is gone and accepts the prices of now (CT-04, CT-05): only what the guest has just been shown.
///
/// # Errors
/// When the store or the upstream does not answer.
pub async fn repair(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let Some(cart) = cart_view::load(&visit).await? else {
        return Ok(Outcome::back(form.back()));
    };
    let Some(venue_id) = cart.venue_id.map(VenueId) else {
        return Ok(Outcome::back(form.back()));
    };
    let venue = visit
        .app
        .upstream
        .venue(&visit.caller(None), venue_id, None)
        .await?;
    let checked = check(&visit, &cart, venue_id, mapping::service(&venue, &visit)).await?;
    let judged: std::collections::HashMap<String, Verdict> = cart
        .lines
        .iter()
        .map(|line| line.id.clone())
        .zip(checked.verdicts)
        .collect();
    update(&visit, &form, Some(Cleared::Unavailable), |cart| {
        cart.repair(|line| match judged.get(&line.id) {
            Some(Verdict::Gone) => false,
            Some(Verdict::Price(price)) => {
                line.price = *price;
                true
            }
            Some(Verdict::Fine) | None => true,
        });
        Ok(())
    })
    .await
}

/// Changes the cart of the visit, tells what was removed, and counts `cleared` when that was the last line.
pub(super) async fn update(
    visit: &Visit,
    form: &Form,
    cleared: Option<Cleared>,
    mut change: impl FnMut(&mut Cart) -> Result<(), Refused>,
) -> Result<Outcome, Error> {
    let Some(cart) = visit.sess.cart().await else {
        return Ok(Outcome::back(form.back()));
    };
    let mut emptied = false;
    let done = change_once(visit, form, &cart, |cart| {
        let filled = !cart.is_empty();
        change(cart)?;
        emptied = filled && cart.is_empty();
        Ok(())
    })
    .await;
    let removed = match &done {
        Ok((cart, _)) => {
            if let Some(cause) = cleared.filter(|_| emptied) {
                analytics::cart_cleared(cause);
            }
            removal(visit, cart).await
        }
        Err(_) => None,
    };
    let outcome = refusal(visit, form, done.map(|_| ())).await?;
    Ok(match removed {
        Some(flash) => outcome.with_flash(flash),
        None => outcome,
    })
}

/// The cart of a venue goes along to its sibling for another service (SV-03); whether there was one to go.
///
/// # Errors
/// When the store does not answer.
pub async fn follow_service(
    visit: &Visit,
    siblings: &[u64],
    venue: VenueId,
) -> Result<bool, Error> {
    let Some(cart) = visit.sess.cart().await else {
        return Ok(false);
    };
    let (_, moves) = visit
        .app
        .state
        .carts()
        .update(&cart, |cart| {
            Ok::<_, std::convert::Infallible>(cart.follow(siblings, venue.0))
        })
        .await
        .map_err(Error::from_update)?;
    Ok(moves)
}

/// The same from the cart's own page: its venue is the one of its lines.
///
/// # Errors
/// When the store does not answer. A venue that can't be asked leaves the cart where it is.
pub async fn change_service(visit: &Visit, service: Service) -> Result<bool, Error> {
    let Some(venue_id) = cart_view::load(visit).await?.and_then(|cart| cart.venue_id) else {
        return Ok(false);
    };
    let caller = visit.caller(None);
    let Ok(venue) = visit
        .app
        .upstream
        .venue(&caller, VenueId(venue_id), None)
        .await
    else {
        return Ok(false);
    };
    match venue.location.venue_for(service) {
        Some(sibling) => follow_service(visit, &mapping::siblings(&venue), sibling).await,
        None => Ok(false),
    }
}

#[derive(Deserialize)]
struct Tap {
    action: String,
    body: String,
}

/// Replays what the early-tap script recorded, in order (beyond.md, 3). Each tap has its own mutation id, so that
/// those which came through already count once. The first refusal is shown; the other taps are done.
///
/// # Errors
/// When the store or the upstream does not answer: the browser still has the taps then.
pub async fn replay(venues: State<Venues>, visit: Visit, form: Form) -> Result<Outcome, Error> {
    let taps: Vec<Tap> = form
        .get("queue")
        .and_then(|queue| limits::json(queue.as_bytes()).ok())
        .unwrap_or_default();
    let mut refused = None;
    for tap in taps.into_iter().take(MOST_TAPS) {
        let tapped = Form::urlencoded(tap.body.as_bytes());
        let action = prefix::without(&tap.action);
        let outcome = match action.strip_prefix("/cart/").unwrap_or_default() {
            _ if tapped.is_misnamed() => {
                Outcome::refused_form(&tapped, form.back(), ErrorCode::BadInput)
            }
            "lines" => add(venues.clone(), visit.clone(), tapped).await?,
            "clear" => clear(visit.clone(), tapped).await?,
            "undo" => undo(visit.clone(), tapped).await?,
            "repair" => repair(visit.clone(), tapped).await?,
            action => match action.strip_prefix("lines/") {
                Some(line) if !line.contains('/') => {
                    change(visit.clone(), Path(line.to_owned()), tapped).await?
                }
                Some(_) | None => continue,
            },
        };
        if outcome.is_refused() && refused.is_none() {
            refused = Some(outcome);
        }
    }
    Ok(refused
        .unwrap_or_else(|| Outcome::back(form.back()))
        .with_cart())
}
