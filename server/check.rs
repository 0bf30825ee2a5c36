//! `dastarkhan check`: what would be wrong with a start, told before it and all at once.

use std::collections::BTreeMap;

use anyhow::{Context as _, Error, Result, anyhow};
use futures_util::future::join_all;

use crate::{
    config::{Profile, ServerArgs, all_wrong::Wrong},
    keys::seal::Keys,
    service,
    state::{self, Health},
    upstream::{self, Answer, BrandId, CountryConfig, Upstream},
    values::Country,
    web::{
        files::{assets::Assets, tiles::Tile},
        hosts::Hosts,
        insight, parts,
    },
};

/// What was found.
#[derive(Debug, Default)]
pub struct Findings {
    /// A start would be refused, or could not serve guests.
    pub problems: Vec<Error>,
    /// A start goes on; the operator may want to know.
    pub warnings: Vec<String>,
}

/// Reads the settings, then asks state, upstream and picture storage whether they are there. It makes what a start makes
/// in the state folder, and listens nowhere: the server may be running. `wrong` are settings that could not be read; what
/// they would be about is left out.
pub async fn findings(config: &ServerArgs, upstream_url: &str, wrong: &[Wrong]) -> Findings {
    let (mut problems, mut warnings) = (Vec::new(), Vec::new());
    problems.extend(service::problems(config));
    problems.extend(service::check_public(config).err());
    problems.extend(web_dir(config).err());
    let folder = parts::state_folder(config);
    let has_folder = folder.is_ok();
    problems.extend(folder.err());
    let entered = has_folder.then(|| parts::enter(config)).transpose();
    let keys = match (&config.secret_keys, &entered) {
        // Where it is wrong it is told by the settings already.
        (Some(hex), _) => Keys::from_hex(hex).ok(),
        (None, Ok(Some(entered))) => match parts::keys(config, entered) {
            Ok(keys) => Some(keys),
            Err(error) => {
                problems.push(error);
                None
            }
        },
        (None, Ok(None) | Err(_)) => None,
    };
    match (&keys, &config.state_url) {
        (Some(_), None) if entered.is_err() => {}
        (Some(keys), shared) if has_folder || shared.is_some() => match store(config, keys).await {
            Ok(warning) => warnings.extend(warning),
            Err(error) => problems.push(error),
        },
        // Without the secrets nothing may be written there: they would be taken for those of all instances.
        (None, Some(url)) => problems.extend(state::answers(url).await.context("STATE_URL").err()),
        _ => {}
    }
    problems.extend(entered.err());
    warnings.extend(sign_in_page(config, upstream_url));
    warnings.extend(service::inner_payment_page(config, upstream_url));
    warnings.extend(receivers(config).await);
    warnings.extend(others(config).await);
    let has_upstream = wrong.iter().all(|setting| setting.name != "UPSTREAM_URL");
    let mut is_reached = false;
    if has_upstream {
        match upstream(config, upstream_url).await {
            Ok(upstream) => {
                is_reached = true;
                let countries = countries(&upstream).await;
                problems.extend(brand(config, &upstream).await.err());
                problems.extend(hosts(config, &upstream, &countries).await);
                warnings.extend(countries.iter().filter_map(config_error));
            }
            Err(error) => problems.push(error),
        }
    }
    // Where none is named it is the upstream's.
    let is_named = config
        .image_storage
        .iter()
        .any(|one| !one.trim().is_empty());
    if has_upstream || is_named {
        let keys = keys.unwrap_or_else(Keys::random);
        match parts::images(config, upstream_url, &keys) {
            Ok(images) => {
                let setting = match is_named {
                    true => "IMAGE_STORAGE",
                    false => "UPSTREAM_URL, as IMAGE_STORAGE is not set",
                };
                // Of an upstream that is away this would be told once more.
                if is_named || is_reached {
                    for (folder, error) in images.unreachable().await {
                        problems.push(anyhow!("{setting}: {folder} can't be reached: {error}"));
                    }
                }
            }
            Err(error) => problems.push(error),
        }
    }
    let about = |problem: &Error| {
        let text = format!("{problem:#}");
        wrong.iter().any(|setting| text.contains(&setting.name))
    };
    problems.retain(|problem| !about(problem));
    let unread = wrong
        .iter()
        .map(|Wrong { name, why }| anyhow!("{name}: {why}"));
    Findings {
        problems: unread.chain(problems).collect(),
        warnings,
    }
}

/// Where the upstream's own page is taken, its address may be one inside the network.
fn sign_in_page(config: &ServerArgs, upstream_url: &str) -> Option<String> {
    let is_upstreams = config.profile == Profile::Production && config.oauth_url.is_none();
    (is_upstreams && service::is_open_to_all(upstream_url)).then(|| {
        "OAUTH_URL: it is not set, and guests would sign in at UPSTREAM_URL, which is plain http".to_owned()
    })
}

/// Reads it as a start does.
fn web_dir(config: &ServerArgs) -> Result<()> {
    match &config.web_dir {
        Some(folder) => Assets::from_folder(folder, &config.state_dir)
            .map(drop)
            .context("WEB_DIR"),
        None => Ok(()),
    }
}

