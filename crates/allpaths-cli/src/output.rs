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

/// Rows in aligned columns under a header: the first column to the left, numbers to the right.
pub(crate) fn table(out: &mut impl Write, header: &[String], rows: &[Vec<String>]) -> io::Result<()> {
    let cells = |column: usize| rows.iter().map(move |row| &row[column]).chain([&header[column]]);
    let widths: Vec<usize> =
        (0..header.len()).map(|c| cells(c).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
    for row in std::iter::once(header).chain(rows.iter().map(Vec::as_slice)) {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let cell = if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
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

#[cfg(test)]
mod tests {
    use super::*;

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
