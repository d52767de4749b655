//! Floating-point values and rounding modes.

use sundry_term::{
    Float, FloatFormat, FloatOp, Op, RoundingMode, Sort, SortId, TermId, TermStore, Value, evaluate_operator,
};

use super::{Abstraction, Blaster};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::floats::{self, Classes, MODE_WIDTH, Modes, Unpacked};
use crate::support::real_number;
use crate::words;

/// The bits of a value from any bits of its sort: those of some sorts have patterns that stand for no value, or for one that has another
/// pattern already.
pub fn canonical(aig: &mut Aig, sort: &Sort, bits: Vec<Edge>) -> Vec<Edge> {
    match sort {
        Sort::Float(format) => floats::canonical(aig, *format, &bits),
        Sort::RoundingMode => floats::canonical_mode(aig, &bits),
        _ => bits,
    }
}

/// The bits of a rounding mode.
pub(super) fn bits_of_mode(mode: RoundingMode) -> Vec<Edge> {
    let number = RoundingMode::ALL.iter().position(|&other| other == mode).expect("all modes are there");
    words::constant(MODE_WIDTH as usize, |bit| number >> bit & 1 == 1)
}

/// The bits of a floating-point value.
pub(super) fn bits_of_float(value: &Float) -> Vec<Edge> {
    let bits = value.canonical_bits();
    words::constant(bits.width() as usize, |bit| bits.bit(bit as u32))
}

/// Nodes that an operation takes at most, about.
pub(super) fn size(store: &TermStore, op: FloatOp, term: TermId) -> u64 {
    let widths = store.args(term).iter().chain([&term]).map(|&it| match *store.sort(store.sort_of(it)) {
        Sort::Float(format) => u64::from(format.width()),
        Sort::BitVec(width) => u64::from(width),
        _ => 0,
    });
    let width = widths.max().unwrap_or(0);
    let stages = u64::from(width.max(2).ilog2() + 1);
    match op {
        FloatOp::Mul | FloatOp::Fma => 20 * width * (width + 2 * stages),
        FloatOp::Div | FloatOp::Sqrt => 12 * width * (width + 2 * stages),
        FloatOp::Rem => match *store.sort(store.sort_of(term)) {
            Sort::Float(format) => (20 * width).saturating_mul(floats::remainder_steps(format) as u64),
            _ => 0,
        },
        FloatOp::Fp | FloatOp::Abs | FloatOp::Neg => 4 * width,
        _ => 40 * width * stages,
    }
}

impl Blaster {
    /// The unpacked form of a floating-point term that has bits.
    fn unpacked(&mut self, store: &TermStore, aig: &mut Aig, term: TermId) -> Unpacked {
        if let Some(known) = self.unpacked.get(&term) {
            return known.clone();
        }
        let value = Unpacked::of(aig, format_of(store, term), self.at(self.place(term)));
        self.unpacked.insert(term, value.clone());
        value
    }

    /// Keeps the unpacked form of a choice between values that are unpacked already.
    pub(super) fn note_choice(&mut self, store: &TermStore, aig: &mut Aig, term: TermId) {
        let &[condition, consequent, alternative] = store.args(term) else { return };
        if let (Some(consequent), Some(alternative)) =
            (self.unpacked.get(&consequent), self.unpacked.get(&alternative))
        {
            let condition = self.at(self.place(condition))[0];
            let value = Unpacked::choice(aig, condition, consequent, alternative);
            self.unpacked.insert(term, value);
        }
    }

    /// The bits of an application of an operator on floating-point values.
    pub(super) fn float(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        op: FloatOp,
        term: TermId,
    ) -> Vec<Edge> {
        use FloatOp::*;
        let arguments = store.args(term);
        let bits: Vec<Vec<Edge>> =
            arguments.iter().map(|&argument| self.at(self.place(argument)).to_vec()).collect();
        let chain = |aig: &mut Aig, holds: fn(&mut Aig, FloatFormat, &[Edge], &[Edge]) -> Edge| {
            let format = format_of(store, arguments[0]);
            let pairs: Vec<Edge> =
                bits.windows(2).map(|pair| holds(aig, format, &pair[0], &pair[1])).collect();
            vec![aig.and_many(&pairs)]
        };
        match op {
            Fp => {
                let fields = [&bits[2][..], &bits[1], &bits[0]].concat();
                floats::canonical(aig, format_of(store, term), &fields)
            }
            ToFp(format) if arguments.len() == 1 => floats::canonical(aig, format, &bits[0]),
            Abs => floats::absolute(&bits[0]),
            Neg => {
                let format = format_of(store, term);
                if let Some(value) = self.unpacked.get(&arguments[0]) {
                    self.unpacked.insert(term, value.opposite());
                }
                floats::negate(aig, format, &bits[0])
            }
            Leq => chain(aig, |aig, format, a, b| floats::less(aig, format, a, b, true)),
            Lt => chain(aig, |aig, format, a, b| floats::less(aig, format, a, b, false)),
            Geq => chain(aig, |aig, format, a, b| floats::less(aig, format, b, a, true)),
            Gt => chain(aig, |aig, format, a, b| floats::less(aig, format, b, a, false)),
            Eq => chain(aig, floats::ieee_equal),
            IsNormal | IsSubnormal | IsZero | IsInfinite | IsNan | IsNegative | IsPositive => {
                let classes = Classes::of(aig, format_of(store, arguments[0]), &bits[0]);
                vec![match op {
                    IsNormal => classes.normal,
                    IsSubnormal => classes.subnormal,
                    IsZero => classes.zero,
                    IsInfinite => classes.infinite,
                    IsNan => classes.nan,
                    IsNegative => classes.negative,
                    _ => aig.and(!classes.negative, !classes.nan),
                }]
            }
            Min | Max => {
                let format = format_of(store, term);
                let function = OpenFunction { op: Op::Float(op), sort: store.sort_of(term) };
                let sign = bits[0][bits[0].len() - 1];
                let open = |aig: &mut Aig| abstraction.open_result(aig, function, &[Box::from([sign])], 1)[0];
                floats::max_or_min(aig, format, &bits[0], &bits[1], op == Max, open)
            }
            ToIeeeBv => {
                let format = format_of(store, arguments[0]);
                let nan = Classes::of(aig, format, &bits[0]).nan;
                let function = OpenFunction { op: Op::Float(op), sort: store.sort_of(arguments[0]) };
                self.or_open(aig, abstraction, function, bits[0].clone(), nan, &[])
            }
            ToUbv(width) | ToSbv(width) => {
                let format = format_of(store, arguments[1]);
                let modes = Modes::of(aig, &bits[0]);
                let value = self.unpacked(store, aig, arguments[1]);
                let convert = if op == ToUbv(width) { floats::to_unsigned } else { floats::to_signed };
                let (word, fits) = convert(aig, format, &modes, &value, width as usize);
                let function = OpenFunction { op: Op::Float(op), sort: store.sort_of(arguments[1]) };
                let arguments: Vec<Box<[Edge]>> = bits.into_iter().map(Vec::into_boxed_slice).collect();
                self.or_open(aig, abstraction, function, word, !fits, &arguments)
            }
            ToReal => unreachable!("real numbers have no circuit"),
            _ => {
                let value = self.rounded(store, aig, abstraction, op, term, &bits);
                let packed = value.packed(aig, format_of(store, term));
                if !aig.is_stopped() {
                    self.unpacked.insert(term, value);
                }
                packed
            }
        }
    }

