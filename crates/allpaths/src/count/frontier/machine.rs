//! The machine: from the states of one frontier to those of the next, until no vertex is left.

use std::sync::{Mutex, PoisonError};

use super::batch::{Batch, Item};
use super::bound::{Bound, Shape};
use super::numbers::{Numbers, Slice};
use super::order::Order;
use super::plan::{FAR, Packing, Step, Steps, Task};
use super::state::{DONE, Made, Settled, State, UNTOUCHED, beginning, edges};
use super::table::{Lengths, Table, hash};
use crate::count::limits::{Allowance, Memory, Meter, Outcome};
use crate::threads;

/// Paths and cycles of each length, each once.
pub(super) type Found = [Numbers; 2];

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

/// Counts what a task asks for, one vertex after the other. `class` numbers twins alike.
///
/// # Errors
///
/// With the outcome, when time, steps or memory were not enough.
pub(super) fn run(
    task: &Task,
    order: &Order,
    class: &[u32],
    conditions: Conditions<'_>,
) -> Result<Found, Outcome> {
    let memory = Memory::new(conditions.bytes);
    let (mut packing, key) = beginning(task);
    let mut first = Table::new(packing.words, task.stride);
    let state = first.insert(hash(&key), &key, 0, 1);
    first.add(state, Lengths { shortest: 0, stride: task.stride, numbers: Slice::ONE }, 1);
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
        let pass =
            Pass { task, step: &step, packing, next: &next, memory: &memory, found: &found, conditions };
        let go_through = |table: Table| {
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
struct Pass<'a> {
    task: &'a Task,
    step: &'a Step,
    packing: Packing,
    next: &'a [Mutex<Table>],
    memory: &'a Memory,
    found: &'a Mutex<Found>,
    conditions: Conditions<'a>,
}

impl Pass<'_> {
    /// Takes all states of a table through the step.
    fn table<'t>(&'t self, table: &'t Table) {
        let mut worker: Worker<'t> = Worker {
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
            if lengths.numbers.is_empty() {
                continue;
            }
            state.unpack(table.key(number), self.packing, self.step.extended);
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
pub(super) fn nothing(longest: usize) -> Found {
    [0, 1].map(|_| Numbers::zeros(longest + 1))
}

/// Adds what was found elsewhere.
pub(super) fn add(all: &mut Found, more: &Found) {
    for (all, more) in all.iter_mut().zip(more) {
        all.add(0..all.len(), more.slice(0..more.len()), 1);
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

struct Worker<'a> {
    pass: &'a Pass<'a>,
    settled: Settled,
    key: Vec<u64>,
    /// For each table, what goes into it.
    batches: Vec<Batch<'a>>,
    bound: Bound,
    groups: Vec<Group>,
    found: Option<Found>,
    /// How many transitions there were.
    taken: u64,
}

impl<'a> Worker<'a> {
    /// Decides on the edges of the vertex in every way.
    fn expand(&mut self, state: &State, lengths: Lengths<'a>) {
        let vertex = self.pass.step.vertex;
        let can_end = self.pass.task.has_free_ends() && state.ends < 2;
        match state.mates[vertex as usize] {
            DONE => self.emit(state, Some(Made::State), lengths, 0, 1),
            UNTOUCHED => {
                self.emit(state, Some(Made::State), lengths, 0, 1);
                self.group(state);
                if can_end {
                    for i in 0..self.groups.len() {
                        let Group { place, count, .. } = self.groups[i];
                        let mut next = *state;
                        let made = next.start(place);
                        self.emit(&next, made, lengths, 1, count);
                    }
                }
                self.pass_through(state, lengths);
            }
            _ => {
                if can_end {
                    let mut next = *state;
                    let made = next.stop(vertex);
                    self.emit(&next, made, lengths, 0, 1);
                }
                self.group(state);
                for i in 0..self.groups.len() {
                    let Group { place, count, .. } = self.groups[i];
                    let mut next = *state;
                    let made = next.go_on(vertex, place);
                    self.emit(&next, made, lengths, 1, count);
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
    fn pass_through(&mut self, state: &State, lengths: Lengths<'a>) {
        let Step { neighbours, twin, .. } = self.pass.step;
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
                    self.emit(&next, made, lengths, 2, if i == j { one.count / 2 } else { one.count });
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
                self.emit(&next, made, lengths, 2, if i == j { pairs / 2 } else { pairs });
            }
        }
    }

    /// Books what a transition made, so many times, with so many edges more.
    fn emit(&mut self, state: &State, made: Option<Made>, lengths: Lengths<'a>, edges: usize, times: u32) {
        self.taken += 1;
        let pass = self.pass;
        let lengths = Lengths { shortest: lengths.shortest + edges, ..lengths };
        match made {
            // Each piece takes an edge to the next.
            Some(Made::State) if lengths.shortest + state.pieces as usize <= pass.task.longest + 1 => {
                self.keep(state, lengths, times);
            }
            Some(Made::Path) if pass.task.paths => self.book(0, lengths, times),
            Some(Made::Cycle) if pass.task.cycles => self.book(1, lengths, times),
            None | Some(_) => {}
        }
    }

    fn book(&mut self, what: usize, lengths: Lengths<'a>, times: u32) {
        let found = &mut self.found.get_or_insert_with(|| nothing(self.pass.task.longest))[what];
        // One by one, since they may be for every second length.
        for (at, number) in
            (lengths.shortest..found.len()).step_by(lengths.stride).zip(lengths.numbers.each())
        {
            found.add(at..at + 1, number, times);
        }
    }

    /// Adds to a state of the next frontier.
    fn keep(&mut self, state: &State, lengths: Lengths<'a>, times: u32) {
        let Pass { step, next, .. } = self.pass;
        self.settled.settle(state, step);
        self.settled.pack(step.after.packing, &mut self.key);
        let hash = hash(&self.key);
        // Not the bits that the table itself looks at first.
        let table = (hash >> 26) as usize & (next.len() - 1);
        let item = Item { hash, lengths, times, pieces: state.pieces };
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
        for (key, mates, Item { hash, lengths, times, pieces }) in batch.iter() {
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
                table.add(number, lengths, times);
            }
        }
        batch.clear();
        let after = table.bytes();
        if after != before {
            memory.count(before, after);
        }
    }
}
