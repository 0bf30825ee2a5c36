//! Secrets and what is made with them: sealed records, names, capabilities, signatures.

pub mod private;
pub mod seal;
pub mod sign;
