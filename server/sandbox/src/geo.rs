//! Distances and rectangles on the globe.

const EARTH_RADIUS: f64 = 6_371_008.8;

/// Metres between two points (latitude, longitude), by the haversine formula.
pub(crate) fn distance(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (lat1, lat2) = (from.0.to_radians(), to.0.to_radians());
    let half_lat = ((lat2 - lat1) / 2.0).sin();
    let half_long = ((to.1 - from.1).to_radians() / 2.0).sin();
    let chord = half_lat.powi(2) + lat1.cos() * lat2.cos() * half_long.powi(2);
    2.0 * EARTH_RADIUS * chord.sqrt().clamp(0.0, 1.0).asin()
}

/// West, south, east, north.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

impl Bounds {
    pub(crate) fn parse(text: &str) -> Option<Bounds> {
        let mut numbers = text.split(',').map(|part| part.trim().parse::<f64>().ok());
        let mut next = || numbers.next().flatten().filter(|number| number.is_finite());
        let bounds = Bounds {
            west: next()?,
            south: next()?,
            east: next()?,
            north: next()?,
        };
        (bounds.south <= bounds.north && text.split(',').count() == 4).then_some(bounds)
    }

    pub(crate) fn contain(&self, point: (f64, f64)) -> bool {
        let inside = if self.west <= self.east {
            (self.west..=self.east).contains(&point.1)
        } else {
            // Across the date line.
            point.1 >= self.west || point.1 <= self.east
        };
        inside && (self.south..=self.north).contains(&point.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn almaty_is_about_970_km_from_astana() {
        let metres = distance((43.238, 76.945), (51.128, 71.430));
        assert!((960_000.0..990_000.0).contains(&metres), "{metres}");
    }

    #[test]
    fn bounds_need_four_numbers() {
        let bounds = Bounds::parse("76.8,43.1,77.0,43.3");
        assert!(bounds.is_some_and(|b| b.contain((43.2, 76.9)) && !b.contain((43.4, 76.9))));
        assert_eq!(Bounds::parse("76.8,43.1,77.0"), None);
        assert_eq!(Bounds::parse("1,2,3,4,5"), None);
        assert_eq!(Bounds::parse("a,b,c,d"), None);
    }
}
