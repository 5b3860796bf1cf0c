//! Points in time as people type them.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Microseconds since 1970 of `2026-05-01T12:00:00Z`, `2026-05-01` (its first moment, UTC), or `7d`, `12h`,
/// `30m`, `90s`, `2w` before `now_us`.
///
/// # Errors
/// When it is none of these.
pub fn parse(text: &str, now_us: i64) -> Result<i64, String> {
    if let Ok(t) = text.parse::<Timestamp>() {
        return Ok(t.as_microsecond());
    }
    if let Ok(day) = text.parse::<Date>() {
        let start = TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).map_err(|e| e.to_string())?;
        return Ok(start.as_microsecond());
    }
    ago(text).and_then(|us| now_us.checked_sub(us)).ok_or_else(|| {
        "give a time such as 2026-05-01T12:00:00Z, a day such as 2026-05-01, or an age such as 7d, 12h, 30m"
            .to_owned()
    })
}

fn ago(text: &str) -> Option<i64> {
    let at = text.len().checked_sub(1).filter(|&at| text.is_char_boundary(at))?;
    let (number, unit) = text.split_at(at);
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 604_800,
        _ => return None,
    };
    number.parse::<u32>().ok().and_then(|n| i64::from(n).checked_mul(seconds * 1_000_000))
}

/// Now, in microseconds since 1970.
pub fn now_us() -> i64 {
    Timestamp::now().as_microsecond()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn times() {
        let now = 1_000_000_000_000_000;
        assert_eq!(parse("1970-01-01T00:00:01Z", now), Ok(1_000_000));
        assert_eq!(parse("1970-01-02T01:00:00+01:00", now), Ok(86_400_000_000));
        assert_eq!(parse("1970-01-02", now), Ok(86_400_000_000));
        assert_eq!(parse("7d", now), Ok(now - 7 * 86_400_000_000));
        assert_eq!(parse("90s", now), Ok(now - 90_000_000));
        for bad in ["", "d", "7", "yesterday", "-7d", "7é", "2026-13-01", "99999999999999d"] {
            assert!(parse(bad, now).is_err(), "{bad}");
        }
    }
}
