//! Mutants of scripts with theories that Sundry does not know: nothing but sorts has to fit.
//!
//! An operator is exchanged for another of the same signature (Winterer, Zhang & Su, "On the unusual effectiveness of type-aware
//! operator mutations for testing SMT solvers", OOPSLA 2020), or a term is replaced by another of its sort: one of the script, or
//! one that is made of an operator and terms of the script (Park, Winterer, Zhang & Su, "Generative type-aware mutation for
//! testing SMT solvers", OOPSLA 2021). Sorts come from [declarations and a table](crate::tree::sorting), so a solver may refuse a
//! mutant.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::tree::expression::{Bindings, Expression};
use crate::tree::operators::Class;
use crate::tree::sorting::{Application, Place, Sorting};
use crate::tree::{Piece, Tree, written};

/// The number of times that a mutant is drawn until one differs from all before it.
const DRAWS: usize = 8;
/// The number of places that are tried for one change.
const ATTEMPTS: usize = 10;
/// Mutants from which others are made, at most.
const MAXIMAL_BASES: usize = 50;
/// Pieces of a script from which mutants are made, at most: each change looks at all of it.
const LARGEST: usize = 50_000;
/// Characters of a term in the list of changes, at most.
const LONGEST: usize = 1000;
/// The share of terms of the script among those that take the place of others; the rest are small terms.
const SHARE_OF_SCRIPT: f64 = 0.8;

/// A mutant of a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeMutant {
    /// 0 for the seed itself.
    pub(crate) number: usize,
    pub(crate) tree: Tree,
    /// The changes since the seed: each term with its replacement.
    pub(crate) changes: Vec<(String, String)>,
    /// Whether solvers are also asked for a model.
    pub(crate) wants_model: bool,
}

/// All mutants of one tree. They depend only on the tree, the random numbers, and on which of the mutants
/// [brought something new](TreeMutants::note).
pub(crate) struct TreeMutants {
    /// The seed, and mutants that brought something new.
    bases: Vec<TreeMutant>,
    random: ChaCha8Rng,
    /// Hashes of the texts of all mutants.
    seen: FxHashSet<u64>,
    /// The last mutant, if it could be made.
    last: Option<TreeMutant>,
    /// The number of the last mutant.
    number: usize,
}

impl TreeMutants {
    /// The mutants of a tree. `None` if the tree is too large.
    pub(crate) fn of(tree: Tree, random: ChaCha8Rng) -> Option<TreeMutants> {
        if tree.pieces.len() > LARGEST {
            return None;
        }
        let seen = FxHashSet::from_iter([FxBuildHasher.hash_one(tree.to_string())]);
        let seed = TreeMutant { tree, ..TreeMutant::default() };
        Some(TreeMutants { bases: vec![seed], random, seen, last: None, number: 0 })
    }

    /// The number of the last mutant.
    pub(crate) fn last(&self) -> usize {
        self.number
    }

    /// Goes back by one: the last mutant was not put to anybody.
    pub(crate) fn step_back(&mut self) {
        self.number -= 1;
        self.last = None;
    }

    /// Notes whether the last mutant brought something new: then others are made from it.
    pub(crate) fn note(&mut self, is_new: bool) {
        let last = self.last.take().filter(|last| is_new && last.tree.pieces.len() <= LARGEST);
        if let Some(last) = last
            && self.bases.len() < MAXIMAL_BASES
        {
            self.bases.push(last);
        }
    }

    /// Makes the next mutant with up to `changes` changes; `None` if none could be made.
    pub(crate) fn next(&mut self, changes: usize) -> Option<TreeMutant> {
        self.number += 1;
        let random = &mut self.random;
        let seen = &mut self.seen;
        let bases = if random.random() { &self.bases[..1] } else { &self.bases[..] };
        let base = bases.choose(random)?;
        let drawn = (0..DRAWS).find_map(|_| {
            let mut mutant = base.clone();
            for _ in 0..random.random_range(1..=changes.max(1)) {
                change(&mut mutant, random);
            }
            seen.insert(FxBuildHasher.hash_one(mutant.tree.to_string())).then_some(mutant)
        });
        let wants_model = random.random();
        let mutant = TreeMutant { number: self.number, wants_model, ..drawn? };
        self.last = Some(mutant.clone());
        Some(mutant)
    }
}

