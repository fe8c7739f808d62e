//! The machine: from the states of one frontier to those of the next, until no vertex is left.

use std::sync::{Mutex, PoisonError};

use super::amounts::{Amounts, Row};
use super::batch::{Batch, Item};
use super::bound::{Bound, Shape};
use super::order::Order;
use super::plan::{FAR, Packing, Step, Steps, Task};
use super::state::{DONE, Made, Settled, State, UNTOUCHED, beginning, edges};
use super::table::{Lengths, Table, hash};
use super::weights::{Choice, Weights};
use crate::count::limits::{Allowance, Memory, Meter, Outcome};
use crate::threads;

/// What paths and cycles of each length amount to, each once.
pub(super) type Found<A> = [A; 2];

/// Into how many tables many states go: each is dropped when it was gone through, and threads seldom meet at one.
const TABLES: usize = 64;

/// So many states go into one table.
const FEW: usize = 2048;

/// How a run is to be done.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a> {
    pub(super) allowance: &'a Allowance<'a>,
    /// The most memory that states may take.
    pub(super) bytes: u64,
    pub(super) parallel: bool,
    /// How much of the run this is.
    pub(super) share: f64,
}

/// Counts or weighs what a task asks for, one vertex after the other. `class` numbers twins alike.
///
/// # Errors
///
/// With the outcome, when time, steps or memory were not enough.
pub(super) fn run<W: Weights>(
    task: &Task,
    weights: &W,
    order: &Order,
    class: &[u32],
    conditions: Conditions<'_>,
) -> Result<Found<W::Amounts>, Outcome> {
    let memory = Memory::new(conditions.bytes);
    let (mut packing, key) = beginning(task);
    let mut first = Table::<W::Amounts>::new(packing.words, task.stride);
    let (state, one) = (first.insert(hash(&key), &key, 0, 1), W::Amounts::one());
    let lengths = Lengths { shortest: 0, stride: task.stride, amounts: one.row(0..1) };
    first.add(state, lengths, &W::Amounts::unit());
    memory.count(0, first.bytes());
    let mut layer = vec![first];
    let found = Mutex::new(nothing(task.longest));
    for step in &mut Steps::new(task, order, class) {
        let states: usize = layer.iter().map(Table::len).sum();
        let tables = if states <= FEW { 1 } else { TABLES };
        let table = || {
            let table = Table::new(step.after.packing.words, task.stride);
            memory.count(0, table.bytes());
            Mutex::new(table)
        };
        let next: Vec<_> = (0..tables).map(|_| table()).collect();
        let pass = Pass::<W> {
            task,
            step: &step,
            at: weights.at(&step),
            packing,
            next: &next,
            memory: &memory,
            found: &found,
            conditions,
        };
        let go_through = |table: Table<W::Amounts>| {
            pass.table(&table);
            memory.count(table.bytes(), 0);
        };
        threads::each(conditions.parallel && layer.len() > 1, layer.into_iter(), go_through);
        if memory.is_full() {
            conditions.allowance.give_up(Outcome::Memory);
        }
        match conditions.allowance.outcome() {
            Outcome::Complete => {}
            stopped => return Err(stopped),
        }
        layer = next
            .into_iter()
            .map(|table| table.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        packing = step.after.packing;
        conditions.allowance.advance(conditions.share / task.rows.len() as f64);
    }
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// One step of a run.
struct Pass<'a, W: Weights> {
    task: &'a Task,
    step: &'a Step,
    at: W::AtStep,
    packing: Packing,
    next: &'a [Mutex<Table<W::Amounts>>],
    memory: &'a Memory,
    found: &'a Mutex<Found<W::Amounts>>,
    conditions: Conditions<'a>,
}

impl<W: Weights> Pass<'_, W> {
    /// Takes all states of a table through the step.
    fn table<'t>(&'t self, table: &'t Table<W::Amounts>) {
        let mut worker: Worker<'t, W> = Worker {
            pass: self,
            settled: Settled::new(),
            key: vec![0; self.step.after.packing.words],
            batches: self.next.iter().map(|_| Batch::new()).collect(),
            bound: Bound::new(),
            groups: Vec::new(),
            found: None,
            taken: 0,
        };
        let mut state = State::new();
        let mut meter: Meter<'_> = self.conditions.allowance.meter();
        for number in 0..table.len() {
            let lengths = table.lengths(number).trimmed();
            if lengths.amounts.is_empty() {
                continue;
            }
            state.unpack(table.key(number), self.packing, self.step.vertices.len());
            worker.expand(&state, lengths);
            meter.spend(std::mem::take(&mut worker.taken));
            if meter.stopped() || self.memory.is_full() {
                break;
            }
        }
        for table in 0..worker.batches.len() {
            if !worker.batches[table].is_empty() {
                worker.hand_in(table);
            }
        }
        if let Some(mine) = worker.found {
            let mut all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            add(&mut all, &mine);
        }
    }
}

