//! What a search has assigned, by levels, and how much of it a theory has asserted.

/// The trail of a search, for a theory that asserts its entries in the same order and can go back to a mark `M`.
///
/// A search that goes on where the last one ended assigns the same entries again, before it asks for anything. So at the beginning of a search, entries
/// that were taken back stay until the trail is [settled](Self::settle), and are taken up where the next ones are the same.
#[derive(Debug)]
pub(super) struct Trail<A, M> {
    assigned: Vec<A>,
    /// The number of assigned entries that are true; the others were taken back.
    count: usize,
    /// The number of assigned entries where each level begins.
    levels: Vec<usize>,
    /// The mark before each entry that was asserted: the first ones of those assigned.
    marks: Vec<M>,
    /// Whether entries that were taken back may be assigned again.
    is_beginning: bool,
    /// The first asserted entry that is gone, with its mark.
    gone: Option<(usize, M)>,
}

impl<A, M> Default for Trail<A, M> {
    fn default() -> Self {
        Trail {
            assigned: Vec::new(),
            count: 0,
            levels: Vec::new(),
            marks: Vec::new(),
            is_beginning: false,
            gone: None,
        }
    }
}

impl<A: Copy + PartialEq, M: Copy> Trail<A, M> {
    /// Adds an entry at the present level.
    pub(super) fn assign(&mut self, entry: A) {
        if self.assigned.get(self.count) != Some(&entry) {
            self.shorten();
            self.assigned.push(entry);
        }
        self.count += 1;
    }

    /// Begins the next level.
    pub(super) fn open_level(&mut self) {
        self.levels.push(self.count);
    }

    /// Takes everything back.
    pub(super) fn begin(&mut self) {
        self.levels.clear();
        self.count = 0;
        self.is_beginning = true;
    }

    /// Takes back the levels behind this one.
    pub(super) fn backtrack(&mut self, level: usize) {
        if let Some(&count) = self.levels.get(level) {
            self.levels.truncate(level);
            self.count = count;
            if !self.is_beginning {
                self.shorten();
            }
        }
    }

    fn shorten(&mut self) {
        self.assigned.truncate(self.count);
        if let Some(&mark) = self.marks.get(self.count) {
            self.marks.truncate(self.count);
            self.gone = Some((self.count, mark));
        }
    }

    /// Forgets the entries that were taken back. Returns the first asserted one that is gone, and the mark to which the theory goes back first of all.
    pub(super) fn settle(&mut self) -> Option<(usize, M)> {
        if std::mem::take(&mut self.is_beginning) && self.levels.is_empty() {
            // A search that begins anew is an occasion to look again at what is true for ever.
            if let Some(&mark) = self.marks.first() {
                self.marks.clear();
                self.gone = Some((0, mark));
            }
        }
        self.shorten();
        self.gone.take()
    }

    /// An assigned entry.
    pub(super) fn get(&self, place: usize) -> Option<A> {
        self.assigned[..self.count].get(place).copied()
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
