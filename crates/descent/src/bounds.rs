//! Bounds of variables that assertions state, so that a search starts between them.

use rustc_hash::FxHashMap;
use sundry_term::{FloatOp, Op, SymbolId, TermId, TermStore};

use crate::program::Shape;
use crate::theta::place_of_number;
use crate::variable::{Kind, Variable};

/// Restricts variables to the values that comparisons with literals leave to them. Variables are compared as floats of at most 64 bits.
pub(crate) fn restrict(store: &TermStore, conjuncts: &[TermId], variables: &mut [Variable]) {
    let positions: FxHashMap<SymbolId, usize> =
        variables.iter().enumerate().map(|(position, variable)| (variable.symbol, position)).collect();
    let before = variables.to_vec();
    for &conjunct in conjuncts {
        let Op::Float(op) = store.op(conjunct) else { continue };
        for pair in store.args(conjunct).windows(2) {
            let (left, right, is_strict) = match op {
                FloatOp::Lt => (pair[0], pair[1], true),
                FloatOp::Leq => (pair[0], pair[1], false),
                FloatOp::Gt => (pair[1], pair[0], true),
                FloatOp::Geq => (pair[1], pair[0], false),
                _ => break,
            };
            let variable = |term| store.constant_symbol(term).and_then(|symbol| positions.get(&symbol));
            if let (Some(&number), Some(value)) = (variable(left), store.value(right)) {
                bound(&mut variables[number], Shape::word(value), is_strict, true);
            }
            if let (Some(value), Some(&number)) = (store.value(left), variable(right)) {
                bound(&mut variables[number], Shape::word(value), is_strict, false);
            }
        }
    }
    for (variable, before) in variables.iter_mut().zip(before) {
        if variable.first > variable.last {
            // No value is left, and the search will not find one.
            *variable = before;
        }
    }
}

/// Restricts a variable to values not above, or not below, a literal.
fn bound(variable: &mut Variable, literal: u64, is_strict: bool, is_above: bool) {
    let Kind::Float(format) = variable.kind else { return };
    if format.width() > 64 {
        return;
    }
    let Some(place) = place_of_number(format, literal) else { return };
    // The zeros are equal: the bound includes both, or excludes both.
    let sign = 1 << (format.width() - 1);
    let zero = |negative: bool| variable.kind.position(if negative { sign } else { 0 });
    let own = variable.kind.position(literal);
    if is_above {
        let last = if place == 0 { zero(is_strict) } else { own };
        variable.last = variable.last.min(last.saturating_sub(u64::from(is_strict)));
    } else {
        let first = if place == 0 { zero(!is_strict) } else { own };
        variable.first = variable.first.max(first.saturating_add(u64::from(is_strict)));
        // NaN is behind infinity, and not above anything.
        variable.last = variable.last.min(variable.kind.last() - 1);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sundry_term::{Control, Float, FloatFormat, Sort, Value};

    use super::*;
    use crate::program::Program;

    #[test]
    fn bounds_leave_exactly_the_values_that_satisfy_a_comparison() {
        let format = FloatFormat::new(3, 4).unwrap();
        let mut store = TermStore::new();
        let sort = store.intern_sort(Sort::Float(format)).unwrap();
        let symbol = store.declare("x", &[], sort);
        let x = store.symbol_term(symbol);
        let kind = Kind::Float(format);
        for number in 0.. {
            let literal = Float::numbered(format, number);
            if literal.is_nan() {
                break;
            }
            let bound = store.constant(Value::Float(Arc::new(literal.clone())));
            for op in [FloatOp::Lt, FloatOp::Leq, FloatOp::Gt, FloatOp::Geq] {
                for arguments in [[x, bound], [bound, x]] {
                    let term = store.make(Op::Float(op), &arguments);
                    let holds = |position: u64| {
                        let Value::Float(value) = kind.value(position) else { unreachable!() };
                        let (left, right) =
                            if arguments[0] == x { (&*value, &literal) } else { (&literal, &*value) };
                        match op {
                            FloatOp::Lt => left.less(right),
                            FloatOp::Leq => left.less_or_equal(right),
                            FloatOp::Gt => right.less(left),
                            _ => right.less_or_equal(left),
                        }
                    };
                    let satisfying: Vec<u64> =
                        (kind.first()..=kind.last()).filter(|&position| holds(position)).collect();
                    let program = Program::new(&store, &[term], &Control::default()).unwrap();
                    let [variable] = program.variables[..] else { panic!("one variable") };
                    let left: Vec<u64> = (variable.first..=variable.last).collect();
                    // Where nothing is left, everything is searched.
                    let nothing =
                        satisfying.is_empty() && left.len() == (kind.last() - kind.first()) as usize + 1;
                    assert!(left == satisfying || nothing, "{op:?} {literal:?}");
                }
            }
        }
    }
}
