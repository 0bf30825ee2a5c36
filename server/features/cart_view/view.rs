//! The cart as every page shows it: the guest's record, in the words of the page's language.

use std::collections::HashMap;

use super::{
    product::name_of,
    sums::{self, Priced},
    unpaid,
};
use crate::{
    features::{
        page_data::{CartLine, CartView, LineProblem, RegularPart},
        place::Place,
    },
    state::carts::{Beside, Cart, Line},
    upstream::{Answer, Menu, Meta, ProductId, ProductWithAdditives, VenueId},
    values::{MoneyFormat, Sum},
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

/// What the upstream says now about a whole cart, line by line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// Whether each line can be had.
    pub verdicts: Vec<Verdict>,
    /// Where a promo has a limit: pieces for the promo price, and what one of the others costs (MN-14).
    pub split: Vec<Option<(u32, Sum)>>,
}

/// The cart of a visit as the store has it now, for changes; `None` without one.
///
/// # Errors
/// When the store does not answer.
pub async fn load(visit: &Visit) -> Result<Option<Cart>, crate::state::Error> {
    load_beside(visit, None).await
}

async fn load_beside(
    visit: &Visit,
    beside: Option<Beside>,
) -> Result<Option<Cart>, crate::state::Error> {
    visit.sess.must_be_available()?;
    match visit.sess.cart().await {
        Some(id) => {
            let carts = visit.app.state.carts();
            carts.load_beside(&id, beside).await.map(Some)
        }
        None => Ok(None),
    }
}

/// The cart of a visit for its page, which is read once however many parts of the page ask; `None` without one.
///
/// # Errors
/// When the store does not answer.
pub async fn of_page(visit: &Visit) -> Result<Option<&Cart>, crate::state::Error> {
    let cart = visit
        .cart
        .get_or_try_init(|| async {
            match load_beside(visit, visit.sess.cart_beside().await).await? {
                Some(cart) => unpaid::settled(visit, cart).await.map(Some),
                None => Ok(None),
            }
        })
        .await?;
    Ok(cart.as_ref())
}

/// The view of a cart that was not checked, `None` while it is empty. Names come in the page's language where the
/// catalogue is at hand.
pub async fn view(visit: &Visit, place: &Place, cart: &Cart) -> Option<CartView> {
    viewed(visit, place, cart, &Checked::default())
        .await
        .map(|viewed| viewed.view)
}

/// A cart as it is shown, with what an order of it has to remember.
pub struct Viewed {
    /// As it is shown.
    pub view: CartView,
    /// The venue's day.
    pub day: i64,
    /// Pieces for a promo price that has a limit, by product (MN-14).
    pub promo: Vec<(u64, u32)>,
}

/// The view of a cart and its sums.
pub async fn viewed(
    visit: &Visit,
    place: &Place,
    cart: &Cart,
    checked: &Checked,
) -> Option<Viewed> {
    let venue = cart.venue_id.filter(|_| !cart.is_empty())?;
    let words = Words::of(visit, place, cart, VenueId(venue)).await;
    let verdict = |place: usize| {
        checked
            .verdicts
            .get(place)
            .copied()
            .unwrap_or(Verdict::Fine)
    };
    let prices: Vec<Option<Sum>> = cart
        .lines
        .iter()
        .enumerate()
        .map(|(place, line)| match verdict(place) {
            Verdict::Fine => Some(line.price),
            Verdict::Price(price) => Some(price),
            Verdict::Gone => None,
        })
        .collect();
    let day = sums::day(visit.now, words.utc_offset);
    let priced = sums::priced(cart, &prices, &checked.split, words.menu.as_deref(), day);
    let lines: Vec<CartLine> = cart
        .lines
        .iter()
        .zip(&priced)
        .enumerate()
        .map(|(place, (line, priced))| words.line(line, verdict(place), *priced))
        .collect();
    let orderable = lines
        .iter()
        .filter(|line| line.problem != Some(LineProblem::Gone));
    Some(Viewed {
        day,
        promo: cart
            .lines
            .iter()
            .zip(&priced)
            .filter(|(_, priced)| priced.promo > 0)
            .map(|(line, priced)| (line.product_id, priced.promo))
            .collect(),
        view: CartView {
            mark: cart.id.mark(),
            version: u32::try_from(cart.version).unwrap_or(u32::MAX),
            venue_id: venue,
            venue_name: words.venue.clone(),
            count: cart.count(),
            total: Sum(orderable.map(|line| line.sum.0).sum()),
            money: words.money,
            service_percent: words.service_percent,
            lines,
        },
    })
}

/// What is told of the venue, and names in the page's language.
struct Words {
    venue: String,
    /// Of the venue, where it is not that of the place.
    money: Option<MoneyFormat>,
    service_percent: Option<u32>,
    menu: Option<Answer<Menu>>,
    utc_offset: i32,
    details: HashMap<u64, ProductWithAdditives>,
}

impl Words {
    async fn of(visit: &Visit, place: &Place, cart: &Cart, venue_id: VenueId) -> Self {
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
                .products_with_additives(&caller, venue_id, &chosen)
                .await
            {
                Ok(answer) => answer.value().to_vec(),
                Err(_) => Vec::new(),
            }
        };
        let (venue, menu, details) = tokio::join!(
            upstream.venue(&caller, venue_id, None),
            upstream.menu(&caller, venue_id),
            details
        );
        let town = venue.as_ref().ok().and_then(|venue| venue.town.as_ref());
        let Meta {
            money, utc_offset, ..
        } = place.meta_of(town);
        Self {
            money: (money != place.meta.money).then_some(money),
            service_percent: venue
                .as_ref()
                .map(|venue| venue.service_percentage)
                .ok()
                .filter(|percent| *percent > 0),
            venue: venue
                .map(|venue| venue.location.name.clone())
                .unwrap_or_default(),
            menu: menu.ok(),
            utc_offset,
            details: details
                .into_iter()
                .map(|product| (product.product.id.0, product))
                .collect(),
        }
    }

    fn line(&self, line: &Line, verdict: Verdict, priced: Priced) -> CartLine {
        let (problem, price) = match verdict {
            Verdict::Fine => (None, line.price),
            Verdict::Gone => (Some(LineProblem::Gone), line.price),
            Verdict::Price(price) => (Some(LineProblem::Price), price),
        };
        CartLine {
            id: line.id.clone(),
            product_id: line.product_id,
            name: name_of(line, self.menu.as_deref()).to_owned(),
            qty: line.quantity,
            price,
            sum: priced.sum,
            regular: (priced.regular > 0).then_some(RegularPart {
                qty: priced.regular,
                price: priced.regular_price,
            }),
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
