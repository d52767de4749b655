//! Conjunctive normal form: every literal stands at a place whose direction is known, also the literals of
//! conditionals, equalities and exclusive ors of truth values.
//!
//! A part of a formula is distributed over the rest of its clause if that makes a small number of short clauses, and
//! gets a name otherwise, so the result grows linearly with the formula (Nonnengart & Weidenbach, "Computing small
//! clause normal forms", 2001). A name represents its part in both directions (Tseitin, "On the complexity of
//! derivation in propositional calculus", 1968), or only in those that matter at its occurrences (Plaisted &
//! Greenbaum, "A structure-preserving clause form translation", 1986). Quantified formulas, and truth values below
//! other operators, are atoms.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Op, SortId, SymbolId, TermId, TermStore};

use crate::mutate::approximate::split_chains;
use crate::mutate::fresh::FreshNames;

/// The maximal number of clauses that one clause becomes by distribution.
const MOST_CLAUSES: u32 = 8;
/// The maximal number of literals of these clauses together.
const MOST_LITERALS: u32 = 48;
/// A disjunction that occurs several times gets a name if it is longer than this.
const LONGEST_COPY: u32 = 8;

/// The relation of a new symbol to the formula that it represents.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Naming {
    /// The symbol is true exactly if the formula is.
    Equivalent,
    /// The symbol implies the formula at positive occurrences, and its negation implies the negation of the formula
    /// at negative ones.
    Implied,
}

/// Clauses, and the formulas that their new symbols represent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NormalForm {
    /// Literals, and disjunctions of several literals. Empty if there is nothing to satisfy.
    pub clauses: Vec<TermId>,
    /// New symbols, each with a formula over the old ones. A model of the assertions, with the values of these
    /// formulas for the symbols, is a model of the clauses.
    pub definitions: Vec<(SymbolId, TermId)>,
}

/// The conjunctive normal form of the conjunction of these assertions. Every model of it is one of them; and
/// every model of them is one of it, with values for the new symbols.
pub fn conjunctive_normal_form(store: &mut TermStore, assertions: &[TermId], naming: Naming) -> NormalForm {
    let names = FreshNames::beside(store, assertions, "p");
    let split = split_chains(store, assertions);
    let mut builder = Builder {
        naming,
        names,
        extents: Extents::of(store, &split),
        named: FxHashMap::default(),
        units: FxHashSet::default(),
        open: split.iter().rev().map(|&term| vec![Signed { term, positive: true }]).collect(),
        result: NormalForm::default(),
    };
    while let Some(clause) = builder.open.pop() {
        builder.assert(store, clause);
    }
    builder.result
}

/// A formula or its negation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Signed {
    term: TermId,
    positive: bool,
}

impl Signed {
    fn negated(self) -> Signed {
        Signed { positive: !self.positive, ..self }
    }
}

/// The structure of a formula.
enum Shape {
    Atom,
    /// A disjunction.
    Any(Vec<Signed>),
    /// A conjunction of two or more disjunctions.
    All(Vec<Vec<Signed>>),
}

/// The formula without the negations around it.
fn stripped(store: &TermStore, mut signed: Signed) -> Signed {
    while store.op(signed.term) == Op::Not {
        signed = Signed { term: store.args(signed.term)[0], positive: !signed.positive };
    }
    signed
}

/// The outermost connective of a formula that begins with no negation.
fn shape(store: &TermStore, signed: Signed) -> Shape {
    let Signed { term, positive } = signed;
    let arguments = store.args(term);
    let part = |number: usize| Signed { term: arguments[number], positive: true };
    let all = || (0..arguments.len()).map(part);
    let disjunction = |parts: Vec<Signed>| match positive {
        false if parts.len() > 1 => Shape::All(parts.into_iter().map(|part| vec![part.negated()]).collect()),
        true => Shape::Any(parts),
        false => Shape::Any(parts.into_iter().map(Signed::negated).collect()),
    };
    let conjunction = |parts: Vec<Signed>| match positive {
        true if parts.len() > 1 => Shape::All(parts.into_iter().map(|part| vec![part]).collect()),
        true => Shape::Any(parts),
        false => Shape::Any(parts.into_iter().map(Signed::negated).collect()),
    };
    let exclusive = |different: bool| {
        let (left, right) = (part(0), if different { part(1) } else { part(1).negated() });
        Shape::All(vec![vec![left, right], vec![left.negated(), right.negated()]])
    };
    match store.op(term) {
        Op::And => conjunction(all().collect()),
        Op::Or => disjunction(all().collect()),
        Op::Implies => {
            let last = arguments.len() - 1;
            disjunction((0..last).map(|number| part(number).negated()).chain([part(last)]).collect())
        }
        Op::Xor if arguments.len() == 2 => exclusive(positive),
        Op::Equal if arguments.len() == 2 && store.is_bool(arguments[0]) => exclusive(!positive),
        Op::Distinct if arguments.len() == 2 && store.is_bool(arguments[0]) => exclusive(positive),
        Op::Ite if store.is_bool(term) => {
            let branch = |number: usize| Signed { positive, ..part(number) };
            Shape::All(vec![vec![part(0).negated(), branch(1)], vec![part(0), branch(2)]])
        }
        _ => Shape::Atom,
    }
}

