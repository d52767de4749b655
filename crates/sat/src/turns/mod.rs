//! Solvers of the same clauses that take turns, for single hard questions.
//!
//! Search has heavy tails: what takes one set of options minutes may take another one milliseconds, and nobody knows beforehand
//! which (Gomes, Selman & Kautz, *Boosting combinatorial search through randomization*, AAAI 1998). So a question that the first solver
//! does not answer in its first turn goes to others, which start from the clauses as they were added. Turns are counted in ticks and
//! become longer and longer: the answer depends on no clock, and comes after a small multiple of the ticks that the best of the solvers needs.

mod participant;
mod renumbering;

use crate::assignment::Assignment;
use crate::cnf::Cnf;
use crate::interrupt::Limits;
use crate::literal::{Lit, Var};
use crate::options::Options;
use crate::propagator::{Propagate, SharedPropagator};
use crate::restarts::{SavedPhases, WatchRestarts};
use crate::traits::{
    AddClauses, Constrain, Flip, Interrupt, Phases, ReadClauses, ReadStatistics, RootFacts, Solve,
    Statistics, Verdict,
};

use participant::{Difference, Participant};

/// Ticks of the first turn: about half a second.
const FIRST_TURN: u64 = 20_000_000;
/// Literals of clauses beyond which only the first solver is asked: the others would need as much memory again.
const MAXIMAL_LITERALS: usize = 30_000_000;

/// The differences of the solvers after the first. Each turn of the first is as long as the turns of the others together.
const OTHERS: [Difference; 3] = [
    Difference { is_reversed: true, change: |_| {} },
    Difference { is_reversed: false, change: |options| options.initial_phase ^= true },
    Difference { is_reversed: true, change: |options| options.initial_phase ^= true },
];

/// Solvers that take turns. The first has the options given, and answers alone what it answers in its first turn.
pub struct Turns {
    options: Options,
    first_turn: u64,
    /// The solvers that were started.
    participants: Vec<Participant>,
    /// The solver that was asked last. It knows all variables and clauses.
    current: usize,
    /// All variables and clauses; `None` if they are too many.
    record: Option<Cnf>,
    /// The hint on each variable.
    phases: Vec<Option<bool>>,
    constraint: Option<Vec<Lit>>,
    limits: Limits,
    calls: u64,
    /// The variables whose phases at restarts somebody wants to see, and how many phases.
    watched: Option<(Vec<Var>, usize)>,
    propagator: Option<SharedPropagator>,
    /// The variables whose values the propagator gets.
    observed: Vec<Var>,
}

impl Turns {
    /// Solvers without clauses.
    pub fn new(options: &Options) -> Self {
        Turns::with_first_turn(options, FIRST_TURN)
    }

    /// Solvers without clauses. The first turn has this many ticks.
    pub fn with_first_turn(options: &Options, ticks: u64) -> Self {
        let same = Difference { is_reversed: false, change: |_| {} };
        Turns {
            options: options.clone(),
            first_turn: ticks.max(1),
            participants: vec![Participant::new(options, same, 0, &Limits::default())],
            current: 0,
            record: Some(Cnf::new()),
            phases: Vec::new(),
            constraint: None,
            limits: Limits::default(),
            calls: 0,
            watched: None,
            propagator: None,
            observed: Vec::new(),
        }
    }

    fn current(&self) -> &Participant {
        &self.participants[self.current]
    }

    /// Makes the solver of this position current, where there is a record of clauses. It starts, or catches up with the others.
    fn pass_to(&mut self, position: usize) {
        self.current = position;
        let Some(record) = &self.record else { return };
        if position == self.participants.len() {
            let difference = OTHERS[position - 1];
            let mut participant =
                Participant::new(&self.options, difference, record.var_count(), &self.limits);
            for (index, phase) in self.phases.iter().enumerate().filter(|(_, phase)| phase.is_some()) {
                participant.set_phase(Var::from_index(index), *phase);
            }
            if let Some(propagator) = &self.propagator {
                participant.connect_propagator(SharedPropagator::clone(propagator));
            }
            self.participants.push(participant);
        }
        self.participants[position].catch_up(record);
        self.participants[position].observe(&self.observed);
        if let Some((variables, most)) = &self.watched {
            self.participants[position].watch_restarts(variables, *most);
        }
    }

