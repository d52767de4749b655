//! Word-level simplification by itself, for callers who want terms and no solver.

use sundry_term::{Control, Op, Stopped, TermId, TermStore};

use crate::normalise::Normaliser;
use crate::rewrite::Rewriter;

/// The normal form of each term under the rewriting rules: the smaller terms that the engine builds circuits of. A normal
/// form has the value of its term under every assignment.
///
/// ```
/// use sundry_solver::simplify;
/// use sundry_term::{Control, Op, TermStore};
///
/// let mut store = TermStore::new();
/// let sort = store.bit_vec_sort(8).unwrap();
/// let symbol = store.declare("x", &[], sort);
/// let x = store.symbol_term(symbol);
/// let difference = store.make(Op::BvSub, &[x, x]);
///
/// let normal = simplify(&mut store, &[difference], &Control::default()).unwrap();
/// assert!(store.value(normal[0]).is_some());
/// ```
///
/// # Errors
/// The control stopped the work.
pub fn simplify(store: &mut TermStore, terms: &[TermId], control: &Control) -> Result<Vec<TermId>, Stopped> {
    let mut normaliser = Normaliser::new(Rewriter::default(), false);
    normaliser.set_control(control);
    terms.iter().map(|&term| normaliser.normal_form(store, term)).collect()
}

/// Simplification while terms are built, one application at a time.
///
/// ```
/// use sundry_solver::Simplifier;
/// use sundry_term::{Op, TermStore};
///
/// let mut store = TermStore::new();
/// let sort = store.bit_vec_sort(8).unwrap();
/// let symbol = store.declare("x", &[], sort);
/// let x = store.symbol_term(symbol);
///
/// let mut simplifier = Simplifier::default();
/// let complement = simplifier.apply(&mut store, Op::BvNot, &[x]);
/// assert_eq!(simplifier.apply(&mut store, Op::BvNot, &[complement]), x);
/// ```
#[derive(Clone, Default)]
pub struct Simplifier {
    rewriter: Rewriter,
}

impl Simplifier {
    /// A term equal to an application. Most is found if the arguments are results of this method.
    pub fn apply(&mut self, store: &mut TermStore, op: Op, arguments: &[TermId]) -> TermId {
        self.rewriter.apply(store, op, arguments)
    }
}