    /// The word, or where the standard leaves the result open, one that depends on the arguments alone.
    fn or_open(
        &mut self,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        function: OpenFunction,
        word: Vec<Edge>,
        is_open: Edge,
        arguments: &[Box<[Edge]>],
    ) -> Vec<Edge> {
        if is_open == Edge::FALSE {
            return word;
        }
        let open = abstraction.open_result(aig, function, arguments, word.len() as u32);
        words::ite(aig, is_open, &open, &word)
    }

    /// The result of an operation that computes a value.
    fn rounded(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        abstraction: &mut dyn Abstraction,
        op: FloatOp,
        term: TermId,
        bits: &[Vec<Edge>],
    ) -> Unpacked {
        use FloatOp::*;
        let arguments = store.args(term);
        let format = format_of(store, term);
        if op == Rem {
            let (a, b) = (self.unpacked(store, aig, arguments[0]), self.unpacked(store, aig, arguments[1]));
            return floats::remainder(aig, format, &a, &b);
        }
        let modes = Modes::of(aig, &bits[0]);
        match (op, store.sort(store.sort_of(arguments[1]))) {
            (ToFp(_), Sort::Real) => {
                let packed = floats::with_mode(aig, &modes, |mode| {
                    let number = real_number(store, arguments[1]).expect("other reals are refused");
                    let operands = [&Value::RoundingMode(mode), &number];
                    match evaluate_operator(store, Op::Float(op), &operands) {
                        Ok(Value::Float(value)) => bits_of_float(&value),
                        other => unreachable!("a real becomes a value, not {other:?}"),
                    }
                });
                return Unpacked::of(aig, format, &packed);
            }
            (ToFp(_), Sort::BitVec(_)) => return floats::from_signed(aig, format, &modes, &bits[1]),
            (ToFpUnsigned(_), _) => return floats::from_unsigned(aig, format, &modes, &bits[1]),
            _ => {}
        }
        let values: Vec<Unpacked> =
            arguments[1..].iter().map(|&argument| self.unpacked(store, aig, argument)).collect();
        let mut product = |aig: &mut Aig, a: &[Edge], b: &[Edge]| {
            abstraction.product(aig, a, b).unwrap_or_else(|| words::multiply(aig, a, b))
        };
        match (op, &values[..]) {
            (Add, [a, b]) => floats::add(aig, format, &modes, a, b),
            (Sub, [a, b]) => floats::add(aig, format, &modes, a, &b.opposite()),
            (Mul, [a, b]) => floats::multiply(aig, format, &modes, a, b, &mut product),
            (Div, [a, b]) => floats::divide(aig, format, &modes, a, b),
            (Fma, [a, b, c]) => floats::fused_multiply_add(aig, format, &modes, [a, b, c], &mut product),
            (Sqrt, [a]) => floats::square_root(aig, format, &modes, a),
            (RoundToIntegral, [a]) => floats::round_to_integral(aig, format, &modes, a),
            (ToFp(_), [a]) => floats::to_format(aig, format, &modes, a),
            _ => unreachable!("{op:?} does not round {} values", values.len()),
        }
    }
}

/// An operation of which the standard leaves some results open, on values of a sort. Such results are equal for equal arguments.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct OpenFunction {
    /// The operation.
    pub op: Op,
    /// The sort of its floating-point arguments.
    pub sort: SortId,
}

fn format_of(store: &TermStore, term: TermId) -> FloatFormat {
    match store.sort(store.sort_of(term)) {
        Sort::Float(format) => *format,
        other => unreachable!("{other:?} has no format"),
    }
}
