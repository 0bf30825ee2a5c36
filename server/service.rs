//! The running product: its listeners, what goes on in the background, and its orderly end.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context, Result};
use futures_util::future::BoxFuture;
use tokio::net::TcpListener;

use crate::{
    app::App,
    config::ServerArgs,
    descriptors, dev, features, routes, stop,
    web::{
        admin,
        assets::Assets,
        connection::Silence,
        serve::{Limits, serve},
    },
};

/// Binds an address; `setting` is named where that fails.
///
/// # Errors
/// When the address can't be used.
pub async fn bind(address: SocketAddr, setting: &'static str) -> Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .with_context(|| format!("{setting}: {address} can't be used"))
}

/// Serves until a signal to stop, then lets what is under way finish.
///
/// Boxed, so that all of it is compiled in this crate and not once more in the command's, which is linked anew for
/// every changed script.
///
/// # Errors
/// When an address can't be used, the state can't be opened or the engine can't be stopped.
#[must_use]
pub fn run(
    config: ServerArgs,
    upstream: String,
    assets: Assets,
    renderer: ssr::Renderer,
    listener: TcpListener,
) -> BoxFuture<'static, Result<()>> {
    Box::pin(async move {
        let metrics = admin::recorder().context("metrics")?;
        let admin = bind(config.admin_listen, "ADMIN_LISTEN").await?;
        let app = App::new(config, &upstream, assets, renderer, routes::pages()).await?;
        app.state.spawn_sweeper();
        tokio::spawn(features::orders::resolve_open_attempts(app.clone()));
        tokio::spawn(features::place::learn_languages(app.clone()));
        if app.config.web_dir.is_some() {
            tokio::spawn(dev::watch(app.clone()));
        }
        println!("listening admin http://{}", admin.local_addr()?);
        let admin_router = admin::router(app.clone(), metrics);
        tokio::spawn(async move { axum::serve(admin, admin_router).await });
        println!("listening web http://{}", listener.local_addr()?);
        app.set_ready(true);
        let limits = Limits {
            connections: app.config.max_connections.min(descriptors::room()),
            silence: Silence {
                header: Duration::from_secs(app.config.header_seconds),
                stall: Duration::from_secs(app.config.stall_seconds),
            },
            drain: Duration::from_secs(app.config.drain_seconds),
        };
        let until = serve(
            listener,
            routes::router(&app)?,
            limits,
            stop::draining(app.clone()),
        )
        .await;
        app.changes.close();
        if tokio::time::timeout_at(until, app.changes.wait())
            .await
            .is_err()
        {
            tracing::warn!("Some changes were not finished when the time to drain was over");
        }
        let renderer = app.renderer.clone();
        tokio::task::spawn_blocking(move || renderer.shutdown())
            .await
            .context("stopping the engine")
    })
}
