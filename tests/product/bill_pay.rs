//! Paying a bill in parts: dishes that are held, equal parts, own sums, tips; what was shown is what is charged, once
//! (PY-08 to PY-11, PY-14 to PY-17, beyond.md 17).

use futures_util::future::join_all;
use serde_json::{Value, json};
use url::{Position, Url};

use crate::{
    bill::{bring, dishes, href, of, opened, seen, table_query},
    sign_in::{PHONE, sign_in},
    support::{Answer, Guest, Product, VENUE, client},
};

pub fn pay_path() -> String {
    format!("/filials/{VENUE}/bill/pay?{}", table_query())
}

fn dishes_path() -> String {
    format!("/filials/{VENUE}/bill/dishes?{}", table_query())
}

/// The fields of the form that pays, as the page has them.
pub fn fields_of(page: &Value, way: &str) -> Vec<(String, String)> {
    let choice = &page["choice"];
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut fields: Vec<(String, String)> = [
        ("split", "split"),
        ("of", "of"),
        ("pay", "pay"),
        ("sum", "sum"),
        ("tip_sum", "ownTip"),
        ("bonus", "bonus"),
        ("amount", "amount"),
        ("tips", "tips"),
        ("bonuses", "bonuses"),
        ("turn", "turn"),
    ]
    .iter()
    .map(|(name, field)| ((*name).to_owned(), text(&choice[*field])))
    .collect();
    let tip = &choice["tip"];
    let tip = if tip.is_null() {
        "own".to_owned()
    } else {
        tip.to_string()
    };
    fields.push(("tip".to_owned(), tip));
    fields.push(("bill".to_owned(), text(&page["bill"])));
    fields.push(("payment".to_owned(), way.to_owned()));
    fields
}

pub async fn post(guest: &Guest, path: &str, fields: &[(String, String)]) -> Answer {
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    guest.post(path, &fields).await
}

/// Chooses by the query, and presses the button of the page that shows the sums.
pub async fn pay(guest: &Guest, query: &str, way: &str) -> Answer {
    let page = seen(guest, query).await;
    assert!(page["choice"]["problem"].is_null(), "{page}");
    post(guest, &pay_path(), &fields_of(&page, way)).await
}

/// Chooses so many of each line.
pub async fn take(guest: &Guest, counts: &[u32]) -> Value {
    let page = seen(guest, "&split=dishes").await;
    let mut fields = vec![("bill".to_owned(), page["bill"].as_str().unwrap().to_owned())];
    for (line, count) in page["lines"].as_array().unwrap().iter().zip(counts) {
        let name = format!("unit.{}", line["key"].as_str().unwrap());
        fields.push((name, count.to_string()));
    }
    let answer = post(guest, &dishes_path(), &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    of(&guest.get(&answer.location()).await)
}

/// Ends an attempt at the bank: the page that it leads back to.
pub async fn at_bank(page: &str, outcome: &str) -> String {
    let form = client().post(page).form(&[("outcome", outcome)]);
    let answer = form.send().await.unwrap();
    let back = Url::parse(answer.headers()["location"].to_str().unwrap()).unwrap();
    back[Position::BeforePath..].to_owned()
}

/// The sums that the bank has taken, hundredths.
pub async fn captured(product: &Product) -> Vec<i64> {
    let payments = product.sandbox_get("payments").await;
    payments
        .iter()
        .filter(|one| one["status"] == "succeeded")
        .map(|one| (one["sum"].as_f64().unwrap() * 100.0).round() as i64)
        .collect()
}

/// As the page writes it.
pub fn tenge(hundredths: i64) -> String {
    let whole = hundredths / 100;
    let digits = match whole {
        1000.. => format!("{}\u{a0}{:03}", whole / 1000, whole % 1000),
        _ => whole.to_string(),
    };
    format!("{digits}\u{a0}₸")
}

fn problem(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let page = Url::parse("http://own.invalid")
        .unwrap()
        .join(&answer.location())
        .unwrap();
    let found = page.query_pairs().find(|(name, _)| name == "problem");
    found
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

#[tokio::test]
async fn one_guest_pays_all_with_tips_of_the_dishes_and_is_thanked() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let guest = product.guest();
    let page = guest
        .get(&format!("{}&split=all&tip=10&lang=en", href()))
        .await;
    let data = of(&page);
    let choice = &data["choice"];
    let (goods, total) = (
        data["goods"].as_i64().unwrap(),
        data["total"].as_i64().unwrap(),
    );
    assert_eq!(choice["amount"], total);
    assert_eq!(choice["base"], goods, "tips are not counted from service");
    assert_eq!(choice["tips"], goods / 1000 * 100);
    assert_eq!(choice["due"], total + goods / 1000 * 100);
    // 0 is a choice like the others, and what they are counted from is said.
    let html = page.rendered();
    assert!(html.contains("No tips") && html.contains("without service"));
    let service = page.texts(".due [data-sum='service']");
    let part = tenge(total - goods);
    assert_eq!(service, [format!("including service, 10\u{a0}%{part}")]);
    assert_eq!(data["tipPercents"], json!([0, 5, 10, 15]));
    let none = seen(&guest, "&split=all").await;
    assert_eq!(
        (&none["choice"]["tip"], &none["choice"]["tips"]),
        (&json!(0), &json!(0))
    );
    let own = seen(&guest, "&split=all&tip=own&tip_sum=123").await;
    assert_eq!(own["choice"]["tips"], 12_300);
    for wrong in ["-5", "abc", "999999999"] {
        let page = seen(&guest, &format!("&split=all&tip=own&tip_sum={wrong}")).await;
        assert_eq!(page["choice"]["problem"], "badTips", "{wrong}");
    }

    let answer = post(&guest, &pay_path(), &fields_of(&data, "card")).await;
    let bank = answer.location();
    assert!(
        bank.starts_with(&format!("{}/pay/card/", product.sandbox)),
        "{bank}"
    );
    // Until it is paid, all see it as being paid, and the guest finds the way back to it.
    let others = seen(&product.guest(), "").await;
    assert_eq!(
        (&others["paying"], &others["left"]),
        (&json!(total), &json!(0))
    );
    let mine = seen(&guest, "").await;
    assert_eq!(
        (&mine["paying"], &mine["mine"][0]["paid"]),
        (&json!(0), &json!(false))
    );
    let back = at_bank(&bank, "succeeded").await;
    assert!(back.starts_with("/pay/"), "{back}");
    let there = guest.get(&back).await;
    assert_eq!(there.status, 303);
    let thanks = guest.get(&format!("{}?lang=en", there.location())).await;
    let data = of(&thanks);
    assert_eq!(data["sum"], total);
    assert_eq!(data["tips"], goods / 1000 * 100);
    assert!(data["receipt"].as_str().unwrap().contains("/pay/receipt/"));
    assert_eq!(captured(&product).await, [total + goods / 1000 * 100]);

    // The grade: asked once, without scripts; not to answer is as visible.
    assert!(thanks.rendered().contains("Not now"));
    let grade = format!("{}/grade", data["href"].as_str().unwrap());
    let refused = guest.submit(&grade, &[("comment", "Дәмді")]).await;
    assert!(refused.rendered().contains("Choose a rating"));
    let graded = guest
        .submit(
            &grade,
            &[("grade", "5"), ("tag", "tasty"), ("comment", "Дәмді")],
        )
        .await;
    assert_eq!(
        (&of(&graded)["asks"], &of(&graded)["thanked"]),
        (&json!(false), &json!(true))
    );
    let told = product.sandbox_get("log").await;
    let told = told
        .iter()
        .find(|call| call["path"].as_str().unwrap().ends_with("/grade"))
        .unwrap();
    assert!(told["body"].as_str().unwrap().contains("tasty"));
}

#[tokio::test]
async fn dishes_are_held_for_one_guest_seen_by_the_others_and_paid_with_their_service() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let prices: Vec<i64> = dishes(&product).await.iter().map(|dish| dish.1).collect();
    let (one, two) = (product.guest(), product.guest());
    let mine = take(&one, &[1, 1]).await;
    assert_eq!(
        (&mine["lines"][0]["mine"], &mine["lines"][1]["mine"]),
        (&json!(1), &json!(1))
    );
    let share = mine["choice"]["amount"].as_i64().unwrap();
    let worth = prices[0] + prices[1];
    assert_eq!(share, worth + worth / 1000 * 100);
    assert!(mine["heldUntil"].is_i64());
    let theirs = seen(&two, "&split=dishes&lang=en").await;
    assert_eq!(
        (&theirs["lines"][0]["others"], &theirs["lines"][1]["others"]),
        (&json!(1), &json!(1))
    );
    let page = two.get(&format!("{}&lang=en", href())).await;
    assert!(page.rendered().contains("taken by another guest"));
    // Two can't have the same piece: the second gets what is left, and is told.
    let refused = take(&two, &[2, 1]).await;
    assert_eq!(refused["problem"], "taken");
    assert_eq!(
        (&refused["lines"][0]["mine"], &refused["lines"][1]["mine"]),
        (&json!(1), &json!(0))
    );
    // Given back, they are there for others again.
    take(&one, &[0, 1]).await;
    let free = take(&two, &[2, 0]).await;
    assert_eq!(
        (&free["problem"], &free["lines"][0]["mine"]),
        (&Value::Null, &json!(2))
    );
    // Both pay; the last share takes the rest.
    for guest in [&one, &two] {
        let bank = pay(guest, "&split=dishes", "card").await.location();
        at_bank(&bank, "succeeded").await;
    }
    let goods = prices[0] * 2 + prices[1];
    let total = goods + goods / 1000 * 100;
    assert_eq!(captured(&product).await.iter().sum::<i64>(), total);
    let other_guest = product.guest();
    let gone = other_guest.get(&href()).await;
    assert_eq!(gone.status, 404, "a paid bill is closed");
}

