//! Points of small formulas, counted by hand.

use sundry_term::{
    ArithmeticOp, ArrayValue, BitVector, Evaluator, Model, Op, SortId, SymbolId, TermId, TermStore, Value,
};

use super::{WireCoverage, WirePoints};

/// Some assertions over declared constants.
struct Formula {
    store: TermStore,
    symbols: Vec<SymbolId>,
    assertions: Vec<TermId>,
}

impl Formula {
    fn new(sorts: &[SortId], assertions: impl FnOnce(&mut TermStore, &[TermId]) -> Vec<TermId>) -> Self {
        let mut store = TermStore::new();
        let declare = |(number, &sort): (usize, &SortId)| store.declare(&format!("x{number}"), &[], sort);
        let symbols: Vec<SymbolId> = sorts.iter().enumerate().map(declare).collect();
        let terms: Vec<TermId> = symbols.iter().map(|&symbol| store.symbol_term(symbol)).collect();
        let assertions = assertions(&mut store, &terms);
        Formula { store, symbols, assertions }
    }

    /// The number of all points, and of those that are covered after each of these solutions.
    fn covered(&self, solutions: &[&[Value]]) -> (usize, Vec<usize>) {
        let points = WirePoints::new(&self.store, &self.assertions);
        let mut coverage = WireCoverage::new(&points);
        let mut covered = Vec::new();
        for values in solutions {
            let mut model = Model::new();
            for (&symbol, value) in self.symbols.iter().zip(*values) {
                model.set_constant(symbol, value.clone());
            }
            let mut evaluator = Evaluator::new(&self.store, &model);
            let gain = coverage.add(&points.seen(&self.store, &mut evaluator).expect("values"));
            covered.push(coverage.covered());
            assert_eq!(gain, covered[covered.len() - 1] - covered.iter().rev().nth(1).unwrap_or(&0));
        }
        assert_eq!(coverage.points().count(), coverage.covered());
        (points.total(), covered)
    }
}

fn int(number: i128) -> Value {
    Value::Int(number.into())
}

#[test]
fn integers_have_64_points_modulo_a_power_of_two() {
    // The root, the assertion, x and 0: 1 + 1 + 64 + 64.
    let formula = Formula::new(&[SortId::INT], |store, x| {
        let zero = store.constant(int(0));
        vec![store.make(Op::Arithmetic(ArithmeticOp::GreaterOrEqual), &[x[0], zero])]
    });
    // From 0 to 5 bits 0 and 2 change; 7 adds bit 1. 2^64 + 8 has the same low bits as 8.
    let solutions = [&[int(0)][..], &[int(5)], &[int(7)], &[int((1 << 64) + 8)], &[int(8)]];
    assert_eq!(formula.covered(&solutions), (130, vec![0, 2, 3, 4, 4]));
}

#[test]
fn negative_integers_have_ones_in_front() {
    let formula = Formula::new(&[SortId::INT], |store, x| vec![store.make(Op::Equal, &[x[0], x[0]])]);
    // -1 has 64 ones; -2^63 has one, the last.
    assert_eq!(formula.covered(&[&[int(-1)], &[int(-(1 << 63))]]), (66, vec![0, 63]));
    assert_eq!(formula.covered(&[&[int(-1)], &[int(0)]]), (66, vec![0, 64]));
}

#[test]
fn literals_and_assertions_never_change() {
    // The root, two assertions, p and q, of which both are always true.
    let formula = Formula::new(&[SortId::BOOL, SortId::BOOL], |_, x| x.to_vec());
    let both = [Value::Bool(true), Value::Bool(true)];
    assert_eq!(formula.covered(&[&both, &both]), (3, vec![0, 0]));
}

#[test]
fn conjunctions_and_disjunctions_end_at_the_first_argument_that_decides() {
    let [no, yes] = [false, true].map(Value::Bool);
    // The root, a disjunction with true, (and p q), p, q and true: 1 + 1 + 1 + 1 + 1 + 1.
    let of = |op, unit: bool| {
        Formula::new(&[SortId::BOOL, SortId::BOOL], move |store, x| {
            let both = store.make(op, x);
            let anything = store.bool(true);
            let negated = store.make(Op::Not, &[both]);
            let inner = if unit { negated } else { both };
            vec![store.make(Op::Or, &[inner, anything])]
        })
    };
    let conjunction = of(Op::And, false);
    // Where p is false, q is not seen: it changes in these two solutions, and is not covered.
    assert_eq!(
        conjunction.covered(&[&[no.clone(), no.clone()], &[yes.clone(), yes.clone()]]),
        (6, vec![0, 2])
    );
    // Then p is true and q false, which is seen; the constant was seen too, and never changes.
    let third = [yes.clone(), no.clone()];
    let three = [&[no.clone(), no.clone()][..], &[yes.clone(), yes.clone()], &third];
    assert_eq!(conjunction.covered(&three), (6, vec![0, 2, 3]));
    // A disjunction whose first argument is true does not look at the second. (not (or p q)) is one node more.
    let disjunction = of(Op::Or, true);
    assert_eq!(
        disjunction.covered(&[&[yes.clone(), no.clone()], &[no.clone(), yes.clone()]]),
        (7, vec![0, 1])
    );
    assert_eq!(
        disjunction.covered(&[&[yes.clone(), no.clone()], &[no.clone(), yes], &[no.clone(), no]]),
        (7, vec![0, 1, 4])
    );
}

#[test]
fn choices_show_the_branch_that_they_take() {
    let mut nodes = 0;
    let formula = Formula::new(&[SortId::BOOL, SortId::INT, SortId::INT], |store, x| {
        let chosen = store.make(Op::Ite, x);
        nodes = 3 * 64 + 3;
        vec![store.make(Op::Equal, &[chosen, chosen])]
    });
    let [no, yes] = [false, true].map(Value::Bool);
    // x1 is 0 where it is taken, and 1 where it is not: neither changes while it is seen. The choice itself changes in one bit.
    let solutions = [&[yes.clone(), int(0), int(0)][..], &[no, int(1), int(1)], &[yes, int(2), int(9)]];
    // After the third solution, x1 and the choice were seen with bit 1.
    assert_eq!(formula.covered(&solutions), (nodes, vec![0, 2, 4]));
}

#[test]
fn words_have_a_point_for_each_bit_and_arrays_none() {
    let mut store = TermStore::new();
    let word = store.bit_vec_sort(4).expect("a width");
    let sort = store.array_sort(word, word);
    let [x, array] = [("x", word), ("a", sort)].map(|(name, sort)| store.declare(name, &[], sort));
    let [index, of] = [x, array].map(|symbol| store.symbol_term(symbol));
    let read = store.make(Op::Select, &[of, index]);
    let assertion = store.make(Op::BvUle, &[index, read]);
    let points = WirePoints::new(&store, &[assertion]);
    // The root, the assertion, the index and what is read there.
    assert_eq!(points.total(), 1 + 1 + 4 + 4);
    let mut coverage = WireCoverage::new(&points);
    let mut gains = Vec::new();
    for number in [0, 0b1010, 0b0101] {
        let mut model = Model::new();
        model.set_constant(x, Value::BitVec(BitVector::from_u64(4, number)));
        let all = Value::BitVec(BitVector::from_u64(4, 0b1111));
        let everywhere = ArrayValue::constant(&store, word, all);
        model.set_constant(array, Value::Array(everywhere));
        let mut evaluator = Evaluator::new(&store, &model);
        gains.push(coverage.add(&points.seen(&store, &mut evaluator).expect("values")));
    }
    assert_eq!(gains, [0, 2, 2]);
}