/// Makes one change, if one is possible.
fn change(mutant: &mut TreeMutant, random: &mut ChaCha8Rng) {
    let sorting = Sorting::of(&mutant.tree);
    let kind = random.random_range(0..6);
    for _ in 0..ATTEMPTS {
        let Some(place) = sorting.places.choose(random) else { return };
        let source = Source { tree: &mutant.tree, sorting: &sorting, place };
        let replacement = match kind {
            0..3 => source.with_other_operator(random),
            3..5 => source.another(random),
            _ => source.made(random),
        };
        if let Some(pieces) = replacement {
            let end = mutant.tree.end_of(place.start);
            let [from, to] = [&mutant.tree.pieces[place.start..end], &pieces[..]].map(shortened);
            let tree = mutant.tree.replaced(place.start, &pieces);
            (mutant.tree, mutant.changes) = (tree, [&mutant.changes[..], &[(from, to)]].concat());
            return;
        }
    }
}

/// A place of a script that is to be replaced, and where replacements come from.
struct Source<'t> {
    tree: &'t Tree,
    sorting: &'t Sorting,
    place: &'t Place,
}

impl Source<'_> {
    /// The application of another operator of the same signature to the same arguments.
    fn with_other_operator(&self, random: &mut ChaCha8Rng) -> Option<Vec<Piece>> {
        let Application { operator: own, arguments: sorts } = self.place.application.as_ref()?;
        let sort = self.place.sort.as_ref()?;
        let fits = |class: &&Class| {
            let is_known = sorts.iter().all(Option::is_some) || has(class, own);
            let mut bindings = class.bindings(sorts).filter(|_| is_known && !sorts.is_empty());
            bindings.as_mut().is_some_and(|bindings| class.result.fits(sort, bindings))
        };
        let operators = self.sorting.classes().filter(fits).flat_map(|class| &class.operators);
        // An operator of several classes is no more likely than another.
        let others: BTreeSet<String> =
            operators.map(Expression::to_string).filter(|operator| operator != own).collect();
        let other = Tree::read(others.iter().choose(random)?).ok()?;
        let head = self.place.start + 1;
        let (end, behind) = (self.tree.end_of(self.place.start), self.tree.end_of(head));
        let pieces = &self.tree.pieces;
        Some([&pieces[self.place.start..head], &other.pieces, &pieces[behind..end]].concat())
    }

    /// Another term of the sort of the place: one of the script, or one without parts.
    fn another(&self, random: &mut ChaCha8Rng) -> Option<Vec<Piece>> {
        let own = self.tree.expression(self.place.start);
        let term = self.term(self.place.sort.as_ref()?, random)?;
        (written(&term) != own).then_some(term)
    }

    /// The application of an operator to terms of the script, of the sort of the place.
    fn made(&self, random: &mut ChaCha8Rng) -> Option<Vec<Piece>> {
        let sort = self.place.sort.as_ref()?;
        let fits =
            |class: &&Class| !class.arguments.is_empty() && class.result.fits(sort, &mut Bindings::default());
        let class = self.sorting.classes().filter(fits).choose(random)?;
        let mut bindings = Bindings::default();
        class.result.fits(sort, &mut bindings);
        let mut arguments = Vec::new();
        for pattern in &class.arguments {
            let argument = match pattern.filled(&bindings) {
                // Solvers that know the script need not know other sorts.
                Some(sort) if !self.occurs(&sort) => return None,
                Some(sort) => self.term(&sort, random)?,
                // The sort of the argument is that of any term that fits.
                None => {
                    let fits = |place: &&Place| {
                        let sort = place.sort.as_ref();
                        self.may_take(place)
                            && sort.is_some_and(|sort| pattern.fits(sort, &mut bindings.clone()))
                    };
                    let place = self.sorting.places.iter().filter(fits).choose(random)?;
                    pattern.fits(place.sort.as_ref()?, &mut bindings);
                    self.copy(place)
                }
            };
            arguments.extend(argument);
        }
        let operator = class.operators.choose(random)?.filled(&bindings)?;
        let whole = Tree::read(&format!("({operator} )")).ok()?;
        let (head, end) = whole.pieces.split_at(whole.pieces.len() - 1);
        Some([head, &arguments, end].concat())
    }

    /// A term of a sort.
    fn term(&self, sort: &Expression, random: &mut ChaCha8Rng) -> Option<Vec<Piece>> {
        let fits = |place: &&Place| place.sort.as_ref() == Some(sort) && self.may_take(place);
        let of_script = self.sorting.places.iter().filter(fits).choose(random).map(|place| self.copy(place));
        if of_script.is_some() && random.random_bool(SHARE_OF_SCRIPT) {
            return of_script;
        }
        let small = self.sorting.small(sort);
        let small = small.choose(random).and_then(|text| Some(Tree::read(text).ok()?.pieces));
        small.or(of_script)
    }

    /// Whether some term of the script has a sort.
    fn occurs(&self, sort: &Expression) -> bool {
        self.sorting.places.iter().any(|place| place.sort.as_ref() == Some(sort))
    }

    /// Whether the symbols of a term are known at the place.
    fn may_take(&self, other: &Place) -> bool {
        !other.is_open && other.declarations <= self.place.declarations
    }

    fn copy(&self, place: &Place) -> Vec<Piece> {
        self.tree.pieces[place.start..self.tree.end_of(place.start)].to_vec()
    }
}

