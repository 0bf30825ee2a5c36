//! The session store (S-03, S-04, S-05, R-14, R-15).

use std::{sync::Arc, time::Duration};

use dastarkhan::{
    keys::seal::Keys,
    state::{
        ABSOLUTE, State,
        carts::{Cart, CartId, NewLine},
        sessions::{IDLE, IdChange, Left, SHORT, SHORT_LIVED, Sessions},
    },
};
use tower_sessions::{Session, SessionStore as _, session::Id};

use super::Fixture;

on_each!(
    a_value_is_swapped_only_from_what_it_is,
    the_database_holds_neither_the_cookie_nor_what_it_stands_for,
    a_row_copied_to_another_id_cannot_be_opened,
    a_session_ends_after_30_idle_days,
    a_session_ends_after_90_days_however_busy,
    a_short_lived_session_ends_after_an_hour_unless_it_becomes_a_usual_one,
    an_id_that_a_visitor_made_up_is_not_adopted,
    sign_in_and_sign_out_change_the_id_everywhere,
    what_is_left_under_an_id_of_before_ends_after_a_meal_however_busy,
    another_id_takes_along_what_was_written_by_then_and_leaves_a_copy_of_the_cart,
    a_session_that_is_over_gets_no_other_id,
    a_slow_request_does_not_bring_an_ended_session_back,
    twenty_parallel_edits_on_two_servers_lose_nothing,
    what_one_request_removes_another_does_not_bring_back,
    a_replaced_secret_signs_no_guest_out_until_it_is_retired,
    every_session_that_is_meant_is_deleted_but_one_and_no_other,
    a_cart_that_was_read_with_its_session_is_never_older_than_what_was_written_since,
);

const DAY: Duration = Duration::from_secs(24 * 3600);

async fn store(fixture: &Fixture) -> Arc<Sessions> {
    Arc::new(fixture.open().await.sessions())
}

/// What a request with this session id sees.
fn visit(store: &Arc<Sessions>, id: Option<Id>) -> Session {
    Session::new(id, Arc::clone(store), None)
}

async fn stored(store: &Arc<Sessions>) -> Id {
    let session = visit(store, None);
    session.insert("cart", "first").await.unwrap();
    session.save().await.unwrap();
    session.id().unwrap()
}

async fn value(store: &Arc<Sessions>, id: Id, key: &str) -> Option<String> {
    visit(store, Some(id)).get(key).await.unwrap()
}

async fn the_database_holds_neither_the_cookie_nor_what_it_stands_for(fixture: Fixture) {
    let store = store(&fixture).await;
    let session = visit(&store, None);
    session
        .insert("token", "canary-of-the-token")
        .await
        .unwrap();
    session.save().await.unwrap();
    let cookie = session.id().unwrap().to_string();
    assert!(!fixture.holds(&cookie) && !fixture.holds("canary-of-the-token"));
    assert_eq!(fixture.count("sessions"), 1);
    assert_eq!(
        value(&store, session.id().unwrap(), "token").await.unwrap(),
        "canary-of-the-token"
    );
}

async fn a_row_copied_to_another_id_cannot_be_opened(fixture: Fixture) {
    let store = store(&fixture).await;
    let ids = [stored(&store).await, stored(&store).await];
    fixture.copy_one_session_to_all();
    let mut open = 0;
    for id in &ids {
        open += usize::from(store.load(id).await.unwrap().is_some());
    }
    assert_eq!(open, 1, "its own row still opens");
}

async fn a_session_ends_after_30_idle_days(fixture: Fixture) {
    let store = store(&fixture).await;
    let id = stored(&store).await;
    fixture.clock.advance(29 * DAY);
    assert!(
        store.load(&id).await.unwrap().is_some(),
        "and this visit extends it"
    );
    fixture.clock.advance(29 * DAY);
    assert!(store.load(&id).await.unwrap().is_some());
    fixture.clock.advance(30 * DAY);
    assert!(store.load(&id).await.unwrap().is_none());
}

