//! Paths of calls, built from the specification's letters and typed ids only (S-15).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::ids::PathId;

/// Everything but RFC 3986's unreserved characters. The dot is encoded too.
pub(super) const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'~');

/// A path below the base address, without a slash in front.
#[derive(Debug, Clone)]
pub(super) struct Path {
    /// With `{}` where the id stands: what logs and metrics show.
    pub template: &'static str,
    /// What is sent.
    pub filled: String,
}

impl Path {
    pub fn fixed(path: &'static str) -> Self {
        Self {
            template: path,
            filled: path.to_owned(),
        }
    }

    /// Puts one id in the place of `{}`.
    pub fn with(template: &'static str, id: &impl PathId) -> Self {
        let id = utf8_percent_encode(&id.to_string(), ENCODED).to_string();
        Self {
            template,
            filled: template.replacen("{}", &id, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upstream::VenueId;

    #[test]
    fn the_id_takes_the_place_and_the_slash_at_the_end_stays() {
        let path = Path::with("takeaway/v1/filial/{}/products/frequent/", &VenueId(1013));
        assert_eq!(path.filled, "takeaway/v1/filial/1013/products/frequent/");
    }

    #[test]
    fn an_id_can_not_leave_its_segment() {
        struct Evil;
        impl std::fmt::Display for Evil {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("../api/v3/user?x=1#y")
            }
        }
        impl PathId for Evil {}
        assert_eq!(
            Path::with("a/{}", &Evil).filled,
            "a/%2E%2E%2Fapi%2Fv3%2Fuser%3Fx%3D1%23y"
        );
    }
}
