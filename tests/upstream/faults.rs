//! The faults of the reliability requirements against the running sandbox, with their figures. Time is a
//! manual clock wherever a figure is one of time, so that a busy machine changes no result.

use std::{collections::HashSet, time::Duration};

use dastarkhan::{
    upstream::{
        Class, Clock, Coordinates, Error, ExpressOrder, IdempotencyKey, LocationsQuery,
        ShownBalance, Sort, Upstream, UpstreamConfig, VenueId,
    },
    values::{Country, Service, Sum},
};
use futures_util::{StreamExt as _, future::join_all, stream};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde_json::{Value, json};

use crate::{
    double::guest,
    sandbox::{Seat, World, key},
};

const ORDERS: &str = "/takeaway/v1/express/order";
const MENU: &str = "/menu/v2/category/products";
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// A client of its own with a clock that stands still.
fn manual(world: &World, change: impl FnOnce(&mut UpstreamConfig)) -> Upstream {
    world.fresh(|config| {
        config.clock = Clock::manual();
        config.retries.page_step = Duration::from_millis(1);
        config.retries.order_step = Duration::from_millis(1);
        change(config);
    })
}

#[tokio::test]
async fn each_fault_of_the_sandbox_becomes_its_error() {
    let world = World::start().await;
    let seat = world.seat().await;
    let path = "/menu/v2/category/products";
    let cases = [
        (
            json!({ "kind": "status", "status": 500 }),
            Error::Unavailable { status: Some(500) },
        ),
        (json!({ "kind": "status", "status": 404 }), Error::NotFound),
        (
            json!({ "kind": "reset" }),
            Error::Unavailable { status: None },
        ),
        (
            json!({ "kind": "truncate" }),
            Error::Unavailable { status: None },
        ),
        (
            json!({ "kind": "html" }),
            Error::BadAnswer { why: "no JSON" },
        ),
        (
            json!({ "kind": "wrong_type" }),
            Error::BadAnswer { why: "data" },
        ),
        (
            json!({ "kind": "error_code", "status": 503 }),
            Error::Unavailable { status: Some(503) },
        ),
        (
            json!({ "kind": "error_code", "status": 401 }),
            Error::Unavailable { status: Some(401) },
        ),
        (json!({ "kind": "hang" }), Error::Deadline),
    ];
    for (fault, expected) in cases {
        world.no_faults().await;
        let mut whole = fault.clone();
        whole["path"] = json!(path);
        world.fault(whole).await;
        let short = expected == Error::Deadline;
        let client = world.fresh(|config| {
            if short {
                config.deadlines.critical = Duration::from_millis(300);
            }
        });
        assert_eq!(
            client.menu(&guest(), seat.venue).await.err(),
            Some(expected),
            "{fault}"
        );
    }
}

#[tokio::test]
async fn a_lost_answer_and_a_hanging_one_still_make_one_order() {
    let world = World::start().await;
    let seat = world.seat().await;
    let order = world.order(&seat).await;
    let client = world.fresh(|config| config.deadlines.order_attempt = Duration::from_secs(2));
    for (number, kind) in ["reset", "truncate", "status", "hang"]
        .into_iter()
        .enumerate()
    {
        let path = "/takeaway/v1/express/order";
        world.fault(json!({ "path": path, "kind": kind, "status": 503, "times": 1, "after_commit": true })).await;
        client
            .place_express_order(&guest(), &order, &key(kind))
            .await
            .unwrap();
        let orders = world.get("/_sandbox/api/orders").await;
        assert_eq!(orders.as_array().unwrap().len(), number + 1, "after {kind}");
    }
}

