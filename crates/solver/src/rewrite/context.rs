//! The context of a rule: the store, and building of further terms within bounds.
//!
//! A rule builds its result through [`Context::build`], which rewrites again, so that results are
//! normal. Two bounds keep that from running away whatever the rules do: nesting (which is also
//! the depth of the machine's stack) and the number of rule applications for one application asked
//! for. Beyond them, and when time is up, applications are built as they are, which is correct, only less simple.

use smallvec::SmallVec;
use sundry_term::{BitVector, Control, Op, SortId, TermId, TermStore, Value};

use super::rule::rules_of;

/// Rules applied to results of rules applied to results, at most.
const MAXIMAL_NESTING: u32 = 40;

/// Rules applied for one application asked for, at most; more for each argument.
const FUEL: u32 = 200;
const FUEL_PER_ARGUMENT: u32 = 8;

/// A short list of terms.
pub(super) type Terms = SmallVec<[TermId; 6]>;

/// The store, the statistics and the bounds of one application of rules.
pub(super) struct Context<'a> {
    pub(super) store: &'a mut TermStore,
    counts: &'a mut [u64],
    nesting: u32,
    fuel: u32,
    control: &'a Control,
}

/// The work of looking for a rule, in the units of [`Control::spend`].
fn work_of(arguments: &[TermId]) -> u32 {
    32 + 8 * u32::try_from(arguments.len()).unwrap_or(1 << 28)
}

impl<'a> Context<'a> {
    pub(super) fn new(
        store: &'a mut TermStore,
        counts: &'a mut [u64],
        arguments: usize,
        control: &'a Control,
    ) -> Self {
        let arguments = u32::try_from(arguments).unwrap_or(u32::MAX);
        let fuel = FUEL.saturating_add(arguments.saturating_mul(FUEL_PER_ARGUMENT));
        Context { store, counts, nesting: 0, fuel, control }
    }

    /// A normal term equal to the application.
    pub(super) fn build(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        if self.nesting < MAXIMAL_NESTING && self.control.spend(work_of(arguments)).is_ok() {
            for &rule in rules_of(op) {
                if self.fuel == 0 {
                    break;
                }
                self.nesting += 1;
                let result = rule.apply(self, op, arguments);
                self.nesting -= 1;
                if let Some(result) = result {
                    debug_assert_eq!(
                        self.store.sort_of(result),
                        {
                            let plain = self.store.make(op, arguments);
                            self.store.sort_of(plain)
                        },
                        "{rule:?} keeps the sort"
                    );
                    self.counts[rule as usize] += 1;
                    self.fuel = self.fuel.saturating_sub(1);
                    return result;
                }
            }
        }
        self.store.make(op, arguments)
    }

    // ---- reading

    pub(super) fn op(&self, term: TermId) -> Op {
        self.store.op(term)
    }

    pub(super) fn argument(&self, term: TermId, position: usize) -> TermId {
        self.store.args(term)[position]
    }

    /// The arguments, copied so that terms can be built while they are read.
    pub(super) fn arguments(&self, term: TermId) -> Terms {
        SmallVec::from_slice(self.store.args(term))
    }

    /// The arguments of a term with this operator, `None` for another operator.
    pub(super) fn arguments_of(&self, op: Op, term: TermId) -> Option<&[TermId]> {
        (self.op(term) == op).then(|| self.store.args(term))
    }

    /// The argument of a term with this one-place operator.
    pub(super) fn below(&self, op: Op, term: TermId) -> Option<TermId> {
        self.arguments_of(op, term).map(|arguments| arguments[0])
    }

    /// Both arguments of a term with this operator and two arguments.
    pub(super) fn pair_of(&self, op: Op, term: TermId) -> Option<(TermId, TermId)> {
        match self.arguments_of(op, term)? {
            &[left, right] => Some((left, right)),
            _ => None,
        }
    }

    /// Condition and branches of an if-then-else.
    pub(super) fn ite_of(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        let arguments = self.arguments_of(Op::Ite, term)?;
        Some((arguments[0], arguments[1], arguments[2]))
    }

    pub(super) fn is_literal(&self, term: TermId) -> bool {
        matches!(self.op(term), Op::Constant(_))
    }

    /// The bits of a bit-vector literal.
    pub(super) fn bits(&self, term: TermId) -> Option<&BitVector> {
        self.store.value(term).and_then(Value::as_bit_vector)
    }

