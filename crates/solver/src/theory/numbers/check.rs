//! Candidates: values within all bounds that hold, or the reasons why there are none.

use sundry_circuit::{Aig, Edge, NodeKind};
use sundry_linear::{IntegerOutcome, Met, Rational, SearchLimits, Side, Simplex, Tag, Value, WantedBound};
use sundry_term::{Control, Stopped};

use super::atoms::BoundAtom;
use super::bits::BoundOfBit;
use super::{Expression, Numbers, Solution};
use crate::theory::lemma::{Lemma, LemmaKind};
use crate::theory::{Assignment, TheoryAnswer};

/// Conflicts that are looked for in one candidate.
const CONFLICTS_OF_CANDIDATE: usize = 16;

/// Searches for integers within some bounds after which all others are asserted.
const ROUNDS_BEFORE_ALL: u32 = 3;

/// The first tag of bounds that bits assert.
const FIRST_OF_BITS: Tag = 1 << 30;

/// The tag of a bound that an atom asserts: its number, and whether its edge is true.
pub(super) fn tag(atom: usize, value: bool) -> Tag {
    2 * atom as Tag + Tag::from(value)
}

/// The judgement of the simplex on a candidate.
enum Verdict {
    /// The present values are within all bounds, and integers where they have to be.
    Solved,
    /// Sets of bounds that contradict each other.
    Conflicts(Vec<Vec<Tag>>),
    /// The sum of integers is at most this integer, or at least the next one: the SAT solver has to say which.
    Branch(Expression, Rational),
}

impl Numbers {
    /// Looks for values within the bounds that a candidate asserts.
    pub(crate) fn check(&mut self, aig: &mut Aig, assignment: Assignment<'_>) -> TheoryAnswer {
        let start = self.simplex.mark();
        let of_bits = self.bounds_of_bits(assignment.value);
        let verdict = match self.found_again(aig, assignment, &of_bits) {
            Some(solution) => {
                self.solution = solution;
                Ok(Verdict::Solved)
            }
            None => {
                if self.watched > 0 {
                    self.simplex.watch(self.watched);
                }
                let mut verdict = self.find_values(aig, assignment, &of_bits);
                if self.watched > 0 {
                    let passed = self.simplex.take_watched().into_iter();
                    self.passed = passed.map(|values| Solution { values }).collect();
                }
                if matches!(verdict, Ok(Verdict::Solved)) {
                    self.note_values();
                    self.simplex.backtrack(start);
                    if let Err(stopped) = self.correct_products(assignment.control) {
                        verdict = Err(stopped);
                    }
                }
                verdict
            }
        };
        self.simplex.backtrack(start);
        // From here on only what holds for ever bounds a variable, so that new edges mean the same under all candidates.
        let lemmas = match verdict {
            // The caller sees the control.
            Err(_) => Vec::new(),
            Ok(Verdict::Conflicts(conflicts)) => {
                self.refuted += 1;
                self.note_contested(&conflicts);
                conflicts.iter().map(|tags| self.conflict(tags)).collect()
            }
            Ok(Verdict::Branch(sum, floor)) => {
                let edge = self.is_at_most_zero(aig, &sum.minus(&Expression::constant(floor)), false);
                vec![decide(LemmaKind::NumberBranch, edge)]
            }
            Ok(Verdict::Solved) => {
                let solution = std::mem::take(&mut self.solution);
                let facts = self.check_products(aig, &solution).and_then(|mut facts| {
                    facts.extend(self.check_conversions(aig, &solution, assignment.value)?);
                    facts.extend(self.check_roundings(aig, &solution, assignment.value)?);
                    Some(facts)
                });
                let are_right = facts.as_ref().is_some_and(Vec::is_empty);
                let are_right = are_right && self.check_bits(&solution, assignment.value, assignment.is_free);
                self.solution = solution;
                match facts {
                    None => return TheoryAnswer::Undecided,
                    Some(_) if are_right => return TheoryAnswer::Consistent,
                    Some(facts) => facts,
                }
            }
        };
        TheoryAnswer::Refuted(lemmas.into_iter().chain(self.take_lemmas()).collect())
    }

