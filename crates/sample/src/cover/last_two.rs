//! The last two solutions of a set: the first is grown, the second asked for as a whole.
//!
//! Where the second is refuted, some targets do not fit into one solution: the first has to take one of them, and is
//! grown anew with that demand. This is *logic-based Benders decomposition* (Hooker & Ottosson, Mathematical
//! Programming 96, 2003): the refuted targets are the cut.
//!
//! The method suits formulas where searches are hard far from known models. Growing the last solution fails there a few
//! targets short of the end, and takes long to fail: on a product of 256 bits it ended up to twelve targets short of
//! 126, which one question finds within a second after another first solution, and refutes at once after most.

use rand::seq::SliceRandom;
use sundry_coverage::BitSet;
use sundry_solver::{Lit, Verdict};

use super::Cover;
use super::member::Member;
use crate::problem::Rejection;
use crate::steering::Together;
use crate::targets::Target;

/// First solutions that are tried, at most.
const ROUNDS: usize = 100;
/// Questions that make a cut shorter, at most.
const CUT_ROUNDS: usize = 4;
/// The maximal number of targets of a guessed cut: with fewer of them the first solution changes more.
const MAXIMAL_GUESS: usize = 30;

/// The answer to the question for one solution with all these targets.
enum Whole {
    Member(Member),
    /// Some of the targets, these, do not fit into one solution.
    Refuted(Vec<Target>),
    Undecided,
}

impl Cover<'_> {
    /// Looks for two members that together with the present ones cover `covered`, and adds them. Whether
    /// they are found.
    pub(super) fn find_last_two(&mut self, covered: &BitSet) -> Result<bool, Rejection> {
        let cuts = self.steering.new_bundle();
        let found = self.solve_with_cuts(cuts, covered);
        self.steering.retire_bundle(cuts);
        let found = found?;
        let any = found.is_some();
        found.into_iter().flatten().for_each(|member| self.add(member));
        Ok(any)
    }

    /// The two members, or one if that is enough. A cut is demanded where `cuts` is assumed.
    fn solve_with_cuts(&mut self, cuts: Lit, covered: &BitSet) -> Result<Option<Vec<Member>>, Rejection> {
        let mut wanted = covered.clone();
        wanted.subtract(&self.covered);
        for _ in 0..ROUNDS {
            let Some(first) = self.grow_under(cuts, &wanted)? else { break };
            let mut missing = wanted.clone();
            missing.subtract(&first.covered);
            if missing.is_empty() {
                return Ok(Some(vec![first]));
            }
            let cut = match self.find_whole(&missing)? {
                Whole::Member(second) => return Ok(Some(vec![first, second])),
                Whole::Refuted(cut) => cut,
                // This first solution leaves too much, but which part is a guess.
                Whole::Undecided => {
                    let mut guess: Vec<Target> = missing.iter().map(Target::from_index).collect();
                    guess.shuffle(&mut self.steering.random);
                    guess.truncate(MAXIMAL_GUESS);
                    guess
                }
            };
            let mut clause = self.literals(&cut);
            clause.push(!cuts);
            self.steering.add_guarded(&clause);
        }
        Ok(None)
    }

    /// A member that meets the cuts and covers some of the wanted targets, if one is found soon.
    fn grow_under(&mut self, cuts: Lit, wanted: &BitSet) -> Result<Option<Member>, Rejection> {
        self.prefer_open(wanted);
        let wanted: Vec<Target> = wanted.iter().map(Target::from_index).collect();
        if self.search(&[cuts], &wanted, self.patience()) != Verdict::Sat {
            return Ok(None);
        }
        let candidate = self.extend(&[cuts], None, wanted);
        self.accept(candidate).map(Some)
    }

    /// Asks for one member that covers all of these targets.
    fn find_whole(&mut self, targets: &BitSet) -> Result<Whole, Rejection> {
        let mut targets: Vec<Target> = targets.iter().map(Target::from_index).collect();
        let mut refuted = false;
        for _ in 0..CUT_ROUNDS {
            targets.shuffle(&mut self.steering.random);
            match self.steering.check_all(&targets, self.patience()) {
                Together::Covered => {
                    let candidate = self.look();
                    return self.accept(candidate).map(Whole::Member);
                }
                Together::Excluded(core) => {
                    let before = targets.len();
                    targets = core;
                    refuted = true;
                    if targets.len() == before {
                        break;
                    }
                }
                Together::Undecided => break,
            }
        }
        Ok(if refuted { Whole::Refuted(targets) } else { Whole::Undecided })
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::{Control, Op, TermStore};

    use super::super::member::covered_by_all;
    use super::super::tests::{entangled, grown};
    use super::*;
    use crate::problem::Problem;

    /// A strategy without members, and the targets that complete sets cover.
    fn emptied(problem: &Problem, seed: u64) -> (Cover<'_>, BitSet) {
        let mut cover = grown(problem, seed, &Control::default());
        let covered = cover.covered.clone();
        cover.covered = BitSet::new(covered.length());
        cover.members.clear();
        (cover, covered)
    }

    #[test]
    fn two_are_found_where_two_are_enough() {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(8).expect("a width");
        let symbols = ["x", "y"].map(|name| store.declare(name, &[], sort));
        let [x, y] = symbols.map(|symbol| store.symbol_term(symbol));
        let equal = store.make(Op::Equal, &[x, y]);
        let assertions = vec![store.make(Op::Not, &[equal])];
        let problem = Problem::new(store, assertions, symbols.to_vec());
        for seed in 0..10 {
            let (mut cover, covered) = emptied(&problem, seed);
            assert!(cover.find_last_two(&covered).expect("models are right"));
            assert_eq!(cover.members.len(), 2);
            assert_eq!(covered_by_all(&cover.members, covered.length()), covered);
            assert_eq!(cover.covered, covered);
        }
    }

    #[test]
    fn nothing_is_added_where_two_are_too_few() {
        let problem = entangled();
        for seed in 0..10 {
            let (mut cover, covered) = emptied(&problem, seed);
            assert!(!cover.find_last_two(&covered).expect("models are right"));
            assert!(cover.members.is_empty() && cover.covered.is_empty());
        }
    }
}
