//! The visit's session: its cookie, and one typed place for every value it may hold (ST-02, ST-06).
//!
//! The cookie is `SameSite=Lax`, not `Strict`: returns from the login and payment pages are
//! cross-site navigations and must find their session (S-02). A visitor who has done nothing gets
//! neither a cookie nor a row.

mod account;
mod addresses;
mod carry;
mod cookie;
mod key;
mod new_id;
mod sign_in;
mod typed;
mod values;

use std::{
    convert::Infallible,
    sync::{Arc, OnceLock},
};

use axum::{extract::FromRequestParts, http::request::Parts};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tower_sessions::{Session, session::Id};

pub use account::{Account, Restorable, SignedIn};
pub use addresses::{AddressDraft, ConfirmedAddress, DeletedAddress, StoredAddress};
pub use carry::{Carrier, Lives, NeedsSession, NothingKept, carry};
pub use cookie::{COOKIE, INSECURE_COOKIE, Security};
use key::Key;
pub use new_id::{Ended, Moved, Things};
pub use sign_in::Attempt;
pub use typed::{BookingBegun, TypedBooking, TypedOrder};
pub use values::{
    AgeAnswer, Borrowed, FridgePresses, MenuTemp, OpenedFridge, OwnOrder, PushToken, SeatBefore,
    Source, Table,
};

use super::redirect::safe_path;
use crate::{
    keys::seal,
    state::{
        self,
        carts::{Beside, CartId, MAX_SAVED},
        sessions::CART_READ,
    },
    telemetry::Throttle,
};

/// How many links to own orders a session keeps.
pub const OWN_ORDERS: usize = 5;
/// Use of a table is written again after this many milliseconds.
const SEATED_EVERY: i64 = 60_000;
/// How many orders a session remembers not to ask about again.
const GRADED: usize = 20;

/// The session cannot be read or written now: pages show themselves signed out, changes answer "try again".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the session store is not answering")]
pub struct Unavailable;

impl From<Unavailable> for state::Error {
    fn from(error: Unavailable) -> Self {
        Self::Unavailable(error.to_string())
    }
}

/// The session of a request. Reading never fails: a value that is missing, unreadable or of an older
/// shape is absent (ST-10). The store is asked only when a session cookie came.
#[derive(Debug, Clone)]
pub struct Sess {
    session: Option<Session>,
    /// The same under another id, from the moment that this request has given it one.
    next: Arc<OnceLock<Session>>,
    available: bool,
}

impl Sess {
    /// The session that the layer put into the request, loaded once for the request: a store that is
    /// down makes a visit wait once.
    pub async fn of(parts: &Parts) -> Self {
        if let Some(sess) = parts.extensions.get::<Self>() {
            return sess.clone();
        }
        let Some(session) = parts.extensions.get::<Session>().cloned() else {
            return Self {
                session: None,
                next: Arc::default(),
                available: false,
            };
        };
        let available = match session.id() {
            None => true,
            Some(_) => session
                .get_value(Key::Cart.name())
                .await
                .map_err(unavailable)
                .is_ok(),
        };
        Self {
            session: Some(session),
            next: Arc::default(),
            available,
        }
    }

    /// Takes what the store knows by now; for what goes on long after its request.
    ///
    /// # Errors
    /// [`Unavailable`] when it does not answer.
    pub async fn read_again(&self) -> Result<(), Unavailable> {
        match self.current() {
            Some(session) if session.id().is_some() => session.load().await.map_err(unavailable),
            _ => Ok(()),
        }
    }

    /// Whether the session could be read. If not, it looks blank and nothing can be changed.
    #[must_use]
    pub fn is_available(&self) -> bool {
        self.available
    }

    /// For what is nothing without the session: a page must not say that there is nothing because it could not look.
    ///
    /// # Errors
    /// [`Unavailable`] when the session could not be read.
    pub fn must_be_available(&self) -> Result<(), Unavailable> {
        if self.available {
            Ok(())
        } else {
            Err(Unavailable)
        }
    }

    /// Whether no page of this visit differs from an anonymous visitor's, as far as the session goes. The cart
    /// must be empty too before a page may come from the page cache (S-12).
    pub async fn is_blank(&self) -> bool {
        for key in Key::VISIBLE {
            if self.value(key).await.is_some() {
                return false;
            }
        }
        true
    }

