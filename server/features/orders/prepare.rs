//! What must be true before an order is sent, as the upstream alone tells, and what is sent then.

use super::attempt::Attempt;
use crate::{
    error::Error,
    features::{
        age_check,
        cart_view::{self, Verdict},
        checkout::{self, DoorTime, PromoState, Quote},
        fridge, kiosk, mapping, opened,
        page_data::PayWay,
        place::Place,
    },
    state::carts::Cart,
    upstream::{OrderKind, VenueId},
    values::Sum,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome, Text},
        },
        insight::Came,
        session::StoredAddress,
        visit::Visit,
    },
};

/// Where an order is begun, and where its refusals lead back to.
pub(super) const CART: &str = "/cart";

/// What the guest has chosen beside the cart.
pub(super) struct Choices<'a> {
    /// The key that the order will have.
    pub key: &'a str,
    pub way: PayWay,
    pub name: String,
    pub comment: String,
}

/// Everything that must be true before anything is sent (CT-02, CT-03, CT-05), and what is sent.
pub(super) async fn prepare(
    visit: &Visit,
    form: &Form,
    mut cart: Cart,
    choices: Choices<'_>,
) -> Result<Result<Attempt, Box<Outcome>>, Error> {
    without_uncounted(form, &mut cart);
    let refused = |code: ErrorCode| {
        Ok(Err(Box::new(Outcome::refused_form(
            form,
            CART.to_owned(),
            code,
        ))))
    };
    let Some(venue_id) = cart.venue_id.map(VenueId) else {
        return refused(ErrorCode::VersionChanged);
    };
    let Ok(venue) = visit
        .app
        .upstream
        .venue(&visit.caller(None), venue_id, None)
        .await
    else {
        return refused(ErrorCode::Unavailable);
    };
    // Goods behind a lock are paid by shutting its door: what was paid before would be counted once more.
    if venue.is_fridge() {
        return Ok(Err(Box::new(Outcome::go(fridge::path(venue_id)))));
    }
    // A cart of before may hold what is not on offer any more.
    if !mapping::is_for_sale(visit, &venue) {
        return refused(ErrorCode::Gone);
    }
    let service = mapping::service(&venue, visit);
    let kind = checkout::kind_of(visit, &venue, service).await;
    let place = Place::of(visit).await;
    let meta = place.meta_of(venue.town.as_ref());
    if !opened::takes_orders(visit, &venue, None).await {
        return refused(ErrorCode::Closed);
    }
    let table = match kind {
        OrderKind::Express => visit.sess.table_at(venue.location.venue_id.0).await,
        _ => None,
    };
    let table_id = table.as_ref().and_then(|table| table.id.parse().ok());
    // It comes to the table that the guest has seen: another tab may have taken another one. A page of before does not say
    // which it has shown.
    let is_elsewhere = |shown: &str| table.as_ref().is_some_and(|table| table.number != shown);
    if form.typed("table").is_some_and(is_elsewhere) {
        return refused(ErrorCode::VersionChanged);
    }
    if kind == OrderKind::Express && table_id.is_none() && !kiosk::picks_up(visit, &venue).await {
        return refused(ErrorCode::TableRequired);
    }
    let ways = checkout::payments(visit, &venue).await;
    if !ways.contains(&choices.way) {
        let error = FieldError::new("payment", ErrorCode::PaymentUnavailable);
        let refused = Outcome::refused(form, CART.to_owned(), vec![error]);
        return Ok(Err(Box::new(refused)));
    }
    let Ok(menu) = visit.app.upstream.menu(&visit.caller(None), venue_id).await else {
        return refused(ErrorCode::Unavailable);
    };
    let restricted = cart
        .lines
        .iter()
        .filter_map(|line| cart_view::product_of(line, &menu))
        .any(age_check::is_restricted);
    if restricted && !age_check::is_confirmed(visit).await {
        return Ok(Err(Box::new(age_check::question(visit, form, CART))));
    }
    let Ok(checked) = checkout::check(visit, &cart, venue_id, service).await else {
        return refused(ErrorCode::Unavailable);
    };
    if checked.verdicts.contains(&Verdict::Gone) {
        return refused(ErrorCode::Gone);
    }
    if checked
        .verdicts
        .iter()
        .any(|verdict| *verdict != Verdict::Fine)
    {
        return refused(ErrorCode::PriceChanged);
    }
    let Some(viewed) = cart_view::viewed(visit, &place, &cart, &checked).await else {
        return refused(ErrorCode::VersionChanged);
    };
    let goods = viewed.view.total;
    let quote = Quote::of(visit, &cart, &venue, service, &meta.money, goods).await;
    // The server asks as the page did, whatever the page has shown (CT-02, CT-18).
    let blocks = checkout::kind_blocks(visit, &venue, kind, &quote, goods).await;
    let mut block = blocks.first().copied();
    // It is brought where the guest has seen that it is: another tab or phone may have made another address the active
    // one (DG-05, CT-21). A page of before does not say what it has shown.
    let shown = form.get("address").unwrap_or_default();
    let moved = |delivery: &checkout::CartDelivery| !shown.is_empty() && shown != delivery.mark;
    if block.is_none() && quote.delivery.as_ref().is_some_and(moved) {
        visit.sess.set_confirmed_address(None).await?;
        block = Some("confirmAddress");
    }
    if let Some(block) = block {
        let error = FieldError::new("form", ErrorCode::Blocked)
            .with("reason", Text::Word(block.to_owned()));
        return Ok(Err(Box::new(Outcome::refused(
            form,
            CART.to_owned(),
            vec![error],
        ))));
    }
    // The sum that the guest has seen is the one that is ordered (CT-21, BL-12); who has seen none is shown it.
    if form.parse::<i64>("total") != Some(quote.total.0) {
        return refused(ErrorCode::PriceChanged);
    }
    let promo_code = quote
        .promo
        .filter(|promo| promo.state == PromoState::Applied)
        .map(|promo| promo.code)
        .unwrap_or_default();
    let source = visit.sess.arrived_at(venue_id.0).await;
    let source = source.map(|temp| temp.source);
    let fingerprint = visit.sess.device_or_new().await?;
    let caller = visit.personal_caller().await;
    // The upstream tells no time at the door once it has the order.
    let delivery = quote.delivery.as_ref();
    let door = delivery
        .zip(form.get("door"))
        .and_then(|(delivery, signed)| DoorTime::read(&visit.app.keys, &cart, delivery, signed));
    let method = choices.way.method();
    let is_paid_online = method.is_some() && quote.total.0 > 0;
    Ok(Ok(Attempt {
        venue: venue_id,
        kind,
        source,
        main_venue: table.and_then(|table| table.main_venue_id.parse().ok()),
        table: table_id,
        address: quote
            .delivery
            .and_then(|delivery| delivery.place)
            .map(|address| StoredAddress::from(&address)),
        cash: choices.way == PayWay::Cash,
        // As it was chosen, though there be nothing to pay: by it a second press is known.
        method: method.unwrap_or_default(),
        return_url: if is_paid_online {
            let token = visit.app.keys.pay_token(choices.key, &fingerprint);
            format!("{}/pay/{token}", visit.origin)
        } else {
            String::new()
        },
        name: choices.name,
        comment: choices.comment,
        expected_sum: quote.total,
        bonus: quote.bonus.used,
        promo_code,
        day: viewed.day,
        promo: viewed.promo,
        fingerprint,
        bearer: caller.bearer.map(|bearer| bearer.as_str().to_owned()),
        lang: visit.lang,
        country: visit.country,
        came: Came::now(),
        door,
        cart: cart.id,
        lines: cart.lines,
        generation: Some(cart.generation),
    }))
}

/// A code and bonuses that the page could not ask for are in no sum that the guest has seen: it is ordered without them. The
/// order has more time to ask than the page, so that its sum would be another one each time (CT-21).
fn without_uncounted(form: &Form, cart: &mut Cart) {
    if form.get("no_promo").is_some() {
        cart.promo_code = None;
    }
    if form.get("no_bonus").is_some() {
        cart.bonus = Sum(0);
    }
}