/// The size of a formula after distribution; capped at a limit that is too large anyway.
#[derive(Copy, Clone)]
struct Extent {
    clauses: u32,
    longest: u32,
}

impl Extent {
    const ONE: Extent = Extent { clauses: 1, longest: 1 };
    const TOO_MUCH: u32 = 1_000;

    /// The size of a disjunction of formulas.
    fn of_any(parts: impl Iterator<Item = Extent>) -> Extent {
        parts.fold(Extent { clauses: 1, longest: 0 }, |all, part| Extent {
            clauses: (all.clauses * part.clauses).min(Extent::TOO_MUCH),
            longest: (all.longest + part.longest).min(Extent::TOO_MUCH),
        })
    }

    /// The size of a conjunction of formulas.
    fn of_all(parts: impl Iterator<Item = Extent>) -> Extent {
        parts.fold(Extent { clauses: 0, longest: 0 }, |all, part| Extent {
            clauses: (all.clauses + part.clauses).min(Extent::TOO_MUCH),
            longest: all.longest.max(part.longest),
        })
    }

    fn is_small(self) -> bool {
        self.clauses <= MOST_CLAUSES && self.clauses * self.longest <= MOST_LITERALS
    }
}

/// The extents of all parts of formulas with a connective, and how often each of them occurs.
struct Extents {
    extents: FxHashMap<Signed, Extent>,
    occurrences: FxHashMap<TermId, u32>,
}

impl Extents {
    fn of(store: &TermStore, roots: &[TermId]) -> Extents {
        let mut occurrences: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut open: Vec<TermId> = roots.to_vec();
        while let Some(term) = open.pop() {
            let count = occurrences.entry(term).or_default();
            *count += 1;
            if *count == 1 && is_connective(store, term) {
                open.extend(store.args(term));
            }
        }
        let mut terms: Vec<TermId> = occurrences.keys().copied().collect();
        // Arguments are smaller than applications.
        terms.sort_unstable();
        let mut all = Extents { extents: FxHashMap::default(), occurrences };
        // Negations are taken off before an extent is looked up.
        for term in terms.into_iter().filter(|&term| store.op(term) != Op::Not) {
            for positive in [true, false] {
                let signed = Signed { term, positive };
                let extent = match shape(store, signed) {
                    Shape::Atom => continue,
                    Shape::Any(parts) => all.of_clause(store, &parts),
                    Shape::All(clauses) => {
                        Extent::of_all(clauses.iter().map(|clause| all.of_clause(store, clause)))
                    }
                };
                all.extents.insert(signed, extent);
            }
        }
        all
    }

    fn get(&self, signed: Signed) -> Extent {
        self.extents.get(&signed).copied().unwrap_or(Extent::ONE)
    }

    fn of_clause(&self, store: &TermStore, clause: &[Signed]) -> Extent {
        Extent::of_any(clause.iter().map(|&part| self.get(stripped(store, part))))
    }

    fn is_shared(&self, term: TermId) -> bool {
        self.occurrences.get(&term).is_some_and(|&count| count > 1)
    }
}

fn is_connective(store: &TermStore, term: TermId) -> bool {
    store.op(term) == Op::Not || !matches!(shape(store, Signed { term, positive: true }), Shape::Atom)
}

struct Builder {
    naming: Naming,
    names: FreshNames,
    extents: Extents,
    /// The symbol of each formula that has one.
    named: FxHashMap<TermId, TermId>,
    /// Conjuncts that are asserted separately, and the directions in which names are defined.
    units: FxHashSet<Signed>,
    /// Disjunctions that are still to be asserted, the next one last.
    open: Vec<Vec<Signed>>,
    result: NormalForm,
}

