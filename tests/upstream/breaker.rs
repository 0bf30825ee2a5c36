//! The breaker over HTTP.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use dastarkhan::upstream::Error;
use serde_json::json;

use crate::{
    double::{Double, Reply, Seen, guest},
    samples::{call, good},
};

/// Fails the venue calls while the flag is up; menus are always well.
async fn half_ill() -> (Double, Arc<AtomicBool>) {
    let ill = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&ill);
    let script = move |_: usize, seen: &Seen| {
        if seen.path().contains("products") {
            Reply::Json(200, good("menu"))
        } else if flag.load(Ordering::Relaxed) {
            Reply::Json(503, json!({}))
        } else {
            Reply::Json(200, good("order"))
        }
    };
    (Double::start(script).await, ill)
}

#[tokio::test]
async fn a_failing_part_is_left_alone_and_used_again_after_healing() {
    let (double, ill) = half_ill().await;
    let client = double.client();
    while double.count() < 20 {
        let error = call(&client, &guest(), "order").await.unwrap_err();
        assert_eq!(error, Error::Unavailable { status: Some(503) });
    }
    let asked = double.count();
    for _ in 0..50 {
        assert_eq!(
            call(&client, &guest(), "order").await,
            Err(Error::BreakerOpen)
        );
    }
    assert_eq!(double.count(), asked, "no call goes out");
    call(&client, &guest(), "menu").await.unwrap();

    client.config().clock.advance(Duration::from_secs(5));
    call(&client, &guest(), "order").await.unwrap_err();
    assert_eq!(double.count(), asked + 2, "one menu, one probe");

    ill.store(false, Ordering::Relaxed);
    client.config().clock.advance(Duration::from_secs(5));
    for _ in 0..30 {
        call(&client, &guest(), "order").await.unwrap();
    }
}

/// A page needs several calls of a part at once: they wait for the probe among them instead of failing beside it.
#[tokio::test]
async fn all_calls_of_the_first_page_after_an_outage_come_through() {
    let (double, ill) = half_ill().await;
    let client = double.client();
    while double.count() < 20 {
        call(&client, &guest(), "order").await.unwrap_err();
    }
    ill.store(false, Ordering::Relaxed);
    client.config().clock.advance(Duration::from_secs(5));
    let (asked, guest) = (double.count(), guest());
    let told = tokio::join!(
        call(&client, &guest, "order"),
        call(&client, &guest, "order"),
        call(&client, &guest, "order"),
    );
    assert_eq!(told, (Ok(()), Ok(()), Ok(())));
    assert_eq!(double.count(), asked + 3);
}

#[tokio::test]
async fn while_the_upstream_is_ill_one_of_several_calls_goes_out() {
    let (double, _ill) = half_ill().await;
    let client = double.client();
    while double.count() < 20 {
        call(&client, &guest(), "order").await.unwrap_err();
    }
    client.config().clock.advance(Duration::from_secs(5));
    let (asked, guest) = (double.count(), guest());
    let (first, second) = tokio::join!(
        call(&client, &guest, "order"),
        call(&client, &guest, "order"),
    );
    let probed = Err(Error::Unavailable { status: Some(503) });
    assert_eq!((first, second), (probed, Err(Error::BreakerOpen)));
    assert_eq!(double.count(), asked + 1);
}

#[tokio::test]
async fn unreadable_answers_open_it_and_refusals_do_not() {
    let html = Double::start(|_, _| Reply::Raw(200, "text/html", b"<html>".to_vec())).await;
    let client = html.client();
    for _ in 0..20 {
        assert_eq!(
            call(&client, &guest(), "order").await,
            Err(Error::BadAnswer { why: "no JSON" })
        );
    }
    assert_eq!(
        call(&client, &guest(), "order").await,
        Err(Error::BreakerOpen)
    );

    let strict = Double::start(|_, _| {
        Reply::Json(422, json!({ "errors": [{ "code": "item_unavailable" }] }))
    })
    .await;
    let client = strict.client();
    for _ in 0..40 {
        assert!(matches!(
            call(&client, &guest(), "order").await,
            Err(Error::Rejected(_))
        ));
    }
}
