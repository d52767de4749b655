//! The inputs that mutants are made of.

use std::collections::BTreeSet;

use rand::Rng;
use rustc_hash::FxHashMap;

use crate::input::Input;
use crate::trace::Edge;

struct Entry {
    input: Input,
    /// The instructions of mutants, less where they were new.
    spent: u64,
}

/// Something new in a run.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Novelty {
    /// Nothing.
    None,
    /// An edge was taken as often for the first time, by classes of counts.
    Count,
    /// An edge was taken for the first time.
    Edge,
}

/// Inputs that were the first to take some edge of control flow, or to take it as often, by classes of counts. There are at most eight for each edge.
#[derive(Default)]
pub struct Pool {
    entries: Vec<Entry>,
    /// For each edge, a bit for each class of counts that some run has.
    classes: FxHashMap<Edge, u8>,
    /// All entries, those for which least was done first.
    order: BTreeSet<(u64, usize)>,
    longest: u64,
}

/// The bit of the class of a count: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, and more.
fn class_of(count: u8) -> u8 {
    match count {
        0..=1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        128.. => 128,
    }
}

impl Pool {
    /// Adds an input if its run of so many instructions has something new.
    pub fn note(&mut self, input: &Input, steps: u64, counts: impl Iterator<Item = (Edge, u8)>) -> Novelty {
        let mut novelty = Novelty::None;
        for (edge, count) in counts {
            let classes = self.classes.entry(edge).or_default();
            let class = class_of(count);
            if *classes & class == 0 {
                novelty = novelty.max(if *classes == 0 { Novelty::Edge } else { Novelty::Count });
                *classes |= class;
            }
        }
        if novelty > Novelty::None {
            // A new entry has half of what was spent on the others to catch up.
            let spent = self.order.first().map_or(0, |&(spent, _)| spent / 2);
            self.order.insert((spent, self.entries.len()));
            self.entries.push(Entry { input: input.clone(), spent });
            self.longest = self.longest.max(steps);
        }
        novelty
    }

    /// The entry for which least was done.
    pub fn next(&self) -> Option<usize> {
        self.order.first().map(|&(_, entry)| entry)
    }

    /// Any entry.
    pub fn any(&self, random: &mut impl Rng) -> usize {
        random.random_range(0..self.entries.len())
    }

    /// The input of an entry.
    pub fn input(&self, entry: usize) -> &Input {
        &self.entries[entry].input
    }

    /// The number of instructions of the longest run.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// Takes note of what a mutant of an entry has cost.
    pub fn charge(&mut self, entry: usize, cost: u64) {
        self.set_spent(entry, self.entries[entry].spent.saturating_add(cost));
    }

    /// Takes note of an entry that has led to something new.
    pub fn reward(&mut self, entry: usize) {
        self.set_spent(entry, self.entries[entry].spent / 2);
    }

    fn set_spent(&mut self, number: usize, spent: u64) {
        let entry = &mut self.entries[number];
        self.order.remove(&(entry.spent, number));
        entry.spent = spent;
        self.order.insert((spent, number));
    }
}
