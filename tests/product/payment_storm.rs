//! A thousand guests who pay online through lost answers, doubled presses, several browsers and kills: what the bank has
//! captured is what the orders cost that guests see as paid, and nobody pays twice (R-01, PY-15, beyond.md 4 and 6).

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
};

use futures_util::future::join_all;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde_json::{Value, json};
use url::{Position, Url};

use crate::{
    checkout::order_seen,
    support::{Guest, Product, VENUE, client, eventually, plain_products},
};

const WAVES: u64 = 10;
const GUESTS: u64 = 100;
const SEED: u64 = 20_261_123;
pub const LIMITS: [&str; 10] = [
    "--address-mutations-per-minute",
    "1000000",
    "--address-orders-per-minute",
    "1000000",
    "--address-sessions-per-minute",
    "1000000",
    "--mutations-per-minute",
    "100000",
    "--table-orders-per-hour",
    "1000000",
];

/// What a guest has been shown: the pages of paying.
type Seen = Arc<Mutex<HashSet<String>>>;

fn path_of(address: &str) -> String {
    address.split('?').next().unwrap_or_default().to_owned()
}

/// What one guest does before the wave ends, in whatever order chance has it.
async fn muddle(guest: Arc<Guest>, seen: Seen, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut banks: Vec<String> = Vec::new();
    let note = |address: &str, banks: &mut Vec<String>| {
        if address.starts_with("/pay/") {
            seen.lock().unwrap().insert(path_of(address));
        } else if address.starts_with("http") {
            banks.push(address.to_owned());
        }
    };
    for _ in 0..random.random_range(3..9) {
        let own = seen.lock().unwrap().iter().next().cloned();
        match (random.random_range(0..7), own) {
            (0 | 1, _) | (_, None) => {
                let page = guest.get("/cart").await;
                let page = match page.status {
                    200 => page.data(),
                    _ => continue,
                };
                // A busy upstream may have told no sums.
                if page["page"]["data"]["totals"]
                    .as_array()
                    .is_none_or(Vec::is_empty)
                {
                    continue;
                }
                if let Some(href) = page["page"]["data"]["unpaid"]["href"].as_str() {
                    note(href, &mut banks);
                }
                let way = ["card", "qr"][random.random_range(0..2)];
                // One press, or an impatient two.
                for answer in
                    join_all((0..random.random_range(1..3)).map(|_| order_seen(&guest, &page, way)))
                        .await
                {
                    if answer.status == 303 {
                        note(&answer.location(), &mut banks);
                    }
                }
            }
            (2, Some(own)) => {
                let way = ["card", "qr"][random.random_range(0..2)];
                let answer = guest.post(&own, &[("payment", way)]).await;
                if answer.status == 303 {
                    note(&answer.location(), &mut banks);
                }
            }
            (3, Some(own)) => {
                let answer = guest.get(&own).await;
                if answer.status == 200
                    && let Some(bank) = answer.data()["page"]["data"]["bank"].as_str()
                {
                    banks.push(bank.to_owned());
                }
            }
            (4, Some(own)) => {
                guest.another_browser().get(&own).await;
            }
            (5, Some(own)) if random.random_bool(0.3) => {
                guest.post(&format!("{own}/cancel"), &[]).await;
            }
            (_, Some(_)) => {
                let Some(bank) = banks.last() else { continue };
                let outcome =
                    ["succeeded", "succeeded", "declined", "abandoned"][random.random_range(0..4)];
                if let Some(back) = at_bank(bank, outcome).await {
                    note(&back, &mut banks);
                    if random.random_bool(0.7) {
                        guest.get(&back).await;
                    }
                }
            }
        }
    }
}

/// Ends an attempt at the bank: the page that it leads back to, if it could be reached.
pub async fn at_bank(page: &str, outcome: &str) -> Option<String> {
    let form = client().post(page).form(&[("outcome", outcome)]);
    let answer = form.send().await.ok()?;
    let back = answer.headers().get("location")?.to_str().ok()?;
    let back = Url::parse(back).ok()?;
    Some(back[Position::BeforePath..].to_owned())
}

/// In peace again the guest pays what waits, or calls it off.
async fn finish(guest: &Guest, seen: &Seen, pays: bool) {
    eventually(300, async || {
        let page = guest.get("/cart").await;
        if page.status != 200 {
            return None;
        }
        let data = page.data();
        let cart = &data["page"]["data"];
        if data["shell"]["cart"].is_null() {
            return Some(());
        }
        let Some(own) = cart["unpaid"]["href"].as_str().map(str::to_owned) else {
            // The dishes are there, and no order waits.
            return Some(());
        };
        seen.lock().unwrap().insert(own.clone());
        if pays {
            let answer = guest.post(&own, &[("payment", "card")]).await;
            if answer.location().starts_with("http") {
                at_bank(&answer.location(), "succeeded").await;
            }
        } else {
            guest.post(&format!("{own}/cancel"), &[]).await;
        }
        None
    })
    .await;
}

