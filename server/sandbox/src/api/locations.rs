//! Lists of locations and the card of one.

use axum::extract::{Path, State};
use axum::routing::get;
use finding::{Fit, Query, plain};

use super::filters::Filters;
use super::location::{card, distance, location};
use crate::answer::{Answer, data, page};
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Service, Texts};
use crate::geo::Bounds;
use crate::index::Joined;
use crate::model::Venue;
use crate::openapi::schema::{self, integer, one_of_texts, reference, text};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

const CATEGORIES: [&str; 4] = ["bakery", "semi_finished", "ready_meals", "grocery"];

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        list("/takeaway/v2/locations", "locations", "Venues"),
        get(all),
    )
    .add(
        list(
            "/takeaway/v2/locations/{category}",
            "locationsOfCategory",
            "Venues of one kind",
        ),
        get(category),
    )
    .add(
        list(
            "/brandy/api/v1/locations/near",
            "locationsNear",
            "Venues near the guest",
        ),
        get(all),
    )
    .add(
        Operation::get(
            "/takeaway/locations/card/terminal/{id}",
            "card",
            "One venue with its settings",
        )
        .query("include", text())
        .query("brand_id", integer())
        .answers(200, schema::data(reference("Card")))
        .refuses(&[400, 404]),
        get(card_with_extra),
    )
    .add(
        Operation::get(
            "/locations/v2/locations/card/terminal/{id}",
            "cardV2",
            "One venue with its settings",
        )
        .answers(200, schema::data(reference("Card")))
        .refuses(&[400, 404]),
        get(whole_card),
    )
}

fn list(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
    Filters::of_venues(Operation::get(path, id, summary))
        .query(
            "filter[service]",
            one_of_texts(&["express", "takeaway", "delivery"]),
        )
        .query("filter[only-promo]", text())
        .query("page", integer())
        .query("limit", integer())
        .query("sort", one_of_texts(&["distance", "rating"]))
        .query("user_id", text())
        .query("include", text())
        .query("town_id", integer())
        .query("search", text())
        .query("bbox", text())
        .query("category_id", integer())
        .query("brand_id", integer())
        .query("search_in", one_of_texts(&["names"]))
        .numbers("ids")
        .answers(200, schema::paged(reference("Location")))
        .refuses(&[400, 404])
}

/// What a list was asked for.
struct Wanted {
    service: Option<Service>,
    only_promo: bool,
    town: Option<i64>,
    brand: Option<i64>,
    /// Without one all venues are listed.
    search: Option<Query>,
    /// The text is looked for in the names and the address alone, not in the dishes.
    in_names: bool,
    filters: Filters,
    bounds: Option<Bounds>,
    /// Filial ids; not empty: only these, in this order.
    ids: Vec<i64>,
    by_rating: bool,
    sorted: bool,
}

/// A venue with its position in the list and whether it has a promo.
type Listed<'a> = (usize, &'a Venue, bool);

/// One venue that was found, with the filial of the asked service.
struct Found<'a> {
    place: Place<'a>,
    promo: bool,
    distance: f64,
}

async fn all(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    answer(&app, &params, &caller, |_| true)
}

async fn category(
    State(app): State<App>,
    Path(category): Path<String>,
    params: Params,
    caller: Caller,
) -> Answer {
    if !CATEGORIES.contains(&category.as_str()) {
        return Err(Refusal::not_found(
            "category_not_found",
            "Category is not found",
        ));
    }
    answer(&app, &params, &caller, |venue| {
        venue.categories.contains(&category)
    })
}

fn answer(app: &App, params: &Params, caller: &Caller, fits: impl Fn(&Venue) -> bool) -> Answer {
    let wanted = Wanted::read(params)?;
    let listed = app.catalogue.listed().enumerate();
    let listed = listed
        .map(|(position, (venue, promo))| (position, venue, promo))
        .filter(|(_, venue, promo)| fits(venue) && wanted.takes(venue, *promo))
        .collect();
    let mut found: Vec<Found<'_>> = wanted
        .called(app, listed)
        .into_iter()
        .filter_map(|(_, venue, promo)| {
            let place = wanted.place(app, venue)?;
            wanted.filters.take_place(app, &place).then_some(())?;
            Some(Found {
                place,
                promo,
                distance: distance(caller, &place),
            })
        })
        .collect();
    wanted.sort(&mut found);
    page(params, &found, |found| {
        location(app, caller, &found.place, found.promo)
    })
}

