//! Coverage that the user defines: Boolean terms over the symbols of a formula.
//!
//! The values of all predicates in a model are its *class*. A set of models is good that meets many
//! classes, each equally often. Source: Dutra, Bachrach & Sen, *GuidedSampler: Coverage-guided Sampling
//! of SMT Solutions* (FMCAD 2019).

use rustc_hash::FxHashMap;
use sundry_term::{EvaluationError, Evaluator, TermId, Value};

use crate::bitset::BitSet;

/// A Boolean term with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// The name without quotes.
    pub name: String,
    /// The term.
    pub term: TermId,
}

/// The predicates that hold in a model, by position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Class(BitSet);

impl Class {
    /// The class of an evaluator's model.
    ///
    /// # Errors
    /// A function of the model that cannot be evaluated, or a predicate whose value is open.
    pub fn evaluate(
        evaluator: &mut Evaluator<'_>,
        predicates: &[Predicate],
    ) -> Result<Class, EvaluationError> {
        let terms: Vec<TermId> = predicates.iter().map(|predicate| predicate.term).collect();
        evaluator.evaluate(&terms)?;
        let mut holding = BitSet::new(terms.len());
        for (position, &term) in terms.iter().enumerate() {
            match evaluator.value(term) {
                Some(value) if *value == Value::Bool(true) => holding.insert(position),
                Some(_) => {}
                None => {
                    let reason = evaluator.open(term).expect("a term without a value is open");
                    return Err(EvaluationError::Open { reason });
                }
            }
        }
        Ok(Class(holding))
    }

    /// The class whose predicates are the 1 bits among the first `predicates` bits of some words.
    pub fn from_words(words: Vec<u64>, predicates: usize) -> Class {
        Class(BitSet::from_words(words, predicates))
    }

    /// The positions of the predicates that hold.
    pub fn holding(&self) -> &BitSet {
        &self.0
    }

    /// A digit for each predicate, in order: `1` where it holds, `0` elsewhere.
    pub fn digits(&self) -> String {
        (0..self.0.length()).map(|position| if self.0.contains(position) { '1' } else { '0' }).collect()
    }
}

/// The predicates and classes that a growing set of models exercises.
#[derive(Clone, Debug)]
pub struct PredicateCoverage {
    /// The number of models in which each predicate holds.
    holds: Vec<u64>,
    models: u64,
    classes: FxHashMap<Class, u64>,
}

impl PredicateCoverage {
    /// Starts with no models, for this number of predicates.
    pub fn new(predicates: usize) -> Self {
        PredicateCoverage { holds: vec![0; predicates], models: 0, classes: FxHashMap::default() }
    }

    /// Adds a model of this class.
    pub fn add(&mut self, class: Class) {
        self.models += 1;
        for position in class.0.iter() {
            self.holds[position] += 1;
        }
        *self.classes.entry(class).or_default() += 1;
    }

    /// The number of models.
    pub fn models(&self) -> u64 {
        self.models
    }

    /// The number of models in which the predicate at a position holds.
    pub fn holds(&self, position: usize) -> u64 {
        self.holds[position]
    }

    /// The number of predicates that hold in at least one model.
    pub fn seen_true(&self) -> usize {
        self.holds.iter().filter(|&&holds| holds > 0).count()
    }

    /// The number of predicates that fail in at least one model.
    pub fn seen_false(&self) -> usize {
        self.holds.iter().filter(|&&holds| holds < self.models).count()
    }

    /// The number of predicates that hold in a model and fail in another.
    pub fn seen_both_ways(&self) -> usize {
        self.holds.iter().filter(|&&holds| 0 < holds && holds < self.models).count()
    }

    /// The number of classes of the models.
    pub fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// The classes with how many models each has, the most frequent first, among equal ones by their digits.
    pub fn classes(&self) -> Vec<(&Class, u64)> {
        let mut classes: Vec<(&Class, u64)> =
            self.classes.iter().map(|(class, &count)| (class, count)).collect();
        classes.sort_by_cached_key(|(class, count)| (std::cmp::Reverse(*count), class.digits()));
        classes
    }

    /// The entropy of the distribution of models over classes, in bits: the logarithm of the number of classes if all
    /// are equally frequent, less otherwise, and 0 if there is one class or no model.
    pub fn entropy(&self) -> f64 {
        let models = self.models as f64;
        let mut counts: Vec<u64> = self.classes.values().copied().collect();
        // The sum of floating-point numbers depends on their order, which a hash map does not have.
        counts.sort_unstable();
        let bits = |count: u64| {
            let share = count as f64 / models;
            -share * share.log2()
        };
        counts.into_iter().map(bits).sum::<f64>() + 0.0
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::{BitVector, Model, Op, TermStore};

    use super::*;

    /// Coverage of the bits of a bit-vector of 3 bits by these values of it, and their classes.
    fn covered_by(values: &[u64]) -> (PredicateCoverage, Vec<String>) {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(3).expect("a width");
        let symbol = store.declare("x", &[], sort);
        let x = store.symbol_term(symbol);
        let one = store.bit_vector(BitVector::from_u64(1, 1));
        let predicates: Vec<Predicate> = (0..3)
            .map(|bit| {
                let extract = store.make(Op::Extract { high: bit, low: bit }, &[x]);
                Predicate { name: format!("bit{bit}"), term: store.make(Op::Equal, &[extract, one]) }
            })
            .collect();
        let mut coverage = PredicateCoverage::new(predicates.len());
        let mut digits = Vec::new();
        for &value in values {
            let mut model = Model::new();
            model.set_constant(symbol, Value::BitVec(BitVector::from_u64(3, value)));
            let class = Class::evaluate(&mut Evaluator::new(&store, &model), &predicates).expect("a class");
            digits.push(class.digits());
            coverage.add(class);
        }
        (coverage, digits)
    }

    #[test]
    fn a_class_has_a_digit_for_each_predicate_in_order() {
        assert_eq!(covered_by(&[0b001, 0b110, 0b000]).1, ["100", "011", "000"]);
    }

    #[test]
    fn classes_are_counted_the_most_frequent_first() {
        let (coverage, _) = covered_by(&[1, 6, 1, 0, 6, 1]);
        let classes: Vec<(String, u64)> =
            coverage.classes().into_iter().map(|(class, count)| (class.digits(), count)).collect();
        let expected = [("100", 3), ("011", 2), ("000", 1)];
        assert_eq!(classes, expected.map(|(digits, count)| (digits.to_string(), count)));
        assert_eq!((coverage.class_count(), coverage.models()), (3, 6));
    }

    #[test]
    fn a_predicate_is_seen_both_ways_if_it_holds_and_fails() {
        let (coverage, _) = covered_by(&[0b011, 0b001]);
        assert_eq!([0, 1, 2].map(|position| coverage.holds(position)), [2, 1, 0]);
        assert_eq!((coverage.seen_true(), coverage.seen_false(), coverage.seen_both_ways()), (2, 2, 1));
    }

    #[test]
    fn entropy_is_that_of_the_distribution_over_classes() {
        assert_eq!(covered_by(&[]).0.entropy(), 0.0);
        assert_eq!(covered_by(&[5, 5, 5]).0.entropy(), 0.0);
        assert_eq!(covered_by(&[0, 1, 2, 3, 4, 5, 6, 7]).0.entropy(), 3.0);
        // Half of the models in one class, a quarter in each of two others.
        assert_eq!(covered_by(&[1, 1, 2, 4]).0.entropy(), 1.5);
    }
}
