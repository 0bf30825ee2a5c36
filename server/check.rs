//! `dastarkhan check`: what would be wrong with a start, told before it and all at once.

use anyhow::{Error, Result, anyhow};

use crate::{
    config::ServerArgs,
    keys::seal::Keys,
    service,
    state::Health,
    upstream::{self, BrandId, Upstream},
    values::Country,
    web::{hosts::Hosts, parts},
};

/// Reads the settings, then asks state, upstream and picture storage whether they are there. It makes what a start makes
/// in the state folder, and listens nowhere: the server may be running.
pub async fn problems(config: &ServerArgs, upstream_url: &str) -> Vec<anyhow::Error> {
    let mut problems = Vec::new();
    problems.extend(service::check(config).err());
    problems.extend(service::check_public(config).err());
    problems.extend(parts::state_folder(config).err());
    // A wrong secret is told by the settings already.
    let keys = if problems.is_empty() {
        parts::keys(config)
    } else {
        Ok(Keys::random())
    };
    let keys = keys.unwrap_or_else(|error| {
        problems.push(error);
        Keys::random()
    });
    if problems.is_empty() {
        problems.extend(state(config, &keys).await.err());
    }
    match upstream(config, upstream_url).await {
        Ok(()) => problems.extend(hosts(config, upstream_url).await),
        Err(error) => problems.push(error),
    }
    match parts::images(config, upstream_url, &keys) {
        Ok(images) => {
            for (folder, error) in images.unreachable().await {
                problems.push(anyhow!("IMAGE_STORAGE: {folder} can't be reached: {error}"));
            }
        }
        Err(error) => problems.push(error),
    }
    problems
}

async fn state(config: &ServerArgs, keys: &Keys) -> Result<()> {
    let state = parts::state(config, keys).await?;
    let setting = parts::state_setting(config);
    // What a start puts up with, and would only warn of.
    if let Err(error) = state.idempotency().get("check").await {
        return Err(anyhow!("{setting}: {error}"));
    }
    match state.health().await {
        Health::Works => Ok(()),
        health => Err(anyhow!(
            "{setting}: the store is {}: server/README.md says what to do",
            health.word()
        )),
    }
}

async fn upstream(config: &ServerArgs, url: &str) -> Result<()> {
    let upstream = parts::upstream(config, url)?;
    match upstream.remote_config(&upstream.nobody(Country::Kz)).await {
        Ok(_) => Ok(()),
        Err(error) => Err(anyhow!("UPSTREAM_URL: {url}: {error}")),
    }
}

/// Brands and towns of host names that the upstream does not know: their guests would see empty lists.
async fn hosts(config: &ServerArgs, url: &str) -> Vec<Error> {
    let (Ok(hosts), Ok(upstream)) = (Hosts::of(config), parts::upstream(config, url)) else {
        // Told already.
        return Vec::new();
    };
    let towns = towns(&upstream).await;
    let mut problems = Vec::new();
    for (host, custom) in hosts.all() {
        if let Some(brand) = custom.brand()
            && !is_brand(&upstream, brand).await
        {
            problems.push(anyhow!(
                "HOSTS_FILE: {host}.brand_id: the upstream has no venues of brand {brand}"
            ));
        }
        let strange = |town: &&u64| towns.as_ref().is_some_and(|known| !known.contains(town));
        for town in custom.towns.iter().filter(strange) {
            problems.push(anyhow!(
                "HOSTS_FILE: {host}.towns: the upstream has no town {town}"
            ));
        }
    }
    problems
}

/// Whether some venue is of it, or nobody can tell.
async fn is_brand(upstream: &Upstream, brand: BrandId) -> bool {
    for country in Country::ALL {
        let caller = upstream.nobody(country);
        match upstream.brand_locations(&caller, brand, None, 1).await {
            Ok(found) if found.items.is_empty() => {}
            Err(upstream::Error::NotFound) => {}
            Ok(_) | Err(_) => return true,
        }
    }
    false
}

/// All towns; none when a country does not tell.
async fn towns(upstream: &Upstream) -> Option<Vec<u64>> {
    let mut towns = Vec::new();
    for country in Country::ALL {
        let caller = upstream.nobody(country);
        let config = upstream.country(&caller, country).await;
        if config.built_in {
            return None;
        }
        towns.extend(config.towns.iter().map(|town| town.id.0));
    }
    Some(towns)
}
