//! Every assignment of some literals that the assertions allow, one after the other.
//!
//! The assignments are the leaves of a tree in which each literal is a level. From one leaf the search goes to the
//! next by changing the last literal that can be changed while those before it stay as they are. Nothing is blocked:
//! the clauses stay the same, and memory does not grow with the number of assignments. Where a change is refuted, the
//! solver reports which of the earlier literals that took; the question is not repeated while those stay.

use rustc_hash::FxHashSet;
use sundry_solver::{Checked, Edge, Engine, Lit, ModelRef, Query, Verdict};

/// The result of the next step of an enumeration.
pub(crate) enum Next<'e> {
    /// Another assignment.
    Found(ModelRef<'e>),
    /// No further assignment exists.
    End,
    /// A limit of the engine was reached; the next step tries again.
    Unknown,
}

/// A walk over the assignments of some edges.
pub(crate) struct Enumeration {
    edges: Vec<Edge>,
    literals: Vec<Lit>,
    /// The literals as they are in the last assignment; none before the first.
    path: Option<Vec<Lit>>,
    /// The number of the first literals of each level that rule out everything not visited; `None` where it is not
    /// known.
    settled: Vec<Option<usize>>,
}

impl Enumeration {
    /// Starts an enumeration of these edges. Constant and repeated edges are not levels.
    pub(crate) fn new(engine: &mut Engine, edges: impl IntoIterator<Item = Edge>) -> Self {
        let mut seen = FxHashSet::default();
        let edges: Vec<Edge> = edges
            .into_iter()
            .filter(|edge| edge.is_constant().is_none() && seen.insert(edge.regular()))
            .collect();
        let literals: Vec<Lit> = edges.iter().map(|&edge| engine.literal(edge)).collect();
        Enumeration { settled: vec![None; edges.len()], edges, literals, path: None }
    }

    /// Goes to the next assignment. Each question on the way may take this number of ticks.
    pub(crate) fn next<'e>(&mut self, engine: &'e mut Engine, ticks: Option<u64>) -> Next<'e> {
        let Some(path) = &self.path else {
            return match engine.check(Query { ticks, ..Query::default() }).verdict() {
                Verdict::Sat => self.arrive(engine),
                Verdict::Unsat => Next::End,
                Verdict::Unknown => Next::Unknown,
            };
        };
        let mut assumptions = path.clone();
        for level in (0..self.literals.len()).rev() {
            assumptions.truncate(level + 1);
            if self.settled[level].is_some() {
                continue;
            }
            assumptions[level] = !assumptions[level];
            match engine.check(Query { ticks, ..Query::assuming(&assumptions) }) {
                Checked::Sat(_) => {
                    self.settled.iter_mut().for_each(|it| *it = it.filter(|&needed| needed <= level));
                    self.settled[level] = Some(level);
                    return self.arrive(engine);
                }
                Checked::Unsat(refutation) => {
                    let needed = (0..level).rev().find(|&other| refutation.needs(assumptions[other]));
                    self.settled[level] = Some(needed.map_or(0, |last| last + 1));
                }
                Checked::Unknown => return Next::Unknown,
            }
        }
        Next::End
    }

    /// Makes the assignment that was just found the present one.
    fn arrive<'e>(&mut self, engine: &'e Engine) -> Next<'e> {
        let found = engine.last_model().expect("a check has just found one");
        let literals = self.literals.iter().zip(&self.edges);
        self.path = Some(literals.map(|(lit, &edge)| lit.negate_if(!found.value(edge))).collect());
        Next::Found(found)
    }
}

#[cfg(test)]
mod tests {
    use sundry_solver::EngineOptions;
    use sundry_term::{BitVector, Control, Op, SymbolId, TermStore};

    use super::*;

    /// All values of `x` of 4 bits that the enumeration finds under assertions made of `x`.
    fn values(assert: impl Fn(&mut TermStore, sundry_term::TermId) -> sundry_term::TermId) -> Vec<u64> {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(4).expect("a width");
        let symbol: SymbolId = store.declare("x", &[], sort);
        let x = store.symbol_term(symbol);
        let assertion = assert(&mut store, x);
        let mut engine = Engine::new(&EngineOptions::default(), &Control::default());
        engine.assert_initial(&mut store, &[assertion]).expect("a small circuit");
        let edges = engine.bits(&mut store, x).expect("a small circuit");
        let mut enumeration = Enumeration::new(&mut engine, edges.iter().copied());
        let mut found = Vec::new();
        while let Next::Found(model) = enumeration.next(&mut engine, None) {
            let bits = edges.iter().enumerate();
            found.push(bits.map(|(bit, &edge)| u64::from(model.value(edge)) << bit).sum());
        }
        assert!(matches!(enumeration.next(&mut engine, None), Next::End));
        found
    }

    fn sorted(mut values: Vec<u64>) -> Vec<u64> {
        values.sort_unstable();
        values
    }

    #[test]
    fn each_assignment_comes_once() {
        let less = |store: &mut TermStore, x, bound| {
            let bound = store.bit_vector(BitVector::from_u64(4, bound));
            store.make(Op::BvUlt, &[x, bound])
        };
        for bound in 0..16 {
            assert_eq!(sorted(values(|store, x| less(store, x, bound))), (0..bound).collect::<Vec<_>>());
        }
        let squares = |store: &mut TermStore, x| {
            let square = store.make(Op::BvMul, &[x, x]);
            store.make(Op::Equal, &[square, x])
        };
        let expected: Vec<u64> = (0..16).filter(|x| x * x % 16 == *x).collect();
        assert_eq!(sorted(values(squares)), expected);
        assert_eq!(sorted(values(|store, _| store.bool(true))), (0..16).collect::<Vec<_>>());
        assert_eq!(values(|store, _| store.bool(false)), []);
    }

    #[test]
    fn without_anything_to_vary_there_is_one_assignment() {
        let mut engine = Engine::new(&EngineOptions::default(), &Control::default());
        let mut enumeration = Enumeration::new(&mut engine, [Edge::TRUE, Edge::FALSE]);
        assert!(matches!(enumeration.next(&mut engine, None), Next::Found(_)));
        assert!(matches!(enumeration.next(&mut engine, None), Next::End));
        assert!(matches!(enumeration.next(&mut engine, None), Next::End));
    }
}
