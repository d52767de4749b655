//! Clauses that were added while an answer could be read: a call that is stopped passes on some, and loses none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sundry_sat::{AddClauses, Cadical, Interrupt, Limits, Options, Solve, Var, Verdict};
use sundry_term::{Control, LookObserver};

#[test]
fn clauses_that_wait_outlive_a_call_that_is_stopped() {
    for look in 0..4 {
        let mut solver = Cadical::new(&Options::default());
        let variables: Vec<Var> = (0..5000).map(|_| solver.new_var()).collect();
        assert_eq!(solver.solve(&[]), Verdict::Sat);
        variables.iter().for_each(|variable| solver.add_clause(&[variable.positive()]));
        solver.add_clause(&[!variables[0].positive()]);
        let (stop, looks) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
        let flag = Arc::clone(&stop);
        let observer: LookObserver = Arc::new(move || {
            flag.store(looks.fetch_add(1, Ordering::Relaxed) >= look, Ordering::Relaxed);
        });
        let control = Control::default().with_stop(stop).with_observer(observer);
        solver.set_limits(Limits::new(&control, None));
        assert_eq!(solver.solve(&[]), Verdict::Unknown, "stopped at look {look}");
        solver.set_limits(Limits::default());
        assert_eq!(solver.solve(&[]), Verdict::Unsat, "stopped at look {look}");
    }
}