async fn card_with_extra(
    State(app): State<App>,
    Path(id): Path<String>,
    params: Params,
    caller: Caller,
) -> Answer {
    let place = app.place_at(&id)?;
    let other_brand = params
        .int("brand_id")?
        .is_some_and(|brand| brand != place.venue.brand_id);
    if other_brand {
        return Err(Refusal::terminal_not_found());
    }
    let extra = params
        .get("include")
        .is_some_and(|include| include.split(',').any(|part| part == "extra"));
    data(card(&app, &caller, &place, extra))
}

async fn whole_card(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    data(card(&app, &caller, &app.place_at(&id)?, true))
}

impl Wanted {
    fn read(params: &Params) -> Result<Wanted, Refusal> {
        let service = match params.get("filter[service]") {
            Some(text) => Some(
                Service::parse(text).ok_or_else(|| Refusal::bad("filter[service] is unknown"))?,
            ),
            None => match params.int("category_id")? {
                Some(128) => Some(Service::Express),
                Some(8) => Some(Service::Delivery),
                Some(4) => Some(Service::Takeaway),
                _ => None,
            },
        };
        let bounds = params.get("bbox").map(|text| {
            Bounds::parse(text).ok_or_else(|| Refusal::bad("bbox must be west,south,east,north"))
        });
        let by_rating = match params.get("sort") {
            None | Some("distance") => false,
            Some("rating") => true,
            Some(_) => return Err(Refusal::bad("sort must be distance or rating")),
        };
        Ok(Wanted {
            service,
            only_promo: params.flag("filter[only-promo]"),
            town: params.int("town_id")?,
            brand: params.int("brand_id")?,
            search: Some(plain(params.get("search").unwrap_or("")))
                .filter(|text| !text.trim().is_empty())
                .map(|text| Query::of(&text, "")),
            in_names: match params.get("search_in") {
                None => false,
                Some("names") => true,
                Some(_) => return Err(Refusal::bad("search_in must be names")),
            },
            filters: Filters::read(params)?,
            bounds: bounds.transpose()?,
            ids: params.ints("ids")?,
            by_rating,
            sorted: params.get("sort").is_some(),
        })
    }

    fn takes(&self, venue: &Venue, promo: bool) -> bool {
        (!self.only_promo || promo)
            && self.town.is_none_or(|town| town == venue.town_id)
            && self.brand.is_none_or(|brand| brand == venue.brand_id)
            && self
                .bounds
                .is_none_or(|bounds| bounds.contain((venue.latitude, venue.longitude)))
            && (self.ids.is_empty() || self.rank(venue).is_some())
    }

    /// Those that the search text finds. What a venue cooks counts among the names where none is called so.
    fn called<'a>(&self, app: &App, listed: Vec<Listed<'a>>) -> Vec<Listed<'a>> {
        let Some(query) = &self.search else {
            return listed;
        };
        let texts = app.catalogue.texts();
        let by = |joined: fn(&Texts) -> &Joined| -> Vec<Listed<'a>> {
            let fits = listed.iter().map(|(position, ..)| {
                let texts = texts.get(*position)?;
                joined(texts).fit(query)
            });
            let fits: Vec<Option<Fit>> = fits.collect();
            let best = fits.iter().flatten().min().copied();
            let wanted = |fit: Option<Fit>| query.wants(fit?, best?).then_some(());
            let found = listed.iter().zip(fits);
            found
                .filter_map(|(one, fit)| wanted(fit).map(|()| *one))
                .collect()
        };
        if !self.in_names {
            return by(|texts| &texts.all);
        }
        let named = by(|texts| &texts.names);
        if named.is_empty() {
            by(|texts| &texts.kitchens)
        } else {
            named
        }
    }

    /// The venue as the asked service sees it, else as its first service does.
    fn place<'a>(&self, app: &'a App, venue: &'a Venue) -> Option<Place<'a>> {
        match self.service {
            Some(service) => app.catalogue.place_of(venue, service),
            None => Service::ALL
                .iter()
                .find_map(|service| app.catalogue.place_of(venue, *service)),
        }
    }

    /// The position of the venue among the asked filials.
    fn rank(&self, venue: &Venue) -> Option<usize> {
        let mine = |id: &i64| {
            Service::ALL
                .iter()
                .any(|service| service.filial(venue) == Some(*id))
        };
        self.ids.iter().position(mine)
    }

    fn sort(&self, found: &mut [Found<'_>]) {
        if !self.ids.is_empty() && !self.sorted {
            found.sort_by_key(|found| self.rank(found.place.venue));
        } else if self.by_rating {
            found.sort_by(|a, b| {
                let by_rating = b.place.venue.rating.total_cmp(&a.place.venue.rating);
                by_rating.then(a.distance.total_cmp(&b.distance))
            });
        } else {
            found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        }
    }
}
