//! Signing in, tokens, the person and the addresses.

use serde_json::{Value, json};

use crate::client::{Reply, send};
use crate::support::World;

pub const REDIRECT: &str = "http://127.0.0.1:8080/auth";
const FORM: [(&str, &str); 1] = [("content-type", "application/x-www-form-urlencoded")];

/// Walks the page of phone and code.
pub async fn code(world: &World, phone: &str, challenge: Option<&str>) -> String {
    let reply = step(
        world,
        &[
            ("phone", phone),
            ("code", "1234"),
            ("state", "a&b=c"),
            ("code_challenge", challenge.unwrap_or("")),
        ],
    )
    .await;
    assert_eq!(reply.status, 303, "{}", reply.text());
    let query = reply
        .location
        .strip_prefix(&format!("{REDIRECT}?"))
        .unwrap();
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    assert_eq!(pairs[1], ("state".to_owned(), "a&b=c".to_owned()));
    pairs[0].1.clone()
}

async fn step(world: &World, fields: &[(&str, &str)]) -> Reply {
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs([
        ("client_id", "web"),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("code_challenge_method", "S256"),
    ]);
    body.extend_pairs(fields);
    send(
        world.sandbox.addr,
        "POST",
        "/oauth2/authorize",
        &FORM,
        body.finish().into_bytes(),
    )
    .await
    .unwrap()
}

async fn exchange(world: &World, code: &str, verifier: Option<&str>) -> Reply {
    let body = json!({
        "client_id": "web", "grant_type": "authorization_code", "redirect_uri": REDIRECT,
        "code": code, "code_verifier": verifier,
    });
    world.post("/api/v2/oauth2/tokens", &body).await
}

