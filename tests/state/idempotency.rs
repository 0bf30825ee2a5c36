//! Idempotency records (R-01).

use std::{path::PathBuf, process::Stdio, time::Duration};

use dastarkhan::{
    keys::seal::Keys,
    state::{
        Options, State,
        idempotency::{Begun, Idempotency, Phase, body_hash},
    },
};

use super::Fixture;

on_each!(
    of_fifty_at_once_one_sends,
    the_answer_is_given_again_for_a_day,
    another_body_is_refused_at_any_time,
    an_unknown_outcome_is_taken_over_by_one,
    a_refused_order_may_be_sent_again,
    a_living_server_keeps_its_lease_until_it_runs_out,
    what_is_known_can_be_asked_without_taking_the_lease,
    orders_without_an_answer_are_found,
    what_is_left_to_its_guest_is_sent_by_no_server,
    names_and_answers_are_sealed,
);

const BODY: &str = r#"{"filial_id":1013,"name":"canary-of-the-guest"}"#;
const ANSWER: &str = r#"{"id":"o_1","note":"canary-of-the-answer"}"#;

async fn begin(records: &Idempotency, key: &str) -> Begun {
    records.begin(key, body_hash(BODY), BODY).await.unwrap()
}

fn orphaned() -> Begun {
    Begun::Orphaned {
        body: BODY.to_owned(),
    }
}

fn done() -> Begun {
    Begun::Done {
        answer: ANSWER.to_owned(),
    }
}

/// How many of fifty at once get a lease.
async fn fifty(servers: &[Idempotency], key: &str) -> Vec<Begun> {
    let all = (0..50).map(|n| {
        let records = servers[n % servers.len()].clone();
        let key = key.to_owned();
        tokio::spawn(async move { begin(&records, &key).await })
    });
    let all = futures_util::future::join_all(all).await;
    let all = all.into_iter().map(Result::unwrap);
    all.filter(|begun| *begun != Begun::InFlight).collect()
}

async fn of_fifty_at_once_one_sends(fixture: Fixture) {
    let servers = [
        fixture.open().await,
        fixture.open().await,
        fixture.open().await,
    ];
    let records = servers.each_ref().map(State::idempotency);
    assert_eq!(fifty(&records, "k").await, [Begun::New]);
    records[0].unknown("k").await.unwrap();
    let taken = fifty(&records, "k").await;
    assert!(
        taken.is_empty() || taken == [orphaned()],
        "only its owner gives a lease back: {taken:?}"
    );
}

async fn the_answer_is_given_again_for_a_day(fixture: Fixture) {
    let records = fixture.open().await.idempotency();
    assert_eq!(begin(&records, "k").await, Begun::New);
    assert_eq!(begin(&records, "k").await, Begun::InFlight);
    records.finish("k", ANSWER).await.unwrap();
    assert_eq!(begin(&records, "k").await, done());
    records.finish("k", "another").await.unwrap();
    records.unknown("k").await.unwrap();
    records.release("k").await.unwrap();
    fixture.clock.advance(Duration::from_secs(24 * 3600 - 1));
    assert_eq!(
        begin(&records, "k").await,
        done(),
        "a definite answer is not changed any more"
    );
    fixture.clock.advance(Duration::from_secs(1));
    assert_eq!(records.get("k").await.unwrap(), None);
    assert_eq!(begin(&records, "k").await, Begun::New);
}

async fn another_body_is_refused_at_any_time(fixture: Fixture) {
    let records = fixture.open().await.idempotency();
    let other = async || {
        records
            .begin("k", body_hash("other"), "other")
            .await
            .unwrap()
    };
    begin(&records, "k").await;
    assert_eq!(other().await, Begun::Mismatch);
    records.unknown("k").await.unwrap();
    assert_eq!(other().await, Begun::Mismatch);
    records.finish("k", ANSWER).await.unwrap();
    assert_eq!(other().await, Begun::Mismatch);
}

async fn an_unknown_outcome_is_taken_over_by_one(fixture: Fixture) {
    let records = fixture.open().await.idempotency();
    begin(&records, "k").await;
    records.unknown("k").await.unwrap();
    assert_eq!(
        fifty(std::slice::from_ref(&records), "k").await,
        [orphaned()]
    );
    records.finish("k", ANSWER).await.unwrap();
    assert_eq!(begin(&records, "k").await, done());
}

async fn a_refused_order_may_be_sent_again(fixture: Fixture) {
    let records = fixture.open().await.idempotency();
    begin(&records, "k").await;
    records.release("k").await.unwrap();
    assert_eq!(begin(&records, "k").await, Begun::New);
}

async fn a_living_server_keeps_its_lease_until_it_runs_out(fixture: Fixture) {
    let (one, other) = (fixture.open().await, fixture.open().await);
    begin(&one.idempotency(), "k").await;
    other.idempotency().unknown("k").await.unwrap();
    other.idempotency().release("k").await.unwrap();
    assert_eq!(begin(&other.idempotency(), "k").await, Begun::InFlight);
    fixture.clock.advance(Duration::from_secs(30));
    assert_eq!(begin(&other.idempotency(), "k").await, orphaned());
    assert_eq!(
        begin(&one.idempotency(), "k").await,
        Begun::InFlight,
        "the lease moved"
    );
    one.idempotency().finish("k", ANSWER).await.unwrap();
    assert_eq!(
        begin(&other.idempotency(), "k").await,
        done(),
        "both sent one key: one answer"
    );
}

#[tokio::test]
async fn a_stopped_server_is_followed_at_once() {
    let fixture = Fixture::new();
    let (one, other) = (fixture.open().await, fixture.open().await);
    begin(&one.idempotency(), "k").await;
    drop(one);
    assert_eq!(begin(&other.idempotency(), "k").await, orphaned());
}

