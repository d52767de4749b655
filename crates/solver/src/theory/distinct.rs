//! `distinct` of many words, by lemmas on demand.
//!
//! Comparing each word with each other takes a quadratic number of gates: 10^10 for ten thousand words. Instead, an atom
//! stands for "all are different". Where it is true, words that are equal under an assignment give the lemma that they
//! differ. Where it is false, a *witness* is the value of two of them, which takes a linear number of gates.

use rustc_hash::FxHashMap;
use sundry_circuit::{Aig, Edge, words};

use super::datum::Key;
use super::lemma::{Lemma, LemmaKind};
use super::{Assignment, Theory, TheoryAnswer};

/// The number of lemmas for one candidate assignment, for each word that is equal to another one. With more lemmas
/// there are fewer candidates.
const LEMMAS_FOR_EACH: usize = 4;

/// After this number of refuted candidates words have little room, and the lemmas for all pairs are added at once …
const PATIENCE: u32 = 32;

/// … where they take at most this number of gates.
const EXPANDED: usize = 1 << 24;

/// An atom, and the words that are all different exactly where it is true.
#[derive(Clone)]
struct Distinct {
    atom: Edge,
    words: Vec<Box<[Edge]>>,
    /// The number of candidates refuted.
    refuted: u32,
}

/// All such atoms.
#[derive(Clone, Default)]
pub(crate) struct Distinctness {
    atoms: Vec<Distinct>,
    /// The number of atoms that have their witness.
    registered: usize,
    /// The number of atoms whose preferences were taken.
    preferred: usize,
}

impl Distinctness {
    /// A new atom that is true exactly where these words are all different.
    pub(crate) fn add(&mut self, aig: &mut Aig, words: Vec<Box<[Edge]>>) -> Edge {
        let atom = aig.input();
        self.atoms.push(Distinct { atom, words, refuted: 0 });
        atom
    }

    /// The lemmas of new atoms about what they mean where they are false.
    pub(crate) fn register(&mut self, aig: &mut Aig) -> Vec<Lemma> {
        let new = &self.atoms[self.registered..];
        let lemmas = new
            .iter()
            .map(|Distinct { atom, words, .. }| {
                let witness: Vec<Edge> = words[0].iter().map(|_| aig.input()).collect();
                let clause = vec![*atom, at_least_two(aig, words, &witness)];
                Lemma { kind: LemmaKind::Distinct, clause }
            })
            .collect();
        self.registered = self.atoms.len();
        lemmas
    }

    /// Values for the words of atoms that are new since the last call, to be tried first: under these, all words are
    /// different as far as each can have any value.
    pub(crate) fn take_preferences(&mut self) -> Vec<(Edge, bool)> {
        let words = self.atoms[self.preferred..].iter().flat_map(|atom| (0u64..).zip(&atom.words));
        let preferences = words.flat_map(|(number, word)| {
            let bit_of = move |position: u32| number.checked_shr(position).is_some_and(|rest| rest & 1 == 1);
            (0..).zip(word).map(move |(position, &bit)| (bit, bit_of(position)))
        });
        let preferences = preferences.filter(|(bit, _)| bit.is_constant().is_none()).collect();
        self.preferred = self.atoms.len();
        preferences
    }
}

impl Theory for Distinctness {
    fn name(&self) -> &'static str {
        "distinct words"
    }

    fn is_trivial(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Lemmas for words that an assignment makes equal where they must not be.
    fn check(&mut self, aig: &mut Aig, Assignment { value, .. }: Assignment<'_>) -> TheoryAnswer {
        let mut lemmas = Vec::new();
        for distinct in self.atoms.iter_mut().filter(|distinct| value(distinct.atom)) {
            let pairs = distinct.equal_pairs(value);
            if pairs.is_empty() {
                continue;
            }
            distinct.refuted += 1;
            if distinct.refuted == PATIENCE && distinct.gates() <= EXPANDED {
                let words = distinct.words.len();
                let all = (0..words).flat_map(|right| (0..right).map(move |left| (left, right)));
                lemmas.extend(all.map(|pair| distinct.lemma(aig, pair)));
            } else {
                lemmas.extend(pairs.into_iter().map(|pair| distinct.lemma(aig, pair)));
            }
        }
        TheoryAnswer::of(lemmas)
    }

    fn boxed(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }
}

