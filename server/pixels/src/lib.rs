//! Work on pixels: pictures of others in another size, and those that the sandbox paints.

pub mod canvas;
pub mod photo;