#[tokio::test]
async fn many_guests_take_the_same_dish_at_once_and_one_has_it() {
    let product = Product::start().await;
    opened(&product, &[1, 3]).await;
    let guests: Vec<Guest> = (0..8).map(|_| product.guest()).collect();
    let pages = join_all(guests.iter().map(|guest| take(guest, &[1, 1]))).await;
    let sum = |line: usize| -> u64 {
        pages
            .iter()
            .map(|page| page["lines"][line]["mine"].as_u64().unwrap())
            .sum()
    };
    assert_eq!((sum(0), sum(1)), (1, 3));
}

#[tokio::test]
async fn equal_parts_are_the_bill_to_the_last_unit() {
    let product = Product::start().await;
    opened(&product, &[1, 2, 1]).await;
    let total = seen(&product.guest(), "").await["total"].as_i64().unwrap();
    let mut parts = Vec::new();
    for paying in [1, 2, 1] {
        let guest = product.guest();
        let query = format!("&split=equal&of=4&pay={paying}");
        let bank = pay(&guest, &query, "card").await.location();
        at_bank(&bank, "succeeded").await;
        let paid: i64 = captured(&product).await.iter().sum();
        parts.push(paid - parts.iter().sum::<i64>());
    }
    assert_eq!(parts.iter().sum::<i64>(), total);
    // Whole tenge; what is rounded off stays for the last.
    assert!((parts[0] - total / 4).abs() < 100, "{parts:?} of {total}");
    assert!((parts[1] - total / 2).abs() <= 200, "{parts:?} of {total}");
}

/// The dishes that are ticked and the part of them that is left to pay differ for a reason, which is told.
#[tokio::test]
async fn what_others_have_paid_of_the_dishes_of_a_guest_is_told_beside_their_part() {
    let product = Product::start().await;
    opened(&product, &[1, 2]).await;
    let guest = product.guest();
    let bank = pay(&guest, "&split=equal&of=2", "card").await.location();
    at_bank(&bank, "succeeded").await;
    let data = take(&guest, &[1, 2]).await;
    let (total, left) = (data["total"].as_i64(), data["left"].as_i64());
    let covered = total.unwrap() - left.unwrap();
    assert_eq!(data["choice"]["amount"].as_i64(), left);
    assert_eq!(data["choice"]["covered"], covered);
    let page = guest.get(&format!("{}&split=dishes&lang=en", href())).await;
    let told = [
        format!("Chosen in all{}", tenge(total.unwrap())),
        format!("Already paid or being paid−{}", tenge(covered)),
    ];
    assert_eq!(page.texts(".due [data-sum='chosen']"), [told[0].as_str()]);
    assert_eq!(page.texts(".due [data-sum='covered']"), [told[1].as_str()]);
    // The percentage is of the dishes above it, so it stands with them.
    let rows = page.texts(".due .sums > div");
    let service = data["service"].as_i64().unwrap();
    let service = format!("including service, 10\u{a0}%{}", tenge(service));
    assert_eq!(rows[..3], [&told[0], &service, &told[1]].map(String::clone));
    // Dishes that nobody else pays for are their own sum.
    let one = take(&guest, &[1, 0]).await;
    assert_eq!(one["choice"]["covered"], 0);
}

