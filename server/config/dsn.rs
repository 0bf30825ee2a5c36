//! Where a Sentry-compatible service takes errors.

use std::str::FromStr;

/// The address and the public key of a DSN, `https://KEY@errors.example.kz/1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dsn {
    /// The address that takes envelopes.
    pub envelopes: String,
    /// Says whose they are; not secret, but not for the log.
    pub key: String,
}

impl FromStr for Dsn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let example = "write it like https://KEY@errors.example.kz/1";
        let url = url::Url::parse(text).map_err(|error| format!("{error}: {example}"))?;
        let (folder, project) = url.path().rsplit_once('/').unwrap_or_default();
        let is_key =
            |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_project = !project.is_empty() && project.bytes().all(|byte| byte.is_ascii_digit());
        let is_web = matches!(url.scheme(), "http" | "https") && url.host().is_some();
        if !is_web || !is_project || !is_key(url.username()) || url.query().is_some() {
            return Err(example.to_owned());
        }
        let origin = url.origin().ascii_serialization();
        Ok(Self {
            envelopes: format!("{origin}{folder}/api/{project}/envelope/"),
            key: url.username().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Dsn;

    #[test]
    fn a_dsn_names_the_address_of_envelopes() {
        let dsn: Dsn = "https://abc123@errors.example.kz/sentry/42"
            .parse()
            .unwrap();
        assert_eq!(
            dsn.envelopes,
            "https://errors.example.kz/sentry/api/42/envelope/"
        );
        assert_eq!(dsn.key, "abc123");
        for wrong in [
            "errors.example.kz/1",
            "https://errors.example.kz/1",
            "https://abc@errors.example.kz/",
            "https://abc@errors.example.kz/x",
            "ftp://abc@errors.example.kz/1",
        ] {
            assert!(wrong.parse::<Dsn>().is_err(), "{wrong}");
        }
    }
}
