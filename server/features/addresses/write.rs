//! The two forms that make an address: its place, chosen on the map, and all that a courier has to know. What was written
//! goes along in the session, so that nothing typed is lost on the way between the two, nor when saving fails.

use url::form_urlencoded::Serializer;

use super::{
    AddressSpot, ZoneState,
    form::address_of,
    lookup::{LONGEST_QUERY, suggestions},
    map::{draft_of, place_of},
    words::without_word,
    zone,
};
use crate::{
    error::Error,
    features::{
        address_book::{LOCAL, keep, mark},
        analytics,
    },
    upstream::{self, Address, AddressId, Class, Coordinates, SavedAddress},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome, Text},
            plain::plain,
        },
        redirect::safe_path,
        session::{AddressDraft, StoredAddress},
        visit::Visit,
    },
};

/// Fields of the form, the longest text that each takes, and whether it must not be empty.
const FIELDS: [(&str, usize, bool); 6] = [
    ("street", 200, true),
    ("building", 30, false),
    ("entrance", 20, false),
    ("floor", 10, false),
    ("apartment", 20, false),
    ("comment", 300, false),
];
/// What the numbers in a field may be: a courier finds no door behind any other. No house that people live in has 200 floors,
/// and cellars go five down; longer rows of entrances, and more doors in one house, are not known either. Letters are
/// free, as in `2А` and `305-306`, but a floor is a number alone.
const RANGES: [(&str, i32, i32); 3] = [
    ("entrance", 1, 99),
    ("floor", -5, 200),
    ("apartment", 1, 9999),
];
/// What the guest calls an address.
const LONGEST_NAME: usize = 40;
/// What the map calls a place.
const LONGEST_PLACE: usize = 300;
/// The chips that go with the comment.
const MOST_NOTES: usize = 6;
/// A comment with its chips: the upstream takes no more.
const LONGEST_COMMENT: usize = 500;

/// Takes a place from the map: on to the form. A place that is not served stays on the map, which says so, unless the
/// guest wants it all the same.
///
/// # Errors
/// When the store does not answer, or the address is not the guest's.
pub async fn place(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let entered = entered(&visit, &form).await?;
    if entered.is_none()
        && let Some(found) = lookup(&form)?
    {
        return Ok(found);
    }
    let at = match &entered {
        Some(spot) => Coordinates::new(spot.at.lat, spot.at.lon),
        None => place_of(form.get("lat"), form.get("long")),
    };
    let Some(at) = at else {
        let error = FieldError::new("place", ErrorCode::Required);
        return Ok(Outcome::refused(&form, form.back(), vec![error]));
    };
    let id = meant(&form)?;
    let before = draft_of(&visit, id).await?;
    let is_named = before.as_ref().is_some_and(|draft| draft.is_named);
    let mut address = before.map(|draft| draft.address).unwrap_or_default();
    address.at = Some((at.latitude(), at.longitude()));
    // A suggestion names its place itself; a pin is named by the upstream.
    let suggested = entered.or_else(|| named(&form, at));
    let (spot, state) = if suggested.is_some() {
        (suggested, zone::zone(&visit, at).await)
    } else {
        let found = zone::look(&visit, at, None).await;
        (found.spot, found.zone)
    };
    // A place without a name keeps what was typed of another one: the guest sees it in the form.
    if let Some(spot) = spot {
        (address.address, address.city) = (spot.text, spot.city);
        (address.street, address.building) = (spot.street, spot.building);
    }
    let draft = AddressDraft {
        id,
        address,
        is_named,
    };
    visit.sess.set_address_draft(Some(&draft)).await?;
    let next = next(&form);
    visit.sess.set_redirect_url(&next).await?;
    if state == ZoneState::Outside && form.get("anyway").is_none() {
        return Ok(Outcome::back(form.back()));
    }
    Ok(Outcome::go(address_of("/address-form", id, &next)))
}

/// The address of a suggestion, as its form says it.
fn named(form: &Form, at: Coordinates) -> Option<AddressSpot> {
    let part = |field: &str| cut(form.get(field).unwrap_or_default(), LONGEST_PLACE);
    form.get("text").map(|text| AddressSpot {
        text: cut(text, LONGEST_PLACE),
        city: part("city"),
        street: part("street"),
        building: part("building"),
        at: at.into(),
    })
}