/// Whoever has looked at a bill is told that it is paid in full; of one that the restaurant has closed nobody knows that.
#[tokio::test]
async fn a_bill_that_was_paid_in_full_is_said_to_be_by_a_guest_who_has_paid_nothing_too() {
    let product = Product::start().await;
    let bill = opened(&product, &[1, 2]).await;
    let (guest, friend) = (product.guest(), product.guest());
    let closed = format!("{}&bill={bill}&lang=en", href());
    let bank = pay(&guest, "&split=equal&of=2", "card").await.location();
    at_bank(&bank, "succeeded").await;
    // A part that came to nothing is none of them.
    let bank = pay(&guest, "&split=all", "card").await.location();
    at_bank(&bank, "declined").await;
    guest.get(&href()).await;
    let bank = pay(&guest, "&split=all", "card").await.location();
    at_bank(&bank, "succeeded").await;
    let page = friend.get(&closed).await;
    assert_eq!(of(&page)["paidInFull"], true);
    assert_eq!(page.texts("h1"), ["The bill is paid"]);
    let said = page.texts(".empty p").concat();
    assert!(said.contains("The whole bill is paid"), "{said}");
    assert!(!said.contains("ask the waiter"), "{said}");

    let product = Product::start().await;
    let bill = opened(&product, &[1, 2]).await;
    let guest = product.guest();
    let bank = pay(&guest, "&split=equal&of=2", "card").await.location();
    at_bank(&bank, "succeeded").await;
    let form = json!({ "bill_id": bill });
    product.control("bill/close", form).await;
    let page = product
        .guest()
        .get(&format!("{}&bill={bill}&lang=en", href()))
        .await;
    assert_eq!(page.texts("h1"), ["The bill is closed"]);
    assert!(of(&page)["paidInFull"].is_null());
}

/// The restaurant gives one of these parts back, and the bank says which; what the others have paid is `rest`.
async fn give_back(product: &Product, payment: &Value, sum: i64, rest: i64) {
    let part = |sum: i64, status: &str| json!({ "sum": sum / 100, "tips": 0, "bonus": 0, "status": status, "mine": false });
    let bills = product.sandbox_get("bills").await;
    let total = bills[0]["sum"].as_f64().unwrap();
    let others = (rest > 0).then(|| part(rest, "succeeded"));
    let parts: Vec<Value> = others.into_iter().chain([part(sum, "refunded")]).collect();
    let left = total - (rest / 100) as f64;
    let values =
        json!({ "/data/payments": parts, "/data/paid_sum": rest / 100, "/data/left_sum": left });
    product.replace("/bills/v1/bill", values).await;
    let back = json!({ "path": format!("/payments/v1/payment/{}", payment.as_str().unwrap()),
        "kind": "replace", "values": { "/data/status": "refunded" } });
    product.control("faults", back).await;
}

/// What the restaurant gives back of an open bill is paid by nobody: its dishes are open again.
#[tokio::test]
async fn what_was_given_back_of_an_open_bill_can_be_chosen_and_paid_again() {
    let product = Product::start().await;
    opened(&product, &[1, 2]).await;
    let (guest, friend) = (product.guest(), product.guest());
    let data = take(&guest, &[0, 1]).await;
    let bank = post(&guest, &pay_path(), &fields_of(&data, "card")).await;
    at_bank(&bank.location(), "succeeded").await;
    let paid = seen(&friend, "").await;
    assert_eq!(paid["lines"][1]["paid"], 1);
    let payment = product.sandbox_get("payments").await[0]["id"].clone();
    give_back(&product, &payment, paid["paid"].as_i64().unwrap(), 0).await;
    for of in [&friend, &guest] {
        let open = seen(of, "").await;
        assert_eq!(open["lines"][1]["paid"], 0);
        assert_eq!(open["left"], paid["total"]);
        assert_eq!(open["mine"], json!([]));
    }
    let taken = take(&friend, &[1, 2]).await;
    assert_eq!(taken["lines"][1]["mine"], 2);
    assert_eq!(taken["choice"]["amount"], paid["total"]);
}

/// Of two guests who have paid as much as each other the one whose money came back has paid nothing.
#[tokio::test]
async fn of_parts_that_are_alike_the_one_that_was_given_back_ends() {
    let product = Product::start().await;
    opened(&product, &[1, 2]).await;
    let (first, second) = (product.guest(), product.guest());
    let ids = async || -> Vec<Value> {
        let payments = product.sandbox_get("payments").await;
        payments.iter().map(|one| one["id"].clone()).collect()
    };
    let mut known = Vec::new();
    for guest in [&first, &second] {
        known = ids().await;
        let bank = pay(guest, "&split=sum&sum=1000", "card").await.location();
        at_bank(&bank, "succeeded").await;
        seen(guest, "").await;
    }
    let payments = ids().await;
    let last = payments.iter().find(|id| !known.contains(id)).unwrap();
    give_back(&product, last, 100_000, 100_000).await;
    assert_eq!(seen(&second, "").await["mine"], json!([]));
    let mine = seen(&first, "").await["mine"].clone();
    assert_eq!(mine.as_array().unwrap().len(), 1, "{mine}");
}

/// Each payment is told by itself, beside all that its guest has paid; the visit is graded once.
#[tokio::test]
async fn a_guest_who_pays_twice_is_told_of_both_and_asked_once_how_it_was() {
    let product = Product::start().await;
    opened(&product, &[1, 2]).await;
    let guest = product.guest();
    let mut all = Vec::new();
    for (number, query) in ["&split=equal&of=2", "&split=all"].into_iter().enumerate() {
        let bank = pay(&guest, query, "card").await.location();
        let there = guest.get(&at_bank(&bank, "succeeded").await).await;
        let thanks = guest.get(&format!("{}?lang=en", there.location())).await;
        let data = of(&thanks);
        let sum = data["sum"].as_i64().unwrap();
        all.push(sum);
        assert!(thanks.rendered().contains("This payment"));
        let in_all = (number > 0).then(|| all.iter().sum::<i64>());
        assert_eq!(data["inAll"].as_i64(), in_all);
        assert_eq!(data["asks"], number == 0, "asked at the first payment");
        let friend = product.guest().get(&there.location()).await;
        assert!(
            of(&friend)["inAll"].is_null(),
            "a link tells of its part alone"
        );
        if number == 0 {
            let grade = format!("{}/grade", data["href"].as_str().unwrap());
            guest.submit(&grade, &[("skip", "1")]).await;
        }
    }
}

/// A guest who pays all pays for the dishes of others as well, and is told so.
#[tokio::test]
async fn who_pays_all_is_told_of_dishes_that_another_phone_has_chosen() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let (one, two) = (product.guest(), product.guest());
    let theirs = "Someone else is choosing dishes now: you pay for those too.";
    let warns = async |guest: &Guest, query: &str| {
        let page = guest.get(&format!("{}{query}&lang=en", href())).await;
        page.rendered().contains(theirs)
    };
    assert!(!warns(&two, "&split=all").await);
    take(&one, &[1, 0]).await;
    assert!(warns(&two, "&split=all").await);
    // Who pays a part leaves theirs alone, and nobody is told of their own choice.
    assert!(!warns(&two, "&split=sum&sum=1000").await);
    assert!(!warns(&one, "&split=all").await);
    take(&one, &[0, 0]).await;
    assert!(!warns(&two, "&split=all").await);
}

