//! Shares with their uncertainty.

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// 97.5 % quantile of the standard normal distribution: two-sided 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// Fewer judged cases than this are called a small sample: with 20, the interval around one half is still
/// 43 points wide.
pub const SMALL_SAMPLE: u64 = 20;

/// `count` of `of`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// Numerator.
    pub count: u64,
    /// Denominator.
    pub of: u64,
}

impl Ratio {
    /// A share.
    pub fn new(count: u64, of: u64) -> Ratio {
        Ratio { count, of }
    }

    /// The fraction, 0 to 1; `None` of nothing.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.count as f64 / self.of as f64)
    }

    /// Wilson's 95 % score interval, 0 to 1; `None` of nothing.
    ///
    /// Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22
    /// (1927), 209–212. Chosen since it stays within 0 and 1 and holds for few cases and for shares near the
    /// ends, where losses are.
    pub fn wilson(self) -> Option<(f64, f64)> {
        let p = self.value()?;
        let n = self.of as f64;
        let z2 = Z95 * Z95;
        let center = p + z2 / (2.0 * n);
        let half = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z2 / n;
        // The ends are exact by the formula; rounding must not turn "none" into "nearly none".
        let low = if self.count == 0 { 0.0 } else { ((center - half) / scale).max(0.0) };
        let high = if self.count == self.of { 1.0 } else { ((center + half) / scale).min(1.0) };
        Some((low, high))
    }

    /// Too few cases to say much.
    pub fn is_small(self) -> bool {
        self.of < SMALL_SAMPLE
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let interval = self.wilson();
        let mut s = serializer.serialize_struct("Ratio", 5)?;
        s.serialize_field("count", &self.count)?;
        s.serialize_field("of", &self.of)?;
        s.serialize_field("ratio", &self.value())?;
        s.serialize_field("ci95_low", &interval.map(|i| i.0))?;
        s.serialize_field("ci95_high", &interval.map(|i| i.1))?;
        s.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine
    /// 17 (1998), table I, method 3 (score without continuity correction).
    #[test]
    fn wilson_matches_newcombe() {
        for (count, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (29, 29, 0.8830, 1.0),
        ] {
            let Some((l, h)) = Ratio::new(count, of).wilson() else { panic!("{count}/{of}") };
            assert!((l - low).abs() < 5e-5 && (h - high).abs() < 5e-5, "{count}/{of}: {l} {h}");
        }
    }

    #[test]
    fn of_nothing_there_is_no_share() {
        assert_eq!(Ratio::new(0, 0).value(), None);
        assert_eq!(Ratio::new(0, 0).wilson(), None);
    }

    #[test]
    fn interval_holds_the_share_and_stays_in_bounds() {
        for of in 1..80 {
            for count in 0..=of {
                let r = Ratio::new(count, of);
                let (Some(p), Some((low, high))) = (r.value(), r.wilson()) else { panic!() };
                assert!(0.0 <= low && low <= p && p <= high && high <= 1.0, "{count}/{of}");
            }
        }
    }
}
