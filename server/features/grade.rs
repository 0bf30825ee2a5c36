//! How an order or a bill was: the form of its grade (OR-12, PY-09).

use crate::web::change::{
    form::Form,
    outcome::{ErrorCode, FieldError},
    plain::{plain, plain_lines},
};

const LONGEST_COMMENT: usize = 500;
/// Tags of one grade, and the length of one.
const MOST_TAGS: usize = 8;
const LONGEST_TAG: usize = 30;

/// What a guest says of it.
pub struct Grade {
    /// 1 to 5.
    pub stars: u8,
    /// May be empty.
    pub comment: String,
    /// What was chosen of those that the page offers.
    pub tags: Vec<String>,
}

impl Grade {
    /// Reads what was posted.
    ///
    /// # Errors
    /// The field that is missing or too long.
    pub fn read(form: &Form) -> Result<Self, FieldError> {
        let stars = form.parse("grade").filter(|stars| (1..=5).contains(stars));
        let stars = stars.ok_or_else(|| FieldError::new("grade", ErrorCode::Required))?;
        let comment = plain_lines(form.get("comment").unwrap_or_default());
        if comment.chars().count() > LONGEST_COMMENT {
            return Err(FieldError::too_long("comment", LONGEST_COMMENT));
        }
        let tags = form
            .with_prefix("tag")
            .map(|(_, tag)| plain(tag))
            .filter(|tag| !tag.is_empty() && tag.chars().count() <= LONGEST_TAG)
            .take(MOST_TAGS)
            .collect();
        Ok(Self {
            stars,
            comment,
            tags,
        })
    }
}
