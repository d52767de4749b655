//! The size of circuits: estimates before anything is built, since what is too large would fill the memory.

use sundry_term::{ArithmeticOp, Op, TermId, TermStore};

use super::equalities::{COMPARED_DISTINCT, distinct_nodes};
use super::{Blaster, TooLarge};
use crate::aig::Aig;
use crate::words;

impl Blaster {
    /// Refuses operations that would not fit.
    pub(super) fn check_size(
        &self,
        store: &TermStore,
        aig: &Aig,
        op: Op,
        term: TermId,
    ) -> Result<(), TooLarge> {
        use Op::*;
        let width = |position| {
            let argument = store.args(term).get(position);
            argument.map_or(0, |&argument| u64::from(self.place(argument).length))
        };
        let nodes = match op {
            Constant(_)
            | Not
            | BvNot
            | Concat
            | Extract { .. }
            | Repeat(_)
            | ZeroExtend(_)
            | SignExtend(_)
            | RotateLeft(_)
            | RotateRight(_) => 0,
            BvShl | BvLshr | BvAshr => 4 * width(0) * u64::from(width(0).max(2).ilog2() + 1),
            Distinct => match distinct_nodes(store, term) {
                // The abstraction compares each once with something of its own.
                nodes if nodes > COMPARED_DISTINCT && width(0) > 0 => {
                    4 * (width(0) + 1) * store.args(term).len() as u64
                }
                nodes => nodes,
            },
            BvMul | BvUmulo | BvSmulo => {
                let arguments = store.args(term).len();
                let (first, second) = (self.argument(store, term, 0), self.argument(store, term, 1));
                let rows = if arguments == 2 { words::row_count(first, second) } else { first.len() };
                8 * (rows * first.len() * (arguments - 1)) as u64
            }
            BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | ExtRotateLeft | ExtRotateRight => {
                let width = self.argument(store, term, 0).len();
                6 * (width * width) as u64
            }
            Arithmetic(ArithmeticOp::Mul) => {
                let widths = (1..store.args(term).len()).map(width);
                let (_, nodes) = widths.fold((width(0), 0), |(so_far, nodes): (u64, u64), next| {
                    (so_far + next, nodes + 8 * (so_far + next) * so_far.min(next))
                });
                nodes
            }
            Arithmetic(ArithmeticOp::Div | ArithmeticOp::Mod | ArithmeticOp::Divisible(_)) => {
                20 * store.args(term).len() as u64 * width(0).max(32).pow(2)
            }
            Float(op) => super::floats::size(store, op, term),
            _ => 10 * (0..store.args(term).len()).map(width).sum::<u64>(),
        };
        let limit = self.node_limit;
        if nodes > 0 && (aig.node_count() as u64).saturating_add(nodes) > limit {
            return Err(TooLarge { term, nodes, limit });
        }
        Ok(())
    }
}
