//! 10,000 spoiled answers: each is a typed error or a stated default, never a panic.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use dastarkhan::upstream::{Caller, Class, Error, Upstream};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Map, Value, json};

use crate::{
    double::{Double, Reply, guest},
    more_samples::{self, MORE},
    samples::{self, CALLS},
};

/// How one place of an answer is spoiled.
#[derive(Debug, Clone)]
enum Spoil {
    Replace(Value),
    Remove,
    Repeat(usize),
    Wrap(usize),
}

/// How the bytes of an answer are spoiled.
#[derive(Debug, Clone)]
enum Bytes {
    Whole,
    CutAt(usize),
    Insert(usize, u8),
    Html,
}

#[test]
fn ten_thousand_spoiled_answers_cause_no_panic() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let reply = Arc::new(Mutex::new(Vec::new()));
    let (double, client) = runtime.block_on(async {
        let next = Arc::clone(&reply);
        let script = move |_: usize, _: &_| {
            Reply::Raw(200, "application/json", next.lock().unwrap().clone())
        };
        let double = Double::start(script).await;
        let mut config = double.config();
        config.retries.order = 0;
        (double, Upstream::new(&config).unwrap())
    });
    let calls: Vec<&str> = CALLS.into_iter().chain(["express"]).chain(MORE).collect();
    let strategy = (
        0..calls.len(),
        prop::collection::vec((any::<usize>(), spoil()), 1..5),
        bytes(),
    );
    let outcomes = RefCell::new(BTreeMap::new());
    let mut runner = TestRunner::new(Config {
        cases: 10_000,
        failure_persistence: None,
        ..Config::default()
    });
    let result = runner.run(&strategy, |(index, spoils, bytes)| {
        let name = calls[index];
        let mut answer = if MORE.contains(&name) {
            more_samples::good(name)
        } else {
            samples::good(name)
        };
        for (place, spoil) in &spoils {
            spoil_at(&mut answer, *place, spoil);
        }
        *reply.lock().unwrap() = sent(&answer, &bytes);
        // So far apart that no breaker sees enough of them; of the order class, so that nothing is kept.
        client.config().clock.advance(Duration::from_secs(11));
        let guest = guest().with_class(Class::Order);
        let outcome = match runtime.block_on(call(&client, &guest, name)) {
            Ok(()) => "ok",
            Err(error) => error.class(),
        };
        *outcomes.borrow_mut().entry(outcome).or_insert(0) += 1;
        Ok(())
    });
    result.unwrap();
    assert!(double.count() >= 10_000, "each was really asked");
    let outcomes = outcomes.into_inner();
    let known = |(outcome, _): (&&str, _)| {
        ["ok", "bad_answer", "rejected", "unavailable", "not_found"].contains(outcome)
    };
    assert!(
        outcomes["ok"] > 1000 && outcomes["bad_answer"] > 1000,
        "{outcomes:?}"
    );
    assert!(outcomes.iter().all(known), "{outcomes:?}");
}

async fn call(client: &Upstream, guest: &Caller, name: &str) -> Result<(), Error> {
    if MORE.contains(&name) {
        more_samples::call(client, guest, name).await
    } else {
        samples::call(client, guest, name).await
    }
}

fn spoil() -> impl Strategy<Value = Spoil> {
    let value = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        Just(json!(-1)),
        Just(json!(0)),
        Just(json!(1e308)),
        Just(json!(0.1)),
        Just(json!(u64::MAX)),
        Just(json!(i64::MIN)),
        Just(json!("")),
        Just(json!("99999999999999999999")),
        Just(json!("\u{0}\u{202e}<script>")),
        Just(json!([])),
        Just(json!({})),
        Just(json!([[[[]]]])),
        Just(json!("2026-13-45T99:99:99Z")),
        Just(json!("+99:99")),
        any::<String>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
    ];
    prop_oneof![
        8 => value.prop_map(Spoil::Replace),
        2 => Just(Spoil::Remove),
        1 => (2_usize..50).prop_map(Spoil::Repeat),
        1 => (1_usize..200).prop_map(Spoil::Wrap),
    ]
}

fn bytes() -> impl Strategy<Value = Bytes> {
    prop_oneof![
        12 => Just(Bytes::Whole),
        1 => any::<usize>().prop_map(Bytes::CutAt),
        1 => (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Bytes::Insert(at, byte)),
        1 => Just(Bytes::Html),
    ]
}

fn sent(answer: &Value, bytes: &Bytes) -> Vec<u8> {
    let mut text = answer.to_string().into_bytes();
    match bytes {
        Bytes::Whole => {}
        Bytes::CutAt(at) => text.truncate(at % (text.len() + 1)),
        Bytes::Insert(at, byte) => text.insert(at % (text.len() + 1), *byte),
        Bytes::Html => text = b"<!doctype html><title>502</title>".to_vec(),
    }
    text
}

/// Spoils the n-th place of an answer, counted in depth.
fn spoil_at(value: &mut Value, place: usize, spoil: &Spoil) {
    let count = places(value);
    let mut left = place % count;
    if let Some(target) = find(value, &mut left) {
        match spoil {
            Spoil::Replace(other) => *target = other.clone(),
            Spoil::Remove => remove_one(target),
            Spoil::Repeat(times) => *target = Value::Array(vec![target.clone(); *times]),
            Spoil::Wrap(depth) => {
                for _ in 0..*depth {
                    *target = Value::Array(vec![target.take()]);
                }
            }
        }
    }
}

fn remove_one(target: &mut Value) {
    match target {
        Value::Object(map) => *map = map.clone().into_iter().skip(1).collect::<Map<_, _>>(),
        Value::Array(list) => drop(list.pop()),
        other => *other = Value::Null,
    }
}

fn places(value: &Value) -> usize {
    1 + match value {
        Value::Object(map) => map.values().map(places).sum(),
        Value::Array(list) => list.iter().map(places).sum::<usize>(),
        _ => 0,
    }
}

fn find<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Object(map) => map.values_mut().find_map(|value| find(value, left)),
        Value::Array(list) => list.iter_mut().find_map(|value| find(value, left)),
        _ => None,
    }
}

#[tokio::test]
async fn every_sample_can_be_read_unspoiled() {
    for name in CALLS.into_iter().chain(MORE) {
        let answer = if MORE.contains(&name) {
            more_samples::good(name)
        } else {
            samples::good(name)
        };
        let double = Double::start(move |_, _| Reply::Json(200, answer.clone())).await;
        assert_eq!(
            call(&double.client(), &guest(), name).await,
            Ok(()),
            "{name}"
        );
        assert_eq!(double.count(), 1, "{name}");
    }
}