async fn a_session_ends_after_90_days_however_busy(fixture: Fixture) {
    let state = fixture.open().await;
    let store = Arc::new(state.sessions());
    let id = stored(&store).await;
    for _ in 0..89 {
        fixture.clock.advance(DAY);
        let session = visit(&store, Some(id));
        session.insert("cart", fixture.clock.now()).await.unwrap();
        session.save().await.unwrap();
    }
    assert!(store.load(&id).await.unwrap().is_some());
    fixture.clock.advance(DAY);
    assert!(store.load(&id).await.unwrap().is_none());
    // What is not read any more goes: by a sweep here, by itself there.
    if fixture.server.is_none() {
        assert_eq!(state.sweep().await.unwrap().sessions, 1);
        assert_eq!(fixture.count("sessions"), 0);
    }
}

async fn a_short_lived_session_ends_after_an_hour_unless_it_becomes_a_usual_one(fixture: Fixture) {
    let store = store(&fixture).await;
    let begin = async || {
        let session = visit(&store, None);
        session.insert("cart", "first").await.unwrap();
        session.insert(SHORT_LIVED, true).await.unwrap();
        session.save().await.unwrap();
        session.id().unwrap()
    };
    let [unused, read, changed, kept] =
        [begin().await, begin().await, begin().await, begin().await];
    let change = async |id: Id| {
        let session = visit(&store, Some(id));
        let is_short = session.get_value(SHORT_LIVED).await.unwrap().is_some();
        session.insert("cart", fixture.clock.now()).await.unwrap();
        (session, is_short)
    };
    fixture.clock.advance(SHORT / 2);
    assert!(store.load(&read).await.unwrap().is_some());
    assert!(change(changed).await.0.save().await.is_ok());
    let (late, is_short) = change(kept).await;
    assert!(is_short);
    let (session, _) = change(kept).await;
    session.remove_value(SHORT_LIVED).await.unwrap();
    session.save().await.unwrap();
    // A request that began before does not make it short-lived again.
    late.save().await.unwrap();
    fixture.clock.advance(SHORT / 2);
    for (id, lives) in [(unused, false), (read, true), (changed, true), (kept, true)] {
        assert_eq!(store.load(&id).await.unwrap().is_some(), lives);
    }
    fixture.clock.advance(SHORT);
    for (id, lives) in [(read, false), (changed, false), (kept, true)] {
        assert_eq!(store.load(&id).await.unwrap().is_some(), lives);
    }
    assert!(!change(kept).await.1);
    fixture.clock.advance(29 * DAY);
    assert!(store.load(&kept).await.unwrap().is_some());
}

async fn an_id_that_a_visitor_made_up_is_not_adopted(fixture: Fixture) {
    let store = store(&fixture).await;
    let planted = Id::default();
    let session = visit(&store, Some(planted));
    session.insert("cart", "victim's").await.unwrap();
    session.save().await.unwrap();
    assert_ne!(session.id().unwrap(), planted);
    assert!(store.load(&planted).await.unwrap().is_none());
}

async fn sign_in_and_sign_out_change_the_id_everywhere(fixture: Fixture) {
    let (store, other_server) = (store(&fixture).await, store(&fixture).await);
    let before = stored(&store).await;

    let changed = store.change_id(&before, IdChange::default()).await;
    let signed_in = changed.unwrap().unwrap().id;
    assert_ne!(signed_in, before);
    assert_eq!(
        value(&other_server, signed_in, "cart").await.unwrap(),
        "first"
    );
    assert!(other_server.load(&before).await.unwrap().is_none());

    let session = visit(&store, Some(signed_in));
    session.flush().await.unwrap();
    session.insert("deviceId", "same").await.unwrap();
    session.save().await.unwrap();
    assert_ne!(session.id().unwrap(), signed_in);
    assert!(other_server.load(&signed_in).await.unwrap().is_none());
    assert_eq!(value(&store, session.id().unwrap(), "cart").await, None);
}

