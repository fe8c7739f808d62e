//! A report as CSV, one number a row and column, and as tables for people.

use std::borrow::Cow;
use std::io::{self, Write};

use allpaths::count::{Convention, Count};

use super::report::{GraphReport, Lengths, PairReport, Real, Report};
use crate::output::{self, grouped, rounded};

/// Numbers by length under their names in a table and in CSV.
struct Column<'a> {
    title: &'static str,
    name: &'static str,
    numbers: Numbers<'a>,
}

enum Numbers<'a> {
    Counts(&'a [Option<Count>]),
    Reals(&'a [Option<Real>]),
}

impl Numbers<'_> {
    fn is_known(&self, length: usize) -> bool {
        match self {
            Numbers::Counts(counts) => counts[length].is_some(),
            Numbers::Reals(reals) => reals[length].is_some(),
        }
    }

    /// All digits, for programs.
    fn exact(&self, length: usize) -> String {
        match self {
            Numbers::Counts(counts) => text(counts[length].as_ref(), ToString::to_string),
            Numbers::Reals(reals) => text(reals[length].as_ref(), |real| real.text(|x| format!("{x:?}"))),
        }
    }

    fn readable(&self, length: usize) -> String {
        match self {
            Numbers::Counts(counts) => text(counts[length].as_ref(), grouped),
            Numbers::Reals(reals) => text(reals[length].as_ref(), |real| real.text(rounded)),
        }
    }
}

/// A number, or a blank for a length that was left unfinished.
fn text<N>(number: Option<&N>, print: impl Fn(&N) -> String) -> String {
    number.map_or_else(String::new, print)
}

/// What a row is of, and its numbers.
type Row<'a> = (Vec<String>, Cow<'a, Lengths>);

