//! What a search has assigned, by levels, and how much of it a theory has asserted.

/// The trail of a search, for a theory that asserts its entries in the same order and can go back to a mark `M`.
#[derive(Debug)]
pub(super) struct Trail<A, M> {
    assigned: Vec<A>,
    /// The number of assigned entries where each level begins.
    levels: Vec<usize>,
    /// The mark before each entry that was asserted: the first ones of those assigned.
    marks: Vec<M>,
}

impl<A, M> Default for Trail<A, M> {
    fn default() -> Self {
        Trail { assigned: Vec::new(), levels: Vec::new(), marks: Vec::new() }
    }
}

impl<A: Copy, M: Copy> Trail<A, M> {
    /// Adds an entry at the present level.
    pub(super) fn assign(&mut self, entry: A) {
        self.assigned.push(entry);
    }

    /// Begins the next level.
    pub(super) fn open_level(&mut self) {
        self.levels.push(self.assigned.len());
    }

    /// Forgets everything. Returns the mark to which the theory goes back, where it has asserted anything.
    pub(super) fn begin(&mut self) -> Option<M> {
        self.levels.clear();
        self.shorten(0)
    }

    /// Forgets the levels behind this one. Returns the mark to which the theory goes back, where it has asserted an entry of theirs.
    pub(super) fn backtrack(&mut self, level: usize) -> Option<M> {
        let &count = self.levels.get(level)?;
        self.levels.truncate(level);
        self.shorten(count)
    }

    fn shorten(&mut self, count: usize) -> Option<M> {
        self.assigned.truncate(count);
        let mark = self.marks.get(count).copied();
        self.marks.truncate(count);
        mark
    }

    /// The number of assigned entries.
    pub(super) fn len(&self) -> usize {
        self.assigned.len()
    }

    /// An assigned entry.
    pub(super) fn get(&self, place: usize) -> Option<A> {
        self.assigned.get(place).copied()
    }

    /// The first entry that was not asserted.
    pub(super) fn next(&self) -> Option<A> {
        self.get(self.marks.len())
    }

    /// Notes that the first entry that was not asserted is asserted now. The theory has set the mark before.
    pub(super) fn note_asserted(&mut self, mark: M) {
        self.marks.push(mark);
    }
}
