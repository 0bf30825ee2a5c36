//! How many guests gave how many stars. The card of a venue tells how many there were and their mean; most of them said
//! nothing, so that only these numbers know of them.

use serde_json::{Value, json};

/// How many gave one star, two, … five.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally([i64; 5]);

impl Tally {
    /// `count` ratings with this mean: each number of stars is more frequent than the one below by one factor.
    pub(super) fn of(mean: f64, count: i64) -> Tally {
        if count <= 0 || mean < 1.0 {
            return Tally::default();
        }
        let (mut low, mut high) = (1e-3_f64, 1e3_f64);
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            if mean_of(shares(middle)) < mean {
                low = middle;
            } else {
                high = middle;
            }
        }
        let wanted = shares(high).map(|share| share * count as f64);
        let mut stars = wanted.map(|number| number as i64);
        let rest = usize::try_from(count - stars.iter().sum::<i64>()).unwrap_or(0);
        // What rounding has left over goes where the most was cut off.
        let mut cut: Vec<(f64, &mut i64)> = wanted
            .iter()
            .map(|number| number.fract())
            .zip(&mut stars)
            .collect();
        cut.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        for (_, number) in cut.into_iter().take(rest) {
            *number += 1;
        }
        Tally(stars)
    }

    pub(super) fn add(&mut self, rating: i64) {
        let at = usize::try_from(rating - 1).ok();
        if let Some(stars) = at.and_then(|at| self.0.get_mut(at)) {
            *stars += 1;
        }
    }

    pub(super) fn wire(self) -> Value {
        let count: i64 = self.0.iter().sum();
        let sum: i64 = self.0.iter().zip(1..).map(|(n, star)| n * star).sum();
        let mean = if count > 0 {
            (sum as f64 * 10.0 / count as f64).round() / 10.0
        } else {
            0.0
        };
        json!({"rating": mean, "count": count, "stars": self.0})
    }
}

fn shares(step: f64) -> [f64; 5] {
    let weights = [0, 1, 2, 3, 4].map(|power| step.powi(power));
    let all: f64 = weights.iter().sum();
    weights.map(|weight| weight / all)
}

fn mean_of(shares: [f64; 5]) -> f64 {
    shares
        .iter()
        .zip([1.0, 2.0, 3.0, 4.0, 5.0])
        .map(|(share, star)| share * star)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stars_add_up_to_what_the_card_says() {
        for (mean, count) in [(4.7, 1284), (4.1, 12), (3.0, 88), (2.2, 500), (4.9, 97)] {
            let Tally(stars) = Tally::of(mean, count);
            assert_eq!(stars.iter().sum::<i64>(), count);
            let wire = Tally(stars).wire();
            let rating = wire["rating"].as_f64().unwrap_or_default();
            assert!((rating - mean).abs() < 0.15, "{mean} {count}: {stars:?}");
        }
        assert_eq!(Tally::of(4.7, 1284).wire()["rating"], 4.7);
        assert_eq!(
            Tally::of(0.0, 0).wire(),
            json!({"rating": 0.0, "count": 0, "stars": [0, 0, 0, 0, 0]})
        );
    }
}
