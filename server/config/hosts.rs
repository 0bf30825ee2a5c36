//! The file of `HOSTS_FILE`: which host name has a configuration of its own.

use std::{
    collections::BTreeMap, fmt, fs::File as Opened, io::Read as _, num::NonZeroU64, path::Path,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use sha2::{Digest as _, Sha256};

use super::{
    custom::{Custom, Icon, Texts},
    web_address,
};
use crate::values::{Lang, Service};

/// What stands around a page has room for so much, a launcher for less.
const LONGEST_NAME: usize = 40;
const LONGEST_SHORT: usize = 20;
const LONGEST_TITLE: usize = 60;
const LONGEST_LEAD: usize = 200;
/// Pixels of an icon: browsers install by no smaller one, and need no larger one.
const ICON: std::ops::RangeInclusive<u32> = 192..=1024;
const ICON_BYTES: u64 = 1 << 20;

/// The configurations of a file by host name.
pub type Named = BTreeMap<String, Custom>;

/// Reads a file. What an entry leaves out is as in `usual`.
///
/// # Errors
/// Names the file, the field, and its line.
pub fn read(file: &Path, usual: &Custom) -> Result<Named> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let folder = file.parent().unwrap_or(Path::new("."));
    parse(&text, usual, folder).with_context(|| file.display().to_string())
}

/// `folder` is where pictures are that it names.
fn parse(text: &str, usual: &Custom, folder: &Path) -> Result<Named> {
    let deserializer = &mut serde_json::Deserializer::from_str(text);
    let File(entries) = serde_path_to_error::deserialize(&mut *deserializer).map_err(|error| {
        let field = error.path().to_string();
        // Of what is no JSON at all there is no field.
        match field.as_str() {
            "." | "?" => anyhow!("{}", error.inner()),
            _ => anyhow!("{field}: {}", error.inner()),
        }
    })?;
    deserializer.end()?;
    let with_usual = |(HostName(name), entry): (HostName, Entry)| {
        let custom = entry.over(usual, folder);
        let custom = custom.with_context(|| name.clone())?;
        Ok((name, custom))
    };
    entries.into_iter().map(with_usual).collect()
}

struct File(Vec<(HostName, Entry)>);

impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = File;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("host names, each with its configuration")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<File, A::Error> {
                let mut all: Vec<(HostName, Entry)> = Vec::new();
                while let Some((name, entry)) = map.next_entry::<HostName, Entry>()? {
                    if all.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!("{} stands twice", name.0)));
                    }
                    all.push((name, entry));
                }
                Ok(File(all))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// A host as browsers write it, without a port.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct HostName(String);

impl TryFrom<String> for HostName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let url = url::Url::parse(&format!("http://{name}/")).ok();
        let is_host = url.is_some_and(|url| url.host_str() == Some(&name));
        if is_host && !name.ends_with('.') {
            Ok(Self(name))
        } else {
            Err(format!(
                "{name:?} is no host name: write it as browsers send it, in small letters and without a port, such as burger.example.kz"
            ))
        }
    }
}

/// What a host name says of its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Option<ByLang<LONGEST_NAME>>,
    short_name: Option<ByLang<LONGEST_SHORT>>,
    icons: Option<Some1<IconFile>>,
    front: Option<Front>,
    brand_id: Option<NonZeroU64>,
    services: Option<Some1<Service>>,
    languages: Option<Some1<Lang>>,
    towns: Option<Some1<NonZeroU64>>,
    analytics: Option<Analytics>,
}

/// By languages, each so long at most.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ByLang<const MOST: usize> {
    kk: Option<Line<MOST>>,
    ru: Option<Line<MOST>>,
    en: Option<Line<MOST>>,
    ka: Option<Line<MOST>>,
}

/// What the front says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    title: Option<ByLang<LONGEST_TITLE>>,
    lead: Option<ByLang<LONGEST_LEAD>>,
}

/// A picture of an installed app, beside this file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct IconFile {
    file: String,
    #[serde(default)]
    maskable: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Analytics {
    enabled: Option<bool>,
    url: Option<Address>,
}

