//! Where requests are worked on. Connections are read in a runtime of their own, the door: what is ready is answered there
//! and what is too much is refused there, soon also while pages take all the time of this machine. Everything that is
//! made for one guest goes on in the runtime of the product.

use std::{future::Future, panic::resume_unwind};

use anyhow::{Context, Result};
use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use tokio::{
    runtime::{Builder, Handle, Runtime},
    task::JoinHandle,
};
use tokio_util::task::AbortOnDropHandle;

use crate::telemetry;

/// The runtime of the connections; what is still going on there ends with it.
#[derive(Debug)]
pub struct Door(Option<Runtime>);

impl Door {
    /// Starts its threads.
    ///
    /// # Errors
    /// When there are none to be had.
    pub fn open() -> Result<Self> {
        let runtime = Builder::new_multi_thread()
            .thread_name("door")
            .enable_all()
            .build()
            .context("starting the runtime of the connections")?;
        Ok(Self(Some(runtime)))
    }

    /// What comes of something that is done there.
    ///
    /// # Errors
    /// When that panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T> {
        let runtime = self.0.as_ref().context("the door is shut")?;
        runtime
            .spawn(work)
            .await
            .context("the runtime of the connections")
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        // Its threads are not waited for: the caller may be a thread of another runtime.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Reads something for a guest in the product's runtime. It ends when the request that waits for it does.
pub async fn read(
    runtime: &Handle,
    work: impl Future<Output = Response> + Send + 'static,
) -> Response {
    let task = runtime.spawn(telemetry::of_request(work));
    answer(AbortOnDropHandle::new(task)).await
}

/// What a task has answered; a panic goes on here.
pub async fn answer(
    task: impl Future<Output = <JoinHandle<Response> as Future>::Output>,
) -> Response {
    match task.await {
        Ok(response) => response,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::sync::mpsc;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn the_door_answers_while_the_product_has_no_time() {
        let busy = Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .unwrap();
        let (release, released) = mpsc::channel::<()>();
        let work = busy.spawn(async move { released.recv() });
        let door = Door::open().unwrap();
        assert_eq!(door.run(async { 7 }).await.unwrap(), 7);
        assert!(!work.is_finished());
        release.send(()).unwrap();
        assert!(work.await.unwrap().is_ok());
        busy.shutdown_background();
    }

    #[tokio::test]
    async fn what_no_client_waits_for_is_not_read_to_its_end() {
        let (alive, mut ended) = oneshot::channel::<()>();
        let work = async move {
            let _alive = alive;
            std::future::pending::<Response>().await
        };
        let runtime = Handle::current();
        let reading = read(&runtime, work);
        tokio::select! {
            _ = reading => unreachable!("it never ends"),
            () = tokio::task::yield_now() => assert!(ended.try_recv().is_err()),
        }
        assert!(ended.await.is_err(), "given up");
    }

    #[tokio::test]
    async fn a_panic_goes_on_where_the_answer_is_waited_for() {
        let runtime = Handle::current();
        let task = tokio::spawn(async move { read(&runtime, async { panic!("here") }).await });
        assert!(task.await.unwrap_err().is_panic());
    }
}
