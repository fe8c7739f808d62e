//! The program `allpaths`: one file for each subcommand, which parses its arguments, calls the library and
//! prints.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 a fault of the
//! program, 2 usage, 3 input, 4 stopped early.

mod completions;
mod convert;
mod count;
mod datasets;
mod duration;
mod embed;
mod embedding;
mod engine;
mod estimate;
mod evaluate;
mod explain;
mod features;
mod format;
mod gram;
mod grid;
mod index;
mod input;
mod kernel;
mod kernels;
mod limits;
mod output;
mod parts;
mod predict;
mod reproduce;
mod similar;
mod size;
mod train;
mod view;
mod watch;

use std::process::ExitCode;

use allpaths::count::Outcome;
use clap::{Parser, Subcommand};
use output::grouped;

/// Counts simple paths and cycles in graphs, exactly.
#[derive(Parser)]
#[command(name = "allpaths", version, max_term_width = 100, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Count(count::Arguments),
    Estimate(estimate::Arguments),
    Embed(Box<embed::Arguments>),
    Features(features::Arguments),
    Gram(Box<gram::Arguments>),
    Evaluate(Box<evaluate::Arguments>),
    Train(Box<train::Arguments>),
    Predict(predict::Arguments),
    Explain(Box<explain::Arguments>),
    View(Box<view::Arguments>),
    Reproduce(reproduce::Arguments),
    Similar(Box<similar::Arguments>),
    Index(Box<index::Arguments>),
    Kernels(kernels::Arguments),
    Convert(convert::Arguments),
    Datasets(datasets::Arguments),
    Completions(completions::Arguments),
}

/// How a run ended, where it did not fail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    All,
    StoppedEarly,
}

impl Done {
    /// By how counting ended in each graph, which is said where it is not complete in all of them.
    fn of(outcomes: &[Outcome]) -> Self {
        let outcome = outcomes.iter().copied().max().unwrap_or_default();
        if outcome == Outcome::Complete {
            return Self::All;
        }
        let incomplete = outcomes.iter().filter(|&&outcome| outcome != Outcome::Complete).count();
        Self::incomplete(incomplete as u64, outcomes.len() as u64, outcome)
    }

    /// Some graphs are not complete, and the gravest reason why.
    fn incomplete(incomplete: u64, graphs: u64, outcome: Outcome) -> Self {
        let (incomplete, graphs) = (grouped(&incomplete), grouped(&graphs));
        eprintln!("allpaths: {incomplete} of {graphs} graphs are not complete: {}", outcome.name());
        Self::StoppedEarly
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Count(arguments) => count::run(&arguments),
        Command::Estimate(arguments) => estimate::run(&arguments),
        Command::Embed(arguments) => embed::run(&arguments),
        Command::Features(arguments) => features::run(&arguments),
        Command::Gram(arguments) => gram::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::View(arguments) => view::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::Similar(arguments) => similar::run(&arguments),
        Command::Index(arguments) => index::run(&arguments),
        Command::Kernels(arguments) => kernels::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Datasets(arguments) => datasets::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    match result {
        Ok(Done::All) => ExitCode::SUCCESS,
        Ok(Done::StoppedEarly) => ExitCode::from(4),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("allpaths: {error:#}{}", advice(&error));
            ExitCode::from(exit_code(&error))
        }
    }
}

fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Usage>() {
        return 2;
    }
    if error.is::<input::Missing>() {
        return 3;
    }
    match error.downcast_ref::<allpaths::Error>() {
        Some(error) if error.is_usage() => 2,
        Some(error) if error.is_stopped() => 4,
        Some(_) => 3,
        None => 1,
    }
}

/// What to do about an error, where our arguments have something for it.
fn advice(error: &anyhow::Error) -> &'static str {
    match error.downcast_ref::<allpaths::Error>() {
        Some(error) if error.is_past_limit() => ": raise --max-input if that is meant",
        _ => "",
    }
}

/// Whoever read our output has seen enough (`allpaths ... | head`).
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}

/// Arguments that cannot be followed, found out only after the input was read.
#[derive(Debug)]
struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}
