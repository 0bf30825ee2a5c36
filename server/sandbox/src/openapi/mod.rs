//! The OpenAPI document. Each route is added together with its description, so
//! neither can exist without the other.

pub(crate) mod schema;

use axum::Router;
use axum::routing::MethodRouter;
use serde_json::{Map, Value, json};

use crate::app::App;
use schema::{integer, number, one_of_texts, reference, text};

/// The routes and their descriptions, side by side.
pub(crate) struct Api {
    router: Router<App>,
    operations: Vec<Operation>,
}

/// The description of one operation.
pub(crate) struct Operation {
    method: &'static str,
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    parameters: Vec<Value>,
    body: Option<Value>,
    body_type: &'static str,
    answers: Vec<(u16, &'static str, Value)>,
}

impl Api {
    pub(crate) fn new() -> Api {
        Api {
            router: Router::new(),
            operations: Vec::new(),
        }
    }

    pub(crate) fn add(mut self, operation: Operation, handler: MethodRouter<App>) -> Api {
        self.router = self.router.route(operation.path, handler);
        self.operations.push(operation);
        self
    }

    /// Describes one more method of a route that was added.
    pub(crate) fn describe(mut self, operation: Operation) -> Api {
        self.operations.push(operation);
        self
    }

    pub(crate) fn with(self, more: impl FnOnce(Api) -> Api) -> Api {
        more(self)
    }

    /// The router and the document that describes it, with the schemas that the rooms of the calls name.
    pub(crate) fn finish(
        self,
        named: impl IntoIterator<Item = schema::Named>,
    ) -> (Router<App>, Value) {
        let mut paths: Map<String, Value> = Map::new();
        for operation in self.operations {
            let item = paths
                .entry(operation.path.replace("{*", "{"))
                .or_insert_with(|| json!({}));
            let method = operation.method;
            item[method] = operation.into_value();
        }
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Sandbox upstream",
                "version": env!("CARGO_PKG_VERSION"),
                "description": "The business calls as the sandbox answers them. What the specification does not show is defined here.",
            },
            "paths": paths,
            "components": {"schemas": schema::all(named), "parameters": headers()},
        });
        (self.router, document)
    }
}

impl Operation {
    pub(crate) fn new(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
    ) -> Operation {
        let mut parameters: Vec<Value> = Vec::new();
        if !path.starts_with("/_sandbox") {
            parameters.extend(
                COMMON
                    .iter()
                    .map(|name| json!({"$ref": format!("#/components/parameters/{name}")})),
            );
        }
        for segment in path.split('/').filter(|segment| segment.starts_with('{')) {
            let name = segment.trim_matches(['{', '}', '*']);
            let schema = if name.ends_with("id") {
                integer()
            } else {
                text()
            };
            parameters
                .push(json!({"name": name, "in": "path", "required": true, "schema": schema}));
        }
        Operation {
            method,
            path,
            id,
            summary,
            parameters,
            body: None,
            body_type: "application/json",
            answers: Vec::new(),
        }
    }

    pub(crate) fn get(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
        Operation::new("get", path, id, summary)
    }

    pub(crate) fn post(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
        Operation::new("post", path, id, summary)
    }

    pub(crate) fn query(self, name: &'static str, schema: Value) -> Operation {
        self.parameter(json!({"name": name, "in": "query", "required": false, "schema": schema}))
    }

    pub(crate) fn required(self, name: &'static str, schema: Value) -> Operation {
        self.parameter(json!({"name": name, "in": "query", "required": true, "schema": schema}))
    }

    /// `name[]`, repeated.
    pub(crate) fn numbers(self, name: &'static str) -> Operation {
        let schema = schema::list(integer());
        self.parameter(json!({
            "name": format!("{name}[]"), "in": "query", "required": false,
            "schema": schema, "style": "form", "explode": true,
        }))
    }

    pub(crate) fn header(
        self,
        name: &'static str,
        required: bool,
        note: &'static str,
    ) -> Operation {
        self.parameter(json!({
            "name": name, "in": "header", "required": required, "schema": text(), "description": note,
        }))
    }

    pub(crate) fn parameter(mut self, parameter: Value) -> Operation {
        self.parameters.push(parameter);
        self
    }

    pub(crate) fn body(mut self, schema: Value) -> Operation {
        self.body = Some(schema);
        self
    }

    pub(crate) fn form(mut self, schema: Value) -> Operation {
        self.body = Some(schema);
        self.body_type = "application/x-www-form-urlencoded";
        self
    }

    /// A body of any bytes.
    pub(crate) fn bytes(mut self, content_type: &'static str) -> Operation {
        self.body = Some(json!({"type": "string", "contentEncoding": "binary"}));
        self.body_type = content_type;
        self
    }

    /// An answer in JSON.
    pub(crate) fn answers(mut self, status: u16, schema: Value) -> Operation {
        self.answers.push((status, "application/json", schema));
        self
    }

    /// An answer of another type.
    pub(crate) fn answers_as(mut self, status: u16, content_type: &'static str) -> Operation {
        self.answers.push((status, content_type, text()));
        self
    }

    /// An answer without a body.
    pub(crate) fn answers_bare(mut self, status: u16) -> Operation {
        self.answers.push((status, "", text()));
        self
    }

    /// Refusals with the error body.
    pub(crate) fn refuses(mut self, statuses: &[u16]) -> Operation {
        self.answers.extend(
            statuses
                .iter()
                .map(|status| (*status, "application/json", reference("Error"))),
        );
        self
    }

    fn into_value(self) -> Value {
        let mut responses = Map::new();
        for (status, content_type, schema) in self.answers {
            let description = if status < 400 {
                "The answer"
            } else {
                "Refused"
            };
            let response = if content_type.is_empty() {
                json!({"description": description})
            } else {
                json!({"description": description, "content": {content_type: {"schema": schema}}})
            };
            responses.insert(status.to_string(), response);
        }
        responses.insert(
            "default".to_owned(),
            json!({"description": "Refused", "content": {"application/json": {"schema": reference("Error")}}}),
        );
        let tag = self
            .path
            .split('/')
            .find(|segment| !segment.is_empty())
            .unwrap_or("root");
        let mut operation = json!({
            "operationId": self.id,
            "summary": self.summary,
            "tags": [tag],
            "parameters": self.parameters,
            "responses": responses,
        });
        if let Some(schema) = self.body {
            operation["requestBody"] =
                json!({"required": true, "content": {self.body_type: {"schema": schema}}});
        }
        operation
    }
}

const COMMON: [&str; 6] = [
    "Language",
    "Fingerprint",
    "IdempotencyKey",
    "Authorization",
    "Latitude",
    "Longitude",
];

fn headers() -> Value {
    let header = |name: &str, schema: Value, note: &str| json!({"name": name, "in": "header", "required": false, "schema": schema, "description": note});
    json!({
        "Language": header("X-Language", one_of_texts(&["kk", "ru", "en", "ka"]), "Language of the answer; the country's fallback stands in"),
        "Fingerprint": header("X-Fingerprint", text(), "The device: who may read its anonymous orders"),
        "IdempotencyKey": header("X-Idempotency-key", text(), "The same key and body get the same answer"),
        "Authorization": header("Authorization", text(), "Bearer and the access token"),
        "Latitude": header("lat", number(), "Where the guest is"),
        "Longitude": header("long", number(), "Where the guest is"),
    })
}
