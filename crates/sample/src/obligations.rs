//! The claims of a finished run, as scripts that an independent solver has to find unsatisfiable.
//!
//! A run claims that AST-bits are impossible, that others exclude one another, and that no set has
//! fewer solutions than its lower bound. Each claim is the unsatisfiability of a formula over the
//! assertions as written, so any solver can check it; our rewriting, circuits and lemmas play no part. Proof
//! certificates of the SAT solver were rejected: they speak of our clauses, and that these mean the formula is the
//! larger part of what has to be checked.
//!
//! Solutions and their coverage need no obligation: they are evaluated.

use rustc_hash::FxHashMap;
use sundry_coverage::AstBit;
use sundry_smtlib::{Formula, print_formula};
use sundry_term::{Control, Float, FloatOp, Op, Sort, SymbolId, TermId, TermStore};

use crate::bit_terms::{bit_is_one, bit_of_number};
use crate::copies::rename;
use crate::pipeline::{Part, SetSummary, Summary};
use crate::problem::Problem;
use crate::strategy::StopReason;

/// A script that must be unsatisfiable for a claim to be true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The claim, as a part of a file name.
    pub name: String,
    /// The SMT-LIB script, with one `check-sat`.
    pub script: String,
}

/// All obligations of a run; none is left out whose claim could be false. A run for combinations of values has them in its summary
/// if the request asked for them; runs that hand out solutions as they are found claim nothing.
///
/// A run that covers AST-bits has these:
///
/// * `unsatisfiable`: the assertions, where the run found that they have no model.
/// * `impossible`: some AST-bit called impossible.
/// * `exclusive`: two of the exclusive AST-bits at once.
/// * `minimum`: one solution less than the lower bound covers everything, where the exclusive
///   AST-bits are fewer than the bound.
pub fn obligations(problem: &Problem, summary: &Summary) -> Vec<Obligation> {
    let set = match &summary.part {
        Part::Set(set) => set,
        Part::Tuples(tuples) => return tuples.obligations.clone(),
        Part::Volume(_) | Part::Uniform(_) => return Vec::new(),
    };
    let mut writer = Writer::new(problem, problem.store.clone());
    if summary.stopped_by == StopReason::Unsatisfiable {
        writer.unsatisfiable();
        return writer.found;
    }
    writer.impossible(set);
    writer.exclusive(set);
    if set.lower_bound > set.exclusive.len().max(1) {
        writer.minimum(set);
    }
    writer.found
}

/// The obligation that one AST-bit is impossible.
pub fn obligation_of_ast_bit(problem: &Problem, number: usize) -> Obligation {
    let mut writer = Writer::new(problem, problem.store.clone());
    let covered = writer.covered(number);
    writer.never("impossible", &format!("A solution that covers AST-bit {number}."), covered);
    writer.found.remove(0)
}

/// Writes obligations.
pub(crate) struct Writer<'a> {
    problem: &'a Problem,
    /// The problem's store and what the obligations add to it.
    pub(crate) store: TermStore,
    /// The obligations written so far.
    pub(crate) found: Vec<Obligation>,
    /// For floating-point terms, a constant that is the word of their bits, with what says so.
    words: FxHashMap<TermId, (TermId, TermId)>,
}

impl<'a> Writer<'a> {
    /// Creates a writer without obligations. The store has the terms of the problem, with the same ids.
    pub(crate) fn new(problem: &'a Problem, store: TermStore) -> Self {
        Writer { problem, store, found: Vec::new(), words: FxHashMap::default() }
    }

    /// Adds the claim that the formula has no solution.
    pub(crate) fn unsatisfiable(&mut self) {
        self.write("unsatisfiable", "The formula itself.", self.problem.assertions.clone());
    }

    /// Adds the claim that no solution makes a further term true.
    pub(crate) fn never(&mut self, name: &str, claim: &str, further: TermId) {
        let assertions = self.problem.assertions.iter().copied().chain([further]).collect();
        self.write(name, claim, assertions);
    }

    fn write(&mut self, name: impl Into<String>, claim: &str, mut assertions: Vec<TermId>) {
        if !self.words.is_empty() {
            let below = self.store.reachable(&assertions);
            let is_below = |word: &TermId| below.binary_search(word).is_ok();
            let used = self.words.values().filter(|(word, _)| is_below(word));
            let mut meanings: Vec<TermId> = used.map(|&(_, meaning)| meaning).collect();
            meanings.sort_unstable();
            assertions.extend(meanings);
        }
        let formula = Formula::of_assertions(&self.store, assertions);
        let script = format!("; Must be unsatisfiable. {claim}\n{}", print_formula(&self.store, &formula));
        self.found.push(Obligation { name: name.into(), script });
    }

    fn impossible(&mut self, set: &SetSummary) {
        if set.impossible.is_empty() {
            return;
        }
        let covered: Vec<TermId> = set.impossible.iter().map(|number| self.covered(number)).collect();
        let some = any_of(&mut self.store, &covered);
        let claim = format!("A solution that covers one of {} impossible AST-bits.", covered.len());
        self.never("impossible", &claim, some);
    }

