//! Nonsense in every place of every call: refused, and never a 500.

use serde_json::{Value, json};

use crate::client::send;
use crate::support::{World, dinner};
use crate::walk::Walk;

#[tokio::test]
async fn no_nonsense_breaks_any_call() {
    let world = World::start().await;
    let order = world.order(&dinner(), "junk").await.json()["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let walk = Walk::prepare(&world, order).await;
    let document = world.get("/_sandbox/openapi.json").await.json();
    let mut sent = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let mut tries = Vec::new();
            for target in targets(&walk, path, method, operation) {
                tries.push((target, Vec::new()));
            }
            if operation["requestBody"].is_object() {
                let target = filled(&walk, path, method);
                tries.extend(
                    bodies(&walk.body(path))
                        .into_iter()
                        .map(|body| (target.clone(), body)),
                );
            }
            for (target, body) in tries {
                // These would end the test's own world.
                if path.ends_with("/api/faults")
                    || path.ends_with("/reset")
                    || path.ends_with("/tokens/end")
                {
                    continue;
                }
                let status = ask(&world, &walk, method, &target, body.clone()).await;
                let shown = String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
                assert!(status < 500, "{method} {target} with {shown}: {status}");
                sent += 1;
            }
        }
    }
    assert!(sent > 2000, "only {sent} requests");
}

async fn ask(world: &World, walk: &Walk, method: &str, target: &str, body: Vec<u8>) -> u16 {
    let bearer = format!("Bearer {}", walk.token);
    let key = format!("junk-{}", body.len());
    let headers = [
        ("authorization", bearer.as_str()),
        ("x-idempotency-key", key.as_str()),
        ("x-os", "web"),
        ("x-project", "p"),
        ("content-type", "application/json"),
    ];
    let reply = send(
        world.sandbox.addr,
        &method.to_uppercase(),
        target,
        &headers,
        body,
    )
    .await;
    reply
        .unwrap_or_else(|error| panic!("{method} {target} broke the connection: {error}"))
        .status
}

fn filled(walk: &Walk, path: &str, method: &str) -> String {
    let segments = path
        .split('/')
        .map(|segment| match segment.strip_prefix('{') {
            Some(name) => walk.in_path(path, method, name.trim_end_matches('}')),
            None => segment.to_owned(),
        });
    segments.collect::<Vec<_>>().join("/")
}

/// Nonsense in each part of the path and in each parameter of the query.
fn targets(walk: &Walk, path: &str, method: &str, operation: &Value) -> Vec<String> {
    let junk = [
        "",
        "-1",
        "0",
        "99999999999999999999",
        "1e400",
        "NaN",
        "%00",
        "%FF%FE",
        "a%27%22%3C",
        "..%2F..",
        "[]",
    ];
    let mut targets = Vec::new();
    for segment in path.split('/').filter(|segment| segment.starts_with('{')) {
        targets.extend(junk.iter().map(|junk| path.replace(segment, junk)));
    }
    let base = filled(walk, path, method);
    let named = |parameter: &Value| {
        (parameter["in"] == "query")
            .then(|| parameter["name"].as_str().map(str::to_owned))
            .flatten()
    };
    let names: Vec<String> = operation["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(named)
        .collect();
    for name in &names {
        for junk in junk {
            let others = names
                .iter()
                .filter(|other| *other != name)
                .map(|other| format!("&{other}={}", walk.in_query(other)));
            targets.push(format!(
                "{base}?{name}={junk}{}",
                others.collect::<String>()
            ));
        }
    }
    targets
}

/// The body with each of its values replaced by nonsense, and some that are no JSON at all.
fn bodies(sample: &Value) -> Vec<Vec<u8>> {
    let junk = [
        Value::Null,
        json!(true),
        json!(-1),
        json!(i64::MAX),
        json!(1e308),
        json!(0.001),
        json!(""),
        json!("x".repeat(6000)),
        json!("\u{0}\u{202e}<b>"),
        json!([]),
        json!([[[[]]]]),
        json!({"a": {}}),
    ];
    let mut bodies: Vec<Vec<u8>> = ["", "{", "null", "[]", "7", "\"x\"", "\u{fffd}"]
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
    bodies.push(vec![0xff, 0xfe, 0x00]);
    bodies.push("[".repeat(100_000).into_bytes());
    let mut pointers = Vec::new();
    walk_pointers(sample, String::new(), &mut pointers);
    for pointer in pointers {
        for junk in &junk {
            let mut body = sample.clone();
            if let Some(place) = body.pointer_mut(&pointer) {
                *place = junk.clone();
            }
            bodies.push(body.to_string().into_bytes());
        }
    }
    bodies
}

fn walk_pointers(value: &Value, at: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                pointers.push(format!("{at}/{name}"));
                walk_pointers(value, format!("{at}/{name}"), pointers);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                walk_pointers(value, format!("{at}/{index}"), pointers);
            }
        }
        _ => {}
    }
}
