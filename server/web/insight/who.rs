//! Whose request it is during which something happens.

use std::sync::Arc;

use axum::{extract::Request, middleware::Next, response::Response};
use futures_util::Stream;
use serde::{Deserialize, Serialize};

use crate::{
    config::custom::Custom,
    values::Platform,
    web::{
        hosts::{Chosen, Hosts},
        locale::{Preferences, Wishes},
        session::Sess,
    },
};

/// What is known of the guest.
#[derive(Debug, Clone, Default)]
pub(super) struct Who {
    /// A name of the session, which leaves this process only under a signature.
    pub name: Option<u64>,
    pub platform: Platform,
    /// The configuration of the host that the guest came by.
    pub custom: Option<Arc<Custom>>,
}

tokio::task_local! {
    static WHO: (Option<Sess>, Platform, Option<Chosen>);
}

/// By what a guest came: kept with what goes on when the guest, or the process, is gone. Of those who came by a browser
/// and by the installation's own name it says nothing, and so do records of before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Came {
    /// A host name with a configuration of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(default)]
    platform: Platform,
}

impl Came {
    /// By what the guest of the request did that this task works on.
    #[must_use]
    pub fn now() -> Self {
        WHO.try_with(|(_, platform, chosen)| Self {
            host: chosen
                .as_ref()
                .and_then(|chosen| chosen.name.as_deref())
                .map(str::to_owned),
            platform: *platform,
        })
        .unwrap_or_default()
    }
}

impl Who {
    /// The guest of the request that this task works on; `None` outside of one, and for tasks that a request has left
    /// behind.
    pub(super) fn now() -> Self {
        WHO.try_with(|(sess, platform, chosen)| Self {
            name: sess.as_ref().and_then(Sess::name),
            platform: *platform,
            custom: chosen.as_ref().map(|chosen| Arc::clone(&chosen.custom)),
        })
        .unwrap_or_default()
    }
}

/// Middleware inside the session's: what happens from here on happened to this guest.
pub async fn known(request: Request, next: Next) -> Response {
    let platform = Preferences::of(request.headers()).platform;
    let (parts, body) = request.into_parts();
    let wishes = parts.extensions.get::<Wishes>();
    let chosen = wishes.map(|wishes| wishes.chosen.clone());
    let sess = Sess::of(&parts).await;
    let request = Request::from_parts(parts, body);
    WHO.scope(
        (Some(sess), platform.unwrap_or_default(), chosen),
        next.run(request),
    )
    .await
}

/// Work that goes on beside the request that began it, for the same guest. Without such a request it is for an
/// unknown guest, who came as it was stored.
pub fn carried<F: Future>(
    hosts: &Hosts,
    came: &Came,
    work: F,
) -> impl Future<Output = F::Output> + use<F> {
    // Now, not when the work is begun: that is in a task of its own.
    let who = WHO.try_with(Clone::clone);
    let who = who.unwrap_or_else(|_| {
        (
            None,
            came.platform,
            Some(hosts.named_so(came.host.as_deref())),
        )
    });
    WHO.scope(who, work)
}

/// What is streamed to a guest after the handler has answered.
pub fn carried_on<S: Stream>(stream: S) -> impl Stream<Item = S::Item> {
    let who = WHO.try_with(Clone::clone).ok();
    let mut stream = Box::pin(stream);
    futures_util::stream::poll_fn(move |context| match &who {
        Some(who) => WHO.sync_scope(who.clone(), || stream.as_mut().poll_next(context)),
        None => stream.as_mut().poll_next(context),
    })
}

/// What a browser calls its session of analytics, if that can be one (AN-01).
#[must_use]
pub fn session_name(text: &str) -> Option<&str> {
    let is_name = (16..=32).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_name.then_some(text)
}
