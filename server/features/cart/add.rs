//! Adding to the cart: `POST /cart/lines`, from a menu row or from the item sheet.

use std::collections::BTreeMap;

use super::view::counted;
use crate::{
    error::Error,
    features::{
        mapping, menu,
        place::Place,
        shell::{FieldError, Text},
    },
    state::carts::{Cart, Choice, MutationId, NewLine, Refused, UpdateError},
    upstream::{AdditiveGroup, AdditivesOf, FilialId, Product, ProductId, SizeId},
    values::Sum,
    web::{
        form::{Form, Outcome},
        visit::Visit,
    },
};

/// Characters of a wish for one line (screens.md, 2.7).
const LONGEST_NOTE: usize = 140;
/// Pieces that one post may add or take.
const LARGEST_DELTA: i64 = 99;

/// Adds or takes pieces of a product.
///
/// # Errors
/// When the store or, where it is needed, the upstream does not answer.
pub async fn add(visit: &Visit, form: &Form) -> Result<Outcome, Error> {
    let back = form.back();
    let (Some(filial), Some(product)) = (
        form.parse::<FilialId>("filial"),
        form.parse::<ProductId>("product"),
    ) else {
        return Ok(Outcome::refused_form(form, back, "badInput"));
    };
    let delta = form
        .get("delta")
        .map_or(Some(1), |delta| delta.parse::<i64>().ok());
    let Some(delta) = delta.filter(|delta| (-LARGEST_DELTA..=LARGEST_DELTA).contains(delta)) else {
        return Ok(Outcome::refused_form(form, back, "badInput"));
    };
    if delta <= 0 {
        // Taking away must work whatever the menu says by now.
        let plain = NewLine {
            product_id: product.0,
            ..NewLine::default()
        };
        return apply(visit, form, filial, plain, delta).await;
    }

    let caller = visit.caller(None);
    let (card, menu) = tokio::join!(
        visit.app.upstream.card(&caller, filial, None),
        visit.app.upstream.menu(&caller, filial)
    );
    let (card, menu) = (card?, menu?);
    let Some(product) = menu
        .product(product)
        .filter(|product| !product.is_unavailable)
    else {
        return Ok(Outcome::refused_form(form, back, "gone"));
    };
    let place = Place::of(visit).await;
    if !mapping::open(
        &card.location,
        visit.now,
        place.meta_of(card.town.as_ref()).utc_offset,
    )
    .open
    {
        return Ok(Outcome::refused_form(form, back, "closed"));
    }
    let groups = if product.has_additives {
        let service = menu::service(&card, visit);
        let answer = visit
            .app
            .upstream
            .additives(&caller, filial, product.id, service, AdditivesOf::Product)
            .await?;
        answer.groups.clone()
    } else {
        Vec::new()
    };
    match chosen(form, product, &groups, visit) {
        Ok(line) => apply(visit, form, filial, line, delta).await,
        Err(errors) => {
            // A row of the menu can't show the groups: the item sheet can.
            let sheet = format!("/filials/{filial}?item={}", product.id);
            let to = if back.contains("item=") { back } else { sheet };
            Ok(Outcome::refused(form, to, errors))
        }
    }
}

/// The line that the form describes, or what is wrong with the choice (AT-05, AT-08, AT-09).
fn chosen(
    form: &Form,
    product: &Product,
    groups: &[AdditiveGroup],
    visit: &Visit,
) -> Result<NewLine, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut line = NewLine {
        product_id: product.id.0,
        name: product.name.clone(),
        image: product
            .images
            .first()
            .and_then(|url| visit.app.images.address(url)),
        price: product.current_price(),
        ..NewLine::default()
    };
    if let Some(sizes) = &product.sizes {
        match form
            .parse::<SizeId>("size")
            .and_then(|id| sizes.iter().find(|size| size.id == id))
        {
            Some(size) if !size.is_unavailable => {
                line.size_id = Some(size.id.0);
                line.price = size.current_price();
                line.option_names.push(size.name.clone());
            }
            Some(_) => errors.push(FieldError::new("size", "gone")),
            None => errors.push(FieldError::new("size", "required")),
        }
    }
    let counts = counts(form);
    for group in groups {
        let field = format!("group.{}", group.id);
        let mut total: u32 = 0;
        for option in &group.additives {
            let count = counts.get(&option.id.0).copied().unwrap_or(0);
            if count == 0 {
                continue;
            }
            if option.is_unavailable {
                errors.push(FieldError::new(field.clone(), "gone"));
            }
            if count > option.max_count.max(1) {
                errors.push(
                    FieldError::new(field.clone(), "max")
                        .with("count", number(option.max_count.max(1))),
                );
            }
            total = total.saturating_add(count);
            line.options.push(Choice {
                id: option.id.0,
                count,
            });
            line.option_names.push(counted(&option.name, count));
            line.price = Sum(line
                .price
                .0
                .saturating_add(option.price.0.saturating_mul(i64::from(count))));
        }
        if total < group.min {
            errors.push(FieldError::new(field, "min").with("count", number(group.min)));
        } else if total > group.max {
            errors.push(FieldError::new(field, "max").with("count", number(group.max)));
        }
    }
    let known = |id: &u64| {
        groups
            .iter()
            .flat_map(|group| &group.additives)
            .any(|option| option.id.0 == *id)
    };
    if counts.iter().any(|(id, count)| *count > 0 && !known(id)) {
        errors.push(FieldError::new("form", "gone"));
    }
    let note = form.get("note").unwrap_or_default();
    if note.chars().count() > LONGEST_NOTE {
        errors.push(FieldError::new("note", "tooLong").with(
            "count",
            number(u32::try_from(LONGEST_NOTE).unwrap_or(u32::MAX)),
        ));
    }
    line.note = note.to_owned();
    if errors.is_empty() {
        Ok(line)
    } else {
        Err(errors)
    }
}

