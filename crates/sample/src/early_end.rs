//! The result of a run whose time was up before all circuits were built: at most one solution.

use sundry_solver::Engine;
use sundry_term::{Control, Model};

use crate::problem::{Problem, Rejection};
use crate::strategy::{Step, StopReason, Strategy};

/// A strategy that only reports the model of the assertions that was found.
pub(crate) struct Unprepared<'a> {
    problem: &'a Problem,
    control: Control,
    reason: StopReason,
    model: Option<Model>,
    /// The engine as far as it was built, to be given back with the strategy, or not at all where the program ends.
    _engine: Option<Box<Engine>>,
}

impl<'a> Unprepared<'a> {
    /// The strategy that reports this model, not judged yet, and keeps the engine that was being built.
    pub(crate) fn new(
        problem: &'a Problem,
        model: Option<Model>,
        engine: Option<Box<Engine>>,
        control: &Control,
    ) -> Self {
        let (control, reason) = (control.clone(), control.reason().into());
        Unprepared { problem, control, reason, model, _engine: engine }
    }
}

impl Strategy for Unprepared<'_> {
    fn step(&mut self, _: &mut dyn FnMut(usize)) -> Step {
        match self.model.take().map(|model| self.problem.judge(model, &self.control)) {
            Some(Ok(solution)) => Step::Found(solution),
            Some(Err(Rejection::Wrong(wrong))) => Step::Failed(wrong),
            Some(Err(Rejection::Unjudged(_))) | None => Step::Stopped(self.reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use sundry_term::{Op, TermStore};

    use super::*;
    use crate::pipeline::{Request, sample};

    /// `x + y = y * y` over 16 bits.
    fn problem() -> Problem {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(16).expect("a width");
        let [x, y] = ["x", "y"].map(|name| store.declare(name, &[], sort));
        let [left, right] = [x, y].map(|symbol| store.symbol_term(symbol));
        let (sum, square) = (store.make(Op::BvAdd, &[left, right]), store.make(Op::BvMul, &[right, right]));
        let equal = store.make(Op::Equal, &[sum, square]);
        Problem::new(store, vec![equal], vec![x, y])
    }

    #[test]
    fn a_model_is_judged_and_reported() {
        let problem = problem();
        let control = Control::default().with_deadline(Some(Instant::now()));
        // All zero satisfies the formula.
        let mut run = Unprepared::new(&problem, Some(Model::new()), None, &control);
        assert!(matches!(run.step(&mut |_| {}), Step::Found(_)));
        assert!(matches!(run.step(&mut |_| {}), Step::Stopped(StopReason::Deadline)));
    }

    #[test]
    fn a_run_without_time_ends_without_circuits() {
        let problem = problem();
        let stop = Arc::new(AtomicBool::new(true));
        for (control, reason) in [
            (Control::default().with_deadline(Some(Instant::now())), StopReason::Deadline),
            (Control::default().with_stop(stop), StopReason::Interrupted),
        ] {
            let request = Request { control, ..Request::cover() };
            let summary =
                sample(&problem, &request, &mut |_| ControlFlow::Continue(())).expect("it is small");
            assert_eq!((summary.stopped_by, summary.solutions().len()), (reason, 0));
            assert_eq!(summary.set().expect("a set").validity.unknown, 130);
        }
    }
}
