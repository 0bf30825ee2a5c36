//! A store that can be read and not written: the menu goes on, changes are to be tried again (R-14, R-22).

use std::{process::Command, time::Duration};

use crate::support::{
    Guest, Product, VENUE, as_fields, eventually, new_folder, not_run, order_fields,
    plain_products, table_link,
};

/// What holds while nothing can be written: `word` is how the store calls that.
async fn reads_go_on(product: &Product, guest: &Guest, word: &str) {
    // A guest who comes to a table sees its menu, with the table, though it cannot be remembered.
    let other_guest = product.guest();
    let menu = other_guest.get(&table_link(VENUE, "t7")).await;
    assert_eq!(menu.status, 200, "{word}");
    assert_eq!(menu.data()["shell"]["table"]["number"], "7");
    assert!(menu.rendered().contains("<h1"));
    let data = other_guest.data(&table_link(VENUE, "t7")).await;
    assert_eq!(data["status"], 200, "{word}");
    assert_eq!(other_guest.cookie("dk"), None, "nothing was kept");
    // A guest who has a cart sees it, also at another table and in another venue.
    for path in [
        table_link(VENUE, "t5"),
        table_link(1023, "t1"),
        "/filials/1033".to_owned(),
        "/cart".to_owned(),
        "/".to_owned(),
    ] {
        let page = guest.get(&path).await;
        assert_eq!(page.status, 200, "{word}: {path}");
        assert_eq!(page.data()["shell"]["cart"]["count"], 1, "{word}: {path}");
    }
    // A change says that it did not happen, to people and to scripts.
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[1].0;
    let refused = guest.add(VENUE, dish).await;
    assert_eq!(refused.status, 503, "{word}");
    assert!(!refused.header("retry-after").is_empty(), "{word}");
    assert!(refused.header("content-type").starts_with("text/html"));
    let (venue, dish) = (VENUE.to_string(), dish.to_string());
    let fields = [("filial", venue.as_str()), ("product", &dish)];
    assert_eq!(guest.post_json("/cart/lines", &fields).await.status, 503);
    let order = order_fields(&guest.get("/cart").await.data());
    let cookie = guest.cookie("dk");
    let refused = guest.post("/orders", &as_fields(&order)).await;
    assert_eq!(refused.status, 503, "{word}: {}", refused.text());
    assert!(!refused.header("retry-after").is_empty(), "{word}");
    assert_eq!(guest.cookie("dk"), cookie, "the cookie is kept");
    assert!(product.sandbox_get("orders").await.is_empty());
    // It is told, and fails no readiness.
    let (status, told) = product.admin("/readyz").await;
    assert_eq!(status, 200, "{told}");
    assert!(told.contains(&format!("store {word}\n")), "{told}");
}

/// And when it can be written again.
async fn all_goes_on(product: &Product, guest: &Guest) {
    eventually(20, || async {
        let (_, told) = product.admin("/readyz").await;
        told.contains("store ok\n").then_some(())
    })
    .await;
    let menu = guest.get(&table_link(VENUE, "t7")).await.data();
    let dish = plain_products(&menu)[1].0;
    assert_eq!(guest.add(VENUE, dish).await.status, 303);
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 2);
    assert_eq!(cart["shell"]["table"]["number"], "7");
}

