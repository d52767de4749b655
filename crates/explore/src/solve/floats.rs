//! Floating-point conditions by optimisation, in turns with circuits (section 3.4 of the paper).
//!
//! Turns are counted in steps of the search and ticks of the SAT solver, so that nothing depends on the clock. The search goes first, since circuits of some
//! products and quotients take longer to build than most searches. Only circuits show that there is no solution.

use rustc_hash::FxHashMap;
use sundry_solver::{FloatMethod, FloatSearch, FloatStrategy, FloatTurns, JoinedFloats, Waypoint};
use sundry_term::{Control, FloatOp, Op, Sort, TermId};

use super::below::unknown_below;
use super::circuits::Circuits;
use super::procedure::{Receiver, Verdict};
use crate::symbolic::Terms;

/// The number of turns that the search takes where circuits cannot be built: about a second of work.
const TURNS_WITHOUT_CIRCUITS: u32 = 6;

/// The number of gates from which on circuits are left to questions that have been put off: to build them takes longer than a short question may take.
const MOST_GATES_AT_ONCE: u64 = 200_000;

/// The turns of questions with floats.
pub(super) struct Floats {
    method: FloatMethod,
    seed: u64,
    joined: JoinedFloats,
    has_floats: FxHashMap<TermId, bool>,
}

/// A question that the turns are about.
pub(super) struct Turns<'a> {
    /// The conditions.
    pub conditions: &'a [TermId],
    /// The greatest number of ticks of all turns together.
    pub ticks: u64,
    /// Whether the question may be put off.
    pub is_short: bool,
    /// The control of the exploration.
    pub control: &'a Control,
    /// Judges a model of the search.
    pub judge: &'a mut dyn FnMut(&sundry_term::Model) -> bool,
}

/// A verdict, and whether the search found it.
pub(super) struct Decided {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the model is of the search.
    pub by_search: bool,
}

impl Decided {
    fn by_circuits(verdict: Verdict) -> Decided {
        Decided { verdict, by_search: false }
    }
}

impl Floats {
    /// Floats that are decided by this method.
    pub fn new(method: FloatMethod, seed: u64) -> Floats {
        Floats { method, seed, joined: JoinedFloats::default(), has_floats: FxHashMap::default() }
    }

    /// Whether conditions are for the search.
    pub fn are_searched(&mut self, conditions: &[TermId], terms: &Terms) -> bool {
        self.method != FloatMethod::Circuit
            && conditions.iter().any(|&condition| self.has_floats(condition, terms))
    }

    fn has_floats(&mut self, condition: TermId, terms: &Terms) -> bool {
        let store = &terms.store;
        for term in unknown_below(store, condition, &self.has_floats) {
            let has_floats = matches!(store.sort(store.sort_of(term)), Sort::Float(_))
                || store.args(term).iter().any(|argument| self.has_floats[argument]);
            self.has_floats.insert(term, has_floats);
        }
        self.has_floats[&condition]
    }

    /// Lets the search and the circuits take turns until one of them has an answer.
    pub fn decide(
        &mut self,
        turns: Turns<'_>,
        circuits: &mut Circuits,
        terms: &mut Terms,
        partials: &mut Receiver<'_>,
    ) -> Decided {
        let Turns { conditions, ticks, is_short, control, judge } = turns;
        let strategy = FloatStrategy::default();
        let search =
            FloatSearch::new(&mut terms.store, conditions, &mut self.joined, strategy, self.seed, control);
        let Ok(Some(mut search)) = search else {
            return Decided::by_circuits(circuits.ask(conditions, ticks, terms, control, partials));
        };
        let is_too_large = is_short && gates(conditions, terms) > MOST_GATES_AT_ONCE;
        let (mut left, mut can_be_built) = (ticks, self.method == FloatMethod::Both && !is_too_large);
        for number in 0.. {
            let turn = FloatTurns { number };
            let mut take = |partial: sundry_solver::PartialSolution| {
                // The search goes on without a receiver that has enough.
                let _ = partials.take(partial.model);
            };
            let shown: Option<(Waypoint, &mut dyn FnMut(_))> = Some((Waypoint::LocalMinimum, &mut take));
            match search.take_turn(&terms.store, turn, control, shown) {
                Ok(Some(model)) if judge(&model) => {
                    return Decided { verdict: Verdict::Model(model), by_search: true };
                }
                // The processor has rounded otherwise than the standard says, or the turn is over.
                Ok(_) => {}
                Err(_) => break,
            }
            if can_be_built {
                let of_turn = turn.ticks().min(left);
                match circuits.ask(conditions, of_turn, terms, control, partials) {
                    Verdict::Unknown => left -= of_turn,
                    Verdict::Unreadable => can_be_built = false,
                    verdict => return Decided::by_circuits(verdict),
                }
            }
            let is_over = match can_be_built {
                true => left == 0,
                false => number >= TURNS_WITHOUT_CIRCUITS || is_short,
            };
            if is_over || control.stopped() {
                break;
            }
        }
        Decided::by_circuits(Verdict::Unknown)
    }
}

/// The number of gates of floating-point operations in conditions, about.
fn gates(conditions: &[TermId], terms: &Terms) -> u64 {
    let store = &terms.store;
    let of_term = |&term: &TermId| {
        let (Op::Float(op), Sort::Float(format)) = (store.op(term), store.sort(store.sort_of(term))) else {
            return 0;
        };
        let bits = u64::from(format.significand_bits());
        match op {
            FloatOp::Mul | FloatOp::Fma | FloatOp::Div | FloatOp::Sqrt => 10 * bits * bits,
            FloatOp::Rem => 10 * bits * bits * bits,
            _ => 60 * bits,
        }
    };
    store.reachable(conditions).iter().map(of_term).sum()
}
