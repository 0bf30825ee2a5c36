//! Carts: the rules of a cart, and edits that come at the same time (R-15, FL-06, FL-22, CT-15, CT-16, CT-20).

use std::{collections::HashSet, convert::Infallible, time::Duration};

use dastarkhan::{
    keys::seal::random_name,
    state::{
        Error, State,
        carts::{
            Cart, CartId, Carts, Change, Choice, MAX_APPLIED, MutationId, NewLine, Refused, Unpaid,
            UpdateError,
        },
    },
    values::Sum,
};
use proptest::prelude::*;

use super::{Fixture, NOW};

on_each!(
    an_unknown_cart_is_empty_and_stores_nothing,
    twenty_parallel_edits_on_three_servers_lose_nothing,
    a_mutation_that_is_sent_again_counts_once,
    a_refusal_writes_nothing,
    a_cleared_cart_is_kept_for_ten_minutes,
    versions_never_go_back,
    an_unreadable_cart_is_an_error_and_not_an_empty_one,
    a_record_of_an_older_program_is_read,
    a_cart_is_sealed,
);

const VENUE: u64 = 1013;
const OTHER: u64 = 2013;

fn dish(product_id: u64) -> NewLine {
    NewLine {
        product_id,
        name: format!("dish {product_id}"),
        price: Sum(185_000),
        ..NewLine::default()
    }
}

fn add(cart: &mut Cart, product_id: u64, delta: i64) -> Result<(), Refused> {
    cart.add(VENUE, dish(product_id), delta, false, NOW)
        .map(|_| ())
}

fn cart_with(lines: &[(u64, i64)]) -> Cart {
    let mut cart = Cart::empty(CartId::random());
    for (product, count) in lines {
        add(&mut cart, *product, *count).unwrap();
    }
    cart
}

fn counts(cart: &Cart) -> Vec<(u64, u32)> {
    cart.lines
        .iter()
        .map(|line| (line.product_id, line.quantity))
        .collect()
}

fn mutation() -> MutationId {
    MutationId::parse(&random_name()).unwrap()
}

/// Adds one piece of the dish, once for this mutation.
async fn tap(carts: &Carts, id: &CartId, product: u64, mutation: &MutationId) -> (Cart, bool) {
    let (cart, counted) = carts
        .update(id, |cart| {
            cart.once(Some(mutation), |cart| add(cart, product, 1))
        })
        .await
        .unwrap();
    (cart, counted.is_some())
}

async fn an_unknown_cart_is_empty_and_stores_nothing(fixture: Fixture) {
    let carts = fixture.open().await.carts();
    let id = CartId::random();
    let cart = carts.load(&id).await.unwrap();
    assert!(cart.is_empty() && cart.version == 0 && cart.id == id);
    let (cart, ()) = carts
        .update(&id, |cart| cart.change("x", Change::To(0), NOW))
        .await
        .unwrap();
    assert_eq!((cart.version, fixture.count("carts")), (0, 0));
}

async fn twenty_parallel_edits_on_three_servers_lose_nothing(fixture: Fixture) {
    let mut servers: Vec<State> = Vec::new();
    for _ in 0..3 {
        servers.push(fixture.open().await);
    }
    let id = CartId::random();
    let edits = (0..20).map(|n| {
        let (carts, id) = (servers[n % 3].carts(), id.clone());
        tokio::spawn(async move {
            let (written, _) = tap(&carts, &id, n as u64 % 4, &mutation()).await;
            // Read your writes, on every server.
            assert!(carts.load(&id).await.unwrap().version >= written.version);
            written.version
        })
    });
    let mut versions = HashSet::new();
    for version in futures_util::future::join_all(edits).await {
        assert!(
            versions.insert(version.unwrap()),
            "two edits made the same version"
        );
    }
    for server in &servers {
        let cart = server.carts().load(&id).await.unwrap();
        assert_eq!((cart.version, cart.count()), (20, 20));
        assert_eq!(cart.lines.len(), 4);
    }
    assert_eq!(versions, (1..=20).collect());
}

