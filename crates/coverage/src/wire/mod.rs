//! Wire coverage: the measure with which other samplers of integer formulas are compared.
//!
//! Source: Peled, Rothenberg & Itzhaky, *SMT Sampling via Model-Guided Approximation* (MeGASampler, FM 2023), whose program `calc_metric.py` defines
//! the measure, and *HighDiv* (arXiv 2503.04782), which uses it. Its *points* are those of all distinct terms of the assertions as written, literals
//! included, and one of the conjunction of all assertions:
//!
//! - A truth value has one point.
//! - An integer has 64, the bits of its value modulo 2^64 in two's complement.
//! - A bit-vector has one for each bit, after Dutra, Bachrach & Sen, *SMTSampler* (ICCAD 2018), who count bit-vectors and truth values only.
//! - Terms of other sorts have none. What is read from arrays has those of its sort.
//!
//! A point is *covered* when its bit was seen as 0 in one solution and as 1 in another. A term is seen in a solution if evaluation from left to right
//! meets it: a conjunction ends at its first argument that is false, a disjunction at its first that is true,
//! and a choice evaluates the branch that it takes. All arguments of other operators are evaluated.
//!
//! Two shares are in use. HighDiv divides what is covered by all points. That share has a ceiling below 100 %: literals and assertions never
//! change. MeGASampler divides by the points that the compared sets of solutions cover together.
//!
//! [`AstBits`](crate::AstBits) count each value of a bit by itself, and of all terms in every solution, so that a proof can say which of them no
//! solution has. Both measures look at the same terms.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use sundry_term::{
    BitVector, Control, EvaluationError, Evaluator, Op, Sort, Stopped, TermId, TermStore, Value,
    bits_of_integer,
};

use crate::bitset::BitSet;
use crate::measure::insert_word;

/// The number of points of an integer.
const POINTS_OF_INTEGER: u32 = 64;

/// The points of a formula and their numbering. Point 0 is that of the conjunction of all assertions.
#[derive(Clone, Debug)]
pub struct WirePoints {
    assertions: Vec<TermId>,
    /// All terms, arguments before applications.
    terms: Vec<TermId>,
    /// The first point of each term, and one more for the end.
    offsets: Vec<usize>,
    /// The places of terms among them.
    places: FxHashMap<TermId, usize>,
}

impl WirePoints {
    /// The points of these assertions.
    pub fn new(store: &TermStore, assertions: &[TermId]) -> Self {
        WirePoints::within(store, assertions, &Control::default()).expect("nothing stops this control")
    }

    /// The points of these assertions, until a control stops the work.
    ///
    /// # Errors
    /// The reason for which the control stopped it.
    pub fn within(store: &TermStore, assertions: &[TermId], control: &Control) -> Result<Self, Stopped> {
        let terms = store.reachable_within(assertions, control)?;
        let mut offsets = vec![1];
        for &term in &terms {
            control.spend(1)?;
            let points = match store.sort(store.sort_of(term)) {
                Sort::Int => POINTS_OF_INTEGER,
                Sort::Bool => 1,
                Sort::BitVec(width) => *width,
                _ => 0,
            };
            offsets.push(offsets[offsets.len() - 1] + points as usize);
        }
        let places = terms.iter().enumerate().map(|(place, &term)| (term, place)).collect();
        Ok(WirePoints { assertions: assertions.to_vec(), terms, offsets, places })
    }

    /// The number of all points.
    pub fn total(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    /// The bits that the solution of an evaluator shows.
    ///
    /// # Errors
    /// A function of the solution that cannot be evaluated, or the control of the evaluator stopped it.
    pub fn seen(
        &self,
        store: &TermStore,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<WiresSeen, EvaluationError> {
        evaluator.evaluate(&self.assertions)?;
        let [mut ones, mut zeros] = [(); 2].map(|()| BitSet::new(self.total()));
        let mut is_met = BitSet::new(self.terms.len());
        let is_true = |evaluator: &Evaluator<'_>, term| evaluator.value(term) == Some(&Value::Bool(true));
        let holds = |&assertion: &TermId| is_true(evaluator, assertion);
        let decisive = deciding(&self.assertions, |assertion| !is_true(evaluator, assertion));
        let root = if self.assertions.iter().all(holds) { &mut ones } else { &mut zeros };
        root.insert(0);
        let mut open = decisive.to_vec();
        while let Some(term) = open.pop() {
            let place = self.places[&term];
            if is_met.contains(place) {
                continue;
            }
            is_met.insert(place);
            let (first, end) = (self.offsets[place], self.offsets[place + 1]);
            if let Some(word) = evaluator.value(term).and_then(word_of).filter(|_| first < end) {
                insert_word(&mut ones, first, &word);
                insert_word(&mut zeros, first, &word.not());
            }
            let arguments = store.args(term);
            match store.op(term) {
                Op::And => open.extend(deciding(arguments, |argument| !is_true(evaluator, argument))),
                Op::Or => open.extend(deciding(arguments, |argument| is_true(evaluator, argument))),
                Op::Ite => {
                    let taken = if is_true(evaluator, arguments[0]) { arguments[1] } else { arguments[2] };
                    open.extend([arguments[0], taken]);
                }
                _ => open.extend(arguments),
            }
        }
        Ok(WiresSeen { ones, zeros })
    }
}

/// The arguments up to the first that decides, or all.
fn deciding(arguments: &[TermId], decides: impl Fn(TermId) -> bool) -> &[TermId] {
    let count = arguments.iter().position(|&argument| decides(argument)).map_or(arguments.len(), |at| at + 1);
    &arguments[..count]
}

/// The points of a value as a word; `None` for values without points.
fn word_of(value: &Value) -> Option<BitVector> {
    match value {
        Value::Bool(value) => Some(BitVector::from_bits(1, |_| *value)),
        Value::BitVec(word) => Some(word.clone()),
        Value::Int(number) => {
            Some(bits_of_integer(number, POINTS_OF_INTEGER).extract(POINTS_OF_INTEGER - 1, 0))
        }
        _ => None,
    }
}

/// The bits of terms that one solution shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WiresSeen {
    ones: BitSet,
    zeros: BitSet,
}

/// The points that a growing set of solutions covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WireCoverage {
    seen: WiresSeen,
    covered: usize,
}

impl WireCoverage {
    /// Nothing is covered yet.
    pub fn new(points: &WirePoints) -> Self {
        let none = BitSet::new(points.total());
        WireCoverage { seen: WiresSeen { ones: none.clone(), zeros: none }, covered: 0 }
    }

    /// Adds what a solution shows. Returns the number of points that are covered now and were not before.
    pub fn add(&mut self, seen: &WiresSeen) -> usize {
        self.seen.ones.union_with(&seen.ones);
        self.seen.zeros.union_with(&seen.zeros);
        let before = self.covered;
        self.covered = self.points().count();
        self.covered - before
    }

    /// The number of points that are covered.
    pub fn covered(&self) -> usize {
        self.covered
    }

    /// The points that are covered.
    pub fn points(&self) -> BitSet {
        let mut points = self.seen.ones.clone();
        points.intersect_with(&self.seen.zeros);
        points
    }
}