    /// The truth value of a Boolean literal.
    pub(super) fn truth(&self, term: TermId) -> Option<bool> {
        self.store.value(term).and_then(Value::as_bool)
    }

    /// The width of a bit-vector term.
    pub(super) fn width(&self, term: TermId) -> u32 {
        self.store.width(term).expect("asked for bit-vectors only")
    }

    pub(super) fn is_bool(&self, term: TermId) -> bool {
        self.store.is_bool(term)
    }

    pub(super) fn sort(&self, term: TermId) -> SortId {
        self.store.sort_of(term)
    }

    /// Whether one is the complement of the other, `not` or `bvnot`.
    pub(super) fn complements(&self, left: TermId, right: TermId) -> bool {
        let is_not = |term, of| matches!(self.op(term), Op::Not | Op::BvNot) && self.argument(term, 0) == of;
        if is_not(left, right) || is_not(right, left) {
            return true;
        }
        match (self.store.value(left), self.store.value(right)) {
            (Some(Value::Bool(left)), Some(Value::Bool(right))) => left != right,
            (Some(Value::BitVec(left)), Some(Value::BitVec(right))) => *left == right.not(),
            _ => false,
        }
    }

    /// The order of operands where order means nothing: literals last, others by age.
    pub(super) fn rank(&self, term: TermId) -> (bool, TermId) {
        (self.is_literal(term), term)
    }

    // ---- building

    pub(super) fn boolean(&mut self, value: bool) -> TermId {
        self.store.bool(value)
    }

    pub(super) fn literal(&mut self, value: BitVector) -> TermId {
        self.store.bit_vector(value)
    }

    pub(super) fn zero(&mut self, width: u32) -> TermId {
        self.literal(BitVector::zero(width))
    }

    pub(super) fn ones(&mut self, width: u32) -> TermId {
        self.literal(BitVector::ones(width))
    }

    /// Complement of a truth value or of bits.
    pub(super) fn not(&mut self, term: TermId) -> TermId {
        let op = if self.is_bool(term) { Op::Not } else { Op::BvNot };
        self.build(op, &[term])
    }

    pub(super) fn not_all(&mut self, terms: &[TermId]) -> Terms {
        terms.iter().map(|&term| self.not(term)).collect()
    }

    /// Conjunction of truth values; of none it is true.
    pub(super) fn and(&mut self, terms: &[TermId]) -> TermId {
        match terms {
            [] => self.boolean(true),
            &[term] => term,
            _ => self.build(Op::And, terms),
        }
    }

    /// Disjunction of truth values; of none it is false.
    pub(super) fn or(&mut self, terms: &[TermId]) -> TermId {
        let complements = self.not_all(terms);
        let none = self.and(&complements);
        self.not(none)
    }

    pub(super) fn equal(&mut self, left: TermId, right: TermId) -> TermId {
        self.build(Op::Equal, &[left, right])
    }

    /// Equality with a literal.
    pub(super) fn equals(&mut self, term: TermId, value: BitVector) -> TermId {
        let value = self.literal(value);
        self.equal(term, value)
    }

    pub(super) fn differs(&mut self, left: TermId, right: TermId) -> TermId {
        let equal = self.equal(left, right);
        self.not(equal)
    }

    pub(super) fn ite(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        self.build(Op::Ite, &[condition, yes, no])
    }

    /// The bit-vector of one bit that is 1 where the condition holds.
    pub(super) fn bit_of(&mut self, condition: TermId) -> TermId {
        let (one, zero) = (self.ones(1), self.zero(1));
        self.ite(condition, one, zero)
    }

    pub(super) fn extract(&mut self, term: TermId, high: u32, low: u32) -> TermId {
        self.build(Op::Extract { high, low }, &[term])
    }

    /// The parts side by side, the first most significant; at least one.
    pub(super) fn concat(&mut self, parts: &[TermId]) -> TermId {
        match parts {
            &[part] => part,
            _ => self.build(Op::Concat, parts),
        }
    }

    pub(super) fn ult(&mut self, left: TermId, right: TermId) -> TermId {
        self.build(Op::BvUlt, &[left, right])
    }

    pub(super) fn slt(&mut self, left: TermId, right: TermId) -> TermId {
        self.build(Op::BvSlt, &[left, right])
    }
}
