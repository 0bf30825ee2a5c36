//! Guests who order in all five kinds and pay in all ways, at once, through lost answers, doubled presses and kills. What
//! they did and what the kitchens have is compared order by order: nothing is lost, nothing is there twice, and each is of
//! its kind and costs what was shown (R-01, R-16, OR-01, PY-15).

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::future::join_all;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde_json::{Value, json};

use crate::{
    addresses::save_an_address,
    checkout::TAKEAWAY,
    payment_storm::{LIMITS, at_bank},
    sign_in::{begin, confirm_as},
    support::{Answer, Guest, Product, VENUE, as_fields, eventually, order_fields, plain_products},
};

const SEED: u64 = 20_261_124;
const WAVES: usize = 6;
/// Guests of each kind in a wave.
const GUESTS: usize = 6;
const DELIVERY: u64 = 1024;
const VENDOR: u64 = 1064;
const KINDS: [(&str, u64); 5] = [
    ("express", VENUE),
    ("takeaway", TAKEAWAY),
    ("delivery", DELIVERY),
    ("vendor-delivery", VENDOR),
    ("micromarket", TAKEAWAY),
];

/// What a guest means to order: one basket, once.
struct Wish {
    guest: Guest,
    kind: &'static str,
    venue: u64,
    dishes: Vec<u64>,
    way: &'static str,
    phone: String,
    /// Written into the order, so that the kitchen's can be told apart.
    mark: String,
    /// Hundredths that pages have asked for it.
    shown: Mutex<HashSet<i64>>,
}

impl Wish {
    async fn new(product: &Product, kind: usize, at: usize, random: &mut StdRng) -> Self {
        let (kind, venue) = KINDS[kind];
        let guest = match kind {
            "express" => product.guest_at_table(VENUE, "t7").await,
            _ => product.guest(),
        };
        let yes = [("answer", "yes"), ("back", "/")];
        guest.post("/session/age", &yes).await;
        let source = if kind == "micromarket" {
            "?source=FRIDGE"
        } else {
            ""
        };
        // A shelf without a lock has the code of a fridge too.
        guest.get(&format!("/filials/{venue}{source}")).await;
        let menu = guest.get(&format!("/filials/{venue}")).await.data();
        let mut dishes = plain_products(&menu);
        dishes.sort_by_key(|(_, price)| std::cmp::Reverse(*price));
        dishes.retain(|(_, price)| *price < 600_000);
        let dishes = dishes.iter().take(2).map(|(dish, _)| *dish).collect();
        let phone = format!("+7701{:07}", 2_000_000 + at);
        if kind != "express" {
            let page = begin(&guest, "/cart").await;
            let back = confirm_as(product, &page, &phone).await;
            assert_eq!(guest.get(&back).await.status, 303);
        }
        if kind.ends_with("delivery") {
            save_an_address(&guest).await;
            guest.post("/addresses/confirm", &[("back", "/cart")]).await;
        }
        let ways: &[&str] = match kind {
            "micromarket" => &["card", "qr"],
            _ => &["cash", "card", "qr"],
        };
        Self {
            guest,
            kind,
            venue,
            dishes,
            way: ways[random.random_range(0..ways.len())],
            phone,
            mark: format!("storm {at}"),
            shown: Mutex::default(),
        }
    }

    fn at(self, product: &Product) -> Self {
        Self {
            guest: self.guest.at(product),
            ..self
        }
    }

    async fn fill(&self) {
        for dish in &self.dishes {
            let added = self.guest.add(self.venue, *dish).await;
            assert_eq!(added.status, 303, "{}", added.text());
        }
    }

    /// Presses the button of the cart that is shown, so often at once. Whether there was one.
    async fn press(&self, page: &Value, times: usize) -> Vec<Answer> {
        let seen = order_fields(page);
        let total = page["page"]["data"]["totals"].as_array().unwrap().last();
        self.shown
            .lock()
            .unwrap()
            .insert(total.unwrap()["sum"].as_i64().unwrap());
        let mut fields = as_fields(&seen);
        fields.retain(|(name, _)| *name != "payment");
        fields.extend([("payment", self.way), ("comment", self.mark.as_str())]);
        join_all((0..times).map(|_| self.guest.post("/orders", &fields))).await
    }

    /// Presses through the trouble, and pays when led to the bank.
    async fn through_trouble(self: Arc<Self>, seed: u64) {
        let mut random = StdRng::seed_from_u64(seed);
        for _ in 0..random.random_range(1..4) {
            let page = self.guest.get("/cart").await;
            if page.status == 200 {
                self.step(&page.data(), random.random_range(1..4)).await;
            }
        }
    }

    /// The next thing that the cart asks for; whether all is done.
    async fn step(&self, page: &Value, presses: usize) -> bool {
        if page["shell"]["cart"].is_null() {
            return true;
        }
        let cart = &page["page"]["data"];
        if cart["totals"].as_array().is_none_or(Vec::is_empty) {
            return false;
        }
        if let Some(own) = cart["unpaid"]["href"].as_str() {
            let answer = self.guest.post(own, &[("payment", self.way)]).await;
            self.pay(&answer).await;
        } else if cart["blocks"] == json!([]) {
            for answer in self.press(page, presses).await {
                self.pay(&answer).await;
            }
        }
        false
    }

    async fn pay(&self, answer: &Answer) {
        if answer.status != 303 {
            return;
        }
        let mut bank = answer.location();
        // The way with a code leads over a page of ours, which has the bank's link.
        if bank.starts_with("/pay/") {
            let page = self.guest.get(&bank).await;
            if page.status != 200 {
                return;
            }
            let link = page.data()["page"]["data"]["bank"].clone();
            bank = link.as_str().unwrap_or_default().to_owned();
        }
        if bank.starts_with("http")
            && let Some(back) = at_bank(&bank, "succeeded").await
        {
            self.guest.get(&back).await;
        }
    }

