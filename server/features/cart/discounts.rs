//! What the guest wants taken off: a promo code, bonuses. Only the wish is kept; what it is worth is asked each time the
//! cart is shown and once more at the order (CT-08, CT-13, BL-12).

use axum::{
    Extension,
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use super::change::update;
use crate::{
    error::Error,
    features::{
        cart_view,
        checkout::{ORDER_BUTTON, floor_to},
        place::Place,
    },
    upstream::VenueId,
    values::{MoneyFormat, Sum},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Flash, Notice, Outcome},
            plain::is_plain_text,
        },
        rate::AddressAllowance,
        visit::Visit,
    },
};

/// Where the cart says what became of a code, and of bonuses: without scripts a page begins at its top.
const PROMO: &str = "promo";
const BONUS: &str = "bonus";
/// Characters of a promo code.
const LONGEST_CODE: usize = 40;

/// Keeps the promo code of the form, or forgets it with `remove`, or when the field of the one that is kept is emptied.
///
/// # Errors
/// When the store does not answer; when the address has tried too many codes.
pub async fn set_promo(
    visit: Visit,
    Extension(allowance): Extension<AddressAllowance>,
    form: Form,
) -> Result<Outcome, Error> {
    let before = cart_view::load(&visit)
        .await?
        .and_then(|cart| cart.promo_code);
    let outcome = match wanted_code(&form, before.is_some()) {
        Ok(code) => {
            if code.is_some() && code != before {
                allowance.take_code().await.map_err(Error::TooMany)?;
            }
            keep_code(&visit, &form, code).await?
        }
        Err(error) => Outcome::refused(&form, form.back(), vec![error]),
    };
    Ok(outcome.leading_to(PROMO))
}

/// The code that a form asks for, none where it takes away the one that is kept.
fn wanted_code(form: &Form, has_one: bool) -> Result<Option<String>, FieldError> {
    let code = form.get("offer").or_else(|| form.get("code"));
    if form.get("remove").is_some() || (code.is_none() && has_one) {
        return Ok(None);
    }
    let Some(code) = code else {
        return Err(FieldError::new("code", ErrorCode::Required));
    };
    if !is_plain_text(code) {
        return Err(FieldError::new("code", ErrorCode::Characters));
    }
    let code = in_plain_letters(code);
    if code.is_empty() {
        return Err(FieldError::new("code", ErrorCode::Required));
    }
    if code.chars().count() > LONGEST_CODE {
        return Err(FieldError::too_long("code", LONGEST_CODE));
    }
    Ok(Some(code))
}

/// A code as it is meant: what can't be seen came along with a copied one, and full-width letters are the plain ones.
fn in_plain_letters(code: &str) -> String {
    finding::plain(code).trim().to_uppercase()
}

async fn keep_code(visit: &Visit, form: &Form, code: Option<String>) -> Result<Outcome, Error> {
    let outcome = update(visit, form, None, |cart| {
        cart.promo_code = code.clone().filter(|_| !cart.is_empty());
        Ok(())
    })
    .await?;
    Ok(if code.is_some() || outcome.is_refused() {
        outcome
    } else {
        outcome.saying(Notice::PromoRemoved)
    })
}

