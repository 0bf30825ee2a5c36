//! How an order moves by itself: each status lasts a stretch of paced time. What
//! was reached is written down, so that no change of speed takes it back.

use rusqlite::{Connection, Transaction, params};

use crate::clock::Clock;
use crate::refusal::Refusal;

/// Every status there is.
pub(crate) const STATUSES: [&str; 6] = [
    "created",
    "cooking",
    "ready",
    "delivery",
    "completed",
    "canceled",
];

/// A status that an order has reached.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) status: String,
    /// On the sandbox's clock.
    pub(crate) at: i64,
    /// In paced time.
    pub(crate) paced: f64,
    pub(crate) reason: Option<String>,
}

/// The status that follows and after how many paced milliseconds.
pub(crate) fn next(kind: &str, status: &str) -> Option<(&'static str, f64)> {
    // What was taken off a shelf is in the guest's hands: it is not cooked.
    if kind == "micromarket" {
        return matches!(status, "created" | "cooking" | "ready").then_some(("completed", 0.0));
    }
    let delivered = matches!(kind, "delivery" | "vendor-delivery");
    match status {
        "created" => Some(("cooking", 20_000.0)),
        "cooking" => Some(("ready", 60_000.0)),
        "ready" if delivered => Some(("delivery", 30_000.0)),
        "ready" => Some(("completed", 60_000.0)),
        "delivery" => Some(("completed", 90_000.0)),
        _ => None,
    }
}

/// The steps after the last known one that are due by now.
pub(crate) fn due(kind: &str, last: &Step, clock: &Clock) -> Vec<Step> {
    let now = clock.paced();
    let mut steps = Vec::new();
    let (mut status, mut paced, mut at) = (last.status.clone(), last.paced, last.at);
    while let Some((following, lasts)) = next(kind, &status) {
        paced += lasts;
        if paced > now {
            break;
        }
        at = clock.at_paced(paced).max(at);
        status = following.to_owned();
        steps.push(Step {
            status: status.clone(),
            at,
            paced,
            reason: None,
        });
    }
    steps
}

/// When the next status is expected, on the sandbox's clock.
pub(crate) fn expected(kind: &str, last: &Step, clock: &Clock) -> Option<i64> {
    next(kind, &last.status).map(|(_, lasts)| clock.at_paced(last.paced + lasts))
}

/// The written steps of an order, oldest first.
pub(crate) fn load(db: &Connection, order: i64) -> Result<Vec<Step>, Refusal> {
    let mut statement = db.prepare_cached(
        "SELECT status, at, paced, reason FROM order_statuses WHERE order_seq = ?1 ORDER BY step",
    )?;
    let steps = statement.query_map([order], |row| {
        Ok(Step {
            status: row.get(0)?,
            at: row.get(1)?,
            paced: row.get(2)?,
            reason: row.get(3)?,
        })
    })?;
    Ok(steps.collect::<Result<_, _>>()?)
}

/// Writes one more step.
pub(crate) fn append(db: &Transaction<'_>, order: i64, step: &Step) -> Result<(), Refusal> {
    db.prepare_cached(
        "INSERT INTO order_statuses (order_seq, step, status, at, paced, reason)
         SELECT ?1, COALESCE(MAX(step) + 1, 0), ?2, ?3, ?4, ?5 FROM order_statuses WHERE order_seq = ?1",
    )?
    .execute(params![order, step.status, step.at, step.paced, step.reason])?;
    Ok(())
}

/// Writes down what every unfinished order has reached: before the pace changes.
pub(crate) fn settle(db: &Transaction<'_>, clock: &Clock) -> Result<(), Refusal> {
    let mut statement = db.prepare_cached(
        "SELECT o.seq, o.kind FROM orders o JOIN order_statuses s ON s.order_seq = o.seq WHERE o.held = 0
         GROUP BY o.seq HAVING SUM(s.status IN ('completed', 'canceled')) = 0",
    )?;
    let open = statement.query_map([], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
    })?;
    for order in open {
        let (seq, kind) = order?;
        settle_one(db, seq, &kind, clock)?;
    }
    Ok(())
}

/// Writes down what one order has reached and gives all its steps.
pub(crate) fn settle_one(
    db: &Transaction<'_>,
    order: i64,
    kind: &str,
    clock: &Clock,
) -> Result<Vec<Step>, Refusal> {
    let mut steps = load(db, order)?;
    let Some(last) = steps.last() else {
        return Ok(steps);
    };
    let more = due(kind, last, clock);
    for step in &more {
        append(db, order, step)?;
    }
    steps.extend(more);
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_clock_reaches_the_end_and_no_further() {
        let clock = Clock::new(1.0);
        let last = Step {
            status: "created".into(),
            at: clock.now(),
            paced: clock.paced() - 1e9,
            reason: None,
        };
        let steps = due("express", &last, &clock);
        let reached: Vec<&str> = steps.iter().map(|step| step.status.as_str()).collect();
        assert_eq!(reached, ["cooking", "ready", "completed"]);
        let delivered = due("delivery", &last, &clock);
        assert_eq!(delivered.len(), 4);
        let fresh = Step {
            status: "created".into(),
            at: clock.now(),
            paced: clock.paced(),
            reason: None,
        };
        assert!(due("express", &fresh, &clock).is_empty());
        assert!(expected("express", &fresh, &clock).is_some_and(|at| at > clock.now() + 15_000));
    }
}
