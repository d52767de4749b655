//! Word-level normalisation that keeps the set of models.
//!
//! The asserted formulas become equations that define symbols, facts that replace terms by
//! constants, and a rest. Every step is an equivalence under the assertions: a symbol is
//! eliminated only where they determine its value. So what is impossible afterwards was impossible
//! before, which coverage depends on; eliminations that only keep satisfiability (unconstrained
//! terms, pure literals) have no place here.

mod cycles;
mod equation;
mod linear;
mod shared;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Control, Op, Stopped, SymbolId, TermId, TermStore, Value};

use crate::rewrite::Rewriter;
use crate::theory::numbers::is_number_sort;
use cycles::drop_cycles;
use equation::{equations_of_parts, solve_for_symbol};
use linear::LinearEquations;
use shared::shared_equalities;

/// Rounds of substitution after which the rest is left as it is.
const MAXIMAL_ROUNDS: usize = 30;

/// The work of visiting a term, in the units of [`Control::spend`].
const WORK_OF_VISIT: u32 = 8;

/// The work of solving an equation of numbers.
const WORK_OF_EQUATION: u32 = 256;

/// Definitions and facts found so far, and the normal form of terms under them.
#[derive(Clone)]
pub(crate) struct Normaliser {
    rewriter: Rewriter,
    /// Symbol term → term that it equals, possibly over other defined symbols, without cycles.
    definitions: FxHashMap<TermId, TermId>,
    /// Normal term → constant that it equals. The assertion behind a fact is kept aside.
    facts: FxHashMap<TermId, TermId>,
    /// Assertions in normal form that are not definitions.
    assertions: Vec<TermId>,
    memo: FxHashMap<TermId, TermId>,
    /// Equalities that were added because they follow from each case of a disjunction.
    shared: FxHashSet<TermId>,
    /// Whether integers and reals are numbers: symbols of these sorts may belong to another theory, which has to see all assertions about them.
    has_numbers: bool,
}

impl Normaliser {
    pub(crate) fn new(rewriter: Rewriter, has_numbers: bool) -> Self {
        Normaliser {
            rewriter,
            definitions: FxHashMap::default(),
            facts: FxHashMap::default(),
            assertions: Vec::new(),
            memo: FxHashMap::default(),
            shared: FxHashSet::default(),
            has_numbers,
        }
    }

    /// Sets what stops normalisation from now on.
    pub(crate) fn set_control(&mut self, control: &Control) {
        self.rewriter.set_control(control);
    }

    /// Normalises assertions that hold for ever, together. Returns what remains to be asserted;
    /// call it once, before any term was normalised for a circuit.
    ///
    /// # Errors
    /// The control stopped the work; the assertions are lost then.
    pub(crate) fn assert_all(
        &mut self,
        store: &mut TermStore,
        assertions: &[TermId],
    ) -> Result<Vec<TermId>, Stopped> {
        self.assertions = assertions.to_vec();
        for _ in 0..MAXIMAL_ROUNDS {
            self.normalise_assertions(store)?;
            // Facts are stated of normal terms: while there are new definitions, there are none.
            let changed = if self.find_definitions(store)? {
                self.facts.clear();
                true
            } else {
                self.find_facts(store)? | self.add_shared_equalities(store)?
            };
            if !changed {
                return Ok(self.assertions.clone());
            }
            self.memo.clear();
        }
        self.normalise_assertions(store)?;
        Ok(self.assertions.clone())
    }

    /// The symbols that were eliminated, each with a term over remaining symbols that it equals.
    ///
    /// # Errors
    /// The control stopped the work.
    pub(crate) fn definitions(&mut self, store: &mut TermStore) -> Result<Vec<(SymbolId, TermId)>, Stopped> {
        let mut defined: Vec<TermId> = self.definitions.keys().copied().collect();
        defined.sort_unstable();
        defined
            .into_iter()
            .map(|term| {
                let symbol = store.constant_symbol(term).expect("symbols are defined");
                Ok((symbol, self.normal_form(store, term)?))
            })
            .collect()
    }

    /// Whether the normal form of a term is known.
    pub(crate) fn is_known(&self, term: TermId) -> bool {
        self.memo.contains_key(&term)
    }

