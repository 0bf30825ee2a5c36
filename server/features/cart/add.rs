//! Adding to the cart: `POST /cart/lines`, from a row of the menu or from the sheet of a dish.

use axum::extract::State;

use super::{PAGE, choice};
use crate::{
    error::Error,
    features::{
        age_check,
        analytics::{self, Cleared},
        cart_view::{contents, name_of, unpaid},
        fridge,
        live::Venues,
        menu::address,
    },
    state::carts::{Cart, CartId, NewLine, Refused, UpdateError},
    upstream::{ProductId, VenueId},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Flash, Notice, Outcome, Text},
        },
        redirect::safe_path,
        visit::Visit,
    },
};

/// Where the cart shows what goes well with it: the part of its page that leads there without scripts (`CROSS` of
/// `components/paths.ts`).
const CROSS: &str = "#cross";
/// Pieces that one post may add or take.
const LARGEST_DELTA: i64 = 99;

/// Adds or takes pieces of a product. Where it is a button of another form, the query says which.
///
/// # Errors
/// When the store or, where it is needed, the upstream does not answer.
pub async fn add(State(venues): State<Venues>, visit: Visit, form: Form) -> Result<Outcome, Error> {
    let back = back_of(&visit, &form);
    let said = |name| {
        form.get(name)
            .or_else(|| visit.query_value(name))?
            .parse()
            .ok()
    };
    let (Some(venue), Some(product)) =
        (said("filial").map(VenueId), said("product").map(ProductId))
    else {
        return Ok(Outcome::refused_form(&form, back, ErrorCode::BadInput).with_cart());
    };
    let delta = form
        .get("delta")
        .map_or(Some(1), |delta| delta.parse::<i64>().ok());
    let Some(delta) = delta.filter(|delta| (-LARGEST_DELTA..=LARGEST_DELTA).contains(delta)) else {
        return Ok(Outcome::refused_form(&form, back, ErrorCode::BadInput).with_cart());
    };
    if delta <= 0 {
        // Taking away must work whatever the menu says by now.
        let plain = NewLine {
            product_id: product.0,
            ..NewLine::default()
        };
        return apply(&visit, &form, venue, &[], plain, delta).await;
    }

    let wanted = choice::wanted(&venues, &visit, &form, venue, product).await?;
    let siblings = wanted.siblings();
    match wanted.line {
        Ok(_) if wanted.restricted && !age_check::is_confirmed(&visit).await => {
            Ok(age_check::question(&visit, &form, &back))
        }
        Ok(line) => apply(&visit, &form, venue, &siblings, line, delta).await,
        Err(errors) => {
            // A row of the menu can't show the groups: the sheet can.
            let whole = errors.iter().all(|error| error.field == "form");
            let to = match back.strip_prefix(PAGE.path) {
                _ if whole || visit.app.page_of(&back).page.has_overlay(&back) => back,
                Some(CROSS) => address::sheet_from_cart(venue, product, CROSS),
                _ => address::sheet(venue, product),
            };
            Ok(Outcome::refused(&form, to, errors))
        }
    }
}

async fn apply(
    visit: &Visit,
    form: &Form,
    venue: VenueId,
    siblings: &[u64],
    line: NewLine,
    delta: i64,
) -> Result<Outcome, Error> {
    let replace = form.get("replace").is_some();
    let cart = visit.sess.cart_or_new().await?;
    let done = change_once(visit, form, &cart, |cart| {
        // Another service of the same venue is no other venue: the lines come along (SV-03).
        cart.follow(siblings, venue.0);
        cart.add(venue.0, line.clone(), delta, replace, visit.now)
    })
    .await;
    let said = match &done {
        Ok((cart, answer)) => {
            let replaced = answer.as_ref().is_some_and(Option::is_some);
            if replaced {
                analytics::cart_cleared(Cleared::OtherVenue);
            } else if cart.is_empty() && cart.removed_at(visit.now).is_some() {
                analytics::cart_cleared(Cleared::LastLine);
            }
            if delta > 0 && answer.is_some() {
                analytics::item_added(venue.0, line.product_id);
            }
            if delta > 0 {
                fridge::note_scanned(visit, venue).await?;
            }
            match return_of(visit, cart).await.filter(|_| delta > 0) {
                None => removal(visit, cart).await.filter(|_| !replaced),
                returned => returned,
            }
        }
        Err(_) => None,
    };
    let outcome = refusal(visit, form, done.map(|_| ())).await?;
    Ok(match said {
        Some(flash) => outcome.with_flash(flash),
        None => outcome,
    })
}