/// The beginning of the text of a term.
fn shortened(pieces: &[Piece]) -> String {
    let text = written(&pieces[..pieces.len().min(LONGEST)]);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}

/// Whether an operator is one of a class.
fn has(class: &Class, operator: &str) -> bool {
    class.operators.iter().any(|own| own.to_string() == operator)
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    const SETS: &str = "(set-logic ALL) (declare-const a (Set Int)) (declare-const b (Set Int)) (declare-const n Int)
        (assert (set.subset (set.union a b) b)) (assert (exists ((x Int)) (set.member (+ x n) a))) (check-sat)";

    fn mutants(text: &str, seed: u64, count: usize, is_new: bool) -> Vec<TreeMutant> {
        let tree = Tree::read(text).expect("parentheses match");
        let random = ChaCha8Rng::seed_from_u64(seed);
        let mut mutants = TreeMutants::of(tree, random).expect("it is small");
        (0..count)
            .filter_map(|_| {
                let mutant = mutants.next(3);
                mutants.note(is_new);
                mutant
            })
            .collect()
    }

    fn texts(mutants: &[TreeMutant]) -> Vec<String> {
        mutants.iter().map(|mutant| mutant.tree.to_string()).collect()
    }

    #[test]
    fn mutants_fit_and_differ() {
        let made = mutants(SETS, 1, 300, false);
        let texts = texts(&made);
        assert!(made.len() > 200 && texts.iter().collect::<BTreeSet<_>>().len() == made.len());
        for (mutant, text) in made.iter().zip(&texts) {
            assert!(
                !mutant.changes.is_empty()
                    && text.starts_with("(set-logic ALL)\n(declare-const a (Set Int))\n")
            );
            // All sorts are known, so each application fits its operator.
            let sorting = Sorting::of(&mutant.tree);
            assert!(sorting.places.iter().all(|place| place.sort.is_some()), "{text}");
        }
        for operator in ["set.inter", "set.minus", "as set.empty", "set.card", "distinct", "xor"] {
            assert!(texts.iter().any(|text| text.contains(operator)), "{operator}");
        }
        // Theories that the script does not have are left out.
        for other in ["bag.", "(Bag ", "seq.", "\"", "FiniteSet", "union a", "int.pow2"] {
            let has_other = |text: &&String| text.contains(other) && !text.contains(&format!("set.{other}"));
            assert_eq!(texts.iter().find(has_other), None, "{other}");
        }
    }

    #[test]
    fn variables_stay_where_they_are_bound() {
        for text in texts(&mutants(SETS, 2, 300, true)) {
            let outside = text.lines().find(|line| line.starts_with("(assert") && !line.contains("exists"));
            assert!(outside.is_none_or(|line| !line.contains(" x ") && !line.contains(" x)")), "{text}");
        }
    }

    #[test]
    fn the_same_seed_and_the_same_news_give_the_same_mutants() {
        let [first, again] = [(); 2].map(|()| texts(&mutants(SETS, 3, 50, true)));
        assert_eq!(first, again);
        assert_ne!(first, texts(&mutants(SETS, 4, 50, true)));
        assert_ne!(first, texts(&mutants(SETS, 3, 50, false)));
    }

    #[test]
    fn a_script_without_known_sorts_has_no_mutants() {
        assert!(mutants("(assert (strange y)) (check-sat)", 1, 5, false).is_empty());
    }
}