    /// A stable name of the session that identifies no guest: for rate limits and logs.
    #[must_use]
    pub fn name(&self) -> Option<u64> {
        use sha2::{Digest as _, Sha256};
        if !self.available {
            return None;
        }
        let id = self.id()?;
        let hash: [u8; 32] = Sha256::digest(id.to_string().as_bytes()).into();
        hash.first_chunk().map(|first| u64::from_be_bytes(*first))
    }

    /// Whether this request has put something into the session, or taken it out.
    #[must_use]
    pub fn is_modified(&self) -> bool {
        self.current().is_some_and(Session::is_modified)
    }

    /// Its id now; none when nothing is stored.
    #[must_use]
    pub fn id(&self) -> Option<Id> {
        self.current()?.id()
    }

    /// The cart of the visit, if it has one.
    pub async fn cart(&self) -> Option<CartId> {
        self.get(Key::Cart).await
    }

    /// The cart as it was read together with the session.
    pub async fn cart_beside(&self) -> Option<Beside> {
        if !self.available {
            return None;
        }
        let read = self.current()?.get_value(CART_READ).await.ok()??;
        serde_json::from_value(read).ok()
    }

    /// The cart of the visit; a new visit gets one. From then on the guest is one device to the upstream (ST-12).
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn cart_or_new(&self) -> Result<CartId, Unavailable> {
        self.device_or_new().await?;
        if let Some(cart) = self.cart().await {
            return Ok(cart);
        }
        let cart = CartId::random();
        self.put(Key::Cart, &cart).await?;
        Ok(cart)
    }

    /// The cart that no other session names.
    pub async fn own_cart(&self) -> Option<CartId> {
        match self.borrowed().await {
            Some(borrowed) => Some(borrowed.own),
            None => self.cart().await,
        }
    }

    /// The cart of another phone in the place of this one's.
    pub async fn borrowed(&self) -> Option<Borrowed> {
        self.get(Key::Borrowed).await
    }