/// The first suggestion, for Enter in the field of a page that has shown the suggestions to just this text: nothing is taken
/// that was not seen, nor what means only a part of the text.
///
/// # Errors
/// As [`draft_of`], and when the form names no address.
async fn entered(visit: &Visit, form: &Form) -> Result<Option<AddressSpot>, Error> {
    let query = cut(form.get("q").unwrap_or_default(), LONGEST_QUERY);
    if form.get("enter").is_none() || form.get("offered") != Some(query.as_str()) {
        return Ok(None);
    }
    let draft = draft_of(visit, meant(form)?).await?;
    let city = draft.map(|draft| draft.address.city).unwrap_or_default();
    let found = suggestions(visit, query, &city).await;
    let whole = found.items.filter(|_| !found.partial);
    Ok(whole.unwrap_or_default().into_iter().next())
}

/// The page with what a typed text may mean, as the guest has asked for it, or has typed another address than the one
/// under the pin. None when the pin is meant.
///
/// # Errors
/// When the form names no address.
fn lookup(form: &Form) -> Result<Option<Outcome>, Error> {
    let typed = form.get("q");
    let is_search = form.get("find").is_some() || form.get("enter").is_some();
    if !is_search && (typed.is_none() || typed == form.get("settled")) {
        return Ok(None);
    }
    let mut to = address_of("/address-map", meant(form)?, &next(form));
    if let Some(typed) = typed {
        let query = cut(typed, LONGEST_QUERY);
        let mut pairs = Serializer::new(String::new());
        pairs.append_pair("q", &query);
        to = format!("{to}&{}", pairs.finish());
    }
    if is_search {
        return Ok(Some(Outcome::go(to)));
    }
    let error = FieldError::new("q", ErrorCode::ChooseAddress);
    Ok(Some(Outcome::refused(form, to, vec![error])))
}

/// Saves an address: upstream for a signed-in guest, else in this session (DG-01, DG-03). It is the active one from then
/// on, and needs no other confirmation. With `to=map` it only goes along to the map.
///
/// # Errors
/// When the store does not answer, or the guest has to sign in again.
pub async fn save(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let id = meant(&form)?;
    let (stored, errors) = read(&form);
    let draft = AddressDraft {
        id,
        address: stored,
        is_named: true,
    };
    // What is typed moves no pin: until it is saved the place is called as it was.
    let mut shown = draft.clone();
    if let Some(place) = form.get("place") {
        shown.address.address = cut(place, LONGEST_PLACE);
    }
    visit.sess.set_address_draft(Some(&shown)).await?;
    let next = next(&form);
    visit.sess.set_redirect_url(&next).await?;
    if form.get("to") == Some("map") {
        return Ok(Outcome::go(address_of("/address-map", id, &next)));
    }
    let refused = |errors| Ok(Outcome::refused(&form, form.back(), errors));
    if !errors.is_empty() {
        return refused(errors);
    }
    let Some(address) = draft.address.clone().placed() else {
        return refused(vec![FieldError::new("place", ErrorCode::Required)]);
    };
    let mut written = address;
    if visit.signed_in.is_some() {
        match upload(&visit, id, &written).await {
            Ok(saved) => {
                visit.sess.set_active_address(Some(saved.id)).await?;
                if id == Some(LOCAL) {
                    visit.sess.set_local_address(None).await?;
                }
                written = saved.address;
            }
            Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
            Err(error) => {
                tracing::warn!(class = error.class(), "An address could not be saved");
                let changes = id.is_some_and(|id| id != LOCAL);
                let code = if changes {
                    ErrorCode::AddressUpdate
                } else {
                    ErrorCode::AddressAdd
                };
                let mut errors = vec![FieldError::new("form", code)];
                if let upstream::Error::Rejected(rejection) = &error {
                    errors.push(FieldError::rejected(rejection));
                }
                return refused(errors);
            }
        }
    } else {
        visit.sess.set_local_address(Some(&draft.address)).await?;
    }
    let mark = mark(&written);
    visit.sess.set_confirmed_address(Some(&mark)).await?;
    visit.sess.set_address_draft(None).await?;
    visit.sess.set_deleted_address(None).await?;
    analytics::address();
    let back = visit.sess.redirect_url().await;
    Ok(Outcome::go(back.unwrap_or(next)))
}

async fn upload(
    visit: &Visit,
    id: Option<i64>,
    address: &Address,
) -> Result<SavedAddress, upstream::Error> {
    // It changes something: a longer timeout than for a part of a page.
    let caller = visit.personal_caller().await.with_class(Class::Critical);
    let saved = id.filter(|id| *id != LOCAL);
    match saved.and_then(|id| u64::try_from(id).ok()) {
        Some(id) => {
            let upstream = &visit.app.upstream;
            let changed = upstream.change_address(&caller, AddressId(id), address);
            changed.await
        }
        None => keep(visit, &caller, address).await,
    }
}

