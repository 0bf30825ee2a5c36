//! Allowances: a moment each, from which on all of it may be had again.

use std::{sync::LazyLock, time::Duration};

use redis::Script;

use super::Spend;
use crate::state::{
    Error,
    redis::{PREFIX, Redis},
};

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("take.lua")));

impl Redis {
    pub(in crate::state) async fn take_allowances(
        &self,
        spends: &[(String, Spend)],
    ) -> Result<Result<(), Duration>, Error> {
        let mut take = TAKE.prepare_invoke();
        for (name, spend) in spends {
            take.key(format!("{PREFIX}allowance:{name}"))
                .arg(spend.burst)
                .arg(spend.pause.as_secs_f64() * 1000.0);
        }
        let wait: u64 = self.run("write", &take).await?;
        Ok(match wait {
            0 => Ok(()),
            wait => Err(Duration::from_millis(wait)),
        })
    }
}
