//! The catalogue cache over HTTP (R-05, R-06, S-12).

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use dastarkhan::{
    upstream::{AdditivesOf, Bearer, Caller, Class, Error, Upstream},
    values::{Country, Lang},
};
use futures_util::future::join_all;
use serde_json::json;

use crate::{
    double::{Double, Reply, Seen, guest},
    samples::{VENUE, additives, call, good},
};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// Answers menus until the flag goes up, then 503.
async fn kitchen() -> (Double, Arc<AtomicBool>) {
    let ill = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&ill);
    let script = move |_: usize, _: &_| match flag.load(Ordering::Relaxed) {
        true => Reply::Json(503, json!({})),
        false => Reply::Json(200, good("menu")),
    };
    (Double::start(script).await, ill)
}

/// Waits until the double has had `count` calls; renewals run behind the guest's back.
async fn calls_reach(double: &Double, count: usize) {
    for _ in 0..2000 {
        if double.count() >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{} calls, not {count}", double.count());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_guests_missing_at_once_are_one_call() {
    let (double, _) = kitchen().await;
    let client = double.client();
    let guests = (0..500).map(|_| {
        let client = client.clone();
        tokio::spawn(async move {
            client
                .menu(&guest(), VENUE)
                .await
                .map(|menu| menu.categories.len())
        })
    });
    for answer in join_all(guests).await {
        assert_eq!(answer.unwrap(), Ok(1));
    }
    assert_eq!(double.count(), 1);
}

#[tokio::test]
async fn a_fresh_answer_needs_no_call_and_an_older_one_is_renewed_behind_the_guest() {
    let (double, _) = kitchen().await;
    let client = double.client();
    let guest = guest();
    let menu = || client.menu(&guest, VENUE);
    assert!(!menu().await.unwrap().is_stale());
    client.config().clock.advance(59 * SECOND);
    assert!(!menu().await.unwrap().is_stale());
    assert_eq!(double.count(), 1);

    client.config().clock.advance(2 * SECOND);
    let old = menu().await.unwrap();
    assert!(old.is_stale());
    assert_eq!(old.age(), 61 * SECOND);
    calls_reach(&double, 2).await;
    for _ in 0..2000 {
        if !menu().await.unwrap().is_stale() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the answer was not renewed");
}

#[tokio::test]
async fn past_ten_minutes_a_well_upstream_is_waited_for() {
    let (double, _) = kitchen().await;
    let client = double.client();
    client.menu(&guest(), VENUE).await.unwrap();
    client.config().clock.advance(11 * MINUTE);
    let menu = client.menu(&guest(), VENUE).await.unwrap();
    assert!(!menu.is_stale());
    assert_eq!(double.count(), 2);
}

#[tokio::test]
async fn an_ill_upstream_leaves_a_day_of_old_answers_marked_as_such() {
    let (double, ill) = kitchen().await;
    let client = double.client();
    client.menu(&guest(), VENUE).await.unwrap();
    ill.store(true, Ordering::Relaxed);
    for _ in 0..30 {
        client.config().clock.advance(11 * MINUTE);
        let menu = client.menu(&guest(), VENUE).await.unwrap();
        assert!(menu.is_stale());
        assert_eq!(menu.categories.len(), 1);
    }
    client.config().clock.advance(24 * HOUR);
    assert!(
        client
            .menu(&guest(), VENUE)
            .await
            .is_err_and(|error| error.is_temporary())
    );
}

#[tokio::test]
async fn a_hanging_upstream_does_not_keep_the_guest_from_the_old_answer() {
    let double = Double::start(|number, _| {
        if number == 0 {
            Reply::Json(200, good("menu"))
        } else {
            Reply::Hang
        }
    })
    .await;
    let mut config = double.config();
    config.cache.timeout = Duration::from_millis(50);
    let client = Upstream::new(&config).unwrap();
    client.menu(&guest(), VENUE).await.unwrap();
    config.clock.advance(HOUR);
    let menu = tokio::time::timeout(Duration::from_secs(10), client.menu(&guest(), VENUE)).await;
    assert!(
        menu.expect("well before the deadline of 20 s")
            .unwrap()
            .is_stale()
    );
}

/// R-03, HT-18: nobody waits longer for it, and a slow kitchen is no closed one.
#[tokio::test]
async fn an_answer_that_comes_too_late_is_there_for_who_asks_next() {
    const LATE: Duration = Duration::from_millis(500);
    let double = Double::start(|_, _| Reply::Late(LATE, good("menu"))).await;
    let mut config = double.config();
    config.deadlines.critical = LATE / 5;
    config.retries.page = 0;
    let client = Upstream::new(&config).unwrap();
    let first = client.menu(&guest(), VENUE).await;
    assert_eq!(first.err(), Some(Error::Deadline));
    for _ in 0..100 {
        if client.menu(&guest(), VENUE).await.is_ok() {
            return;
        }
    }
    panic!("{} calls, and the menu did not come", double.count());
}

#[tokio::test]
async fn a_venue_that_is_gone_is_gone() {
    let double = Double::start(|number, _| match number {
        0 => Reply::Json(200, good("card")),
        1 | 2 => Reply::Json(
            404,
            json!({ "error_code": 404, "message": "Terminal is not found" }),
        ),
        _ => Reply::Json(503, json!({})),
    });
    let double = double.await;
    let client = double.client();
    let guest = guest();
    let venue = || client.venue(&guest, VENUE, None);
    venue().await.unwrap();
    client.config().clock.advance(HOUR);
    for _ in 0..2 {
        assert_eq!(venue().await.err(), Some(Error::NotFound));
    }
    assert_eq!(
        double.count(),
        2,
        "a number that no venue has is not asked for again at once"
    );
    let orders = Caller {
        class: Class::Order,
        ..guest.clone()
    };
    let for_order = || client.venue(&orders, VENUE, None);
    assert_eq!(for_order().await.err(), Some(Error::NotFound));
    assert_eq!(double.count(), 3, "but for an order");
    let error = for_order().await.err();
    assert_eq!(
        error,
        Some(Error::Unavailable { status: Some(503) }),
        "not even when the upstream is ill"
    );
}

#[tokio::test]
async fn languages_do_not_share_answers() {
    let (double, _) = kitchen().await;
    let client = double.client();
    for lang in [Lang::Kk, Lang::Ru, Lang::Kk, Lang::Ru] {
        let mut caller = guest();
        caller.lang = lang;
        client.menu(&caller, VENUE).await.unwrap();
    }
    assert_eq!(double.count(), 2);
}

#[tokio::test]
async fn the_last_choice_of_a_device_or_user_is_never_shared() {
    let double = Double::start(|_, _| Reply::Json(200, good("additives"))).await;
    let client = double.client();
    let mut anonymous = guest();
    anonymous.fingerprint = None;
    let mut user = anonymous.clone();
    user.bearer = Bearer::new("token-1");
    for caller in [&user, &guest(), &anonymous, &anonymous, &guest(), &user] {
        additives(&client, caller, AdditivesOf::Product)
            .await
            .unwrap();
    }
    let who = |seen: &Seen| {
        (
            seen.header("authorization") == "Bearer token-1",
            seen.header("x-fingerprint") == "device-1",
        )
    };
    let callers: Vec<_> = double.seen().iter().map(who).collect();
    assert_eq!(
        callers,
        [
            (true, false),
            (false, true),
            (false, false),
            (false, true),
            (true, false)
        ]
    );
}

#[tokio::test]
async fn a_device_whose_own_answer_does_not_come_gets_the_shared_one() {
    let script = |_: usize, seen: &Seen| match seen.header("x-fingerprint") {
        "device-1" => Reply::Json(503, json!({})),
        _ => Reply::Json(200, good("additives")),
    };
    let double = Double::start(script).await;
    additives(&double.client(), &guest(), AdditivesOf::Product)
        .await
        .unwrap();
}

#[tokio::test]
async fn what_an_order_depends_on_is_asked_anew_each_time() {
    for (name, class) in [
        ("stop_list", Class::Critical),
        ("cooking_time", Class::Optional),
        ("order", Class::Critical),
        ("with_additives", Class::Order),
        ("card", Class::Order),
    ] {
        let double = Double::start(move |_, _| Reply::Json(200, good(name))).await;
        let client = double.client();
        for _ in 0..3 {
            call(&client, &guest().with_class(class), name)
                .await
                .unwrap();
        }
        assert_eq!(double.count(), 3, "{name}");
    }
}

/// Links of a table are followed as often as somebody likes.
#[tokio::test]
async fn all_who_come_by_the_link_of_a_table_share_one_check_for_a_moment() {
    let double = Double::start(|_, _| Reply::Json(200, good("branch"))).await;
    let client = double.client();
    let is_found = |table: &str| client.has_found_table(VENUE, &table.parse().unwrap());
    assert!(!is_found("t7"));
    for _ in 0..3 {
        call(&client, &guest(), "branch").await.unwrap();
    }
    assert_eq!(double.count(), 1);
    assert!(is_found("t7") && !is_found("t8"));
    client.config().clock.advance(5 * SECOND);
    call(&client, &guest(), "branch").await.unwrap();
    assert_eq!(double.count(), 2, "it decides where the guest sits");
}

#[tokio::test]
async fn a_guest_who_leaves_does_not_stop_the_call_for_the_others() {
    let (double, _) = kitchen().await;
    let client = double.client();
    let leaving = tokio::time::timeout(Duration::ZERO, client.menu(&guest(), VENUE)).await;
    drop(leaving);
    client.menu(&guest(), VENUE).await.unwrap();
    calls_reach(&double, 1).await;
    assert_eq!(double.count(), 1);
}

#[tokio::test]
async fn a_country_that_does_not_answer_has_its_built_in_settings() {
    let double = Double::start(|_, _| Reply::Json(500, json!({}))).await;
    let client = double.client();
    for (country, code, offset, zone, phone) in [
        (Country::Kz, "KZT", 300, "Asia/Aqtobe", "+7"),
        (Country::Ge, "GEL", 240, "Asia/Tbilisi", "+995"),
    ] {
        let config = client.country(&guest(), country).await;
        assert!(config.built_in);
        assert_eq!(
            (config.meta.money.code.as_str(), config.meta.utc_offset),
            (code, offset)
        );
        assert_eq!(
            (
                config.meta.timezone.as_str(),
                config.meta.phone_code.as_str()
            ),
            (zone, phone)
        );
        assert_eq!(config.langs, country.langs());
    }
}
