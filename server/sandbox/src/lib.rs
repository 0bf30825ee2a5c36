//! The embedded upstream: a real HTTP server with a real database that answers
//! every call the product makes, for demos, development and tests. What the
//! specification does not show of the calls is defined here, in the OpenAPI
//! document at `/_sandbox/openapi.json`; `/_sandbox` has the controls.

mod accounts;
mod answer;
mod api;
mod app;
mod bank;
mod bills;
mod body;
mod caller;
mod catalogue;
mod clock;
mod controls;
mod delivery;
mod drawing;
mod faults;
mod fold;
mod gate;
mod geo;
mod hours;
mod ids;
mod index;
mod journal;
mod markup;
pub mod model;
mod money;
mod openapi;
mod orders;
mod overrides;
mod params;
mod payments;
pub mod pictures;
mod refusal;
mod reviews;
pub mod seed;
mod server;
mod store;

use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use app::{App, Parts};
use catalogue::Catalogue;
use clock::Clock;
use faults::Faults;
use journal::Journal;
use model::Seed;
use openapi::Api;
use store::Store;

/// How the sandbox starts.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Folder of its database; made when it is missing.
    pub state_dir: PathBuf,
    /// How many times faster than life orders move. A speed that a control set
    /// holds over restarts, until this option changes.
    pub speed: f64,
    /// Origin under which others reach it; without one the Host header counts.
    pub public_url: Option<String>,
    /// Origin of the web application that the table links lead to.
    pub web_url: String,
    /// Further addresses to which the sign-in page may lead back, beside `web_url/auth`.
    pub redirect_uris: Vec<String>,
    /// The instant at which its clock starts, milliseconds since the epoch;
    /// nothing leaves the clock as it was set before.
    pub now: Option<i64>,
    /// What it sells; nothing takes the built-in catalogue.
    pub seed: Option<Seed>,
    /// Folder of pictures that several sandboxes of one build share, so that each is drawn once.
    pub pictures_dir: Option<PathBuf>,
}

/// Why the sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is taken or not ours.
    #[error("the sandbox cannot listen on {0}")]
    Listen(SocketAddr, #[source] io::Error),
    /// The folder cannot be made.
    #[error("the sandbox cannot use the folder {0}")]
    Folder(PathBuf, #[source] io::Error),
    /// The database cannot be opened.
    #[error("the sandbox cannot open its database")]
    Database(#[from] rusqlite::Error),
    /// What the database holds cannot be read.
    #[error("the sandbox cannot read its database: {0}")]
    State(String),
    /// The speed makes no sense.
    #[error("the speed must be above 0 and at most 1,000,000")]
    Speed,
}

/// A running sandbox; it stops when this is dropped.
pub struct Sandbox {
    /// Where it listens.
    pub addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: Option<JoinHandle<()>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 8081)),
            state_dir: PathBuf::from("var/sandbox"),
            speed: 1.0,
            public_url: None,
            web_url: "http://127.0.0.1:8080".to_owned(),
            redirect_uris: Vec::new(),
            now: None,
            seed: None,
            pictures_dir: None,
        }
    }
}

/// Serves until the shutdown ends.
pub async fn serve(options: Options, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
    let (listener, app, router) = prepare(options).await?;
    server::run(listener, app, router, shutdown).await;
    Ok(())
}

/// Starts it beside other work: for tests and for the demo.
pub fn start(options: Options) -> BoxFuture<'static, Result<Sandbox, Error>> {
    // Boxed, so that it is compiled in this crate and not again in each that starts it.
    Box::pin(async move {
        let listen = options.listen;
        let (listener, app, router) = prepare(options).await?;
        let addr = listener
            .local_addr()
            .map_err(|error| Error::Listen(listen, error))?;
        let (stop, stopped) = oneshot::channel();
        let shutdown = async {
            // A dropped sender stops it as well.
            let _ = stopped.await;
        };
        let task = tokio::spawn(server::run(listener, app, router, shutdown));
        Ok(Sandbox {
            addr,
            stop: Some(stop),
            task: Some(task),
        })
    })
}

impl Sandbox {
    /// Its origin, `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Stops it and waits until its last connection is closed.
    pub async fn stop(mut self) {
        if let Some(stop) = self.stop.take() {
            // It may have ended already.
            let _ = stop.send(());
        }
        if let Some(task) = self.task.take() {
            let _ = task.await;
        }
    }
}

async fn prepare(options: Options) -> Result<(TcpListener, App, Router), Error> {
    let listen = options.listen;
    // First: a second one by mistake must not touch the database of the one that has the address.
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| Error::Listen(listen, error))?;
    // Seeding and opening the database take a while: not on the runtime's thread.
    let prepared = tokio::task::spawn_blocking(move || build(options)).await;
    let (app, router) = prepared.map_err(|error| Error::State(error.to_string()))??;
    Ok((listener, app, router))
}

fn build(options: Options) -> Result<(App, Router), Error> {
    if !(options.speed > 0.0 && options.speed <= 1e6) {
        return Err(Error::Speed);
    }
    make_folder(&options.state_dir)?;
    let store = Store::open(&options.state_dir)?;
    let clock = Clock::new(options.speed);
    let overrides = controls::restore(&store, &clock, options.speed)
        .map_err(|refusal| Error::State(refusal.title))?;
    if options.now.is_some() {
        clock.set_now(options.now, false);
    }
    let api = Api::new().with(api::routes).with(controls::routes);
    let (router, document) = api.finish(api::schemas().into_iter().chain(controls::schemas()));
    let web_url = options.web_url.trim_end_matches('/').to_owned();
    let mut redirect_uris = options.redirect_uris;
    redirect_uris.push(format!("{web_url}/auth"));
    let app = App::new(Parts {
        catalogue: Catalogue::new(options.seed.unwrap_or_else(seed::seed)),
        clock,
        overrides,
        store,
        faults: Faults::default(),
        journal: Journal::default(),
        pictures: Mutex::new(HashMap::new()),
        pictures_dir: options.pictures_dir,
        public_url: options.public_url,
        web_url,
        redirect_uris,
        speed: options.speed,
        expiry: bank::expire,
        openapi: document.to_string(),
    });
    let router = router
        .fallback(api::nothing_here)
        .method_not_allowed_fallback(api::wrong_method)
        .with_state(app.clone());
    Ok((app, router))
}

fn make_folder(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::Folder(folder.to_owned(), error))
}
