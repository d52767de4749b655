//! The loop of lemmas on demand.

use sundry_circuit::{Edge, NodeKind};
use sundry_sat::{Limits, Verdict};
use sundry_term::{Model, TermStore};
use tracing::{debug_span, trace};

use super::justify::justifying_nodes;
use super::statistics::UNITS_PER_TICK;
use super::{Checked, Engine, ModelRef, Observer, Query, Refutation};
use crate::theory::numbers::Numbers;
use crate::theory::{Assignment, TheoryAnswer};

/// Ticks of the SAT solver for a search near a refuted candidate.
const TICKS_OF_REPAIR: u64 = 10_000_000;

impl Engine {
    /// Looks for an assignment that satisfies the assertions, the query and the theories.
    pub fn check(&mut self, query: Query<'_>) -> Checked<'_> {
        self.answer(query, None)
    }

    /// [`check`](Self::check), which shows the assignments on the way to an observer.
    pub fn check_and_report(&mut self, query: Query<'_>, observer: Observer<'_>) -> Checked<'_> {
        self.answer(query, Some(observer))
    }

    fn answer(&mut self, query: Query<'_>, observer: Option<Observer<'_>>) -> Checked<'_> {
        let _span = debug_span!("check", assumptions = query.assumptions.len()).entered();
        self.statistics.checks += 1;
        let verdict = if self.contradiction { Verdict::Unsat } else { self.find_model(query, observer) };
        match verdict {
            Verdict::Sat => Checked::Sat(ModelRef { engine: self }),
            Verdict::Unsat => Checked::Unsat(Refutation { engine: self }),
            Verdict::Unknown => Checked::Unknown,
        }
    }

    /// Looks for candidates until one is a model. The ticks of the query are for all of them together.
    fn find_model(&mut self, query: Query<'_>, mut observer: Option<Observer<'_>>) -> Verdict {
        let before = self.limited_ticks();
        let mut limits = query.limits(&self.control, query.ticks);
        self.sat.set_limits(limits.clone());
        let mut refuted = false;
        self.undecided = None;
        self.theories.numbers_mut().begin_question();
        loop {
            if !self.cnf.finish(&self.aig, &mut *self.sat) {
                return Verdict::Unknown;
            }
            self.prepare_observation(observer.as_ref());
            let verdict = self.search(query, &limits, refuted);
            if let Some(observer) = &mut observer {
                self.show_restarts(observer);
            }
            match verdict {
                Verdict::Sat => {}
                verdict => return verdict,
            }
            self.read_assignment();
            let numbers = self.refine_numbers(query, limits.ticks);
            if let Some(observer) = &mut observer {
                self.show_pivots(observer);
            }
            let (check, theory) = match numbers {
                TheoryAnswer::Consistent => self.refine(),
                objection => (objection, Numbers::NAME),
            };
            let lemmas = match check {
                TheoryAnswer::Consistent => {
                    self.keep_candidate();
                    return Verdict::Sat;
                }
                TheoryAnswer::Refuted(lemmas) => lemmas,
                TheoryAnswer::Undecided => {
                    self.undecided = Some(theory);
                    return Verdict::Unknown;
                }
            };
            if let Some(observer) = observer.as_mut().filter(|observer| observer.is_open()) {
                self.show_refuted(observer, theory);
            }
            self.statistics.refuted_candidates += 1;
            trace!(theory, lemmas = lemmas.len(), "refuted");
            self.add_lemmas(lemmas);
            refuted = true;
            if self.control.stopped() {
                // Theories leave lemmas out then, so that the next candidate may be the same.
                return Verdict::Unknown;
            }
            if let Some(ticks) = query.ticks {
                let left = ticks.saturating_sub(self.limited_ticks() - before);
                if left == 0 {
                    return Verdict::Unknown;
                }
                limits.ticks = Some(left);
                self.sat.set_limits(limits.clone());
            }
        }
    }

    /// Asks the SAT solver for a candidate within these limits. Where the last one was refuted and operations are open, it
    /// looks first for a candidate near that one, with all these operations computed.
    fn search(&mut self, query: Query<'_>, limits: &Limits, refuted: bool) -> Verdict {
        if refuted && self.theories.can_repair() {
            self.prefer_computed_products();
            let ticks = limits.ticks.map_or(TICKS_OF_REPAIR, |ticks| ticks.min(TICKS_OF_REPAIR));
            self.sat.set_limits(Limits { ticks: Some(ticks), ..limits.clone() });
            let verdict = self.call(query);
            self.sat.set_limits(limits.clone());
            self.forget_phases();
            if verdict == Verdict::Unknown {
                self.theories.numbers_mut().forget_preferred_bits();
            }
            if verdict != Verdict::Unknown || limits.reached() {
                return verdict;
            }
        }
        self.call(query)
    }

    /// Calls the SAT solver.
    fn call(&mut self, query: Query<'_>) -> Verdict {
        if !query.at_least_one.is_empty() {
            self.sat.constrain(query.at_least_one);
        }
        self.prepare_propagation();
        let verdict = self.sat.solve(query.assumptions);
        self.count_propagation();
        verdict
    }

    /// Decisions try the values of the last candidate, as far as the results of open operations do not change them.
    fn prefer_computed_products(&mut self) {
        self.candidate.extend(&self.aig, &[]);
        let mut inputs: Vec<u64> =
            self.aig.inputs().iter().map(|&input| self.candidate.word(input)).collect();
        self.theories.repair(&self.aig, &mut inputs, &mut self.candidate);
        self.prefers_candidate = true;
        self.prefer_last_assignment();
    }

    /// The judgement of the theory of numbers on the candidate. What the SAT solver has left open about accepted numbers is as
    /// the numbers say, afterwards. For an observer, numbers that are refuted are kept too.
    ///
    /// If the theory of numbers does not finish within this number of ticks, the answer is that there are no lemmas.
    fn refine_numbers(&mut self, query: Query<'_>, ticks: Option<u64>) -> TheoryAnswer {
        if self.theories.numbers().is_trivial() {
            return TheoryAnswer::Consistent;
        }
        let of_query = self.edges_of_query(query);
        let Engine { aig, theories, candidate, control, asserted, constrained, .. } = self;
        let value = |edge| candidate.value(edge, 0);
        let of_words = theories.numbers().edges_of_bits();
        let needed = asserted.iter().chain(constrained.iter()).copied().chain(of_words).chain(of_query);
        let needed = justifying_nodes(aig, needed, &value);
        let is_free = |edge: Edge| !needed.contains(&edge.node());
        let meter = match ticks {
            Some(ticks) => control.with_work(ticks.saturating_mul(UNITS_PER_TICK)),
            None => control.clone(),
        };
        let assignment = Assignment { value: &value, is_free: &is_free, control: &meter };
        let answer = theories.numbers_mut().check(aig, assignment);
        self.statistics.on_numbers += meter.spent();
        if answer != TheoryAnswer::Consistent {
            if self.is_observed {
                theories.numbers_mut().note_values();
            }
            if self.given_out.is_empty() {
                self.prefer_present_numbers();
            }
            return answer;
        }
        let numbers = theories.numbers();
        let mut inputs: Vec<u64> = aig.inputs().iter().map(|&input| candidate.word(input)).collect();
        let mut changed = false;
        for (edge, holds) in numbers.undetermined(aig, &is_free) {
            let NodeKind::Input(number) = aig.kind(edge.node()) else {
                unreachable!("undetermined edges are inputs")
            };
            let word = u64::from(holds != edge.is_complemented()).wrapping_neg();
            changed |= std::mem::replace(&mut inputs[number as usize], word) != word;
        }
        if changed {
            self.simulate(&inputs);
        }
        let candidate = &self.candidate;
        let undecided = self.theories.numbers().disagreements(&|edge| candidate.value(edge, 0));
        TheoryAnswer::of(undecided)
    }

    /// The edges whose values make the candidate one for the query: those assumed, and one of those of which one has to hold. Literals without edges are in clauses
    /// that say what they stand for.
    fn edges_of_query(&self, query: Query<'_>) -> Vec<Edge> {
        let assumed = query.assumptions.iter().filter_map(|&literal| self.edge_of(literal));
        let mut wanted = query.at_least_one.iter().map(|&literal| self.edge_of(literal));
        // A wanted literal without an edge may be the one that holds.
        let one = match wanted.clone().all(|edge| edge.is_some()) {
            true => wanted.find_map(|edge| edge.filter(|&edge| self.candidate.value(edge, 0))),
            false => None,
        };
        let all = if one.is_none() { query.at_least_one } else { &[] };
        assumed.chain(one).chain(all.iter().filter_map(|&literal| self.edge_of(literal))).collect()
    }

    /// Decisions try the bounds that hold for the present values of numbers, which meet most of the bounds asked for.
    fn prefer_present_numbers(&mut self) {
        let Engine { theories, cnf, sat, .. } = self;
        for (edge, holds) in theories.numbers().present_bounds() {
            if let Some(literal) = cnf.literal_of(edge) {
                sat.set_phase(literal.negate_if(!holds));
            }
        }
    }

    /// The judgement of the other theories on the candidate, and the name of the theory that gave it.
    fn refine(&mut self) -> (TheoryAnswer, &'static str) {
        let Engine { aig, theories, candidate, read, cnf, control, .. } = self;
        let value = |edge: Edge| {
            read.set(read.get() + 1);
            candidate.value(edge, 0)
        };
        let is_free = |edge| cnf.literal_of(edge).is_none();
        theories.check(aig, Assignment { value: &value, is_free: &is_free, control })
    }

    /// Makes the candidate, which all theories have accepted, the last model found.
    fn keep_candidate(&mut self) {
        std::mem::swap(&mut self.found, &mut self.candidate);
        self.theories.numbers_mut().keep_solution();
        self.prefers_candidate = false;
        self.extent_of_found = Some(self.theories.extent());
    }

    /// The candidate as a model, which no theory has accepted yet.
    pub(super) fn candidate_model(&self, store: &TermStore) -> Model {
        self.model_of(store, &|edge| self.candidate.value(edge, 0), self.theories.numbers().solution())
    }

    /// Carries the SAT solver's values of the inputs through the circuit. Inputs outside every
    /// encoded cone are free; they are false.
    fn read_assignment(&mut self) {
        let (cnf, sat) = (&self.cnf, &self.sat);
        let inputs: Vec<u64> = self
            .aig
            .inputs()
            .iter()
            .map(|&input| match cnf.literal_of(input) {
                Some(literal) if sat.value(literal) => u64::MAX,
                _ => 0,
            })
            .collect();
        self.simulate(&inputs);
    }

    /// Makes the values of the circuit under these values of its inputs the candidate.
    pub(super) fn simulate(&mut self, inputs: &[u64]) {
        self.statistics.simulated += self.aig.node_count() as u64;
        self.candidate.run(&self.aig, inputs);
    }
}
