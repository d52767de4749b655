//! Predicates and functions of integers: computed lane by lane, with numbers of any length.
//!
//! Integers have no slots, since their lengths differ. A Boolean or a bit-vector that depends on integers directly is
//! one step, which computes all integers below it. Such terms are rare, so recomputing integers that several of them
//! share costs little.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{
    ArithmeticOp, Control, Op, SortId, Stopped, TermId, TermStore, Value, evaluate_operator_within,
};

use crate::column::LANES;
use crate::memory::Memory;
use crate::program::Slot;
use crate::run::{set_value, value_in_lane};

/// The work of a node in a lane, in the units of [`Control::spend`].
const WORK_OF_NODE: u32 = 8;

/// A term over integers, and the integers below it, arguments first.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    /// Computed before.
    Slot(Slot),
    Literal(Value),
    /// An operator on earlier nodes.
    Operator(Op, Box<[usize]>),
}

/// Whether an integer may be any, whatever its arguments are: it is declared, read from an array, or a quotient by something else than a number
/// other than 0.
fn is_open(store: &TermStore, term: TermId) -> bool {
    let is_other = |term: TermId| matches!(store.value(term), Some(Value::Int(number)) if !number.is_zero());
    let is_divisor = |&term: &TermId| match (store.op(term), store.args(term)) {
        (Op::Arithmetic(ArithmeticOp::Sub), &[opposite]) => is_other(opposite),
        _ => is_other(term),
    };
    match store.op(term) {
        Op::Apply(_) | Op::Select => true,
        Op::Arithmetic(ArithmeticOp::Div | ArithmeticOp::Mod) => {
            !store.args(term)[1..].iter().all(is_divisor)
        }
        _ => false,
    }
}

impl Cone {
    /// The term with the integers below it, given where other terms are; none where one of these has no slot, or
    /// where an integer is not computed from words.
    pub(crate) fn new(
        store: &TermStore,
        term: TermId,
        slot: impl Fn(TermId) -> Option<Slot>,
    ) -> Option<Self> {
        let is_integer = |term: TermId| store.sort_of(term) == SortId::INT;
        let (mut terms, mut stack, mut seen) = (vec![term], vec![term], FxHashSet::default());
        while let Some(next) = stack.pop() {
            for &argument in store.args(next) {
                if seen.insert(argument) {
                    terms.push(argument);
                    stack.extend(is_integer(argument).then_some(argument));
                }
            }
        }
        terms.sort_unstable();
        let positions: FxHashMap<TermId, usize> =
            terms.iter().enumerate().map(|(position, &term)| (term, position)).collect();
        let node = |&below: &TermId| match store.value(below) {
            _ if below != term && !is_integer(below) => slot(below).map(Node::Slot),
            Some(value) => Some(Node::Literal(value.clone())),
            // Only integers that are computed from words are computed here.
            None if is_open(store, below) => None,
            None => {
                let arguments = store.args(below).iter().map(|argument| positions[argument]).collect();
                Some(Node::Operator(store.op(below), arguments))
            }
        };
        Some(Cone { nodes: terms.iter().map(node).collect::<Option<_>>()? })
    }

    /// Computes the term in all lanes.
    ///
    /// # Errors
    /// The reason for which the control stopped the work.
    pub(crate) fn run(
        &self,
        store: &TermStore,
        result: Slot,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<(), Stopped> {
        for lane in 0..LANES {
            let mut values: Vec<Value> = Vec::with_capacity(self.nodes.len());
            for node in &self.nodes {
                control.spend(WORK_OF_NODE)?;
                let value = match node {
                    Node::Slot(slot) => value_in_lane(*slot, lane, memory),
                    Node::Literal(value) => value.clone(),
                    Node::Operator(op, arguments) => {
                        let arguments: Vec<&Value> =
                            arguments.iter().map(|&position| &values[position]).collect();
                        evaluate_operator_within(store, *op, &arguments, control)?
                            .expect("integers are bounded where they are read")
                    }
                };
                values.push(value);
            }
            let value = values.pop().expect("the term itself is the last node");
            set_value(memory, result, lane, &value);
        }
        Ok(())
    }
}
