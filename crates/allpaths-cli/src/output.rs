//! Tables for people, CSV and JSON for programs.

use std::io::{self, Write};

use serde::Serialize;

/// How to print results.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    /// Aligned columns, for people
    Table,
    /// One JSON object a line
    Json,
    /// Comma-separated values with a header, one count a row
    Csv,
}

/// One object on one line.
pub(crate) fn json(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

/// A row of comma-separated values; quoted where they need it.
pub(crate) fn csv(out: &mut impl Write, row: &[String]) -> io::Result<()> {
    let quoted = |field: &String| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.clone(),
    };
    writeln!(out, "{}", row.iter().map(quoted).collect::<Vec<_>>().join(","))
}

/// Rows in aligned columns under a header: the first columns, so many, to the left, numbers to the right.
pub(crate) fn table(
    out: &mut impl Write,
    left: usize,
    header: &[String],
    rows: &[Vec<String>],
) -> io::Result<()> {
    let cells = |column: usize| rows.iter().map(move |row| &row[column]).chain([&header[column]]);
    let widths: Vec<usize> =
        (0..header.len()).map(|c| cells(c).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
    for row in std::iter::once(header).chain(rows.iter().map(Vec::as_slice)) {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            line.push_str(if column == 0 { "" } else { "  " });
            let cell = if column < left { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
            line.push_str(&cell);
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Digits in groups of three.
pub(crate) fn grouped(number: &impl ToString) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A real number for the eye: six digits, whole ones in groups of three.
pub(crate) fn rounded(number: f64) -> String {
    let size = number.abs();
    let sign = if number < 0.0 { "-" } else { "" };
    match size {
        _ if size < 1e15 && size.fract() == 0.0 => format!("{sign}{}", grouped(&size)),
        1e-4..1e15 => {
            let before = (size.log10().floor() + 1.0).max(0.0);
            #[allow(clippy::cast_sign_loss)] // at most 6
            let text = format!("{size:.*}", (6.0 - before).max(0.0) as usize);
            match text.split_once('.') {
                Some((whole, digits)) => {
                    let digits = format!(".{digits}");
                    format!("{sign}{}{}", grouped(&whole), digits.trim_end_matches('0').trim_end_matches('.'))
                }
                None => format!("{sign}{}", grouped(&text)),
            }
        }
        _ => format!("{number:.5e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits() {
        for (number, text) in [
            (0.0, "0"),
            (-1234.0, "-1,234"),
            (0.25, "0.25"),
            (1.0 / 3.0, "0.333333"),
            (-12345.678, "-12,345.7"),
            (1_234_567.8, "1,234,568"),
            (99.999_999_9, "100"),
            (1e-9, "1.00000e-9"),
            (2.5e20, "2.50000e20"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(rounded(number), text);
        }
    }

    #[test]
    fn groups_of_three() {
        assert_eq!(grouped(&7), "7");
        assert_eq!(grouped(&163_164), "163,164");
        assert_eq!(grouped(&1_000_000), "1,000,000");
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let mut out = Vec::new();
        csv(&mut out, &["a,b".into(), "say \"hi\"".into(), "plain".into()]).unwrap();
        assert_eq!(out, b"\"a,b\",\"say \"\"hi\"\"\",plain\n");
    }
}
