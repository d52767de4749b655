//! Questions whether a bit of a term can have a value, asked in an engine that knows the assertions only.
//!
//! Numbers have no bits there: circuits of their bits make the same questions many times as hard. A low bit of an integer is asked for by the blocks of
//! numbers that have it, of which each contains `2^bit` numbers: those next to a known value first, then all beyond. Refutations bound the integer,
//! and where its range is within one block, the bit and all higher ones are decided without another question.

use dashu_int::IBig;
use dashu_int::ops::DivEuclid as _;
use rustc_hash::FxHashMap;
use sundry_coverage::AstBit;
use sundry_solver::{BuildError, Lit, Query, Verdict};
use sundry_term::{ArithmeticOp, Model, Op, SortId, TermId, Value};

use crate::bit_terms::bit_of_number;
use crate::formula_engine::FormulaEngine;

/// An answer.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A model, not judged yet. Most often the bit has the value in it, but not always.
    Model(Box<Model>),
    /// The bit has this value in no model.
    Impossible,
    /// There was no answer within the ticks.
    Unknown,
}

/// Bounds of an integer that hold in all models.
#[derive(Default)]
struct Range {
    least: Option<IBig>,
    most: Option<IBig>,
}

impl Range {
    /// Whether no number of this range is at least one number, and below another one.
    fn excludes(&self, least: Option<&IBig>, below: Option<&IBig>) -> bool {
        least.zip(self.most.as_ref()).is_some_and(|(least, most)| least > most)
            || below.zip(self.least.as_ref()).is_some_and(|(below, least)| below <= least)
    }
}

/// The engine that is asked, and what its refutations have shown.
pub(crate) struct BitQuestions {
    formula: FormulaEngine,
    integer_bits: u32,
    ranges: FxHashMap<TermId, Range>,
}

impl BitQuestions {
    /// Questions to this engine, where integers have this number of low bits.
    pub(crate) fn new(formula: FormulaEngine, integer_bits: u32) -> Self {
        BitQuestions { formula, integer_bits, ranges: FxHashMap::default() }
    }

    /// The work so far.
    pub(crate) fn work(&self) -> u64 {
        self.formula.engine().work()
    }

    /// Asks whether a bit of a term can have its value. The term has a `known` value in a model in which the bit has the other one; without
    /// that, low bits of integers are not asked for. No question takes more than this number of ticks, and there are four of them at most.
    ///
    /// # Errors
    /// A circuit that is too large, or time is up.
    pub(crate) fn ask(
        &mut self,
        target: AstBit,
        known: Option<&Value>,
        ticks: u64,
    ) -> Result<Answer, BuildError> {
        let AstBit { term, bit, value } = target;
        let sort = self.formula.store().sort_of(term);
        let condition = match (sort, bit) {
            (SortId::INT, bit) if bit < self.integer_bits => {
                let Some(Value::Int(known)) = known else { return Ok(Answer::Unknown) };
                return self.ask_low_bit(target, known, ticks);
            }
            (SortId::INT, _) => {
                let zero = Some(&IBig::ZERO);
                let (least, below) = if value { (None, zero) } else { (zero, None) };
                return self.ask_range(term, least, below, ticks);
            }
            _ => match bit_of_number(self.formula.store_mut(), term, bit, self.integer_bits) {
                Some(condition) => self.formula.literal_of(condition)?,
                None => {
                    let edge = self.formula.bits_of_all(&[term])?[0][bit as usize];
                    self.formula.engine_mut().literal(edge)
                }
            },
        };
        Ok(self.check(&[condition.negate_if(!value)], ticks))
    }

    fn ask_low_bit(&mut self, target: AstBit, known: &IBig, ticks: u64) -> Result<Answer, BuildError> {
        let AstBit { term, bit, .. } = target;
        let size = IBig::ONE << bit as usize;
        let start = known.div_euclid(&size) * &size;
        let end = &start + &size;
        let (before, after) = (&start - &size, &end + &size);
        // The blocks next to that of the known value have the bit, and every second one beyond them.
        let above = [(Some(&end), Some(&after)), (Some(&after), None)];
        let above = self.ask_ranges(term, above, ticks)?;
        if matches!(above, Answer::Model(_)) {
            return Ok(above);
        }
        let below = [(Some(&before), Some(&start)), (None, Some(&before))];
        match (above, self.ask_ranges(term, below, ticks)?) {
            (_, model @ Answer::Model(_)) => Ok(model),
            (Answer::Impossible, Answer::Impossible) => {
                // All higher bits are those of this block, too.
                self.ranges.insert(term, Range { least: Some(start), most: Some(end - IBig::ONE) });
                Ok(Answer::Impossible)
            }
            _ => Ok(Answer::Unknown),
        }
    }

    /// Asks for an integer in one range after the other, as long as there is none.
    fn ask_ranges(
        &mut self,
        term: TermId,
        ranges: [(Option<&IBig>, Option<&IBig>); 2],
        ticks: u64,
    ) -> Result<Answer, BuildError> {
        for (least, below) in ranges {
            let answer = self.ask_range(term, least, below, ticks)?;
            if !matches!(answer, Answer::Impossible) {
                return Ok(answer);
            }
        }
        Ok(Answer::Impossible)
    }

    /// Asks for an integer that is not less than one number, and below another one.
    fn ask_range(
        &mut self,
        term: TermId,
        least: Option<&IBig>,
        below: Option<&IBig>,
        ticks: u64,
    ) -> Result<Answer, BuildError> {
        if self.ranges.get(&term).is_some_and(|range| range.excludes(least, below)) {
            return Ok(Answer::Impossible);
        }
        let mut conditions = Vec::new();
        for (bound, is_upper) in [(least, false), (below, true)] {
            if let Some(bound) = bound {
                conditions.push(self.at_least(term, bound)?.negate_if(is_upper));
            }
        }
        let answer = self.check(&conditions, ticks);
        if matches!(answer, Answer::Impossible) {
            let range = self.ranges.entry(term).or_default();
            match (least, below) {
                (Some(least), None) => range.most = Some(least - IBig::ONE),
                (None, Some(below)) => range.least = Some(below.clone()),
                _ => {}
            }
        }
        Ok(answer)
    }