/// Nothing of any length.
pub(super) fn nothing<A: Amounts>(longest: usize) -> Found<A> {
    [0, 1].map(|_| A::zeros(longest + 1))
}

/// Adds what was found elsewhere.
pub(super) fn add<A: Amounts>(all: &mut Found<A>, more: &Found<A>) {
    for (all, more) in all.iter_mut().zip(more) {
        all.add(0..all.len(), more.row(0..more.len()), &A::unit());
    }
}

/// A neighbour, and how many there are like it.
#[derive(Clone, Copy)]
struct Group {
    place: u8,
    twin: u8,
    kind: u8,
    count: u32,
}

/// What a transition multiplies by.
type Factor<W> = <<W as Weights>::Amounts as Amounts>::Factor;

/// The amounts of a state.
type Held<'a, W> = Lengths<<<W as Weights>::Amounts as Amounts>::Row<'a>>;

struct Worker<'a, W: Weights> {
    pass: &'a Pass<'a, W>,
    settled: Settled,
    key: Vec<u64>,
    /// For each table, what goes into it.
    batches: Vec<Batch<'a, W::Amounts>>,
    bound: Bound,
    groups: Vec<Group>,
    found: Option<Found<W::Amounts>>,
    /// How many transitions there were.
    taken: u64,
}

impl<'a, W: Weights> Worker<'a, W> {
    /// Decides on the edges of the vertex in every way.
    fn expand(&mut self, state: &State, lengths: Held<'a, W>) {
        let Pass { task, step: Step { vertex, .. }, at, .. } = self.pass;
        let can_end = task.has_free_ends() && state.ends < 2 && W::may_end(at);
        let factor = |joined: &[u8], is_end, times| W::factor(at, Choice { state, joined, is_end, times });
        match state.mates[*vertex as usize] {
            DONE => self.emit(state, Some(Made::State), lengths, 0, W::Amounts::unit()),
            UNTOUCHED => {
                self.emit(state, Some(Made::State), lengths, 0, W::Amounts::unit());
                self.group(state);
                if can_end {
                    for i in 0..self.groups.len() {
                        let Group { place, count, .. } = self.groups[i];
                        let mut next = *state;
                        let made = next.start(place);
                        self.emit(&next, made, lengths, 1, factor(&[place], true, count));
                    }
                }
                self.pass_through(state, lengths);
            }
            _ => {
                if can_end {
                    let mut next = *state;
                    let made = next.stop(*vertex);
                    self.emit(&next, made, lengths, 0, factor(&[], true, 1));
                }
                self.group(state);
                for i in 0..self.groups.len() {
                    let Group { place, count, .. } = self.groups[i];
                    let mut next = *state;
                    let made = next.go_on(*vertex, place);
                    self.emit(&next, made, lengths, 1, factor(&[place], false, count));
                }
            }
        }
    }

    /// Neighbours that can be joined, twins of the same kind as one.
    fn group(&mut self, state: &State) {
        let Step { neighbours, twin, .. } = self.pass.step;
        self.groups.clear();
        for &place in neighbours.iter().filter(|&&place| state.mates[place as usize] != DONE) {
            let (twin, kind) = (twin[place as usize], state.kind(place, twin));
            match self.groups.iter_mut().find(|group| group.twin == twin && group.kind == kind) {
                Some(group) => group.count += 1,
                None => self.groups.push(Group { place, twin, kind, count: 1 }),
            }
        }
    }

