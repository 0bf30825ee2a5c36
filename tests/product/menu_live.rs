//! Open menus learn of changes by the stream of their venue (beyond.md, 9).

use std::time::{Duration, Instant};

use reqwest::Response;
use serde_json::{Value, json};

use crate::support::{Guest, Product, VENUE, plain_products, products};

/// From the change to the page.
const IN_TIME: Duration = Duration::from_secs(2);

pub struct Stream {
    response: Response,
    rest: String,
}

impl Stream {
    async fn open(guest: &Guest, query: &str) -> Self {
        Self::try_open(guest, query, None).await.unwrap()
    }

    async fn try_open(guest: &Guest, query: &str, last: Option<&str>) -> Result<Self, u16> {
        Self::at(guest, &format!("/filials/{VENUE}/events{query}"), last).await
    }

    /// The stream of an address.
    pub async fn at(guest: &Guest, path: &str, last: Option<&str>) -> Result<Self, u16> {
        let mut request = guest
            .request(reqwest::Method::GET, path)
            .header("accept", "text/event-stream")
            // It is open for as long as a test takes; each event has a time of its own.
            .timeout(Duration::from_secs(900));
        if let Some(cookie) = guest.cookie("dk") {
            request = request.header("cookie", format!("dk={cookie}"));
        }
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = request.send().await.unwrap();
        match response.status().as_u16() {
            200 => Ok(Self {
                response,
                rest: String::new(),
            }),
            status => Err(status),
        }
    }

    /// The next event with its id.
    pub async fn next(&mut self) -> (String, Value) {
        self.next_or_end().await.expect("the stream goes on")
    }

    /// The same; none when the stream has ended.
    pub async fn next_or_end(&mut self) -> Option<(String, Value)> {
        let told = tokio::time::timeout(Duration::from_secs(60), async {
            loop {
                while let Some((event, rest)) = self.rest.split_once("\n\n") {
                    let field = |name: &str| {
                        event
                            .lines()
                            .find_map(|line| line.strip_prefix(name))
                            .map(|value| value.trim().to_owned())
                    };
                    let (id, data) = (field("id:"), field("data:"));
                    self.rest = rest.to_owned();
                    if let (Some(id), Some(data)) = (id, data) {
                        return Some((id, serde_json::from_str(&data).unwrap()));
                    }
                }
                let piece = self.response.chunk().await.unwrap()?;
                self.rest.push_str(std::str::from_utf8(&piece).unwrap());
            }
        });
        told.await.expect("an event in time")
    }

    /// Events until one is as it should be, which is how long it took.
    pub async fn until(&mut self, is: impl Fn(&Value) -> bool) -> Duration {
        let began = Instant::now();
        loop {
            let (_, event) = self.next().await;
            if is(&event) {
                return began.elapsed();
            }
        }
    }
}

async fn page(guest: &Guest) -> Value {
    guest.get(&format!("/filials/{VENUE}")).await.data()
}

fn rev(page: &Value) -> String {
    page["page"]["data"]["rev"].as_str().unwrap().to_owned()
}

fn product_of(event: &Value, dish: u64) -> Option<&Value> {
    let products = event["products"].as_array().unwrap();
    products.iter().find(|product| product["id"] == dish)
}

#[tokio::test]
async fn stock_price_opening_and_bill_reach_an_open_menu_within_two_seconds() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = page(&guest).await;
    let dishes = plain_products(&menu);
    let ((out, _), (dearer, price)) = (dishes[0], dishes[1]);
    // Whichever way its address is spelled.
    let spelled = [format!("/filials/{VENUE}/"), format!("/filials/00{VENUE}")];
    for path in spelled.iter().flat_map(|path| [path; 3]) {
        assert_eq!(product.guest().get(path).await.status, 200, "{path}");
    }
    let mut stream = Stream::open(&guest, &format!("?since={}", rev(&menu))).await;
    let (id, first) = stream.next().await;
    assert_eq!(id, rev(&menu), "the page and the stream name one state");
    assert_eq!(first["full"], false);
    assert_eq!(first["products"], json!([]), "the page is right already");
    assert_eq!(first["open"]["open"], true);

    product.sell_out(VENUE, out).await;
    let took = stream
        .until(|event| product_of(event, out).is_some_and(|dish| dish["out"] == true))
        .await;
    assert!(took < IN_TIME, "sold out after {took:?}");

    let raised = price / 100 + 150;
    product.set_price(VENUE, dearer, raised).await;
    let took = stream
        .until(|event| product_of(event, dearer).is_some_and(|dish| dish["price"] == raised * 100))
        .await;
    assert!(took < IN_TIME, "the price after {took:?}");

    product
        .control(
            "check-pulling",
            json!({ "filial_id": VENUE, "enabled": true }),
        )
        .await;
    let took = stream.until(|event| event["bill"] == true).await;
    assert!(took < IN_TIME, "the bill after {took:?}");

    product
        .control("opening", json!({ "filial_id": VENUE, "closed": true }))
        .await;
    let took = stream.until(|event| event["open"]["open"] == false).await;
    assert!(took < IN_TIME, "closed after {took:?}");

    // A guest who comes now gets a page of now, though an older one was kept for strangers.
    let data = page(&product.guest()).await;
    let dish = products(&data).find(|dish| dish["id"] == dearer).unwrap();
    assert_eq!(dish["price"], raised * 100);
    assert_eq!(data["page"]["data"]["venue"]["open"]["open"], false);
    for path in spelled {
        let data = product.guest().get(&path).await.data();
        let dish = products(&data).find(|dish| dish["id"] == dearer).unwrap();
        assert_eq!(dish["price"], raised * 100, "{path}");
    }
}

