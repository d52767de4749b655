//! Terms beside the values of a run: what each value is as a function of the input, and which conditions have led here.

mod arrays;
mod concolic;
mod lengths;
mod memory;
mod parameters;
mod path;
mod shadows;
mod terms;

pub use concolic::Concolic;
pub use concolic::origins::Origins;
pub use path::{Decision, DecisionKind, OTHERS, Path};
pub use terms::Terms;

use std::ops::Range;

use rustc_hash::FxHashMap;
use sundry_term::TermId;
use sundry_wasm::Stop;

use crate::input::Variables;
use arrays::Arrays;
use lengths::Lengths;
use memory::ShadowMemory;

/// The terms beside the state of a machine.
pub struct Shadow<'a> {
    /// Terms of this exploration.
    pub terms: &'a mut Terms,
    /// Variables of this exploration.
    pub variables: &'a mut Variables,
    /// The path so far.
    pub path: Path,
    /// Whether the run has made so many decisions that the rest is concrete.
    pub is_over: bool,
    most_decisions: usize,
    /// The number of values that had to be concrete although they depend on the input.
    pub fixed: u64,
    slots: Vec<Option<TermId>>,
    globals: FxHashMap<u32, TermId>,
    memory: ShadowMemory,
    /// The same for the files that the program has made, by their numbers.
    files: FxHashMap<usize, ShadowMemory>,
    arrays: Arrays,
    lengths: Lengths,
    /// Positions of descriptors that depend on the input.
    positions: FxHashMap<usize, TermId>,
    /// Conditions that say whether pointers are null, with what they are in this run.
    nulls: FxHashMap<TermId, bool>,
}

impl<'a> Shadow<'a> {
    /// Shadows at the start of a run, when nothing depends on the input.
    pub fn new(terms: &'a mut Terms, variables: &'a mut Variables, most_decisions: usize) -> Shadow<'a> {
        let lengths = Lengths::new(variables);
        Shadow {
            terms,
            variables,
            path: Path::default(),
            is_over: false,
            most_decisions,
            fixed: 0,
            slots: Vec::new(),
            globals: FxHashMap::default(),
            memory: ShadowMemory::default(),
            files: FxHashMap::default(),
            arrays: Arrays::default(),
            lengths,
            positions: FxHashMap::default(),
            nulls: FxHashMap::default(),
        }
    }

    fn slot(&self, slot: usize) -> Option<TermId> {
        self.slots.get(slot).copied().flatten()
    }

    fn set_slot(&mut self, slot: usize, term: Option<TermId>) {
        let term = term.filter(|_| !self.is_over);
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, None);
        }
        self.slots[slot] = term;
    }

    /// Makes a frame, of which only the first slots have values that may depend on the input.
    fn enter_frame(&mut self, frame: Range<usize>, arguments: usize) {
        if self.slots.len() < frame.end {
            self.slots.resize(frame.end, None);
        }
        self.slots[frame.start + arguments..frame.end].fill(None);
    }

    /// Sets the term of a slot, unless it depends on nothing.
    fn set_computed(&mut self, slot: usize, term: TermId) {
        let term = self.terms.value(term).is_none().then_some(term);
        self.set_slot(slot, term);
    }

    /// Notes on which side of a condition the run goes on.
    fn decide(&mut self, place: u32, kind: DecisionKind, condition: TermId, holds: bool) {
        self.limit_decisions();
        if self.is_over || self.is_decided(condition) {
            return;
        }
        let negation = self.terms.not(condition);
        self.path.decide(place, kind, holds, condition, negation);
        self.learn(condition, holds);
    }

    /// Forgets all terms once there are too many decisions, so that the rest of the run is concrete.
    fn limit_decisions(&mut self) {
        if self.path.decisions.len() >= self.most_decisions && !self.is_over {
            self.is_over = true;
            self.slots.fill(None);
            self.globals.clear();
            self.memory = ShadowMemory::default();
            self.files.clear();
            self.arrays = Arrays::default();
            self.positions.clear();
        }
    }

    /// Whether the path so far leaves a condition only one truth value, as far as that is known without a solver.
    fn is_decided(&self, condition: TermId) -> bool {
        self.terms.value(condition).is_some()
            || self.path.known(condition).is_some()
            || self.lengths.decides(&self.terms.store, condition)
    }

    /// Draws conclusions for lengths, and replaces bytes that are known to have been read.
    fn learn(&mut self, condition: TermId, holds: bool) {
        if self.lengths.learn(&self.terms.store, condition, holds) {
            for (guarded, term) in self.lengths.take_resolved() {
                self.settle(guarded.address, 1);
                let present = self.memory.byte(guarded.address, self.terms);
                if present == Some(guarded.term) {
                    self.memory.store(guarded.address, 1, term);
                }
            }
        }
    }

    /// Makes a value concrete: the rest of the run is about inputs that give it this value.
    fn fix(&mut self, place: u32, term: TermId, value: u64) -> Result<(), Stop> {
        let term = self.settle_pointers(place, term);
        let condition = self.terms.equals(term, value);
        if self.decide_among(place, DecisionKind::Fixed, value, condition) {
            self.fixed += 1;
        }
        Ok(())
    }

    /// Notes an outcome of a decision that has any number of them: the others are those that no run has taken yet. Returns whether
    /// there was something to decide.
    fn decide_among(&mut self, place: u32, kind: DecisionKind, outcome: u64, condition: TermId) -> bool {
        self.limit_decisions();
        if self.is_over || self.is_decided(condition) {
            return false;
        }
        let negation = self.terms.not(condition);
        self.path.decide_among(place, kind, outcome, (condition, negation));
        self.learn(condition, true);
        true
    }
}
