//! The `dastarkhan` command.

use std::{net::SocketAddr, path::Path, process::ExitCode, time::Duration};

use anyhow::{Context, Result, bail};
use dastarkhan::{
    check,
    config::{
        Command, Profile, SandboxArgs, ServerArgs,
        all_wrong::{self, Wrong},
        insight::Switch,
    },
    descriptors, engine, service,
    state::backup,
    stop,
    telemetry::{self, Telemetry},
    web::{files::assets::Assets, parts},
};

fn main() -> ExitCode {
    // TLS by ring; only a second call could fail.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let read = all_wrong::read(std::env::args_os().collect());
    match run(read.cli.command, &read.given, &read.wrong) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dastarkhan: {error:#}");
            ExitCode::FAILURE
        }
    }
}

// Not `#[tokio::main]`: the render engine starts V8 from a plain thread first (engine.md, "Boot").
fn run(command: Command, given: &str, wrong: &[Wrong]) -> Result<()> {
    match command {
        Command::Snapshot { out, web_dir } => {
            let assets = assets(web_dir.as_deref(), &std::env::temp_dir())?;
            engine::write_snapshot(&assets.bundle(), out.as_deref())
        }
        Command::Sandbox {
            sandbox,
            state_dir,
            public_url,
            profile,
        } => {
            refuse_sandbox(profile)?;
            let _telemetry = logs("info")?;
            runtime()?.block_on(async {
                let mut signals = stop::Signals::listen().context("signals")?;
                let running = start_sandbox(&sandbox, &state_dir, &public_url, true).await?;
                println!("listening sandbox http://{}", running.addr);
                signals.requested().await;
                running.stop().await;
                Ok(())
            })
        }
        Command::Check {
            server,
            upstream_url,
        } => {
            let checked = check::findings(&server, &upstream_url, wrong);
            let check::Findings { problems, warnings } = runtime()?.block_on(checked);
            for warning in &warnings {
                eprintln!("dastarkhan: warning: {warning}");
            }
            for problem in &problems {
                eprintln!("dastarkhan: {problem:#}");
            }
            if !problems.is_empty() {
                bail!("not ready to start");
            }
            println!("ready to start");
            Ok(())
        }
        Command::Backup { folder, state } => {
            let copied = backup::backup(&state.folder()?, &folder).context("backup")?;
            println!("state.sqlite is in {}", folder.display());
            told_of_secrets(&copied, &folder);
            Ok(())
        }
        Command::Restore { folder, state } => {
            let copied = backup::restore(&folder, &state.folder()?).context("restore")?;
            println!("restored from {}", folder.display());
            if !copied.before.is_empty() {
                println!("what was there is kept as {}", copied.before.join(", "));
            }
            told_of_secrets(&copied, &folder);
            Ok(())
        }
        Command::Serve {
            server,
            upstream_url,
        } => {
            service::check_public(&server)?;
            service::check(&server)?;
            let telemetry = telemetry_of(&server)?;
            tracing::info!(settings = given, "Settings that were given");
            let room = descriptors::room()?;
            let (assets, renderer) = engine_for(&server)?;
            let served = runtime()?.block_on(async {
                let listener = service::bind(server.listen, "LISTEN")?;
                service::run(server, upstream_url, assets, renderer, listener, room).await
            });
            telemetry.stop();
            served
        }
        Command::Demo { server, sandbox } => {
            refuse_sandbox(server.profile)?;
            service::check(&server)?;
            let telemetry = telemetry_of(&server)?;
            tracing::info!(settings = given, "Settings that were given");
            let room = descriptors::room()?;
            let mut server = server;
            if server.tile_url.is_none() {
                server
                    .tile_credit
                    .get_or_insert_with(|| SANDBOX_MAP.to_owned());
            }
            let host = sandbox_host(sandbox.sandbox_listen);
            if let Some([typed, other]) = host.clone() {
                server.host_origins.extend([typed, other]);
            }
            let (assets, renderer) = engine_for(&server)?;
            let served = runtime()?.block_on(async {
                let listener = service::bind(server.listen, "LISTEN")?;
                let public = match &server.public_url {
                    Some(url) => url.clone(),
                    None => format!("http://{}", listener.local_addr()?),
                };
                let running = start_sandbox(
                    &sandbox,
                    &server.state_dir,
                    &public,
                    server.public_url.is_none(),
                )
                .await?;
                let upstream = format!("http://{}", running.addr);
                println!("listening sandbox {upstream}");
                println!("table {}", first_table(&upstream).await.unwrap_or(public));
                println!("controls {upstream}/_sandbox");
                if let Some([host, _]) = host {
                    println!("host {host}/_sandbox/host");
                }
                let served = service::run(server, upstream, assets, renderer, listener, room).await;
                running.stop().await;
                served
            });
            telemetry.stop();
            served
        }
    }
}

/// Guests must not order from venues that do not exist (S-26).
fn refuse_sandbox(profile: Profile) -> Result<()> {
    if profile == Profile::Production {
        bail!(
            "PROFILE is production: the sandbox upstream does not run there; use `dastarkhan serve` with UPSTREAM_URL"
        );
    }
    Ok(())
}

fn told_of_secrets(copied: &backup::Copied, folder: &Path) {
    if !copied.with_secrets {
        println!(
            "without secret.keys: it opens only with the SECRET_KEYS of then, keep them beside {}",
            folder.display()
        );
    }
}

/// The origins of the sandbox's host app, which has the product in a frame: where its page is, and the other name that
/// people type. One whose port was not chosen can't be told before it is there, and is for tests, which name their
/// own.
fn sandbox_host(listen: SocketAddr) -> Option<[String; 2]> {
    let port = listen.port();
    (port != 0).then(|| ["localhost", "127.0.0.1"].map(|name| format!("http://{name}:{port}")))
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
    parts::state_folder(server)?;
    let web_dir = server.web_dir.as_deref();
    let assets = assets(web_dir, &server.state_dir)?;
    let renderer = engine::start(
        &assets.bundle(),
        web_dir,
        &server.state_dir,
        &engine::Limits {
            isolates: server.isolates,
            warm: server.warm_isolates == Switch::On,
            computing: Duration::from_millis(server.render_limit_ms),
            waiting: Duration::from_millis(server.render_wait_ms),
        },
    )?;
    Ok((assets, renderer))
}

/// With `is_near` the product is also found by the other name of this machine: some type one, some the other.
async fn start_sandbox(
    args: &SandboxArgs,
    state_dir: &Path,
    public: &str,
    is_near: bool,
) -> Result<sandbox::Sandbox> {
    let other = public.replace("//127.0.0.1", "//localhost");
    let options = sandbox::Options {
        listen: args.sandbox_listen,
        state_dir: state_dir.join("sandbox"),
        speed: args.sandbox_speed,
        pictures_dir: args.sandbox_pictures_dir.clone(),
        web_url: public.to_owned(),
        redirect_uris: is_near
            .then(|| format!("{other}/auth"))
            .into_iter()
            .collect(),
        ..sandbox::Options::default()
    };
    sandbox::start(options).await.map_err(|error| {
        let setting = match error {
            sandbox::Error::Listen(..) => "SANDBOX_LISTEN",
            sandbox::Error::Speed => "SANDBOX_SPEED",
            sandbox::Error::Folder(..) | sandbox::Error::Database(_) | sandbox::Error::State(_) => {
                "STATE_DIR"
            }
        };
        anyhow::Error::from(error).context(setting)
    })
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
