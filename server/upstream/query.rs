//! Query strings with bracket nesting (HT-03): `filter[service]=express&products[]=551`.

use std::fmt::Display;

use percent_encoding::utf8_percent_encode;

use super::address::ENCODED;

/// A query under construction. Empty values are left out; brackets are encoded, as the usual writers do.
#[derive(Debug, Clone, Default)]
pub(super) struct Query(String);

impl Query {
    pub fn new() -> Self {
        Self::default()
    }

    /// `key=value`
    pub fn with(mut self, key: &str, value: impl Display) -> Self {
        self.push(key, &value.to_string());
        self
    }

    /// `key=value` if there is a value.
    pub fn maybe(self, key: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// `key=1` if it is so, nothing otherwise: the form of all flags in the specification.
    pub fn flag(self, key: &str, is_so: bool) -> Self {
        if is_so { self.with(key, 1) } else { self }
    }

    /// `key[]=a&key[]=b`
    pub fn each(mut self, key: &str, values: impl IntoIterator<Item = impl Display>) -> Self {
        let key = format!("{key}[]");
        for value in values {
            self.push(&key, &value.to_string());
        }
        self
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The keys alone: values may be personal.
    pub fn names(&self) -> String {
        let pairs = self.0.split('&');
        let names: Vec<&str> = pairs.filter_map(|pair| pair.split('=').next()).collect();
        names.join(",")
    }

    fn push(&mut self, key: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        if !self.0.is_empty() {
            self.0.push('&');
        }
        self.0.extend(utf8_percent_encode(key, ENCODED));
        self.0.push('=');
        self.0.extend(utf8_percent_encode(value, ENCODED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_nest_and_lists_repeat() {
        let query = Query::new()
            .with("filter[service]", "express")
            .flag("filter[only-promo]", true)
            .each("products", [551, 552]);
        assert_eq!(
            query.as_str(),
            "filter%5Bservice%5D=express&filter%5Bonly-promo%5D=1&products%5B%5D=551&products%5B%5D=552"
        );
    }

    #[test]
    fn what_is_empty_or_false_is_left_out() {
        let query = Query::new()
            .with("search", "")
            .maybe("town_id", None::<u64>)
            .flag("promo", false)
            .each("ids", [0_u8; 0]);
        assert_eq!(query.as_str(), "");
    }

    #[test]
    fn a_value_can_not_add_parameters() {
        let query = Query::new().with("search", "лағман & co=1#?/+\r\n");
        let url = url::Url::parse(&format!("http://h/?{}", query.as_str())).expect("a URL");
        let pairs: Vec<_> = url.query_pairs().into_owned().collect();
        assert_eq!(
            pairs,
            [("search".to_owned(), "лағман & co=1#?/+\r\n".to_owned())]
        );
    }
}
