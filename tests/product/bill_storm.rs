//! Several phones at one bill through lost answers, doubled presses, banks that refuse, and kills at every step: what the
//! bank has captured is the bill to the last unit, and no dish was paid twice (PY-14, PY-15, beyond.md 17).

use std::sync::Arc;

use futures_util::future::join_all;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde_json::json;

use crate::{
    bill::{href, of, opened},
    bill_pay::{at_bank, captured, fields_of, pay_path, post, take},
    support::{Guest, Product, eventually},
};

const ROUNDS: u64 = 8;
const GUESTS: u64 = 6;
const SEED: u64 = 20_261_124;
const LIMITS: [&str; 12] = [
    "--address-mutations-per-minute",
    "1000000",
    "--address-orders-per-minute",
    "1000000",
    "--address-sessions-per-minute",
    "1000000",
    "--mutations-per-minute",
    "100000",
    // Parts that wait make way for a guest who pays, in the middle of everything.
    "--bill-wait-seconds",
    "1",
    "--bill-unpaid-per-hour",
    "1000",
];

/// What one guest does at the bill, in whatever order chance has it. Pages may fail; nothing is expected of them.
async fn muddle(guest: Arc<Guest>, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    for _ in 0..random.random_range(2..6) {
        let split = match random.random_range(0..4) {
            0 => {
                let counts = [
                    random.random_range(0..3),
                    random.random_range(0..2),
                    random.random_range(0..3),
                ];
                let page = guest.get(&href()).await;
                if page.status == 200 && of(&page)["state"] == "open" {
                    take_quietly(&guest, &of(&page), &counts).await;
                }
                "&split=dishes".to_owned()
            }
            1 => format!("&split=equal&of={}&pay=1", random.random_range(2..7)),
            2 => format!("&split=sum&sum={}", random.random_range(1..900)),
            _ => "&split=all".to_owned(),
        };
        let tip = [0, 5, 10, 15][random.random_range(0..4)];
        let page = guest.get(&format!("{}{split}&tip={tip}", href())).await;
        if page.status != 200 {
            continue;
        }
        let data = of(&page);
        if data["choice"].is_null() || !data["choice"]["problem"].is_null() {
            continue;
        }
        let way = ["card", "qr"][random.random_range(0..2)];
        let fields = fields_of(&data, way);
        let presses = random.random_range(1..4);
        let path = pay_path();
        for answer in join_all((0..presses).map(|_| post(&guest, &path, &fields))).await {
            let to = answer.location();
            if to.starts_with("http") && random.random_bool(0.8) {
                let outcome =
                    ["succeeded", "succeeded", "declined", "abandoned"][random.random_range(0..4)];
                at_bank(&to, outcome).await;
            }
        }
    }
}