async fn a_mutation_that_is_sent_again_counts_once(fixture: Fixture) {
    let carts = fixture.open().await.carts();
    let (id, taps) = (
        CartId::random(),
        [mutation(), mutation(), mutation(), mutation(), mutation()],
    );
    let sent = (0..20).map(|n| {
        let (carts, id, tapped) = (carts.clone(), id.clone(), taps[n % 5].clone());
        tokio::spawn(async move { tap(&carts, &id, 1, &tapped).await.1 })
    });
    let counted = futures_util::future::join_all(sent).await;
    assert_eq!(
        counted
            .into_iter()
            .filter(|tap| *tap.as_ref().unwrap())
            .count(),
        5
    );
    let cart = carts.load(&id).await.unwrap();
    assert_eq!(
        (cart.count(), cart.version),
        (5, 5),
        "a repetition makes no version"
    );
    assert!(taps.iter().all(|tap| cart.has_applied(tap)));
}

#[test]
fn a_refused_mutation_may_come_again() {
    let mut cart = cart_with(&[(1, 99)]);
    let (before, mutation) = (cart.clone(), mutation());
    let refused = cart.once(Some(&mutation), |cart| {
        add(cart, 2, 1)?;
        add(cart, 1, 1)
    });
    assert_eq!(refused, Err(Refused::Quantity { max: 99 }));
    assert_eq!(cart, before);
    assert_eq!(
        cart.once(Some(&mutation), |cart| add(cart, 2, 1)),
        Ok(Some(()))
    );
    assert_eq!(cart.once(Some(&mutation), |cart| add(cart, 2, 1)), Ok(None));
}

#[test]
fn the_last_256_mutations_are_known() {
    let mut cart = Cart::empty(CartId::random());
    let mutations: Vec<_> = (0..300).map(|_| mutation()).collect();
    for mutation in &mutations {
        cart.once(Some(mutation), |_| Ok::<_, Infallible>(()))
            .unwrap();
    }
    let known = mutations
        .iter()
        .filter(|mutation| cart.has_applied(mutation))
        .count();
    assert_eq!(known, 256);
    assert!(cart.has_applied(&mutations[299]) && !cart.has_applied(&mutations[0]));
}

#[test]
fn a_mutation_id_is_22_safe_characters() {
    assert!(MutationId::parse("abcdefghijklmnopqrst-_").is_some());
    for wrong in [
        "",
        "abc",
        "abcdefghijklmnopqrst-+",
        "abcdefghijklmnopqrstuvw",
        "order abcdefghijklmnop",
    ] {
        assert_eq!(MutationId::parse(wrong), None, "{wrong:?}");
    }
}

async fn a_refusal_writes_nothing(fixture: Fixture) {
    let carts = fixture.open().await.carts();
    let id = CartId::random();
    let refused = carts.update(&id, |cart| add(cart, 1, 100)).await;
    assert!(matches!(
        refused,
        Err(UpdateError::Refused(Refused::Quantity { max: 99 }))
    ));
    assert_eq!(fixture.count("carts"), 0);
}

#[test]
fn size_options_and_note_make_their_own_line() {
    let mut cart = cart_with(&[(1, 1)]);
    let chosen = |options: &[(u64, u32)]| NewLine {
        options: options
            .iter()
            .map(|(id, count)| Choice {
                id: *id,
                count: *count,
            })
            .collect(),
        ..dish(1)
    };
    let variants = [
        NewLine {
            size_id: Some(1),
            ..dish(1)
        },
        NewLine {
            note: "no onions".into(),
            ..dish(1)
        },
        chosen(&[(11, 1)]),
        chosen(&[(11, 2)]),
        chosen(&[(11, 1), (12, 1)]),
    ];
    for new in variants {
        assert!(!dish(1).id().eq(&new.id()));
        cart.add(VENUE, new, 1, false, NOW).unwrap();
    }
    assert_eq!(cart.lines.len(), 6);
    assert_eq!(cart.lines.iter().filter(|line| line.is_plain()).count(), 1);
    // The same choice in another order, and with an option that was put back to none.
    cart.add(VENUE, chosen(&[(13, 0), (12, 1), (11, 1)]), 1, false, NOW)
        .unwrap();
    add(&mut cart, 1, 1).unwrap();
    assert_eq!((cart.lines.len(), cart.count()), (6, 8));
    assert_eq!(cart.total(), Sum(8 * 185_000));
}

