//! Assertions of forms that are known to be hard for a theory. Random terms alone are mostly decided by simplification or by
//! propagation, and in theories without hard operators only the combination of many atoms is hard.

use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use sundry_term::{ArithmeticOp, BitVector, FloatOp, Op, Sort, SortId, TermId, TermStore, Value};

use crate::generate::material::{Arithmetic, Material};

/// A form of assertions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Pattern {
    /// The distributive law, negated. It holds for bit-vectors, so the assertion cannot be satisfied; it does not hold for floating-point
    /// numbers. Solvers of numbers expand all products first and see it at once.
    Law,
    /// A sum of powers is a number (of three cubes, say): a Diophantine equation, or a surface.
    Powers,
    /// A sum with large coefficients is a number, and all summands have bounds: the problem of the knapsack.
    Knapsack,
    /// Different variables have too small a number of values, or just enough (the pigeonhole principle).
    Pigeons,
    /// A chain of diamonds of equations between two variables that are different; the number of its paths is exponential
    /// (Strichman et al., "Deciding separation formulas with SAT", CAV 2002, for inequalities).
    Diamonds,
}

/// Assertions of a random pattern that fits the material; nothing if none does.
pub(crate) fn pattern(store: &mut TermStore, material: &Material, random: &mut impl Rng) -> Vec<TermId> {
    let fits =
        material.sorts().flat_map(|sort| patterns(store, material, sort).iter().map(move |&it| (sort, it)));
    let Some((sort, pattern)) = fits.choose(random) else { return Vec::new() };
    let variables = material.variables(sort);
    let mut builder = Builder { store, sort, variables, random };
    match pattern {
        Pattern::Law => vec![builder.law()],
        Pattern::Powers => builder.powers(),
        Pattern::Knapsack => builder.knapsack(),
        Pattern::Pigeons => builder.pigeons(),
        Pattern::Diamonds => builder.diamonds(),
    }
}

fn patterns(store: &TermStore, material: &Material, sort: SortId) -> &'static [Pattern] {
    use Pattern::{Diamonds, Knapsack, Law, Pigeons, Powers};
    match (store.sort(sort), material.arithmetic()) {
        (Sort::BitVec(width), _) if *width >= 16 => &[Law, Powers],
        (Sort::Float(_), _) => &[Law],
        (Sort::Int | Sort::Real, Arithmetic::Products) => &[Powers],
        (Sort::Int, Arithmetic::Linear) if !material.has_strings() => {
            &[Knapsack, Knapsack, Pigeons, Diamonds]
        }
        (Sort::Int, Arithmetic::Differences) => &[Pigeons, Diamonds],
        (Sort::Real, _) => &[Diamonds],
        (Sort::Uninterpreted { .. }, _) => &[Pigeons, Diamonds],
        _ => &[],
    }
}

struct Builder<'a, R> {
    store: &'a mut TermStore,
    sort: SortId,
    variables: &'a [TermId],
    random: &'a mut R,
}