    /// Asks the current solver within these limits.
    fn ask(&mut self, assumptions: &[Lit], limits: &Limits) -> Verdict {
        let participant = &mut self.participants[self.current];
        let assumptions = participant.own_all(assumptions);
        if let Some(constraint) = &self.constraint {
            let own = participant.own_all(constraint);
            participant.solver.constrain(&own);
        }
        participant.solver.set_limits(limits.clone());
        participant.solver.solve(&assumptions)
    }

    /// Asks one solver after the other, in longer and longer turns. Whoever has answered last goes on.
    fn take_turns(&mut self, assumptions: &[Lit]) -> Verdict {
        let mut left = self.limits.clone();
        let (first, count) = (self.current, 1 + OTHERS.len());
        for number in 0.. {
            self.pass_to((first + number) % count);
            let round = self.first_turn.saturating_mul(1 << (number / count).min(32));
            let longest = if self.current == 0 { round } else { round.div_ceil(OTHERS.len() as u64) };
            let turn = left.ticks.map_or(longest, |ticks| ticks.min(longest));
            let before = self.current().solver.statistics();
            let verdict = self.ask(assumptions, &Limits { ticks: Some(turn), ..left.clone() });
            if verdict != Verdict::Unknown {
                return verdict;
            }
            let after = self.current().solver.statistics();
            left.ticks = left.ticks.map(|ticks| ticks.saturating_sub(after.ticks - before.ticks));
            left.conflicts =
                left.conflicts.map(|conflicts| conflicts.saturating_sub(after.conflicts - before.conflicts));
            if left.reached() || left.ticks == Some(0) || left.conflicts == Some(0) {
                return Verdict::Unknown;
            }
        }
        unreachable!("turns do not end")
    }
}

impl AddClauses for Turns {
    fn new_var(&mut self) -> Var {
        if let Some(record) = &mut self.record {
            record.new_var();
        }
        self.participants[self.current].new_var();
        self.phases.push(None);
        Var::from_index(self.phases.len() - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.participants[self.current].add_clause(clause);
        let Some(record) = &mut self.record else { return };
        record.add_clause(clause);
        self.participants[self.current].clauses = record.clause_count();
        if record.literal_count() > MAXIMAL_LITERALS {
            self.record = None;
        }
    }
}

impl Solve for Turns {
    fn solve(&mut self, assumptions: &[Lit]) -> Verdict {
        self.calls += 1;
        let verdict = match self.record {
            Some(_) => self.take_turns(assumptions),
            None => self.ask(assumptions, &self.limits.clone()),
        };
        self.constraint = None;
        verdict
    }

    fn value(&self, literal: Lit) -> bool {
        self.current().solver.value(self.current().own(literal))
    }

    fn assignment(&self, into: &mut Assignment) {
        let current = self.current();
        into.fill(self.phases.len(), |var| current.solver.value(current.own(var.positive())));
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.current().solver.failed(self.current().own(assumption))
    }
}

impl Phases for Turns {
    fn set_phase(&mut self, literal: Lit) {
        self.hint(literal.var(), Some(!literal.is_negative()));
    }

    fn clear_phase(&mut self, var: Var) {
        self.hint(var, None);
    }
}

impl Turns {
    fn hint(&mut self, var: Var, phase: Option<bool>) {
        self.phases[var.index()] = phase;
        for participant in self.participants.iter_mut().filter(|known| var.index() < known.var_count()) {
            participant.set_phase(var, phase);
        }
    }
}

impl WatchRestarts for Turns {
    fn watch_restarts(&mut self, variables: &[Var], most: usize) {
        let (watched, number) = self.watched.get_or_insert_with(Default::default);
        watched.extend(variables);
        watched.sort_unstable();
        watched.dedup();
        *number = most;
        self.participants[self.current].watch_restarts(variables, most);
    }