impl Distinct {
    /// Pairs of words that an assignment makes equal: of each word that is equal to earlier ones, with some of these.
    fn equal_pairs(&self, value: &dyn Fn(Edge) -> bool) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let mut equal_words: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        for (number, word) in self.words.iter().enumerate() {
            let earlier = equal_words.entry(Key::of_bits(word, value)).or_default();
            // The latest and, further and further away, some before.
            let others = (0..LEMMAS_FOR_EACH).filter_map(|step| earlier.len().checked_sub(1 << step));
            pairs.extend(others.map(|position| (earlier[position], number)));
            earlier.push(number);
        }
        pairs
    }

    /// The number of gates for comparing all words pairwise.
    fn gates(&self) -> usize {
        2 * self.words[0].len() * self.words.len() * self.words.len()
    }

    fn lemma(&self, aig: &mut Aig, (left, right): (usize, usize)) -> Lemma {
        let equal = words::equal(aig, &self.words[left], &self.words[right]);
        Lemma { kind: LemmaKind::Distinct, clause: vec![!self.atom, !equal] }
    }
}

/// Whether two words at least have this value.
fn at_least_two(aig: &mut Aig, words: &[Box<[Edge]>], value: &[Edge]) -> Edge {
    let (mut one, mut two) = (Edge::FALSE, Edge::FALSE);
    for word in words {
        let equal = words::equal(aig, word, value);
        let again = aig.and(one, equal);
        two = aig.or(two, again);
        one = aig.or(one, equal);
    }
    two
}

#[cfg(test)]
mod tests {
    use sundry_sat::Verdict;
    use sundry_term::{Control, Op, TermStore};

    use crate::engine::{Engine, EngineOptions};
    use crate::theory::testing::judged_answer;

    /// A number of words of 16 bits, or of elements, that is too large to compare them pairwise.
    const MANY: usize = 300;

    /// The circuit shows that there are too many words: it has no place for comparing them pairwise.
    #[test]
    fn so_many_are_left_to_lemmas() {
        for count in [MANY / 2, MANY] {
            let mut store = TermStore::new();
            let sort = store.bit_vec_sort(16).expect("a width");
            let words: Vec<_> = (0..count)
                .map(|number| {
                    let symbol = store.declare(&format!("x{number}"), &[], sort);
                    store.symbol_term(symbol)
                })
                .collect();
            let distinct = store.make(Op::Distinct, &words);
            let mut engine = Engine::new(&EngineOptions::default(), &Control::default());
            engine.assert_initial(&mut store, &[distinct]).expect("small circuits");
            assert_eq!(engine.is_exact(), count < MANY);
        }
    }

    /// The verdict on constants `x0`, `x1` … of a sort being all different, or not, together with a condition. The
    /// evaluator judges models.
    fn answer(sort: &str, count: usize, assertions: &str) -> Verdict {
        let mut text = String::from("(declare-sort U 0)\n");
        let names: Vec<String> = (0..count).map(|number| format!("x{number}")).collect();
        names.iter().for_each(|name| text += &format!("(declare-const {name} {sort})\n"));
        text += &assertions.replace("ALL", &names.join(" "));
        judged_answer(&text, &EngineOptions::default()).0
    }

    #[test]
    fn many_words_are_all_different() {
        const WORD: &str = "(_ BitVec 16)";
        let small: String =
            (0..MANY).map(|number| format!("(assert (bvult x{number} (_ bv512 16)))\n")).collect();
        for (assertions, expected) in [
            ("(assert (distinct ALL))", Verdict::Sat),
            ("(assert (distinct ALL))(assert (= x7 x200))", Verdict::Unsat),
            ("(assert (distinct ALL))(assert (bvult (bvor x7 x8 x9) #x0002))", Verdict::Unsat),
            (&format!("(assert (distinct ALL)){small}"), Verdict::Sat),
        ] {
            assert_eq!(answer(WORD, MANY, assertions), expected, "{assertions}");
        }
    }

    #[test]
    fn of_those_that_are_not_two_are_equal() {
        let given: String = (1..MANY)
            .map(|number| format!("(assert (bvult (bvsub x{number} (_ bv{} 16)) #x0002))\n", 2 * number))
            .collect();
        for (assertions, expected) in [
            (format!("(assert (not (distinct ALL))){given}(assert (= x0 (_ bv7 16)))"), Verdict::Sat),
            (format!("(assert (not (distinct ALL))){given}(assert (= x0 #x0001))"), Verdict::Unsat),
        ] {
            assert_eq!(answer("(_ BitVec 16)", MANY, &assertions), expected, "{assertions}");
        }
    }

    #[test]
    fn elements_of_declared_sorts_are_all_different() {
        let either = "(declare-const p Bool)(assert (= p (distinct ALL)))";
        for (assertions, expected) in [
            (either.to_string(), Verdict::Sat),
            (format!("{either}(assert p)(assert (= x1 x2))"), Verdict::Unsat),
            (format!("{either}(assert (not p))(assert (distinct x3 x4))"), Verdict::Sat),
            (format!("{either}(assert p)(assert (or (= x5 x299) (= x6 x7)))"), Verdict::Unsat),
        ] {
            assert_eq!(answer("U", MANY, &assertions), expected, "{assertions}");
        }
    }
}