/// What is to be warned of.
async fn store(config: &ServerArgs, keys: &Keys) -> Result<Option<String>> {
    // A start goes on with an empty one; a check must not say that all is well.
    parts::lost_state(config)?;
    let state = parts::state(config, keys).await?;
    let setting = parts::state_setting(config);
    // What a start puts up with, and would only warn of.
    if let Err(error) = state.idempotency().get("check").await {
        return Err(anyhow!("{setting}: {error}"));
    }
    if let Some(policy) = state.throws_away().await {
        return Err(anyhow!(
            "{setting}: its maxmemory-policy is {policy}: it would throw away carts and orders for room; set it to noeviction"
        ));
    }
    // What it has met is told by the health.
    let looked = state.look_through().await;
    match state.health().await {
        Health::Works => looked.with_context(|| setting.to_owned())?,
        health => {
            return Err(anyhow!(
                "{setting}: the store is {}: server/operation/README.md, State, says what to do",
                health.word()
            ));
        }
    }
    let sealed = state.sealed_by_others().await;
    Ok(sealed.map(|(sealed, all)| {
        format!(
            "SECRET_KEYS: {sealed} of {all} sessions that were looked at were sealed with secrets that are not set: their guests are signed out"
        )
    }))
}

/// Receivers of events that take none, and why.
async fn receivers(config: &ServerArgs) -> Vec<String> {
    let mut named = BTreeMap::new();
    if let Some(url) = &config.insight.analytics_url {
        named.insert(url.clone(), "ANALYTICS_URL".to_owned());
    }
    // A file that can't be read is told already.
    if let Ok(hosts) = Hosts::of(config) {
        for (host, custom) in hosts.all() {
            if let Some(url) = custom.analytics_url.clone().filter(|_| !custom.muted) {
                let setting = || format!("HOSTS_FILE: {host}.analytics.url");
                named.entry(url).or_insert_with(setting);
            }
        }
    }
    let tried = named.iter().map(async |(url, setting)| {
        let answer = insight::try_receiver(url).await;
        Some(format!(
            "{setting}: events are not taken: {}",
            answer.err()?
        ))
    });
    join_all(tried).await.into_iter().flatten().collect()
}

/// Services beside the upstream that do not answer: pages do without them.
async fn others(config: &ServerArgs) -> Vec<String> {
    // That it is there is not asked for.
    let tile = config.tile_url.as_ref();
    let dsn = config.insight.sentry_dsn.as_ref();
    let named = [
        (
            "TILE_URL: no map is drawn",
            tile.map(|url| Tile::WORLD.address(url)),
        ),
        (
            "SENTRY_DSN: errors of browsers are lost",
            dsn.map(|dsn| dsn.envelopes.clone()),
        ),
        ("OTLP_URL: spans are lost", config.otlp_url.clone()),
    ];
    let tried = named.into_iter().map(async |(lost, url)| {
        let answer = insight::try_address(&url?).await;
        Some(format!("{lost}: {}", answer.err()?))
    });
    join_all(tried).await.into_iter().flatten().collect()
}

async fn countries(upstream: &Upstream) -> Vec<Answer<CountryConfig>> {
    let asked = Country::ALL.map(async |country| {
        let caller = upstream.anonymous(country);
        upstream.country(&caller, country).await
    });
    join_all(asked).await
}

/// A country whose settings do not come: its guests get the built-in ones.
fn config_error(answer: &Answer<CountryConfig>) -> Option<String> {
    answer.built_in.then(|| {
        format!(
            "UPSTREAM_URL: the settings of the country {} do not come: built-in ones are used",
            answer.country.code()
        )
    })
}

/// A brand that the upstream does not know: guests would see empty lists.
async fn brand(config: &ServerArgs, upstream: &Upstream) -> Result<()> {
    let Some(brand) = config.brand_id else {
        return Ok(());
    };
    if is_brand(upstream, BrandId(brand)).await {
        Ok(())
    } else {
        Err(anyhow!(
            "BRAND_ID: the upstream has no venues of brand {brand}"
        ))
    }
}

async fn upstream(config: &ServerArgs, url: &str) -> Result<Upstream> {
    let upstream = parts::upstream(config, url)?;
    match upstream
        .remote_config(&upstream.anonymous(Country::Kz))
        .await
    {
        Ok(_) => Ok(upstream),
        Err(error) => Err(anyhow!("UPSTREAM_URL: {url}: {error}")),
    }
}

/// Brands and towns of host names that the upstream does not know: their guests would see empty lists.
async fn hosts(
    config: &ServerArgs,
    upstream: &Upstream,
    countries: &[Answer<CountryConfig>],
) -> Vec<Error> {
    let Ok(hosts) = Hosts::of(config) else {
        // Told already.
        return Vec::new();
    };
    let towns = towns(countries);
    let mut problems = Vec::new();
    for (host, custom) in hosts.all() {
        if let Some(brand) = custom.brand()
            && !is_brand(upstream, brand).await
        {
            problems.push(anyhow!(
                "HOSTS_FILE: {host}.brand_id: the upstream has no venues of brand {brand}"
            ));
        }
        let unknown = |town: &&u64| towns.as_ref().is_some_and(|known| !known.contains(town));
        for town in custom.towns.iter().filter(unknown) {
            problems.push(anyhow!(
                "HOSTS_FILE: {host}.towns: the upstream has no town {town}"
            ));
        }
    }
    problems
}

/// Whether some venue is of it, or that is unknown.
async fn is_brand(upstream: &Upstream, brand: BrandId) -> bool {
    for country in Country::ALL {
        let caller = upstream.anonymous(country);
        match upstream.brand_locations(&caller, brand, None, 1).await {
            Ok(found) if found.items.is_empty() => {}
            Err(upstream::Error::NotFound) => {}
            Ok(_) | Err(_) => return true,
        }
    }
    false
}

/// All towns; none when a country does not tell.
fn towns(countries: &[Answer<CountryConfig>]) -> Option<Vec<u64>> {
    let mut towns = Vec::new();
    for answer in countries {
        if answer.built_in {
            return None;
        }
        towns.extend(answer.towns.iter().map(|town| town.id.0));
    }
    Some(towns)
}
