//! Layers whose services are cheap to clone. axum clones a service for each request, and a layer clones all that is
//! inside of it: with twenty layers that were two hundred allocations a request.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use tower::{Layer, Service, util::Oneshot};

/// A layer whose inner service is shared.
#[derive(Debug, Clone)]
pub struct Around<L>(L);

/// Puts a layer around a service of which only the outermost part is cloned for a request.
#[must_use]
pub const fn around<L>(layer: L) -> Around<L> {
    Around(layer)
}

impl<S, L: Layer<Shared<S>>> Layer<S> for Around<L> {
    type Service = L::Service;

    fn layer(&self, inner: S) -> Self::Service {
        self.0.layer(Shared(Arc::new(inner)))
    }
}

/// A service that is cloned when it is called.
#[derive(Debug)]
pub struct Shared<S>(Arc<S>);

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R, S: Service<R> + Clone> Service<R> for Shared<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = Oneshot<S, R>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        // The call waits for the clone to be ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: R) -> Self::Future {
        Oneshot::new(S::clone(&self.0), request)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::{convert::Infallible, sync::atomic::AtomicU32, sync::atomic::Ordering};

    use axum::{
        Router,
        body::Body,
        extract::Request,
        middleware::{Next, from_fn},
        response::Response,
    };
    use tower::ServiceExt as _;

    use super::*;

    static CLONES: AtomicU32 = AtomicU32::new(0);

    struct Counted;

    impl Clone for Counted {
        fn clone(&self) -> Self {
            CLONES.fetch_add(1, Ordering::Relaxed);
            Self
        }
    }

    impl Service<Request> for Counted {
        type Response = Response;
        type Error = Infallible;
        type Future = std::future::Ready<Result<Response, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: Request) -> Self::Future {
            std::future::ready(Ok(Response::new(Body::from("inside"))))
        }
    }

    async fn pass(request: Request, next: Next) -> Response {
        next.run(request).await
    }

    #[tokio::test]
    async fn what_is_inside_is_cloned_as_often_whatever_is_around_it() {
        let mut seen = Vec::new();
        for layers in [2, 20] {
            let inside = Router::new().fallback_service(Counted);
            let router = (0..layers).fold(inside, |router, _| router.layer(around(from_fn(pass))));
            let router: Router = router.with_state(());
            CLONES.store(0, Ordering::Relaxed);
            let request = Request::new(Body::empty());
            let response = router.oneshot(request).await.unwrap();
            let body = axum::body::to_bytes(response.into_body(), 10)
                .await
                .unwrap();
            assert_eq!(&body[..], b"inside");
            seen.push(CLONES.load(Ordering::Relaxed));
        }
        assert_eq!(seen[0], seen[1]);
    }
}
