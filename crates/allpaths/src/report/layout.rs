//! Where vertices are drawn: molecules as chemists draw them, everything else by distances.
//!
//! Rings are regular polygons, and those that share an edge stand side by side; chains run in zigzags. Where several ways are open, that with the
//! most room is taken. Rings that are joined in more than one place, large ones and vertices of many neighbours do not fit a plane so: such graphs
//! are laid out by [`stress`](super::stress). Everything is a function of the graph: the same drawing always.

use std::f64::consts::{PI, TAU};

use super::stress;
use crate::Graph;
use crate::dataset::molecule::rings_of;
use crate::graph::Values;

/// A place; edges have length 1.
pub(crate) type Point = [f64; 2];

/// More neighbours than these, or larger rings, are no molecule's.
const MOST_NEIGHBOURS: usize = 6;
const LARGEST_RING: usize = 14;

/// Graphs with more vertices are not laid out: nobody would see anything.
pub(crate) const LARGEST: usize = 2000;

/// Where the vertices of a graph are drawn, the top left at 0, with its width and height. None for graphs that are too large.
pub(crate) fn layout(graph: &Graph) -> Option<(Vec<Point>, Point)> {
    let order = graph.order();
    if order > LARGEST {
        return None;
    }
    if let Some(places) = given(graph) {
        return Some(framed(places));
    }
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); order];
    for (u, v) in graph.edges().filter(|(u, v)| u != v) {
        for (u, v) in [(u, v), (v, u)] {
            if !neighbours[u].contains(&v) {
                neighbours[u].push(v);
            }
        }
    }
    let mut places = vec![[0.0; 2]; order];
    let mut parts: Vec<(Vec<usize>, Point)> = Vec::new();
    let mut done = vec![false; order];
    for root in 0..order {
        if done[root] {
            continue;
        }
        let mut part = vec![root];
        done[root] = true;
        let mut at = 0;
        while at < part.len() {
            for &w in &neighbours[part[at]] {
                if !std::mem::replace(&mut done[w], true) {
                    part.push(w);
                }
            }
            at += 1;
        }
        let drawn = match Plan::of(&part, &neighbours, graph) {
            Some(mut plan) => plan.draw(&part, &mut places),
            None => false,
        };
        if !drawn {
            stress::place(&part, &neighbours, &mut places);
        }
        lie_down(&part, &mut places);
        let inside: Vec<Point> = part.iter().map(|&v| places[v]).collect();
        let (inside, size) = framed(inside);
        part.iter().zip(inside).for_each(|(&v, place)| places[v] = place);
        parts.push((part, size));
    }
    pack(&parts, &mut places);
    Some(framed(places))
}

/// Coordinates that the file gives, if they are in a plane and tell all vertices apart.
fn given(graph: &Graph) -> Option<Vec<Point>> {
    let axis = |name: &str| {
        let attribute = graph.vertex_attributes().iter().find(|attribute| attribute.name() == name)?;
        match attribute.values() {
            Values::Real(values) => values.iter().copied().collect::<Option<Vec<f64>>>(),
            Values::Text(_) => None,
        }
    };
    let (x, y, z) = (axis("x")?, axis("y")?, axis("z").unwrap_or_default());
    let flat = z.iter().all(|z| z.abs() < 1e-6) && x.iter().chain(&y).all(|value| value.is_finite());
    if !flat || graph.size() == 0 {
        return None;
    }
    let mut lengths: Vec<f64> =
        graph.edges().filter(|(u, v)| u != v).map(|(u, v)| (x[u] - x[v]).hypot(y[u] - y[v])).collect();
    lengths.sort_by(f64::total_cmp);
    let unit = *lengths.get(lengths.len() / 2)?;
    let places: Vec<Point> = x.iter().zip(&y).map(|(x, y)| [x / unit, -y / unit]).collect();
    let apart = (0..places.len()).all(|u| (0..u).all(|v| distance(places[u], places[v]) > 0.1));
    (unit > 1e-9 && apart).then_some(places)
}

fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn angle(from: Point, to: Point) -> f64 {
    (to[1] - from[1]).atan2(to[0] - from[0])
}

fn toward(from: Point, angle: f64, far: f64) -> Point {
    [from[0] + far * angle.cos(), from[1] + far * angle.sin()]
}

