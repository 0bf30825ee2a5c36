//! What an installation, or one of its host names, offers of its own: brand, services, languages, towns, analytics and
//! name (SV-09, RT-03, AN-07).

use std::collections::BTreeMap;

use axum::body::Bytes;
use serde::Serialize;

use super::ServerArgs;
use crate::values::{Lang, Service};

/// Texts by language.
pub type Texts = BTreeMap<Lang, String>;

/// One configuration. Where a host name says nothing of its own, the installation's settings stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Custom {
    /// What the product is called, by language; where it is empty, by its own name.
    pub names: Texts,
    /// The same where there is little room, as under an icon.
    pub short_names: Texts,
    /// What an installed app is drawn by; the product's own where it is empty.
    pub icons: Vec<Icon>,
    /// What stands above the front, and below that; the product's own texts in other languages.
    pub front_titles: Texts,
    /// See above; the product has none.
    pub front_leads: Texts,
    /// Venues of this brand only.
    pub brand_id: Option<u64>,
    /// Services on offer; all where it is empty. The first stands in for the usual one.
    pub services: Vec<Service>,
    /// Languages on offer, the default one first; those of the country where it is empty.
    pub languages: Vec<Lang>,
    /// Towns on offer, the first one where guests have chosen none; those of the country where it is empty.
    pub towns: Vec<u64>,
    /// Browsers tell what guests do.
    pub analytics: bool,
    /// Nothing of what its guests do goes anywhere, whether a browser or the server has seen it.
    pub muted: bool,
    /// Where events go.
    pub analytics_url: Option<String>,
}

/// A square picture of an installed app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icon {
    /// Of what it holds, for its address.
    pub name: String,
    /// Pixels of a side.
    pub size: u32,
    /// A launcher may cut it into a shape of its own.
    pub is_maskable: bool,
    /// PNG.
    pub bytes: Bytes,
}

/// What a host name says on its front.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct FrontTexts {
    /// Instead of the usual heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// Below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lead: Option<String>,
}

impl Custom {
    /// That of the installation.
    #[must_use]
    pub fn of(settings: &ServerArgs) -> Self {
        Self {
            brand_id: settings.brand_id,
            services: settings.services.clone(),
            analytics: settings.insight.analytics.is_on(),
            analytics_url: settings.insight.analytics_url.clone(),
            ..Self::default()
        }
    }

    /// The front is the list of brands (RT-03).
    #[must_use]
    pub const fn has_brands_first(&self) -> bool {
        !self.services.is_empty() || self.brand_id.is_some()
    }

    /// What the product is called in a language, where that is not its own name. A language without a name has the first
    /// one.
    #[must_use]
    pub fn name(&self, lang: Lang) -> Option<&str> {
        called(&self.names, lang)
    }

    /// The name where there is little room; the whole one where there is no other.
    #[must_use]
    pub fn short_name(&self, lang: Lang) -> Option<&str> {
        called(&self.short_names, lang).or_else(|| self.name(lang))
    }

    /// What the front says in a language. Whole sentences, unlike names, do not stand in for each other.
    #[must_use]
    pub fn front(&self, lang: Lang) -> Option<FrontTexts> {
        let texts = FrontTexts {
            title: self.front_titles.get(&lang).cloned(),
            lead: self.front_leads.get(&lang).cloned(),
        };
        (texts != FrontTexts::default()).then_some(texts)
    }

    /// Services on offer, in the order of the switcher (SV-09). A host app has no delivery (HB-09), unless there is
    /// nothing else.
    #[must_use]
    pub fn offered(&self, in_app: bool) -> Vec<Service> {
        let is_named =
            |service: &Service| self.services.is_empty() || self.services.contains(service);
        let named = Service::ALL.into_iter().filter(is_named);
        let here: Vec<_> = named
            .clone()
            .filter(|service| !in_app || *service != Service::Delivery)
            .collect();
        if here.is_empty() {
            named.collect()
        } else {
            here
        }
    }

    /// The wanted service where it is on offer, else the usual one, else the first that is (SV-07). In a host app the usual
    /// one is the first that the settings name, else takeaway (HB-08).
    #[must_use]
    pub fn allowed(&self, wanted: Option<Service>, usual: Service, in_app: bool) -> Service {
        let offered = self.offered(in_app);
        let is_offered = |service: &Service| offered.contains(service);
        let first = self.services.iter().copied().find(is_offered);
        let usual = if in_app {
            first.unwrap_or(Service::Takeaway)
        } else {
            usual
        };
        wanted
            .filter(is_offered)
            .or(Some(usual).filter(is_offered))
            .or(first)
            .or(offered.first().copied())
            .unwrap_or(usual)
    }
}

fn called(names: &Texts, lang: Lang) -> Option<&str> {
    let named = names.get(&lang).or_else(|| names.values().next());
    named.map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_without_a_name_has_the_first_one() {
        let names = [(Lang::Ru, "Бургер"), (Lang::En, "Burger")];
        let custom = Custom {
            names: names
                .map(|(lang, name)| (lang, name.to_owned()))
                .into_iter()
                .collect(),
            ..Custom::default()
        };
        assert_eq!(custom.name(Lang::En), Some("Burger"));
        assert_eq!(custom.name(Lang::Kk), Some("Бургер"));
        assert_eq!(Custom::default().name(Lang::Kk), None);
    }
}
