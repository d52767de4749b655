//! Semantic fusion of two formulas of the same satisfiability (Winterer, Zhang & Su, "Validating SMT solvers via
//! semantic fusion", PLDI 2020).
//!
//! A variable x of one formula and a variable y of the other are tied together by a third, z = f(x, y), from which
//! each of them can be recovered with the help of the other. Some occurrences of x and y are replaced by the term
//! that recovers them. For two satisfiable formulas, the conjunction stays satisfiable, since z is free to equal f(x,
//! y); for two unsatisfiable ones, the disjunction stays unsatisfiable, together with the equations of the three
//! variables.

mod functions;
mod rename;

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::Rng;
use rand::seq::IndexedRandom;
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_external::Verdict;
use sundry_term::{Op, SortId, SymbolId, SymbolKind, TermId, TermStore, substitute};

use crate::mutate::fresh::FreshNames;
use crate::mutate::random_literal::random_literal;
use crate::mutate::template::literals_for;
use crate::mutate::vocabulary::Vocabulary;

pub use functions::{FusionFunction, fusion_functions};
pub use rename::renamed_apart;

use functions::{Functions, has_functions};

/// A formula fused of two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fused {
    /// The assertions.
    pub assertions: Vec<TermId>,
    /// Applications in which variables were replaced, each before and after.
    pub changes: Vec<(TermId, TermId)>,
    /// New symbols, each with its value in a model of both seeds.
    pub definitions: Vec<(SymbolId, TermId)>,
}

/// Two formulas with variables of common sorts.
pub struct Fusion {
    seeds: [Vec<TermId>; 2],
    are_satisfiable: bool,
    /// All terms of both, ascending.
    terms: Vec<TermId>,
    /// The constants of each, by sort; where both have some.
    variables: BTreeMap<SortId, [Vec<TermId>; 2]>,
    with_products: bool,
    functions: FxHashMap<SortId, Arc<Functions>>,
    names: FreshNames,
    /// The new constants of each sort, to be used again in every mutant.
    fresh: FxHashMap<SortId, Vec<SymbolId>>,
}

impl Fusion {
    /// Creates a fusion of two formulas over separate symbols, both satisfiable or both unsatisfiable. `None` if they
    /// have no constants of a common sort that can be fused, or have symbols in common, or if their status is
    /// unknown.
    pub fn new(store: &TermStore, seed: &[TermId], partner: &[TermId], verdict: Verdict) -> Option<Fusion> {
        let are_satisfiable = match verdict {
            Verdict::Sat => true,
            Verdict::Unsat => false,
            Verdict::Unknown => return None,
        };
        let [of_seed, of_partner] = [seed, partner].map(|formulas| symbols(store, formulas));
        if of_seed.iter().any(|symbol| of_partner.contains(symbol)) {
            return None;
        }
        let both = [seed, partner].concat();
        let terms = store.reachable(&both);
        let mut variables: BTreeMap<SortId, [Vec<TermId>; 2]> = BTreeMap::new();
        for &term in &terms {
            let Some(symbol) = store.constant_symbol(term) else { continue };
            let sort = store.sort_of(term);
            if store.symbol(symbol).kind == SymbolKind::Declared && has_functions(store, sort) {
                let whose = usize::from(of_partner.contains(&symbol));
                variables.entry(sort).or_default()[whose].push(term);
            }
        }
        variables.retain(|_, [left, right]| !left.is_empty() && !right.is_empty());
        if variables.is_empty() {
            return None;
        }
        Some(Fusion {
            seeds: [seed.to_vec(), partner.to_vec()],
            are_satisfiable,
            with_products: !Vocabulary::of(store, &both).is_linear(),
            terms,
            variables,
            functions: FxHashMap::default(),
            names: FreshNames::beside(store, &both, "z"),
            fresh: FxHashMap::default(),
        })
    }

    /// The assertions of the second formula.
    pub(crate) fn partner(&self) -> &[TermId] {
        &self.seeds[1]
    }

    /// A formula that is satisfiable if and only if both seeds are, with up to `count` pairs of their variables tied
    /// together. Arithmetic that is linear in both stays linear. `None` if no function fits.
    pub fn mutate(&mut self, store: &mut TermStore, count: usize, random: &mut impl Rng) -> Option<Fused> {
        let mut used: FxHashMap<SortId, usize> = FxHashMap::default();
        let mut inversions: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        let (mut definitions, mut equations) = (Vec::new(), Vec::new());
        for _ in 0..random.random_range(1..=count.max(1)) {
            let Some(tie) = self.tie(store, &mut used, random) else { continue };
            for (variable, inversion) in tie.variables.into_iter().zip(tie.inversions) {
                inversions.entry(variable).or_default().push(inversion);
                equations.push(store.make(Op::Equal, &[variable, inversion]));
            }
            let z = store.symbol_term(tie.z);
            equations.push(store.make(Op::Equal, &[z, tie.value]));
            definitions.push((tie.z, tie.value));
        }
        let mut replaced = [2, 1].into_iter().map(|of| self.replace(store, &inversions, of, random));
        let Replaced { terms, changes } = replaced.find(|replaced| !replaced.changes.is_empty())?;
        let now = |term: &TermId| terms.get(term).copied().unwrap_or(*term);
        let [seed, partner] = self.seeds.each_ref().map(|seed| seed.iter().map(now).collect::<Vec<_>>());
        let assertions = if self.are_satisfiable {
            [seed, partner].concat()
        } else {
            let either = [seed, partner].map(|seed| match seed[..] {
                [only] => only,
                _ => store.make(Op::And, &seed),
            });
            equations.insert(0, store.make(Op::Or, &either));
            equations
        };
        Some(Fused { assertions, changes, definitions })
    }

