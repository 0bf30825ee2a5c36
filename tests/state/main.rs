//! The state through its public types: sessions, carts, idempotency records.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

/// Runs each of these tests, which take a [`Fixture`], on both engines, and on a cluster of the second.
macro_rules! on_each {
    ($($test:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(crate::Fixture::new()).await;
            })+
        }
        mod redis {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(crate::Fixture::shared()).await;
            })+
        }
        mod cluster {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(crate::Fixture::cluster()).await;
            })+
        }
    };
}

mod bills;
mod carts;
mod files;
mod free_port;
mod http;
mod idempotency;
mod jars;
mod sessions;
mod shared;
mod store;

use std::os::unix::fs::FileExt as _;

use dastarkhan::{
    keys::seal::Keys,
    state::{Health, Options, State},
};
use store::{Fixture, NOW};

#[tokio::test]
async fn a_database_of_a_newer_program_is_refused() {
    let fixture = Fixture::new();
    drop(fixture.open().await);
    fixture
        .database()
        .execute_batch("PRAGMA user_version = 99")
        .unwrap();
    let options = Options::new(&fixture.dir, fixture.keys.clone());
    let error = State::open(options).await.unwrap_err().to_string();
    assert!(error.contains("newer"), "{error}");
}

/// A restart with a full disk, or beside a process that writes, must not depend on a write.
#[tokio::test]
async fn a_start_with_the_current_schema_writes_nothing() {
    let fixture = Fixture::new();
    drop(fixture.open().await);
    let other = fixture.database();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let state = fixture.open().await;
    assert_eq!(state.health().await, Health::Locked);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(state.health().await, Health::Works);
}

/// The small write of the health report would not meet what a guest's read meets.
#[tokio::test]
async fn damage_that_a_read_or_a_write_has_met_is_told() {
    let fixture = Fixture::new();
    let state = fixture.open().await;
    let database = fixture.database();
    let root: i64 = database
        .query_row(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'carts_expiry'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    database
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .unwrap();
    drop(state);
    drop(database);
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(fixture.dir.join("state.sqlite"))
        .unwrap();
    let place = u64::try_from(root - 1).unwrap() * 4096;
    file.write_all_at(&[0xff; 4096], place).unwrap();
    let state = fixture.open().await;
    assert_eq!(state.health().await, Health::Works, "nobody has met it");
    state.sweep().await.unwrap_err();
    assert_eq!(state.health().await, Health::Damaged);
}

#[tokio::test]
async fn a_state_that_is_no_database_is_refused_with_what_to_do() {
    let fixture = Fixture::new();
    std::fs::create_dir(&fixture.dir).unwrap();
    std::fs::write(fixture.dir.join("state.sqlite"), [b'x'; 8192]).unwrap();
    let options = Options::new(&fixture.dir, fixture.keys.clone());
    let error = State::open(options).await.unwrap_err().to_string();
    assert!(
        error.contains("state.sqlite") && error.contains("backup"),
        "{error}"
    );
}

#[tokio::test]
async fn a_directory_that_cannot_be_used_is_named() {
    let options = Options::new("/dev/null/state", Keys::random());
    let error = State::open(options).await.unwrap_err().to_string();
    assert!(error.contains("/dev/null/state"), "{error}");
}

#[tokio::test]
async fn a_sweep_deletes_what_has_expired_and_nothing_else() {
    use dastarkhan::state::carts::{CartId, NewLine};
    use std::{convert::Infallible, time::Duration};

    let fixture = Fixture::new();
    let state = fixture.open().await;
    let add = async |state: &State| {
        let new = NewLine {
            product_id: 1,
            ..NewLine::default()
        };
        let added = state
            .carts()
            .update(&CartId::random(), |cart| {
                Ok::<_, Infallible>(cart.add(1013, new.clone(), 1, false, NOW).is_ok())
            })
            .await;
        assert!(added.is_ok_and(|(_, added)| added));
    };
    add(&state).await;
    state.idempotency().begin("old", [0; 32], "").await.unwrap();
    assert_eq!(
        state.sweep().await.unwrap(),
        dastarkhan::state::Swept::default()
    );
    fixture.clock.advance(Duration::from_secs(91 * 24 * 3600));
    add(&state).await;
    state.idempotency().begin("new", [0; 32], "").await.unwrap();
    let swept = state.sweep().await.unwrap();
    assert_eq!((swept.carts, swept.idempotency), (1, 1));
    assert_eq!(
        (fixture.count("carts"), fixture.count("idempotency")),
        (1, 1)
    );
    assert_eq!(state.health().await, Health::Works);
}