/// Changes a cart once, however often the form comes.
pub(super) async fn change_once<T>(
    visit: &Visit,
    form: &Form,
    cart: &CartId,
    mut change: impl FnMut(&mut Cart) -> Result<T, Refused>,
) -> Result<(Cart, Option<T>), UpdateError<Refused>> {
    let mutation = form.mutation();
    let carts = visit.app.state.carts();
    let mut change = |cart: &mut Cart| cart.once(mutation.as_ref(), &mut change);
    let done = carts.update(cart, &mut change).await;
    if let Err(UpdateError::Refused(Refused::Unpaid { .. })) = done {
        // The order may have been paid or called off since the last look.
        let waiting = carts.load(cart).await?;
        if unpaid::settled(visit, waiting).await?.unpaid.is_none() {
            return carts.update(cart, &mut change).await;
        }
    }
    done
}

/// What has just come back by itself with a dish (FL-06).
async fn return_of(visit: &Visit, cart: &Cart) -> Option<Flash> {
    let returned = cart.just_returned(visit.now)?;
    let caller = visit.caller(None).optional();
    let venue = VenueId(returned.venue_id);
    let menu = visit.app.upstream.menu(&caller, venue).await.ok();
    let values = [("name".to_owned(), vec![contents(returned, menu.as_deref())])];
    Some(Flash {
        values: values.into(),
        ..Flash::new(Notice::CartReturned)
    })
}

/// How many of the dishes that were removed at once are named.
const MOST_NAMED: usize = 3;

/// What was just removed, as the page calls it, with the way to undo it.
pub(super) async fn removal(visit: &Visit, cart: &Cart) -> Option<Flash> {
    let undo = cart.removed_at(visit.now)?;
    let caller = visit.caller(None).optional();
    let venue = VenueId(undo.venue_id);
    let menu = visit.app.upstream.menu(&caller, venue).await.ok();
    let names: Vec<&str> = undo
        .lines
        .iter()
        .map(|line| name_of(line, menu.as_deref()))
        .collect();
    let more = if names.len() > MOST_NAMED { " …" } else { "" };
    let named = &names[..names.len().min(MOST_NAMED)];
    let values = [("name".to_owned(), vec![named.join(", ") + more])];
    Some(Flash {
        values: values.into(),
        ..Flash::new(Notice::Removed)
    })
}

/// The outcome of a cart update. The cart is told in any case: the browser's may be older than what refuses.
pub(super) async fn refusal(
    visit: &Visit,
    form: &Form,
    done: Result<(), UpdateError<Refused>>,
) -> Result<Outcome, Error> {
    let back = back_of(visit, form);
    let refused = match done {
        Ok(()) => return Ok(Outcome::back(address::closed(visit, back, &PAGE)).with_cart()),
        Err(UpdateError::State(error)) => return Err(Error::State(error)),
        Err(UpdateError::Refused(refused)) => refused,
    };
    let error = match refused {
        Refused::OtherVenue { venue_id } => {
            let caller = visit.caller(None).optional();
            let venue = visit
                .app
                .upstream
                .venue(&caller, VenueId(venue_id), None)
                .await;
            let name = venue
                .map(|venue| venue.location.name.clone())
                .unwrap_or_default();
            FieldError::new("form", ErrorCode::OtherVenue).with("venue", Text::Word(name))
        }
        Refused::Quantity { max } => {
            FieldError::new("form", ErrorCode::Quantity).with("count", number(max))
        }
        Refused::TooManyLines { max } => FieldError::new("form", ErrorCode::Quantity)
            .with("count", number(u32::try_from(max).unwrap_or(u32::MAX))),
        Refused::LineGone => FieldError::new("form", ErrorCode::LineGone),
        Refused::Unpaid { number } => {
            FieldError::new("form", ErrorCode::Unpaid).with("number", Text::Word(number))
        }
        Refused::NothingToRestore => FieldError::new("form", ErrorCode::Gone),
    };
    Ok(Outcome::refused(form, back, vec![error]).with_cart())
}

/// Where the guest came from. A button of another form says it by the query, as that form leads elsewhere.
fn back_of(visit: &Visit, form: &Form) -> String {
    let said = visit.query_value("back");
    said.map_or_else(|| form.back(), safe_path)
}

fn number(count: u32) -> Text {
    Text::Number(i32::try_from(count).unwrap_or(i32::MAX))
}