/// Moves places such that none is below 0, and tells width and height.
fn framed(mut places: Vec<Point>) -> (Vec<Point>, Point) {
    let mut size = [0.0; 2];
    for axis in 0..2 {
        let low = places.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
        places.iter_mut().for_each(|place| place[axis] -= low);
        size[axis] = places.iter().map(|place| place[axis]).fold(0.0, f64::max);
    }
    (places, size)
}

/// Turns places by multiples of 30 degrees such that they are as wide and low as they can be.
fn lie_down(part: &[usize], places: &mut [Point]) {
    let turned =
        |turn: f64, [x, y]: Point| [x * turn.cos() - y * turn.sin(), x * turn.sin() + y * turn.cos()];
    let height = |turn: f64| {
        let ys = || part.iter().map(|&v| turned(turn, places[v])[1]);
        ys().fold(f64::NEG_INFINITY, f64::max) - ys().fold(f64::INFINITY, f64::min)
    };
    let mut best = (0.0, height(0.0));
    for step in 1..6 {
        let turn = f64::from(step) * PI / 6.0;
        let found = height(turn);
        if found < best.1 - 1e-9 {
            best = (turn, found);
        }
    }
    for &v in part {
        places[v] = turned(best.0, places[v]);
    }
}

/// Puts parts beside each other in rows, the largest first.
fn pack(parts: &[(Vec<usize>, Point)], places: &mut [Point]) {
    const GAP: f64 = 1.2;
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| parts[b].1[1].total_cmp(&parts[a].1[1]).then(a.cmp(&b)));
    let area: f64 = parts.iter().map(|(_, size)| (size[0] + GAP) * (size[1] + GAP)).sum();
    let widest = parts.iter().map(|(_, size)| size[0]).fold(0.0, f64::max).max((area * 1.6).sqrt());
    let (mut x, mut y, mut row) = (0.0, 0.0, 0.0f64);
    for part in order {
        let (vertices, size) = &parts[part];
        if x > 0.0 && x + size[0] > widest {
            (x, y, row) = (0.0, y + row + GAP, 0.0);
        }
        for &v in vertices {
            places[v] = [places[v][0] + x, places[v][1] + y];
        }
        x += size[0] + GAP;
        row = row.max(size[1]);
    }
}

/// A connected part that can be drawn as a molecule.
struct Plan<'a> {
    neighbours: &'a [Vec<usize>],
    rings: Vec<Vec<usize>>,
    /// By vertex: its rings.
    of_vertex: Vec<Vec<usize>>,
    drawn: Vec<bool>,
}

impl<'a> Plan<'a> {
    fn of(part: &[usize], neighbours: &'a [Vec<usize>], graph: &Graph) -> Option<Self> {
        if part.iter().any(|&v| neighbours[v].len() > MOST_NEIGHBOURS) {
            return None;
        }
        let inside = |v: usize| part.contains(&v);
        let edges = graph.edges().filter(|&(u, v)| inside(u) && inside(v));
        let rings: Vec<Vec<usize>> = rings_of(graph.order(), edges)
            .into_iter()
            .map(|ring| ring.into_iter().map(|v| v as usize).collect())
            .collect();
        let mut of_vertex = vec![Vec::new(); graph.order()];
        for (number, ring) in rings.iter().enumerate() {
            ring.iter().for_each(|&v| of_vertex[v].push(number));
        }
        let large = rings.iter().any(|ring| ring.len() > LARGEST_RING);
        // Rings side by side share an edge, and an edge has two sides.
        let bridged = (0..rings.len())
            .any(|a| (0..a).any(|b| rings[a].iter().filter(|v| rings[b].contains(v)).count() > 2));
        let crowded = part.iter().any(|&v| of_vertex[v].len() > 3);
        let drawn = vec![false; graph.order()];
        (!large && !bridged && !crowded).then_some(Self { neighbours, rings, of_vertex, drawn })
    }

