//! How pages felt to guests (Core Web Vitals), counted by what Google calls them.

use serde::Deserialize;

/// One measurement of a page; `value` is in milliseconds, that of `CLS` a share of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Vital {
    name: Name,
    value: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Name {
    Lcp,
    Cls,
    Inp,
    Fcp,
    Ttfb,
}

impl Vital {
    /// Adds one to its number.
    pub fn note(self) {
        metrics::counter!("browser_vitals_total", "name" => self.name.code(), "rating" => self.rating())
            .increment(1);
    }

    /// By the limits of web.dev/articles/vitals.
    fn rating(self) -> &'static str {
        let (good, poor) = match self.name {
            Name::Lcp => (2500.0, 4000.0),
            Name::Cls => (0.1, 0.25),
            Name::Inp => (200.0, 500.0),
            Name::Fcp => (1800.0, 3000.0),
            Name::Ttfb => (800.0, 1800.0),
        };
        match self.value {
            value if value <= good => "good",
            value if value <= poor => "middling",
            _ => "poor",
        }
    }
}

impl Name {
    const fn code(self) -> &'static str {
        match self {
            Self::Lcp => "LCP",
            Self::Cls => "CLS",
            Self::Inp => "INP",
            Self::Fcp => "FCP",
            Self::Ttfb => "TTFB",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Vital;

    #[test]
    fn the_limits_are_those_of_the_web_vitals() {
        let rating = |text| serde_json::from_str::<Vital>(text).unwrap().rating();
        assert_eq!(rating(r#"{"name":"LCP","value":2500}"#), "good");
        assert_eq!(rating(r#"{"name":"INP","value":201}"#), "middling");
        assert_eq!(rating(r#"{"name":"CLS","value":0.3}"#), "poor");
        assert!(serde_json::from_str::<Vital>(r#"{"name":"FID","value":1}"#).is_err());
    }
}