    /// Goes on with the cart of a door that the same guest has opened on another phone.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn borrow_cart(
        &self,
        cart: &CartId,
        door: &str,
        now: i64,
    ) -> Result<(), Unavailable> {
        let borrowed = Borrowed {
            own: self.own_cart().await.unwrap_or_else(CartId::random),
            door: door.to_owned(),
            at: now,
        };
        self.put(Key::Borrowed, &borrowed).await?;
        self.put(Key::Cart, cart).await
    }

    /// Goes on with the cart of before.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn give_cart_back(&self) -> Result<(), Unavailable> {
        if let Some(borrowed) = self.borrowed().await {
            self.put(Key::Cart, &borrowed.own).await?;
            self.set::<()>(Key::Borrowed, None).await?;
        }
        Ok(())
    }

    /// The ids that are one place with the venue whose code was scanned; not the browser's "temporary terminals" (ST-03).
    pub async fn scanned_venues(&self) -> Vec<u64> {
        self.get(Key::ScannedVenues).await.unwrap_or_default()
    }

    /// Replaces them.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_scanned_venues(&self, venues: &[u64]) -> Result<(), Unavailable> {
        self.set(Key::ScannedVenues, (!venues.is_empty()).then_some(venues))
            .await
    }

    /// Temporary venue data: source, venue, table.
    pub async fn menu_temp(&self) -> Option<MenuTemp> {
        self.get(Key::MenuTemp).await
    }

    /// Temporary venue data, if the guest came to this venue: by its own id, or by another id of the same
    /// place (FL-08).
    pub async fn arrived_at(&self, venue: u64) -> Option<MenuTemp> {
        let temp = self.menu_temp().await?;
        let here = temp.venue_id == venue || self.scanned_venues().await.contains(&venue);
        here.then_some(temp)
    }

    /// The table of the guest, if it stands in this venue.
    pub async fn table_at(&self, venue: u64) -> Option<Table> {
        let temp = self.menu_temp().await?;
        (temp.venue_id == venue).then_some(temp.table)?
    }

    /// Replaces or forgets the temporary venue data.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_menu_temp(&self, data: Option<&MenuTemp>) -> Result<(), Unavailable> {
        self.set(Key::MenuTemp, data).await
    }

    /// When the guest came to the venue of now, milliseconds since the epoch; 0 before any.
    pub async fn arrival(&self) -> i64 {
        self.get(Key::ArrivedAt).await.unwrap_or_default()
    }

    /// Notes that the guest has just come to another venue or table than before.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn note_arrival(&self, now: i64) -> Result<(), Unavailable> {
        self.put(Key::ArrivedAt, &now).await
    }

    /// Where the guest sat before the codes of other venues, the last one first.
    pub async fn seats_before(&self) -> Vec<SeatBefore> {
        self.get(Key::SeatsBefore).await.unwrap_or_default()
    }

    /// Notes the table of another venue that the guest leaves for one of this: its cart may come back to it. No more are
    /// remembered than carts are saved, one of each venue. A tablet leads back to none.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn leave_table_for(&self, venue: u64, now: i64) -> Result<(), Unavailable> {
        let left = self.menu_temp().await;
        let Some(temp) =
            left.filter(|temp| temp.table.is_some() && !temp.is_kiosk() && temp.venue_id != venue)
        else {
            return Ok(());
        };
        let scanned = self.scanned_venues().await;
        let mut seats = self.seats_before().await;
        seats.retain(|seat| seat.temp.venue_id != temp.venue_id);
        let at = now;
        seats.insert(0, SeatBefore { temp, scanned, at });
        seats.truncate(MAX_SAVED);
        self.set_seats_before(&seats).await
    }

    /// Replaces where the guest sat before.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_seats_before(&self, seats: &[SeatBefore]) -> Result<(), Unavailable> {
        self.set(Key::SeatsBefore, (!seats.is_empty()).then_some(seats))
            .await
    }

    /// Notes that the guest is at the table now, so seldom that it costs little.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn sit(&self, now: i64) -> Result<(), Unavailable> {
        let at: Option<i64> = self.get(Key::TableAt).await;
        if at.is_none_or(|at| now - at >= SEATED_EVERY) {
            self.put(Key::TableAt, &now).await?;
        }
        Ok(())
    }

    /// Gets up from a table at which nothing was done for `kept` milliseconds: its code may be replayed from anywhere, and
    /// a phone that was there yesterday is elsewhere today (SC-03). A tablet stays where its owner has put it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn get_up_after(
        &self,
        lifetime: i64,
        now: i64,
        acts: bool,
    ) -> Result<(), Unavailable> {
        let Some(temp) = self.menu_temp().await else {
            return Ok(());
        };
        if temp.table.is_none() || temp.is_kiosk() {
            return Ok(());
        }
        let at: Option<i64> = self.get(Key::TableAt).await;
        if at.is_some_and(|at| now - at >= lifetime) {
            self.set(Key::TableAt, None::<i64>).await?;
            let left = MenuTemp {
                table: None,
                ..temp
            };
            return self.set_menu_temp(Some(&left)).await;
        }
        if acts {
            return self.sit(now).await;
        }
        Ok(())
    }

    /// The delivery address that the guest has confirmed (DG-05).
    pub async fn confirmed_address(&self) -> Option<ConfirmedAddress> {
        self.get(Key::AddressConfirmed).await
    }

    /// Notes which address is confirmed, by its mark; none: none is.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_confirmed_address(&self, mark: Option<&str>) -> Result<(), Unavailable> {
        self.set(Key::AddressConfirmed, mark).await
    }

    /// Where to go back to; always a path of our own.
    pub async fn redirect_url(&self) -> Option<String> {
        self.get::<String>(Key::RedirectUrl)
            .await
            .map(|url| safe_path(&url))
    }

    /// Notes where to go back to. The address pages are not remembered (RT-13).
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_redirect_url(&self, url: &str) -> Result<(), Unavailable> {
        let url = safe_path(url);
        let path = url.split(['?', '#']).next().unwrap_or_default();
        if matches!(path.trim_end_matches('/'), "/address-map" | "/address-form") {
            return Ok(());
        }
        self.put(Key::RedirectUrl, &url).await
    }

    /// Whether the town was asked for in this visit (LC-14).
    pub async fn town_picker_disabled(&self) -> bool {
        self.get(Key::TownPickerDisabled).await.unwrap_or(false)
    }

    /// Never asks for the town again in this visit.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn disable_town_picker(&self) -> Result<(), Unavailable> {
        self.put(Key::TownPickerDisabled, &true).await
    }

    /// The answer to the age question, if it was given.
    pub async fn age(&self) -> Option<AgeAnswer> {
        self.get(Key::Age).await
    }

    /// Keeps the answer to the age question.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_age(&self, answer: AgeAnswer) -> Result<(), Unavailable> {
        self.put(Key::Age, &answer).await
    }

    /// The version of the text on personal data that the guest has agreed to (HB-14).
    pub async fn consent(&self) -> Option<String> {
        self.get(Key::Consent).await
    }

    /// Keeps what the guest has agreed to.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_consent(&self, version: &str) -> Result<(), Unavailable> {
        self.put(Key::Consent, &version).await
    }

    /// The device of the visit: the upstream's `X-Fingerprint`, which names whose bookings and orders they are. It
    /// stays in the session; browsers never hold it, and nothing that they send is taken for it.
    pub async fn device(&self) -> Option<String> {
        self.get(Key::Device).await
    }

    /// The device of the visit; one that has none gets a new one (ST-12).
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn device_or_new(&self) -> Result<String, Unavailable> {
        if let Some(device) = self.device().await {
            return Ok(device);
        }
        let device = seal::random_name();
        self.put(Key::Device, &device).await?;
        Ok(device)
    }

    /// What scripts may know the device by, the `deviceId` cookie (ST-01): it leads neither to the device nor to
    /// anything of the guest's.
    pub async fn device_name(&self) -> Option<String> {
        use sha2::{Digest as _, Sha256};
        let device = self.device().await?;
        let hash: [u8; 32] = Sha256::digest(format!("device {device}").as_bytes()).into();
        hash.first_chunk().map(seal::name_of)
    }

    /// Leaves a message for the next page.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_flash<T: Serialize + Sync>(&self, flash: &T) -> Result<(), Unavailable> {
        self.put(Key::Flash, flash).await
    }

    /// Takes the message: it is shown once.
    pub async fn take_flash<T: DeserializeOwned>(&self) -> Option<T> {
        let flash = self.get(Key::Flash).await;
        if self.value(Key::Flash).await.is_some() {
            // It was just read, so it can be removed; at worst it is shown twice.
            let _ = self.set(Key::Flash, None::<()>).await;
        }
        flash
    }

    /// The far venue that the guest will go to all the same (ZZ-17).
    pub async fn far_accepted(&self) -> Option<u64> {
        self.get(Key::FarAccepted).await
    }

    /// Keeps that.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn accept_far(&self, venue: u64) -> Result<(), Unavailable> {
        self.put(Key::FarAccepted, &venue).await
    }

    /// Notes that the guest is sent to a payment page. Its answer may not say where the guest comes from (RT-17).
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn leave_to_payment(&self) -> Result<(), Unavailable> {
        self.put(Key::LeftToPayment, &true).await
    }

    /// Whether the guest was sent to a payment page and now comes back: told once.
    pub async fn back_from_payment(&self) -> bool {
        let left = self.get(Key::LeftToPayment).await.unwrap_or(false);
        if left {
            // At worst it is told twice.
            let _ = self.set(Key::LeftToPayment, None::<()>).await;
        }
        left
    }

    /// Orders that this visit placed, newest first.
    pub async fn own_orders(&self) -> Vec<OwnOrder> {
        self.get(Key::OwnOrders).await.unwrap_or_default()
    }

    /// Adds those that it does not know yet, the newest of all in front. What it knows is not written again.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn learn_own_orders(
        &self,
        orders: impl Iterator<Item = OwnOrder>,
    ) -> Result<(), Unavailable> {
        let mut orders = orders.peekable();
        if orders.peek().is_none() {
            return Ok(());
        }
        let known = self.own_orders().await;
        let mut all = known.clone();
        all.extend(orders.filter(|order| !known.iter().any(|own| own.id == order.id)));
        if all.len() == known.len() {
            return Ok(());
        }
        all.sort_by_key(|own| std::cmp::Reverse(own.placed_at));
        all.truncate(OWN_ORDERS);
        // One that is older than all that it may keep is not learnt.
        if all == known {
            return Ok(());
        }
        self.put(Key::OwnOrders, &all).await
    }

    /// Whether this visit was asked how an order was and has answered, be it that it does not want to (OR-12).
    pub async fn has_graded(&self, order: &str) -> bool {
        let graded: Vec<String> = self.get(Key::Graded).await.unwrap_or_default();
        graded.iter().any(|known| known == order)
    }

    /// Notes that an order is not to be asked about again.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn note_graded(&self, order: &str) -> Result<(), Unavailable> {
        let mut graded: Vec<String> = self.get(Key::Graded).await.unwrap_or_default();
        graded.retain(|known| known != order);
        graded.insert(0, order.to_owned());
        graded.truncate(GRADED);
        self.put(Key::Graded, &graded).await
    }

    /// Ends the session with everything in it: the next guest is another one, on the same device (KS-05).
    ///
    /// # Errors
    /// [`Unavailable`] when the store does not answer.
    pub async fn wipe(&self) -> Result<(), Unavailable> {
        self.writable()?.flush().await.map_err(unavailable)
    }

    /// Whether a guest has left anything in the session of a tablet, but for a cart.
    pub async fn has_guest(&self) -> bool {
        for key in Key::OF_A_GUEST {
            if self.value(key).await.is_some() {
                return true;
            }
        }
        false
    }

    /// Notes by which name the guest of a tablet was asked whether they are still there, and answers it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn ask(&self) -> Result<String, Unavailable> {
        let name = seal::random_name();
        self.put(Key::Asked, &name).await?;
        Ok(name)
    }

    /// Whether the guest of the tablet was last asked by this name.
    pub async fn was_asked(&self, name: &str) -> bool {
        self.get::<String>(Key::Asked).await.as_deref() == Some(name)
    }

    /// Whether the guest of a tablet reads larger letters.
    pub async fn has_large_text(&self) -> bool {
        self.get(Key::LargeText).await.unwrap_or(false)
    }

    /// Keeps which letters the guest of a tablet reads.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_large_text(&self, large: bool) -> Result<(), Unavailable> {
        self.set(Key::LargeText, large.then_some(true)).await
    }

    /// The last fridge that was opened in this browser (BC-14).
    pub async fn fridge(&self) -> Option<OpenedFridge> {
        self.get(Key::Fridge).await
    }

    /// Keeps the fridge that was opened.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_fridge(&self, fridge: &OpenedFridge) -> Result<(), Unavailable> {
        self.put(Key::Fridge, fridge).await
    }

    /// How often the last fridge was told to open in vain.
    pub async fn fridge_presses(&self) -> Option<FridgePresses> {
        self.get(Key::FridgePresses).await
    }

    /// Keeps how often a fridge was told to open; none: its door has opened.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_fridge_presses(
        &self,
        presses: Option<FridgePresses>,
    ) -> Result<(), Unavailable> {
        self.set(Key::FridgePresses, presses).await
    }

    /// The push token of the signed-in guest, if one is registered.
    pub async fn push(&self) -> Option<PushToken> {
        self.get(Key::Push).await
    }

    /// Keeps the push token.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_push(&self, push: &PushToken) -> Result<(), Unavailable> {
        self.put(Key::Push, push).await
    }

    async fn value(&self, key: Key) -> Option<Value> {
        if !self.available {
            return None;
        }
        let session = self.current()?;
        session.get_value(key.name()).await.ok().flatten()
    }

    async fn get<T: DeserializeOwned>(&self, key: Key) -> Option<T> {
        serde_json::from_value(self.value(key).await?).ok()
    }

    async fn put<T: Serialize + Sync + ?Sized>(
        &self,
        key: Key,
        value: &T,
    ) -> Result<(), Unavailable> {
        let session = self.writable()?;
        // Every stored session has its cart from the start, so that two first adds at once, in two
        // tabs of one session, cannot make two carts.
        if key != Key::Cart && self.value(Key::Cart).await.is_none() {
            session
                .insert(Key::Cart.name(), CartId::random())
                .await
                .map_err(unavailable)?;
        }
        session.insert(key.name(), value).await.map_err(unavailable)
    }

    /// Writes a value or removes it; removing what is not there changes nothing.
    async fn set<T: Serialize + Sync>(
        &self,
        key: Key,
        value: Option<T>,
    ) -> Result<(), Unavailable> {
        match value {
            Some(value) => self.put(key, &value).await,
            None if self.value(key).await.is_none() => self.writable().map(|_| ()),
            None => {
                let session = self.writable()?;
                session
                    .remove_value(key.name())
                    .await
                    .map(|_| ())
                    .map_err(unavailable)
            }
        }
    }

    /// Writes down now what this request has changed: what follows must be this guest's even if no answer gets out.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn write_down(&self) -> Result<(), Unavailable> {
        let session = self.writable()?;
        if session.is_modified() {
            session.save().await.map_err(unavailable)?;
        }
        Ok(())
    }

    fn current(&self) -> Option<&Session> {
        self.next.get().or(self.session.as_ref())
    }

    fn writable(&self) -> Result<&Session, Unavailable> {
        self.current().filter(|_| self.available).ok_or(Unavailable)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Sess {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(parts).await)
    }
}

/// A store that is away is met by every request.
fn unavailable(error: tower_sessions::session::Error) -> Unavailable {
    static SAID: Throttle = Throttle::new();
    if let Some(others) = SAID.admit() {
        tracing::warn!(%error, others, "The session could not be read or written");
    }
    Unavailable
}
