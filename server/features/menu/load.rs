//! Loading `/filials/{id}`.

use std::time::Duration;

use super::{Banner, BannerKind, Category, MenuPage, item, table};
use crate::{
    error::Error,
    features::{mapping, page::Page, place::Place, rush, shell::Flash, sitemap::missing},
    upstream::{self, Answer, BannerKind as Kind, Card, CategoryId, FilialId, Menu, Product},
    values::Service,
    web::{images::Images, load::Loaded, session::AgeAnswer, visit::Visit},
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
        upstream.card(&caller, filial, visit.brand()),
        upstream.menu(&caller, filial),
        upstream.favourites(&aside, filial),
        upstream.banner(&aside, filial),
        checked,
    );
    let card = match card {
        Ok(card) => card,
        Err(error) => return missing(visit, filial, error, "").await,
    };
    if let Some(offered) = offered_instead(visit, &card) {
        return Ok(Loaded::Redirect(format!("/filials/{offered}")));
    }
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
        None => {
            let left = table::leave_other_venue(visit, &card).await?;
            table::arrive(visit, &card).await?;
            left
        }
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
    // The line left the cart meanwhile: the sheet adds anew, and says so.
    let line_gone =
        visit.asked("line").is_some() && item.as_ref().is_some_and(|item| item.line.is_none());
    let flash = flash.or_else(|| line_gone.then(|| message("lineGone")));
    let page = MenuPage {
        venue: mapping::venue(&card, &meta, &visit.app.images, visit.now),
        banner: banner_of(&card, banner.as_deref().ok())
            .or_else(|| rush::banner(visit, meta.utc_offset)),
        categories,
        failed,
        locked: visit.sess.age().await == Some(AgeAnswer::Declined),
        item,
    };
    Ok(Loaded::page(Page::Menu(Box::new(page)))
        .stale(stale)
        .about(card.value())
        .flash(flash))
}

/// The same venue's filial of a service that this installation offers, when the address names one that it does not
/// (SV-07).
fn offered_instead(visit: &Visit, card: &Card) -> Option<FilialId> {
    let offered = visit.app.config.offered();
    mapping::service_of(card).filter(|service| !offered.contains(service))?;
    std::iter::once(visit.service)
        .chain(offered)
        .find_map(|service| card.location.filial(service))
}

/// The service that the venue's filial id stands for, else the visit's (SV-03).
#[must_use]
pub fn service(card: &Card, visit: &Visit) -> Service {
    mapping::service_of(card).unwrap_or(visit.service)
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
pub(in crate::features) fn banner_of(
    card: &Card,
    banner: Option<&upstream::Banner>,
) -> Option<Banner> {
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