    /// Two of them at once: some AST-bit together with one of those after it.
    fn exclusive(&mut self, set: &SetSummary) {
        let covered: Vec<TermId> = set.exclusive.iter().map(|&number| self.covered(number)).collect();
        let Some((&last, others)) = covered.split_last() else { return };
        let mut later = last;
        let mut pairs = Vec::with_capacity(others.len());
        for &one in others.iter().rev() {
            pairs.push(self.store.make(Op::And, &[one, later]));
            later = self.store.make(Op::Or, &[one, later]);
        }
        let two = any_of(&mut self.store, &pairs);
        let claim = format!("A solution that covers two of {} exclusive AST-bits.", covered.len());
        self.never("exclusive", &claim, two);
    }

    /// Adds the claim that no set is smaller than the lower bound: one copy of the assertions for each of its solutions
    /// but one, and every covered AST-bit covered in some copy. No copy covers two of the exclusive AST-bits, so the
    /// copies can be numbered such that each of the first covers its own.
    fn minimum(&mut self, set: &SetSummary) {
        let count = set.lower_bound - 1;
        let copy = |number| {
            let renamed = rename(&mut self.store, &self.problem.assertions, number, &Control::default());
            renamed.expect("nothing stops this control").terms
        };
        let copies: Vec<FxHashMap<TermId, TermId>> = (0..count).map(copy).collect();
        let mut assertions: Vec<TermId> = copies
            .iter()
            .flat_map(|copy| self.problem.assertions.iter().map(|assertion| copy[assertion]))
            .collect();
        for (copy, &number) in copies.iter().zip(&set.exclusive) {
            assertions.push(self.covered_in(copy, number));
        }
        for number in 0..self.problem.ast_bits.total() {
            // Where the other value is impossible, any solution covers this one.
            let certain = set.impossible.contains(number ^ 1);
            if set.coverage.contains(number) && !certain {
                let covered: Vec<TermId> = copies.iter().map(|copy| self.covered_in(copy, number)).collect();
                assertions.push(any_of(&mut self.store, &covered));
            }
        }
        let claim = format!("{count} solutions that together cover every AST-bit that the sample covers.");
        self.write("minimum", &claim, assertions);
    }

    /// The term that says that the AST-bit with this number is covered.
    fn covered(&mut self, number: usize) -> TermId {
        let ast_bit = self.problem.ast_bits.ast_bit(number);
        self.condition(ast_bit)
    }

    /// The term that says that the AST-bit with this number is covered in a copy.
    fn covered_in(&mut self, copy: &FxHashMap<TermId, TermId>, number: usize) -> TermId {
        let ast_bit = self.problem.ast_bits.ast_bit(number);
        self.condition(AstBit { term: copy[&ast_bit.term], ..ast_bit })
    }

    /// The term that says that a bit has its value.
    fn condition(&mut self, ast_bit: AstBit) -> TermId {
        let AstBit { term, bit, value } = ast_bit;
        let holds = match bit_of_number(&mut self.store, term, bit, self.problem.ast_bits.integer_bits()) {
            Some(holds) => holds,
            None => {
                let word = self.word(term);
                bit_is_one(&mut self.store, word, bit)
            }
        };
        if value { holds } else { self.store.make(Op::Not, &[holds]) }
    }

    /// A term, or for a floating-point term a constant that is the word of its bits: the standard has no function for them.
    fn word(&mut self, term: TermId) -> TermId {
        let Sort::Float(format) = *self.store.sort(self.store.sort_of(term)) else { return term };
        if let Some(&(word, _)) = self.words.get(&term) {
            return word;
        }
        let store = &mut self.store;
        let sort = store.bit_vec_sort(format.width()).expect("formats are not wider than bit-vectors");
        let symbols = || (0..store.symbol_count()).map(SymbolId::new);
        let is_new = |name: &String| symbols().all(|symbol| *store.symbol(symbol).name != **name);
        let name = (self.words.len()..)
            .map(|number| format!("bits@{number}"))
            .find(is_new)
            .expect("numbers do not end");
        let symbol = store.declare(&name, &[], sort);
        let word = store.symbol_term(symbol);
        let value = store.make(Op::Float(FloatOp::ToFp(format)), &[word]);
        let is_value = store.make(Op::Equal, &[value, term]);
        let nan = store.bit_vector(Float::nan(format).canonical_bits());
        let is_canonical = store.make(Op::Equal, &[word, nan]);
        let is_nan = store.make(Op::Float(FloatOp::IsNan), &[term]);
        let is_one_nan = store.make(Op::Implies, &[is_nan, is_canonical]);
        let meaning = store.make(Op::And, &[is_value, is_one_nan]);
        self.words.insert(term, (word, meaning));
        word
    }
}

/// The disjunction; none of nothing.
pub(crate) fn any_of(store: &mut TermStore, terms: &[TermId]) -> TermId {
    match terms {
        [] => store.bool(false),
        [only] => *only,
        _ => store.make(Op::Or, terms),
    }
}
