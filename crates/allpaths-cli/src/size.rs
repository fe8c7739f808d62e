//! Numbers of bytes as people write them.

/// `500MB`, `4GiB`, `1.5 GB`; bytes without a unit.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let unit: u64 = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1000,
        "mb" => 1000_u64.pow(2),
        "gb" => 1000_u64.pow(3),
        "tb" => 1000_u64.pow(4),
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => {
            let unit = text[digits..].trim();
            return Err(format!(
                "unknown unit {unit:?}: use kB, MB, GB, TB, KiB, MiB, GiB or TiB, as in 500MB"
            ));
        }
    };
    let number = text[..digits].trim();
    let expected = || "expected a size such as 500MB or 4GiB".to_owned();
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(unit).ok_or_else(expected);
    }
    let bytes = number.parse::<f64>().map_err(|_| expected())? * unit as f64;
    #[allow(clippy::cast_sign_loss)] // checked in the same line
    if (0.0..1e19).contains(&bytes) { Ok(bytes as u64) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse("500MB"), Ok(500_000_000));
        assert_eq!(parse("4GiB"), Ok(4 << 30));
        assert_eq!(parse("1.5 kb"), Ok(1500));
        assert_eq!(parse("17"), Ok(17));
        assert_eq!(parse("0"), Ok(0));
        assert!(parse("4G").unwrap_err().contains("\"G\""));
        for wrong in ["", "-1MB", "MB", "99999999999999TB", "nan"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
