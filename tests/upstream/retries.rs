//! Retries, budgets and deadlines (ZZ-07, R-02, R-03).

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use dastarkhan::upstream::{AddressId, Class, Coordinates, Error, Upstream};
use serde_json::json;

use crate::{
    double::{Double, Reply, guest},
    samples::{VENUE, call, good, key},
};

#[tokio::test]
async fn an_order_is_tried_four_times_with_one_key() {
    for status in [408, 425, 429, 500, 503] {
        let double = Double::start(move |_, _| Reply::Json(status, json!({}))).await;
        let error = call(&double.client(), &guest(), "express")
            .await
            .unwrap_err();
        assert_eq!(
            error,
            Error::Unavailable {
                status: Some(status)
            }
        );
        assert!(error.outcome_unknown());
        let seen = double.seen();
        let keys: HashSet<&str> = seen
            .iter()
            .map(|seen| seen.header("x-idempotency-key"))
            .collect();
        let bodies: HashSet<_> = seen.iter().map(|seen| &seen.body).collect();
        assert_eq!(
            (seen.len(), keys.len(), bodies.len()),
            (4, 1, 1),
            "{status}"
        );
    }
}

#[tokio::test]
async fn each_retry_of_an_order_and_of_geo_waits_a_step_longer() {
    let step = Duration::from_millis(40);
    let double = Double::start(|_, _| Reply::Json(503, json!({}))).await;
    let mut config = double.config();
    config.retries.order_step = step;
    let client = Upstream::new(&config).unwrap();
    call(&client, &guest(), "express").await.unwrap_err();
    client
        .address_suggestions(&guest(), "Абай 10")
        .await
        .unwrap_err();
    let seen = double.seen();
    assert_eq!(seen.len(), 8);
    for tries in seen.chunks(4) {
        for (number, pair) in (1..).zip(tries.windows(2)) {
            let waited = pair[1].at - pair[0].at;
            assert!(waited >= step * number, "{waited:?} before retry {number}");
        }
    }
}

#[tokio::test]
async fn the_last_try_of_an_order_can_be_the_good_one() {
    let script = |number, _: &_| match number {
        0 => Reply::Json(503, json!({})),
        1 => Reply::Break,
        2 => Reply::Json(200, json!({ "error_code": 500 })),
        _ => Reply::Json(201, good("express")),
    };
    let double = Double::start(script).await;
    call(&double.client(), &guest(), "express").await.unwrap();
    assert_eq!(double.count(), 4);
}

