//! Terms, circuits and models side by side.

use sundry_circuit::{Aig, Blaster, FreeInputs, Simulation};
use sundry_term::{BitVector, Evaluator, Model, Op, Sort, SymbolId, TermId, TermStore, Value};

/// A declared constant of a Boolean (`None`) or bit-vector sort.
pub fn declare(store: &mut TermStore, name: &str, width: Option<u32>) -> (SymbolId, TermId) {
    let sort = match width {
        None => store.intern_sort(Sort::Bool),
        Some(width) => store.bit_vec_sort(width),
    };
    let symbol = store.declare(name, &[], sort.expect("a legal width"));
    (symbol, store.symbol_term(symbol))
}

/// Checks that the blasted terms have the values that the evaluator gives them, in all these
/// assignments of the variables (64 at a time).
pub fn check(store: &TermStore, variables: &[(SymbolId, TermId)], terms: &[TermId], rows: &[Vec<Value>]) {
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    let roots: Vec<TermId> = variables.iter().map(|&(_, term)| term).chain(terms.iter().copied()).collect();
    blaster.blast(store, &mut aig, &mut FreeInputs, &roots).expect("small circuits");
    let mut simulation = Simulation::new();
    for chunk in rows.chunks(64) {
        let mut words = vec![0u64; aig.inputs().len()];
        for (position, &(_, term)) in variables.iter().enumerate() {
            for (index, edge) in blaster.bits(term).expect("blasted").iter().enumerate() {
                let number = aig.inputs().binary_search(edge).expect("leaves are inputs");
                for (lane, row) in chunk.iter().enumerate() {
                    words[number] |= u64::from(row[position].bit(index as u32)) << lane;
                }
            }
        }
        simulation.run(&aig, &words);
        for (lane, row) in chunk.iter().enumerate() {
            let mut model = Model::new();
            for (&(symbol, _), value) in variables.iter().zip(row) {
                model.set_constant(symbol, value.clone());
            }
            let mut evaluator = Evaluator::new(store, &model);
            evaluator.evaluate(terms).expect("closed terms");
            for &term in terms {
                let value = evaluator.value(term).expect("evaluated");
                for (index, &edge) in blaster.bits(term).expect("blasted").iter().enumerate() {
                    assert_eq!(
                        simulation.value(edge, lane as u32),
                        value.bit(index as u32),
                        "bit {index} of {:?} of {:?} under {row:?}",
                        store.op(term),
                        store.args(term),
                    );
                }
            }
        }
    }
}

/// All values of a width.
pub fn all_values(width: u32) -> Vec<Value> {
    (0..1u64 << width).map(|value| Value::BitVec(BitVector::from_u64(width, value))).collect()
}

/// All pairs, triples, … of values of a width.
pub fn all_rows(width: u32, variables: usize) -> Vec<Vec<Value>> {
    let mut rows = vec![Vec::new()];
    for _ in 0..variables {
        rows = rows
            .into_iter()
            .flat_map(|row| {
                all_values(width).into_iter().map(move |value| {
                    let mut row = row.clone();
                    row.push(value);
                    row
                })
            })
            .collect();
    }
    rows
}

pub const UNARY: [Op; 8] =
    [Op::BvNot, Op::BvNeg, Op::BvRedAnd, Op::BvRedOr, Op::BvRedXor, Op::BvInc, Op::BvDec, Op::BvNego];

pub const BINARY: [Op; 38] = [
    Op::ExtRotateLeft,
    Op::ExtRotateRight,
    Op::Equal,
    Op::Distinct,
    Op::Concat,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvNand,
    Op::BvNor,
    Op::BvXnor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvComp,
    Op::BvUlt,
    Op::BvUle,
    Op::BvUgt,
    Op::BvUge,
    Op::BvSlt,
    Op::BvSle,
    Op::BvSgt,
    Op::BvSge,
    Op::BvUaddo,
    Op::BvSaddo,
    Op::BvUmulo,
    Op::BvSmulo,
    Op::BvUsubo,
    Op::BvSsubo,
    Op::BvSdivo,
];

/// Bit-vector operators that take any number of arguments.
pub const NARY: [Op; 10] = [
    Op::Equal,
    Op::Distinct,
    Op::Concat,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvXnor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
];