/// One or more: an empty list would leave guests with nothing.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<T>", bound = "T: Deserialize<'de>")]
struct Some1<T>(Vec<T>);

impl<T> TryFrom<Vec<T>> for Some1<T> {
    type Error = &'static str;

    fn try_from(all: Vec<T>) -> Result<Self, &'static str> {
        if all.is_empty() {
            Err("name one, or leave it out")
        } else {
            Ok(Self(all))
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Line<const MOST: usize>(String);

impl<const MOST: usize> TryFrom<String> for Line<MOST> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let line = text.trim();
        if line.is_empty() || line.chars().count() > MOST || line.contains(char::is_control) {
            return Err(format!("a line of 1 to {MOST} letters"));
        }
        Ok(Self(line.to_owned()))
    }
}

impl<const MOST: usize> ByLang<MOST> {
    fn texts(self) -> Texts {
        let Self { kk, ru, en, ka } = self;
        let all = [
            (Lang::Kk, kk),
            (Lang::Ru, ru),
            (Lang::En, en),
            (Lang::Ka, ka),
        ];
        let message = |(lang, line): (Lang, Option<Line<MOST>>)| Some((lang, line?.0));
        all.into_iter().filter_map(message).collect()
    }
}

impl IconFile {
    fn read(self, folder: &Path) -> Result<Icon> {
        let Self { file, maskable } = self;
        let path = folder.join(&file);
        let mut bytes = Vec::new();
        Opened::open(&path)
            .and_then(|open| open.take(ICON_BYTES + 1).read_to_end(&mut bytes))
            .with_context(|| path.display().to_string())?;
        ensure!(
            bytes.len() as u64 <= ICON_BYTES,
            "{file:?} is larger than {ICON_BYTES} bytes"
        );
        let Ok(picture) = image::load_from_memory_with_format(&bytes, image::ImageFormat::Png)
        else {
            bail!("{file:?} is no PNG");
        };
        let (width, height) = (picture.width(), picture.height());
        ensure!(
            width == height && ICON.contains(&width),
            "{file:?} has {width}x{height} pixels: square, {} to {} of them",
            ICON.start(),
            ICON.end()
        );
        let digest = Sha256::digest(&bytes);
        let name: String = digest
            .iter()
            .take(12)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Icon {
            name: format!("{name}.png"),
            size: width,
            is_maskable: maskable,
            bytes: bytes.into(),
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Address(String);

impl TryFrom<String> for Address {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        web_address(&text).map(Self)
    }
}

impl Entry {
    /// # Errors
    /// When a picture can't be used.
    fn over(self, usual: &Custom, folder: &Path) -> Result<Custom> {
        let analytics = self.analytics.unwrap_or(Analytics {
            enabled: None,
            url: None,
        });
        let icons = self.icons.map_or_else(Vec::new, |icons| icons.0);
        let icons = icons.into_iter().enumerate().map(|(at, icon)| {
            let read = icon.read(folder);
            read.with_context(|| format!("icons[{at}].file"))
        });
        let icons = icons.collect::<Result<Vec<_>>>()?;
        let front = self.front.unwrap_or(Front {
            title: None,
            lead: None,
        });
        let ids = |ids: Some1<NonZeroU64>| ids.0.into_iter().map(NonZeroU64::get).collect();
        Ok(Custom {
            names: self.name.map(ByLang::texts).unwrap_or_default(),
            short_names: self.short_name.map(ByLang::texts).unwrap_or_default(),
            icons,
            front_titles: front.title.map(ByLang::texts).unwrap_or_default(),
            front_leads: front.lead.map(ByLang::texts).unwrap_or_default(),
            brand_id: self.brand_id.map(NonZeroU64::get).or(usual.brand_id),
            services: self
                .services
                .map_or_else(|| usual.services.clone(), |some| some.0),
            languages: self
                .languages
                .map_or_else(|| usual.languages.clone(), |some| some.0),
            towns: self.towns.map_or_else(|| usual.towns.clone(), ids),
            analytics: analytics.enabled.unwrap_or(usual.analytics),
            muted: analytics.enabled == Some(false),
            analytics_url: analytics
                .url
                .map(|url| url.0)
                .or_else(|| usual.analytics_url.clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        let error = parse(text, &Custom::default(), Path::new(".")).unwrap_err();
        format!("{error:#}")
    }

    #[test]
    fn what_an_entry_leaves_out_is_the_installations() {
        let usual = Custom {
            brand_id: Some(5),
            services: vec![Service::Express],
            analytics: true,
            analytics_url: Some("https://all.example".to_owned()),
            ..Custom::default()
        };
        let text = r#"{
            "burger.example.kz": {
                "name": { "ru": " Бургер " }, "brand_id": 7, "languages": ["ru"], "towns": [11],
                "analytics": { "url": "https://burger.example/take/" }
            },
            "quiet.example.kz": { "services": ["takeaway"], "analytics": { "enabled": false } }
        }"#;
        let named = parse(text, &usual, Path::new(".")).unwrap();
        let burger = &named["burger.example.kz"];
        assert_eq!(burger.name(Lang::Ru), Some("Бургер"));
        assert_eq!(burger.brand_id, Some(7));
        assert_eq!(burger.services, [Service::Express]);
        assert_eq!(burger.towns, [11]);
        assert!(burger.analytics && !burger.muted);
        assert_eq!(
            burger.analytics_url.as_deref(),
            Some("https://burger.example/take")
        );
        let quiet = &named["quiet.example.kz"];
        assert_eq!(quiet.brand_id, Some(5));
        assert_eq!(quiet.services, [Service::Takeaway]);
        assert!(quiet.muted && !quiet.analytics);
        assert_eq!(parse("{}", &usual, Path::new(".")).unwrap().len(), 0);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_field_and_line() {
        for (text, field, line) in [
            (
                r#"{ "a.kz": { "services": ["expres"] } }"#,
                "services[0]",
                1,
            ),
            ("{ \"a.kz\": {\n\"brand_id\": 0 } }", "brand_id", 2),
            ("{ \"a.kz\": {\n\"brand_id\": \"7\" } }", "brand_id", 2),
            ("{ \"a.kz\": {\n\n\"towns\": [] } }", "towns", 3),
            (r#"{ "a.kz": { "languages": ["de"] } }"#, "languages[0]", 1),
            (r#"{ "a.kz": { "brands": 7 } }"#, "brands", 1),
            (r#"{ "a.kz": { "name": { "ru": " " } } }"#, "name.ru", 1),
            (
                "{ \"a.kz\": {\n\"short_name\": { \"ru\": \"Longer than any launcher\" } } }",
                "short_name.ru",
                2,
            ),
            (
                r#"{ "a.kz": { "front": { "lead": { "de": "x" } } } }"#,
                "front.lead",
                1,
            ),
            (
                r#"{ "a.kz": { "front": { "title": { "kk": "a\nb" } } } }"#,
                "front.title.kk",
                1,
            ),
            (r#"{ "a.kz": { "icons": [] } }"#, "icons", 1),
            (
                r#"{ "a.kz": { "icons": [{ "src": "x.png" }] } }"#,
                "icons[0]",
                1,
            ),
            (
                r#"{ "a.kz": { "analytics": { "url": "ftp://x" } } }"#,
                "analytics.url",
                1,
            ),
        ] {
            let message = wrong(text);
            assert!(message.contains(field), "{message}");
            assert!(message.contains("a.kz"), "{message}");
            assert!(message.contains(&format!("line {line}")), "{message}");
        }
        for name in ["A.kz", "a.kz:80", "a.kz/x", "", "a b", "a.kz.", "қ.kz"] {
            let message = wrong(&format!("{{\n{name:?}: {{}} }}"));
            assert!(
                message.contains("no host name") && message.contains("line 2"),
                "{message}"
            );
        }
        let twice = wrong(r#"{ "a.kz": {}, "a.kz": {} }"#);
        assert!(twice.contains("a.kz stands twice"), "{twice}");
        assert!(wrong("{ \"a.kz\": {\n").contains("line 2"));
        assert!(wrong("{} {}").contains("line 1"));
        assert!(wrong("[]").contains("host names"));
    }
}
