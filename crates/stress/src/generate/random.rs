//! Random formulas of a logic that are not trivial: equations and comparisons between deep terms of hard operators over a small
//! number of variables, which several assertions share, and clauses of such.

use rand::Rng;
use rand::seq::IndexedRandom;
use sundry_fuzz::random_literal;
use sundry_term::{ArithmeticOp, Op, Sort, SortId, TermId, TermStore, Value};

use crate::generate::material::{Arithmetic, Material};
use crate::generate::operators::{Argument, Operator, Operators};
use crate::generate::patterns::pattern;
use crate::individual::Individual;

/// The size and form of the formulas of a logic. Theories in which a term is hard by itself need a small number of assertions;
/// where only the combination is hard, there are many.
struct Form {
    assertions: std::ops::RangeInclusive<usize>,
    /// The nesting of operators in a side of an equation.
    depth: std::ops::RangeInclusive<u32>,
    /// The literals of a clause.
    clause: std::ops::RangeInclusive<usize>,
    /// Numbers of patterns, one of which is drawn.
    patterns: &'static [usize],
}

impl Form {
    fn of(store: &TermStore, material: &Material) -> Form {
        let is = |test: fn(&Sort) -> bool| material.sorts().any(|sort| test(store.sort(sort)));
        let numbers = is(|sort| matches!(sort, Sort::Int | Sort::Real));
        if is(|sort| matches!(sort, Sort::Float(_))) {
            Form { assertions: 2..=4, depth: 2..=3, clause: 1..=1, patterns: &[0, 0, 1] }
        } else if is(|sort| matches!(sort, Sort::BitVec(_))) {
            Form { assertions: 2..=5, depth: 2..=4, clause: 1..=2, patterns: &[0, 0, 1] }
        } else if is(|sort| matches!(sort, Sort::String)) {
            Form { assertions: 3..=7, depth: 1..=3, clause: 1..=2, patterns: &[0] }
        } else if numbers && material.arithmetic() == Arithmetic::Products {
            Form { assertions: 2..=4, depth: 2..=3, clause: 1..=1, patterns: &[0, 1, 2] }
        } else if numbers && material.arithmetic() == Arithmetic::Differences {
            Form { assertions: 20..=45, depth: 0..=0, clause: 2..=4, patterns: &[0, 1] }
        } else {
            Form { assertions: 10..=30, depth: 1..=3, clause: 2..=4, patterns: &[0, 1, 1] }
        }
    }
}

/// A random formula over some material.
pub fn random_input(store: &mut TermStore, material: &Material, random: &mut impl Rng) -> Individual {
    let form = Form::of(store, material);
    let operators = Operators::of(store, material);
    let count = random.random_range(form.assertions.clone());
    let mut assertions = Vec::new();
    let patterns = *form.patterns.choose(random).expect("there are numbers");
    (0..patterns).for_each(|_| assertions.extend(pattern(store, material, random)));
    // Others beside a pattern would often contradict it at once.
    let count = if assertions.is_empty() { count } else { random.random_range(0..=1) };
    let mut builder = Builder { store, material, random, operators, made: Vec::new() };
    assertions.extend((0..count).map(|_| builder.assertion(&form)));
    Individual { assertions }
}

struct Builder<'a, R> {
    store: &'a mut TermStore,
    material: &'a Material,
    random: &'a mut R,
    operators: Operators,
    /// The terms that were made so far, which may occur again.
    made: Vec<TermId>,
}

