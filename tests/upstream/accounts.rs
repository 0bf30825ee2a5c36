//! Bearers that are no longer taken (AU-07, R-16), sign-in, balances (BL-02, BL-03).

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use dastarkhan::{
    upstream::{
        Balance, Bearer, Caller, Class, Error, Fingerprint, Grant, ImageKind, OrderId, Renewal,
        Renewed, Reward, ShownBalance, Venue,
    },
    values::Sum,
};
use futures_util::future::join_all;
use serde_json::json;

use crate::{
    double::{Double, Reply, Seen, guest},
    more_samples,
    samples::{VENUE, call, good},
};

/// What a renewal of the tests was asked for.
#[derive(Clone, Default)]
struct Asked {
    renewed: Arc<AtomicUsize>,
    ended: Arc<Mutex<Vec<Bearer>>>,
}

impl Asked {
    fn renewals(&self) -> usize {
        self.renewed.load(Ordering::Relaxed)
    }

    fn ended(&self) -> Vec<Bearer> {
        self.ended.lock().unwrap().clone()
    }
}

fn bearer(token: &str) -> Bearer {
    Bearer::new(token).unwrap()
}

/// A signed-in guest whose renewal ends as told.
fn renewable(end: Renewed) -> (Caller, Asked) {
    let asked = Asked::default();
    let (renewing, ending) = (asked.clone(), asked.clone());
    let mut caller = guest();
    caller.bearer = Some(bearer("old"));
    caller.renewal = Some(Renewal::new(
        move |_lost| {
            renewing.renewed.fetch_add(1, Ordering::Relaxed);
            let end = end.clone();
            async move {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                end
            }
        },
        move |refused| {
            ending.ended.lock().unwrap().push(refused);
            async {}
        },
    ));
    (caller, asked)
}

fn to_new() -> Renewed {
    Renewed::Bearer(bearer("new"))
}

/// Takes the bearer `new` only.
async fn strict() -> Double {
    let script = |_: usize, seen: &Seen| match seen.header("authorization") {
        "Bearer new" if seen.path().ends_with("express/order") => Reply::Json(201, good("express")),
        "Bearer new" => Reply::Json(200, good("order")),
        "Bearer old" => Reply::Json(200, json!({ "error_code": 401 })),
        _ => Reply::Json(401, json!({})),
    };
    Double::start(script).await
}

#[tokio::test]
async fn fifty_calls_that_lose_their_bearer_at_once_renew_it_once() {
    let double = strict().await;
    let client = double.client();
    let (caller, asked) = renewable(to_new());
    let calls = (0..50).map(|_| call(&client, &caller, "order"));
    for result in join_all(calls).await {
        assert_eq!(result, Ok(()));
    }
    assert_eq!((double.count(), asked.renewals()), (100, 1));
    assert_eq!(asked.ended(), []);
}

#[tokio::test]
async fn a_late_refusal_of_the_old_bearer_does_not_renew_it_again() {
    let double = strict().await;
    let client = double.client();
    let (caller, asked) = renewable(to_new());
    for _ in 0..3 {
        call(&client, &caller, "order").await.unwrap();
    }
    assert_eq!(asked.renewals(), 1);
}

#[tokio::test]
async fn the_renewed_call_is_the_same_work() {
    let double = strict().await;
    let (caller, _) = renewable(to_new());
    call(&double.client(), &caller, "express").await.unwrap();
    let seen = double.seen();
    let keys: HashSet<&str> = seen
        .iter()
        .map(|seen| seen.header("x-idempotency-key"))
        .collect();
    assert_eq!((seen.len(), keys.len()), (2, 1));
}

/// Who knows the number of an order alone has no answer stored under the key of its guest.
#[tokio::test]
async fn an_order_is_taken_back_under_one_key_of_each_device() {
    let double = Double::start(|_, _| Reply::Json(200, good("order"))).await;
    let client = double.client();
    let mut other = guest();
    other.fingerprint = Fingerprint::new("device-2");
    let id: OrderId = "o_1".parse().unwrap();
    for caller in [&guest(), &guest(), &other] {
        client.cancel_order(caller, &id, "late").await.unwrap();
    }
    let seen = double.seen();
    let keys: Vec<&str> = seen
        .iter()
        .map(|seen| seen.header("x-idempotency-key"))
        .collect();
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[0], keys[2]);
}