/// What the form says, and what is wrong with it.
fn read(form: &Form) -> (StoredAddress, Vec<FieldError>) {
    let mut errors = Vec::new();
    let is_private_house = form.get("private").is_some();
    let [street, building, entrance, floor, apartment, comment] =
        FIELDS.map(|(field, longest, needed)| {
            let value = without_word(field, plain(form.get(field).unwrap_or_default()));
            let range = RANGES.iter().find(|(name, ..)| *name == field);
            // A house of its own has none of them: they are neither shown nor saved.
            if range.is_none() || !is_private_house {
                let outside = range.and_then(|range| out_of_range(range, &value));
                errors.extend(outside.or_else(|| wrong(field, &value, longest, needed)));
            }
            value
        });
    // A chip says what the address is called, unless the guest has typed another word under one that they did not press
    // themselves: in a browser that hides no field by a choice it is in sight.
    let (label, typed) = (form.get("label"), form.get("name"));
    let is_pressed = label.is_some() && label != form.get("suggested");
    let name = if is_pressed { label } else { typed.or(label) };
    let name = name.unwrap_or_default();
    let name = plain(name);
    errors.extend(wrong("name", &name, LONGEST_NAME, false));
    let at = place_of(form.get("lat"), form.get("long"));
    if at.is_none() {
        errors.push(FieldError::new("place", ErrorCode::Required));
    }
    if building.is_empty() && !is_private_house {
        errors.push(FieldError::new("building", ErrorCode::Required));
    }
    let flat = |text: String| {
        if is_private_house {
            String::new()
        } else {
            text
        }
    };
    let city = cut(form.get("city").unwrap_or_default(), LONGEST_PLACE);
    let whole: Vec<&str> = [city.as_str(), street.as_str(), building.as_str()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    let stored = StoredAddress {
        name,
        address: whole.join(", "),
        entrance: flat(entrance),
        floor: flat(floor),
        apartment: flat(apartment),
        is_private_house,
        comment: with_notes(form, &comment),
        at: at.map(|at| (at.latitude(), at.longitude())),
        street,
        building,
        city,
    };
    (stored, errors)
}

/// The typed comment with the chips that were ticked, each once.
fn with_notes(form: &Form, comment: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let notes = form.with_prefix("note").map(|(_, note)| note);
    for part in std::iter::once(comment).chain(notes.take(MOST_NOTES)) {
        if !part.is_empty() && !parts.contains(&part) {
            parts.push(part);
        }
    }
    cut(&parts.join("; "), LONGEST_COMMENT)
}

fn wrong(field: &str, value: &str, longest: usize, needed: bool) -> Option<FieldError> {
    if value.is_empty() {
        return needed.then(|| FieldError::new(field, ErrorCode::Required));
    }
    let is_long = value.chars().count() > longest;
    is_long.then(|| FieldError::too_long(field, longest))
}

/// Whether a number in what was typed lies outside of what there is, or a floor is none.
fn out_of_range(&(field, least, most): &(&str, i32, i32), value: &str) -> Option<FieldError> {
    let range = least..=most;
    let fits = |number: Option<i32>| number.is_some_and(|one| range.contains(&one));
    let is_right = if field == "floor" && !value.is_empty() {
        fits(value.replace('−', "-").parse().ok())
    } else {
        // What follows may be the code of the intercom.
        first_number(value).is_none_or(fits)
    };
    (!is_right).then(|| {
        FieldError::new(field, ErrorCode::Range)
            .with("least", Text::Number(least))
            .with("most", Text::Number(most))
    })
}

/// The first number in a text, if there is one: none where it is too long. A hyphen belongs to a number that nothing stands
/// right before.
fn first_number(text: &str) -> Option<Option<i32>> {
    let is_digit = |sign: char| sign.is_ascii_digit();
    let word = text
        .split_whitespace()
        .find(|word| word.contains(is_digit))?;
    let is_negative = word.starts_with(['-', '−']);
    let digits = word.split(|sign: char| !is_digit(sign));
    let number: Option<i32> = digits
        .into_iter()
        .find(|digits| !digits.is_empty())?
        .parse()
        .ok();
    Some(number.map(|number| if is_negative { -number } else { number }))
}

/// The address that a form is about; none for a new one.
///
/// # Errors
/// [`Error::NotFound`] for what is no id: a change of an address never becomes a second one.
fn meant(form: &Form) -> Result<Option<i64>, Error> {
    let Some(id) = form.get("id") else {
        return Ok(None);
    };
    let id = id.parse().ok().filter(|id| *id == LOCAL || *id > 0);
    id.map(Some).ok_or(Error::NotFound("page"))
}

/// Where the way over map and form ends.
fn next(form: &Form) -> String {
    safe_path(form.get("next").unwrap_or("/"))
}

fn cut(text: &str, longest: usize) -> String {
    plain(text).chars().take(longest).collect()
}