impl<R: Rng> Builder<'_, R> {
    /// A clause of atoms, some of them negated.
    fn assertion(&mut self, form: &Form) -> TermId {
        let count = self.random.random_range(form.clause.clone());
        let mut literals = Vec::with_capacity(count);
        for _ in 0..count {
            let atom = self.atom(form);
            let is_negated = self.random.random_range(0..if count > 1 { 3 } else { 8 }) == 0;
            literals.push(if is_negated { self.store.make(Op::Not, &[atom]) } else { atom });
        }
        if let [only] = literals[..] { only } else { self.store.make(Op::Or, &literals) }
    }

    /// A predicate on terms of a random sort.
    fn atom(&mut self, form: &Form) -> TermId {
        // Truth values say little of other theories.
        let weight = |&sort: &SortId| match sort {
            SortId::ROUNDING_MODE => 0,
            SortId::BOOL => 1,
            _ => 6,
        };
        let sorts: Vec<SortId> = self.material.sorts().collect();
        let sort = *sorts.choose_weighted(self.random, weight).expect("there are sorts");
        if self.material.arithmetic() == Arithmetic::Differences && matches!(sort, SortId::INT | SortId::REAL)
        {
            return self.difference(sort);
        }
        let depth = self.random.random_range(form.depth.clone());
        let chosen = draw(&self.operators.predicates_on(sort), self.random).cloned();
        match chosen {
            Some(predicate) => self.application(&predicate, depth),
            None => self.leaf(SortId::BOOL),
        }
    }

    /// The difference of two variables compared with a number.
    fn difference(&mut self, sort: SortId) -> TermId {
        use ArithmeticOp::{Less, LessOrEqual, Sub};
        let [one, other] = [0; 2].map(|_| self.variable(sort));
        let difference = self.store.make(Op::Arithmetic(Sub), &[one, other]);
        let number = Value::Int(self.random.random_range(-20..=20).into());
        let bound = match sort {
            SortId::REAL => {
                let digits = self.random.random_range(0..=20_u32).to_string();
                self.store.decimal(&digits)
            }
            _ => self.store.value_term(sort, &number),
        };
        let ops = [Op::Equal, Op::Arithmetic(Less), Op::Arithmetic(LessOrEqual), Op::Arithmetic(LessOrEqual)];
        let op = *ops.choose(self.random).expect("there are some");
        self.store.make(op, &[difference, bound])
    }

    fn application(&mut self, operator: &Operator, depth: u32) -> TermId {
        let mut arguments: Vec<TermId> = Vec::with_capacity(operator.arguments.len());
        for &argument in &operator.arguments {
            // Powers, and the same term on both sides of a remainder, are harder than products.
            let same = arguments.last().copied();
            let term = match (argument, same) {
                (Argument::Literal(sort), _) => self.literal(sort),
                (Argument::Term(sort), Some(same))
                    if is_product(operator.op)
                        && self.store.sort_of(same) == sort
                        && self.random.random_range(0..4) == 0 =>
                {
                    same
                }
                (Argument::Term(sort), _) => self.term(sort, depth),
            };
            arguments.push(term);
        }
        self.store.make(operator.op, &arguments)
    }

    fn term(&mut self, sort: SortId, depth: u32) -> TermId {
        if self.random.random_range(0..8) == 0 {
            let fits: Vec<TermId> =
                self.made.iter().copied().filter(|&term| self.store.sort_of(term) == sort).collect();
            if let Some(&term) = fits.choose(self.random) {
                return term;
            }
        }
        if depth == 0 || self.random.random_range(0..6) == 0 {
            return self.leaf(sort);
        }
        let chosen = draw(&self.operators.with_result(sort), self.random).cloned();
        let Some(operator) = chosen else { return self.leaf(sort) };
        let term = self.application(&operator, depth - 1);
        self.made.push(term);
        term
    }

    /// A variable, or a literal now and then.
    fn leaf(&mut self, sort: SortId) -> TermId {
        let literal =
            (self.random.random_range(0..6) == 0).then(|| random_literal(self.store, sort, self.random));
        literal.flatten().unwrap_or_else(|| self.variable(sort))
    }

    fn variable(&mut self, sort: SortId) -> TermId {
        *self.material.variables(sort).choose(self.random).expect("every sort has variables")
    }

    /// A whole number other than zero, which may be a factor or a divisor where arithmetic is linear.
    fn literal(&mut self, sort: SortId) -> TermId {
        let digits = self.random.random_range(2..60_u32).to_string();
        let number = match sort {
            SortId::REAL => self.store.decimal(&digits),
            _ => self.store.numeral(&digits),
        };
        match self.random.random_range(0..3) {
            0 => self.store.make(Op::Arithmetic(ArithmeticOp::Sub), &[number]),
            _ => number,
        }
    }
}

fn is_product(op: Op) -> bool {
    matches!(op, Op::BvMul | Op::Arithmetic(ArithmeticOp::Mul))
}

/// An operator by its weight.
fn draw<'o>(operators: &[&'o Operator], random: &mut impl Rng) -> Option<&'o Operator> {
    operators.choose_weighted(random, |operator| operator.weight).ok().copied()
}
