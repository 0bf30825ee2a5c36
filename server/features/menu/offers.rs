//! What makes it cheaper: promos of the venue, and what comes off the delivery (MN-12).

use std::collections::HashSet;

use super::{DeliveryOff, MenuPromo};
use crate::{
    upstream::{Menu, PROMO_LIMIT, Promo, Venue, VenueId, When},
    values::Service,
    web::visit::Visit,
};

/// Promos of the venue: for a signed-in guest those of this guest. Without an answer there are none.
pub(super) async fn promos(visit: &Visit, venue: VenueId) -> Vec<Promo> {
    let caller = visit.caller(None).optional();
    let upstream = &visit.app.upstream;
    // The sign-in has told who it is; only where it has not is the upstream asked first.
    let known = visit.sess.account().await.and_then(|account| account.user);
    let user = match (&caller.bearer, known) {
        (None, _) => None,
        (Some(_), Some(user)) => Some(user),
        (Some(_), None) => upstream.user(&caller).await.ok().map(|user| user.id),
    };
    upstream
        .promos(&caller, venue, user)
        .await
        .map(|promos| promos.value().to_vec())
        .unwrap_or_default()
}

/// The promos that hold for something on this menu and are not over.
pub(super) fn on_menu(promos: &[Promo], menu: &Menu, now: i64) -> Vec<MenuPromo> {
    // What costs less by the menu itself: a promo that the prices know nothing of would promise too much.
    let cheaper: HashSet<u64> = menu
        .shown()
        .filter(|product| {
            let of_size = |size: &crate::upstream::Size| size.promo_price.is_some();
            product.promo_price.is_some() || product.sizes.iter().flatten().any(of_size)
        })
        .map(|product| product.id.0)
        .collect();
    let moment = |when: &Option<When>| when.as_ref().and_then(When::utc);
    let limit = |limit: Option<u32>| limit.filter(|limit| (1..PROMO_LIMIT).contains(limit));
    promos
        .iter()
        .filter(|promo| moment(&promo.ends_at).is_none_or(|end| end > now))
        .map(|promo| MenuPromo {
            name: match promo.percentage {
                Some(percent) if promo.name.is_empty() => format!("−{percent}\u{a0}%"),
                _ => promo.name.clone(),
            },
            from: moment(&promo.starts_at).filter(|start| *start > now),
            until: promo.ends_at.as_ref().and_then(When::last_moment),
            limit: limit(promo.limit),
            day_limit: limit(promo.day_limit),
            products: promo
                .products
                .iter()
                .map(|product| product.id.0)
                .filter(|id| cheaper.contains(id))
                .collect(),
        })
        .filter(|promo| !promo.products.is_empty())
        .collect()
}

/// What comes off the delivery by sum of goods. The venue's own couriers have one price (CT-11).
pub(super) async fn delivery(visit: &Visit, venue: &Venue, service: Service) -> Vec<DeliveryOff> {
    if service != Service::Delivery || venue.vendor_delivery_enabled {
        return Vec::new();
    }
    let venue_id = venue.location.venue_id;
    let caller = visit.caller(None).optional();
    let Ok(all) = visit.app.upstream.subsidies(&caller, &[venue_id]).await else {
        return Vec::new();
    };
    let mut steps: Vec<DeliveryOff> = all
        .iter()
        .filter(|one| one.id == venue_id)
        .flat_map(|one| &one.thresholds)
        .filter(|step| step.discount.0 > 0)
        .map(|step| DeliveryOff {
            from: step.threshold,
            discount: step.discount,
        })
        .collect();
    steps.sort_by_key(|step| step.from);
    steps
}
