//! What need not cross between Rust and a bundle for each render: a part of the data that many renders share goes in
//! once, and fragments of HTML that many answers hold are cached here, with a placeholder in their place.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::RenderError;

/// Begins a placeholder. It ends the first line of an answer that has placeholders, too.
const OPEN: char = '\u{1}';
/// Ends a placeholder.
const CLOSE: char = '\u{2}';
/// What React writes between two texts, which placeholders are to it.
const BETWEEN: &str = "<!-- -->";

static NAMES: AtomicU32 = AtomicU32::new(1);

/// A part of the data that is the same in many renders. A bundle gets its name with each of them, and asks for its text
/// when it does not know the name. Cloning shares it.
#[derive(Clone)]
pub struct Shared {
    name: u32,
    text: Arc<dyn AsRef<str> + Send + Sync>,
}

impl Shared {
    /// A part with a name of its own in this process.
    #[must_use]
    pub fn new(text: Arc<dyn AsRef<str> + Send + Sync>) -> Self {
        Self {
            name: NAMES.fetch_add(1, Ordering::Relaxed),
            text,
        }
    }

    /// Never 0, which is the name of no part.
    pub(crate) fn name(&self) -> u32 {
        self.name
    }

    /// Its JSON.
    #[must_use]
    pub fn text(&self) -> &str {
        (*self.text).as_ref()
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Shared {}

impl fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Shared").field(&self.name).finish()
    }
}

/// The fragments of an isolate. A bundle reaches it as `__fragments`.
#[derive(Default)]
pub(crate) struct FragmentCache {
    /// Of the render under way.
    pub shared: Option<Shared>,
    fragments: Vec<Box<str>>,
}

impl FragmentCache {
    /// Caches a fragment and gives its number. 0, which is no number: it holds a placeholder of nothing.
    pub(crate) fn insert(&mut self, html: &str) -> u32 {
        let Some(html) = self.fill(html) else {
            return 0;
        };
        self.fragments.push(html.into());
        u32::try_from(self.fragments.len()).unwrap_or(0)
    }

    pub(crate) fn clear(&mut self) {
        self.fragments.clear();
    }

    /// The text with the fragments that its placeholders stand for; none: one of them stands for nothing.
    fn fill(&self, text: &str) -> Option<String> {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(OPEN) {
            let (number, after) = after.strip_prefix('=')?.split_once(CLOSE)?;
            let number: usize = number.parse().ok()?;
            filled.push_str(before);
            filled.push_str(self.fragments.get(number.checked_sub(1)?)?);
            rest = match after.strip_prefix(BETWEEN) {
                Some(next) if next.starts_with(OPEN) => next,
                Some(_) | None => after,
            };
        }
        filled.push_str(rest);
        Some(filled)
    }

    /// Head and HTML of an answer: its first line and the rest.
    pub(crate) fn head_and_html(&self, mut text: String) -> Result<(String, String), RenderError> {
        let Some(end) = text.find('\n').filter(|_| text.starts_with('{')) else {
            return Err(RenderError::Threw(
                "the answer does not begin with a line of JSON".into(),
            ));
        };
        if text[..end].ends_with(OPEN) {
            let html = self
                .fill(&text[end + 1..])
                .ok_or_else(|| RenderError::Threw("a placeholder stands for nothing".into()))?;
            text.truncate(end - 1);
            return Ok((text, html));
        }
        let html = text.split_off(end + 1);
        text.truncate(end);
        Ok((text, html))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> FragmentCache {
        let mut cache = FragmentCache::default();
        assert_eq!(cache.insert("<b>Плов</b>"), 1);
        assert_eq!(cache.insert("<i>\u{1}=1\u{2}</i>"), 2);
        cache
    }

    fn html(answer: &str) -> Result<String, RenderError> {
        cache()
            .head_and_html(answer.to_owned())
            .map(|(_, html)| html)
    }

    #[test]
    fn placeholders_are_filled_where_the_answer_says_that_it_has_some() {
        let (head, filled) = cache()
            .head_and_html("{\"a\":1}\u{1}\n<p>\u{1}=2\u{2}</p>\u{1}=1\u{2}".to_owned())
            .unwrap();
        assert_eq!(head, "{\"a\":1}");
        assert_eq!(filled, "<p><i><b>Плов</b></i></p><b>Плов</b>");
        assert_eq!(html("{}\n\u{1}=2\u{2}").unwrap(), "\u{1}=2\u{2}");
    }

    #[test]
    fn what_react_writes_between_two_placeholders_goes() {
        let both = html("{}\u{1}\n\u{1}=1\u{2}<!-- -->\u{1}=1\u{2}<!-- -->text").unwrap();
        assert_eq!(both, "<b>Плов</b><b>Плов</b><!-- -->text");
    }

    #[test]
    fn a_placeholder_that_stands_for_nothing_is_an_error() {
        for placeholder in [
            "\u{1}=3\u{2}",
            "\u{1}=0\u{2}",
            "\u{1}b0\u{2}",
            "\u{1}=1",
            "\u{1}=\u{2}",
        ] {
            assert!(
                html(&format!("{{}}\u{1}\n{placeholder}")).is_err(),
                "{placeholder:?}"
            );
            assert_eq!(cache().insert(placeholder), 0, "{placeholder:?}");
        }
        let mut cleared = cache();
        cleared.clear();
        assert!(
            cleared
                .head_and_html("{}\u{1}\n\u{1}=1\u{2}".to_owned())
                .is_err()
        );
    }
}
