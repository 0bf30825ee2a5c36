//! The query of a call, with the brackets of `filter[service]` and `ids[]`, and what stands in one field.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::refusal::Refusal;

/// Decoded pairs in the order in which they came.
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    pub(crate) fn parse(query: &str) -> Params {
        Params(
            form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect(),
        )
    }

    /// The last value of this name; an empty one counts as missing.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().rev().find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    pub(crate) fn int(&self, name: &str) -> Result<Option<i64>, Refusal> {
        self.get(name).map(|text| parse_int(name, text)).transpose()
    }

    pub(crate) fn required_int(&self, name: &str) -> Result<i64, Refusal> {
        self.int(name)?
            .ok_or_else(|| Refusal::bad(format!("{name} is required")))
    }

    /// A number from 1 up to the greatest allowed, which larger ones are cut to.
    pub(crate) fn count(&self, name: &str, default: usize, most: usize) -> Result<usize, Refusal> {
        let Some(number) = self.int(name)? else {
            return Ok(default);
        };
        match usize::try_from(number) {
            Ok(number) if number > 0 => Ok(number.min(most)),
            _ => Err(Refusal::bad(format!("{name} must be at least 1"))),
        }
    }

    /// All numbers of `name[]`, `name[0]` or a plain, possibly comma-separated `name`.
    pub(crate) fn ints(&self, name: &str) -> Result<Vec<i64>, Refusal> {
        let mine = |key: &str| {
            key.strip_prefix(name).is_some_and(|rest| {
                rest.is_empty() || (rest.starts_with('[') && rest.ends_with(']'))
            })
        };
        self.0
            .iter()
            .filter(|(key, _)| mine(key))
            .flat_map(|(_, value)| value.split(','))
            .filter(|text| !text.is_empty())
            .map(|text| parse_int(name, text))
            .collect()
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some("1" | "true"))
    }
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Params, Refusal> {
        Ok(Params::parse(parts.uri.query().unwrap_or("")))
    }
}

/// A number out of a path or a query.
pub(crate) fn parse_int(name: &str, text: &str) -> Result<i64, Refusal> {
    text.trim()
        .parse()
        .map_err(|_| Refusal::bad(format!("{name} must be a whole number")))
}

/// A text that a person typed, not longer than this.
pub(crate) fn short(text: Option<&str>, name: &str, most: usize) -> Result<String, Refusal> {
    let text = text.unwrap_or("").trim();
    if text.chars().count() > most {
        return Err(Refusal::bad(format!("{name} is too long")));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_read_encoded_or_not() {
        let params =
            Params::parse("filter%5Bservice%5D=express&ids[]=1&ids%5B%5D=2&ids[7]=3&page=");
        assert_eq!(params.get("filter[service]"), Some("express"));
        assert_eq!(params.ints("ids").ok(), Some(vec![1, 2, 3]));
        assert_eq!(params.int("page").ok(), Some(None));
        assert!(Params::parse("ids[]=x").ints("ids").is_err());
        assert!(Params::parse("limit=-1").count("limit", 20, 100).is_err());
    }
}