    /// The literal that says that an integer is not less than this one.
    fn at_least(&mut self, term: TermId, bound: &IBig) -> Result<Lit, BuildError> {
        let store = self.formula.store_mut();
        let bound = store.constant(Value::Int(bound.clone()));
        let condition = store.make(Op::Arithmetic(ArithmeticOp::LessOrEqual), &[bound, term]);
        self.formula.literal_of(condition)
    }

    fn check(&mut self, conditions: &[Lit], ticks: u64) -> Answer {
        match self.formula.check(Query::assuming(conditions).within(ticks)).verdict() {
            Verdict::Sat => Answer::Model(Box::new(self.formula.read_last_model())),
            Verdict::Unsat => Answer::Impossible,
            Verdict::Unknown => Answer::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use sundry_solver::EngineOptions;
    use sundry_term::{Control, TermStore};

    use super::*;
    use crate::bit_terms::number_like;
    use crate::problem::Problem;

    /// Questions about a formula over one number, whose values are these integers.
    fn questions(sort: SortId, values: &[i64]) -> (Problem, TermId, BitQuestions) {
        let mut store = TermStore::new();
        let symbol = store.declare("x", &[], sort);
        let term = store.symbol_term(symbol);
        let mut equal = |value: i64| {
            let value = number_like(&mut store, term, value.into());
            store.make(Op::Equal, &[term, value])
        };
        let choices: Vec<TermId> = values.iter().map(|&value| equal(value)).collect();
        let assertion = store.make(Op::Or, &choices);
        let problem = Problem::new(store, vec![assertion], vec![symbol]);
        let options = EngineOptions::for_many_calls().for_one_hard_question(0);
        let formula = FormulaEngine::without_model(&problem, &options, &Control::default());
        let integer_bits = problem.ast_bits.integer_bits();
        let formula = formula.unwrap_or_else(|_| panic!("the formula is small"));
        (problem, term, BitQuestions::new(formula, integer_bits))
    }

    #[test]
    fn bits_of_integers_are_possible_where_a_value_has_them() {
        for values in [&[3, 20, 21, 22, -5][..], &[7], &[-1, 0], &[1 << 40, (1 << 40) + 1, 5]] {
            let (problem, term, mut questions) = questions(SortId::INT, values);
            for bit in 0..=64 {
                let has = |number: i64, value: bool| (number >> bit.min(63)) & 1 == i64::from(value);
                for value in [false, true] {
                    let Some(&known) = values.iter().find(|&&number| has(number, !value)) else { continue };
                    let target = AstBit { term, bit, value };
                    let answer = questions.ask(target, Some(&Value::Int(known.into())), u64::MAX);
                    let is_possible = values.iter().any(|&number| has(number, value));
                    match answer.expect("there is time") {
                        // Beyond the next block, the first value that is found need not have the bit.
                        Answer::Model(model) => {
                            let solution =
                                problem.judge(*model, &Control::default()).expect("models are right");
                            let found = solution.model.constant(problem.symbols[0]);
                            let is_new = *found.expect("it has a value") != Value::Int(known.into());
                            assert!(is_new, "{values:?}, {bit} {value}");
                        }
                        Answer::Impossible => assert!(!is_possible, "{values:?}, {bit} {value}"),
                        Answer::Unknown => panic!("{values:?}, {bit} {value}: no answer"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_range_within_one_block_decides_all_higher_bits() {
        let (_, term, mut questions) = questions(SortId::INT, &[1, 2, 3]);
        for bit in 2..64 {
            let answer =
                questions.ask(AstBit { term, bit, value: true }, Some(&Value::Int(2.into())), u64::MAX);
            assert!(matches!(answer, Ok(Answer::Impossible)), "{bit}");
        }
        assert!(questions.formula.questions() <= 4, "{}", questions.formula.questions());
    }

    #[test]
    fn bits_of_reals_are_their_sign_zero_and_integers() {
        for (values, possible) in [(&[3, -2][..], [true, false, true]), (&[0, 5], [false, true, true])] {
            let (_, term, mut questions) = questions(SortId::REAL, values);
            for (bit, possible) in (0..).zip(possible) {
                for (value, is_possible) in [(true, possible), (false, bit != 2)] {
                    let answer = questions.ask(AstBit { term, bit, value }, None, u64::MAX);
                    match answer.expect("there is time") {
                        Answer::Model(_) => assert!(is_possible, "{values:?}, {bit} {value}"),
                        Answer::Impossible => assert!(!is_possible, "{values:?}, {bit} {value}"),
                        Answer::Unknown => panic!("{values:?}, {bit} {value}: no answer"),
                    }
                }
            }
        }
    }

    #[test]
    fn the_truth_of_a_term_is_asked_for_as_it_is() {
        let (problem, _, mut questions) = questions(SortId::INT, &[4, 9]);
        let assertion = problem.assertions[0];
        let choice = problem.store.args(assertion)[0];
        let mut ask = |term, value| {
            let answer = questions.ask(AstBit { term, bit: 0, value }, None, u64::MAX);
            answer.expect("there is time")
        };
        assert!(matches!(ask(choice, false), Answer::Model(_)));
        assert!(matches!(ask(choice, true), Answer::Model(_)));
        assert!(matches!(ask(assertion, false), Answer::Impossible));
    }
}
