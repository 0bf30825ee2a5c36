//! What the product reads at its start.

use super::{
    Answer, Caller, Error, List, Upstream,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::Service;

/// Settings that the upstream keeps for the product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteConfig {
    /// Services on offer; all of them if none is told.
    pub services: Vec<Service>,
    /// The guest's place may be asked for.
    pub is_location_enabled: bool,
    /// Where pictures come from.
    pub image_hosts: Vec<String>,
    /// Address of map tiles with `{z}`, `{x}` and `{y}`.
    pub tile_url: Option<String>,
    /// Lists that Home shows beside its own (HM-01).
    pub home: Vec<HomeCategory>,
    /// What guests do is told.
    pub analytics: bool,
    /// Errors and vitals of browsers are.
    pub faults: bool,
    /// Browsers may keep files, a menu and an order for times without a network.
    pub worker: bool,
    /// Notifications are offered.
    pub push: bool,
}

/// What holds while nothing is told.
impl Default for RemoteConfig {
    fn default() -> Self {
        Self {
            services: Service::ALL.to_vec(),
            is_location_enabled: true,
            image_hosts: Vec::new(),
            tile_url: None,
            home: Vec::new(),
            analytics: true,
            faults: true,
            worker: true,
            push: true,
        }
    }
}

/// A list that Home shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomeCategory {
    /// Which list.
    pub list: List,
    /// Place among the rails, from 1.
    pub position: u32,
}

impl Upstream {
    /// The settings; from the cache like all that is everybody's.
    pub async fn remote_config(&self, caller: &Caller) -> Result<Answer<RemoteConfig>, Error> {
        let call = Call::shared(
            self,
            caller,
            Part::Settings,
            Path::fixed("remote-config/v1/config"),
        );
        self.catalogue(call, wire::data).await
    }
}

impl FromWire for RemoteConfig {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let service = |id: Wire<'_>| {
            let known = |service: &Service| id.raw().as_u64() == Some(u64::from(service.type_id()));
            Service::ALL.into_iter().find(known).ok_or(Bad("service"))
        };
        let mut services = wire.get("services").elements(service);
        if services.is_empty() {
            services = Service::ALL.to_vec();
        }
        let is_web =
            |address: &String| address.starts_with("http://") || address.starts_with("https://");
        let switches = wire.get("switches");
        let is_on = |name| switches.flag(name).unwrap_or(true);
        Ok(Self {
            analytics: is_on("analytics"),
            faults: is_on("browser_errors"),
            worker: is_on("service_worker"),
            push: is_on("push"),
            services,
            is_location_enabled: wire.flag("is_location_enabled").unwrap_or(true),
            image_hosts: wire
                .get("image_hosts")
                .elements(|host| host.as_text().ok_or(Bad("image host"))),
            home: wire.get("home").elements(|category| {
                let name = category.get("payload").text("category");
                Ok(HomeCategory {
                    list: name
                        .as_deref()
                        .and_then(List::of_category)
                        .ok_or(Bad("category"))?,
                    position: category.count("position").ok_or(Bad("position"))?,
                })
            }),
            // Its braces are no address yet, so it is not read as one.
            tile_url: wire.text("tile_url").filter(is_web),
        })
    }
}
