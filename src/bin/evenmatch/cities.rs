//! Where players and data centres are, and the round trips between them, for generated traffic.
//!
//! Used by `traffic`. The times are made, not measured: the great-circle distance (haversine, radius 6,371
//! km) there and back at 200 km/ms, the speed of light in fibre, times [`ROUTE_FACTOR`] because cables are
//! not straight, plus a last mile of the player's own. The factor is chosen so that well-known round trips
//! come out within about a fifth of what operators see: London to Virginia 88 ms (75 to 85), Singapore to
//! Sydney 95 ms (about 92), Sao Paulo to Virginia 115 ms (about 115). Coordinates are those of the cities'
//! centres, to a hundredth of a degree; weights and hours are chosen so that every continent has an evening.
//! All functions of angles come from `libm`, so that the same seed gives the same bytes on every machine.

/// A place on the globe.
pub(crate) struct Place {
    /// Degrees north.
    latitude: f64,
    /// Degrees east.
    longitude: f64,
}

/// A data centre, named by the airport code of its city as many operators do.
pub(crate) struct DataCentre {
    /// Its name in traces.
    pub(crate) name: &'static str,
    /// Where it is.
    pub(crate) place: Place,
}

/// A city that players live in.
pub(crate) struct City {
    /// Where it is.
    pub(crate) place: Place,
    /// Hours ahead of UTC.
    pub(crate) utc_offset_hours: f64,
    /// How many players live there, relative to the other cities.
    pub(crate) weight: f64,
}

const fn centre(name: &'static str, latitude: f64, longitude: f64) -> DataCentre {
    DataCentre { name, place: Place { latitude, longitude } }
}

/// A row of the table of cities; the name is for its readers only.
const fn city(
    _name: &'static str,
    latitude: f64,
    longitude: f64,
    utc_offset_hours: f64,
    weight: f64,
) -> City {
    City { place: Place { latitude, longitude }, utc_offset_hours, weight }
}

/// Frankfurt, London, Virginia, Dallas, Oregon, Sao Paulo, Tokyo, Singapore, Sydney, Mumbai, Dubai,
/// Johannesburg.
pub(crate) const DATA_CENTRES: [DataCentre; 12] = [
    centre("fra", 50.11, 8.68),
    centre("lhr", 51.51, -0.13),
    centre("iad", 39.04, -77.49),
    centre("dfw", 32.78, -96.80),
    centre("pdx", 45.52, -122.68),
    centre("gru", -23.55, -46.63),
    centre("nrt", 35.68, 139.69),
    centre("sin", 1.35, 103.82),
    centre("syd", -33.87, 151.21),
    centre("bom", 19.08, 72.88),
    centre("dxb", 25.20, 55.27),
    centre("jnb", -26.20, 28.05),
];

/// The cities of the generated world.
pub(crate) const CITIES: [City; 32] = [
    city("London", 51.51, -0.13, 0.0, 6.0),
    city("Madrid", 40.42, -3.70, 1.0, 4.0),
    city("Paris", 48.86, 2.35, 1.0, 6.0),
    city("Berlin", 52.52, 13.40, 1.0, 6.0),
    city("Munich", 48.14, 11.58, 1.0, 3.0),
    city("Milan", 45.46, 9.19, 1.0, 3.0),
    city("Warsaw", 52.23, 21.01, 1.0, 4.0),
    city("Stockholm", 59.33, 18.07, 1.0, 3.0),
    city("Bucharest", 44.43, 26.10, 2.0, 2.0),
    city("Istanbul", 41.01, 28.98, 3.0, 4.0),
    city("Cairo", 30.04, 31.24, 2.0, 2.0),
    city("Johannesburg", -26.20, 28.05, 2.0, 1.0),
    city("Lagos", 6.52, 3.38, 1.0, 1.0),
    city("Dubai", 25.20, 55.27, 4.0, 1.5),
    city("Mumbai", 19.08, 72.88, 5.5, 4.0),
    city("Delhi", 28.61, 77.21, 5.5, 4.0),
    city("Singapore", 1.35, 103.82, 8.0, 2.0),
    city("Jakarta", -6.21, 106.85, 7.0, 4.0),
    city("Manila", 14.60, 120.98, 8.0, 4.0),
    city("Seoul", 37.57, 126.98, 9.0, 5.0),
    city("Tokyo", 35.68, 139.69, 9.0, 6.0),
    city("Sydney", -33.87, 151.21, 10.0, 2.0),
    city("Auckland", -36.85, 174.76, 12.0, 0.7),
    city("New York", 40.71, -74.01, -5.0, 7.0),
    city("Toronto", 43.65, -79.38, -5.0, 3.0),
    city("Chicago", 41.88, -87.63, -6.0, 4.0),
    city("Dallas", 32.78, -96.80, -6.0, 3.0),
    city("Los Angeles", 34.05, -118.24, -8.0, 5.0),
    city("Mexico City", 19.43, -99.13, -6.0, 4.0),
    city("Bogota", 4.71, -74.07, -5.0, 2.0),
    city("Sao Paulo", -23.55, -46.63, -3.0, 6.0),
    city("Buenos Aires", -34.60, -58.38, -3.0, 2.0),
];

/// The mean radius of the earth in kilometres.
const EARTH_RADIUS_KM: f64 = 6371.0;
/// How far light gets in fibre in a millisecond.
const FIBRE_KM_PER_MS: f64 = 200.0;
/// How much longer the cable is than the great circle; chosen so that the examples above come out.
const ROUTE_FACTOR: f64 = 1.5;

/// The great-circle distance in kilometres.
pub(crate) fn distance_km(from: &Place, to: &Place) -> f64 {
    let half_chord = |degrees: f64| libm::pow(libm::sin(degrees.to_radians() / 2.0), 2.0);
    let along = half_chord(to.latitude - from.latitude);
    let across = half_chord(to.longitude - from.longitude);
    let shrink = libm::cos(from.latitude.to_radians()) * libm::cos(to.latitude.to_radians());
    2.0 * EARTH_RADIUS_KM * libm::asin(libm::sqrt(along + shrink * across).min(1.0))
}

/// The round trip in milliseconds, without the player's last mile.
pub(crate) fn backbone_ms(from: &Place, to: &Place) -> f64 {
    2.0 * distance_km(from, to) * ROUTE_FACTOR / FIBRE_KM_PER_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> &'static Place {
        let centre = DATA_CENTRES.iter().find(|centre| centre.name == name);
        &centre.unwrap().place
    }

    #[test]
    fn round_trips_are_near_published_ones() {
        for (a, b, low, high) in [
            ("lhr", "iad", 75.0, 95.0),
            ("sin", "syd", 85.0, 105.0),
            ("gru", "iad", 105.0, 125.0),
            ("fra", "lhr", 8.0, 14.0),
        ] {
            let ms = backbone_ms(place(a), place(b));
            assert!((low..high).contains(&ms), "{a} to {b}: {ms}");
        }
    }

    #[test]
    fn everybody_lives_near_some_data_centre() {
        for city in &CITIES {
            let nearest = DATA_CENTRES.iter().map(|centre| backbone_ms(&city.place, &centre.place));
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            assert!(nearest < 75.0, "{}: {nearest}", city.utc_offset_hours);
        }
    }
}
