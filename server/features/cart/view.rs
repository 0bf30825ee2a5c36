//! The cart as every page shows it: the guest's record, in the words of the page's language.

use std::collections::HashMap;

use super::super::shell::{CartLine, CartView, LineProblem};
use crate::{
    state::carts::{Cart, Line},
    upstream::{FilialId, ProductId, ProductWithAdditives},
    values::Sum,
    web::visit::Visit,
};

/// What the upstream says now about a line: by position of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As the guest saw it.
    Fine,
    /// No longer sold.
    Gone,
    /// Costs this now.
    Price(Sum),
}

/// The cart of a visit; `None` while there is none.
///
/// # Errors
/// When the store does not answer.
pub async fn load(visit: &Visit) -> Result<Option<Cart>, crate::state::Error> {
    match visit.sess.cart().await {
        Some(id) => visit.app.state.carts().load(&id).await.map(Some),
        None => Ok(None),
    }
}

/// The view of a cart, `None` while it is empty. Names come in the page's language where the catalogue is at hand.
pub async fn view(visit: &Visit, cart: &Cart, verdicts: &[Verdict]) -> Option<CartView> {
    let filial = cart.filial_id.filter(|_| !cart.is_empty())?;
    let words = Words::of(visit, cart, FilialId(filial)).await;
    let lines: Vec<CartLine> = cart
        .lines
        .iter()
        .enumerate()
        .map(|(place, line)| {
            words.line(line, verdicts.get(place).copied().unwrap_or(Verdict::Fine))
        })
        .collect();
    let orderable = lines
        .iter()
        .filter(|line| line.problem != Some(LineProblem::Gone));
    Some(CartView {
        version: u32::try_from(cart.version).unwrap_or(u32::MAX),
        filial_id: filial,
        venue_name: words.venue.clone(),
        count: cart.count(),
        total: Sum(orderable.map(|line| line.sum.0).sum()),
        lines,
    })
}

/// Names in the page's language.
struct Words {
    venue: String,
    products: HashMap<u64, String>,
    details: HashMap<u64, ProductWithAdditives>,
}

impl Words {
    async fn of(visit: &Visit, cart: &Cart, filial: FilialId) -> Self {
        let caller = visit.caller(None).optional();
        let upstream = &visit.app.upstream;
        let chosen: Vec<ProductId> = cart
            .lines
            .iter()
            .filter(|line| line.size_id.is_some() || !line.options.is_empty())
            .map(|line| ProductId(line.product_id))
            .collect();
        let details = async {
            if chosen.is_empty() {
                return Vec::new();
            }
            match upstream
                .products_with_additives(&caller, filial, &chosen)
                .await
            {
                Ok(answer) => answer.value().to_vec(),
                Err(_) => Vec::new(),
            }
        };
        let (card, menu, details) = tokio::join!(
            upstream.card(&caller, filial, None),
            upstream.menu(&caller, filial),
            details
        );
        let products = menu.map_or_else(
            |_| HashMap::new(),
            |menu| {
                cart.lines
                    .iter()
                    .filter_map(|line| {
                        Some((
                            line.product_id,
                            menu.product(ProductId(line.product_id))?.name.clone(),
                        ))
                    })
                    .collect()
            },
        );
        Self {
            venue: card
                .map(|card| card.location.name.clone())
                .unwrap_or_default(),
            products,
            details: details
                .into_iter()
                .map(|product| (product.product.id.0, product))
                .collect(),
        }
    }

    fn line(&self, line: &Line, verdict: Verdict) -> CartLine {
        let name = self
            .products
            .get(&line.product_id)
            .unwrap_or(&line.name)
            .clone();
        let (problem, price) = match verdict {
            Verdict::Fine => (None, line.price),
            Verdict::Gone => (Some(LineProblem::Gone), line.price),
            Verdict::Price(price) => (Some(LineProblem::Price), price),
        };
        CartLine {
            id: line.id.clone(),
            product_id: line.product_id,
            name,
            qty: line.quantity,
            price,
            sum: Sum(price.0.saturating_mul(i64::from(line.quantity))),
            options: self.options(line),
            note: (!line.note.is_empty()).then(|| line.note.clone()),
            image: line.image.clone(),
            problem,
            old_price: (problem == Some(LineProblem::Price)).then_some(line.price),
            plain: line.size_id.is_none() && line.options.is_empty() && line.note.is_empty(),
        }
    }

    /// Size and options in words; those of the record when the catalogue knows one of them no more.
    fn options(&self, line: &Line) -> Vec<String> {
        let translated = self.details.get(&line.product_id).and_then(|details| {
            let size = match line.size_id {
                None => None,
                Some(id) => Some(
                    details
                        .product
                        .sizes
                        .as_ref()?
                        .iter()
                        .find(|size| size.id.0 == id)?
                        .name
                        .clone(),
                ),
            };
            let options: Option<Vec<String>> = line
                .options
                .iter()
                .map(|choice| {
                    let option = details
                        .groups
                        .iter()
                        .flat_map(|group| &group.additives)
                        .find(|option| option.id.0 == choice.id)?;
                    Some(counted(&option.name, choice.count))
                })
                .collect();
            Some(size.into_iter().chain(options?).collect())
        });
        translated.unwrap_or_else(|| line.option_names.clone())
    }
}

/// An option with its count where it is more than one.
pub(in crate::features) fn counted(name: &str, count: u32) -> String {
    if count > 1 {
        format!("{name} × {count}")
    } else {
        name.to_owned()
    }
}
