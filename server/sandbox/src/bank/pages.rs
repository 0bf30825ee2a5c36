//! The pages of the bank, and the status of an attempt.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use qrcode::QrCode;
use qrcode::render::svg;
use serde_json::Value;

use super::finish;
use crate::answer::{Answer, data};
use crate::app::App;
use crate::caller::Caller;
use crate::markup;
use crate::money::major;
use crate::openapi::schema::{self, nullable, number, object, one_of_texts, reference, text};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::payments::{OUTCOMES, Payment, STATUSES, find};
use crate::refusal::Refusal;

/// The parameter of the page that the phone's bank sees.
const PHONE: &str = "phone";

pub(crate) fn routes(api: Api) -> Api {
    let form = || object(&[("outcome", one_of_texts(&OUTCOMES)), ("phone?", text())]);
    api.add(
        Operation::get(
            "/pay/card/{payment}",
            "cardPage",
            "The card page of the bank",
        )
        .answers_as(200, "text/html")
        .refuses(&[404]),
        get(card).post(submit),
    )
    .describe(
        Operation::post(
            "/pay/card/{payment}",
            "cardStep",
            "Ends the attempt; leads back to the web application",
        )
        .form(form())
        .answers_bare(303)
        .refuses(&[400, 404]),
    )
    .add(
        Operation::get(
            "/pay/qr/{payment}",
            "qrPage",
            "The page of the QR payment; it waits for the phone",
        )
        .query(PHONE, text())
        .answers_as(200, "text/html")
        .answers_bare(303)
        .refuses(&[404]),
        get(qr).post(submit),
    )
    .describe(
        Operation::post(
            "/pay/qr/{payment}",
            "qrStep",
            "What the other phone does with the QR",
        )
        .form(form())
        .answers_bare(303)
        .refuses(&[400, 404]),
    )
    .add(
        Operation::get(
            "/pay/receipt/{payment}",
            "receiptPage",
            "The fiscal receipt of what was paid",
        )
        .answers_as(200, "text/html")
        .refuses(&[404]),
        get(receipt),
    )
    .add(
        Operation::get(
            "/payments/v1/payment/{payment}",
            "payment",
            "The truth about an attempt",
        )
        .answers(200, schema::data(reference("Payment")))
        .refuses(&[404]),
        get(show),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let payment = object(&[
        ("id", text()),
        ("status", one_of_texts(&STATUSES)),
        ("sum", number()),
        ("currency", text()),
        ("method", one_of_texts(&["card", "qr"])),
        ("url", text()),
        ("subject", one_of_texts(&["order", "bill", "tips"])),
        ("subject_id", text()),
        ("expires_at", text()),
        ("deep_link", nullable(text())),
        ("receipt_url", nullable(text())),
    ]);
    vec![("Payment", payment)]
}

async fn show(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    data(payment(&app, id).await?.wire(&caller.base))
}

/// What was not paid has none.
async fn receipt(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let payment = payment(&app, id).await?;
    if !payment.has_receipt() {
        return Err(Refusal::not_found(
            "receipt_not_found",
            "There is no receipt",
        ));
    }
    let page = markup::page(&Receipt {
        sum: format!("{} {}", major(payment.sum), payment.currency),
        id: &payment.id,
        subject: format!("{} {}", payment.subject, payment.subject_id),
        method: &payment.method,
        is_refunded: payment.status == "refunded",
    })?;
    Ok(page.into_response())
}

async fn card(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let payment = payment(&app, id).await?;
    page(&payment, "Card payment", Step::Card)
}

/// The page looks again by itself, as the phone ends the attempt elsewhere. What the code
/// holds is the same address as the phone's bank sees it.
async fn qr(
    State(app): State<App>,
    Path(id): Path<String>,
    params: Params,
    caller: Caller,
) -> Result<Response, Refusal> {
    let payment = payment(&app, id).await?;
    if params.flag(PHONE) {
        return page(&payment, "Your bank", Step::Bank);
    }
    if payment.status != "pending" {
        return Ok(back(&payment));
    }
    let address = payment.deep_link(&caller.base);
    let drawing = drawn(&address)?;
    page(&payment, "QR payment", Step::Code { address, drawing })
}

async fn submit(
    State(app): State<App>,
    Path(id): Path<String>,
    body: String,
) -> Result<Response, Refusal> {
    let form = Params::parse(&body);
    let outcome = form.get("outcome").unwrap_or("").to_owned();
    if !OUTCOMES.contains(&outcome.as_str()) {
        return Err(Refusal::bad(format!(
            "outcome must be one of {}",
            OUTCOMES.join(", ")
        )));
    }
    let shared = app.clone();
    let payment = app
        .store
        .write(move |db| finish(db, &shared, &id, &outcome))
        .await?;
    if form.flag(PHONE) {
        // The guest goes on where the code was shown.
        let shown = format!("/pay/qr/{}?{PHONE}=1", payment.id);
        return Ok(Redirect::to(&shown).into_response());
    }
    Ok(back(&payment))
}

/// The QR code of an address, with the quiet zone that scanners need.
fn drawn(address: &str) -> Result<String, Refusal> {
    let code = QrCode::new(address).map_err(|_| Refusal::bad("The address is too long"))?;
    let drawing = code
        .render::<svg::Color<'_>>()
        .min_dimensions(240, 240)
        .quiet_zone(true)
        .build();
    // What stands before the element is for files, not for a page.
    let element = drawing.find("<svg").map_or("", |start| &drawing[start..]);
    Ok(element.to_owned())
}

async fn payment(app: &App, id: String) -> Result<Payment, Refusal> {
    app.expire().await?;
    let now = app.clock.now();
    app.store.read(move |db| find(db, &id, now)).await
}

/// Leads back; the address says which attempt it was and nothing of how it ended.
fn back(payment: &Payment) -> Response {
    Redirect::to(&back_to(payment)).into_response()
}

fn back_to(payment: &Payment) -> String {
    let succeeded = payment.status == "succeeded";
    let url = if succeeded {
        &payment.success_url
    } else {
        &payment.failure_url
    };
    let joint = if url.contains('?') { '&' } else { '?' };
    format!("{url}{joint}payment_id={}", payment.id)
}

/// The page of the bank.
#[derive(Template)]
#[template(path = "payment.html")]
struct BankPage<'a> {
    title: &'static str,
    /// It looks again by itself, as the phone ends the attempt elsewhere.
    refreshes: bool,
    sum: String,
    id: &'a str,
    status: &'a str,
    /// Where the guest came from.
    back: String,
    step: Step,
    outcomes: Vec<(&'static str, &'static str)>,
}

/// The fiscal receipt of a payment.
#[derive(Template)]
#[template(path = "receipt.html")]
struct Receipt<'a> {
    sum: String,
    id: &'a str,
    subject: String,
    method: &'a str,
    is_refunded: bool,
}

/// What the page asks for.
enum Step {
    Card,
    /// The bank's application on the phone that has read the code.
    Bank,
    Code {
        address: String,
        /// The element of the code.
        drawing: String,
    },
}

fn page(payment: &Payment, title: &'static str, step: Step) -> Result<Response, Refusal> {
    let names = [
        "Pay",
        "Decline it",
        "Leave without paying",
        "Let it time out",
    ];
    let page = markup::page(&BankPage {
        title,
        refreshes: matches!(step, Step::Code { .. }),
        sum: format!("{} {}", major(payment.sum), payment.currency),
        id: &payment.id,
        status: &payment.status,
        back: back_to(payment),
        step,
        outcomes: OUTCOMES.into_iter().zip(names).collect(),
    })?;
    Ok(page.into_response())
}