/// A sum in coins that the currency does not have is refused by all, and not shown as another one.
#[tokio::test]
async fn a_sum_in_coins_that_do_not_exist_is_refused_in_words() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let guest = product.guest();
    let page = guest
        .get(&format!("{}&split=sum&sum=1000,50&lang=en", href()))
        .await;
    assert_eq!(of(&page)["choice"]["problem"], "badSum");
    let field = page.texts(".share .field").concat();
    assert!(field.contains("Whole sums only"), "{field}");
    assert!(!field.contains("1\u{a0}00"), "{field}");
    let whole = seen(&guest, "&split=sum&sum=1000,00").await;
    assert_eq!(whole["choice"]["amount"], 100_000);
}

/// Both numbers of people are wrong: both say so.
#[tokio::test]
async fn two_wrong_numbers_of_people_are_both_marked() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let guest = product.guest();
    let wrong = async |query: &str| {
        let page = guest
            .get(&format!("{}&split=equal{query}&lang=en", href()))
            .await;
        page.texts(".people .error")
    };
    assert_eq!(
        wrong("&of=0&pay=0").await,
        ["Enter a number from 2 to 50", "Enter a number from 1 to 50"]
    );
    assert_eq!(wrong("&of=60&pay=2").await, ["Enter a number from 2 to 50"]);
    assert_eq!(wrong("&of=3&pay=4").await, ["Enter a number from 1 to 3"]);
}

/// The second guest sees the table that the first has counted, until they say otherwise.
#[tokio::test]
async fn who_divides_a_bill_after_another_begins_with_the_same_people() {
    let product = Product::start().await;
    opened(&product, &[1, 2, 1]).await;
    let fresh = seen(&product.guest(), "&split=equal").await;
    assert_eq!(
        (&fresh["choice"]["of"], &fresh["choice"]["pay"]),
        (&json!(2), &json!(1))
    );
    let total = fresh["total"].as_i64().unwrap();
    let bank = pay(&product.guest(), "&split=equal&of=3&pay=1", "card").await;
    at_bank(&bank.location(), "succeeded").await;
    let second = seen(&product.guest(), "&split=equal").await;
    let choice = &second["choice"];
    assert_eq!(
        (&choice["of"], &choice["peopleLeft"], &choice["pay"]),
        (&json!(3), &json!(2), &json!(1))
    );
    let amount = choice["amount"].as_i64().unwrap();
    assert!((amount - total / 3).abs() <= 200, "{amount} of {total}");
    let said = seen(&product.guest(), "&split=equal&of=5").await;
    assert_eq!(said["choice"]["peopleLeft"], 4);
    // Three at the table, two who have not paid: each number is told for what it is.
    assert_eq!(choice["peoplePaid"], 1);
    let words = [
        (
            "kk",
            "Үлесіңіз: әлі төлемеген 2 адамнан 1 адам үшін",
            "Олардың төлегені немесе төлеп жатқаны: 1",
        ),
        (
            "ru",
            "Ваша часть: за 1 из 2, кто ещё не заплатил",
            "Из них уже заплатили или платят: 1",
        ),
        (
            "en",
            "Your part: 1 of 2 who have not paid yet",
            "Have paid or are paying already: 1",
        ),
    ];
    for (lang, share, hint) in words {
        let page = product
            .guest()
            .get(&format!("{}&split=equal&lang={lang}", href()))
            .await;
        assert_eq!(page.texts("[data-sum='share'] dt"), [share]);
        assert_eq!(page.texts(".people .soft"), [hint]);
    }
}

#[tokio::test]
async fn an_equal_part_is_told_in_the_genitive_of_its_number() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let guest = product.guest();
    for (of, told) in [
        ("21", "за 1 из 21 человека"),
        ("22", "за 1 из 22 человек"),
        ("25", "за 1 из 25 человек"),
    ] {
        let page = guest
            .get(&format!("{}&split=equal&of={of}&pay=1&lang=ru", href()))
            .await;
        assert_eq!(
            page.texts("[data-sum='share'] dt"),
            [format!("Ваша часть: {told}")]
        );
    }
}

/// What another guest has at the bank is not left, nor is it paid: who has paid is told both.
#[tokio::test]
async fn who_has_paid_is_told_what_is_left_to_choose_and_what_others_are_paying() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let guest = product.guest();
    let bank = pay(&guest, "&split=sum&sum=500", "card").await.location();
    let back = at_bank(&bank, "succeeded").await;
    let thanks = back.split('?').next().unwrap();
    let thanks = thanks.replace("/pay/", "/bills/paid/");
    let rest = async || {
        let page = guest.get(&format!("{thanks}?lang=en")).await;
        page.texts(".bill-paid .card > [role=status]").concat()
    };
    let told = rest().await;
    assert!(told.starts_with("Left on the bill:"), "{told}");
    pay(&product.guest(), "&split=sum&sum=700", "card").await;
    let told = rest().await;
    assert!(told.starts_with("Left to choose on the bill:"), "{told}");
    assert!(
        told.contains(&format!("Others are paying now: {}", tenge(70_000))),
        "{told}"
    );
}

/// The button that counts never pays, whether or not anything has changed since.
#[tokio::test]
async fn counting_without_scripts_begins_no_payment_and_finds_no_fault() {
    let product = Product::start().await;
    opened(&product, &[1, 2, 1]).await;
    let guest = product.guest();
    let total = seen(&guest, "").await["total"].as_i64().unwrap();
    for (more, among) in [("", "2"), ("", "4"), ("&tip=10", "3")] {
        let page = guest
            .get(&format!("{}&split=equal{more}&lang=en", href()))
            .await;
        // What a browser sends of the button is what stands in the page.
        assert_eq!(
            page.texts("button[name='count'][value='1']"),
            ["Show my sum"]
        );
        let mut fields = fields_of(&of(&page), "card");
        fields.retain(|(name, _)| name != "of");
        fields.push(("of".to_owned(), among.to_owned()));
        for value in ["1", ""] {
            let mut pressed = fields.clone();
            pressed.push(("count".to_owned(), value.to_owned()));
            let counted = post(&guest, &pay_path(), &pressed).await;
            assert_eq!(problem(&counted), "", "{}", counted.location());
            let counted = of(&guest.get(&counted.location()).await);
            let people: i64 = among.parse().unwrap();
            assert_eq!(counted["choice"]["amount"], total / people / 100 * 100);
        }
    }
    assert!(product.sandbox_get("payments").await.is_empty());
}