/// Option id to count: `option.<id>` = count, and `group.<id>` = option id of radio groups.
fn counts(form: &Form) -> BTreeMap<u64, u32> {
    let mut counts = BTreeMap::new();
    for (id, count) in form.with_prefix("option.") {
        // A ticked box without a value says "on".
        let count = if count == "on" {
            Some(1)
        } else {
            count.parse::<u32>().ok()
        };
        if let (Ok(id), Some(count)) = (id.parse(), count) {
            counts.insert(id, count.min(99));
        }
    }
    for (_, option) in form.with_prefix("group.") {
        if let Ok(option) = option.parse() {
            counts.insert(option, 1);
        }
    }
    counts
}

async fn apply(
    visit: &Visit,
    form: &Form,
    filial: FilialId,
    line: NewLine,
    delta: i64,
) -> Result<Outcome, Error> {
    let cart = visit.sess.cart_or_new().await?;
    let mutation = form.get("m").and_then(MutationId::parse);
    let replace = form.get("replace").is_some();
    let done = visit
        .app
        .state
        .carts()
        .update(&cart, |cart: &mut Cart| {
            cart.once(mutation.as_ref(), |cart| {
                cart.add(filial.0, line.clone(), delta, replace, visit.now)
            })
        })
        .await;
    refusal(visit, form, done.map(|_| ())).await
}

/// The outcome of a cart update.
pub(super) async fn refusal(
    visit: &Visit,
    form: &Form,
    done: Result<(), UpdateError<Refused>>,
) -> Result<Outcome, Error> {
    let back = form.back();
    let refused = match done {
        Ok(()) => return Ok(Outcome::back(after_item(back))),
        Err(UpdateError::State(error)) => return Err(Error::State(error)),
        Err(UpdateError::Refused(refused)) => refused,
    };
    let error = match refused {
        Refused::OtherVenue { filial_id } => {
            let caller = visit.caller(None).optional();
            let venue = visit
                .app
                .upstream
                .card(&caller, FilialId(filial_id), None)
                .await;
            let name = venue
                .map(|card| card.location.name.clone())
                .unwrap_or_default();
            FieldError::new("form", "otherVenue").with("venue", Text::Word(name))
        }
        Refused::Quantity { max } => FieldError::new("form", "quantity").with("count", number(max)),
        Refused::TooManyLines { max } => FieldError::new("form", "quantity")
            .with("count", number(u32::try_from(max).unwrap_or(u32::MAX))),
        Refused::LineGone | Refused::NothingToRestore => FieldError::new("form", "gone"),
    };
    Ok(Outcome::refused(form, back, vec![error]))
}

/// A sheet that has done its work closes.
fn after_item(back: String) -> String {
    match back.split_once('?') {
        Some((path, query)) if path.starts_with("/filials/") => {
            let rest: Vec<&str> = query
                .split('&')
                .filter(|pair| !pair.starts_with("item="))
                .collect();
            if rest.is_empty() {
                path.to_owned()
            } else {
                format!("{path}?{}", rest.join("&"))
            }
        }
        Some(_) | None => back,
    }
}

fn number(count: u32) -> Text {
    Text::Number(i32::try_from(count).unwrap_or(i32::MAX))
}
