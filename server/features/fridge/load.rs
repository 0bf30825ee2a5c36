//! Loading `/filials/{id}/fridge`, and which of the guest's fridges is open.

use super::{
    FridgePage, FridgeState, LONG, LOST, OPENING, basket, is_late,
    open::{Before, before},
    path, presses,
    settle::{self, Settled},
    since,
};
use crate::{
    error::Error,
    features::{
        age_check,
        attempts::read_record,
        loaded::{Facts, Loaded, PageRequest},
        mapping,
    },
    state::idempotency::Phase,
    upstream::{self, Caller, Door, FridgeSession, Order, VenueId},
    web::{
        page::Page,
        session::{AgeAnswer, OpenedFridge},
        visit::Visit,
    },
};

/// Seconds until the page looks again where scripts do not run: while something moves, and while the guest chooses.
const SOON: u32 = 3;
const LATER: u32 = 20;

/// `/filials/{filial_id}/fridge`
pub const PAGE: Page = Page::builder("fridge", "/filials/{filial_id}/fridge")
    .opens_door()
    .open();

/// What is known of the guest's door.
#[derive(Debug, Default)]
struct Known {
    session: Option<String>,
    order: Option<String>,
    unscanned: u32,
    /// What it was settled with, where more was counted.
    sent: Option<String>,
    long: bool,
}

/// Loads the page of a fridge.
///
/// # Errors
/// Not found for what is no fridge, the upstream's failure when the fridge itself did not come.
pub async fn load(request: PageRequest) -> Result<Loaded<FridgePage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let venue_id = visit.matched.param("filial_id");
    let venue_id: VenueId = venue_id.parse().map_err(|_| Error::NotFound("venue"))?;
    let caller = visit.caller(None);
    let background = caller.optional();
    let (venue, menu, door) = tokio::join!(
        visit.app.upstream.venue(&caller, venue_id, visit.brand()),
        visit.app.upstream.menu(&background, venue_id),
        state(visit, venue_id),
    );
    let venue = venue.map_err(|error| match error {
        upstream::Error::NotFound => Error::NotFound("venue"),
        other => Error::Upstream(other),
    })?;
    if !venue.is_fridge() {
        return Err(Error::NotFound("venue"));
    }
    if let Some(country) = place.elsewhere(visit, venue.town.as_ref()).await {
        // The way there began in another country: its language and money are not those of this fridge (LC-02).
        let there = format!("{}?country={}", path(venue_id), country.code());
        return Ok(Loaded::Redirect(there));
    }
    let (state, known) = door?;
    // A lock that was late has opened all the same.
    if state == FridgeState::Open
        && !visit.is_prefetch()
        && visit.sess.fridge_presses().await.is_some()
    {
        visit.sess.set_fridge_presses(None).await?;
    }
    let order = match &known.order {
        Some(order) if state == FridgeState::Settled => order_of(visit, order).await,
        _ => None,
    };
    let unseen = match (&known.sent, &order) {
        (Some(sent), Some(order)) => settle::unseen(sent, order)?,
        _ => Vec::new(),
    };
    let age = menu.ok().and_then(|menu| {
        let products = menu
            .categories
            .iter()
            .flat_map(|category| &category.products);
        products
            .filter(|product| age_check::is_restricted(product))
            .filter_map(|product| product.min_age)
            .max()
    });
    let answer = visit.sess.age().await;
    let asks = age.is_some() && answer != Some(AgeAnswer::Accepted);
    let meta = place.meta_of(venue.town.as_ref());
    let page = FridgePage {
        venue: mapping::venue(&venue, &meta, &visit.app.images, visit.now),
        state,
        long: known.long,
        session: known.session,
        order: known.order,
        card: order
            .as_ref()
            .is_some_and(|order| order.sum == Some(order.paid_with_card)),
        charged: order.and_then(|order| order.sum),
        unscanned: known.unscanned,
        unseen,
        age: age.filter(|_| asks),
        too_young: asks && answer == Some(AgeAnswer::Declined),
        support: mapping::phone_of(
            &venue,
            &place.phone_code(visit.country, venue.town.as_ref()),
        ),
        presses: presses(visit, venue_id).await,
    };
    let refresh = match state {
        FridgeState::Opening | FridgeState::Settling | FridgeState::Unknown => Some(SOON),
        // A lock that is late may open all the same.
        FridgeState::Failed if page.session.is_some() => Some(SOON),
        FridgeState::Open => Some(LATER),
        FridgeState::SignIn
        | FridgeState::Ready
        | FridgeState::Settled
        | FridgeState::Failed
        | FridgeState::Lost => None,
    };
    Ok(Loaded::page(page).stale(true).refresh(refresh))
}

/// What was taken may be more than what was scanned: the guest is told what, and the sum, where the door is said to be
/// shut.
async fn order_of(visit: &Visit, order: &str) -> Option<Order> {
    let id = order.parse().ok()?;
    let caller = visit.personal_caller().await.optional();
    visit.app.upstream.order(&caller, &id).await.ok()
}

/// The guest's fridge that is open now, on whatever phone it was opened (BC-14). One that has not opened in time leads
/// no guest back.
pub async fn running(visit: &Visit) -> Option<VenueId> {
    visit.signed_in.as_ref()?;
    let caller = visit.personal_caller().await.optional();
    open_door(visit, &caller).await.ok()?
}