/// FL-06: a cart that comes back brings its table, which is written first. Where the store fails between the two the guest
/// is told to try again, both carts are there, and the same form once more brings what is missing.
#[tokio::test]
async fn a_store_that_fails_between_table_and_cart_loses_neither() {
    let product = Product::start().await;
    let guest = guest_with_a_dish(&product).await;
    let of_venue = guest.get("/cart").await.data()["shell"]["cart"]["lines"].clone();
    guest.get(&table_link(1023, "t1")).await;
    let dish = plain_products(&guest.get("/filials/1023").await.data())[0].0;
    guest.add(1023, dish).await;
    let of_other = guest.get("/cart").await.data()["shell"]["cart"]["lines"].clone();

    let other = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    other.busy_timeout(Duration::from_secs(5)).unwrap();
    let fails =
        "CREATE TRIGGER fails BEFORE UPDATE ON carts BEGIN SELECT RAISE(ABORT, 'no room'); END";
    other.execute_batch(fails).unwrap();
    let venue = VENUE.to_string();
    let fields = [
        ("venue", venue.as_str()),
        ("back", "/cart"),
        ("m", "AbCdEfGhIjKlMnOpQrStUv"),
    ];
    let refused = guest.post("/cart/undo", &fields).await;
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert!(!refused.header("retry-after").is_empty());
    assert!(refused.header("content-type").starts_with("text/html"));
    assert!(refused.text().contains("<h1"));
    let refused = guest.post_json("/cart/undo", &fields).await;
    assert_eq!(refused.status, 503);
    assert!(!refused.header("retry-after").is_empty());
    // The table of the cart that was asked for is there, the cart is not yet: nothing of either is lost.
    let between = guest.get("/cart").await.data();
    assert_eq!(between["shell"]["cart"]["lines"], of_other);
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    assert_eq!(menu["shell"]["table"]["number"], "7");
    let waits = &between["page"]["data"]["saved"][0];
    assert_eq!(
        (&waits["venue"]["id"], &waits["count"]),
        (&VENUE.into(), &1.into())
    );
    // Nor is anything ordered to the wrong table meanwhile.
    assert_eq!(between["page"]["data"]["blocks"][0], "table");

    other.execute_batch("DROP TRIGGER fails").unwrap();
    for _ in 0..2 {
        let back = guest.submit("/cart/undo", &fields).await.data();
        assert_eq!(back["shell"]["cart"]["lines"], of_venue);
        assert_eq!(back["shell"]["table"]["number"], "7");
        assert_eq!(back["page"]["data"]["blocks"], serde_json::json!([]));
        assert_eq!(back["page"]["data"]["saved"][0]["venue"]["id"], 1023);
    }
}

async fn guest_with_a_dish(product: &Product) -> Guest {
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    assert_eq!(
        guest.add(VENUE, plain_products(&menu)[0].0).await.status,
        303
    );
    guest
}

