//! Word-level rewriting: equivalences that make terms smaller or reveal structure.
//!
//! Terms are rewritten bottom-up where applications are built, so a rule sees arguments in normal
//! form and looks one or two levels deep. Every rule is an equivalence for all values, never only
//! for satisfiability: coverage of a formula's bits depends on it.
//!
//! Few operators remain: `and`, `not`, `=`, `ite` over Bool; `bvand`, `bvxor`, `bvnot`, `bvadd`,
//! `bvneg`, `bvmul`, the divisions, shifts by terms, `concat`, `extract`, `sign_extend`, `bvult`
//! and `bvslt` over bit-vectors. The others are defined by these, so what is written in two ways
//! becomes one term, and fewer rules are needed. All of that costs no gate: an and-inverter graph
//! has no disjunctions either, and `a − b` is `~(~a + b)`.
//!
//! Rules that would copy an operator into several places (distribution of a product over a sum, an
//! operation lifted out of an if-then-else) are absent: every term of the formula keeps its gates,
//! because coverage asks for them, so a rewritten copy is a second circuit beside the first. For
//! the same reason sums and conjunctions are only looked through, and taken apart when something
//! cancels. An equality-saturation engine was rejected: it needs a cost that knows the whole
//! formula, and time.

mod arithmetic;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod concat;
mod conjunction;
mod context;
mod division;
mod equality;
mod extract;
mod float;
mod ite;
mod linear;
mod overflow;
mod parity;
mod polynomial;
mod rule;
mod shift;
mod slices;
#[cfg(test)]
mod tests;

use sundry_term::{Control, Op, Stopped, TermId, TermStore};

use context::Context;
use rule::Rule;

/// Applies rewriting rules where applications are built.
#[derive(Clone)]
pub(crate) struct Rewriter {
    /// The number of applications of each rule, by position in [`Rule::ALL`].
    counts: Box<[u64]>,
    /// Once it has ended, applications are built as they are.
    control: Control,
}

impl Default for Rewriter {
    fn default() -> Self {
        Rewriter { counts: vec![0; Rule::ALL.len()].into(), control: Control::default() }
    }
}

impl Rewriter {
    /// A term equal to the application of `op` to `arguments`, which are results of this function
    /// (others are handled correctly, but less is found).
    pub(crate) fn apply(&mut self, store: &mut TermStore, op: Op, arguments: &[TermId]) -> TermId {
        Context::new(store, &mut self.counts, arguments.len(), &self.control).build(op, arguments)
    }

    /// Sets what stops rewriting from now on.
    pub(crate) fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
    }

    /// Counts work besides that of rules.
    ///
    /// # Errors
    /// The reason why work has to stop. A term rewritten by then equals the original, but need not be normal.
    pub(crate) fn spend(&self, work: u32) -> Result<(), Stopped> {
        self.control.spend(work)
    }

    /// The number of applications of a rule.
    #[cfg(test)]
    fn count(&self, rule: Rule) -> u64 {
        self.counts[rule as usize]
    }
}
