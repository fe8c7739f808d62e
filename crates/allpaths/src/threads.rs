//! Where parallel loops run.
//!
//! All of them are one loop, in which threads take the next items until there are none. Threads are started for a loop and end with it,
//! as long as fewer are at work than the call may use. A thread that goes through a loop starts another when there is room again: so a
//! loop inside another gets the threads that the outer one has no more work for. Nothing stays behind that a fork would break.
//!
//! Threads of a pool sleep between loops, and where one wakes another, the two may share a processor for many milliseconds while the next
//! one idles. So may one that has just been started and one that works on. So whoever starts threads waits until they are under way, and
//! keeps its processor busy meanwhile, for they are to get others. One that is not under way soon is taken to wait for this
//! processor: then one more is started, which nearly always gets another, and this one sleeps until all have ended.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, Scope};
use std::time::{Duration, Instant};

use crate::{Error, Result};

/// For how long to wait for threads that have been started. Where they share no processor they take 0.04 to 0.16 ms.
const PATIENCE: Duration = Duration::from_micros(200);

/// How many threads parallel loops use.
pub(crate) fn count(threads: Option<usize>) -> usize {
    static PROCESSORS: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, std::num::NonZero::get));
    threads.or_else(|| Crew::here().map(|crew| crew.size)).unwrap_or_else(|| *PROCESSORS)
}

