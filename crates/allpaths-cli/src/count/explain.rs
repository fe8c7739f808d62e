//! `--explain-engine`: what each engine is expected to take.

use std::io::Write;

use allpaths::count::{Estimate, Wanted};
use allpaths::{Counter, Graph};
use serde::Serialize;

use crate::input::Input;
use crate::output::{self, OutputFormat};

/// What all graphs of an input are expected to take. The fields are those of the JSON output.
#[derive(Serialize)]
pub(super) struct Explanation {
    input: String,
    graphs: usize,
    max_length: usize,
    engines: Vec<Estimate>,
}

impl Explanation {
    pub(super) fn new(input: &Input, graphs: &[Graph], counter: &Counter, wanted: Wanted) -> Self {
        let engines = counter.estimates(graphs, wanted);
        Self { input: input.name(), graphs: graphs.len(), max_length: counter.max_length(), engines }
    }

    pub(super) fn write(
        &self,
        out: &mut impl Write,
        format: OutputFormat,
        with_header: bool,
    ) -> anyhow::Result<()> {
        let seconds = |expected: &Estimate| {
            expected.seconds.map_or_else(String::new, |seconds| format!("{seconds:.1e}"))
        };
        let row = |expected: &Estimate| {
            vec![expected.engine.name().to_owned(), seconds(expected), expected.graphs.to_string()]
        };
        let header = ["engine", "seconds", "graphs"].map(str::to_owned);
        match format {
            OutputFormat::Json => output::json(out, self)?,
            OutputFormat::Csv => {
                if with_header {
                    output::csv(out, &[&["input".to_owned()][..], &header].concat())?;
                }
                for expected in &self.engines {
                    output::csv(out, &[vec![self.input.clone()], row(expected)].concat())?;
                }
            }
            OutputFormat::Table => {
                writeln!(
                    out,
                    "{}: graphs {}, longest length {}\n",
                    self.input, self.graphs, self.max_length
                )?;
                output::table(out, 1, &header, &self.engines.iter().map(row).collect::<Vec<_>>())?;
                writeln!(out)?;
            }
        }
        Ok(())
    }
}