#[test]
fn a_line_holds_1_to_99_pieces() {
    let mut cart = cart_with(&[(1, 98)]);
    let id = cart.lines[0].id.clone();
    add(&mut cart, 1, 1).unwrap();
    for change in [
        Change::By(1),
        Change::To(100),
        Change::By(i64::MAX),
        Change::To(u64::MAX),
        Change::To(1_000_000_000),
    ] {
        assert_eq!(
            cart.change(&id, change, NOW),
            Err(Refused::Quantity { max: 99 }),
            "{change:?}"
        );
    }
    assert_eq!(add(&mut cart, 2, 100), Err(Refused::Quantity { max: 99 }));
    cart.change(&id, Change::To(3), NOW).unwrap();
    cart.change(&id, Change::By(-2), NOW).unwrap();
    assert_eq!(counts(&cart), [(1, 1)]);
    cart.change(&id, Change::By(i64::MIN), NOW).unwrap();
    assert!(cart.is_empty() && cart.venue_id.is_none());
    assert_eq!(cart.change(&id, Change::By(1), NOW), Err(Refused::LineGone));
    assert_eq!(cart.change(&id, Change::By(-1), NOW), Ok(()));
    assert_eq!(add(&mut cart, 1, -1), Ok(()));
    assert_eq!(add(&mut cart, 1, 0), Ok(()));
    assert!(cart.is_empty());
}

#[test]
fn a_cart_holds_100_lines() {
    let mut cart = cart_with(&(0..100).map(|product| (product, 1)).collect::<Vec<_>>());
    assert_eq!(
        add(&mut cart, 100, 1),
        Err(Refused::TooManyLines { max: 100 })
    );
    assert_eq!(add(&mut cart, 99, 1), Ok(()));
}

#[test]
fn adding_from_another_venue_asks_first() {
    let mut cart = cart_with(&[(1, 2)]);
    let refused = cart.add(OTHER, dish(9), 1, false, NOW);
    assert_eq!(refused, Err(Refused::OtherVenue { venue_id: VENUE }));
    assert_eq!(counts(&cart), [(1, 2)]);
    let removed = cart.add(OTHER, dish(9), 1, true, NOW).unwrap().unwrap();
    assert_eq!((removed.venue_id, removed.lines.len()), (VENUE, 1));
    assert_eq!((cart.venue_id, counts(&cart)), (Some(OTHER), vec![(9, 1)]));
    // It waits as with the other venue's code, whatever is removed meanwhile, and comes back with a dish of its own.
    let later = NOW + 60 * 60 * 1000;
    let id = cart.lines[0].id.clone();
    cart.change(&id, Change::To(0), later).unwrap();
    assert_eq!(cart.saved(later).unwrap().venue_id, VENUE);
    cart.add(VENUE, dish(1), 98, false, later).unwrap_err();
    assert!(cart.is_empty(), "what has no room brings nothing back");
    cart.add(VENUE, dish(1), 97, false, later).unwrap();
    assert_eq!((cart.venue_id, counts(&cart)), (Some(VENUE), vec![(1, 99)]));
}

/// Three wait at most: the one that comes back is not pushed out by the one that leaves.
#[test]
fn a_cart_that_waits_longest_comes_back_all_the_same() {
    let venues = [VENUE, OTHER, 3, 4];
    let mut cart = cart_with(&[(1, 2)]);
    for venue in &venues[1..] {
        cart.add(*venue, dish(9), 1, true, NOW).unwrap();
    }
    cart.enter_venue(VENUE, NOW).unwrap();
    assert_eq!((cart.venue_id, counts(&cart)), (Some(VENUE), vec![(1, 2)]));
    for venue in &venues[1..] {
        cart.clone().bring_back(Some(*venue), NOW).unwrap();
    }
}

