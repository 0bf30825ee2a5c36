//! Cookies of browsers that keep none (beyond.md, 5).

use std::time::Duration;

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
            jars.change("name", &[cookie, ("last".to_owned(), None)])
                .await
                .unwrap();
        })
    });
    for done in futures_util::future::join_all(set).await {
        done.unwrap();
    }
    let jar = servers[0].load("name").await.unwrap();
    assert_eq!(jar.cookies.len(), 12);
    assert!((0..12).all(|number| jar.cookies[&format!("c{number}")] == number.to_string()));
    servers[1]
        .change("name", &[("c3".to_owned(), None)])
        .await
        .unwrap();
    assert_eq!(servers[0].load("name").await.unwrap().cookies.len(), 11);
}

async fn a_jar_is_found_by_its_name_alone_and_written_down_in_time(fixture: Fixture) {
    let state = fixture.open().await;
    let jars = state.jars();
    let empty = jars.load("name").await.unwrap();
    assert!(empty.cookies.is_empty() && !jars.is_due(&empty));
    jars.change("name", &[("dk".to_owned(), Some("secret".to_owned()))])
        .await
        .unwrap();
    assert!(jars.load("eman").await.unwrap().cookies.is_empty());
    let jar = jars.load("name").await.unwrap();
    assert!(!jars.is_due(&jar));
    fixture.clock.advance(Duration::from_secs(7 * 3600));
    assert!(jars.is_due(&jar));
    jars.change("name", &[]).await.unwrap();
    let kept = jars.load("name").await.unwrap();
    assert_eq!(kept.cookies["dk"], "secret");
    assert!(!jars.is_due(&kept));
}
