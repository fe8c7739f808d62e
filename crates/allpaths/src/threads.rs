//! Where parallel loops run.
//!
//! All of them are one loop, in which threads take the next items until there are none. Rayon gives the threads; its iterators would be
//! compiled anew for every closure, and there are engines for many tallies: they were a quarter of the library.

use std::cmp::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
        // Already there.
        Some(threads)
            if rayon::current_thread_index().is_some() && rayon::current_num_threads() == threads =>
        {
            Ok(work())
        }
        Some(threads) => match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => Ok(pool.install(work)),
            Err(error) => Err(Error::settings(format!("{threads} threads cannot be started: {error}"))),
        },
    }
}

/// Does something with each of the items, on the threads at hand if there are to be several.
pub(crate) fn each<T>(parallel: bool, items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    fold(parallel, items, || (), |(), item| work(item));
}

/// What becomes of each of the items, in their order.
pub(crate) fn map<T: Send, R: Send>(
    parallel: bool,
    items: impl Iterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    map_with(parallel, items, || (), |(), item| work(item))
}

/// What becomes of each of the items, in their order, where every thread has something of its own to work with.
pub(crate) fn map_with<S: Send, T: Send, R: Send>(
    parallel: bool,
    items: impl Iterator<Item = T>,
    tool: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<R> {
    if !parallel {
        let mut tool = tool();
        return items.map(|item| work(&mut tool, item)).collect();
    }
    let items: Vec<T> = items.collect();
    let mut made: Vec<Option<R>> = items.iter().map(|_| None).collect();
    fold(true, items.into_iter().zip(&mut made), tool, |tool, (item, made)| *made = Some(work(tool, item)));
    made.into_iter().flatten().collect()
}

/// Takes the items one after another into a state of each thread that meets any; returns those states in no order.
pub(crate) fn fold<S: Send, T>(
    parallel: bool,
    items: impl Iterator<Item = T> + Send,
    start: impl Fn() -> S + Sync,
    step: impl Fn(&mut S, T) + Sync,
) -> Vec<S> {
    if !parallel {
        let mut state = start();
        items.for_each(|item| step(&mut state, item));
        return vec![state];
    }
    let (items, states) = (Mutex::new(items), Mutex::new(Vec::new()));
    together(&|| {
        let mut state = None;
        loop {
            let taken = some(&mut *lock(&items));
            if taken.is_empty() {
                break;
            }
            taken.into_iter().for_each(|item| step(state.get_or_insert_with(&start), item));
        }
        lock(&states).extend(state);
    });
    states.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The next few of many items, so that threads seldom wait for each other; the next one of few, as each may be long.
fn some<T>(items: &mut impl Iterator<Item = T>) -> Vec<T> {
    let many = items.size_hint().0 / (64 * rayon::current_num_threads());
    items.take(many.clamp(1, 16)).collect()
}

/// Does the same on every thread at hand.
fn together(work: &(dyn Fn() + Sync)) {
    rayon::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// A panic of another thread ends this one too, soon: what it left is not looked at.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