/// What the guest is told of each order: the sums of those that are paid, by their number.
async fn paid_as_seen(guest: &Guest, seen: &Seen) -> HashMap<String, i64> {
    let mut paid = HashMap::new();
    let mut pages: Vec<String> = seen.lock().unwrap().iter().cloned().collect();
    // A guest who was not led there, because all broke off, finds the order under way on every page.
    let home = guest.get("/").await.data();
    let under_way = home["shell"]["activeOrder"]["href"].as_str();
    pages.extend(under_way.map(str::to_owned));
    for page in pages {
        let there = eventually(300, async || {
            let answer = guest.get(&page).await;
            matches!(answer.status, 200 | 303).then_some(answer)
        })
        .await;
        let order = match there.status {
            303 if there.location().contains("/order/") => guest.get(&there.location()).await,
            200 if page.contains("/order/") => there,
            _ => continue,
        };
        let order = order.data()["page"]["data"].clone();
        if order["paid"] == true {
            let totals = order["totals"].as_array().unwrap();
            let sum = totals.last().unwrap()["sum"].as_i64().unwrap();
            paid.insert(order["number"].as_str().unwrap().to_owned(), sum);
        }
    }
    paid
}

fn trouble(random: &mut StdRng) -> Value {
    let path = [
        "/takeaway/v1/express/order",
        "/takeaway/v1/order",
        "/takeaway/v2/user/order",
    ][random.random_range(0..3)];
    let kind = ["reset", "truncate", "cut_json", "status"][random.random_range(0..4)];
    json!({
        "path": path, "kind": kind, "status": 503,
        "times": random.random_range(1..3), "after_commit": random.random_bool(0.7),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_guests_pay_what_their_orders_cost_once() {
    let mut product = Product::with(&LIMITS).await;
    let mut random = StdRng::seed_from_u64(SEED);
    let menu = product
        .guest()
        .get(&format!("/filials/{VENUE}"))
        .await
        .data();
    let dishes = plain_products(&menu);
    let mut everybody: Vec<(Guest, Seen)> = Vec::new();
    for wave in 0..WAVES {
        let mut guests = Vec::new();
        for at in 0..GUESTS {
            let guest = product.guest_at_table(VENUE, "t7").await;
            let dish = dishes[(at as usize) % 3].0;
            guest.add(VENUE, dish).await;
            guests.push((Arc::new(guest), Seen::default()));
        }
        let tasks: Vec<_> = guests
            .iter()
            .enumerate()
            .map(|(at, (guest, seen))| {
                let seed = SEED + wave * GUESTS + at as u64;
                tokio::spawn(muddle(guest.clone(), seen.clone(), seed))
            })
            .collect();
        for _ in 0..8 {
            product.control("faults", trouble(&mut random)).await;
        }
        if wave % 2 == 0 {
            // In the middle of it all: what guests have in hand breaks off, then the process dies.
            let so_many = eventually(300, async || {
                let orders = product.sandbox_get("orders").await.len() as u64;
                (orders >= wave * GUESTS * 6 / 10 + GUESTS / 4).then_some(())
            });
            so_many.await;
            for task in &tasks {
                task.abort();
            }
            product = product.killed_and_started_again().await;
        } else {
            for task in tasks {
                task.await.unwrap();
            }
            product.no_faults().await;
        }
        let finishing = guests
            .into_iter()
            .enumerate()
            .map(async |(at, (guest, seen))| {
                let pays = at % 4 != 0;
                let guest = guest.at(&product);
                finish(&guest, &seen, pays).await;
                (guest, seen)
            });
        everybody.extend(join_all(finishing).await);
    }
    let mut seen_paid = 0;
    let mut numbers = HashSet::new();
    for (guest, seen) in &everybody {
        for (number, sum) in paid_as_seen(&guest.at(&product), seen).await {
            assert!(numbers.insert(number), "one order, two guests");
            seen_paid += sum;
        }
    }
    let payments = product.sandbox_get("payments").await;
    let captured: Vec<&Value> = payments
        .iter()
        .filter(|payment| payment["status"] == "succeeded")
        .collect();
    let hundredths = |sum: &Value| (sum.as_f64().unwrap() * 100.0).round() as i64;
    let captures: i64 = captured
        .iter()
        .map(|payment| hundredths(&payment["sum"]))
        .sum();
    let subjects: HashSet<&Value> = captured
        .iter()
        .map(|payment| &payment["subject_id"])
        .collect();
    assert_eq!(subjects.len(), captured.len(), "no order is paid twice");
    let orders = product.sandbox_get("orders").await;
    let costs: i64 = orders
        .iter()
        .filter(|order| order["paid"] == true && order["status"] != "canceled")
        .map(|order| hundredths(&order["sum"]))
        .sum();
    assert_eq!(captures, costs);
    assert_eq!(captures, seen_paid);
    assert_eq!(numbers.len(), captured.len());
    // The run was one: many have paid, and some attempts came to nothing first.
    assert!(
        captured.len() as u64 > WAVES * GUESTS / 4,
        "{}",
        captured.len()
    );
    assert!(payments.len() > captured.len());
}
