//! Answers and documents: the project's own texts, which change with releases and not with data.

mod faq;
mod legal;
mod texts;

pub use faq::{FaqGroup, FaqItem, FaqPage, load as load_faq};
pub use legal::{LegalPage, LegalSection, load as load_legal};