#[tokio::test]
async fn a_second_refusal_is_final_and_ends_the_sign_in() {
    let also_old = Renewed::Bearer(bearer("also-old"));
    for (end, tries, ended) in [(also_old, 2, "also-old"), (Renewed::Refused, 1, "old")] {
        let double = strict().await;
        let (caller, asked) = renewable(end);
        assert_eq!(
            call(&double.client(), &caller, "order").await,
            Err(Error::Unauthorized)
        );
        assert_eq!((double.count(), asked.renewals()), (tries, 1), "{ended}");
        assert_eq!(asked.ended(), [bearer(ended)]);
    }
}

#[tokio::test]
async fn an_order_that_may_be_taken_stays_so_when_the_sign_in_ends_before_the_next_try() {
    let script = |number: usize, _: &Seen| match number {
        // Taken, and the answer is lost.
        0 => Reply::Json(502, json!({})),
        _ => Reply::Json(401, json!({})),
    };
    for end in [Renewed::Refused, Renewed::Later, to_new()] {
        let double = Double::start(script).await;
        let (caller, asked) = renewable(end);
        let error = call(&double.client(), &caller, "express").await;
        assert!(error.unwrap_err().outcome_unknown());
        assert_eq!(asked.renewals(), 1);
    }
    // What was refused at once was not.
    let double = Double::start(|_, _| Reply::Json(401, json!({}))).await;
    let (caller, _) = renewable(Renewed::Refused);
    let told = call(&double.client(), &caller, "express").await;
    assert_eq!(told, Err(Error::Unauthorized));
}

#[tokio::test]
async fn a_renewal_that_can_not_be_had_now_leaves_the_guest_signed_in() {
    let double = strict().await;
    let client = double.client();
    let (caller, asked) = renewable(Renewed::Later);
    for round in 1..=3 {
        let told = call(&client, &caller, "order").await;
        assert!(matches!(told, Err(Error::Unreachable { .. })), "{told:?}");
        assert_eq!(asked.renewals(), round, "it is asked for again later");
    }
    assert_eq!(asked.ended(), []);
}

