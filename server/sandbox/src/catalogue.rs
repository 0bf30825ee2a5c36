//! The seed with its indexes: what every call looks up. Never changes; the
//! controls' changes lie over it in `overrides`.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::index::{Dishes, Joined};
use crate::model::{Brand, Category, Country, Lang, Menu, Product, Review, Seed, Town, Venue};

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
    /// The texts of each venue, by position, and those of the dishes: folded by the first search.
    texts: OnceLock<Vec<Texts>>,
    dishes: OnceLock<Dishes>,
    /// Whether each venue's menu has a promo.
    promos: Vec<bool>,
}

/// What a venue is found by.
pub(crate) struct Texts {
    /// Its names and its address.
    pub(crate) names: Joined,
    /// Its kinds of cooking.
    pub(crate) kitchens: Joined,
    /// Both, and its dishes.
    pub(crate) all: Joined,
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
            texts: OnceLock::new(),
            dishes: OnceLock::new(),
            promos: Vec::new(),
            seed,
        };
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

    /// Each venue with whether it has a promo.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (&Venue, bool)> {
        let promos = self.promos.iter().copied();
        self.seed.venues.iter().zip(promos)
    }

    /// What each venue is found by, in the order of the list.
    pub(crate) fn texts(&self) -> &[Texts] {
        self.texts.get_or_init(|| {
            let venues = self.seed.venues.iter();
            venues.map(|venue| self.texts_of(venue)).collect()
        })
    }

    /// What the dishes are found by.
    pub(crate) fn dishes(&self) -> &Dishes {
        self.dishes
            .get_or_init(|| Dishes::of(self.seed.menus.iter().flat_map(Menu::shown)))
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

    fn texts_of(&self, venue: &Venue) -> Texts {
        let brand = self.brand(venue.brand_id);
        let names = || {
            let own = venue.name.all().chain(venue.address.all());
            own.chain([venue.prefix_en.as_str()])
                .chain(brand.into_iter().flat_map(|brand| brand.name.all()))
        };
        let kitchens = || {
            let all = brand.into_iter().flat_map(|brand| &brand.kitchens);
            all.flat_map(|kitchen| kitchen.name.all())
        };
        let dishes = self
            .products_of(venue)
            .flat_map(|product| product.name.all());
        Texts {
            names: Joined::of(names()),
            kitchens: Joined::of(kitchens()),
            all: Joined::of(names().chain(kitchens()).chain(dishes)),
        }
    }
}

impl Menu {
    /// Every product that the menu shows.
    pub(crate) fn products(&self) -> impl Iterator<Item = &Product> {
        self.shown().map(|(_, product)| product)
    }

    /// Every product that the menu shows, with its category.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&Category, &Product)> {
        let shown = self.categories.iter().filter(|category| !category.hidden);
        shown.flat_map(|category| {
            let products = category.products.iter();
            products.map(move |product| (category, product))
        })
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

    /// Both, as those take them who know no countries.
    pub(crate) const fn languages(self) -> [Lang; 2] {
        [self.lang, self.fallback]
    }
}

fn index_of(ids: impl Iterator<Item = i64>) -> HashMap<i64, usize> {
    ids.enumerate().map(|(index, id)| (id, index)).collect()
}