/// Whatever the cart of now holds: each changes places with it, and none is lost.
#[test]
fn all_that_waits_aside_is_known_beside_a_full_cart() {
    const THIRD: u64 = 3;
    let known = |cart: &Cart, now: i64| {
        let saved = cart.all_saved(now);
        saved
            .map(|one| (one.venue_id, one.count()))
            .collect::<Vec<_>>()
    };
    let mut cart = cart_with(&[(1, 2), (2, 3)]);
    assert_eq!(known(&cart, NOW), []);
    cart.add(OTHER, dish(9), 1, true, NOW).unwrap();
    cart.add(THIRD, dish(8), 4, true, NOW + 1).unwrap();
    assert_eq!(known(&cart, NOW + 1), [(OTHER, 1), (VENUE, 5)]);
    cart.bring_back(Some(VENUE), NOW + 2).unwrap();
    assert_eq!(
        (cart.venue_id, counts(&cart)),
        (Some(VENUE), vec![(1, 2), (2, 3)])
    );
    assert_eq!(known(&cart, NOW + 2), [(THIRD, 4), (OTHER, 1)]);
    let day = NOW + 1 + 24 * 60 * 60 * 1000;
    assert_eq!(
        known(&cart, day),
        [(THIRD, 4)],
        "what waits longest ends first"
    );
}

/// FL-06: what a dish brought back leaves again without what was chosen since, and of one venue one cart waits.
#[test]
fn what_a_dish_brought_back_leaves_again_and_waits_as_one_cart() {
    let mut cart = cart_with(&[(1, 2), (2, 3)]);
    cart.add(OTHER, dish(9), 1, true, NOW).unwrap();
    assert_eq!(cart.undo_return(NOW), Err(Refused::NothingToRestore));
    cart.add(VENUE, dish(1), 1, true, NOW + 1).unwrap();
    assert_eq!(counts(&cart), [(1, 3), (2, 3)]);
    assert_eq!(cart.returned(NOW + 1).unwrap().count(), 5);
    add(&mut cart, 3, 1).unwrap();
    // A dish that was taken out meanwhile is not put in again.
    let line = cart.lines[1].id.clone();
    cart.change(&line, Change::By(-1), NOW + 2).unwrap();
    cart.undo_return(NOW + 2).unwrap();
    assert_eq!(counts(&cart), [(1, 1), (3, 1)]);
    assert_eq!(cart.saved_of(VENUE, NOW + 2).unwrap().count(), 4);
    assert_eq!(cart.undo_return(NOW + 2), Err(Refused::NothingToRestore));

    cart.add(OTHER, dish(9), 1, true, NOW + 3).unwrap();
    let of_venue = |cart: &Cart| {
        let saved = cart.all_saved(NOW + 3).filter(|one| one.venue_id == VENUE);
        saved.map(|one| one.count()).collect::<Vec<_>>()
    };
    assert_eq!(of_venue(&cart), [6]);
    cart.bring_back(Some(VENUE), NOW + 3).unwrap();
    let mut all = counts(&cart);
    all.sort_unstable();
    assert_eq!(all, [(1, 3), (2, 2), (3, 1)]);
}

/// What is ordered leaves the cart once it is paid, whatever was brought back beside it meanwhile.
#[test]
fn what_is_brought_back_beside_an_unpaid_order_leaves_it_its_own() {
    let unpaid = |cart: &Cart| Unpaid {
        key: "k".to_owned(),
        order: "o".to_owned(),
        number: "7".to_owned(),
        href: "/pay/t".to_owned(),
        page: "/orders/o".to_owned(),
        at: NOW,
        sum: Sum(185_000),
        lines: cart.lines.clone(),
        generation: Some(cart.generation),
        venue_id: VENUE,
        day: 0,
        promo: Vec::new(),
    };
    let mut cart = cart_with(&[(1, 1)]);
    cart.add(OTHER, dish(9), 1, true, NOW).unwrap();
    cart.add(VENUE, dish(2), 1, true, NOW + 1).unwrap();

    // All of it is ordered: no part of it is sent back.
    let mut whole = cart.clone();
    whole.unpaid = Some(unpaid(&whole));
    assert!(matches!(
        whole.undo_return(NOW + 2),
        Err(Refused::Unpaid { .. })
    ));

    cart.undo_return(NOW + 2).unwrap();
    cart.unpaid = Some(unpaid(&cart));
    cart.bring_back(Some(VENUE), NOW + 3).unwrap();
    assert_eq!(counts(&cart).len(), 2);
    let ordered = cart.lines.iter().find(|line| line.product_id == 2).unwrap();
    assert_eq!(cart.ordered(&ordered.id), 1, "it still waits");
    assert!(cart.settle("o"));
    assert_eq!(counts(&cart), [(1, 1)]);
}

