//! The way that a run takes: outcomes of branches, functions entered, calls returned from.

use rustc_hash::FxHashSet;

/// An edge of the control flow: the number of an instruction in its upper half, an outcome below.
pub type Edge = u64;

/// Outcomes besides those of branches, which are 0 and 1.
mod outcome {
    pub(super) const RETURNED: usize = 2;
    pub(super) const ENTERED: usize = 3;
    pub(super) const COUNT: usize = 4;
}

/// The edge of a conditional branch.
pub fn branch_edge(place: u32, is_nonzero: bool) -> Edge {
    (u64::from(place) << 32) | u64::from(is_nonzero)
}

/// The edge of a return to the instruction behind a call.
pub fn return_edge(call: u32) -> Edge {
    (u64::from(call) << 32) | outcome::RETURNED as u64
}

/// The edge into a function, by the number of its first instruction.
pub fn entry_edge(first: u32) -> Edge {
    (u64::from(first) << 32) | outcome::ENTERED as u64
}

/// The edge of a table or an indirect call that has led to this target.
pub fn target_edge(place: u32, target: u32) -> Edge {
    (u64::from(place) << 32) | (u64::from(target) + outcome::COUNT as u64)
}

/// Records runs, one at a time.
pub struct Trace {
    /// The number of times that each edge was taken, up to 255.
    counts: Vec<u8>,
    targets: FxHashSet<Edge>,
    edges: Vec<Edge>,
    path: u64,
}

impl Trace {
    /// A recorder for a module with this number of instructions. Branches with greater numbers are part of the path, but their edges do not count.
    pub fn new(instructions: u32) -> Trace {
        let counts = vec![0; instructions as usize * outcome::COUNT];
        Trace { counts, targets: FxHashSet::default(), edges: Vec::new(), path: 0 }
    }

    /// Forgets the last run.
    pub fn clear(&mut self) {
        for &edge in &self.edges {
            if let Some(index) = index_of(edge) {
                self.counts[index] = 0;
            }
        }
        self.edges.clear();
        self.targets.clear();
        self.path = 0;
    }

    /// A conditional branch.
    #[inline]
    pub fn branch(&mut self, place: u32, is_nonzero: bool) {
        let edge = branch_edge(place, is_nonzero);
        self.extend_path(edge);
        self.note(place as usize * outcome::COUNT + usize::from(is_nonzero), edge);
    }

    /// A branch by a table. Returns the target, which is that of the index or the last.
    pub fn table(&mut self, place: u32, index: u32, targets: &[u32]) -> u32 {
        let target = targets.get(index as usize).or(targets.last()).copied().unwrap_or(0);
        self.target(place, target);
        target
    }

    /// A call through a table. Returns the function, if the element of the index has one.
    pub fn indirect(&mut self, place: u32, index: u32, functions: &[Option<u32>]) -> Option<u32> {
        let function = functions.get(index as usize).copied().flatten();
        self.target(place, function.unwrap_or(u32::MAX) & (u32::MAX >> 1));
        function
    }

    /// A table or an indirect call that leads to a target.
    fn target(&mut self, place: u32, target: u32) {
        let edge = target_edge(place, target);
        self.extend_path(edge);
        if self.targets.insert(edge) {
            self.edges.push(edge);
        }
    }

    /// A function is entered.
    #[inline]
    pub fn enter(&mut self, first: u32) {
        self.note(first as usize * outcome::COUNT + outcome::ENTERED, entry_edge(first));
    }

    /// A call has returned.
    #[inline]
    pub fn leave(&mut self, call: u32) {
        self.note(call as usize * outcome::COUNT + outcome::RETURNED, return_edge(call));
    }

    #[inline]
    fn note(&mut self, index: usize, edge: Edge) {
        let Some(count) = self.counts.get_mut(index) else { return };
        if *count == 0 {
            self.edges.push(edge);
        }
        *count = count.saturating_add(1);
    }

    #[inline]
    fn extend_path(&mut self, edge: Edge) {
        self.path = (self.path.rotate_left(5) ^ edge).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// The distinct edges of the run, in the order of their first occurrence.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The distinct edges of the run, each with the number of times that it was taken, up to 255. Those of tables and indirect calls are counted once.
    pub fn counts(&self) -> impl Iterator<Item = (Edge, u8)> {
        self.edges.iter().map(|&edge| (edge, index_of(edge).map_or(1, |index| self.counts[index])))
    }

    /// A number that differs for runs with different outcomes of branches, but for accidents.
    pub fn path(&self) -> u64 {
        self.path
    }
}

/// The place of an edge in `counts`, unless it is that of a target.
fn index_of(edge: Edge) -> Option<usize> {
    let outcome = (edge & 0xffff_ffff) as usize;
    (outcome < outcome::COUNT).then_some((edge >> 32) as usize * outcome::COUNT + outcome)
}
