//! A thousand guests on a bad mobile network: two seconds of latency, 10 kB/s, connections that are reset and connections
//! that never answer. With the specification's retries at least 995 of them browse, order and see how their order stands,
//! and nobody has ordered twice (R-18, HT-05).

use std::{sync::Arc, time::Duration};

use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use reqwest::{Client, RequestBuilder, redirect::Policy};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{sleep, timeout},
};

use crate::{
    payment_storm::LIMITS,
    support::{Answer, Guest, Product, VENUE, as_fields, order_fields, plain_products, table_link},
};

const GUESTS: usize = 1000;
/// So many are there at a time.
const AT_ONCE: usize = 340;
const ENOUGH: usize = 995;
const SEED: u64 = 20_261_125;
/// Each way.
const LATENCY: Duration = Duration::from_secs(1);
const BYTES: usize = 1000;
const EVERY: Duration = Duration::from_millis(100);
const RESET: f64 = 0.05;
const HALF_OPEN: f64 = 0.01;
/// After this a phone takes a connection on which nothing comes for dead.
const GIVEN_UP: Duration = Duration::from_secs(15);
/// So often a guest asks a busy server again.
const MOST_BUSY: usize = 60;
/// Of the browser with an answer that comes slowly.
const PATIENCE: Duration = Duration::from_secs(40);

/// What becomes of a connection.
#[derive(Clone, Copy)]
enum Fate {
    Fine,
    /// Reset before the server has heard of it, or after so many bytes of its answer.
    Reset(Option<usize>),
    /// Taken, and not answered until the phone gives it up.
    HalfOpen,
}

/// The bad network in front of a server; its address.
async fn network(server: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = server.trim_start_matches("http://").to_owned();
    tokio::spawn(async move {
        let mut random = StdRng::seed_from_u64(SEED);
        while let Ok((phone, _)) = listener.accept().await {
            let fate = match random.random_range(0.0..1.0) {
                roll if roll < RESET => {
                    let answered = random.random_bool(0.5);
                    Fate::Reset(answered.then(|| random.random_range(0..4000)))
                }
                roll if roll < RESET + HALF_OPEN => Fate::HalfOpen,
                _ => Fate::Fine,
            };
            let server = server.clone();
            // A phone that hangs up is no failure of the network.
            tokio::spawn(async move { carry(phone, &server, fate).await.ok() });
        }
    });
    address
}

async fn carry(mut phone: TcpStream, server: &str, fate: Fate) -> std::io::Result<()> {
    sleep(LATENCY).await;
    match fate {
        Fate::HalfOpen => {
            let mut heard = [0; 1024];
            let silence =
                async { while phone.read(&mut heard).await.is_ok_and(|read| read > 0) {} };
            timeout(GIVEN_UP, silence).await.ok();
            return phone.set_zero_linger();
        }
        Fate::Reset(None) => return phone.set_zero_linger(),
        Fate::Fine | Fate::Reset(Some(_)) => {}
    }
    let server = TcpStream::connect(server).await?;
    let (mut from_server, mut to_server) = server.into_split();
    let mut left = match fate {
        Fate::Reset(Some(after)) => Some(after),
        _ => None,
    };
    let (mut from_phone, mut to_phone) = phone.split();
    let up = async {
        tokio::io::copy(&mut from_phone, &mut to_server).await?;
        to_server.shutdown().await
    };
    let down = async {
        let mut chunk = [0; BYTES];
        let mut first = true;
        loop {
            let read = from_server.read(&mut chunk).await?;
            if read == 0 {
                return to_phone.shutdown().await.map(|()| false);
            }
            sleep(if first { LATENCY } else { EVERY }).await;
            first = false;
            if let Some(left) = &mut left {
                if *left < read {
                    return Ok(true);
                }
                *left -= read;
            }
            to_phone.write_all(&chunk[..read]).await?;
        }
    };
    let is_reset = tokio::select! {
        done = down => done?,
        Err(error) = up => return Err(error),
    };
    if is_reset {
        phone.set_zero_linger()?;
    }
    Ok(())
}

/// A phone: connections are not kept, so that each request meets the network anew.
fn phone() -> Client {
    Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .pool_max_idle_per_host(0)
        .timeout(PATIENCE)
        .build()
        .unwrap()
}

/// Asks once and up to three times more, after one, two and three seconds (HT-05). A server that is too busy says so, and
/// is asked again: how busy is a matter of the machine, not of the network.
async fn with_retries(guest: &Guest, request: impl Fn() -> RequestBuilder) -> Option<Answer> {
    let mut busy = 0;
    let mut pause = 0;
    while pause < 4 {
        sleep(Duration::from_secs(pause)).await;
        match guest.try_send(request()).await {
            Ok(answer) if answer.status < 500 => return Some(answer),
            Ok(answer) if answer.status == 503 && busy < MOST_BUSY => {
                busy += 1;
                sleep(Duration::from_secs(1)).await;
            }
            Ok(_) | Err(_) => pause += 1,
        }
    }
    None
}

async fn get(guest: &Guest, path: &str) -> Option<Answer> {
    let request = || guest.request(reqwest::Method::GET, path);
    with_retries(guest, || request().header("accept", "text/html")).await
}

async fn post(guest: &Guest, path: &str, fields: &[(&str, &str)]) -> Option<Answer> {
    let request = || guest.request(reqwest::Method::POST, path);
    with_retries(guest, || {
        request()
            .header("sec-fetch-site", "same-origin")
            .form(fields)
    })
    .await
}

