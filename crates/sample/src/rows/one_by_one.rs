//! Rows judged by the evaluator, one after the other: for formulas with floating-point values, numbers, or arrays of arrays, which have no
//! lanes.
//!
//! Lanes for floats were rejected for now: an operator takes the evaluator hundreds of times as long as what lanes save.

use rustc_hash::FxHashSet;
use sundry_coverage::Predicate;
use sundry_lanes::{Column, LANES};
use sundry_term::{
    ChosenResults, Control, EvaluationError, Evaluator, Model, Op, Sort, SortId, Stopped, SymbolId, TermId,
    TermStore, Value,
};

use super::layout::Layout;
use crate::problem::Problem;

/// The assertions as written and the predicates, with what their models have to say.
pub(super) struct OneByOne {
    assertions: Vec<TermId>,
    predicates: Vec<TermId>,
    /// The symbols that the assertions define, and the terms over others that these equal.
    defined: Vec<SymbolId>,
    definitions: Vec<TermId>,
    constants: Vec<SymbolId>,
    tables: Vec<SymbolId>,
    others: Vec<SymbolId>,
    has_rest: bool,
    has_elements: bool,
    /// The models of the rows that were judged last, as far as they are solutions.
    models: Vec<Option<Model>>,
    classes: Vec<Column>,
}

impl OneByOne {
    /// A judge of the problem's assertions.
    ///
    /// # Errors
    /// Time was up.
    pub(super) fn new(
        problem: &Problem,
        predicates: &[Predicate],
        store: &TermStore,
        definitions: &[(SymbolId, TermId)],
        control: &Control,
    ) -> Result<Self, Stopped> {
        let predicates: Vec<TermId> = predicates.iter().map(|predicate| predicate.term).collect();
        let (defined, definitions): (Vec<SymbolId>, Vec<TermId>) = definitions.iter().copied().unzip();
        let roots: Vec<TermId> =
            problem.assertions.iter().chain(&predicates).chain(&definitions).copied().collect();
        let reachable = store.reachable_within(&roots, control)?;
        let mentioned = reachable.iter().filter_map(|&term| match store.op(term) {
            Op::Apply(symbol) if store.definition(symbol).is_none() => Some(symbol),
            _ => None,
        });
        let mut seen: FxHashSet<SymbolId> = defined.iter().copied().collect();
        let symbols: Vec<SymbolId> =
            problem.symbols.iter().copied().chain(mentioned).filter(|&symbol| seen.insert(symbol)).collect();
        let (constants, functions): (Vec<SymbolId>, Vec<SymbolId>) = symbols.iter().partition(|&&symbol| {
            let declared = store.symbol(symbol);
            declared.arguments.is_empty() && store.array_parts(declared.result).is_none()
        });
        let (tables, others): (Vec<SymbolId>, Vec<SymbolId>) =
            functions.iter().partition(|&&symbol| is_table(store, symbol));
        let may_be_open = reachable.iter().any(|&term| ChosenResults::may_be_of(store.op(term)));
        let is_constant_array = |&term: &TermId| matches!(store.op(term), Op::ConstArray(_));
        let has_rest = may_be_open || !others.is_empty() || reachable.iter().any(is_constant_array);
        let is_declared = |&symbol: &SymbolId| {
            let declared = store.symbol(symbol);
            declared.arguments.iter().chain([&declared.result]).any(|&sort| mentions_declared(store, sort))
        };
        let has_elements = symbols.iter().any(is_declared);
        Ok(OneByOne {
            assertions: problem.assertions.clone(),
            predicates,
            defined,
            definitions,
            constants,
            tables,
            others,
            has_rest,
            has_elements,
            models: Vec::new(),
            classes: Vec::new(),
        })
    }

    /// The constants whose values are expected, apart from arrays.
    pub(super) fn constants(&self) -> &[SymbolId] {
        &self.constants
    }

    /// The arrays and functions whose values are expected at points.
    pub(super) fn tables(&self) -> &[SymbolId] {
        &self.tables
    }

    /// The arrays and functions whose values are expected as a whole.
    pub(super) fn others(&self) -> &[SymbolId] {
        &self.others
    }

    /// Whether solutions may say something that has no words.
    pub(super) fn has_rest(&self) -> bool {
        self.has_rest
    }