/// As a sign-in leaves it.
fn leaving() -> IdChange {
    IdChange {
        only: None,
        set: vec![("account", Some("of-a-guest".into()))],
        left: Some(Left {
            values: vec!["cart", "age"],
            mark: "left",
        }),
    }
}

async fn what_is_left_under_an_id_of_before_ends_after_a_meal_however_busy(fixture: Fixture) {
    let store = store(&fixture).await;
    let before = stored(&store).await;
    let changed = store.change_id(&before, leaving()).await.unwrap().unwrap();
    for minutes in [60, 60, 60, 59] {
        fixture.clock.advance(Duration::from_secs(minutes * 60));
        let busy = visit(&store, Some(before));
        busy.insert("age", fixture.clock.now()).await.unwrap();
        busy.save().await.unwrap();
        assert!(store.load(&before).await.unwrap().is_some());
    }
    fixture.clock.advance(Duration::from_secs(60));
    assert!(store.load(&before).await.unwrap().is_none());
    assert_eq!(value(&store, changed.id, "cart").await.unwrap(), "first");
}

async fn another_id_takes_along_what_was_written_by_then_and_leaves_a_copy_of_the_cart(
    fixture: Fixture,
) {
    let state = fixture.open().await;
    let (store, carts) = (Arc::new(state.sessions()), state.carts());
    let dish = |product_id| NewLine {
        product_id,
        ..NewLine::default()
    };
    let add = async |cart: &CartId, product| {
        let change = |cart: &mut Cart| cart.add(1013, dish(product), 1, false, 0);
        carts.update(cart, change).await.unwrap();
    };
    let own = CartId::random();
    add(&own, 1).await;
    let session = visit(&store, None);
    session.insert("cart", &own).await.unwrap();
    session.insert("push", "of-the-guest").await.unwrap();
    session.save().await.unwrap();
    let before = session.id().unwrap();
    // Another tab has read it, and writes only now.
    session.insert("age", "accepted").await.unwrap();
    session.save().await.unwrap();
    let after = store
        .change_id(&before, leaving())
        .await
        .unwrap()
        .unwrap()
        .id;

    for (key, expected) in [
        ("age", "accepted"),
        ("push", "of-the-guest"),
        ("account", "of-a-guest"),
    ] {
        assert_eq!(value(&store, after, key).await.unwrap(), expected, "{key}");
    }
    assert_eq!(value(&store, after, "cart").await.unwrap(), own.as_str());
    assert_eq!(value(&store, before, "age").await.unwrap(), "accepted");
    for key in ["push", "account"] {
        assert_eq!(value(&store, before, key).await, None, "{key}");
    }
    let left: CartId = visit(&store, Some(before))
        .get("cart")
        .await
        .unwrap()
        .unwrap();
    assert_ne!(left, own);
    let copy = carts.load(&left).await.unwrap();
    assert_eq!(copy.lines, carts.load(&own).await.unwrap().lines);
    add(&left, 2).await;
    add(&left, 3).await;
    assert_eq!(carts.load(&own).await.unwrap().count(), 1);
    add(&own, 4).await;
    assert_eq!(carts.load(&left).await.unwrap().count(), 3);
}

async fn a_session_that_is_over_gets_no_other_id(fixture: Fixture) {
    let store = store(&fixture).await;
    let id = stored(&store).await;
    store.delete(&id).await.unwrap();
    assert!(store.change_id(&id, leaving()).await.unwrap().is_none());
    assert_eq!(fixture.count("sessions"), 0);
}