#[tokio::test]
async fn a_locked_store_keeps_the_menus_open_and_changes_are_to_be_tried_again() {
    let product = Product::start().await;
    let guest = guest_with_a_dish(&product).await;
    let other = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    other.busy_timeout(Duration::from_secs(5)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    reads_go_on(&product, &guest, "locked").await;
    // Only the session is to be written: that is nobody's rush.
    let left = guest
        .post("/session/table/leave", &[("back", "/?lang=en")])
        .await;
    assert_eq!(left.status, 503);
    assert!(!left.header("retry-after").is_empty());
    assert!(left.text().contains("Қап! Серверде қате бар"));
    other.execute_batch("ROLLBACK").unwrap();
    all_goes_on(&product, &guest).await;
}

#[tokio::test]
async fn a_full_disk_keeps_the_menus_open_and_changes_are_to_be_tried_again() {
    let Some(product) = Product::with_a_small_disk().await else {
        not_run("a_full_disk_keeps_the_menus_open_and_changes_are_to_be_tried_again");
        return;
    };
    let guest = guest_with_a_dish(&product).await;
    product.fill_disk(true);
    reads_go_on(&product, &guest, "full").await;
    product.fill_disk(false);
    all_goes_on(&product, &guest).await;
}

/// Nothing has to be written at a start.
#[tokio::test]
async fn a_start_on_a_disk_that_can_not_be_written_shows_menus_and_carts() {
    let upstream = Product::start().await;
    // What a process leaves behind when it was killed, and when it stopped.
    for killed in [true, false] {
        let mut first = Product::in_front_of(&upstream).await;
        let guest = guest_with_a_dish(&first).await;
        if killed {
            first.kill();
        } else {
            first.terminate();
            first.ended().await;
        }
        for (full, word) in [(true, "full"), (false, "read-only")] {
            let Some(product) = first.on_a_copy(full).await else {
                not_run("a_start_on_a_disk_that_can_not_be_written_shows_menus_and_carts");
                return;
            };
            reads_go_on(&product, &guest.at(&product), word).await;
            let (_, metrics) = product.admin("/metrics").await;
            let told = format!(r#"state_health{{state="{word}"}} 1"#);
            assert!(metrics.contains(&told), "{metrics}");
        }
    }
}

/// A start on a full disk keeps other processes out, as there is no room for what they would share; with room that is over.
#[tokio::test]
async fn backups_and_checks_work_again_once_a_full_disk_has_room() {
    let upstream = Product::start().await;
    let mut first = Product::in_front_of(&upstream).await;
    let guest = guest_with_a_dish(&first).await;
    first.terminate();
    first.ended().await;
    let Some(product) = first.on_a_copy(true).await else {
        not_run("backups_and_checks_work_again_once_a_full_disk_has_room");
        return;
    };
    let guest = guest.at(&product);
    let outcome_of = |command: &mut Command| {
        let ended = command.arg("--state-dir").arg(&product.folder);
        let ended = ended.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        (ended.status.success(), said)
    };
    let check = || {
        let ports = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        let mut check = product.command_inside();
        check.args(["check", "--upstream-url", &upstream.sandbox]);
        outcome_of(check.args(ports))
    };
    let (ready, said) = check();
    assert!(!ready && said.contains("No space left"), "{said}");
    product.fill_disk(false);
    all_goes_on(&product, &guest).await;
    let folder = new_folder();
    eventually(20, || async {
        outcome_of(product.command_inside().arg("backup").arg(&folder))
            .0
            .then_some(())
    })
    .await;
    assert!(folder.join("state.sqlite").exists());
    let (ready, said) = check();
    assert!(ready, "{said}");
    // Beside them it goes on.
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    assert_eq!(
        guest.add(VENUE, plain_products(&menu)[0].0).await.status,
        303
    );
    let (_, told) = product.admin("/readyz").await;
    assert!(told.contains("store ok\n"), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Files that were deleted are written on as if nothing had happened.
#[tokio::test]
async fn a_database_that_is_deleted_under_the_server_is_told_once_and_by_its_health() {
    for files in [
        &["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"][..],
        &["state.sqlite-wal"],
    ] {
        let product = Product::start().await;
        let guest = guest_with_a_dish(&product).await;
        for file in files {
            std::fs::remove_file(product.folder.join(file)).unwrap();
        }
        let (status, told) = product.admin("/readyz").await;
        assert_eq!(status, 200, "{told}");
        assert!(told.contains("store gone\n"), "{told}");
        let (_, metrics) = product.admin("/metrics").await;
        assert!(
            metrics.contains(r#"state_health{state="gone"} 1"#),
            "{metrics}"
        );
        assert!(
            metrics.contains(r#"state_health{state="ok"} 0"#),
            "{metrics}"
        );
        // Guests go on, as long as there is somebody who remembers.
        assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
        let lines = product.logged("under the running server");
        assert_eq!(lines.len(), 1, "{lines:#?}");
        assert!(lines[0].contains(r#""level":"ERROR""#), "{lines:#?}");
    }
}

/// One failure is one line of what failed and one of what came of it, and each says so in words.
#[tokio::test]
async fn a_store_that_fails_fills_no_log() {
    let product = Product::start().await;
    let guest = guest_with_a_dish(&product).await;
    let other = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let before = product.logs().len();
    // The table can't be written into the session.
    assert_eq!(guest.get(&table_link(1023, "t1")).await.status, 200);
    let logs = product.logs()[before..].to_owned();
    for line in logs.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["message"].is_string(), "{line}");
    }
    let told = logs.matches("The session could not be").count();
    assert_eq!(told, 1, "{logs}");
    // What fails is a change: the log speaks of no page.
    let before = product.logs().len();
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[1].0;
    assert_eq!(guest.add(VENUE, dish).await.status, 503);
    let logs = product.logs()[before..].to_owned();
    assert!(logs.contains("A request could not be answered"), "{logs}");
    assert!(!logs.contains("page could not"), "{logs}");
    other.execute_batch("ROLLBACK").unwrap();
}
