//! Where parallel loops run.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::{Error, Result};

/// How many threads parallel loops use.
pub(crate) fn count(threads: Option<usize>) -> usize {
    threads.unwrap_or_else(rayon::current_num_threads)
}

/// Runs `work` where its parallel loops use the threads asked for.
///
/// # Errors
///
/// When there are to be none, or when they cannot be started.
pub(crate) fn on<R: Send>(threads: Option<usize>, work: impl FnOnce() -> R + Send) -> Result<R> {
    match threads {
        Some(0) => Err(Error::settings("0 threads cannot count: ask for 1 or more")),
        None | Some(1) => Ok(work()),
        Some(threads) => match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => Ok(pool.install(work)),
            Err(error) => Err(Error::settings(format!("{threads} threads cannot be started: {error}"))),
        },
    }
}

/// Does something with each of the items, on the threads at hand unless there is to be one.
pub(crate) fn map<T: Send, R: Send>(
    threads: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    match threads {
        1 => items.into_iter().map(work).collect(),
        _ => items.into_par_iter().map(work).collect(),
    }
}

/// Sorts items of which no two that are equal differ, on the threads at hand unless there is to be one.
pub(crate) fn sort_by<T: Send>(
    threads: usize,
    items: &mut [T],
    order: impl Fn(&T, &T) -> Ordering + Sync + Send,
) {
    match threads {
        1 => items.sort_unstable_by(order),
        _ => items.par_sort_unstable_by(order),
    }
}