    /// Ties two variables together by a new one.
    fn tie(
        &mut self,
        store: &mut TermStore,
        used: &mut FxHashMap<SortId, usize>,
        random: &mut impl Rng,
    ) -> Option<Tie> {
        let sorts: Vec<SortId> = self.variables.keys().copied().collect();
        let sort = *sorts.choose(random)?;
        let mut variables = [0, 1].map(|whose| self.variables[&sort][whose].clone());
        // Most functions treat their arguments differently.
        let is_turned = random.random();
        if is_turned {
            variables.reverse();
        }
        let [left, right] = variables.map(|variables| *variables.choose(random).expect("both have some"));
        let with_products = self.with_products;
        let functions = self
            .functions
            .entry(sort)
            .or_insert_with(|| Arc::new(Functions::of_sort(store, sort, with_products)));
        let functions = Arc::clone(functions);
        let is_allowed = |function: &&FusionFunction| function.is_exact || !self.are_satisfiable;
        let allowed: Vec<&FusionFunction> = functions.all.iter().filter(is_allowed).collect();
        let function = *allowed.choose(random)?;
        let mut replacements = literals_for(store, &functions.literals, function.condition, |store| {
            random_literal(store, functions.sort_of_literals, random).expect("literals of the sort")
        })?;
        let fresh = self.fresh.entry(sort).or_default();
        let number = used.entry(sort).or_default();
        if fresh.len() == *number {
            fresh.push(self.names.declare(store, sort));
        }
        let z = fresh[*number];
        *number += 1;
        let [x, y, own] = functions.variables;
        replacements.extend([(x, left), (y, right), (own, store.symbol_term(z))]);
        let mut instance = |term| substitute(store, term, &replacements).ok();
        let value = instance(function.value)?;
        let inversions = [instance(function.inversions[0])?, instance(function.inversions[1])?];
        Some(Tie { z, value, variables: [left, right], inversions })
    }

    /// Replaces variables by one of their inversions, each occurrence with probability 1/`one_of`.
    fn replace(
        &self,
        store: &mut TermStore,
        inversions: &FxHashMap<TermId, Vec<TermId>>,
        one_of: u32,
        random: &mut impl Rng,
    ) -> Replaced {
        let mut replaced = Replaced::default();
        let mut inversion = |term: TermId| -> Option<TermId> {
            let inversions = inversions.get(&term)?;
            if random.random_ratio(1, one_of) { inversions.choose(random).copied() } else { None }
        };
        let mut arguments = Vec::new();
        for &term in &self.terms {
            arguments.clear();
            arguments.extend_from_slice(store.args(term));
            let mut is_direct = false;
            for argument in &mut arguments {
                if let Some(inversion) = inversion(*argument) {
                    (*argument, is_direct) = (inversion, true);
                } else if let Some(&other) = replaced.terms.get(argument) {
                    *argument = other;
                }
            }
            if arguments != store.args(term) {
                let result = store.make(store.op(term), &arguments);
                replaced.terms.insert(term, result);
                if is_direct {
                    replaced.changes.push((term, result));
                }
            }
        }
        // An assertion may be a variable itself.
        for &assertion in self.seeds.iter().flatten() {
            if let Some(inversion) = inversion(assertion) {
                replaced.terms.insert(assertion, inversion);
                replaced.changes.push((assertion, inversion));
            }
        }
        replaced
    }
}

/// The replacements of terms.
#[derive(Default)]
struct Replaced {
    /// All terms that have changed.
    terms: FxHashMap<TermId, TermId>,
    /// The terms in which a variable itself was replaced.
    changes: Vec<(TermId, TermId)>,
}

/// Two variables and the new one that ties them together.
struct Tie {
    z: SymbolId,
    /// The value of z.
    value: TermId,
    variables: [TermId; 2],
    /// The values of the variables.
    inversions: [TermId; 2],
}

/// The declared symbols in formulas.
fn symbols(store: &TermStore, formulas: &[TermId]) -> FxHashSet<SymbolId> {
    let symbol = |term| match store.op(term) {
        Op::Apply(symbol) if store.symbol(symbol).kind == SymbolKind::Declared => Some(symbol),
        _ => None,
    };
    store.reachable(formulas).into_iter().filter_map(symbol).collect()
}