    /// Whether there are elements of declared sorts.
    pub(super) fn has_elements(&self) -> bool {
        self.has_elements
    }

    /// The mask of those of some rows that satisfy all assertions.
    ///
    /// # Errors
    /// Time was up before the end.
    pub(super) fn solutions(
        &mut self,
        store: &TermStore,
        layout: &Layout,
        rows: &[u64],
        count: usize,
        control: &Control,
    ) -> Result<u64, Stopped> {
        self.models.clear();
        self.classes = vec![[0; LANES]; self.predicates.len().div_ceil(64)];
        let mut solutions = 0;
        for lane in 0..count {
            let row = &rows[lane * layout.width()..][..layout.width()];
            let judged = match layout.model(store, row) {
                Some(model) => self.judge(store, model, lane, control)?,
                None => None,
            };
            solutions |= u64::from(judged.is_some()) << lane;
            self.models.push(judged);
        }
        Ok(solutions)
    }

    /// A model with the symbols that are defined, if it satisfies all assertions.
    ///
    /// # Errors
    /// Time was up.
    fn judge(
        &mut self,
        store: &TermStore,
        mut model: Model,
        lane: usize,
        control: &Control,
    ) -> Result<Option<Model>, Stopped> {
        if !self.definitions.is_empty() {
            let mut evaluator = Evaluator::with_control(store, &model, control);
            if !is_evaluated(evaluator.evaluate(&self.definitions))? {
                return Ok(None);
            }
            // A symbol without a value has the default of its sort: the assertions decide about that.
            let values: Vec<Option<Value>> =
                self.definitions.iter().map(|&term| evaluator.value(term).cloned()).collect();
            for (&symbol, value) in self.defined.iter().zip(values) {
                if let Some(value) = value {
                    model.set_constant(symbol, value);
                }
            }
        }
        let mut evaluator = Evaluator::with_control(store, &model, control);
        let holds =
            |evaluator: &Evaluator<'_>, term: TermId| evaluator.value(term) == Some(&Value::Bool(true));
        // Most candidates fail early.
        for &assertion in &self.assertions {
            if !is_evaluated(evaluator.evaluate(&[assertion]))? || !holds(&evaluator, assertion) {
                return Ok(None);
            }
        }
        if !is_evaluated(evaluator.evaluate(&self.predicates))? {
            return Ok(None);
        }
        for (number, &predicate) in self.predicates.iter().enumerate() {
            self.classes[number / 64][lane] |= u64::from(holds(&evaluator, predicate)) << (number % 64);
        }
        Ok(Some(model))
    }

    /// The classes of the rows that were judged last.
    pub(super) fn classes(&self) -> &[Column] {
        &self.classes
    }

    /// The model of one of the rows that were judged last, which is a solution.
    pub(super) fn model(&self, lane: usize) -> Model {
        self.models.get(lane).cloned().flatten().unwrap_or_default()
    }
}

/// Whether an evaluation has come to its end: a model with values that its sorts do not have is no solution.
///
/// # Errors
/// Time was up before the end.
fn is_evaluated(result: Result<(), EvaluationError>) -> Result<bool, Stopped> {
    match result {
        Ok(()) => Ok(true),
        Err(EvaluationError::Stopped(reason)) => Err(reason),
        Err(_) => Ok(false),
    }
}

/// Whether values of a sort are words whatever the formula says, so that tables have them.
fn is_plain(store: &TermStore, sort: SortId) -> bool {
    matches!(store.sort(sort), Sort::Bool | Sort::BitVec(_) | Sort::Uninterpreted { .. })
}

/// Whether an array or a function has finitely many elements that differ from a default, all of which are words.
fn is_table(store: &TermStore, symbol: SymbolId) -> bool {
    let declared = store.symbol(symbol);
    match store.array_parts(declared.result) {
        Some((index, element)) => {
            declared.arguments.is_empty() && is_plain(store, index) && is_plain(store, element)
        }
        None => declared.arguments.iter().chain([&declared.result]).all(|&sort| is_plain(store, sort)),
    }
}

fn mentions_declared(store: &TermStore, sort: SortId) -> bool {
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        if matches!(store.sort(sort), Sort::Uninterpreted { .. }) {
            return true;
        }
        stack.extend(store.sort(sort).parts());
    }
    false
}
