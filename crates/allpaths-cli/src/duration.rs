//! Lengths of time as people write them.

use std::time::Duration;

/// `30s`, `500ms`, `2m`, `1.5h`; seconds without a unit.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let unit = match text[digits..].trim() {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("unknown unit {other:?}: use ms, s, m or h, as in 30s")),
    };
    let number: f64 =
        text[..digits].trim().parse().map_err(|_| "expected a time such as 30s or 2m".to_owned())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "expected a time such as 30s or 2m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse("0"), Ok(Duration::ZERO));
        assert!(parse("-1s").is_err());
        assert!(parse("3 weeks").unwrap_err().contains("weeks"));
        assert!(parse("").is_err());
    }
}
