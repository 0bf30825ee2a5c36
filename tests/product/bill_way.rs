//! Who begins to pay a bill and does not pay keeps it from nobody for long: the part makes way for a guest who pays, called
//! off at the bank first, and nobody begins many of them (PY-14, PY-15, SC-03, SC-07).

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    bill::{href, of, opened, seen},
    bill_off::{PARTS, call_off, hangs, own, the_rest_is_paid_once, told_off},
    bill_pay::{at_bank, captured, fields_of, pay, pay_path, post, take},
    menu_live::Stream,
    support::{Guest, Product, eventually},
};

/// Begun parts make way after a second, and may be begun as often as one likes.
const SOON: [&str; 4] = ["--bill-wait-seconds", "1", "--bill-unpaid-per-hour", "1000"];

/// Reads the bill of a table.
const BILL: &str = "/bills/v1/bill";

/// The page of a choice, once the stranger's part has waited for long enough.
async fn free(guest: &Guest, query: &str, left: i64) -> Value {
    eventually(60, async || {
        let page = seen(guest, query).await;
        (page["left"] == left).then_some(page)
    })
    .await
}

fn problem(location: &str) -> &str {
    location.split("problem=").nth(1).unwrap_or_default()
}

/// A bill that a stranger has begun to pay, all of it, and the form of a friend who had looked at it before.
struct Begun {
    product: Product,
    other_guest: Guest,
    friend: Guest,
    form: Vec<(String, String)>,
}

async fn begun() -> Begun {
    let product = Product::start().await;
    opened(&product, &[2]).await;
    let (other_guest, friend) = (product.guest(), product.guest());
    let form = fields_of(&seen(&friend, "&split=all").await, "card");
    pay(&other_guest, "&split=all", "card").await;
    Begun {
        product,
        other_guest,
        friend,
        form,
    }
}

#[tokio::test]
async fn for_some_minutes_a_part_is_kept_for_who_has_begun_it() {
    let Begun {
        product,
        friend,
        form,
        ..
    } = begun().await;
    assert_eq!(seen(&friend, "").await["left"], 0);
    let late = post(&friend, &pay_path(), &form).await;
    assert_eq!(problem(&late.location()), "less");
    assert_eq!(told_off(&product).await, 0);
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
}

/// What others are paying may come back: it is not called paid, and is told only while it is so.
#[tokio::test]
async fn that_others_are_paying_is_told_as_long_as_they_are() {
    let Begun {
        product,
        other_guest,
        friend,
        form,
    } = begun().await;
    let total = seen(&friend, "").await["total"].as_i64().unwrap();
    let told = post(&friend, &pay_path(), &form).await.location();
    assert!(told.contains(&format!("&wanted={total}&")), "{told}");
    let page = friend.get(&format!("{told}&lang=en")).await;
    assert_eq!(
        (&of(&page)["problem"], &of(&page)["wanted"]),
        (&json!("less"), &json!(total))
    );
    let said = page.texts(".pay > .note");
    assert_eq!(
        said,
        [
            "Others are paying all that is left now. Nothing was charged. If they do not pay, you can choose again here."
        ]
    );
    let sums = page.texts(".sums > div");
    assert!(
        sums.iter().any(|sum| sum.starts_with("Left to choose")),
        "{sums:?}"
    );
    assert!(
        !sums.iter().any(|sum| sum.starts_with("Left to pay")),
        "{sums:?}"
    );
    call_off(&other_guest, &own(&other_guest).await).await;
    assert_eq!(told_off(&product).await, 1);
    free(&friend, "", total).await;
    let page = friend.get(&format!("{told}&lang=en")).await;
    assert_eq!(
        (&of(&page)["problem"], &of(&page)["left"]),
        (&Value::Null, &json!(total))
    );
    assert!(page.texts(".pay > .note").is_empty());
    let sums = page.texts(".sums > div");
    assert!(
        sums.iter().any(|sum| sum.starts_with("Left to pay")),
        "{sums:?}"
    );
}