#[tokio::test]
async fn a_store_that_fails_half_way_to_another_id_leaves_all_as_it_was() {
    for on in [
        "INSERT ON sessions",
        "UPDATE ON sessions",
        "INSERT ON carts",
    ] {
        let fixture = Fixture::new();
        let state = fixture.open().await;
        let (store, own) = (Arc::new(state.sessions()), CartId::random());
        let change = |cart: &mut Cart| cart.add(1013, NewLine::default(), 1, false, 0);
        state.carts().update(&own, change).await.unwrap();
        let session = visit(&store, None);
        session.insert("cart", &own).await.unwrap();
        session.save().await.unwrap();
        let id = session.id().unwrap();
        let fails =
            format!("CREATE TRIGGER fails BEFORE {on} BEGIN SELECT RAISE(ABORT, 'full'); END");
        fixture.database().execute_batch(&fails).unwrap();
        assert!(store.change_id(&id, leaving()).await.is_err(), "{on}");
        let rows = (fixture.count("sessions"), fixture.count("carts"));
        assert_eq!(rows, (1, 1), "{on}");
        assert_eq!(value(&store, id, "cart").await.unwrap(), own.as_str());
        assert_eq!(value(&store, id, "account").await, None);
    }
}

async fn a_slow_request_does_not_bring_an_ended_session_back(fixture: Fixture) {
    let store = store(&fixture).await;
    let id = stored(&store).await;
    let slow = visit(&store, Some(id));
    slow.insert("cart", "late").await.unwrap();
    store.delete(&id).await.unwrap();
    slow.save().await.unwrap();
    assert_eq!(fixture.count("sessions"), 0);
}

async fn twenty_parallel_edits_on_two_servers_lose_nothing(fixture: Fixture) {
    let servers = [store(&fixture).await, store(&fixture).await];
    let id = stored(&servers[0]).await;
    let edits = (0..20).map(|n| {
        let session = visit(&servers[n % 2], Some(id));
        async move {
            // All have loaded before any saves.
            session.insert(&format!("key{n}"), n).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
            session.save().await.unwrap();
        }
    });
    futures_util::future::join_all(edits).await;
    let session = visit(&servers[0], Some(id));
    for n in 0..20 {
        assert_eq!(
            session.get::<usize>(&format!("key{n}")).await.unwrap(),
            Some(n)
        );
    }
    assert_eq!(
        session.get::<String>("cart").await.unwrap().unwrap(),
        "first"
    );
}

async fn a_value_is_swapped_only_from_what_it_is(fixture: Fixture) {
    let store = store(&fixture).await;
    let id = stored(&store).await;
    let swap = async |from: Option<&str>, to: Option<&str>| {
        let value = |text: Option<&str>| text.map(Into::into);
        let swapped = store.swap(&id, "cart", value(from), value(to)).await;
        swapped.unwrap()
    };
    assert!(!swap(Some("other"), Some("second")).await);
    assert!(!swap(None, Some("second")).await);
    assert_eq!(value(&store, id, "cart").await.unwrap(), "first");
    assert!(swap(Some("first"), Some("second")).await);
    assert!(swap(Some("second"), None).await);
    assert_eq!(value(&store, id, "cart").await, None);
    assert!(swap(None, Some("third")).await);
    assert_eq!(value(&store, id, "cart").await.unwrap(), "third");
    store.delete(&id).await.unwrap();
    assert!(!swap(Some("third"), None).await);
}

async fn what_one_request_removes_another_does_not_bring_back(fixture: Fixture) {
    let store = store(&fixture).await;
    let id = stored(&store).await;
    let (one, other) = (visit(&store, Some(id)), visit(&store, Some(id)));
    one.remove_value("cart").await.unwrap();
    other.insert("age", "accepted").await.unwrap();
    one.save().await.unwrap();
    other.save().await.unwrap();
    assert_eq!(value(&store, id, "cart").await, None);
    assert_eq!(value(&store, id, "age").await.unwrap(), "accepted");

    let session = visit(&store, Some(id));
    session.clear().await;
    session.insert("cart", "new").await.unwrap();
    session.save().await.unwrap();
    assert_eq!(
        value(&store, id, "age").await,
        None,
        "clearing clears everything"
    );
}

