//! The space that solutions are drawn from: the formula in its engine, and the bits that are drawn.
//!
//! Cells come and go: each adds clauses and variables, and the engine looks at all there ever were. A space starts with a
//! new engine when much has gathered.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_solver::{BuildError, Engine, EngineOptions, Lit, Query, Verdict};
use sundry_term::{Control, Model, TermStore};

use super::drawing::{Bit, Drawing, Symbols};
use crate::error::SampleError;
use crate::formula_engine::FormulaEngine;
use crate::problem::Problem;
use crate::rows::Judge;
use crate::strategy::StopReason;

/// Values of all bits that are drawn, packed.
pub(crate) type Row = Box<[u64]>;

/// The formula, and the bits to draw.
pub(crate) struct Space<'a> {
    problem: &'a Problem,
    options: EngineOptions,
    symbols: Symbols,
    formula: FormulaEngine,
    drawing: Drawing,
    /// Variables for sums of parts of equations. One cell is looked into at a time, and all of them share these.
    helpers: Vec<Lit>,
    cells: u64,
    wear: Wear,
}

/// The wear of the solver by cells. Each call looks at all variables there ever were.
#[derive(Default)]
struct Wear {
    variables: u64,
    clauses: u64,
    /// The maximal amount that may accumulate.
    most_variables: u64,
    most_clauses: u64,
}

impl Wear {
    /// The wear of an engine to which nothing was added.
    fn of(engine: &Engine) -> Wear {
        let sat = engine.statistics().sat;
        Wear {
            most_variables: 256 + sat.variables / 4,
            most_clauses: 20_000 + sat.clauses,
            ..Wear::default()
        }
    }
}

impl<'a> Space<'a> {
    /// Asserts the formula, looks for a first solution and finds the bits. With it comes a judge of its models.
    pub(crate) fn new(
        problem: &'a Problem,
        seed: u64,
        options: EngineOptions,
        control: &Control,
    ) -> Result<(Self, Judge), SampleError> {
        let mut formula = FormulaEngine::for_run(problem, seed, &options, control)?;
        let judge = formula.judge_in_lanes(problem)?;
        let symbols = Symbols::of(problem, &judge);
        let drawing = Drawing::new(problem, &symbols, &mut formula);
        let drawing = drawing.map_err(|error| formula.not_ready(error))?;
        let wear = Wear::of(formula.engine());
        let space =
            Space { problem, options, symbols, formula, drawing, helpers: Vec::new(), cells: 0, wear };
        Ok((space, judge))
    }

    /// Starts with a new engine if much has gathered in this one.
    pub(crate) fn renew_if_worn(&mut self) -> Result<(), StopReason> {
        let Wear { variables, clauses, most_variables, most_clauses } = self.wear;
        if variables < most_variables && clauses < most_clauses {
            return Ok(());
        }
        // A circuit that could be built once is not too large.
        self.renew().map_err(|_| self.control().reason().into())
    }

    /// Makes everything anew, in the same order as before, so that ids stay what they are.
    fn renew(&mut self) -> Result<(), BuildError> {
        self.formula.renew(self.problem, &self.options)?;
        self.formula.check(Query::default());
        self.drawing = Drawing::new(self.problem, &self.symbols, &mut self.formula)?;
        self.wear = Wear::of(self.formula.engine());
        self.helpers.clear();
        Ok(())
    }

    /// The terms of the formula, and those that definitions need.
    pub(crate) fn store(&self) -> &TermStore {
        self.formula.store()
    }

    pub(crate) fn control(&self) -> &Control {
        self.formula.control()
    }

    /// Whether a solution was found at once. If not, none exists, or time was up.
    pub(crate) fn has_solution(&self) -> bool {
        self.formula.first().is_some()
    }

    /// The number of bits that are drawn.
    pub(crate) fn width(&self) -> usize {
        self.drawing.bits.len()
    }

    /// The number of free bits of constants.
    pub(crate) fn free(&self) -> u64 {
        self.symbols.others + self.drawing.assembly.as_ref().map_or(0, |assembly| assembly.counted)
    }

    /// The number of arrays, functions and elements of declared sorts.
    pub(crate) fn undrawn(&self) -> u64 {
        self.symbols.undrawn
    }

    /// The number of calls of the solver.
    pub(crate) fn questions(&self) -> u64 {
        self.formula.questions()
    }

    pub(crate) fn literal(&self, bit: usize) -> Lit {
        self.drawing.bits[bit].literal
    }

    /// The values of the bits in the last solution.
    pub(crate) fn last_values(&self) -> impl Fn(usize) -> bool + '_ {
        let last = self.formula.last_model();
        move |bit| last.value(self.drawing.bits[bit].edge)
    }

    /// The number of cells that were looked into.
    pub(crate) fn cells(&self) -> u64 {
        self.cells
    }

    /// The literal of a new cell.
    pub(crate) fn open_cell(&mut self) -> Lit {
        self.cells += 1;
        self.new_literal()
    }

    /// The helping variable of this number, as its positive literal; all before it exist then.
    pub(crate) fn helper(&mut self, number: usize) -> Lit {
        while self.helpers.len() <= number {
            let helper = self.new_literal();
            self.helpers.push(helper);
        }
        self.helpers[number]
    }

    fn new_literal(&mut self) -> Lit {
        self.wear.variables += 1;
        self.formula.new_literal()
    }

    /// Adds a clause for ever, which a literal of the caller's own guards.
    pub(crate) fn add_clause(&mut self, clause: &[Lit]) {
        self.wear.clauses += 1;
        self.formula.add_clause(clause);
    }

    /// Decisions try random values everywhere in the circuit.
    pub(crate) fn prefer_randomly(&mut self, random: &mut ChaCha8Rng) {
        self.formula.engine_mut().prefer_values(|_| random.random());
    }

    /// Looks for a solution under assumptions.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, StopReason> {
        match self.formula.check(Query::assuming(assumptions)).verdict() {
            Verdict::Sat => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown => Err(self.control().reason().into()),
        }
    }

    /// The values of the last solution.
    pub(crate) fn row(&self) -> Row {
        let value = self.last_values();
        let mut row = vec![0u64; self.drawing.bits.len().div_ceil(64)];
        for bit in (0..self.drawing.bits.len()).filter(|&bit| value(bit)) {
            row[bit / 64] |= 1 << (bit % 64);
        }
        row.into()
    }

    /// The last solution, with random values of free bits.
    pub(crate) fn model(&self, random: &mut ChaCha8Rng) -> Model {
        match &self.drawing.assembly {
            Some(assembly) => assembly.model(self.formula.store(), self.last_values(), random),
            None => self.formula.read_last_model(),
        }
    }

    /// The solution with these values, which were those of one before, with random values of free bits. None would be
    /// a defect of the solver.
    pub(crate) fn model_of(
        &mut self,
        row: &[u64],
        random: &mut ChaCha8Rng,
    ) -> Result<Option<Model>, StopReason> {
        let value = |bit: usize| row[bit / 64] >> (bit % 64) & 1 == 1;
        if let Some(assembly) = &self.drawing.assembly {
            return Ok(Some(assembly.model(self.formula.store(), value, random)));
        }
        let assumptions: Vec<Lit> = self
            .drawing
            .bits
            .iter()
            .enumerate()
            .map(|(bit, Bit { literal, .. })| literal.negate_if(!value(bit)))
            .collect();
        Ok(self.solve(&assumptions)?.then(|| self.formula.read_last_model()))
    }
}
