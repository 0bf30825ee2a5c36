//! The controls as forms: the same changes, read from form fields.

use axum::extract::State;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::json::product_in;
use super::{business, fridge, reviews, state};
use crate::app::App;
use crate::body::Json;
use crate::clock::parse_iso;
use crate::faults::Fault;
use crate::money::hundredths;
use crate::overrides::Change;
use crate::params::Params;
use crate::refusal::Refusal;

/// The fields of a form.
pub(crate) struct Form(Params);

impl Form {
    pub(crate) fn parse(body: &str) -> Form {
        Form(Params::parse(body))
    }

    fn text(&self, name: &str) -> Result<&str, Refusal> {
        self.0
            .get(name)
            .ok_or_else(|| Refusal::bad(format!("{name} is required")))
    }

    /// The fields as a JSON object; empty ones are left out.
    fn fields(&self, numbers: &[&str], texts: &[&str]) -> Result<Value, Refusal> {
        let mut body = json!({});
        for name in numbers.iter().filter(|name| self.0.get(name).is_some()) {
            let number = self.number(name)?;
            let whole = number.fract() == 0.0 && number.abs() < 1e15;
            body[*name] = if whole {
                json!(number as i64)
            } else {
                json!(number)
            };
        }
        for name in texts {
            if let Some(text) = self.0.get(name) {
                body[*name] = Value::from(text);
            }
        }
        Ok(body)
    }

    fn body<T: DeserializeOwned>(
        &self,
        numbers: &[&str],
        texts: &[&str],
    ) -> Result<Json<T>, Refusal> {
        read(self.fields(numbers, texts)?)
    }

    fn number(&self, name: &str) -> Result<f64, Refusal> {
        let text = self.text(name)?.replace(',', ".");
        text.parse()
            .map_err(|_| Refusal::bad(format!("{name} must be a number")))
    }
}

/// Does what the form asks and says so.
pub(crate) async fn apply(app: &App, control: &str, form: &Form) -> Result<String, Refusal> {
    match control {
        "speed" => {
            state::set_speed(app, form.number("factor")?).await?;
            Ok("The speed is set".to_owned())
        }
        "clock" => {
            let now = form.0.get("now").map(|text| {
                parse_iso(text).ok_or_else(|| {
                    Refusal::bad("The time must look like 2026-11-21T12:00:00+05:00")
                })
            });
            state::set_now(app, now.transpose()?, form.0.flag("frozen")).await?;
            Ok("The clock is set".to_owned())
        }
        "price" | "stock" => product(app, control, form).await,
        "opening" | "check-pulling" => venue(app, control, form).await,
        "order-status" => {
            let order = form.text("order_id")?.to_owned();
            let reason = form.0.get("reason").map(str::to_owned);
            state::set_status(app, order, form.text("status")?.to_owned(), reason, false).await?;
            Ok("The order has its new status".to_owned())
        }
        "fault" => {
            app.faults.add(fault(form)?);
            Ok("The fault is in force".to_owned())
        }
        "heal" => {
            app.faults.clear();
            Ok("No more faults".to_owned())
        }
        "reset" => {
            state::reset(app).await?;
            Ok("Everything is as at the first start".to_owned())
        }
        _ => business(app, control, form).await,
    }
}

/// The business events take the same bodies as their JSON calls.
async fn business(app: &App, control: &str, form: &Form) -> Result<String, Refusal> {
    let app = State(app.clone());
    let answer = match control {
        "bill-open" => business::open_bill(app, form.body(&["filial_id"], &["table_id"])?).await?,
        "bill-add" => {
            business::add_to_bill(app, form.body(&["product_id", "count"], &["bill_id"])?).await?
        }
        "bill-pay" => business::pay_bill(app, form.body(&["sum"], &["bill_id"])?).await?,
        "bill-close" => business::close_bill(app, form.body(&[], &["bill_id"])?).await?,
        "payment" => {
            business::end_payment(app, form.body(&[], &["payment_id", "outcome"])?).await?
        }
        "balance" => {
            business::balance(
                app,
                form.body(&["bonus", "money", "points"], &["phone", "chat"])?,
            )
            .await?
        }
        "tokens" => business::end_tokens(app, form.body(&[], &["phone"])?).await?,
        "lock" => fridge::lock(app, form.body(&["filial_id"], &["lock"])?).await?,
        "door" => fridge::door(app, form.body(&["filial_id"], &["event"])?).await?,
        "taken" => {
            fridge::taken(app, form.body(&["filial_id", "product_id", "count"], &[])?).await?
        }
        "review" => reviews::moderate(app, form.body(&["review_id"], &["state"])?).await?,
        _ => return Err(Refusal::not_found("not_found", "There is no such control")),
    };
    let id = answer.0["data"]["id"]
        .as_str()
        .map(|id| format!("The bill is {id}"));
    Ok(id.unwrap_or_else(|| "Done".to_owned()))
}

fn read<T: DeserializeOwned>(body: Value) -> Result<Json<T>, Refusal> {
    serde_json::from_value(body)
        .map(Json)
        .map_err(|error| Refusal::bad(error.to_string()))
}

async fn product(app: &App, control: &str, form: &Form) -> Result<String, Refusal> {
    let (filial, product) = (
        form.0.required_int("filial_id")?,
        form.0.required_int("product_id")?,
    );
    let (venue, product) = product_in(app, filial, product)?;
    let change = if control == "price" {
        let price = hundredths(form.number("price")?).filter(|price| *price >= 0);
        let price = price.ok_or_else(|| Refusal::bad("price must be a sum"))?;
        Change::Price {
            venue,
            product,
            price,
        }
    } else {
        Change::Stock {
            venue,
            product,
            available: form.0.flag("available"),
        }
    };
    state::change(app, change).await?;
    Ok(format!("Product {product} is changed"))
}

async fn venue(app: &App, control: &str, form: &Form) -> Result<String, Refusal> {
    let venue = app.place(form.0.required_int("filial_id")?)?.venue.id;
    let on = form.0.flag("on");
    let change = if control == "opening" {
        Change::Closed { venue, closed: on }
    } else {
        Change::CheckPulling { venue, enabled: on }
    };
    state::change(app, change).await?;
    Ok("The venue is changed".to_owned())
}

fn fault(form: &Form) -> Result<Fault, Refusal> {
    let whole = |name: &str| {
        let number = form.0.int(name)?.map(u64::try_from);
        number
            .transpose()
            .map_err(|_| Refusal::bad(format!("{name} must not be negative")))
    };
    let kind = serde_json::from_value(serde_json::Value::from(form.text("kind")?));
    let path = form.text("path")?;
    if path != "*" && !path.starts_with('/') {
        return Err(Refusal::bad("path must be * or begin with /"));
    }
    Ok(Fault {
        path: path.to_owned(),
        method: None,
        kind: kind.map_err(|_| Refusal::bad("There is no such fault"))?,
        status: whole("status")?.and_then(|status| u16::try_from(status).ok()),
        delay_ms: whole("delay_ms")?,
        times: whole("times")?,
        after_commit: form.0.flag("after_commit"),
        values: std::collections::BTreeMap::new(),
    })
}
