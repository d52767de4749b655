//! The judge of rows: it decides which of 64 are solutions.

use sundry_coverage::Predicate;
use sundry_lanes::{Column, CompileError, Memory, Program, Slot};
use sundry_term::{Control, Model, Stopped, SymbolId, TermId, TermStore};

use super::layout::Layout;
use super::transpose::transpose;
use crate::problem::Problem;

/// The assertions as written, ready to be evaluated for 64 assignments at once.
pub(crate) struct Judge {
    program: Program,
    memory: Memory,
    /// The number of roots that are assertions, which come first.
    assertions: usize,
    /// The number of roots that are predicates, which come after the assertions.
    predicates: usize,
}

impl Judge {
    /// A judge of the problem's assertions under models in which some constants are defined by terms. `store` has
    /// those terms and all of the problem's.
    pub(crate) fn new(
        problem: &Problem,
        predicates: &[Predicate],
        store: &mut TermStore,
        definitions: &[(SymbolId, TermId)],
        control: &Control,
    ) -> Result<Self, CompileError> {
        // Constants that the formula does not depend on belong to samples too.
        let is_plain = |&symbol: &SymbolId| {
            let declared = problem.store.symbol(symbol);
            declared.arguments.is_empty() && problem.store.array_parts(declared.result).is_none()
        };
        let plain: Vec<SymbolId> = problem.symbols.iter().copied().filter(is_plain).collect();
        let plain = plain.into_iter().map(|symbol| store.symbol_term(symbol));
        let of_predicates = predicates.iter().map(|predicate| predicate.term);
        let roots: Vec<TermId> =
            problem.assertions.iter().copied().chain(of_predicates).chain(plain).collect();
        let program = Program::with_definitions(store, &roots, definitions, control)?;
        let memory = program.memory();
        Ok(Judge { program, memory, assertions: problem.assertions.len(), predicates: predicates.len() })
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// Sets which points the rows of a layout have from now on.
    pub(crate) fn place_points(&mut self, layout: &Layout) {
        layout.place_points(&mut self.memory);
    }

    /// The mask of those of 64 rows that satisfy all assertions.
    ///
    /// # Errors
    /// Time was up before the end.
    pub(crate) fn solutions(
        &mut self,
        store: &TermStore,
        layout: &Layout,
        rows: &[u64],
        control: &Control,
    ) -> Result<u64, Stopped> {
        layout.load(rows, &mut self.memory);
        self.program.run(store, &mut self.memory, control)?;
        let roots = &self.program.roots()[..self.assertions];
        let satisfying = roots.iter().fold(u64::MAX, |all, &root| all & self.memory.mask(root));
        if self.program.bounded_sorts().is_empty() {
            return Ok(satisfying);
        }
        let is_within = |row: &[u64]| layout.is_within_universes(store, row);
        let within = rows.chunks_exact(layout.width()).enumerate();
        Ok(within.fold(0, |lanes, (lane, row)| lanes | u64::from(is_within(row)) << lane) & satisfying)
    }

    /// The number of predicates.
    pub(crate) fn predicates(&self) -> usize {
        self.predicates
    }

    /// The classes of the rows that were judged last: for each 64 predicates a word in each lane, with a bit for
    /// each of them.
    pub(crate) fn classes(&self) -> Vec<Column> {
        let roots = &self.program.roots()[self.assertions..][..self.predicates];
        let columns = roots.chunks(64).map(|block| {
            let mut bits = [0; 64];
            for (word, &root) in bits.iter_mut().zip(block) {
                *word = self.memory.mask(root);
            }
            transpose(&mut bits);
            bits
        });
        columns.collect()
    }

    /// The place of a constant's value, unless the constant is an array.
    pub(crate) fn slot_of(&self, symbol: SymbolId) -> Option<Slot> {
        self.program.slot_of(symbol)
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The model of one of the rows that were judged last.
    pub(crate) fn model(&self, store: &TermStore, symbols: &[SymbolId], lane: usize) -> Model {
        self.program.model(store, &self.memory, symbols, lane)
    }
}