    /// Joins the vertex, untouched, to two neighbours.
    fn pass_through(&mut self, state: &State, lengths: Held<'a, W>) {
        let Pass { step: Step { neighbours, twin, .. }, at, .. } = self.pass;
        let factor = |joined: &[u8], times| W::factor(at, Choice { state, joined, is_end: false, times });
        let joins = |one: u8, other: u8| state.mates[one as usize] == other;
        for i in 0..self.groups.len() {
            let one = self.groups[i];
            for j in i..self.groups.len() {
                let group = self.groups[j];
                // Of those like the other, the mate of the one is the only one that closes a cycle.
                let in_group =
                    |place: u8| twin[place as usize] == group.twin && state.kind(place, twin) == group.kind;
                let mate =
                    neighbours.iter().copied().find(|&place| joins(one.place, place) && in_group(place));
                if let Some(mate) = mate {
                    let mut next = *state;
                    let made = next.pass(one.place, mate);
                    let times = if i == j { one.count / 2 } else { one.count };
                    self.emit(&next, made, lengths, 2, factor(&[one.place, mate], times));
                }
                let others = group.count - u32::from(mate.is_some()) - u32::from(i == j);
                if others == 0 {
                    continue;
                }
                let is_other = |place: u8| place != one.place && !joins(one.place, place) && in_group(place);
                let candidates = neighbours.iter().copied();
                let other = match i == j || mate.is_some() {
                    false => group.place,
                    true => candidates.clone().find(|&place| is_other(place)).expect("there is another"),
                };
                let mut next = *state;
                let made = next.pass(one.place, other);
                let pairs = one.count * others;
                let times = if i == j { pairs / 2 } else { pairs };
                self.emit(&next, made, lengths, 2, factor(&[one.place, other], times));
            }
        }
    }

    /// Books what a transition made, with so many edges more and what they weigh.
    fn emit(
        &mut self,
        state: &State,
        made: Option<Made>,
        lengths: Held<'a, W>,
        edges: usize,
        factor: Factor<W>,
    ) {
        self.taken += 1;
        let pass = self.pass;
        let lengths = Lengths { shortest: lengths.shortest + edges, ..lengths };
        match made {
            // Each piece takes an edge to the next.
            Some(Made::State) if lengths.shortest + state.pieces as usize <= pass.task.longest + 1 => {
                self.keep(state, lengths, factor);
            }
            Some(Made::Path) if pass.task.paths => self.book(0, lengths, &factor),
            Some(Made::Cycle) if pass.task.cycles => self.book(1, lengths, &factor),
            None | Some(_) => {}
        }
    }

    fn book(&mut self, what: usize, lengths: Held<'a, W>, factor: &Factor<W>) {
        let found = &mut self.found.get_or_insert_with(|| nothing(self.pass.task.longest))[what];
        // One by one, since they may be for every second length.
        for (at, amount) in
            (lengths.shortest..found.len()).step_by(lengths.stride).zip(lengths.amounts.each())
        {
            found.add(at..at + 1, amount, factor);
        }
    }

    /// Adds to a state of the next frontier.
    fn keep(&mut self, state: &State, lengths: Held<'a, W>, factor: Factor<W>) {
        let Pass { step, next, .. } = self.pass;
        self.settled.settle(state, step);
        self.settled.pack(step.after.packing, &mut self.key);
        let hash = hash(&self.key);
        // Not the bits that the table itself looks at first.
        let table = (hash >> 26) as usize & (next.len() - 1);
        let item = Item { hash, lengths, factor, pieces: state.pieces };
        if self.batches[table].push(&self.key, self.settled.mates(&step.after), item) {
            self.hand_in(table);
        }
    }

    /// Hands in what there is for a table.
    fn hand_in(&mut self, table: usize) {
        let Pass { task, step, next, memory, .. } = self.pass;
        let batch = &mut self.batches[table];
        let mut table = next[table].lock().unwrap_or_else(PoisonError::into_inner);
        let before = table.bytes();
        batch.fetch(&table);
        for (key, mates, item) in batch.iter() {
            let &Item { hash, lengths, ref factor, pieces } = item;
            let number = table.find(hash, key).or_else(|| {
                let shape = if task.paths { Shape::Path } else { Shape::Cycle };
                let most = task.longest.saturating_sub(lengths.shortest).min(FAR as usize - 1) as u32;
                let far = &step.after.distance;
                let least = self.bound.least(mates, far, shape, most, !task.is_unbound())? as usize;
                let [fewest, most] = edges(mates, &step.after, pieces);
                let longest = most.min(task.longest - least);
                // Where only every second length can be, it is those of what comes first.
                let fewest = fewest + (lengths.shortest - fewest) % task.stride;
                Some(table.insert(hash, key, fewest, (longest - fewest) / task.stride + 1))
            });
            if let Some(number) = number {
                table.add(number, lengths, factor);
            }
        }
        batch.clear();
        let after = table.bytes();
        if after != before {
            memory.count(before, after);
        }
    }
}
