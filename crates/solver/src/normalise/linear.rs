//! Linear equations over integers and reals, solved for symbols.
//!
//! The method is that of Gauss and Jordan: each equation that is added has the symbols replaced that others have been solved for, is solved for one
//! more, and that one is replaced in the others. An equation of integers is solved for a symbol whose factor is 1 or -1, after a
//! division by the common divisor of all factors, so that every solution of the other symbols gives an integer.
//!
//! A symbol is left alone where sums would become long: elimination to the end would make a dense system of a sparse one (Pugh, *The Omega test*,
//! 1991, replaces variables also where no factor is 1; here that is left to the search for integers).

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use sundry_circuit::real_number;
use sundry_linear::{Rational, scale_to_coprime_integers};
use sundry_term::{ArithmeticOp, Op, SortId, TermId, TermStore, Value};

/// Terms of a sum above which no symbol is replaced by it.
const LONGEST_SUM: usize = 32;

/// Terms that are taken apart in one equation, at most.
const MAXIMAL_VISITS: usize = 256;

/// A constant plus multiples of terms that are not taken apart.
#[derive(Clone, Default, Debug)]
struct Sum {
    constant: Rational,
    terms: BTreeMap<TermId, Rational>,
}

impl Sum {
    fn add(&mut self, term: TermId, factor: &Rational) {
        let sum = self.terms.entry(term).or_default();
        *sum = &*sum + factor;
        if sum.is_zero() {
            self.terms.remove(&term);
        }
    }

    fn add_sum(&mut self, other: &Sum, factor: &Rational) {
        self.constant.add_product(&other.constant, factor);
        for (&term, theirs) in &other.terms {
            self.add(term, &(theirs * factor));
        }
    }

    fn scale(&mut self, factor: &Rational) {
        self.constant = &self.constant * factor;
        for theirs in self.terms.values_mut() {
            *theirs = &*theirs * factor;
        }
    }

    /// The sum as a term of a sort.
    fn term(&self, store: &mut TermStore, sort: SortId) -> TermId {
        let literal = |store: &mut TermStore, number: &Rational| {
            let number = number.to_big();
            let value = match sort {
                SortId::REAL => Value::Real(number.into()),
                _ => Value::Int(number.numerator().clone()),
            };
            store.value_term(sort, &value)
        };
        let mut parts = Vec::with_capacity(self.terms.len() + 1);
        for (&term, factor) in &self.terms {
            parts.push(if factor.is_one() {
                term
            } else {
                let factor = literal(store, factor);
                store.make(Op::Arithmetic(ArithmeticOp::Mul), &[factor, term])
            });
        }
        if parts.is_empty() || !self.constant.is_zero() {
            parts.push(literal(store, &self.constant));
        }
        match parts[..] {
            [only] => only,
            _ => store.make(Op::Arithmetic(ArithmeticOp::Add), &parts),
        }
    }
}

/// Equations, each solved for a symbol that is in no other.
#[derive(Default)]
pub(super) struct LinearEquations {
    solved: FxHashMap<TermId, Sum>,
    /// The symbols that were solved for, by a term that is in their sums, or has been.
    users: FxHashMap<TermId, Vec<TermId>>,
}

impl LinearEquations {
    /// Adds the equation of two numbers, and returns the symbol that it is solved for. `None` where there is none: the equation is not linear, or too
    /// long, or determines no symbol that is not wanted elsewhere; then it is not added.
    pub(super) fn add(&mut self, store: &TermStore, left: TermId, right: TermId) -> Option<TermId> {
        let mut sum = self.difference(store, left, right)?;
        let is_integer = store.sort_of(left) == SortId::INT;
        if is_integer {
            sum.scale(&scale_to_coprime_integers(sum.terms.values())?);
            if !sum.constant.is_integer() {
                return None;
            }
        }
        let is_solvable = |&term: &TermId| {
            let factor = sum.terms.get(&term)?;
            let is_unit = !is_integer || factor.magnitude().is_one();
            (is_unit && store.constant_symbol(term).is_some()).then_some(term)
        };
        // A symbol alone on one side is what the equation is about.
        let written = [left, right].iter().find_map(is_solvable);
        let by_users =
            || sum.terms.keys().filter_map(is_solvable).min_by_key(|term| self.users_of(*term).len());
        let symbol = written.or_else(by_users)?;
        let factor = sum.terms.remove(&symbol).expect("it was found there");
        sum.scale(&-factor.reciprocal());
        self.define(symbol, sum).then_some(symbol)
    }