impl Report<'_> {
    /// One row for every combination of what was asked for and length.
    pub(super) fn write_csv(&self, out: &mut impl Write, with_header: bool) -> io::Result<()> {
        let Some((keys, rows)) = self.rows(|number| number.to_string()) else {
            return self.write_csv_of_totals(out, with_header);
        };
        if with_header {
            let columns = self.counts.columns().map(|(name, _)| name);
            let names = ["input"].into_iter().chain(keys.iter().copied()).chain(["length"]).chain(columns);
            output::csv(out, &names.map(str::to_owned).collect::<Vec<_>>())?;
        }
        for (keys, counts) in rows {
            for length in 0..=self.max_length {
                let row = [self.input.clone()].into_iter().chain(keys.clone()).chain([length.to_string()]);
                let numbers = counts.columns().map(|(_, counts)| Numbers::Counts(counts).exact(length));
                output::csv(out, &row.chain(numbers).collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }

    fn write_csv_of_totals(&self, out: &mut impl Write, with_header: bool) -> io::Result<()> {
        let columns = self.columns();
        if with_header {
            let names = ["input", "length"].into_iter().chain(columns.iter().map(|column| column.name));
            output::csv(out, &names.map(str::to_owned).collect::<Vec<_>>())?;
        }
        for length in 0..=self.max_length {
            let numbers = columns.iter().map(|column| column.numbers.exact(length));
            let row = [self.input.clone(), length.to_string()].into_iter().chain(numbers);
            output::csv(out, &row.collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// A title and a table; a blank line before, unless it is the first.
    pub(super) fn write_table(&self, out: &mut impl Write, first: bool) -> io::Result<()> {
        if !first {
            writeln!(out)?;
        }
        writeln!(out, "{}", self.title())?;
        if self.default_length {
            writeln!(out, "lengths up to {}, the default: --max-length sets another", self.max_length)?;
        }
        writeln!(out)?;
        match self.rows(|number| grouped(&number)) {
            Some((keys, rows)) => self.write_wide(out, keys, rows),
            None => self.write_long(out),
        }
    }

    /// The rows of vertices, pairs or graphs, under the names of what tells them apart; nothing if there are only totals.
    #[allow(clippy::type_complexity)]
    fn rows(
        &self,
        number: fn(usize) -> String,
    ) -> Option<(&'static [&'static str], Box<dyn Iterator<Item = Row<'_>> + '_>)> {
        if let Some(vertices) = &self.by_vertex {
            let rows = vertices.iter().map(|v| (vec![v.vertex.clone()], Cow::Borrowed(&v.counts)));
            return Some((&["vertex"], Box::new(rows)));
        }
        if let Some(pairs) = &self.by_pair {
            let row = |pair: PairReport<'_>| {
                (vec![pair.source.into_owned(), pair.target.into_owned()], Cow::Owned(pair.counts))
            };
            return Some((&["source", "target"], Box::new(pairs.iter().map(row))));
        }
        let graphs = self.per_graph.as_ref()?;
        let key = move |g: &GraphReport| vec![g.graph.to_string(), number(g.vertices), number(g.edges)];
        let rows = graphs.iter().map(move |g| (key(g), Cow::Borrowed(&g.counts)));
        Some((&["graph", "vertices", "edges"], Box::new(rows)))
    }

    fn title(&self) -> String {
        let kind = if self.directed { "directed" } else { "undirected" };
        let graphs =
            if self.graphs == 1 { String::new() } else { format!("{} graphs, ", grouped(&self.graphs)) };
        let what = match (&self.pair, self.convention) {
            (Some([first, last]), _) => format!("; paths from {first} to {last}"),
            (None, Convention::Distinct) => String::new(),
            (None, Convention::Rooted) => "; rooted counts".to_owned(),
        };
        let (vertices, edges) = (grouped(&self.vertices), grouped(&self.edges));
        format!("{}: {graphs}{vertices} vertices, {edges} edges, {kind}{what}", self.input)
    }

    /// The totals, and beside them those of each sign and the sums of weights.
    fn columns(&self) -> Vec<Column<'_>> {
        let (all, signs, sums) = (&self.counts, self.signs.as_ref(), self.weighted.as_ref());
        let counts = [
            ("paths", "paths", all.paths.as_ref()),
            ("paths+", "positive_paths", signs.and_then(|signs| signs.positive.paths.as_ref())),
            ("paths-", "negative_paths", signs.and_then(|signs| signs.negative.paths.as_ref())),
            ("cycles", "cycles", all.cycles.as_ref()),
            ("cycles+", "positive_cycles", signs.and_then(|signs| signs.positive.cycles.as_ref())),
            ("cycles-", "negative_cycles", signs.and_then(|signs| signs.negative.cycles.as_ref())),
        ];
        let reals = [
            ("balance", signs.and_then(|signs| signs.balance.as_ref())),
            ("weighted_paths", sums.and_then(|sums| sums.paths.as_ref())),
            ("weighted_cycles", sums.and_then(|sums| sums.cycles.as_ref())),
        ];
        let counts = counts.into_iter().filter_map(|(title, name, counts)| {
            Some(Column { title, name, numbers: Numbers::Counts(counts?) })
        });
        let reals = reals
            .into_iter()
            .filter_map(|(name, reals)| Some(Column { title: name, name, numbers: Numbers::Reals(reals?) }));
        counts.chain(reals).collect()
    }

    /// A row for each length.
    fn write_long(&self, out: &mut impl Write) -> io::Result<()> {
        let columns = self.columns();
        let titles = columns.iter().map(|column| column.title);
        let header: Vec<String> = ["length"].into_iter().chain(titles).map(str::to_owned).collect();
        let row = |length: usize| {
            let numbers = columns.iter().map(|column| column.numbers.readable(length));
            [length.to_string()].into_iter().chain(numbers).collect()
        };
        let finished = |length: &usize| columns.iter().any(|column| column.numbers.is_known(*length));
        let lengths: Vec<usize> = (0..=self.max_length).filter(finished).collect();
        output::table(out, 1, &header, &lengths.iter().map(|&length| row(length)).collect::<Vec<_>>())?;
        match (lengths.len(), self.max_length) {
            (first, last) if first < last => writeln!(out, "lengths {first} to {last} were not counted"),
            (first, last) if first == last => writeln!(out, "length {last} was not counted"),
            _ => Ok(()),
        }
    }

    /// A row for each vertex, pair or graph, a column for each length of which there is any.
    fn write_wide<'a>(
        &self,
        out: &mut impl Write,
        keys: &[&str],
        rows: impl Iterator<Item = Row<'a>>,
    ) -> io::Result<()> {
        let columns: Vec<(&str, usize)> = self
            .counts
            .columns()
            .flat_map(|(name, counts)| {
                let any = |length: &usize| *length > 0 && counts[*length] != Some(Count::ZERO);
                (0..=self.max_length).filter(any).map(move |length| (name, length))
            })
            .collect();
        let titles = columns.iter().map(|(name, length)| format!("{name}({length})"));
        let header: Vec<String> = keys.iter().map(|&key| key.to_owned()).chain(titles).collect();
        let cell = |counts: &Lengths, name: &str, length: usize| {
            let found = counts.columns().find(|(known, _)| *known == name);
            found.map_or_else(String::new, |(_, counts)| Numbers::Counts(counts).readable(length))
        };
        let rows: Vec<Vec<String>> = rows
            .map(|(mut row, counts)| {
                row.extend(columns.iter().map(|&(name, length)| cell(&counts, name, length)));
                row
            })
            .collect();
        let names = if keys.len() == 2 { 2 } else { 1 };
        output::table(out, names, &header, &rows)
    }
}
