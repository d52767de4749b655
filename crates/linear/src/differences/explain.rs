//! Reasons for constraints that follow, found when they are asked for.

use super::{Constraint, Differences, Search};

impl Differences {
    /// Asserted constraints from which a constraint follows that was found to follow, or was asserted after it had been found to. All were asserted before.
    pub fn explain(&mut self, followed: Constraint) -> Vec<Constraint> {
        let mut search = std::mem::take(&mut self.searches[0]);
        let is_found = self.find_way(&mut search, followed, self.places[followed.index()], u64::MAX);
        debug_assert!(is_found, "the constraint follows");
        let candidate = self.edges[followed.index()];
        let path = self.path(&search, candidate.start, candidate.end);
        self.searches[0] = search;
        path
    }

    /// Searches for edges that were asserted before a place of the trail and by which a constraint follows, as long as the work is within a limit. Whether
    /// there are some.
    pub(super) fn find_way(
        &mut self,
        search: &mut Search,
        constraint: Constraint,
        place: u32,
        limit: u64,
    ) -> bool {
        let candidate = self.edges[constraint.index()];
        let most = self.slack(candidate);
        search.begin(self.potentials.len());
        search.reach(candidate.start, 0, constraint.0, true);
        while self.work < limit
            && let Some((node, _)) = search.settle()
            && search.distance(node) <= most
        {
            if node == candidate.end {
                return true;
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
        false
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