impl Builder {
    /// Asserts a disjunction of formulas.
    fn assert(&mut self, store: &mut TermStore, disjunction: Vec<Signed>) {
        let is_alone = disjunction.len() == 1;
        let Some((literals, mut conjunctions)) = self.flattened(store, disjunction) else { return };
        if is_alone && let ([], &[only]) = (&literals[..], &conjunctions[..]) {
            if self.units.insert(only) {
                self.open_all(store, only, &[]);
            }
            return;
        }
        // The small ones may be distributed, as long as all together stay small.
        conjunctions.sort_by_key(|&part| self.extents.get(part).clauses);
        let mut extent = Extent { clauses: 1, longest: (literals.len() + conjunctions.len()) as u32 };
        let mut clause = literals;
        let mut kept = Vec::new();
        for part in conjunctions {
            let with_part = Extent::of_any([extent, self.extents.get(part)].into_iter());
            if with_part.is_small() {
                extent = with_part;
                kept.push(part);
            } else {
                clause.push(self.name(store, part));
            }
        }
        match kept.pop() {
            None => self.emit(store, clause),
            Some(part) => {
                clause.extend(kept);
                self.open_all(store, part, &clause);
            }
        }
    }

    /// The literals of a disjunction, and its parts that are conjunctions. `None` if the disjunction is true.
    fn flattened(
        &mut self,
        store: &mut TermStore,
        disjunction: Vec<Signed>,
    ) -> Option<(Vec<Signed>, Vec<Signed>)> {
        let (mut literals, mut conjunctions) = (Vec::new(), Vec::new());
        // A disjunction that is the whole assertion needs no name.
        let mut is_part = disjunction.len() > 1;
        let mut seen = FxHashSet::default();
        let mut open = disjunction;
        open.reverse();
        while let Some(part) = open.pop() {
            let part = stripped(store, part);
            if let Some(value) = store.value(part.term).and_then(sundry_term::Value::as_bool) {
                if value == part.positive {
                    return None;
                }
                continue;
            }
            if seen.contains(&part.negated()) {
                return None;
            }
            if !seen.insert(part) {
                continue;
            }
            match shape(store, part) {
                Shape::Atom => literals.push(part),
                Shape::All(_) => conjunctions.push(part),
                Shape::Any(_)
                    if is_part
                        && self.extents.is_shared(part.term)
                        && self.extents.get(part).longest > LONGEST_COPY =>
                {
                    literals.push(self.name(store, part));
                }
                Shape::Any(parts) => {
                    is_part |= parts.len() > 1;
                    open.extend(parts.into_iter().rev());
                }
            }
        }
        Some((literals, conjunctions))
    }

    /// A literal that stands for a formula.
    fn name(&mut self, store: &mut TermStore, part: Signed) -> Signed {
        let term = match self.named.get(&part.term) {
            Some(&name) => name,
            None => {
                let symbol = self.names.declare(store, SortId::BOOL);
                self.result.definitions.push((symbol, part.term));
                let name = store.symbol_term(symbol);
                self.named.insert(part.term, name);
                name
            }
        };
        let name = Signed { term, positive: part.positive };
        self.define(store, name, part);
        if self.naming == Naming::Equivalent {
            self.define(store, name.negated(), part.negated());
        }
        name
    }

    /// Asserts that a name implies the formula that it stands for.
    fn define(&mut self, store: &TermStore, name: Signed, part: Signed) {
        if self.units.insert(name) {
            self.open_all(store, part, &[name.negated()]);
        }
    }

    /// Asserts that a formula holds, or one of these does.
    fn open_all(&mut self, store: &TermStore, part: Signed, others: &[Signed]) {
        let clauses = match shape(store, part) {
            Shape::Atom => vec![vec![part]],
            Shape::Any(parts) => vec![parts],
            Shape::All(clauses) => clauses,
        };
        let clauses = clauses.into_iter().rev();
        self.open.extend(clauses.map(|clause| others.iter().copied().chain(clause).collect()));
    }

    fn emit(&mut self, store: &mut TermStore, clause: Vec<Signed>) {
        let mut literals = Vec::with_capacity(clause.len());
        for Signed { term, positive } in clause {
            literals.push(if positive { term } else { store.make(Op::Not, &[term]) });
        }
        self.result.clauses.push(match literals[..] {
            [] => store.bool(false),
            [only] => only,
            _ => store.make(Op::Or, &literals),
        });
    }
}
