//! Times as logs write them, turned into microseconds since 1970 (UTC).

/// Reads a time from the inside of a JSON string, a bare number, or a log line's first column.
/// Local times without a zone are read as if they were UTC: the clock offset between two logs is estimated
/// later from pairs ([`crate::join`]), so only the order within one log counts on them.
pub fn parse(raw: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(raw).ok()?.trim();
    if text.as_bytes().first().is_some_and(|b| b.is_ascii_digit() || *b == b'-')
        && let Ok(number) = text.parse::<f64>()
    {
        return epoch(number);
    }
    civil(text)
}

/// A number of seconds, milliseconds, microseconds or nanoseconds since 1970: told apart by size, which is
/// safe between the years 1971 and 2286.
pub fn epoch(number: f64) -> Option<i64> {
    if !number.is_finite() || number < 3e7 {
        return None;
    }
    Some(match number {
        n if n < 1e11 => n * 1e6,
        n if n < 1e14 => n * 1e3,
        n if n < 1e17 => n,
        n => n / 1e3,
    } as i64)
}

/// `2026-07-24T02:03:14.089Z`, with a blank for the `T`, a comma for the point, and with or without a zone;
/// also `2026/07/24 02:03:14`.
fn civil(text: &str) -> Option<i64> {
    let b = text.as_bytes();
    let num = |from: usize, to: usize| -> Option<i64> { text.get(from..to)?.parse().ok() };
    let sep = *b.get(4)?;
    if !matches!(sep, b'-' | b'/') || b.get(7) != Some(&sep) || !matches!(b.get(10), Some(b'T' | b' ' | b't')) {
        return None;
    }
    let (year, month, day) = (num(0, 4)?, num(5, 7)?, num(8, 10)?);
    let (hour, minute) = (num(11, 13)?, num(14, 16)?);
    let (second, mut rest) = match b.get(16) {
        Some(b':') => (num(17, 19)?, text.get(19..)?),
        _ => (0, text.get(16..)?),
    };
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let mut micros = 0i64;
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        let six: String = fraction[..digits].chars().chain("000000".chars()).take(6).collect();
        micros = six.parse().ok()?;
        rest = &fraction[digits..];
    }
    let rest = rest.trim();
    let zone_minutes = match rest.as_bytes().first() {
        Some(sign @ (b'+' | b'-')) => {
            let digits: String = rest[1..].chars().take(5).filter(char::is_ascii_digit).collect();
            let hours: i64 = digits.get(..2)?.parse().ok()?;
            let minutes: i64 = digits.get(2..4).and_then(|m| m.parse().ok()).unwrap_or(0);
            (hours * 60 + minutes) * if *sign == b'-' { -1 } else { 1 }
        }
        _ => 0,
    };
    let days = days_from_civil(year, month, day);
    let seconds = ((days * 24 + hour) * 60 + minute - zone_minutes) * 60 + second;
    Some(seconds * 1_000_000 + micros)
}

/// Days since 1970-01-01. Algorithm: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_moment_in_many_spellings() {
        let want = Some(1_784_858_594_089_000);
        for text in [
            "2026-07-24T02:03:14.089Z",
            "2026-07-24 02:03:14.089",
            "2026-07-24 02:03:14,089",
            "2026-07-24T04:03:14.089+02:00",
            "2026-07-23T21:03:14.089-0500",
            "1784858594.089",
            "1784858594089",
            "1784858594089000",
            "1784858594089000000",
        ] {
            assert_eq!(parse(text.as_bytes()), want, "{text}");
        }
        for text in ["", "hello", "2026-13-01T00:00:00Z", "3", "nan", "2026-07-24"] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }
}
