//! A partner's app to try the product in: a page that has it in a frame of a phone's size, and answers its bridge as
//! somebody chooses. It lives by a strict policy, as a partner's page should: scripts and styles are files.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use super::links;
use crate::app::App;
use crate::catalogue::Voice;
use crate::markup;
use crate::openapi::{Api, Operation};
use crate::refusal::Refusal;

const PAGE: &str = "/_sandbox/host";
const SCRIPT: &str = include_str!("../../templates/host.js");
const STYLE: &str = include_str!("../../templates/host.css");
/// Fridges and goods to choose from; more of them would be a list to get lost in.
const CHOICES: usize = 8;
/// The names of this machine.
const OWN: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

#[derive(Template)]
#[template(path = "host.html")]
struct HostTemplate<'a> {
    /// The origin of the product in the frame.
    web: &'a str,
    tables: Vec<Choice>,
    fridges: Vec<Choice>,
    goods: Vec<Choice>,
}

struct Choice {
    value: String,
    name: String,
}

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get(PAGE, "host", "A host app for people to try")
            .answers_as(200, "text/html")
            .answers_bare(303),
        get(show),
    )
    .add(
        Operation::get("/_sandbox/host.js", "hostScript", "Its script")
            .answers_as(200, "text/javascript"),
        get(|| async { file("text/javascript", SCRIPT) }),
    )
    .add(
        Operation::get("/_sandbox/host.css", "hostStyle", "Its style sheet")
            .answers_as(200, "text/css"),
        get(|| async { file("text/css", STYLE) }),
    )
}

fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, text)
}

/// Page and frame have the same name of the machine, so that the frame is of the same site and keeps its cookies also
/// on plain http.
async fn show(State(app): State<App>, headers: HeaderMap) -> Result<Response, Refusal> {
    let web = framed(&app);
    if let Some(there) = elsewhere(web, &headers) {
        return Ok(Redirect::to(&there).into_response());
    }
    let page = markup::page(&HostTemplate {
        web,
        tables: tables(&app),
        fridges: fridges(&app),
        goods: goods(&app),
    })?;
    let policy = policy(web).and_then(|policy| HeaderValue::from_str(&policy).ok());
    let policy = policy.unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let permissions = HeaderName::from_static("permissions-policy");
    let delegated = format!(
        "camera=(self \"{web}\"), geolocation=(self \"{web}\"), clipboard-write=(self \"{web}\"), microphone=()"
    );
    let mut response = page.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if let Ok(delegated) = HeaderValue::from_str(&delegated) {
        headers.insert(permissions, delegated);
    }
    Ok(response)
}

/// By the name `localhost`, where the product has it: cookies there are others than in a tab of 127.0.0.1, which stays
/// a plain browser.
fn framed(app: &App) -> &str {
    let is_localhost = |origin: &&str| host_of(origin) == Some("localhost");
    app.web_origins()
        .find(is_localhost)
        .unwrap_or(app.web_url.as_str())
}

/// Where this page is to be opened, if another name of this machine was typed.
fn elsewhere(web: &str, headers: &HeaderMap) -> Option<String> {
    let asked = headers.get(header::HOST)?.to_str().ok()?;
    let (name, port) = match asked.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, port),
        _ => (asked, "80"),
    };
    let wanted = host_of(web).filter(|wanted| OWN.contains(wanted) && OWN.contains(&name))?;
    (wanted != name).then(|| format!("http://{wanted}:{port}{PAGE}"))
}

/// The name in an origin, without its port.
fn host_of(origin: &str) -> Option<&str> {
    let (_, host) = origin.split_once("://")?;
    let end = host.find(']').map_or(0, |end| end + 1);
    let port = host.get(end..)?.find(':').map(|at| end + at);
    host.get(..port.unwrap_or(host.len()))
}

/// Nothing inline, and no frame but the product and the bank, which is a page of the sandbox.
fn policy(web: &str) -> Option<String> {
    let is_origin = web
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-.:/[]".contains(&byte));
    is_origin.then(|| {
        format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
             frame-src 'self' {web}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
    })
}

/// The paths that the codes on tables lead to.
fn tables(app: &App) -> Vec<Choice> {
    let open = links::first_of_each(app)
        .into_iter()
        .filter(|link| !link.closed);
    let choice = |link: links::Link| Choice {
        name: format!("{}, table {}", link.venue, link.number),
        value: link.url.replacen(&app.web_url, "", 1),
    };
    open.map(choice).collect()
}

fn fridges(app: &App) -> Vec<Choice> {
    let choice = |place: crate::catalogue::Place<'_>| {
        let voice = Voice::choose(None, place.country);
        Choice {
            name: place.venue.name.get(voice.lang, voice.fallback).to_owned(),
            value: format!("/filials/{}", place.filial),
        }
    };
    links::fridges(app).map(choice).take(CHOICES).collect()
}

/// The goods of the first fridge.
fn goods(app: &App) -> Vec<Choice> {
    let Some(place) = links::fridges(app).next() else {
        return Vec::new();
    };
    let voice = Voice::choose(None, place.country);
    let coded = place
        .menu
        .products()
        .filter_map(|product| Some((product, product.barcode.clone()?)));
    coded
        .take(CHOICES)
        .map(|(product, value)| Choice {
            name: product.name.get(voice.lang, voice.fallback).to_owned(),
            value,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_and_frame_have_the_same_name_of_the_machine() {
        let asked = |host: &str, web: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            elsewhere(web, &headers)
        };
        let web = "http://localhost:8080";
        assert_eq!(
            asked("127.0.0.1:8081", web).as_deref(),
            Some("http://localhost:8081/_sandbox/host")
        );
        assert_eq!(asked("localhost:8081", web), None);
        assert_eq!(
            asked("[::1]:8081", "http://127.0.0.1:8080").as_deref(),
            Some("http://127.0.0.1:8081/_sandbox/host")
        );
        // Machines elsewhere are named by those who run them.
        assert_eq!(asked("sandbox.example.kz", web), None);
        assert_eq!(asked("localhost:8081", "https://food.example.kz"), None);
    }

    #[test]
    fn the_policy_has_nothing_loose() {
        let policy = super::policy("http://localhost:8080").unwrap();
        assert!(policy.contains("frame-src 'self' http://localhost:8080;"));
        assert!(!policy.contains("unsafe") && !policy.contains('*'));
        assert_eq!(super::policy("http://x; script-src *"), None);
    }
}
