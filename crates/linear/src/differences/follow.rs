//! Constraints that follow from those asserted: section 4 of the paper.
//!
//! A constraint that follows now, and did not follow before, does so by a path through the last edge. So two searches suffice: one from the start of the edge forwards, and one from
//! its end backwards. Both measure by the slacks of edges, which are not negative. A node is relevant where the shortest way goes by the edge, and where no other way
//! is as short; a search ends when only others are left.
//!
//! Unlike in the paper, the second search goes no farther than some constraint at the nodes of the first one allows, and there is none where no constraint is open there. For
//! most numbers have bounds, so that zero has an edge to and from most nodes, and a search through zero would go everywhere.

use super::{Constraint, Differences, NOT_ASSERTED, Search, Step};
use crate::balance::Prices;

/// The prices of looking for what follows, in edges. Edges may be looked at for each asserted constraint, and for each that follows.
const PRICES: Prices = Prices { start: 200_000, for_found: 200, for_asked: 8 };

/// Edges that the searches for one asserted constraint look at, at most. What follows beyond is not found.
const MOST_WORK: u64 = 20_000;

/// Edges of a node from which on not all ways from it are looked at, only edges to nodes that were reached by other ways.
const EDGES_OF_HUB: usize = if cfg!(test) { 3 } else { 32 };

/// Constraints that are looked through before the second search.
const MOST_CANDIDATES: usize = if cfg!(test) { 4 } else { 256 };

/// The direction of a search along edges.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

impl Direction {
    fn opposite(self) -> Direction {
        match self {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        }
    }
}

/// A constraint that may follow.
struct Candidate {
    number: u32,
    /// The node at which the other search has to arrive.
    node: u32,
    /// The greatest distance of that node with which the constraint follows.
    most: i128,
}

impl Differences {
    /// Finds constraints that follow from this one and those asserted before, and adds them to a list. They hold from now on, until it is taken back.
    pub fn follow(&mut self, asserted: Constraint, followed: &mut Vec<Constraint>) {
        if self.is_followed(asserted) {
            return;
        }
        if !self.balance.allows_next(&PRICES) {
            return;
        }
        let (before, known) = (self.work, followed.len());
        let limit = before + MOST_WORK;
        let [mut near, mut far] = std::mem::take(&mut self.searches);
        let edge = self.edges[asserted.index()];
        let is_forward = self.leaving[edge.end as usize].len() <= self.reaching[edge.start as usize].len();
        let mut direction = if is_forward { Direction::Forward } else { Direction::Backward };
        let count = self.measure(&mut near, asserted.0, direction, None, limit);
        if count <= MOST_CANDIDATES {
            let candidates = self.candidates(&near, asserted.0, direction);
            if let Some(most) = candidates.iter().map(|candidate| candidate.most).max() {
                self.measure(&mut far, asserted.0, direction.opposite(), Some(most), limit);
                self.keep_followed(&candidates, &far, followed);
            }
        } else {
            // The side with fewer constraints is looked through.
            if self.measure(&mut far, asserted.0, direction.opposite(), None, limit) < count {
                std::mem::swap(&mut near, &mut far);
                direction = direction.opposite();
            }
            let candidates = self.candidates(&near, asserted.0, direction);
            self.keep_followed(&candidates, &far, followed);
        }
        self.balance.note(&PRICES, self.work - before, followed.len() - known);
        self.searches = [near, far];
    }

    /// Whether a constraint that is new follows from those asserted before. It holds from now on then, until it is taken back.
    pub fn follow_new(&mut self, new: Constraint) -> bool {
        if self.holds(new) {
            return false;
        }
        let mut search = std::mem::take(&mut self.searches[0]);
        let follows = self.find_way(&mut search, new, NOT_ASSERTED, self.work + MOST_WORK);
        self.searches[0] = search;
        if follows {
            self.note_followed(new.0);
        }
        follows
    }

