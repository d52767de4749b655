//! Constraints on differences: `y - x <= c`, as edges of a graph in which no cycle may be negative.
//!
//! Source: Cotton & Maler, *Fast and Flexible Difference Constraint Propagation for DPLL(T)* (SAT 2006). The values of all variables are a potential
//! function, under which no asserted edge is violated. A new edge that is violated moves the variables behind it, by a search in the manner of Dijkstra; where
//! that would move its own start, the edges on the way are a contradiction (section 3). An edge that is satisfied may make paths shorter; what was not
//! asserted and is no shorter than such a path follows (section 4).
//!
//! The simplex decides such constraints too, and propagates over the rows that it happens to have. But a pivot changes a whole tableau, where a graph changes a few
//! potentials, and rows show only some of what follows: the graph shows all.

mod explain;
mod follow;
mod search;
#[cfg(test)]
mod tests;

use crate::balance::Balance;
use crate::value::Value;
use search::Search;

/// A variable of [`Differences`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(u32);

/// A constraint of [`Differences`], asserted or not.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Constraint(u32);

impl Constraint {
    /// The number of the constraint, in the order in which constraints were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The bound of a difference, or the length of a path: an integer plus a multiple of the infinitesimal δ, as one number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Length(i128);

/// The bits of the multiple of δ. A path has fewer edges than that.
const BITS_OF_INFINITESIMAL: u32 = 40;

/// The greatest bound that is a length. Potentials, which move by lengths of paths again and again, remain far from overflow.
const GREATEST_BOUND: i64 = 1 << 40;

impl Length {
    /// A bound as a length; `None` where it is no integer, or too large.
    pub fn of(bound: &Value) -> Option<Length> {
        let whole = bound.rational.as_word().filter(|whole| whole.abs() <= GREATEST_BOUND)?;
        let infinitesimal = bound.infinitesimal.as_word().filter(|factor| factor.abs() <= 1)?;
        Some(Length((i128::from(whole) << BITS_OF_INFINITESIMAL) + i128::from(infinitesimal)))
    }

    /// The length with the opposite sign.
    pub fn negated(self) -> Length {
        Length(-self.0)
    }
}

/// An edge: the value of its end is at most that of its start plus the length.
#[derive(Copy, Clone, Debug)]
struct Edge {
    start: u32,
    end: u32,
    length: i128,
}

/// The place on the trail of a constraint that is not asserted.
const NOT_ASSERTED: u32 = u32::MAX;

/// A place on the trail of constraints, to go back to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DifferenceMark(usize);

/// An entry of the trail.
#[derive(Copy, Clone, Debug)]
enum Step {
    /// The edge is in the graph.
    Asserted(u32),
    /// The edge follows from others, and is not in the graph.
    Followed(u32),
}

/// Constraints on differences, some of which are asserted.
#[derive(Clone, Default, Debug)]
pub struct Differences {
    edges: Vec<Edge>,
    /// The place on the trail of each edge that is asserted, or that was found to follow.
    places: Vec<u32>,
    potentials: Vec<i128>,
    /// The asserted edges that leave each node, in the order of assertion.
    leaving: Vec<Vec<u32>>,
    /// The asserted edges that reach each node, in the order of assertion.
    reaching: Vec<Vec<u32>>,
    /// All edges that leave each node.
    all_leaving: Vec<Vec<u32>>,
    /// All edges that reach each node.
    all_reaching: Vec<Vec<u32>>,
    trail: Vec<Step>,
    /// Room for searches.
    searches: [Search; 2],
    /// The edges that were looked at so far.
    work: u64,
    balance: Balance,
}

impl Differences {
    /// A graph without nodes.
    pub fn new() -> Differences {
        Differences::default()
    }

    /// Makes a variable.
    pub fn new_node(&mut self) -> Node {
        self.potentials.push(0);
        for lists in [&mut self.leaving, &mut self.reaching, &mut self.all_leaving, &mut self.all_reaching] {
            lists.push(Vec::new());
        }
        Node(self.potentials.len() as u32 - 1)
    }

    /// Makes the constraint that one variable is at most another one plus a length. It is not asserted.
    pub fn new_constraint(&mut self, end: Node, start: Node, length: Length) -> Constraint {
        debug_assert_ne!(start, end, "a variable does not differ from itself");
        let number = self.edges.len() as u32;
        self.edges.push(Edge { start: start.0, end: end.0, length: length.0 });
        self.places.push(NOT_ASSERTED);
        self.all_leaving[start.0 as usize].push(number);
        self.all_reaching[end.0 as usize].push(number);
        Constraint(number)
    }

