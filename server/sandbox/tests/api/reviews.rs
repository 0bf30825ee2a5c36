//! Reviews: read by everybody once a moderator has let them pass, one of a guest and a venue, reported once.

use serde_json::{Value, json};

use crate::client::Reply;
use crate::support::{DELIVERY, EXPRESS, TAKEAWAY, World};

const PATH: &str = "/reviews/v1/reviews";
const NOON: &str = "2026-11-21T12:00:00+05:00";
/// A filial of a venue without reviews.
const ELSEWHERE: i64 = 1023;

async fn listed(world: &World, query: &str) -> Value {
    let target = format!("{PATH}?filial_id={EXPRESS}{query}");
    let reply = world.get(&target).await;
    assert_eq!(reply.status, 200, "{target}");
    reply.json()
}

fn texts(list: &Value) -> Vec<&str> {
    let all = list["data"].as_array().unwrap();
    all.iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect()
}

async fn write(world: &World, token: &str, rating: i64, text: &str) -> Value {
    let body = json!({"filial_id": EXPRESS, "rating": rating, "text": text});
    let reply = world.as_user(token, "POST", PATH, &body).await;
    assert_eq!(reply.status, 201, "{:?}", reply.json());
    reply.json()["data"].clone()
}

async fn own(world: &World, token: &str) -> Value {
    let target = format!("{PATH}/own?filial_id={TAKEAWAY}");
    let reply = world.as_user(token, "GET", &target, &Value::Null).await;
    assert_eq!(reply.status, 200);
    reply.json()["data"].clone()
}

fn code(reply: &Reply) -> Value {
    reply.json()["errors"][0]["code"].clone()
}

#[tokio::test]
async fn a_list_has_pages_languages_and_a_summary() {
    let world = World::start().await;
    let all = listed(&world, "").await;
    assert_eq!(
        texts(&all),
        ["Тамаша!", "Вкусно, но шумно"],
        "the newest first"
    );
    assert_eq!(all["meta"]["total"], 2);
    let first = &all["data"][0];
    assert_eq!(
        first,
        &json!({"id": 2, "rating": 5, "text": "Тамаша!", "author": "Нұрлан", "language": "kk",
                "state": "published", "created_at": "2024-03-09T16:00:00Z"})
    );
    let summary = &all["summary"];
    assert_eq!(summary["count"], 12, "as many as the card says");
    let stars = summary["stars"].as_array().unwrap();
    assert_eq!(stars.iter().filter_map(Value::as_i64).sum::<i64>(), 12);
    assert_eq!(
        summary["languages"],
        json!([{"language": "kk", "count": 1}, {"language": "ru", "count": 1}])
    );
    let russian = listed(&world, "&language=ru").await;
    assert_eq!(texts(&russian), ["Вкусно, но шумно"]);
    assert_eq!(
        russian["summary"], all["summary"],
        "a filter does not change it"
    );
    let second = listed(&world, "&limit=1&page=2").await;
    assert_eq!(texts(&second), ["Вкусно, но шумно"]);
    assert_eq!(
        second["meta"],
        json!({"current_page": 2, "last_page": 2, "total": 2})
    );
    assert_eq!(
        texts(&listed(&world, "&page=1000000").await),
        Vec::<&str>::new()
    );
    // Another filial of the venue has the same, another venue its own.
    let same = world.get(&format!("{PATH}?filial_id={DELIVERY}")).await;
    assert_eq!(same.json()["meta"]["total"], 2);
    let other = world.get(&format!("{PATH}?filial_id={ELSEWHERE}")).await;
    assert_eq!(other.json()["meta"]["total"], 0);
    for (query, status) in [
        ("filial_id=1&page=1", 404),
        ("page=1", 400),
        ("filial_id=1013&language=de", 400),
        ("filial_id=1013&page=0", 400),
        ("filial_id=1013&page=99999999999999999999", 400),
    ] {
        let reply = world.get(&format!("{PATH}?{query}")).await;
        assert_eq!(reply.status, status, "{query}");
    }
}

#[tokio::test]
async fn a_review_is_the_guests_alone_until_the_moderator_has_read_it() {
    let world = World::start_at(NOON).await;
    let token = world.sign_in("+77010000002").await;
    let written = write(&world, &token, 5, "Дәмді әрі тез!").await;
    assert_eq!(
        (&written["state"], &written["language"]),
        (&json!("pending"), &json!("kk"))
    );
    assert_eq!(listed(&world, "").await["meta"]["total"], 2);
    assert_eq!(own(&world, &token).await["id"], written["id"]);
    let another = world.sign_in("+77010000003").await;
    assert_eq!(own(&world, &another).await, Value::Null);
    assert_eq!(
        world
            .get(&format!("{PATH}/own?filial_id={EXPRESS}"))
            .await
            .status,
        401
    );

    // Ten minutes later it is everybody's.
    world
        .control("clock", json!({"now": "2026-11-21T12:10:01+05:00"}))
        .await;
    let all = listed(&world, "").await;
    assert_eq!(texts(&all)[0], "Дәмді әрі тез!");
    assert_eq!(all["summary"]["count"], 13);
    assert_eq!(own(&world, &token).await["state"], "published");

    // What leads elsewhere never is.
    write(&world, &another, 5, "Visit https://casino.example").await;
    world
        .control("clock", json!({"now": "2026-11-21T12:30:00+05:00"}))
        .await;
    assert_eq!(listed(&world, "").await["meta"]["total"], 3);
    assert_eq!(own(&world, &another).await["state"], "refused");
}