    /// Makes those of these constraints hold, without their edges, that follow by the ways of a search.
    fn keep_followed(&mut self, candidates: &[Candidate], far: &Search, followed: &mut Vec<Constraint>) {
        for &Candidate { number, node, most } in candidates {
            if far.relevant_distance(node).is_some_and(|distance| distance <= most) {
                self.note_followed(number);
                followed.push(Constraint(number));
            }
        }
    }

    /// Makes a constraint hold without its edge.
    pub(super) fn note_followed(&mut self, number: u32) {
        self.places[number as usize] = self.trail.len() as u32;
        self.trail.push(Step::Followed(number));
    }

    /// Whether a constraint was found to follow, and is not in the graph.
    fn is_followed(&self, constraint: Constraint) -> bool {
        let place = self.places[constraint.index()];
        matches!(self.trail.get(place as usize), Some(Step::Followed(_)))
    }

    /// The constraints that do not hold yet and have an end (or start) that a search has settled.
    fn candidates(&mut self, search: &Search, through: u32, direction: Direction) -> Vec<Candidate> {
        let is_forward = direction == Direction::Forward;
        let own_slack = self.slack(self.edges[through as usize]);
        let lists = if is_forward { &self.all_reaching } else { &self.all_leaving };
        let mut candidates = Vec::new();
        for &node in search.settled() {
            self.work += lists[node as usize].len() as u64;
            for &number in &lists[node as usize] {
                if self.places[number as usize] != NOT_ASSERTED {
                    continue;
                }
                let edge = self.edges[number as usize];
                // Both ways have the edge itself.
                let most = self.slack(edge) + own_slack - search.distance(node);
                if most >= own_slack {
                    let node = if is_forward { edge.start } else { edge.end };
                    candidates.push(Candidate { number, node, most });
                }
            }
        }
        candidates
    }

    /// Settles the nodes to which (or from which) the shortest way goes by an edge, up to a distance. Returns the number of constraints at them.
    fn measure(
        &mut self,
        search: &mut Search,
        through: u32,
        direction: Direction,
        most: Option<i128>,
        limit: u64,
    ) -> usize {
        let is_forward = direction == Direction::Forward;
        let edge = self.edges[through as usize];
        let place = self.places[through as usize];
        let (near, far) = if is_forward { (edge.end, edge.start) } else { (edge.start, edge.end) };
        let (next, before, lists) = match direction {
            Direction::Forward => (&self.leaving, &self.reaching, &self.all_reaching),
            Direction::Backward => (&self.reaching, &self.leaving, &self.all_leaving),
        };
        let is_hub = next[far as usize].len() >= EDGES_OF_HUB;
        // Edges of a node are listed in the order of assertion.
        let is_older = |&&number: &&u32| self.places[number as usize] < place;
        let mut constraints = 0;
        search.begin(self.potentials.len());
        search.reach(near, self.slack(edge), through, true);
        search.reach(far, 0, through, false);
        while self.work < limit
            && let Some((node, is_relevant)) = search.settle()
        {
            if node == far && is_hub {
                continue;
            }
            let distance = search.distance(node);
            if is_relevant && is_hub {
                self.work += before[node as usize].len() as u64;
                let mut others = before[node as usize]
                    .iter()
                    .take_while(is_older)
                    .map(|&other| self.edges[other as usize]);
                let is_as_near = |other: super::Edge| {
                    (if is_forward { other.start } else { other.end }) == far && self.slack(other) <= distance
                };
                if others.any(is_as_near) {
                    search.withdraw();
                    continue;
                }
            }
            if is_relevant {
                constraints += lists[node as usize].len();
            }
            self.work += 1 + next[node as usize].len() as u64;
            for &number in next[node as usize].iter().take_while(is_older) {
                let next_edge = self.edges[number as usize];
                let other = if is_forward { next_edge.end } else { next_edge.start };
                let distance = distance + self.slack(next_edge);
                if most.is_none_or(|most| distance <= most) {
                    search.reach(other, distance, number, is_relevant);
                }
            }
        }
        constraints
    }
}
