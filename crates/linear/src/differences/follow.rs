//! Constraints that follow from those asserted: section 4 of the paper.
//!
//! What follows now and did not follow before does so by a path through the last edge. So two searches suffice: one from the start of the edge forwards, and one from
//! its end backwards. Both measure by the slacks of edges, which are not negative. A node is relevant where the shortest way goes by the edge, and where no other way
//! is as short; a search ends when only others are left.

use super::{Constraint, Differences, NOT_ASSERTED, Search, Step};

/// Edges that the two searches for one asserted constraint look at, at most: beyond that, nothing is found to follow.
const MOST_WORK: u64 = 20_000;

/// The direction of a search along edges.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

impl Differences {
    /// Finds the constraints that follow from those asserted by way of this one, and adds them to a list. They hold from now on, until it is taken back.
    pub fn follow(&mut self, asserted: Constraint, followed: &mut Vec<Constraint>) {
        if self.is_followed(asserted) {
            return;
        }
        let limit = self.work + MOST_WORK;
        let mut forward = std::mem::take(&mut self.forward);
        let mut backward = std::mem::take(&mut self.backward);
        let reached = self.measure(&mut forward, asserted.0, Direction::Forward, limit);
        let reaching = self.measure(&mut backward, asserted.0, Direction::Backward, limit);
        if self.work < limit {
            let own_slack = self.slack(self.edges[asserted.index()]);
            // The side with fewer constraints is looked through.
            let is_forward = reached <= reaching;
            let near = if is_forward { &forward } else { &backward };
            for &node in near.settled() {
                let lists = if is_forward { &self.all_reaching } else { &self.all_leaving };
                self.work += lists[node as usize].len() as u64;
                for &number in &lists[node as usize] {
                    let candidate = self.edges[number as usize];
                    if self.places[number as usize] != NOT_ASSERTED {
                        continue;
                    }
                    let ways =
                        backward.relevant_distance(candidate.start).zip(forward.relevant_distance(candidate.end));
                    // Both ways have the edge itself.
                    if ways.is_some_and(|(to, from)| to + from - own_slack <= self.slack(candidate)) {
                        self.places[number as usize] = self.trail.len() as u32;
                        self.trail.push(Step::Followed(number));
                        followed.push(Constraint(number));
                    }
                }
            }
        }
        self.forward = forward;
        self.backward = backward;
    }

    /// Whether a constraint was found to follow, and is not in the graph.
    fn is_followed(&self, constraint: Constraint) -> bool {
        let place = self.places[constraint.index()];
        matches!(self.trail.get(place as usize), Some(Step::Followed(_)))
    }

    /// Settles the nodes to which (or from which) the shortest way goes by an edge. Returns the number of constraints at them.
    fn measure(&mut self, search: &mut Search, through: u32, direction: Direction, limit: u64) -> usize {
        let is_forward = direction == Direction::Forward;
        let edge = self.edges[through as usize];
        let (near, far) = if is_forward { (edge.end, edge.start) } else { (edge.start, edge.end) };
        let mut constraints = 0;
        search.begin(self.potentials.len());
        search.reach(near, self.slack(edge), through, true);
        search.reach(far, 0, through, false);
        while self.work < limit
            && let Some((node, is_relevant)) = search.settle()
        {
            if is_relevant {
                let lists = if is_forward { &self.all_reaching } else { &self.all_leaving };
                constraints += lists[node as usize].len();
            }
            let next = if is_forward { &self.leaving } else { &self.reaching };
            self.work += 1 + next[node as usize].len() as u64;
            for &number in next[node as usize].iter().filter(|&&number| number != through) {
                let next_edge = self.edges[number as usize];
                let other = if is_forward { next_edge.end } else { next_edge.start };
                search.reach(other, search.distance(node) + self.slack(next_edge), number, is_relevant);
            }
        }
        constraints
    }
}
