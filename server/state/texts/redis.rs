//! Versioned texts: a hash each.

use std::sync::LazyLock;

use redis::Script;

use super::Text;
use crate::state::{
    Error,
    clock::millis,
    redis::{PREFIX, Redis},
};

static SWAP: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("swap.lua")));

impl Redis {
    pub(in crate::state) async fn text(&self, name: &str) -> Result<Option<(i64, String)>, Error> {
        let mut read = redis::cmd("HMGET");
        read.arg(text_key(name)).arg("version").arg("body");
        let (version, body): (Option<i64>, Option<String>) = self.query("read", &read).await?;
        Ok(version.zip(body))
    }

    pub(in crate::state) async fn swap_text(&self, text: &Text) -> Result<bool, Error> {
        let mut swap = SWAP.prepare_invoke();
        swap.key(text_key(&text.name))
            .arg(text.expected)
            .arg(text.version)
            .arg(&text.body)
            .arg(millis(text.lifetime));
        self.run("write", &swap).await
    }

    pub(in crate::state) async fn delete_text(&self, name: &str) -> Result<(), Error> {
        let mut delete = redis::cmd("DEL");
        delete.arg(text_key(name));
        self.query("write", &delete).await
    }
}

pub(in crate::state) fn text_key(name: &str) -> String {
    format!("{PREFIX}cart:{name}")
}
