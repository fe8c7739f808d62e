//! Evaluates a plan on a graph.
//!
//! Rows are made for a few pinned vertices at a time, side by side, so that one pass over the edges serves all of them and every
//! processor adds several numbers at once.

use std::borrow::Cow;

use super::plan::{Entry, Id, Node, Nodes, Pinned, Plan, Sort, Stage};
use super::support::Support;
use crate::count::limits::{Allowance, Outcome};
use crate::count::ring::{Ring, integer, product};
use crate::threads;

/// How many vertices are pinned at a time.
pub(super) const LANES: usize = 8;

/// A number for each pinned vertex.
pub(super) type Lanes<R> = [R; LANES];

/// What a plan is evaluated on, and under what conditions.
pub(super) struct Evaluator<'a, R> {
    pub(super) support: &'a Support<R>,
    pub(super) allowance: &'a Allowance<'a>,
    pub(super) parallel: bool,
    /// The share of the work that rows for all vertices are, once.
    pub(super) share: f64,
}

/// The vectors and matrices of a plan; nothing for rows.
pub(super) struct Values<R>(Vec<Vec<R>>);

impl<R> Values<R> {
    pub(super) fn of(&self, id: Id) -> &[R] {
        &self.0[id as usize]
    }
}

/// Rows for some pinned vertices, by place and vertex.
pub(super) struct Rows<R> {
    made: Vec<Vec<Lanes<R>>>,
    product: Vec<Lanes<R>>,
}

impl<R: Ring> Rows<R> {
    /// Puts a product of rows and vectors where products are made.
    fn multiply(&mut self, nodes: &Nodes, values: &Values<R>, pinned: &Pinned, id: Id) {
        let Self { made, product: into } = self;
        let (all_rows, vectors): (Vec<Id>, Vec<Id>) =
            nodes.factors(&id).iter().partition(|&&factor| nodes.sort(factor) == Sort::Row);
        // Vectors are the same for all vertices pinned: one product of them will do.
        let vector = vectors.split_first().map(|(&first, others)| {
            let first = Cow::Borrowed(values.of(first));
            others.iter().fold(first, |mut so_far, &other| {
                times(so_far.to_mut(), values.of(other));
                so_far
            })
        });
        let all_rows: Vec<&[Lanes<R>]> =
            all_rows.iter().map(|&row| &made[pinned.places[row as usize]][..]).collect();
        let (first, others) = all_rows.split_first().expect("a row is made of one");
        into.clone_from_slice(first);
        others
            .iter()
            .for_each(|row| into.iter_mut().zip(*row).for_each(|(into, entries)| times(into, entries)));
        if let Some(vector) = vector {
            let scale = |(into, factor): (&mut Lanes<R>, &R)| {
                into.iter_mut().for_each(|into| *into = product(into, factor));
            };
            into.iter_mut().zip(vector.iter()).for_each(scale);
        }
    }

    /// Adds a multiple of a product of rows and vectors.
    fn accumulate(
        &mut self,
        into: &mut [Lanes<R>],
        nodes: &Nodes,
        values: &Values<R>,
        pinned: &Pinned,
        entry: Entry,
        pins: std::ops::Range<usize>,
    ) {
        let scalar: R = integer(entry.coefficient);
        let mut factors: Lanes<R> = std::array::from_fn(|_| scalar.clone());
        if let Some(pin) = entry.pin {
            let entries = factors.iter_mut().zip(&values.of(pin)[pins]);
            entries.for_each(|(factor, entry)| *factor = product(factor, entry));
        }
        self.multiply(nodes, values, pinned, entry.id);
        for (into, entries) in into.iter_mut().zip(&self.product) {
            (0..LANES).for_each(|lane| into[lane].add_product(&factors[lane], &entries[lane]));
        }
    }

    /// A row of a plan's terms, by vertex.
    pub(super) fn of_term(&self, plan: &Plan, id: Id) -> &[Lanes<R>] {
        &self.made[plan.ends.places[id as usize]]
    }
}

