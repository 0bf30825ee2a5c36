//! The `dastarkhan` command.

use std::{path::Path, process::ExitCode, time::Duration};

use anyhow::{Context, Result, bail};
use clap::Parser;
use dastarkhan::{
    config::{Cli, Command, Profile, SandboxArgs, ServerArgs},
    descriptors, engine, service,
    state::private_folder,
    stop,
    telemetry::{self, Telemetry},
    web::assets::Assets,
};

fn main() -> ExitCode {
    // TLS by ring; only a second call could fail, and there is none.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dastarkhan: {error:#}");
            ExitCode::FAILURE
        }
    }
}

// Not `#[tokio::main]`: the render engine starts V8 from a plain thread first (engine.md, "Boot").
fn run(command: Command) -> Result<()> {
    match command {
        Command::Snapshot { out, web_dir } => {
            let assets = assets(web_dir.as_deref(), &std::env::temp_dir())?;
            engine::write_snapshot(&assets.bundle(), out.as_deref())
        }
        Command::Sandbox {
            sandbox,
            state_dir,
            public_url,
        } => {
            let _telemetry = logs("info")?;
            runtime()?.block_on(async {
                let mut signals = stop::Signals::listen().context("signals")?;
                let running = start_sandbox(&sandbox, &state_dir, &public_url).await?;
                println!("listening sandbox http://{}", running.addr);
                signals.requested().await;
                running.stop().await;
                Ok(())
            })
        }
        Command::Serve {
            server,
            upstream_url,
        } => {
            if server.profile == Profile::Production && server.public_url.is_none() {
                bail!(
                    "PROFILE is production: PUBLIC_URL is needed, the address that guests see; without it whoever asks would say by a header what our own address is"
                );
            }
            service::check(&server)?;
            let telemetry = telemetry_of(&server)?;
            let room = descriptors::room()?;
            let (assets, renderer) = engine_for(&server)?;
            let served = runtime()?.block_on(async {
                let listener = service::bind(server.listen, "LISTEN").await?;
                service::run(server, upstream_url, assets, renderer, listener, room).await
            });
            telemetry.stop();
            served
        }
        Command::Demo { server, sandbox } => {
            if server.profile == Profile::Production {
                bail!(
                    "PROFILE is production: the sandbox upstream does not run there; use `dastarkhan serve` with UPSTREAM_URL"
                );
            }
            service::check(&server)?;
            let telemetry = telemetry_of(&server)?;
            let room = descriptors::room()?;
            let mut server = server;
            if server.tile_url.is_none() {
                server
                    .tile_credit
                    .get_or_insert_with(|| SANDBOX_MAP.to_owned());
            }
            let (assets, renderer) = engine_for(&server)?;
            let served = runtime()?.block_on(async {
                let listener = service::bind(server.listen, "LISTEN").await?;
                let public = match &server.public_url {
                    Some(url) => url.clone(),
                    None => format!("http://{}", listener.local_addr()?),
                };
                let running = start_sandbox(&sandbox, &server.state_dir, &public).await?;
                let upstream = format!("http://{}", running.addr);
                println!("listening sandbox {upstream}");
                println!("table {}", first_table(&upstream).await.unwrap_or(public));
                println!("controls {upstream}/_sandbox");
                let served = service::run(server, upstream, assets, renderer, listener, room).await;
                running.stop().await;
                served
            });
            telemetry.stop();
            served
        }
    }
}

/// The sandbox draws its map itself.
const SANDBOX_MAP: &str = "Dastarkhan sandbox";

fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("starting the runtime")
}

fn assets(web_dir: Option<&Path>, state: &Path) -> Result<Assets> {
    match web_dir {
        Some(folder) => Assets::from_folder(folder, state).context("WEB_DIR"),
        None => Assets::embedded(&bundle::BUNDLE, state).context("the embedded bundle"),
    }
}

fn engine_for(server: &ServerArgs) -> Result<(Assets, ssr::Renderer)> {
    private_folder(&server.state_dir)
        .with_context(|| format!("STATE_DIR: {} can't be made", server.state_dir.display()))?;
    let web_dir = server.web_dir.as_deref();
    let assets = assets(web_dir, &server.state_dir)?;
    let renderer = engine::start(
        &assets.bundle(),
        web_dir,
        &server.state_dir,
        &engine::Limits {
            isolates: server.isolates,
            computing: Duration::from_millis(server.render_limit_ms),
            waiting: Duration::from_millis(server.render_wait_ms),
        },
    )?;
    Ok((assets, renderer))
}

async fn start_sandbox(
    args: &SandboxArgs,
    state_dir: &Path,
    public: &str,
) -> Result<sandbox::Sandbox> {
    let options = sandbox::Options {
        listen: args.sandbox_listen,
        state_dir: state_dir.join("sandbox"),
        speed: args.sandbox_speed,
        web_url: public.to_owned(),
        // Some type one, some the other.
        redirect_uris: vec![format!(
            "{}/auth",
            public.replace("//127.0.0.1", "//localhost")
        )],
        ..sandbox::Options::default()
    };
    sandbox::start(options).await.context("SANDBOX_LISTEN")
}

/// A table link to try the product with, from the sandbox's own list.
async fn first_table(sandbox: &str) -> Option<String> {
    let client = reqwest::Client::builder().no_proxy().build().ok()?;
    let tables: serde_json::Value = client
        .get(format!("{sandbox}/_sandbox/api/tables"))
        .send()
        .await
        .ok()?
        .json()
        .await
        .ok()?;
    Some(tables.as_array()?.first()?.get("url")?.as_str()?.to_owned())
}

/// The sandbox alone exports nothing.
fn logs(log: &str) -> Result<Telemetry> {
    telemetry::start(telemetry::Options {
        log,
        otlp_url: None,
        otlp_share: 0.0,
    })
}

fn telemetry_of(server: &ServerArgs) -> Result<Telemetry> {
    telemetry::start(telemetry::Options {
        log: &server.log,
        otlp_url: server.otlp_url.as_deref(),
        otlp_share: server.otlp_share,
    })
}