/// Nobody is offered a sum for numbers that they have not typed.
#[tokio::test]
async fn wrong_numbers_of_people_are_said_beside_their_field_and_kept() {
    let product = Product::start().await;
    opened(&product, &[1, 2, 1]).await;
    let guest = product.guest();
    for (query, problem, field, words) in [
        ("of=0&pay=1", "badPeople", "of", "from 2 to 50"),
        ("of=&pay=1", "badPeople", "of", "from 2 to 50"),
        ("of=1000&pay=3", "badPeople", "of", "from 2 to 50"),
        ("of=3&pay=5", "badPay", "pay", "from 1 to 3"),
        ("of=3&pay=0", "badPay", "pay", "from 1 to 3"),
        ("of=3&pay=", "badPay", "pay", "from 1 to 3"),
    ] {
        let page = guest
            .get(&format!("{}&split=equal&{query}&lang=en", href()))
            .await;
        let choice = of(&page)["choice"].clone();
        assert_eq!(choice["problem"], problem, "{query}");
        assert_eq!(choice["amount"], 0, "{query}");
        let error = page.texts(".people .field .error");
        assert!(error.len() == 1 && error[0].contains(words), "{error:?}");
        let typed = query
            .split('&')
            .find_map(|one| one.strip_prefix(&format!("{field}=")));
        let key = if field == "of" { "typedOf" } else { "typedPay" };
        assert_eq!(choice[key].as_str(), typed, "{query}");
        assert!(page.texts(".due").is_empty(), "{query}");
        // Nor is it paid by a form that says so.
        let answer = post(&guest, &pay_path(), &fields_of(&of(&page), "card")).await;
        assert!(answer.location().starts_with("/filials/"));
    }
    assert!(product.sandbox_get("payments").await.is_empty());
}

/// Dishes that are chosen stay so while another guest is at the bank with all of the bill, and it is said.
#[tokio::test]
async fn what_is_chosen_waits_for_who_pays_all_of_the_bill() {
    let product = Product::start().await;
    opened(&product, &[1, 2]).await;
    let (one, two) = (product.guest(), product.guest());
    let before = take(&one, &[1, 0]).await;
    let href = format!("{}&split=dishes&lang=en", href());
    let page = one.get(&href).await;
    assert!(page.rendered().contains("Whoever pays the whole bill"));
    pay(&two, "&split=all", "card").await;
    let page = one.get(&href).await;
    let data = of(&page);
    assert_eq!(data["left"], 0);
    assert_eq!(data["lines"][0]["mine"], 1);
    assert!(data["heldUntil"].is_i64());
    let html = page.rendered();
    assert!(html.contains("your dishes too"), "it is said");
    assert_eq!(
        page.texts(".dishes .lines > li").len(),
        2,
        "and they stand there"
    );
    assert!(!html.contains("Whoever pays the whole bill"));
    // Who has chosen nothing sees what was brought.
    let other = product.guest().get(&href).await;
    assert_eq!(
        other.texts("[aria-labelledby='content'] .lines > li").len(),
        2
    );
    let part = crate::bill_off::own(&two).await;
    crate::bill_off::call_off(&two, &part).await;
    let after = seen(&one, "&split=dishes").await;
    assert_eq!(after["lines"][0]["mine"], 1);
    assert_eq!(after["choice"]["amount"], before["choice"]["amount"]);
}

