//! What the page of an order tells beside the order itself.

use url::form_urlencoded::Serializer;

use super::{
    pay_token,
    reader::{Identity, Reader},
};
use crate::{
    features::{kiosk::on_tablet, order_venue::Venue, page_data::MapCredit, place::Place},
    upstream::{OrderId, VenueId},
    web::{session::OwnOrder, visit::Visit},
};

/// What a page tells beside its order; the same for each of its readings.
pub(super) struct View {
    /// Where it is made.
    pub venue: Venue,
    /// The address that tells its changes.
    pub events: String,
    /// Where it is paid, if it waits for that.
    pub pay: Option<String>,
    /// The chat that tells of orders.
    pub chat: Option<String>,
    /// Whose map it is.
    pub credit: Option<MapCredit>,
    /// What this browser knows of it, if it was placed here.
    pub own: Option<OwnOrder>,
    /// The guest was asked before how it was.
    pub has_graded: bool,
    /// Nothing leads out of a tablet (KS-06).
    pub is_tablet: bool,
}

impl View {
    /// Asks for what the order itself does not tell, all at once, with the deadlines of what a page can do without.
    pub async fn of(
        visit: &Visit,
        place: &Place,
        venue_id: VenueId,
        order: &OrderId,
        reader: &Reader,
    ) -> Self {
        let is_tablet = on_tablet(visit).await;
        let (venue, chat, own, has_graded) = tokio::join!(
            Venue::of(visit, place, venue_id),
            async {
                match is_tablet {
                    true => None,
                    false => chat(visit, order, reader).await,
                }
            },
            visit.sess.own_orders(),
            visit.sess.has_graded(order.as_str())
        );
        Self {
            venue,
            events: events(visit, venue_id, order),
            pay: pay_href(visit, order, reader),
            chat,
            credit: MapCredit::of(visit),
            own: own.into_iter().find(|own| own.id == order.as_str()),
            has_graded,
            is_tablet,
        }
    }
}

/// Where an order is paid that waits for its payment: the pages of an order link there while it does.
fn pay_href(visit: &Visit, order: &OrderId, reader: &Reader) -> Option<String> {
    let device = match &reader.identity {
        Identity::Anonymous => return None,
        Identity::Device(fingerprint) => fingerprint.as_str(),
        Identity::Account(..) => "",
    };
    Some(pay_token::href(visit, order, device))
}

/// The address that tells the changes of an order, with the capability that the page was opened with.
fn events(visit: &Visit, venue: VenueId, order: &OrderId) -> String {
    let path = format!("/filials/{venue}/order/{order}/events");
    match visit.query_value("key") {
        Some(key) => format!("{path}?key={key}"),
        None => path,
    }
}

/// The chat that tells a guest of orders: the one that there is, else one that begins with this order, by its
/// unguessable id and nothing of the guest's (OR-10, PU-08). None for anonymous readers, and when it is unknown whether there is
/// one.
async fn chat(visit: &Visit, order: &OrderId, reader: &Reader) -> Option<String> {
    let bot = &visit.app.config.chat_url;
    if reader.identity == Identity::Anonymous {
        return None;
    }
    if visit.signed_in.is_some() {
        let caller = visit.personal_caller().await.optional();
        match visit.app.upstream.chat(&caller).await {
            Ok(Some(_)) => return Some(bot.clone()),
            Ok(None) => {}
            Err(_) => return None,
        }
    }
    let start = Serializer::new(String::new())
        .append_pair("start", order.as_str())
        .finish();
    Some(format!("{bot}?{start}"))
}