/// Layer around the order: where no scripts run, the fields of a promo code and of bonuses belong to its form, so that
/// nothing that is typed there is lost. What is typed and does not count yet changes the sum that was shown: it counts from
/// now on, and the guest orders once more. `enter` says that Enter was pressed in a field, which means just that.
pub async fn entered(request: Request, next: Next) -> Response {
    let extensions = request.extensions();
    let known = (
        extensions.get::<Visit>(),
        extensions.get::<Form>(),
        extensions.get::<AddressAllowance>(),
    );
    let (Some(visit), Some(form), Some(allowance)) = known else {
        return next.run(request).await;
    };
    let (visit, form, allowance) = (visit.clone(), form.clone(), allowance.clone());
    match meant(visit, form, allowance).await {
        Ok(Some(outcome)) => outcome.into_response(),
        Ok(None) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// What a press changes; none: all that is typed counts already.
async fn meant(
    visit: Visit,
    form: Form,
    allowance: AddressAllowance,
) -> Result<Option<Outcome>, Error> {
    if form.get("code").is_none() && form.get("bonus").is_none() {
        return Ok(None);
    }
    let cart = cart_view::load(&visit).await?;
    let (before, used) = cart.map(|cart| (cart.promo_code, cart.bonus)).unzip();
    let is_enter = form.get("enter").is_some();
    let code = form.get("code").map(in_plain_letters);
    let outcome = if code.is_some() && code != before.flatten() {
        set_promo(visit, Extension(allowance), form).await?
    } else if let Some(bonus) = form.get("bonus")
        && typed_sum(bonus) != used
    {
        set_bonus(visit, form).await?
    } else {
        return Ok(None);
    };
    Ok(Some(if is_enter || outcome.is_refused() {
        outcome
    } else {
        order_again(outcome)
    }))
}

/// Tells a guest who has pressed the order that its sum is another one now.
fn order_again(mut outcome: Outcome) -> Outcome {
    ORDER_BUTTON.clone_into(&mut outcome.to);
    outcome.flash = Some(Flash {
        errors: vec![FieldError::new("form", ErrorCode::PriceChanged)],
        ..Flash::new(Notice::Order)
    });
    outcome
}

/// Keeps how many bonuses are to be spent: `use=0` for none, else `bonus`, a sum as a guest types it.
///
/// # Errors
/// When the store does not answer.
pub async fn set_bonus(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let outcome = match wanted_bonus(&visit, &form).await? {
        Some(bonus) => keep_bonus(&visit, &form, bonus).await?,
        None => {
            let error = FieldError::new("bonus", ErrorCode::BadInput);
            Outcome::refused(&form, form.back(), vec![error])
        }
    };
    Ok(outcome.leading_to(BONUS))
}

/// The bonuses that a form asks for; none where they are no sum that can be paid.
async fn wanted_bonus(visit: &Visit, form: &Form) -> Result<Option<Sum>, Error> {
    if form.get("use") == Some("0") {
        return Ok(Some(Sum(0)));
    }
    let typed = form.get("bonus").and_then(typed_sum);
    let money = money(visit).await?;
    // As at a bill: what the currency has no coin for is not rounded behind the guest's back (FM-01).
    Ok(typed.filter(|sum| floor_to(*sum, &money) == *sum))
}

async fn keep_bonus(visit: &Visit, form: &Form, bonus: Sum) -> Result<Outcome, Error> {
    update(visit, form, None, |cart| {
        cart.bonus = bonus;
        Ok(())
    })
    .await
}

/// The money of the cart's venue.
async fn money(visit: &Visit) -> Result<MoneyFormat, Error> {
    let place = Place::of(visit).await;
    let cart = cart_view::load(visit).await?;
    let town = match cart.and_then(|cart| cart.venue_id) {
        Some(venue) => {
            let caller = visit.caller(None);
            let venue = visit.app.upstream.venue(&caller, VenueId(venue), None);
            venue.await.ok().and_then(|venue| venue.town.clone())
        }
        None => None,
    };
    Ok(place.meta_of(town.as_ref()).money)
}

/// A sum as people type it: spaces between thousands, a point or a comma before at most two digits (UI-09).
fn typed_sum(text: &str) -> Option<Sum> {
    let text: String = text
        .chars()
        .filter(|sign| !sign.is_whitespace())
        .map(|sign| if sign == ',' { '.' } else { sign })
        .collect();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && part.is_empty())
        || whole.len() > 9
        || part.len() > 2
        || !digits(whole)
        || !digits(part)
    {
        return None;
    }
    let whole: i64 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let part: i64 = if part.is_empty() {
        0
    } else {
        format!("{part:0<2}").parse().ok()?
    };
    Some(Sum(whole * 100 + part))
}

#[cfg(test)]
mod tests {
    use super::{Sum, typed_sum};

    #[test]
    fn sums_are_read_as_people_type_them() {
        for (text, hundredths) in [
            ("1200", 120_000),
            ("1 200,50", 120_050),
            ("1\u{a0}200.5", 120_050),
            ("0", 0),
            (",5", 50),
            ("7.", 700),
        ] {
            assert_eq!(typed_sum(text), Some(Sum(hundredths)), "{text}");
        }
        for text in ["", ".", "-1", "1e9", "1,2,3", "0x1", "1.234", "9999999999"] {
            assert_eq!(typed_sum(text), None, "{text}");
        }
    }
}