#[tokio::test]
async fn a_stream_goes_on_from_what_the_browser_heard_last() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = page(&guest).await;
    let (dish, price) = plain_products(&menu)[0];
    let mut stream = Stream::open(&guest, "").await;
    let (_, all) = stream.next().await;
    assert_eq!(
        all["full"], true,
        "a page that names no state gets everything"
    );
    assert_eq!(all["products"].as_array().unwrap().len(), 60);
    let (before, _) = (rev(&menu), ());
    product.set_price(VENUE, dish, price / 100 + 10).await;
    stream
        .until(|event| product_of(event, dish).is_some())
        .await;
    let mut again = Stream::try_open(&guest, "?since=1", Some(&before))
        .await
        .unwrap();
    let (_, event) = again.next().await;
    assert_eq!(event["full"], false);
    let changed = event["products"].as_array().unwrap();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0]["id"], dish);
    // A cart asks for its own dishes only.
    let mut few = Stream::open(&guest, &format!("?only={dish}")).await;
    assert_eq!(few.next().await.1["products"].as_array().unwrap().len(), 1);
    // Without a stream the same comes as one answer.
    let answer = guest
        .get_with(
            &format!("/filials/{VENUE}/events?since={before}"),
            &[("accept", "application/json")],
        )
        .await;
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.json()["products"][0]["id"], dish);
}

#[tokio::test]
async fn one_reader_asks_for_all_open_pages_and_none_without_one() {
    let product = Product::start().await;
    let mut streams = Vec::new();
    for _ in 0..12 {
        let mut stream = Stream::open(&product.guest(), "").await;
        stream.next().await;
        streams.push(stream);
    }
    let looks = async || {
        let log = product.sandbox_get("log").await;
        let path = "/menu/v2/products/available";
        log.iter().filter(|call| call["path"] == path).count()
    };
    product.forget_log().await;
    tokio::time::sleep(Duration::from_millis(3500)).await;
    let asked = looks().await;
    assert!(
        (1..=4).contains(&asked),
        "{asked} looks in three and a half seconds"
    );
    drop(streams);
    tokio::time::sleep(Duration::from_millis(2500)).await;
    product.forget_log().await;
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert_eq!(looks().await, 0, "nobody looks any more");
}

#[tokio::test]
async fn one_guest_holds_a_few_streams_and_closed_ones_make_room() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(Stream::open(&guest, "").await);
    }
    let refused = Stream::try_open(&guest, "", None).await;
    assert_eq!(refused.err(), Some(429));
    assert!(
        Stream::try_open(&product.guest(), "", None).await.is_ok(),
        "another guest is another count"
    );
    open.truncate(4);
    let room =
        crate::support::eventually(5, async || Stream::try_open(&guest, "", None).await.ok());
    room.await;
}

/// S-20: eight addresses with as many streams as one may have would be all connections there are.
#[tokio::test]
async fn streams_of_all_addresses_leave_half_of_the_connections_to_pages() {
    let product = Product::with(&["--max-connections", "12"]).await;
    let mut open = Vec::new();
    for _ in 0..6 {
        open.push(Stream::open(&product.guest(), "").await);
    }
    let refused = Stream::try_open(&product.guest(), "", None).await;
    assert_eq!(refused.err(), Some(429));
    assert_eq!(product.guest().get("/faq").await.status, 200);
    open.pop();
    crate::support::eventually(5, async || {
        let more = Stream::try_open(&product.guest(), "", None).await;
        more.ok()
    })
    .await;
}

#[tokio::test]
async fn a_venue_that_does_not_exist_has_no_stream() {
    let product = Product::start().await;
    for venue in ["999999", "abc", "-2"] {
        let answer = product
            .guest()
            .get(&format!("/filials/{venue}/events"))
            .await;
        assert_eq!(answer.status, 404, "{venue}");
    }
}
