//! Tests of the catalogue.
