//! The seed with its indexes: what every call looks up. Never changes; the
//! controls' changes lie over it in `overrides`.

use std::collections::HashMap;

use crate::fold::fold;
use crate::model::{Brand, Country, Lang, Menu, Product, Review, Seed, Town, Venue};

/// One of the three services of a venue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    Takeaway,
    Express,
    Delivery,
}

/// The catalogue with its indexes.
pub(crate) struct Catalogue {
    seed: Seed,
    filials: HashMap<i64, (usize, Service)>,
    menus: HashMap<i64, usize>,
    towns: HashMap<i64, usize>,
    brands: HashMap<i64, usize>,
    countries: HashMap<i64, usize>,
    /// Folded texts of each venue, by position: its names, then its dishes.
    texts: Vec<String>,
    /// Whether each venue's menu has a promo.
    promos: Vec<bool>,
}

/// A filial with everything around it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) venue: &'a Venue,
    pub(crate) service: Service,
    pub(crate) filial: i64,
    pub(crate) town: &'a Town,
    pub(crate) country: &'a Country,
    pub(crate) brand: &'a Brand,
    pub(crate) menu: &'a Menu,
}

/// The language of an answer and what stands in for missing texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Voice {
    pub(crate) lang: Lang,
    pub(crate) fallback: Lang,
}

impl Service {
    pub(crate) const ALL: [Service; 3] = [Service::Express, Service::Takeaway, Service::Delivery];

    pub(crate) fn parse(text: &str) -> Option<Service> {
        match text {
            "takeaway" | "1" => Some(Service::Takeaway),
            "express" | "3" => Some(Service::Express),
            "delivery" | "4" => Some(Service::Delivery),
            _ => None,
        }
    }

    pub(crate) fn type_id(self) -> i64 {
        match self {
            Service::Takeaway => 1,
            Service::Express => 3,
            Service::Delivery => 4,
        }
    }

    pub(crate) fn filial(self, venue: &Venue) -> Option<i64> {
        match self {
            Service::Takeaway => venue.takeaway,
            Service::Express => venue.express,
            Service::Delivery => venue.delivery,
        }
    }
}

impl Catalogue {
    pub(crate) fn new(seed: Seed) -> Catalogue {
        let mut filials = HashMap::new();
        for (index, venue) in seed.venues.iter().enumerate() {
            for service in Service::ALL {
                if let Some(filial) = service.filial(venue) {
                    filials.insert(filial, (index, service));
                }
            }
        }
        let mut catalogue = Catalogue {
            filials,
            menus: index_of(seed.menus.iter().map(|menu| menu.id)),
            towns: index_of(seed.towns.iter().map(|town| town.id)),
            brands: index_of(seed.brands.iter().map(|brand| brand.id)),
            countries: index_of(seed.countries.iter().map(|country| country.id)),
            texts: Vec::new(),
            promos: Vec::new(),
            seed,
        };
        catalogue.texts = catalogue
            .seed
            .venues
            .iter()
            .map(|v| catalogue.folded(v))
            .collect();
        catalogue.promos = catalogue
            .seed
            .venues
            .iter()
            .map(|v| catalogue.has_promo(v))
            .collect();
        catalogue
    }

    pub(crate) fn towns(&self) -> &[Town] {
        &self.seed.towns
    }

    pub(crate) fn country(&self, id: i64) -> Option<&Country> {
        self.seed.countries.get(*self.countries.get(&id)?)
    }

    pub(crate) fn town(&self, id: i64) -> Option<&Town> {
        self.seed.towns.get(*self.towns.get(&id)?)
    }

    pub(crate) fn brand(&self, id: i64) -> Option<&Brand> {
        self.seed.brands.get(*self.brands.get(&id)?)
    }

    pub(crate) fn venues(&self) -> &[Venue] {
        &self.seed.venues
    }

    /// The reviews that a venue starts with, the oldest first.
    pub(crate) fn reviews(&self, venue: i64) -> impl Iterator<Item = &Review> {
        let all = self.seed.reviews.iter();
        all.filter(move |review| review.venue_id == venue)
    }

