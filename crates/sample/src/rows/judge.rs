//! The judge of rows: it decides which of up to 64 are solutions.

use sundry_coverage::Predicate;
use sundry_lanes::{Column, CompileError, LANES, Memory, Program, Slot};
use sundry_term::{Control, Model, SortId, Stopped, SymbolId, TermId, TermStore};

use super::layout::Layout;
use super::one_by_one::OneByOne;
use super::transpose::transpose;
use crate::problem::Problem;

/// The assertions as written, ready to be evaluated for many assignments.
pub(crate) struct Judge {
    evaluation: Evaluation,
    /// The number of predicates.
    predicates: usize,
}

/// The way in which rows are evaluated.
enum Evaluation {
    /// All together.
    Lanes {
        program: Program,
        memory: Memory,
        /// The number of roots that are assertions, which come first; predicates come after them.
        assertions: usize,
    },
    /// One after the other, by the evaluator: something in the formula has no lanes.
    OneByOne(OneByOne),
}

impl Judge {
    /// A judge of the problem's assertions under models in which some constants are defined by terms. `store` has
    /// those terms and all of the problem's.
    ///
    /// # Errors
    /// Time was up.
    pub(crate) fn new(
        problem: &Problem,
        predicates: &[Predicate],
        store: &mut TermStore,
        definitions: &[(SymbolId, TermId)],
        control: &Control,
    ) -> Result<Self, Stopped> {
        match Judge::in_lanes(problem, predicates, store, definitions, control) {
            Ok(judge) => Ok(judge),
            Err(CompileError::Stopped(reason)) => Err(reason),
            Err(CompileError::Unsupported(_)) => {
                let judge = OneByOne::new(problem, predicates, store, definitions, control)?;
                let evaluation = Evaluation::OneByOne(judge);
                Ok(Judge { evaluation, predicates: predicates.len() })
            }
        }
    }

    /// A judge that evaluates all rows together.
    ///
    /// # Errors
    /// Something in the formula has no lanes, or time was up.
    pub(crate) fn in_lanes(
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
        let assertions = problem.assertions.len();
        let evaluation = Evaluation::Lanes { program, memory, assertions };
        Ok(Judge { evaluation, predicates: predicates.len() })
    }

    /// The constants whose values are expected, apart from arrays.
    pub(crate) fn constants(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let (in_lanes, others) = match &self.evaluation {
            Evaluation::Lanes { program, .. } => (program.constants(), &[][..]),
            Evaluation::OneByOne(judge) => (&[][..], judge.constants()),
        };
        in_lanes.iter().map(|&(symbol, _)| symbol).chain(others.iter().copied())
    }

    /// The arrays and functions whose values are expected at points.
    pub(crate) fn tables(&self) -> Vec<SymbolId> {
        match &self.evaluation {
            Evaluation::Lanes { program, .. } => program.tables().collect(),
            Evaluation::OneByOne(judge) => judge.tables().to_vec(),
        }
    }

    /// The arrays and functions whose values are expected as a whole.
    pub(crate) fn others(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let others = match &self.evaluation {
            Evaluation::Lanes { .. } => &[][..],
            Evaluation::OneByOne(judge) => judge.others(),
        };
        others.iter().copied()
    }

    /// Whether a solution may say something that has no words.
    pub(crate) fn has_rest(&self) -> bool {
        matches!(&self.evaluation, Evaluation::OneByOne(judge) if judge.has_rest())
    }

    /// Whether there may be elements of declared sorts in what has no words.
    pub(crate) fn has_elements(&self) -> bool {
        matches!(&self.evaluation, Evaluation::OneByOne(judge) if judge.has_elements())
    }

    /// The declared sorts of which it matters how many elements there are, where rows say it.
    pub(crate) fn bounded_sorts(&self) -> &[SortId] {
        match &self.evaluation {
            Evaluation::Lanes { program, .. } => program.bounded_sorts(),
            Evaluation::OneByOne(_) => &[],
        }
    }

    /// Whether rows are judged one after the other, which takes longer than judging 64 together.
    pub(crate) fn is_one_by_one(&self) -> bool {
        matches!(&self.evaluation, Evaluation::OneByOne(_))
    }

    /// Sets which points the rows of a layout have from now on.
    pub(crate) fn place_points(&mut self, layout: &Layout) {
        if let Evaluation::Lanes { memory, .. } = &mut self.evaluation {
            layout.place_points(memory);
        }
    }

    /// The mask of those of some rows, 64 at most, that satisfy all assertions. Words may be added behind them.
    ///
    /// # Errors
    /// Time was up before the end.
    pub(crate) fn solutions(
        &mut self,
        store: &TermStore,
        layout: &Layout,
        rows: &mut Vec<u64>,
        count: usize,
        control: &Control,
    ) -> Result<u64, Stopped> {
        let lanes = u64::MAX.checked_shr((LANES - count) as u32).unwrap_or(0);
        let (program, memory, assertions) = match &mut self.evaluation {
            Evaluation::Lanes { program, memory, assertions } => (program, memory, *assertions),
            Evaluation::OneByOne(judge) => return judge.solutions(store, layout, rows, count, control),
        };
        rows.resize(LANES * layout.width(), 0);
        layout.load(rows, program, memory);
        program.run(store, memory, control)?;
        let roots = &program.roots()[..assertions];
        let satisfying = roots.iter().fold(lanes, |all, &root| all & memory.mask(root));
        if program.bounded_sorts().is_empty() {
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
        let (program, memory, assertions) = match &self.evaluation {
            Evaluation::Lanes { program, memory, assertions } => (program, memory, *assertions),
            Evaluation::OneByOne(judge) => return judge.classes().to_vec(),
        };
        let roots = &program.roots()[assertions..][..self.predicates];
        let columns = roots.chunks(64).map(|block| {
            let mut bits = [0; 64];
            for (word, &root) in bits.iter_mut().zip(block) {
                *word = memory.mask(root);
            }
            transpose(&mut bits);
            bits
        });
        columns.collect()
    }

    /// The memory of the lanes, and the places of these constants in it; none where rows are judged one by one, or a
    /// constant is an array.
    pub(crate) fn places(&self, symbols: &[SymbolId]) -> Option<(&Memory, Vec<Slot>)> {
        let Evaluation::Lanes { program, memory, .. } = &self.evaluation else { return None };
        let slots = symbols.iter().map(|&symbol| program.slot_of(symbol)).collect::<Option<_>>()?;
        Some((memory, slots))
    }

    /// The model of one of the rows that were judged last, which is a solution.
    pub(crate) fn model(&self, store: &TermStore, symbols: &[SymbolId], lane: usize) -> Model {
        match &self.evaluation {
            Evaluation::Lanes { program, memory, .. } => program.model(store, memory, symbols, lane),
            Evaluation::OneByOne(judge) => judge.model(lane),
        }
    }
}