async fn a_replaced_secret_signs_no_guest_out_until_it_is_retired(mut fixture: Fixture) {
    let (first, second) = ([1; 32], [2; 32]);
    fixture.keys = Keys::new(first, None);
    let id = stored(&store(&fixture).await).await;
    fixture.keys = Keys::new(second, Some(first));
    let rotated = store(&fixture).await;
    assert_eq!(value(&rotated, id, "cart").await.unwrap(), "first");
    let session = visit(&rotated, Some(id));
    session.insert("cart", "resealed").await.unwrap();
    session.save().await.unwrap();
    fixture.keys = Keys::new(second, None);
    assert_eq!(
        value(&store(&fixture).await, id, "cart").await.unwrap(),
        "resealed"
    );
    // An instance with secrets of its own is not let in at all, and takes nothing away.
    fixture.keys = Keys::random();
    let refused = State::open(fixture.options()).await.unwrap_err();
    assert!(refused.to_string().contains("SECRET_KEYS"), "{refused}");
    fixture.keys = Keys::new(second, None);
    assert_eq!(
        value(&store(&fixture).await, id, "cart").await.unwrap(),
        "resealed"
    );
    // What has ended keeps nobody out.
    fixture.clock.advance(ABSOLUTE + IDLE);
    fixture.keys = Keys::random();
    if fixture.server.is_none() {
        drop(fixture.open().await);
    }
}

#[tokio::test]
async fn a_locked_store_answers_in_time_and_works_again_at_once() {
    let fixture = Fixture::new();
    let store = store(&fixture).await;
    let id = stored(&store).await;
    let lock = fixture.database();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let session = visit(&store, Some(id));
    session.insert("cart", "second").await.unwrap();
    let saved = tokio::time::timeout(Duration::from_secs(3), session.save()).await;
    assert!(saved.unwrap().is_err());
    assert!(store.load(&id).await.unwrap().is_some(), "reading goes on");
    lock.execute_batch("ROLLBACK").unwrap();
    session.save().await.unwrap();
    assert_eq!(value(&store, id, "cart").await.unwrap(), "second");
}

async fn every_session_that_is_meant_is_deleted_but_one_and_no_other(fixture: Fixture) {
    let store = store(&fixture).await;
    let (mut meant, mut others) = (Vec::new(), Vec::new());
    // More than are opened at once.
    for turn in 0..1100 {
        let id = stored(&store).await;
        if turn % 3 == 0 {
            let session = visit(&store, Some(id));
            session.insert("user", turn).await.unwrap();
            session.save().await.unwrap();
            meant.push(id);
        } else {
            others.push(id);
        }
    }
    let kept = meant.pop().unwrap();
    let deleted = store
        .delete_where(Some(kept), |data| data.contains_key("user"))
        .await
        .unwrap();
    assert_eq!(deleted.len(), meant.len());
    assert!(deleted.iter().all(|data| data["cart"] == "first"));
    for id in &meant {
        assert!(store.load(id).await.unwrap().is_none());
    }
    for id in others.iter().chain([&kept]) {
        assert!(store.load(id).await.unwrap().is_some());
    }
}

async fn a_cart_that_was_read_with_its_session_is_never_older_than_what_was_written_since(
    fixture: Fixture,
) {
    let state = fixture.open().await;
    let (store, carts) = (Arc::new(state.sessions()), state.carts());
    let id = CartId::random();
    let session = visit(&store, None);
    session.insert("cart", &id).await.unwrap();
    session.save().await.unwrap();
    let read = async || {
        let again = visit(&store, session.id());
        let read = again.get_value("\0cart").await.unwrap();
        read.map(|read| serde_json::from_value(read).unwrap())
    };
    let version = async |beside| carts.load_beside(&id, beside).await.unwrap().version;
    let before = read().await;
    assert_eq!(version(read().await).await, 0);
    let change = |cart: &mut Cart| {
        cart.promo_code = Some("SPRING".to_owned());
        Ok::<(), ()>(())
    };
    let (_, ()) = carts.update(&id, change).await.unwrap();
    assert_eq!(version(before).await, 1);
    assert_eq!(version(read().await).await, 1);
    let before = read().await;
    carts.delete(&id).await.unwrap();
    assert_eq!(version(before).await, 0);
}
