//! Checks of formulas over floating-point values: optimisation and circuits take turns.
//!
//! Turns are counted in steps of the search and in ticks of the SAT solver, and become longer and longer. The
//! search goes first, since circuits of dozens of divisions take longer to build than many a search takes. Once a session
//! has circuits, they go first: questions that they answer at once cost nothing more.

use sundry_circuit::BuildError;
use sundry_sat::Limits;
use sundry_term::{Stopped, TermId, TermStore};

use super::Session;
use super::answer::{Answer, UnknownReason, reason_of};
use super::partial::Judged;
use crate::descent::{FloatMethod, FloatSearch, FloatTurns, LAST_TURNS};

/// Ticks that a conflict takes, about.
const TICKS_OF_CONFLICT: u64 = 1000;

impl Session {
    /// Asks the search and the engine in turns, until one has an answer.
    ///
    /// # Errors
    /// The circuits cannot be built, and the search has found nothing either; or the control stopped the work.
    pub(super) fn take_turns(
        &mut self,
        store: &mut TermStore,
        assumptions: &[TermId],
        limits: &Limits,
        mut judged: Option<&mut Judged<'_>>,
    ) -> Result<Answer, BuildError> {
        let method = self.floats.method;
        let circuits_go_first = self.loaded.is_some() && method == FloatMethod::Both;
        let mut search: Option<FloatSearch> = None;
        let mut left = limits.clone();
        // The result of circuits that cannot be built or do not decide, and the turn after which the search gives up too.
        let mut result_of_circuits: Option<(Result<Answer, BuildError>, u32)> = None;
        for number in 0.. {
            let turn = FloatTurns { number };
            if number > 0 || !circuits_go_first {
                if search.is_none() {
                    search = self.start_search(store, assumptions, limits)?;
                }
                let Some(search) = &mut search else {
                    return match result_of_circuits {
                        Some((result, _)) => result,
                        None => self.try_check(store, assumptions, &left, judged),
                    };
                };
                let found = self.search(search, turn, store, assumptions, limits, judged.as_deref_mut());
                if let Some(answer) = found? {
                    return Ok(answer);
                }
            }
            match result_of_circuits {
                Some((result, last)) if number >= last => return result,
                Some(_) => continue,
                None => {}
            }
            if method == FloatMethod::Search {
                if is_beyond(turn, limits) {
                    return Ok(Answer::Unknown(UnknownReason::Budget));
                }
                continue;
            }
            match self.ask_circuits(turn, store, assumptions, &mut left, judged.as_deref_mut()) {
                Ok(Answer::Unknown(UnknownReason::Budget)) if is_used_up(&left) => {
                    return Ok(Answer::Unknown(UnknownReason::Budget));
                }
                Ok(Answer::Unknown(UnknownReason::Budget)) => {}
                result @ (Ok(Answer::Unknown(UnknownReason::Undecided(_))) | Err(BuildError::Refused(_))) => {
                    result_of_circuits = Some((result, number + LAST_TURNS));
                }
                other => return other,
            }
        }
        unreachable!("turns do not end")
    }

    /// The turn of circuits, whose work is taken from what is left.
    ///
    /// # Errors
    /// The circuits cannot be built, or the control stopped the work.
    fn ask_circuits(
        &mut self,
        turn: FloatTurns,
        store: &mut TermStore,
        assumptions: &[TermId],
        left: &mut Limits,
        judged: Option<&mut Judged<'_>>,
    ) -> Result<Answer, BuildError> {
        let ticks = left.ticks.map_or(turn.ticks(), |ticks| ticks.min(turn.ticks()));
        let limits = Limits { ticks: Some(ticks), ..left.clone() };
        let before = self.statistics().engine.sat;
        let result = self.try_check(store, assumptions, &limits, judged);
        let after = self.statistics().engine.sat;
        left.ticks = left.ticks.map(|ticks| ticks.saturating_sub(after.ticks - before.ticks));
        let conflicts = after.conflicts - before.conflicts;
        left.conflicts = left.conflicts.map(|left| left.saturating_sub(conflicts));
        if result.is_err() {
            // The engine knows a part of the stack only.
            self.unload();
        }
        result
    }

    /// A search for a model of all assertions and the assumptions, if they are for it.
    fn start_search(
        &mut self,
        store: &mut TermStore,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<Option<FloatSearch>, Stopped> {
        let roots: Vec<TermId> = self.assertions().chain(assumptions.iter().copied()).collect();
        let seed = u64::from(self.options.sat.seed);
        FloatSearch::new(store, &roots, &mut self.joined, self.floats.strategy, seed, &limits.control)
    }

    /// The turn of the search. The model that it finds is judged like any other; one that is rejected only shows that the processor rounds
    /// otherwise than the standard says, and the search goes on.
    fn search(
        &mut self,
        search: &mut FloatSearch,
        turn: FloatTurns,
        store: &TermStore,
        assumptions: &[TermId],
        limits: &Limits,
        judged: Option<&mut Judged<'_>>,
    ) -> Result<Option<Answer>, BuildError> {
        let before = search.evaluations();
        let shown = self.floats.partial;
        let found = match judged {
            None => search.take_turn(store, turn, &limits.control, None),
            Some(judged) => {
                let mut receive = |partial| {
                    if judged.left() > 0 {
                        // The search goes on without a receiver that has enough.
                        let _ = judged.take(store, partial);
                    }
                };
                search.take_turn(store, turn, &limits.control, Some((shown, &mut receive)))
            }
        };
        self.statistics.evaluations += search.evaluations() - before;
        let model = match found {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(None),
            Err(_) => return Ok(Some(Answer::Unknown(reason_of(BuildError::Stopped, limits)))),
        };
        let answer = self.judge(store, model, assumptions, limits)?;
        Ok(matches!(answer, Answer::Sat(_)).then_some(answer))
    }
}

/// Whether a turn of the search takes more work than a check may take. The search has no conflicts: each stands for the ticks that it
/// takes, about.
fn is_beyond(turn: FloatTurns, limits: &Limits) -> bool {
    let of_conflicts = limits.conflicts.map(|count| count.saturating_mul(TICKS_OF_CONFLICT));
    let most = [limits.ticks, of_conflicts].into_iter().flatten().min();
    most.is_some_and(|most| turn.ticks() >= most)
}

/// Whether no work is left for circuits.
fn is_used_up(left: &Limits) -> bool {
    left.ticks == Some(0) || left.conflicts == Some(0)
}
