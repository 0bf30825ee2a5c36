//! Parts that settings make, each with the name of its setting where it can't be made: a start and `dastarkhan check`
//! say the same.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};

use super::files::images::{self, Images};
use crate::{
    config::ServerArgs,
    keys::seal::{self, Keys},
    state::{self, Options, Presence, State, expect_own_folder, folder, private_folder},
    upstream::{Upstream, UpstreamConfig},
};

/// The folder of what belongs to this machine.
///
/// # Errors
/// When it can't be made, or is another user's and this is root.
pub fn state_folder(config: &ServerArgs) -> Result<()> {
    let folder = &config.state_dir;
    expect_own_folder(folder).with_context(|| format!("STATE_DIR: {}", folder.display()))?;
    private_folder(folder).with_context(|| format!("STATE_DIR: {} can't be made", folder.display()))
}

/// Keeps restores away until the state is open: the secrets that were read must be those of its database.
///
/// # Errors
/// While a backup is being restored.
pub fn enter(config: &ServerArgs) -> Result<Presence> {
    state::enter(&config.state_dir).context("STATE_DIR")
}

/// The secrets of the settings, else those of the state folder that was entered.
///
/// # Errors
/// When they can't be used, or those that sealed the state are lost: new ones would sign all guests out and make stored
/// data unreadable.
pub fn keys(config: &ServerArgs, _entered: &Presence) -> Result<Keys> {
    match &config.secret_keys {
        Some(hex) => Keys::from_hex(hex).context("SECRET_KEYS"),
        None => {
            let folder = &config.state_dir;
            ensure!(
                config.state_url.is_some() || !folder::is_without_secrets(folder),
                "STATE_DIR: {}: secret.keys is missing, and what is stored in state.sqlite can't be read without it: put it back (a backup has it), set SECRET_KEYS to what it was sealed with, or move state.sqlite away to begin with an empty one",
                folder.display()
            );
            Keys::load_or_create(folder).map_err(|error| match error {
                seal::Error::Format | seal::Error::Zeros => anyhow!(
                    "STATE_DIR: {}: {error}: put back the one of a backup, or set SECRET_KEYS to what the state was sealed with",
                    folder.join("secret.keys").display()
                ),
                error => anyhow!(error).context("STATE_DIR"),
            })
        }
    }
}

/// The setting that says where the state is.
#[must_use]
pub fn state_setting(config: &ServerArgs) -> &'static str {
    config
        .state_url
        .as_ref()
        .map_or("STATE_DIR", |_| "STATE_URL")
}

/// Whether there was a database, and it is gone: a start makes an empty one.
///
/// # Errors
/// When it is gone.
pub fn lost_state(config: &ServerArgs) -> Result<()> {
    let folder = &config.state_dir;
    ensure!(
        config.state_url.is_some() || !folder::is_without_database(folder),
        "STATE_DIR: {}: state.sqlite is missing or empty, though a server has run here: a start would make a new one; restore a backup, or remove the folder `owners` if it is to begin anew",
        folder.display()
    );
    Ok(())
}

/// What outlives a request.
///
/// # Errors
/// When it can't be used. A shared server that is away can be there later.
pub async fn state(config: &ServerArgs, keys: &Keys) -> Result<State> {
    if lost_state(config).is_err() {
        tracing::error!(
            "STATE_DIR: {}: state.sqlite was missing or empty, though a server has run here: a new, empty one is made now; to get the old one back stop the server and restore a backup",
            config.state_dir.display()
        );
    }
    let options = Options::new(&config.state_dir, keys.clone());
    State::open(options.shared(config.state_url.clone()))
        .await
        .context(state_setting(config))
}

/// The business APIs.
///
/// # Errors
/// When the address is invalid.
pub fn upstream(config: &ServerArgs, url: &str) -> Result<Upstream> {
    let mut upstream = UpstreamConfig::new(url);
    upstream.client_id.clone_from(&config.oauth_client_id);
    upstream.cache.fresh = Duration::from_millis(config.catalogue_fresh_ms);
    Upstream::new(&upstream).context("UPSTREAM_URL")
}

/// Pictures.
///
/// # Errors
/// When a storage folder is not written like one.
pub fn images(config: &ServerArgs, upstream_url: &str, keys: &Keys) -> Result<Images> {
    let options = images::Options {
        upstream: upstream_url,
        storage: &config.image_storage,
        origins: &config.image_origins,
        state: &config.state_dir,
        disk_bytes: config.image_cache_mb << 20,
    };
    Images::new(keys, options).context("the image service")
}
