//! Sizes as people type them.

/// Reads `4096`, `64M`, `2G`, `1.5GiB`: units are powers of 1024.
///
/// # Errors
/// When it is no size.
pub fn parse(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        other => return Err(format!("`{other}` is no unit; use K, M, G or T, as in 64M")),
    };
    let bad = || "give a size such as 65536, 64M or 2G".to_owned();
    let scale = 1u64 << (10 * unit);
    if let Ok(whole) = digits.trim().parse::<u64>() {
        return whole.checked_mul(scale).filter(|n| *n > 0).ok_or_else(bad);
    }
    let value = digits.trim().parse::<f64>().map_err(|_| bad())? * scale as f64;
    if value.is_finite() && value >= 1.0 && value < u64::MAX as f64 { Ok(value as u64) } else { Err(bad()) }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes() {
        assert_eq!(parse("4096"), Ok(4096));
        assert_eq!(parse("64M"), Ok(64 << 20));
        assert_eq!(parse("2G"), Ok(2 << 30));
        assert_eq!(parse("1.5KiB"), Ok(1536));
        for bad in ["", "M", "12X", "-1", "0", "1e400", "99999999T", "nan"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