/// What an order of the cart has paid for does not come back with the rest.
#[test]
fn what_came_back_and_was_ordered_does_not_wait_again() {
    let mut cart = cart_with(&[(1, 2)]);
    cart.add(OTHER, dish(9), 1, true, NOW).unwrap();
    cart.add(VENUE, dish(2), 1, true, NOW + 1).unwrap();
    let (ordered, generation) = (cart.lines.clone(), cart.generation);
    cart.take_ordered(&ordered, Some(generation));
    assert_eq!(cart.undo_return(NOW + 2), Err(Refused::NothingToRestore));
    assert_eq!(cart.saved_of(VENUE, NOW + 2), None);
}

#[test]
fn a_qr_of_another_venue_clears_the_cart_and_one_of_the_same_does_not() {
    let mut cart = cart_with(&[(1, 2)]);
    assert_eq!(cart.enter_venue(VENUE, NOW), None);
    assert_eq!(cart.enter_venue(VENUE, NOW), None);
    assert_eq!(counts(&cart), [(1, 2)]);
    assert_eq!(cart.enter_venue(OTHER, NOW).unwrap().lines.len(), 1);
    assert!(cart.is_empty());
    assert_eq!(cart.clone().bring_back(None, NOW), Ok(()));
    // Who is back there finds it without asking.
    assert_eq!(cart.enter_venue(VENUE, NOW), None);
    assert_eq!((cart.venue_id, counts(&cart)), (Some(VENUE), vec![(1, 2)]));
    assert_eq!(
        cart.bring_back(None, NOW),
        Err(Refused::NothingToRestore),
        "once"
    );
}

/// FL-06: nobody has asked for it to leave, so nothing that is done since takes it away before a day is over.
#[test]
fn what_a_qr_of_another_venue_took_waits_aside_for_a_day() {
    const THIRD: u64 = 3;
    let (later, day) = (NOW + 60 * 60 * 1000, NOW + 24 * 60 * 60 * 1000);
    let mut cart = cart_with(&[(1, 2)]);
    cart.enter_venue(OTHER, NOW).unwrap();
    cart.add(OTHER, dish(9), 1, false, NOW).unwrap();
    assert_eq!(cart.saved(NOW), None, "the guest has gone on");
    let id = cart.lines[0].id.clone();
    cart.change(&id, Change::To(0), later).unwrap();
    assert_eq!(cart.saved(later).unwrap().venue_id, VENUE);
    assert_eq!(cart.saved(day), None, "a day later");

    // At its own venue it comes back by itself: by the code, and with the first dish.
    let mut scanned = cart.clone();
    scanned.add(OTHER, dish(9), 1, false, later).unwrap();
    scanned.enter_venue(VENUE, later).unwrap();
    assert_eq!(
        (scanned.venue_id, counts(&scanned)),
        (Some(VENUE), vec![(1, 2)])
    );
    scanned.enter_venue(OTHER, later).unwrap();
    assert_eq!(counts(&scanned), [(9, 1)]);
    let mut added = cart.clone();
    added.add(VENUE, dish(3), 1, false, later).unwrap();
    assert_eq!(counts(&added), [(1, 2), (3, 1)]);

    // What was removed last is another thing to be brought back: it has made way for nothing.
    assert_eq!(cart.comes_back(None, later), None);
    assert_eq!(cart.comes_back(Some(VENUE), later), Some(VENUE));
    assert_eq!(cart.comes_back(Some(OTHER), later), None);
    assert_eq!(cart.comes_back(Some(VENUE), day), None);
    let mut scanned = cart.clone();
    scanned.add(OTHER, dish(8), 1, false, later).unwrap();
    scanned.enter_venue(THIRD, later).unwrap();
    let much_later = later + 10 * 60 * 1000;
    assert_eq!(scanned.comes_back(None, much_later), Some(OTHER));
    let mut removed = cart.clone();
    removed.bring_back(None, later).unwrap();
    assert_eq!(
        (removed.venue_id, counts(&removed)),
        (Some(OTHER), vec![(9, 1)])
    );

    // A third venue's code takes the second cart; both wait, each by its name.
    removed.enter_venue(THIRD, later).unwrap();
    for (venue, lines) in [(VENUE, vec![(1, 2)]), (OTHER, vec![(9, 1)])] {
        let mut back = removed.clone();
        back.bring_back(Some(venue), later + 1).unwrap();
        assert_eq!((back.venue_id, counts(&back)), (Some(venue), lines));
        assert_eq!(
            back.bring_back(Some(venue), later + 1),
            Err(Refused::NothingToRestore),
            "once"
        );
    }
    assert_eq!(
        cart.bring_back(Some(VENUE), day),
        Err(Refused::NothingToRestore)
    );
}

