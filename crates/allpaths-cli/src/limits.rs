//! The arguments that say on how many threads a job runs, and how much it may cost: shared by all subcommands that count.

use std::time::Duration;

use allpaths::count::Limits;
use allpaths::embed::Stopped;

use crate::duration;

/// How many threads, and how many steps and how much time at most.
#[derive(clap::Args)]
pub(crate) struct LimitArguments {
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Most steps (vertices visited) to count in one graph up to a length; lengths that take more stay uncounted
    #[arg(long, value_name = "STEPS")]
    budget: Option<u64>,

    /// Most time to count in each input, as in 500ms, 30s, 2m, 1h; what is left then stays uncounted
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time_limit: Option<Duration>,
}

impl LimitArguments {
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { steps: self.budget, time: self.time_limit, ..Limits::default() }
    }
}

/// What to do with a graph that is over its budget.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum OnBudget {
    /// Keep what was finished: the shorter lengths
    Keep,
    /// Leave its row empty
    Skip,
    /// Write nothing
    Fail,
}

impl From<OnBudget> for Stopped {
    fn from(name: OnBudget) -> Self {
        match name {
            OnBudget::Keep => Stopped::Keep,
            OnBudget::Skip => Stopped::Skip,
            OnBudget::Fail => Stopped::Fail,
        }
    }
}