/// Written into a guest's order; a mutation id at the same time.
fn mark_of(at: usize) -> String {
    format!("network-{at:014}")
}

/// Browses, orders and looks at the order: its number when all came through, else where it ended.
async fn visit(guest: &Guest, dish: u64, mark: &str) -> Result<String, String> {
    let lost = |at: &str| format!("no answer at {at}");
    get(guest, &table_link(VENUE, "t7"))
        .await
        .ok_or_else(|| lost("the table"))?;
    let (venue, dish) = (VENUE.to_string(), dish.to_string());
    let back = format!("/filials/{VENUE}");
    let added = [
        ("filial", venue.as_str()),
        ("product", &dish),
        ("back", &back),
        ("m", mark),
    ];
    let dish_lost = || lost("the dish");
    let mut answer = post(guest, "/cart/lines", &added)
        .await
        .ok_or_else(dish_lost)?;
    // Another try may still be under way: its guest presses again.
    for _ in 0..20 {
        if answer.status != 409 {
            break;
        }
        sleep(Duration::from_secs(1)).await;
        answer = post(guest, "/cart/lines", &added)
            .await
            .ok_or_else(dish_lost)?;
    }
    if answer.location().starts_with("/cookies?") {
        answer = get(guest, &answer.location()).await.ok_or_else(dish_lost)?;
    }
    assert_eq!(answer.status, 303, "{}", answer.text());
    // A server without breath says so at the button, and may have passed over the table: its guest scans and presses again.
    for _ in 0..10 {
        match order(guest, mark).await? {
            Ordered::Number(number) => return Ok(number),
            Ordered::Again => get(guest, &table_link(VENUE, "t7"))
                .await
                .ok_or_else(|| lost("the table"))?,
        };
    }
    Err("no breath".to_owned())
}

/// What a press came to.
enum Ordered {
    /// An order of this number.
    Number(String),
    /// Nothing, by a fault of the server.
    Again,
}

/// Presses the button of the cart and follows to the order.
async fn order(guest: &Guest, mark: &str) -> Result<Ordered, String> {
    let lost = || "no answer at the order".to_owned();
    let cart = get(guest, "/cart").await.ok_or("no answer at the cart")?;
    let cart = cart.data();
    let seen = order_fields(&cart);
    let mut fields = as_fields(&seen);
    fields.retain(|(name, _)| *name != "payment");
    fields.extend([("payment", "cash"), ("comment", mark)]);
    let mut answer = post(guest, "/orders", &fields).await.ok_or_else(lost)?;
    // Another try may still be under way: its page leads to the order.
    let mut at = answer.location();
    for _ in 0..60 {
        if answer.status == 303 {
            at = answer.location();
        } else if answer.status == 200 && answer.data()["page"]["route"] == "checking" {
            sleep(Duration::from_secs(1)).await;
        } else {
            break;
        }
        answer = get(guest, &at).await.ok_or_else(lost)?;
    }
    let page = answer.data();
    if page["page"]["route"] == "order" {
        let number = &page["page"]["data"]["number"];
        return Ok(Ordered::Number(number.as_str().unwrap().to_owned()));
    }
    let told = &page["shell"]["flash"];
    let code = told["errors"][0]["code"].as_str().unwrap_or_default();
    if ["unavailable", "tableRequired"].contains(&code) {
        return Ok(Ordered::Again);
    }
    Err(format!(
        "{} {} at {at}: {told}",
        answer.status, page["page"]["route"]
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_guests_order_over_a_bad_network_and_none_twice() {
    let product = Product::with(&LIMITS).await;
    let network = network(product.address()).await;
    let menu = product.guest().get(&format!("/filials/{VENUE}")).await;
    let dishes = plain_products(&menu.data());
    let room = Arc::new(Semaphore::new(AT_ONCE));
    let tasks: Vec<_> = (0..GUESTS)
        .map(|at| {
            let guest = product.guest().over(&network, phone());
            let (dish, room) = (dishes[at % 3].0, room.clone());
            tokio::spawn(async move {
                let _place = room.acquire().await.unwrap();
                visit(&guest, dish, &mark_of(at)).await
            })
        })
        .collect();
    let mut seen = Vec::new();
    for task in tasks {
        seen.push(task.await.unwrap());
    }
    let through = seen.iter().flatten().count();
    let lost: Vec<_> = seen.iter().filter_map(|seen| seen.as_ref().err()).collect();
    assert!(through >= ENOUGH, "{through} of {GUESTS}: {lost:?}");
    let orders = product.sandbox_get("orders").await;
    let of = |at: usize| -> Vec<&Value> {
        let mark = mark_of(at);
        orders
            .iter()
            .filter(|order| order["comment"] == mark.as_str())
            .collect()
    };
    for (at, seen) in seen.iter().enumerate() {
        let made = of(at);
        assert!(made.len() <= 1, "ordered twice: {made:?}");
        if let Ok(number) = seen {
            assert_eq!(made[0]["number"], number.as_str());
            // One piece, however often it was sent.
            let piece = dishes[at % 3].1;
            let sum = (made[0]["sum"].as_f64().unwrap() * 100.0).round() as i64;
            assert!(
                (piece..piece * 2).contains(&sum),
                "{sum} for one of {piece}"
            );
        }
    }
}