/// Runs `work` where its parallel loops use the threads asked for.
///
/// # Errors
///
/// When there are to be none.
pub(crate) fn on<R>(threads: Option<usize>, work: impl FnOnce() -> R) -> Result<R> {
    match count(threads) {
        0 => Err(Error::settings("0 threads cannot count: ask for 1 or more")),
        size => Ok(Crew::at_work(size, |_| work())),
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
    Crew::at_work(count(None), |crew| {
        let most = items.size_hint().1.unwrap_or(usize::MAX);
        let (items, states) = (Mutex::new(items), Mutex::new(Vec::new()));
        crew.share(most, &|member| {
            let mut state = None;
            while member.may_stay() {
                let (taken, are_more) = some(crew.size, &mut *lock(&items));
                if taken.is_empty() {
                    break;
                }
                if are_more {
                    member.calls(false);
                }
                taken.into_iter().for_each(|item| step(state.get_or_insert_with(&start), item));
            }
            lock(&states).extend(state);
        });
        states.into_inner().unwrap_or_else(PoisonError::into_inner)
    })
}

/// The next few of many items, so that threads seldom wait for each other, and the next one of few, as each may be long; and whether there
/// may be more.
fn some<T>(threads: usize, items: &mut impl Iterator<Item = T>) -> (Vec<T>, bool) {
    let many = items.size_hint().0 / (64 * threads);
    let taken = items.take(many.clamp(1, 16)).collect();
    (taken, items.size_hint().1 != Some(0))
}

/// The threads that a call may use.
struct Crew {
    size: usize,
    /// How many are at work: more when one that waited for others is back and nobody has left for it yet.
    busy: AtomicUsize,
}

thread_local! {
    /// The crew that this thread is one of.
    static CREW: RefCell<Option<Arc<Crew>>> = const { RefCell::new(None) };
}

impl Crew {
    fn here() -> Option<Arc<Self>> {
        CREW.with_borrow(Clone::clone)
    }

    /// Does something as one of so many: of those there are, or of a crew of its own.
    fn at_work<R>(size: usize, work: impl FnOnce(&Arc<Self>) -> R) -> R {
        match Self::here().filter(|crew| crew.size == size) {
            Some(crew) => work(&crew),
            None => {
                let crew = Arc::new(Self { size, busy: AtomicUsize::new(1) });
                crew.enter(|| work(&crew))
            }
        }
    }

    fn enter<R>(self: &Arc<Self>, work: impl FnOnce() -> R) -> R {
        struct Before(Option<Arc<Crew>>);

        impl Drop for Before {
            fn drop(&mut self) {
                CREW.set(self.0.take());
            }
        }

        let _before = Before(CREW.replace(Some(self.clone())));
        work()
    }

    /// Does the work of a loop of at most so many items: here, and on as many new threads as there is room for.
    fn share(self: &Arc<Self>, most: usize, work: &(dyn Fn(&Member<'_, '_>) + Sync)) {
        let started = AtomicUsize::new(0);
        thread::scope(|scope| {
            let caller = Member { crew: self, scope, started: &started, work, stays: true };
            let called = (1..most).take_while(|_| caller.calls(false)).count();
            let since = Instant::now();
            let some_wait = || started.load(Relaxed) < called;
            while some_wait() && since.elapsed() < PATIENCE {
                hint::spin_loop();
            }
            if !(some_wait() && caller.hands_over()) {
                work(&caller);
                self.leave();
            }
        });
        self.come_back();
    }

    /// Makes room for another: whoever waits does, too.
    fn leave(&self) {
        self.busy.fetch_sub(1, Relaxed);
    }

    fn come_back(&self) {
        self.busy.fetch_add(1, Relaxed);
    }
}

/// One of the threads that go through a loop.
struct Member<'scope, 'env> {
    crew: &'scope Arc<Crew>,
    scope: &'scope Scope<'scope, 'env>,
    /// How many threads of this loop are under way.
    started: &'scope AtomicUsize,
    work: &'scope (dyn Fn(&Member<'_, '_>) + Sync),
    /// Whether it is there until nothing is left to do, as one of a loop has to be.
    stays: bool,
}

impl Member<'_, '_> {
    /// Has another thread go through the loop in place of this one, to the end.
    fn hands_over(&self) -> bool {
        self.crew.leave();
        let is_replaced = self.calls(true);
        if !is_replaced {
            self.crew.come_back();
        }
        is_replaced
    }

    /// Has another thread go through the loop, if there is room for one.
    fn calls(&self, stays: bool) -> bool {
        let &Self { crew, scope, started, work, .. } = self;
        let one_more = |busy| (busy < crew.size).then(|| busy + 1);
        if crew.busy.fetch_update(Relaxed, Relaxed, one_more).is_err() {
            return false;
        }
        let called = move || {
            started.fetch_add(1, Relaxed);
            crew.enter(|| work(&Member { crew, scope, started, work, stays }));
            crew.leave();
        };
        let is_there = Builder::new().spawn_scoped(scope, called).is_ok();
        if !is_there {
            crew.leave();
        }
        is_there
    }

    /// Whether there is still room for this thread.
    fn may_stay(&self) -> bool {
        self.stays || self.crew.busy.load(Relaxed) <= self.crew.size
    }
}

/// A panic of another thread ends this one too, soon: what it left is not looked at.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sorts items of which no two that are equal differ, on the threads at hand unless there is to be one.
pub(crate) fn sort_by<T: Send>(threads: usize, items: &mut [T], order: impl Fn(&T, &T) -> Ordering + Sync) {
    if threads == 1 {
        return items.sort_unstable_by(order);
    }
    let share = items.len().div_ceil(threads).max(1);
    each(true, items.chunks_mut(share), |items| items.sort_unstable_by(&order));
    // This one finds what is in order already, and merges.
    items.sort_by(order);
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn items_meet_on_as_many_threads_as_asked_for() {
        for threads in [2, 3, 5] {
            // Whoever waits here waits for all others.
            let all = Barrier::new(threads);
            on(Some(threads), || each(true, 0..3 * threads, |_| _ = all.wait())).unwrap();
        }
    }

    #[test]
    fn a_loop_inside_another_gets_the_threads_that_are_left() {
        let both = Barrier::new(2);
        let inner = |_| each(true, 0..2, |_| _ = both.wait());
        on(Some(2), || each(true, 0..1, inner)).unwrap();
    }

    #[test]
    fn a_loop_that_is_handed_over_is_done_by_one_that_stays() {
        let crew = Arc::new(Crew { size: 2, busy: AtomicUsize::new(1) });
        let (started, stayed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |member: &Member<'_, '_>| {
            stayed.fetch_add(usize::from(member.stays), Relaxed);
        };
        thread::scope(|scope| {
            let caller = Member { crew: &crew, scope, started: &started, work: &work, stays: true };
            assert!(caller.hands_over());
        });
        assert_eq!((started.into_inner(), stayed.into_inner()), (1, 1));
        assert_eq!(crew.busy.load(Relaxed), 0);
    }

    #[test]
    fn results_are_in_order_and_states_hold_each_item_once() {
        for threads in [1, 2, 7] {
            on(Some(threads), || {
                let tens = map(true, 0..5000, |i| map(true, 10 * i..10 * i + 2, |j| j));
                assert!(tens.iter().enumerate().all(|(i, found)| *found == [10 * i, 10 * i + 1]));
                let mut taken = fold(true, 0..5000, Vec::new, Vec::push).concat();
                taken.sort_unstable();
                assert!(taken.into_iter().eq(0..5000));
            })
            .unwrap();
        }
    }

    #[test]
    fn a_panic_on_any_thread_is_one_of_the_caller_and_leaves_its_threads() {
        let both = Barrier::new(2);
        let fail = |_| {
            both.wait();
            panic!("as it should");
        };
        let failed = catch_unwind(AssertUnwindSafe(|| on(Some(2), || each(true, 0..2, fail))));
        assert!(failed.is_err());
        items_meet_on_as_many_threads_as_asked_for();
    }

    #[test]
    fn parts_that_are_sorted_are_merged() {
        let mut numbers: Vec<u32> = (0..1001u32).map(|i| i.wrapping_mul(0x9e37_79b1) >> 20).collect();
        let mut expected = numbers.clone();
        expected.sort_unstable();
        on(Some(3), || sort_by(3, &mut numbers, Ord::cmp)).unwrap();
        assert_eq!(numbers, expected);
        sort_by(2, &mut Vec::<u32>::new(), Ord::cmp);
    }
}