async fn take_quietly(guest: &Guest, page: &serde_json::Value, counts: &[u32]) {
    let mut fields = vec![(
        "bill".to_owned(),
        page["bill"].as_str().unwrap_or_default().to_owned(),
    )];
    for (line, count) in page["lines"].as_array().unwrap().iter().zip(counts) {
        let name = format!("unit.{}", line["key"].as_str().unwrap());
        fields.push((name, count.to_string()));
    }
    post(guest, &pay_path().replace("/pay?", "/dishes?"), &fields).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn however_guests_pay_and_servers_die_the_captures_are_the_bill() {
    let mut product = Product::with(&LIMITS).await;
    let mut random = StdRng::seed_from_u64(SEED);
    for round in 0..ROUNDS {
        let before: i64 = captured(&product).await.iter().sum();
        let bill = opened(&product, &[2, 1, 3]).await;
        let total = of(&product.guest().get(&href()).await)["total"]
            .as_i64()
            .unwrap();
        let guests: Vec<Arc<Guest>> = (0..GUESTS).map(|_| Arc::new(product.guest())).collect();
        let tasks: Vec<_> = guests
            .iter()
            .enumerate()
            .map(|(at, guest)| {
                let seed = SEED + round * GUESTS + at as u64;
                tokio::spawn(muddle(guest.clone(), seed))
            })
            .collect();
        for _ in 0..3 {
            let kind = ["reset", "truncate", "status"][random.random_range(0..3)];
            let fault = json!({
                "path": format!("/bills/v1/bill/{bill}/payments"), "kind": kind, "status": 503,
                "times": random.random_range(1..3), "after_commit": random.random_bool(0.7),
            });
            product.control("faults", fault).await;
        }
        if round % 2 == 0 {
            // At another step each time: when so many payments have been opened.
            let so_many = product.sandbox_get("payments").await.len() + random.random_range(0..3);
            eventually(60, async || {
                let over = tasks.iter().all(tokio::task::JoinHandle::is_finished);
                let payments = product.sandbox_get("payments").await.len();
                (over || payments > so_many).then_some(())
            })
            .await;
            for task in &tasks {
                task.abort();
            }
            product = product.killed_and_started_again().await;
        } else {
            for task in tasks {
                task.await.unwrap();
            }
        }
        product.no_faults().await;
        // In peace again: what waits at the bank is paid or refused there, then somebody pays the rest.
        let last = product.guest();
        eventually(120, async || {
            for payment in product.sandbox_get("payments").await {
                if payment["status"] == "pending" {
                    let id = payment["id"].as_str().unwrap();
                    let outcome = if id.ends_with(|last: char| last < 'M') {
                        "succeeded"
                    } else {
                        "declined"
                    };
                    let end = json!({ "payment_id": payment["id"], "outcome": outcome });
                    product.control("payment", end).await;
                }
            }
            let page = last.get(&format!("{}&split=all", href())).await;
            if page.status == 404 {
                return Some(());
            }
            let data = of(&page);
            // A guest who has paid the rest is told so.
            if data["state"] == "closed" {
                return Some(());
            }
            if page.status == 200 && data["choice"]["problem"].is_null() && data["left"] != 0 {
                let answer = post(&last, &pay_path(), &fields_of(&data, "card")).await;
                if answer.location().starts_with("http") {
                    at_bank(&answer.location(), "succeeded").await;
                }
            }
            None
        })
        .await;
        let (parts, tips) = parts_of(&product, &bill).await;
        assert_eq!(parts, total, "round {round}: the parts are the bill");
        assert_eq!(
            captured(&product).await.iter().sum::<i64>() - before,
            parts + tips,
            "round {round}: and what the bank has taken is the parts with their tips"
        );
    }
}

/// What was paid of a bill, and what on top of it, hundredths: by the answers that the upstream has kept.
async fn parts_of(product: &Product, bill: &str) -> (i64, i64) {
    let paid = product.sandbox_get("bills").await;
    let one = paid.iter().find(|one| one["id"] == bill).unwrap();
    let paid = one["payments"].as_array().unwrap().iter();
    let paid: Vec<_> = paid.filter(|part| part["status"] == "succeeded").collect();
    let of = |field: &str| -> i64 {
        let sums = paid
            .iter()
            .map(|part| part[field].as_f64().unwrap() * 100.0);
        sums.map(|sum| sum.round() as i64).sum()
    };
    (of("sum"), of("tips"))
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_who_pay_at_once_never_pay_one_dish_twice() {
    let product = Product::with(&LIMITS).await;
    opened(&product, &[3, 2, 1]).await;
    let guests: Vec<Guest> = (0..6).map(|_| product.guest()).collect();
    // Everybody wants everything; what each has got is paid at once.
    let counts = [3, 2, 1];
    join_all(guests.iter().map(|guest| take(guest, &counts))).await;
    let total = of(&product.guest().get(&href()).await)["total"]
        .as_i64()
        .unwrap();
    join_all(guests.iter().map(async |guest| {
        let data = of(&guest.get(&format!("{}&split=dishes", href())).await);
        if !data["choice"]["problem"].is_null() {
            return;
        }
        let answer = post(guest, &pay_path(), &fields_of(&data, "card")).await;
        if answer.location().starts_with("http") {
            at_bank(&answer.location(), "succeeded").await;
        }
    }))
    .await;
    let page = product.guest().get(&href()).await;
    if page.status == 200 {
        let data = of(&page);
        for line in data["lines"].as_array().unwrap() {
            assert!(line["paid"].as_u64() <= line["count"].as_u64(), "{line}");
        }
        let paid: i64 = captured(&product).await.iter().sum();
        assert_eq!(paid + data["left"].as_i64().unwrap(), total);
    } else {
        assert_eq!(captured(&product).await.iter().sum::<i64>(), total);
    }
}