    /// The normal form of a term: equal to it in every model of the assertions.
    ///
    /// # Errors
    /// The control stopped the work.
    pub(crate) fn normal_form(&mut self, store: &mut TermStore, term: TermId) -> Result<TermId, Stopped> {
        enum Visit {
            Enter(TermId),
            Leave(TermId),
            /// The second term is the normal form of the first.
            Follow(TermId, TermId),
        }
        let mut stack = vec![Visit::Enter(term)];
        while let Some(visit) = stack.pop() {
            self.rewriter.spend(WORK_OF_VISIT)?;
            match visit {
                Visit::Enter(term) => {
                    if self.memo.contains_key(&term) {
                        continue;
                    }
                    if let Some(&definition) = self.definitions.get(&term) {
                        stack.push(Visit::Follow(term, definition));
                        stack.push(Visit::Enter(definition));
                        continue;
                    }
                    stack.push(Visit::Leave(term));
                    stack.extend(store.args(term).iter().map(|&argument| Visit::Enter(argument)));
                }
                Visit::Follow(term, definition) => {
                    let normal = self.memo[&definition];
                    self.memo.insert(term, normal);
                }
                Visit::Leave(term) => {
                    let built = self.rebuild(store, term);
                    let normal = self.facts.get(&built).copied().unwrap_or(built);
                    self.memo.insert(term, normal);
                }
            }
        }
        Ok(self.memo[&term])
    }

    /// The rewritten application on the normal forms of the arguments, which are known.
    fn rebuild(&mut self, store: &mut TermStore, term: TermId) -> TermId {
        if store.args(term).is_empty() {
            return term;
        }
        let arguments: Vec<TermId> = store.args(term).iter().map(|argument| self.memo[argument]).collect();
        self.rewriter.apply(store, store.op(term), &arguments)
    }

    /// The normal form of an assertion, in which its own fact is not used on itself.
    fn normal_assertion(&mut self, store: &mut TermStore, assertion: TermId) -> Result<TermId, Stopped> {
        let Some((term, value)) = self.fact_of(store, assertion) else {
            return self.normal_form(store, assertion);
        };
        if self.facts.contains_key(&term) {
            for &argument in &store.args(term).to_vec() {
                self.normal_form(store, argument)?;
            }
            let built = self.rebuild(store, term);
            if built == term {
                return Ok(assertion);
            }
            return Ok(match store.value(value) {
                Some(Value::Bool(true)) => built,
                Some(Value::Bool(false)) => self.rewriter.apply(store, Op::Not, &[built]),
                _ => self.rewriter.apply(store, Op::Equal, &[built, value]),
            });
        }
        self.normal_form(store, assertion)
    }

    /// Passes once over the assertions: makes normal forms and takes conjunctions apart.
    fn normalise_assertions(&mut self, store: &mut TermStore) -> Result<(), Stopped> {
        let before = std::mem::take(&mut self.assertions);
        let mut seen = FxHashSet::default();
        let mut after = Vec::with_capacity(before.len());
        let mut stack: Vec<TermId> = Vec::new();
        for &assertion in &before {
            stack.push(self.normal_assertion(store, assertion)?);
            while let Some(part) = stack.pop() {
                self.rewriter.spend(WORK_OF_VISIT)?;
                if store.value(part) == Some(&Value::Bool(true)) {
                    continue;
                }
                if !seen.insert(part) {
                    continue;
                }
                if !self.push_conjuncts(store, part, &mut stack) {
                    after.push(part);
                }
            }
        }
        self.assertions = after;
        Ok(())
    }

