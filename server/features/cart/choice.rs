//! What a form of the sheet of a dish or of a menu row describes: checked against the menu of now, in one place for adding
//! and for changing a line.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    error::Error,
    features::{age_check, cart_view::counted, live::Venues, mapping, opened},
    state::carts::{Choice, NewLine},
    upstream::{AdditiveGroup, AdditivesOf, Product, ProductId, SizeId, Venue, VenueId},
    values::Sum,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Text},
            plain::plain_lines,
        },
        visit::Visit,
    },
};

/// Characters of a wish for one line (screens.md, 2.7).
const LONGEST_NOTE: usize = 140;

/// What a form wants put into the cart.
pub(super) struct Wanted {
    /// The venue that sells it.
    pub venue: Arc<Venue>,
    /// Only for guests old enough (CT-23).
    pub restricted: bool,
    /// The line, or what is wrong with the choice.
    pub line: Result<NewLine, Vec<FieldError>>,
}

impl Wanted {
    /// The venue's ids, one for each service.
    pub fn siblings(&self) -> Vec<u64> {
        mapping::siblings(&self.venue)
    }
}

/// Reads what the form wants of a venue that must be open and sell it.
///
/// # Errors
/// Not found for a venue without a service on offer; when the upstream does not answer.
pub(super) async fn wanted(
    venues: &Venues,
    visit: &Visit,
    form: &Form,
    venue_id: VenueId,
    product: ProductId,
) -> Result<Wanted, Error> {
    let caller = visit.caller(None);
    let (venue, menu, stock) = tokio::join!(
        visit.app.upstream.venue(&caller, venue_id, visit.brand()),
        visit.app.upstream.menu(&caller, venue_id),
        venues.stock(visit, venue_id)
    );
    let (venue, menu) = (venue?, menu?);
    if !mapping::is_for_sale(visit, &venue) {
        return Err(Error::NotFound("service"));
    }
    let stock = stock.beside(menu.age());
    let refused = |code: ErrorCode| Err(vec![FieldError::new("form", code)]);
    let Some(product) = menu
        .product(product)
        .filter(|product| product.has_price && stock.has(product))
    else {
        return Ok(Wanted {
            restricted: false,
            line: refused(ErrorCode::Gone),
            venue: Arc::clone(venue.value()),
        });
    };
    if !opened::takes_orders(visit, &venue, visit.brand()).await {
        return Ok(Wanted {
            restricted: false,
            line: refused(ErrorCode::Closed),
            venue: Arc::clone(venue.value()),
        });
    }
    let groups = if product.has_additives {
        let service = mapping::service(&venue, visit);
        let answer = visit
            .app
            .upstream
            .additives(&caller, venue_id, product.id, service, AdditivesOf::Product)
            .await?;
        answer.groups.clone()
    } else {
        Vec::new()
    };
    Ok(Wanted {
        restricted: age_check::is_restricted(product),
        line: chosen(form, product, &groups, visit),
        venue: Arc::clone(venue.value()),
    })
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
            Some(_) => errors.push(FieldError::new("size", ErrorCode::Gone)),
            None => errors.push(FieldError::new("size", ErrorCode::Required)),
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
                errors.push(FieldError::new(field.clone(), ErrorCode::Gone));
            }
            if count > option.max_count.max(1) {
                errors.push(
                    FieldError::new(field.clone(), ErrorCode::Max)
                        .with("count", number(option.max_count.max(1)))
                        .with("name", Text::Word(option.name.clone())),
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
            errors.push(FieldError::new(field, ErrorCode::Min).with("count", number(group.min)));
        } else if total > group.max {
            errors.push(FieldError::new(field, ErrorCode::Max).with("count", number(group.max)));
        }
    }
    let known = |id: &u64| {
        groups
            .iter()
            .flat_map(|group| &group.additives)
            .any(|option| option.id.0 == *id)
    };
    if counts.iter().any(|(id, count)| *count > 0 && !known(id)) {
        errors.push(FieldError::new("form", ErrorCode::OptionGone));
    }
    let note = plain_lines(form.get("note").unwrap_or_default());
    if note.chars().count() > LONGEST_NOTE {
        errors.push(FieldError::too_long("note", LONGEST_NOTE));
    }
    line.note = note;
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

fn number(count: u32) -> Text {
    Text::Number(i32::try_from(count).unwrap_or(i32::MAX))
}