    /// The edges that were looked at so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The present end of the trail.
    pub fn mark(&self) -> DifferenceMark {
        DifferenceMark(self.trail.len())
    }

    /// Takes back all constraints that were asserted since a mark, and what followed from them.
    pub fn backtrack(&mut self, mark: DifferenceMark) {
        while self.trail.len() > mark.0 {
            let number = match self.trail.pop().expect("it is longer") {
                Step::Asserted(number) => {
                    let Edge { start, end, .. } = self.edges[number as usize];
                    self.leaving[start as usize].pop();
                    self.reaching[end as usize].pop();
                    number
                }
                Step::Followed(number) => number,
            };
            self.places[number as usize] = NOT_ASSERTED;
        }
    }

    /// Whether a constraint is asserted, or was found to follow.
    pub fn holds(&self, constraint: Constraint) -> bool {
        self.places[constraint.index()] != NOT_ASSERTED
    }

    /// Asserts a constraint. It may be taken back.
    ///
    /// # Errors
    /// Asserted constraints that contradict each other, with this one among them.
    pub fn assert(&mut self, constraint: Constraint) -> Result<(), Vec<Constraint>> {
        if self.holds(constraint) {
            return Ok(());
        }
        if self.is_dominated(self.edges[constraint.index()]) {
            self.note_followed(constraint.0);
            return Ok(());
        }
        self.move_potentials(constraint.0)?;
        let Edge { start, end, .. } = self.edges[constraint.index()];
        self.places[constraint.index()] = self.trail.len() as u32;
        self.trail.push(Step::Asserted(constraint.0));
        self.leaving[start as usize].push(constraint.0);
        self.reaching[end as usize].push(constraint.0);
        Ok(())
    }

    /// Whether an asserted edge between the same nodes is no longer.
    fn is_dominated(&self, edge: Edge) -> bool {
        let (leaving, reaching) = (&self.leaving[edge.start as usize], &self.reaching[edge.end as usize]);
        let fewer = if leaving.len() <= reaching.len() { leaving } else { reaching };
        fewer
            .iter()
            .map(|&other| self.edges[other as usize])
            .any(|other| (other.start, other.end) == (edge.start, edge.end) && other.length <= edge.length)
    }

    /// The amount by which the potentials satisfy an edge.
    fn slack(&self, Edge { start, end, length }: Edge) -> i128 {
        self.potentials[start as usize] + length - self.potentials[end as usize]
    }

    /// Moves potentials so that they satisfy an edge too: the listing of section 3, with the sign of potentials that makes them values.
    fn move_potentials(&mut self, number: u32) -> Result<(), Vec<Constraint>> {
        let edge = self.edges[number as usize];
        let slack = self.slack(edge);
        if slack >= 0 {
            return Ok(());
        }
        let mut search = std::mem::take(&mut self.searches[0]);
        search.begin(self.potentials.len());
        search.reach(edge.end, slack, number, true);
        let mut result = Ok(());
        while let Some((node, _)) = search.settle() {
            if node == edge.start {
                result = Err(self.cycle(&search, edge.start, number));
                break;
            }
            let moved = search.distance(node);
            self.work += 1 + self.leaving[node as usize].len() as u64;
            for &next in &self.leaving[node as usize] {
                let next_edge = self.edges[next as usize];
                // The potential of the node, once it has moved, against that of the end, which has not.
                let slack = self.slack(next_edge) + moved;
                if slack < 0 {
                    search.reach(next_edge.end, slack, next, true);
                }
            }
        }
        if result.is_ok() {
            for &node in search.settled() {
                self.potentials[node as usize] += search.distance(node);
            }
        }
        self.searches[0] = search;
        result
    }

    /// The edges by which a search that began with an edge has come to its start.
    fn cycle(&self, search: &Search, start: u32, first: u32) -> Vec<Constraint> {
        let mut cycle = Vec::new();
        let mut node = start;
        loop {
            let number = search.edge(node);
            cycle.push(Constraint(number));
            if number == first {
                return cycle;
            }
            node = self.edges[number as usize].start;
        }
    }
}
