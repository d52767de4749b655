//! Mutants by other operators: an application of one is replaced by that of another to the same arguments, with
//! a result of the same sort (Winterer, Zhang & Su, "On the unusual effectiveness of type-aware operator mutations
//! for testing SMT solvers", OOPSLA 2020). Whether such a mutant is satisfiable is not known, so solvers are
//! compared with one another. A term that occurs several times in an assertion is replaced everywhere in it.

use rand::Rng;
use rand::seq::{IndexedMutRandom, IteratorRandom};
use rustc_hash::FxHashMap;
use sundry_term::{Op, SortId, TermId, TermStore, substitute};

/// Replaces operators by others.
#[derive(Default)]
pub struct OperatorMutator {
    /// The operators that fit, by the sorts of the arguments and of the result.
    fitting: FxHashMap<(Vec<SortId>, SortId), Vec<Op>>,
}

impl OperatorMutator {
    /// Replaces up to `count` operators in these assertions. Returns the changes.
    pub fn mutate(
        &mut self,
        store: &mut TermStore,
        assertions: &mut [TermId],
        count: usize,
        random: &mut impl Rng,
    ) -> Vec<(TermId, TermId)> {
        let mut changes = Vec::new();
        for _ in 0..count {
            let Some(root) = assertions.choose_mut(random) else { break };
            let terms = store.reachable(&[*root]);
            // A quantifier binds the variables of its body.
            let is_replaceable = |&term: &TermId| {
                !store.args(term).is_empty() && !matches!(store.op(term), Op::Forall(_) | Op::Exists(_))
            };
            let applications = terms.into_iter().filter(is_replaceable);
            let Some(term) = applications.choose(random) else { continue };
            let Some(replacement) = self.with_other_operator(store, term, random) else { continue };
            let replacements = FxHashMap::from_iter([(term, replacement)]);
            if let Ok(changed) = substitute(store, *root, &replacements) {
                *root = changed;
                changes.push((term, replacement));
            }
        }
        changes
    }

    fn with_other_operator(
        &mut self,
        store: &mut TermStore,
        term: TermId,
        random: &mut impl Rng,
    ) -> Option<TermId> {
        let arguments = store.args(term).to_vec();
        let sort = store.sort_of(term);
        let sorts = arguments.iter().map(|&argument| store.sort_of(argument)).collect();
        let fitting = self.fitting.entry((sorts, sort)).or_insert_with(|| {
            let fits = |op: &Op| store.term(*op, &arguments).is_ok_and(|made| store.sort_of(made) == sort);
            Op::plain().iter().copied().filter(|op| op.is_common()).filter(fits).collect()
        });
        let own = store.op(term);
        let op = fitting.iter().copied().filter(|&op| op != own).choose(random)?;
        store.term(op, &arguments).ok()
    }
}