#[test]
fn a_cleared_cart_comes_back_beside_what_was_added_since() {
    let mut cart = cart_with(&[(1, 60), (2, 1)]);
    assert!(cart.clear(NOW).is_some());
    assert_eq!(cart.clear(NOW), None, "clearing nothing keeps the undo");
    add(&mut cart, 1, 60).unwrap();
    add(&mut cart, 3, 1).unwrap();
    assert!(cart.undo(VENUE, NOW).is_some());
    cart.restore(VENUE, NOW).unwrap();
    assert_eq!(counts(&cart), [(1, 99), (2, 1), (3, 1)]);
}

async fn a_cleared_cart_is_kept_for_ten_minutes(fixture: Fixture) {
    let carts = fixture.open().await.carts();
    let clear = async || {
        let id = CartId::random();
        carts.update(&id, |cart| add(cart, 1, 1)).await.unwrap();
        let clear = |cart: &mut Cart| Ok::<_, Infallible>(cart.clear(fixture.clock.now()));
        carts.update(&id, clear).await.unwrap();
        id
    };
    let restore = async |id: &CartId| {
        carts
            .update(id, |cart| cart.restore(VENUE, fixture.clock.now()))
            .await
            .is_ok()
    };
    let (one, two) = (clear().await, clear().await);
    fixture.clock.advance(Duration::from_secs(599));
    assert!(restore(&one).await);
    fixture.clock.advance(Duration::from_secs(1));
    assert!(!restore(&two).await);
    assert_eq!(
        carts.load(&two).await.unwrap().undo(VENUE, NOW),
        None,
        "it is not even read"
    );
}

async fn versions_never_go_back(fixture: Fixture) {
    let id = CartId::random();
    {
        let carts = fixture.open().await.carts();
        carts.update(&id, |cart| add(cart, 1, 1)).await.unwrap();
        carts
            .update(&id, |cart| Ok::<_, Infallible>(cart.clear(NOW)))
            .await
            .unwrap();
    }
    let carts = fixture.open().await.carts();
    let (cart, ()) = carts.update(&id, |cart| add(cart, 2, 1)).await.unwrap();
    assert_eq!((cart.version, counts(&cart)), (3, vec![(2, 1)]));
}

#[test]
fn ordered_lines_leave_once_and_later_ones_stay() {
    let mut cart = cart_with(&[(1, 2), (2, 1)]);
    let ordered = cart.lines.clone();
    add(&mut cart, 1, 1).unwrap();
    add(&mut cart, 3, 1).unwrap();
    let order = MutationId::of_order("key");
    for _ in 0..2 {
        let take = |cart: &mut Cart| {
            cart.take_ordered(&ordered, Some(cart.generation));
            Ok::<_, Infallible>(())
        };
        cart.once(Some(&order), take).unwrap();
    }
    assert_eq!(counts(&cart), [(1, 1), (3, 1)]);
}

