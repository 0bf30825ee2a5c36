//! The end of an account: two steps, all its sessions in whatever browser, and the way back (PR-08, PR-12, S-25, AU-16).

use serde_json::{Value, json};

use crate::{
    account::{account_of, calls_to, session_of},
    fridge, orders_own,
    profile::signed_in,
    sign_in::{
        LANGS, MENU, PHONE, at_table_with_a_dish, begin, confirm, confirm_as, problem, sign_in,
    },
    support::{Guest, Product, eventually},
};

const USER: &str = "/api/v3/user";
const REVOKE: &str = "/api/v2/oauth2/tokens/revoke";
const UNASSIGN: &str = "/api/v2/push-gateway/token/un-assign";
const DELETE: &str = "/profile/delete";
const SURE: &str = "/profile/delete?step=sure";
const YES: [(&str, &str); 2] = [("sure", "yes"), ("back", SURE)];

async fn deletions(product: &Product) -> usize {
    let log = product.sandbox_get("log").await;
    let is_one = |entry: &&Value| entry["path"] == USER && entry["method"] == "DELETE";
    log.iter().filter(is_one).count()
}

async fn bearer_of(product: &Product, guest: &Guest) -> String {
    let account = account_of(product, guest).await.unwrap();
    format!("Bearer {}", account.bearer.as_str())
}