/// Runs in its own process: takes the lease, says so, and waits for its end.
#[tokio::test]
#[ignore = "the child of a_killed_server_is_followed_at_once"]
async fn server_that_will_be_killed() {
    let Some(dir) = std::env::var_os("STATE_TEST_DIR").map(PathBuf::from) else {
        return;
    };
    let state = State::open(Options::new(&dir, Keys::new([1; 32], None)))
        .await
        .unwrap();
    assert_eq!(begin(&state.idempotency(), "k").await, Begun::New);
    std::fs::write(dir.join("begun"), "").unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
}

#[tokio::test]
async fn a_killed_server_is_followed_at_once() {
    let fixture = Fixture::new();
    let mut server = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "--ignored",
            "idempotency::server_that_will_be_killed",
        ])
        .env("STATE_TEST_DIR", &fixture.dir)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    for _ in 0..200 {
        if fixture.dir.join("begun").exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let options = Options::new(&fixture.dir, Keys::new([1; 32], None));
    let records = State::open(options).await.unwrap().idempotency();
    assert_eq!(begin(&records, "k").await, Begun::InFlight);
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(begin(&records, "k").await, orphaned());
}

async fn what_is_known_can_be_asked_without_taking_the_lease(fixture: Fixture) {
    let records = fixture.open().await.idempotency();
    assert_eq!(records.get("k").await.unwrap(), None);
    begin(&records, "k").await;
    let known = records.get("k").await.unwrap().unwrap();
    assert_eq!(
        (known.phase, known.body.as_str(), known.answer),
        (Phase::Working, BODY, None)
    );
    fixture.clock.advance(Duration::from_secs(1));
    records.finish("k", ANSWER).await.unwrap();
    let known = records.get("k").await.unwrap().unwrap();
    assert_eq!(
        (known.phase, known.answer.as_deref()),
        (Phase::Done, Some(ANSWER))
    );
    assert_eq!(known.updated_at - known.created_at, 1000);
}

async fn orders_without_an_answer_are_found(fixture: Fixture) {
    let records = fixture.open().await.idempotency();
    for key in ["done", "working", "unknown", "abandoned"] {
        fixture.clock.advance(Duration::from_secs(1));
        begin(&records, key).await;
    }
    records.finish("done", ANSWER).await.unwrap();
    records.unknown("unknown").await.unwrap();
    let keys = async |limit| {
        let open = records.unresolved(limit).await.unwrap();
        open.into_iter().map(|known| known.key).collect::<Vec<_>>()
    };
    assert_eq!(keys(10).await, ["unknown"]);
    fixture.clock.advance(Duration::from_secs(31));
    assert_eq!(keys(10).await, ["working", "unknown", "abandoned"]);
    assert_eq!(keys(1).await, ["working"]);
    begin(&records, "working").await;
    assert_eq!(keys(10).await, ["unknown", "abandoned"]);
}

async fn what_is_left_to_its_guest_is_sent_by_no_server(fixture: Fixture) {
    let records = fixture.open().await.idempotency();
    begin(&records, "left").await;
    records.leave_to_guest("left").await.unwrap();
    let open = async || records.unresolved(10).await.unwrap().len();
    assert_eq!(open().await, 0);
    fixture.clock.advance(Duration::from_secs(31));
    assert_eq!(open().await, 0);
    let known = records.get("left").await.unwrap().unwrap();
    assert_eq!((known.phase, known.answer), (Phase::Unknown, None));
    // The guest's word: the body of then.
    assert_eq!(begin(&records, "left").await, orphaned());
    records.finish("left", ANSWER).await.unwrap();
    assert_eq!(begin(&records, "left").await, done());
}

async fn names_and_answers_are_sealed(fixture: Fixture) {
    let records = fixture.open().await.idempotency();
    begin(&records, "k").await;
    records.finish("k", ANSWER).await.unwrap();
    assert!(!fixture.holds("canary-of-the-guest") && !fixture.holds("canary-of-the-answer"));
}

#[tokio::test]
async fn a_store_that_fails_gives_no_lease() {
    let fixture = Fixture::new();
    let records = fixture.open().await.idempotency();
    fixture
        .database()
        .execute_batch("DROP TABLE idempotency")
        .unwrap();
    assert!(records.begin("k", body_hash(BODY), BODY).await.is_err());
}

/// A disk that was full in the middle of a work and has room again: the next look need not wait until the lease runs out.
#[tokio::test]
async fn a_lease_that_could_not_be_given_back_is_given_back_once_the_store_can_be_written() {
    for on in ["UPDATE", "DELETE"] {
        let fixture = Fixture::new();
        let records = fixture.open().await.idempotency();
        assert_eq!(begin(&records, "k").await, Begun::New);
        let fails = format!(
            "CREATE TRIGGER fails BEFORE {on} ON idempotency BEGIN SELECT RAISE(ABORT, 'full'); END"
        );
        fixture.database().execute_batch(&fails).unwrap();
        let (given_back, next) = match on {
            "UPDATE" => (records.unknown("k").await, orphaned()),
            _ => (records.release("k").await, Begun::New),
        };
        assert!(given_back.is_err(), "{on}");
        assert_eq!(begin(&records, "k").await, Begun::InFlight, "{on}");
        fixture
            .database()
            .execute_batch("DROP TRIGGER fails")
            .unwrap();
        let mut begun = Begun::InFlight;
        for _ in 0..100 {
            begun = begin(&records, "k").await;
            if begun != Begun::InFlight {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(begun, next, "{on}");
    }
}