#[tokio::test]
async fn what_a_stranger_begins_and_does_not_pay_makes_way_for_a_guest_who_pays() {
    // Bills are read once a second: the part has to be seen before it makes way.
    let product = Product::with(&["--bill-wait-seconds", "6"]).await;
    opened(&product, &[2]).await;
    let (other_guest, friend) = (product.guest(), product.guest());
    let before = seen(&friend, "").await;
    let total = before["total"].as_i64().unwrap();
    let events = before["events"].as_str().unwrap().to_owned();
    let mut stream = Stream::at(&friend, &events, None).await.unwrap();
    let bank = pay(&other_guest, "&split=all&tip=10", "card")
        .await
        .location();
    let part = own(&other_guest).await;
    stream.until(|event| event["left"] == 0).await;
    // An open page learns by itself that it can be paid: time alone has passed.
    stream.until(|event| event["left"] == total).await;
    // Looking calls nothing off.
    let page = free(&friend, "&split=all", total).await;
    assert_eq!(
        (&page["paying"], &page["choice"]["amount"]),
        (&json!(0), &json!(total))
    );
    assert_eq!(told_off(&product).await, 0);
    assert_eq!(seen(&other_guest, "").await["mine"][0]["paid"], false);
    let own_bank = post(&friend, &pay_path(), &fields_of(&page, "card"))
        .await
        .location();
    assert!(own_bank.starts_with("http"), "{own_bank}");
    assert_eq!(told_off(&product).await, 1);
    // The page of the bank that is still open takes no money.
    at_bank(&bank, "succeeded").await;
    assert!(captured(&product).await.is_empty());
    assert_eq!(of(&other_guest.get(&part).await)["state"], "abandoned");
    at_bank(&own_bank, "succeeded").await;
    assert_eq!(captured(&product).await, [total]);
    assert_eq!(product.guest().get(&href()).await.status, 404);
}

#[tokio::test]
async fn only_what_holds_what_a_guest_asks_for_makes_way() {
    let product = Product::with(&SOON).await;
    opened(&product, &[2, 1]).await;
    let (slow, friend) = (product.guest(), product.guest());
    let total = seen(&friend, "").await["total"].as_i64().unwrap();
    take(&slow, &[1, 0]).await;
    let slow_bank = pay(&slow, "&split=dishes", "card").await.location();
    free(&friend, "", total).await;
    // Another dish, and a sum that is there beside theirs: nobody is in the way.
    take(&friend, &[1, 0]).await;
    let bank = pay(&friend, "&split=dishes", "card").await.location();
    at_bank(&bank, "succeeded").await;
    assert_eq!(told_off(&product).await, 0);
    at_bank(&slow_bank, "succeeded").await;
    assert_eq!(captured(&product).await.len(), 2);
    the_rest_is_paid_once(&product, total).await;
}

#[tokio::test]
async fn a_dish_that_waits_too_long_is_anothers_and_is_paid_once() {
    let product = Product::with(&SOON).await;
    opened(&product, &[1, 2]).await;
    let (slow, friend) = (product.guest(), product.guest());
    let total = seen(&friend, "").await["total"].as_i64().unwrap();
    take(&slow, &[1, 0]).await;
    let slow_bank = pay(&slow, "&split=dishes", "card").await.location();
    free(&friend, "", total).await;
    let page = take(&friend, &[1, 0]).await;
    assert_eq!(
        (&page["lines"][0]["mine"], &page["problem"]),
        (&json!(1), &Value::Null)
    );
    // The bank was quicker after all: the dish is paid, and not a second time.
    let form = fields_of(&page, "card");
    at_bank(&slow_bank, "succeeded").await;
    let late = post(&friend, &pay_path(), &form).await;
    assert_eq!(problem(&late.location()), "taken");
    assert_eq!(captured(&product).await.len(), 1);
    let page = seen(&friend, "").await;
    assert_eq!(page["lines"][0]["paid"], 1);
    // The same once more with the other dish, and nobody is quicker.
    take(&slow, &[0, 2]).await;
    let slow_bank = pay(&slow, "&split=dishes", "card").await.location();
    let left = total - captured(&product).await[0];
    free(&friend, "", left).await;
    take(&friend, &[0, 2]).await;
    let bank = pay(&friend, "&split=dishes", "card").await.location();
    at_bank(&slow_bank, "succeeded").await;
    at_bank(&bank, "succeeded").await;
    assert_eq!(told_off(&product).await, 1);
    assert_eq!(captured(&product).await.iter().sum::<i64>(), total);
    assert_eq!(product.guest().get(&href()).await.status, 404);
}

