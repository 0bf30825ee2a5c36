//! What guests of one bill do at the same time.

use dastarkhan::state::bills::{Hold, Units};

use super::{Fixture, NOW};

on_each!(
    twenty_guests_on_three_servers_lose_nothing,
    a_change_that_changes_nothing_writes_nothing,
);

fn hold(guest: usize) -> Hold {
    Hold {
        guest: format!("guest {guest}"),
        units: Units::from([("line".to_owned(), 1)]),
        until: NOW,
    }
}

async fn twenty_guests_on_three_servers_lose_nothing(fixture: Fixture) {
    let mut servers = Vec::new();
    for _ in 0..3 {
        servers.push(fixture.open().await.tabs());
    }
    let chosen = (0..20).map(|guest| {
        let tabs = servers[guest % 3].clone();
        tokio::spawn(async move {
            let add = |tab: &mut dastarkhan::state::bills::Tab| tab.holds.push(hold(guest));
            tabs.update("bill", add).await.unwrap();
            // Read your writes.
            assert!(
                tabs.load("bill")
                    .await
                    .unwrap()
                    .holds
                    .contains(&hold(guest))
            );
        })
    });
    for done in futures_util::future::join_all(chosen).await {
        done.unwrap();
    }
    for tabs in &servers {
        let tab = tabs.load("bill").await.unwrap();
        assert_eq!(tab.holds.len(), 20);
        assert!((0..20).all(|guest| tab.holds.contains(&hold(guest))));
    }
}

async fn a_change_that_changes_nothing_writes_nothing(fixture: Fixture) {
    let tabs = fixture.open().await.tabs();
    tabs.update("bill", |tab| tab.holds.clear()).await.unwrap();
    assert_eq!(fixture.count("carts"), 0);
}
