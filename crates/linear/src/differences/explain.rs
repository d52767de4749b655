//! Reasons for constraints that follow, found when they are asked for.

use super::{Constraint, Differences, Search};

impl Differences {
    /// Asserted constraints from which a constraint follows that was found to follow, or was asserted after it had been found to. All were asserted before.
    pub fn explain(&mut self, followed: Constraint) -> Vec<Constraint> {
        let candidate = self.edges[followed.index()];
        let place = self.places[followed.index()];
        let mut search = std::mem::take(&mut self.searches[0]);
        search.begin(self.potentials.len());
        search.reach(candidate.start, 0, followed.0, true);
        while let Some((node, _)) = search.settle() {
            if node == candidate.end {
                break;
            }
            self.work += 1 + self.leaving[node as usize].len() as u64;
            // Edges of a node are listed in the order of assertion.
            for &number in
                self.leaving[node as usize].iter().take_while(|&&edge| self.places[edge as usize] < place)
            {
                let edge = self.edges[number as usize];
                search.reach(edge.end, search.distance(node) + self.slack(edge), number, true);
            }
        }
        debug_assert!(
            search.relevant_distance(candidate.end).is_some_and(|way| way <= self.slack(candidate))
        );
        let path = self.path(&search, candidate.start, candidate.end);
        self.searches[0] = search;
        path
    }

    /// The edges by which a search has come from a node to another one.
    fn path(&self, search: &Search, start: u32, end: u32) -> Vec<Constraint> {
        let mut path = Vec::new();
        let mut node = end;
        while node != start {
            let number = search.edge(node);
            path.push(Constraint(number));
            node = self.edges[number as usize].start;
        }
        path
    }
}