/// A session costs one request: a guest who begins one after the other would keep a dish for as long as they like.
#[tokio::test]
async fn a_dish_that_is_chosen_for_too_long_is_there_for_who_pays_first() {
    let product = Product::with(&["--bill-chosen-seconds", "1"]).await;
    opened(&product, &[1, 3]).await;
    let (other_guest, friend) = (product.guest(), product.guest());
    let form = fields_of(&take(&other_guest, &[1, 0]).await, "card");
    let page = take(&friend, &[1, 0]).await;
    let line = &page["lines"][0];
    assert_eq!(
        (&line["mine"], &line["others"], &page["problem"]),
        (&json!(1), &json!(0), &Value::Null)
    );
    let kept = seen(&other_guest, "&split=dishes").await;
    assert_eq!(kept["lines"][0]["mine"], 1, "nobody has paid it yet");
    let bank = pay(&friend, "&split=dishes", "card").await.location();
    assert!(bank.starts_with("http"), "{bank}");
    let late = post(&other_guest, &pay_path(), &form).await;
    assert_eq!(problem(&late.location()), "taken");
    let page = of(&other_guest.get(&late.location()).await);
    let line = &page["lines"][0];
    assert_eq!((&line["mine"], &line["others"]), (&json!(0), &json!(1)));
    assert_eq!(page["choice"]["amount"], 0);
    at_bank(&bank, "succeeded").await;
    assert_eq!(captured(&product).await.len(), 1);
}

#[tokio::test]
async fn a_bank_that_takes_the_money_meanwhile_is_believed_and_it_is_not_paid_again() {
    let product = Product::with(&SOON).await;
    opened(&product, &[3]).await;
    let (other_guest, friend) = (product.guest(), product.guest());
    let total = seen(&friend, "").await["total"].as_i64().unwrap();
    for round in 0..6 {
        let before: i64 = captured(&product).await.iter().sum();
        let bank = pay(&other_guest, "&split=sum&sum=100", "card")
            .await
            .location();
        let page = free(&friend, "&split=all", total - before).await;
        let form = fields_of(&page, "card");
        let path = pay_path();
        let presses = join_all((0..2).map(|_| post(&friend, &path, &form)));
        let (answers, _) = tokio::join!(presses, at_bank(&bank, "succeeded"));
        let taken = captured(&product).await.iter().sum::<i64>() - before;
        assert!(taken == 0 || taken == 10_000, "round {round}: {taken}");
        for answer in &answers {
            let to = answer.location();
            // With the stranger's money there, all of it is more than is left.
            let begun = to.starts_with("http") || to.starts_with("/pay/");
            assert_eq!(begun, taken == 0, "round {round}: {to}");
        }
        if taken == 0 {
            let off = call_off(&friend, &own(&friend).await).await;
            assert_eq!(problem(&off.location()), "called_off");
        }
        let page = seen(&friend, "").await;
        assert_eq!(page["left"], total - before - taken, "round {round}");
    }
    the_rest_is_paid_once(&product, total).await;
}

#[tokio::test]
async fn a_part_that_ends_while_another_guest_presses_is_there_for_them() {
    let Begun {
        product,
        other_guest,
        friend,
        form,
    } = begun().await;
    let part = own(&other_guest).await;
    // The bill as it is before the stranger calls off comes after that.
    let fault = json!({
        "path": BILL, "kind": "delay", "delay_ms": 1000, "after_commit": true, "times": 1,
    });
    product.control("faults", fault).await;
    product.forget_log().await;
    let (path, asked) = (pay_path(), async || {
        let log = product.sandbox_get("log").await;
        log.iter().any(|call| call["path"] == BILL).then_some(())
    });
    let (pressed, ()) = tokio::join!(post(&friend, &path, &form), async {
        eventually(20, asked).await;
        let off = call_off(&other_guest, &part).await;
        assert_eq!(problem(&off.location()), "called_off");
    });
    let bank = pressed.location();
    assert!(bank.starts_with("http"), "{bank}");
}

#[tokio::test]
async fn nothing_is_freed_before_the_upstream_has_called_it_off() {
    let product = Product::with(&SOON).await;
    opened(&product, &[2]).await;
    let (other_guest, friend) = (product.guest(), product.guest());
    let total = seen(&friend, "").await["total"].as_i64().unwrap();
    let bank = pay(&other_guest, "&split=all", "card").await.location();
    let page = free(&friend, "&split=all", total).await;
    product.fail(PARTS, 500).await;
    let form = fields_of(&page, "card");
    let answer = post(&friend, &pay_path(), &form).await;
    assert_eq!(problem(&answer.location()), "unavailable");
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
    assert_eq!(seen(&other_guest, "").await["mine"][0]["paid"], false);
    product.no_faults().await;
    // It is still the stranger's to pay, and counts as paid then.
    at_bank(&bank, "succeeded").await;
    assert_eq!(captured(&product).await, [total]);
    assert_eq!(post(&friend, &pay_path(), &form).await.status, 303);
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
}

