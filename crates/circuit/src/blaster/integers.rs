//! Integers that are values of bit-vectors, or computed from such.

use sundry_term::{ArithmeticOp, Op, TermId, TermStore, Value, twos_complement};

use super::Blaster;
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

impl Blaster {
    /// The bits of an integer, in two's complement.
    pub(super) fn integer(&mut self, store: &TermStore, aig: &mut Aig, term: TermId) -> Vec<Edge> {
        use words::integers;
        let arguments = |blaster: &Self| -> Vec<Vec<Edge>> {
            store.args(term).iter().map(|&argument| blaster.at(blaster.place(argument)).to_vec()).collect()
        };
        let arguments = arguments(self);
        let fold = |aig: &mut Aig, step: fn(&mut Aig, &[Edge], &[Edge]) -> Vec<Edge>| {
            arguments[1..].iter().fold(arguments[0].clone(), |so_far, next| step(aig, &so_far, next))
        };
        let operator = match store.op(term) {
            Op::Constant(_) => {
                let Some(Value::Int(number)) = store.value(term) else { unreachable!("an integer literal") };
                let bits = twos_complement(number);
                return words::constant(bits.width() as usize, |bit| bits.bit(bit as u32));
            }
            Op::Ite => {
                let (consequent, alternative) = integers::aligned(&arguments[1], &arguments[2], 0);
                return integers::trimmed(words::ite(aig, arguments[0][0], &consequent, &alternative));
            }
            Op::Arithmetic(operator) => operator,
            other => unreachable!("integers made by {other:?} are refused where they are read"),
        };
        match operator {
            ArithmeticOp::UnsignedToInt => integers::trimmed([&arguments[0][..], &[Edge::FALSE]].concat()),
            ArithmeticOp::SignedToInt => integers::trimmed(arguments[0].clone()),
            ArithmeticOp::Sub if arguments.len() == 1 => integers::opposite(aig, &arguments[0]),
            ArithmeticOp::Sub => fold(aig, integers::difference),
            ArithmeticOp::Add => fold(aig, integers::sum),
            ArithmeticOp::Mul => fold(aig, integers::product),
            ArithmeticOp::Abs => integers::magnitude(aig, &arguments[0]),
            ArithmeticOp::Mod => {
                integers::quotient_and_remainder(aig, &mut self.divider, &arguments[0], &arguments[1]).1
            }
            ArithmeticOp::Div => arguments[1..].iter().fold(arguments[0].clone(), |so_far, next| {
                integers::quotient_and_remainder(aig, &mut self.divider, &so_far, next).0
            }),
            other => unreachable!("integers made by {other:?} are refused where they are read"),
        }
    }

    /// The bits of a Boolean or bit-vector that is said of integers.
    pub(super) fn of_integers(
        &mut self,
        store: &TermStore,
        aig: &mut Aig,
        operator: ArithmeticOp,
        term: TermId,
    ) -> Vec<Edge> {
        use words::integers;
        let mut divider = std::mem::take(&mut self.divider);
        let arguments: Vec<&[Edge]> =
            store.args(term).iter().map(|&argument| self.at(self.place(argument))).collect();
        let chain = |aig: &mut Aig, holds: fn(&mut Aig, &[Edge], &[Edge]) -> Edge| {
            let pairs: Vec<Edge> = arguments.windows(2).map(|pair| holds(aig, pair[0], pair[1])).collect();
            vec![aig.and_many(&pairs)]
        };
        let bits = match operator {
            ArithmeticOp::Less => chain(aig, |aig, a, b| integers::less(aig, a, b, false)),
            ArithmeticOp::LessOrEqual => chain(aig, |aig, a, b| integers::less(aig, a, b, true)),
            ArithmeticOp::Greater => chain(aig, |aig, a, b| integers::less(aig, b, a, false)),
            ArithmeticOp::GreaterOrEqual => chain(aig, |aig, a, b| integers::less(aig, b, a, true)),
            ArithmeticOp::IntToBits(width) => integers::wrapped(arguments[0], width as usize),
            ArithmeticOp::Divisible(divisor) => {
                // 32 bits and a sign.
                let divisor = words::constant(33, |bit| u64::from(divisor) >> bit & 1 == 1);
                let (_, remainder) =
                    integers::quotient_and_remainder(aig, &mut divider, arguments[0], &divisor);
                vec![words::is_zero(aig, &remainder)]
            }
            other => unreachable!("{other:?} is refused where it is read"),
        };
        self.divider = divider;
        bits
    }
}
