//! The client against the sandbox: everything that it sends can be read, and its faults become the right errors.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use ::sandbox::{Options, Sandbox};
use dastarkhan::{
    upstream::{
        AdditivesOf, Address, Caller, Class, Coordinates, Error, ExpressOrder, Fingerprint, Gender,
        Grant, IdempotencyKey, ImageKind, ItemStatus, List, LocationsQuery, OrderItem, OrderStatus,
        PaymentKind, Product, Sort, TableId, Upstream, UpstreamConfig, UserChange, VenueId,
    },
    values::{Country, Lang, Service, Sum},
};
use serde_json::{Value, json};

use crate::double::guest;

/// Noon in Almaty on a Saturday, when most venues are open.
const NOON: i64 = 1_795_244_400_000;

/// A running sandbox with a client and a table to sit at.
pub struct World {
    pub client: Upstream,
    pub http: reqwest::Client,
    pub sandbox: Sandbox,
    pub folder: PathBuf,
}

/// A table QR link of the sandbox.
pub struct Seat {
    pub venue: VenueId,
    pub table: TableId,
    pub main_venue: VenueId,
}

impl World {
    pub async fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("upstream-{}-{number}", std::process::id()));
        let options = Options {
            listen: ([127, 0, 0, 1], 0).into(),
            state_dir: folder.clone(),
            now: Some(NOON),
            ..Options::default()
        };
        let sandbox = ::sandbox::start(options).await.unwrap();
        let mut config = UpstreamConfig::new(sandbox.url());
        config.retries.order_step = Duration::from_millis(5);
        // The machine may be busy with other tests.
        config.deadlines.critical = Duration::from_secs(20);
        config.deadlines.optional = Duration::from_secs(20);
        let client = Upstream::new(&config).unwrap();
        Self {
            client,
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            sandbox,
            folder,
        }
    }

    /// The same sandbox through a client without a memory.
    pub fn fresh(&self, change: impl FnOnce(&mut UpstreamConfig)) -> Upstream {
        let mut config = self.client.config().clone();
        change(&mut config);
        Upstream::new(&config).unwrap()
    }

    pub async fn control(&self, name: &str, body: Value) {
        let address = format!("{}/_sandbox/api/{name}", self.sandbox.url());
        let answer = self.http.post(address).json(&body).send().await.unwrap();
        assert!(
            answer.status().is_success(),
            "{name}: {}",
            answer.text().await.unwrap()
        );
    }

    /// A guest who signed in elsewhere and hands a track over.
    pub async fn signed_in(&self, phone: &str) -> Caller {
        let address = format!("{}/api/v1/oauth2/tracks", self.sandbox.url());
        let body = json!({ "phone": phone, "code": "1234" });
        let told: Value = self
            .http
            .post(address)
            .json(&body)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        let track = told["data"]["id"].as_str().unwrap().parse().unwrap();
        let token = self
            .client
            .token(&guest(), "web", Grant::Track(&track))
            .await
            .unwrap();
        let mut caller = guest();
        caller.bearer = Some(token.bearer);
        caller
    }

    pub async fn get(&self, target: &str) -> Value {
        let address = format!("{}{target}", self.sandbox.url());
        self.http
            .get(address)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    }

    pub async fn fault(&self, fault: Value) {
        self.control("faults", fault).await;
    }

    pub async fn no_faults(&self) {
        let address = format!("{}/_sandbox/api/faults", self.sandbox.url());
        self.http.delete(address).send().await.unwrap();
    }

    /// How many requests the sandbox has had, those that its journal no longer holds too.
    pub async fn requests(&self) -> u64 {
        let last = self.get("/_sandbox/api/log?limit=1").await;
        last[0]["seq"].as_u64().map_or(0, |last| last + 1)
    }

    /// Tables where an order can be placed and paid in cash now.
    pub async fn seat(&self) -> Seat {
        for table in self.get("/_sandbox/api/tables").await.as_array().unwrap() {
            let number = |key: &str| VenueId(table[key].as_u64().unwrap());
            let venue_id = number("filial_id");
            let venue = self.client.venue(&guest(), venue_id, None).await.unwrap();
            let pays = venue.payments().contains(&PaymentKind::Cash);
            if table["country"] == "kz"
                && pays
                && !venue.location.is_closed
                && !venue.is_check_pulling_enabled
            {
                let table = table["table_id"].as_str().unwrap().parse().unwrap();
                return Seat {
                    venue: venue_id,
                    table,
                    main_venue: number("main_terminal_id"),
                };
            }
        }
        panic!("the sandbox has no table for an order");
    }

    /// A dish that can be ordered as it stands.
    pub async fn dish(&self, venue: VenueId) -> Product {
        let menu = self.client.menu(&guest(), venue).await.unwrap();
        let plain = |dish: &&Product| {
            !dish.is_unavailable
                && !dish.has_additives
                && dish.sizes.is_none()
                && dish.min_age.is_none()
        };
        menu.categories
            .iter()
            .flat_map(|category| &category.products)
            .find(plain)
            .unwrap()
            .clone()
    }

    pub async fn order(&self, seat: &Seat) -> ExpressOrder {
        let dish = self.dish(seat.venue).await;
        let venue = self.client.venue(&guest(), seat.venue, None).await.unwrap();
        let goods = dish.current_price().0 * 2;
        let service = goods * i64::from(venue.service_percentage) / 100;
        ExpressOrder {
            venue: seat.venue,
            main_venue: Some(seat.main_venue),
            table: seat.table.clone(),
            payment: PaymentKind::Cash,
            name: String::new(),
            comment: String::new(),
            items: vec![OrderItem {
                product: dish.id,
                size: None,
                count: 2,
                price: dish.current_price(),
                additives: Vec::new(),
                comment: String::new(),
            }],
            // Whole tenge.
            expected_sum: Sum((goods + service) / 100 * 100),
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::new(text).unwrap()
}

fn elements(answer: &Value) -> usize {
    answer["data"].as_array().unwrap().len()
}

#[tokio::test]
async fn both_countries_and_their_towns_can_be_read_whole() {
    let world = World::start().await;
    for (country, code, least) in [(Country::Kz, "KZT", 19), (Country::Ge, "GEL", 1)] {
        let [default, ..] = country.langs();
        let caller = Caller::guest(default, country);
        let told = world.client.country(&caller, country).await;
        assert!(!told.built_in);
        assert_eq!(
            (
                told.default_lang,
                told.meta.money.code.as_str(),
                told.currency.as_str()
            ),
            (default, code, "gel")
        );
        let towns = world.client.towns(&caller, country).await.unwrap();
        assert!(towns.items.len() >= least);
        assert_eq!(
            (towns.items.len(), towns.items.len()),
            (towns.total as usize, told.towns.len())
        );
        assert!(
            towns
                .items
                .iter()
                .all(|town| town.coordinates.is_some() && town.code.len() == 3)
        );
    }
}

#[tokio::test]
async fn every_venue_and_every_dish_can_be_read_in_every_language() {
    let world = World::start().await;
    let mut dishes = 0;
    for (country, lang) in [
        (Country::Kz, Lang::Kk),
        (Country::Kz, Lang::En),
        (Country::Ge, Lang::Ka),
    ] {
        let caller = Caller::guest(lang, country);
        let mut query = LocationsQuery {
            sort: Sort::Rating,
            ..LocationsQuery::default()
        };
        loop {
            let page = world.client.locations(&caller, &query).await.unwrap();
            let raw = world
                .get(&format!(
                    "/takeaway/v2/locations?sort=rating&page={}&limit=20",
                    query.page
                ))
                .await;
            assert_eq!(page.items.len(), elements(&raw), "no venue is dropped");
            for venue in &page.items {
                dishes += whole_menu(&world, &caller, venue.venue_id).await;
            }
            if query.page >= page.last_page {
                break;
            }
            query.page += 1;
        }
    }
    assert!(dishes > 1000, "{dishes}");
}

/// Reads all that a venue has and counts it against the raw answer.
async fn whole_menu(world: &World, caller: &Caller, venue_id: VenueId) -> usize {
    let venue = world.client.venue(caller, venue_id, None).await.unwrap();
    assert!(venue.town.is_some());
    let raw = world
        .get(&format!(
            "/takeaway/locations/card/terminal/{venue_id}?include=extra"
        ))
        .await;
    let counted = |list: &Value| list.as_array().map_or(0, Vec::len);
    assert_eq!(
        venue.location.opening_hours.len(),
        counted(&raw["data"]["opening_hours"])
    );
    assert_eq!(
        venue.payment_types.len(),
        counted(&raw["data"]["payment_types"])
    );
    let tables = world.client.tables(caller, venue_id).await.unwrap();
    let raw = world.get(&format!("/terminals/terminals/{venue_id}")).await;
    assert_eq!(tables.tables.len(), counted(&raw["data"]["tables"]));

    let menu = world.client.menu(caller, venue_id).await.unwrap();
    let raw = world
        .get(&format!("/menu/v2/category/products?filial_id={venue_id}"))
        .await;
    let products = |category: &Value| counted(&category["relationships"]["products"]["data"]);
    let sent: Vec<usize> = raw["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(products)
        .collect();
    let read: Vec<usize> = menu
        .categories
        .iter()
        .map(|category| category.products.len())
        .collect();
    assert_eq!(read, sent, "no dish of {venue_id} is dropped");
    world.client.popular(caller, venue_id).await.unwrap();
    world.client.favourites(caller, venue_id).await.unwrap();
    world.client.banner(caller, venue_id).await.unwrap();
    read.into_iter().sum()
}

#[tokio::test]
async fn each_list_of_venues_can_be_asked_for() {
    let world = World::start().await;
    for list in [
        List::All,
        List::Near,
        List::Bakery,
        List::SemiFinished,
        List::ReadyMeals,
        List::Grocery,
    ] {
        for service in [
            None,
            Some(Service::Express),
            Some(Service::Takeaway),
            Some(Service::Delivery),
        ] {
            let query = LocationsQuery {
                list,
                service,
                ..LocationsQuery::default()
            };
            let page = world.client.locations(&guest(), &query).await.unwrap();
            let right =
                |venue_id, asked: Option<Service>, venue: &dastarkhan::upstream::Location| {
                    asked.is_none_or(|service| venue.venue_for(service) == Some(venue_id))
                };
            assert!(
                page.items
                    .iter()
                    .all(|venue| right(venue.venue_id, service, venue)),
                "{list:?} {service:?}"
            );
        }
    }
    let promo = LocationsQuery {
        only_promo: true,
        ..LocationsQuery::default()
    };
    let page = world.client.locations(&guest(), &promo).await.unwrap();
    assert!(!page.items.is_empty() && page.items.iter().all(|venue| venue.has_promo));
}

#[tokio::test]
async fn options_of_dishes_can_be_read() {
    let world = World::start().await;
    let seat = world.seat().await;
    let menu = world.client.menu(&guest(), seat.venue).await.unwrap();
    let with_options = |dish: &&Product| dish.has_additives;
    let dishes: Vec<_> = menu
        .categories
        .iter()
        .flat_map(|category| &category.products)
        .filter(with_options)
        .take(10)
        .collect();
    assert!(!dishes.is_empty());
    for dish in &dishes {
        let of = AdditivesOf::Product;
        let told = world
            .client
            .additives(&guest(), seat.venue, dish.id, Service::Express, of)
            .await
            .unwrap();
        assert!(!told.groups.is_empty(), "{}", dish.name);
        assert!(
            told.groups
                .iter()
                .all(|group| group.max >= group.min && !group.additives.is_empty())
        );
    }
    let ids: Vec<_> = dishes.iter().map(|dish| dish.id).collect();
    let told = world
        .client
        .products_with_additives(&guest(), seat.venue, &ids)
        .await
        .unwrap();
    assert_eq!(told.len(), ids.len());
    let extra = world
        .client
        .cross_sell(&guest(), seat.venue, &ids)
        .await
        .unwrap();
    assert!(extra.iter().all(|dish| !ids.contains(&dish.id)));
}

#[tokio::test]
async fn an_order_is_placed_once_and_shown_to_who_placed_it() {
    let world = World::start().await;
    let seat = world.seat().await;
    let order = world.order(&seat).await;
    let client = &world.client;
    let branch = client
        .branch(
            &guest(),
            seat.venue,
            Some(&seat.table),
            Some(seat.main_venue),
        )
        .await
        .unwrap();
    assert_eq!(branch.table.as_ref().unwrap().id, seat.table);
    let check = client
        .check_stop_list(&guest(), seat.venue, Service::Express, &order.items)
        .await
        .unwrap();
    assert!(check.ok, "{check:?}");
    let minutes = client
        .cooking_time(&guest(), seat.venue, &[(order.items[0].product, 2)])
        .await
        .unwrap();
    assert!(minutes.min <= minutes.max);

    let placed = client
        .place_express_order(&guest(), &order, &key("once"))
        .await
        .unwrap();
    assert_eq!(
        (placed.status, placed.sum),
        (OrderStatus::Created, Some(order.expected_sum))
    );
    let again = client
        .place_express_order(&guest(), &order, &key("once"))
        .await
        .unwrap();
    assert_eq!(again.id, placed.id);
    let other = ExpressOrder {
        comment: "other".to_owned(),
        ..order.clone()
    };
    let error = client
        .place_express_order(&guest(), &other, &key("once"))
        .await
        .unwrap_err();
    assert_eq!(error.code(), Some("idempotency_mismatch"));
    assert!(!error.outcome_unknown());

    let mine = client.order(&guest(), &placed.id).await.unwrap();
    assert!(mine.personal);
    assert_eq!(
        (mine.sum, mine.positions.len(), mine.payment),
        (placed.sum, 1, Some(PaymentKind::Cash))
    );
    assert!(mine.created_at.is_some_and(|when| when.utc().is_some()));
    let mut other_guest = guest();
    other_guest.fingerprint = Some(Fingerprint::random());
    let theirs = client.order(&other_guest, &placed.id).await.unwrap();
    assert_eq!(
        (
            theirs.personal,
            theirs.sum,
            theirs.positions.len(),
            theirs.comment
        ),
        (false, None, 0, None)
    );
    assert_eq!(theirs.status, mine.status);
    let unknown = client.order(&guest(), &"o_unknown".parse().unwrap()).await;
    assert_eq!(unknown.err(), Some(Error::NotFound));
}

#[tokio::test]
async fn price_and_stock_of_the_moment_count() {
    let world = World::start().await;
    let seat = world.seat().await;
    let order = world.order(&seat).await;
    let product = order.items[0].product;
    let check = || {
        world
            .client
            .check_stop_list(&CALLER, seat.venue, Service::Express, &order.items)
    };
    world
        .control(
            "price",
            json!({ "filial_id": seat.venue, "product_id": product, "price": 4321 }),
        )
        .await;
    let changed = check().await.unwrap();
    assert_eq!(
        (changed.ok, changed.items[0].status, changed.items[0].price),
        (false, ItemStatus::PriceChanged, Some(Sum(432_100)))
    );
    let refused = world
        .client
        .place_express_order(&guest(), &order, &key("a"))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some("price_changed"));
    world
        .control(
            "stock",
            json!({ "filial_id": seat.venue, "product_id": product, "available": false }),
        )
        .await;
    assert_eq!(
        check().await.unwrap().items[0].status,
        ItemStatus::Unavailable
    );
    world
        .control(
            "opening",
            json!({ "filial_id": seat.venue, "closed": true }),
        )
        .await;
    let reopened = world
        .client
        .venue(&guest().with_class(Class::Order), seat.venue, None)
        .await
        .unwrap();
    assert!(reopened.location.is_closed);
}

static CALLER: std::sync::LazyLock<Caller> = std::sync::LazyLock::new(guest);

#[tokio::test]
async fn an_account_can_be_used_whole() {
    let world = World::start().await;
    let client = &world.client;
    let caller = world.signed_in("+7 701 000 00 09").await;

    let user = client.user(&caller).await.unwrap();
    assert_eq!(user.phone, "+77010000009");
    let change = UserChange {
        name: Some("Айгүл".to_owned()),
        birthday: Some(time::macros::date!(1990 - 12 - 31)),
        gender: Some(Gender::Female),
        ..UserChange::default()
    };
    let changed = client.change_user(&caller, &change).await.unwrap();
    assert_eq!(
        (changed.name.as_str(), changed.birthday, changed.gender),
        ("Айгүл", change.birthday, change.gender)
    );
    let short = UserChange {
        name: Some("А".to_owned()),
        ..UserChange::default()
    };
    assert_eq!(
        client
            .change_user(&caller, &short)
            .await
            .unwrap_err()
            .code(),
        Some("name_invalid")
    );
    let picture = b"\x89PNG\r\n\x1a\n".to_vec();
    assert!(
        client
            .set_avatar(&caller, ImageKind::Png, picture)
            .await
            .unwrap()
            .photo
            .is_some()
    );
    assert_eq!(client.delete_avatar(&caller).await.unwrap().photo, None);
    client
        .set_profile_language(&caller, Lang::En)
        .await
        .unwrap();
    let profile = client.profile(&caller).await.unwrap();
    assert_eq!(
        (profile.lang, profile.level.is_some()),
        (Some(Lang::En), true)
    );

    let info = client.balance_info(&caller).await.unwrap();
    assert_eq!(
        (client.balance(&caller).await, info.levels.len()),
        (Some(info.balance), 3)
    );

    let home = Address {
        name: "Үй".to_owned(),
        address: String::new(),
        city: "Алматы".to_owned(),
        street: "Абай".to_owned(),
        building: "10".to_owned(),
        entrance: String::new(),
        floor: String::new(),
        apartment: String::new(),
        is_private_house: true,
        comment: String::new(),
        coordinates: Coordinates::new(43.24, 76.9).unwrap(),
    };
    let saved = client.create_address(&caller, &home).await.unwrap();
    assert_eq!(saved.address, home);
    let flat = Address {
        is_private_house: false,
        ..home.clone()
    };
    assert_eq!(
        client
            .change_address(&caller, saved.id, &flat)
            .await
            .unwrap()
            .address,
        flat
    );
    assert_eq!(
        client.address(&caller, saved.id).await.unwrap().address,
        flat
    );
    assert_eq!(client.addresses(&caller).await.unwrap().len(), 1);
    client.delete_address(&caller, saved.id).await.unwrap();
    assert_eq!(
        client.address(&caller, saved.id).await.err(),
        Some(Error::NotFound)
    );
    assert!(client.addresses(&caller).await.unwrap().is_empty());

    assert!(
        client
            .delete_user(&caller)
            .await
            .unwrap()
            .restore_until
            .is_some()
    );
    assert_eq!(
        client.profile(&caller).await.unwrap_err().code(),
        Some("account_deleted")
    );
    assert_eq!(client.restore_user(&caller).await.unwrap().deleted_at, None);
    client.track(&caller).await.unwrap();
    client.revoke_token(&caller).await.unwrap();
    assert_eq!(client.user(&caller).await.err(), Some(Error::Unauthorized));
}

#[tokio::test]
async fn an_unknown_venue_is_not_found() {
    let world = World::start().await;
    let venue = VenueId(999_999);
    assert_eq!(
        world.client.venue(&guest(), venue, None).await.err(),
        Some(Error::NotFound)
    );
    assert_eq!(
        world.client.menu(&guest(), venue).await.err(),
        Some(Error::NotFound)
    );
    assert_eq!(
        world.client.branch(&guest(), venue, None, None).await.err(),
        Some(Error::NotFound)
    );
}

#[tokio::test]
async fn the_sandbox_sees_the_common_headers_on_every_call() {
    let world = World::start().await;
    let seat = world.seat().await;
    world
        .client
        .branch(&guest(), seat.venue, None, None)
        .await
        .unwrap();
    let log = world.get("/_sandbox/api/log").await;
    let calls: Vec<&Value> = log
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| !entry["path"].as_str().unwrap().starts_with("/_sandbox"))
        .collect();
    assert!(!calls.is_empty());
    for call in calls {
        for name in [
            "x-fingerprint",
            "x-language",
            "x-idempotency-key",
            "content-type",
            "accept",
        ] {
            assert!(
                call["headers"][name]
                    .as_str()
                    .is_some_and(|value| !value.is_empty()),
                "{name}: {call}"
            );
        }
    }
}