#[tokio::test]
async fn a_server_killed_between_calling_off_and_freeing_charges_no_guest_twice() {
    for after_commit in [true, false] {
        let product = Product::with(&SOON).await;
        opened(&product, &[1, 1]).await;
        let (other_guest, friend) = (product.guest(), product.guest());
        let total = seen(&friend, "").await["total"].as_i64().unwrap();
        pay(&other_guest, "&split=all", "card").await;
        // A session, which the press that is lost goes on with.
        take(&friend, &[0, 0]).await;
        let page = free(&friend, "&split=all", total).await;
        let fault = json!({ "path": PARTS, "kind": "hang", "after_commit": after_commit });
        product.control("faults", fault).await;
        let lost = hangs(&friend, &pay_path(), fields_of(&page, "card"));
        eventually(20, async || (told_off(&product).await > 0).then_some(())).await;
        let product = product.killed_and_started_again().await;
        lost.abort();
        let (other_guest, friend) = (other_guest.at(&product), friend.at(&product));
        // Called off and not written down, or neither: the guest who looks next is told, and the one who pays next has it.
        let page = free(&friend, "&split=all", total).await;
        assert_eq!(page["mine"], json!([]));
        let is_there = seen(&other_guest, "").await["mine"] != json!([]);
        assert_eq!(is_there, !after_commit);
        let bank = post(&friend, &pay_path(), &fields_of(&page, "card"))
            .await
            .location();
        at_bank(&bank, "succeeded").await;
        assert_eq!(captured(&product).await, [total]);
        assert_eq!(product.guest().get(&href()).await.status, 404);
    }
}

/// Begins a part and calls it off.
async fn begun_in_vain(guest: &Guest) {
    pay(guest, "&split=sum&sum=100", "card").await;
    let off = call_off(guest, &own(guest).await).await;
    assert_eq!(problem(&off.location()), "called_off");
}

#[tokio::test]
async fn who_begins_again_and_again_without_paying_has_to_wait() {
    let product = Product::with(&["--bill-unpaid-per-hour", "2"]).await;
    let bill = opened(&product, &[3]).await;
    let guest = product.guest();
    // What is paid is not counted.
    for _ in 0..3 {
        let bank = pay(&guest, "&split=sum&sum=100", "card").await.location();
        at_bank(&bank, "succeeded").await;
    }
    begun_in_vain(&guest).await;
    begun_in_vain(&guest).await;
    let payments = product.sandbox_get("payments").await.len();
    let form = fields_of(&seen(&guest, "&split=sum&sum=100&tip=10").await, "qr");
    let as_pairs: Vec<(&str, &str)> = form
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let refused = guest.post_json(&pay_path(), &as_pairs).await;
    assert_eq!(refused.status, 429);
    let error = &refused.json()["flash"]["errors"][0];
    assert_eq!(error["code"], "often");
    let minutes = error["values"]["count"].as_i64().unwrap();
    assert!((1..=60).contains(&minutes), "{minutes}");
    // Without scripts the page says it, and keeps what was chosen.
    let page = guest.submit(&pay_path(), &as_pairs).await;
    let words = page.rendered();
    assert!(words.contains(&format!("{minutes}")), "{words}");
    let choice = &of(&page)["choice"];
    assert_eq!(
        (&choice["tip"], &choice["way"], &choice["sum"]),
        (&json!(10), &json!("qr"), &json!("100"))
    );
    assert_eq!(product.sandbox_get("payments").await.len(), payments);
    // Others at the table pay, until all of them have done it too often together.
    for _ in 0..2 {
        let other = product.guest();
        begun_in_vain(&other).await;
        begun_in_vain(&other).await;
    }
    let other = product.guest();
    let form = fields_of(&seen(&other, "&split=sum&sum=100").await, "card");
    let as_pairs: Vec<(&str, &str)> = form
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(other.post_json(&pay_path(), &as_pairs).await.status, 429);
    // At another bill nobody has done anything yet.
    product
        .control("bill/close", json!({ "bill_id": bill }))
        .await;
    opened(&product, &[1]).await;
    let bank = pay(&other, "&split=all", "card").await.location();
    assert!(bank.starts_with("http"), "{bank}");
}