/// Whoever pays all that is left pays for the dishes that nobody has begun to pay: they are paid, and what is brought later
/// is all that can be chosen.
#[tokio::test]
async fn dishes_that_a_payment_of_all_the_rest_has_paid_are_offered_no_more() {
    let product = Product::start().await;
    let bill = opened(&product, &[1, 1]).await;
    let (one, two, three) = (product.guest(), product.guest(), product.guest());
    take(&one, &[1, 0]).await;
    pay(&one, "&split=dishes", "card").await;
    take(&three, &[0, 1]).await;
    let bank = pay(&two, "&split=all", "card").await.location();
    at_bank(&bank, "succeeded").await;
    let page = seen(&three, "&split=dishes").await;
    let lines = &page["lines"];
    assert_eq!(
        (&lines[0]["others"], &lines[0]["paid"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(
        (&lines[1]["mine"], &lines[1]["paid"]),
        (&json!(0), &json!(1))
    );
    assert!(page["heldUntil"].is_null(), "{page}");
    // A third dish comes.
    let (dish, price) = dishes(&product).await[2];
    bring(&product, &bill, dish, 1).await;
    let address = format!("{}&split=dishes&lang=en", href());
    let page = three.get(&address).await;
    let fields = page.texts(".dishes input, .dishes select");
    assert_eq!(fields.len(), 1, "{fields:?}");
    let chosen = take(&three, &[1, 1, 1]).await;
    assert_eq!(chosen["lines"][2]["mine"], 1);
    let amount = chosen["choice"]["amount"].as_i64().unwrap();
    assert_eq!(chosen["left"], amount);
    assert!(amount >= price, "{amount}");
    assert_eq!(chosen["choice"]["covered"], 0);
}

/// A bill that is paid and open still, as the waiter has not closed it: nothing on it is unpaid.
#[tokio::test]
async fn on_a_bill_that_is_paid_no_dish_is_offered() {
    let product = Product::start().await;
    let bill = opened(&product, &[1, 1]).await;
    let guest = product.guest();
    let before = take(&guest, &[1, 0]).await;
    let total = before["total"].as_i64().unwrap();
    let values = json!({ "/data/paid_sum": total / 100, "/data/left_sum": 0 });
    product.replace("/bills/v1/bill", values).await;
    let page = guest
        .get(&format!("{}&split=dishes&bill={bill}&lang=en", href()))
        .await;
    let data = of(&page);
    assert_eq!((&data["left"], &data["state"]), (&json!(0), &json!("open")));
    let paid = page.texts("[aria-labelledby='content'] .lines > li");
    assert_eq!(paid.len(), 2);
    assert!(paid.iter().all(|line| line.contains("paid")), "{paid:?}");
    assert!(page.texts(".dishes").is_empty());
    let said = page.texts(".pay > p");
    assert_eq!(said, ["The whole bill is paid: nothing is left."]);
}

/// Without scripts a dish may be ticked that no button has counted: it is, and nobody pays without it.
#[tokio::test]
async fn dishes_that_are_ticked_and_not_counted_are_shown_before_they_are_paid() {
    let product = Product::start().await;
    opened(&product, &[1, 2]).await;
    let guest = product.guest();
    let page = take(&guest, &[1, 0]).await;
    let key = |line: usize| format!("unit.{}", page["lines"][line]["key"].as_str().unwrap());
    let mut fields = fields_of(&page, "card");
    fields.push(("ticks".to_owned(), "1".to_owned()));
    fields.push((key(0), "1".to_owned()));
    let mut more = fields.clone();
    more.push((key(1), "2".to_owned()));
    let answer = post(&guest, &pay_path(), &more).await;
    assert_eq!(problem(&answer), "changed");
    let shown = of(&guest.get(&answer.location()).await);
    assert_eq!(shown["lines"][1]["mine"], 2);
    assert_eq!(shown["choice"]["amount"], shown["total"]);
    // Back to one of them, and paid as it stands.
    take(&guest, &[1, 0]).await;
    let answer = post(&guest, &pay_path(), &fields).await;
    assert!(
        answer.location().starts_with("http"),
        "{}",
        answer.location()
    );
    // Each row says what all of it costs, as the bill does.
    let page = product
        .guest()
        .get(&format!("{}&split=dishes&lang=en", href()))
        .await;
    let sums = page.texts(".dishes .lines .num");
    let line = of(&page)["lines"][1]["sum"].as_i64().unwrap();
    assert!(sums.contains(&tenge(line)), "{sums:?}");
    assert!(
        page.texts(".tips > p").is_empty(),
        "nothing is counted of nothing"
    );
}

/// Without scripts two buttons show the sum: both take what is ticked, and neither forgets the rest of the form.
#[tokio::test]
async fn dishes_that_are_ticked_count_whichever_button_shows_the_sum() {
    let product = Product::start().await;
    opened(&product, &[1, 2]).await;
    let guest = product.guest();
    let page = seen(&guest, "&split=dishes&tip=10").await;
    let key = |line: usize| format!("unit.{}", page["lines"][line]["key"].as_str().unwrap());
    let mut fields = fields_of(&page, "qr");
    fields.push(("ticks".to_owned(), "1".to_owned()));
    fields.push(("count".to_owned(), "1".to_owned()));
    let mut ticked = fields.clone();
    ticked.push((key(1), "2".to_owned()));
    let answer = post(&guest, &pay_path(), &ticked).await;
    assert_eq!(problem(&answer), "");
    let shown = of(&guest.get(&answer.location()).await);
    assert_eq!(shown["lines"][1]["mine"], 2);
    assert_eq!(shown["choice"]["base"], shown["lines"][1]["sum"]);
    let choice = &shown["choice"];
    assert_eq!((&choice["tip"], &choice["way"]), (&json!(10), &json!("qr")));
    // A tick that is taken away is taken away.
    let answer = post(&guest, &pay_path(), &fields).await;
    let shown = of(&guest.get(&answer.location()).await);
    assert_eq!(shown["lines"][1]["mine"], 0);
    assert!(product.sandbox_get("payments").await.is_empty());
}

#[tokio::test]
async fn a_sum_that_is_too_large_is_refused_with_what_is_left() {
    let product = Product::start().await;
    let bill = opened(&product, &[2]).await;
    let guest = product.guest();
    let total = seen(&guest, "").await["total"].as_i64().unwrap();
    let too_much = seen(&guest, &format!("&split=sum&sum={}", total / 100 + 1)).await;
    assert_eq!(too_much["choice"]["problem"], "tooMuch");
    for wrong in ["-1", "1e5", "x"] {
        let page = seen(&guest, &format!("&split=sum&sum={wrong}")).await;
        assert_eq!(page["choice"]["problem"], "badSum", "{wrong}");
    }
    // Beside its field, in words, with what was typed.
    let refusals = [
        ("0".to_owned(), "Enter a sum above 0".to_owned()),
        ("0.00".to_owned(), "Enter a sum above 0".to_owned()),
        (
            (total / 100 + 1).to_string(),
            format!(
                "At most {}: that is all that is left on the bill",
                tenge(total)
            ),
        ),
    ];
    for (sum, words) in refusals {
        let page = guest
            .get(&format!("{}&split=sum&sum={sum}&lang=en", href()))
            .await;
        assert_eq!(page.texts(".field .error"), [words], "{sum}");
        assert!(page.rendered().contains(&format!(r#"value="{sum}""#)));
        assert!(page.texts(".due button").is_empty(), "nothing to press");
    }
    // While the guest looks at the button another phone pays: nothing is charged, the rest is told in words.
    let page = seen(&guest, &format!("&split=sum&sum={}", total / 100)).await;
    product
        .control("bill/pay", json!({ "bill_id": bill, "sum": 100 }))
        .await;
    let answer = post(&guest, &pay_path(), &fields_of(&page, "card")).await;
    assert_eq!(problem(&answer), "less");
    let told = guest.get(&format!("{}&lang=en", answer.location())).await;
    assert!(
        told.rendered().contains("Others have paid meanwhile. Only"),
        "{}",
        told.rendered()
    );
    assert_eq!(of(&told)["left"], total - 10_000);
    assert_eq!(product.sandbox_get("payments").await.len(), 0);
    // Once, at the field, which the browser takes the focus to.
    assert_eq!(told.texts(".pay [role=alert]"), [""; 0]);
    assert_eq!(told.texts(".field .error").len(), 1);
    assert_eq!(told.rendered().matches("autofocus").count(), 1);
    // A guest who bends the form pays no other sum than the bill's.
    let mut bent = fields_of(&seen(&guest, "&split=all").await, "card");
    for (name, value) in &mut bent {
        if name == "amount" {
            "100".clone_into(value);
        }
    }
    assert_eq!(problem(&post(&guest, &pay_path(), &bent).await), "changed");
    assert_eq!(product.sandbox_get("payments").await.len(), 0);
}

/// Without scripts the form goes out with the sums of before: what was typed since is told by its own reason.
#[tokio::test]
async fn a_sum_that_is_typed_too_large_beside_another_is_told_once_with_the_largest() {
    let product = Product::start().await;
    opened(&product, &[2]).await;
    let guest = product.guest();
    let total = seen(&guest, "").await["total"].as_i64().unwrap();
    let shown = seen(&guest, "&split=sum&sum=100").await;
    for (lang, words) in [("kk", "Ең көбі"), ("ru", "Не больше"), ("en", "At most")] {
        for (typed, largest) in [
            (
                (total / 100 + 1).to_string(),
                format!("{words} {}", tenge(total)),
            ),
            (String::new(), String::new()),
        ] {
            let mut fields = fields_of(&shown, "card");
            for (name, value) in &mut fields {
                if name == "sum" {
                    value.clone_from(&typed);
                }
            }
            let answer = post(&guest, &pay_path(), &fields).await;
            let told = guest
                .get(&format!("{}&lang={lang}", answer.location()))
                .await;
            assert_eq!(told.texts(".pay [role=alert]"), [""; 0], "{lang}");
            let errors = told.texts(".pay .error");
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(errors[0].starts_with(&largest), "{errors:?}");
            assert_eq!(told.rendered().matches("autofocus").count(), 1, "{lang}");
        }
    }
    assert_eq!(product.sandbox_get("payments").await.len(), 0);
}

#[tokio::test]
async fn tips_of_a_percentage_never_grow_behind_the_guests_back() {
    let product = Product::start().await;
    let bill = opened(&product, &[1]).await;
    let guest = product.guest();
    let shown = seen(&guest, "&split=all&tip=15").await;
    let extra = dishes(&product).await[1].0;
    bring(&product, &bill, extra, 2).await;
    let answer = post(&guest, &pay_path(), &fields_of(&shown, "card")).await;
    assert_eq!(problem(&answer), "changed");
    assert_eq!(product.sandbox_get("payments").await.len(), 0);
    let reloaded = of(&guest.get(&answer.location()).await);
    assert!(reloaded["choice"]["tips"].as_i64() > shown["choice"]["tips"].as_i64());
    let bank = post(&guest, &pay_path(), &fields_of(&reloaded, "card"))
        .await
        .location();
    at_bank(&bank, "succeeded").await;
    assert_eq!(
        captured(&product).await,
        [reloaded["choice"]["due"].as_i64().unwrap()]
    );
}

#[tokio::test]
async fn presses_in_two_tabs_and_twice_are_one_payment() {
    let product = Product::start().await;
    opened(&product, &[2]).await;
    let guest = product.guest();
    take(&guest, &[1]).await;
    let page = seen(&guest, "&split=sum&sum=500").await;
    let fields = fields_of(&page, "card");
    let tab = guest.second_tab();
    let answers = join_all((0..6).map(|at| {
        let guest = if at % 2 == 0 { &guest } else { &tab };
        let fields = fields.clone();
        async move { post(guest, &pay_path(), &fields).await }
    }))
    .await;
    for answer in &answers {
        assert_eq!(answer.status, 303, "{}", answer.text());
        let to = answer.location();
        assert!(to.starts_with("/pay/") || to.starts_with("http"), "{to}");
    }
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
    // So is a form of before the press that is filled in anew.
    let mut back = fields.clone();
    back.iter_mut()
        .filter(|(name, _)| *name == "sum")
        .for_each(|(_, text)| *text = "700".to_owned());
    let led = post(&guest, &pay_path(), &back).await;
    assert_eq!(problem(&led), "pending");
    assert_eq!(
        guest
            .get(&led.location())
            .await
            .texts(".note[data-bad]")
            .len(),
        1
    );
    // A third tab with another choice is told of the payment that waits, which stands on the same page.
    let other = seen(&tab, "&split=all").await;
    let led = post(&tab, &pay_path(), &fields_of(&other, "card")).await;
    assert_eq!(problem(&led), "pending");
    let told = guest.get(&led.location()).await;
    assert_eq!(told.texts(".note[data-bad]").len(), 1);
    assert_eq!(of(&told)["mine"][0]["paid"], false);
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
    // Declined, the part is there again, and the next try is another payment.
    let own = seen(&guest, "").await["mine"][0]["href"]
        .as_str()
        .unwrap()
        .to_owned();
    let waiting = guest.get(&own).await;
    let bank = of(&waiting)["bank"].as_str().unwrap().to_owned();
    let back = at_bank(&bank, "declined").await;
    let failed = guest.get(&back).await;
    assert_eq!(of(&failed)["state"], "declined");
    assert!(of(&failed)["bill"].as_str().unwrap().contains("/bill?"));
    let stale = post(&guest, &pay_path(), &fields).await;
    assert_eq!(problem(&stale), "changed", "the form is of then");
    let bank = pay(&guest, "&split=sum&sum=500", "card").await.location();
    at_bank(&bank, "succeeded").await;
    assert_eq!(captured(&product).await, [50_000]);
}

#[tokio::test]
async fn two_tabs_of_a_browser_that_has_just_come_pay_a_share_once() {
    let product = Product::start().await;
    opened(&product, &[2]).await;
    let guest = product.guest();
    let form = format!("{}&split=equal", href());
    guest.get_with(&form, &[("x-prefetch", "1")]).await;
    assert!(guest.cookie("dk").is_none(), "nobody has come yet");
    let fields = fields_of(&of(&guest.get(&form).await), "card");
    let (tab, path) = (guest.second_tab(), pay_path());
    let presses = [&guest, &tab].map(|tab| post(tab, &path, &fields));
    for answer in join_all(presses).await {
        let to = answer.location();
        assert!(to.starts_with("/pay/") || to.starts_with("http"), "{to}");
    }
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
}

#[tokio::test]
async fn the_return_tells_the_truth_in_another_browser_and_believes_no_query() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let guest = product.guest();
    let answer = pay(&guest, "&split=all", "qr").await;
    let own = answer.location();
    assert!(own.starts_with("/pay/"), "{own}");
    let waiting = guest.get(&own).await;
    assert_eq!(of(&waiting)["state"], "waiting");
    assert_eq!(waiting.header("cache-control"), "private, no-store");
    let code = guest.get(&format!("{own}/code.svg")).await;
    assert_eq!(
        (code.status, code.header("content-type")),
        (200, "image/svg+xml")
    );
    let forged = guest
        .get(&format!("{own}?status=success&payment_id=p_1"))
        .await;
    assert_eq!(of(&forged)["state"], "waiting");
    let thanks = own.replace("/pay/", "/bills/paid/");
    assert_eq!(
        guest.get(&thanks).await.location(),
        own,
        "no thanks before it is paid"
    );
    let bank = of(&waiting)["bank"].as_str().unwrap().to_owned();
    let form = client()
        .post(&bank)
        .form(&[("outcome", "succeeded"), ("phone", "1")]);
    form.send().await.unwrap();
    let other = product.guest();
    let there = other.get(&own).await;
    assert_eq!(
        (there.status, of(&there)["state"].clone()),
        (200, json!("paid"))
    );
    let seen = other.get(&thanks).await;
    assert!(of(&seen)["receipt"].is_null(), "the receipt is the payer's");
    let grade = other
        .post(&format!("{thanks}/grade"), &[("grade", "1")])
        .await;
    assert_eq!(grade.status, 404);
    for forged in ["/pay/x", "/bills/paid/x", "/bills/paid/%00"] {
        assert_eq!(other.get(forged).await.status, 404, "{forged}");
    }
    assert_eq!(guest.get(&own).await.location(), thanks);
}

#[tokio::test]
async fn what_the_upstream_does_not_answer_is_not_charged_twice_nor_lost() {
    let product = Product::start().await;
    let bill = opened(&product, &[1]).await;
    let guest = product.guest();
    let path = format!("/bills/v1/bill/{bill}/payments");
    // Taken, and the answer is lost: the same press finds the same payment.
    product
        .control(
            "faults",
            json!({ "path": path, "kind": "reset", "times": 9, "after_commit": true }),
        )
        .await;
    let page = seen(&guest, "&split=all").await;
    let fields = fields_of(&page, "card");
    let first = post(&guest, &pay_path(), &fields).await;
    assert!(
        first.location().starts_with("/pay/"),
        "{}",
        first.location()
    );
    product.no_faults().await;
    let own = first.location();
    let waiting = crate::support::eventually(60, async || {
        let page = of(&guest.get(&own).await);
        (page["state"] == "waiting").then_some(page)
    })
    .await;
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
    at_bank(waiting["bank"].as_str().unwrap(), "succeeded").await;
    assert_eq!(captured(&product).await, [page["total"].as_i64().unwrap()]);
}

#[tokio::test]
async fn a_part_whose_first_attempt_is_about_another_sum_does_not_lead_to_the_bank() {
    let product = Product::start().await;
    let bill = opened(&product, &[1]).await;
    let guest = product.guest();
    let fields = fields_of(&seen(&guest, "&split=all").await, "card");
    let path = format!("/bills/v1/bill/{bill}/payments");
    let other = json!({ "path": path, "kind": "replace", "after_commit": true, "values": { "/data/payment/sum": 1 } });
    product.control("faults", other).await;
    let own = post(&guest, &pay_path(), &fields).await.location();
    assert!(own.starts_with("/pay/"), "{own}");
    product.no_faults().await;
    assert_eq!(of(&guest.get(&own).await)["state"], "waiting");
}

/// The guest sees their balance above the field: that less of it counts has a reason.
#[tokio::test]
async fn the_most_bonuses_of_a_part_say_what_limits_them() {
    let product = Product::start().await;
    opened(&product, &[2]).await;
    let guest = product.guest();
    sign_in(&product, &guest, "/").await;
    let balance = guest.get(&href()).await.data()["shell"]["balance"].clone();
    let balance = balance.as_i64().unwrap();
    let see = async |most: i64, split: &str| {
        let values = json!({ "/data/max_bonus": most / 100 });
        product.replace("/bills/v1/bill", values).await;
        let page = guest.get(&format!("{}{split}&lang=en", href())).await;
        let most = of(&page)["choice"]["mostBonus"].as_i64().unwrap();
        let field = page.texts(".share > .field").join("|");
        (tenge(most), field)
    };
    let (most, said) = see(balance, "&split=all").await;
    assert!(
        said.contains(&format!("up to {most}, not on tips")),
        "{said}"
    );
    assert!(
        !said.contains("restaurant"),
        "the balance is the limit: {said}"
    );
    let (most, said) = see(balance, "&split=equal&of=2").await;
    let all = tenge(balance);
    let part = format!("up to {most} for your part ({all} for the whole bill), not on tips");
    assert!(said.contains(&part), "{said}");
    let (most, said) = see(balance - 10_000, "&split=all").await;
    let venue = format!("up to {most}, not on tips: the restaurant takes no more");
    assert!(said.contains(&venue), "{said}");
    // All the dishes are all that there is to take.
    let set = json!({ "phone": PHONE, "bonus": 90_000 });
    product.control("balance", set).await;
    let goods = seen(&guest, "").await["goods"].as_i64().unwrap();
    let (_, said) = see(goods, "&split=all").await;
    assert!(
        said.contains("not on tips") && !said.contains("restaurant"),
        "{said}"
    );
}

#[tokio::test]
async fn bonuses_pay_a_part_of_the_dishes_and_no_tips() {
    let product = Product::start().await;
    opened(&product, &[2]).await;
    let guest = product.guest();
    assert_eq!(
        seen(&guest, "&split=all").await["choice"]["mostBonus"],
        0,
        "nobody's bonuses"
    );
    sign_in(&product, &guest, "/").await;
    let most = seen(&guest, "&split=all&tip=10").await;
    let most = most["choice"]["mostBonus"].as_i64().unwrap();
    assert!(most > 0);
    let over = seen(&guest, &format!("&split=all&bonus={}", most / 100 + 1)).await;
    assert_eq!(over["choice"]["problem"], "badBonus");
    let query = format!("&split=all&tip=10&bonus={}", most / 100);
    let page = seen(&guest, &query).await;
    let choice = &page["choice"];
    let number = |name: &str| choice[name].as_i64().unwrap();
    assert_eq!(
        number("due"),
        number("amount") + number("tips") - number("bonuses")
    );
    let bank = post(&guest, &pay_path(), &fields_of(&page, "card"))
        .await
        .location();
    let back = at_bank(&bank, "succeeded").await;
    assert_eq!(captured(&product).await, [number("due")]);
    let thanks = guest.get(&back).await.location();
    let thanks = guest.get(&format!("{thanks}?lang=en")).await;
    assert_eq!(of(&thanks)["bonus"], number("bonuses"));
    // How it was paid, and a way to say in public how it was.
    assert_eq!(of(&thanks)["way"], "card");
    assert!(
        thanks
            .text()
            .contains(&format!("/filials/{VENUE}/reviews/new"))
    );
    let cashback = of(&thanks)["cashback"].as_i64().unwrap();
    assert!(cashback > 0);
    // And the guest reads all three.
    let sums = thanks.texts(".bill-paid dl > div");
    assert!(sums.contains(&"PaymentCard".to_owned()), "{sums:?}");
    let spent = tenge(number("bonuses"));
    let reads = |sum: &String| sum.starts_with("Bonuses") && sum.ends_with(&spent);
    assert!(sums.iter().any(reads), "{sums:?}");
    let back = format!("Back to you as bonuses: {}", tenge(cashback));
    assert_eq!(thanks.texts(".bill-paid dl ~ .note"), [back]);
}

#[tokio::test]
async fn the_way_back_from_a_payment_that_was_left_leads_to_the_bill() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let guest = product.guest();
    let bank = pay(&guest, "&split=all", "card").await.location();
    let failed = at_bank(&bank, "declined").await;
    let and = if failed.contains('?') { '&' } else { '?' };
    let words = [
        (
            "kk",
            "Төлем кезінде қате шықты",
            "Банк төлемді қабылдамады, ақша алынған жоқ.",
        ),
        (
            "ru",
            "Банк отклонил платёж",
            "Деньги не списаны. Проверьте остаток и лимиты",
        ),
        (
            "en",
            "Payment error",
            "The bank declined the payment; nothing was charged. Check the balance",
        ),
    ];
    for (lang, title, what) in words {
        let page = guest.get(&format!("{failed}{and}lang={lang}")).await;
        assert_eq!(page.texts("h1"), [title]);
        assert!(page.texts("main p").concat().contains(what), "{lang}");
    }
    let page = guest.get(&failed).await.text();
    let html = scraper::Html::parse_document(&page);
    let link = scraper::Selector::parse("a.back").unwrap();
    let back = html.select(&link).next().unwrap().value().attr("href");
    let back = back.unwrap().to_owned();
    assert!(
        back.starts_with(&format!("/filials/{VENUE}/bill?")),
        "{back}"
    );
    assert_eq!(of(&guest.get(&back).await)["state"], "open");
}