/// Sends an order as the product does, until its outcome is known: after each failure the same key again.
async fn until_known(
    client: &Upstream,
    order: &ExpressOrder,
    key: &IdempotencyKey,
) -> Result<String, Error> {
    let mut last = None;
    for _ in 0..100 {
        match client.place_express_order(&guest(), order, key).await {
            Ok(placed) => return Ok(placed.id.to_string()),
            Err(error) if error.outcome_unknown() || error.is_temporary() => {
                // The breaker may have had enough of the part: what comes after its pause is sent.
                client.config().clock.advance(5 * SECOND);
                tokio::time::sleep(Duration::from_millis(10)).await;
                last = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    panic!("the outcome of {} is never known: {last:?}", key.as_str());
}

/// Random trouble for the next order calls: nothing, lost before the work, lost after it, slow.
fn trouble(random: &mut StdRng) -> Option<Value> {
    let kinds = [
        "reset",
        "truncate",
        "cut_json",
        "html",
        "status",
        "error_code",
        "wrong_type",
    ];
    let kind = match random.random_range(0..20) {
        0..6 => return None,
        6 => "hang",
        7 => "delay",
        _ => kinds[random.random_range(0..kinds.len())],
    };
    Some(json!({
        "path": ORDERS, "kind": kind, "status": 503, "delay_ms": 20,
        "times": random.random_range(1..4), "after_commit": random.random_bool(0.5),
    }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_orders_through_random_trouble_are_a_thousand_orders() {
    let world = World::start().await;
    let seat = world.seat().await;
    let order = world.order(&seat).await;
    let client = manual(&world, |config| {
        config.deadlines.order_attempt = Duration::from_millis(250);
    });
    let mut random = StdRng::seed_from_u64(20_261_121);
    let mut ids = HashSet::new();
    for run in 0..1000 {
        if let Some(fault) = trouble(&mut random) {
            world.fault(fault).await;
        }
        let key = key(&format!("run-{run}"));
        // Several presses of one button at once.
        let presses = random.random_range(1..4);
        let told = join_all((0..presses).map(|_| until_known(&client, &order, &key))).await;
        let told: HashSet<String> = told.into_iter().map(Result::unwrap).collect();
        assert_eq!(
            told.len(),
            1,
            "all presses of run {run} see one order: {told:?}"
        );
        ids.extend(told);
        world.no_faults().await;
    }
    assert_eq!(ids.len(), 1000);
    assert_eq!(orders(&world), (1000, 1000));
}

/// Orders in the sandbox's database, and different keys of them.
fn orders(world: &World) -> (u32, u32) {
    let database = rusqlite::Connection::open(world.folder.join("sandbox.sqlite3")).unwrap();
    let count = "SELECT COUNT(*), COUNT(DISTINCT idempotency_key) FROM orders";
    database
        .query_row(count, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
}

#[tokio::test]
async fn a_key_with_another_body_is_a_422_and_makes_no_order() {
    let world = World::start().await;
    let seat = world.seat().await;
    let order = world.order(&seat).await;
    let client = &world.client;
    client
        .place_express_order(&guest(), &order, &key("k"))
        .await
        .unwrap();
    let other = ExpressOrder {
        comment: "another".to_owned(),
        ..order
    };
    let refused = client
        .place_express_order(&guest(), &other, &key("k"))
        .await;
    let Err(Error::Rejected(rejection)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(
        (rejection.status, rejection.code.as_str()),
        (422, "idempotency_mismatch")
    );
    assert_eq!(orders(&world), (1, 1));
}

#[tokio::test]
async fn a_minute_of_503_at_100_a_second_costs_at_most_a_quarter_more() {
    let world = World::start().await;
    let seat = world.seat().await;
    let order = world.order(&seat).await;
    world
        .fault(json!({ "path": "*", "kind": "status", "status": 503 }))
        .await;
    let client = manual(&world, |_| {});
    let before = world.requests().await;
    for number in 0..6000_u32 {
        client.config().clock.advance(SECOND / 100);
        // Reads of several parts, and one order in a hundred.
        match number % 100 {
            0 => drop(
                client
                    .place_express_order(&guest(), &order, &key("k"))
                    .await,
            ),
            odd if odd % 2 == 1 => drop(client.branch(&guest(), seat.venue, None, None).await),
            _ => drop(client.available(&guest(), seat.venue).await),
        }
    }
    let sent = world.requests().await - before;
    assert!(
        (20..=7500).contains(&sent),
        "{sent} requests for 6000 calls"
    );
}

#[tokio::test]
async fn an_upstream_that_is_half_ill_gets_at_most_a_quarter_more() {
    let world = World::start().await;
    let seat = world.seat().await;
    let client = manual(&world, |_| {});
    let before = world.requests().await;
    let mut failed = 0;
    // One call of four fails in both of its tries: too few for the breaker, so the budget alone holds the load. Without
    // it these would be 2,500.
    for number in 0..2000_u32 {
        client.config().clock.advance(SECOND / 100);
        if number % 4 == 3 {
            let fault = json!({ "path": "*", "kind": "status", "status": 503, "times": 2 });
            world.fault(fault).await;
        }
        failed += u32::from(client.available(&guest(), seat.venue).await.is_err());
        world.no_faults().await;
    }
    let sent = world.requests().await - before;
    assert!(
        (2300..=2440).contains(&sent),
        "{sent} requests for 2000 calls"
    );
    assert_eq!(failed, 500);
}

#[tokio::test]
async fn each_hanging_optional_call_ends_with_its_fallback() {
    let world = World::start().await;
    let seat = world.seat().await;
    let signed = world.signed_in("+7 701 000 00 12").await.optional();
    let venue = world
        .client
        .venue(&guest(), seat.venue, None)
        .await
        .unwrap();
    let dish = world.dish(seat.venue).await;
    let place = Coordinates::new(43.24, 76.9).unwrap();
    let paths = [
        "/balance/user",
        "/private-reward",
        "/menu/v3/cross-sell",
        "/menu/v3/favourite",
        "/dr-delivery",
        "/takeaway/v2/filial/settings/banner",
    ];
    for path in paths {
        world.no_faults().await;
        world.fault(json!({ "path": path, "kind": "hang" })).await;
        // Each for itself: the deadline of 600 ms is the product's own, the rest of the page is well.
        let client = world.fresh(|config| {
            config.deadlines = dastarkhan::upstream::Deadlines {
                critical: Duration::from_secs(20),
                ..Default::default()
            }
        });
        let guest = guest().optional();
        let hanging = async {
            match path {
                "/balance/user" => {
                    assert_eq!(client.balance(&signed).await, None, "nobody has told it");
                }
                "/private-reward" => {
                    let mut venue = dastarkhan::upstream::Venue::clone(&venue);
                    venue.private_reward_enabled = true;
                    venue.private_reward_button_disabled = false;
                    let shown = client.shown_balance(&signed, Some(&venue)).await;
                    assert!(matches!(shown, ShownBalance::Plain(_)), "{shown:?}");
                }
                "/dr-delivery" => {
                    let tariffs = client
                        .tariffs(&guest, place, place, Some(seat.venue), Sum(100_000))
                        .await;
                    assert_eq!(tariffs, []);
                }
                "/menu/v3/cross-sell" => {
                    let told = client.cross_sell(&guest, seat.venue, &[dish.id]).await;
                    assert_eq!(told.err(), Some(Error::Deadline));
                }
                "/menu/v3/favourite" => {
                    let told = client.favourites(&guest, seat.venue).await;
                    assert_eq!(told.err(), Some(Error::Deadline));
                }
                _ => {
                    let told = client.banner(&guest, seat.venue).await;
                    assert_eq!(told.err(), Some(Error::Deadline));
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(15), hanging)
            .await
            .unwrap_or_else(|_| panic!("{path} is waited for beyond its deadline"));
        assert!(client.menu(&guest, seat.venue).await.is_ok(), "{path}");
    }
}

/// Makes the menu part hang until the breaker of `client` has opened.
async fn black_hole(world: &World, client: &Upstream, venue: VenueId) {
    world
        .fault(json!({ "path": "/menu", "kind": "hang" }))
        .await;
    let calls = (0..20).map(|_| client.available(&GUEST, venue));
    for told in join_all(calls).await {
        assert_eq!(told.err(), Some(Error::Deadline));
    }
}

static GUEST: std::sync::LazyLock<dastarkhan::upstream::Caller> = std::sync::LazyLock::new(guest);

#[tokio::test]
async fn a_black_hole_is_left_alone_probed_by_one_call_and_used_again_within_ten_seconds() {
    let world = World::start().await;
    let Seat { venue, table, .. } = world.seat().await;
    let client = manual(&world, |config| {
        config.deadlines.critical = Duration::from_millis(200);
        config.retries.page = 0;
    });
    black_hole(&world, &client, venue).await;

    let asked = world.requests().await;
    for told in join_all((0..500).map(|_| client.available(&GUEST, venue))).await {
        assert_eq!(told.err(), Some(Error::BreakerOpen));
    }
    assert_eq!(world.requests().await, asked, "nothing is sent");
    for _ in 0..30 {
        let branch = client.branch(&GUEST, venue, Some(&table), None).await;
        assert!(branch.is_ok(), "other parts are unaffected: {branch:?}");
    }

    // Half-open: of all who come at once, one is let through.
    client.config().clock.advance(5 * SECOND);
    let asked = world.requests().await;
    let told = join_all((0..50).map(|_| client.available(&GUEST, venue))).await;
    let let_through = told
        .iter()
        .filter(|told| **told == Err(Error::Deadline))
        .count();
    assert_eq!((let_through, world.requests().await - asked), (1, 1));

    // Healed: at most 10 s later it is used by everybody.
    world.no_faults().await;
    let mut waited = Duration::ZERO;
    while client.available(&GUEST, venue).await.is_err() {
        client.config().clock.advance(SECOND);
        waited += SECOND;
        assert!(waited <= 10 * SECOND);
    }
    for told in join_all((0..50).map(|_| client.available(&GUEST, venue))).await {
        assert!(told.is_ok());
    }
}

#[tokio::test]
async fn nineteen_failures_or_a_third_of_all_calls_open_nothing() {
    let world = World::start().await;
    let venue = world.seat().await.venue;
    let client = manual(&world, |config| config.retries.page = 0);
    let fault = json!({ "path": "/menu", "kind": "status", "status": 503, "times": 19 });
    world.fault(fault).await;
    for _ in 0..19 {
        let told = client.available(&GUEST, venue).await;
        assert_eq!(told.err(), Some(Error::Unavailable { status: Some(503) }));
    }
    assert!(client.available(&GUEST, venue).await.is_ok());

    let client = manual(&world, |config| config.retries.page = 0);
    for number in 0..300 {
        if number % 3 == 2 {
            let fault = json!({ "path": "/menu", "kind": "status", "status": 503, "times": 1 });
            world.fault(fault).await;
        }
        let told = client.available(&GUEST, venue).await;
        assert_ne!(told.err(), Some(Error::BreakerOpen), "call {number}");
    }
}

#[tokio::test]
async fn a_catalogue_that_is_down_is_answered_from_a_day_of_memory_marked_stale() {
    let world = World::start().await;
    let venue_id = world.seat().await.venue;
    let order = world.order(&world.seat().await).await;
    let client = manual(&world, |_| {});
    let venues = LocationsQuery {
        sort: Sort::Rating,
        ..LocationsQuery::default()
    };
    // What Home and Menu are made of: how many of these answers came, and how many of them are old.
    let look = async || {
        let (venue, menu, popular) = (
            client.venue(&GUEST, venue_id, None).await,
            client.menu(&GUEST, venue_id).await,
            client.popular(&GUEST, venue_id).await,
        );
        let (banner, towns, list) = (
            client.banner(&GUEST, venue_id).await,
            client.towns(&GUEST, Country::Kz).await,
            client.locations(&GUEST, &venues).await,
        );
        let stale = [
            venue.map(|told| told.is_stale()),
            menu.map(|told| told.is_stale()),
            popular.map(|told| told.is_stale()),
            banner.map(|told| told.is_stale()),
            towns.map(|told| told.is_stale()),
            list.map(|told| told.is_stale()),
        ];
        let came = stale.iter().filter(|told| told.is_ok()).count();
        (came, stale.iter().filter(|told| **told == Ok(true)).count())
    };
    assert_eq!(look().await, (6, 0));
    client.config().clock.advance(59 * SECOND);
    let asked = world.requests().await;
    assert_eq!(look().await, (6, 0));
    assert_eq!(
        world.requests().await,
        asked + 1,
        "fresh for a minute, but the banner (HM-06)"
    );

    // Asked for while all is well, so that a memory of it would be there.
    let signed = world.signed_in("+7 701 000 00 12").await;
    client
        .check_stop_list(&GUEST, venue_id, Service::Express, &order.items)
        .await
        .unwrap();
    client.available(&GUEST, venue_id).await.unwrap();
    client.balance_info(&signed).await.unwrap();

    world
        .fault(json!({ "path": "*", "kind": "status", "status": 503 }))
        .await;
    client.config().clock.advance(10 * MINUTE);
    assert_eq!(look().await, (6, 6), "ten minutes after the warm-up");
    client.config().clock.advance(23 * 60 * MINUTE);
    assert_eq!(look().await, (6, 6), "almost a day after it");

    // What must be true at the moment is never old.
    let ordering = guest().with_class(Class::Order);
    let check = client
        .check_stop_list(&GUEST, venue_id, Service::Express, &order.items)
        .await;
    assert!(check.is_err());
    assert!(client.venue(&ordering, venue_id, None).await.is_err());
    assert!(client.available(&GUEST, venue_id).await.is_err());
    assert!(client.balance_info(&signed).await.is_err());

    client.config().clock.advance(60 * MINUTE);
    assert_eq!(look().await, (0, 0), "after a day nothing is known");
}

#[tokio::test]
async fn five_hundred_cold_readers_are_one_call_and_so_is_each_renewal() {
    let world = World::start().await;
    let venue = world.seat().await.venue;
    let client = manual(&world, |_| {});
    world
        .fault(json!({ "path": MENU, "kind": "delay", "delay_ms": 300 }))
        .await;
    for (round, stale) in [(1, false), (2, true)] {
        let asked = world.requests().await;
        for told in join_all((0..500).map(|_| client.menu(&GUEST, venue))).await {
            assert_eq!(told.map(|menu| menu.is_stale()), Ok(stale), "round {round}");
        }
        for _ in 0..200 {
            if client
                .menu(&GUEST, venue)
                .await
                .is_ok_and(|menu| !menu.is_stale())
            {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(world.requests().await - asked, 1, "round {round}");
        client.config().clock.advance(MINUTE);
    }
}

/// The sandbox as a process of its own, to be killed.
struct Process(std::process::Child);

impl Process {
    fn start(folder: &std::path::Path, listen: &str) -> (Self, String) {
        use std::io::BufRead as _;
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_dastarkhan"))
            .args(["sandbox", "--sandbox-listen", listen, "--state-dir"])
            .arg(folder)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
        let process = Self(child);
        for line in lines {
            if let Some(url) = line.unwrap().strip_prefix("listening sandbox ") {
                return (process, url.trim().to_owned());
            }
        }
        panic!("the sandbox does not start");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_through_a_sandbox_that_is_killed_again_and_again_are_all_there_once() {
    // Which dish of which table can be ordered, the in-process sandbox tells: both have the same seed.
    let world = World::start().await;
    let order = world.order(&world.seat().await).await;
    let folder = world.folder.with_extension("killed");
    std::fs::create_dir_all(&folder).unwrap();
    let (mut process, url) = Process::start(&folder, "127.0.0.1:0");
    let listen = url.strip_prefix("http://").unwrap().to_owned();
    let client = manual(&world, |config| {
        config.base_url.clone_from(&url);
        config.retries.order_step = Duration::from_millis(50);
    });
    let keys: Vec<IdempotencyKey> = (0..1000)
        .map(|number| key(&format!("k-{number}")))
        .collect();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let placing = stream::iter(&keys)
        .map(async |key| {
            for _ in 0..400 {
                match client.place_express_order(&GUEST, &order, key).await {
                    Ok(placed) => {
                        done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        return placed.id.to_string();
                    }
                    Err(error) => assert!(
                        error.outcome_unknown() || error.is_temporary(),
                        "{error} for {}",
                        key.as_str()
                    ),
                }
                client.config().clock.advance(5 * SECOND);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            panic!("no answer for {}", key.as_str());
        })
        .buffer_unordered(16)
        .collect::<Vec<String>>();
    let killing = async {
        for kill in 1..=4 {
            while done.load(std::sync::atomic::Ordering::Relaxed) < kill * 200 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            drop(std::mem::replace(
                &mut process,
                Process(std::process::Command::new("true").spawn().unwrap()),
            ));
            process = Process::start(&folder, &listen).0;
        }
    };
    let (placed, ()) = tokio::join!(placing, killing);
    drop(process);
    let database = rusqlite::Connection::open(folder.join("sandbox/sandbox.sqlite3")).unwrap();
    let healthy: String = database
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(healthy, "ok");
    let mut statement = database.prepare("SELECT id FROM orders").unwrap();
    let there: Vec<String> = statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(there.len(), 1000);
    let there: HashSet<String> = there.into_iter().collect();
    assert_eq!(there, placed.into_iter().collect::<HashSet<_>>());
    std::fs::remove_dir_all(&folder).unwrap();
}