    /// The last solution that was accepted, if it is within the bounds that the candidate asserts: a search may take long to find such values again.
    fn found_again(
        &self,
        aig: &Aig,
        Assignment { value, is_free, .. }: Assignment<'_>,
        of_bits: &[BoundOfBit],
    ) -> Option<Solution> {
        if self.found.values.is_empty() {
            return None;
        }
        let values = self.simplex.complete(&self.found.values)?;
        let holds = |atom: &BoundAtom| Value::from(values[atom.variable.index()].clone()) <= atom.at_most;
        let asserted = |atom: &&BoundAtom| !is_undetermined(aig, atom.edge, is_free);
        let agrees = self.atoms.iter().filter(asserted).all(|atom| holds(atom) == value(atom.edge));
        let agrees = agrees
            && of_bits.iter().all(|BoundOfBit { variable, side, limit, .. }| {
                let value = &values[variable.index()];
                if *side == Side::Upper { value <= limit } else { value >= limit }
            });
        agrees.then_some(Solution { values })
    }

    fn find_values(
        &mut self,
        aig: &Aig,
        assignment: Assignment<'_>,
        of_bits: &[BoundOfBit],
    ) -> Result<Verdict, Stopped> {
        self.want_bounds(aig, assignment, of_bits);
        let wanted: Vec<&WantedBound> = self.wanted.iter().collect();
        let conflicts = conflicts(&mut self.simplex, &wanted, assignment.control)?;
        if !conflicts.is_empty() {
            return Ok(Verdict::Conflicts(conflicts));
        }
        for round in 1.. {
            match self.simplex.check_integers(assignment.control, SearchLimits::default())? {
                IntegerOutcome::Solved => {}
                IntegerOutcome::Conflict(tags) => return Ok(Verdict::Conflicts(vec![tags])),
                IntegerOutcome::Branch(terms, floor) => {
                    return Ok(Verdict::Branch(Expression { constant: Rational::ZERO, terms }, floor));
                }
            }
            // The search for integers has moved sums whose bounds it did not know.
            match self.simplex.meet(&wanted, round == ROUNDS_BEFORE_ALL, assignment.control)? {
                Met::Before => break,
                Met::Now => {}
                Met::Conflict(tags) => return Ok(Verdict::Conflicts(vec![tags])),
            }
        }
        Ok(Verdict::Solved)
    }

    /// Notes the bounds that a candidate asserts.
    fn want_bounds(&mut self, aig: &Aig, assignment: Assignment<'_>, of_bits: &[BoundOfBit]) {
        let Numbers { atoms, wanted, .. } = self;
        wanted.clear();
        for (number, atom) in atoms.iter().enumerate() {
            if is_undetermined(aig, atom.edge, assignment.is_free) {
                continue;
            }
            let value = (assignment.value)(atom.edge);
            let (side, limit) = atom.bound(value);
            let (variable, limit) = (atom.variable, limit.clone());
            wanted.push(WantedBound { variable, side, limit, tag: tag(number, value) });
        }
        for &BoundOfBit { place, is_set, variable, side, ref limit } in of_bits {
            let (limit, tag) = (limit.clone().into(), FIRST_OF_BITS + tag(place, is_set));
            wanted.push(WantedBound { variable, side, limit, tag });
        }
    }

    /// The bounds that the last candidate has asserted, without those that only facts about products name.
    pub(super) fn wanted_by_formula(&self) -> impl Iterator<Item = &WantedBound> {
        self.wanted.iter().filter(|bound| {
            bound.tag >= FIRST_OF_BITS || !self.atoms[bound.tag as usize / 2].is_only_of_facts
        })
    }

    /// Notes of which variables the bounds are that contradict each other.
    fn note_contested(&mut self, conflicts: &[Vec<Tag>]) {
        let of_atoms = conflicts.iter().flatten().filter(|tag| **tag < FIRST_OF_BITS);
        self.contested.extend(of_atoms.map(|&tag| self.atoms[tag as usize / 2].variable));
    }