#[tokio::test]
async fn a_refused_order_is_not_tried_again() {
    let calls = [400, 401, 403, 404, 410, 413, 422].map(|status| ("express", status));
    // A 409 speaks of an earlier try only where a call has a key of its own.
    for (name, status) in calls.into_iter().chain([("menu", 409)]) {
        let double =
            Double::start(move |_, _| Reply::Json(status, json!({ "errors": [{ "code": "x" }] })))
                .await;
        let error = call(&double.client(), &guest(), name).await.unwrap_err();
        assert!(!error.outcome_unknown(), "{status}: {error}");
        assert_eq!(double.count(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_conflict_with_our_own_earlier_try_is_waited_out() {
    let script = |number, _: &_| match number {
        0 => Reply::Json(409, json!({ "errors": [{ "code": "in_progress" }] })),
        _ => Reply::Json(201, good("express")),
    };
    let double = Double::start(script).await;
    call(&double.client(), &guest(), "express").await.unwrap();
    assert_eq!(double.count(), 2);

    // One that does not end leaves open what has become of it.
    let busy = json!({ "errors": [{ "code": "in_progress" }] });
    let double = Double::start(move |_, _| Reply::Json(409, busy.clone())).await;
    let error = call(&double.client(), &guest(), "express").await;
    assert_eq!(error, Err(Error::Unavailable { status: Some(409) }));
    assert!(error.is_err_and(|error| error.outcome_unknown()));
    assert_eq!(double.count(), 4);
}

#[tokio::test]
async fn a_page_retries_once_and_a_check_before_an_order_keeps_its_key() {
    for name in ["order", "menu", "stop_list"] {
        let double = Double::start(|_, _| Reply::Json(503, json!({}))).await;
        call(&double.client(), &guest(), name).await.unwrap_err();
        let seen = double.seen();
        assert_eq!(seen.len(), 2, "{name}");
        assert_eq!(
            seen[0].header("x-idempotency-key"),
            seen[1].header("x-idempotency-key"),
            "{name}"
        );
    }
}

#[tokio::test]
async fn the_geo_service_is_tried_four_times_and_spends_nothing_of_the_pages() {
    let double = Double::start(|_, _| Reply::Json(503, json!({}))).await;
    let client = double.client();
    let place = Coordinates::new(43.24, 76.9).unwrap();
    let told = client.address_suggestions(&guest(), "Абай 10").await;
    assert_eq!(told.err(), Some(Error::Unavailable { status: Some(503) }));
    assert_eq!(double.count(), 4, "one try and three retries");
    assert!(client.address_of(&guest(), place).await.is_err());
    assert_eq!(double.count(), 8);
    // Inside a page it is one quick retry, as for all calls.
    assert!(client.address_of(&guest().optional(), place).await.is_err());
    assert_eq!(double.count(), 10);
    // 19 failures of geo would have opened a breaker and emptied a budget that pages shared.
    for _ in 0..3 {
        let _refused = client.address_of(&guest(), place).await;
    }
    let before = double.count();
    call(&client, &guest(), "order").await.unwrap_err();
    assert_eq!(double.count() - before, 2);
}

#[tokio::test]
async fn retries_do_not_multiply_the_load_when_everything_fails() {
    let double = Double::start(|_, _| Reply::Json(503, json!({}))).await;
    let client = double.client();
    // 100 calls a second for 6 s, by the client's clock. What the budget does on its own is told in budget.rs.
    for _ in 0..600 {
        client.config().clock.advance(Duration::from_millis(10));
        call(&client, &guest(), "order").await.unwrap_err();
    }
    assert!(double.count() <= 750, "{} calls for 600", double.count());
}

#[tokio::test]
async fn retries_stop_when_the_budget_is_spent() {
    let ill = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&ill);
    let double = Double::start(move |_, _| match flag.swap(false, Ordering::Relaxed) {
        true => Reply::Json(503, json!({})),
        false => Reply::Json(200, good("order")),
    });
    let double = double.await;
    let client = double.client();
    // One call of three fails and would be saved by its retry: too few for the breaker.
    for _ in 0..100 {
        for fails in [true, false, false] {
            ill.store(fails, Ordering::Relaxed);
            let result = call(&client, &guest(), "order").await;
            assert!(fails || result.is_ok());
        }
    }
    let retries = double.count() - 300;
    // A reserve of 10, filled to the brim at first, and a fifth of 300, as the clock stands still.
    assert!((65..=70).contains(&retries), "{retries}");
}

#[tokio::test]
async fn a_hanging_upstream_costs_its_deadline_and_no_more() {
    for (class, reply) in [
        (Class::Critical, true),
        (Class::Optional, true),
        (Class::Critical, false),
    ] {
        let double = Double::start(move |_, _| {
            if reply {
                Reply::Hang
            } else {
                Reply::HangInBody
            }
        })
        .await;
        let mut config = double.config();
        // The other class's would be longer than the test waits.
        config.deadlines.critical = Duration::from_mins(1);
        config.deadlines.optional = Duration::from_mins(1);
        match class {
            Class::Optional => config.deadlines.optional = Duration::from_millis(100),
            _ => config.deadlines.critical = Duration::from_millis(300),
        }
        let client = Upstream::new(&config).unwrap();
        for name in ["order", "menu", "banner"] {
            let guest = guest().with_class(class);
            let call = call(&client, &guest, name);
            let result = tokio::time::timeout(Duration::from_secs(30), call)
                .await
                .expect("the client keeps its deadline");
            assert_eq!(result, Err(Error::Deadline), "{name}");
        }
    }
}

/// However its calls follow from each other. What sends an order and what a page does not wait for have their own times.
#[tokio::test]
async fn the_calls_of_a_page_share_one_deadline() {
    let double = Double::start(|_, _| Reply::Hang).await;
    let mut config = double.config();
    config.deadlines.critical = Duration::from_mins(1);
    config.deadlines.optional = Duration::from_mins(1);
    config.deadlines.page = Duration::from_millis(300);
    config.deadlines.order = Duration::from_millis(800);
    config.deadlines.order_attempt = Duration::from_millis(800);
    let client = Upstream::new(&config).unwrap();
    let page = client.within_page(async {
        for name in ["order", "menu", "banner", "order"] {
            let result = call(&client, &guest(), name).await;
            assert_eq!(result, Err(Error::Deadline), "{name}");
        }
        let sent = Instant::now();
        call(&client, &guest(), "express").await.unwrap_err();
        assert!(sent.elapsed() >= Duration::from_millis(800));
        let other = client.clone();
        let beside = tokio::spawn(async move { call(&other, &guest(), "order").await });
        let beside = tokio::time::timeout(Duration::from_millis(600), beside).await;
        assert!(beside.is_err(), "it goes on");
    });
    let page = tokio::time::timeout(Duration::from_secs(30), page).await;
    assert!(page.is_ok(), "four calls of a minute each");
    let seen = double.seen();
    let orders = seen
        .iter()
        .filter(|seen| seen.path().ends_with("/user/order"));
    assert_eq!(
        orders.count(),
        2,
        "the last one of the page had no time left"
    );
}

/// What a change reads does not add up either; what it writes is not cut off for having come late.
#[tokio::test]
async fn what_a_change_reads_shares_one_deadline_and_each_write_has_its_own() {
    let double = Double::start(|_, _| Reply::Hang).await;
    let mut config = double.config();
    config.deadlines.critical = Duration::from_millis(500);
    config.deadlines.change = Duration::from_millis(600);
    config.deadlines.order = Duration::from_millis(800);
    config.deadlines.order_attempt = Duration::from_millis(800);
    let client = Upstream::new(&config).unwrap();
    let change = client.within_change(async {
        let begun = Instant::now();
        for name in ["order", "menu", "order", "menu", "order"] {
            let result = call(&client, &guest(), name).await;
            assert_eq!(result, Err(Error::Deadline), "{name}");
        }
        let took = begun.elapsed();
        assert!(
            (Duration::from_millis(600)..Duration::from_millis(1000)).contains(&took),
            "{took:?}"
        );
        let sent = Instant::now();
        let deleted = client.delete_address(&guest(), AddressId(7)).await;
        assert_eq!(deleted, Err(Error::Deadline));
        assert!(sent.elapsed() >= Duration::from_millis(500));
        let sent = Instant::now();
        call(&client, &guest(), "express").await.unwrap_err();
        assert!(sent.elapsed() >= Duration::from_millis(800));
    });
    change.await;
}

/// A part of the upstream that gets what others have left of a page's time is not ill for that.
#[tokio::test]
async fn a_call_that_the_page_cuts_off_opens_no_breaker() {
    for (page, is_open) in [
        (Duration::from_millis(30), false),
        (Duration::from_mins(1), true),
    ] {
        let double = Double::start(|_, _| Reply::Hang).await;
        let mut config = double.config();
        config.deadlines.critical = Duration::from_millis(60);
        config.deadlines.page = page;
        let client = Upstream::new(&config).unwrap();
        for _ in 0..25 {
            let result = client.within_page(call(&client, &guest(), "order")).await;
            assert!(result.is_err());
        }
        let result = call(&client, &guest(), "order").await;
        assert_eq!(result == Err(Error::BreakerOpen), is_open, "{page:?}");
    }
}

#[tokio::test]
async fn one_hanging_try_of_an_order_leaves_time_for_the_next() {
    let script = |number, _: &_| {
        if number == 0 {
            Reply::Hang
        } else {
            Reply::Json(201, good("express"))
        }
    };
    let double = Double::start(script).await;
    let mut config = double.config();
    config.deadlines.order_attempt = Duration::from_millis(200);
    call(&Upstream::new(&config).unwrap(), &guest(), "express")
        .await
        .unwrap();
    let seen = double.seen();
    assert_eq!(seen.len(), 2);
    assert_eq!(
        seen[0].header("x-idempotency-key"),
        seen[1].header("x-idempotency-key")
    );
}

#[tokio::test]
async fn an_order_that_hangs_to_the_end_has_an_unknown_outcome() {
    let double = Double::start(|_, _| Reply::Hang).await;
    let mut config = double.config();
    config.deadlines.order_attempt = Duration::from_millis(60);
    config.deadlines.order = Duration::from_millis(400);
    let error = call(&Upstream::new(&config).unwrap(), &guest(), "express")
        .await
        .unwrap_err();
    assert_eq!(error, Error::Deadline);
    assert!(error.outcome_unknown());
}

#[tokio::test]
async fn a_fridge_is_opened_once() {
    let double = Double::start(|_, _| Reply::Json(503, json!({}))).await;
    let error = double
        .client()
        .open_lock(&guest(), VENUE, &key())
        .await
        .unwrap_err();
    assert!(error.outcome_unknown());
    assert_eq!(double.count(), 1);
}
