//! Whether a value has the shape that the document promises.

use serde_json::{Map, Value};

/// As much of JSON Schema as the document uses.
pub fn check(value: &Value, schema: &Value, document: &Value, at: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(&reference[1..]);
        return check(
            value,
            target.unwrap_or_else(|| panic!("{reference} is missing")),
            document,
            at,
        );
    }
    if let Some(all) = schema["allOf"].as_array() {
        return all
            .iter()
            .for_each(|schema| check(value, schema, document, at));
    }
    if let Some(any) = schema["anyOf"].as_array() {
        if value.is_null() && any.iter().any(|schema| schema["type"] == "null") {
            return;
        }
        return check(value, &any[0], document, at);
    }
    let right = match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    assert!(right, "{at} is {value}, not {}", schema["type"]);
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at} is {value}");
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        check(item, &schema["items"], document, &format!("{at}[{index}]"));
    }
    let empty = Map::new();
    let fields = value.as_object().unwrap_or(&empty);
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(
            fields.contains_key(name.as_str().unwrap()),
            "{at} lacks {name}"
        );
    }
    for (name, schema) in schema["properties"].as_object().unwrap_or(&empty) {
        if let Some(value) = fields.get(name) {
            check(value, schema, document, &format!("{at}.{name}"));
        }
    }
}
