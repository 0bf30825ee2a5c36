//! Render engine.