#[tokio::test]
async fn phone_and_code_lead_to_a_token_once() {
    let world = World::start().await;
    let asked = world
        .get(&format!(
            "/oauth2/authorize?client_id=web&response_type=code&redirect_uri={REDIRECT}&state=x"
        ))
        .await;
    assert!(asked.status == 200 && asked.text().contains("name=\"phone\""));
    assert_eq!(step(&world, &[("phone", "12")]).await.status, 422);
    assert!(
        step(&world, &[("phone", "+7 701 000 00 02")])
            .await
            .text()
            .contains("name=\"code\"")
    );
    assert_eq!(
        step(&world, &[("phone", "+77010000002"), ("code", "9999")])
            .await
            .status,
        422
    );
    let cancel = step(&world, &[("cancel", "1"), ("state", "s")]).await;
    assert_eq!(
        cancel.location,
        format!("{REDIRECT}?error=access_denied&state=s")
    );

    let first = code(&world, "+77010000002", None).await;
    let token = exchange(&world, &first, None).await.json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let person = world
        .as_user(&token, "GET", "/api/v3/user", &Value::Null)
        .await
        .json();
    assert_eq!(person["data"]["phone"], "+77010000002");
    // A code that comes twice was stolen: it is refused and its tokens end.
    assert_eq!(exchange(&world, &first, None).await.status, 401);
    assert_eq!(
        world
            .as_user(&token, "GET", "/api/v3/user", &Value::Null)
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn a_code_with_a_challenge_needs_its_verifier() {
    let world = World::start().await;
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let one = code(&world, "+77010000002", Some(challenge)).await;
    assert_eq!(exchange(&world, &one, Some("wrong")).await.status, 401);
    let two = code(&world, "+77010000002", Some(challenge)).await;
    assert_eq!(exchange(&world, &two, Some(verifier)).await.status, 200);
}

#[tokio::test]
async fn the_redirect_address_must_be_the_agreed_one() {
    let world = World::start().await;
    for uri in [
        "http://evil.example/auth",
        "http://127.0.0.1:8080/auth/",
        "http://127.0.0.1:8080/auth?x=1",
        "",
    ] {
        let target =
            format!("/oauth2/authorize?client_id=web&response_type=code&redirect_uri={uri}");
        assert_eq!(world.get(&target).await.status, 400, "{uri}");
    }
}

#[tokio::test]
async fn tokens_end_by_time_and_by_revocation() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    assert_eq!(
        world
            .as_user(&token, "POST", "/api/v2/oauth2/tokens/revoke", &Value::Null)
            .await
            .status,
        200
    );
    let refused = world
        .as_user(&token, "GET", "/balance/user", &Value::Null)
        .await;
    assert_eq!(
        (refused.status, &refused.json()["error_code"]),
        (401, &json!(401))
    );
    let token = world.sign_in("+77010000002").await;
    let later = time::OffsetDateTime::now_utc() + time::Duration::hours(2);
    let later = later
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap();
    world.control("clock", json!({"now": later})).await;
    assert_eq!(
        world
            .as_user(&token, "GET", "/balance/user", &Value::Null)
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn a_person_changes_and_the_picture_comes_back_as_it_was() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let changes =
        json!({"name": "Айгүл", "secondName": "С.", "bday": "1990-12-31", "gender": "female"});
    let person = world
        .as_user(&token, "PUT", "/api/v3/user", &changes)
        .await
        .json();
    assert_eq!(
        (&person["data"]["bday"], &person["data"]["gender"]),
        (&json!("1990-12-31"), &json!("female"))
    );
    for wrong in [
        json!({"name": "A"}),
        json!({"bday": "31/12/1990"}),
        json!({"bday": "1990-02-30"}),
    ] {
        assert_eq!(
            world
                .as_user(&token, "PUT", "/api/v3/user", &wrong)
                .await
                .status,
            422,
            "{wrong}"
        );
    }
    let bearer = format!("Bearer {token}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("content-type", "image/png"),
    ];
    let bytes = vec![137, 80, 78, 71, 0, 255];
    let posted = send(
        world.sandbox.addr,
        "POST",
        "/api/v3/user/avatar",
        &headers,
        bytes.clone(),
    )
    .await
    .unwrap();
    let photo = posted.json()["data"]["photo"].as_str().unwrap().to_owned();
    let picture = world
        .get(photo.strip_prefix(&world.sandbox.url()).unwrap())
        .await;
    assert_eq!(
        (picture.bytes.to_vec(), picture.content_type.as_str()),
        (bytes, "image/png")
    );
    let gone = world
        .as_user(&token, "DELETE", "/api/v3/user/avatar", &Value::Null)
        .await
        .json();
    assert_eq!(gone["data"]["photo"], Value::Null);
}

#[tokio::test]
async fn a_deleted_account_waits_ninety_days() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    world
        .as_user(&token, "PUT", "/api/v3/user", &json!({"name": "Айгүл"}))
        .await;
    let deleted = world
        .as_user(&token, "DELETE", "/api/v3/user", &Value::Null)
        .await
        .json();
    assert!(deleted["data"]["restore_until"].is_string());
    let refused = world
        .as_user(&token, "GET", "/balance/user", &Value::Null)
        .await;
    assert_eq!(
        (refused.status, refused.code()),
        (403, "account_deleted".into())
    );
    assert_eq!(
        world
            .as_user(&token, "POST", "/api/v3/user/restore", &Value::Null)
            .await
            .status,
        200
    );
    assert_eq!(
        world
            .as_user(&token, "GET", "/balance/user", &Value::Null)
            .await
            .status,
        200
    );
    world
        .as_user(&token, "DELETE", "/api/v3/user", &Value::Null)
        .await;
    let later = time::OffsetDateTime::now_utc() + time::Duration::days(91);
    let later = later
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap();
    world.control("clock", json!({"now": later})).await;
    let second = world.sign_in("+77010000002").await;
    let person = world
        .as_user(&second, "GET", "/api/v3/user", &Value::Null)
        .await
        .json();
    assert_eq!(
        (&person["data"]["name"], &person["data"]["deleted_at"]),
        (&json!(""), &Value::Null)
    );
}

#[tokio::test]
async fn addresses_belong_to_one_person() {
    let world = World::start().await;
    let (mine, other) = (
        world.sign_in("+77010000002").await,
        world.sign_in("+77010000003").await,
    );
    let place = json!({"name": "Үй", "street": "Абай", "building": "10", "latitude": 43.24, "longitude": 76.94});
    let saved = world
        .as_user(&mine, "POST", "/profile/api/v1/address", &place)
        .await;
    assert_eq!(saved.status, 201);
    let target = format!("/profile/api/v1/address/{}", saved.json()["data"]["id"]);
    assert_eq!(
        world
            .as_user(&other, "GET", &target, &Value::Null)
            .await
            .status,
        404
    );
    assert_eq!(
        world
            .as_user(&other, "DELETE", &target, &Value::Null)
            .await
            .status,
        404
    );
    let moved = json!({"street": "Достық", "latitude": 43.2, "longitude": 76.9});
    assert_eq!(
        world.as_user(&mine, "PUT", &target, &moved).await.json()["data"]["street"],
        "Достық"
    );
    assert_eq!(
        world
            .as_user(&mine, "GET", &target, &Value::Null)
            .await
            .json()["data"]["latitude"],
        json!(43.2)
    );
    for wrong in [
        json!({"street": "x"}),
        json!({"latitude": 99, "longitude": 1}),
        json!([]),
    ] {
        assert_eq!(
            world
                .as_user(&mine, "POST", "/profile/api/v1/address", &wrong)
                .await
                .status,
            400,
            "{wrong}"
        );
    }
    assert_eq!(
        world
            .as_user(&mine, "DELETE", &target, &Value::Null)
            .await
            .status,
        200
    );
    let none = world
        .as_user(&mine, "GET", "/profile/api/v1/address", &Value::Null)
        .await
        .json();
    assert_eq!(none["data"], json!([]));
    assert_eq!(world.get("/profile/api/v1/address").await.status, 401);
}