    /// Draws from the largest system of rings, or from the end of a longest chain. Says whether nothing is upon anything else.
    fn draw(&mut self, part: &[usize], places: &mut [Point]) -> bool {
        let first = match part.iter().copied().max_by_key(|&v| (self.system(v).len(), usize::MAX - v)) {
            Some(v) if !self.of_vertex[v].is_empty() => v,
            _ => self.farthest(self.farthest(part[0])),
        };
        places[first] = [0.0, 0.0];
        let mut open = Vec::new();
        if self.of_vertex[first].is_empty() {
            self.drawn[first] = true;
            open.push(first);
        } else {
            self.draw_system(first, None, places, &mut open);
        }
        let mut at = 0;
        while at < open.len() {
            let v = open[at];
            at += 1;
            self.hang(v, places, &mut open);
        }
        let apart =
            |(i, &u): (usize, &usize)| part[..i].iter().all(|&v| distance(places[u], places[v]) > 0.25);
        part.iter().enumerate().all(apart)
    }

    /// A vertex as far away as any.
    fn farthest(&self, root: usize) -> usize {
        let (mut queue, mut seen) = (vec![root], vec![false; self.neighbours.len()]);
        seen[root] = true;
        let mut at = 0;
        while at < queue.len() {
            for &w in &self.neighbours[queue[at]] {
                if !std::mem::replace(&mut seen[w], true) {
                    queue.push(w);
                }
            }
            at += 1;
        }
        queue[queue.len() - 1]
    }

    /// The rings that hang together with those of a vertex.
    fn system(&self, v: usize) -> Vec<usize> {
        let mut system = self.of_vertex[v].clone();
        let mut at = 0;
        while at < system.len() {
            for &w in &self.rings[system[at]] {
                for &ring in &self.of_vertex[w] {
                    if !system.contains(&ring) {
                        system.push(ring);
                    }
                }
            }
            at += 1;
        }
        system
    }

    /// Draws the neighbours of a vertex that are not drawn yet, where there is most room.
    fn hang(&mut self, v: usize, places: &mut [Point], open: &mut Vec<usize>) {
        let mut left: Vec<usize> = self.neighbours[v].iter().copied().filter(|&w| !self.drawn[w]).collect();
        // Larger branches first: they get the better places.
        left.sort_by_key(|&w| std::cmp::Reverse(self.neighbours[w].len()));
        for (i, w) in left.iter().copied().enumerate() {
            if self.drawn[w] {
                continue;
            }
            let waiting = left[i..].iter().filter(|&&w| !self.drawn[w]).count();
            let way = self.way(v, waiting, places);
            if self.of_vertex[w].is_empty() {
                places[w] = toward(places[v], way, 1.0);
                self.drawn[w] = true;
                open.push(w);
            } else {
                places[w] = toward(places[v], way, 1.0);
                self.draw_system(w, Some(way + PI), places, open);
            }
        }
    }

    /// The direction in which a vertex is drawn next, with so many to come.
    fn way(&self, v: usize, waiting: usize, places: &[Point]) -> f64 {
        let mut taken: Vec<f64> = self.neighbours[v]
            .iter()
            .filter(|&&w| self.drawn[w])
            .map(|&w| angle(places[v], places[w]).rem_euclid(TAU))
            .collect();
        taken.sort_by(f64::total_cmp);
        let ways: Vec<f64> = match taken.as_slice() {
            [] => vec![PI / 6.0],
            [one] => {
                // In a zigzag, or like the spokes of a wheel.
                let turn = match self.neighbours[v].len() {
                    0..=3 => TAU / 3.0,
                    many => TAU / many as f64,
                };
                vec![one + turn, one - turn]
            }
            _ => {
                let gap = |i: usize| {
                    let next = taken.get(i + 1).copied().unwrap_or(taken[0] + TAU);
                    (next - taken[i], taken[i])
                };
                let widest = (0..taken.len())
                    .map(gap)
                    .fold((0.0, 0.0), |best, gap| if gap.0 > best.0 + 1e-9 { gap } else { best });
                let step = widest.0 / (waiting + 1) as f64;
                vec![widest.1 + step, widest.1 + widest.0 - step]
            }
        };
        // Room, seen from where it would be and from a step further on; those around it are as near whatever is taken.
        let near = |w: usize| w == v || self.neighbours[v].contains(&w);
        let room = |way: f64| {
            let mut least = f64::INFINITY;
            for far in [1.0, 1.8] {
                let at = toward(places[v], way, far);
                for w in (0..self.drawn.len()).filter(|&w| self.drawn[w] && !near(w)) {
                    least = least.min(distance(at, places[w]) * if far > 1.0 { 1.2 } else { 1.0 });
                }
            }
            least
        };
        let mut best = (ways[0], room(ways[0]));
        for &way in &ways[1..] {
            let found = room(way);
            if found > best.1 + 1e-6 {
                best = (way, found);
            }
        }
        best.0
    }

