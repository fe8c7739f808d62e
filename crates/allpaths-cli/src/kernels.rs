//! `allpaths kernels`: what kernels there are.

use std::io::Write;

use allpaths::kernel::CATALOGUE;

use crate::Done;

/// List the kernels: what they count and see, what they cost, where they are defined
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<Done> {
    let mut out = std::io::stdout().lock();
    for (i, kernel) in CATALOGUE.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", kernel.name)?;
        let lines = [
            ("counts", kernel.counts),
            ("settings", kernel.settings),
            ("sees", kernel.sees),
            ("takes time for", kernel.complexity),
            ("defined in", kernel.reference),
        ];
        for (what, text) in lines {
            writeln!(out, "  {what:<15} {text}")?;
        }
    }
    Ok(Done::All)
}