    fn stop_watching(&mut self) {
        self.watched = None;
        self.participants.iter_mut().for_each(|participant| participant.solver.stop_watching());
    }

    fn take_restarts(&mut self) -> Vec<SavedPhases> {
        self.participants.iter_mut().flat_map(Participant::take_restarts).collect()
    }
}

impl Propagate for Turns {
    fn connect_propagator(&mut self, propagator: SharedPropagator) -> bool {
        for participant in &mut self.participants {
            participant.connect_propagator(SharedPropagator::clone(&propagator));
        }
        self.propagator = Some(propagator);
        true
    }

    fn observe(&mut self, variables: &[Var]) {
        self.observed.extend(variables);
        self.participants[self.current].observe(&self.observed);
    }
}

impl Constrain for Turns {
    fn constrain(&mut self, clause: &[Lit]) {
        self.constraint = Some(clause.to_vec());
    }

    fn constraint_failed(&self) -> bool {
        self.current().solver.constraint_failed()
    }
}

impl RootFacts for Turns {
    fn fixed(&self, literal: Lit) -> Option<bool> {
        self.current().solver.fixed(self.current().own(literal))
    }
}

impl Flip for Turns {
    fn flippable(&self, var: Var) -> bool {
        self.current().solver.flippable(self.current().own(var.positive()).var())
    }

    fn flip(&mut self, var: Var) -> bool {
        let own = self.current().own(var.positive()).var();
        self.participants[self.current].solver.flip(own)
    }
}

impl ReadClauses for Turns {
    /// All clauses as they were added.
    fn clauses(&mut self) -> Option<Cnf> {
        self.record.clone()
    }
}

impl Interrupt for Turns {
    fn set_limits(&mut self, limits: Limits) {
        self.participants[self.current].solver.set_limits(limits.clone());
        self.limits = limits;
    }
}

impl ReadStatistics for Turns {
    /// The sums of all solvers; variables, clauses and what became of them are those of the current one.
    fn statistics(&self) -> Statistics {
        let current = self.current().solver.statistics();
        let all = self.participants.iter().map(|participant| participant.solver.statistics());
        let counters = all.fold(Statistics::default(), |sum, one| Statistics {
            conflicts: sum.conflicts + one.conflicts,
            decisions: sum.decisions + one.decisions,
            propagations: sum.propagations + one.propagations,
            ticks: sum.ticks + one.ticks,
            ..sum
        });
        Statistics {
            calls: self.calls,
            variables: current.variables,
            clauses: current.clauses,
            learned: current.learned,
            fixed: current.fixed,
            eliminated: current.eliminated,
            literals: current.literals,
            phases: current.phases,
            ..counters
        }
    }

    fn ticks(&self) -> u64 {
        self.participants.iter().map(|participant| participant.solver.ticks()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_takes_longer_than_a_turn_goes_to_all_solvers() {
        let mut solver = Turns::with_first_turn(&Options::default(), 1000);
        let holes = 6;
        let at: Vec<Vec<Lit>> =
            (0..=holes).map(|_| (0..holes).map(|_| solver.new_var().positive()).collect()).collect();
        at.iter().for_each(|pigeon| solver.add_clause(pigeon));
        for hole in 0..holes {
            for (position, first) in at.iter().enumerate() {
                at[position + 1..]
                    .iter()
                    .for_each(|second| solver.add_clause(&[!first[hole], !second[hole]]));
            }
        }
        assert_eq!(solver.solve(&[]), Verdict::Unsat);
        assert_eq!(solver.participants.len(), 1 + OTHERS.len());
        assert_eq!(solver.statistics().calls, 1);
    }
}