    /// Draws all rings that hang together with a vertex, which has its place; `bond` is the direction of what it hangs from.
    fn draw_system(&mut self, v: usize, bond: Option<f64>, places: &mut [Point], open: &mut Vec<usize>) {
        let system = self.system(v);
        let mut placed: Vec<bool> = vec![false; self.rings.len()];
        let ring = self.of_vertex[v][0];
        // The first ring: its middle lies away from what it hangs from.
        let inward = bond.map_or(PI / 2.0, |bond| bond + PI);
        let far = radius(self.rings[ring].len());
        let middle = toward(places[v], inward, far);
        self.draw_ring(ring, v, (middle, angle(middle, places[v])), 1.0, places, open);
        placed[ring] = true;
        loop {
            // Whatever shares an edge comes first, then what shares a vertex alone.
            let shared = |ring: usize| self.rings[ring].iter().filter(|&&v| self.drawn[v]).count();
            let next = system
                .iter()
                .copied()
                .filter(|&ring| !placed[ring])
                .max_by_key(|&ring| (shared(ring), usize::MAX - ring));
            let Some(ring) = next else { break };
            placed[ring] = true;
            let known: Vec<usize> = self.rings[ring].iter().copied().filter(|&v| self.drawn[v]).collect();
            match known.as_slice() {
                [] => {}
                &[one] => {
                    let inward = self.way(one, 1, places);
                    let middle = toward(places[one], inward, radius(self.rings[ring].len()));
                    self.draw_ring(ring, one, (middle, angle(middle, places[one])), 1.0, places, open);
                }
                _ => self.fuse(ring, places, open),
            }
        }
    }

    /// Draws a ring around a middle, from one of its vertices on, to the left or to the right.
    fn draw_ring(
        &mut self,
        ring: usize,
        from: usize,
        (middle, start): (Point, f64),
        turn: f64,
        places: &mut [Point],
        open: &mut Vec<usize>,
    ) {
        let vertices = self.rings[ring].clone();
        let n = vertices.len();
        let begin = vertices.iter().position(|&v| v == from).unwrap_or(0);
        for i in 0..n {
            let v = vertices[(begin + i) % n];
            if !std::mem::replace(&mut self.drawn[v], true) {
                places[v] = toward(middle, start + turn * TAU * i as f64 / n as f64, radius(n));
                open.push(v);
            }
        }
        if !open.contains(&from) {
            open.push(from);
        }
    }

    /// Draws a ring beside others with which it shares an edge or more.
    fn fuse(&mut self, ring: usize, places: &mut [Point], open: &mut Vec<usize>) {
        let vertices = self.rings[ring].clone();
        let n = vertices.len();
        // The longest run that is drawn already: the rest goes in an arc around it.
        let is_drawn: Vec<bool> = vertices.iter().map(|&v| self.drawn[v]).collect();
        let run = |start: usize| (0..n).take_while(|i| is_drawn[(start + i) % n]).count();
        let Some(begin) = (0..n)
            .filter(|&start| is_drawn[start] && !is_drawn[(start + n - 1) % n])
            .max_by_key(|&start| (run(start), n - start))
        else {
            return; // every vertex is drawn
        };
        let length = run(begin);
        let (first, last) = (vertices[begin], vertices[(begin + length - 1) % n]);
        let (a, b) = (places[first], places[last]);
        let gap = n - length;
        let side = |p: Point| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        // The ring lies where neither its own drawn vertices are nor, if it shares but an edge, those around that.
        let others: Vec<usize> = match length {
            2 => [first, last].into_iter().flat_map(|v| self.neighbours[v].iter().copied()).collect(),
            _ => (1..length - 1).map(|i| vertices[(begin + i) % n]).collect(),
        };
        let seen = others.into_iter().filter(|&w| self.drawn[w] && w != first && w != last);
        let away = if seen.map(|w| side(places[w])).sum::<f64>() > 0.0 { -1.0 } else { 1.0 };
        let chord = distance(a, b);
        let (step, reach) = arc(gap + 1, chord);
        let (along, up) = (angle(a, b), angle(a, b) + away * PI / 2.0);
        let middle = [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])];
        let half = step * (gap + 1) as f64 / 2.0;
        let center = toward(middle, up, -reach * half.cos());
        for i in 1..=gap {
            let v = vertices[(begin + length - 1 + i) % n];
            let turn = half - step * i as f64;
            if !std::mem::replace(&mut self.drawn[v], true) {
                places[v] = toward(toward(center, up, reach * turn.cos()), along, reach * turn.sin());
                open.push(v);
            }
        }
    }
}