    /// In peace again: until the basket is ordered and paid. Whom a refused bearer has signed out signs in anew.
    async fn finish(&self, product: &Product) {
        let mut said = String::new();
        for _ in 0..400 {
            let page = self.guest.get("/cart").await;
            if page.status != 200 {
                said = format!("{}: {}", page.status, page.location());
            } else if page.data()["page"]["data"]["blocks"] == json!(["signIn"]) {
                let page = begin(&self.guest, "/cart").await;
                let back = confirm_as(product, &page, &self.phone).await;
                self.guest.get(&back).await;
            } else if self.step(&page.data(), 1).await {
                return;
            } else {
                said = page.data()["page"]["data"].to_string();
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        panic!("{} of {} is not done: {said}", self.mark, self.kind);
    }
}

fn trouble(random: &mut StdRng) -> Value {
    let path = match random.random_range(0..7) {
        5 => "/takeaway/v2/user/order".to_owned(),
        6 => "/takeaway/v1/order".to_owned(),
        kind => format!("/takeaway/v1/{}/order", KINDS[kind].0),
    };
    let kind = ["reset", "truncate", "cut_json", "status"][random.random_range(0..4)];
    // A bearer that is refused is renewed once, or the guest signed out; nothing was done under it.
    let status = [503, 401][random.random_range(0..2)];
    let after_commit = status != 401 && random.random_bool(0.7);
    json!({
        "path": path, "kind": kind, "status": status,
        "times": random.random_range(1..3), "after_commit": after_commit,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_of_all_kinds_are_there_once_and_cost_what_was_shown() {
    let mut product = Product::with(&LIMITS).await;
    let mut random = StdRng::seed_from_u64(SEED);
    let mut everybody: Vec<Wish> = Vec::new();
    for wave in 0..WAVES {
        let mut wishes = Vec::new();
        for kind in 0..KINDS.len() {
            for _ in 0..GUESTS {
                let at = everybody.len() + wishes.len();
                let wish = Wish::new(&product, kind, at, &mut random).await;
                wish.fill().await;
                wishes.push(Arc::new(wish));
            }
        }
        for _ in 0..12 {
            product.control("faults", trouble(&mut random)).await;
        }
        let before = product.sandbox_get("orders").await.len();
        let tasks: Vec<_> = wishes
            .iter()
            .map(|wish| tokio::spawn(wish.clone().through_trouble(random.random())))
            .collect();
        if wave % 2 == 0 {
            // The process dies while a part of the orders is there.
            eventually(60, async || {
                let orders = product.sandbox_get("orders").await.len();
                (orders >= before + wishes.len() / 3).then_some(())
            })
            .await;
            for task in &tasks {
                task.abort();
            }
            for task in tasks {
                drop(task.await);
            }
            product = product.killed_and_started_again().await;
        } else {
            for task in tasks {
                task.await.unwrap();
            }
        }
        product.no_faults().await;
        let wishes = wishes.into_iter().map(|wish| {
            let wish = Arc::into_inner(wish).expect("the tasks have ended");
            wish.at(&product)
        });
        let wishes: Vec<Wish> = wishes.collect();
        join_all(wishes.iter().map(|wish| wish.finish(&product))).await;
        everybody.extend(wishes);
    }

    let mut orders: HashMap<String, Vec<Value>> = HashMap::new();
    for order in product.sandbox_get("orders").await {
        let mark = order["comment"].as_str().unwrap_or_default().to_owned();
        orders.entry(mark).or_default().push(order);
    }
    assert_eq!(orders.len(), everybody.len(), "each basket is an order");
    let hundredths = |sum: &Value| (sum.as_f64().unwrap() * 100.0).round() as i64;
    let mut sums = HashMap::new();
    for wish in &everybody {
        let found = &orders[&wish.mark];
        assert_eq!(found.len(), 1, "once: {found:?}");
        let order = &found[0];
        assert_eq!(order["kind"], wish.kind, "{order}");
        assert_eq!(order["filial_id"], wish.venue, "{order}");
        let sum = hundredths(&order["sum"]);
        assert!(wish.shown.lock().unwrap().contains(&sum), "{order}");
        assert_ne!(order["status"], "canceled");
        assert_eq!(order["paid"], wish.way != "cash", "{order}");
        if wish.way != "cash" {
            sums.insert(order["id"].as_str().unwrap().to_owned(), sum);
        }
        // The guest sees it, and no other.
        let list = wish.guest.at(&product).get("/orders?lang=en").await;
        let page = list.data()["page"]["data"].clone();
        let rows = ["orders", "here"].map(|part| page[part].as_array().cloned());
        let numbers: Vec<Value> = rows
            .into_iter()
            .flatten()
            .flatten()
            .map(|row| row["number"].clone())
            .collect();
        assert_eq!(numbers, [order["number"].clone()], "{page}");
    }
    let captured: Vec<Value> = product
        .sandbox_get("payments")
        .await
        .into_iter()
        .filter(|payment| payment["status"] == "succeeded")
        .collect();
    assert_eq!(captured.len(), sums.len(), "paid once each");
    for payment in captured {
        let order = payment["subject_id"].as_str().unwrap();
        assert_eq!(Some(&hundredths(&payment["sum"])), sums.get(order));
    }
    // Each kind was ordered, and each way of paying taken.
    for (kind, _) in KINDS {
        assert_eq!(
            everybody.iter().filter(|wish| wish.kind == kind).count(),
            WAVES * GUESTS
        );
    }
    for way in ["cash", "card", "qr"] {
        assert!(everybody.iter().any(|wish| wish.way == way), "{way}");
    }
}