/// Branches of a brand sell the same dishes: what waits for its payment is not what gathered at another one since.
#[test]
fn what_was_ordered_at_one_branch_leaves_no_cart_of_another() {
    let unpaid = |cart: &Cart| Unpaid {
        key: "k".to_owned(),
        order: "o".to_owned(),
        number: "7".to_owned(),
        href: "/pay/t".to_owned(),
        page: "/orders/o".to_owned(),
        at: NOW,
        sum: Sum(185_000),
        lines: cart.lines.clone(),
        generation: Some(cart.generation),
        venue_id: VENUE,
        day: 0,
        promo: Vec::new(),
    };
    let mut cart = cart_with(&[(1, 1)]);
    cart.unpaid = Some(unpaid(&cart));
    let refused = |cart: &mut Cart| {
        let line = cart.lines[0].id.clone();
        cart.change(&line, Change::By(-1), NOW)
    };
    assert!(matches!(refused(&mut cart), Err(Refused::Unpaid { .. })));
    let mut paid = cart.clone();
    paid.add(VENUE, dish(2), 1, false, NOW).unwrap();
    paid.enter_venue(OTHER, NOW + 1).unwrap();
    assert!(paid.settle("o"));
    paid.bring_back(None, NOW + 2).unwrap();
    assert_eq!(
        (paid.venue_id, counts(&paid)),
        (Some(VENUE), vec![(2, 1)]),
        "what was added since waits aside, what is paid for does not"
    );

    cart.enter_venue(OTHER, NOW + 1).unwrap();
    cart.add(OTHER, dish(1), 2, false, NOW + 1).unwrap();
    assert_eq!(refused(&mut cart), Ok(()), "these are not the ordered ones");

    // What left for the other venue and came back is what was ordered.
    let mut back = cart.clone();
    back.bring_back(None, NOW + 2).unwrap();
    assert_eq!(back.venue_id, Some(VENUE));
    assert!(back.settle("o"));
    assert!(back.is_empty());

    assert!(cart.settle("o"));
    assert_eq!((cart.venue_id, counts(&cart)), (Some(OTHER), vec![(1, 1)]));
    assert_eq!(
        cart.bring_back(None, NOW + 2),
        Err(Refused::NothingToRestore),
        "they are paid for"
    );
}

#[test]
fn a_repair_drops_what_is_gone_and_takes_new_prices() {
    let mut cart = cart_with(&[(1, 1), (2, 1)]);
    cart.repair(|line| {
        line.price = Sum(200);
        line.product_id == 2
    });
    assert_eq!((counts(&cart), cart.total()), (vec![(2, 1)], Sum(200)));
    cart.repair(|_| false);
    assert!(cart.is_empty() && cart.venue_id.is_none());
}

async fn an_unreadable_cart_is_an_error_and_not_an_empty_one(fixture: Fixture) {
    let carts = fixture.open().await.carts();
    let id = CartId::random();
    carts.update(&id, |cart| add(cart, 1, 1)).await.unwrap();
    fixture.overwrite("carts", "body", "{");
    assert!(matches!(carts.load(&id).await, Err(Error::Corrupt(_))));
}

async fn a_record_of_an_older_program_is_read(fixture: Fixture) {
    let carts = fixture.open().await.carts();
    let id = CartId::random();
    carts.update(&id, |cart| add(cart, 1, 1)).await.unwrap();
    let old = r#"{"filial_id":1013,"lines":[{"id":"x","product_id":1,"quantity":2}]}"#;
    fixture.overwrite("carts", "body", old);
    assert_eq!(counts(&carts.load(&id).await.unwrap()), [(1, 2)]);
}

async fn a_cart_is_sealed(fixture: Fixture) {
    let state = fixture.open().await;
    let carts = state.carts();
    let id = CartId::random();
    let noted = |cart: &mut Cart| {
        let dish = NewLine {
            name: "canary-of-the-cart".to_owned(),
            ..dish(1)
        };
        cart.add(VENUE, dish, 1, false, NOW).map(|_| ())
    };
    carts.update(&id, noted).await.unwrap();
    assert_eq!(
        carts.load(&id).await.unwrap().lines[0].name,
        "canary-of-the-cart"
    );
    assert!(!fixture.holds("canary-of-the-cart"));
}

