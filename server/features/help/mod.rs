//! Answers and documents: the project's own texts, which change with releases and not with data.

pub mod faq;
pub mod legal;
mod texts;

pub use faq::{FaqGroup, FaqItem, FaqPage};
pub use legal::LegalPage;
pub use texts::LegalSection;