impl<R: Ring> Evaluator<'_, R> {
    /// Evaluates all vectors and matrices of a plan, with a vertex held fixed if it needs one.
    ///
    /// # Errors
    ///
    /// With the outcome, when it was stopped before the end.
    pub(super) fn values(&self, plan: &Plan, held: Option<usize>) -> Result<Values<R>, Outcome> {
        let mut values = Values(vec![Vec::new(); plan.nodes.len()]);
        for Stage { whole, pinned } in &plan.stages {
            for &id in whole {
                values.0[id as usize] = self.whole(&plan.nodes, &values, id, held);
                self.check()?;
            }
            if !pinned.sums.is_empty() {
                let sums = self.sums(&plan.nodes, &values, pinned)?;
                pinned.sums.iter().zip(sums).for_each(|(&id, sums)| values.0[id as usize] = sums);
            }
        }
        Ok(values)
    }

    fn check(&self) -> Result<(), Outcome> {
        match self.allowance.outcome() {
            Outcome::Complete => Ok(()),
            stopped => Err(stopped),
        }
    }

    /// Evaluates a vector or a matrix.
    fn whole(&self, nodes: &Nodes, values: &Values<R>, id: Id, held: Option<usize>) -> Vec<R> {
        let support = self.support;
        match nodes.get(id) {
            &Node::Label(exponent) => support.labels(exponent),
            &Node::End(class) => support.ends(class),
            &Node::Given(powers) => {
                let mut row = vec![R::zero(); support.order()];
                let held = held.expect("the plan is evaluated with a vertex held fixed");
                support.row(held).for_each(|(place, v)| row[v] = support.arc(place, powers));
                row
            }
            &Node::Turned(matrix) => {
                let entries = values.of(matrix);
                (0..support.len()).map(|place| entries[support.reverse(place)].clone()).collect()
            }
            Node::Arcs(_) if nodes.is_unit(id) => Vec::new(),
            &Node::Arcs(powers) => (0..support.len()).map(|place| support.arc(place, powers)).collect(),
            &Node::Apply(matrix, vector) => self.apply(nodes, values, matrix, vector),
            &Node::Sampled(left, middle, right) => self.sampled(nodes, values, [left, right], middle),
            Node::Times(factors) => {
                let mut all = factors.iter().map(|&factor| values.of(factor));
                let first = all.next().expect("a product has factors").to_vec();
                all.fold(first, |mut so_far, factor| {
                    times(&mut so_far, factor);
                    so_far
                })
            }
            Node::Linear(entries) => {
                let mut sum = vec![R::zero(); support.order()];
                for &Entry { coefficient, id, .. } in entries {
                    let factor: R = integer(coefficient);
                    let entries = sum.iter_mut().zip(values.of(id));
                    entries.for_each(|(sum, entry)| sum.add_product(&factor, entry));
                }
                sum
            }
            Node::Sums(_) | Node::Gathered(..) | Node::Edges(_) | Node::Row(_) | Node::Onward(..) => {
                unreachable!("made while a vertex is pinned")
            }
        }
    }

    fn apply(&self, nodes: &Nodes, values: &Values<R>, matrix: Id, vector: Option<Id>) -> Vec<R> {
        let (support, one) = (self.support, R::one());
        let entries = (!nodes.is_unit(matrix)).then(|| values.of(matrix));
        let vector = vector.map(|vector| values.of(vector));
        self.allowance.meter().spend(support.len() as u64);
        let entry = |v| {
            let mut sum = R::zero();
            for (place, w) in support.row(v) {
                let factor = vector.map_or(&one, |vector| &vector[w]);
                match entries {
                    Some(entries) => sum.add_product(&entries[place], factor),
                    None => sum.add(factor),
                }
            }
            sum
        };
        (0..support.order()).map(entry).collect()
    }

    /// A product of matrices, where the graph has edges.
    fn sampled(
        &self,
        nodes: &Nodes,
        values: &Values<R>,
        [left, right]: [Id; 2],
        middle: Option<Id>,
    ) -> Vec<R> {
        let (support, one) = (self.support, R::one());
        let entries = |matrix| (!nodes.is_unit(matrix)).then(|| values.of(matrix));
        let (left, right, middle) = (entries(left), entries(right), middle.map(|middle| values.of(middle)));
        let of_left = |place: usize, x: usize| {
            let entry = left.map_or(&one, |left| &left[place]);
            middle.map_or_else(|| entry.clone(), |middle| product(entry, &middle[x]))
        };
        if !support.is_sparse {
            return self.sampled_side_by_side(of_left, right);
        }
        let of_row = |scattered: &mut Vec<R>, v: usize| -> Vec<R> {
            let mut meter = self.allowance.meter();
            for (place, x) in support.row(v) {
                scattered[x] = of_left(place, x);
            }
            let entry = |(_, w): (usize, usize)| {
                meter.spend(support.neighbours(w).len() as u64);
                if meter.stopped() {
                    return R::zero();
                }
                let mut sum = R::zero();
                match right {
                    Some(right) => support.row(w).for_each(|(place, x)| {
                        sum.add_product(&scattered[x], &right[support.reverse(place)]);
                    }),
                    None => support.neighbours(w).iter().for_each(|&x| sum.add(&scattered[x as usize])),
                }
                sum
            };
            let row = support.row(v).map(entry).collect();
            support.neighbours(v).iter().for_each(|&x| scattered[x as usize] = R::zero());
            row
        };
        let nothing = || vec![R::zero(); support.order()];
        threads::map_with(self.parallel, 0..support.order(), nothing, of_row).concat()
    }

    /// A product of matrices where the graph has edges, most of whose other entries would be there as well: several rows at a time.
    fn sampled_side_by_side(&self, left: impl Fn(usize, usize) -> R + Sync, right: Option<&[R]>) -> Vec<R> {
        let (support, order) = (self.support, self.support.order());
        let some = |[from, into]: &mut [Vec<Lanes<R>>; 2], batch: usize| -> Vec<R> {
            let pins = batch * LANES..order.min((batch + 1) * LANES);
            let mut meter = self.allowance.meter();
            meter.spend((support.len() * pins.len()) as u64);
            from.fill_with(zeros);
            for (lane, pin) in pins.clone().enumerate() {
                support.row(pin).for_each(|(place, x)| from[x][lane] = left(place, x));
            }
            self.onward(from, right, into);
            self.on_edges(pins, into)
        };
        let scratch = || [vec![zeros(); order], vec![zeros(); order]];
        let batches = 0..order.div_ceil(LANES);
        threads::map_with(self.parallel, batches, scratch, some).concat()
    }

    /// The rows of some vertices, where the graph has edges.
    fn on_edges(&self, pins: std::ops::Range<usize>, rows: &[Lanes<R>]) -> Vec<R> {
        let row = |(lane, pin): (usize, usize)| {
            self.support.neighbours(pin).iter().map(move |&w| rows[w as usize][lane].clone())
        };
        pins.enumerate().flat_map(row).collect()
    }

    /// Sums of rows, each for all vertices, and rows on edges.
    fn sums(&self, nodes: &Nodes, values: &Values<R>, pinned: &Pinned) -> Result<Vec<Vec<R>>, Outcome> {
        let batches = self.pinning(nodes, values, pinned, |rows, first, pins| {
            let sum = |&id: &Id| -> Vec<R> {
                rows.multiply(nodes, values, pinned, nodes.parts(id)[0]);
                match nodes.get(id) {
                    &Node::Gathered(_, vector) => {
                        let factors = vector.map(|vector| &values.of(vector)[first..first + pins]);
                        rows.product.iter().map(|entries| gathered(&entries[..pins], factors)).collect()
                    }
                    Node::Edges(_) => self.on_edges(first..first + pins, &rows.product),
                    _ => (0..pins)
                        .map(|lane| added(rows.product.iter().map(|entries| &entries[lane])))
                        .collect(),
                }
            };
            pinned.sums.iter().map(sum).collect::<Vec<_>>()
        })?;
        let mut sums: Vec<Vec<R>> = vec![Vec::with_capacity(self.support.order()); pinned.sums.len()];
        for batch in batches {
            for ((sums, sum), &id) in sums.iter_mut().zip(batch).zip(&pinned.sums) {
                match nodes.get(id) {
                    Node::Gathered(..) if !sums.is_empty() => {
                        sums.iter_mut().zip(&sum).for_each(|(all, sum)| all.add(sum));
                    }
                    _ => sums.extend(sum),
                }
            }
        }
        Ok(sums)
    }

    /// Makes rows for all vertices, some at a time, and gives what `take` makes of them, of the first vertex, and of how many there are.
    pub(super) fn pinning<T: Send>(
        &self,
        nodes: &Nodes,
        values: &Values<R>,
        pinned: &Pinned,
        take: impl Fn(&mut Rows<R>, usize, usize) -> T + Sync,
    ) -> Result<Vec<T>, Outcome> {
        let order = self.support.order();
        let batch = |rows: &mut Rows<R>, first: usize| {
            let pins = LANES.min(order - first);
            self.rows(nodes, values, pinned, first, rows);
            self.allowance.advance(self.share * pins as f64 / order as f64);
            take(rows, first, pins)
        };
        let new_rows = || self.new_rows(pinned);
        let firsts = (0..order.div_ceil(LANES)).map(|batch| batch * LANES);
        let batches = threads::map_with(self.parallel, firsts, new_rows, batch);
        self.check()?;
        Ok(batches)
    }

    pub(super) fn new_rows(&self, pinned: &Pinned) -> Rows<R> {
        let nothing = || vec![zeros(); self.support.order()];
        Rows { made: pinned.rows.iter().map(|_| nothing()).collect(), product: nothing() }
    }

    /// Makes the rows of some vertices.
    pub(super) fn rows(
        &self,
        nodes: &Nodes,
        values: &Values<R>,
        pinned: &Pinned,
        first: usize,
        rows: &mut Rows<R>,
    ) {
        let pins = first..self.support.order().min(first + LANES);
        let mut meter = self.allowance.meter();
        for (place, &id) in pinned.rows.iter().enumerate() {
            let mut row = std::mem::take(&mut rows.made[place]);
            match *nodes.get(id) {
                Node::Row(matrix) => {
                    let entries = (!nodes.is_unit(matrix)).then(|| values.of(matrix));
                    row.fill_with(zeros);
                    for (lane, pin) in pins.clone().enumerate() {
                        for (place, v) in self.support.row(pin) {
                            row[v][lane] = entries.map_or_else(R::one, |entries| entries[place].clone());
                        }
                    }
                }
                Node::Onward(source, matrix) => {
                    let entries = (!nodes.is_unit(matrix)).then(|| values.of(matrix));
                    let from = &rows.made[pinned.places[source as usize]];
                    if nodes.is_on_edges(source) && self.support.is_sparse {
                        meter.spend(pins.clone().map(|pin| self.support.around(pin)).sum());
                        self.outward(from, entries, pins.clone(), &mut row);
                    } else {
                        meter.spend((self.support.len() * pins.len()) as u64);
                        self.onward(from, entries, &mut row);
                    }
                }
                Node::Linear(ref entries) => {
                    row.fill_with(zeros);
                    for &entry in entries {
                        rows.accumulate(&mut row, nodes, values, pinned, entry, pins.clone());
                    }
                }
                _ => {
                    rows.multiply(nodes, values, pinned, id);
                    std::mem::swap(&mut row, &mut rows.product);
                }
            }
            rows.made[place] = row;
            if meter.stopped() {
                return;
            }
        }
    }

    /// Rows times a matrix.
    fn onward(&self, from: &[Lanes<R>], entries: Option<&[R]>, into: &mut [Lanes<R>]) {
        // As many sums at a time as there are registers for.
        match size_of::<R>() {
            ..=8 => self.onward_by::<8>(from, entries, into),
            9..=16 => self.onward_by::<4>(from, entries, into),
            _ => self.onward_by::<2>(from, entries, into),
        }
    }

    /// Rows times a matrix, some of them at a time.
    fn onward_by<const SOME: usize>(&self, from: &[Lanes<R>], entries: Option<&[R]>, into: &mut [Lanes<R>]) {
        for (w, into) in into.iter_mut().enumerate() {
            for (part, into) in into.as_chunks_mut::<SOME>().0.iter_mut().enumerate() {
                let mut sums: [R; SOME] = Ring::zero();
                let of = |v: usize| &from[v].as_chunks::<SOME>().0[part];
                match entries {
                    None => self.support.neighbours(w).iter().for_each(|&v| sums.add(of(v as usize))),
                    Some(entries) => {
                        for (place, v) in self.support.row(w) {
                            let factor = &entries[self.support.reverse(place)];
                            sums.iter_mut()
                                .zip(of(v))
                                .for_each(|(sum, entry)| sum.add_product(entry, factor));
                        }
                    }
                }
                *into = sums;
            }
        }
    }

    /// Rows that are nothing but at the neighbours of their vertices, times a matrix.
    fn outward(
        &self,
        from: &[Lanes<R>],
        entries: Option<&[R]>,
        pins: std::ops::Range<usize>,
        into: &mut [Lanes<R>],
    ) {
        into.fill_with(zeros);
        for (lane, pin) in pins.enumerate() {
            for &v in self.support.neighbours(pin) {
                let entry = &from[v as usize][lane];
                match entries {
                    None => self
                        .support
                        .neighbours(v as usize)
                        .iter()
                        .for_each(|&w| into[w as usize][lane].add(entry)),
                    Some(entries) => {
                        let row = self.support.row(v as usize);
                        row.for_each(|(place, w)| into[w][lane].add_product(entry, &entries[place]));
                    }
                }
            }
        }
    }
}

/// Multiplies numbers by others, one by one.
fn times<R: Ring>(entries: &mut [R], factors: &[R]) {
    entries.iter_mut().zip(factors).for_each(|(entry, factor)| *entry = product(entry, factor));
}

/// The sum of some numbers.
pub(super) fn added<'r, R: Ring + 'r>(entries: impl Iterator<Item = &'r R>) -> R {
    entries.fold(R::zero(), |mut sum, entry| {
        sum.add(entry);
        sum
    })
}

/// The sum of some numbers, each times a factor if there are any.
fn gathered<R: Ring>(entries: &[R], factors: Option<&[R]>) -> R {
    let Some(factors) = factors else { return added(entries.iter()) };
    entries.iter().zip(factors).fold(R::zero(), |mut sum, (entry, factor)| {
        sum.add_product(entry, factor);
        sum
    })
}

fn zeros<R: Ring>() -> Lanes<R> {
    std::array::from_fn(|_| R::zero())
}