#[tokio::test]
async fn an_account_is_deleted_in_two_steps_that_say_what_is_lost_and_how_to_come_back() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    let mut words = Vec::new();
    for lang in LANGS {
        let loss = guest.get(&format!("{DELETE}?lang={lang}")).await;
        assert_eq!(loss.status, 200);
        let lost = loss.texts(".ending li");
        assert!(lost.len() >= 4, "{lost:?}");
        words.extend(lost);
        let days = loss.texts(".ending .note");
        assert!(days[0].contains("90"), "{days:?}");
        let html = loss.rendered();
        assert!(
            html.contains(r#"href="/profile/delete?step=sure""#),
            "{html}"
        );
        assert!(
            !html.contains("<form method=\"post\" action=\"/profile/delete\""),
            "not yet"
        );

        let sure = guest.get(&format!("{SURE}&lang={lang}")).await;
        let html = sure.rendered();
        assert!(html.contains(r#"action="/profile/delete""#), "{html}");
        assert!(
            html.contains("+7 701 000 00 31"),
            "whose account it is: {html}"
        );
        assert!(sure.texts(".ending p")[0].contains("90"));
        assert!(html.contains(r#"href="/profile""#), "the way back");
    }
    words.sort();
    words.dedup();
    assert_eq!(words.len(), 16, "{words:?}");
    product.forget_log().await;
    // A form without the answer leads to what is lost, a stranger's nowhere.
    let answer = guest.post(DELETE, &[("back", "/profile")]).await;
    assert_eq!(answer.location(), DELETE);
    assert_eq!(product.guest().post_json(DELETE, &YES).await.status, 401);
    let foreign = guest
        .request(reqwest::Method::POST, DELETE)
        .header("sec-fetch-site", "cross-site")
        .form(&YES);
    assert_eq!(guest.send(foreign).await.status, 403);
    assert_eq!(deletions(&product).await, 0);

    let answer = guest.post(DELETE, &YES).await;
    assert_eq!(
        (answer.status, answer.location()),
        (303, "/profile/deleted".to_owned())
    );
    assert_eq!(answer.header("clear-site-data"), "\"storage\"");
    assert_eq!(deletions(&product).await, 1);
    assert_eq!(
        product
            .number("analytics_events_total", "profile_deleted")
            .await,
        1
    );
    let page = guest.get("/profile/deleted?lang=ru").await;
    assert_eq!(page.texts("h1"), ["Аккаунт удалён"]);
    assert!(page.rendered().contains("90"));
    // What scripts have kept goes too, on this one page and not on a link to it.
    assert_eq!(page.data()["shell"]["flash"]["kind"], "accountDeleted");
    let again = guest.get("/profile/deleted").await;
    assert_eq!(again.data()["shell"]["flash"], Value::Null);
    assert!(!product.logs().contains("7010000031"));
}

/// What is taken out of an open fridge is charged to the account once its door is shut.
#[tokio::test]
async fn an_account_with_an_open_fridge_is_not_deleted_and_leads_to_its_door() {
    let product = Product::start().await;
    let guest = fridge::ready(&product).await;
    fridge::open(&guest).await;
    for lang in LANGS {
        for step in [DELETE.to_owned() + "?", SURE.to_owned() + "&"] {
            let page = guest.get(&format!("{step}lang={lang}")).await;
            let html = page.rendered();
            assert!(
                html.contains(&format!("href=\"{}\"", fridge::page())),
                "{html}"
            );
            assert!(!html.contains("action=\"/profile/delete\""), "{html}");
            assert!(!html.contains("step=sure\""), "{html}");
            assert!(!page.texts(".ending [role=alert]").is_empty());
        }
    }
    guest.get("/faq?lang=ru&country=kz").await;
    assert_eq!(guest.post(DELETE, &YES).await.location(), DELETE);
    // What is not known is not taken for a door that is shut.
    product.fail("/smart-lock/v1/sessions", 500).await;
    guest.post(DELETE, &YES).await;
    product.no_faults().await;
    assert_eq!(deletions(&product).await, 0);
    fridge::shut(&guest).await;
    let done = guest.post(DELETE, &YES).await;
    assert_eq!(done.location(), "/profile/deleted");
    assert_eq!(deletions(&product).await, 1);
}

#[tokio::test]
async fn who_deletes_an_account_is_told_of_the_orders_under_way() {
    let product = Product::start().await;
    let (guest, bearer) = orders_own::signed_in(&product).await;
    let links = async || {
        let mut all = Vec::new();
        for page in [DELETE, SURE] {
            let page = guest.get(page).await.data();
            all.push(page["page"]["data"]["orders"].clone());
        }
        all
    };
    let before = links().await;
    let order = orders_own::bought(&product, &bearer, "takeaway", "cash").await;
    for (now, before) in links().await.iter().zip(&before) {
        let (now, before) = (now.as_array().unwrap(), before.as_array().unwrap());
        assert_eq!(now.len(), before.len() + 1);
        assert!(
            now.iter()
                .any(|one| one["href"] == format!("/orders/{order}"))
        );
    }
    for lang in LANGS {
        let html = guest.get(&format!("{SURE}&lang={lang}")).await.rendered();
        assert!(
            html.contains(&format!("href=\"/orders/{order}\"")),
            "{html}"
        );
        assert!(
            html.contains("action=\"/profile/delete\""),
            "it is told, not refused"
        );
    }
    orders_own::set_status(&product, &order, "completed").await;
    assert_eq!(links().await, before);
}

/// A guest at a table, who is signed in at another table too, and somebody else beside them.
pub struct Devices {
    pub guest: Guest,
    pub other: Guest,
    third: Guest,
    old: Guest,
    before: Value,
    bearers: [String; 2],
    kept: String,
}

impl Devices {
    pub async fn of(product: &Product) -> Self {
        let guest = at_table_with_a_dish(product).await;
        sign_in(product, &guest, MENU).await;
        let other = at_table_with_a_dish(product).await;
        sign_in(product, &other, MENU).await;
        let push = [("token", "push-of-the-other"), ("back", MENU)];
        assert_eq!(other.post_json("/session/push", &push).await.status, 200);
        let third = at_table_with_a_dish(product).await;
        let page = begin(&third, MENU).await;
        third
            .get(&confirm_as(product, &page, "+77010000035").await)
            .await;
        let (old, before) = (guest.second_tab(), guest.get("/cart").await.data());
        let bearers = [
            bearer_of(product, &guest).await,
            bearer_of(product, &other).await,
        ];
        let kept = bearer_of(product, &third).await;
        product.forget_log().await;
        Self {
            guest,
            other,
            third,
            old,
            before,
            bearers,
            kept,
        }
    }

    /// Every session of the guest has ended with what was the guest's, and no other.
    pub async fn have_ended(&self, product: &Product) {
        // Here: the cart is gone, the table stays, the id of before is nobody's.
        let shell = self.guest.get("/cart").await.data()["shell"].clone();
        assert_eq!(shell["cart"], Value::Null);
        assert!(shell["table"].is_object());
        assert_eq!(
            shell["table"]["tableId"],
            self.before["shell"]["table"]["tableId"]
        );
        for gone in [&self.guest, &self.old, &self.other] {
            assert!(account_of(product, gone).await.is_none());
            assert_eq!(gone.get("/profile").await.status, 303);
        }
        // On the other device nothing is left at all.
        let shell = self.other.get("/cart").await.data()["shell"].clone();
        assert_eq!(
            (&shell["cart"], &shell["table"]),
            (&Value::Null, &Value::Null)
        );
        // Their tokens are given back, after the push token was.
        eventually(10, || async {
            let sent = calls_to(product, REVOKE).await;
            let all = self.bearers.iter().all(|one| sent.contains(one));
            all.then_some(())
        })
        .await;
        assert_eq!(calls_to(product, UNASSIGN).await, [self.bearers[1].clone()]);
        // Somebody else stays who they are.
        assert_eq!(bearer_of(product, &self.third).await, self.kept);
        assert!(!calls_to(product, REVOKE).await.contains(&self.kept));
        let cart = self.third.get("/cart").await.data();
        assert_eq!(cart["shell"]["cart"]["count"], 1);
        assert_eq!(self.third.get("/profile").await.status, 200);
    }
}

#[tokio::test]
async fn all_sessions_of_a_deleted_account_end_and_no_others() {
    let product = Product::start().await;
    let devices = Devices::of(&product).await;
    let guest = &devices.guest;
    guest.post(DELETE, &YES).await;
    devices.have_ended(&product).await;

    // And back within 90 days.
    let page = begin(guest, "/profile").await;
    let asked = guest.get(&confirm(&product, &page).await).await;
    assert_eq!(problem(&asked), "deleted");
    let restored = guest
        .post("/session/restore", &[("back", "/profile")])
        .await;
    assert_eq!(restored.location(), "/profile");
    let profile = guest.get("/profile").await.data();
    assert_eq!(profile["page"]["data"]["phone"], PHONE);
}

#[tokio::test]
async fn a_deletion_whose_answer_is_lost_ends_all_sessions_by_this_press_or_the_next() {
    for is_asked in [true, false] {
        let product = Product::start().await;
        let devices = Devices::of(&product).await;
        let fault =
            json!({ "path": USER, "method": "DELETE", "kind": "reset", "after_commit": true });
        product.control("faults", fault).await;
        if is_asked {
            let answer = devices.guest.post(DELETE, &YES).await;
            assert_eq!(answer.location(), "/profile/deleted");
            assert_eq!(answer.header("clear-site-data"), "\"storage\"");
            product.no_faults().await;
        } else {
            // Nor does the upstream say whether it is deleted.
            let fault = json!({ "path": USER, "method": "GET", "kind": "status", "status": 503 });
            product.control("faults", fault).await;
            let answer = devices.guest.post_json(DELETE, &YES).await.json();
            assert_eq!(answer["flash"]["errors"][0]["code"], "notDone");
            product.no_faults().await;
            let sent = deletions(&product).await;
            let answer = devices.guest.post(DELETE, &YES).await;
            assert_eq!(answer.location(), "/profile/deleted");
            assert_eq!(deletions(&product).await, sent, "it is deleted already");
        }
        devices.have_ended(&product).await;
    }
}

#[tokio::test]
async fn a_deletion_that_fails_takes_nothing_and_can_be_asked_for_again() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    sign_in(&product, &guest, MENU).await;
    guest.get("/faq?lang=ru").await;
    for (status, words) in [
        (503, "Сервис не ответил. Попробуйте ещё раз."),
        (422, "A fault on purpose"),
    ] {
        product.no_faults().await;
        let fault = json!({ "path": USER, "method": "DELETE", "kind": "status", "status": status });
        product.control("faults", fault).await;
        let page = guest.submit(DELETE, &YES).await;
        assert_eq!(page.texts("[role=alert]"), [words], "{status}");
        assert!(
            page.rendered().contains(r#"action="/profile/delete""#),
            "the question stands"
        );
        assert!(account_of(&product, &guest).await.is_some());
        assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
        assert_eq!(page.header("clear-site-data"), "");
    }
    assert_eq!(
        product
            .number("analytics_events_total", "profile_deleted")
            .await,
        0
    );
    product.no_faults().await;
    assert_eq!(
        guest.post(DELETE, &YES).await.location(),
        "/profile/deleted"
    );
    let (_, sess) = session_of(&product, &guest).await;
    assert!(sess.account().await.is_none() && sess.own_orders().await.is_empty());
}

#[tokio::test]
async fn a_guest_who_opens_the_form_or_the_deletion_of_a_deleted_account_is_asked_to_restore_it() {
    let product = Product::start().await;
    for path in ["/profile/form", DELETE] {
        let guest = signed_in(&product).await;
        // Deleted in an app of the same brand, of which this product knows nothing.
        let bearer = bearer_of(&product, &guest).await;
        let request = crate::support::client()
            .delete(format!("{}{USER}", product.sandbox))
            .header("authorization", bearer);
        assert!(request.send().await.unwrap().status().is_success());
        let ahead = guest.get_with(path, &[("sec-purpose", "prefetch")]).await;
        assert_eq!(
            ahead.status, 403,
            "{path}: what is asked ahead changes nothing"
        );
        let answer = guest.get(path).await;
        assert_eq!(problem(&answer), "deleted", "{path}");
        assert!(answer.location().ends_with("back=%2Fprofile"), "{path}");
        assert!(account_of(&product, &guest).await.is_none());
        let restored = guest
            .post("/session/restore", &[("back", "/profile")])
            .await;
        assert_eq!(restored.location(), "/profile");
    }
}