impl<R: Rng> Builder<'_, R> {
    fn variable(&mut self) -> TermId {
        *self.variables.choose(self.random).expect("every sort has variables")
    }

    fn binary(&mut self, number: ArithmeticOp, bits: Op, float: FloatOp, arguments: [TermId; 2]) -> TermId {
        match self.store.sort(self.sort) {
            Sort::BitVec(_) => self.store.make(bits, &arguments),
            Sort::Float(_) => {
                let nearest = Value::RoundingMode(sundry_term::RoundingMode::NearestTiesToEven);
                let mode = self.store.constant(nearest);
                self.store.make(Op::Float(float), &[mode, arguments[0], arguments[1]])
            }
            _ => self.store.make(Op::Arithmetic(number), &arguments),
        }
    }

    fn product(&mut self, one: TermId, other: TermId) -> TermId {
        self.binary(ArithmeticOp::Mul, Op::BvMul, FloatOp::Mul, [one, other])
    }

    fn sum(&mut self, one: TermId, other: TermId) -> TermId {
        self.binary(ArithmeticOp::Add, Op::BvAdd, FloatOp::Add, [one, other])
    }

    fn number(&mut self, number: u64) -> TermId {
        match *self.store.sort(self.sort) {
            Sort::BitVec(width) => self.store.bit_vector(BitVector::from_u64(width, number)),
            Sort::Real => self.store.decimal(&number.to_string()),
            _ => self.store.numeral(&number.to_string()),
        }
    }

    fn less(&mut self, one: TermId, other: TermId) -> TermId {
        let op = match self.store.sort(self.sort) {
            Sort::BitVec(_) => Op::BvUlt,
            _ => Op::Arithmetic(ArithmeticOp::Less),
        };
        self.store.make(op, &[one, other])
    }

    /// `a·(b + c)` is not `a·b + c·a`, where each may be a product itself.
    fn law(&mut self) -> TermId {
        let [one, two, three] = [0; 3].map(|_| {
            let variable = self.variable();
            match self.random.random_range(0..3) {
                0 => {
                    let other = self.variable();
                    self.product(variable, other)
                }
                _ => variable,
            }
        });
        let sum = self.sum(two, three);
        let left = self.product(one, sum);
        let (first, second) = (self.product(one, two), self.product(three, one));
        let right = self.sum(first, second);
        let equal = match self.store.sort(self.sort) {
            Sort::Float(_) => self.store.make(Op::Float(FloatOp::Eq), &[left, right]),
            _ => self.store.make(Op::Equal, &[left, right]),
        };
        self.store.make(Op::Not, &[equal])
    }

    /// `x^n + y^n + … = k`, and the variables are larger than one another or a number.
    fn powers(&mut self) -> Vec<TermId> {
        let (power, count) = (self.random.random_range(2..=5), self.random.random_range(2..=4));
        let mut sum = self.power(power);
        for _ in 1..count {
            let term = self.power(power);
            sum = self.sum(sum, term);
        }
        let right = self.random.random_range(2..10_000);
        let right = self.number(right);
        let mut assertions = vec![self.store.make(Op::Equal, &[sum, right])];
        let (one, other, bound) = (self.variable(), self.variable(), self.random.random_range(1..100));
        let bound = self.number(bound);
        assertions.push(self.less(bound, one));
        if other != one {
            assertions.push(self.less(one, other));
        }
        assertions
    }

    /// A variable to a power, or sometimes another one in the place of a factor.
    fn power(&mut self, power: u32) -> TermId {
        let variable = self.variable();
        let mut term = variable;
        for _ in 1..power {
            let factor = if self.random.random_range(0..5) == 0 { self.variable() } else { variable };
            term = self.product(term, factor);
        }
        term
    }

    /// `Σ cᵢ·xᵢ = k` with `0 ≤ xᵢ ≤ b`.
    fn knapsack(&mut self) -> Vec<TermId> {
        let mut assertions = Vec::new();
        let mut terms = Vec::new();
        let bound = self.random.random_range(3..60);
        let mut total = 0;
        for &variable in self.variables {
            let coefficient = self.random.random_range(10_000..60_000);
            total += coefficient * self.random.random_range(0..=bound);
            let coefficient = self.number(coefficient);
            terms.push(self.product(coefficient, variable));
            assertions.extend(self.between(variable, bound));
        }
        // With what the values above sum up to there is a solution, and one beside it mostly has none.
        total += self.random.random_range(0..2);
        let (sum, total) = (self.store.make(Op::Arithmetic(ArithmeticOp::Add), &terms), self.number(total));
        assertions.push(self.store.make(Op::Equal, &[sum, total]));
        assertions
    }

    fn between(&mut self, variable: TermId, bound: u64) -> [TermId; 2] {
        let (zero, bound) = (self.number(0), self.number(bound));
        let op = Op::Arithmetic(ArithmeticOp::LessOrEqual);
        [self.store.make(op, &[zero, variable]), self.store.make(op, &[variable, bound])]
    }

    fn pigeons(&mut self) -> Vec<TermId> {
        let mut variables = self.variables.to_vec();
        variables.shuffle(self.random);
        let is_number = matches!(self.store.sort(self.sort), Sort::Int);
        if is_number {
            let holes = variables.len() as u64 - self.random.random_range(1..=2);
            let mut assertions = vec![self.store.make(Op::Distinct, &variables)];
            assertions.extend(variables.iter().flat_map(|&pigeon| self.between(pigeon, holes - 1)));
            return assertions;
        }
        let holes = variables.split_off(variables.len() / 2 + 1);
        let mut assertions = vec![self.store.make(Op::Distinct, &variables)];
        for &pigeon in &variables {
            let places: Vec<TermId> =
                holes.iter().map(|&hole| self.store.make(Op::Equal, &[pigeon, hole])).collect();
            assertions.push(self.store.make(Op::Or, &places));
        }
        assertions
    }

    /// From each variable to the next there are two ways, each over another one.
    fn diamonds(&mut self) -> Vec<TermId> {
        let count = self.random.random_range(4..=12);
        let mut assertions = Vec::new();
        let start = self.variable();
        let mut last = start;
        for _ in 0..count {
            let next = self.variable();
            let ways = [0; 2].map(|_| {
                let middle = self.variable();
                let both = [[last, middle], [middle, next]].map(|pair| self.store.make(Op::Equal, &pair));
                self.store.make(Op::And, &both)
            });
            assertions.push(self.store.make(Op::Or, &ways));
            last = next;
        }
        assertions.push(self.store.make(Op::Distinct, &[start, last]));
        assertions
    }
}
