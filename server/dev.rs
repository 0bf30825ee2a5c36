//! `make dev`: when the bundle in `WEB_DIR` changes, isolates and documents move to it.

use std::time::Duration;

use crate::{engine, server::Server, web::files::assets::Assets};

/// Looks at the manifest once a second, for ever.
pub async fn watch(server: Server) {
    let Some(folder) = server.app.config.web_dir.clone() else {
        return;
    };
    let manifest = folder.join("manifest.json");
    let stamp = || {
        std::fs::metadata(&manifest)
            .and_then(|data| data.modified())
            .ok()
    };
    let mut known = stamp();
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = stamp();
        if now.is_none() || now == known {
            continue;
        }
        known = now;
        let (folder, for_task) = (folder.clone(), server.clone());
        let moved = tokio::task::spawn_blocking(move || -> anyhow::Result<()> {
            let state = &for_task.app.config.state_dir;
            let assets = Assets::from_folder(&folder, state)?;
            let snapshot = engine::snapshot(&assets.bundle(), Some(&folder), state)?;
            for_task.app.renderer.replace_bundle(snapshot)?;
            for_task.replace_build(assets);
            Ok(())
        });
        match moved.await {
            Ok(Ok(())) => tracing::info!("The new bundle is in use"),
            Ok(Err(error)) => tracing::error!("The new bundle is not usable: {error:#}"),
            Err(error) => tracing::error!(%error, "Moving to the new bundle failed"),
        }
    }
}