    /// The filial with everything around it; nothing when it is unknown.
    pub(crate) fn place(&self, filial: i64) -> Option<Place<'_>> {
        let (index, service) = *self.filials.get(&filial)?;
        self.place_of(self.seed.venues.get(index)?, service)
    }

    /// The venue as this service sees it.
    pub(crate) fn place_of<'a>(&'a self, venue: &'a Venue, service: Service) -> Option<Place<'a>> {
        let town = self.town(venue.town_id)?;
        Some(Place {
            venue,
            service,
            filial: service.filial(venue)?,
            town,
            country: self.country(town.country_id)?,
            brand: self.brand(venue.brand_id)?,
            menu: self.seed.menus.get(*self.menus.get(&venue.menu_id)?)?,
        })
    }

    /// Each venue with its folded texts and whether it has a promo.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (&Venue, &str, bool)> {
        let extras = self.texts.iter().zip(&self.promos);
        self.seed
            .venues
            .iter()
            .zip(extras)
            .map(|(venue, (text, promo))| (venue, text.as_str(), *promo))
    }

    pub(crate) fn has_promo(&self, venue: &Venue) -> bool {
        self.products_of(venue)
            .any(|product| product.old_price.is_some_and(|old| old > product.price))
    }

    /// The most that a dish of the venue is cheaper by, whole percent.
    pub(crate) fn promo_percent(&self, venue: &Venue) -> Option<i64> {
        self.products_of(venue)
            .filter_map(|product| Some((product.price, product.old_price?)))
            .filter(|(price, old)| old > price)
            .map(|(price, old)| (old - price) * 100 / old)
            .max()
            .filter(|percent| *percent > 0)
    }

    fn products_of<'a>(&'a self, venue: &Venue) -> impl Iterator<Item = &'a Product> {
        let menu = self
            .menus
            .get(&venue.menu_id)
            .and_then(|index| self.seed.menus.get(*index));
        menu.into_iter().flat_map(Menu::products)
    }

    /// The folded names and address of a venue, without its dishes.
    pub(crate) fn folded_names(&self, venue: &Venue) -> String {
        let brand = self.brand(venue.brand_id);
        let names = venue
            .name
            .all()
            .chain(venue.address.all())
            .chain([venue.prefix_en.as_str()]);
        let names = names.chain(brand.into_iter().flat_map(|brand| brand.name.all()));
        fold(&names.collect::<Vec<_>>().join("\n"))
    }

    fn folded(&self, venue: &Venue) -> String {
        let dishes = self
            .products_of(venue)
            .flat_map(|product| product.name.all());
        let dishes = fold(&dishes.collect::<Vec<_>>().join("\n"));
        format!("{}\n{dishes}", self.folded_names(venue))
    }
}

impl Menu {
    /// Every product that the menu shows.
    pub(crate) fn products(&self) -> impl Iterator<Item = &Product> {
        self.categories
            .iter()
            .filter(|category| !category.hidden)
            .flat_map(|category| &category.products)
    }

    /// A product that can be asked for.
    pub(crate) fn product(&self, id: i64) -> Option<&Product> {
        self.products().find(|product| product.id == id)
    }
}

impl Place<'_> {
    /// The service fee: only for orders to the table.
    pub(crate) fn service_percentage(&self) -> i64 {
        if self.service == Service::Express {
            self.venue.service_percentage
        } else {
            0
        }
    }

    pub(crate) fn takes_cash(&self) -> bool {
        self.venue.cash && !self.venue.payment_button_disabled
    }

    pub(crate) fn takes_online(&self) -> bool {
        self.venue.online && !self.venue.payment_button_disabled
    }
}

impl Voice {
    /// The asked language if the country has it, else its fallback; its default when none is asked.
    pub(crate) fn choose(asked: Option<Lang>, country: &Country) -> Voice {
        let lang = match asked {
            Some(lang) if country.languages.contains(&lang) => lang,
            Some(_) => country.fallback,
            None => country.default,
        };
        Voice {
            lang,
            fallback: country.fallback,
        }
    }
}

fn index_of(ids: impl Iterator<Item = i64>) -> HashMap<i64, usize> {
    ids.enumerate().map(|(index, id)| (id, index)).collect()
}
