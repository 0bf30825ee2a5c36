//! A change is finished also when its client has left: a second tap gives up the first post, a webview dies, a phone
//! leaves the table's network.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use tokio::{runtime::Handle, sync::watch};
use tokio_util::task::TaskTracker;

use crate::{
    telemetry,
    web::{
        locale,
        redirect::{SIGN_IN_RETURN, TABLET_GONE},
        work,
    },
};

/// The document of the cart waits so long for changes of it that are under way.
const TIMEOUT: Duration = Duration::from_secs(4);

/// What guests have begun and is not finished, with or without a connection that waits for it; cloning shares it.
#[derive(Debug, Clone)]
pub struct Changes {
    all: TaskTracker,
    of_carts: OfCarts,
    runtime: Handle,
    /// Name of the session's cookie.
    cookie: &'static str,
}

impl Changes {
    /// They are worked on in the runtime; `cookie` is the name of the session's.
    #[must_use]
    pub fn new(runtime: Handle, cookie: &'static str) -> Self {
        Self {
            all: TaskTracker::new(),
            of_carts: OfCarts::default(),
            runtime,
            cookie,
        }
    }

    /// Resolves when all of them are done. None may begin once this is asked.
    pub async fn end(&self) {
        self.all.close();
        self.all.wait().await;
    }
}

/// How many changes of the cart are under way, by the cookie of the session.
#[derive(Debug, Clone, Default)]
struct OfCarts(Arc<Mutex<HashMap<String, watch::Sender<usize>>>>);

impl OfCarts {
    /// One more is under way until the answer is dropped.
    fn begin(&self, session: &str) -> UnderWay {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(session.to_owned())
            .or_default()
            .send_modify(|count| *count += 1);
        UnderWay {
            all: self.clone(),
            session: session.to_owned(),
        }
    }

    /// Resolves when none of the session is under way, or when it has taken too long.
    async fn done(&self, session: &str) {
        let waiting = {
            let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.get(session).map(watch::Sender::subscribe)
        };
        if let Some(mut count) = waiting {
            // The last one takes the counter away, which ends the waiting, too.
            let _ = tokio::time::timeout(TIMEOUT, count.wait_for(|count| *count == 0)).await;
        }
    }
}

/// A change of the cart that is under way.
struct UnderWay {
    all: OfCarts,
    session: String,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut all = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get(&self.session) {
            count.send_modify(|count| *count -= 1);
            if *count.borrow() == 0 {
                all.remove(&self.session);
            }
        }
    }
}

/// Middleware around handlers and their session: a connection that ends also ends a read, but no change half-way,
/// nor one that was made and not written into its session. The server waits for
/// them when it stops.
///
/// A guest who goes to the cart before a form has answered gives up the form, not what was tapped: the cart is shown with
/// it. Only as a document; the app knows itself what is on its way.
pub async fn guard(State(changes): State<Changes>, request: Request, next: Next) -> Response {
    let session = locale::cookie(request.headers(), changes.cookie);
    let path = request.uri().path();
    if request.method().is_safe() && path != SIGN_IN_RETURN && path != TABLET_GONE {
        if let Some(session) = session
            && path == "/cart"
        {
            changes.of_carts.done(session).await;
        }
        return next.run(request).await;
    }
    let under_way = session
        .filter(|_| path.starts_with("/cart/") || path == "/orders/repeat")
        .map(|session| changes.of_carts.begin(session));
    let work = async move {
        let response = next.run(request).await;
        drop(under_way);
        response
    };
    let work = telemetry::of_request(work);
    work::answer(changes.all.spawn_on(work, &changes.runtime)).await
}
