//! Parts that settings make, each with the name of its setting where it can't be made: a start and `dastarkhan check`
//! say the same.

use std::time::Duration;

use anyhow::{Context, Result};

use super::images::{self, Images};
use crate::{
    config::ServerArgs,
    keys::seal::Keys,
    state::{Options, State, private_folder},
    upstream::{Upstream, UpstreamConfig},
};

/// The folder of what belongs to this machine.
///
/// # Errors
/// When it can't be made.
pub fn state_folder(config: &ServerArgs) -> Result<()> {
    let folder = &config.state_dir;
    private_folder(folder).with_context(|| format!("STATE_DIR: {} can't be made", folder.display()))
}

/// The secrets of the settings, else those of the state folder.
///
/// # Errors
/// When they can't be used.
pub fn keys(config: &ServerArgs) -> Result<Keys> {
    match &config.secret_keys {
        Some(hex) => Keys::from_hex(hex).context("SECRET_KEYS"),
        None => Keys::load_or_create(&config.state_dir).context("STATE_DIR"),
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

/// What outlives a request.
///
/// # Errors
/// When it can't be used. A shared server that is away can be there later.
pub async fn state(config: &ServerArgs, keys: &Keys) -> Result<State> {
    let options = Options::new(&config.state_dir, keys.clone());
    State::open(options.shared(config.state_url.clone()))
        .await
        .context(state_setting(config))
}

/// The business APIs.
///
/// # Errors
/// When the address is none.
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