    /// Takes a conjunction (or a negated disjunction, or the equations of a concatenation's parts)
    /// apart onto the stack, last part first.
    fn push_conjuncts(&mut self, store: &mut TermStore, term: TermId, stack: &mut Vec<TermId>) -> bool {
        match store.op(term) {
            Op::And => {
                stack.extend(store.args(term).iter().rev());
                true
            }
            Op::Equal => match equations_of_parts(store, &mut self.rewriter, term) {
                Some(equations) => {
                    stack.extend(equations);
                    true
                }
                None => false,
            },
            Op::Not => {
                let inner = store.args(term)[0];
                let arguments = store.args(inner).to_vec();
                match store.op(inner) {
                    Op::Or => {
                        for &argument in arguments.iter().rev() {
                            stack.push(self.rewriter.apply(store, Op::Not, &[argument]));
                        }
                        true
                    }
                    Op::Implies if arguments.len() == 2 => {
                        stack.push(self.rewriter.apply(store, Op::Not, &[arguments[1]]));
                        stack.push(arguments[0]);
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Turns assertions into definitions, as long as no definition needs itself.
    fn find_definitions(&mut self, store: &mut TermStore) -> Result<bool, Stopped> {
        let mut candidates: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut sources: Vec<(TermId, TermId)> = Vec::new();
        let mut linear = LinearEquations::default();
        for &assertion in &self.assertions {
            self.rewriter.spend(WORK_OF_VISIT)?;
            if let Some((left, right)) = self.equation_of_numbers(store, assertion) {
                self.rewriter.spend(WORK_OF_EQUATION)?;
                sources.extend(linear.add(store, left, right).map(|symbol| (assertion, symbol)));
            } else if let Some((symbol, term)) =
                solve_for_symbol(store, &mut self.rewriter, assertion, |symbol| {
                    candidates.contains_key(&symbol)
                })
            {
                candidates.insert(symbol, term);
                sources.push((assertion, symbol));
            }
        }
        for &(_, symbol) in &sources {
            candidates.entry(symbol).or_insert_with(|| linear.definition(store, symbol));
        }
        if candidates.is_empty() {
            return Ok(false);
        }
        drop_cycles(store, &mut candidates, &sources, &self.rewriter)?;
        let used: FxHashSet<TermId> = sources
            .iter()
            .filter(|(_, symbol)| candidates.contains_key(symbol))
            .map(|&(assertion, _)| assertion)
            .collect();
        if candidates.is_empty() {
            return Ok(false);
        }
        // The other equations have been solved with those that were given up, so that these are added as solved: as written, they may follow from the others.
        self.assertions.retain(|assertion| !used.contains(assertion));
        for (_, symbol) in sources.into_iter().filter(|(_, symbol)| !candidates.contains_key(symbol)) {
            if linear.is_solved_for(symbol) {
                let definition = linear.definition(store, symbol);
                self.assertions.push(self.rewriter.apply(store, Op::Equal, &[symbol, definition]));
            }
        }
        self.definitions.extend(candidates);
        Ok(true)
    }

    /// The two sides of an equation of integers or reals, if symbols of these sorts are eliminated.
    fn equation_of_numbers(&self, store: &TermStore, assertion: TermId) -> Option<(TermId, TermId)> {
        match *store.args(assertion) {
            [left, right] if self.has_numbers && store.op(assertion) == Op::Equal => {
                is_number_sort(store.sort_of(left)).then_some((left, right))
            }
            _ => None,
        }
    }

    /// Adds equalities of numbers that follow from each case of a disjunction. Whether there are new ones.
    fn add_shared_equalities(&mut self, store: &mut TermStore) -> Result<bool, Stopped> {
        if !self.has_numbers {
            return Ok(false);
        }
        let before = self.assertions.len();
        for position in 0..before {
            self.rewriter.spend(WORK_OF_VISIT)?;
            for (left, right) in shared_equalities(store, self.assertions[position]) {
                let equality = self.rewriter.apply(store, Op::Equal, &[left, right]);
                if self.shared.insert(equality) {
                    self.assertions.push(equality);
                }
            }
        }
        Ok(self.assertions.len() > before)
    }

    /// Collects which terms the assertions fix to a constant. Whether that is news.
    fn find_facts(&mut self, store: &mut TermStore) -> Result<bool, Stopped> {
        let mut facts = FxHashMap::default();
        for &assertion in &self.assertions.clone() {
            self.rewriter.spend(WORK_OF_VISIT)?;
            if let Some((term, value)) = self.fact_of(store, assertion) {
                facts.entry(term).or_insert(value);
            }
        }
        let news = facts != self.facts;
        self.facts = facts;
        Ok(news)
    }

    /// The fact that an assertion states about one term: `term = constant`.
    fn fact_of(&self, store: &mut TermStore, assertion: TermId) -> Option<(TermId, TermId)> {
        let arguments = store.args(assertion);
        match store.op(assertion) {
            Op::Constant(_) => None,
            Op::Equal if arguments.len() == 2 => {
                let (left, right) = (arguments[0], arguments[1]);
                if store.value(right).is_some() {
                    Some((left, right))
                } else if store.value(left).is_some() {
                    Some((right, left))
                } else {
                    Some((assertion, store.bool(true)))
                }
            }
            Op::Not => {
                let inner = arguments[0];
                Some((inner, store.bool(false)))
            }
            _ => Some((assertion, store.bool(true))),
        }
    }
}
