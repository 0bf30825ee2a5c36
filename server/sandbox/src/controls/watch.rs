//! Faults on purpose, and what there is to look at: requests, orders, tables.

use axum::Json as Wire;
use axum::extract::State;
use axum::routing::get;
use serde_json::{Value, json};

use super::{done, links};
use crate::answer::{Answer, ok};
use crate::app::App;
use crate::bills;
use crate::body::Json;
use crate::clock::iso;
use crate::faults::{Fault, PLAIN_KINDS};
use crate::money::major;
use crate::openapi::schema::{
    boolean, integer, list, nullable, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::orders::record;
use crate::params::Params;
use crate::payments;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::post(
            "/_sandbox/api/faults",
            "addFault",
            "Spoils answers on purpose",
        )
        .body(reference("Fault"))
        .answers(200, done())
        .refuses(&[400]),
        get(faults).post(add_fault).delete(clear_faults),
    )
    .describe(list_of(
        "/_sandbox/api/faults",
        "faults",
        "The faults in force",
    ))
    .describe(
        Operation::new(
            "delete",
            "/_sandbox/api/faults",
            "clearFaults",
            "No more faults",
        )
        .answers(200, done()),
    )
    .add(
        list_of("/_sandbox/api/tables", "tables", "Every table QR code"),
        get(tables),
    )
    .add(
        list_of(
            "/_sandbox/api/payments",
            "newestPayments",
            "The newest attempts to pay, with what came of them",
        ),
        get(attempts),
    )
    .add(
        list_of(
            "/_sandbox/api/bills",
            "newestBills",
            "The newest bills, with the parts that were paid or are being paid",
        ),
        get(newest_bills),
    )
    .add(
        list_of("/_sandbox/api/orders", "newestOrders", "The newest orders"),
        get(orders),
    )
    .add(
        log_of("/_sandbox/api/log", "log"),
        get(log).delete(clear_log),
    )
    .describe(
        Operation::new(
            "delete",
            "/_sandbox/api/log",
            "clearLog",
            "Forgets the requests",
        )
        .answers(200, done()),
    )
    .add(
        log_of("/_sandbox/log", "logAlias"),
        get(log).delete(clear_log),
    )
    .describe(
        Operation::new(
            "delete",
            "/_sandbox/log",
            "clearLogAlias",
            "Forgets the requests",
        )
        .answers(200, done()),
    )
}

/// The named schemas of the controls.
pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    // What is to stand where takes more than a form.
    let kinds = [&PLAIN_KINDS[..], &["replace"]].concat();
    vec![
        ("Done", object(&[("data", object(&[("ok", boolean())]))])),
        (
            "Fault",
            object(&[
                ("path", text()),
                ("method?", nullable(text())),
                ("kind", one_of_texts(&kinds)),
                ("status?", nullable(integer())),
                ("delay_ms?", nullable(integer())),
                ("times?", nullable(integer())),
                ("after_commit?", boolean()),
                ("values?", json!({"type": "object"})),
            ]),
        ),
    ]
}

fn list_of(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
    Operation::get(path, id, summary).answers(200, list(json!({"type": "object"})))
}

fn log_of(path: &'static str, id: &'static str) -> Operation {
    list_of(path, id, "The last requests, oldest first")
        .query("path", text())
        .query("method", text())
        .query("limit", integer())
}

async fn faults(State(app): State<App>) -> Wire<Value> {
    Wire(json!(app.faults.list()))
}

async fn add_fault(State(app): State<App>, Json(fault): Json<Fault>) -> Answer {
    if fault.path != "*" && !fault.path.starts_with('/') {
        return Err(Refusal::bad("path must be * or begin with /"));
    }
    if fault
        .status
        .is_some_and(|status| !(200..=599).contains(&status))
    {
        return Err(Refusal::bad("status must be from 200 to 599"));
    }
    if fault.times != Some(0) {
        app.faults.add(fault);
    }
    ok()
}

async fn clear_faults(State(app): State<App>) -> Answer {
    app.faults.clear();
    ok()
}

async fn tables(State(app): State<App>) -> Wire<Value> {
    Wire(json!(links::all(&app)))
}

async fn orders(State(app): State<App>) -> Result<Wire<Value>, Refusal> {
    app.expire().await?;
    let newest = app.store.read(|db| record::newest(db, 10_000)).await?;
    let wire = |record: &record::Record| {
        let steps = record.steps(&app);
        json!({
            "id": record.id,
            "number": record.number,
            "kind": record.kind,
            "comment": record.comment,
            "filial_id": record.filial,
            "table_number": record.table,
            "sum": major(record.sum),
            "payment_type": record.payment,
            "paid": record.payment == "online" && !record.held,
            "status": steps.last().map(|step| step.status.clone()),
            "created_at": iso(record.created_at),
        })
    };
    Ok(Wire(newest.iter().map(wire).collect()))
}

async fn attempts(State(app): State<App>) -> Result<Wire<Value>, Refusal> {
    app.expire().await?;
    let base = app.web_url.clone();
    let newest = app
        .store
        .read(|db| payments::newest_of_all(db, 10_000))
        .await?;
    Ok(Wire(
        newest.iter().map(|payment| payment.wire(&base)).collect(),
    ))
}

async fn newest_bills(State(app): State<App>) -> Result<Wire<Value>, Refusal> {
    app.expire().await?;
    let shared = app.clone();
    let newest = app
        .store
        .read(move |db| {
            let ids = bills::newest(db, 1000)?;
            ids.iter()
                .map(|id| Ok(bills::find(db, id)?.to_json(&shared)))
                .collect::<Result<Vec<Value>, Refusal>>()
        })
        .await?;
    Ok(Wire(newest.into()))
}

async fn log(State(app): State<App>, params: Params) -> Result<Wire<Value>, Refusal> {
    let limit = params.count("limit", 5000, 5000)?;
    let path = params.get("path").unwrap_or("");
    Ok(Wire(json!(app.journal.last(
        path,
        params.get("method"),
        limit
    ))))
}

async fn clear_log(State(app): State<App>) -> Answer {
    app.journal.clear();
    ok()
}
