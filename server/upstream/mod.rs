//! The typed client of the business APIs: one file per resource of the specification's section 7.
//!
//! Every call goes through one `request` (request.rs) that sets the headers, keeps the deadline, retries within a
//! budget, minds a breaker and applies the error rules. Public answers go through the catalogue cache (catalogue.rs).
//! Paths and bodies follow the specification and, where it is silent, the sandbox's OpenAPI document (ZZ-22).

use std::{sync::Arc, time::Duration};

mod additives;
mod address;
mod addresses;
mod balances;
mod banners;
mod bills;
mod bookings;
mod brands;
mod breaker;
mod budget;
mod call;
mod caller;
mod catalogue;
mod checkout;
mod clock;
mod config;
mod countries;
mod deadline;
mod delivery;
mod error;
mod feedback;
mod found;
mod fridge;
mod geo;
mod goods;
mod ids;
mod languages;
mod locations;
mod menu;
mod meta;
mod orders;
mod own_orders;
mod paged;
mod payments;
mod placing;
mod products;
mod promos;
mod push;
mod query;
mod receive;
mod remote_config;
mod renewals;
mod request;
mod reviews;
mod search;
mod sign_in;
mod town_names;
mod users;
mod venue;
mod wire;

pub use additives::{
    Additive, AdditiveGroup, Additives, AdditivesOf, ProductWithAdditives, Selected,
};
pub use addresses::{Address, SavedAddress};
pub use balances::{Balance, BalanceInfo, Reward, ShownBalance};
pub use banners::{Banner, BannerKind};
pub use bills::{Bill, BillItem, BillPart, BillPay, BillPayment};
pub use bookings::{Booking, NewBooking, Slot};
pub use brands::{Brand, BrandGroup, Completion, CompletionKind};
pub use breaker::parts;
pub use caller::{Bearer, Caller, Class, Coordinates, Fingerprint, Freshness, IdempotencyKey};
pub use catalogue::Answer;
pub use checkout::{CookingTime, ItemCheck, ItemStatus, OrderItem, StopListCheck};
pub use clock::Clock;
pub use config::{CacheTimes, Deadlines, Retries, UpstreamConfig};
pub use countries::{CountryConfig, Town};
pub use deadline::in_time;
pub use delivery::{Courier, Subsidy, Tariff, Transport, Zone, ZoneOf};
pub use error::{ConfigError, Error, Rejection};
pub use fridge::{Door, FridgeSession};
pub use geo::Spot;
pub use goods::Barcode;
pub use ids::{
    AdditiveGroupId, AdditiveId, AddressId, BillId, BookingId, BrandId, CategoryId,
    FridgeSessionId, LocationId, NotificationId, OrderId, PaymentId, ProductId, ReviewId, SizeId,
    TableId, TownId, TrackId, UserId, VenueId,
};
pub use languages::Languages;
pub use locations::{Bbox, DeliveryState, Interval, List, Location, LocationsQuery, Sort};
pub use menu::{Menu, MenuCategory};
pub use meta::Meta;
pub use orders::{Order, OrderKind, OrderPosition, OrderStatus, StatusAt, When};
pub use own_orders::Repeat;
pub use paged::Paged;
pub use payments::{PayMethod, PayPage, Payment, PaymentStatus};
pub use placing::{ExpressOrder, NewOrder, OrderDraft, Paying, Serving, Source};
pub use products::{PROMO_LIMIT, Product, Size};
pub use promos::{Offer, Promo, PromoCheck, VenueSubsidies};
pub use push::{Os, PushDevice};
pub use remote_config::{HomeCategory, RemoteConfig};
pub use renewals::{Renewal, Renewed};
pub use reviews::{Review, ReviewState, ReviewSummary, Reviews};
pub use search::{Facets, Filters, Hit, HitKind, Hits, HitsQuery, Kitchen};
pub use sign_in::{Grant, Token};
pub use users::{Gender, ImageKind, Level, Profile, User, UserChange};
pub use venue::{Branch, PaymentKind, SocialNetwork, Table, Terminal, Venue};

use breaker::Breakers;
use budget::RetryBudgets;
use catalogue::Catalogue;
use found::Found;
use languages::Known;
use renewals::Renewals;
use venue::Absent;

/// The client. Cloning is cheap: all clones share connections, breakers, budgets and the catalogue cache.
#[derive(Clone)]
pub struct Upstream {
    inner: Arc<Inner>,
}

struct Inner {
    config: UpstreamConfig,
    /// Base address without a slash at the end.
    base: String,
    http: reqwest::Client,
    geo: reqwest::Client,
    breakers: Breakers,
    budgets: RetryBudgets,
    catalogue: Catalogue,
    absent: Absent,
    found: Found,
    languages: Known,
    renewals: Renewals,
    /// What shared calls say as their device, so that a cached answer never belongs to a guest.
    device: Fingerprint,
}

impl Upstream {
    /// Makes the client. Fails when the address can't be used or TLS can't be set up.
    pub fn new(config: &UpstreamConfig) -> Result<Self, ConfigError> {
        let base = config.base()?;
        let with_tls = base.starts_with("https:");
        let (http, geo) = (
            http_client(config, with_tls)?,
            http_client(config, with_tls)?,
        );
        Ok(Self {
            inner: Arc::new(Inner {
                base,
                http,
                geo,
                breakers: Breakers::new(config.clock.clone()),
                budgets: RetryBudgets::new(config.retries.budget_percent, config.clock.clone()),
                catalogue: Catalogue::new(
                    config.cache,
                    config.deadlines.critical,
                    config.clock.clone(),
                ),
                absent: venue::absent(config.cache.fresh),
                found: found::nothing(),
                languages: Known::default(),
                renewals: Renewals::new(config.clock.clone()),
                device: Fingerprint::random(),
                config: config.clone(),
            }),
        })
    }

    /// The settings that the client was made with.
    #[must_use]
    pub fn config(&self) -> &UpstreamConfig {
        &self.inner.config
    }
}

fn http_client(config: &UpstreamConfig, with_tls: bool) -> Result<reqwest::Client, ConfigError> {
    let failed = |error: &dyn std::fmt::Display| ConfigError::Client(error.to_string());
    // A second client finds the provider installed already, which is what we want.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder();
    if !with_tls {
        // Spares reading the system's certificates, and works on machines that have none.
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(&error))?
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        builder = builder.tls_backend_preconfigured(tls);
    }
    builder
        .user_agent(&config.user_agent)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(config.deadlines.connect)
        .pool_idle_timeout(Duration::from_secs(30))
        .tcp_nodelay(true)
        .no_proxy()
        .build()
        .map_err(|error| failed(&error))
}
