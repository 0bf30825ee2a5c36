//! What only a server that several instances share can do: be away, frozen, emptied, somebody else's.

use std::{
    convert::Infallible,
    sync::Arc,
    time::{Duration, Instant},
};

use dastarkhan::{
    keys::seal::Keys,
    state::{
        Health, Options, State,
        allowances::Spend,
        carts::{CartId, NewLine},
        idempotency::{Begun, body_hash},
    },
    web::{connection::client::TrustedProxies, rate},
};
use tower_sessions::{Session, session::Id};

use super::{
    Fixture,
    free_port::free_port,
    store::{NOW, Server, eventually},
};

///
const BACK_WITHIN: Duration = Duration::from_secs(2);
/// A page has 2.5 s for everything.
const IN_TIME: Duration = Duration::from_secs(2);

async fn add(state: &State, cart: &CartId) -> bool {
    let carts = state.carts();
    let added = carts.update(cart, |cart| {
        Ok::<_, Infallible>(cart.add(1013, NewLine::default(), 1, false, NOW).is_ok())
    });
    added.await.is_ok_and(|(_, added)| added)
}

async fn session(state: &State) -> Id {
    let session = Session::new(None, Arc::new(state.sessions()), None);
    session.insert("cart", "first").await.unwrap();
    session.save().await.unwrap();
    session.id().unwrap()
}

async fn value(state: &State, id: Id) -> Option<Option<String>> {
    let session = Session::new(Some(id), Arc::new(state.sessions()), None);
    session.get("cart").await.ok()
}