/// The same, for what must not be done while one is open.
///
/// # Errors
/// When the upstream does not say.
pub async fn open_door(visit: &Visit, caller: &Caller) -> Result<Option<VenueId>, upstream::Error> {
    let running = match visit.app.upstream.fridge_sessions(caller).await {
        Err(upstream::Error::NotFound) => Vec::new(),
        other => other?,
    };
    let mut running = running
        .iter()
        .filter(|session| !is_late(session, visit.now));
    Ok(running.find_map(|session| session.venue))
}

/// The upstream's word on the guest's doors comes first; then what this browser has begun and has no answer to.
async fn state(visit: &Visit, venue: VenueId) -> Result<(FridgeState, Known), Error> {
    if visit.signed_in.is_none() {
        return Ok((FridgeState::SignIn, Known::default()));
    }
    let caller = visit.personal_caller().await;
    let running = match visit.app.upstream.fridge_sessions(&caller).await {
        Ok(running) => running,
        Err(upstream::Error::Unauthorized) => return Ok((FridgeState::SignIn, Known::default())),
        Err(_) => return Ok((FridgeState::Unknown, Known::default())),
    };
    let own = visit.sess.fridge().await;
    let own = own.filter(|own| own.venue == venue.0);
    if let Some(session) = running
        .into_iter()
        .find(|session| session.venue == Some(venue))
    {
        let pressed = match own.filter(|own| own.session == session.id.as_str()) {
            Some(own) => own.at,
            None => follow(visit, venue, &session).await?,
        };
        return shown(visit, session, pressed).await;
    }
    if let Some(own) = own
        && let Ok(id) = own.session.parse()
    {
        match visit.app.upstream.fridge_session(&caller, &id).await {
            Ok(session) => return shown(visit, session, own.at).await,
            Err(upstream::Error::NotFound) if is_lost(visit, &own).await? => {
                return Ok((FridgeState::Lost, Known::default()));
            }
            Err(upstream::Error::NotFound) => {}
            Err(_) => return Ok((FridgeState::Unknown, named(&own))),
        }
    }
    Ok((attempted(visit, venue).await?, Known::default()))
}

fn named(own: &OpenedFridge) -> Known {
    Known {
        session: Some(own.session.clone()),
        ..Known::default()
    }
}

/// From here on the door is this browser's last one, wherever it was opened: what it comes to is told, and not what an
/// earlier one came to. It was not told to open here.
async fn follow(visit: &Visit, venue: VenueId, session: &FridgeSession) -> Result<i64, Error> {
    if !visit.is_prefetch() {
        let fridge = OpenedFridge {
            venue: venue.0,
            key: String::new(),
            session: session.id.to_string(),
            at: visit.now,
        };
        visit.sess.set_fridge(&fridge).await?;
    }
    Ok(0)
}

/// Whether a door that the upstream does not know any more was never shut here, as far as is known.
async fn is_lost(visit: &Visit, own: &OpenedFridge) -> Result<bool, Error> {
    let key = settle::key(&own.session);
    let settled = visit.app.state.idempotency().get(&key).await?;
    Ok(settled.is_none() && visit.now.saturating_sub(own.at) < LOST)
}

/// `pressed`: when the lock was last told to open here.
async fn shown(
    visit: &Visit,
    session: FridgeSession,
    pressed: i64,
) -> Result<(FridgeState, Known), Error> {
    match session.door {
        // A lock that never opens may be listed for ever: it takes no phone's cart.
        Door::Open if !visit.is_prefetch() => basket::take_up(visit, &session).await?,
        Door::Closed => settle::finish(&visit.app, &session).await?,
        _ => {}
    }
    let since = since(&session, visit.now);
    let key = settle::key(session.id.as_str());
    let record = visit.app.state.idempotency().get(&key).await?;
    let mut known = Known {
        // One that has failed for good is over.
        session: (session.door != Door::Failed).then(|| session.id.to_string()),
        order: session.order.as_ref().map(ToString::to_string),
        long: since >= LONG,
        unscanned: 0,
        sent: None,
    };
    if let Some(record) = &record
        && let Some(answer) = &record.answer
    {
        let settled: Settled = read_record(answer)?;
        known.order = known.order.or(settled.order);
        known.unscanned = settled.unscanned;
        known.sent = (settled.unscanned > 0).then(|| record.body.clone());
    }
    let waits = record.is_some_and(|record| record.phase != Phase::Done);
    let state = match session.door {
        Door::Closed => FridgeState::Settled,
        Door::Failed => FridgeState::Failed,
        _ if waits => FridgeState::Settling,
        Door::Open => FridgeState::Open,
        // Pressed again, it has its time again.
        Door::Opening if since.min(visit.now.saturating_sub(pressed)) >= OPENING => {
            FridgeState::Failed
        }
        Door::Opening => FridgeState::Opening,
        Door::Unknown => FridgeState::Unknown,
    };
    Ok((state, known))
}

/// An attempt of this browser that the upstream shows no door of.
async fn attempted(visit: &Visit, venue: VenueId) -> Result<FridgeState, Error> {
    let Some(cart) = visit.sess.cart().await else {
        return Ok(FridgeState::Ready);
    };
    let caller = visit.personal_caller().await;
    let Some(Before::Shut { key }) = before(visit, &caller, cart.as_str(), venue).await? else {
        return Ok(FridgeState::Unknown);
    };
    let record = visit.app.state.idempotency().get(&key).await?;
    Ok(match record {
        Some(record) if record.phase == Phase::Done => FridgeState::Ready,
        // From the first press on: an answer that was lost on the way gives the lock no more time.
        Some(record) if visit.now.saturating_sub(record.created_at) < OPENING => {
            FridgeState::Opening
        }
        // The lock has not opened in time, and no door is open.
        Some(_) => FridgeState::Failed,
        None => FridgeState::Ready,
    })
}