    /// Whether an equation has been solved for a symbol.
    pub(super) fn is_solved_for(&self, symbol: TermId) -> bool {
        self.solved.contains_key(&symbol)
    }

    /// The term that a symbol equals.
    pub(super) fn definition(&self, store: &mut TermStore, symbol: TermId) -> TermId {
        let sort = store.sort_of(symbol);
        self.solved[&symbol].term(store, sort)
    }

    fn users_of(&self, term: TermId) -> &[TermId] {
        self.users.get(&term).map_or(&[], |users| users)
    }

    /// Replaces a symbol by a sum in all others, unless one of them would become too long.
    fn define(&mut self, symbol: TermId, sum: Sum) -> bool {
        let users = self.users_of(symbol).iter().filter(|user| self.solved[user].terms.contains_key(&symbol));
        // A symbol that left a sum and came back is listed twice.
        let users: Vec<TermId> = users.copied().collect::<BTreeSet<TermId>>().into_iter().collect();
        let longest = users.iter().map(|user| self.solved[user].terms.len()).max().unwrap_or(0);
        if sum.terms.len() + longest > LONGEST_SUM {
            return false;
        }
        self.users.remove(&symbol);
        for user in &users {
            let theirs = self.solved.get_mut(user).expect("users are solved for");
            let factor = theirs.terms.remove(&symbol).expect("it is in their sum");
            theirs.add_sum(&sum, &factor);
        }
        for &term in sum.terms.keys() {
            self.users.entry(term).or_default().extend(users.iter().copied().chain([symbol]));
        }
        self.solved.insert(symbol, sum);
        true
    }

    /// The difference of two numbers, without the symbols that were solved for. `None` where it is not linear, or too long.
    fn difference(&self, store: &TermStore, left: TermId, right: TermId) -> Option<Sum> {
        let mut open = Sum::default();
        open.add(left, &Rational::ONE);
        open.add(right, &Rational::MINUS_ONE);
        let mut sum = Sum::default();
        let mut visits = 0;
        // Arguments have smaller ids, so that every term is taken apart once.
        while let Some((term, factor)) = open.terms.pop_last() {
            visits += 1;
            if visits > MAXIMAL_VISITS || sum.terms.len() > LONGEST_SUM {
                return None;
            }
            if let Some(number) = number(store, term) {
                sum.constant.add_product(&number, &factor);
                continue;
            }
            if let Some(known) = self.solved.get(&term) {
                sum.add_sum(known, &factor);
                continue;
            }
            let arguments = store.args(term);
            match store.op(term) {
                Op::Arithmetic(ArithmeticOp::Add) => {
                    arguments.iter().for_each(|&argument| open.add(argument, &factor))
                }
                Op::Arithmetic(ArithmeticOp::Sub) if arguments.len() == 1 => open.add(arguments[0], &-factor),
                Op::Arithmetic(ArithmeticOp::Sub) => {
                    open.add(arguments[0], &factor);
                    let factor = -factor;
                    arguments[1..].iter().for_each(|&argument| open.add(argument, &factor));
                }
                Op::Arithmetic(ArithmeticOp::Mul | ArithmeticOp::Divide) => {
                    let (changing, number) = multiple(store, term)?;
                    open.add(changing, &(&factor * &number));
                }
                _ if is_part(store, term) => sum.add(term, &factor),
                _ => return None,
            }
        }
        Some(sum)
    }
}

/// The number that a term without symbols is.
fn number(store: &TermStore, term: TermId) -> Option<Rational> {
    match real_number(store, term)? {
        Value::Int(number) => Some(Rational::from(number)),
        Value::Real(number) => Some(Rational::from(&*number)),
        _ => None,
    }
}

/// The one argument of a product or quotient that is no number, and its factor.
fn multiple(store: &TermStore, term: TermId) -> Option<(TermId, Rational)> {
    let divides = store.op(term) == Op::Arithmetic(ArithmeticOp::Divide);
    let (mut changing, mut factor) = (None, Rational::ONE);
    for (position, &argument) in store.args(term).iter().enumerate() {
        factor = match number(store, argument) {
            Some(divisor) if divides && position > 0 && divisor.is_zero() => return None,
            Some(divisor) if divides && position > 0 => &factor / &divisor,
            Some(number) => &factor * &number,
            None if changing.is_some() || divides && position > 0 => return None,
            None => {
                changing = Some(argument);
                factor
            }
        };
    }
    Some((changing?, factor))
}