proptest! {
    /// Whatever a guest does, every line stays within its limits and knows its venue.
    #[test]
    fn a_cart_keeps_its_rules(steps in proptest::collection::vec((0_u8..7, 0_u64..4, -120_i64..120), 0..60)) {
        let mut cart = Cart::empty(CartId::random());
        for (step, n, delta) in steps {
            let venue = if n == 3 { OTHER } else { VENUE };
            let line = cart.lines.get(n as usize).map(|line| line.id.clone()).unwrap_or_default();
            let before = cart.clone();
            let refused = match step {
                0 => cart.add(venue, dish(n), delta, false, NOW).is_err(),
                1 => cart.add(venue, dish(n), delta, true, NOW).is_err(),
                2 => cart.change(&line, Change::By(delta), NOW).is_err(),
                3 => cart.change(&line, Change::To(delta.unsigned_abs()), NOW).is_err(),
                4 => { cart.clear(NOW); false }
                5 => { cart.enter_venue(venue, NOW); false }
                _ => cart.restore(venue, NOW).is_err(),
            };
            if refused {
                prop_assert_eq!(&cart, &before);
            }
            prop_assert!(cart.lines.iter().all(|line| (1..=99).contains(&line.quantity)));
            prop_assert_eq!(cart.venue_id.is_none(), cart.is_empty());
            let ids: HashSet<_> = cart.lines.iter().map(|line| &line.id).collect();
            prop_assert_eq!(ids.len(), cart.lines.len());
        }
    }
}

#[tokio::test]
async fn an_order_is_remembered_longer_than_the_taps_after_it() {
    let mut cart = Cart::empty(CartId::random());
    let order = MutationId::of_order("key");
    let nothing = |_: &mut Cart| Ok::<_, std::convert::Infallible>(());
    cart.once(Some(&order), nothing).unwrap();
    let taps: Vec<_> = (0..2 * MAX_APPLIED)
        .map(|_| MutationId::parse(&random_name()).unwrap())
        .collect();
    for tap in &taps {
        cart.once(Some(tap), nothing).unwrap();
    }
    assert!(cart.has_applied(&order));
    assert!(
        !cart.has_applied(&taps[MAX_APPLIED]),
        "{MAX_APPLIED} in all"
    );
    assert!(cart.has_applied(&taps[MAX_APPLIED + 1]));
}

fn wish(cart: &mut Cart, code: &str, bonus: i64) {
    cart.promo_code = Some(code.to_owned());
    cart.bonus = Sum(bonus);
}

fn wished(cart: &Cart) -> (Option<&str>, i64) {
    (cart.promo_code.as_deref(), cart.bonus.0)
}

/// CT-08, CT-13: they are of a venue; the next one gets none of them, whichever way the dishes went.
#[test]
fn code_and_bonuses_stay_at_their_venue() {
    let empty: [fn(&mut Cart); 2] = [
        |cart| add(cart, 1, -1).unwrap(),
        |cart| cart.repair(|_| false),
    ];
    for empty in empty {
        let mut cart = cart_with(&[(1, 1)]);
        wish(&mut cart, "TEN", 1_000);
        empty(&mut cart);
        assert!(cart.is_empty());
        let mut same = cart.clone();
        add(&mut same, 2, 1).unwrap();
        assert_eq!(wished(&same), (Some("TEN"), 1_000), "nothing typed is lost");
        cart.add(OTHER, dish(9), 1, false, NOW).unwrap();
        assert_eq!(wished(&cart), (None, 0));
    }
}

/// CT-13: what is brought back costs what it did, and what was wished since for another venue goes with that.
#[test]
fn code_and_bonuses_come_back_with_their_dishes() {
    let mut cart = cart_with(&[(1, 2)]);
    wish(&mut cart, "TEN", 1_000);
    cart.enter_venue(OTHER, NOW).unwrap();
    assert_eq!(wished(&cart), (None, 0));
    cart.add(OTHER, dish(9), 1, false, NOW).unwrap();
    wish(&mut cart, "OTHER", 500);
    cart.bring_back(None, NOW).unwrap();
    assert_eq!(
        (cart.venue_id, wished(&cart)),
        (Some(VENUE), (Some("TEN"), 1_000))
    );
    cart.bring_back(None, NOW).unwrap();
    assert_eq!(
        (cart.venue_id, wished(&cart)),
        (Some(OTHER), (Some("OTHER"), 500))
    );

    let mut cart = cart_with(&[(1, 1)]);
    wish(&mut cart, "TEN", 1_000);
    add(&mut cart, 1, -1).unwrap();
    cart.restore(VENUE, NOW).unwrap();
    assert_eq!(wished(&cart), (Some("TEN"), 1_000));
}
