//! What guests send: forms with their fields and files, and what comes of them.

pub mod bad_form;
pub mod finish;
pub mod form;
pub mod outcome;
pub mod phone;
pub mod plain;
pub mod uploads;