#[tokio::test]
async fn the_moderator_is_a_control() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let id = write(&world, &token, 4, "Жақсы").await["id"].clone();
    for (state, total) in [("published", 3), ("refused", 2), ("pending", 2)] {
        let body = json!({"review_id": id, "state": state});
        world.control("review", body).await;
        assert_eq!(own(&world, &token).await["state"], state);
        assert_eq!(listed(&world, "").await["meta"]["total"], total);
    }
    for (body, status) in [
        (json!({"review_id": 999, "state": "published"}), 404),
        (json!({"review_id": id, "state": "lost"}), 400),
    ] {
        let reply = world.post("/_sandbox/api/review", &body).await;
        assert_eq!(reply.status, status);
    }
}

#[tokio::test]
async fn there_is_one_review_of_a_guest_and_a_venue() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let body = json!({"filial_id": EXPRESS, "rating": 2, "text": "Суық"});
    let bearer = format!("Bearer {token}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("x-idempotency-key", "one-press"),
    ];
    let first = world.post_with(PATH, &body, &headers).await;
    let id = first.json()["data"]["id"].clone();
    let publish = json!({"review_id": id, "state": "published"});
    world.control("review", publish).await;
    // Sent again under its key it is the same review, in its state.
    let again = world.post_with(PATH, &body, &headers).await;
    assert_eq!(
        (&again.json()["data"]["id"], &again.json()["data"]["state"]),
        (&id, &json!("published"))
    );
    // Another one takes its place and is read anew.
    let newer = write(&world, &token, 5, "Енді ыстық").await;
    assert_ne!(newer["id"], id);
    assert_eq!(newer["state"], "pending");
    assert_eq!(listed(&world, "").await["meta"]["total"], 2);
    let target = format!("{PATH}/own?filial_id={EXPRESS}");
    let gone = world.as_user(&token, "DELETE", &target, &Value::Null).await;
    assert_eq!(gone.status, 200);
    assert_eq!(own(&world, &token).await, Value::Null);
    let gone = world.as_user(&token, "DELETE", &target, &Value::Null).await;
    assert_eq!((gone.status, code(&gone)), (404, json!("review_not_found")));

    for (body, status) in [
        (json!({"filial_id": EXPRESS, "rating": 0}), 400),
        (json!({"filial_id": EXPRESS, "rating": 6}), 400),
        (json!({"filial_id": 1, "rating": 5}), 404),
        (
            json!({"filial_id": EXPRESS, "rating": 5, "text": "о".repeat(2001)}),
            400,
        ),
    ] {
        let reply = world.as_user(&token, "POST", PATH, &body).await;
        assert_eq!(reply.status, status, "{body}");
    }
    assert_eq!(world.post(PATH, &body).await.status, 401);
}

#[tokio::test]
async fn a_review_is_reported_once_by_each() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let report = |id: i64| format!("{PATH}/{id}/report");
    let body = json!({"filial_id": EXPRESS, "reason": "spam"});
    for _ in 0..2 {
        let answer = world.as_user(&token, "POST", &report(1), &body).await;
        assert_eq!(answer.status, 200);
    }
    assert_eq!(world.post(&report(1), &body).await.status, 401, "nobody's");
    let device = [("x-fingerprint", "phone-7")];
    assert_eq!(
        world.post_with(&report(1), &body, &device).await.status,
        200
    );
    let all = world
        .get(&format!("/_sandbox/api/reviews?filial_id={EXPRESS}"))
        .await
        .json();
    assert_eq!(
        all["data"],
        json!([{"id": 2, "state": "published", "reports": 0}, {"id": 1, "state": "published", "reports": 2}])
    );

    let own = write(&world, &token, 5, "Менікі").await["id"]
        .as_i64()
        .unwrap();
    let publish = json!({"review_id": own, "state": "published"});
    let wrong = json!({"filial_id": EXPRESS, "reason": "boring"});
    let elsewhere = json!({"filial_id": ELSEWHERE, "reason": "spam"});
    for (id, body, status) in [
        (1, &wrong, 400),
        (1, &elsewhere, 404),
        (999, &body, 404),
        (own, &body, 404),
    ] {
        let answer = world.as_user(&token, "POST", &report(id), body).await;
        assert_eq!(answer.status, status, "{id} {body}");
    }
    world.control("review", publish).await;
    let answer = world.as_user(&token, "POST", &report(own), &body).await;
    assert_eq!((answer.status, code(&answer)), (422, json!("own_review")));
}

#[tokio::test]
async fn the_demo_has_pages_of_reviews_in_its_languages() {
    let world = World::built_in().await;
    let all = listed(&world, "&limit=10").await;
    assert!(all["meta"]["last_page"].as_i64().unwrap() > 2, "{all}");
    assert_eq!(all["summary"]["rating"], 4.7, "as on the card");
    let languages = all["summary"]["languages"].as_array().unwrap();
    assert_eq!(languages.len(), 3);
    let georgian = world.get(&format!("{PATH}?filial_id=2013")).await.json();
    assert_eq!(georgian["data"][0]["language"], "ka");
    let none = world.get(&format!("{PATH}?filial_id=1243")).await.json();
    assert_eq!(
        (&none["meta"]["total"], &none["summary"]["count"]),
        (&json!(0), &json!(0))
    );
}