#[tokio::test]
async fn a_guest_whom_the_upstream_signed_out_gets_the_favourites_and_options_of_all() {
    let script = |_: usize, seen: &Seen| match (seen.header("authorization"), seen.path()) {
        ("", path) if path.ends_with("additives") => Reply::Json(200, good("additives")),
        ("", _) => Reply::Json(200, good("favourites")),
        _ => Reply::Json(401, json!({})),
    };
    let double = Double::start(script).await;
    let (caller, _) = renewable(Renewed::Refused);
    for name in ["favourites", "additives"] {
        assert_eq!(
            call(&double.client(), &caller, name).await,
            Ok(()),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_code_is_sent_once_and_a_track_may_be_sent_again() {
    let double = Double::start(|_, _| Reply::Json(503, json!({}))).await;
    let client = double.client();
    let caller = guest().with_class(Class::Order);
    let code = Grant::Code {
        code: "c",
        redirect_uri: "http://127.0.0.1/auth",
        verifier: Some("v"),
    };
    let error = client.token(&caller, "web", code).await.err();
    assert_eq!(
        (error, double.count()),
        (Some(Error::Unavailable { status: Some(503) }), 1)
    );
    let track = "tr_1".parse().unwrap();
    client
        .token(&caller, "web", Grant::Track(&track))
        .await
        .unwrap_err();
    assert_eq!(double.count(), 5);
    let seen = double.seen();
    assert_eq!(
        seen[0].json(),
        json!({ "client_id": "web", "grant_type": "authorization_code", "code": "c", "redirect_uri": "http://127.0.0.1/auth", "code_verifier": "v" }),
    );
    assert_eq!(
        seen[1].json(),
        json!({ "client_id": "web", "grant_type": "authorization_track_id", "track_id": "tr_1" }),
    );
}

#[tokio::test]
async fn a_token_that_can_not_go_into_a_header_is_none() {
    let double =
        Double::start(|_, _| Reply::Json(200, json!({ "access_token": "a\r\nX-Evil: 1" }))).await;
    let track = "tr_1".parse().unwrap();
    let token = double
        .client()
        .token(&guest(), "web", Grant::Track(&track))
        .await;
    assert_eq!(
        token.err(),
        Some(Error::BadAnswer {
            why: "access_token"
        })
    );
}

#[tokio::test]
async fn an_avatar_goes_as_raw_bytes_with_its_own_type() {
    let double = Double::start(|_, _| Reply::Json(200, json!({ "data": { "id": 1 } }))).await;
    let bytes = b"\x89PNG\r\n\x1a\nrest".to_vec();
    let kind = ImageKind::of(&bytes).unwrap();
    double
        .client()
        .set_avatar(&guest(), kind, bytes.clone())
        .await
        .unwrap();
    let seen = &double.seen()[0];
    assert_eq!(
        (seen.header("content-type"), &seen.body[..]),
        ("image/png", &bytes[..])
    );
    assert_eq!(ImageKind::of(b"<svg onload=alert(1)>"), None);
}

#[tokio::test]
async fn a_balance_that_can_not_be_had_is_zero() {
    for reply in [503, 401, 200] {
        let double = Double::start(move |_, _| Reply::Json(reply, json!({ "data": "x" }))).await;
        assert_eq!(
            double.client().balance(&guest()).await,
            Some(Balance::default())
        );
    }
    let double = Double::start(|_, _| Reply::Break).await;
    assert_eq!(double.client().balance(&guest()).await, None, "no answer");
    // Where it stands by itself a page says that it did not come.
    for body in [json!({}), json!({ "data": {} })] {
        let double = Double::start(move |_, _| Reply::Json(200, body.clone())).await;
        assert!(double.client().known_balance(&guest()).await.is_err());
    }
    let double = Double::start(|_, _| {
        Reply::Json(
            200,
            json!({ "data": { "bonus_kzt": 100.5, "money_kzt": "20" } }),
        )
    })
    .await;
    let told = double.client().balance(&guest()).await.unwrap();
    assert_eq!(told.total(), Sum(12_050));
}

#[tokio::test]
async fn a_failing_reward_shows_the_plain_balance_unless_the_venue_hides_it() {
    let script = |_: usize, seen: &Seen| match seen.path() {
        "/balance/user" => Reply::Json(200, json!({ "data": { "bonus_kzt": 5, "money_kzt": 0 } })),
        path if path.starts_with("/private-reward") => Reply::Json(500, json!({})),
        _ => Reply::Json(200, good("card")),
    };
    let double = Double::start(script).await;
    let client = double.client();
    let venue = client.venue(&guest(), VENUE, None).await.unwrap();
    let shown = async |enabled: bool, hidden: bool| {
        let venue = Venue {
            private_reward_enabled: enabled,
            private_reward_button_disabled: hidden,
            ..Venue::clone(&venue)
        };
        client.shown_balance(&guest(), Some(&venue)).await
    };
    let plain = ShownBalance::Plain(Balance {
        bonus: Sum(500),
        money: Sum(0),
    });
    assert_eq!(shown(true, false).await, plain);
    assert_eq!(shown(true, true).await, ShownBalance::Nothing);
    assert_eq!(shown(false, true).await, plain);

    // One that does not fail is what is shown, also where the button is hidden.
    let script = |_: usize, seen: &Seen| match seen.path() {
        path if path.starts_with("/private-reward") => {
            Reply::Json(200, more_samples::good("reward"))
        }
        _ => Reply::Json(200, good("card")),
    };
    let double = Double::start(script).await;
    let venue = Venue {
        private_reward_enabled: true,
        private_reward_button_disabled: true,
        ..Venue::clone(&venue)
    };
    let shown = double.client().shown_balance(&guest(), Some(&venue)).await;
    let ShownBalance::Reward(reward) = shown else {
        panic!("{shown:?}");
    };
    let expected = Reward {
        balance: Sum(90_000),
        available_balance: Sum(50_000),
        cashback_amount: 7.0,
        cashback_used_balance: Sum(4_000),
        max_bonus_usage_percentage: 30.0,
    };
    assert_eq!(reward, expected);
}
