//! What pages load besides: the files of the build, photos, tiles of the map.

pub mod assets;
pub mod dictionary;
pub mod images;
pub mod tiles;
pub mod worker;