    /// The lemma that not all of these bounds hold.
    fn conflict(&self, tags: &[Tag]) -> Lemma {
        let negated = |&tag: &Tag| match tag.checked_sub(FIRST_OF_BITS) {
            Some(bit) => self.other_bit(bit as usize / 2, bit % 2 == 1),
            None => self.atoms[tag as usize / 2].edge.complement_if(tag % 2 == 1),
        };
        Lemma { kind: LemmaKind::NumberConflict, clause: tags.iter().map(negated).collect() }
    }

    /// Makes the present values of the simplex the solution. They are within the present bounds if the simplex has found them.
    pub(crate) fn note_values(&mut self) {
        self.solution = Solution::present(&self.simplex, self.simplex.variable_count(), &self.wanted);
    }

    /// Edges whose values are not those that the solution gives them: computed from edges that had other values before.
    /// The SAT solver has to decide them. Facts about products hold whatever the edges of their own say.
    pub(crate) fn disagreements(&self, value: &dyn Fn(Edge) -> bool) -> Vec<Lemma> {
        let disagrees = |atom: &&BoundAtom| !atom.is_only_of_facts && value(atom.edge) != self.holds(atom);
        let atoms = self.atoms.iter().filter(disagrees);
        atoms.map(|atom| decide(LemmaKind::NumberBranch, atom.edge)).collect()
    }

    /// Whether the bound of an atom holds in the last solution.
    pub(super) fn holds(&self, atom: &BoundAtom) -> bool {
        Value::from(self.solution.value(atom.variable).clone()) <= atom.at_most
    }

    /// The bounds that have edges, with what decisions should try: what holds for the present values of the simplex, or what makes numbers
    /// different that are equal at present.
    pub(crate) fn present_bounds(&self) -> impl Iterator<Item = (Edge, bool)> + '_ {
        self.atoms.iter().map(|atom| {
            let value = self.simplex.value(atom.variable);
            let is_at_bound = *value == atom.at_most || *value == atom.at_least;
            match self.better_false.get(&atom.edge.regular()) {
                Some(&better) if is_at_bound => (atom.edge, better != atom.edge.is_complemented()),
                _ => (atom.edge, *value <= atom.at_most),
            }
        })
    }

    /// The edges of the circuit that are bits of numbers.
    pub(crate) fn edges_of_bits(&self) -> impl Iterator<Item = Edge> + '_ {
        self.bits.keys().copied()
    }

    /// The edges that the SAT solver has not decided, with the values that they have in the last solution.
    pub(crate) fn undetermined<'n>(
        &'n self,
        aig: &'n Aig,
        is_free: &'n dyn Fn(Edge) -> bool,
    ) -> impl Iterator<Item = (Edge, bool)> + 'n {
        let undetermined = self.atoms.iter().filter(|atom| is_undetermined(aig, atom.edge, is_free));
        let bounds = undetermined.map(|atom| (atom.edge, self.holds(atom)));
        bounds.chain(self.free_bits(is_free))
    }
}

/// Asserts wanted bounds. Returns sets of them that contradict each other, no two of which have a bound in common; if there are none, the values of the
/// simplex meet all.
fn conflicts(
    simplex: &mut Simplex,
    wanted: &[&WantedBound],
    control: &Control,
) -> Result<Vec<Vec<Tag>>, Stopped> {
    simplex.rest();
    let start = simplex.mark();
    let mut wanted = wanted.to_vec();
    let mut conflicts: Vec<Vec<Tag>> = Vec::new();
    while conflicts.len() < CONFLICTS_OF_CANDIDATE {
        let Met::Conflict(tags) = simplex.meet(&wanted, false, control)? else { break };
        wanted.retain(|bound| tags.binary_search(&bound.tag).is_err());
        let is_unconditional = tags.is_empty();
        conflicts.push(tags);
        simplex.backtrack(start);
        if is_unconditional {
            break;
        }
    }
    Ok(conflicts)
}

/// A clause that says nothing. But the SAT solver decides what occurs in it.
fn decide(kind: LemmaKind, edge: Edge) -> Lemma {
    Lemma { kind, clause: vec![edge, !edge] }
}

/// Whether an edge is an input to which nobody has given a value.
fn is_undetermined(aig: &Aig, edge: Edge, is_free: &dyn Fn(Edge) -> bool) -> bool {
    matches!(aig.kind(edge.node()), NodeKind::Input(_)) && is_free(edge)
}