/// The turn and the radius with which so many steps of length 1 span a chord: those of a regular polygon over one of its sides.
fn arc(steps: usize, chord: f64) -> (f64, f64) {
    let spanned = |turn: f64| (turn * steps as f64 / 2.0).sin() / (turn / 2.0).sin();
    let (mut low, mut high) = (1e-3, TAU / steps as f64);
    for _ in 0..60 {
        let turn = f64::midpoint(low, high);
        if spanned(turn) > chord { low = turn } else { high = turn }
    }
    (low, 0.5 / (low / 2.0).sin())
}

/// The radius of a regular polygon whose sides are 1.
fn radius(sides: usize) -> f64 {
    0.5 / (PI / sides.max(3) as f64).sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(smiles: &str) -> (Graph, Vec<Point>) {
        let molecule = crate::dataset::Molecule::from_smiles(smiles).unwrap();
        let graph = molecule.graph(&crate::dataset::AtomLabels::element());
        let (places, _) = layout(&graph).unwrap();
        (graph, places)
    }

    #[test]
    fn bonds_are_of_length_1_and_nothing_is_upon_anything() {
        // Benzene, naphthalene, anthracene, biphenyl, caffeine, a steroid, spiro rings, pyrene, branches, two parts.
        for smiles in [
            "c1ccccc1",
            "c1ccc2ccccc2c1",
            "c1ccc2cc3ccccc3cc2c1",
            "c1ccc(cc1)c1ccccc1",
            "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
            "CC12CCC3c4ccc(O)cc4CCC3C1CCC2O",
            "C1CCC2(CC1)CCCC2",
            "c1cc2ccc3cccc4ccc(c1)c2c34",
            "CC(C)(C)CC(C)CCCO",
            "CC.O",
            "C",
        ] {
            let (graph, places) = drawn(smiles);
            for (u, v) in graph.edges() {
                let length = distance(places[u], places[v]);
                assert!((length - 1.0).abs() < 1e-6, "{smiles}: {u}-{v} is {length}");
            }
            for u in 0..graph.order() {
                assert!((0..u).all(|v| distance(places[u], places[v]) > 0.4), "{smiles}: {u}");
            }
        }
    }

    #[test]
    fn chains_run_in_zigzags() {
        let (_, places) = drawn("CCCCCCCC");
        // Every second one lies on a line.
        let step = |i: usize| [places[i + 2][0] - places[i][0], places[i + 2][1] - places[i][1]];
        for i in 1..6 {
            assert!(distance(step(0), step(i)) < 1e-6, "{places:?}");
        }
    }

    #[test]
    fn whatever_it_is_it_is_drawn() {
        let complete = Graph::from_edges(7, (0..7).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
        let cube = Graph::from_edges(
            8,
            (0..8).flat_map(|u| [1, 2, 4].map(|bit| (u, u ^ bit)).into_iter().filter(|(u, v)| u < v)),
        )
        .unwrap();
        let star = Graph::from_edges(30, (1..30).map(|v| (0, v))).unwrap();
        let nothing = Graph::from_edges(3, []).unwrap();
        let empty = Graph::from_edges(0, []).unwrap();
        for graph in [complete, cube, star, nothing, empty] {
            let (places, size) = layout(&graph).unwrap();
            assert_eq!(places.len(), graph.order());
            assert!(places.iter().flatten().chain(&size).all(|x| x.is_finite() && *x >= 0.0), "{places:?}");
            for u in 0..graph.order() {
                assert!((0..u).all(|v| distance(places[u], places[v]) > 0.1), "{u}: {places:?}");
            }
            assert_eq!(layout(&graph).unwrap().0, places);
        }
    }
}
