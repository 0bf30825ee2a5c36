//! Schemas of the document: small builders and the named components.

use serde_json::{Map, Value, json};

pub(crate) fn text() -> Value {
    json!({"type": "string"})
}

pub(crate) fn integer() -> Value {
    json!({"type": "integer"})
}

pub(crate) fn number() -> Value {
    json!({"type": "number"})
}

pub(crate) fn boolean() -> Value {
    json!({"type": "boolean"})
}

pub(crate) fn any() -> Value {
    json!({})
}

pub(crate) fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

pub(crate) fn one_of_texts(texts: &[&str]) -> Value {
    json!({"type": "string", "enum": texts})
}

/// The schema or null.
pub(crate) fn nullable(schema: Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

pub(crate) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// An object; a name with `?` at its end may be missing.
pub(crate) fn object(fields: &[(&str, Value)]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, schema) in fields {
        let bare = name.trim_end_matches('?');
        if bare == *name {
            required.push(bare);
        }
        properties.insert(bare.to_owned(), schema.clone());
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// `{"data": …}`
pub(crate) fn data(schema: Value) -> Value {
    object(&[("data", schema)])
}

/// `{"data": […], "meta": {…}}`
pub(crate) fn paged(items: Value) -> Value {
    object(&[("data", list(items)), ("meta", reference("Paging"))])
}

/// Two objects laid together.
pub(crate) fn both(first: Value, second: Value) -> Value {
    json!({"allOf": [first, second]})
}

/// A schema and the name by which others refer to it.
pub(crate) type Named = (&'static str, Value);

/// The named schemas as the document has them.
pub(super) fn all(named: impl IntoIterator<Item = Named>) -> Value {
    let mut schemas = Map::new();
    for (name, schema) in named {
        schemas.insert(name.to_owned(), schema);
    }
    Value::Object(schemas)
}
