//! Cookies of browsers that keep none (beyond.md, 5).

use std::time::Duration;

use dastarkhan::state::sessions::SHORT;

use super::Fixture;

on_each!(
    what_requests_at_the_same_time_lay_down_is_all_there,
    a_jar_is_found_by_its_name_alone_and_written_down_in_time,
);

async fn what_requests_at_the_same_time_lay_down_is_all_there(fixture: Fixture) {
    let servers = [fixture.open().await.jars(), fixture.open().await.jars()];
    let set = (0..12).map(|number| {
        let jars = servers[number % 2].clone();
        tokio::spawn(async move {
            let cookie = (format!("c{number}"), Some(number.to_string()));
            let cookies = [cookie, ("last".to_owned(), None)];
            jars.change("name", &cookies, false).await.unwrap();
        })
    });
    for done in futures_util::future::join_all(set).await {
        done.unwrap();
    }
    let jar = servers[0].load("name").await.unwrap();
    assert_eq!(jar.cookies.len(), 12);
    assert!((0..12).all(|number| jar.cookies[&format!("c{number}")] == number.to_string()));
    servers[1]
        .change("name", &[("c3".to_owned(), None)], false)
        .await
        .unwrap();
    assert_eq!(servers[0].load("name").await.unwrap().cookies.len(), 11);
}

async fn a_jar_is_found_by_its_name_alone_and_written_down_in_time(fixture: Fixture) {
    let state = fixture.open().await;
    let jars = state.jars();
    let empty = jars.load("name").await.unwrap();
    assert!(empty.cookies.is_empty() && !jars.is_due(&empty));
    let cookie = [("dk".to_owned(), Some("secret".to_owned()))];
    jars.change("name", &cookie, false).await.unwrap();
    assert!(jars.load("eman").await.unwrap().cookies.is_empty());
    let jar = jars.load("name").await.unwrap();
    assert!(!jars.is_due(&jar));
    fixture.clock.advance(Duration::from_secs(7 * 3600));
    assert!(jars.is_due(&jar));
    jars.change("name", &[], false).await.unwrap();
    let kept = jars.load("name").await.unwrap();
    assert_eq!(kept.cookies["dk"], "secret");
    assert!(!jars.is_due(&kept));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jar_of_a_short_lived_session_ends_with_it() {
    let fixture = Fixture::new();
    let state = fixture.open().await;
    let jars = state.jars();
    let cookie = [("dk".to_owned(), Some("secret".to_owned()))];
    for name in ["left", "used", "usual"] {
        jars.change(name, &cookie, true).await.unwrap();
    }
    let jar = jars.load("used").await.unwrap();
    assert!(jar.is_short_lived && !jars.is_due(&jar));
    fixture.clock.advance(SHORT / 2);
    assert!(jars.is_due(&jar));
    jars.change("used", &[], true).await.unwrap();
    jars.change("usual", &[], false).await.unwrap();
    let swept = async |left: &[&str]| {
        state.sweep().await.unwrap();
        for name in ["left", "used", "usual"] {
            let jar = jars.load(name).await.unwrap();
            assert_eq!(left.contains(&name), !jar.cookies.is_empty(), "{name}");
        }
    };
    fixture.clock.advance(SHORT * 3 / 4);
    swept(&["used", "usual"]).await;
    fixture.clock.advance(SHORT);
    swept(&["usual"]).await;
}