/// Whether a term may be a part of the sum that replaces a symbol: not products and open quotients, of which copies in many places are hard, nor
/// words of bits, whose numbers the circuit computes.
fn is_part(store: &TermStore, term: TermId) -> bool {
    match store.op(term) {
        Op::Apply(_) | Op::Select | Op::Ite => true,
        Op::Arithmetic(ArithmeticOp::ToReal | ArithmeticOp::ToInt | ArithmeticOp::Abs) => true,
        Op::Arithmetic(ArithmeticOp::Div | ArithmeticOp::Mod) => store.args(term)[1..]
            .iter()
            .all(|&divisor| number(store, divisor).is_some_and(|divisor| !divisor.is_zero())),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{SourceText, TheorySet, parse_script};

    use super::super::Normaliser;
    use crate::rewrite::Rewriter;
    use sundry_term::TermStore;

    const DECLARATIONS: &str = "(declare-const x Int) (declare-const y Int) (declare-const z Int)
        (declare-const r Real) (declare-const s Real) (declare-const p Bool) (declare-const a (Array Int Int))";

    /// The symbols that assertions eliminate, and the number of assertions that are left.
    fn eliminated(text: &str) -> (String, usize) {
        let mut store = TermStore::new();
        let source = SourceText::new("formula", format!("{DECLARATIONS} {text}"));
        let script = parse_script(&mut store, &source, TheorySet::SOLVED).expect("a script");
        let mut normaliser = Normaliser::new(Rewriter::default(), true);
        let rest = normaliser.assert_all(&mut store, &script.formula().assertions).expect("nothing stops it");
        let definitions = normaliser.definitions(&mut store).expect("nothing stops it");
        let names: Vec<&str> = definitions.iter().map(|&(symbol, _)| &*store.symbol(symbol).name).collect();
        (names.join(" "), rest.len())
    }

    #[test]
    fn symbols_leave_sums_and_come_back() {
        let text = "(declare-const t Real) (declare-const u Real)
            (assert (= (+ r (* 3.0 u) s) (+ (* 4.0 t) (* (- 2.0) r) (- 9.0)))) (assert (= (- r (* 2.0 s)) 10.0)) (assert (= t (* (- 3.0) u)))";
        assert_eq!(eliminated(text), ("r s t".to_string(), 0));
    }

    #[test]
    fn equations_eliminate_what_they_determine() {
        for (text, expected, left) in [
            ("(assert (= x (+ y 1)))", "x", 0),
            ("(assert (= (+ (* 6 x) (* 3 y)) (* 3 z) ))", "y", 0),
            ("(assert (= x (ite p 1 2)))", "x", 0),
            ("(assert (= x (select a y)))", "x", 0),
            ("(assert (= (* 3.0 r) (+ (/ s 2.0) 1.0)))", "r", 0),
            ("(assert (= r (to_real x)))", "r", 0),
            // The second equation says 2 y = 2 once x is replaced.
            ("(assert (= x (+ y 1))) (assert (= (+ x y) 3))", "x y", 0),
            ("(assert (= x (+ y 1))) (assert (= x (- 3 z)))", "x z", 0),
            ("(assert (= (+ x y) 3)) (assert (= (- x y z) 1)) (assert (< z 2))", "x z", 1),
        ] {
            assert_eq!(eliminated(text), (expected.to_string(), left), "{text}");
        }
    }

    #[test]
    fn others_stay() {
        for text in [
            // No symbol is an integer for all values of the other.
            "(assert (= (* 2 x) (* 3 y)))",
            "(assert (= (* 2 x) (+ (* 2 y) 1)))",
            "(assert (= x (* y z)))",
            "(assert (= x (div y z)))",
            // The symbol would be in its own definition.
            "(assert (= x (select a x)))",
            "(assert (= x (ite (< x y) 1 2)))",
            "(assert (distinct x y))",
        ] {
            assert_eq!(eliminated(text), (String::new(), 1), "{text}");
        }
    }

    #[test]
    fn sums_remain_short() {
        let symbol = |number: usize| format!("x{number}");
        let mut text = String::new();
        for number in 0..200 {
            text += &format!("(declare-const x{number} Int) (declare-const y{number} Int) ");
        }
        for number in 1..200 {
            text += &format!("(assert (= {} (+ {} y{number}))) ", symbol(number), symbol(number - 1));
        }
        let (names, left) = eliminated(&text);
        let count = names.split(' ').count();
        assert_eq!(count + left, 199, "each equation is used or left");
        assert!(left > 0 && count > 150, "{count} of 199 are eliminated");
    }
}