async fn back(state: &State, cart: &CartId) -> Duration {
    let began = Instant::now();
    while !add(state, cart).await {
        assert!(began.elapsed() < Duration::from_secs(30), "it stays away");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    began.elapsed()
}

/// All kinds of calls fail, each in time.
async fn assert_away(state: &State, id: Id, cart: &CartId) {
    let began = Instant::now();
    assert_eq!(value(state, id).await, None);
    assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
    let began = Instant::now();
    assert!(!add(state, cart).await);
    assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
    let began = Instant::now();
    let begun = state.idempotency().begin("k", body_hash(""), "").await;
    assert!(begun.is_err(), "nothing may be sent now");
    assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
    assert_eq!(state.health().await, Health::Down);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_server_fails_in_time_and_works_again_at_once() {
    let fixture = Fixture::shared();
    let (state, cart) = (fixture.open().await, CartId::random());
    let id = session(&state).await;
    let server = fixture.server.as_ref().unwrap();
    server.signal("STOP");
    assert_away(&state, id, &cart).await;
    // A page that asks several times waits for the first of them, and for the others a moment.
    let began = Instant::now();
    for _ in 0..16 {
        assert_eq!(value(&state, id).await, None);
    }
    assert!(
        began.elapsed() < Duration::from_secs(9),
        "{:?}",
        began.elapsed()
    );
    server.signal("CONT");
    let away = back(&state, &cart).await;
    assert!(away < BACK_WITHIN, "{away:?}");
    assert_eq!(value(&state, id).await.unwrap().unwrap(), "first");
    assert_eq!(state.health().await, Health::Works);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_server_fails_in_time_and_its_next_start_is_found() {
    let mut fixture = Fixture::shared();
    let (state, cart) = (fixture.open().await, CartId::random());
    let id = session(&state).await;
    drop(fixture.server.take());
    assert_away(&state, id, &cart).await;
    fixture.server = Some(Server::start(&fixture.dir));
    let away = back(&state, &cart).await;
    assert!(away < BACK_WITHIN, "{away:?}");
    // It has kept nothing: guests begin anew, and nothing is wrong.
    assert_eq!(value(&state, id).await, Some(None));
    assert_eq!(state.carts().load(&cart).await.unwrap().count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_does_not_wait_for_a_server_that_is_away() {
    let mut fixture = Fixture::shared();
    let options = fixture.options();
    drop(fixture.server.take());
    let state = State::open(options).await.unwrap();
    assert_eq!(state.health().await, Health::Down);
    fixture.server = Some(Server::start(&fixture.dir));
    let away = back(&state, &CartId::random()).await;
    assert!(away < BACK_WITHIN, "{away:?}");
}

/// A primary that dies is followed by its replica, which the sentinels name.
#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_takes_over_is_found_by_the_sentinels() {
    let fixture = Fixture::new();
    std::fs::create_dir(&fixture.dir).unwrap();
    let dir = fixture.dir.display().to_string();
    let (first, second, sentinel) = (free_port(), free_port(), free_port());
    let at_once = ["--dir", &dir, "--repl-diskless-sync-delay", "0"];
    let primary = Server::at(first, &at_once);
    let port = first.to_string();
    let replica = Server::at(
        second,
        &[&at_once[..], &["--replicaof", "127.0.0.1", &port]].concat(),
    );
    let answer_of = |server: &Server, words: &[&str]| {
        let mut ask = redis::cmd(words[0]);
        ask.arg(&words[1..]);
        let mut line = server.client().get_connection().ok()?;
        ask.query::<String>(&mut line).ok()
    };
    eventually("the replica follows", || {
        let info = answer_of(&replica, &["INFO", "replication"])?;
        info.contains("master_link_status:up").then_some(())
    });
    let watch = Server::sentinel(&fixture.dir, sentinel, first);
    eventually("the sentinel knows the replica", || {
        answer_of(&watch, &["INFO", "sentinel"])?
            .contains("slaves=1")
            .then_some(())
    });
    // Of two sentinels one is away.
    let silent = free_port();
    let options = |name: &str| Options {
        url: Some(format!(
            "redis+sentinel://127.0.0.1:{silent},127.0.0.1:{sentinel}/{name}/0"
        )),
        ..fixture.options()
    };
    let (state, cart) = (
        State::open(options("food")).await.unwrap(),
        CartId::random(),
    );
    assert!(add(&state, &cart).await);
    eventually("the replica has the cart", || {
        let mut names = redis::cmd("KEYS");
        let mut line = replica.client().get_connection().ok()?;
        let names: Vec<String> = names.arg("{dk}:cart:*").query(&mut line).ok()?;
        (!names.is_empty()).then_some(())
    });

    drop(primary);
    assert_eq!(state.health().await, Health::Down);
    back(&state, &CartId::random()).await;
    assert_eq!(state.health().await, Health::Works);
    assert_eq!(
        state.carts().load(&cart).await.unwrap().count(),
        1,
        "what it had told its replica"
    );
    assert!(
        answer_of(&replica, &["INFO", "replication"])
            .unwrap()
            .contains("role:master")
    );

    // A name that nobody knows may be known later; until then it is said.
    let unknown = State::open(options("wine")).await.unwrap();
    assert_eq!(unknown.health().await, Health::Down);
    let error = unknown
        .idempotency()
        .get("k")
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("not found by sentinel") || error.contains("Master"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emptied_server_forgets_and_is_never_wrong() {
    let fixture = Fixture::shared();
    let (state, cart) = (fixture.open().await, CartId::random());
    assert!(add(&state, &cart).await);
    let id = session(&state).await;
    state
        .idempotency()
        .begin("k", body_hash(""), "")
        .await
        .unwrap();
    for flush in ["FLUSHALL", "SCRIPT FLUSH"] {
        let mut command = redis::Cmd::new();
        flush.split(' ').for_each(|word| {
            command.arg(word);
        });
        command.exec(&mut fixture.line()).unwrap();
    }
    state.idempotency().finish("k", "late").await.unwrap();
    assert_eq!(state.idempotency().get("k").await.unwrap(), None);
    assert_eq!(value(&state, id).await, Some(None));
    assert!(state.carts().load(&cart).await.unwrap().is_empty());
    assert!(add(&state, &cart).await);
    assert_eq!(state.health().await, Health::Works);
}

/// Nobody can tell a killed instance from a silent one: a few seconds later its work is taken over.
#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_is_gone_is_followed_within_seconds() {
    let fixture = Fixture::shared();
    let (one, other) = (fixture.open().await, fixture.open().await);
    let begin = async |state: &State| {
        let records = state.idempotency();
        records.begin("k", body_hash("body"), "body").await.unwrap()
    };
    assert_eq!(begin(&one).await, Begun::New);
    // Longer than a sign of life holds.
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(begin(&other).await, Begun::InFlight, "it lives");
    drop(one);
    let began = Instant::now();
    while begin(&other).await == Begun::InFlight {
        assert!(began.elapsed() < Duration::from_secs(20), "nobody follows");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(other.idempotency().unresolved(10).await.unwrap().is_empty());
    assert_eq!(begin(&other).await, Begun::InFlight, "the lease moved");
}

#[tokio::test(flavor = "multi_thread")]
async fn records_end_by_themselves() {
    let fixture = Fixture::shared();
    let state = fixture.open().await;
    session(&state).await;
    assert!(add(&state, &CartId::random()).await);
    state
        .idempotency()
        .begin("k", body_hash(""), "")
        .await
        .unwrap();
    for (table, days) in [("sessions", 30), ("carts", 90), ("idempotency", 1)] {
        let mut left = redis::cmd("PTTL");
        left.arg(&fixture.names(table)[0]);
        let left: u64 = left.query(&mut fixture.line()).unwrap();
        let day = 24 * 3600 * 1000;
        assert!(
            (days * day - 60_000..=days * day).contains(&left),
            "{table}"
        );
    }
}

async fn refusal(options: Options) -> String {
    State::open(options).await.unwrap_err().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_a_newer_program_are_refused() {
    let fixture = Fixture::shared();
    drop(fixture.open().await);
    let mut newer = redis::cmd("SET");
    newer.arg("{dk}:schema").arg(99);
    newer.exec(&mut fixture.line()).unwrap();
    let refusal = refusal(fixture.options()).await;
    assert!(refusal.contains("schema version 99 is newer"), "{refusal}");
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_with_other_secrets_are_refused() {
    let mut fixture = Fixture::shared();
    let (first, second, third) = ([1; 32], [2; 32], [3; 32]);
    fixture.keys = Keys::new(first, None);
    drop(fixture.open().await);
    for (keys, is_welcome) in [
        (Keys::new(second, None), false),
        // As keys are changed: one that is to come is known everywhere before anything is sealed with it.
        (Keys::new(first, Some(second)), true),
        (Keys::new(second, Some(first)), true),
        (Keys::new(first, Some(second)), true),
        (Keys::new(second, Some(first)), true),
        (Keys::new(second, None), true),
        (Keys::new(first, None), false),
        (Keys::new(third, Some(first)), false),
    ] {
        fixture.keys = keys;
        let opened = State::open(fixture.options()).await;
        assert_eq!(opened.is_ok(), is_welcome);
        if let Err(error) = opened {
            assert!(error.to_string().contains("SECRET_KEYS"), "{error}");
        }
    }
    assert!(!fixture.holds(&hex::encode(first)) && !fixture.holds(&hex::encode(second)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_can_not_be_right_is_refused_and_not_repeated() {
    let fixture = Fixture::shared();
    let socket = fixture.server.as_ref().unwrap().url();
    for (url, reason) in [
        ("redis//guest:canary@host", "rediss://"),
        ("http://guest:canary@host", "rediss://"),
        ("rediss://guest:canary@host/#insecure", "certificate"),
        (&format!("{socket}?pass=canary"), "authentication failed"),
        (&format!("{socket}?db=99"), "DB index is out of range"),
        ("redis+sentinel://guest:canary@host", "name of the primary"),
        (
            "redis+sentinel://guest:canary@host/food?word=canary",
            "unknown parameter",
        ),
        ("redis+sentinel://guest:canary@host:port/food", "rediss"),
        ("redis+cluster://guest:canary@host,other/3", "no number"),
    ] {
        let refusal = refusal(Options {
            url: Some(url.to_owned()),
            ..fixture.options()
        })
        .await;
        assert!(refusal.contains(reason), "{url}: {refusal}");
        assert!(!refusal.contains("canary"), "{refusal}");
    }
}

/// R-14, also while its name leads nowhere yet, or there is no way to its network.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_waits_for_no_name_and_no_network() {
    let fixture = Fixture::new();
    for url in [
        "redis://store.invalid:6379/0",
        "rediss://store.invalid:6379/0",
        "redis+sentinel://store.invalid:26379/food/0",
        "redis+cluster://store.invalid:6379",
        // For documents alone, by which no network is reached.
        "redis://[2001:db8::1]:6379/0",
    ] {
        let state = State::open(Options {
            url: Some(url.to_owned()),
            ..fixture.options()
        });
        let state = state.await.unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(state.health().await, Health::Down, "{url}");
    }
}

fn spend(whose: &str, burst: u32, pause: u64) -> Spend {
    Spend {
        what: "test",
        whose: whose.to_owned(),
        burst,
        pause: Duration::from_millis(pause),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_count_allowances_together() {
    let fixture = Fixture::shared();
    let instances = [fixture.open().await, fixture.open().await];
    let [one, other] = instances.map(|state| state.allowances().unwrap());
    let (room, guest) = (
        || spend("203.0.113.9", 3, 60_000),
        || spend("guest", 3, 60_000),
    );
    for allowances in [&one, &other, &one] {
        assert_eq!(allowances.take(vec![room()]).await.unwrap(), Ok(()));
    }
    // Refused by one of two, neither is counted.
    for _ in 0..5 {
        let refused = other.take(vec![guest(), room()]).await.unwrap();
        let wait = refused.unwrap_err();
        assert!(
            wait > Duration::from_secs(30) && wait <= Duration::from_secs(60),
            "{wait:?}"
        );
    }
    for _ in 0..3 {
        assert_eq!(one.take(vec![guest()]).await.unwrap(), Ok(()));
    }
    assert!(one.take(vec![guest()]).await.unwrap().is_err());
    assert!(!fixture.holds("203.0.113.9"));

    let quick = || spend("quick", 1, 200);
    assert_eq!(one.take(vec![quick()]).await.unwrap(), Ok(()));
    let began = Instant::now();
    while other.take(vec![quick()]).await.unwrap().is_err() {
        assert!(began.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(Fixture::new().open().await.allowances().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_counts_for_itself_while_the_server_is_away() {
    let mut fixture = Fixture::shared();
    let (one, other) = (fixture.open().await, fixture.open().await);
    let [one, other] = [one, other].map(|state| {
        let options = rate::Options::per_minute(240, 2, 60, 2);
        rate::Rate::new(options, TrustedProxies::default()).shared(state.allowances())
    });
    let address = "203.0.113.9".parse().ok();
    assert!(one.begin_session(address).await.is_ok());
    assert!(other.begin_session(address).await.is_ok());
    assert!(
        one.begin_session(address).await.is_err() && other.begin_session(address).await.is_err()
    );
    drop(fixture.server.take());
    for rate in [&one, &other] {
        assert!(rate.begin_session(address).await.is_ok());
        assert!(rate.begin_session(address).await.is_ok());
        assert!(rate.begin_session(address).await.is_err());
    }
}
