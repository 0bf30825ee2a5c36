//! Loading `/filials/{id}`.

use std::time::Duration;

use super::{Banner, BannerKind, Category, MenuPage, item, table};
use crate::{
    error::Error,
    features::{mapping, page::Page, place::Place, shell::Flash},
    upstream::{self, Answer, BannerKind as Kind, Card, CategoryId, FilialId, Menu, Product},
    values::Service,
    web::{images::Images, load::Loaded, visit::Visit},
};

/// A branch check that takes longer is given up and the menu opens (RT-09).
pub(super) const BRANCH_PATIENCE: Duration = Duration::from_millis(1500);

/// Loads the menu; with a table link it binds the table first, or leads to the bill (RT-08).
///
/// # Errors
/// Not found for an unknown venue or item, the upstream's failure when neither menu nor favourites came (MN-07).
pub async fn load(visit: &Visit, place: &Place, filial: &str) -> Result<Loaded, Error> {
    let filial: FilialId = filial.parse().map_err(|_| Error::NotFound("venue"))?;
    let link = table::Link::of(visit);
    let upstream = &visit.app.upstream;
    let caller = visit.caller(None);
    let aside = caller.optional();
    let checked = async {
        match &link {
            Some(link) => tokio::time::timeout(BRANCH_PATIENCE, link.check(visit, filial))
                .await
                .ok()
                .flatten(),
            None => None,
        }
    };
    let (card, menu, favourites, banner, branch) = tokio::join!(
        upstream.card(&caller, filial, None),
        upstream.menu(&caller, filial),
        upstream.favourites(&aside, filial),
        upstream.banner(&aside, filial),
        checked,
    );
    let card = card.map_err(|error| not_found(error, "venue"))?;
    if branch
        .as_ref()
        .is_some_and(|branch| branch.is_check_pulling_enabled)
        && let Some(link) = &link
    {
        return Ok(Loaded::Redirect(link.bill(filial)));
    }
    let flash = match &link {
        _ if visit.is_ahead() => None,
        Some(link) => link.bind(visit, &card, branch.as_ref()).await?,
        None => table::leave_other_venue(visit, &card).await?,
    };

    let failed = menu.is_err();
    let stale = card.is_stale() || failed || menu.as_ref().is_ok_and(Answer::is_stale);
    let categories = match (&menu, &favourites) {
        (Ok(menu), favourites) => categories(
            menu,
            favourites.as_ref().map_or(&[][..], |list| list.as_slice()),
            &visit.app.images,
        ),
        (Err(_), Ok(list)) if !list.is_empty() => favourites_category(list, &visit.app.images)
            .into_iter()
            .collect(),
        (Err(error), _) => return Err(Error::Upstream(error.clone())),
    };
    let meta = place.meta_of(card.town.as_ref());
    let item = match (visit.asked("item"), &menu) {
        (Some(id), Ok(menu)) => {
            Some(item::load(visit, menu, filial, service(&card, visit), id).await?)
        }
        (_, Err(_)) | (None, _) => None,
    };
    let page = MenuPage {
        venue: mapping::venue(&card, &meta, &visit.app.images, visit.now),
        banner: banner_of(&card, banner.as_deref().ok()),
        categories,
        failed,
        item,
    };
    Ok(Loaded::page(Page::Menu(Box::new(page)))
        .stale(stale)
        .flash(flash))
}

/// The service that the venue's filial id stands for, else the visit's (SV-03).
#[must_use]
pub fn service(card: &Card, visit: &Visit) -> Service {
    mapping::service_of(card).unwrap_or(visit.service)
}

pub(super) fn not_found(error: upstream::Error, what: &'static str) -> Error {
    match error {
        upstream::Error::NotFound => Error::NotFound(what),
        other => Error::Upstream(other),
    }
}

/// Active categories with something in them, favourites first (MN-05, MN-06).
fn categories(menu: &Menu, favourites: &[Product], images: &Images) -> Vec<Category> {
    let known: Vec<Product> = favourites
        .iter()
        .filter_map(|favourite| menu.product(favourite.id))
        .cloned()
        .collect();
    favourites_category(&known, images)
        .into_iter()
        .chain(
            menu.categories
                .iter()
                .filter(|category| category.is_active && !category.products.is_empty())
                .filter_map(|category| {
                    Some(Category {
                        id: i32::try_from(category.id.0).ok()?,
                        name: category.name.clone(),
                        photos: category.is_show_photo,
                        products: category
                            .products
                            .iter()
                            .map(|product| {
                                let mut product = mapping::product(product, images);
                                product.image = product.image.filter(|_| category.is_show_photo);
                                product
                            })
                            .collect(),
                    })
                }),
        )
        .collect()
}

fn favourites_category(products: &[Product], images: &Images) -> Option<Category> {
    (!products.is_empty()).then(|| Category {
        id: i32::try_from(CategoryId::FAVOURITES.0).unwrap_or(-2),
        name: String::new(),
        photos: true,
        products: products
            .iter()
            .map(|product| mapping::product(product, images))
            .collect(),
    })
}

/// The delivery banner if there is one, else the venue's own message (FL-11, FL-12).
fn banner_of(card: &Card, banner: Option<&upstream::Banner>) -> Option<Banner> {
    let kind = banner.and_then(|banner| {
        banner.kind.map(|kind| match kind {
            Kind::WeatherIssues => BannerKind::WeatherIssues,
            Kind::NightShift => BannerKind::NightShift,
            Kind::Closed => BannerKind::Closed,
        })
    });
    let message = banner
        .map(|banner| banner.message.trim())
        .filter(|message| !message.is_empty())
        .or_else(|| {
            card.banner_message
                .as_deref()
                .map(str::trim)
                .filter(|message| !message.is_empty())
        })
        .unwrap_or_default()
        .to_owned();
    (kind.is_some() || !message.is_empty()).then_some(Banner { kind, message })
}

/// A message of the menu about a table.
pub(super) fn message(kind: &str) -> Flash {
    Flash {
        kind: kind.to_owned(),
        errors: Vec::new(),
        values: std::collections::BTreeMap::new(),
    }
}
